"""Student's t, the binomial and the Poisson binomial, without SciPy; and ends that are monotone.

Loading SciPy's special functions takes longer than reading and comparing two runs of 14,000 trials.
Both agree with SciPy to ten digits and more, see ``tests/core/test_statistics_distributions.py``.

References
----------
Binomial probabilities: Loader (2000), "Fast and accurate computation of binomial probabilities"
(saddle point and deviance). Incomplete beta function: DLMF 8.17.22 (continued fraction), by
Lentz's method (Lentz 1976, Applied Optics 15: 668-671). Ratio of gamma functions: DLMF 5.11.13.

One more right answer never lowers an end of an interval of a share (`share_ends`). A standard
error that is estimated from the answers does not keep this order. None of 72 right in
36 clusters tells nothing of how alike a cluster's answers are, so that each cluster counts as one
draw; one right of 72 seems to tell that they are not alike at all, and Wilson's upper end was lower
with it (7.9 %) than without (10.3 %). So it is where one cluster does unlike all the others. The
upper end is therefore the highest that Wilson's interval has for these answers or for any that are
nowhere more right, the lower end the lowest for any that are nowhere less right. Widened so far
it holds the truth at least as often.

Among all answers with a total of T the effective n is least where some clusters keep all that they
have right and the others nothing, for the variance is convex in them. What is searched is a bound
on it, with a part of one cluster allowed, as in the fractional knapsack (Dantzig 1957, Operations
Research 5: 266-288): it is exact at the answers themselves, and never falls where one of them is
made right, which is the proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

_TINY, _CLOSE = 1e-300, 1e-15
_LARGE = 20.0
"""From here on series in 1 / a are exact to 16 digits."""
_MOST_STEPS, _MOST_CLIMBS = 100_000, 200
_NEAR = 1e-9
"""A step of Newton's method that is shorter, relative to t, leaves an error of its square."""


def t_above(t: float, df: float) -> float:
    """Probability that Student's t is above `t`, at least 0; `df` degrees of freedom, above 0."""
    a, square = df / 2, t * t
    near = math.log1p(square / df)  # -log(x) of the incomplete beta function
    x, rest = df / (df + square), square / (df + square)
    # 1 / B(a, 1/2), times x^a (1 - x)^(1/2)
    front = math.exp(_half_ratio(a) - a * near) * math.sqrt(rest / math.pi)
    if x < (a + 1) / (a + 2.5):
        return 0.5 * front * _fraction(a, 0.5, x) / a
    return 0.5 - front * _fraction(0.5, a, rest)


@lru_cache(maxsize=4096)
def t_value(above: float, df: float) -> float:
    """The t that Student's t is above with a probability in (0, 0.5]."""
    z = NormalDist().inv_cdf(1 - above)
    t = z + (z**3 + z) / (4 * df)  # below the root, from where Newton's method climbs to it
    for _ in range(_MOST_CLIMBS):
        density = math.exp(_half_ratio(df / 2) - (df + 1) / 2 * math.log1p(t * t / df))
        step = (t_above(t, df) - above) / (density / math.sqrt(df * math.pi))
        t += step
        if step <= _NEAR * t:
            break
    return t


def _half_ratio(a: float) -> float:
    """log(gamma(a + 1/2) / gamma(a))."""
    if a < _LARGE:
        return math.lgamma(a + 0.5) - math.lgamma(a)
    b = 1 / (a * a)
    series = -1 / 8 + b * (1 / 192 - b * (1 / 640 - b * (17 / 14336 - b * 31 / 18432)))
    return math.log(a) / 2 + series / a


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > _TINY else _TINY)
    value = d
    for m in range(1, _MOST_STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + term * d
            d = 1 / (d if abs(d) > _TINY else _TINY)
            c = 1 + term / c
            c = c if abs(c) > _TINY else _TINY
            value *= c * d
        if abs(c * d - 1) <= _CLOSE:
            break
    return value


def binomial_below(k: int, n: int, p: float) -> float:
    """Probability that a binomial number of `n` draws with chance `p` is `k` or less."""
    if k < 0:
        return 0.0
    if k >= n or p <= 0:
        return 1.0
    if p >= 1:
        return 0.0
    if k > n * p:
        return 1 - binomial_below(n - k - 1, n, 1 - p)
    below = np.arange(k, 0, -1)
    terms = np.cumprod(below / (n - below + 1) * ((1 - p) / p))
    return _likely(k, n, p) * (1 + float(terms.sum()))


def _likely(k: int, n: int, p: float) -> float:
    """Probability that it is `k`: Loader's saddle point."""
    if k == 0:
        return math.exp(n * math.log1p(-p))
    if k == n:
        return math.exp(n * math.log(p))
    off = _stirling(n) - _stirling(k) - _stirling(n - k)
    away = _deviance(k, n * p) + _deviance(n - k, n * (1 - p))
    return math.exp(off - away) * math.sqrt(n / (2 * math.pi * k * (n - k)))


def _stirling(n: int) -> float:
    """Difference between log(n!) and Stirling's formula."""
    if n < _LARGE:
        return math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - 0.5 * math.log(2 * math.pi)
    b = 1 / (n * n)
    return (1 / 12 - b * (1 / 360 - b * (1 / 1260 - b * (1 / 1680 - b / 1188)))) / n


def _deviance(k: float, mean: float) -> float:
    """K log(k / mean) + mean - k, exact also where the two are close."""
    if abs(k - mean) >= 0.1 * (k + mean):
        return k * math.log(k / mean) + mean - k
    v = (k - mean) / (k + mean)
    total, term, odd = (k - mean) * v, 2 * k * v, 3
    while True:
        term *= v * v
        if total + term / odd == total:
            return total
        total, odd = total + term / odd, odd + 2


def binomial_likely(numbers: ArrayLike, n: int, p: float) -> NDArray[np.float64]:
    """Probability of each of some numbers in a row, as many standard deviations wide as matter."""
    own = np.asarray(numbers, dtype=np.int64)
    if not 0 < p < 1:
        return np.asarray(own == n * p, dtype=np.float64)
    ratios = (n - own[:-1]) / (own[:-1] + 1) * (p / (1 - p))
    logs = np.concatenate([[0.0], np.cumsum(np.log(ratios))])
    middle = int(np.argmax(logs))
    likely: NDArray[np.float64] = np.exp(logs - logs[middle]) * _likely(int(own[middle]), n, p)
    return likely


def binomial_each(k: ArrayLike, n: ArrayLike, p: float) -> NDArray[np.float64]:
    """`binomial_below` of each of some `k` and `n`, both of shape (m,) and 0 <= k <= n."""
    most, many = np.asarray(k, dtype=np.int64), np.asarray(n, dtype=np.int64)
    if not 0 < p < 1:
        return np.where((p <= 0) | (most >= many), 1.0, 0.0)
    facts = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, int(many.max()) + 1)))])
    number = np.arange(int(most.max()) + 1)
    left = many[:, None] - number
    inside = (number <= most[:, None]) & (left >= 0)
    left = np.maximum(left, 0)
    logs = facts[many][:, None] - facts[number] - facts[left]
    logs += number * math.log(p) + left * math.log1p(-p)
    return np.asarray(np.where(inside, np.exp(logs), 0.0).sum(axis=1))


def upper_tail(shares: Sequence[float], hits: int) -> float:
    """The probability of `hits` or more among independent events of these probabilities.

    The Poisson binomial distribution, exactly, by adding one event after the other.
    """
    chances = np.zeros(len(shares) + 1)
    chances[0] = 1.0
    for number, share in enumerate(shares, 1):
        chances[1 : number + 1] = chances[1 : number + 1] * (1 - share) + chances[:number] * share
        chances[0] *= 1 - share
    return float(min(1.0, chances[hits:].sum()))


Floats = NDArray[np.float64]
_GRID, _FINER = 129, 33
"""Every total is looked at up to the first, and above it so many, then twice the second around the
highest end."""
_PARTS = (1, 2, 3, 4, 6, 12)
"""Answers are whole numbers, or of such parts: repeats averaged, the halves of an F1."""
_LARGE_SHARES = 0.1
"""A cluster with more than this share of all, and twice the next one, is gone through by itself."""


def score_end(share: Floats, n: Floats, z: float) -> Floats:
    """The upper end of Wilson's interval of shares with so many (effective) answers."""
    z2 = z * z
    half = z * np.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return np.asarray(np.minimum(1.0, (share + z2 / (2 * n) + half) / (1 + z2 / n)))


def share_ends(sums: Floats, counts: Floats, kept: float, z: float) -> tuple[float, float]:
    """Ends of the interval of sum(sums) / sum(counts).

    Parameters
    ----------
    sums, counts : ndarray, shape (C,)
        What each of two or more clusters has, 0 <= sum <= count, and how much it weighs.
    kept : float
        What is kept of the effective n for the degrees of freedom of the standard error: (z / t)².
    z : float
        The normal quantile of the level.
    """
    mean = float(sums.sum() / counts.sum())
    low = 1 - _upper(counts - sums, counts, kept, z)
    high = _upper(sums, counts, kept, z)
    # rounding must not part the interval from its mean
    return min(mean, max(0.0, low)), max(mean, min(1.0, high))


def _upper(sums: Floats, counts: Floats, kept: float, z: float) -> float:
    n, sums = float(counts.sum()), np.maximum(0.0, np.round(sums, 12))
    # Where all clusters are alike their spread says nothing: each is one draw, whatever its size,
    # for that so many are all right is as likely as that so many draws are.
    alike = np.array([min(1.0, float((sums / counts).min()))])
    best = float(score_end(alike, np.array([float(len(counts))]), z)[0])
    total = float(sums.sum())
    if total <= 0:
        return best
    # Answers that stand alone, each in [0, 1], tell at least as much as n right-or-wrong ones do.
    least = n if np.all(counts == 1) else 0.0
    parts = next((k for k in _PARTS if np.all(np.abs(k * sums - np.round(k * sums)) < 1e-6)), 0)

    def end_of(share: Floats, spread: Floats) -> Floats:
        """Wilson's upper end at a mean share, with the effective n of so much spread."""
        wide = share * (1 - share) * n * n
        apart = spread > 1e-9 * n * n / len(counts) ** 2
        effective = np.maximum(least, wide / np.where(apart, spread, 1.0) * kept)
        inner = apart & (effective > 0)
        return np.where(inner, score_end(share, np.where(inner, effective, 1.0), z), share)

    below, most = _less_right(sums, counts, n)
    ends = end_of(below, most)
    best = max(best, float(ends[0]))
    if ends[1:].max() <= best:
        return best
    large = _large(counts, n)
    rest = np.arange(len(counts)) != large
    spread = _most_spread(counts[rest], sums[rest], n)

    def highest(totals: Floats) -> Floats:
        """The ends at totals of shape (own, totals), the large cluster having `own` right."""
        share = np.minimum(1.0, (totals + own) / n)
        most = spread(totals.ravel(), share.ravel()).reshape(totals.shape)
        if large >= 0:
            most = most + (own - share * counts[large]) ** 2 / (1 - counts[large] / n)
        return end_of(share, most)

    top = float(sums[rest].sum())
    exact = bool(parts) and parts * top <= _GRID
    own = _steps(float(sums[large]) if large >= 0 else 0.0, parts)[:, None]
    totals = np.arange(parts * top + 0.5) / parts if exact else np.linspace(0, top, _GRID)
    totals = np.broadcast_to(totals, (len(own), len(totals)))
    for _ in range(1 if exact else 3):
        ends = highest(totals)
        best = max(best, float(ends.max()))
        place = ends.argmax(axis=1)[:, None]
        around = np.maximum(0, place - 1), np.minimum(totals.shape[1] - 1, place + 1)
        low, high = (np.take_along_axis(totals, side, 1)[:, 0] for side in around)
        totals = np.linspace(low, high, _FINER, axis=1)
    return best


def _less_right(sums: Floats, counts: Floats, n: float) -> tuple[Floats, Floats]:
    """Mean shares from that of the answers down, and bounds of the spread that any answers nowhere
    more right can have at them: at the first what there is.

    A quick answer in the usual case that none of them reaches a higher end. With y = x - d and
    residuals r of x: the sum of a (y - m size)² is at most that of x, and 2 n max(-a r) +
    2 sum(a r size) + n max(a x) for each unit by which the mean is lower, and sum(a size²) for its
    square; it is also at most T max(a x) + m² sum(a size²).
    """
    mean, weight = float(sums.sum()) / n, 1 / (1 - counts / n)
    lower = np.linspace(0.0, mean, _FINER)[:-1]
    share = mean - lower
    residuals = sums - mean * counts
    base, tallest = float(weight @ counts**2), n * float((weight * sums).max())
    slope = 2 * n * max(0.0, float(-(weight * residuals).min())) + tallest
    slope += 2 * float((weight * residuals) @ counts)
    most = float(weight @ residuals**2) + lower * slope + lower**2 * base
    most[1:] = np.minimum(most, share * tallest + share**2 * base)[1:]
    return np.minimum(1.0, share), most


def _large(counts: Floats, n: float) -> int:
    """The cluster that the rest is small beside; -1 where there is none."""
    if len(counts) < 3:
        return -1
    *_, second, first = np.partition(counts, -2)
    return int(counts.argmax()) if first > max(2 * second, _LARGE_SHARES * n) else -1


def _steps(most: float, parts: int) -> Floats:
    """Possible sums of the large cluster, from nothing right to all that it has."""
    exact = bool(parts) and parts * most <= 2 * _FINER
    return np.arange(parts * most + 0.5) / parts if exact else np.linspace(0, most, _FINER)


def _most_spread(sizes: Floats, right: Floats, n: float) -> Callable[[Floats, Floats], Floats]:
    """The sum of squared residuals that answers with a total can have at most, at a mean share.

    It is the sum of a (y - m size)² over the clusters, with y at most `right`, m the mean share and
    a = 1 / (1 - size / n) as in `intervals.standard_error`.
    """
    kinds, times = np.unique(np.column_stack([sizes, right]), axis=0, return_counts=True)
    sizes, right = kinds.T
    weight = 1 / (1 - sizes / n)
    held = right * times
    base = float((weight * sizes**2) @ times)

    def of(totals: Floats, share: Floats) -> Floats:
        worth = weight * (right - 2 * share[:, None] * sizes)  # of an answer in a cluster kept
        order = np.argsort(-worth, axis=1)
        amount = held[order]
        before = np.cumsum(amount, axis=1) - amount
        taken = np.clip(totals[:, None] - before, 0.0, amount)
        gained = np.sum(taken * np.take_along_axis(worth, order, 1), axis=1)
        return np.asarray(np.maximum(0.0, gained + share**2 * base))

    if np.all(sizes == sizes[0]):  # the order is that of `right`, whatever the total
        order = np.argsort(-right)
        ends = np.concatenate([[0.0], np.cumsum(held[order])])
        squares = np.concatenate([[0.0], np.cumsum((right * held)[order])])
        factor, size = weight[0], sizes[0]

        def equal(totals: Floats, share: Floats) -> Floats:
            gained = np.interp(totals, ends, squares) - 2 * share * size * totals
            return np.asarray(np.maximum(0.0, factor * gained + share**2 * base))

        return equal
    rows = max(1, 1_000_000 // len(sizes))

    def chunked(totals: Floats, share: Floats) -> Floats:
        starts = range(0, len(totals), rows)
        return np.concatenate([of(totals[at : at + rows], share[at : at + rows]) for at in starts])

    return chunked
