"""Folders that are whole or absent: made once in the cache, or anew where somebody wants them."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from zhiyin.errors import InputError
from zhiyin.files import UNFINISHED, unwritable
from zhiyin.words import said

T = TypeVar("T")


def made_once(folder: Path, read: Callable[[Path], T | None], make: Callable[[Path], object]) -> T:
    """Return the content of a cache folder, which is made if it is missing or incomplete.

    It is made under another name and then moved, so that neither a crash nor a second process
    leaves half a folder. Nothing is ever taken away: of two that make the same folder the slower
    one keeps what it finds whole, and what is not whole is filled up file by file, each of which
    is the same whoever made it.

    Parameters
    ----------
    folder : Path
    read : callable
        From a folder to what is in it; None where it is not whole.
    make : callable
        Makes the folder that it is given, with the same files whenever it is called.

    Raises
    ------
    InputError
        The cache cannot be written, or as `make` does.
    """
    if (contents := read(folder)) is not None:
        return contents
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            dir=folder.parent, prefix=".making-", ignore_cleanup_errors=True
        ) as workshop:
            make(new := Path(workshop, "new"))
            try:
                new.replace(folder)
            except OSError:  # something is there already
                if (contents := read(folder)) is not None:
                    return contents
                shutil.copytree(new, folder, copy_function=os.replace, dirs_exist_ok=True)
    except OSError as error:
        raise unwritable(folder.parent, error) from None
    if (contents := read(folder)) is None:
        raise InputError(said("file-made", folder=folder))
    return contents


@contextlib.contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A folder to write to that becomes `path`, which is empty or not there, when all is written.

    What a killed process leaves stands beside it, so that `path` can be written again.
    """
    path = path.resolve()  # a link stays one
    unfinished = path.with_name(f"{UNFINISHED}{os.urandom(8).hex()}")
    try:
        unfinished.mkdir(parents=True)
        yield unfinished
        unfinished.replace(path)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
