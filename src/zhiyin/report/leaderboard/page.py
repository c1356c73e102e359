"""The tables as one page that opens from disk, as JSON and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import msgspec

from zhiyin import __version__
from zhiyin.chinese import found_in_chinese
from zhiyin.engine.naming import MARK, red
from zhiyin.errors import InputError
from zhiyin.files import whole_or_nothing, write_atomically
from zhiyin.paths import Place
from zhiyin.report.leaderboard.board import Board, Cell, Row
from zhiyin.report.leaderboard.frontier import drawing
from zhiyin.report.leaderboard.signed import copy_statements
from zhiyin.text import csv_row
from zhiyin.words import say
from zhiyin.words.findings import Warning

_KINDS = {"model": "published", "human": "people, published", "chance": "chance"}
_REPORTS = "reports"
_ZH = {
    "model": "模型",
    "ties": "并列",
    "answered": "作答率",
    "items": "题",
    "songs": "首歌",
    "usd an item": "每题美元",
    "tokens an item": "每题词元",
    "report": "报告",
    "trials": "题目",
    "published": "已发表",
    "people, published": "人类，已发表",
    "chance": "随机",
    "signed": "已签名",
    "Protocol": "协议",
    "Cost beside quality": "成本与质量",
    "Published, set apart": "已发表，单列",
}
"""The page's headings in Chinese; its sentences are in the phrasebooks."""
Links = Mapping[str, str]
"""Address of a run's report by the run's folder."""


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
    try:
        out.mkdir(parents=True, exist_ok=True)
        links = {} if reports_of is None else _write_reports(boards, out, Path(reports_of))
        signed = {} if signed_in is None else copy_statements(Path(signed_in), boards, out)
        write_atomically(page, as_page(boards, links, signed).encode())
        write_atomically(data, msgspec.json.format(msgspec.json.encode(boards), indent=1) + b"\n")
        with (
            whole_or_nothing(table) as unfinished,
            unfinished.open("w", encoding="utf-8", newline="") as file,
        ):
            _write_csv(boards, csv.writer(file))
    except OSError as error:
        raise InputError(f"cannot write to {out}: {error.strerror or error}") from None
    return [page, data, table]


def _write_reports(boards: Sequence[Board], out: Path, root: Path) -> dict[str, str]:
    """A report for each table; the address of each run's trials, by its folder."""
    from zhiyin.report.writing import write_folder

    links = {}
    for number, board in enumerate(boards):
        rows = [row for row in board.rows if row.kind == "run" and row.folder not in links]
        if not rows:
            continue
        place = f"{_REPORTS}/{number + 1}"
        folders = [root if row.folder == root.name else root / row.folder for row in rows]
        write_folder(folders, out / place, journal=False)
        for run, row in enumerate(rows):
            links[row.folder] = f"{place}/index.html#trials?run={run}"
    return links


def as_page(
    boards: Sequence[Board], links: Links | None = None, signed: Links | None = None
) -> str:
    """The whole page: no script or style from elsewhere, everything from runs escaped."""
    template = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    contents = "".join(
        f'<li><a href="#b{number}">{escape(board.title)}</a></li>'
        for number, board in enumerate(boards)
    )
    return Template(template).substitute(
        contents=f"<ul>{contents}</ul>" if len(boards) > 1 else "",
        boards="".join(
            _section(board, number, links or {}, signed or {})
            for number, board in enumerate(boards)
        ),
        version=escape(__version__),
    )


def _section(board: Board, number: int, links: Links, signed: Links) -> str:
    ranked = sum(bool(row.letters) for row in board.rows)
    many = "1 finished run" if ranked == 1 else f"{ranked} finished runs"
    on = f"{board.items:,} {board.unit}"
    about = _both(f"{many} on {on}{' that all of them judged' if ranked > 1 else ''}.")
    letters = (
        _both("Runs on one upright line are not told apart by paired tests (Holm, 0.05).")
        if ranked > 1
        else ""
    )
    notes = "".join(f'<p class="note">{_both(note)}</p>' for note in board.notes)
    source = (
        f'<p>{_both("Published:")} <span lang="en">{escape(board.source)}.</span></p>'
        if board.source
        else ""
    )
    return (
        f'<section id="b{number}"><h2>{escape(board.title)}</h2><p class="note">{about} '
        f"{_both('Lines are 95 % intervals.')} {letters} {_both('Figures are per cent.')}</p>"
        f"{_table(board, number, links, signed)}{notes}{_cost(board)}{_aside(board)}"
        f"<details><summary>{_both('Protocol')}</summary>{_protocol(board)}{source}"
        f'<p lang="en">{escape(board.paper)}</p></details></section>'
    )


def _both(said: str | Warning) -> str:
    """Words of ours in both languages; the page's script shows one."""
    words, other = str(said), _ZH.get(str(said)) or found_in_chinese(str(said))
    if isinstance(said, Warning):
        other = say(said, "zh")
    return f'<span data-zh="{escape(other)}">{escape(words)}</span>' if other else escape(words)


def _table(board: Board, number: int, links: Links, signed: Links) -> str:
    costs = [unit for unit in ("usd", "tokens") if any(getattr(r, unit) for r in board.rows)][:1]
    names = [*board.columns, "answered", board.unit, *(f"{unit} an item" for unit in costs)]
    head = "".join(
        f'<th scope="col"><button type="button">{_both(_breakable(name))}</button></th>'
        for name in names
    )
    letters = [letter for row in board.rows for letter in row.letters]
    tied = sorted({letter for letter in letters if letters.count(letter) > 1})
    rows = "".join(
        _row(row, board.columns, rank, tied, costs, links, signed)
        for row, rank in _ranked(board.rows)
    )
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(board.title)}"><table>'
        '<thead><tr><th scope="col" class="name"><button type="button">'
        f"{_both('model')}</button></th>"
        f'<th scope="col"><button type="button">{_both("ties")}</button></th>{head}'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cost(board: Board) -> str:
    drawn = drawing(board)
    title = _both("Cost beside quality")
    return f"<details open><summary>{title}</summary>{drawn}</details>" if drawn else ""


def _aside(board: Board) -> str:
    """Published rows that cannot stand between the runs, and why."""
    if not board.aside:
        return ""
    columns = [name for name in board.columns if any(name in row.cells for row in board.aside)]
    label = escape(f"{board.title}, published")
    head = "".join(f'<th scope="col" class="n">{escape(_breakable(name))}</th>' for name in columns)
    rows = "".join(
        f'<tr><th scope="row">{escape(row.name)}<small>{_both(_KINDS[row.kind])}</small></th>'
        + "".join(_cell(row.cells.get(name)) for name in columns)
        + "</tr>"
        for row in board.aside
    )
    return (
        f'<p class="note">{_both(f"Published figures stand apart: {board.why_aside}.")}</p>'
        f"<details><summary>{_both('Published, set apart')} ({len(board.aside)})</summary>"
        f'<div class="scroll" tabindex="0" role="group" aria-label="{label}">'
        f'<table class="aside"><thead><tr><th scope="col" class="name">{_both("model")}</th>{head}'
        f"</tr></thead><tbody>{rows}</tbody></table></div></details>"
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


def _row(
    row: Row,
    columns: Sequence[str],
    rank: int | None,
    tied: Sequence[str],
    costs: Sequence[str],
    links: Links,
    signed: Links,
) -> str:
    remarks = [_both(_KINDS[row.kind])] if row.kind in _KINDS else []
    if row.kind not in _KINDS and row.folder != row.name:
        remarks.append(escape(row.folder))
    if row.notes:
        noted = "; ".join(map(_both, row.notes))
        deaf = row.name.endswith(MARK)
        remarks.append(f'<span class="bad">{noted}</span>' if deaf else noted)
        remarks += [f"<code>{escape(one.remedy)}</code>" for one in row.notes if one.remedy]
    if link := links.get(row.folder):
        page = link.partition("#")[0]
        remarks.append(f'<a href="{escape(page)}">{_both("report")}</a>')
        remarks.append(f'<a href="{escape(link)}">{_both("trials")}</a>')
    if row.signed:
        words = f"{_both('signed')} {escape(row.signed)}"
        place = signed.get(row.folder)
        remarks.append(f'<a href="{escape(place)}">{words}</a>' if place else words)
    cells = "".join(_cell(row.cells.get(name)) for name in columns)
    number = "" if rank is None else f'<span class="rank">{rank}</span>'
    spent = "".join(_spent(getattr(row, unit)) for unit in costs)
    return (
        f'<tr class="{row.kind}"><th scope="row" data-v="{escape(row.name)}">{number}'
        f"{red(row.name)}<small>{'; '.join(remarks)}</small></th>{_ties(row, tied)}{cells}"
        f"{_plain(row.ifr, percent=True)}{_plain(row.items)}{spent}</tr>"
    )


def _ties(row: Row, tied: Sequence[str]) -> str:
    """An upright line for each group of runs that are not told apart: they join from row to row."""
    lines = "".join(
        f'<i class="{"in" if letter in row.letters else "out"}"></i>' for letter in tied
    )
    aloud = f'<span class="aloud">{escape(row.letters)}</span>' if row.letters else ""
    return f'<td class="ties" data-v="{escape(row.letters)}">{lines}{aloud}</td>'


def _spent(value: float | None) -> str:
    return f'<td class="n" data-v="{value or ""}">{f"{value:.3g}" if value else ""}</td>'


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
        by_run = (f"{run}: {'unset' if v is None else v}" for run, v in values.items())
        settings[name] = f"differs ({'; '.join(by_run)})"
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td><code>{escape(text)}</code></td></tr>"
        for name, text in settings.items()
    )
    return f"<table>{rows}</table>"


def _write_csv(boards: Sequence[Board], writer: Any) -> None:
    columns = ("benchmark", "table", "name", "kind", "groups", "column", "value", "low", "high")
    writer.writerow([*columns, "items", "answered", "note", "signed"])
    for board in boards:
        for row in (*board.rows, *board.aside):
            for name, cell in row.cells.items():
                figures = [cell.value, cell.low, cell.high, row.items, row.ifr]
                line = [board.benchmark, board.title, row.name, row.kind, row.letters, name]
                writer.writerow(csv_row([*line, *figures, row.note, row.signed]))
