"""Python files that the user has opened by name: the only ones that reading a run may open again.

A run's manifest says which file its benchmark came from, and a manifest may be anybody's. What is
remembered is the place of a file, as long as it is the user's own, and the SHA-256 of its contents:
who edits a benchmark need not name it again, nor who moves it as it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

from zhiyin.files import cache_folder

_OPENED = "opened"


def trust(path: Path, sha256: str) -> None:
    """Remember a file. Where the cache cannot be written, nothing is kept."""
    with contextlib.suppress(OSError):
        cache_folder(_OPENED).mkdir(parents=True, exist_ok=True)
        for name in (sha256, _of_place(path)):
            (cache_folder(_OPENED) / name).touch()


def is_trusted(path: Path) -> bool:
    """Whether the user has opened a file with these contents here, or their own in this place."""
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if (cache_folder(_OPENED) / digest).is_file():
            return True
        known = (cache_folder(_OPENED) / _of_place(path)).is_file()
        return known and path.stat().st_uid == os.geteuid()
    except OSError:
        return False


def _of_place(path: Path) -> str:
    return f"at-{hashlib.sha256(os.fsencode(path.resolve())).hexdigest()}"
