"""An exam from a bank of items: which to ask next, what the whole would score, and whether it fits.

Items are drawn at random, the telling ones more often. So each item's probability of being drawn
is known, and the mean over the whole bank has an interval that rests on these probabilities alone:
it holds whatever the response model is worth, and however early the exam is stopped.

Sources
-------
Shekhar, Xu, Lipton, Liang and Ramdas 2023, Risk-limiting financial audits via weighted sampling
without replacement (UAI): the wealth of a bet on a mean, items drawn with known weights, and
predictions that take away variance; the bets themselves are those of `betting`. Kingsbury and Zara
1989, Applied Measurement in Education 2, 359-375: content in proportion. van der Linden 1999,
Psychometrika 64, 21-29: the next item by the variance that its answer leaves. Snijders 2001,
Psychometrika 66, 331-342: misfit at an ability that is estimated; its distribution is simulated.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.statistics.betting import LEVEL, MEANS, Bets
from zhiyin.statistics.takers import Posterior, Takers

Floats = NDArray[np.float64]

AT_RANDOM = 0.5
"""The share of draws in which every item is as likely as any other: it bounds how much a single
answer can weigh in the interval of the mean."""
SHARPNESS = 6.0
"""Of the other draws: the most telling item is exp(6) times as likely as one that tells nothing."""
_DRAWN = 2000
_CHANCES = 8


def weights(takers: Takers, asked: NDArray[np.bool_], known: Posterior) -> Floats:
    """The probability of each item to be asked next; 0 for those that were.

    Half of it is even. The other half goes to parts of which fewer were asked than their share,
    and there to items whose answer takes away most variance of the score on all.

    Parameters
    ----------
    takers : Takers
    asked : array of bool, takers by items
    known : Posterior
        What the answers so far say.

    Returns
    -------
    array of float, takers by items
    """
    free = ~asked
    x, p = takers.loadings, takers.chances(known.mode)
    slope = (p - takers.floor) * (1 - p) / (1 - takers.floor)
    towards = np.einsum("kde,ke->kd", known.covariance, (slope * free) @ x)
    reach = np.einsum("nd,kde,ne->kn", x, known.covariance, x, optimize=True)
    told = slope**2 / np.maximum(p * (1 - p), 1e-12)
    gain = ((towards @ x.T) ** 2 * told / (1 + told * reach) + p * (1 - p)) * free
    telling = np.exp(SHARPNESS * gain / np.maximum(gain.max(axis=1, keepdims=True), 1e-12)) * free
    parts = np.eye(len(takers.share))[takers.part]
    seen, left = asked @ parts, free @ parts > 0
    behind = np.maximum(takers.share * (asked.sum(axis=1, keepdims=True) + 1) - seen, 0.0) * left
    behind = np.where(behind.sum(axis=1, keepdims=True) > 0, behind, left)
    share = behind / behind.sum(axis=1, keepdims=True) / np.maximum(telling @ parts, 1e-300)
    even = free / free.sum(axis=1, keepdims=True)
    return np.asarray(AT_RANDOM * even + (1 - AT_RANDOM) * telling * share[:, takers.part])


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
        average weighs each by what was left to be asked; the interval is Student's.
        """
        from scipy import special  # which takes a while to load

        given, weight = np.array(self._estimates), np.array(self._weights)
        weight = weight / weight.sum()
        share = float(weight @ given)
        more = max(len(given) - 1, 1)
        spread = np.sqrt((weight**2) @ (given - share) ** 2 * (more + 1) / more)
        half = float(special.stdtrit(more, 0.975) * spread)
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


def score_on_all(answers: Floats, drawn: Floats, seed: int = 0) -> Score:
    """What the whole bank would score, as far as the response model holds.

    Answers that were given count as they are; the others are drawn.

    Parameters
    ----------
    answers : array of float, by item
        NaN where not asked.
    drawn : array of float, draws by items
        Chances of right answers, of `Takers.drawn`.
    """
    left, count = np.isnan(answers), len(answers)
    right = float(np.nansum(answers))
    if not left.any():
        return Score(right / count, right / count, right / count)
    p = drawn[:, left]
    sums = p.sum(axis=1)
    noise = np.sqrt((p * (1 - p)).sum(axis=1))
    chance = np.random.default_rng(seed).standard_normal((_CHANCES, len(p)))
    low, high = np.clip(np.quantile(sums + noise * chance, [0.025, 0.975]), 0, left.sum())
    return Score(*(float(right + value) / count for value in (sums.mean(), low, high)))


def misfit(takers: Takers, order: list[int], rights: list[bool], seed: int = 0) -> float:
    """How often one of those whom the bank is of answers as strangely as this taker: p.

    Strange is an order of difficulty that does not hold (hard items right and easy ones wrong, as
    of one who knows a part by heart), and parts that are further apart than those of others. Both
    are taken from residuals at the ability alone, and set against those of answers that the bank's
    model draws: takers differ in these things, and a bank of few knows its items badly.

    Parameters
    ----------
    takers : Takers
    order : list of int
        The items asked, by number.
    rights : list of bool
        Their answers.
    """
    x, c = takers.loadings[order], takers.floor[order]
    mean, variance = takers.prior()
    grid = np.linspace(-4, 4, 81)
    logits = np.outer(grid, x[:, 0]) + mean[1] * x[:, 1]
    p = np.clip(c + (1 - c) / (1 + np.exp(-logits)), 1e-9, 1 - 1e-9)
    odds, base = np.log(p / (1 - p)), np.log1p(-p).sum(axis=1)
    given = np.array(rights, dtype=float)[None]
    draw = np.random.default_rng(seed)
    best = int((given @ odds.T + base).argmax())
    free = max(takers.spread.takers - 1, 3)  # the variances were learnt from so few
    normal = draw.standard_normal((_DRAWN, len(mean)))
    normal /= np.sqrt(draw.chisquare(free, (_DRAWN, 1)) / free)
    at = mean + np.sqrt(variance) * normal
    at[:, 0] = grid[best]
    chances = c + (1 - c) / (1 + np.exp(-np.clip(at @ x.T, -30, 30)))
    drawn = (draw.random(chances.shape) < chances).astype(float)
    every = np.vstack([given, drawn])
    held = p[(every @ odds.T + base).argmax(axis=1)]
    over = every - held
    parts = np.eye(len(takers.share))[takers.part[order]]
    spread = np.maximum((held * (1 - held)) @ parts, 1e-9)
    signs = np.column_stack([
        over @ takers.place[order], ((over @ parts) ** 2 / spread).sum(axis=1),
    ])  # fmt: skip
    signs = (signs - signs[1:].mean(axis=0)) / np.maximum(signs[1:].std(axis=0), 1e-12)
    worst = signs.max(axis=1)
    return (1 + int((worst[1:] >= worst[0] - 1e-12).sum())) / (1 + _DRAWN)
