"""Tables of runs that are kept in the cache by the stamps of their logs: opened, not made again."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import Any

import msgspec

from zhiyin import __version__
from zhiyin.errors import InputError
from zhiyin.files import cache_folder, write_cached
from zhiyin.runs.columns import KeptCalls
from zhiyin.runs.ways import QuestionKind, TrialOutcome, Way

_FORMAT = 4
_LEAST = 1_000_000
"""Bytes of a log below which it is read as quickly as its table."""
_ROOM = 1_000_000_000
_NAME = "tables"
FACTS = ("words", "answers")
"""Of what facts that may be kept are numbers: the words of a question, or it and its answer."""


class KeptTable(msgspec.Struct):
    """A table of a run as it is kept; see `RunTable` for its parts.

    `ways` are those by which `kinds` were made; `facts` are numbers; `of` says
    what they are of, "" where none were wanted.
    """

    ways: tuple[Way, ...]
    lines: int
    read: int
    seam: bytes
    of: str
    columns: dict[str, memoryview]
    kinds: list[QuestionKind]
    outcomes: list[TrialOutcome]
    causes: list[str]
    sequences: list[str]
    facts: list[int]
    scores: dict[str, tuple[memoryview, memoryview]]
    calls: list[KeptCalls]
    paid: list[tuple[int, dict[str, Any]]]
    asked: memoryview


class _CacheFile(msgspec.Struct):
    made_by: tuple[int, str]
    stamp: tuple[int, ...]
    table: KeptTable


_MADE_BY = _FORMAT, __version__


def find(log: Path, stamp: tuple[int, ...], of: str = "") -> KeptTable | None:
    """The table of a log as it is, with the facts that are wanted; None where none is kept.

    Parameters
    ----------
    log : Path
    stamp : tuple of int
        See `folder.stamp_of`.
    of : str
        What facts are wanted, one of `FACTS`; "" for a table with any or none.
    """
    if stamp[2] < _LEAST:
        return None
    for known in (of,) if of else ("", *FACTS):
        with contextlib.suppress(OSError, msgspec.MsgspecError, ValueError):
            path = _path(log, known)
            file = msgspec.msgpack.decode(path.read_bytes(), type=_CacheFile)
            if (file.made_by, file.stamp) == (_MADE_BY, stamp):
                path.touch()  # so that the longest unused goes first
                return file.table
    return None


def keep(log: Path, stamp: tuple[int, ...], table: KeptTable) -> None:
    """Keep a table; without a cache nothing is kept, and it is slower and no less true."""
    if stamp[2] < _LEAST:
        return
    data = msgspec.msgpack.encode(_CacheFile(_MADE_BY, stamp, table))
    with contextlib.suppress(InputError, OSError):
        write_cached(_path(log, table.of), data)
        _make_room()


def _make_room() -> None:
    """Delete the tables that were not used for longest, where there are too many."""
    files = [(path.stat(), path) for path in cache_folder(_NAME).glob("*.table")]
    left = sum(state.st_size for state, _ in files) - _ROOM
    for state, path in sorted(files, key=lambda pair: pair[0].st_mtime_ns):
        if left <= 0:
            return
        path.unlink(missing_ok=True)
        left -= state.st_size


def _path(log: Path, of: str) -> Path:
    name = f"{log}\0{of}".encode("utf-8", "surrogateescape")
    return cache_folder(_NAME) / f"{hashlib.blake2b(name, digest_size=16).hexdigest()}.table"
