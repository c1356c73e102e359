"""A log in columns: records without their words, columns that grow, the calls of a run.

Columns are numbers one after the other, shown without a copy, and kept as they are.
"""

from __future__ import annotations

import math
import struct
from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.record import RETRIED, Finish, State, retried
from zhiyin.trial import Option, Tag

ALONE = 0
"""In the place of a cluster's name: the item stands alone."""
_APART = np.uint64(0x9E3779B97F4A7C15)
"""An odd number whose multiples keep apart the cells of an item, by Fibonacci hashing."""


def cells_of(items: NDArray[np.int64], ways: NDArray[np.int64]) -> NDArray[np.int64]:
    """The names of cells by those of items and ways; in the main way, 0, the item's own."""
    return (items.view(np.uint64) + ways.view(np.uint64) * _APART).view(np.int64)


NONE = math.nan
"""The one NaN that is put into columns, so that it is known again."""


class NumberColumn:
    """Numbers that are added at the end. As long as all are the usual one they take no room.

    Parameters
    ----------
    kind : {"q", "I", "B", "d"}
        As in `array.array`: 8, 4 and 1 bytes, and floats.
    usual : int or float, optional
        What most columns of this name hold throughout; none by default.
    """

    def __init__(self, kind: str, usual: float | None = None) -> None:
        self._kind, self._usual, self._count = kind, usual, 0
        self._held: array[Any] | memoryview | None = array(kind) if usual is None else None
        self._shown = False

    @classmethod
    def of_kept(
        cls, kind: str, usual: float | None, count: int, kept: memoryview | None
    ) -> NumberColumn:
        """A column of so many numbers that was kept: see `kept`."""
        column = cls(kind, usual)
        column._count = count
        column._held = kept if kept is not None or usual is not None else array(kind)
        return column

    def __len__(self) -> int:
        return self._count

    @property
    def kept(self) -> memoryview | None:
        """Its bytes; None where all is as usual."""
        return None if self._held is None else memoryview(self._held).cast("B")

    def append(self, value: float) -> None:
        """Add one number."""
        self.extend([value])

    def extend(self, values: Sequence[Any]) -> None:
        """Add numbers. What `view` gave before stays as it is."""
        self._count += len(values)
        if self._held is None:
            if values.count(self._usual) == len(values):
                return
            usual: Any = [self._usual]
            self._held = array(self._kind, usual) * (self._count - len(values))
        if self._shown or not isinstance(self._held, array):
            grown = array(self._kind)
            grown.frombytes(memoryview(self._held).cast("B"))
            self._held, self._shown = grown, False
        self._held.extend(values)

    def copy(self) -> NumberColumn:
        """Return a copy with the same numbers."""
        return NumberColumn.of_kept(self._kind, self._usual, self._count, self.kept)

    def view(self) -> NDArray[Any]:
        """All numbers so far, not to be written into."""
        dtype = np.dtype(self._kind)
        if self._held is None:
            return np.broadcast_to(np.array(self._usual, dtype), self._count)
        if not self._count:
            return np.empty(0, dtype)
        self._shown = True
        numbers = np.frombuffer(self._held, dtype)
        numbers.flags.writeable = False
        return numbers


class LeanPart(msgspec.Struct, gc=False):
    """A part of a message: the SHA-256 of what is heard or seen."""

    type: str = ""
    sha256: str = ""


class LeanMessage(msgspec.Struct, gc=False):
    """A message without its words."""

    parts: tuple[LeanPart, ...] = ()


class LeanTrial(msgspec.Struct, gc=False):
    """A trial without its words."""

    options: tuple[Option, ...] = ()
    target: str | None = None
    groups: tuple[str, ...] = ()
    cluster: str | None = None
    tags: dict[str, Tag] = {}
    item: str = ""
    condition: str = ""
    sequence: str = ""
    step: int = 0


class WordedTrial(LeanTrial, gc=False):
    """The same, with the words of the question."""

    stem: str = ""


class HeardTrial(WordedTrial, gc=False):
    """The same, with what is heard and seen."""

    messages: tuple[LeanMessage, ...] = ()


class LeanVerdict(msgspec.Struct, gc=False):
    """A verdict without the place in the reply that it rests on."""

    state: State
    answer: str | None = None
    letter: str | None = None
    why: str = ""
    policy: str = ""
    confidence: str = ""
    tags: dict[str, Tag] = {}
    scores: dict[str, float] = {}


class LeanReply(msgspec.Struct, gc=False):
    """A reply without its words; of its detail what adapters of ours write."""

    usage: dict[str, int] = {}
    detail: LeanDetail | None = None
    latency_s: float | None = None
    finish: Finish = "stop"


class LeanDetail(msgspec.Struct, gc=False):
    """Cost and origin of a reply. What adapters of others write may be anything."""

    cached: bool = False
    batch: str = ""
    audio_seconds: float = 0.0
    kept_by: Any = None
    kept_at: Any = None
    model: Any = None
    secrets_hidden: Any = None
    server: Any = None
    retried: Any = None


class LeanTurn(msgspec.Struct, gc=False):
    """A call of the model without what was sent."""

    reply: LeanReply
    purpose: str = "answer"


class LeanExchange(msgspec.Struct, gc=False):
    """A conversation without its words."""

    turns: tuple[LeanTurn, ...] = ()
    notes: dict[str, Any] = {}


class Lean(msgspec.Struct, kw_only=True, gc=False):
    """A record without its words."""

    id: str
    verdict: LeanVerdict
    trial: LeanTrial
    exchange: LeanExchange = msgspec.field(default_factory=LeanExchange)
    error: str | None = None
    attempts: int = 1
    last: bool = False


class Worded(Lean, kw_only=True, gc=False):
    """The same, with the words of the question."""

    trial: WordedTrial  # type: ignore[assignment]


class LeanHeard(Lean, kw_only=True, gc=False):
    """The same, with what is heard and seen."""

    trial: HeardTrial  # type: ignore[assignment]


class TrialNames(NamedTuple):
    """The names of a trial, of its item, and of what that hangs together with."""

    id: str
    item: str
    cluster: str | None


class NamedTrial(msgspec.Struct, gc=False):
    """A trial of which names and tags are looked at."""

    tags: dict[str, Tag] = {}
    cluster: str | None = None
    item: str = ""
    condition: str = ""


class NamedRecord(msgspec.Struct, gc=False):
    """The part of a record that holds its names and tags."""

    id: str
    trial: NamedTrial


class AskedRecord(msgspec.Struct, gc=False):
    """The part of a record that says what it asks."""

    trial: HeardTrial


def question_of(trial: HeardTrial, encoder: msgspec.json.Encoder) -> bytes:
    """A name for what a trial asks, 8 bytes: see `RunTable.question`."""
    if trial.target is None:
        return bytes(8)  # `ALONE`
    parts = trial.messages[-1].parts if trial.messages else ()
    sounds = [part.sha256 for part in parts if part.sha256]
    options = sorted([(option.key, option.text) for option in trial.options])
    asked = encoder.encode((trial.stem, options, trial.target, sounds))
    return blake2b(asked, digest_size=8).digest()


def names_of(texts: Iterable[str]) -> tuple[int, ...]:
    """Names as numbers: 8 bytes of BLAKE2b, the same in every process."""
    digests = [blake2b(t.encode("utf-8", "surrogatepass"), digest_size=8).digest() for t in texts]
    return struct.unpack(f"<{len(digests)}q", b"".join(digests))


def clusters_of(names: Sequence[str | None]) -> list[int]:
    """The numbers of clusters, of which most items of a run share some."""
    known = dict.fromkeys(name for name in names if name is not None)
    numbers = dict(zip(known, names_of(known), strict=True))
    return [ALONE if name is None else numbers[name] for name in names]


Floats = NDArray[np.float64]
_MOST = 1 << 40
"""Counts beyond it can be none; a column holds no larger ones."""


class CallKind(msgspec.Struct, frozen=True):
    """The common part of many calls.

    Attributes
    ----------
    names : tuple of str
        Of the counts that the server gave, in their order.
    purpose : str
    finish : Finish
    cached, batched : bool
        Whether the reply was kept, and whether it came in a batch.
    earlier : str or None
        The id of the run that asked for a kept reply, "" where nobody knows; None for its own.
    day : str
        On which the kept reply came; "" where nobody knows.
    model : str
        Who replied, as the server says; "" where it does not.
    hidden : bool
        Whether a key in the reply was hidden.
    server : str
        Of a pool, which one replied.
    """

    names: tuple[str, ...]
    purpose: str
    finish: Finish
    cached: bool = False
    batched: bool = False
    earlier: str | None = None
    day: str = ""
    model: str = ""
    hidden: bool = False
    server: str = ""


class KeptCalls(msgspec.Struct):
    """The calls of a kind as they are kept: columns of bytes, None for one that is as usual."""

    kind: CallKind
    many: int
    rows: memoryview
    counts: memoryview
    seconds: memoryview | None
    latencies: memoryview | None


_USUAL: tuple[tuple[str, float | None], ...] = ("I", None), ("q", None), ("d", 0.0), ("d", NONE)
"""Of rows, counts, seconds and latencies the kind, and the value that takes no room."""


class _Alike:
    """The calls of a kind: of each its row, and one after another its numbers.

    What was added last waits in lists, until `settle` puts it into the columns.
    """

    def __init__(self, kept: KeptCalls | None = None) -> None:
        self.columns = [NumberColumn(*how) for how in _USUAL]
        if kept is not None:
            own = kept.rows, kept.counts, kept.seconds, kept.latencies
            many = kept.many, kept.many * len(kept.kind.names), kept.many, kept.many
            self.columns = [
                NumberColumn.of_kept(*how, n, each)
                for how, n, each in zip(_USUAL, many, own, strict=True)
            ]
        waiting: tuple[list[Any], ...] = [], [], [], []
        self.waiting = self.rows, self.counts, self.seconds, self.latencies = waiting

    def settle(self) -> None:
        """Put what waits into the columns."""
        for column, waiting in zip(self.columns, self.waiting, strict=True):
            column.extend(waiting)
            waiting.clear()


class AlikeCalls(msgspec.Struct, frozen=True):
    """Some calls of one kind, in the order of the log.

    Attributes
    ----------
    kind : CallKind
    rows : ndarray of uint32, shape (n,)
        Of the records that they are of.
    counts : dict of str to ndarray of int
        The server's counts by name.
    seconds, latency_s : ndarray of float
        Of sound that was sent; from sending to the last byte, NaN where that is not known.
    """

    kind: CallKind
    rows: NDArray[np.uint32]
    counts: dict[str, NDArray[np.int64]]
    seconds: Floats
    latency_s: Floats


class Calls:
    """The calls of a run, added in the order of the log."""

    def __init__(self) -> None:
        self._alike: dict[CallKind, _Alike] = {}
        self._known: dict[tuple[Any, ...], _Alike] = {}

    def add(self, row: int, turn: LeanTurn) -> None:
        """Add a call of the record in `row`."""
        reply, detail = turn.reply, turn.reply.detail
        key: tuple[Any, ...] = tuple(reply.usage), turn.purpose, reply.finish
        seconds = 0.0
        if detail is not None:
            seconds = detail.audio_seconds
            key += (
                detail.cached, bool(detail.batch), earlier(detail),
                detail.kept_at[:10] if isinstance(detail.kept_at, str) else "",
                detail.model if isinstance(detail.model, str) else "", bool(detail.secrets_hidden),
                detail.server if isinstance(detail.server, str) else "",
            )  # fmt: skip
        alike = self._known.get(key)
        if alike is None:
            alike = self._known[key] = self._alike.setdefault(CallKind(*key), _Alike())
        alike.rows.append(row)
        alike.seconds.append(seconds)
        alike.latencies.append(NONE if reply.latency_s is None else reply.latency_s)
        if key[0]:
            alike.counts.extend([max(-_MOST, min(_MOST, n)) for n in reply.usage.values()])
        if detail is not None and detail.retried and not detail.cached:
            again = msgspec.structs.replace(detail, retried=None)
            for usage in retried({RETRIED: detail.retried}):
                self.add(row, LeanTurn(LeanReply(usage, again, None, "stop"), turn.purpose))

    def settle(self) -> None:
        """Put what was added into columns; before anything is asked of them."""
        for alike in self._alike.values():
            alike.settle()

    def kept(self) -> list[KeptCalls]:
        """The calls as they are kept in the cache."""
        return [
            KeptCalls(kind, len(own.columns[0]), *(column.kept for column in own.columns))  # type: ignore[arg-type]
            for kind, own in self._alike.items()
        ]

    @classmethod
    def of_kept(cls, every: list[KeptCalls]) -> Calls:
        """Calls that were kept."""
        calls = cls()
        calls._alike = {one.kind: _Alike(one) for one in every}
        return calls

    def of(self, valid: NDArray[np.bool_]) -> Iterator[AlikeCalls]:
        """The calls of rows that count, kind by kind."""
        for kind, alike in self._alike.items():
            rows, counts, seconds, latencies = (column.view() for column in alike.columns)
            counts, kept = counts.reshape(len(rows), -1), valid[rows]
            if not kept.any():
                continue
            if not kept.all():
                rows, counts, seconds, latencies = (
                    each[kept] for each in (rows, counts, seconds, latencies)
                )
            yield AlikeCalls(
                kind, rows, dict(zip(kind.names, counts.T, strict=True)), seconds, latencies
            )


def earlier(detail: LeanDetail | dict[str, Any]) -> str | None:
    """The id of the run that asked for a kept reply, "" where nobody knows; None for its own."""
    if isinstance(detail, dict):
        return None
    if not detail.cached or detail.kept_by == "":
        return None
    return detail.kept_by if isinstance(detail.kept_by, str) else ""
