"""Python files that the user has opened by name: the only ones that reading a run may open again.

A run's manifest says which file its benchmark came from, and a manifest may be anybody's. What is
remembered is the SHA-256 of a file's contents, so that a changed file has to be named once more.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

from zhiyin.files import cache_folder

_OPENED = "opened"


def trust(sha256: str) -> None:
    """Remember a file by its contents. Where the cache cannot be written, nothing is kept."""
    with contextlib.suppress(OSError):
        cache_folder(_OPENED).mkdir(parents=True, exist_ok=True)
        (cache_folder(_OPENED) / sha256).touch()


def is_trusted(path: Path) -> bool:
    """Whether the user has opened a file with these contents here."""
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        return (cache_folder(_OPENED) / digest).is_file()
    except OSError:
        return False
