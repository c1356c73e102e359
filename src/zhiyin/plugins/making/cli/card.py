"""`zhiyin card`: what may be concluded from a benchmark, as far as that is known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.words import said, say

if TYPE_CHECKING:
    from zhiyin.contract.declared import CheckResult


def rewrite_card(arguments: Sequence[str]) -> list[str]:
    """`card FILE` is `card questions --data FILE`."""
    from zhiyin.contract.arguments import file_as_data

    return file_as_data(arguments)


def card(
    benchmark: str,
    runs: tuple[Path, ...] = (),
    *,
    data: str | None = None,
    check: bool = False,
    errata: Path | None = None,
    json: bool = False,
) -> int:
    """A benchmark's validity card: what it measures, and what that rests on.

    Answered from what the benchmark declares and what runs of it hold. What nobody has looked at is
    not known, with the command that would tell.

    Parameters
    ----------
    benchmark
        which benchmark, or a file of your own questions
    runs : RUN
        runs of it
    data : DIR
        the folder of its data
    check
        also look for flaws in its data, as `zhiyin data check` does
    errata : FILE
        of `zhiyin errata`: flaws of its items that were proved
    """
    from zhiyin.contract.arguments import OWN
    from zhiyin.contract.registry import find
    from zhiyin.engine.folder import read_manifest
    from zhiyin.plugins.methods.validity import CardEvidence, card_of
    from zhiyin.runs.pairing import check_benchmark

    kind = find(benchmark)
    if runs:
        check_benchmark(runs, [read_manifest(run) for run in runs])
    found = [kind.check({"data": data or kind.fetched({}), "partial": False})] if check else []
    if errata is not None:
        found.append(_proved(errata, kind.name))
    asked = data if data and benchmark == OWN else benchmark
    made = card_of(CardEvidence(kind, runs, asked, found))
    if json:
        print_json(made)
        return 0
    console = open_console(markup=False)
    with console.paged():
        console.say(say(made.told), 0)
        console.print_table(made.table(commands=False))
        for one in made.answers:  # a cell of a table would fold what is to be copied
            if one.command:
                question = said("card-question", which=one.question, sources=one.sources)
                console.say_command(question, one.command)
    return 0


def _proved(file: Path, benchmark: str) -> CheckResult:
    """The flaws in a file of errata. Raises `InputError` where it is of another benchmark."""
    from zhiyin.contract.arguments import OWN
    from zhiyin.contract.declared import CheckResult, Flaw
    from zhiyin.plugins.making.errata.finding import read_errata

    found = read_errata(file)
    own = benchmark == OWN and found.head.benchmark.startswith(f"{OWN}-")  # called after its file
    if found.head.benchmark != benchmark and not own:
        raise InputError(f"{file} holds errata of {found.head.benchmark}, not of {benchmark}")
    flaws = [Flaw(line.rule, "", line.item, line.says) for line in found.lines]
    return CheckResult(found.head.items, flaws)
