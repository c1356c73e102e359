"""`zhiyin compare RUN RUN...`: who is better at what, and how sure is that?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.flags import add_groups
from zhiyin.cli.output import open_console, print_json_each
from zhiyin.cli.run_tables import GroupTree
from zhiyin.numerals import p_value
from zhiyin.shown.table import Cell, Kind, Row, Table, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from zhiyin.analysis.comparison import Comparison, GroupDifference, Pair

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
    from zhiyin.analysis.compare import compare
    from zhiyin.analysis.compare_parts import compare_parts
    from zhiyin.cli.run_tables import titles_of

    runs = [Path(run) for run in args.runs]
    settings: dict[str, Any] = {"families": args.family, "alpha": args.alpha, "seed": args.seed}
    judged = [] if args.score else compare_parts(runs, **settings)
    comparisons = judged or [compare(runs, measure=args.score, **settings)]
    if args.json:
        print_json_each(comparisons, "judges")
    else:
        for one in comparisons:
            _print(one, args.groups == "all", titles_of(args.runs[0]))
    return 0


_LEGEND = (
    "Scores in %, differences and MDE in points, {0} minus {1}. p: exact McNemar test, or (*) "
    "sign-flip test over whole clusters; corrected by Holm over pairs for the whole and within a "
    "declared family (†), by Benjamini and Hochberg over all other groups, which are exploratory. "
    "?: not resolved, which is not equal; MDE is the smallest true difference that would be found "
    "with 80 % power."
)
_BRIEFLY = (
    "In points, {0} minus {1}; p corrected; ?: not resolved, which is not equal. Every group "
    "and what the columns mean: --groups all"
)
_WARNINGS = 4


def _print(comparison: Comparison, whole: bool, titles: Mapping[str, str]) -> None:
    console = open_console(markup=False)
    more = "" if whole else "--groups all"
    with console.paged():
        console.say(_about(comparison), 0)
        for setting, values in comparison.settings.items():
            each = "; ".join(f"{name}: {_short(value)}" for name, value in values.items())
            console.say(f"differs: {setting} ({each})")
        stops = sum(one.severity == "stop" for one in comparison.warnings)
        console.say_all(
            [one.text for one in comparison.warnings], 2, "warning", "yellow",
            None if whole else max(stops, _WARNINGS), more,
        )  # fmt: skip
        if len(comparison.runs) > 2:
            console.print_table(_ranking(comparison), more)
        if len(comparison.pairs) > 1 and not whole:
            console.print()
            console.print_table(_pairs_table(comparison), more)
        else:
            for pair in comparison.pairs:
                console.print_table(_pair_table(comparison, pair, titles), more)
        console.say((f"\n{_LEGEND}" if whole else _BRIEFLY).format(*_sides(comparison)), 0)


def _sides(comparison: Comparison) -> tuple[str, str]:
    """What the two runs of a pair are called in short: by letters where a run is called "first"."""
    labels = {run.label for run in comparison.ranking}
    return ("A", "B") if labels & {"first", "second"} else ("first", "second")


def _about(comparison: Comparison) -> str:
    unit = comparison.unit.removesuffix("s") if comparison.items == 1 else comparison.unit
    items = f"{comparison.items:,} {unit}"
    measure = comparison.measure + " (0 is best)" * comparison.low_is_best
    return f"{comparison.benchmark}: {measure} on {items} that all judged"


def _short(value: Any) -> str:
    text = "unset" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:12]}…"


def _ranking(comparison: Comparison) -> Table:
    columns: dict[str, Kind] = {
        "run": "text", "score, %": "share", "95 % int.": "share", "groups": "text"
    }  # fmt: skip
    rows = [
        Row((run.label, run.score.mean, (run.score.low, run.score.high), run.letters), 0, -place)
        for place, run in enumerate(comparison.ranking)
    ]
    note = f"runs that share a letter are not told apart (Holm, {comparison.alpha:g})"
    return table_of("ranking", columns, rows, "ranking", [note])


def _pairs_table(comparison: Comparison) -> Table:
    """The whole of each pair, a line each."""
    places = {run.label: place for place, run in enumerate(comparison.ranking)}
    pairs = sorted(
        comparison.pairs, key=lambda pair: sorted(places[n] for n in (pair.first, pair.second))
    )
    rows = [
        Row(
            (f"{pair.first} vs {pair.second}", *_cells(comparison, pair, pair.groups[0])), 0, -place
        )
        for place, pair in enumerate(pairs)
    ]
    return table_of("pairs", {"pair, on everything": "text", **_columns(comparison)}, rows)


def _pair_table(comparison: Comparison, pair: Pair, titles: Mapping[str, str]) -> Table:
    """The groups of a pair."""
    tree = GroupTree([row.group for row in pair.groups], titles)
    rows = [
        Row(
            (tree.title(row.group) + " †" * _declared(row), *_cells(comparison, pair, row)),
            tree.level(row.group),
            tree.weight(row.group, row.items),
        )
        for row in pair.groups
    ]
    first, second = _sides(comparison)
    title = f"{first}: {pair.first}, {second}: {pair.second}"
    return table_of("groups", {"group": "text", **_columns(comparison)}, rows, title)


def _columns(comparison: Comparison) -> dict[str, Kind]:
    first, second = _sides(comparison)
    return {
        comparison.unit: "count", first: "share", second: "share", "diff.": "points",
        "95 % int.": "points", "p": "p", "MDE": "share", "better": "text",
    }  # fmt: skip


def _declared(row: GroupDifference) -> bool:
    from zhiyin.engine.tally import ALL

    return row.family not in (ALL, "exploratory")


def _cells(comparison: Comparison, pair: Pair, row: GroupDifference) -> tuple[Cell, ...]:
    verdict = "?"
    if better := comparison.better(pair, row):
        verdict = _sides(comparison)[better != pair.first]
    figures = (row.items, row.first, row.second, row.difference)
    if row.low == row.high:  # the same replies twice
        return (*figures, None, None, None, verdict)
    p = p_value(row.p_adjusted) + ("*" if row.test == "sign-flip" else "")
    most = row.detectable if row.detectable <= 1 else None
    return (*figures, (row.low, row.high), p, most, verdict)
