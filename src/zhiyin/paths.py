"""Paths as people write them: text will do wherever a path is wanted."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

Place = str | os.PathLike[str]
"""A path, as text or as an object."""
Places = Sequence[Place] | Place
"""Several paths, or a single one."""


def as_paths(places: Places) -> list[Path]:
    """The paths in a list; a single path is a list of one."""
    if isinstance(places, str | os.PathLike):
        return [Path(places)]
    return [Path(place) for place in places]
