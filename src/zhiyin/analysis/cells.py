"""What runs answered, by item and condition, in columns: some sixty bytes an answer, no text.

Items, conditions, clusters and questions are told apart by hashes of 64 bits, as in
`statistics.scores.Index`. `common` lays runs side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from zhiyin.engine.tally import ALL, counted_under, nested
from zhiyin.errors import InputError
from zhiyin.statistics.intervals import Floats, how_many, in_order
from zhiyin.statistics.scores import ALONE, cells_of

Ints = NDArray[np.int64]
_PAIRWISE = 8
"""From so many terms on, NumPy's mean does not add them one after the other."""


Sort = tuple[tuple[str, ...], bool]
"""Groups, and whether an answer was asked in the main way."""


class OtherPathError(InputError):
    """Sequences of two runs went different ways: their trials cannot be paired."""


def other_path(trial: str, sequence: str, one: str, other: str) -> OtherPathError:
    """The error for a trial of a sequence that asked something else in another run."""
    return OtherPathError(
        f"{trial}: {one} and {other} were asked different questions here: sequence {sequence!r} "
        "goes by the answers (or by other data), and trials that were chosen by answers cannot be "
        "paired"
    )


class Cells:
    """The judged answers of a run, gathered by cell: an item under a condition.

    Parameters
    ----------
    items, ways, clusters, questions : array_like of int, shape (n,)
        Names of answers, as `RunTable` has them.
    scores : array_like of float, shape (n,)
    sorts : array_like of int, shape (n,)
        Places in `kinds`.
    kinds : sequence of Sort
        The different groups that answers are in, each with whether it is in the main way.
    folder : Path
        The run that was read, so that its replies can be looked at.
    named : callable, optional
        The item and the sequence of an answer, by its number, for messages.
    unread : array_like of int
        The keys of cells with a reply that has no readable answer, and so no named score.
    """

    def __init__(
        self,
        items: ArrayLike,
        ways: ArrayLike,
        clusters: ArrayLike,
        questions: ArrayLike,
        scores: ArrayLike,
        sorts: ArrayLike,
        kinds: Sequence[Sort],
        folder: Path,
        named: Callable[[int], tuple[str, str]] = lambda answer: (str(answer), ""),
        unread: ArrayLike = (),
    ) -> None:
        self._items, self._clusters, self._questions, self._sorts = (
            np.asarray(one, dtype=np.int64) for one in (items, clusters, questions, sorts)
        )
        self._scores = np.asarray(scores, dtype=np.float64)
        self._keys = cells_of(self._items, np.asarray(ways, dtype=np.int64))
        self.kinds, self.folder, self._named = kinds, folder, named
        self.unread = np.asarray(unread, dtype=np.int64)

    @property
    def trials(self) -> int:
        """How many answers were added."""
        return len(self._scores)

    def __len__(self) -> int:
        """How many cells there are."""
        return len(self._first)

    @property
    def items(self) -> int:
        """How many items there are."""
        return how_many(self._items)

    @cached_property
    def _gathered(self) -> tuple[Ints, Ints, Ints]:
        """Of each cell its key, its first answer; of each answer the place of its key."""
        keys, first, home = np.unique(self._keys, return_index=True, return_inverse=True)
        return keys, first, home

    @property
    def keys(self) -> Ints:
        """The names of all cells, sorted."""
        return self._gathered[0]

    @property
    def _first(self) -> Ints:
        return self._gathered[1]

    @property
    def order(self) -> Ints:
        """The places of the cells in `keys`, in the order of their first answers."""
        return np.argsort(self._first)

    @cached_property
    def times(self) -> Ints:
        """How many answers each cell has."""
        return np.bincount(self._gathered[2])

    def means(self) -> Floats:
        """The mean score of each cell."""
        scores, home = self._scores, self._gathered[2]
        means: Floats = np.bincount(home, weights=scores) / self.times
        many = np.flatnonzero(self.times >= _PAIRWISE)
        if len(many):
            by_cell = np.argsort(home, kind="stable")
            ends = np.cumsum(self.times)
            for cell in many:
                means[cell] = np.mean(scores[by_cell[ends[cell] - self.times[cell] : ends[cell]]])
        return means

    def of(self, column: str, cells: Ints) -> Ints:
        """What the first answers of cells say: ``items``, ``clusters``, ``questions``, ``sorts``.

        Numbers: hashes, and for ``sorts`` the place in `kinds`.
        """
        numbers: Ints = getattr(self, f"_{column}")
        return numbers[self._first[cells]]

    @cached_property
    def asks_one_thing(self) -> bool:
        """Whether all answers of each cell are to one question, as those of passes are not."""
        questions = self._questions
        return bool(np.array_equal(questions, questions[self._first][self._gathered[2]]))

    def questions_of(self, cells: Ints) -> tuple[Ints, Ints]:
        """The different questions of cells: the place in `cells` and the question of each."""
        places = np.full(len(self), -1, dtype=np.int64)
        places[cells] = np.arange(len(cells))
        mine, questions = places[self._gathered[2]], self._questions
        pairs = np.unique(np.stack([mine[mine >= 0], questions[mine >= 0]]), axis=1)
        return pairs[0], pairs[1]

    def named(self, cell: int) -> tuple[str, str]:
        """The item of a cell, and the sequence of its first answer."""
        return self._named(int(self._first[cell]))


class GroupScores(msgspec.Struct, frozen=True):
    """The items of one group: the numbers of their clusters, values of shape (runs, items).

    An item's value is the mean over those of its conditions that are in the group. An item that
    stands alone is a cluster of its own.
    """

    clusters: Ints
    values: Floats


class Scores(msgspec.Struct, frozen=True):
    """Scores of several runs on what all of them judged.

    Attributes
    ----------
    items : int
        How many items the whole has.
    groups : dict of str to GroupScores
        The whole first, as a tree. It is over what was asked in the main way, if anything was.
    used : list of int
        How many trials of each run are in the comparison.
    twins : dict of str to str
        From each group to the first that holds the very same answers, mostly itself.
    """

    items: int
    groups: dict[str, GroupScores]
    used: list[int]
    twins: dict[str, str]

    @property
    def values(self) -> Floats:
        """Of the whole, shape (runs, items)."""
        return self.groups[ALL].values

    @property
    def clusters(self) -> Ints:
        """Of the items of the whole."""
        return self.groups[ALL].clusters


def common(names: Sequence[object], answered: Sequence[Cells]) -> Scores:
    """What every run judged, repeats averaged within their condition, conditions within the item.

    Parameters
    ----------
    names : sequence
        Of the runs, for messages.
    answered : sequence of Cells
        For each run.

    Raises
    ------
    InputError
        When there is nothing, or one name stands for different questions: in stem, options,
        target or the sounds that the question is about.
        `OtherPathError` where a sequence chose them.
    """
    lead = answered[0]
    shared = lead.order
    for other in answered[1:]:
        shared = shared[np.isin(lead.keys[shared], other.keys, assume_unique=True)]
    if not len(shared):
        raise InputError(
            f"{names[0]} and {names[1]} have no item in common: they were not asked the same "
            "questions"
        )
    places = [np.searchsorted(cells.keys, lead.keys[shared]) for cells in answered]
    for name, cells, own in zip(names, answered, places, strict=True):
        others = _asked_otherwise(lead, shared, cells, own)
        if len(others):
            raise _another_question(str(names[0]), str(name), cells, int(own[others[0]]))
    means = np.array([cells.means()[own] for cells, own in zip(answered, places, strict=True)])
    items, clusters = lead.of("items", shared), lead.of("clusters", shared)
    members = _members(lead, shared)
    groups = {
        name: _grouped(items[those], clusters[those], means[:, those]) for name, those in members
    }
    first: dict[bytes, str] = {}
    return Scores(
        len(groups[ALL].clusters),
        groups,
        [int(cells.times[own].sum()) for cells, own in zip(answered, places, strict=True)],
        {name: first.setdefault(those.tobytes(), name) for name, those in members},
    )


def _asked_otherwise(lead: Cells, shared: Ints, other: Cells, own: Ints) -> Ints:
    """The places of the cells in which two runs were asked different questions.

    The passes of a cell may ask different questions, of which errors may have left each run only
    some. So cells differ that share no question, or that have more of them together than any cell
    of one run.
    """
    if lead.asks_one_thing and other.asks_one_thing:
        return np.flatnonzero(other.of("questions", own) != lead.of("questions", shared))
    sides = [lead.questions_of(shared), other.questions_of(own)]
    numbers = [np.bincount(cells, minlength=len(shared)) for cells, _ in sides]
    together = np.unique(np.concatenate([np.stack(side) for side in sides], axis=1), axis=1)
    union = np.bincount(together[0], minlength=len(shared))
    most = max(int(number.max()) for number in numbers)
    return np.flatnonzero((numbers[0] + numbers[1] == union) | (union > most))


def _another_question(first: str, name: str, cells: Cells, cell: int) -> InputError:
    item, sequence = cells.named(cell)
    if sequence:
        return other_path(item, sequence, name, first)
    return InputError(
        f"{item}: {name} asks another question under this id than {first} (in "
        "its words, options, key or sound): the data differ, so they cannot be compared"
    )


def _members(lead: Cells, shared: Ints) -> list[tuple[str, Any]]:
    """The groups as a tree, the whole first, and which of the cells are in each."""
    sorts = lead.of("sorts", shared)
    known, first = np.unique(sorts, return_index=True)
    ordered = [int(sort) for sort in known[np.argsort(first)]]
    within = {ALL: [sort for sort in ordered if lead.kinds[sort][1]] or ordered}
    for sort in ordered:
        for group in counted_under(lead.kinds[sort][0])[1:]:
            within.setdefault(group, []).append(sort)
    members = []
    for name in nested(list(within)):
        is_within = np.zeros(len(lead.kinds), dtype=bool)
        is_within[within[name]] = True
        members.append((name, np.flatnonzero(is_within[sorts])))
    return members


def _grouped(items: Ints, clusters: Ints, means: Floats) -> GroupScores:
    """Some cells averaged within their items, which are in the order of their last cells."""
    _, first = np.unique(items, return_index=True)
    backwards, _ = in_order(items[::-1])
    home = backwards.max() - backwards[::-1]
    times = np.bincount(home)
    values = [np.bincount(home, weights=row) / times for row in means]
    own = np.empty(len(first), dtype=np.int64)
    own[home[first]] = clusters[first]
    alone = own == ALONE
    known, where = np.unique(own, return_inverse=True)
    numbers = np.where(alone, len(known) + np.arange(len(own)), where)
    return GroupScores(numbers, np.array(values))
