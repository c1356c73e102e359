"""`zhiyin leaderboard RUNS_DIR -o DIR`: a folder of runs as one sortable page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli.sharing import add_groups
from zhiyin.words.findings import SignatureBroken, Unfinished, Warning

if TYPE_CHECKING:
    from rich.table import Table

    from zhiyin.report.leaderboard.board import Board, Row

HELP = "Collect runs and published rows into one static page with intervals and a ranking."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("runs", metavar="RUNS_DIR", help="a folder with run folders in it")
    parser.add_argument("-o", "--out", required=True, metavar="DIR", help="folder to write")
    parser.add_argument(
        "--apart", action="store_true", help="a table for each protocol, in place of refusing"
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="SETTING",
        help="let runs differ in this setting, such as sampling.max_tokens; it is told on the page",
    )
    parser.add_argument(
        "--reports", action="store_true", help="also write a report of each table, linked from it"
    )
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="KEY",
        help="a public key, or a file of it, whose signatures count; several; default: any",
    )
    add_groups(parser, "top: one screen (default); all: every row and note in the terminal too")
    parser.add_argument("--json", action="store_true", help="print the tables as one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Collect, write, return the exit status."""
    from zhiyin.cli.display import print_json
    from zhiyin.contract.settings import COMMITMENT
    from zhiyin.report.leaderboard import build
    from zhiyin.report.leaderboard.page import write_leaderboard
    from zhiyin.report.leaderboard.signed import with_signatures

    root = Path(args.runs)
    boards = with_signatures(root, build(root, args.ignore, apart=args.apart), args.key)
    files = write_leaderboard(
        boards, Path(args.out), reports_of=root if args.reports else None, signed_in=root
    )
    if args.reports and any(COMMITMENT in board.protocol for board in boards):
        sys.stderr.write(
            "warning: the reports hold the questions of a private seed: publish the page without "
            "them until the seed is shown\n"
        )
    if args.json:
        print_json({"boards": boards})
    else:
        print_boards(boards, len(files), whole=args.groups == "all")
    for path in files:
        sys.stderr.write(f"wrote {path}\n")
    return 0


_ROWS = (12, 8, 5, 3, 1)
_COLUMNS = 2


def print_boards(boards: Sequence[Board], taken: int, *, whole: bool = False) -> None:
    """Print the tables on one screen, of which something else takes some lines."""
    from zhiyin.cli.screen import Screen, nothing, sentences, table_of
    from zhiyin.shown.terminal import Terminal
    from zhiyin.engine.naming import MARK

    screen = Screen(Terminal(markup=False), taken)
    for number, board in enumerate(boards):
        counts = [None, *(count for count in _ROWS if count < len(board.rows))]
        forms = table_of(partial(board_table, board, screen.width), counts)
        # The last tables give way first; of the first one a row stays.
        ranks = [1 + step - number / 100 for step in range(len(counts))]
        screen.add(*forms, *([nothing] if number else []), rank=ranks)
        screen.add(*sentences([*map(str, board.notes)], (1, 0)), rank=0)
        deaf = [f"{row.name}: {row.note}" for row in board.rows if row.name.endswith(MARK)]
        screen.add(*sentences(deaf, (1, 0), style="red", rest="more failed"), rank=(0.3, 0.2))
        if late := [row.name for row in board.rows if _noted(row, Unfinished)]:
            unfinished = [f"unfinished, and not ranked: {', '.join(late)}"]
            screen.add(*sentences(unfinished, (0,)), rank=0.4)
        if broken := [
            f"{row.name}: {row.note}" for row in board.rows if _noted(row, SignatureBroken)
        ]:
            screen.add(*sentences(broken, (len(broken),)), rank=0)
        if board.aside:
            many = (
                "1 published row stands"
                if len(board.aside) == 1
                else (f"{len(board.aside)} published rows stand")
            )
            apart = f"{many} apart, on the page: {board.why_aside}"
            screen.add(*sentences([apart], (0,)), rank=0.5)
    if len(boards) > 1:
        screen.add(lambda console: console.say(f"{len(boards)} tables; all of them: --groups all"))
    screen.show(whole=whole)


def board_table(board: Board, width: int, most: int | None) -> Table:
    """The first rows of a table: the figure that ranks, and the next one."""
    from rich.table import Table

    from zhiyin.cli.screen import named_table

    columns = board.columns[:_COLUMNS]

    def empty() -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), title_justify="left")
        table.add_column(board.title, overflow="fold")
        for name in columns:
            table.add_column(f"{name}, %", justify="right", vertical="bottom")
        table.add_column("items", justify="right", vertical="bottom")
        table.add_column("ties", vertical="bottom")
        return table

    rows = board.rows[:most]
    names = [
        f"{row.name}{', signed' if row.signed else ''}"
        if row.kind == "run"
        else f"{row.name} (published)"
        for row in rows
    ]
    body = [_cells(row, columns) for row in rows]
    short = None if most is None else width
    return named_table(empty, names, body, short, len(board.rows) - len(rows))


def _cells(row: Row, columns: Sequence[str]) -> list[str]:
    from zhiyin.numerals import percent

    cells = []
    for name in columns:
        cell = row.cells.get(name)
        text = percent(cell.value if cell else None)
        if cell and cell.low is not None:
            text += f" ({percent(cell.low)}–{percent(cell.high)})"
        cells.append(text)
    return [*cells, "-" if row.items is None else str(row.items), row.letters]


def _noted(row: Row, kind: type[Warning]) -> bool:
    return any(isinstance(one, kind) for one in row.notes)
