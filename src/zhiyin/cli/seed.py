"""`zhiyin seed FILE`: a private seed, committed to before the run and shown after."""

from __future__ import annotations

import argparse
from pathlib import Path

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError

HELP = (
    "Draw a private seed into a new FILE and print its commitment, to be published before any "
    "model is asked. `zhiyin run --private-seed FILE` uses it. With --check, prove it afterwards."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    add = parser.add_argument
    add("file", metavar="FILE", help="of the seed; a new one, or with --check one that is there")
    add("--check", metavar="COMMITMENT", help="whether the seed is the one committed to")
    add(
        "--run",
        action="append",
        default=[],
        metavar="RUN",
        help="with --check: a run that was made with it; several: give it again",
    )
    add("--json", action="store_true", help="print one JSON object and nothing else")


def execute(args: argparse.Namespace) -> int:
    """Make or check, print, return the exit status."""
    from zhiyin.session.signing import check_commitment, check_run, make_seed, read_seed

    console, place = open_console(), Path(args.file)
    if args.check is None:
        if args.run:
            raise InputError("runs are looked at with --check COMMITMENT")
        made = make_seed(place)
        if args.json:
            print_json({"file": str(place), "commitment": made.commitment})
        else:
            console.say(f"{place} holds the seed: keep it to yourself until the result is out", 0)
            console.say(f"commitment, to be published now: {made.commitment}", 0)
        return 0
    seed = read_seed(place)
    check_commitment(seed, args.check)
    for run in args.run:
        check_run(seed, Path(run))
    if args.json:
        print_json({"seed": seed.seed, "commitment": seed.commitment, "runs": args.run})
        return 0
    console.say(f"the seed {seed.seed} is the one that was committed to", 0)
    for run in args.run:
        console.say(f"{run} was made with it: it makes the same items", 2)
    return 0
