"""What was fetched into a folder, kept in it: what comes later is checked against it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from zhiyin.contract.published import RECORD
from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, write_atomically


class Kept(msgspec.Struct, frozen=True):
    """One file that came.

    `trusted` says that its contents were known from nowhere before: they are what came first.
    """

    sha256: str
    size: int
    trusted: bool = False


class Record(msgspec.Struct):
    """What a folder of fetched data holds.

    Attributes
    ----------
    revision : str
        What was pinned.
    at : str
        Where the files came from.
    commit : str
        What the revision stood for, where the source tells.
    files : dict of str to Kept
        By their place below the folder.
    archives : dict of str to Kept
        Those that were unpacked whole, by their address below the base.
    """

    revision: str = ""
    at: str = ""
    commit: str = ""
    files: dict[str, Kept] = {}
    archives: dict[str, Kept] = {}


def read_record(folder: Path) -> Record | None:
    """The record of a folder; None where nothing was fetched into it."""
    try:
        return msgspec.json.decode((folder / RECORD).read_bytes(), type=Record)
    except FileNotFoundError:
        return None
    except (OSError, *NOT_JSON) as error:
        raise InputError(
            f"{folder / RECORD}: cannot be read ({error}); remove it, and fetch again"
        ) from None


def write_record(folder: Path, record: Record) -> None:
    """Keep what has come so far."""
    write_atomically(folder / RECORD, msgspec.json.encode(record))


def digest_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
