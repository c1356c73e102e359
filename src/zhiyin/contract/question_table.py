"""A file of questions as a table: names of columns, and rows with the place where each stands."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.sheets import Fault
from zhiyin.parsing import read_json_text, read_literal

_SHORT, _MOST_KNOWN = 40, 5_000


class MediaFile(msgspec.Struct, frozen=True):
    """Where a file lies, and what it is called: its path from the root, the same for all."""

    path: Path
    name: str


class RowCells(msgspec.Struct, frozen=True, gc=False):
    """The cells of a line by column: a third of the memory of a dict."""

    places: dict[str, int]
    values: tuple[Any, ...]

    def get(self, name: str) -> Any:
        """The cell of a column; None where the line ends before it."""
        place = self.places.get(name)
        return self.values[place] if place is not None and place < len(self.values) else None

    def named(self) -> dict[str, Any]:
        """The cells by the names of their columns."""
        most = len(self.values)
        return {name: self.values[place] for name, place in self.places.items() if place < most}


class TableRow(msgspec.Struct, frozen=True, gc=False):  # of a million none is part of a circle
    """A row: the number of its line (or row) in the file, from 1, and its cells by column.

    A cell is what the format holds: text in CSV; numbers, lists and objects elsewhere.
    """

    line: int
    cells: RowCells


class Keeper:
    """Makes the lines of one file: names of columns and short texts of many rows are kept once."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, ...], dict[str, int]] = {}
        self._known: dict[str, str] = {}

    def line(self, names: tuple[str, ...], cells: Iterable[Any]) -> RowCells:
        """The cells below `names`; a column without a name is none."""
        known, values = self._known, tuple(cells)
        if len(known) < _MOST_KNOWN:
            short = (each for each in values if isinstance(each, str) and len(each) <= _SHORT)
            known.update((each, each) for each in short)
        places = self._places.get(names)
        if places is None:
            places = {name: place for place, name in enumerate(names) if name}
            self._places[names] = places
        once = [known.get(each, each) if isinstance(each, str) else each for each in values]
        return RowCells(places, tuple(once))


def broken_row(path: Path, line: int, problem: str, remedy: str) -> Fault:
    """A row that is no row: where, what is wrong, and how to mend it."""
    return Fault("broken-row", path, line, "", problem, remedy)


class QuestionTable(msgspec.Struct, frozen=True):
    """A file of questions.

    Attributes
    ----------
    path : Path
    sha256 : str
        Of the bytes of all files that were read, in hexadecimal.
    columns : tuple of str
        In the order of the file.
    rows : list of TableRow
        Those that hold anything at all.
    broken : list of Fault
        Rows that are none.
    unit : {"line", "row"}
        What the numbers of rows count.
    """

    path: Path
    sha256: str
    columns: tuple[str, ...]
    rows: list[TableRow]
    broken: list[Fault] = []
    unit: str = "line"

    def at(self, line: int) -> str:
        """Where a row stands, as messages say it."""
        return f"{self.path}:{line}" if self.unit == "line" else f"{self.path}, row {line}"


DELIMITERS = ("\n", "|", ";")
"""What parts the entries of one cell, the first that is there. Commas stand within options too
often to part them."""


def text_of(value: Any) -> str:
    """A cell as text: 3.0 of a spreadsheet is 3, True is true, nothing is empty."""
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def list_of(value: Any, delimiter: str | None = None) -> list[Any] | None:
    """The entries of a cell; None where it holds but one thing.

    A list of the format's own, a JSON list, a list as Python prints it, or entries parted by
    `delimiter` (by default the first of `DELIMITERS` that is there).
    """
    if isinstance(value, list | tuple):
        return list(value)
    if not isinstance(value, str):
        return None
    text = value.strip()
    if text.startswith("[") and text.endswith("]"):
        for read in (read_json_text, read_literal):
            try:
                parsed = read(text)
            except ValueError:
                continue
            if isinstance(parsed, list):
                return parsed
    for sign in (delimiter,) if delimiter else DELIMITERS:
        if sign in text:
            return [part.strip() for part in text.split(sign) if part.strip()]
    return None


def texts_in(value: Any, delimiter: str | None = None) -> tuple[str, ...]:
    """The entries of a cell as texts; one where it holds one thing, none where it is empty."""
    if value is None:
        return ()
    parts = list_of(value, delimiter)
    texts = map(text_of, [value] if parts is None else parts)
    return tuple(filter(None, texts))
