"""Your own questions: a file of them is a benchmark. `docs/how-to/your-own-questions.md`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.benchmarks import CheckResult, Section

if TYPE_CHECKING:
    from zhiyin.benchmarks.questions.benchmark import Questions
    from zhiyin.session import Order, Watch

NAME = "questions"
SUMMARY = "your own questions from a CSV, JSONL, Parquet or XLSX file: zhiyin run FILE -m MODEL"
PAPER = ""
LICENCE = "the user's"
BIBTEX = ""
CHANCE = None
"""Questions may have any number of options; `details` gives the level of a run."""

TEMPLATES = ("choice", "free", "audio")
_SWITCHES = frozenset({"--json", "--quiet", "--partial", "--shuffle", "--several", "--audio-mono"})


def file_as_data(arguments: Sequence[str]) -> list[str]:
    """Arguments in which a file stands as ``questions --data FILE``, if one stands first.

    Raises
    ------
    InputError
        ``--data`` is given beside it.
    """
    from zhiyin.benchmarks.questions.tables import looks_like_file
    from zhiyin.errors import InputError

    for place, word in enumerate(arguments):
        before = arguments[place - 1] if place else ""
        if word.startswith("-") or (before.startswith("-") and before not in _SWITCHES):
            continue
        if not looks_like_file(word):
            break
        rest = [*arguments[:place], *arguments[place + 1 :]]
        if "--data" in rest:
            raise InputError(f"{word} is the data: leave --data out")
        return [NAME, "--data", word, *rest]
    return list(arguments)


def add_options(parser: argparse._ActionsContainer, *, reading: bool = False) -> None:
    """Add the flags of ``zhiyin run FILE``; those alone that say how it is read, where so."""
    from zhiyin.benchmarks.questions.settings import add_flags

    add_flags(parser, reading=reading)


def from_options(options: dict[str, Any]) -> Questions:
    """The questions as `options` say: parsed flags, or a run's manifest. Reads nothing yet."""
    from zhiyin.benchmarks.questions.benchmark import Questions
    from zhiyin.benchmarks.questions.settings import read_settings

    return Questions(read_settings(options))


def published() -> None:
    """Rows are published for a file, and not for all: `details` sets them beside a run."""


async def before(order: Order) -> None:
    """Make sure of the published rows and of the judge. Raises `InputError`."""
    await from_options(order.options).prepare()


async def after(folder: Path, order: Order, watch: Watch) -> None:
    """Keep the published rows with the run, so that they are there wherever it is looked at."""
    from zhiyin.benchmarks.questions.beside import keep

    keep(Path(order.options["data"]), folder)


def check(options: dict[str, Any]) -> CheckResult:
    """Every flaw of the file ``options["data"]``; see `zhiyin.benchmarks.questions.flaws`."""
    from zhiyin.benchmarks.questions.benchmark import Questions
    from zhiyin.benchmarks.questions.settings import read_settings

    return Questions.check(read_settings(options))


def details(folder: Path) -> list[Section]:
    """The figures of each kind of question, and published rows beside a whole run."""
    from zhiyin.benchmarks.questions.sections import sections

    return sections(folder)


def template(path: str, kind: str = "choice") -> str:
    """Write a small file of questions that runs; says what was written."""
    from zhiyin.benchmarks.questions.templates import write_template

    return write_template(Path(path), kind)
