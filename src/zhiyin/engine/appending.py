"""Files that a session alone writes: rescued if others touch them meanwhile, summed at the end.

A program that syncs folders, an editor, or a person may delete, replace or cut a log that is being
written. What is appended then would go to a file that no name leads to, and be lost. So each is
looked at before it is appended to, and by a clock; what it held, and all that comes after, is
rescued beside it.

The list of a run's files with their SHA-256 has the form that ``sha256sum -c`` reads. A session
takes it away when it begins and writes it anew when it ends, so that a list that is
there is one of a run that nobody is writing. It is no signature: who can write the folder can write
a new list (docs/verify.md says how to sign it).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from pathlib import Path

from zhiyin.engine.folder import CALLS, FAILURES, MANIFEST, RECORDS, SHARE
from zhiyin.errors import reworded
from zhiyin.extensions import SESSIONS, every
from zhiyin.files import write_atomically
from zhiyin.words import said


def rescued(path: Path) -> Path:
    """Path of the file that rescues what can no longer stand in a file."""
    return path.with_name(f"{path.stem}.rescued{path.suffix}")


def change_in(path: str | Path, mine: os.stat_result) -> str:
    """Say what has happened to a file since it was as `mine` says; "" for nothing.

    Where that cannot be seen just now, as on a disk that is away for a moment, it is nothing.
    """
    try:
        there = os.stat(path)  # noqa: PTH116  # half the time of the path's own, for each record
    except (FileNotFoundError, NotADirectoryError):
        return "deleted"
    except OSError:
        return ""
    if (there.st_ino, there.st_dev) != (mine.st_ino, mine.st_dev):
        return "replaced"
    return "" if there.st_size == mine.st_size else "changed"


class AppendedFile:
    """A file that is open for appending, by one who alone writes it.

    Parameters
    ----------
    path : Path
    descriptor : int
        Opened with ``O_APPEND`` and for reading; closed with this.
    size : int
        Bytes that it holds.

    Attributes
    ----------
    lost : str
        What somebody did to it, such as "deleted"; "" as long as it is as it was left. From then
        on all goes into another file, see `rescued`.
    """

    def __init__(self, path: Path, descriptor: int, size: int) -> None:
        self.path, self._name, self.size, self.lost = path, str(path), size, ""
        self._descriptors, self._dirty = [descriptor], False
        self._one_at_a_time = threading.RLock()

    def append(self, data: bytes) -> None:
        """Add some bytes, or none of them. Raises `OSError`."""
        with self._one_at_a_time:
            self.look()
            written, descriptor = 0, self._descriptors[-1]
            try:
                while written < len(data):
                    written += os.write(descriptor, data[written:])
            except OSError:
                with contextlib.suppress(OSError):
                    self.cut(self.size)
                raise
            self.size, self._dirty = self.size + len(data), True

    def look(self) -> str:
        """Report what somebody did to the file, which is rescued from then on. Raises `OSError`."""
        with self._one_at_a_time:
            if not self.lost:
                mine = os.fstat(self._descriptors[-1])
                change = change_in(self._name, mine)
                if change := change or ("changed" if mine.st_size != self.size else ""):
                    self._rescue(change)
            return self.lost

    def _rescue(self, change: str) -> None:
        """Go on beside it with what it held, which is there as long as it is open."""
        beside, left = rescued(self.path), self.size
        beside.parent.mkdir(parents=True, exist_ok=True)
        new = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        with (
            os.fdopen(os.dup(self._descriptors[-1]), "rb") as old,
            os.fdopen(new, "ab", closefd=False) as file,
        ):
            old.seek(0)
            for line in old:
                left -= len(line)
                if left >= 0 and line.endswith(b"\n"):
                    file.write(line)
        self.size, self._dirty = os.fstat(new).st_size, True
        self._descriptors.append(new)  # the one before holds the lock until the end
        self.lost = change

    def cut(self, size: int) -> None:
        """Take away all beyond a size. Raises `OSError`."""
        os.ftruncate(self._descriptors[-1], size)
        self.size = size

    def replaced_by(self, descriptor: int) -> None:
        """Go on with another file, which its writer has put in the place of this one."""
        with self._one_at_a_time:
            before, self._descriptors[-1] = self._descriptors[-1], descriptor
            os.close(before)
            self.size = os.fstat(descriptor).st_size

    def sync(self, *, always: bool = False) -> None:
        """Put on the disk what was written. Raises `OSError`."""
        if self._dirty or always:
            self._dirty = False
            os.fsync(self._descriptors[-1])

    def close(self) -> None:
        """Let go of it."""
        for descriptor in self._descriptors:
            os.close(descriptor)


SUMS = "SHA256SUMS"
EARLIER_SUMS = "sums.jsonl"
"""The sums of earlier versions: a line for a file whenever it was written."""


def write_sums(folder: Path) -> None:
    """Write the list of a run whose session has ended. Raises `OSError`."""
    lines = [f"{sha256_of(folder / name)}  {name}\n" for name in sorted(files_of(folder))]
    write_atomically(folder / SUMS, "".join(lines).encode(), synced=True)


def remove_sums(folder: Path) -> None:
    """Take the list away, that of an earlier version too, before a run is written to."""
    with reworded(said("error-not-written-to", path=folder, why="")):
        for name in (SUMS, EARLIER_SUMS):
            (folder / name).unlink(missing_ok=True)


def files_of(folder: Path) -> set[str]:
    """The files of a run's sessions; notes, marks and judgements come later, and are in no list."""
    added = (name for part in every(SESSIONS).values() for name in getattr(part, "files", ()))
    names = (MANIFEST, RECORDS, FAILURES, CALLS, SHARE, *added)
    return {name for name in names if (folder / name).is_file()}


def sha256_of(path: Path, size: int | None = None) -> str:
    """The SHA-256 of a file, or of its first bytes."""
    with path.open("rb") as file:
        if size is None:
            return hashlib.file_digest(file, "sha256").hexdigest()
        return hashlib.sha256(file.read(size)).hexdigest()
