"""Scores made of parts: each a ratio of sums over songs, put together with weights.

Conventions
-----------
part
    What is summed and what it is divided by, for each song: right answers over questions, a
    grade over one review, right claims over checked ones. Its value is the ratio of the two sums.
total
    The weighted mean of the parts that have a value.
song
    The cluster. Everything on one song counts as one draw, in all parts at once.
kind of song
    Which parts it is in: some songs have questions, some a review, some both. Songs are taken as
    drawn within their kind, for the kinds of the benchmark's songs are fixed.

References
----------
Linearised ratios: Cochran (1977), Sampling Techniques, sections 6.3 and 5.3 (strata). Degrees of
freedom: Satterthwaite (1946), Biometrics Bulletin 2: 110-114. Ends in [0, 1]: Wilson with an
effective n, as in `intervals`. Test: swapping the two runs on whole songs, which is the sign-flip
test where the statistic is a mean (Fisher 1935, The Design of Experiments, section 21).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.statistics.intervals import (
    Floats,
    Interval,
    interval_from_sums,
    normal_quantile,
    t_quantile,
    wilson,
)
from zhiyin.statistics.paired import EXACT_CLUSTERS, Flips

TOTAL = "total"
_DRAWS = 10_000


class Parts(msgspec.Struct, frozen=True):
    """The scores of one run, part by part and song by song.

    Attributes
    ----------
    names : tuple of str, length P
    weights : tuple of float, length P
        At least 0; only their proportions count.
    songs : tuple of str, length C
    sums, counts : ndarray, shape (P, C)
        Numerator and denominator of each part on each song, 0 <= sums <= counts.
    scored : ndarray of bool, shape (P, C)
        Whether the part was scored on the song (its count may be 0 all the same: a review
        without a single claim).
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]
    songs: tuple[str, ...]
    sums: Floats
    counts: Floats
    scored: NDArray[np.bool_]

    def shares(self, name: str) -> Floats:
        """Weight of each part in a figure, shape (P,), summing to 1; all 0 for no figure.

        A part's own value is that part alone; the total is over the parts that have a value.
        """
        if name != TOTAL:
            return np.array([float(part == name and self._known[i]) for i, part in
                             enumerate(self.names)])  # fmt: skip
        weights = np.array(self.weights) * self._known
        return weights / weights.sum() if weights.sum() else weights

    @property
    def _known(self) -> NDArray[np.bool_]:
        known: NDArray[np.bool_] = self.counts.sum(axis=1) > 0
        return known


class PartDifference(msgspec.Struct, frozen=True):
    """Two runs on one figure: first minus second on the songs that both were scored on.

    `songs` counts those that bear on the figure; the rest is as in `paired.Difference`.
    """

    name: str
    first: float
    second: float
    mean: float
    low: float
    high: float
    se: float
    songs: int
    flips: Flips


def part_interval(parts: Parts, name: str, level: float = 0.95) -> Interval | None:
    """The value of a part, or of `TOTAL`, with its interval; None where it has none.

    `Interval.clusters` counts songs; `Interval.n` what a part counts (questions, reviews, claims),
    for the total songs as well.

    Parameters
    ----------
    parts : Parts
    name : str
    level : float
        Confidence, in (0, 1).
    """
    shares = parts.shares(name)
    if not shares.any():
        return None
    if name != TOTAL and (plain := _plain(parts, name, level)) is not None:
        return plain
    value = min(1.0, float(shares @ _values(parts)))  # shares may sum to a little more than 1
    used = parts.scored[shares > 0].any(axis=0)
    fewest = int(parts.scored[shares > 0].sum(axis=1).min())
    unseen = [
        shares[i] * _half(own) / normal_quantile(level)
        for i, part in enumerate(parts.names)
        if name == TOTAL
        and shares[i] > 0
        and not _scaled(parts, shares)[i].any()
        and (own := _plain(parts, part, level)) is not None
    ]
    se, df = _spread(_influence(parts, shares)[used], _kinds(parts, shares)[used], unseen, fewest)
    songs = int(used.sum())
    if fewest < 2:
        return Interval(value, 0.0, 1.0, math.inf, songs, songs, _METHOD, level)
    if se > 0 and 0 < value < 1:
        size = value * (1 - value) / se**2 * (normal_quantile(level) / t_quantile(level, df)) ** 2
    else:
        size = fewest * (normal_quantile(level) / t_quantile(level, fewest - 1)) ** 2
    ends = wilson(value * size, size, level)
    low, high = min(value, ends.low), max(value, ends.high)
    return Interval(value, low, high, se, songs, songs, _METHOD, level)


_METHOD = "wilson (effective n)"


def _plain(parts: Parts, name: str, level: float) -> Interval | None:
    """A part whose counts are whole numbers is a mean of scores in clusters, as everywhere."""
    place = parts.names.index(name)
    there = parts.counts[place] > 0
    sums, counts = parts.sums[place, there], parts.counts[place, there]
    if np.any(counts != np.round(counts)):
        return None
    return interval_from_sums(sums, counts, level, method="wilson")


def part_difference(
    a: Parts, b: Parts, name: str, level: float = 0.95, draws: int = _DRAWS, seed: int = 0
) -> PartDifference | None:
    """First minus second, paired by song; None where one of the two has no such value.

    Parameters
    ----------
    a, b : Parts
        With the same parts and weights, on the same songs, in what both were scored on. The total
        is over the parts that both have.
    name : str
        A part, or `TOTAL`.
    level : float
        Confidence, in (0, 1).
    draws, seed : int
        Of the test, where the songs are more than `EXACT_CLUSTERS`.

    Returns
    -------
    PartDifference or None
        The interval is Student's t on the linearised difference, in [-1, 1]. A part in which no
        song differs has no spread to go by: it enters with that of Wilson's interval for 0 of so
        many.
    """
    shares = a.shares(name) * b.shares(name)
    if not shares.any():
        return None
    shares = np.array(a.weights) * (shares > 0) if name == TOTAL else (shares > 0).astype(float)
    shares = shares / shares.sum()
    one, two = float(shares @ _values(a)), float(shares @ _values(b))
    used = a.scored[shares > 0].any(axis=0)
    songs = int(used.sum())
    fewest = int(a.scored[shares > 0].sum(axis=1).min())
    gap = _influence(a, shares) - _influence(b, shares)
    z, by_part = normal_quantile(level), _scaled(a, shares) - _scaled(b, shares)
    unseen = [
        share * z / (songs_scored + z**2)
        for share, own, songs_scored in zip(shares, by_part, a.scored.sum(axis=1), strict=True)
        if share > 0 and not own.any()
    ]
    se, df = _spread(gap[used], _kinds(a, shares)[used], unseen, fewest)
    half = t_quantile(level, df) * se
    if fewest < 2:
        se, half = math.inf, math.inf
    low, high = max(-1.0, one - two - half), min(1.0, one - two + half)
    flips = _swapped(a, b, shares, used, draws, seed)
    return PartDifference(name, one, two, one - two, low, high, se, songs, flips)


def _values(parts: Parts) -> Floats:
    """The value of each part, shape (P,); 0 where it has none."""
    counts = parts.counts.sum(axis=1)
    values = np.zeros(len(counts))
    np.divide(parts.sums.sum(axis=1), counts, out=values, where=counts > 0)
    return values


def _influence(parts: Parts, shares: Floats) -> Floats:
    """Influence of each song on the figure, shape (C,): the linearised weighted ratios."""
    influence: Floats = _scaled(parts, shares).sum(axis=0)
    return influence


def _scaled(parts: Parts, shares: Floats) -> Floats:
    """Influence of each song on the figure by each part, shape (P, C)."""
    counts = parts.counts.sum(axis=1)
    scale = np.divide(shares, counts, out=np.zeros(len(counts)), where=counts > 0)
    residuals = parts.sums - _values(parts)[:, None] * parts.counts
    residuals[np.abs(residuals) < 1e-12] = 0.0  # rounding where all songs are alike
    scaled: Floats = scale[:, None] * residuals
    return scaled


def _half(interval: Interval) -> float:
    return (interval.high - interval.low) / 2


def _kinds(parts: Parts, shares: Floats) -> NDArray[np.intp]:
    """The kind of each song as a number, shape (C,). A kind of one song joins the next largest."""
    patterns = [tuple(column) for column in parts.scored[shares > 0].T]
    sizes = Counter(patterns)
    order = sorted(sizes, key=lambda pattern: (-sizes[pattern], pattern))
    many = [pattern for pattern in order if sizes[pattern] > 1] or order[:1]
    rest = len(order) - len(many)
    number = {pattern: place for place, pattern in enumerate(many)}
    for pattern in order[len(many) :]:
        number[pattern] = len(many) if rest > 1 else len(many) - 1
    return np.array([number[pattern] for pattern in patterns], dtype=np.intp)


def _spread(
    influence: Floats, kinds: NDArray[np.intp], unseen: Sequence[float], fewest: int
) -> tuple[float, float]:
    """Standard error of a figure, and its degrees of freedom.

    `unseen` are standard errors of parts in which all songs are alike, by luck or not: a total
    must not be surer than its parts.
    """
    variance = sum(se**2 for se in unseen)
    denominator = sum(se**4 for se in unseen) / max(1, fewest - 1)
    for kind in np.unique(kinds):
        own = influence[kinds == kind]
        size = len(own)
        if size < 2:
            continue
        part = size / (size - 1) * float(np.sum((own - own.mean()) ** 2))
        variance += part
        denominator += part**2 / (size - 1)
    return math.sqrt(variance), variance**2 / denominator if denominator > 0 else 0.0


def _swapped(
    a: Parts, b: Parts, shares: Floats, used: NDArray[np.bool_], draws: int, seed: int
) -> Flips:
    """The test: the difference, with the two runs swapped on some of the songs."""
    sums, counts = (b.sums - a.sums)[:, used], (b.counts - a.counts)[:, used]
    moved = (np.abs(sums) + np.abs(counts))[shares > 0].any(axis=0)
    sums, counts, size = sums[:, moved], counts[:, moved], int(moved.sum())
    exact = size <= EXACT_CLUSTERS
    if exact:
        swaps = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    else:
        swaps = np.random.default_rng(seed).integers(0, 2, (draws, size))

    def total(of: Parts, sign: float) -> Floats:
        top = of.sums.sum(axis=1) + sign * (swaps @ sums.T)
        below = of.counts.sum(axis=1) + sign * (swaps @ counts.T)
        ratio: Floats = np.where(below > 1e-12, top / np.where(below > 1e-12, below, 1.0), 0.0)
        weighted: Floats = np.asarray(ratio @ shares, dtype=np.float64)
        return weighted

    observed = float(shares @ (_values(a) - _values(b)))
    extreme = np.abs(total(a, 1.0) - total(b, -1.0)) >= abs(observed) - 1e-9
    p = float(extreme.mean()) if exact else (1 + float(extreme.sum())) / (1 + draws)
    return Flips(observed, p, len(swaps), exact, size)
