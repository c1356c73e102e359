"""Tables as facts: what stands in them, and not how it is written.

`zhiyin.shown.figures` alone makes letters of figures; a terminal, a page and paper each have one
renderer, and all three are given these.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from zhiyin.words import Said, Text

Kind = Literal["text", "count", "share", "points", "p", "usd", "seconds", "number"]
"""What a column holds. Shares and points are of 1 and written in per cent; points have a sign."""


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


Cell = str | int | float | tuple[float, float] | tuple[float, float, float] | Said | Link | None
"""None: there is no figure. Two figures: the ends of an interval. Three: a figure and its ends."""


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
    """

    title: Text
    kind: Kind = "text"
    decimals: int | None = None
    name: str = ""


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
    """

    cells: tuple[Cell, ...]
    level: int = 0
    weight: float = 0.0
    mark: Literal["", "strong", "soft"] = ""


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
