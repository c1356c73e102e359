"""The list of a run's files with their SHA-256, in the form that ``sha256sum -c`` reads.

A session takes the list away when it begins and writes it anew when it ends, so that a list that is
there is one of a run that nobody is writing. It is no signature: who can write the folder can write
a new list (docs/verify.md says how to sign it).
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec

from zhiyin.engine.folder import CALLS, FAILURES, MANIFEST, RECORDS, SHARE
from zhiyin.errors import reworded
from zhiyin.extensions import SESSIONS, every
from zhiyin.files import NOT_JSON, write_atomically

SUMS = "SHA256SUMS"
EARLIER_SUMS = "sums.jsonl"
"""The sums of earlier versions: a line for a file whenever it was written."""
_LINE = re.compile(r"([0-9a-f]{64}) [ *]([^/\0]+)")


def write_sums(folder: Path) -> None:
    """Write the list of a run whose session has ended. Raises `OSError`."""
    lines = [f"{_sha256(folder / name)}  {name}\n" for name in sorted(files_of(folder))]
    write_atomically(folder / SUMS, "".join(lines).encode(), synced=True)


def remove_sums(folder: Path) -> None:
    """Take the list away, that of an earlier version too, before a run is written to."""
    with reworded(f"cannot write to {folder}: "):
        for name in (SUMS, EARLIER_SUMS):
            (folder / name).unlink(missing_ok=True)


def files_of(folder: Path) -> set[str]:
    """The files of a run's sessions; notes, marks and judgements come later, and are in no list."""
    added = (name for part in every(SESSIONS).values() for name in getattr(part, "files", ()))
    names = (MANIFEST, RECORDS, FAILURES, CALLS, SHARE, *added)
    return {name for name in names if (folder / name).is_file()}


def check_sums(folder: Path) -> dict[str, str]:
    """Compare a run's files with its list: what is wrong with each that is listed, "" for nothing.

    What is wrong with the list itself stands under its name. Of a run without a list the last sums
    of an earlier version count; of records these hold the root of a tree of hashes, so that of
    them the length alone is looked at, and they are left out where that can be.

    Raises
    ------
    OSError
        The list or a file cannot be read.
    """
    if not (folder / SUMS).is_file():
        return _check_earlier(folder) if (folder / EARLIER_SUMS).is_file() else {}
    checked = {}
    text = (folder / SUMS).read_bytes().decode("utf-8", "replace")
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        match = _LINE.fullmatch(line)
        if not match:
            checked[SUMS] = f"line {number} names no file of the folder with its SHA-256"
        elif not (folder / match[2]).is_file():  # nor is a device opened, which has no end
            checked[match[2]] = f"it is in {SUMS}, and is gone"
        else:
            same = _sha256(folder / match[2]) == match[1]
            checked[match[2]] = "" if same else f"it is not what it was when {SUMS} was written"
    return checked


class _EarlierSum(msgspec.Struct):
    """A line of the sums of an earlier version; `digest` is SHA-256 but of records."""

    file: str
    at: str
    bytes: int
    digest: str
    changed: str = ""


def _check_earlier(folder: Path) -> dict[str, str]:
    """Compare files with their last two sums, as far as they had grown by then.

    The one before the last counts too: a sum of a file that was replaced was written before it.
    """
    sums: dict[str, list[_EarlierSum]] = {}
    checked = {}
    for number, line in enumerate((folder / EARLIER_SUMS).read_bytes().splitlines(), 1):
        try:
            one = msgspec.json.decode(line, type=_EarlierSum)
        except NOT_JSON:
            checked[EARLIER_SUMS] = f"line {number} was changed, or torn by a power cut"
            continue
        if Path(one.file).name == one.file:  # nothing outside the folder is opened
            sums.setdefault(one.file, []).append(one)
    for name, each in sums.items():
        path = folder / name
        seen = next((f"{one.changed} (seen {one.at})" for one in each if one.changed), "")
        if not path.is_file():
            checked[name] = "it was summed, and is gone"
        elif not any(_agrees(path, one) for one in each[-2:]):
            checked[name] = f"it is not what it was when it was summed ({each[-1].at})"
        elif seen or name != RECORDS:
            checked[name] = seen
    return checked


def _agrees(path: Path, one: _EarlierSum) -> bool:
    """Tell whether a file is what a sum says, or has grown since if it is one of lines."""
    size = path.stat().st_size
    if size < one.bytes or (size > one.bytes and path.suffix != ".jsonl"):
        return False
    return path.name == RECORDS or _sha256(path, one.bytes) == one.digest


def _sha256(path: Path, size: int | None = None) -> str:
    """The SHA-256 of a file, or of its first bytes."""
    with path.open("rb") as file:
        if size is None:
            return hashlib.file_digest(file, "sha256").hexdigest()
        return hashlib.sha256(file.read(size)).hexdigest()
