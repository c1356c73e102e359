"""Names of files in data that others wrote: they may name what lies in the data's folder only."""

from __future__ import annotations

import os
from pathlib import Path

from zhiyin.errors import InputError


def inside(root: Path, name: str) -> Path:
    """The file that a data set names, which must lie in its folder.

    Links are followed: whoever unpacked the data made them.

    Parameters
    ----------
    root : Path
        The folder of the data.
    name : str
        A path as it is written in the data, relative to `root` or absolute and within it.

    Raises
    ------
    InputError
        The path leaves the folder, or is none.
    """
    if "\0" in name or not name.isprintable():
        raise InputError(f"{name!r}: no path: mend it in the data")
    base = os.path.abspath(root)  # noqa: PTH100 - `Path.resolve` would follow links
    place = os.path.normpath(os.path.join(base, name))  # noqa: PTH118
    if os.path.commonpath([base, place]) != base or place == base:
        raise InputError(
            f"{name}: leaves the folder {root}: a data set may name only what lies in its folder; "
            "move the file there"
        )
    return Path(root, os.path.relpath(place, base))
