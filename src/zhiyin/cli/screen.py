"""One screen: parts of a command's output, the long ones shortened until all of it fits.

Nothing is cut off: a part that is too long gives way to a shorter form of itself, which says what
it leaves out. What gives way first has the lowest rank.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from zhiyin.cli.tables import print_table

if TYPE_CHECKING:
    from rich.table import Table

    from zhiyin.shown.terminal import Terminal

LINES, WIDTH = 25, 80
"""A screen is so many lines where a line is so wide or wider."""
Part = Callable[["Terminal"], None]
"""Prints something."""


class Screen:
    """Parts in order, each in one or more forms.

    Parameters
    ----------
    console : Terminal
    taken : int
        Lines that something else prints on the same screen.
    """

    def __init__(self, console: Terminal, taken: int = 0) -> None:
        self._console, self._taken = console, taken
        self._forms: list[list[tuple[float, Part]]] = []

    def add(self, *forms: Part, rank: float | Sequence[float] = 0) -> None:
        """Add a part.

        Parameters
        ----------
        forms : Part
            From the longest to the shortest.
        rank : float or sequence of float
            When each form gives way to the next one: the lowest of all parts first.
        """
        ranks = [rank] * len(forms) if isinstance(rank, int | float) else list(rank)
        ranks += [math.inf] * (len(forms) - len(ranks))
        self._forms.append(list(zip(ranks, forms, strict=False)))

    @property
    def width(self) -> int:
        """The letters that go into a line."""
        return self._console.width

    def show(self, *, whole: bool = False) -> None:
        """Print all parts, each in the longest form with which they fit together.

        With `whole` each in its longest form.
        """
        most = LINES * max(1.0, WIDTH / self._console.width) - self._taken
        most = math.inf if whole else most
        shown = [0] * len(self._forms)
        lines = [self._lines(forms[0][1]) for forms in self._forms]
        while sum(lines) > most:
            able = [
                (forms[at][0], -number)
                for number, (forms, at) in enumerate(zip(self._forms, shown, strict=True))
                if at + 1 < len(forms)
            ]
            if not able:
                break
            number = -min(able)[1]
            shown[number] += 1
            lines[number] = self._lines(self._forms[number][shown[number]][1])
        for forms, at in zip(self._forms, shown, strict=True):
            forms[at][1](self._console)

    def _lines(self, part: Part) -> int:
        from rich.cells import cell_len
        from rich.text import Text

        with self._console.capture() as captured:
            part(self._console)
        lines = [Text.from_ansi(line).plain.rstrip() for line in captured.get().split("\n")[:-1]]
        return sum(max(1, math.ceil(cell_len(line) / self._console.width)) for line in lines)


def nothing(console: Terminal) -> None:
    """The shortest form of a part that may be left out."""


def table_of(make: Callable[[int | None], Any], counts: Sequence[int | None]) -> list[Part]:
    """Forms of a table that `make` makes with so many rows, None for all of them."""

    def form(rows: int | None) -> Part:
        return lambda console: print_table(console, make(rows))

    return [form(rows) for rows in counts]


def named_table(
    make: Callable[[], Table],
    names: Sequence[str],
    body: Sequence[Sequence[str]],
    width: int | None = None,
    left: int = 0,
    shorten: Callable[[str, int], str] | None = None,
) -> Table:
    """A table with a name before each row of figures.

    Parameters
    ----------
    make : callable
        Gives the empty table.
    names : sequence of str
        Blanks before a name set it in.
    body : sequence of sequence of str
    width : int, optional
        Of the terminal. Where it is given names are shortened to one line; two that would be alike
        then stay whole.
    left : int
        How many rows are left out.
    shorten : callable, optional
        In place of `terminal.shortened`.
    """
    from rich.text import Text

    from zhiyin.cli.tables import name_room
    from zhiyin.shown.terminal import shortened
    from zhiyin.text import printable

    def filled(shown: Sequence[str]) -> Table:
        table = make()
        for name, cells in zip(shown, body, strict=True):
            table.add_row(Text(name), *cells)
        return table

    whole = [printable(name) for name in names]
    if width is not None:
        cut = shorten or shortened
        room = name_room(width, filled(whole))
        depths = [len(name) - len(name.lstrip(" ")) for name in whole]
        brief = [" " * d + cut(name, room - d) for d, name in zip(depths, whole, strict=True)]
        clash = {name for name in brief if brief.count(name) > 1 and "…" in name}
        whole = [w if name in clash else name for name, w in zip(brief, whole, strict=True)]
    table = filled(whole)
    if left:
        table.add_row(Text(f"… {left} more", "dim"))
    return table


def titled_table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    most: int | None = None,
    width: int | None = None,
) -> Table:
    """A table of names and figures under a title, or its first rows with short names.

    Parameters
    ----------
    title : str
    columns : sequence of str
        Headings; the first is that of the names.
    rows : sequence of sequence of str
        Name and cells.
    most : int, optional
        How many rows are shown.
    width : int, optional
        Of the terminal: names are shortened to it where `most` is given.
    """
    from rich.table import Table

    def empty() -> Table:
        table = Table(box=None, pad_edge=False, title=title, title_justify="left")
        table.padding = (0, 1, 0, 0)
        table.add_column(columns[0], overflow="fold")
        for name in columns[1:]:
            table.add_column(name, justify="right", vertical="bottom")
        return table

    shown = rows[:most]
    names, body = [row[0] for row in shown], [row[1:] for row in shown]
    width = None if most is None else width
    return named_table(empty, names, body, width, len(rows) - len(shown))


def sentences(
    lines: Sequence[str],
    counts: Sequence[int],
    *,
    label: str = "",
    style: str = "",
    rest: str = "",
    indent: int = 2,
) -> list[Part]:
    """Forms of some sentences: all of them, then the first few and how many more there are.

    Parameters
    ----------
    lines : sequence of str
    counts : sequence of int
        How many are printed in the shorter forms.
    label, style, indent
        See `Terminal.say`.
    rest : str
        What the others are called: "more warnings". Without it they are left out without a line,
        since another part counts them.
    """

    def form(number: int) -> Part:
        def part(console: Terminal) -> None:
            for line in lines[:number]:
                console.say(line, indent, label, style)
            left = len(lines) - number
            if left and rest:
                console.say(f"{left} {rest}", indent, "" if number else label, style)

        return part

    return [form(number) for number in (len(lines), *(n for n in counts if n < len(lines)))]


def cut_rows(make: Callable[[], Table], body: Sequence[Sequence[str]]) -> list[Part]:
    """Forms of a table: all of its rows, then its first ones and how many more there are.

    Parameters
    ----------
    make : callable
        Gives the empty table.
    body : sequence of sequence of str
        Cells, which are no markup.
    """
    from rich.text import Text

    def table(rows: int | None) -> Table:
        made = make()
        for cells in body[:rows]:
            made.add_row(*map(Text, cells))
        if rows is not None:
            made.add_row(Text(f"… {len(body) - rows} more: --json has all", "dim"))
        return made

    return table_of(table, [None, *(rows for rows in _FEWER if rows < len(body))])


_FEWER = (20, 17, 14, 11, 8, 6, 4, 2)
