"""The journal of calls (calls.jsonl): what is begun is written down before it is sent.

A line says that a call begins and what it is expected to cost, another what it did cost. A call
that has no second line was under way when its session was killed, or nobody knows what became of
it: it counts as what was expected. So a budget holds over all sessions, however they end. The
first line says what earlier sessions had spent, which kept no journal.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from zhiyin.engine.folder import iterate
from zhiyin.errors import InputError

CALLS = "calls.jsonl"


class Amount(msgspec.Struct, frozen=True, array_like=True):
    """What a call cost, or is expected to: tokens sent and back, dollars (None: no price known)."""

    input: int = 0
    output: int = 0
    usd: float | None = None


class Before(msgspec.Struct, frozen=True, array_like=True):
    """What was spent before the journal was begun."""

    calls: float = 0
    tokens: float = 0
    usd: float = 0.0


class CallLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the journal.

    Attributes
    ----------
    call : int
        The number of the call, from 1.
    model : str
        Who is asked, where it is not the run's own model: a judge within the trials.
    expected : Amount or None
        The call begins.
    paid : Amount or None
        The call has ended.
    before : Before or None
        No call: what was spent before.
    """

    call: int = 0
    model: str = ""
    expected: Amount | None = None
    paid: Amount | None = None
    before: Before | None = None


def read_calls(folder: Path) -> Iterator[CallLine]:
    """The lines of a run's journal; none where there is no journal. Raises `InputError`."""
    if (folder / CALLS).exists():
        for line, _ in iterate(folder / CALLS, CallLine):
            yield line


def merge_calls(folders: Sequence[Path], target: Path) -> None:
    """Write the journal of a run that is put together from others; none where one has none.

    Without it what all of them have spent is read from their records. Raises `OSError`.
    """
    if not folders or not all((folder / CALLS).exists() for folder in folders):
        return
    lines, last = [], 0
    for folder in folders:
        own = list(read_calls(folder))
        lines += [
            msgspec.structs.replace(one, call=one.call + last) if one.call else one for one in own
        ]
        last += max((one.call for one in own), default=0)
    (target / CALLS).write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in lines))


class Journal:
    """The journal of a run, opened for writing by the one who writes its folder.

    Parameters
    ----------
    folder : Path

    Raises
    ------
    InputError
        It cannot be written, or is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / CALLS
        self._size = self._last = 0
        self._dirty = False
        self._encode = msgspec.json.Encoder().encode
        if self._path.exists():
            for line, data in iterate(self._path, CallLine):
                self._size += len(data)
                self._last = max(self._last, line.call)
        try:
            self._descriptor = os.open(
                self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644
            )
            os.ftruncate(self._descriptor, self._size)  # a torn line: what it begins was not sent
        except OSError as error:
            raise self._unwritten(error) from None

    @property
    def is_new(self) -> bool:
        """Whether nothing stands in it yet."""
        return not self._size

    def begin(self, expected: Amount, model: str = "") -> int:
        """A call is about to be sent. Its number. Raises `InputError` where the disk is full."""
        self._last += 1
        self._write(CallLine(self._last, model, expected))
        return self._last

    def end(self, call: int, paid: Amount, model: str = "") -> None:
        """A call has ended; 0 for one whose beginning was not written down."""
        if not call:
            self._last = call = self._last + 1
        self._write(CallLine(call, model, None, paid))

    def open_with(self, before: Before) -> None:
        """Say what was spent before the journal was begun."""
        self._write(CallLine(before=before))

    def _write(self, line: CallLine) -> None:
        data = self._encode(line) + b"\n"
        written = 0
        try:
            while written < len(data):
                written += os.write(self._descriptor, data[written:])
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, self._size)
            raise self._unwritten(error) from None
        self._size += len(data)
        self._dirty = True

    def sync(self) -> None:
        """Put on the disk what was written. Raises OSError."""
        if self._dirty:
            self._dirty = False
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Put it on the disk and let go of it."""
        with contextlib.suppress(OSError):
            self.sync()
        os.close(self._descriptor)

    def _unwritten(self, error: OSError) -> InputError:
        return InputError(
            f"cannot write to {self._path}: {error.strerror}; no call is begun that is not "
            "written down: make room and run the same command again"
        )
