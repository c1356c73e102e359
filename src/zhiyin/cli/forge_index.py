"""`zhiyin forge index SET`: how much the text of a set gives away."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli import forge_common
from zhiyin.cli.values import positive

if TYPE_CHECKING:
    from zhiyin.forge.measuring import Measure
    from zhiyin.shown.table import Kind

BLIND = ("random", "first", "longest", "overlap")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    add = parser.add_argument
    add("set", metavar="SET", help="questions with options: CSV, JSON lines or JSON")
    add("--blind", action="append", default=[], metavar="MODEL", help="default: blind baselines")
    add("--out", metavar="DIR", required=True, help="where the runs are kept")
    add("--columns", action="append", default=[], metavar="MEANING=NAME", help="of the set")
    add("--rounds", type=positive, default=4, metavar="N", help="orders of a fold; default 4")
    add("--whole", action="store_true", help="all options at once, in every rotation")
    forge_common.add_asking(parser)
    forge_common.add_printing(parser)


def execute(args: argparse.Namespace) -> int:
    """Ask, print; 1 where calls failed."""
    from zhiyin.forge.asking import Interrupted
    from zhiyin.forge.measuring import ask_blind, measure, probes_of
    from zhiyin.forge.pipeline import asker_of
    from zhiyin.forge.sets import read_set

    questions = read_set(Path(args.set), args.columns)
    items = [entry.item for entry in questions.entries]
    probes = probes_of(items, args.rounds, whole=args.whole)
    base = forge_common.asker(args, "")
    measures = []
    try:
        for model in args.blind or BLIND:
            asker = asker_of(model, base)
            answers = ask_blind(probes, asker, Path(args.out), forge_common.watch_of(args))
            measures.append(measure(items, probes, answers, model)[0])
    except Interrupted:
        return 130
    stated = [entry.index for entry in questions.entries if entry.index is not None]
    if args.json:
        mean = sum(stated) / len(stated) if stated else None
        forge_common.print_object({"measures": measures, "stated_index": mean, "items": len(items)})
    else:
        print_measures(measures)
        if stated:
            mean = sum(stated) / len(stated)
            forge_common.print_notes(
                [f"\nthe set states an index of {len(stated)} questions: {mean:.3f} on average"]
            )
    return int(any(one.failed for one in measures))


def print_measures(measures: Sequence[Measure]) -> None:
    """A row for each examinee that hears nothing."""
    from zhiyin.shown.table import Column, table_of
    from zhiyin.shown.terminal import Terminal

    console = Terminal(highlight=False, markup=False)
    folds = list(dict.fromkeys(fold for one in measures for fold in one.folds))
    rows = [
        (
            *(one.model, one.items, one.accuracy, (one.low, one.high), one.chance, one.index),
            *(one.folds.get(fold) for fold in folds),
        )
        for one in measures
    ]
    columns: dict[str, Kind | Column] = {
        "text alone, %": "text", "items": "count", "right": "share", "95 % int.": "share",
        "chance": "share", "index": Column("index", "number", 3),
    }  # fmt: skip
    console.print_table(table_of("index", columns | dict.fromkeys(folds, "share"), rows))
    for one in measures:
        if one.failed:
            console.print(f"{one.model}: {one.failed} calls failed; the same command asks again")
    forge_common.print_notes([line for one in measures for line in one.told_by_rank()])
