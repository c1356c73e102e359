"""The list of a run's files with their SHA-256, in the form that ``sha256sum -c`` reads.

A session takes the list away when it begins and writes it anew when it ends, so that a list that is
there is one of a run that nobody is writing. It is no signature: who can write the folder can write
a new list (docs/verify.md says how to sign it).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from zhiyin.engine.folder import CALLS, FAILURES, MANIFEST, RECORDS, SHARE
from zhiyin.errors import reworded
from zhiyin.extensions import SESSIONS, every
from zhiyin.files import write_atomically

SUMS = "SHA256SUMS"
EARLIER_SUMS = "sums.jsonl"
"""The sums of earlier versions: a line for a file whenever it was written."""


def write_sums(folder: Path) -> None:
    """Write the list of a run whose session has ended. Raises `OSError`."""
    lines = [f"{sha256_of(folder / name)}  {name}\n" for name in sorted(files_of(folder))]
    write_atomically(folder / SUMS, "".join(lines).encode(), synced=True)


def remove_sums(folder: Path) -> None:
    """Take the list away, that of an earlier version too, before a run is written to."""
    with reworded(f"cannot write to {folder}: "):
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
