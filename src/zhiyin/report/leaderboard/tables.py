"""The tables of a leaderboard, for terminal and page alike: ranks, figures, caveats once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zhiyin.analysis.run_kind import answerers, contenders
from zhiyin.engine.naming import PEOPLE
from zhiyin.report.leaderboard import board as boards
from zhiyin.report.leaderboard.board import Board
from zhiyin.shown.table import Cell, Column, Link, Row, Table
from zhiyin.words import Text, said

Links = Mapping[str, str]
"""Address of a run's report or statement by the run's folder."""
_COLUMNS = 2
"""So many figures stand beside the names; all of them in a table of their own."""


def ranks(rows: Sequence[boards.BoardRow]) -> list[tuple[int, int] | None]:
    """Between which ranks each row is.

    Parameters
    ----------
    rows : sequence of Row
        Best first; models that share a letter do not differ significantly (paired tests, Holm).

    Returns
    -------
    list of (int, int) or None
        One more than the models that are significantly better, and the number of models less those
        that are significantly worse; None for what has no rank: all but models that are ranked.
        As the tests hold together at 95 %, so do these.
    """
    able = [row for row in rows if row.letters]
    speaks = contenders([row.role for row in able]) - {"people", "baseline"}
    models = [row for row in able if row.role in speaks]
    found: dict[int, tuple[int, int]] = {}
    for place, row in enumerate(models):
        other = [not set(row.letters) & set(one.letters) for one in models]
        found[id(row)] = (1 + sum(other[:place]), len(models) - sum(other[place + 1 :]))
    return [found.get(id(row)) for row in rows]


def ranking_table(
    board: Board, *, page: bool = False, links: Links | None = None, signed: Links | None = None
) -> Table | None:
    """What is ranked, published rows between the runs; None where nothing is.

    Parameters
    ----------
    board : Board
    page : bool
        Whether there is room for all that is known: shares answered, costs.
    links, signed : mapping, optional
        Addresses of reports and of signed statements.
    """
    rows = [row for row in board.rows if row.letters or row.kind != "run"]
    if not any(row.kind == "run" for row in rows):
        return None
    columns, cells = _columns(board, rows, page=page, links=links or {}, signed=signed or {})
    columns.insert(1, Column(said("board-rank")))
    body: list[Row] = []
    for row, rank, own in zip(rows, ranks(rows), cells, strict=True):
        written = None if rank is None else "–".join(map(str, dict.fromkeys(rank)))
        body.append(_row(row, (own[0], written, *own[1:]), -len(body)))
    roles = [row.role for row in rows if row.letters]
    title = said(
        "board-runs",
        who=answerers(len(roles), roles.count("people")),
        title=None if page else board.title,
        ranked=sum(bool(row.letters) for row in rows),
        items=board.items,
        unit=board.unit,
        own=all(row.items == board.items for row in rows if row.letters),
    )
    return Table("leaderboard", title, tuple(columns), tuple(body))


def unranked_table(board: Board, *, page: bool = False, links: Links | None = None) -> Table | None:
    """The runs that have no rank, each with the reason; None where all have one."""
    measured = {row.cells[0] for table in board.measured for row in table.rows}
    rows = [
        row
        for row in board.rows
        if row.kind == "run" and not row.letters and not (not row.cells and row.name in measured)
    ]
    if not rows:
        return None
    columns, cells = _columns(board, rows, page=False, links=links or {}, signed={})
    body = [
        _row(row, own, -place) for place, (row, own) in enumerate(zip(rows, cells, strict=True))
    ]
    title = said("board-unranked", title=None if page else board.title)
    return Table("unranked", title, tuple(columns), tuple(body))


def figures_table(board: Board) -> Table | None:
    """All figures of all rows; None where the first ones are all."""
    rows = [row for row in board.rows if row.cells]
    if len(board.shown) <= _COLUMNS or not rows:
        return None
    columns = [Column(said("board-model")), *_headings(board, board.shown)]
    body = (_row(row, (_name(row), *_figures(row, board.shown)), 0, noted=False) for row in rows)
    return Table("figures", said("board-figures"), tuple(columns), tuple(body))


def published_table(board: Board) -> Table | None:
    """Published rows that cannot stand between the runs; None where there are none."""
    if not board.aside:
        return None
    names = [name for name in board.shown if any(name in row.cells for row in board.aside)]
    columns = [Column(said("board-model")), *_headings(board, names)]
    body = (Row((_name(row), *_figures(row, names))) for row in board.aside)
    note = said("board-apart", why=board.why_aside or "")
    return Table("published", said("board-set-apart"), tuple(columns), tuple(body), (note,))


def protocol_table(board: Board) -> Table:
    """The settings of all runs, and those in which they differ all the same."""
    same = {name: value for name, value in board.protocol.items() if name not in board.ignored}
    rows = [Row((name, str(value))) for name, value in same.items()]
    for name, values in board.ignored.items():
        each = [
            said("board-setting-of", run=run, value=None if value is None else str(value))
            for run, value in values.items()
        ]
        rows.append(Row((name, said("board-differs", values=each))))
    columns = (Column(said("board-setting")), Column(said("board-value")))
    return Table("protocol", said("board-protocol"), columns, tuple(rows))


def _columns(
    board: Board, rows: Sequence[boards.BoardRow], *, page: bool, links: Links, signed: Links
) -> tuple[list[Column], list[tuple[Cell, ...]]]:
    """The columns that some rows have something for, and the cells of each row."""
    names = [n for n in board.shown[:_COLUMNS] if any(n in row.cells for row in rows)]
    columns = [Column(said("board-model")), *_headings(board, names)]
    cells: list[list[Cell]] = [[_name(row), *_figures(row, names)] for row in rows]

    def add(column: Column, values: Sequence[Cell]) -> None:
        if any(value not in (None, "") for value in values):
            columns.append(column)
            for own, value in zip(cells, values, strict=True):
                own.append(value)

    add(Column(said("board-unit", unit=board.unit), "count"), [row.items for row in rows])
    if page:
        add(Column(said("board-answered"), "share"), [row.ifr for row in rows])
        for unit in ("usd", "tokens"):
            cost = [row.usd if unit == "usd" else row.tokens for row in rows]
            if any(cost):
                add(Column(said("board-an-item", unit=unit), "number"), cost)
                break
    keys = [
        Link(row.signed, signed[row.folder]) if row.folder in signed else row.signed for row in rows
    ]
    add(Column(said("board-signed")), keys)
    to = [links.get(row.folder, "") for row in rows]
    report, trials = said("board-report"), said("board-trials")
    add(Column(report), [Link(report, one.partition("#")[0]) if one else "" for one in to])
    add(Column(trials), [Link(trials, one) if one else "" for one in to])
    return columns, [tuple(own) for own in cells]


def _headings(board: Board, names: Sequence[str]) -> list[Column]:
    """Columns of figures, in per cent."""
    return [
        Column(said("board-heading", name=board.headings.get(name, name)), "share", name=name)
        for name in names
    ]


def _figures(row: boards.BoardRow, names: Sequence[str]) -> list[Cell]:
    """The figures of a row with their intervals."""
    cells: list[Cell] = []
    for name in names:
        cell = row.cells.get(name)
        if cell is None:
            cells.append(None)
        elif cell.low is None or cell.high is None:
            cells.append(cell.value)
        else:
            cells.append((cell.value, cell.low, cell.high))
    return cells


def _name(row: boards.BoardRow) -> Text:
    """What a row is called: with what it is, where it is no model's run."""
    if row.kind != "run":
        return said("board-named", name=row.name, kind=row.kind)
    if row.role in ("model", "listener") or row.name.startswith(PEOPLE):
        return row.name
    return said("board-named", name=row.name, kind=row.role)


def _row(row: boards.BoardRow, cells: Sequence[Cell], weight: float, *, noted: bool = True) -> Row:
    own = row.kind == "run" and row.role in ("model", "listener")
    return Row(tuple(cells), 0, weight, "" if own else "soft", row.notes if noted else ())
