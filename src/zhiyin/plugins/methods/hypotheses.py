"""Tests of the hypotheses of a registered plan.

Sources
-------
Lakens, Scheel and Isager 2018, Equivalence testing for psychological research, Advances in Methods
and Practices in Psychological Science 1, 259-269: an effect as large as the smallest one of
interest is refuted by an interval that lies below it. Holm 1979, Scandinavian Journal of Statistics
6, 65-70. The tests that hold while one looks on are those of `statistics.betting`.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from zhiyin.chance import place_at_random
from zhiyin.engine.folder import MANIFEST, Manifest, find_log, read_manifest
from zhiyin.errors import InputError
from zhiyin.plugins.methods.betting import MeanWatch
from zhiyin.plugins.methods.plan import PLAN, PLAN_FILE, Hypothesis, RegisteredPlan, read_registered
from zhiyin.record import STATES
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.statistics import intervals
from zhiyin.statistics.distributions import binomial_below, t_above
from zhiyin.statistics.paired import holm, paired_difference, sign_flip
from zhiyin.words import said

_FEW = 50
"""Of fewer clusters the larger of two p counts: Student's, and that of flipped signs."""
Fate = Literal["supported", "refuted", "not-supported", "undecided"]


class HypothesisResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of one hypothesis.

    Attributes
    ----------
    hypothesis : Hypothesis
    fate : {"supported", "refuted", "not-supported", "undecided"}
        "refuted": an effect as large as the smallest one of interest is excluded. "undecided":
        something is yet to be asked.
    effect, low, high : float or None
        The difference, of 1, and the ends of its interval of 1 - alpha.
    p, adjusted : float or None
        Of no effect in the direction; and corrected for all hypotheses of the plan.
    items, clusters : int
    than : float or None
        What the share is compared with, of 1; None for another model.
    always : bool
        Whether the test holds however often one looks.
    decided : bool
        Whether it needs no more items, whatever becomes of the others.
    confirmatory : bool
        Whether every reply that it rests on was asked for after the plan was registered.
    """

    hypothesis: Hypothesis
    fate: Fate
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    adjusted: float | None = None
    items: int = 0
    clusters: int = 0
    than: float | None = None
    always: bool = False
    decided: bool = False
    confirmatory: bool = True


class PlannedScores(msgspec.Struct, frozen=True):
    """Scores of a run, by item in the plan's order: the share of right answers, and the cluster."""

    values: dict[str, float]
    clusters: dict[str, str]


def plan_of(folder: Path, manifest: Manifest | None = None) -> RegisteredPlan | None:
    """The registered plan that a run follows, as its folder keeps it; None for none.

    Raises
    ------
    InputError
        The run follows a plan whose copy is missing or another one.
    """
    named = (manifest or read_manifest(folder)).config.get(PLAN)
    if not named:
        return None
    plan = read_registered(folder / PLAN_FILE)
    if plan.sha256 != named:
        raise InputError(said("plan-not-named", folder=folder / PLAN_FILE))
    return plan


def rows_in(plan: RegisteredPlan, own: Hypothesis, folder: Path) -> Rows:
    """The trials of a run that count by its plan for a hypothesis."""
    rows = rows_of(folder).within(own.group)
    left_out = plan.plan.excluded - ({"ungraded"} if own.score else set())
    return rows.where(~np.isin(rows.states, [STATES.index(one) for one in left_out]))


def values_of(own: Hypothesis, rows: Rows) -> intervals.Floats:
    """Return each trial's value for a hypothesis, of 1; NaN where it has no such score."""
    if not own.score:
        return rows.right
    low, high = own.ends
    return (rows.scores(own.score) - low) / (high - low)


def scores_in(
    plan: RegisteredPlan, own: Hypothesis, folder: Path, wanted: Collection[str] | None = None
) -> PlannedScores:
    """The scores of a run that count by its plan; `wanted`: only those of these items."""
    sums: dict[str, list[float]] = {}
    clusters: dict[str, str] = {}
    places: dict[str, tuple[float, str, float, str]] = {}
    rows = rows_in(plan, own, folder)
    for row, value in zip(rows, values_of(own, rows).tolist(), strict=True):
        item = row.item
        if math.isnan(value) or (wanted is not None and item not in wanted):
            continue
        if item not in sums:
            sums[item] = []
            places[item] = place_at_random(plan.plan.seed, row.cluster, item)
            clusters[item] = places[item][1]
        sums[item].append(value)
    order = sorted(sums, key=places.__getitem__)
    return PlannedScores({item: float(np.mean(sums[item])) for item in order}, clusters)


def runs_of(plan: RegisteredPlan, folders: Sequence[Path]) -> dict[str, Path]:
    """The runs of a plan by model, among these and those that lie beside them."""
    sha256, found = plan.sha256, dict[str, Path]()
    beside = [place.parent for one in folders for place in sorted(one.parent.glob(f"*/{MANIFEST}"))]
    for folder in [*folders, *beside]:
        with contextlib.suppress(InputError):
            manifest = read_manifest(folder)
            if manifest.config.get(PLAN) == sha256 and find_log(folder):
                found.setdefault(manifest.spec, folder)
    return found


def results_of(
    plan: RegisteredPlan,
    runs: dict[str, Path],
    wanted: Collection[str] | None = None,
    *,
    whole: bool = True,
) -> list[HypothesisResult]:
    """Test every hypothesis of a plan.

    Parameters
    ----------
    plan : RegisteredPlan
    runs : dict of str to Path
        By model; hypotheses on others are undecided.
    wanted : collection of str, optional
        Only these items count.
    whole : bool
        Whether intervals are wanted.
    """
    found = [_tested(plan, one, runs, wanted, whole=whole) for one in plan.plan.hypotheses]
    p = np.array([1.0 if one.p is None else one.p for one in found])
    way = plan.plan.correction
    adjusted = holm(p) if way == "holm" else np.minimum(p * (1 if way == "none" else len(p)), 1)
    return [
        _judged(plan, one, float(own), runs) if one.p is not None else one
        for one, own in zip(found, adjusted, strict=True)
    ]


def _judged(
    plan: RegisteredPlan, one: HypothesisResult, adjusted: float, runs: dict[str, Path]
) -> HypothesisResult:
    """A result with its corrected p, and what follows from it."""
    own, fate = one.hypothesis, one.fate
    if fate != "refuted":
        ended = all(_at_end(runs[model]) for model in (own.model, own.other) if model)
        fate = "not-supported" if ended else "undecided"
        if adjusted <= plan.plan.alpha and (ended or plan.plan.sequential):
            fate = "supported"
    elif not plan.plan.sequential and not all(
        _at_end(runs[model]) for model in (own.model, own.other) if model
    ):
        fate = "undecided"
    return msgspec.structs.replace(one, adjusted=adjusted, fate=fate)


def _at_end(folder: Path) -> bool:
    """Tell whether all was asked that was to be; what failed is a departure of its own."""
    return len(rows_of(folder)) >= read_manifest(folder).planned


def _tested(
    plan: RegisteredPlan,
    own: Hypothesis,
    runs: dict[str, Path],
    wanted: Collection[str] | None,
    *,
    whole: bool,
) -> HypothesisResult:
    """The test of one hypothesis; `fate` is "refuted" where the interval says so."""
    if own.model not in runs or (own.other and own.other not in runs):
        return HypothesisResult(hypothesis=own, fate="undecided", always=plan.plan.sequential)
    first = scores_in(plan, own, runs[own.model], wanted)
    values, than = first.values, null_of(own, plan.chance)
    if own.other:
        other = scores_in(plan, own, runs[own.other], wanted).values
        pairs = {item: (own_, other[item]) for item, own_ in values.items() if item in other}
        a, b = (np.array([pair[n] for pair in pairs.values()], dtype=float) for n in (0, 1))
        items = [*pairs]
    else:
        a, b, items = np.array([*values.values()], dtype=float), None, [*values]
    if not items or not all(np.all((one >= 0) & (one <= 1)) for one in (a, b) if one is not None):
        return HypothesisResult(hypothesis=own, fate="undecided", always=plan.plan.sequential)
    names = [first.clusters[item] for item in items]
    if plan.plan.sequential:
        return _always(plan, own, a, b, names, than, whole=whole)
    return _once(plan, own, a, b, names, than)


def null_of(own: Hypothesis, chance: Mapping[str, float]) -> float | None:
    """Return the share that a hypothesis is compared with, of 1; None where it is another model."""
    if own.other:
        return None
    return chance[own.group] if isinstance(own.than, str) else own.of_one(own.than)


def _p_of(own: Hypothesis, above: float, below: float, apart: float) -> float:
    """The p that a hypothesis goes by: of those of its three directions."""
    return {"greater": above, "less": below, "different": apart}[own.direction]


def _once(
    plan: RegisteredPlan,
    own: Hypothesis,
    a: intervals.Floats,
    b: intervals.Floats | None,
    names: list[str],
    than: float | None,
) -> HypothesisResult:
    """One test at the end. Intervals and standard errors are those of all tables."""
    wide = 1 - 2 * plan.plan.level
    alpha = 1 - plan.plan.alpha
    if b is None:
        assert than is not None
        narrow, shown = intervals.interval(a, names, wide), intervals.interval(a, names, alpha)
        effect, low, high = shown.mean - than, shown.low - than, shown.high - than
        ends, se = (narrow.low - than, narrow.high - than), shown.se
    else:
        inner, outer = paired_difference(a, b, names, wide), paired_difference(a, b, names, alpha)
        effect, low, high = outer.mean, max(outer.low, -1.0), min(outer.high, 1.0)
        ends, se = (inner.low, inner.high), outer.se
    counts = intervals.cluster_sums(a, intervals.cluster_index(names, len(a)))[1]
    binary = bool(np.isin(a, (0, 1)).all()) and counts.max() == 1
    if b is not None:  # of one item each it is McNemar's exact test
        above, below = _halves(sign_flip(a - b, names).p, effect)
    elif binary and than is not None:
        right = int(a.sum())
        above = binomial_below(len(a) - right, len(a), 1 - than)
        below = binomial_below(right, len(a), than)
    else:
        df = float(intervals.degrees_of_freedom(counts))
        above, below = (_one_sided(own_, se, df, len(counts)) for own_ in (effect, -effect))
        if len(counts) < _FEW and than is not None:
            flips = _halves(sign_flip(a - than, names).p, effect)
            above, below = max(above, flips[0]), max(below, flips[1])
    smallest = own.least
    refuted = {
        "greater": ends[1] < smallest,
        "less": ends[0] > -smallest,
        "different": -smallest < ends[0] and ends[1] < smallest,
    }[own.direction]
    return HypothesisResult(
        hypothesis=own, fate="refuted" if refuted else "undecided", effect=effect, low=low,
        high=high, p=min(1.0, _p_of(own, above, below, 2 * min(above, below))), items=len(a),
        clusters=len(counts), than=than,
    )  # fmt: skip


def _halves(p: float, effect: float) -> tuple[float, float]:
    """The p of no effect above 0, and of none below, from that of both sides."""
    return (p / 2, 1 - p / 2) if effect > 0 else (1 - p / 2, p / 2)


def _one_sided(effect: float, se: float, df: float, clusters: int) -> float:
    """P of no effect above 0 by Student's t; where all clusters agree, of all their signs."""
    if df <= 0 or effect == 0:
        return 1.0 if effect <= 0 else 0.5
    if se == 0:
        return 2.0**-clusters if effect > 0 else 1.0
    above = t_above(abs(effect) / se, df)
    return above if effect > 0 else 1 - above


def _always(
    plan: RegisteredPlan,
    own: Hypothesis,
    a: intervals.Floats,
    b: intervals.Floats | None,
    names: list[str],
    than: float | None,
    *,
    whole: bool,
) -> HypothesisResult:
    """The test that holds whenever one looks, of scores in the plan's order."""
    wide = 1.0 if b is None else 2.0  # a difference is put on a scale from 0 to 1
    scores = a if b is None else (a - b + 1) / 2
    null = 0.5 if than is None else than
    step = own.least / wide
    more, less = min(null + step, 1.0), max(null - step, 0.0)
    most = plan.counts.get(own.name, plan.largest)
    watch = MeanWatch((null, more, less), most, plan.plan.alpha, whole=whole)
    totals, counts = intervals.cluster_sums(scores, intervals.cluster_index(names, len(scores)))
    for total, count in zip(totals, counts, strict=True):
        watch.add(total, count)
    above, below, apart = (float(p(null)) for p in (watch.p_above, watch.p_below, watch.p_apart))
    under, over = float(watch.p_below(more)), float(watch.p_above(less))
    level = plan.plan.level
    refuted = {
        "greater": under <= level,
        "less": over <= level,
        "different": max(under, over) <= level,
    }[own.direction]
    p = min(1.0, _p_of(own, above, below, apart))
    low, high = watch.interval() if whole else (None, None)
    return HypothesisResult(
        hypothesis=own,
        fate="refuted" if refuted else "undecided",
        effect=wide * (watch.mean - null),
        low=None if low is None else wide * (low - null),
        high=None if high is None else wide * (high - null),
        p=p,
        items=len(scores),
        clusters=len(counts),
        than=than,
        always=True,
        decided=refuted or p <= level,
    )
