"""`zhiyin seed`: when the questions of a run were chosen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli.functions import read_by
from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError

if TYPE_CHECKING:
    pass


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
