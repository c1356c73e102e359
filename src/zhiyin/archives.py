"""Archives: what is packed is opened here, within bounds, and what is broken is refused."""

from __future__ import annotations

import copy
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from zhiyin.errors import InputError, reworded
from zhiyin.files import MOST_BYTES
from zhiyin.words import said

BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, lzma.LZMAError),
    *(EOFError, NotImplementedError, RuntimeError),  # the last for a ZIP that wants a password
)
"""What Python raises for archives that are none, or are damaged."""
_LARGE_UNPACKED, _MOST_TIMES = 32_000_000, 50
_BLOCK = 1 << 20
_KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def refuse_bomb(path: Path, what: str, packed: int, unpacked: int) -> None:
    """Raise `InputError` for what is small as it lies there and huge unpacked, as no data are.

    Parameters
    ----------
    path : Path
    what : str
        The part of the file, such as a column; "" for the whole.
    packed, unpacked : int
        Bytes.
    """
    if unpacked > _LARGE_UNPACKED and unpacked > _MOST_TIMES * max(1, packed):
        raise InputError(said(
            "archive-bomb", path=path, what=what or None, packed=f"{packed / 1e3:.0f}",
            unpacked=f"{unpacked / 1e6:.0f}",
        ))  # fmt: skip


@contextmanager
def opened_zip(path: Path, most: int = 0) -> Iterator[zipfile.ZipFile]:
    """A ZIP file that unpacks to no more than data do.

    Each part is unpacked once, to see that it is whole and as long as it says: Python stops where
    it says that it ends, and others that read the file do not.

    Parameters
    ----------
    path : Path
    most : int
        Bytes to which its parts may unpack together; 0 for what `refuse_bomb` allows.

    Raises
    ------
    InputError
        It cannot be read, is broken, or unpacks to too much.
    """
    with (
        reworded(said("error-cannot-read", path=path, why="")),
        reworded(f"{path}: a broken archive (", "); get it again", of=BROKEN),
        zipfile.ZipFile(path) as opened,
    ):
        unpacked = sum(part.file_size for part in opened.infolist())
        refuse_bomb(path, "", path.stat().st_size, unpacked)
        if most and unpacked > most:
            raise InputError(said("archive-piece", path=path, unpacked=unpacked, most=most))
        for part in opened.infolist():
            if part.compress_type in _KNOWN:
                longer = copy.copy(part)
                longer.file_size += 1
                with opened.open(longer) as file:
                    length = sum(map(len, iter(partial(file.read, _BLOCK), b"")))
                if length != part.file_size:
                    raise zipfile.BadZipFile(f"{part.filename} is longer than it says")
        yield opened


def unzipped(path: Path, packed: bytes) -> bytes:
    """The contents of a gzip file, which may consist of several packed one after another.

    Raises
    ------
    InputError
        It is broken, or unpacks to more than data do.
    """
    most = min(MOST_BYTES, max(_LARGE_UNPACKED, _MOST_TIMES * len(packed)))
    with (
        reworded(f"{path}: no whole gzip file (", "); get it again", of=(OSError, *BROKEN)),
        gzip.GzipFile(fileobj=io.BytesIO(packed)) as file,
    ):
        raw = file.read(most + 1)
        if not packed:
            raise EOFError("it is empty")
    if len(raw) > most:
        refuse_bomb(path, "", len(packed), len(raw))
        raise InputError(said("archive-parts", path=path, most=f"{most / 1e9:.0f}"))
    return raw
