"""`zhiyin stats items RUN...`: which items of a set are worth asking?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.tables import print_table
from zhiyin.numerals import p_value, percent

if TYPE_CHECKING:
    from zhiyin.analysis.item_analysis import Item, ItemAnalysis, Separating
    from zhiyin.cli.terminal import Terminal

_ABOUT = (
    "Item analysis: how hard each item is, whether it tells good examinees from poor ones, options "
    "that nobody takes, items that everyone or nobody gets, items that separate people from "
    "models, and a shorter set that ranks alike. Every run is an examinee."
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
    from zhiyin.cli.display import print_json
    from zhiyin.cli.terminal import Terminal
    from zhiyin.errors import InputError

    for name in ("keep", "rows"):
        if (value := getattr(args, name)) is not None and value < 1:
            raise InputError(f"--{name} {value}: give a number from 1")
    found = analyse([Path(r) for r in args.runs], [Path(r) for r in args.people], args.keep)
    if args.json:
        print_json(found)
        return 0
    _print(Terminal(highlight=False, markup=False), found, args.rows)
    return 0


def _print(console: Terminal, found: ItemAnalysis, rows: int) -> None:
    alpha = "" if found.reliability is None else f"; Cronbach's alpha {found.reliability:.2f}"
    people = f", {len(found.people)} of them people" if found.people else ""
    console.print(
        f"{len(found.items)} items, {len(found.examinees)} examinees{people}{alpha}",
        soft_wrap=True,
    )
    few = len(found.examinees) < 4
    if few:
        console.print(
            "under four examinees: discrimination and a shorter set are not computed",
            soft_wrap=True,
        )
    else:
        known = [item for item in found.items if item.discrimination is not None]
        known.sort(key=lambda item: item.discrimination or 0.0)
        print_table(console, _items_table("items that discriminate least", known[:rows]))
        against = sum((item.discrimination or 0) < 0 for item in known)
        console.print(
            f"  {against} of {len(known)} items are got rather by those who do worse on the others",
            soft_wrap=True,
        )
    for names, what in ((found.everyone, "everyone"), (found.nobody, "nobody")):
        if names:
            console.print(
                f"  {len(names)} items got by {what}: {_some(names, rows)}", soft_wrap=True
            )
    dead = [f"{item.item} ({', '.join(item.dead)})" for item in found.items if item.dead]
    if dead:
        console.print(
            f"  {len(dead)} items with options that nobody takes: {_some(dead, rows)}",
            soft_wrap=True,
        )
    if found.people:
        _print_separating(console, found.separating, rows)
    _print_short(console, found, rows)
    console.print(f"  response model: {found.calibration}", soft_wrap=True)
    console.print(
        "difficulty: share of right answers, high is easy; discrimination: correlation with the "
        "mean of the other items",
        soft_wrap=True,
    )


def _print_separating(console: Terminal, found: list[Separating], rows: int) -> None:
    if not found:
        console.print("  no item separates people from models (Fisher, Holm)")
        return
    console.print(f"  {len(found)} items separate people from models (Fisher, Holm):")
    for one in found[:rows]:
        console.print(
            f"    {one.item}: people {percent(one.people)} %, models {percent(one.models)} %, "
            f"p {p_value(one.p)}",
            soft_wrap=True,
        )


def _print_short(console: Terminal, found: ItemAnalysis, rows: int) -> None:
    short = found.short
    if short is None:
        return
    new = (
        "unknown, for ten examinees are needed" if short.tau_new is None else f"{short.tau_new:.2f}"
    )
    console.print(
        f"  a shorter set: {len(short.items)} of {len(found.items)} items rank these examinees "
        f"with tau {short.tau:.2f}; scores differ by up to {percent(short.error)} points; tau for "
        f"examinees that had no part in the choice: {new}",
        soft_wrap=True,
    )
    console.print(f"    {_some(short.items, rows)}", soft_wrap=True)


def _some(names: list[str], rows: int) -> str:
    more = f" and {len(names) - rows} more (--json has all)" if len(names) > rows else ""
    return ", ".join(names[:rows]) + more


def _items_table(title: str, items: list[Item]) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title=f"\n{title}", title_justify="left")
    table.add_column("item", overflow="fold")
    modelled = any(item.slope is not None for item in items)
    names = ["n", "difficulty", "discrimination", *(["slope", "place"] if modelled else [])]
    for name in names:
        table.add_column(name, justify="right")
    for item in items:
        cells = [str(item.asked), f"{item.difficulty:.2f}", f"{item.discrimination or 0:.2f}"]
        if modelled:
            cells += [f"{item.slope or 0:.2f}", f"{item.place or 0:.2f}"]
        table.add_row(item.item, *cells)
    return table
