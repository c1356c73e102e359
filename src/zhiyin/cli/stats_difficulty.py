"""`zhiyin stats difficulty RUN...`: how hard an item is, by its features."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

_ABOUT = (
    "Fit success on features of items, with the model that answers as a factor, and hold what is "
    "predicted against answers to items of other seeds."
)


def configure(analyses: Any) -> None:
    """Add the analysis and its flags."""
    parser = analyses.add_parser("difficulty", help="how hard an item is", description=_ABOUT)
    parser.add_argument("runs", nargs="+", metavar="RUN", help="runs whose items are fitted")
    parser.add_argument(
        "--features", required=True, metavar="F,...", help="tags of the items, such as ease"
    )
    parser.add_argument(
        "--unseen", nargs="+", default=[], metavar="RUN", help="runs of the same models on others"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Print the analysis, and return the exit status."""
    from zhiyin.analysis.difficulty import difficulty_of_runs
    from zhiyin.cli.display import print_json

    features = list(dict.fromkeys(filter(None, map(str.strip, args.features.split(",")))))
    by_task = difficulty_of_runs(
        [Path(run) for run in args.runs], features, [Path(run) for run in args.unseen]
    )
    if args.json:
        print_json(by_task)
        return 0
    for task, result in by_task.items():
        _print(task, result)
    return 0


def _print(task: str, result: dict[str, Any]) -> None:
    from zhiyin.shown.table import Column, table_of
    from zhiyin.shown.terminal import Terminal

    console = Terminal(highlight=False, markup=False)
    curve, unseen = result["curve"], result.get("unseen")
    console.say(task, 0, style="bold")
    console.say(
        f"{curve.answers} answers to {curve.items} items; items with the same features differ by "
        f"{curve.sd:.2f} log-odds",
        0,
    )
    columns: dict[str, Column] = {
        "term": Column("term"),
        "estimate": Column("estimate", "number", 3),
        "se": Column("se", "number", 3),
        "p": Column("p", "p"),
    }
    rows = [(row.term, row.estimate, row.se, row.p) for row in curve.coefficients]
    console.print_table(table_of("difficulty", columns, rows))
    console.say(
        "log-odds by one standard deviation of a feature; middle and upper: how much steeper it is "
        "from its thirds on",
        0,
    )
    if unseen is not None:
        console.say(
            f"unseen items: predicted against observed r = {unseen.r:.2f} (95 % {unseen.lower:.2f} "
            f"to {unseen.upper:.2f}), {unseen.groups} groups of items, {unseen.answers} answers; "
            f"right {100 * unseen.mean_predicted:.1f} % predicted, "
            f"{100 * unseen.mean_observed:.1f} % observed",
            0,
        )
    for warning in curve.warnings:
        console.say(warning, 0, "warning", "yellow")
