"""`zhiyin compare RUN RUN...`: who is better at what, and how sure is that?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.flags import add_groups
from zhiyin.cli.output import open_console, print_json_each

if TYPE_CHECKING:
    from zhiyin.analysis.comparison import Comparison

HELP = "Compare runs item by item: differences with intervals and tests, and a ranking."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a folder that `zhiyin run` wrote")
    parser.add_argument(
        "--family",
        action="append",
        default=[],
        metavar="GROUP[,GROUP]",
        help="groups whose tests were declared beforehand, such as 'theory/*' (Holm's "
        "correction over them; may be repeated). Other groups are exploratory",
    )
    parser.add_argument("--score", metavar="NAME", help="a named score in place of accuracy")
    parser.add_argument(
        "--alpha", type=float, default=0.05, metavar="P", help="level of significance; default 0.05"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the sign-flip test")
    add_groups(parser, "top: in short (default); all: every group of every pair, and the legend")
    parser.add_argument(
        "--all", action="store_const", const="all", dest="groups", help="the same as --groups all"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Compare, print, return the exit status."""
    from zhiyin.analysis.compare import compare_all

    comparisons = compare_all(
        list(map(Path, args.runs)),
        measure=args.score,
        families=args.family,
        alpha=args.alpha,
        seed=args.seed,
        both=args.json,
    )
    if args.json:
        print_json_each(comparisons, "judges")
    else:
        for one in comparisons:
            _print(one, args.groups == "all")
    return 0


_WARNINGS = 4


def _print(comparison: Comparison, whole: bool) -> None:
    console = open_console(markup=False)
    more = "" if whole else "--groups all"
    with console.paged():
        console.say(comparison.title, 0)
        for setting, values in comparison.settings.items():
            each = "; ".join(f"{name}: {_short(value)}" for name, value in values.items())
            console.say(f"differs: {setting} ({each})")
        stops = sum(one.severity == "stop" for one in comparison.warnings)
        console.say_all(
            [one.text for one in comparison.warnings], 2, "warning", "yellow",
            None if whole else max(stops, _WARNINGS), more,
        )  # fmt: skip
        for table in comparison.tables(whole=whole):
            if not table.title:
                console.print()
            console.print_table(table, more)
        if whole:
            console.print()
        console.say(comparison.key(whole=whole), 0)
        if not whole:
            console.say(f"Every group and what the columns mean: {more}", 0)


def _short(value: Any) -> str:
    text = "unset" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:12]}…"
