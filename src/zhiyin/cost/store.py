"""Replies on the disk: a table of SQLite that several processes may use at once."""

from __future__ import annotations

import contextlib
import hashlib
import math
import sqlite3
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from zhiyin.errors import InputError, system_words
from zhiyin.files import NOT_JSON, cache_folder, cache_room
from zhiyin.record import Reply
from zhiyin.words import said

_DEFAULT_GB = 1.0
_WAIT_S = 30.0
_TOUCHED_AGAIN_S = 60.0
"""How old the time of use may be before a further use is written down."""
_OVERHEAD = 160
"""Bytes that a row takes beside its reply: key, checksum, times, and its place in two indices."""
_AT_ONCE = 200
_DAY_S = 86_400.0

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Reply).decode

_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    key BLOB PRIMARY KEY, reply BLOB NOT NULL, checksum BLOB NOT NULL, size INTEGER NOT NULL,
    used REAL NOT NULL, model TEXT NOT NULL, kept REAL NOT NULL DEFAULT 0,
    run TEXT NOT NULL DEFAULT '');
CREATE INDEX IF NOT EXISTS replies_used ON replies (used, size);
"""
_LATER = ("kept REAL NOT NULL DEFAULT 0", "run TEXT NOT NULL DEFAULT ''")
_COLUMNS = ["key", "reply", "checksum", "size", "used", "model", "kept", "run"]
_INSERT = "INSERT OR REPLACE INTO replies VALUES (?,?,?,?,?,?,?,?)"


class KeptReply(NamedTuple):
    """A reply to keep, under a key that says everything that was sent.

    `run` is the id of the run that asked for it. `kept` is when that was, in seconds since 1970;
    0 where nobody knows: earlier versions did not write it down.
    """

    key: bytes
    reply: Reply
    model: str
    run: str = ""
    kept: float = 0.0


class KeptOfModel(NamedTuple):
    """The kept replies of a model; `last_used` is a time in UTC."""

    model: str
    replies: int
    bytes: int
    last_used: str


class Damaged(Exception):  # noqa: N818 - it is a state of a file
    """The file cannot be read or written. The message says why and what to do, on one line."""


def cache_file() -> Path:
    """Return the file of kept replies: ``replies.sqlite`` in Zhiyin's cache."""
    return cache_folder() / "replies.sqlite"


def room_for_replies() -> int:
    """Bytes of replies that may be kept: ``$ZHIYIN_REPLIES_GB``, or 1 GB. See `cache_room`."""
    return cache_room("ZHIYIN_REPLIES_GB", _DEFAULT_GB)


def clear(path: Path) -> int:
    """Delete the file, sound or damaged; how many bytes it had. Who has it open is not disturbed.

    Raises
    ------
    InputError
        Where it cannot be deleted.
    """
    freed = 0
    for ending in ("", "-wal", "-shm"):
        part = Path(f"{path}{ending}")
        try:
            freed += part.stat().st_size
            part.unlink()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise InputError(said("store-undeleted", part=part, why=system_words(error))) from None
    return freed


class ReplyStore:
    """The file of replies, for one thread. Those not used for longest go first.

    Each change is whole or not there, also after a kill in the middle (write-ahead log). Other
    processes may read and write at the same time. A reply whose checksum does not fit is dropped.

    Parameters
    ----------
    path : Path
        Made, with its folders, if it is not there.
    room : int
        Bytes of replies to keep.
    clock : callable
        Seconds since 1970.

    Raises
    ------
    Damaged
        Here, and from every method: the file is not one of SQLite, is damaged, or cannot be
        written.
    """

    def __init__(self, path: Path, room: int, clock: Callable[[], float] = time.time) -> None:
        self.path, self._room, self._clock = path, room, clock
        self._written: int | None = None
        with self._as_damaged():
            path.parent.mkdir(parents=True, exist_ok=True)
            # Made in one thread and used in another, one after the other.
            self._base = sqlite3.connect(
                path, timeout=_WAIT_S, isolation_level=None, check_same_thread=False
            )
            try:
                self._base.execute("PRAGMA auto_vacuum=INCREMENTAL")
                self._write_ahead()
                self._base.execute("PRAGMA synchronous=NORMAL")
                self._base.executescript(_TABLE)
                if self._columns() == _COLUMNS[:-2]:  # of an earlier version
                    self._extend()
                if self._columns() != _COLUMNS:
                    raise sqlite3.DatabaseError("it holds another table of that name")
            except BaseException:
                self._base.close()
                raise

    def _columns(self) -> list[str]:
        return [row[1] for row in self._base.execute("PRAGMA table_info(replies)")]

    def _extend(self) -> None:
        """Add the columns that an earlier version did not have, unless another process just did."""
        with self._change():
            if self._columns() == _COLUMNS[:-2]:
                for column in _LATER:
                    self._base.execute(f"ALTER TABLE replies ADD COLUMN {column}")

    def _write_ahead(self) -> None:
        """Set write-ahead logging; retry, as SQLite refuses one of two that begin a file."""
        until = time.monotonic() + _WAIT_S
        while True:
            try:
                self._base.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(0.01)

    def get(self, keys: Iterable[bytes], days: float | None = None) -> dict[bytes, KeptReply]:
        """Return the replies under these keys; with `days`, none that is older than so many."""
        now, entries = self._clock(), {}
        since = -math.inf if days is None else now - days * _DAY_S
        touched, broken = [], []
        with self._as_damaged():
            for key in keys:
                row = self._base.execute(
                    "SELECT reply, checksum, used, model, run, kept FROM replies WHERE key = ?",
                    (key,),
                ).fetchone()
                if row is None or row[5] < since:
                    continue
                reply = _sound(key, row[0], row[1])
                if reply is None:
                    broken.append((key,))
                    continue
                entries[key] = KeptReply(key, reply, *row[3:])
                if now - row[2] > _TOUCHED_AGAIN_S:
                    touched.append((now, key))
            if touched or broken:
                with self._change():
                    self._base.executemany("UPDATE replies SET used = ? WHERE key = ?", touched)
                    self._base.executemany("DELETE FROM replies WHERE key = ?", broken)
        return entries

    def put(self, entries: Iterable[KeptReply]) -> None:
        """Keep replies; what no longer fits goes, the one not used for longest first."""
        now, rows = self._clock(), []
        for entry in entries:
            value = _encode(entry.reply)
            size = len(value) + _OVERHEAD
            if size <= self._room // 2:
                check = _checksum(entry.key, value)
                rows.append((entry.key, value, check, size, now, entry.model, now, entry.run))
        if not rows:
            return
        with self._as_damaged():
            with self._change():
                self._base.executemany(_INSERT, rows)
            if self._written is not None:
                self._written += sum(row[3] for row in rows)
            if self._written is None or self._written > self._room // 20:
                self._written = 0
                self.prune(self._room - self._room // 20)

    def forget(self, keys: Iterable[bytes]) -> None:
        """Delete the replies under these keys."""
        with self._as_damaged(), self._change():
            self._base.executemany("DELETE FROM replies WHERE key = ?", [(key,) for key in keys])

    def prune(self, room: int = 0, unused_since: float | None = None) -> int:
        """Delete replies until the rest takes `room` bytes; give the space back.

        Parameters
        ----------
        room : int
            Bytes to leave.
        unused_since : float, optional
            Seconds since 1970: delete those not used since then, whatever the room.

        Returns
        -------
        int
            How many were deleted.
        """
        deleted = 0
        with self._as_damaged():
            if unused_since is not None:
                with self._change():
                    deleted = self._base.execute(
                        "DELETE FROM replies WHERE used < ?", (unused_since,)
                    ).rowcount
            else:
                while (excess := self._size() - room) > 0:
                    oldest = []
                    rows = self._base.execute(
                        "SELECT rowid, size FROM replies ORDER BY used LIMIT ?", (_AT_ONCE,)
                    ).fetchall()
                    for rowid, size in rows:
                        oldest.append((rowid,))
                        excess -= size
                        if excess <= 0:
                            break
                    with self._change():
                        self._base.executemany("DELETE FROM replies WHERE rowid = ?", oldest)
                    deleted += len(oldest)
            if deleted:
                # Through `execute` it would free one page, and no more.
                self._base.executescript("PRAGMA incremental_vacuum;")
                self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return deleted

    def by_model(self) -> list[KeptOfModel]:
        """List what is kept of each model, the one with the most first."""
        with self._as_damaged():
            rows = self._base.execute(
                "SELECT model, count(*), sum(size), max(used) FROM replies "
                "GROUP BY model ORDER BY sum(size) DESC, model"
            ).fetchall()
        return [
            KeptOfModel(
                model, count, size, datetime.fromtimestamp(used, UTC).isoformat(" ", "minutes")
            )
            for model, count, size, used in rows
        ]

    def close(self) -> None:
        """Close the file."""
        with contextlib.suppress(sqlite3.Error):
            self._base.close()

    def _size(self) -> int:
        return int(self._base.execute("SELECT coalesce(sum(size), 0) FROM replies").fetchone()[0])

    @contextlib.contextmanager
    def _change(self) -> Any:
        """Make one change, whole or not at all. Others are waited for from its beginning on."""
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    @contextlib.contextmanager
    def _as_damaged(self) -> Any:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise Damaged(f"replies are not kept: {self.path} {_why(error)}") from None


def _why(error: sqlite3.Error | OSError) -> str:
    """Explain what is wrong with the file, and how to fix it."""
    code = getattr(error, "sqlite_errorcode", None) or sqlite3.SQLITE_OK
    if code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):  # higher bits say more of it
        return (
            f"has been locked by another process for {_WAIT_S:.0f} seconds; "
            "try again when that one is done with it: the file itself is sound"
        )
    why = " ".join(str(getattr(error, "strerror", None) or error).split())
    return f"cannot be used ({why}); `zhiyin cache clear` begins a new one"


def _sound(key: bytes, value: bytes, checksum: bytes) -> Reply | None:
    if not isinstance(value, bytes) or checksum != _checksum(key, value):
        return None
    try:
        return _decode(value)
    except NOT_JSON:
        return None


def _checksum(key: bytes, value: bytes) -> bytes:
    return hashlib.blake2b(value, digest_size=8, key=key[:64]).digest()
