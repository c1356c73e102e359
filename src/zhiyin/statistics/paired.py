"""Comparing models on the same items: paired difference, its tests, many tests, a ranking.

Conventions
-----------
Differences are first minus second. A test that does not reach its level says "not resolved",
never "equal": print `Difference.detectable` beside it. Clusters as in `intervals`.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from zhiyin.errors import InputError
from zhiyin.statistics.distributions import binomial_below, t_above
from zhiyin.statistics.intervals import (
    Clusters,
    Floats,
    as_scores,
    cluster_index,
    cluster_sums,
    degrees_of_freedom,
    normal_quantile,
    p_value,
    standard_error,
    t_quantile,
)

EXACT_CLUSTERS = 14
"""Up to this many clusters that differ, the sign-flip test goes through all 2^14 flips."""
LARGE_CLUSTERS = 300
"""From this many clusters on, the cluster-robust t interval serves within [0, 1] too ..."""
LARGE_EXPECTED = 30.0
"""... if pairs that differ, counted in effective n, are at least this many."""
_CHUNK = 1_000_000


class Difference(msgspec.Struct, frozen=True):
    """Mean difference of two models on the same items.

    Attributes
    ----------
    mean : float
        Mean of first minus second.
    low, high : float
        Ends of the interval; -inf and inf (or -1 and 1, for scores in [0, 1]) where one
        item or one cluster says nothing of the spread.
    se : float
        Standard error, cluster-robust where there are clusters.
    p : float
        Two-sided p of "no difference" by Student's t, of all sign flips where every cluster
        differs alike; 1 where nothing differs, never 0. For right or wrong
        answers `mcnemar_exact` or `sign_flip` are the tests to quote.
    detectable : float
        The smallest true difference that such a comparison finds with 80 % power at 5 %.
    n, clusters : int
        Items and clusters.
    first, second : float
        The two means.
    method : str
        "t", or "adjusted" for few answers scored within [0, 1].
    level : float
        Confidence wanted.
    """

    mean: float
    low: float
    high: float
    se: float
    p: float
    detectable: float
    n: int
    clusters: int
    first: float
    second: float
    method: str
    level: float = 0.95


class Discordance(msgspec.Struct, frozen=True):
    """McNemar's exact test: `b` items only the first had right, `c` only the second."""

    b: int
    c: int
    p: float


class Flips(msgspec.Struct, frozen=True):
    """A sign-flip test.

    Attributes
    ----------
    mean : float
        Observed mean difference.
    p : float
        Two-sided, never 0.
    draws : int
        Flips that were looked at: `draws`, or 2^C when all of them were.
    exact : bool
        Whether these were all flips.
    clusters : int
        Clusters whose differences do not cancel, which are all that a flip can change.
    """

    mean: float
    p: float
    draws: int
    exact: bool
    clusters: int


class Rank(msgspec.Struct, frozen=True):
    """One row of a ranking: its place in the input (from 0), its mean, its group letters."""

    index: int
    mean: float
    letters: str


class Ranking(msgspec.Struct, frozen=True):
    """A ranking with significance groups.

    Attributes
    ----------
    rows : tuple of Rank
        Best first. Two rows that share a letter are not significantly different by the tests.
    alpha : float
        Level that the p-values were compared with.
    """

    rows: tuple[Rank, ...]
    alpha: float


def paired_difference(
    a: ArrayLike, b: ArrayLike, clusters: Clusters | None = None, level: float = 0.95
) -> Difference:
    """Mean of a minus b over items that both answered.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Scores of the same items in the same order.
    clusters : sequence of labels, length n, or None
    level : float
        Confidence, in (0, 1).

    Returns
    -------
    Difference
        By Student's t on the cluster-robust standard error of the differences, with the degrees of
        freedom of `intervals.degrees_of_freedom`. With fewer than 300 clusters, or fewer than 30
        discordant pairs in effective n, two models who agree throughout are not called equal
        beyond doubt: for right-or-wrong scores one pair is added each way first, the effective n
        takes the place of n, and z t / t_{n-1} that of the quantile; for other scores in [0, 1],
        such as averaged repeats, SE² grows by 2 (d / n)² with d the smallest step between two
        scores, which is what such a pair each way would add to it.

    Raises
    ------
    InputError
        On unlike lengths, scores that are no finite numbers, or a level outside (0, 1).

    References
    ----------
    Miller (2024), arXiv 2411.00640, sections 2.2 and 4.2 (clustered, paired); Bonett and Price
    (2012), Journal of Educational and Behavioral Statistics 37: 479-488 (one pair each way).
    """
    first, second = as_scores(a, "score of the first"), as_scores(b, "score of the second")
    if len(first) != len(second):
        raise InputError(
            f"{len(first)} scores against {len(second)}: a paired comparison needs the same items"
        )
    differences = first - second
    sums, counts = cluster_sums(differences, cluster_index(clusters, len(first)))
    mean, se = float(differences.mean()), standard_error(sums, counts)
    df = degrees_of_freedom(counts)
    unit = bool(min(first.min(), second.min()) >= 0 and max(first.max(), second.max()) <= 1)
    half, centre, method = t_quantile(level, df) * se if df else math.inf, mean, "t"
    n_eff, discordant = _effective_pairs(differences, mean, se, counts)
    if unit and (len(sums) < LARGE_CLUSTERS or n_eff * discordant < LARGE_EXPECTED):
        method, step = "adjusted", smallest_step(np.concatenate([first, second]))
        if step == 1:
            centre, half = _adjusted(mean, discordant, n_eff, len(first), df, level)
        elif df:
            half = t_quantile(level, df) * math.sqrt(se**2 + 2 * (step / n_eff) ** 2)
    bound = 1.0 if unit else math.inf
    low, high = max(-bound, centre - half), min(bound, centre + half)
    p, detectable = _t_test(mean, se, df, len(sums)), minimum_detectable(se)
    means = float(first.mean()), float(second.mean())
    sizes = len(first), len(sums)
    return Difference(mean, low, high, se, p, detectable, *sizes, *means, method, level)


def mcnemar_exact(b: int, c: int) -> Discordance:
    """McNemar's test by the binomial: p = min(1, 2 P(Bin(b + c, 1/2) <= min(b, c))).

    Parameters
    ----------
    b, c : int
        Items that only the first, and only the second, had right. At least 0.

    Returns
    -------
    Discordance
        p = 1 where there is no discordant item.

    Raises
    ------
    InputError
        On negative counts.

    References
    ----------
    McNemar (1947), Psychometrika 12: 153-157, with the binomial in place of chi-square.
    """
    if b < 0 or c < 0:
        raise InputError(f"{b} and {c} discordant items: counts are at least 0")
    return Discordance(b, c, p_value(min(1.0, 2 * binomial_below(min(b, c), b + c, 0.5))))


def sign_flip(
    differences: ArrayLike, clusters: Clusters | None = None, draws: int = 10_000, seed: int = 0
) -> Flips:
    """Test whether a mean difference is more than chance: the signs of whole clusters are flipped.

    Parameters
    ----------
    differences : array_like, shape (n,)
        First minus second, one for each item.
    clusters : sequence of labels, length n, or None
    draws : int
        Random flips where there are more than 2^14 in all; at least 1.
    seed : int

    Returns
    -------
    Flips
        p = share of flips whose sum is at least as far from 0 as the observed one; of all flips
        (exact), or (1 + count) / (1 + draws). Where that is more than all flips can have by
        Hoeffding's inequality, it is that bound: the number of draws is no floor below which no
        correction for many tests could ever find a difference.

    Raises
    ------
    InputError
        On differences that are no finite numbers, or draws below 1.

    References
    ----------
    Fisher (1935), The Design of Experiments, section 21; the 1 added: Phipson and Smyth (2010),
    Statistical Applications in Genetics and Molecular Biology 9: 39; the bound: Hoeffding (1963),
    Journal of the American Statistical Association 58: 13-30.
    """
    if draws < 1:
        raise InputError(f"{draws} draws: give at least 1")
    values = as_scores(differences, "difference")
    sums, _ = cluster_sums(values, cluster_index(clusters, len(values)))
    tiny = 1e-12 * float(np.abs(values).max())
    sums = sums[np.abs(sums) > tiny]  # the rest cancel, but for rounding
    sizes, observed, mean = np.abs(sums), abs(float(sums.sum())), float(values.mean())
    # sums of the same terms in another order differ in the last digits: those are ties
    least = observed - 1e-9 * float(sizes.sum())
    if len(sizes) <= EXACT_CLUSTERS:
        flips = 1 - 2 * ((np.arange(2 ** len(sizes))[:, None] >> np.arange(len(sizes))) & 1)
        p = float(np.mean(np.abs(flips @ sizes) >= least))
        return Flips(mean, p, len(flips), True, len(sizes))
    rng = np.random.default_rng(seed)
    extreme = int(np.sum(np.abs(_flipped_sums(sizes, draws, rng)) >= least))
    at_most = p_value(2 * math.exp(-(observed**2) / (2 * float(sizes @ sizes))))
    return Flips(mean, min(at_most, (1 + extreme) / (1 + draws)), draws, False, len(sizes))


def holm(p: ArrayLike) -> Floats:
    """Holm's adjusted p-values, in the order given: for a family declared beforehand.

    Parameters
    ----------
    p : array_like, shape (m,)
        In [0, 1].

    Raises
    ------
    InputError
        On a p outside [0, 1].

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6: 65-70.
    """
    values = _checked_p(p)
    order = np.argsort(values, kind="stable")
    steps = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return adjusted


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Adjusted p-values that bound the false discovery rate, in the order given: to explore.

    Parameters
    ----------
    p : array_like, shape (m,)
        In [0, 1].

    Raises
    ------
    InputError
        On a p outside [0, 1].

    References
    ----------
    Benjamini and Hochberg (1995), JRSS B 57: 289-300.
    """
    values = _checked_p(p)
    order = np.argsort(-values, kind="stable")
    size = len(values)
    steps = values[order] * size / np.arange(size, 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum.accumulate(steps)
    return adjusted


def minimum_detectable(se: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest true difference that a two-sided test finds: (z_{1-alpha/2} + z_power) SE.

    Parameters
    ----------
    se : float
        Standard error of the difference.
    power, alpha : float
        In (0, 1).

    Raises
    ------
    InputError
        On a power or an alpha outside (0, 1).

    References
    ----------
    Miller (2024), arXiv 2411.00640, section 5.
    """
    if not 0 < power < 1:
        raise InputError(f"power {power} is no probability between 0 and 1, such as 0.8")
    if not 0 < alpha < 1:
        raise InputError(f"alpha {alpha} is no level between 0 and 1, such as 0.05")
    return (normal_quantile(1 - alpha) + NormalDist().inv_cdf(power)) * se


def rank(means: ArrayLike, p: ArrayLike, alpha: float = 0.05) -> Ranking:
    """Order models by their means, with letters for those that do not differ significantly.

    Parameters
    ----------
    means : array_like, shape (m,)
        Higher is better.
    p : array_like, shape (m, m)
        Symmetric p-values of the paired tests, adjusted for their number beforehand; the
        diagonal is not read.
    alpha : float
        Two models differ significantly where p < alpha.

    Returns
    -------
    Ranking
        Two rows share a letter exactly where they do not differ significantly.

    Raises
    ------
    InputError
        On a matrix of the wrong shape, one that is not symmetric, or a p outside [0, 1].

    References
    ----------
    Piepho (2004), "An algorithm for a letter-based representation of all-pairwise
    comparisons", Journal of Computational and Graphical Statistics 13: 456-466 (insert and
    absorb).
    """
    values = as_scores(means, "mean")
    size = len(values)
    table = np.array(p, dtype=np.float64)
    if table.shape != (size, size):
        raise InputError(f"p-values of shape {table.shape} for {size} means: give {size} by {size}")
    np.fill_diagonal(table, 1.0)
    _checked_p(table.ravel())
    if not np.array_equal(table, table.T):
        raise InputError("the p-values are not symmetric: one test for each pair, both ways round")
    order = np.argsort(-values, kind="stable")
    groups = _groups(table[np.ix_(order, order)] < alpha)
    rows = tuple(
        Rank(
            int(index),
            float(values[index]),
            "".join(_letter(number) for number, group in enumerate(groups) if place in group),
        )
        for place, index in enumerate(order)
    )
    return Ranking(rows, alpha)


def _effective_pairs(
    differences: Floats, mean: float, se: float, counts: Floats
) -> tuple[float, float]:
    """Effective number of pairs, and the share of them that are discordant."""
    discordant = float(np.mean(differences**2))
    if len(counts) == len(differences):
        return float(len(differences)), discordant
    if se > 0 and math.isfinite(se):
        return (discordant - mean**2) / se**2, discordant
    return float(counts.sum() ** 2 / (counts @ counts)), discordant


def smallest_step(scores: Floats) -> float:
    """The least difference between two scores that occur, 0 and 1 taken to be among them."""
    steps = np.diff(np.sort(np.concatenate([scores, [0.0, 1.0]])))
    return float(steps[steps > 1e-9].min())


def _adjusted(
    mean: float, discordant: float, n: float, pairs: int, df: float, level: float
) -> tuple[float, float]:
    """Centre and half width after one more pair each way (Bonett and Price 2012)."""
    if df <= 0:
        return 0.0, 1.0
    quantile = normal_quantile(level) * t_quantile(level, df) / t_quantile(level, pairs - 1)
    share = (n * discordant + 2) / (n + 2)
    centre = n * mean / (n + 2)
    return centre, quantile * math.sqrt((share - centre**2) / (n + 2))


def _t_test(mean: float, se: float, df: float, clusters: int) -> float:
    if df <= 0 or mean == 0:
        return 1.0
    if se == 0:  # all clusters differ alike: the share of sign flips that do
        return p_value(2.0 ** (1 - clusters))
    return p_value(2 * t_above(abs(mean) / se, float(df)))


def _flipped_sums(sizes: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Sums under random signs; clusters of one size are flipped together, by a binomial."""
    distinct, times = np.unique(sizes, return_counts=True)
    together = 2 * len(distinct) < len(sizes)
    width = len(distinct) if together else len(sizes)
    sums = np.empty(draws)
    rows = max(1, _CHUNK // width)
    for start in range(0, draws, rows):
        stop = min(draws, start + rows)
        if together:
            up = rng.binomial(times, 0.5, (stop - start, width))
            sums[start:stop] = (2 * up - times) @ distinct
        else:
            drawn = rng.integers(0, 256, (stop - start, -(-width // 8)), dtype=np.uint8)
            bits = np.unpackbits(drawn, axis=1, count=width)
            sums[start:stop] = 2 * (bits @ sizes) - sizes.sum()
    return sums


def _checked_p(p: ArrayLike) -> Floats:
    values = as_scores(p, "p-value")
    if np.any((values < 0) | (values > 1)):
        raise InputError("a p-value lies outside [0, 1]")
    return values


def _groups(apart: NDArray[np.bool_]) -> list[frozenset[int]]:
    """Largest sets of which no two are apart, ordered by their members."""
    size = len(apart)
    groups = [frozenset(range(size))]
    for first in range(size):
        for second in range(first + 1, size):
            if apart[first, second]:
                pair = {first, second}
                split = [
                    part
                    for group in groups
                    for part in ([group - {first}, group - {second}] if pair <= group else [group])
                ]
                kept = set(split)
                groups = [group for group in kept if not any(group < other for other in kept)]
    return sorted(groups, key=sorted)


def _letter(number: int) -> str:
    """a, b, ..., z, a1, b1, ..."""
    turn, letter = divmod(number, 26)
    return chr(ord("a") + letter) + (str(turn) if turn else "")
