"""What is said of each run by itself, from a separate reading of its log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from zhiyin.analysis.audit.readings import Readings
from zhiyin.analysis.cost import Bill
from zhiyin.analysis.origins import Origins
from zhiyin.analysis.summary import details
from zhiyin.contract.declared import Section
from zhiyin.contract.registry import BenchmarkError
from zhiyin.engine.folder import Manifest, find_log, read_manifest
from zhiyin.errors import InputError
from zhiyin.report.beside import beside
from zhiyin.runs.opening import read_table
from zhiyin.runs.rows import Rows
from zhiyin.runs.table import RunTable
from zhiyin.words import Said

_MANY_BYTES = 5_000_000
"""From so long a log on a second process pays."""


class Alone(msgspec.Struct):
    """How the replies of a run were read, what they cost, whence they are, and the benchmark's own
    tables.
    """

    reading: list[Said]
    bill: Bill
    origins: Origins
    sections: list[Section]


def alone_beside(folders: Sequence[Path]) -> Callable[[], list[Alone]]:
    """What is said of each run by itself, made while all else is read."""
    size = sum(find_log(folder).stat().st_size for folder in folders)
    return beside(lambda: [alone(folder) for folder in folders], worth=size >= _MANY_BYTES)


def alone(folder: Path) -> Alone:
    """What is said of a run by itself.

    Raises
    ------
    InputError
        When the folder is not a run, or its log is damaged; `BenchmarkError` where its tables
        cannot be made.
    """
    manifest, table = read_manifest(folder), read_table(folder)
    readings = Readings(table)
    reading = list(readings.lines(readings.as_summary(folder)))
    return Alone(reading, Bill(manifest, table), Origins(table), _sections(table, manifest))


def _sections(table: RunTable, manifest: Manifest) -> list[Section]:
    """The benchmark's own tables; none while a run holds too little for them."""
    try:
        return details(Rows(table, table.rows), manifest)
    except BenchmarkError:
        raise
    except InputError:
        return []
