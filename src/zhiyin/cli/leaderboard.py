"""`zhiyin leaderboard RUNS_DIR -o DIR`: a folder of runs as one sortable page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.flags import add_groups
from zhiyin.cli.output import open_console, print_json
from zhiyin.shown.table import Cell, Column, Row, Table
from zhiyin.words.findings import Unfinished, Warning, by_severity

if TYPE_CHECKING:
    from zhiyin.report.leaderboard.board import Board
    from zhiyin.report.leaderboard.board import Cell as BoardCell
    from zhiyin.report.leaderboard.board import Row as BoardRow

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
    add_groups(parser, "top: in short (default); all: every row and note in the terminal too")
    parser.add_argument("--json", action="store_true", help="print the tables as one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Collect, write, return the exit status."""
    from zhiyin.contract.settings import COMMITMENT
    from zhiyin.report.leaderboard import build
    from zhiyin.report.leaderboard.page import with_signatures, write_leaderboard

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
        print_json({"boards": [board.as_data() for board in boards]})
    else:
        print_boards(boards, whole=args.groups == "all")
    for path in files:
        sys.stderr.write(f"wrote {path}\n")
    return 0


_COLUMNS = 2


def print_boards(boards: Sequence[Board], *, whole: bool = False) -> None:
    """Print the tables: the first rows of each, or all with all notes."""
    from zhiyin.engine.naming import MARK

    console = open_console(markup=False)
    more = "" if whole else "--groups all"
    with console.paged():
        for board in boards:
            console.print_table(board_table(board), more)
            notes = by_severity(board.notes)
            stops = sum(one.severity == "stop" for one in notes)
            most = None if whole else max(1, stops)
            console.say_all([one.text for one in notes], most=most, more=more)
            if late := [row.name for row in board.rows if _noted(row, Unfinished)]:
                console.say(f"unfinished, and not ranked: {', '.join(late)}")
            for row in board.rows:
                for one in row.notes:
                    if one.severity == "stop" and not isinstance(one, Unfinished):
                        style = "red" if row.name.endswith(MARK) else ""
                        console.say(f"{row.name}: {one.text}", style=style)
            if board.aside:
                count = len(board.aside)
                many = "1 published row stands" if count == 1 else f"{count} published rows stand"
                console.say(f"{many} apart, on the page: {board.why_aside}")


def board_table(board: Board) -> Table:
    """A table on the terminal: the figure that ranks, and the next one."""
    names = board.columns[:_COLUMNS]
    rows = []
    for place, row in enumerate(board.rows):
        name = f"{row.name}{', signed' if row.signed else ''}"
        name = name if row.kind == "run" else f"{row.name} (published)"
        cells = (_cell(row.cells.get(column)) for column in names)
        mark: Any = "" if row.kind == "run" else "soft"
        rows.append(Row((name, *cells, row.items, row.letters), 0, -place, mark))
    columns = [Column(f"{name}, %", "share") for name in names]
    columns = [Column(board.title), *columns, Column("items", "count"), Column("ties")]
    return Table("leaderboard", "", tuple(columns), tuple(rows))


def _cell(cell: BoardCell | None) -> Cell:
    if cell is None:
        return None
    if cell.low is None or cell.high is None:
        return cell.value
    return (cell.value, cell.low, cell.high)


def _noted(row: BoardRow, kind: type[Warning]) -> bool:
    return any(isinstance(one, kind) for one in row.notes)
