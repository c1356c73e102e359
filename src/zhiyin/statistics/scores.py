"""The figures of judged answers and their intervals: one way for every table, page and figure.

What counts as what
-------------------
item
    What is asked about. Every item weighs the same: its repeats and rotations are averaged
    within their condition, its conditions within the item.
cluster
    What makes items depend on each other (a track, a song). An item without one stands alone.
figures
    With r and a the share of an item's answers that were right, and that could be read:
    accuracy = recall = mean r, ifr = mean a, precision = sum r / sum a,
    f1 = 2 sum r / (sum a + items), which is that of Li et al. 2024 (section 4.1).

Where each item is asked once, these are the figures of the papers: right / asked and so on.

Better than guessing
--------------------
An interval is not enough where there are few clusters that answer alike: their spread may be small
by luck, and a guesser is then called better or worse more often than its level says. So a test has
to say the same.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from statistics import fmean
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zhiyin.errors import InputError
from zhiyin.record import SCORE
from zhiyin.statistics.distributions import binomial_below
from zhiyin.statistics.intervals import (
    Floats,
    Interval,
    as_scores,
    in_order,
    interval_from_sums,
    normal_quantile,
)
from zhiyin.statistics.paired import sign_flip
from zhiyin.statistics.parts import ratio_interval

Guess = Literal["better", "worse", "open"]
LEVEL = 0.05
PLENTY = 200
"""So many clusters of one size need no test besides the interval."""
_DRAWS = 1999


def against(p: float, chance: float, low: float, high: float) -> Guess:
    """What a p of `guessing_p` and the 95 % interval say together; p may have been corrected."""
    if low <= chance <= high or p >= LEVEL:
        return "open"
    return "better" if low > chance else "worse"


def guessing_p(sums: ArrayLike, counts: ArrayLike, chance: float, low: float, high: float) -> float:
    """How likely one who guesses lies so far from chance: the test's p or the interval's, whichever
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
    """How many answers that stand alone have a 95 % Wilson interval of this width; 0 for [0, 1].

    Of answers in clusters that is their effective n, as far as the width tells it.
    """
    half, spread = (high - low) / 2, share * (1 - share)
    # half = z sqrt(spread / n + z^2 / 4 n^2) / (1 + z^2 / n), solved for z^2 / n
    a, b = 0.25 - half**2, spread - 2 * half**2
    if a <= 0 or not half:  # from 0 to 1, or without width: it tells nothing
        return 0.0
    z = normal_quantile(0.95)
    return z**2 * 2 * a / (math.sqrt(b * b + 4 * a * half**2) - b)


Figure = Literal["accuracy", "f1", "precision", "recall", "ifr"]
Ints = NDArray[np.intp]


ALONE = 0
"""In the place of a cluster's name: the item stands alone."""
_APART = np.uint64(0x9E3779B97F4A7C15)
"""An odd number whose multiples keep apart the cells of an item, by Fibonacci hashing."""


def cells_of(items: NDArray[np.int64], ways: NDArray[np.int64]) -> NDArray[np.int64]:
    """The names of cells by those of items and ways; in the main way, 0, the item's own."""
    return (items.view(np.uint64) + ways.view(np.uint64) * _APART).view(np.int64)


Names: TypeAlias = "array[int] | NDArray[np.int64]"


def _array(numbers: array[int] | NDArray[Any]) -> NDArray[Any]:
    """Numbers that stay as they are when others are added to them."""
    return numbers if isinstance(numbers, np.ndarray) else np.array(numbers)


class Index:
    """Which answers are of one cell (an item under a condition), of one item and of one cluster.

    One index serves all groups of a run. Clusters are distinguished from items that stand alone, so
    that a track and a question of the same name are two. Names are kept as hashes of 64
    bits, 24 bytes an answer: that two of a million names share one is a matter of 1 in 30 million.
    """

    def __init__(self) -> None:
        self._cells: Names = array("q")
        self._items: Names = array("q")
        self._clusters: Names = array("q")
        self._numbering: tuple[Ints, Ints, Ints] | None = None

    @classmethod
    def of(
        cls, items: NDArray[np.int64], ways: NDArray[np.int64], clusters: NDArray[np.int64]
    ) -> Index:
        """Answers whose names are numbers: `ways` from 0, the main one; `ALONE` for no cluster.

        None can be added to it.
        """
        index = cls()
        index._cells, index._items, index._clusters = cells_of(items, ways), items, clusters
        return index

    def number(
        self, item: str | int | None, condition: str = "", cluster: str | None = None
    ) -> int:
        """The number of an answer to an item under a condition; the first answer says its cluster.

        Parameters
        ----------
        item : str or int
            Numbers from 0; None for an item of its own.
        condition : str
        cluster : str or None
            None for an item that stands alone.
        """
        number = len(self._cells)
        assert isinstance(self._items, array)
        assert isinstance(self._cells, array)
        assert isinstance(self._clusters, array)
        name = hash(item if item is not None else ("", number))
        self._items.append(name)
        self._cells.append(hash((name, condition)) if condition else name)
        self._clusters.append(ALONE if cluster is None else hash(cluster))
        return number

    def _numbers(self) -> tuple[Ints, Ints, Ints]:
        """Of each answer the cell, of each cell the item, of each item the cluster."""
        if self._numbering is None or len(self._numbering[0]) != len(self._cells):
            cells, opening = in_order(_array(self._cells))
            items, first = in_order(_array(self._items))
            clusters = _array(self._clusters)
            if len(first) < len(items):
                clusters = clusters[first]
            alone = clusters == ALONE
            home = np.arange(len(first))
            if not alone.all():
                known, where = np.unique(clusters, return_inverse=True)
                home = in_order(np.where(alone, len(known) + home, where))[0]
            of_cells = items[opening] if len(opening) < len(items) else items
            self._numbering = cells, of_cells, home
        return self._numbering

    def cells(self, answers: Ints) -> Ints:
        """The cells of answers, by number."""
        return self._numbers()[0][answers]

    def items(self, cells: Ints) -> Ints:
        """The items of cells, by number."""
        return self._numbers()[1][cells]

    def clusters(self, items: Ints) -> Ints:
        """The clusters of items, by number."""
        return self._numbers()[2][items]


class Answers:
    """Judged answers of one group: five bytes each, whatever their number."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._cells: array[int] | Ints = array("I")
        self._codes: array[int] | NDArray[np.uint8] = array("B")

    def add(self, cell: int, right: bool, answered: bool) -> None:
        """Note an answer under its number in the index."""
        assert isinstance(self._cells, array)
        assert isinstance(self._codes, array)
        self._cells.append(cell)
        self._codes.append(2 * right + answered)

    @classmethod
    def of(cls, index: Index, cells: Ints, codes: NDArray[np.uint8]) -> Answers:
        """Many answers: 2 for each that was right, and 1 for each that could be read."""
        answers = cls(index)
        answers._cells, answers._codes = cells, codes
        return answers

    def __len__(self) -> int:
        return len(self._cells)

    def by_item(self) -> Items:
        """Right and readable answers averaged within condition and item. Not for no answers."""
        codes = _array(self._codes)
        items, averaged = self.averaging()
        clusters = _places(self.index.clusters(items))
        return Items(averaged(codes >= 2), averaged(codes % 2 == 1), clusters)

    def chance(self, options: ArrayLike) -> float | None:
        """What guessing evenly gets right, averaged within condition and item as accuracy is.

        Parameters
        ----------
        options : array_like of int
            How many options each answer of the index was chosen from; 0 for a free answer.

        Returns
        -------
        float or None
            In [0, 1]. None where an answer is free, and of no answers.
        """
        sizes = np.asarray(options)[_array(self._cells)]
        if not len(sizes) or not sizes.min():
            return None
        if sizes.min() == sizes.max():
            return float(1 / sizes[0])
        return fmean(self.averaging()[1](1 / sizes).tolist())

    def averaging(self) -> tuple[Ints, Callable[[NDArray[Any]], Floats]]:
        """The items, by number, and how to average values of the answers within each of them."""
        numbers = self.index.cells(_array(self._cells))
        cells, place = _numbered(numbers)
        items, home = _numbered(self.index.items(cells))

        def averaged(values: NDArray[Any]) -> Floats:
            return _within(home, _within(place, values))

        return items, averaged


def _within(home: NDArray[np.intp] | None, values: NDArray[Any]) -> Floats:
    """The mean of the values of each home; as they are where each has a home of its own."""
    if home is None:
        return values.astype(np.float64, copy=False)
    return np.asarray(np.bincount(home, weights=values) / np.bincount(home), np.float64)


def _numbered(numbers: Ints) -> tuple[Ints, NDArray[np.intp] | None]:
    """The different numbers in order, and the place of each among them; None where they rise."""
    if np.all(numbers[1:] > numbers[:-1]):
        return numbers, None
    return np.unique(numbers, return_inverse=True)


def _places(numbers: Ints) -> NDArray[np.intp]:
    """The place of each number among the different ones in order."""
    places = _numbered(numbers)[1]
    return np.arange(len(numbers)) if places is None else places


class Items:
    """Items with their shares of right and of readable answers, and the number of their cluster.

    Attributes
    ----------
    right, answered : ndarray, shape (n,)
        In [0, 1].
    clusters : ndarray of int, shape (n,)
        From 0 to the number of clusters less one.
    """

    def __init__(self, right: Floats, answered: Floats, clusters: Ints) -> None:
        self.right, self.answered, self.clusters = right, answered, clusters

    def __len__(self) -> int:
        return len(self.right)

    @property
    def cluster_count(self) -> int:
        """How many clusters there are, items that stand alone included."""
        return int(self.clusters.max()) + 1

    def value(self, figure: Figure) -> float | None:
        """A figure in [0, 1]; None for a precision where nothing was answered."""
        top, bottom = self._sums(figure)
        total = float(bottom.sum())
        return float(top.sum()) / total if total else None

    def interval(self, figure: Figure = "accuracy", level: float = 0.95) -> Interval:
        """A figure with its interval, clustered.

        Raises
        ------
        InputError
            For a precision where nothing was answered, or a level outside (0, 1).
        """
        top, bottom = self._sums(figure)
        size = self.cluster_count
        tops, bottoms = top, bottom
        if size < len(self) or np.any(self.clusters[1:] < self.clusters[:-1]):
            tops, bottoms = (
                np.bincount(self.clusters, each, size).astype(np.float64, copy=False)
                for each in (top, bottom)
            )
        if not bottoms.sum() > 0:
            raise InputError(f"no {figure}: nothing was answered")
        if not np.all(bottom == 1):
            return ratio_interval(tops, bottoms, len(self), level)
        return interval_from_sums(tops, bottoms, level)

    def guessing_p(self, chance: float) -> float:
        """How likely one who guesses lies so far from `chance`; see `guessing_p`."""
        accuracy, size = self.interval(), self.cluster_count
        sums = np.bincount(self.clusters, weights=self.right, minlength=size)
        counts = np.bincount(self.clusters, minlength=size)
        return guessing_p(sums, counts, chance, accuracy.low, accuracy.high)

    def _sums(self, figure: Figure) -> tuple[Floats, Floats]:
        """What each item adds to numerator and denominator."""
        if figure == "f1":  # halved, so that an answered item weighs 1
            return self.right, (1 + self.answered) / 2
        if figure == "precision":
            return self.right, self.answered
        return (self.answered if figure == "ifr" else self.right), np.ones(len(self))


def mean_score(
    name: str,
    values: Floats,
    items: NDArray[np.int64],
    ways: NDArray[np.int64],
    clusters: NDArray[np.int64],
    called: Callable[[int], str] = str,
) -> Interval:
    """The mean of a named score with its 95 % interval, within condition and item first.

    Parameters
    ----------
    name : str
        Of the score, for messages.
    values : ndarray of float, shape (n,)
        In [0, 1].
    items, ways, clusters : ndarray of int, shape (n,)
        What names them, as for `Index.of`.
    called : callable, optional
        What the item of a value is called, by its number.

    Raises
    ------
    InputError
        Where there is nothing to be averaged, or a score lies outside [0, 1].
    """
    outside = np.flatnonzero((values < 0) | (values > 1))
    if len(outside):
        place = int(outside[0])
        raise InputError(
            f"score {name!r} of {called(place)} is {values[place]:g}: it must be from 0 to 1"
        )
    if not len(values):
        raise InputError(f"no trial has a score {name!r}: there is no mean to give")
    return mean_of(Index.of(items, ways, clusters), np.arange(len(values)), values)


def mean_of(index: Index, cells: Ints, values: Floats) -> Interval:
    """The mean of values of answers with its 95 % interval, within condition and item first.

    Parameters
    ----------
    index : Index
    cells : ndarray of int, shape (n,)
        The numbers of the answers in the index. Not none.
    values : ndarray of float, shape (n,)
        In [0, 1].
    """
    own, averaged = Answers.of(index, cells, np.zeros(len(cells), dtype=np.uint8)).averaging()
    home = _places(index.clusters(own))
    sums = np.bincount(home, weights=averaged(values))
    return interval_from_sums(sums, np.bincount(home).astype(np.float64))


def weights_of(index: Index, cells: Ints) -> Floats:
    """What each answer adds to that mean, for a value of 1; they add up to 1."""
    _, place, size = np.unique(index.cells(cells), return_inverse=True, return_counts=True)
    first = np.unique(place, return_index=True)[1]
    items = index.items(index.cells(cells)[first])
    _, home, ways = np.unique(items, return_inverse=True, return_counts=True)
    return np.asarray(1 / (size[place] * ways[home][place] * len(ways)), np.float64)


LOW_IS_BEST = frozenset({"wer", "cer", "wer_edits", "cer_edits", "edit_distance"})
"""Named scores that count errors: the lowest is the best."""


def figure_name(figure: str) -> str:
    """What a figure is called in rows that are published and in tables: of a score, its name."""
    return figure.removeprefix(SCORE)
