"""Student's t, the binomial and the Poisson binomial, for commands that need no more of SciPy.

Loading SciPy's special functions takes longer than reading and comparing two runs of 14,000 trials.
Both agree with SciPy to ten digits and more, see ``tests/core/test_statistics_distributions.py``.

References
----------
Binomial probabilities: Loader (2000), "Fast and accurate computation of binomial probabilities"
(saddle point and deviance). Incomplete beta function: DLMF 8.17.22 (continued fraction), by
Lentz's method (Lentz 1976, Applied Optics 15: 668-671). Ratio of gamma functions: DLMF 5.11.13.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
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
