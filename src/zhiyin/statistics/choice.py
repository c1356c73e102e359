"""Soundness of a multiple-choice score: letters that are favoured, and tests against guessing.

Conventions
-----------
chosen
    The letter (or, over rotations, the key) that a model took; None for no readable answer.
gold
    The letter (or key) of the right option.
recall of a letter
    Share of the items whose gold letter it is that were answered right; no answer is not right.

Against guessing an interval is not enough where there are few clusters that answer alike: their
spread may be small by luck, and a guesser is then called better or worse more often than its level
says. So a test has to say the same.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from zhiyin.errors import InputError
from zhiyin.statistics.distributions import binomial_below
from zhiyin.statistics.intervals import (
    Floats,
    as_scores,
    cluster_index,
    how_many,
    normal_quantile,
    p_value,
)
from zhiyin.statistics.paired import sign_flip

Ints = NDArray[np.intp]
ENOUGH = 5.0
"""Least expected count in a cell for which chi-square is trusted (Cochran 1954)."""
LEAST_KEYS = 5
"""Of how many items a letter is the key, for its recall to count among those of the others."""


class ChiSquare(msgspec.Struct, frozen=True):
    """A chi-square test; `enough` is False where some expected count is below 5."""

    statistic: float
    df: int
    p: float
    enough: bool


class Letter(msgspec.Struct, frozen=True):
    """A letter: how often it was chosen, how often it was right, its recall (None: never gold)."""

    letter: str
    chosen: int
    gold: int
    recall: float | None


class LetterBias(msgspec.Struct, frozen=True):
    """Tests of a model's preference for letters.

    The counts are of answers. The tests take items for units, not answers: the answers that one
    item got in repeats and rotations weigh 1 together, for they depend on each other.

    Attributes
    ----------
    letters : tuple of Letter
        In alphabetical order. `gold` counts all items, `chosen` the answered ones.
    answered, unanswered : int
    units : int
        Items with an answer: what the tests are based on.
    chosen_against_key : ChiSquare or None
        Chosen letters against those of the key of the answered items, as fixed shares. Choices
        that are often right follow the key of themselves, so this test is cautious. None where a
        letter was chosen that is never gold, or there is only one letter.
    marginal : ChiSquare or None
        Stuart and Maxwell's test of the same on the items answered wrong, which are what a bias
        can show in; the covariance is that of the items' sums. None where nothing was wrong.
    rstd : float or None
        Standard deviation of the recalls, in [0, 1], over letters that are the key of
        `LEAST_KEYS` items or more; 0 is no bias.
    rstd_by_chance : float or None
        What `rstd` would be (root mean square) if all letters were equally well recalled. Where
        items were asked several times it is the most: answers to an item are taken to be alike,
        and what is not alike lowers it.
    recalls : ChiSquare or None
        Whether the recalls differ by more than that.
    rare : tuple of str
        Letters that are a key too seldom for `rstd`: one answer would decide their recall.
    """

    letters: tuple[Letter, ...]
    answered: int
    unanswered: int
    units: int
    chosen_against_key: ChiSquare | None
    marginal: ChiSquare | None
    rstd: float | None
    rstd_by_chance: float | None
    recalls: ChiSquare | None
    rare: tuple[str, ...] = ()


def letter_bias(
    chosen: Sequence[str | None], gold: Sequence[str], items: Sequence[Hashable] | None = None
) -> LetterBias:
    """Chosen letters against the key.

    Parameters
    ----------
    chosen : sequence of str or None, length n
    gold : sequence of str, length n
    items : sequence of labels, length n, or None
        What each answer is about; repeats and rotations of an item have one label. None: every
        answer is about an item of its own.

    Returns
    -------
    LetterBias

    Raises
    ------
    InputError
        On no items or unlike lengths.

    References
    ----------
    RStd: Zheng et al. (2024), arXiv 2309.03882, section 2 (population standard deviation; in
    percent there, of items that all offer the same letters). Stuart (1955), Biometrika 42:
    412-416; Maxwell (1970), British Journal of Psychiatry 116: 651-655.
    """
    same_length(chosen, gold, "chosen letters")
    about = range(len(gold)) if items is None else items
    same_length(about, gold, "items")
    names = sorted({*gold, *(letter for letter in chosen if letter is not None)})
    place = {name: number for number, name in enumerate(names)}
    took = np.array([-1 if letter is None else place[letter] for letter in chosen])
    right = np.array([place[letter] for letter in gold])
    has_answer = took >= 0
    unit = cluster_index(about, len(gold))
    counts = np.bincount(took[has_answer], minlength=len(names))
    asked, hits = (
        np.bincount(right[those], minlength=len(names)).astype(np.float64)
        for those in (np.ones(len(gold), dtype=bool), took == right)
    )
    recalls = [float(hit / n) if n else None for hit, n in zip(hits, asked, strict=True)]
    letters = zip(names, counts, asked, recalls, strict=True)
    shares = 1 / np.bincount(unit)[unit]
    weighed, met = (
        np.bincount(right, weights=weights, minlength=len(names)).astype(np.float64)
        for weights in (shares, shares * (took == right))
    )
    often = weighed > LEAST_KEYS - 0.5  # sums of shares
    rare = tuple(name for name, n, own in zip(names, weighed, often, strict=True) if n and not own)
    met, weighed = met[often], weighed[often]
    rstd = float(np.std(hits[often] / asked[often])) if often.sum() > 1 else None
    answered = int(has_answer.sum())
    return LetterBias(
        tuple(Letter(name, int(times), int(n), recall) for name, times, n, recall in letters),
        answered,
        len(gold) - answered,
        how_many(unit[has_answer]),
        _against_key(_confusion(took[has_answer], right[has_answer], unit[has_answer], len(names))),
        _marginal(took[has_answer], right[has_answer], unit[has_answer], len(names)),
        rstd,
        None if rstd is None else _rstd_by_chance(met, weighed),
        None if rstd is None else _same_recalls(met, weighed),
        rare,
    )


def _confusion(took: Ints, right: Ints, unit: Ints, size: int) -> Floats:
    """Answers by chosen letter (rows) and gold letter (columns); those of an item weigh 1."""
    table = np.zeros((size, size))
    np.add.at(table, (took, right), 1 / np.bincount(unit, minlength=1)[unit])
    return table


def _rstd_by_chance(hits: Floats, asked: Floats) -> float:
    """Root mean square of the recalls' spread when every letter has the pooled recall."""
    pooled = float(hits.sum() / asked.sum())
    noise = pooled * (1 - pooled) * float(np.mean(1 / asked))
    return math.sqrt(noise * (1 - 1 / len(asked)))


def _against_key(table: Floats) -> ChiSquare | None:
    chosen, gold = table.sum(axis=1), table.sum(axis=0)
    is_gold = gold > 0
    if is_gold.sum() < 2 or np.any(chosen[~is_gold] > 0):
        return None
    statistic = float(np.sum((chosen - gold)[is_gold] ** 2 / gold[is_gold]))
    return _chi_square(statistic, int(is_gold.sum()) - 1, float(gold[is_gold].min()))


def _marginal(took: Ints, right: Ints, unit: Ints, size: int) -> ChiSquare | None:
    """Stuart and Maxwell's test that rows and columns of a square table have equal totals.

    Their covariance is the sum over wrong answers of d d', with d = chosen less gold as indicators.
    Here d is the mean over an item's wrong answers, which is the same where each is asked once.
    """
    wrong = took != right
    if not wrong.any():
        return None
    took, right, unit = took[wrong], right[wrong], np.unique(unit[wrong], return_inverse=True)[1]
    steps = np.zeros((int(unit.max()) + 1, size))
    np.add.at(steps, (unit, took), 1.0)
    np.add.at(steps, (unit, right), -1.0)
    steps /= np.bincount(unit)[:, None]
    gap, covariance = steps.sum(axis=0), steps.T @ steps
    df = int(np.linalg.matrix_rank(covariance, hermitian=True))
    if not df:  # every item's answers cancel: nothing leans to any letter
        return None
    statistic = float(gap @ np.linalg.pinv(covariance, hermitian=True) @ gap)
    table = _confusion(took, right, unit, size)
    pairs = (table + table.T)[np.triu_indices(size, 1)]
    return _chi_square(statistic, df, float(pairs[pairs > 0].min()))


def _same_recalls(right: Floats, asked: Floats) -> ChiSquare | None:
    pooled = right.sum() / asked.sum()
    if len(asked) < 2 or pooled in (0, 1):
        return None
    expected = asked * pooled
    statistic = float(np.sum((right - expected) ** 2 / (expected * (1 - pooled))))
    least = float(min(expected.min(), (asked - expected).min()))
    return _chi_square(statistic, len(asked) - 1, least)


def _chi_square(statistic: float, df: int, least_expected: float) -> ChiSquare:
    return ChiSquare(statistic, df, p_value(_beyond(statistic, df)), least_expected >= ENOUGH)


def _beyond(statistic: float, df: int) -> float:
    """Probability that chi-square of `df` degrees of freedom is larger, without half a second of
    loading SciPy: a finite sum for whole degrees (Abramowitz and Stegun 1964, 26.4.4 and 26.4.5).
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    first = (df % 2) / 2
    p = math.erfc(math.sqrt(half)) if first else 0.0
    for k in range(df // 2):
        power = k + first
        p += math.exp(power * math.log(half) - half - math.lgamma(power + 1))
    return min(1.0, p)


def same_length(one: Sequence[object], gold: Sequence[str], what: str) -> None:
    """Raise `InputError` where `gold` has another length."""
    if len(one) != len(gold) or not len(gold):
        raise InputError(f"{len(one)} {what} for {len(gold)} gold answers: give one for each")


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
