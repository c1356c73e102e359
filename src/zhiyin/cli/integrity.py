"""Whether runs are what they claim: `zhiyin verify` and `seed`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.cli.flags import read_by
from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.session.verifying import Verified
    from zhiyin.shown.terminal import Terminal


def verify(
    runs: tuple[Path, ...],
    *,
    rescore: bool = False,
    strict: bool = False,
    benchmark_file: str | None = None,
    json: bool = False,
) -> int:
    """Look whether runs are what was written.

    Every file by its SHA-256 (`sha256sum -c SHA256SUMS` does the same), every record by its form,
    every sound by its hash. Status 1 where something is not.

    Parameters
    ----------
    runs : RUN
        a run folder; what lies in it is verified too
    rescore
        also score every record again, and make its items
    strict
        status 1 too where something is not covered
    """
    from zhiyin.session.verifying import runs_in
    from zhiyin.session.verifying import verify as verify_run

    read_by(benchmark_file, runs)
    results = []
    console = open_console()
    for folder in (folder for run in runs for folder in runs_in(run)):
        results.append(verify_run(folder, rescore=rescore))
        if not json:
            _print_verified(console, results[-1])
    if json:
        print_json({"runs": msgspec.to_builtins(results, enc_hook=str)})
    return int(any(one.faults or (strict and not one.covered) for one in results))


def _print_verified(console: Terminal, one: Verified) -> None:
    many = f"{one.records:,} records" if one.records != 1 else "1 record"
    if one.faults:
        state = "does not verify"
    elif one.covered:
        state = "is what was written"
    else:
        state = "holds nothing wrong; not all of it is covered"
    console.say(f"{one.folder} {state}: {many}", 0, "", "red" if one.faults else "green")
    for fault in one.faults:
        console.say(fault, 2, "wrong", "red")
    for note in one.notes:
        console.say(note, 2, "note")
    if one.rescored:
        alike = one.rescored.records - len(one.rescored.differ)
        console.say(f"scored again: {alike:,} of {one.rescored.records:,} as written", 2)


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
