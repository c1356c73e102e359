"""Tables that fit the terminal: figures are never cut, a table too wide becomes several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.table import Column, Table

_LEAST_NAME = 14
"""Letters that a column of words keeps where it has to be folded."""
_LONGEST = 24
"""A column with longer cells than this holds words, not figures."""


def print_table(console: Console, table: Any) -> None:
    """Print a table; where its figures need more room than there is, columns in several tables.

    Columns that stand to the right hold figures: their cells are kept on one line, only their
    headings are folded. The first column is repeated in each of the tables.

    Parameters
    ----------
    console : Console
    table : Table or other renderable
        What is no table is printed as it is.
    """
    from rich.table import Table

    if not isinstance(table, Table):
        console.print(table)
        return
    for part in _parts(console, table):
        _fix_widths(console, part)
        console.print(part)


def name_room(width: int, table: Table) -> int:
    """The letters that are left for the first column beside columns of figures, at least 14."""
    gap = table.padding[1] + (0 if table.collapse_padding else table.padding[3])
    others = [_least(column, first=False) + gap for column in table.columns[1:]]
    return max(_LEAST_NAME, width - sum(others))


def _fix_widths(console: Console, table: Table) -> None:
    """Give columns of figures the room that they need, and the rest to those with words."""
    from rich.measure import Measurement

    if Measurement.get(console, console.options.update_width(10_000), table).maximum <= (
        console.width
    ):
        return
    for column in table.columns[1:]:
        if _is_figures(column):
            column.width = _room(column)


def _is_figures(column: Column) -> bool:
    return column.justify == "right" and max(map(cell_len, _cells(column)), default=0) <= _LONGEST


def _room(column: Column) -> int:
    """The letters that a column of figures needs: its cells whole, its heading by the word."""
    header = _plain(column.header)
    words = [header] if column.no_wrap else header.replace("/", " ").split()
    return max([1, *map(cell_len, _cells(column)), *(min(cell_len(w), _LONGEST) for w in words)])


def _least(column: Column, *, first: bool) -> int:
    """The letters that a column cannot do without."""
    if _is_figures(column) and not first:
        return _room(column)
    words = [] if first else _plain(column.header).split()
    return min(_LEAST_NAME, max([1, *map(cell_len, [*_cells(column), *words])]))


def _cells(column: Column) -> list[str]:
    return [_plain(cell) for cell in column.cells]


def _parts(console: Console, table: Table) -> list[Table]:
    """The table itself where it fits, else tables with as many columns each as fit."""
    if _needs(table, range(1, len(table.columns))) <= console.width:
        return [table]
    kept: list[list[int]] = [[]]
    for number in range(1, len(table.columns)):
        if kept[-1] and _needs(table, [*kept[-1], number]) > console.width:
            kept.append([])
        kept[-1].append(number)
    parts = [_with(table, numbers) for numbers in kept]
    for part in parts[1:]:
        part.title = None
    return parts


def _needs(table: Table, numbers: Sequence[int]) -> int:
    """The letters that the first column and some others need, with the gaps between them."""
    gap = table.padding[1] + (0 if table.collapse_padding else table.padding[3])
    least = [_least(table.columns[0], first=True)]
    least += [_least(table.columns[number], first=False) for number in numbers]
    return sum(least) + gap * len(numbers)


def _with(table: Table, numbers: list[int]) -> Table:
    """The first column and some others as a table of their own."""
    from copy import copy

    from rich.table import Table as New

    part = New(
        box=table.box,
        pad_edge=table.pad_edge,
        padding=table.padding,
        title=table.title,
        title_justify=table.title_justify,
        show_header=table.show_header,
    )
    for place, number in enumerate([0, *numbers]):
        column = copy(table.columns[number])
        column._index = place
        part.columns.append(column)
    part.rows = table.rows
    return part


def _plain(cell: Any) -> str:
    from rich.text import Text

    return cell.plain if isinstance(cell, Text) else Text.from_markup(str(cell)).plain
