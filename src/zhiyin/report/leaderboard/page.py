"""The tables as one page that opens from disk, as JSON and as CSV."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from zhiyin import __version__
from zhiyin.engine.sums import SIGNATURE, SIGNED
from zhiyin.errors import reworded
from zhiyin.files import Place, whole_or_nothing, write_atomically
from zhiyin.report.leaderboard.board import Board, BoardRow
from zhiyin.report.leaderboard.tables import (
    Links,
    claims_of,
    figures_table,
    protocol_table,
    published_table,
    ranking_table,
    unranked_table,
)
from zhiyin.session.signing import check_signature, is_signed
from zhiyin.shown.charts import definitions
from zhiyin.shown.pages import TONGUES, in_page, render_both
from zhiyin.text import csv_row
from zhiyin.words.findings import SealedLate, SignatureBroken

_REPORTS = "reports"


def write_leaderboard(
    boards: Sequence[Board],
    out: Place,
    *,
    reports_of: Place | None = None,
    signed_in: Place | None = None,
) -> list[Path]:
    """Write ``index.html``, ``leaderboard.json`` and ``leaderboard.csv`` into the folder `out`.

    Parameters
    ----------
    boards : sequence of Board
    out : Path
    reports_of : Path, optional
        The folder that was collected: a report on the runs of each table is written too, into
        ``reports``, and each row leads to it.
    signed_in : Path, optional
        The folder that was collected: the statements of signed runs are copied into ``signed``,
        and each row leads to its own.

    Returns
    -------
    list of Path

    Raises
    ------
    InputError
        When the folder cannot be written.
    """
    out = Path(out)
    page, data, table = (
        out / name for name in ("index.html", "leaderboard.json", "leaderboard.csv")
    )
    with reworded(f"cannot write to {out}: "):
        out.mkdir(parents=True, exist_ok=True)
        links = {} if reports_of is None else _write_reports(boards, out, Path(reports_of))
        signed = {} if signed_in is None else copy_statements(Path(signed_in), boards, out)
        write_atomically(page, as_page(boards, links, signed).encode())
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
    return [page, data, table]


def _write_reports(boards: Sequence[Board], out: Path, root: Path) -> dict[str, str]:
    """A report for each table; the address of each run's trials, by its folder."""
    from zhiyin.report.writing import report

    links = {}
    for number, board in enumerate(boards):
        rows = [row for row in board.rows if row.kind == "run" and row.folder not in links]
        if not rows:
            continue
        place = f"{_REPORTS}/{number + 1}"
        folders = [root if row.folder == root.name else root / row.folder for row in rows]
        report(*folders, out=out / place, figures=False)
        for run, row in enumerate(rows):
            links[row.folder] = f"{place}/index.html#trials?run={run}"
    return links


def as_page(
    boards: Sequence[Board], links: Links | None = None, signed: Links | None = None
) -> str:
    """The whole page, in both languages: no script or style from elsewhere."""
    return render_both(
        "report/leaderboard.html",
        "Leaderboard",
        in_page(styles=("report/report.css",), scripts=(TONGUES, "report/leaderboard.js")),
        definitions=definitions(),
        boards=[_entry(board, links or {}, signed or {}) for board in boards],
        version=__version__,
    )


def _entry(board: Board, links: Links, signed: Links) -> dict[str, Any]:
    """A table of runs as the tables and the drawing that a page shows."""
    return {
        "board": board,
        "tables": [
            one
            for one in (
                ranking_table(board, page=True, links=links, signed=signed),
                *board.measured,
                unranked_table(board, page=True, links=links),
            )
            if one
        ],
        "folded": [one for one in (figures_table(board), published_table(board)) if one],
        "protocol": protocol_table(board),
        "claims": claims_of(board),
    }


def _write_csv(boards: Sequence[Board], writer: Any) -> None:
    columns = ("benchmark", "table", "name", "kind", "groups", "column", "value", "low", "high")
    after = ("items", "answered", "note", "signed", "unit", "lower is better", "asked alike")
    writer.writerow([*columns, *after])
    for board in boards:
        for row in (*board.rows, *board.aside):
            for name, cell in row.cells.items():
                figures = [cell.value, cell.low, cell.high, row.items, row.ifr]
                line = [board.benchmark, board.title, row.name, row.kind, row.letters, name]
                of = [cell.measure.unit, cell.measure.lower_is_better, row.way + 1]
                writer.writerow(csv_row([*line, *figures, row.note, row.signed, *of]))


PLACE = "signed"


def with_signatures(root: Path, boards: Sequence[Board], keys: Sequence[str] = ()) -> list[Board]:
    """Tables whose rows say by which key a run is signed; each signature is checked.

    Parameters
    ----------
    root : Path
        The folder that was collected.
    boards : sequence of Board
    keys : sequence of str
        Public keys, or files of them, that alone count; empty: any key.

    Raises
    ------
    InputError
        One of `keys` is none, or a run is signed and cryptography is not installed.
    """
    return [
        structs.replace(board, rows=[_checked(root, row, keys) for row in board.rows])
        for board in boards
    ]


def _checked(root: Path, row: BoardRow, keys: Sequence[str]) -> BoardRow:
    if row.kind != "run" or not row.folder:
        return row
    folder = folder_of(root, row)
    if not is_signed(folder):
        return row
    checked = check_signature(folder, keys)
    if checked.why:
        return structs.replace(row, notes=(*row.notes, SignatureBroken(why=checked.why)))
    late = (SealedLate(),) if checked.late else ()
    return structs.replace(row, signed=checked.by, notes=(*row.notes, *late))


def folder_of(root: Path, row: BoardRow) -> Path:
    """Where the run of a row lies."""
    return root if row.folder == root.name else root / row.folder


def copy_statements(root: Path, boards: Sequence[Board], out: Path) -> dict[str, str]:
    """Copy what was signed, and the signatures, beside the page.

    Returns
    -------
    dict of str to str
        The address of a run's statement, by the run's folder.
    """
    addresses: dict[str, str] = {}
    for row in (row for board in boards for row in board.rows if row.signed):
        if row.folder in addresses:
            continue
        place = f"{PLACE}/{len(addresses) + 1}"
        (out / place).mkdir(parents=True, exist_ok=True)
        for name in (SIGNED, SIGNATURE):
            shutil.copyfile(folder_of(root, row) / name, out / place / name)
        addresses[row.folder] = f"{place}/{SIGNED}"
    return addresses
