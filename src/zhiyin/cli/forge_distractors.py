"""`zhiyin forge distractors SET`: four harder wrong answers for each question."""

from __future__ import annotations

import argparse
from pathlib import Path

from zhiyin.cli import forge_common
from zhiyin.cli.values import positive


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    add = parser.add_argument
    add("set", metavar="SET", help="questions with options: CSV, JSON lines or JSON")
    add("--blind", required=True, metavar="MODEL", help="a text model that gives log-probabilities")
    add("-m", "--model", metavar="MODEL", help="who proposes; else a column of proposals")
    add("--out", metavar="DIR", required=True, help="where the set and the runs are kept")
    add("--columns", action="append", default=[], metavar="MEANING=NAME", help="of the set")
    add("--propose", type=positive, default=40, metavar="N", help="wrong answers; default 40")
    add(
        "--aim",
        choices=("chance", "hardest"),
        default="chance",
        help="the model at chance, or the most likely wrong answers, as published",
    )
    add("--rounds", type=positive, default=4, metavar="N", help="orders of a fold; default 4")
    add("--seed", type=int, default=0, help="of the places of the right answers; default 0")
    forge_common.add_asking(parser)
    forge_common.add_printing(parser)


def execute(args: argparse.Namespace) -> int:
    """Choose, measure, print; 1 where calls failed."""
    from zhiyin.cli.forge_index import print_measures
    from zhiyin.forge.asking import Interrupted
    from zhiyin.forge.hardening import harden
    from zhiyin.forge.pipeline import asker_of
    from zhiyin.forge.sets import read_set

    questions = read_set(Path(args.set), args.columns)
    base = forge_common.asker(args, args.model or "")
    try:
        made = harden(
            questions,
            asker_of(args.blind, base),
            Path(args.out),
            proposer=base if args.model else None,
            count=args.propose,
            aim=args.aim,
            rounds=args.rounds,
            seed=args.seed,
            watch=forge_common.watch_of(args),
        )
    except Interrupted:
        return 130
    if args.json:
        forge_common.print_object(made)
    else:
        forge_common.print_funnels([made.funnel])
        print_measures([made.measure])
        forge_common.print_notes(made.in_words())
        forge_common.print_notes([f"\n{made.file}: the set, with five options a question"])
    failed = ("no-proposals", "not-probed")
    return int(any(why in made.funnel.fell for why in failed) or bool(made.measure.failed))
