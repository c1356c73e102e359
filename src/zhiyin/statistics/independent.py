"""Events that are independent, each with a probability of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


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
