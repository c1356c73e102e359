"""`zhiyin repeat RUN --out DIR`: run again what a run was, and compare reply by reply."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.cli.output import open_console, print_json

if TYPE_CHECKING:
    from zhiyin.session.parity import Repeated
    from zhiyin.shown.terminal import Terminal

HELP = (
    "Run again what a run was, from its manifest: the same items, seeds, model and settings, into "
    "another folder. No kept reply is used. Says what differs; status 1 where anything does."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import add_part

    add = parser.add_argument
    add("run", metavar="RUN", help="a folder that `zhiyin run` wrote")
    add("--out", required=True, metavar="DIR", help="the folder of the new run")
    add("-m", "--model", default="", metavar="MODEL", help="ask this one; default: the run's own")
    add("--data", default="", metavar="DIR", help="where the data lie now, if elsewhere")
    add_part(parser, Limits(0))
    add("--quiet", action="store_true", help="no progress")
    add("--json", action="store_true", help="print one JSON object and nothing else")


def execute(args: argparse.Namespace) -> int:
    """Run, compare, print, return the exit status."""
    from zhiyin import session
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import read_part
    from zhiyin.session.parity import compare_repeat, order_again
    from zhiyin.session.progress import Progress, quietly

    limits = read_part(Limits(0), vars(args))
    run = Path(args.run)
    order = order_again(run, args.out, limits, args.model, args.data)
    watch = quietly if args.quiet or args.json else Progress
    result = asyncio.run(session.carry_out(order, watch))
    comparison = compare_repeat(run, result.folder)
    if args.json:
        print_json(msgspec.to_builtins(comparison, enc_hook=str) | {"same": comparison.same})
    else:
        _print(open_console(), comparison)
    if result.outcome.interrupted:
        return 130
    return 0 if comparison.same else 1


def _print(console: Terminal, comparison: Repeated) -> None:
    console.say(
        f"{comparison.first} and, again, {comparison.second}: {comparison.trials:,} trials in both",
        0,
    )
    if comparison.same:
        console.say("asked, answered and judged alike, every one", 2)
    for number, meaning in (
        (comparison.items, "asked otherwise: the items differ"),
        (comparison.replies, "answered otherwise: the model's replies differ"),
        (comparison.verdicts, "judged otherwise"),
        (comparison.only_first, "not asked this time"),
        (comparison.only_second, "not asked the first time"),
    ):
        if number:
            console.say(f"{number:,} {'was' if number == 1 else 'were'} {meaning}", 2)
    for line in comparison.examples:
        console.say(line, 4)
    for title, lines in (
        ("settings", comparison.settings),
        ("versions", comparison.versions),
        ("model", comparison.servers),
    ):
        if lines:
            console.say(f"{title}: {'; '.join(lines)}", 2)
