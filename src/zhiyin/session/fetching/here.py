"""What of a source is here: whole, in part, or not at all."""

from __future__ import annotations

from typing import Literal

import msgspec

from zhiyin.contract.published import Source, folder_of
from zhiyin.session.fetching.record import read_record


class Here(msgspec.Struct, frozen=True):
    """How much of a source lies in its folder. Contents are not looked at.

    Attributes
    ----------
    state : {"whole", "part", "not here", "by hand"}
        "by hand" where nothing can be fetched.
    files, of : int
        How many are here, of how many; `of` is 0 where that is not known before they come.
    bytes : int
    folder : str
    """

    state: Literal["whole", "part", "not here", "by hand"]
    files: int
    of: int
    bytes: int
    folder: str


def look(benchmark: str, source: Source) -> Here:
    """How much of a source is here."""
    folder = folder_of(benchmark, source)
    if not source.fetchable:
        return Here("by hand", 0, 0, 0, str(folder))
    record = read_record(folder)
    wanted = {file.path for file in source.files}
    wanted |= set(record.files) if record else set()
    there = [folder / name for name in sorted(wanted) if (folder / name).is_file()]
    unpacked = record is not None and all(a.at in record.archives for a in source.archives)
    copied = record is not None and bool(there) and not source.archives
    whole = len(there) == len(wanted) and bool(there) and (unpacked or copied)
    state: Literal["whole", "part", "not here"] = (
        "whole" if whole else "part" if there else "not here"
    )
    known = len(wanted) if unpacked or not source.archives else 0
    return Here(state, len(there), known, sum(p.stat().st_size for p in there), str(folder))
