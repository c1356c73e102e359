"""`zhiyin attention RUN`: does the model answer worse when it does not hear the music?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli.tables import print_table

if TYPE_CHECKING:
    from zhiyin.benchmarks.muchomusic.attention import Attention

HELP = "Audio attention test of a run that holds true audio and noise, swap, silence or none."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument(
        "run", metavar="RUN", help="from `zhiyin run muchomusic --audio true,noise`"
    )
    parser.add_argument(
        "--alpha", type=float, default=0.05, metavar="P", help="level of significance; default 0.05"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Test, print, return the exit status: 0 whether the model passes or fails."""
    from zhiyin.benchmarks.muchomusic.attention import attention
    from zhiyin.cli.display import print_json

    found = attention(Path(args.run), args.alpha)
    if args.json:
        print_json(found)
    else:
        _print(found)
    return 0


def _print(found: Attention) -> None:
    from rich.table import Table

    from zhiyin.benchmarks.muchomusic.attention import attention_section
    from zhiyin.cli.terminal import Terminal

    section = attention_section(found)
    table = Table(box=None, pad_edge=False, title=f"{found.model}  {found.run}")
    table.title_justify = "left"
    for number, column in enumerate(section.columns):
        table.add_column(column, justify="right" if number else "left", vertical="bottom")
    for row in section.rows:
        table.add_row(*(f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in row))
    console = Terminal(highlight=False, markup=False)
    print_table(console, table)
    for note in section.notes:
        console.print(note, soft_wrap=True)
