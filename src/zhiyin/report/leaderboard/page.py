"""The tables as one page that opens from disk, as JSON and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import msgspec

from zhiyin import __version__
from zhiyin.errors import InputError
from zhiyin.paths import Place
from zhiyin.report.leaderboard import Board, Cell, Row
from zhiyin.text import csv_row

_KINDS = {"model": "published", "human": "people, published", "chance": "chance"}


def write_leaderboard(boards: Sequence[Board], out: Place) -> list[Path]:
    """Write ``index.html``, ``leaderboard.json`` and ``leaderboard.csv`` into the folder `out`.

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
    try:
        out.mkdir(parents=True, exist_ok=True)
        page.write_text(as_page(boards), encoding="utf-8")
        data.write_bytes(msgspec.json.format(msgspec.json.encode(boards), indent=1) + b"\n")
        with table.open("w", encoding="utf-8", newline="") as file:
            _write_csv(boards, csv.writer(file))
    except OSError as error:
        raise InputError(f"cannot write to {out}: {error.strerror or error}") from None
    return [page, data, table]


def as_page(boards: Sequence[Board]) -> str:
    """The whole page: no script or style from elsewhere, everything from runs escaped."""
    template = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    contents = "".join(
        f'<li><a href="#b{number}">{escape(board.title)}</a></li>'
        for number, board in enumerate(boards)
    )
    return Template(template).substitute(
        contents=f"<ul>{contents}</ul>" if len(boards) > 1 else "",
        boards="".join(_section(board, number) for number, board in enumerate(boards)),
        version=escape(__version__),
    )


def _section(board: Board, number: int) -> str:
    head = "".join(
        f'<th scope="col"><button type="button">{escape(_breakable(name))}</button></th>'
        for name in board.columns
    )
    rows = "".join(_row(row, board.columns, rank) for row, rank in _ranked(board.rows))
    ranked = sum(bool(row.letters) for row in board.rows)
    many = "1 finished run" if ranked == 1 else f"{ranked} finished runs"
    on = f"{board.items:,} {board.unit}"
    about = f"{many} on {on}{' that all of them judged' if ranked > 1 else ''}. "
    others = (
        " Published figures come without an interval, and may rest on other prompts and rules."
        if board.source
        else ""
    )
    letters = (
        " Runs that share a letter are not told apart by paired tests (Holm, 0.05)."
        if ranked > 1
        else ""
    )
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in board.notes)
    source = f"<p>Published: {escape(board.source)}.</p>" if board.source else ""
    paper = f"<p>{escape(board.paper)}</p>"
    return (
        f'<section id="b{number}"><h2>{escape(board.title)}</h2><p class="note">{about}Lines are '
        f"95 % intervals.{letters} Figures are per cent.{others}</p>{notes}"
        '<div class="scroll"><table><thead><tr>'
        '<th scope="col"><button type="button">#</button></th>'
        '<th scope="col" class="name"><button type="button">model</button></th>'
        f'<th scope="col"><button type="button">group</button></th>{head}'
        '<th scope="col"><button type="button">answered</button></th>'
        f'<th scope="col"><button type="button">{escape(board.unit)}</button></th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
        f"<details><summary>Protocol</summary>{_protocol(board)}{source}{paper}</details>"
        "</section>"
    )


def _breakable(name: str) -> str:
    """A figure's name that may be broken over lines between the parts of a path."""
    return name.replace("/", " / ")


def _ranked(rows: Sequence[Row]) -> list[tuple[Row, int | None]]:
    """Each row with its rank: one above it for each run that is better."""
    place = 0
    ranked: list[tuple[Row, int | None]] = []
    for row in rows:
        place += bool(row.letters)
        ranked.append((row, place if row.letters else None))
    return ranked


def _row(row: Row, columns: Sequence[str], rank: int | None) -> str:
    told = [_KINDS[row.kind]] if row.kind in _KINDS else [row.folder]
    if row.note:
        told.append(row.note)
    cells = "".join(_cell(row.cells.get(name)) for name in columns)
    return (
        f'<tr class="{row.kind}"><td class="n" data-v="{"" if rank is None else -rank}">'
        f"{'' if rank is None else rank}</td>"
        f'<th scope="row" data-v="{escape(row.name)}">{escape(row.name)}'
        f"<small>{escape('; '.join(told))}</small></th>"
        f'<td class="letters" data-v="{escape(row.letters)}">{escape(row.letters)}</td>{cells}'
        f"{_plain(row.ifr, percent=True)}{_plain(row.items)}</tr>"
    )


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return '<td class="n" data-v=""></td>'
    line = ""
    if cell.low is not None and cell.high is not None:
        low, high = max(0.0, cell.low), min(1.0, cell.high)
        style = f"--l:{100 * low:.2f}%;--h:{100 * high:.2f}%;--v:{100 * cell.value:.2f}%"
        title = f"95 % interval {100 * low:.1f} to {100 * high:.1f}"
        line = f'<span class="line" style="{style}" title="{title}"></span>'
    return f'<td class="n" data-v="{cell.value:.6f}">{100 * cell.value:.1f}{line}</td>'


def _plain(value: float | int | None, *, percent: bool = False) -> str:
    if value is None:
        return '<td class="n" data-v=""></td>'
    return f'<td class="n" data-v="{value}">{f"{100 * value:.1f}" if percent else value}</td>'


def _protocol(board: Board) -> str:
    settings = {name: str(value) for name, value in board.protocol.items()}
    for name, values in board.ignored.items():
        told = (f"{run}: {'unset' if v is None else v}" for run, v in values.items())
        settings[name] = f"differs ({'; '.join(told)})"
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td><code>{escape(told)}</code></td></tr>"
        for name, told in settings.items()
    )
    return f"<table>{rows}</table>"


def _write_csv(boards: Sequence[Board], writer: Any) -> None:
    columns = ("benchmark", "table", "name", "kind", "groups", "column", "value", "low", "high")
    writer.writerow([*columns, "items", "answered", "note"])
    for board in boards:
        for row in board.rows:
            for name, cell in row.cells.items():
                figures = [cell.value, cell.low, cell.high, row.items, row.ifr]
                line = [board.benchmark, board.title, row.name, row.kind, row.letters, name]
                writer.writerow(csv_row([*line, *figures, row.note]))
