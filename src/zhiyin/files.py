"""Files: paths as people write them, the cache, files that are whole or absent, others' names."""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import re
import stat
import tempfile
import threading
import unicodedata
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from zhiyin.errors import InputError, reworded, system_words
from zhiyin.words import Said, Text, said

T = TypeVar("T")
JsonOrder = Literal["deterministic", "sorted"] | None
NOT_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding raises for bytes that are no JSON, or none of the kind that is wanted."""
UNFINISHED = ".new-"
"""How the name of a file begins while it is being written."""
MOST_BYTES = 2**31
"""Bytes of the largest file that is read."""


def read_regular(path: str | Path) -> bytes:
    """The bytes of a file.

    Raises
    ------
    OSError
        It cannot be read, is no plain file (a device, a pipe, a folder), is larger than 2 GB, or
        has a name that no file can have.
    """
    # Not to wait for a pipe's other end; of a plain file this changes nothing.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except ValueError:  # somebody else's data may name anything
        raise OSError(0, "its name holds a zero byte") from None
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise OSError(0, "it is no plain file")
        if state.st_size > MOST_BYTES:
            raise OSError(0, f"it has {state.st_size / 1e9:.1f} GB, more than is read at once")
        return file.read()


def refuse_pipes(folder: Path) -> None:
    """Raise `InputError` where a pipe or a device has the name of a file of ours: it has no end."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            ours = entry.name.endswith((".json", ".jsonl", ".toml", "SHA256SUMS"))
            if ours and not entry.is_file() and not entry.is_dir() and Path(entry).exists():
                raise InputError(said("file-no-plain", path=entry.path))


def read_bytes(path: Path, remedy: Text = "") -> bytes:
    """Read a file's bytes. Raises `InputError`."""
    with reworded(said("error-unread", path=path, remedy=remedy, why="")):
        return path.read_bytes()


def read_json(data: bytes, kind: type[T], where: Text, fault: Said | None = None) -> T:
    """Decode JSON. Raises `InputError`; `fault` is what is wrong, with `why` for what was found."""
    try:
        return msgspec.json.decode(data, type=kind)
    except NOT_JSON as error:
        why = Said(fault.name, fault.facts | {"why": str(error)}) if fault else str(error)
        raise InputError(said("error-at", where=where, why=why)) from None


def read_lines(
    path: Path, kind: type[T], fault: Said | None = None, data: bytes | None = None
) -> Iterator[tuple[Said, T]]:
    """Yield the place and the content of each line of JSON lines. Raises `InputError`."""
    lines = (read_bytes(path) if data is None else data).removeprefix(BOM_UTF8).splitlines()
    for number, line in enumerate(lines, 1):
        if line.strip():
            where = said("line-of", path=path, line=str(number))
            yield where, read_json(line, kind, where, fault)


def json_lines(values: Iterable[Any], order: JsonOrder = None) -> bytes:
    """Values as JSON lines; `order` of the names in dicts as msgspec has it."""
    return msgspec.json.Encoder(order=order).encode_lines(list(values))


def cut_torn(path: Path) -> None:
    """Cut off a last line that a crash left without its end, where there is such a file."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        end = 0
        for line in file:
            end += len(line) if line.endswith(b"\n") else 0
        file.truncate(end)


def cache_folder(part: str = "") -> Path:
    """Return the folder for files that can be made again.

    Parameters
    ----------
    part : str
        Folder within the cache; "" for the whole.

    Returns
    -------
    Path
        In ``$ZHIYIN_CACHE``, or else where the system keeps the caches of its users: for Linux
        ``$XDG_CACHE_HOME/zhiyin`` or ``~/.cache/zhiyin``. It need not be there yet.
    """
    import platformdirs

    return Path(os.environ.get("ZHIYIN_CACHE") or platformdirs.user_cache_dir("zhiyin"), part)


def cache_room(variable: str, gigabytes: float) -> int:
    """Number of bytes that a part of the cache may take.

    Parameters
    ----------
    variable : str
        Of the environment: a number of gigabytes (1e9 bytes each).
    gigabytes : float
        Where it is not set.

    Raises
    ------
    InputError
        When the variable holds no number of at least 0.
    """
    text = os.environ.get(variable) or str(gigabytes)
    try:
        room = float(text)
    except ValueError:
        room = math.nan
    if not 0 <= room < math.inf:
        raise InputError(said("file-gigabytes", variable=variable, text=text))
    return int(room * 1e9)


def write_atomically(path: Path, data: bytes, *, synced: bool = False) -> None:
    """Write a file so that nobody, ever, sees half of it: it is the old one or the new one.

    Several threads and processes may write the same file at once; the last one stays.

    Parameters
    ----------
    path : Path
        In a folder that is there.
    data : bytes
        The whole contents.
    synced : bool
        Whether it is to be on the disk on return, so that a power cut leaves no empty file.

    Raises
    ------
    OSError
        It cannot be written; nothing is left of the attempt.
    """
    with whole_or_nothing(path) as unfinished, unfinished.open("xb") as file:
        file.write(data)
        file.flush()
        if synced:
            os.fsync(file.fileno())


def write_private(path: Path, data: bytes) -> None:
    """Write a new file that only its owner can read. Raises `OSError` where there is one."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)


def own_key() -> bytes:
    """A key that is this user's alone, drawn once and kept in the folder of their settings.

    Raises
    ------
    InputError
        Where it can neither be read nor kept.
    """
    import platformdirs

    path = Path(platformdirs.user_config_dir("zhiyin")) / "own.key"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            if not path.exists():
                with whole_or_nothing(path) as unfinished:
                    write_private(unfinished, os.urandom(32))
                    os.link(unfinished, path)  # never in the place of another process's
        return path.read_bytes()
    except OSError as error:
        raise InputError(said("file-key", parent=path.parent, why=system_words(error))) from None


@contextlib.contextmanager
def whole_or_nothing(path: Path) -> Iterator[Path]:
    """A place to write to that becomes `path` when all is written, and goes away otherwise."""
    unfinished = path.with_name(f"{UNFINISHED}{os.urandom(8).hex()}{path.suffix}")
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def take_over(workshop: Path, folder: Path, parts: Sequence[str]) -> None:
    """Put what was written in a workshop within a folder in the place of what is there.

    What is no part is left alone. A part that was not written is taken away. The last part is away
    while the others change, so that nobody finds it among some of before and some of now.
    """
    before = workshop / "before"
    before.mkdir()
    for part in reversed(parts):
        if (folder / part).exists():
            (folder / part).replace(before / part)
    for part in parts:
        if (workshop / part).exists():
            (workshop / part).replace(folder / part)


def write_cached(path: Path, data: bytes) -> None:
    """Write a file of the cache, whole, and the folders that it needs.

    Raises
    ------
    InputError
        Where the cache cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data)
    except OSError as error:
        raise unwritable(path.parent, error) from None


def unwritable(folder: Path, error: OSError) -> InputError:
    """The fault of a folder of the cache that cannot be written, with what to do."""
    return InputError(said("file-cache", folder=folder, why=system_words(error)))


class TemporaryPlace:
    """A temporary folder that is made when it is first needed. Threads may share it."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._lock = threading.Lock()

    @property
    def path(self) -> Path:
        """Path of the folder."""
        with self._lock:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(
                    prefix="zhiyin-", ignore_cleanup_errors=True
                )
            return Path(self._folder.name)

    def delete(self) -> None:
        """Delete it with all that is in it, if it was needed."""
        with self._lock:
            if self._folder is not None:
                self._folder.cleanup()
                self._folder = None


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
        raise InputError(said("error-no-path", name=repr(name)))
    base = os.path.abspath(root)  # noqa: PTH100 - `Path.resolve` would follow links
    place = os.path.normpath(os.path.join(base, name))  # noqa: PTH118
    if os.path.commonpath([base, place]) != base or place == base:
        raise InputError(said("error-leaves", name=name, root=root))
    return as_on_disk(Path(root, os.path.relpath(place, base)))


def one_form(name: str) -> str:
    """A name as it is compared: "é" may be one character, or a letter and its accent."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def as_on_disk(path: Path) -> Path:
    """The path in the Unicode form that its names have on the disk, where it is there at all."""
    if str(path).isascii() or os.path.lexists(path):
        return path
    folder = as_on_disk(path.parent)
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208 - names are all that is wanted
            if one_form(name) == one_form(path.name):
                return folder / name
    return folder / path.name


def stem_of(name: str, taken: Iterable[str] = ()) -> str:
    """A name as that of a file or folder, unlike those that are taken.

    Some systems take names for one that differ in case, or in how their letters are composed: the
    second of two such names has a piece of its hash behind it.
    """
    stem = first = re.sub(r"[^\w.+-]+", "-", name).strip("-.") or "unnamed"
    while is_taken(stem, taken):
        stem = f"{first}-{hashlib.sha256(stem.encode()).hexdigest()[:6]}"
    return stem


def is_taken(name: str, taken: Iterable[str]) -> bool:
    """Tell whether a file of this name might be one of those that are there, on any system."""
    return _folded(name) in map(_folded, taken)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())


Place = str | os.PathLike[str]
"""A path, as text or as an object."""
Places = Sequence[Place] | Place
"""Several paths, or a single one."""


def as_paths(places: Places) -> list[Path]:
    """The paths in a list; a single path is a list of one."""
    if isinstance(places, str | os.PathLike):
        return [Path(places)]
    return [Path(place) for place in places]
