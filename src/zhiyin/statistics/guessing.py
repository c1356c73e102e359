"""Tests that a share is better than guessing.

An interval is not enough where there are few clusters that answer alike: their spread may be small
by luck, and a guesser is then called better or worse more often than its level says. So a test has
to say the same.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from zhiyin.statistics.distributions import binomial_below
from zhiyin.statistics.intervals import as_scores, normal_quantile
from zhiyin.statistics.paired import sign_flip

Guess = Literal["better", "worse", "open"]
LEVEL = 0.05
PLENTY = 200
"""So many clusters of one size need no test besides the interval."""
_DRAWS = 1999


def against(p: float, chance: float, low: float, high: float) -> Guess:
    """Combine a p of `guessing_p` with the 95 % interval; p may have been corrected."""
    if low <= chance <= high or p >= LEVEL:
        return "open"
    return "better" if low > chance else "worse"


def guessing_p(sums: ArrayLike, counts: ArrayLike, chance: float, low: float, high: float) -> float:
    """Probability that a guesser lies so far from chance: the test's p or the interval's, whichever
    is larger.

    The test: for right-or-wrong answers that stand alone the binomial one, both tails alike; else
    the signs of whole clusters are flipped, each being what its answers exceed chance by. Of fewer
    than six clusters it never says anything. It is left out from 200 clusters on, counted as
    n² / sum of squared counts. The interval's: Wilson's excludes chance at just those levels at
    which |share - chance| exceeds z sqrt(chance (1 - chance) / n), with the n that an interval of
    this width stands for.

    Parameters
    ----------
    sums, counts : array_like, shape (C,)
        Right answers and answers of each cluster.
    chance : float
        What guessing gets, in [0, 1].
    low, high : float
        The 95 % interval of the share.
    """
    totals, sizes = as_scores(sums, "cluster sum"), as_scores(counts, "cluster count")
    share = float(totals.sum() / sizes.sum())
    spread = chance * (1 - chance)
    z = abs(share - chance) * math.sqrt(wilson_n(share, low, high) / spread) if spread else math.inf
    p = math.erfc(z / math.sqrt(2))
    if low <= chance <= high:
        p = max(p, LEVEL)  # the two ends of an interval may be of unlike width
    if sizes.sum() ** 2 / (sizes @ sizes) < PLENTY:
        if np.all(sizes == 1) and np.all(totals == np.round(totals)):
            p = max(p, binomial(int(totals.sum()), len(totals), chance))
        elif p < LEVEL:
            p = max(p, sign_flip(totals - sizes * chance, draws=_DRAWS).p)
    return min(1.0, p)


def binomial(right: int, n: int, chance: float) -> float:
    """The binomial test of a share: twice the smaller tail, at most 1."""
    fewer = binomial_below(right, n, chance)
    more = binomial_below(n - right, n, 1 - chance)
    return min(1.0, 2 * min(fewer, more))


def wilson_n(share: float, low: float, high: float) -> float:
    """Number of independent answers that have a 95 % Wilson interval of this width; 0 for [0, 1].

    Of answers in clusters that is their effective n, as far as the width tells it.
    """
    half, spread = (high - low) / 2, share * (1 - share)
    # half = z sqrt(spread / n + z^2 / 4 n^2) / (1 + z^2 / n), solved for z^2 / n
    a, b = 0.25 - half**2, spread - 2 * half**2
    if a <= 0 or not half:  # from 0 to 1, or without width: it tells nothing
        return 0.0
    z = normal_quantile(0.95)
    return z**2 * 2 * a / (math.sqrt(b * b + 4 * a * half**2) - b)
