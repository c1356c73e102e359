"""`zhiyin card`: what may be concluded from a benchmark, as far as that is known.

`zhiyin seed`: when the questions of a run were chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli.flags import read_by
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


def seed(
    file: Path,
    *,
    check: str | None = None,
    run: tuple[str, ...] = (),
    benchmark_file: str | None = None,
    json: bool = False,
) -> int:
    """Draw a private seed, or prove one.

    A new FILE holds the seed; its commitment is printed, to be published before any model is asked.
    `zhiyin run --private-seed FILE` uses it. With --check, prove it afterwards.

    Parameters
    ----------
    file : FILE
        of the seed; a new one, or with --check one that is there
    check : COMMITMENT
        whether the seed is the one committed to
    run : RUN
        with --check: a run that was made with it; several: give it again
    """
    from zhiyin.plugins.making.private_seeds import (
        check_commitment,
        check_run,
        make_seed,
        read_seed,
    )

    console = open_console()
    if check is None:
        if run:
            raise InputError("runs are looked at with --check COMMITMENT")
        made = make_seed(file)
        if json:
            print_json({"file": str(file), "commitment": made.commitment})
        else:
            console.say(f"{file} holds the seed: keep it to yourself until the result is out", 0)
            console.say(f"commitment, to be published now: {made.commitment}", 0)
        return 0
    secret = read_seed(file)
    check_commitment(secret, check)
    read_by(benchmark_file, [Path(one) for one in run])
    for one in run:
        check_run(secret, Path(one))
    if json:
        print_json({"seed": secret.seed, "commitment": secret.commitment, "runs": run})
        return 0
    console.say(f"the seed {secret.seed} is the one that was committed to", 0)
    for one in run:
        console.say(f"{one} was made with it: it makes the same items", 2)
    return 0
