"""Power of the tests on paired items: what a given number of items can find.

All scores are in [0, 1]: a difference of 3 points is 0.03.

The normal approximation of `paired.minimum_detectable` promises too much where pairs or clusters
are few. Five items can show nothing to McNemar's test, however large the difference, and five
clusters nothing to sign flips.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from zhiyin.statistics.distributions import binomial_each, binomial_likely
from zhiyin.statistics.intervals import Floats, normal_quantile
from zhiyin.statistics.paired import minimum_detectable

_PLENTY = 25
"""From so many discordant pairs on, the normal approximation with half a pair more will do."""
_PRECISE = 1e-3


def mcnemar_power(n: int, difference: float, discordant: float, alpha: float = 0.05) -> float:
    """Probability that McNemar's exact test finds a difference, in its direction.

    Parameters
    ----------
    n : int
        Pairs, at least 1.
    difference : float
        Share of the pairs that one has right and the other wrong, less that of the reverse.
    discordant : float
        The sum of the two shares; taken to be `difference` where it is less.
    alpha : float
        Level of the two-sided test.
    """
    share = min(1.0, max(discordant, difference))
    if share <= 0:
        return 0.0
    spread = 8 * math.sqrt(n * share * (1 - share)) + 8
    first, last = max(1, math.floor(n * share - spread)), min(n, math.ceil(n * share + spread))
    pairs = np.arange(first, last + 1)
    likely = binomial_likely(pairs, n, share)
    fewest = _most_against(1 << last.bit_length(), alpha)[first : last + 1]
    shown = binomial_each(np.maximum(fewest, 0), pairs, (1 - difference / share) / 2)
    return float(likely @ np.where(fewest >= 0, shown, 0.0))


def mcnemar_detectable(
    n: int, discordant: float, power: float = 0.8, alpha: float = 0.05, plenty: int = _PLENTY
) -> float:
    """The smallest difference that McNemar's exact test finds with some power; inf for none.

    Parameters
    ----------
    n : int
        Pairs, at least 1.
    discordant : float
        Share of the pairs that only one of the two has right, in [0, 1].
    power, alpha : float
        In (0, 1).
    plenty : int
        Discordant pairs from which on it is approximated.
    """
    return _mcnemar_detectable(n, round(discordant, 9), power, alpha, plenty)


@lru_cache(maxsize=4096)
def _mcnemar_detectable(
    n: int, discordant: float, power: float, alpha: float, plenty: int
) -> float:
    if 2.0 ** (1 - n) >= alpha:  # the p of n pairs that are all for one
        return math.inf
    near = minimum_detectable(math.sqrt(discordant / n), power, alpha) + 0.5 / n
    if n * discordant >= plenty:
        return near
    if power <= alpha and mcnemar_power(n, 0.0, discordant, alpha) >= power:
        return 0.0  # a false alarm is as frequent
    low, high = 0.0, min(1.0, near)
    missing, spare = -power, mcnemar_power(n, high, discordant, alpha) - power
    while spare < 0:
        if high == 1.0:  # every pair is for one: whatever is missing is lost in rounding
            return high
        low, missing, high = high, spare, min(1.0, 1.5 * high)
        spare = mcnemar_power(n, high, discordant, alpha) - power
    while high - low > _PRECISE * high:  # the Illinois method
        middle = (low * spare - high * missing) / (spare - missing)
        beyond = mcnemar_power(n, middle, discordant, alpha) - power
        if abs(beyond) < _PRECISE:
            return middle
        if beyond < 0:
            low, missing, spare = middle, beyond, spare / 2
        else:
            high, spare, missing = middle, beyond, missing / 2
    return high


@lru_cache(maxsize=64)
def _most_against(most: int, alpha: float) -> Floats:
    """Largest number against it, of 0, 1, ... discordant pairs; -1 if none may be."""
    pairs = np.arange(most + 1)
    near = np.floor(pairs / 2 - normal_quantile(1 - alpha) * np.sqrt(pairs) / 2) + 2
    allowed = np.minimum(near, np.floor(pairs / 2))
    while True:
        above = (allowed >= 0) & (2 * binomial_each(np.maximum(allowed, 0), pairs, 0.5) >= alpha)
        if not above.any():
            return np.asarray(np.maximum(allowed, -1), dtype=np.float64)
        allowed = np.where(above, allowed - 1, allowed)


def flips_detectable(
    se: float, clusters: int, step: float = 0.0, power: float = 0.8, alpha: float = 0.05
) -> float:
    """The smallest difference that flipping the signs of whole clusters finds; inf for none.

    Parameters
    ----------
    se : float
        Standard error of the difference.
    clusters : int
        Of fewer than six no signs have a p below 0.05; of six, only if all of them agree.
    step : float
        The least by which one cluster can change the difference. Where nearly all clusters cancel
        by luck, the standard error is small, and it takes some that differ all the same.
    power, alpha : float
        In (0, 1).
    """
    if clusters < 1 or 2.0 ** (1 - clusters) >= alpha:
        return math.inf
    least = step * clusters * mcnemar_detectable(clusters, 2 / (clusters + 2), power, alpha)
    plain = max(least, minimum_detectable(se, power, alpha))
    if 2.0 ** (2 - clusters) < alpha:
        return plain
    return max(plain, NormalDist().inv_cdf(power ** (1 / clusters)) * math.sqrt(clusters) * se)
