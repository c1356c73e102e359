"""What is said of each run by itself, from a separate reading of its log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from zhiyin.analysis.audit.readings import Readings, ReadVerdict
from zhiyin.analysis.cost import Bill
from zhiyin.analysis.summary import PaidExchange, details
from zhiyin.contract.declared import Section
from zhiyin.contract.registry import BenchmarkError
from zhiyin.engine.folder import find_log, gather_blocks, read_manifest
from zhiyin.errors import InputError
from zhiyin.report.beside import beside

_MANY_BYTES = 5_000_000
"""From so long a log on a second process pays."""


class Alone(msgspec.Struct):
    """How the replies of a run were read, what they cost, and the benchmark's own tables."""

    reading: list[str]
    bill: Bill
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
    read, bill = _read_and_paid(folder)
    return Alone(read.as_summary(folder)["lines"], bill, _sections(folder))


class _Answered(msgspec.Struct, gc=False):
    id: str
    verdict: ReadVerdict
    exchange: PaidExchange = msgspec.field(default_factory=PaidExchange)


def _read_and_paid(folder: Path) -> tuple[Readings, Bill]:
    """Read the log once for both."""
    manifest = read_manifest(folder)

    def made(blocks: Iterator[list[_Answered]]) -> tuple[Readings, Bill]:
        readings, bill = Readings(), Bill(manifest)
        for block in blocks:
            readings.count_all(block)
            bill.add(chain.from_iterable([record.exchange.turns for record in block]))
            for record in block:
                if record.exchange.notes:
                    bill.add_judge(record.exchange.notes)
        return readings, bill

    return gather_blocks(folder, _Answered, made)[0]


def _sections(folder: Path) -> list[Section]:
    """The benchmark's own tables; none while a run holds too little for them."""
    try:
        return details(folder, read_manifest(folder))
    except BenchmarkError:
        raise
    except InputError:
        return []
