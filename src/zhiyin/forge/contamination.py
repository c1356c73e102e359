"""Does a model do better on old items, which it may have read, than on new ones of equal kind?

The two sets hold different items, so the comparison is of two samples. New items are weighed so
that each stratum (the widest groups of an item) counts as in the old set. The standard error is
that of the weighted means, robust to clusters: in each set of C clusters
SE² = C/(C-1) Σ_c (Σ_{i in c} w_i (s_i - s̄_stratum))².
Where that is less than the variance of a proportion with one right and one wrong answer added
(Agresti and Caffo 2000, The American Statistician 54: 280-288), the latter counts: few items that
are all right do not show that two sets are equal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import msgspec

from zhiyin.engine.log import read_manifest
from zhiyin.errors import InputError
from zhiyin.forge.renewing import content_of
from zhiyin.runs.rows import rows_of
from zhiyin.statistics.intervals import t_quantile
from zhiyin.statistics.paired import minimum_detectable

POWER = 0.8
FEWEST = 2


class Answered(msgspec.Struct):
    """The answers to one item: its stratum, its cluster, and the sum of its scores."""

    stratum: str
    cluster: str
    total: float = 0.0
    times: int = 0

    @property
    def score(self) -> float:
        """The mean over its trials."""
        return self.total / self.times


class Contrast(msgspec.Struct, frozen=True):
    """A model on old and on new items. Shares are in [0, 1].

    Attributes
    ----------
    model : str
    old, new : float
        Accuracy on the old items; on the new ones, weighed to the old strata.
    difference, low, high, se : float
        Old less new, its 95 % interval and standard error.
    p : float
        Two-sided, by Student's t with Welch and Satterthwaite's degrees of freedom.
    detectable : float
        The smallest true difference that such sets find with a power of `POWER` at 5 %.
    items : tuple of int
        Old and new items that count.
    shared, alone : int
        Items left out, for they stand in both sets, or in a stratum that only one set has.
    remarks : list of str
    """

    model: str
    old: float
    new: float
    difference: float
    low: float
    high: float
    se: float
    p: float
    detectable: float
    items: tuple[int, int]
    shared: int
    alone: int
    remarks: list[str] = []

    @property
    def found(self) -> str:
        """Whether the model is "better" or "worse" on the old items, or "none" is resolved."""
        if self.p >= 0.05:
            return "none"
        return "better" if self.difference > 0 else "worse"


def contrast(old: Path, new: Path) -> Contrast:
    """Compare a model's run on old items with its run on new ones.

    Raises
    ------
    InputError
        The runs are of different models, or hold too few items to compare.
    """
    manifests = [read_manifest(old), read_manifest(new)]
    if manifests[0].model != manifests[1].model:
        raise InputError(
            f"{old} is of {manifests[0].model}, {new} of {manifests[1].model}: give two runs of "
            "one model"
        )
    first, second = _answers(old), _answers(new)
    shared = first.keys() & second.keys()
    strata = {a.stratum for k, a in first.items() if k not in shared}
    strata &= {a.stratum for k, a in second.items() if k not in shared}
    kept = [
        {k: a for k, a in each.items() if k not in shared and a.stratum in strata}
        for each in (first, second)
    ]
    alone = len(first) + len(second) - 2 * len(shared) - len(kept[0]) - len(kept[1])
    if min(map(len, kept)) < FEWEST:
        raise InputError(
            f"{old} and {new}: {len(kept[0])} and {len(kept[1])} items of the same groups that are "
            "not in both: too few to compare"
        )
    remarks = []
    for name in ("sampling", "benchmark_version"):
        if manifests[0].config.get(name) != manifests[1].config.get(name):
            remarks.append(f"the runs differ in {name}: that may be all that is seen")
    share = {s: sum(a.stratum == s for a in kept[0].values()) / len(kept[0]) for s in strata}
    means, variances, sizes = [], [], []
    for each in kept:
        mean, variance, clusters = _weighed(each, share)
        means.append(mean)
        variances.append(variance)
        sizes.append(clusters)
    if min(sizes) < FEWEST:
        raise InputError(f"{old} and {new}: one of them is a single cluster: give more recordings")
    return _contrast(manifests[0].model, means, variances, sizes, (len(kept[0]), len(kept[1])),
                     len(shared), alone, remarks)  # fmt: skip


def _contrast(
    model: str,
    means: list[float],
    variances: list[float],
    sizes: list[int],
    items: tuple[int, int],
    shared: int,
    alone: int,
    remarks: list[str],
) -> Contrast:
    from scipy import stats

    difference, se = means[0] - means[1], math.sqrt(sum(variances))
    df = sum(variances) ** 2 / sum(v**2 / (n - 1) for v, n in zip(variances, sizes, strict=True))
    half = t_quantile(0.95, df) * se
    p = float(2 * stats.t.sf(abs(difference) / se, df))
    low, high = max(-1.0, difference - half), min(1.0, difference + half)
    return Contrast(model, means[0], means[1], difference, low, high, se, p,
                    minimum_detectable(se, POWER), items, shared, alone, remarks)  # fmt: skip


def _answers(run: Path) -> dict[str, Answered]:
    """The judged items of a run that were asked in the main way, if any, by what they ask."""
    plain: dict[str, Answered] = {}
    others: dict[str, Answered] = {}
    rows = rows_of(run)
    for record in rows.judged.records():
        trial = record.trial
        answers = plain if rows.ways.is_main(trial.tags) else others
        asked = content_of(trial)
        widest = sorted(name for name in trial.groups if "/" not in name)
        stratum = " + ".join(widest) or "all"
        one = answers.setdefault(asked, Answered(stratum, trial.cluster or asked))
        one.total += record.verdict.state == "correct"
        one.times += 1
    if not plain and not others:
        raise InputError(f"{run}: no trial has been judged yet; finish the run first")
    return plain or others


def _weighed(items: Mapping[str, Answered], share: Mapping[str, float]) -> tuple[float, float, int]:
    """The mean over strata in their shares, its variance, and the number of clusters."""
    strata: dict[str, list[float]] = {}
    for one in items.values():
        strata.setdefault(one.stratum, []).append(one.score)
    means = {name: sum(values) / len(values) for name, values in strata.items()}
    sums: dict[str, float] = {}
    for one in items.values():
        weight = share[one.stratum] / len(strata[one.stratum])
        off = weight * (one.score - means[one.stratum])
        sums[one.cluster] = sums.get(one.cluster, 0.0) + off
    count = len(sums)
    mean = sum(share[name] * means[name] for name in strata)
    robust = count / (count - 1) * sum(v**2 for v in sums.values()) if count > 1 else 0.0
    plus = (mean * len(items) + 1) / (len(items) + 2)
    return mean, max(robust, plus * (1 - plus) / (len(items) + 2)), count
