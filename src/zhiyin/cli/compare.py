"""`zhiyin compare RUN RUN...`: who is better at what, and how sure is that?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.tables import print_table
from zhiyin.numerals import p_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from zhiyin.analysis.compare import Comparison, GroupDifference, Pair
    from zhiyin.cli.terminal import Terminal

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
    parser.add_argument(
        "--all", action="store_true", help="every group of every pair; else so for two runs only"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Compare, print, return the exit status."""
    from zhiyin.analysis.compare import compare
    from zhiyin.analysis.compare_parts import compare_parts
    from zhiyin.cli.display import print_json, titles_of

    runs = [Path(run) for run in args.runs]
    settings: dict[str, Any] = {"families": args.family, "alpha": args.alpha, "seed": args.seed}
    judged = [] if args.score else compare_parts(runs, **settings)
    found = judged or [compare(runs, measure=args.score, **settings)]
    if args.json:
        print_json(found[0] if len(found) == 1 else {"judges": found})
    else:
        for one in found:
            _print(one, args.all or len(one.runs) == 2, titles_of(args.runs[0]))
    return 0


def _print(found: Comparison, every_group: bool, titles: Mapping[str, str]) -> None:
    from zhiyin.cli.terminal import Terminal

    console = Terminal(highlight=False, markup=False)
    console.print(
        f"{found.benchmark}: {found.measure} on {found.items} {found.unit} that all judged"
    )
    for setting, values in found.settings.items():
        told = "; ".join(f"{name}: {_short(value)}" for name, value in values.items())
        console.print(f"  differs: {setting} ({told})", soft_wrap=True)
    for warning in found.warnings:
        console.print(f"  warning: {warning}", style="yellow", soft_wrap=True)
    if len(found.runs) > 2:
        print_table(console, _ranking_table(found))
    for pair in found.pairs:
        _print_pair(console, found, pair, every_group, titles)
    console.print(
        "\nScores in %, differences and MDE in points, first minus second. p: exact McNemar test, "
        "or (*) sign-flip test over whole clusters; corrected by Holm over pairs for the whole and "
        "within a declared family (†), by Benjamini and Hochberg over all other groups, which are "
        "exploratory. ?: not resolved, which is not equal; MDE is the smallest true difference "
        "that would be found with 80 % power."
    )


def _short(value: Any) -> str:
    text = "unset" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:12]}…"


def _ranking_table(found: Comparison) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title="\nranking", title_justify="left")
    for name, side in (("run", "left"), ("score, %", "right"), ("95 % int.", "right")):
        table.add_column(name, justify=side, overflow="fold")  # type: ignore[arg-type]
    table.add_column("groups")
    for row in found.ranking:
        ends = f"{100 * row.score.low:.1f}–{100 * row.score.high:.1f}"
        table.add_row(row.label, f"{100 * row.score.mean:.2f}", ends, row.letters)
    table.caption = f"runs that share a letter are not told apart (Holm, {found.alpha:g})"
    table.caption_justify = "left"
    return table


def _print_pair(
    console: Terminal,
    found: Comparison,
    pair: Pair,
    every_group: bool,
    titles: Mapping[str, str],
) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), title_justify="left")
    table.title = f"\n{pair.first}  against  {pair.second}"
    table.add_column("group", overflow="fold", min_width=12)
    for name in (found.unit, "first", "second", "diff.", "95 % int.", "p", "MDE"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("better")
    for row in pair.groups if every_group else pair.groups[:1]:
        table.add_row(*_cells(row, found, titles))
    print_table(console, table)


def _cells(row: GroupDifference, found: Comparison, titles: Mapping[str, str]) -> list[str]:
    from zhiyin.engine.tally import ALL

    declared = row.family not in (ALL, "exploratory")
    verdict = "?"
    if row.resolved:
        verdict = "first" if row.difference > 0 else "second"
    return [
        _called(row.group, titles) + (" †" if declared else ""),
        str(row.items),
        f"{100 * row.first:.1f}",
        f"{100 * row.second:.1f}",
        f"{100 * row.difference:+.1f}",
        f"{100 * row.low:+.1f} to {100 * row.high:+.1f}",
        p_value(row.p_adjusted) + ("*" if row.test == "sign-flip" else ""),
        f"{100 * row.detectable:.1f}",
        verdict,
    ]


def _called(group: str, titles: Mapping[str, str]) -> str:
    """What a group is called, set in by its depth."""
    from zhiyin.engine.tally import ALL

    if group == ALL and group not in titles:
        return "everything"
    own = titles.get(group) or group.rpartition("/")[2].replace("_", " ")
    return "  " * group.count("/") + own
