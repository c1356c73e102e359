"""What the parts of `zhiyin forge` share: the flags of models, and how funnels are printed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zhiyin.forge.asking import Asker
    from zhiyin.forge.stages import Funnel
    from zhiyin.session import Watch
    from zhiyin.shown.table import Kind


def add_asking(parser: argparse.ArgumentParser) -> None:
    """Add the flags for prompts, sampling, limits and spending."""
    from zhiyin.cost.desk import Spending
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import add_part
    from zhiyin.record import Sampling

    add = parser.add_argument
    add("--prompts", metavar="DIR", help="prompts, examples and taxonomy that replace ours by name")
    add_part(
        parser,
        Sampling(),
        temperature="of the model that writes; default 0",
        max_tokens="of its replies; default: its own",
        **dict.fromkeys(("top_p", "top_k", "seed", "thinking"), ""),
    )
    add_part(parser, Limits(0), concurrency="calls under way at once")
    add_part(parser.add_argument_group("what it costs (docs/cost.md)"), Spending())


def add_printing(parser: argparse.ArgumentParser) -> None:
    """Add the flags about what is printed."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def asker(args: argparse.Namespace, model: str) -> Asker:
    """The model that writes, with the settings of the flags."""
    from zhiyin.cost.desk import Spending
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import read_part
    from zhiyin.forge.asking import Asker
    from zhiyin.record import Sampling

    return Asker(
        model,
        read_part(Sampling(), vars(args)),
        read_part(Limits(0), vars(args)),
        read_part(Spending(), vars(args)),
        args.prompts,
    )


def watch_of(args: argparse.Namespace) -> Watch:
    """What is shown while a model is asked."""
    from zhiyin.session.progress import Progress, quietly

    return quietly if args.quiet or args.json else Progress


def print_funnels(funnels: Sequence[Funnel]) -> None:
    """The funnels as a table, then what fell, each reason with examples."""
    from zhiyin.shown.table import table_of
    from zhiyin.shown.terminal import Terminal

    console = Terminal(highlight=False, markup=False)
    columns: dict[str, Kind] = {
        "stage": "text", "of": "text", "went in": "count", "fell": "count", "kept": "count"
    }  # fmt: skip
    rows = [(one.stage, one.unit, one.went_in, sum(one.fell.values()), one.kept) for one in funnels]
    console.print_table(table_of("funnels", columns, rows))
    for one in funnels:
        if one.fell or one.notes:
            console.print(f"\n{one.stage}")
        for why, count in one.fell.items():
            console.print(
                f"  {count} {why}{', such as' if count > len(one.examples[why]) else ':'}"
            )
            for example in one.examples[why]:
                console.print(f"    {_short(example)}")
        for note in one.notes:
            console.print(f"  {note}")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 300 else f"{line[:299]}…"


def print_notes(lines: Sequence[str]) -> None:
    """Lines as they are, made safe for a terminal."""
    from zhiyin.shown.terminal import Terminal

    console = Terminal(highlight=False, markup=False, soft_wrap=True)
    for line in lines:
        console.print(line)


def print_object(value: Any) -> None:
    """One JSON object."""
    from zhiyin.cli.display import print_json

    print_json(value)
