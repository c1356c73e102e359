"""`zhiyin export` and `leaderboard`: runs for others."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from zhiyin.cli.output import languages_of, open_console, print_json
from zhiyin.numerals import size
from zhiyin.words import said, say, spoken
from zhiyin.words.findings import by_severity

if TYPE_CHECKING:
    from zhiyin.plugins.lab.leaderboard.board import Board
from zhiyin.cli.pages import Course


def export(runs: tuple[Path, ...], *, to: str, out: Path, partial: bool = False) -> int:
    """Write runs for other tools: Parquet, CSV, an Inspect log, Every Eval Ever, the hub.

    Parameters
    ----------
    to : FORMAT
        parquet, csv, inspect (.eval), eee, hf or published
    out : -o PATH
        the file to write; a folder for eee and hf
    partial
        for hf: take a part of a benchmark; the files say so
    """
    from zhiyin.plugins.lab.export import export as write_export

    done = write_export(runs, to, out, partial=partial)
    for path in done.files:
        told = said("wrote-size", path=path, size=size(path.stat().st_size))
        sys.stderr.write(f"{say(told, spoken())}\n")
    for note in done.notes:
        sys.stderr.write(f"note: {note}\n")
    return 0


def leaderboard(
    runs: Path,
    *,
    out: Path,
    apart: bool | None = None,
    ignore: tuple[str, ...] = (),
    reports: bool = False,
    groups: Literal["top", "all"] = "top",
    lang: str = "",
    json: bool = False,
) -> int:
    """Collect runs and published rows into one static page with intervals and a ranking.

    Parameters
    ----------
    runs : RUNS_DIR
        a folder with run folders in it
    out : -o DIR
        folder to write
    apart
        a table for each protocol, as without it; --no-apart refuses runs of several
    ignore : SETTING
        let runs differ in this setting, such as sampling.max_tokens; the page says so
    reports
        also write a report of each table, linked from it
    groups
        top: in short; all: every row and note in the terminal too
    lang : en|zh|en,zh
        the page's language, or a page in each, linked; without it that of the terminal
    json
        print the tables as one JSON object
    """
    from zhiyin.contract.resolved import COMMITMENT
    from zhiyin.plugins.lab.leaderboard import build
    from zhiyin.plugins.lab.leaderboard.page import write_leaderboard

    languages = languages_of(lang)
    boards = build(runs, ignore, apart=apart is not False, progress=Course("runs"))
    files = write_leaderboard(
        boards, out, reports_of=runs if reports else None, languages=languages
    )
    if reports and any(COMMITMENT in board.protocol for board in boards):
        sys.stderr.write(
            "warning: the reports hold the questions of a private seed: publish the page without "
            "them until the seed is shown\n"
        )
    if json:
        print_json({"boards": [board.as_data() for board in boards]})
    else:
        print_boards(boards, whole=groups == "all")
    for path in files:
        sys.stderr.write(f"{say(said('cli-wrote', path=path), spoken())}\n")
    return 0


def print_boards(boards: Sequence[Board], *, whole: bool = False) -> None:
    """Print the tables: the first rows of each, or all with all notes."""
    from zhiyin.plugins.lab.leaderboard.tables import (
        claims_of,
        figures_table,
        ranking_table,
        ranks,
        unranked_table,
    )

    console = open_console(markup=False)
    more = "" if whole else "--groups all"
    with console.paged():
        for board in boards:
            tables = [ranking_table(board), *board.measured, unranked_table(board)]
            if not (tables[0] or tables[-1]) and board.measured:
                console.print()
                console.say(board.title, indent=0)
            for table in (*tables, figures_table(board) if whole else None):
                if table:
                    console.print_table(table, more)
            for claim in claims_of(board):
                console.say(claim)
            notes = by_severity(board.notes)
            stops = sum(one.severity == "stop" for one in notes)
            most = None if whole else max(1, stops)
            console.say_all([one.text for one in notes], most=most, more=more)
            if board.aside:
                count = len(board.aside)
                many = "1 published row stands" if count == 1 else f"{count} published rows stand"
                console.say(f"{many} apart, on the page: {board.why_aside}")
        if any(any(ranks(board.rows)) for board in boards):
            console.say(said("board-ranks-are"))
