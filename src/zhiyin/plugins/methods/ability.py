"""Ability on the scale of an item bank: the four-parameter logistic model.

P(right) = c + (d - c) / (1 + exp(-a (theta - b))), with a the discrimination, b the difficulty, c
what guessing gets, d what the able still miss, theta the ability in logits.

Sources: Barton and Lord 1981, An upper asymptote for the three-parameter logistic item-response
model (ETS Research Bulletin 81-20); Warm 1989, Psychometrika 54, 427 (weighted likelihood); Magis
and Raiche 2012, J. Stat. Softw. 48(8) (adaptive tests).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
GRID = np.linspace(-4.0, 4.0, 1601)
"""Abilities that are considered, in logits."""


class BankItem(msgspec.Struct, frozen=True):
    """The parameters of an item: `a`, `b`, `c` and `d` of the model."""

    a: float
    b: float
    c: float
    d: float


class Ability(msgspec.Struct, frozen=True):
    """The ability that answers show.

    Attributes
    ----------
    theta, se : float
        Weighted-likelihood estimate, and its standard error from the information there.
    lower, upper : float
        95 % interval; see `AbilityAnswers.read`.
    right, answers : int
    """

    theta: float
    se: float
    lower: float
    upper: float
    right: int
    answers: int


def chances(item: BankItem, theta: Floats) -> tuple[Floats, Floats, Floats]:
    """P(right) and its first two derivatives by ability."""
    rise = 1 / (1 + np.exp(-item.a * (theta - item.b)))
    span, fall = item.d - item.c, rise * (1 - rise)
    first = item.a * span * fall
    return item.c + span * rise, first, item.a * first * (1 - 2 * rise)


def information(item: BankItem, theta: Floats) -> Floats:
    """Fisher's information of one answer."""
    p, first, _ = chances(item, theta)
    return np.asarray(first**2 / (p * (1 - p)))


class AbilityAnswers:
    """The answers so far: their log-likelihood, and what Warm's weight needs, on `GRID`."""

    def __init__(self) -> None:
        self.log_likelihood = np.zeros(len(GRID))
        self.information = np.zeros(len(GRID))
        self._weight = np.zeros(len(GRID))
        self.right = self.count = 0

    def add(self, item: BankItem, right: bool) -> None:
        """One more answer."""
        p, first, second = chances(item, GRID)
        self.log_likelihood += np.log(p if right else 1 - p)
        self.information += first**2 / (p * (1 - p))
        self._weight += first * second / (p * (1 - p))
        self.right += right
        self.count += 1

    def modal(self) -> float:
        """The ability that is likeliest where people's are standard normal: it picks items."""
        return float(GRID[np.argmax(np.round(self.log_likelihood - GRID**2 / 2, 9))])

    def read(self) -> Ability:
        """The weighted-likelihood estimate with its interval.

        Warm's weight adds J / (2 I) to the slope of the log-likelihood, J being the sum of
        P' P'' / (P Q). The interval holds the abilities whose weighted log-likelihood is within
        1.92 of the highest (half the 95 % quantile of chi-square): unlike one from the standard
        error it is as lopsided as what is known.
        """
        step = GRID[1] - GRID[0]
        slope = self._weight / (2 * np.maximum(self.information, 1e-12))
        area = np.append(0.0, np.cumsum((slope[1:] + slope[:-1]) / 2)) * step
        weighted = self.log_likelihood + area
        best = int(np.argmax(weighted))
        near = np.flatnonzero(weighted >= weighted[best] - 1.9207)
        return Ability(
            float(GRID[best]),
            float(1 / np.sqrt(max(self.information[best], 1e-12))),
            float(GRID[near[0]]),
            float(GRID[near[-1]]),
            self.right,
            self.count,
        )


def estimate(answers: Iterable[tuple[BankItem, bool]]) -> Ability:
    """The ability that answers show, in whatever order and however the items were chosen."""
    so_far = AbilityAnswers()
    for item, right in answers:
        so_far.add(item, right)
    return so_far.read()
