"""Tables as facts: what stands in them; and the one place where figures become letters.

A terminal, a page and paper each have one renderer, and all three are given these. What a sentence
says of a figure is written by the functions that messages call (`zhiyin.words`); both use
`zhiyin.numerals`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, Literal

import msgspec

from zhiyin import numerals
from zhiyin.words import Said, Text, say
from zhiyin.words.reasons import heading

Kind = Literal[
    "text", "count", "share", "points", "p", "usd", "rate", "seconds", "bytes", "number", "gap"
]  # fmt: skip
"""What a column holds. Shares and points are of 1 and written in per cent; points and gaps, which
are differences of numbers, have a sign.
A rate has all the digits that it was stated with."""


def kinds_of(unit: str) -> tuple[Kind, Kind]:
    """Return the kinds of a measure's columns of values and of differences, by its unit."""
    return ("share", "points") if unit == "share" else ("number", "gap")


class Link(msgspec.Struct, frozen=True):
    """Text that leads somewhere where it can: on a page.

    Attributes
    ----------
    text : Text
    to : str
        An address.
    """

    text: Text
    to: str


class MarkedFigure(msgspec.Struct, frozen=True):
    """A figure that stands out or has footnotes.

    Attributes
    ----------
    value : float, tuple or None
        As in a `Cell`.
    se : float or None
        Its standard error, written behind it.
    strong : bool
        Whether it is set in bold.
    notes : tuple
        What must be known of it: texts and warnings. Each stands once below the table.
    """

    value: float | tuple[float, float, float] | Text | None
    se: float | None = None
    strong: bool = False
    notes: tuple[Any, ...] = ()


FEW = 10
"""A share of fewer items than this is not read as one where shares stand side by side."""


class Drawing(msgspec.Struct, frozen=True):
    """A drawing that only a page shows, as SVG that is made here; and the mark of its row."""

    svg: str
    sign: str = ""


class ShortAnswer(msgspec.Struct, frozen=True):
    """A word, and smaller what it rests on.

    Attributes
    ----------
    mood : {"good", "bad", "soft"}
        Its colour on a page.
    text : Text
    detail : Text or None
        A `str` is somebody's sentence, or a name.
    """

    mood: Literal["good", "bad", "soft"]
    text: Text
    detail: Text | None = None


Cell = (
    str | int | float | tuple[float, float] | tuple[float, float, float] | Said | Link
    | MarkedFigure | ShortAnswer | Drawing | None
)  # fmt: skip
"""None: there is no figure. Two figures: the ends of an interval. Three: a figure and its ends."""


def bare(cell: Cell) -> Cell:
    """A cell without what only a page shows of it."""
    if isinstance(cell, Link):
        return cell.text
    if isinstance(cell, MarkedFigure):
        cell = cell.value
    return None if isinstance(cell, Drawing) else cell


class Column(msgspec.Struct, frozen=True):
    """A column of a table.

    Attributes
    ----------
    title : Text
        Its heading.
    kind : Kind
    decimals : int or None
        None for what suits its kind and its figures.
    name : str
        Its heading in files for machines; by default its title in English.
    axis : str
        Of drawings, what stands over them.
    over : Text
        A heading that it shares with its neighbours: above its own, or before it where headings
        stand in one line.
    """

    title: Text
    kind: Kind = "text"
    decimals: int | None = None
    name: str = ""
    axis: str = ""
    over: Text = ""

    def head(self, language: str = "en") -> str:
        """Return its heading in one line."""
        own, over = _headed(self.title, language), _headed(self.over, language)
        return f"{over}: {own}" if over and own else over or own


class Row(msgspec.Struct, frozen=True):
    """A row of a table.

    Attributes
    ----------
    cells : tuple of Cell
        One for each column.
    level : int
        How far it is set in: a group within another.
    weight : float
        Rows of the least weight give way first where room is short.
    mark : {"", "strong", "soft"}
        Whether it stands out, or steps back, as published rows beside runs do.
    notes : tuple
        The same of the whole row.
    apart : bool
        Whether a rule parts it from the row above.
    """

    cells: tuple[Cell, ...]
    level: int = 0
    weight: float = 0.0
    mark: Literal["", "strong", "soft"] = ""
    notes: tuple[Any, ...] = ()
    apart: bool = False


class Table(msgspec.Struct, frozen=True):
    """A table.

    Attributes
    ----------
    name : str
        Stem of its files, and what the command that shows all of it calls it.
    title : Text
    columns : tuple of Column
        The first says what a row is about.
    rows : tuple of Row
    notes : tuple of Text
    leads : bool
        Whether it is what its run was made for, and stands before the shares of right answers.
    """

    name: str
    title: Text
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[Text, ...] = ()
    leads: bool = False

    def heaviest(self, most: int) -> Table:
        """The table with so many rows at most, those of the least weight being left out."""
        if len(self.rows) <= most:
            return self
        order = sorted(range(len(self.rows)), key=lambda row: -self.rows[row].weight)
        kept = tuple(self.rows[row] for row in sorted(order[:most]))
        return msgspec.structs.replace(self, rows=kept)


def table_of(
    name: str,
    columns: Mapping[str, Kind | Column] | Sequence[Column],
    rows: Iterable[Sequence[Cell] | Row],
    title: Text = "",
    notes: Sequence[Text] = (),
) -> Table:
    """A table, made of what is at hand.

    Parameters
    ----------
    name : str
    columns : mapping, or sequence of Column
        A kind by heading, or a column where there is more to say of it. A sequence where two may
        have one heading.
    rows : iterable of Row, or of cells
    title : Text
    notes : sequence of Text
    """
    if isinstance(columns, Mapping):
        columns = [
            kind if isinstance(kind, Column) else Column(head, kind)
            for head, kind in columns.items()
        ]
    return Table(
        name, title, tuple(columns),
        tuple(row if isinstance(row, Row) else Row(tuple(row)) for row in rows), tuple(notes),
    )  # fmt: skip


NONE = "-"
"""There is no figure."""
_YES = {"en": ("no", "yes"), "zh": ("否", "是")}


class WrittenRow(msgspec.Struct, frozen=True):
    """A row in letters.

    `links` leads from the number of a cell to an address, `marks` to the letters of its
    footnotes, those of the row behind its name; `strong` are the numbers of cells in bold.
    `answers` leads to a mood, a word and what it rests on, `drawn` to a drawing; `sign` is the mark
    of a model.
    """

    cells: tuple[str, ...]
    level: int
    mark: str
    links: dict[int, str] = {}
    marks: dict[int, str] = {}
    strong: frozenset[int] = frozenset()
    answers: dict[int, tuple[str, str, str]] = {}
    drawn: dict[int, str] = {}
    sign: str = ""
    apart: bool = False

    @property
    def plain(self) -> tuple[str, ...]:
        """The cells where nothing can be bold or raised: a star, and letters in brackets."""
        marks = {n: f" [{letters}]" for n, letters in self.marks.items()}
        return tuple(
            f"{cell}{'*' * (n in self.strong)}{marks.get(n, '')}"
            for n, cell in enumerate(self.cells)
        )


class Footnote(msgspec.Struct, frozen=True):
    """A footnote about some rows or figures of a table.

    Attributes
    ----------
    sign : str
        A letter, behind what it is of; empty where it is of all rows.
    text : str
    remedy : str
        A command; empty for none.
    stops : bool
        Whether it says that a figure is not to be believed.
    """

    sign: str
    text: str
    remedy: str = ""
    stops: bool = False

    @property
    def plain(self) -> str:
        """The footnote where nothing can be raised: its letter in brackets."""
        return f"[{self.sign}] {self.text}" if self.sign else self.text


class WrittenTable(msgspec.Struct, frozen=True):
    """A table in letters of one language: what each renderer lays out in its own way.

    Attributes
    ----------
    name, title : str
    heads : tuple of str
    words : tuple of bool
        Which columns hold words and stand to the left; figures stand to the right.
    rows : tuple of WrittenRow
    notes : tuple of str
    footnotes : tuple of Footnote
    axes : dict of int to str
        What stands over columns of drawings.
    spans : tuple of (str, str)
        Of each column the heading that it shares, and its own; none where no heading is shared.
    """

    name: str
    title: str
    heads: tuple[str, ...]
    words: tuple[bool, ...]
    rows: tuple[WrittenRow, ...]
    notes: tuple[str, ...]
    footnotes: tuple[Footnote, ...] = ()
    axes: dict[int, str] = {}
    spans: tuple[tuple[str, str], ...] = ()

    @property
    def owns(self) -> list[str]:
        """The headings of the columns alone, for what has another line for shared ones."""
        return [own for _, own in self.spans] or [*self.heads]

    def spanned(self, columns: Sequence[int]) -> list[tuple[str, int]]:
        """Return the shared headings over some columns, each with the number of its columns."""
        found: list[tuple[str, int]] = []
        for over in [self.spans[n][0] if self.spans else "" for n in columns]:
            if found and over and found[-1][0] == over:
                found[-1] = over, found[-1][1] + 1
            else:
                found.append((over, 1))
        return found


def written(cell: Cell, column: Column, language: str = "en") -> str:
    """A cell as people read it.

    Parameters
    ----------
    cell : Cell
        Text stays as it is in columns of every kind.
    column : Column
        Its kind and decimals say how. Shares and points of 1 become per cent, without the sign.
    language : {"en", "zh"}
    """
    if isinstance(cell, MarkedFigure):
        behind = "" if cell.se is None else f" ± {_figure(cell.se, column, language)}"
        return f"{written(cell.value, column, language)}{behind}"
    if isinstance(cell, ShortAnswer):
        detail = f" ({say(cell.detail, language)})" if cell.detail else ""
        return say(cell.text, language) + detail
    cell = bare(cell)
    if cell is None or cell != cell:
        return NONE
    if not isinstance(cell, bool | int | float | tuple):
        return say(cell, language)
    if isinstance(cell, bool):
        return _YES[language][cell]
    if not isinstance(cell, tuple):
        return _figure(cell, column, language)
    low, high = (_figure(end, column, language) for end in cell[-2:])
    to = "–"
    if column.kind in ("points", "gap") or "−" in low[:1] + high[:1]:
        to = " 至 " if language == "zh" else " to "
        low, high = low.removeprefix("+"), high.removeprefix("+")
    ends = f"{low}{to}{high}" if all(map(isfinite, cell[-2:])) else NONE
    return ends if len(cell) == 2 else f"{_figure(cell[0], column, language)} ({ends})"


def _figure(value: float, column: Column, language: str) -> str:
    """One figure of a column."""
    decimals = column.decimals
    match column.kind:
        case "share":
            return numerals.percent(value, 1 if decimals is None else decimals)
        case "points":
            return numerals.points(value, 1 if decimals is None else decimals)
        case "gap":
            return numerals.gap(value, decimals)
        case "p":
            return numerals.p_value(value)
        case "usd":
            return numerals.usd(value)
        case "rate":
            return numerals.signed(f"{value:g}")
        case "seconds":
            if decimals is None:
                return numerals.duration(value, numerals.TIME_UNITS[language])
            return f"{value:,.{decimals}f}"
        case "bytes":
            return numerals.size(value)
        case "count":
            places = None if isinstance(value, int) else decimals or 0
            return numerals.signed(f"{value:,}" if places is None else f"{value:,.{places}f}")
    if isinstance(value, int):
        return numerals.signed(str(value))
    return numerals.number(value, decimals)


def fitted(table: Table) -> tuple[Column, ...]:
    """Return its columns, numbers with decimals that suit a column: one, or three below 1.

    Where a heading or the title says that numbers are in per cent they have one.
    """
    title, found = say(table.title), []
    for place, column in enumerate(table.columns):
        if column.kind in ("number", "gap") and column.decimals is None:
            cells = [bare(row.cells[place]) for row in table.rows]
            several = [each if isinstance(each, tuple) else (each,) for each in cells]
            values = [c for each in several for c in each if isinstance(c, float) and isfinite(c)]
            share = "%" in say(column.title).replace("95 %", "") or _of_100(title)
            fits = 1 if share else numerals.fitting(*values)
            column = msgspec.structs.replace(column, decimals=fits)
        found.append(column)
    return tuple(found)


def _of_100(title: str) -> bool:
    return "%" in title or "per cent" in title.casefold()


def in_letters(table: Table, language: str = "en", *, fit: bool = True) -> WrittenTable:
    """A table in letters.

    Parameters
    ----------
    table : Table
    language : {"en", "zh"}
    fit : bool
        Whether the numbers of a column get the decimals that suit them together; else four digits.
    """
    columns = fitted(table) if fit else table.columns
    footnotes = _footnotes(table, language)
    return WrittenTable(
        name=table.name,
        title=_headed(table.title, language),
        heads=tuple(column.head(language) for column in columns),
        words=tuple(column.kind == "text" for column in columns),
        rows=tuple(
            WrittenRow(
                tuple(written(c, k, language) for c, k in zip(row.cells, columns, strict=True)),
                row.level,
                row.mark,
                {n: cell.to for n, cell in enumerate(row.cells) if isinstance(cell, Link)},
                dict(_marks(row, footnotes, language)),
                frozenset(
                    n for n, c in enumerate(row.cells) if isinstance(c, MarkedFigure) and c.strong
                ),
                {
                    n: (cell.mood, say(cell.text, language), say(cell.detail or "", language))
                    for n, cell in enumerate(row.cells)
                    if isinstance(cell, ShortAnswer)
                },
                {n: cell.svg for n, cell in enumerate(row.cells) if isinstance(cell, Drawing)},
                "".join(cell.sign for cell in row.cells if isinstance(cell, Drawing)),
                row.apart,
            )
            for row in table.rows
        ),
        notes=tuple(say(note, language) for note in table.notes),
        footnotes=tuple(footnotes.values()),
        axes={n: column.axis for n, column in enumerate(columns) if column.axis},
        spans=tuple((_headed(one.over, language), _headed(one.title, language)) for one in columns)
        if any(one.over for one in columns)
        else (),
    )


def _headed(text: Text, language: str) -> str:
    """A heading in a language; in English all are as they stand."""
    return say(text if language == "en" else heading(text), language)


def _notes(row: Row) -> Iterator[tuple[int, Any]]:
    """Yield a row's notes with cell numbers: at its first cell, and of its figures at theirs."""
    yield from ((0, note) for note in row.notes)
    for n, cell in enumerate(row.cells):
        if isinstance(cell, MarkedFigure):
            yield from ((n, note) for note in cell.notes)


def _marks(row: Row, footnotes: Mapping[str, Footnote], language: str) -> Iterator[tuple[int, str]]:
    """The letters of each cell's footnotes, in the order in which these stand."""
    own = [(n, say(note, language)) for n, note in _notes(row)]
    for cell in dict.fromkeys(n for n, _ in own):
        signs = [one.sign for text, one in footnotes.items() if one.sign and (cell, text) in own]
        if signs:
            yield cell, ",".join(signs)


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _footnotes(table: Table, language: str) -> dict[str, Footnote]:
    """Collect the footnotes of rows and figures, each once, by its text."""
    found: dict[str, Footnote] = {}
    of_rows = [{say(note, language) for note in row.notes} for row in table.rows]
    every = {say(note, language): note for row in table.rows for _, note in _notes(row)}
    signed = 0
    for text, note in every.items():
        remedy, severity = getattr(note, "remedy", "") or "", getattr(note, "severity", "")
        sign = ""
        if not all(text in own for own in of_rows):
            sign = _LETTERS[signed % 26] * (1 + signed // 26)
            signed += 1
        found[text] = Footnote(sign, text, remedy, severity == "stop")
    return found
