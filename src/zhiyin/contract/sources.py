"""Where data are published, and where they lie when they have been fetched."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

DATA = "data"
"""The source that a benchmark runs on: what ``--data`` names."""
RECORD = ".fetched.json"
"""In the folder of a source: what came, from where, and what its contents were."""


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file to be fetched.

    Attributes
    ----------
    path : str
        Below the folder of the source.
    at : str
        Below the source's `base`; "" for `path`.
    sha256 : str
        Where it is known; "" where the first fetch has to be trusted.
    size : int or None
        In bytes, where it is known.
    """

    path: str
    at: str = ""
    sha256: str = ""
    size: int | None = None

    @property
    def address(self) -> str:
        """Below the base."""
        return self.at or self.path


class Archive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An archive to be fetched, of which some members are kept.

    Attributes
    ----------
    at : str
        Below the source's `base`.
    keep : dict of str to str
        Folders (or files) within it, to where they go below the folder of the source. A first
        part that names the archive itself, as GitHub adds one, is left out of both.
    sha256 : str
        Of the archive; "" where the first fetch has to be trusted.
    size : int or None
    known : dict of str to str
        SHA-256 of members, by their place below the folder, as far as known.
    wrapped : bool
        Whether all members lie in one folder that is named after the archive.
    """

    at: str
    keep: dict[str, str]
    sha256: str = ""
    size: int | None = None
    known: dict[str, str] = {}
    wrapped: bool = True


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where something is published.

    Attributes
    ----------
    name : str
        `DATA`, or what it holds: "replies".
    what : str
        One line.
    home : str
        The page for people.
    licence : str
    revision : str
        Commit or version that is fetched; "" where nothing can be fetched.
    base : str
        Address that `files` and `archives` lie below.
    hub : str
        A data set of the Hugging Face hub, in place of `base`.
    files, archives
        What is fetched; neither where no download is allowed or known.
    by_hand : tuple of str
        What to get oneself and how to lay it out, a line each. Beside files: what is missing
        after they came.
    """

    name: str
    what: str
    home: str
    licence: str
    revision: str = ""
    base: str = ""
    hub: str = ""
    files: tuple[File, ...] = ()
    archives: tuple[Archive, ...] = ()
    by_hand: tuple[str, ...] = ()

    @property
    def fetchable(self) -> bool:
        """Whether anything can be fetched."""
        return bool(self.files or self.archives)

    @property
    def size(self) -> int | None:
        """How much is fetched, in bytes; None where a part of it is not known."""
        sizes = [*(f.size for f in self.files), *(a.size for a in self.archives)]
        known = [size for size in sizes if size is not None]
        return sum(known) if sizes and len(known) == len(sizes) else None


def data_home() -> Path:
    """Where fetched data lie.

    ``$ZHIYIN_DATA``, or else where the system keeps the data of its users' programs: for Linux
    ``$XDG_DATA_HOME/zhiyin`` or ``~/.local/share/zhiyin``. It need not be there yet.
    """
    import platformdirs

    return Path(os.environ.get("ZHIYIN_DATA") or platformdirs.user_data_dir("zhiyin"))


def folder_of(benchmark: str, source: Source) -> Path:
    """The folder of a source: ``NAME`` for the data, ``NAME-SOURCE`` for anything else."""
    name = benchmark if source.name == DATA else f"{benchmark}-{source.name}"
    return data_home() / name


def fetched_folder(benchmark: str, sources: Iterable[Source]) -> str | None:
    """The folder that the data of a benchmark were fetched into; None where they were not."""
    for source in sources:
        folder = folder_of(benchmark, source)
        if source.name == DATA and (folder / RECORD).is_file():
            return str(folder)
    return None
