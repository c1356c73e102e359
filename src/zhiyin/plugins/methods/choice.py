"""Chance, constant answers and rotations: how much of a multiple-choice score is knowledge."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from zhiyin.errors import InputError
from zhiyin.statistics.choice import same_length
from zhiyin.statistics.intervals import Clusters, Interval, as_scores, interval


class ConstantAnswer(msgspec.Struct, frozen=True):
    """The accuracy of always answering the letter that is most often right."""

    letter: str
    accuracy: float
    n: int


class ChanceCorrected(msgspec.Struct, frozen=True):
    """Accuracy above chance, on a scale where guessing is 0 and all right is 1.

    `low` and `high` are the accuracy's interval on that scale; below 0 is worse than guessing.
    """

    corrected: float
    low: float
    high: float
    chance: float
    accuracy: Interval


class Consistency(msgspec.Struct, frozen=True):
    """Answers to the same item under rotated options.

    Attributes
    ----------
    accuracy : Interval
        Share of right answers, averaged within the item first.
    all_right : Interval
        Share of items that are right under every rotation.
    agreement : Interval
        Mean share of pairs of rotations of an item under which the same content was chosen. No
        answer agrees with nothing.
    items, asked : int
        Items, and answers in all.
    """

    accuracy: Interval
    all_right: Interval
    agreement: Interval
    items: int
    asked: int


def best_constant(gold: Sequence[str]) -> ConstantAnswer:
    """The best score of a model who always answers one letter.

    Parameters
    ----------
    gold : sequence of str, length n

    Returns
    -------
    ConstantAnswer
        Of several letters that are equally often right, the first of the alphabet.

    Raises
    ------
    InputError
        On no items.
    """
    if not len(gold):
        raise InputError("no items: give the gold letter of each")
    letters, counts = np.unique(np.asarray(gold), return_counts=True)
    best = int(np.argmax(counts))
    return ConstantAnswer(str(letters[best]), float(counts[best] / len(gold)), len(gold))


def chance_corrected(
    scores: ArrayLike, options: ArrayLike, clusters: Clusters | None = None, level: float = 0.95
) -> ChanceCorrected:
    """(p - c) / (1 - c), where c is what guessing would score.

    Parameters
    ----------
    scores : array_like, shape (n,)
        1 for right, 0 for wrong or no answer.
    options : array_like, shape (n,) or scalar
        Number of options of each item, at least 2. c is the mean of 1 / options: with mixed
        numbers of options, correct the whole, not the items one by one.
    clusters : sequence of labels, length n, or None
    level : float

    Returns
    -------
    ChanceCorrected

    Raises
    ------
    InputError
        On fewer than 2 options, or scores outside [0, 1].

    References
    ----------
    Guilford (1936), Psychometrika 1: 39-43, for one number of options: (p - 1/k) / (1 - 1/k).
    """
    values = as_scores(scores)
    if np.any((values < 0) | (values > 1)):
        raise InputError("a score lies outside [0, 1]: chance is corrected for right and wrong")
    numbers = np.broadcast_to(np.asarray(options, dtype=float), values.shape)
    if not np.all(numbers >= 2):
        raise InputError("an item has fewer than 2 options: leave out free answers")
    return above_chance(interval(values, clusters, level), float(np.mean(1 / numbers)))


def above_chance(accuracy: Interval, chance: float) -> ChanceCorrected:
    """An accuracy on the scale where guessing, `chance` in [0, 1), is 0; see `chance_corrected`."""
    low, mean, high = (
        (end - chance) / (1 - chance) for end in (accuracy.low, accuracy.mean, accuracy.high)
    )
    return ChanceCorrected(mean, low, high, chance, accuracy)


def consistency(
    chosen: Sequence[Sequence[str | None]],
    gold: Sequence[str],
    clusters: Clusters | None = None,
    level: float = 0.95,
) -> Consistency:
    """Measure how often an item is answered alike however its options are rotated.

    Parameters
    ----------
    chosen : sequence of sequences, length n
        For each item the keys (the content, not the letters) chosen under each rotation; at
        least 2. Items may have different numbers of rotations.
    gold : sequence of str, length n
        Key of the right option of each item.
    clusters : sequence of labels, length n, or None
    level : float

    Returns
    -------
    Consistency

    Raises
    ------
    InputError
        On no items, unlike lengths, or an item with fewer than 2 rotations.

    References
    ----------
    Consistency rate: López et al. (2025), arXiv 2510.04584. All right: the circular evaluation
    of Liu et al. (2023), MMBench, arXiv 2307.06281.
    """
    same_length(chosen, gold, "items")
    for place, keys in enumerate(chosen):
        if len(keys) < 2:
            raise InputError(f"item {place + 1} has {len(keys)} rotations: give at least 2")
    shares = [
        sum(key == right for key in keys) / len(keys)
        for keys, right in zip(chosen, gold, strict=True)
    ]
    return Consistency(
        interval(shares, clusters, level),
        interval([float(share == 1) for share in shares], clusters, level),
        interval([pair_agreement(keys) for keys in chosen], clusters, level),
        len(chosen),
        sum(len(keys) for keys in chosen),
    )


def pair_agreement(keys: Sequence[str | None]) -> float:
    """Share of pairs of answers that are the same; no answer agrees with nothing."""
    times = np.unique([key for key in keys if key is not None], return_counts=True)[1]
    pairs = len(keys) * (len(keys) - 1)
    return float(np.sum(times * (times - 1)) / pairs)
