"""`zhiyin stats items RUN...`: which items of a set are worth asking?"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.shown.table import Column, Kind, Table, table_of
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.analysis.item_analysis import Item, ItemAnalysis, Separating
    from zhiyin.shown.terminal import Terminal

_ABOUT = (
    "Item analysis: how hard each item is, whether it tells good participants from poor ones, "
    "options that nobody takes, items that everyone or nobody gets, items that separate people "
    "from models, and a shorter set that ranks alike. Every run is a participant."
)


def configure(analyses: Any) -> None:
    """Add the analysis and its flags."""
    parser: argparse.ArgumentParser = analyses.add_parser(
        "items", help="which items of a set are worth asking?", description=_ABOUT
    )
    parser.add_argument("runs", nargs="*", metavar="RUN", help="a folder that `zhiyin run` wrote")
    parser.add_argument(
        "--people",
        action="append",
        default=[],
        metavar="RUN",
        help="a run of a person, to be set against the models; may be repeated",
    )
    parser.add_argument(
        "--keep",
        type=int,
        metavar="N",
        help="how many items a shorter set has; default the fewest that rank alike",
    )
    parser.add_argument(
        "--rows", type=int, default=10, metavar="N", help="items a table shows; default 10"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, with all items")


def execute(args: argparse.Namespace) -> int:
    """Print the analysis, and return the exit status."""
    from zhiyin.analysis.item_analysis import analyse

    for name in ("keep", "rows"):
        if (value := getattr(args, name)) is not None and value < 1:
            raise InputError(f"--{name} {value}: give a number from 1")
    analysis = analyse([Path(r) for r in args.runs], [Path(r) for r in args.people], args.keep)
    if args.json:
        print_json(analysis)
        return 0
    _print(open_console(markup=False), analysis, args.rows)
    return 0


_LEGEND = (
    "difficulty: share of right answers, high is easy; discrimination: correlation with the mean "
    "of the other items"
)


def _print(console: Terminal, analysis: ItemAnalysis, rows: int) -> None:
    about = said(
        "cli-examined", items=len(analysis.items), examinees=len(analysis.examinees),
        people=len(analysis.people), alpha=analysis.reliability,
    )  # fmt: skip
    console.say(about, 0)
    if len(analysis.examinees) < 4:
        console.say("under four participants: discrimination and a shorter set are not computed")
    else:
        known = [item for item in analysis.items if item.discrimination is not None]
        known.sort(key=lambda item: item.discrimination or 0.0)
        console.print_table(_items_table(known[:rows]))
        if (left := len(known) - rows) > 0:
            console.say(f"… {left} more: --rows {len(known)}", 0, style="dim")
        against = sum((item.discrimination or 0) < 0 for item in known)
        console.say(
            f"{against} of {len(known)} items are got rather by those who do worse on the others"
        )
    console.say_all([*_findings(analysis, rows), f"response model: {analysis.calibration}"])
    console.say(_LEGEND, 0)


def _findings(analysis: ItemAnalysis, rows: int) -> Iterator[str | Said]:
    """Further findings on the items, with so many of them by name."""
    for names, what in ((analysis.everyone, "everyone"), (analysis.nobody, "nobody")):
        if names:
            yield f"{len(names)} items got by {what}: {_some(names, rows)}"
    dead = [f"{item.item} ({', '.join(item.dead)})" for item in analysis.items if item.dead]
    if dead:
        yield f"{len(dead)} items with options that nobody takes: {_some(dead, rows)}"
    if analysis.people:
        yield from _separating(analysis.separating, rows)
    yield from _shorter(analysis, rows)


def _separating(items: list[Separating], rows: int) -> Iterator[str | Said]:
    if not items:
        yield "no item separates people from models (Fisher, Holm)"
        return
    yield f"{len(items)} items separate people from models (Fisher, Holm):"
    for one in items[:rows]:
        yield said("cli-separates", item=one.item, people=one.people, models=one.models, p=one.p)


def _shorter(analysis: ItemAnalysis, rows: int) -> Iterator[str | Said]:
    short = analysis.short
    if short is None:
        return
    yield said(
        "cli-shorter", short=len(short.items), items=len(analysis.items), tau=short.tau,
        error=short.error, new=short.tau_new,
    )  # fmt: skip
    yield f"  {_some(short.items, rows)}"


def _some(names: list[str], rows: int) -> str:
    more = f" and {len(names) - rows} more (--json has all)" if len(names) > rows else ""
    return ", ".join(names[:rows]) + more


def _items_table(items: list[Item]) -> Table:
    modelled = any(item.slope is not None for item in items)
    names = ["difficulty", "discrimination", *(["slope", "place"] if modelled else [])]
    columns: dict[str, Kind | Column] = {"item": "text", "n": "count"}
    columns |= {name: Column(name, "number", 2) for name in names}
    rows = []
    for item in items:
        response = (item.slope, item.place) if modelled else ()
        rows.append((item.item, item.asked, item.difficulty, item.discrimination, *response))
    return table_of("items", columns, rows, "items that discriminate least")


_DIFFICULTY = (
    "Fit success on features of items, with the model that answers as a factor, and hold what is "
    "predicted against answers to items of other seeds."
)


def configure_difficulty(analyses: Any) -> None:
    """Add the analysis and its flags."""
    parser = analyses.add_parser("difficulty", help="how hard an item is", description=_DIFFICULTY)
    parser.add_argument("runs", nargs="+", metavar="RUN", help="runs whose items are fitted")
    parser.add_argument(
        "--features", required=True, metavar="F,...", help="tags of the items, such as ease"
    )
    parser.add_argument(
        "--unseen", nargs="+", default=[], metavar="RUN", help="runs of the same models on others"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute_difficulty(args: argparse.Namespace) -> int:
    """Print the analysis, and return the exit status."""
    from zhiyin.analysis.difficulty import difficulty_of_runs

    features = list(dict.fromkeys(filter(None, map(str.strip, args.features.split(",")))))
    by_task = difficulty_of_runs(
        [Path(run) for run in args.runs], features, [Path(run) for run in args.unseen]
    )
    if args.json:
        print_json(by_task)
        return 0
    for task, result in by_task.items():
        _print_difficulty(task, result)
    return 0


def _print_difficulty(task: str, result: dict[str, Any]) -> None:
    console = open_console(markup=False)
    curve, unseen = result["curve"], result.get("unseen")
    console.say(task, 0, style="bold")
    console.say(
        said("cli-difficulty", answers=curve.answers, items=curve.items, sd=curve.sd),
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
            said(
                "cli-unseen",
                r=unseen.r,
                low=unseen.lower,
                high=unseen.upper,
                groups=unseen.groups,
                answers=unseen.answers,
                predicted=unseen.mean_predicted,
                observed=unseen.mean_observed,
            ),
            0,
        )
    for warning in curve.warnings:
        console.say(warning, 0, "warning", "yellow")
