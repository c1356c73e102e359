"""What runs answered, by item and condition, in columns: some sixty bytes an answer, no text.

Items, conditions, clusters and questions are distinguished by hashes of 64 bits, as in
`statistics.scores.Index`. `pairing.common` lays runs side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zhiyin.errors import InputError, did_you_mean
from zhiyin.record import STATES
from zhiyin.runs.columns import cells_of
from zhiyin.runs.rows import Rows, read_table
from zhiyin.runs.table import RunTable
from zhiyin.statistics.intervals import Floats, how_many

Ints = NDArray[np.int64]
_UNREAD = np.array([state in ("no_answer", "refused", "truncated") for state in STATES])
_PAIRWISE = 8
"""From so many terms on, NumPy's mean does not add them one after the other."""

Sort = tuple[tuple[str, ...], bool]
"""Groups, and whether an answer was asked in the main way."""


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


def by_cell(folder: Path, measure: str | None, *, main: bool = False) -> Cells:
    """The judged answers of a run by item and condition, in the order of its log.

    Parameters
    ----------
    folder : Path
    measure : str or None
        A named score of the verdicts; None for right (1) and not (0).
    main : bool
        Whether only trials count that were asked in the benchmark's main way.

    Raises
    ------
    InputError
        When there are none, or none has the score.
    """
    table = read_table(folder, questions=True)
    rows = Rows(table, table.rows)
    rows = rows.main if main else rows
    unread = rows.numbers[:0]
    if measure is None:
        rows = rows.judged
        scores = rows.right
    else:
        rows = rows.settled
        scores = rows.scores(measure)
        lacks = np.isnan(scores)
        unread = rows.where(lacks & _UNREAD[rows.states]).numbers
        rows, scores = rows.where(~lacks), scores[~lacks]
    if not rows:
        raise _nothing(folder, table, measure)

    def named(answer: int) -> tuple[str, str]:
        return rows[answer].item, rows[answer].sequence

    numbers = rows.numbers
    return Cells(
        rows.items,
        table.way[numbers],
        rows.clusters,
        table.question[numbers],
        scores,
        table.kind[numbers],
        [(kind.groups, kind.main) for kind in table.kinds],
        folder,
        named,
        cells_of(table.item[unread], table.way[unread]),
    )


def _nothing(folder: Path, table: RunTable, measure: str | None) -> InputError:
    """The error for a run without an answer that counts."""
    if measure is not None:
        known = table.score_names
        hint = (
            did_you_mean(measure, known) if known else "its verdicts hold none but right or wrong"
        )
        return InputError(f"{folder}: no score named {measure!r}; {hint}")
    if np.any(table.state[table.rows] == STATES.index("ungraded")):
        return InputError(
            f"{folder}: its trials are neither right nor wrong: `zhiyin show` tells what they say, "
            "and --score compares a score that they have"
        )
    return InputError(f"{folder}: no trial has been judged yet; finish the run first")
