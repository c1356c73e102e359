"""Intervals of a mean score: Wilson, cluster-robust t and bootstrap, from scores or from sums.

Conventions
-----------
score
    One number for each trial (or item): 1 for right, 0 for wrong, anything between for a part.
cluster
    What makes scores depend on each other (a track, a stimulus, a song). Scores of one cluster
    count as one draw; a score whose cluster is None stands alone.
effective n
    How many independent right-or-wrong answers would tell as much as these scores do.

Scores that all lie in [0, 1] are taken for proportions, and their interval stays in [0, 1] and
never has zero width. Where that is not meant (seconds that happen to be small), say
``method="t"``.

References
----------
SE and its degrees of freedom: Bell and McCaffrey (2002), Survey Methodology 28: 169-181; with
clusters of one size that of Miller (2024), arXiv 2411.00640, section 2.2, times sqrt(C/(C-1)).
Effective n and its correction for degrees of freedom: Korn and Graubard (1998), Survey Methodology
24: 193-201; their use with Wilson's interval: Franco, Little, Louis and Slud (2019), Journal of
Survey Statistics and Methodology 7: 334-364. They cap the effective n at n; uncapped, the interval
keeps its level better (see docs/statistics/README.md). Rule for skewness: Cochran (1977), Sampling
Techniques, section 2.15.
Bootstrap: Hall (1992), The Bootstrap and Edgeworth Expansion, chapter 3.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Hashable, Sequence
from statistics import NormalDist
from typing import Any, Literal, get_args

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from zhiyin.errors import InputError, reworded
from zhiyin.statistics.distributions import share_ends, t_value

Floats = NDArray[np.float64]
Clusters = Sequence[Hashable] | NDArray[np.generic]
Method = Literal["auto", "wilson", "t", "bootstrap"]

_DRAWS = 1999
_CHUNK = 2_000_000  # resampled clusters held at once: 16 MB


class Interval(msgspec.Struct, frozen=True):
    """A mean with its interval.

    Attributes
    ----------
    mean : float
        Mean over all scores (a cluster weighs as much as it has scores).
    low, high : float
        Ends of the interval. From -inf to inf where one score or one cluster says nothing of the
        spread; [0, 1] for a proportion then.
    se : float
        Standard error of the mean, cluster-robust where there are clusters; inf for one cluster.
    n : int
        Scores.
    clusters : int
        Clusters; equal to `n` where every score stands alone.
    method : str
        "wilson", "wilson (effective n)", "t" or "bootstrap".
    level : float
        Confidence wanted, in (0, 1).
    """

    mean: float
    low: float
    high: float
    se: float
    n: int
    clusters: int
    method: str
    level: float = 0.95

    @property
    def ends(self) -> tuple[float, float, float]:
        """Mean and ends, as a cell of a table has them."""
        return self.mean, self.low, self.high

    def __repr__(self) -> str:
        """Return one line: the mean, its interval, and what they rest on."""
        within = f", clusters={self.clusters}" if self.clusters != self.n else ""
        level = f", level={self.level:g}" if self.level != 0.95 else ""
        ends = f"{self.low:.4g} to {self.high:.4g}"
        return f"Interval({self.mean:.4g}, {ends}, n={self.n}{within}, {self.method}{level})"


def wilson(k: float, n: float, level: float = 0.95) -> Interval:
    """The Wilson score interval of a proportion.

    Parameters
    ----------
    k, n : float
        Right answers and answers, 0 <= k <= n, n > 0. Fractions are allowed: an effective n.
    level : float
        Confidence, in (0, 1).

    Raises
    ------
    InputError
        When k, n or level lie outside their range.

    References
    ----------
    Wilson (1927), "Probable inference, the law of succession, and statistical inference",
    JASA 22: 209-212; Brown, Cai and DasGupta (2001), Statistical Science 16: 101-133.
    """
    if not (n > 0 and 0 <= k <= n):
        raise InputError(f"{k:g} right of {n:g} is no proportion: give 0 <= k <= n and n > 0")
    p = k / n
    low, high = _score_ends(p, n, normal_quantile(level))
    se = math.sqrt(p * (1 - p) / n)
    return Interval(p, low, high, se, round(n), round(n), "wilson", level)


def interval(
    scores: ArrayLike,
    clusters: Clusters | None = None,
    level: float = 0.95,
    *,
    method: Method = "auto",
    seed: int = 0,
) -> Interval:
    """The mean of some scores with its interval.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Finite numbers. What could not be judged is left out beforehand, never sent as 0 or NaN.
    clusters : sequence of labels, length n, or None
        Cluster of each score. None for the whole: every score stands alone.
    level : float
        Confidence, in (0, 1).
    method : {"auto", "wilson", "t", "bootstrap"}
        "auto" is described in `interval_from_sums`.
    seed : int
        Of the bootstrap.

    Returns
    -------
    Interval

    Raises
    ------
    InputError
        On no scores, scores that are no finite numbers, or as many clusters as do not fit.
    """
    values = as_scores(scores)
    sums, counts = cluster_sums(values, cluster_index(clusters, len(values)))
    if not np.all((values >= 0) & (values <= 1)):
        if method == "wilson":
            raise InputError("wilson is for scores in [0, 1]: take t or bootstrap for these")
        if method == "auto":
            method = "bootstrap" if is_skewed(sums, counts) else "t"
    return interval_from_sums(sums, counts, level, method=method, seed=seed)


def interval_from_sums(
    sums: ArrayLike,
    counts: ArrayLike,
    level: float = 0.95,
    *,
    method: Method = "auto",
    seed: int = 0,
) -> Interval:
    """The interval of a mean from the sum and the number of scores of each cluster.

    Two numbers for each cluster, so that a log is counted in one pass. For scores that stand
    alone, `sums` are the scores and `counts` ones.

    Parameters
    ----------
    sums : array_like, shape (C,)
        Sum of the scores of each cluster.
    counts : array_like, shape (C,)
        Number of scores of each cluster, whole and at least 1.
    level : float
        Confidence, in (0, 1).
    method : {"auto", "wilson", "t", "bootstrap"}
        wilson
            For scores in [0, 1]. Independent right-or-wrong answers: `wilson`. Otherwise Wilson
            with the effective n = p (1 - p) / SE², times (z / t)² for the degrees of
            freedom of SE. Where the scores do not vary at all, SE says nothing and every cluster
            counts as one draw. Ends are moved outwards as far as it takes that one more right
            answer never lowers either: see `monotone`.
        t
            mean ± t SE with SE = sqrt[sum_c (sum_{i in c} (s_i - mean))² / (1 - n_c / n)] / n,
            n_c the size of the cluster, and the degrees of freedom of `degrees_of_freedom`.
        bootstrap
            Percentile-t over whole clusters, 1,999 draws.
        auto
            For scores in [0, 1]: "wilson". For others: "t", or "bootstrap" where the clusters are
            fewer than 25 times their squared skewness.
    seed : int
        Of the bootstrap.

    Returns
    -------
    Interval

    Raises
    ------
    InputError
        On no clusters, unlike lengths, counts below 1, or "wilson" for sums beyond [0, count].
    """
    totals, sizes = _checked_sums(sums, counts)
    if method not in get_args(Method):
        raise InputError(f"unknown method {method!r}: take {', '.join(get_args(Method))}")
    unit = bool(np.all((totals >= 0) & (totals <= sizes)))
    if method == "wilson" and not unit:
        raise InputError("wilson is for scores in [0, 1]: take t or bootstrap for these")
    if method == "wilson" or (method == "auto" and unit):
        return share_interval(totals, sizes, level, int(sizes.sum()))
    if method == "bootstrap" or (method == "auto" and is_skewed(totals, sizes)):
        return _percentile_t(totals, sizes, level, seed)
    return _t_interval(totals, sizes, level)


def averaged_within(scores: ArrayLike, items: Clusters) -> Floats:
    """Repeats averaged within their item, items in order of first appearance.

    Repeats of an item are no new items: 20 stimuli asked three times are 20 scores.

    Parameters
    ----------
    scores : array_like, shape (n,)
    items : sequence of labels, length n
        Which item each score belongs to; None for a score that stands alone.

    Returns
    -------
    ndarray, shape (number of items,)

    Raises
    ------
    InputError
        On scores that are no finite numbers, or items that do not fit.
    """
    values = as_scores(scores)
    sums, counts = cluster_sums(values, cluster_index(items, len(values)))
    return sums / counts


def standard_error(sums: Floats, counts: Floats) -> float:
    """Cluster-robust standard error of a mean: CR2 of Bell and McCaffrey (2002).

    With clusters of one size it is that of Miller (2024, section 2.2), times sqrt(C/(C-1)).

    Parameters
    ----------
    sums, counts : ndarray, shape (C,)
        Sum and number of the scores of each cluster.

    Returns
    -------
    float
        inf for one cluster, whose spread is unknown.
    """
    size = len(sums)
    if size < 2:
        return math.inf
    n = counts.sum()
    residuals = counts * (sums.sum() / n)  # and in its place: there may be millions
    np.subtract(sums, residuals, out=residuals)
    largest = max(float(sums.max()), -float(sums.min()))
    residuals[np.abs(residuals) <= 1e-12 * (largest + 1e-300)] = 0.0  # rounding of equal scores
    weights = counts / n
    np.divide(1, np.subtract(1, weights, out=weights), out=weights)
    return float(math.sqrt(float(np.square(residuals, out=residuals) @ weights)) / n)


def degrees_of_freedom(counts: Floats) -> float:
    """Degrees of freedom of a mean's standard error: C - 1 for C clusters of one size.

    Fewer where sizes differ, for a few large clusters decide then (Bell and McCaffrey 2002; Imbens
    and Kolesar 2016, Review of Economics and Statistics 98: 701-712; scores taken for independent).

    Parameters
    ----------
    counts : ndarray, shape (C,)
        Number of scores of each cluster, or how much each weighs; above 0.
    """
    if np.all(counts == counts[0]):
        return float(len(counts) - 1)
    weights = counts / counts.sum()
    leverage = weights**2 / (1 - weights)
    return float(1 / (weights @ weights + leverage.sum() ** 2 - leverage @ leverage))


def normal_quantile(level: float) -> float:
    """The two-sided normal quantile of a confidence level in (0, 1): 1.96 for 0.95."""
    _check_level(level)
    below = 0.5 + level / 2
    return NormalDist().inv_cdf(below) if below < 1 else math.inf


def t_quantile(level: float, df: float) -> float:
    """The two-sided quantile of Student's t; inf for 0 degrees of freedom."""
    _check_level(level)
    if df <= 0:
        return math.inf
    return t_value((1 - level) / 2, float(df))


def p_value(p: float) -> float:
    """A probability as a p-value: never 0, which no test can show, but the least normal float.

    Probabilities far out in a tail are too small for a float and arrive here as 0.
    """
    return max(p, sys.float_info.min)


def as_scores(scores: ArrayLike, name: str = "score") -> Floats:
    """Finite numbers in one row; `name` is what an `InputError` calls one of them."""
    with reworded(f"every {name} must be a number: ", of=(TypeError, ValueError)):
        values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise InputError(f"no {name} given: shape {values.shape}, wanted one row of at least one")
    odd = np.flatnonzero(~np.isfinite(values))
    if len(odd):
        raise InputError(
            f"{name} {odd[0] + 1} of {len(values)} is {values[odd[0]]}: leave out what is missing"
        )
    return values


def cluster_index(clusters: Clusters | None, n: int) -> NDArray[np.intp]:
    """The number of each score's cluster, counted from 0 in order of first appearance.

    Parameters
    ----------
    clusters : sequence of labels or None
        A label None stands alone.
    n : int
        How many labels there must be.

    Raises
    ------
    InputError
        When there are more or fewer.
    """
    if clusters is None:
        return np.arange(n, dtype=np.intp)
    if len(clusters) != n:
        raise InputError(f"{len(clusters)} cluster labels for {n} scores: give one for each")
    if isinstance(clusters, np.ndarray) and np.issubdtype(clusters.dtype, np.integer):
        return in_order(clusters)[0]
    labels = clusters.tolist() if isinstance(clusters, np.ndarray) else clusters
    named: list[Hashable] = [object() if label is None else label for label in labels]
    numbers = {label: number for number, label in enumerate(dict.fromkeys(named))}
    return np.fromiter(map(numbers.__getitem__, named), dtype=np.intp, count=n)


def how_many(values: NDArray[Any]) -> int:
    """Count the different values. NumPy's `unique` alone takes 50 times as long."""
    ordered = np.sort(values, axis=None)
    return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + bool(ordered.size)


def in_order(names: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Names numbered in the order of their appearance, and where each of them appears first."""
    if how_many(names) == len(names):
        return (each := np.arange(len(names))), each
    _, first, inverse = np.unique(names, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[inverse], first[order]


def cluster_sums(scores: Floats, index: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Sum and number of the scores of each cluster, by `cluster_index`'s numbers."""
    return (
        np.bincount(index, weights=scores).astype(np.float64),
        np.bincount(index).astype(np.float64),
    )


def effective_n(mean: float, se: float, counts: Floats) -> float:
    """Number of independent right-or-wrong answers that have this mean and standard error.

    Where the scores do not vary (`se` = 0) each cluster counts as one draw: Kish (1965),
    Survey Sampling, with an intra-cluster correlation of 1.
    """
    if se > 0:
        return mean * (1 - mean) / se**2
    return float(counts.sum() ** 2 / (counts @ counts))


def share_interval(sums: Floats, counts: Floats, level: float, n: int) -> Interval:
    """The interval of sum(sums) / sum(counts), 0 <= sum <= count, of `n` scores.

    It is "wilson" of `interval_from_sums`. Counts need not be whole: an F1 and a precision are
    such shares as well.
    """
    size, total = len(sums), float(counts.sum())
    mean = min(1.0, float(sums.sum()) / total)
    if np.all(counts == 1) and np.all(sums == np.round(sums)):
        plain = wilson(float(sums.sum()), total, level)
        return msgspec.structs.replace(plain, se=standard_error(sums, counts), n=n)
    df = degrees_of_freedom(counts)
    z, t = normal_quantile(level), t_quantile(level, df)
    low, high = share_ends(sums, counts, (z / t) ** 2, z) if df > 0 and t < math.inf else (0.0, 1.0)
    return Interval(
        mean, low, high, standard_error(sums, counts), n, size, "wilson (effective n)", level
    )


def _score_ends(p: float, n: float, z: float) -> tuple[float, float]:
    z2 = z * z
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = z / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    # rounding must not part the interval from its mean
    return min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half))


def _t_interval(sums: Floats, counts: Floats, level: float) -> Interval:
    n, size = int(counts.sum()), len(sums)
    mean, se = float(sums.sum() / n), standard_error(sums, counts)
    half = t_quantile(level, degrees_of_freedom(counts)) * se if size > 1 else math.inf
    return Interval(mean, mean - half, mean + half, se, n, size, "t", level)


def _percentile_t(sums: Floats, counts: Floats, level: float, seed: int) -> Interval:
    n, size = int(counts.sum()), len(sums)
    mean, se = float(sums.sum() / n), standard_error(sums, counts)
    if size < 2 or se == 0:
        return _t_interval(sums, counts, level)
    _check_level(level)
    rng = np.random.default_rng(seed)
    pivots = []
    for start in range(0, _DRAWS, rows := max(1, _CHUNK // size)):
        drawn = rng.integers(0, size, (min(rows, _DRAWS - start), size))
        pivots.append(_pivots(sums[drawn], counts[drawn], mean))
    ordered = np.sort(np.concatenate(pivots))
    tail = max(1, round((_DRAWS + 1) * (1 - level) / 2))
    low, high = mean - ordered[-tail] * se, mean - ordered[tail - 1] * se
    return Interval(mean, float(low), float(high), se, n, size, "bootstrap", level)


def _pivots(sums: Floats, counts: Floats, mean: float) -> Floats:
    """(resampled mean - mean) / its standard error, one for each row; infinite for no spread."""
    n = counts.sum(axis=1)
    means = sums.sum(axis=1) / n
    residuals = sums - counts * means[:, None]
    se = np.sqrt(np.sum(residuals**2 / (1 - counts / n[:, None]), axis=1)) / n
    gap = means - mean
    flat = se <= 1e-12 * np.abs(means)
    pivots: Floats = gap / np.where(flat, 1.0, se)
    pivots[flat & (gap != 0)] = np.copysign(np.inf, gap[flat & (gap != 0)])
    return pivots


def is_skewed(sums: Floats, counts: Floats) -> bool:
    """Tell whether the clusters are too few, for their skewness, for a t interval (Cochran's rule).

    Below ten clusters there is nothing to learn the skewness from.
    """
    size = len(sums)
    residuals = sums - counts * (sums.sum() / counts.sum())
    spread = math.sqrt(float(np.mean(residuals**2)))
    if size < 10 or spread == 0:
        return False
    skewness = float(np.mean((residuals / spread) ** 3))
    return size < 25 * skewness**2


def _checked_sums(sums: ArrayLike, counts: ArrayLike) -> tuple[Floats, Floats]:
    totals, sizes = as_scores(sums, "cluster sum"), as_scores(counts, "cluster count")
    if len(totals) != len(sizes):
        raise InputError(f"{len(totals)} cluster sums but {len(sizes)} counts: give both for each")
    if np.any(sizes < 1) or np.any(sizes != np.round(sizes)):
        raise InputError("a cluster count is no whole number of at least 1: leave out empty ones")
    return totals, sizes


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise InputError(f"level {level} is no confidence: take one between 0 and 1, such as 0.95")
