"""Runs side by side: the trials of one benchmark, and what each run made of them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.engine.tally import ALL
from zhiyin.runs.figures import Figures
from zhiyin.runs.kinds import Codes, Kind
from zhiyin.runs.table import RunTable
from zhiyin.runs.ways import union
from zhiyin.statistics.scores import cells_of
from zhiyin.trial import Tag

Ints = NDArray[np.int64]
NOT_ASKED = 255


class TrialKind(msgspec.Struct, frozen=True):
    """What many trials share.

    Attributes
    ----------
    groups : tuple of str
        As they are in the main way, below its condition in any other. They do not depend on which
        other conditions its run had.
    plain : bool
        Whether it was asked in its benchmark's main way.
    options : int
        How many there are; 0 for a free answer.
    gold : str or None
        The letter under which the right option was shown first; None for a free answer.
    heard : bool
        Whether any sound was played.
    tags : tuple of (str, object)
        Those by which conditions are told apart.
    """

    groups: tuple[str, ...]
    plain: bool
    options: int
    gold: str | None
    heard: bool
    tags: tuple[tuple[str, Tag], ...]

    @classmethod
    def of(cls, asked: Kind) -> TrialKind:
        """That of a trial of a run."""
        own = tuple(group for group in dict.fromkeys(asked.bare) if group not in ("", ALL))
        if way := asked.way:
            own = (way, *(f"{way}/{group}" for group in own))
        return cls(own, asked.main, asked.options, asked.gold, asked.heard, asked.conditions)

    @property
    def facts(self) -> dict[str, Tag]:
        """The tags by name."""
        return dict(self.tags)


class Collation:
    """The trials of one benchmark, in order of first appearance, and what each run made of them.

    Trials of two runs are the same where their names are and they ask the same (see
    `RunTable.question`): runs on other data are never laid side by side by the mere name of a
    trial.

    Parameters
    ----------
    tables : mapping of int to RunTable
        The runs, by number.

    Attributes
    ----------
    ways : Ways
        Of all the runs.
    kinds : list of TrialKind
    kind, item, way, cluster, question : ndarray of int, shape (n,)
        Of each trial the place in `kinds`, and what names it; see `RunTable`.
    """

    def __init__(self, tables: Mapping[int, RunTable]) -> None:
        self._tables = dict(tables)
        self.ways = union(table.ways for table in tables.values())
        rows = {run: table.rows for run, table in tables.items()}
        known: Codes[TrialKind] = Codes()

        def column(name: str) -> Ints:
            own = [getattr(table, name)[rows[run]] for run, table in tables.items()]
            joined: Ints = np.concatenate([np.empty(0, dtype=np.int64), *own])
            return joined

        names = cells_of(column("trial"), column("question"))
        _, first, home = np.unique(names, return_index=True, return_inverse=True)
        order = np.argsort(first)
        places = np.empty(len(first), dtype=np.int64)
        places[order] = np.arange(len(first))
        first, place = first[order], places[home]
        codes = [
            np.array([known[TrialKind.of(kind)] for kind in table.kinds], dtype=np.int64)[
                table.kind[rows[run]]
            ]
            for run, table in tables.items()
            if len(rows[run])
        ]
        self.kinds = known.names
        self.kind: Ints = np.concatenate([np.empty(0, dtype=np.int64), *codes])[first]
        self.item, self.way, self.cluster, self.question = (
            column(name)[first] for name in ("item", "way", "cluster", "question")
        )
        ends = np.cumsum([0, *(len(own) for own in rows.values())])
        self._row: dict[int, Ints] = {}
        for number, (run, own) in enumerate(rows.items()):
            self._row[run] = np.full(len(first), -1, dtype=np.int64)
            self._row[run][place[ends[number] : ends[number + 1]]] = own

    def __len__(self) -> int:
        return len(self.kind)

    def rows(self, run: int) -> Ints:
        """The row of each trial in a run's table; -1 where it was not asked."""
        return self._row[run]

    def states(self, run: int) -> Ints:
        """What became of each trial in a run: the place in `STATES`, or `NOT_ASKED`."""
        rows, codes = self._row[run], np.full(len(self), NOT_ASKED, dtype=np.int64)
        asked = rows >= 0
        codes[asked] = self._tables[run].state[rows[asked]]
        return codes

    def letters(self, run: int, places: Ints) -> list[str | None]:
        """The letters that a run chose in trials that it was asked."""
        table = self._tables[run]
        codes = table.outcome[self._row[run][places]].tolist()
        return [table.outcomes[code].letter for code in codes]

    def figures(self, run: int, main: NDArray[np.bool_]) -> Figures:
        """The figures of a run, of which `main` says which trials "all" is over."""
        asked = np.flatnonzero(self._row[run] >= 0)
        sorts, sort = np.unique(2 * self.kind[asked] + main[asked], return_inverse=True)
        options = np.array([kind.options for kind in self.kinds], dtype=np.int64)
        return Figures(
            [(bool(each % 2), self.kinds[each // 2].groups) for each in sorts.tolist()],
            sort,
            self.states(run)[asked],
            self.item[asked],
            self.way[asked],
            self.cluster[asked],
            options[self.kind[asked]] if len(asked) else asked,
        )
