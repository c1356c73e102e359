"""A run in columns: its log decoded once, some sixty bytes a trial, no text.

Names (of trials, items, clusters, questions) are distinguished by hashes of 64 bits: that two of a
million share one is a matter of 1 in 30 million. What few trials differ in is a code: a
`QuestionKind` is what was asked, a `TrialOutcome` what came of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.engine.folder import decode_block, decode_line, find_log, read_manifest
from zhiyin.engine.log import is_being_written
from zhiyin.engine.naming import people_in
from zhiyin.files import Place
from zhiyin.record import RETRIED, STATES, Record, retried
from zhiyin.runs.cache import KeptTable
from zhiyin.runs.columns import (
    ALONE,
    AlikeCalls,
    AskedRecord,
    Calls,
    Lean,
    LeanHeard,
    LeanReply,
    LeanTrial,
    NamedRecord,
    NumberColumn,
    TrialNames,
    Worded,
    clusters_of,
    earlier,
    names_of,
    question_of,
)
from zhiyin.runs.ways import (
    UNDECLARED,
    Codes,
    DeclaredTags,
    QuestionKind,
    TrialOutcome,
    Ways,
    gold_of,
    item_of,
    ways_in,
)
from zhiyin.statistics.intervals import how_many
from zhiyin.strategies import CONFIRM
from zhiyin.trial import Audio, Tag, Trial

D = TypeVar("D")
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_BLOCK = 1 << 15
"""Bytes that are decoded together: more no longer fit into the cache, and take longer."""
_MEDIA = b'"sha256"'
"""What stands in every trial with sound or pictures."""
_SEAM = 256
"""Bytes before the end of what was read by which a log that has grown is known again."""
_NAMES: tuple[str, int | None] = "q", None
_END, _TOGETHER, _LINES, _BUFFER = ord("\n"), 512, 32, 65_536
_COLUMNS: dict[str, tuple[str, int | None]] = {
    **dict.fromkeys(("start", "trial"), ("q", None)), "cluster": ("q", ALONE),
    **dict.fromkeys(("kind", "outcome"), ("I", None)),
    **dict.fromkeys(("cause", "sequence", "step", "fact", "vain"), ("I", 0)), "last": ("B", 0),
}  # fmt: skip
"""The kind of each column, and its usual value, which takes no room. `item` is `trial` until one
differs."""


class RunTable:
    """The records of a run in columns, in the order of its log.

    Parameters
    ----------
    folder : Path
        A run folder, of a run that may still go on.
    facts : callable, optional
        What else is wanted of each trial, from its words and sounds: something hashable, which
        `facts` holds by the numbers in the column `fact`.
    ways : Ways, optional
        By default those of the run, or for records without one those of undeclared ways.

    Attributes
    ----------
    folder : Path
    ways : Ways
    start : ndarray of int64, shape (n,)
        The byte of the log at which each line begins; `record` reads it again.
    trial, item, cluster : ndarray of int64
        Hashes of names; `ALONE` for an item without a cluster.
    kind, outcome, cause, sequence : ndarray of uint32
        Places in `kinds`, `outcomes`, `causes` and `sequences`.
    step, last : ndarray
        The place in its sequence, from 1, and whether the sequence came to its end.
    kinds : list of QuestionKind
    outcomes : list of TrialOutcome
    causes : list of str
        Why trials have no answer, or failed; the first is "".
    sequences : list of str
        The first is "": of none.
    paid : list of (int, dict)
        Rows of records in which others were asked, and what that cost.

    Raises
    ------
    InputError
        The folder is not a run, or its log is damaged.
    """

    def __init__(
        self, folder: Place | None, facts: Callable[[Any], Hashable] | None = None,
        ways: Ways | None = None,
    ) -> None:  # fmt: skip
        if ways is None:
            ways = UNDECLARED if folder is None else ways_in(Path(folder))
        self.ways, self._declared = ways, DeclaredTags(ways)
        self.facts_of = facts
        self._known_facts: Codes[Hashable] = Codes()
        self._calls = Calls()
        self.paid: list[tuple[int, dict[str, Any]]] = []
        self._kinds: Codes[tuple[object, ...]] = Codes()
        self._outcomes: Codes[tuple[object, ...]] = Codes()
        self._causes, self._sequences = Codes(""), Codes("")
        self.kinds: list[QuestionKind] = []
        self.outcomes: list[TrialOutcome] = []
        self._columns = {name: NumberColumn(*how) for name, how in _COLUMNS.items()}
        self._scores: dict[str, tuple[NumberColumn, NumberColumn]] = {}
        self._read, self._lines = 0, 0
        self._held: list[Any] | None = None
        self._asked = NumberColumn("q")
        if folder is not None:
            self.folder, self._path = Path(folder), find_log(folder)
            self.extend()

    @classmethod
    def of_kept(
        cls, folder: Path, table: KeptTable, facts: Callable[[Any], Hashable] | None
    ) -> RunTable:
        """A table that was kept in the cache, of a log that is as it was then."""
        own = cls(None, facts, Ways(table.ways))
        own.folder, own._path = folder, find_log(folder)
        own._inode, own._seam = own._path.stat().st_ino, table.seam
        own._lines, own._read, own.paid = table.lines, table.read, table.paid
        own.kinds, own.outcomes = table.kinds, table.outcomes
        own._kinds = Codes(*(kind.asked for kind in table.kinds))
        own._outcomes = Codes(*map(msgspec.structs.astuple, table.outcomes))
        own._causes, own._sequences = Codes(*table.causes), Codes(*table.sequences)
        own._known_facts, own._calls = Codes(*table.facts), Calls.of_kept(table.calls)
        for name in (*_COLUMNS, *table.columns.keys() & {"item"}):
            how = _COLUMNS.get(name, _NAMES)
            own._columns[name] = NumberColumn.of_kept(*how, table.lines, table.columns.get(name))
        own._asked = NumberColumn.of_kept(*_NAMES, len(table.asked) // 8, table.asked)
        for name, (rows, values) in table.scores.items():
            count = len(rows) // 4
            own._scores[name] = (
                NumberColumn.of_kept("I", None, count, rows),
                NumberColumn.of_kept("d", None, count, values),
            )
        return own

    def kept(self, of: str) -> KeptTable:
        """The table as it is kept in the cache, with facts of `of`; see `cache.FACTS`."""
        return KeptTable(
            *(self.ways, self._lines, self._read, self._seam, of),
            {name: kept for name, own in self._columns.items() if (kept := own.kept) is not None},
            *(self.kinds, self.outcomes, self._causes.names, self._sequences.names),
            self._known_facts.names,  # type: ignore[arg-type]  # of these kinds they are numbers
            {n: (_bytes(rows), _bytes(values)) for n, (rows, values) in self._scores.items()},
            *(self._calls.kept(), self.paid, _bytes(self._asked)),
        )

    @classmethod
    def of(cls, records: Iterable[Record | Lean], *, hold: bool = False) -> RunTable:
        """A table of records that stand in no log; where it is to `hold` them, names and all."""
        table, waiting = cls(None), iter(records)
        table._held = [] if hold else None
        while block := list(islice(waiting, _TOGETHER)):
            table._add(block, np.full(len(block), -1))
            if table._held is not None:
                table._held += block
        return table

    def extend(self) -> bool:
        """Read what the log has gained. Whether there was anything; older arrays stay as they are.

        A torn end is left until it is whole.
        """
        before, rest = self._lines, b""
        plain: msgspec.json.Decoder[Lean] = msgspec.json.Decoder(Worded if self.facts_of else Lean)
        heard: msgspec.json.Decoder[Lean] = msgspec.json.Decoder(LeanHeard)
        with self._path.open("rb") as log:
            self._inode = os.fstat(log.fileno()).st_ino
            log.seek(self._read)
            while read := log.read(_BLOCK):
                whole, ended, rest = (rest + read).rpartition(b"\n")
                if not ended:
                    continue
                decoder = heard if _MEDIA in whole else plain
                block = decode_block(decoder, whole, self._path, self._lines)
                starts = np.flatnonzero(np.frombuffer(b"\n" + whole, dtype=np.uint8) == _END)
                self._add(block, starts + self._read)
                self._read += len(whole) + 1
            log.seek(max(0, self._read - _SEAM))
            self._seam = log.read(min(_SEAM, self._read))
        return self._lines > before

    def grow(self) -> bool:
        """Read what the log of a run under way has gained. False where it may be another by now."""
        if not is_being_written(self.folder):  # then who knows who has written what
            return False
        with self._path.open("rb") as log:
            state = os.fstat(log.fileno())
            log.seek(max(0, self._read - _SEAM))
            if state.st_ino != self._inode or log.read(min(_SEAM, self._read)) != self._seam:
                return False
        self.extend()
        return True

    def __len__(self) -> int:
        """Return the number of lines, superseded ones too."""
        return self._lines

    def _add(self, block: Sequence[Lean | Record], starts: NDArray[np.intp]) -> None:
        """Put some records, with the bytes at which they begin, into the columns."""
        columns = self._columns
        columns["start"].extend(starts.tolist())
        trials = [record.trial for record in block]
        ids = [record.id for record in block]
        named = names_of(ids)
        item_names: Sequence[int] = named
        if any(trial.item or trial.tags for trial in trials):
            pairs = [
                (trial.item, trial.condition)
                if trial.item
                else item_of(name, "", trial.condition, trial.tags)
                for name, trial in zip(ids, trials, strict=True)
            ]
            items, conditions = [item for item, _ in pairs], [way for _, way in pairs]
            if items != ids:
                item_names = names_of(items)
        else:
            conditions = [trial.condition for trial in trials]
        if item_names is not named and "item" not in columns:
            columns["item"] = columns["trial"].copy()
        if "item" in columns:
            columns["item"].extend(item_names)
        columns["trial"].extend(named)
        clusters = [trial.cluster for trial in trials]
        if any(clusters) or "" in clusters:
            columns["cluster"].extend(clusters_of(clusters))
        else:
            columns["cluster"].extend([ALONE] * len(clusters))
        columns["kind"].extend(list(map(self._kind, trials, conditions)))
        columns["outcome"].extend(list(map(self._outcome, block)))
        columns["cause"].extend(
            [
                0 if one.verdict.state in _READ else self._causes[one.error or one.verdict.why]
                for one in block
            ]
        )
        columns["sequence"].extend([self._sequences[trial.sequence] for trial in trials])
        columns["step"].extend([trial.step for trial in trials])
        columns["last"].extend([record.last for record in block])
        columns["vain"].extend(list(map(_in_vain, block)))
        columns["fact"].extend(
            [self._known_facts[self.facts_of(trial)] if self.facts_of else 0 for trial in trials]
        )
        for row, record in enumerate(block, self._lines):
            self._add_beside(row, record)
        self._calls.settle()
        self._lines += len(block)
        for name in ("_views", "state", "valid", "repeated", "names", "tags", "people"):
            self.__dict__.pop(name, None)

    def _add_beside(self, row: int, record: Lean | Record) -> None:
        """Put what a record has any number of beside the columns: scores, and calls."""
        for name, value in record.verdict.scores.items():
            rows, values = self._scores.setdefault(name, (NumberColumn("I"), NumberColumn("d")))
            rows.append(row)
            values.append(value)
        exchange = record.exchange
        for turn in exchange.turns:
            if isinstance(turn.reply, LeanReply):
                self._calls.add(row, turn)
        if exchange.notes and (paid := exchange.notes.get("paid")):
            self.paid.append((row, paid))

    def add(self, record: Record | Lean) -> None:
        """Add a record that stands in no log."""
        self._add([record], np.full(1, -1))

    def _kind(self, trial: LeanTrial | Trial, condition: str) -> int:
        tags, first = trial.tags, True
        conditions: tuple[tuple[str, Tag], ...] = ()
        if tags:
            conditions = tuple([(name, tags[name]) for name in self._declared[tuple(tags)]])
            first = tags.get("repeat", 1) == 1 and tags.get("rotation", 0) == 0
        target = trial.target
        gold = gold_of(trial.options, target, tags)
        messages = getattr(trial, "messages", ())  # a lean trial without media has none
        parts = [part for each in messages for part in each.parts if getattr(part, "sha256", "")]
        heard = any(
            isinstance(part, Audio) or getattr(part, "type", "") == "audio" for part in parts
        )
        asked = trial.groups, condition, len(trial.options), gold
        facts = *asked, conditions, bool(parts), heard, first, target is not None
        number = self._kinds[facts]
        if number == len(self.kinds):
            self.kinds.append(QuestionKind.of(facts, self.ways))
        return number

    def _outcome(self, record: Lean | Record) -> int:
        verdict, exchange = record.verdict, record.exchange
        last = exchange.turns[-1] if exchange.turns else None
        facts = (
            verdict.state, verdict.letter, verdict.answer, verdict.policy, verdict.confidence,
            last.purpose if last else "",
            earlier(last.reply.detail) if last and last.reply.detail else None,
            bool(verdict.tags and verdict.tags.get("confirmed")), CONFIRM in exchange.notes,
        )  # fmt: skip
        number = self._outcomes[facts]
        if number == len(self.outcomes):
            self.outcomes.append(TrialOutcome(*facts))
        return number

    @cached_property
    def _views(self) -> dict[str, Ints]:
        return {name: column.view() for name, column in self._columns.items()}

    def __getattr__(self, name: str) -> Ints:
        """A column by its name."""
        if name in _COLUMNS or name == "item":
            return self._views.get(name, self._views["trial"])
        raise AttributeError(name)

    @property
    def causes(self) -> list[str]:
        """Reasons why trials have no answer, or failed; the first is ""."""
        return self._causes.names

    @property
    def sequences(self) -> list[str]:
        """Names of sequences; the first is "": of none."""
        return self._sequences.names

    def scores(self, name: str) -> Floats:
        """A named score of each row; NaN where it has none."""
        column = np.full(len(self), np.nan)
        if name in self._scores:
            rows, values = self._scores[name]
            column[rows.view()] = values.view()
        return column

    @property
    def unasked(self) -> int:
        """Number of lines of which it is not known yet what they ask; see `question`."""
        return len(self) - len(self._asked)

    @property
    def question(self) -> Ints:
        """A name for what each row asks, for stem, options in whatever order, target and sounds;
        `ALONE` where nothing is right. A pass of its own over the log.
        """
        encoder = msgspec.json.Encoder()
        if len(self._asked) < len(self):
            for block in self.again(AskedRecord, len(self._asked)):
                asked = b"".join([question_of(record.trial, encoder) for record in block])
                self._asked.extend(np.frombuffer(asked, np.int64).tolist())
        return self._asked.view()

    @cached_property
    def names(self) -> list[TrialNames]:
        """Names of each row, in a pass of its own over the log, for what shows names."""
        known: Codes[str | None] = Codes()
        names = []
        for block in self.again(NamedRecord):
            for record in block:
                trial = record.trial
                item, _ = item_of(record.id, trial.item, trial.condition, trial.tags)
                item = record.id if item == record.id else item
                cluster = known.names[known[trial.cluster]]
                names.append(TrialNames(record.id, item, cluster))
        return names

    @cached_property
    def tags(self) -> list[dict[str, Tag]]:
        """The tags of each row: a pass of its own over the log; rows share those that are equal."""
        known: dict[tuple[Any, ...], dict[str, Tag]] = {}
        tags = []
        for block in self.again(NamedRecord):
            for record in block:
                own = record.trial.tags
                key = tuple([(name, type(value), value) for name, value in own.items()])
                tags.append(known.setdefault(key, own))
        return tags

    @cached_property
    def people(self) -> Ints | None:
        """Numbers of those who gave the answers; None of a run that does not tell several apart."""
        folder = self.__dict__.get("folder")
        if folder is None or people_in(read_manifest(folder)) < 2:
            return None
        people: Any = np.unique([one.id.rpartition("@")[2] for one in self.names],
                                return_inverse=True)  # fmt: skip
        told = all("@" in one.id for one in self.names)
        return np.asarray(people[1]) if told else None

    @property
    def way(self) -> Ints:
        """A name for the condition of each row; 0 where there is none."""
        names = [names_of([k.condition])[0] if k.condition else 0 for k in self.kinds]
        if not any(names):
            return np.broadcast_to(np.int64(0), len(self))
        ways: Ints = np.array(names, dtype=np.int64)[self.kind]
        return ways

    def again(self, kind: type[D], since: int = 0) -> Iterator[list[D]]:
        """The lines from a row on, decoded in another way, some dozens together."""
        if self._held is not None:
            yield self._held[since:]
            return
        decoder, done = msgspec.json.Decoder(kind), since
        if since >= len(self):
            return
        with self._path.open("rb") as log:
            log.seek(int(self.start[since]))
            while lines := list(islice(log, min(_LINES, len(self) - done))):
                yield decode_block(decoder, b"".join(lines)[:-1], self._path, done)
                done += len(lines)

    @property
    def facts(self) -> list[Any]:
        """Facts that `facts` found in trials, each once."""
        return self._known_facts.names

    def calls(self, rows: NDArray[np.bool_] | None = None) -> Iterator[AlikeCalls]:
        """The calls of some rows, by default of those that count; those of one kind together."""
        return self._calls.of(self.valid if rows is None else rows)

    @property
    def score_names(self) -> list[str]:
        """The names of all scores, in order of appearance."""
        return list(self._scores)

    @cached_property
    def state(self) -> NDArray[np.uint8]:
        """State of each row: the place in `STATES`."""
        codes = np.array([STATES.index(one.state) for one in self.outcomes], dtype=np.uint8)
        return codes[self.outcome] if len(codes) else codes

    @cached_property
    def valid(self) -> NDArray[np.bool_]:
        """Rows that count: of a trial's several an answer goes before a failure, else the last."""
        valid = np.ones(len(self), dtype=bool)
        if how_many(self.trial) == len(self):
            return valid
        _, home, times = np.unique(self.trial, return_inverse=True, return_counts=True)
        several = np.flatnonzero(times[home] > 1)
        failed = self.state[several] == _ERROR
        # by trial, failures before answers, then as they stand: the last of each trial counts
        order = several[np.lexsort((several, ~failed, home[several]))]
        last = np.append(home[order][1:] != home[order][:-1], True)
        valid[several] = False
        valid[order[last]] = True
        return valid

    @cached_property
    def repeated(self) -> int:
        """Number of lines that repeat a trial answered by another: something else wrote them."""
        if self.valid.all():
            return 0
        _, home = np.unique(self.trial, return_inverse=True)
        first = np.full(home.max() + 1, len(self))
        answered = np.flatnonzero(self.state != _ERROR)
        np.minimum.at(first, home[answered], answered)
        return int(np.count_nonzero(np.arange(len(self)) > first[home]))

    def places(self, since: int = 0) -> list[tuple[int, int]]:
        """Return the first byte and the length of each line, from a row on."""
        ends = pairwise([*self.start[since:].tolist(), self._read])
        return [(start, end - start) for start, end in ends]

    def records(self, rows: NDArray[np.intp]) -> Iterator[Record]:
        """Whole records, read again from the log.

        Raises
        ------
        InputError
            The log is another one by now.
        """
        if self._held is not None:
            yield from (self._held[row] for row in rows.tolist())
            return
        decoder, place = msgspec.json.Decoder(Record), 0
        with self._path.open("rb", _BUFFER) as log:
            for row, start in zip(rows.tolist(), self.start[rows].tolist(), strict=True):
                if start != place:
                    log.seek(start)
                line = log.readline()
                place = start + len(line)
                yield decode_line(decoder, line, f"{self._path}, line {row + 1}")

    @property
    def rows(self) -> NDArray[np.intp]:
        """The rows that count, in the order of the log."""
        return np.flatnonzero(self.valid)


def _in_vain(record: Lean | Record) -> int:
    """Count the calls of a record that brought no reply at all."""
    left = record.attempts - len(record.exchange.turns)
    if left > 0:
        for turn in record.exchange.turns:
            detail = turn.reply.detail
            own = detail if isinstance(detail, dict) else {RETRIED: getattr(detail, RETRIED, None)}
            left -= len(retried(own))
    return max(0, left)


def _bytes(column: NumberColumn) -> memoryview:
    kept = column.kept
    assert kept is not None  # it has no usual value
    return kept


_READ = frozenset(("correct", "wrong"))
_ERROR = STATES.index("error")
