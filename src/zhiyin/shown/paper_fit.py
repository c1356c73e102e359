"""Tables on paper, set so that they fit: which size, which cells in two lines, how many parts.

Widths are estimated from those of Computer Modern at 10 pt, the limits those of the narrowest usual
pages: the class article with one column (345 pt at 10 pt, 390 pt at 12 pt), and a column of IEEE
or of article with two. They hold as multiples of the size of letters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec

from zhiyin.shown.table import WrittenTable

_PAGE = 325.0
_COLUMN = 225.0
"""Widths of text in pt, for letters of 10 pt."""
_SIZES = {"": 1.0, r"\small": 0.925, r"\footnotesize": 0.85}
_SCRIPT = 0.8
"""How wide letters of a size are; small ones are wider than their height says."""
_BOLD = 1.15
_SEPARATION = (6.0, 3.0)
"""``\\tabcolsep`` as it is, and where cells are in two lines."""
_WIDTHS = {
    sign: width
    for signs, width in (
        ("ijl.,:;'|!I", 3.0), ("ftrs()[]/- ", 3.9), ("acez0123456789–_J", 5.0),
        ("bdghknopquvxyS", 5.5), ("mwMW%@&", 9.2),
    )
    for sign in signs
}  # fmt: skip
"""In pt at 10 pt."""
_NAMES, _HEAD = (18, 12), 10
"""Letters on a line of a name, where that has several, and of a head."""


class PaperFit(msgspec.Struct, frozen=True):
    """Layout of a table on paper.

    Attributes
    ----------
    size : str
        A command of LaTeX; "" for that of the text.
    letters : int
        Of a line of a name, where an interval stands below its figure, and long names and heads
        take several lines; 0 where each is on one.
    parts : tuple of tuple of int
        The columns of each part of the table, below each other; the first column is in each.
    narrow : bool
        Whether it fits into one of two columns.
    """

    size: str
    letters: int
    parts: tuple[tuple[int, ...], ...]
    narrow: bool

    @property
    def stacked(self) -> bool:
        """Tell whether cells may have several lines."""
        return self.letters > 0

    def lines(self, table: WrittenTable, column: int, cell: str) -> Sequence[str]:
        """A cell in its lines; one where it is not `stacked`."""
        if not self.stacked:
            return [cell]
        if table.words[column]:
            return _wrapped(cell, self.letters)
        figure, bracket, interval = cell.partition(" (")
        return [figure, f"({interval}"] if bracket and cell.endswith(")") else [cell]

    def head(self, text: str) -> Sequence[str]:
        """The head of a column in its lines."""
        return _wrapped(text, _HEAD) if self.stacked else [text]

    @property
    def separation(self) -> float:
        """Half of the gap between two columns, in pt."""
        return _SEPARATION[self.stacked]


def paper_fit(table: WrittenTable, *, parted: bool = True) -> PaperFit:
    """Choose a table's layout: flat if that fits, else in two lines, smaller, and at last in parts.

    Parameters
    ----------
    table : WrittenTable
    parted : bool
        Whether it may fall into parts.

    Returns
    -------
    PaperFit
    """
    every = tuple(range(len(table.heads)))
    for letters, sizes in ((0, 2), *((letters, 3) for letters in _NAMES)):
        for size in list(_SIZES)[:sizes]:
            fit = PaperFit(size, letters, (every,), narrow=False)
            width = sum(_widths(table, fit))
            if width <= _PAGE:
                return msgspec.structs.replace(fit, narrow=width <= _COLUMN)
    if not parted:
        return fit
    widths = _widths(table, fit)
    parts = in_parts(table, lambda columns: sum(widths[n] for n in columns) <= _PAGE)
    return msgspec.structs.replace(fit, parts=tuple(map(tuple, parts)))


def _widths(table: WrittenTable, fit: PaperFit) -> list[float]:
    """The width of each column with the gap beside it."""
    scale = _SIZES[fit.size]
    widths = []
    for n, head in enumerate(table.owns):
        width = max(map(_width, fit.head(head)))
        for row in table.rows:
            first, *below = fit.lines(table, n, row.cells[n])
            own = _width(first) * (_BOLD if n in row.strong else 1) + 4 * len(row.marks.get(n, ""))
            small = 1 if table.words[n] else _SCRIPT / scale
            width = max(width, own, *(small * _width(line) for line in below))
        widths.append(width * scale + 2 * fit.separation)
    return widths


def in_parts(table: WrittenTable, fits: Callable[[list[int]], bool]) -> list[list[int]]:
    """The columns of a table in as many parts as fit beside the first one, which is in each.

    What shares a heading stays together where it can.
    """
    kept, column = [[0]], 1
    for _, number in table.spanned(range(1, len(table.heads))):
        several = range(column, column + number)
        column += number
        if len(kept[-1]) > 1 and not fits([*kept[-1], *several]):
            kept.append([0])
        for one in several:
            if len(kept[-1]) > 1 and not fits([*kept[-1], one]):
                kept.append([0])
            kept[-1].append(one)
    return kept


@lru_cache(4096)  # every layout that is tried asks again
def _width(text: str) -> float:
    """Estimate a width in pt, for text of 10 pt."""
    return sum(
        _WIDTHS.get(sign) or (10.0 if is_wide(sign) else 7.5 if sign.isupper() else 5.3)
        for sign in text
    )


def is_wide(sign: str) -> bool:
    """Tell whether a sign is as wide as two letters, as those of Chinese are."""
    return unicodedata.east_asian_width(sign) in "WF"


@lru_cache(4096)
def _wrapped(text: str, width: int) -> Sequence[str]:
    """A text in lines, broken behind blanks, hyphens, strokes, underscores and Chinese signs."""
    pieces = [""]
    for sign in text:
        pieces[-1] += sign
        if sign in " /_-" or is_wide(sign):
            pieces.append("")
    lines = [""]
    for piece in filter(None, pieces):
        line = lines[-1] + piece.rstrip()
        if lines[-1] and len(line) + sum(map(is_wide, line)) > width:
            lines.append("")
        lines[-1] += piece
    return tuple(line.strip() for line in lines)
