"""Some trials of a run: what tables, figures and tests go through, from the columns of its log.

The table of a run is read once for each state of its log, and kept for the next time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zhiyin.engine.folder import find_log, stamp_of
from zhiyin.engine.log import is_being_written
from zhiyin.engine.scoring import ALL, counted_under
from zhiyin.files import Place
from zhiyin.idioms import grouped
from zhiyin.record import NOT_JUDGED, STATES, Record, State
from zhiyin.runs import cache
from zhiyin.runs.columns import AlikeCalls, names_of
from zhiyin.runs.table import Floats, RunTable
from zhiyin.runs.ways import QuestionKind, TrialOutcome, Way, Ways, ways_in
from zhiyin.trial import Tag

_open: dict[Path, tuple[tuple[int, ...], RunTable, str]] = {}
"""Tables that were read last, with the stamps of their logs, and what their facts are of."""
_MOST_OPEN, _MOST_ROWS = 8, 1_000_000
"""So many tables are held, and of short ones as many as have so many rows together."""


def read_table(
    folder: Place, facts: Callable[[Any], Hashable] | None = None, of: str = "", *,
    questions: bool = False,
) -> RunTable:  # fmt: skip
    """The table of a run: the one of before where its log is as it was then, or one that is kept.

    Parameters
    ----------
    folder : Path
    facts : callable, optional
        See `RunTable`. It must be the same for all readers of a run that give any.
    of : str, optional
        Which of `cache.FACTS` these are, so that a table with them may be kept.
    questions : bool
        Whether what each trial asks will be looked at, so that it is kept, too.

    Raises
    ------
    InputError
        The folder is not a run, or its log is damaged.
    """
    path = find_log(folder).absolute()
    stamp = stamp_of(path)
    known = _open.pop(path, None)
    table = None
    if known is not None and (known[1].facts_of or not facts):
        facts, of = known[1].facts_of, known[2]
        if known[0] == stamp or known[1].grow():
            table = known[1]
    if table is None:
        table = _opened(Path(folder), path, stamp, facts, of)
    if questions and table.unasked:
        table.question  # noqa: B018  # which makes it
        if of or not facts:
            cache.keep(path, stamp, table.kept(of))
    _open[path] = stamp, table, of
    if known is None and len(_open) > _MOST_OPEN:
        rows = sum(len(held) for _, held, _ in _open.values())
        while len(_open) > _MOST_OPEN and rows > _MOST_ROWS:
            rows -= len(_open.pop(next(iter(_open)))[1])
    return table


def _opened(
    folder: Path, path: Path, stamp: tuple[int, ...], facts: Callable[[Any], Hashable] | None,
    of: str,
) -> RunTable:  # fmt: skip
    """The table of a run that was kept, or a new one, which is kept then."""
    ways = ways_in(folder)
    old = cache.find(path, stamp, of) if of or not facts else None
    if old is not None and old.ways == ways:
        return RunTable.of_kept(folder, old, facts)
    table = RunTable(folder, facts, ways)
    if (of or not facts) and not is_being_written(folder):
        cache.keep(path, stamp, table.kept(of))
    return table


def latencies(table: RunTable) -> Floats:
    """Seconds from sending to the last byte, of all calls of which they are known."""
    known = [alike.latency_s[~np.isnan(alike.latency_s)] for alike in table.calls()]
    return np.concatenate([np.empty(0), *known])


K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
JUDGED = np.array([state not in NOT_JUDGED for state in STATES])


def _read(path: str) -> Any:
    """A property that is another's attribute."""
    return property(attrgetter(path))


class TrialRow:
    """One trial of a run: what was asked, and what came of it."""

    __slots__ = ("_table", "number")

    def __init__(self, table: RunTable, number: int) -> None:
        self._table, self.number = table, number

    @property
    def _kind(self) -> QuestionKind:
        return self._table.kinds[int(self._table.kind[self.number])]

    heard: bool = _read("_kind.heard")
    """Whether any sound was played."""

    @property
    def _outcome(self) -> TrialOutcome:
        return self._table.outcomes[int(self._table.outcome[self.number])]

    @property
    def id(self) -> str:
        """The trial's name."""
        return self._table.names[self.number].id

    @property
    def item(self) -> str:
        """The item that is asked about: its repeats, rotations and conditions share it."""
        return self._table.names[self.number].item

    @property
    def cluster(self) -> str | None:
        """The cluster of items that depend on each other; None for an item that stands alone."""
        return self._table.names[self.number].cluster

    condition: str = _read("_kind.condition")
    """The way in which the item is asked; repeats and rotations share it."""

    @property
    def sequence(self) -> str:
        """The sequence that it stands in; "" for none."""
        return self._table.sequences[int(self._table.sequence[self.number])]

    @property
    def tags(self) -> dict[str, Tag]:
        """The benchmark's tags of the trial."""
        return self._table.tags[self.number]

    groups: tuple[str, ...] = _read("_kind.groups")
    """Groups as logged."""

    options: int = _read("_kind.options")
    """Number of options; 0 for a free answer."""

    alternatives: int = _read("_kind.alternatives")
    """Number of options of which one alone is right; 0 for a free answer."""

    gold: str | None = _read("_kind.gold")
    """The letter under which the one right option was shown; None for a free answer."""

    state: State = _read("_outcome.state")
    """State that the trial ended in."""

    letter: str | None = _read("_outcome.letter")
    """The letter that was chosen."""

    answer: str | None = _read("_outcome.key")
    """The key of the option that was chosen, or the value that was read."""

    policy: str = _read("_outcome.policy")
    """The policy that read the reply, or another reason for the verdict."""

    confidence: str = _read("_outcome.confidence")
    """Sureness with which an answer was read; "" if none was, or if nobody says."""

    confirmed: bool = _read("_outcome.settled")
    """Whether a further call settled the answer."""

    @property
    def record(self) -> Record:
        """The whole record, read again from the log."""
        return next(self._table.records(np.array([self.number])))

    @property
    def judged(self) -> bool:
        """Tell whether it is in shares of right answers: errors and ungraded ones are not."""
        return self.state not in NOT_JUDGED

    @property
    def right(self) -> float:
        """1 for a right answer, 0 for any other outcome of a judged trial."""
        return float(self.state == "correct")

    @property
    def answered(self) -> bool:
        """Tell whether an answer could be read from the reply."""
        return self.state in ("correct", "wrong")


class Rows(Sequence[TrialRow]):
    """Some trials of a run, in the order of its log.

    Parameters
    ----------
    table : RunTable
    numbers : ndarray of int
        Rows of the table.
    """

    def __init__(self, table: RunTable, numbers: NDArray[np.intp]) -> None:
        self.table, self.numbers = table, numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[TrialRow]:
        return (TrialRow(self.table, number) for number in self.numbers.tolist())

    def __getitem__(self, place):  # type: ignore[no-untyped-def]  # as of any sequence
        if isinstance(place, slice):
            return Rows(self.table, self.numbers[place])
        return TrialRow(self.table, int(self.numbers[place]))

    @property
    def folder(self) -> Path:
        """The run's folder, for what lies in it beside its log."""
        return self.table.folder

    def where(self, wanted: ArrayLike) -> Rows:
        """Return the rows for which `wanted`, a boolean each, is true."""
        return Rows(self.table, self.numbers[np.asarray(wanted, dtype=bool)])

    @property
    def states(self) -> NDArray[np.uint8]:
        """State of each row: the place in `STATES`."""
        return self.table.state[self.numbers]

    @property
    def judged(self) -> Rows:
        """Rows in shares of right answers: errors and ungraded ones are not."""
        return self.where(JUDGED[self.states])

    @property
    def failed(self) -> Rows:
        """Rows without a verdict."""
        return self.where(self.states == STATES.index("error"))

    @property
    def settled(self) -> Rows:
        """Rows that did not fail, with a right answer or without one."""
        return self.where(self.states != STATES.index("error"))

    @property
    def ways(self) -> Ways:
        """The ways of asking that the run's benchmark declares."""
        return self.table.ways

    @property
    def main(self) -> Rows:
        """Rows that were asked in the benchmark's main way."""
        return self.where(self._of_kinds(lambda kind: kind.main))

    def _of_kinds(self, wanted: Callable[[QuestionKind], bool]) -> NDArray[np.bool_]:
        kinds = np.array([wanted(kind) for kind in self.table.kinds], dtype=bool)
        of_each: NDArray[np.bool_] = kinds[self.table.kind[self.numbers]]
        return of_each

    def of_kinds(self, fact: Callable[[QuestionKind], T]) -> list[T]:
        """List a fact of each row's question, taken once of each kind."""
        facts = [*map(fact, self.table.kinds)]
        return [facts[kind] for kind in self.table.kind[self.numbers].tolist()]

    def of_outcomes(self, fact: Callable[[TrialOutcome], T]) -> list[T]:
        """List a fact of each row's outcome, taken once of those that are alike."""
        facts = [*map(fact, self.table.outcomes)]
        return [facts[one] for one in self.table.outcome[self.numbers].tolist()]

    def where_outcome(self, wanted: Callable[[TrialOutcome], bool]) -> Rows:
        """Return the rows whose outcome is wanted."""
        outcomes = np.array([wanted(one) for one in self.table.outcomes], dtype=bool)
        return self.where(outcomes[self.table.outcome[self.numbers]])

    def find(self, trial: str) -> TrialRow | None:
        """The row of a trial by its name; None where it is not among these."""
        found = self.where(self.table.trial[self.numbers] == names_of([trial])[0])
        return found[0] if found else None

    def which(self, wanted: Callable[[QuestionKind], bool]) -> Rows:
        """Return the rows whose kind is wanted."""
        return self.where(self._of_kinds(wanted))

    @property
    def choices(self) -> Rows:
        """Rows in which one of several options is right."""
        return self.which(lambda kind: kind.options > 1 and kind.gold is not None)

    def by_way(self, way: Way | None, usual: Tag = None) -> dict[Tag, Rows]:
        """Group rows by the value of a way; `usual` for those that have none."""
        name = way.name if way else ""
        return self.by_kind(lambda kind: [kind.tags.get(name, usual)])

    def in_main(self, way: Way | None) -> Rows:
        """Return the rows that are in the main way as far as this one goes."""
        if way is None:
            return self
        return self.which(lambda kind: kind.tags.get(way.name, way.plain) == way.plain)

    @property
    def unvaried(self) -> Rows:
        """Rows that their benchmark asks itself: with all of their sound, in its own words."""
        ways = [way for way in self.ways if way.above_benchmarks]
        return self.which(lambda k: all(k.tags.get(w.name, w.plain) == w.plain for w in ways))

    def calls(self) -> Iterator[AlikeCalls]:
        """The calls of these, those of one kind together."""
        own = np.zeros(len(self.table), dtype=bool)
        own[self.numbers] = True
        return self.table.calls(own)

    def by(self, keys: Iterable[K]) -> dict[K, Rows]:
        """Group rows by a key for each, in order of appearance."""
        numbers = grouped(zip(keys, self.numbers.tolist(), strict=True))
        return {key: Rows(self.table, np.array(own)) for key, own in numbers.items()}

    def by_kind(self, keys_of: Callable[[QuestionKind], Iterable[K]]) -> dict[K, Rows]:
        """Group rows by the keys that each kind has, in order of appearance; any number each."""
        kinds = self.table.kind[self.numbers]
        seen, first = np.unique(kinds, return_index=True)
        members: dict[K, list[int]] = {}
        for kind in seen[np.argsort(first)].tolist():
            for key in dict.fromkeys(keys_of(self.table.kinds[kind])):
                members.setdefault(key, []).append(kind)
        return {key: self.where(np.isin(kinds, own)) for key, own in members.items()}

    def by_group(self, *, conditions: bool = True) -> dict[str, Rows]:
        """Map groups to rows, "all" first; without `conditions`, their names leave these out."""

        def names(kind: QuestionKind) -> tuple[str, ...]:
            if conditions:
                return counted_under(kind.groups)
            return counted_under(filter(None, kind.bare))

        return self.by_kind(names)

    def within(self, group: str) -> Rows:
        """Return the rows that a group's figures are over: of "all", those in the main way, unless
        none of these was settled.
        """
        if group != ALL:
            return self.which(lambda kind: group in kind.groups)
        plain = self.main
        settled = plain.states != STATES.index("ungraded")
        return plain if settled.any() else self

    @property
    def right(self) -> NDArray[np.float64]:
        """1 for a right answer, 0 for any other outcome."""
        right: NDArray[np.float64] = (self.states == STATES.index("correct")).astype(np.float64)
        return right

    @property
    def items(self) -> NDArray[np.int64]:
        """Numbers that name what is asked about."""
        return self.table.item[self.numbers]

    @property
    def clusters(self) -> NDArray[np.int64]:
        """Numbers that name what hangs together; `scores.ALONE` for an item that stands alone."""
        return self.table.cluster[self.numbers]

    def outcomes(self) -> Counter[State]:
        """Count the rows that ended in each state."""
        times = np.bincount(self.states, minlength=len(STATES)).tolist()
        return Counter({state: n for state, n in zip(STATES, times, strict=True) if n})

    def outcomes_of_replies(self) -> Counter[State]:
        """The same, those that count in no share by what became of the reply itself
        (`Verdict.of_reply`).
        """
        times, waiting = self.outcomes(), self.states == STATES.index("ungraded")
        right = self.scores("right")[waiting]
        answered = np.nan_to_num(self.scores("answered")[waiting], nan=1.0) > 0
        judged = ~np.isnan(right)
        times["ungraded"] -= int(judged.sum())
        times["correct"] += int((judged & (right > 0)).sum())
        times["wrong"] += int((judged & (right == 0) & answered).sum())
        times["no_answer"] += int((judged & (right == 0) & ~answered).sum())
        return +times

    @property
    def ended(self) -> int:
        """Number of sequences among these that came to their end."""
        last = self.numbers[self.table.last[self.numbers] != 0]
        return len(np.unique(self.table.sequence[last]))

    def scores(self, name: str) -> NDArray[np.float64]:
        """A named score of each; NaN where it has none."""
        return self.table.scores(name)[self.numbers]

    def records(self) -> Iterator[Record]:
        """Whole records, read again from the log."""
        return self.table.records(self.numbers)


def rows_of(folder: Place) -> Rows:
    """The trials of a run that count: of several lines of one an answer goes before a failure.

    Raises
    ------
    InputError
        When the folder is not a run, or its log is damaged.
    """
    table = read_table(folder)
    return Rows(table, table.rows)


def records_of(folder: Place) -> Iterator[Record]:
    """The whole record of each trial of a run, as `rows_of` counts them, in the order of its log.

    For what looks at words: at questions, and at replies. Raises `InputError` as `rows_of`.
    """
    return rows_of(folder).records()
