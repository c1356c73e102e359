"""An exam from a bank of items: which to ask next, what the whole would score, and whether it fits.

Items are drawn at random, the telling ones more often. So each item's probability of being drawn
is known, and the mean over the whole bank has an interval that rests on these probabilities alone:
it holds whatever the response model is worth, and however early the exam is stopped.

Sources
-------
Shekhar, Xu, Lipton, Liang and Ramdas 2023, Risk-limiting financial audits via weighted sampling
without replacement (UAI): the wealth of a bet on a mean, items drawn with known weights, and
predictions that take away variance; the bets themselves are those of `betting`. Kingsbury and Zara
1989, Applied Measurement in Education 2, 359-375: content in proportion. Snijders 2001,
Psychometrika 66, 331-342: misfit at an ability that is estimated; its distribution is simulated.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.statistics.betting import LEVEL, MEANS, Bets
from zhiyin.statistics.items import GRID, Ability, BankItem

Floats = NDArray[np.float64]

AT_RANDOM = 0.5
"""The share of draws in which every item is as likely as any other: it bounds how much a single
answer can weigh in the interval of the mean."""
SHARPNESS = 6.0
"""Of the other draws: an item at the highest information is exp(6) times as likely as one that
tells nothing."""
_DRAWN = 2000


class Items:
    """The items of a bank as arrays.

    Parameters
    ----------
    items : sequence of BankItem
    groups : sequence of str
        To which each belongs: the exam asks of each group in proportion.

    Attributes
    ----------
    a, b, c, d : array of float
        The parameters, an item each.
    """

    def __init__(self, items: list[BankItem], groups: list[str]) -> None:
        self.a, self.b, self.c, self.d = np.array(
            [(item.a, item.b, item.c, item.d) for item in items], dtype=float
        ).T
        names = {name: number for number, name in enumerate(dict.fromkeys(groups))}
        self.group = np.array([names[name] for name in groups])
        self.share = np.bincount(self.group) / len(groups)

    def __len__(self) -> int:
        return len(self.a)

    def chances(self, theta: float | Floats) -> Floats:
        """P(right) of each item; abilities by items where `theta` is an array."""
        at = np.asarray(theta, dtype=float)[..., None]
        rise = 1 / (1 + np.exp(-self.a * (at - self.b)))
        return np.asarray(self.c + (self.d - self.c) * rise)

    def information(self, theta: float) -> Floats:
        """Fisher's information of one answer to each item."""
        rise = 1 / (1 + np.exp(-self.a * (theta - self.b)))
        p = self.c + (self.d - self.c) * rise
        slope = self.a * (self.d - self.c) * rise * (1 - rise)
        return np.asarray(slope**2 / np.maximum(p * (1 - p), 1e-12))


def weights(items: Items, asked: NDArray[np.bool_], theta: float) -> Floats:
    """The probability of each item to be asked next; 0 for those that were.

    Half of it is even. The other half goes to groups of which fewer were asked than their share,
    and there to items that tell much at `theta`.

    Parameters
    ----------
    items : Items
    asked : array of bool
    theta : float
        The ability as far as it is known.
    """
    free = ~asked
    told = items.information(theta) * free
    telling = np.exp(SHARPNESS * told / max(float(told.max()), 1e-12)) * free
    count = int(asked.sum())
    seen = np.bincount(items.group[asked], minlength=len(items.share))
    behind = np.maximum(items.share * (count + 1) - seen, 0.0)
    left = np.bincount(items.group[free], minlength=len(items.share)) > 0
    behind = behind * left
    if behind.sum() <= 0:
        behind = left.astype(float)
    sums = np.bincount(items.group, weights=telling, minlength=len(items.share))
    by_group = behind / behind.sum()
    telling = telling * (by_group / np.maximum(sums, 1e-300))[items.group]
    return np.asarray(AT_RANDOM * free / free.sum() + (1 - AT_RANDOM) * telling)


class Score(msgspec.Struct, frozen=True):
    """A score on the whole bank: the share of right answers with its 95 % interval, of 1."""

    share: float
    lower: float
    upper: float


class MeanBets:
    """What answers to items that are drawn with known probabilities say of the mean over all.

    For each mean that the bank may have there are two bets, one that it is higher and one that it
    is lower; at the true mean neither grows in expectation, whoever answers. Means at which the
    average of the two has grown twentyfold are left out (Ville's inequality), at any time.

    Parameters
    ----------
    count : int
        Items of the bank.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._bets = Bets(MEANS.shape)
        self._right = self._asked = 0
        self._in = np.ones(len(MEANS), dtype=bool)
        self._weights: list[float] = []
        self._estimates: list[float] = []

    def add(self, right: bool, weight: float, predicted: float, expected: Floats) -> None:
        """One more answer.

        Parameters
        ----------
        right : bool
        weight : float
            The probability with which its item was drawn.
        predicted : float
            P(right) of it, as it was held before it was asked.
        expected : array of float
            The same of every item that was not asked before, this one among them.
        """
        n, left = self._count, self._count - self._asked
        # Of the mean over the items left: an estimate without bias, and what a mean would have it.
        estimate = ((right - predicted) / weight + float(expected.sum())) / left
        self._estimates.append((self._right + left * estimate) / n)
        self._weights.append((n / left) ** 2)
        held = (n * MEANS - self._right) / left
        mean = float(expected.mean())
        # An item is drawn with a probability of AT_RANDOM / left at least.
        reach = 1 / AT_RANDOM
        low, high = mean - reach * float(expected.max()), mean + reach * float(1 - expected.min())
        self._bets.add(estimate - held, held - low, high - held, estimate - mean)
        self._right += right
        self._asked += 1
        self._in &= self._bets.either < np.log(1 / LEVEL)

    def score(self) -> Score:
        """The mean over the bank with its 95 % interval, where the exam was not stopped by it.

        Each answer, weighted by the inverse of its probability and added to what was predicted of
        the others, gives the mean without bias, whatever the predictions are worth (the difference
        estimator: Saerndal, Swensson and Wretman 1992, Model Assisted Survey Sampling, 6.3). Their
        average weighs each by what was left to be asked; the interval is the normal one.
        """
        given, weight = np.array(self._estimates), np.array(self._weights)
        weight = weight / weight.sum()
        share = float(weight @ given)
        half = 1.96 * float(np.sqrt((weight**2) @ (given - share) ** 2))
        low, high = self._bounds()
        share = min(max(share, low), high)
        return Score(share, max(share - half, low), min(share + half, high))

    def _bounds(self) -> tuple[float, float]:
        """The least and the greatest mean that the answers so far leave possible."""
        return self._right / self._count, 1 - (self._asked - self._right) / self._count

    def interval(self) -> tuple[float, float]:
        """The means in [0, 1] that are left, at a level of 95 % at all times together."""
        low, high = self._bounds()
        step = float(MEANS[1])
        possible = (low - step <= MEANS) & (high + step >= MEANS)
        inside = MEANS[self._in & possible]
        if not len(inside):
            return low, high
        return max(float(inside[0]) - step, low), min(float(inside[-1]) + step, high)


def score_on_all(items: Items, asked: NDArray[np.bool_], right: int, ability: Ability) -> Score:
    """What the whole bank would score, as far as the response model holds.

    Answers that were given count as they are. The interval joins what is not known of the ability
    with the chance of each answer to come (squares of the two distances are added: Zou and Donner
    2008, Statistics in Medicine 27, 1693-1702).
    """
    left, count = ~asked, len(items)
    at = np.array([ability.theta, ability.lower, ability.upper])
    p = items.chances(at)[:, left]
    share, low, high = (right + p.sum(axis=1)) / count
    variance = float((p[0] * (1 - p[0])).sum()) / count**2
    below, above = (float(np.hypot(gap, 1.96 * np.sqrt(variance))) for gap in
                    (share - low, high - share))  # fmt: skip
    return Score(float(share), max(float(share) - below, 0.0), min(float(share) + above, 1.0))


def misfit(items: Items, order: list[int], rights: list[bool], seed: int = 0) -> float:
    """How often one for whom the bank holds keeps its order of difficulty as badly as these: p.

    Residuals at the ability found, times how easy the items are, against those of answers
    simulated there, each at the ability found of it. Small where hard items are right and easy
    ones wrong, as of one who knows a part by heart.

    Parameters
    ----------
    items : Items
    order : list of int
        The items asked, by number.
    rights : list of bool
        Their answers.
    """
    grid = GRID[::20]
    p = np.clip(items.chances(grid)[:, order], 1e-9, 1 - 1e-9)
    odds, base = np.log(p / (1 - p)), np.log1p(-p).sum(axis=1)
    given = np.array(rights, dtype=float)[None]
    best = int((given @ odds.T + base).argmax())
    drawn = (np.random.default_rng(seed).random((_DRAWN, len(order))) < p[best]).astype(float)

    def kept(answers: Floats) -> Floats:
        at = (answers @ odds.T + base).argmax(axis=1)
        return np.asarray((answers - p[at]) @ -items.b[order])

    worse = int((kept(drawn) <= kept(given)[0]).sum())
    return (1 + worse) / (1 + _DRAWN)
