"""Whether a run is worse than the one that it is held against: a gate for nightly jobs.

What fails is a drop that is shown: the upper end of the interval of new minus old lies below minus
the points that are allowed. Several comparisons share the error of the first kind (Bonferroni): in
a night in which nothing is worse than allowed, one of them or more fails with at most half of
`alpha`. What is not shown passes, and says what it would take to see it
(docs/decisions/0083-where-users-are.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from zhiyin.analysis.compare_parts import compare_all, scorings, shared
from zhiyin.analysis.comparison import Comparison
from zhiyin.analysis.extent import extent_of, lacking_of
from zhiyin.engine.log import read_manifest
from zhiyin.engine.naming import MARK, canary_told, failed_canaries
from zhiyin.errors import InputError
from zhiyin.runs.pairing import scores_of
from zhiyin.shown.table import Column, Row, Table
from zhiyin.statistics.paired import paired_difference
from zhiyin.statistics.parts import TOTAL, part_difference
from zhiyin.words import Said, said

ALWAYS = ("data", "benchmark", "benchmark_version", "options.extract")
"""Settings where figures mean another thing if they differ: no comparison passes over them."""
GateState = Literal["worse", "lacking", "open", "kept"]
FAILS: frozenset[GateState] = frozenset(("worse", "lacking"))


class GateFinding(msgspec.Struct, frozen=True):
    """One run held against another.

    Attributes
    ----------
    name : str
        What was asked: the benchmark, or the run's name in its suite.
    old, new : str
        The runs' labels.
    measure : str
    items : int
        That both judged.
    old_score, new_score : float or None
    difference, low, high : float or None
        New minus old, of a measure that counts errors old minus new: below 0 is worse. The ends
        are those of the interval at `level`.
    level : float
    allowed : float
        How much worse it may be, as a share of 1.
    detectable : float or None
        The smallest true difference that a test at 0.05 would find with 80 % power.
    state : {"worse", "lacking", "open", "kept"}
        worse: shown to be worse than allowed. lacking: trials that were to be asked have no
        verdict. open: neither shown to be worse, nor shown not to be. kept: shown not to be worse
        than allowed.
    why : Said
    """

    name: str
    old: str
    new: str
    measure: str
    items: int
    old_score: float | None
    new_score: float | None
    difference: float | None
    low: float | None
    high: float | None
    level: float
    allowed: float
    detectable: float | None
    state: GateState
    why: Said

    @property
    def fails(self) -> bool:
        """Whether the gate is closed."""
        return self.state in FAILS


def gate(
    pairs: Mapping[str, tuple[Path, Path | None]],
    points: float = 0.0,
    *,
    measure: str | None = None,
    alpha: float = 0.05,
) -> list[GateFinding]:
    """Hold runs against earlier ones, paired by item.

    Parameters
    ----------
    pairs : mapping of str to (Path, Path or None)
        The earlier run and the new one, by what was asked; None where there is no new one.
    points : float
        By how many points (hundredths) the new one may be worse.
    measure : str, optional
        A named score in place of accuracy.
    alpha : float
        Of all intervals together: each has the level 1 - alpha / number of findings.

    Returns
    -------
    list of GateFinding
        One for each pair, of runs that judges judged one for each judge.

    Raises
    ------
    InputError
        Runs cannot be compared: other data, another version or reader, or other questions.
    """
    if not 0 < alpha < 1:
        raise InputError(f"alpha {alpha:g} is no level of significance: give such as 0.05")
    compared = {
        name: [] if new is None else compare_all([old, new], measure=measure)
        for name, (old, new) in pairs.items()
    }
    # Each judge of a pair has an interval of its own.
    level = 1 - alpha / max(1, sum(len(own) or 1 for own in compared.values()))
    findings: list[GateFinding] = []
    for name, (old, new) in pairs.items():
        if new is None:
            findings.append(_gone(name, old, level, points / 100))
            continue
        comparisons = compared[name]
        _refuse_other(old, new, comparisons[0])
        in_parts = comparisons[0].by_judge
        for number, comparison in enumerate(comparisons):
            among = number if in_parts else None
            findings.append(_held(name, old, new, comparison, among, measure, level, points / 100))
    return findings


def _refuse_other(old: Path, new: Path, comparison: Comparison) -> None:
    """Raise `InputError` where figures of the two mean different things."""
    if other := [name for name in ALWAYS if name in comparison.settings]:
        raise InputError(
            f"{new} cannot be held against {old}: {', '.join(other)} differ: make the baseline "
            "anew, or rescore one of them (`zhiyin rescore`)"
        )


def _gone(name: str, old: Path, level: float, allowed: float) -> GateFinding:
    manifest = read_manifest(old)
    label = manifest.label or manifest.model
    none = (None,) * 5
    return GateFinding(
        name, label, label, "accuracy", 0, *none, level, allowed, None, "lacking",
        said("gate-gone"),
    )  # fmt: skip


def _held(
    name: str, old: Path, new: Path, comparison: Comparison, judge: int | None,
    measure: str | None, level: float, allowed: float,
) -> GateFinding:  # fmt: skip
    """One pair. `judge`: the place of the judge whose scores are compared, or None."""
    first, second = comparison.runs
    whole = comparison.pairs[0].groups[0]
    if whole.low == whole.high:  # the same replies twice
        difference = low = high = 0.0
    elif judge is None:
        scores = scores_of([new, old], measure)
        now, before = scores.values
        found = paired_difference(now, before, scores.clusters, level)
        difference, low, high = found.mean, found.low, found.high
    else:
        judged = shared([scorings(old) or [], scorings(new) or []])[judge]
        part = part_difference(judged[1].parts, judged[0].parts, TOTAL, level)
        if part is None:
            raise InputError(f"{old} and {new} have no total in common: judge both alike")
        difference, low, high = part.mean, part.low, part.high
    if comparison.low_is_best:
        difference, low, high = -difference, -high, -low
    extent = extent_of(new)
    state: GateState
    if first.left_out and not extent.done:
        lacking = lacking_of(extent.reach, extent.manifest)
        state, why = "lacking", said("gate-lacking", what=lacking)
    elif high < -allowed:
        state, why = "worse", said("gate-worse", points=-difference, allowed=allowed)
    elif low >= -allowed:
        state, why = "kept", said("gate-kept", allowed=allowed)
    else:
        detectable = whole.detectable if whole.detectable <= 1 else None
        state, why = "open", said("gate-open", low=-low, allowed=allowed, detectable=detectable)
    if failed := failed_canaries(extent.manifest):
        told = [canary_told(medium, one) for medium, one in failed.items()]
        why = said("gate-canary", why=why, told=told)
    return GateFinding(
        name, first.label.removesuffix(MARK), second.label.removesuffix(MARK), comparison.measure,
        comparison.items, whole.first, whole.second, difference, low, high, level, allowed,
        whole.detectable if whole.detectable <= 1 else None, state, why,
    )  # fmt: skip


def gate_table(findings: Sequence[GateFinding]) -> Table:
    """What the gate found, the failures first."""
    order = sorted(findings, key=lambda one: not one.fails)
    level = findings[0].level if findings else 0.95
    columns = (
        Column(said("gate-asked")), Column(said("gate-verdict")),
        Column(said("gate-old"), "share"), Column(said("gate-new"), "share"),
        Column(said("gate-difference"), "points"), Column(said("gate-interval"), "points"),
        Column(said("gate-items"), "count"),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                one.name, said("gate-state", state=one.state),
                one.old_score, one.new_score, one.difference,
                None if one.low is None or one.high is None else (one.low, one.high), one.items,
            ),
            weight=float(one.fails), mark="strong" if one.fails else "",
        )
        for one in order
    )  # fmt: skip
    notes = [said("gate-note", level=level, n=len(findings))]
    notes += [said("gate-of", name=one.name, why=one.why) for one in order if one.state != "kept"]
    failing = sum(one.fails for one in findings)
    title = said("gate-title", n=failing, of=len(findings))
    return Table("gate", title, columns, rows, tuple(notes))
