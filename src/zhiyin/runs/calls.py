"""The calls of a run in columns: what each used, how long it took, and whence its reply is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.record import Finish
from zhiyin.runs.columns import NONE, Column
from zhiyin.runs.lean import LeanDetail, LeanTurn

Floats = NDArray[np.float64]
_MOST = 1 << 40
"""Counts beyond it can be none; a column holds no larger ones."""


class CallKind(msgspec.Struct, frozen=True):
    """What many calls share.

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
        self.columns = [Column(*how) for how in _USUAL]
        if kept is not None:
            own = kept.rows, kept.counts, kept.seconds, kept.latencies
            many = kept.many, kept.many * len(kept.kind.names), kept.many, kept.many
            self.columns = [
                Column.of_kept(*how, n, each)
                for how, n, each in zip(_USUAL, many, own, strict=True)
            ]
        waiting: tuple[list[Any], ...] = [], [], [], []
        self.waiting = self.rows, self.counts, self.seconds, self.latencies = waiting

    def settle(self) -> None:
        """Put what waits into the columns."""
        for column, waiting in zip(self.columns, self.waiting, strict=True):
            column.extend(waiting)
            waiting.clear()


class Alike(msgspec.Struct, frozen=True):
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
                detail.cached,
                bool(detail.batch),
                earlier(detail),
                detail.kept_at[:10] if isinstance(detail.kept_at, str) else "",
                detail.model if isinstance(detail.model, str) else "",
                bool(detail.secrets_hidden),
                detail.server if isinstance(detail.server, str) else "",
            )
        alike = self._known.get(key)
        if alike is None:
            alike = self._known[key] = self._alike.setdefault(CallKind(*key), _Alike())
        alike.rows.append(row)
        alike.seconds.append(seconds)
        alike.latencies.append(NONE if reply.latency_s is None else reply.latency_s)
        if key[0]:
            alike.counts.extend([max(-_MOST, min(_MOST, n)) for n in reply.usage.values()])

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

    def of(self, valid: NDArray[np.bool_]) -> Iterator[Alike]:
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
            yield Alike(
                kind, rows, dict(zip(kind.names, counts.T, strict=True)), seconds, latencies
            )


def earlier(detail: LeanDetail | dict[str, Any]) -> str | None:
    """The id of the run that asked for a kept reply, "" where nobody knows; None for its own."""
    if isinstance(detail, dict):
        return None
    if not detail.cached or detail.kept_by == "":
        return None
    return detail.kept_by if isinstance(detail.kept_by, str) else ""
