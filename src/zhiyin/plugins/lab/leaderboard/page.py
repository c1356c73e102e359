"""The tables as one page that opens from disk, as JSON and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup

from zhiyin import __version__
from zhiyin.errors import reworded
from zhiyin.files import Place, whole_or_nothing, write_atomically
from zhiyin.plugins.lab.leaderboard.board import Board
from zhiyin.plugins.lab.leaderboard.tables import (
    Links,
    Marks,
    best_of,
    claims_of,
    figures_table,
    marks_on,
    protocol_table,
    published_table,
    ranking_table,
    ranks,
    unranked_table,
)
from zhiyin.report.chapters import PageVoice
from zhiyin.report.dots import of_part
from zhiyin.report.front import with_signs
from zhiyin.runs.measures import ACCURACY
from zhiyin.shown.charts import definitions
from zhiyin.shown.dots import picture
from zhiyin.shown.pages import PAGE, Others, files_of, in_page, render, write_pages
from zhiyin.text import csv_row
from zhiyin.words import Said, Text

_REPORTS = "reports"


def write_leaderboard(
    boards: Sequence[Board],
    out: Place,
    *,
    reports_of: Place | None = None,
    languages: Sequence[str] = ("en",),
) -> list[Path]:
    """Write ``index.html``, ``leaderboard.json`` and ``leaderboard.csv`` into the folder `out`.

    Parameters
    ----------
    boards : sequence of Board
    out : Path
    reports_of : Path, optional
        The folder that was collected: a report on the runs of each table is written too, into
        ``reports``, and each row leads to it.
    languages : sequence of {"en", "zh"}
        Of the page and its reports.

    Returns
    -------
    list of Path

    Raises
    ------
    InputError
        When the folder cannot be written.
    """
    out = Path(out)
    page, data, table = (out / name for name in (PAGE, "leaderboard.json", "leaderboard.csv"))
    with reworded(f"cannot write to {out}: "):
        out.mkdir(parents=True, exist_ok=True)
        root = None if reports_of is None else Path(reports_of)
        reports = {} if root is None else _write_reports(boards, out, root, languages)
        names = files_of(Path(PAGE), languages)

        def whole(language: str, others: Others) -> str:
            links = {run: f"{of}/{names[language]}{to}" for run, (of, to) in reports.items()}
            return as_page(boards, links, language, others)

        pages = write_pages(page, languages, whole)
        write_atomically(
            data,
            msgspec.json.format(
                msgspec.json.encode([board.as_data() for board in boards]), indent=1
            )
            + b"\n",
        )
        with (
            whole_or_nothing(table) as unfinished,
            unfinished.open("w", encoding="utf-8", newline="") as file,
        ):
            _write_csv(boards, csv.writer(file))
    return [*pages, data, table]


def _write_reports(
    boards: Sequence[Board], out: Path, root: Path, languages: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """A report for each table; its folder and the place of each run's trials, by the run's."""
    from zhiyin.report.writing import report

    links = {}
    for number, board in enumerate(boards):
        rows = [row for row in board.rows if row.kind == "run" and row.folder not in links]
        if not rows:
            continue
        place = f"{_REPORTS}/{number + 1}"
        folders = [root if row.folder == root.name else root / row.folder for row in rows]
        report(*folders, out=out / place, figures=False, languages=languages)
        for run, row in enumerate(rows):
            links[row.folder] = place, f"#trials?run={run}"
    return links


def as_page(
    boards: Sequence[Board],
    links: Links | None = None,
    language: str = "en",
    others: Others = (),
) -> str:
    """The whole page: no script or style from elsewhere."""
    marks = marks_on(boards)
    boards = sorted(boards, key=lambda board: not any(ranks(board.rows)))
    signs = {
        str(called.facts["name"] if isinstance(called := row.called, Said) else row.name):
            marks[row.model] for board in boards for row in board.rows if row.kind == "run"
    }  # fmt: skip

    def signed(one: Text) -> Markup:
        return with_signs(PageVoice(language).words(one), signs)

    return render(
        "zhiyin.plugins.lab.leaderboard/leaderboard.html",
        language,
        look=in_page(
            styles=("report/report.css",),
            scripts=("zhiyin.plugins.lab.leaderboard/leaderboard.js",),
        ),
        others=others,
        definitions=definitions(),
        boards=[
            _entry(board, links or {}, marks, language, number)
            for number, board in enumerate(boards)
        ],
        top=best_of(boards),
        signed=signed,
        version=__version__,
    )


def _entry(board: Board, links: Links, marks: Marks, language: str, number: int) -> dict[str, Any]:
    """A table of runs as the tables and the drawing that a page shows."""
    tables = [unranked_table(board, page=True, links=links, marks=marks)]
    folded, shown = [figures_table(board), published_table(board)], None
    claims: Sequence[Text] = claims_of(board)
    if board.opened:
        shown = of_part(board.opened, board.title, lambda one: "")
        names = tuple((marks.get(str(who), series), who) for series, who in shown.names)
        shown = msgspec.structs.replace(shown, names=names)
    leading = {board.measures.get(name, ACCURACY).of for name in board.leading}
    if shown and leading <= {ACCURACY.of}:  # which is not what the benchmark measures
        folded, claims = folded[1:], board.opened.findings if board.opened else ()
    else:
        first = ranking_table(board, page=True, links=links, marks=marks)
        tables = [first, *board.measured, *tables]
    return {
        "board": board,
        "picture": shown and picture(shown, language, f"opened-{number}"),
        "tables": [one for one in tables if one],
        "folded": [one for one in folded if one],
        "protocol": protocol_table(board),
        "claims": claims,
    }


def _write_csv(boards: Sequence[Board], writer: Any) -> None:
    columns = ("benchmark", "table", "name", "kind", "groups", "column", "value", "low", "high")
    after = ("items", "answered", "note", "unit", "lower is better", "asked alike")
    writer.writerow([*columns, *after])
    for board in boards:
        for row in (*board.rows, *board.aside):
            for name, cell in row.cells.items():
                figures = [cell.value, cell.low, cell.high, row.items, row.ifr]
                line = [board.benchmark, board.title, row.name, row.kind, row.letters, name]
                of = [cell.measure.unit, cell.measure.lower_is_better, row.way + 1]
                writer.writerow(csv_row([*line, *figures, row.note, *of]))
