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
Levine and Drasgow 1988, Psychometrika 53, 161-176: misfit by a likelihood ratio.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.plugins.methods.ability import Ability
from zhiyin.plugins.methods.betting import LEVEL, MEANS, Bets
from zhiyin.plugins.methods.takers import Posterior, Takers

Floats = NDArray[np.float64]
Edge = Literal["", "above", "below", "near"]

AT_RANDOM = 0.5
"""The share of draws in which every item is as likely as any other: it bounds how much a single
answer can weigh in the interval of the mean."""
SHARPNESS = 6.0
"""Of the other draws: the most telling item is exp(6) times as likely as one that tells nothing."""
STRANGE = 0.04
"""Below this p a bank is not held to be true of a taker: 0.05, less what the errors of a bank's
curves add to false alarms in simulations."""
_DRAWN = 1000
_GRID = np.linspace(-4.0, 4.0, 81)
_KNEW = (0.2, 0.4, 0.6)
"""Shares of the items that a taker may have known beforehand."""
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


class BankScore(msgspec.Struct, frozen=True):
    """A score on the whole bank: the share of right answers with its 95 % interval, of 1."""

    share: float
    lower: float
    upper: float


class MeanBets:
    """Bets on the mean over all items, from answers to items drawn with known probabilities.

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
        self._expected: list[float] = []

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
        likely = (predicted * (self._asked + 1) + 1) / (self._asked + 3)  # never as sure as that
        self._expected.append(likely * (1 - likely) / (weight * n) ** 2)
        held = (n * MEANS - self._right) / left
        mean = float(expected.mean())
        # An item is drawn with a probability of AT_RANDOM / left at least.
        reach = 1 / AT_RANDOM
        low, high = mean - reach * float(expected.max()), mean + reach * float(1 - expected.min())
        self._bets.add(estimate - held, held - low, high - held, estimate - mean)
        self._right += right
        self._asked += 1
        self._in &= self._bets.either < np.log(1 / LEVEL)

    def score(self) -> BankScore:
        """The mean over the bank with its 95 % interval, where the exam was not stopped by it.

        Each answer, weighted by the inverse of its probability and added to what was predicted of
        the others, gives the mean without bias, whatever the predictions are worth (the difference
        estimator: Saerndal, Swensson and Wretman 1992, Model Assisted Survey Sampling, 6.3). Their
        average weighs each by what was left to be asked; the interval is Student's, with deviations
        from the average of the others (HC3: MacKinnon and White 1985, J. Econometrics 29, 305-325)
        and moved by the skewness of the estimates, which few heavy ones have (Johnson 1978, JASA
        73, 536-544). Of a model that is nearly always right, or nearly never, few exams meet the
        answers that would show how far the estimates lie apart: they count as lying as far apart as
        the predictions let expect, if that is further. Where all answers are right, or all are
        wrong, it reaches to the exact bound of `_unseen`.
        """
        from scipy import special  # which takes a while to load

        given, weight = np.array(self._estimates), np.array(self._weights)
        weight = weight / weight.sum()
        share = float(weight @ given)
        more = max(len(given) - 1, 1)
        off = given - share
        apart = off / np.maximum(1 - weight, 1e-12)
        spread = float(weight**2 @ apart**2) * (more + 1) / more
        spread = max(spread, float(weight**2 @ np.array(self._expected)))
        heavy = float(weight**3 @ off**3) / max(spread, 1e-12)
        wide = float(special.stdtrit(more, 0.975))
        low, high = self._bounds()
        middle = share + heavy * (1 + 2 * wide**2) / 6
        ends = np.clip([middle - wide * spread**0.5, middle + wide * spread**0.5], low, high)
        share, lower, upper = min(max(share, low), high), float(ends[0]), float(ends[1])
        # Of answers that are all alike the spread of the estimates tells nothing.
        if self._right == self._asked:
            lower, upper = min(lower, max(low, 1 - self._unseen())), high
        elif not self._right:
            lower, upper = low, max(upper, min(high, self._unseen()))
        return BankScore(share, min(share, lower), max(share, upper))

    def _unseen(self) -> float:
        """The greatest share of other answers of which 2.5 % of exams would have met none.

        Each item left is drawn with a probability of AT_RANDOM / left at least, whatever the bank
        holds of it, so that the product is the greatest chance to miss them all.
        """
        many = np.arange(self._count - self._asked + 1)
        missed = np.ones(len(many))
        for asked in range(self._asked):
            missed *= np.maximum(1 - AT_RANDOM * many / (self._count - asked), 0)
        return float(many[missed >= 0.025].max()) / self._count

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


def edge_of(ability: Ability, least: float, most: float) -> Edge:
    """Tell where an ability is at the edge of those of a bank's takers, who then tell little of it.

    It is beyond all of theirs, which lie from `least` to `most`, or all answers are alike; it is
    near their edge where its interval reaches beyond them.
    """
    if ability.right == ability.answers or ability.theta >= most:
        return "above"
    if not ability.right or ability.theta <= least:
        return "below"
    return "near" if ability.lower <= least or ability.upper >= most else ""


def score_on_all(answers: Floats, drawn: Floats, seed: int = 0) -> BankScore:
    """Estimate the score on the whole bank, as far as the response model holds.

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
        return BankScore(right / count, right / count, right / count)
    p = drawn[:, left]
    sums = p.sum(axis=1)
    noise = np.sqrt((p * (1 - p)).sum(axis=1))
    chance = np.random.default_rng(seed).standard_normal((_CHANCES, len(p)))
    low, high = np.clip(np.quantile(sums + noise * chance, [0.025, 0.975]), 0, left.sum())
    return BankScore(*(float(right + value) / count for value in (sums.mean(), low, high)))


def misfit(takers: Takers, order: list[int], rights: list[bool], seed: int = 0) -> float:
    """Return p: how often a taker of equal ability for whom the bank holds answers as strangely.

    Strange are an order of difficulty that does not hold (hard items right and easy ones wrong),
    parts that are further apart than those of others, and answers that are likelier of one who knew
    a share of the items beforehand: P(right) is then share + (1 - share) P, the likelihood ratio of
    which is at its greatest over shares and abilities. Each is set against those of answers that
    the bank's model draws: takers differ in these things, and a bank of few knows its items badly.
    The p of the three is that of the least of them (Westfall and Young 1993, section 2.3). Their
    ability is drawn from what the answers say of it, and no ability is likelier than another
    beforehand: else an able model would look like one that knew a share.

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
    logits = np.outer(_GRID, x[:, 0]) + mean[1] * x[:, 1]
    p = np.clip(c + (1 - c) / (1 + np.exp(-logits)), 1e-9, 1 - 1e-9)
    given = np.array(rights, dtype=float)[None]
    draw = np.random.default_rng(seed)
    likely = _likelihoods(given, p)[0]
    likely = np.exp(likely - likely.max())
    free = max(takers.spread.takers - 1, 3)  # the variances were learnt from so few
    normal = draw.standard_normal((_DRAWN, len(mean)))
    normal /= np.sqrt(draw.chisquare(free, (_DRAWN, 1)) / free)
    at = mean + np.sqrt(variance) * normal
    at[:, 0] = draw.choice(_GRID, _DRAWN, p=likely / likely.sum())
    chances = c + (1 - c) / (1 + np.exp(-np.clip(at @ x.T, -30, 30)))
    every = np.vstack([given, draw.random(chances.shape) < chances])
    likely = _likelihoods(every, p)
    held = p[likely.argmax(axis=1)]
    over = every - held
    parts = np.eye(len(takers.share))[takers.part[order]]
    spread = np.maximum((held * (1 - held)) @ parts, 1e-9)
    knew = [_likelihoods(every, share + (1 - share) * p).max(axis=1) for share in _KNEW]
    signs = np.column_stack([
        over @ takers.place[order], ((over @ parts) ** 2 / spread).sum(axis=1),
        np.max(knew, axis=0) - likely.max(axis=1),
    ])  # fmt: skip
    # Of each sign how many are as great, and then of how many the least of the three is as small.
    from_below = [np.searchsorted(np.sort(sign), sign - 1e-12) for sign in signs.T]
    rarest = len(signs) - np.max(from_below, axis=0)
    return float((rarest <= rarest[0]).mean())


def _likelihoods(answers: Floats, p: Floats) -> Floats:
    """Log likelihoods of each taker's answers: takers by rows of chances."""
    base = np.log1p(-p)
    return np.asarray(answers @ (np.log(p) - base).T + base.sum(axis=1))
