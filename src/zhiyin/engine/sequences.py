"""Sequences under way: walking through one, and taking it up again from the log."""

from __future__ import annotations

import traceback
from array import array
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.engine.folder import SequencedRecord, decode_line, iterate, valid_lines
from zhiyin.engine.readable import UNWRITABLE, mended_record, plain
from zhiyin.errors import InputError
from zhiyin.record import Record
from zhiyin.sequence import Sequence, Stepwise
from zhiyin.trial import Message, Trial
from zhiyin.words import said

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Record)


class SequenceError(Exception):
    """A sequence cannot say what comes next: its code is at fault, or breaks what it declares."""


class Walk:
    """One way through a sequence. `next` is called once for each record.

    Parameters
    ----------
    sequence : Sequence

    Attributes
    ----------
    trial : Trial or None
        What is to be asked now; None before the first trial, at the end, and after a fault.
    begun, ended : bool
        Whether the first trial was made, and whether there is none after the last.
    steps : int
        Trials that are done.
    newest : Record
        Of the last of them.
    """

    newest: Record

    def __init__(self, sequence: Sequence) -> None:
        self.sequence, self.steps = sequence, 0
        self.trial: Trial | None = None
        self.begun = self.ended = False
        self._done: list[Record] = []
        self._state: Any = None

    def first(self) -> None:
        """Make the first trial. Raises `SequenceError`."""
        self.begun = True
        self._guarded(self._begin)
        if self.trial is None:
            raise SequenceError(f"{self._label} asks nothing: leave it out of sequences()")

    def after(self, record: Record) -> None:
        """Make the trial after a further record. Raises `SequenceError`."""
        self.steps, self.newest = self.steps + 1, record
        self._guarded(self._move, record)
        self.ended = self.trial is None

    def replay(self, records: dict[str, Record]) -> None:
        """Go through what a log holds of the sequence, its records by id.

        Raises
        ------
        SequenceError
        InputError
            The log holds other trials than the sequence asks.
        """
        self.first()
        left = dict(records)
        while (trial := self.trial) is not None and (record := left.pop(trial.id, None)):
            if not asks_the_same(trial, record.trial):
                raise self._other_trial(trial.id)
            self.after(record)
        if left:
            raise self._other_trial(min(left, key=lambda id_: left[id_].trial.step))

    def _begin(self) -> Trial | None:
        sequence = self.sequence
        if isinstance(sequence, Stepwise):
            self._state = sequence.begin()
            return sequence.ask(self._state)
        return sequence.next(())

    def _move(self, record: Record) -> Trial | None:
        sequence = self.sequence
        if isinstance(sequence, Stepwise):
            self._state = sequence.moved(self._state, record)
            return sequence.ask(self._state)
        self._done.append(record)
        return sequence.next(tuple(self._done))

    def _guarded(self, move: Any, *records: Record) -> None:
        """Take the trial that `move` gives, marked as one of the sequence."""
        sequence, step = self.sequence, self.steps + 1
        self.trial = None
        try:
            trial = move(*records)
        except Exception as error:  # anybody's code
            raise SequenceError(
                f"{self._label} cannot go on: {_error_with_place(error)}"
            ) from error
        if trial is None:
            if records and self.steps < sequence.at_least:
                raise SequenceError(f"{self._label} ends there, and declares {self._bounds}")
            return
        if not isinstance(trial, Trial):
            given = type(trial).__name__
            raise SequenceError(f"{self._label}: next gave {given}, and not a Trial or None")
        if sequence.at_most is not None and step > sequence.at_most:
            raise SequenceError(f"{self._label} goes on, and declares {self._bounds}")
        cluster = sequence.id if trial.cluster is None else trial.cluster
        self.trial = msgspec.structs.replace(
            trial, cluster=cluster, sequence=sequence.id, step=step
        )

    @property
    def _label(self) -> str:
        after = f" after {self.steps} trial{'s' if self.steps > 1 else ''}" if self.steps else ""
        return f"sequence {self.sequence.id!r}{after}"

    @property
    def _bounds(self) -> str:
        low, high = self.sequence.at_least, self.sequence.at_most
        return f"exactly {low}" if low == high else (
            f"at least {low}" if self.steps < low else f"at most {high}"
        )  # fmt: skip

    def _other_trial(self, trial: str) -> InputError:
        return InputError(said("sequence-other", id=repr(self.sequence.id), trial=repr(trial)))


class Past:
    """The log's content about sequences. Records are read when they are asked for.

    Parameters
    ----------
    path : Path
        The log.

    Attributes
    ----------
    ended : set of str
        The sequences that came to their end.
    ids : list of str
        Of the answered trials of all sequences.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.ids: list[str] = []
        self._places: dict[str, array[int]] = {}
        self.ended: set[str] = set()
        valid, _ = valid_lines(path)
        place = 0
        for number, (record, line) in enumerate(iterate(path, SequencedRecord), 1):
            name = record.trial.sequence
            counts = record.verdict.state != "error" and valid.get(record.id, number) == number
            if name and counts:
                self._places.setdefault(name, array("q")).append(place)
                self.ids.append(record.id)
                if record.last:
                    self.ended.add(name)
            place += len(line)

    def records(self, sequence: str) -> dict[str, Record]:
        """The answered trials of a sequence, by id."""
        records = {}
        places = self._places.get(sequence)
        if places:
            with self._path.open("rb") as file:
                for place in places:
                    file.seek(place)
                    record = decode_line(_decoder, file.readline(), str(self._path))
                    records[record.id] = record
        return records


def as_logged(record: Record) -> Record:
    """A record as it will be read back from the log: what a sequence is given."""
    try:
        return _decoder.decode(_encoder.encode(record))
    except UNWRITABLE as fault:
        return _decoder.decode(_encoder.encode(mended_record(record, fault)))


def asks_the_same(trial: Trial, logged: Trial) -> bool:
    """Tell whether a trial is sent and scored as one in the log; files may lie elsewhere by now."""
    try:
        trial = _encoded(trial)
    except UNWRITABLE:
        trial = _encoded(msgspec.convert(plain(trial), Trial))
    return all(
        getattr(trial, name) == getattr(logged, name)
        for name in ("id", "stem", "options", "target")
    ) and _placeless(trial.messages) == _placeless(logged.messages)


def _encoded(trial: Trial) -> Trial:
    return msgspec.json.decode(_encoder.encode(trial), type=Trial)


def _placeless(messages: tuple[Message, ...]) -> list[Any]:
    return [
        (
            message.role,
            [
                msgspec.structs.replace(part, path="") if hasattr(part, "path") else part
                for part in message.parts
            ],
        )
        for message in messages
    ]


def _error_with_place(error: Exception) -> str:
    """An exception on one line, with the place where it was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(f"{type(error).__name__}: {error}".removesuffix(": ").split())
    return f"{text} ({Path(last.filename).name}:{last.lineno}, in {last.name})"
