"""Files that a session alone appends to, and what becomes of them if others touch them meanwhile.

A program that syncs folders, an editor, or a person may delete, replace or cut a log that is being
written. What is appended then would go to a file that no name leads to, and be lost. So each is
looked at before it is appended to, and by a clock; what it held, and all that comes after, is
rescued beside it.
"""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path


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
