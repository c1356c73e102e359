"""What is kept of an archive, member by member; nothing may leave the folder."""

from __future__ import annotations

import fnmatch
import gzip
import lzma
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from zhiyin.contract.published import Archive
from zhiyin.errors import InputError
from zhiyin.files import inside, whole_or_nothing

MOST_MEMBERS, MOST_BYTES = 200_000, 64 << 30
_BLOCK = 1 << 20
_BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, lzma.LZMAError),
    *(EOFError, NotImplementedError, RuntimeError),  # the last for a zip that wants a password
)
_POINTER = b"version https://git-lfs.github.com/spec/"

Member = tuple[str, int, Callable[[], IO[bytes]]]
"""Its name, how long it says that it is, and what opens it."""


def unpack(path: Path, archive: Archive, folder: Path) -> tuple[list[str], list[str]]:
    """Unpack the members that are kept.

    Returns
    -------
    list of str
        Their places below `folder`.
    list of str
        Members that are pointers of Git LFS in the place of a file; they are left out.

    Raises
    ------
    InputError
        It is no archive, is broken or too large, or a member would leave the folder: then nothing
        is unpacked.
    """
    try:
        kind = zipfile.ZipFile if zipfile.is_zipfile(path) else tarfile.open
        with kind(path) as opened:
            members = _zipped if isinstance(opened, zipfile.ZipFile) else _tarred
            chosen = _chosen(path, archive, folder, members(opened))  # type: ignore[arg-type]
            return _write(path, folder, chosen)
    except _BROKEN as error:
        raise InputError(f"{path.name}: a broken archive ({error}); fetch it again") from None


def _zipped(opened: zipfile.ZipFile) -> Iterator[Member]:
    for info in opened.infolist():
        kind = stat.S_IFMT(info.external_attr >> 16)
        if info.is_dir() or kind not in (0, stat.S_IFREG):
            continue  # a link, or a folder
        yield info.filename, info.file_size, lambda info=info: opened.open(info)  # type: ignore[misc]


def _tarred(opened: tarfile.TarFile) -> Iterator[Member]:
    for info in opened:
        if info.isreg():
            yield info.name, info.size, lambda info=info: opened.extractfile(info)  # type: ignore
    while opened.fileobj and opened.fileobj.read(_BLOCK):
        pass  # the checksum of a compressed stream stands at its end


def _chosen(
    path: Path, archive: Archive, folder: Path, members: Iterator[Member]
) -> dict[str, Member]:
    """The members that are kept, by their places; of two for one place that of the first pattern.

    All names are looked at before anything is written.
    """
    total = 0
    ranked: dict[str, tuple[int, Member]] = {}
    for number, member in enumerate(members, 1):
        name, size, _ = member
        if _leaves(name):
            raise InputError(f"{path.name}: its member {name[:80]!r} leaves the folder; refused")
        total += size
        if number > MOST_MEMBERS or total > MOST_BYTES:
            raise InputError(f"{path.name}: unpacks to too much; refused")
        if (kept := _place(archive, name)) is not None:
            rank, place = kept
            inside(folder, place)
            if place not in ranked or rank < ranked[place][0]:
                ranked[place] = rank, member
    return {place: member for place, (_, member) in ranked.items()}


def _leaves(name: str) -> bool:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    absolute = not parts or parts[0] == "/" or ":" in parts[0]
    return absolute or ".." in parts or not name.isprintable()


def _place(archive: Archive, name: str) -> tuple[int, str] | None:
    """Which pattern keeps a member, and where it goes; None for one that is not kept."""
    if archive.wrapped:
        name = name.partition("/")[2]
    for rank, (pattern, target) in enumerate(archive.keep.items()):
        if "*" in pattern:
            if fnmatch.fnmatchcase(name, pattern):
                return rank, f"{target}/{PurePosixPath(name).name}"
        elif name == pattern:
            return rank, target
        elif name.startswith(f"{pattern}/"):
            return rank, f"{target}/{name[len(pattern) + 1 :]}"
    return None


def _write(path: Path, folder: Path, chosen: dict[str, Member]) -> tuple[list[str], list[str]]:
    written, pointers = [], []
    for place, (name, size, opened) in chosen.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        with opened() as file, whole_or_nothing(target) as unfinished:
            head = file.read(len(_POINTER))
            if head == _POINTER:
                pointers.append(place)
                unfinished.touch()
            else:
                with unfinished.open("xb") as out:
                    out.write(head)
                    shutil.copyfileobj(file, out)
            if head != _POINTER and unfinished.stat().st_size != size:
                raise InputError(f"{path.name}: its member {name[:80]!r} is broken; fetch it again")
        if head == _POINTER:
            target.unlink()
        else:
            written.append(place)
    return written, pointers
