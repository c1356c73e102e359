"""Folders that hold runs, and what plug-ins know of folders of their own kind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from zhiyin import extensions
from zhiyin.engine.folder import MANIFEST
from zhiyin.errors import InputError
from zhiyin.files import Place
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.report.paper_table import PublishedBeside


class RunsInPlace(NamedTuple):
    """The runs of a folder.

    A function of the group ``zhiyin.places`` returns it of a folder of its kind, of others None.

    Attributes
    ----------
    runs : dict of Path to str
        Each with what its benchmark is called there; "" for its own name.
    beside : list of PublishedBeside
        Published rows that belong beside them.
    """

    runs: dict[Path, str]
    beside: list[PublishedBeside]


def runs_in(places: Sequence[Path]) -> RunsInPlace:
    """The runs in some folders: runs themselves, folders of runs, and those that a plug-in knows.

    Raises `InputError` for a folder without a run.
    """
    found = RunsInPlace({}, [])
    kinds = extensions.every(extensions.PLACES).values()
    for place in places:
        own = next((known for kind in kinds if (known := kind(place))), None)
        if own is None:
            there = [place] if (place / MANIFEST).is_file() else collect(place)
            own = RunsInPlace(dict.fromkeys(there, ""), [])
        found.runs.update({run: name or found.runs.get(run, "") for run, name in own.runs.items()})
        found.beside.extend(own.beside)
    return found


def collect(root: Place) -> list[Path]:
    """The run folders in `root`, at any depth, by name. Raises `InputError` for none.

    What lies in the folder of another run, such as its judgements, is a part of that run.
    """
    root = Path(root)
    if not root.is_dir():
        raise InputError(said("error-no-runs", folder=root, there=False))
    near = root.glob(f"*/{MANIFEST}")  # follows links, which rglob does not
    every = {path.parent for path in (*near, *root.rglob(MANIFEST))}
    folders = sorted(folder for folder in every if not every.intersection(folder.parents))
    if not folders:
        raise InputError(said("error-no-runs", folder=root, there=True))
    return folders
