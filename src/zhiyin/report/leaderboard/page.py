"""The tables as one page that opens from disk, as JSON and as CSV."""

from __future__ import annotations

import csv
import math
import shutil
from collections.abc import Callable, Sequence
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
    figures_table,
    protocol_table,
    published_table,
    ranking_table,
    unranked_table,
)
from zhiyin.session.signing import check_signature, is_signed
from zhiyin.shown.charts import worth_an_axis
from zhiyin.shown.pages import TONGUES, in_page, render_both
from zhiyin.text import csv_row
from zhiyin.words import Text
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
        in_page(scripts=(TONGUES, "report/leaderboard.js")),
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
        "plots": [
            (name, plot)
            for name, wide in (("broad", _WIDE), ("narrow", _NARROW))
            if (plot := plot_of(board, wide))
        ],
    }


def _write_csv(boards: Sequence[Board], writer: Any) -> None:
    columns = ("benchmark", "table", "name", "kind", "groups", "column", "value", "low", "high")
    writer.writerow([*columns, "items", "answered", "note", "signed"])
    for board in boards:
        for row in (*board.rows, *board.aside):
            for name, cell in row.cells.items():
                figures = [cell.value, cell.low, cell.high, row.items, row.ifr]
                line = [board.benchmark, board.title, row.name, row.kind, row.letters, name]
                writer.writerow(csv_row([*line, *figures, row.note, row.signed]))


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


_WIDE, _NARROW, _TALL, _LEFT, _FOOT = 640, 358, 260, 44, 40
_LETTER = 7.5
"""Width of a letter, and its height more than once: names that would meet are moved apart."""
_LINE = 14
_LONGEST = 26
"""Longer names stand beside the drawing; in a narrow one so much shorter ones do."""


class Point(msgspec.Struct):
    """A run in the drawing: its place, the ends of its interval, and where its name stands."""

    name: str
    x: float
    y: float
    ends: tuple[float, float] | None
    best: bool
    leftward: bool = False
    label: float = 0.0

    @property
    def room(self) -> tuple[float, float]:
        """From where to where its name goes."""
        length = _LETTER * len(self.name)
        start = self.x - 8 - length if self.leftward else self.x + 8
        return start, start + length


class Plot(msgspec.Struct, frozen=True):
    """The drawing in units of its own: levels and ticks are (place, value).

    Long names stand in `key`, by the numbers that stand for them in the drawing.
    """

    figure: Text
    unit: str
    names: list[str]
    levels: list[tuple[float, float]]
    ticks: list[tuple[float, str]]
    edge: str
    points: list[Point]
    key: list[tuple[str, str]]
    wide: int
    tall: int = _TALL
    left: int = _LEFT
    foot: int = _TALL - _FOOT + 16

    @property
    def right(self) -> int:
        """Where its lines end."""
        return self.wide - 10


def points_of(board: Board) -> tuple[str, list[tuple[BoardRow, float, float]]]:
    """What is known of the cost of an item: its unit, and each model's run with cost and figure.

    In money where two runs or more have a price, else in tokens; empty where neither is known or
    costs hardly differ.
    """
    if not board.columns:
        return "", []
    runs = [
        row
        for row in board.rows
        if row.letters and row.role == "model" and board.columns[0] in row.cells
    ]
    for unit in ("usd", "tokens"):
        costs = [(row, row.usd if unit == "usd" else row.tokens) for row in runs]
        points = [(row, cost, row.cells[board.columns[0]].value) for row, cost in costs if cost]
        if worth_an_axis([cost for _, cost, _ in points]):
            return unit, points
    return "", []


def frontier(
    points: Sequence[tuple[BoardRow, float, float]],
) -> list[tuple[BoardRow, float, float]]:
    """Those that no other beats in quality at the same cost or less, cheapest first."""
    best: list[tuple[BoardRow, float, float]] = []
    for point in sorted(points, key=lambda one: (one[1], -one[2])):
        if not best or point[2] > best[-1][2]:
            best.append(point)
    return best


def plot_of(board: Board, wide: int = _WIDE) -> Plot | None:
    """The drawing, so wide; None where fewer than two runs have a cost."""
    unit, points = points_of(board)
    if not points:
        return None
    first = board.columns[0]
    ends = [row.cells[first] for row, _, _ in points]
    low = min(cell.low if cell.low is not None else cell.value for cell in ends)
    high = max(cell.high if cell.high is not None else cell.value for cell in ends)
    low, high = max(0.0, low - 0.04), min(1.0, high + 0.04)
    logs = [math.log10(cost) for _, cost, _ in points]
    room = max(0.15, 0.12 * (max(logs) - min(logs)))
    left, right = min(logs) - room, max(logs) + 2.5 * room

    def x(cost: float) -> float:
        return round(_LEFT + (wide - _LEFT - 10) * (math.log10(cost) - left) / (right - left), 1)

    def y(value: float) -> float:
        return round(22 + (_TALL - _FOOT - 22) * (high - value) / (high - low), 1)

    longest = _LONGEST * wide // _WIDE
    short = all(len(row.name) <= longest for row, _, _ in points)
    edge = frontier(points)
    on_edge = {id(row) for row, _, _ in edge}
    drawn = []
    for row, cost, value in points:
        cell = row.cells[first]
        whole = cell.low is not None and cell.high is not None
        ends_at = (y(cell.low or 0.0), y(cell.high or 0.0)) if whole else None
        name = row.name if short else str(board.rows.index(row) + 1)
        drawn.append(Point(name, x(cost), y(value), ends_at, id(row) in on_edge))
    line = f"M{x(edge[0][1])} {y(edge[0][2])}"
    line += "".join(f"H{x(cost)}V{y(value)}" for _, cost, value in edge[1:])
    return Plot(
        figure=board.headings.get(first, first),
        unit=unit,
        names=[row.name for row, _, _ in edge],
        levels=_levels(low, high, y),
        ticks=_ticks(left, right, x),
        edge=f"{line}H{wide - 10}",
        points=_named(drawn, wide),
        wide=wide,
        key=[]
        if short
        else [(one.name, row.name) for one, (row, _, _) in zip(drawn, points, strict=True)],
    )


def _named(points: list[Point], wide: int) -> list[Point]:
    """Points with places for their names: over no other name, nor over a point if that can be.

    Beside the point, a little higher or lower, on the right or on the left; where nothing is free,
    where no name is.
    """
    taken: list[Point] = []
    for point in sorted(points, key=lambda one: one.y):
        others = [other for other in points if other is not point]
        places = [
            (place, left)
            for away in range(8)
            for place in dict.fromkeys((point.y + 4 - away * _LINE, point.y + 4 + away * _LINE))
            for left in (False, True)
        ]
        for seen in (others, []):
            point.label, point.leftward = next(
                (
                    (place, left)
                    for place, left in places
                    if _is_free(point, place, wide, left=left, taken=taken, points=seen)
                ),
                (0.0, False),
            )
            if point.label:
                break
        taken.append(point)
    return points


def _is_free(
    point: Point,
    place: float,
    wide: int,
    *,
    left: bool,
    taken: Sequence[Point],
    points: Sequence[Point],
) -> bool:
    """Whether a name may stand there: within the drawing, over no other name, over no mark."""
    point.label, point.leftward = place, left
    low, high = point.room
    inside = low >= _LEFT and high <= wide and _LINE <= place <= _TALL - _FOOT - 2
    return (
        inside
        and not any(
            abs(other.label - place) < _LINE and other.room[0] < high and low < other.room[1]
            for other in taken
        )
        and not any(
            low - 6 < other.x < high + 6
            and min(other.y - 6, (other.ends or (other.y, other.y))[1]) < place + 3
            and place - 11 < max(other.y + 6, (other.ends or (other.y, other.y))[0])
            for other in points
        )
    )


def _levels(low: float, high: float, y: Callable[[float], float]) -> list[tuple[float, float]]:
    step = next(s for s in (0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / s <= 6)
    numbers = range(math.ceil(low / step), math.floor(high / step) + 1)
    return [(y(n * step), n * step) for n in numbers]


def _ticks(left: float, right: float, x: Callable[[float], float]) -> list[tuple[float, str]]:
    steps = [
        (times * 10**power)
        for power in range(math.floor(left), math.ceil(right) + 1)
        for times in (1, 2, 5)
        if left <= math.log10(times * 10**power) <= right
    ]
    if len(steps) > 6:
        steps = [step for step in steps if f"{step:g}"[-1] in "10"] or steps[:6]
    return [(x(step), f"{step:g}") for step in steps]
