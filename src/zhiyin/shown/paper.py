"""Tables on paper and for machines: LaTeX, Markdown, and CSV at full precision."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from zhiyin.shown.table import NONE, Cell, Table, WrittenTable, bare, in_letters
from zhiyin.text import csv_row, printable
from zhiyin.words import say

_LONG = 40  # rows that a page holds
_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{sign: rf"\textsuperscript{{{n}}}" for n, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}


def as_csv(table: Table) -> str:
    """The table as CSV with full precision, shares as shares of 1; an interval has two columns."""
    wide = [_width([bare(row.cells[n]) for row in table.rows]) for n in range(len(table.columns))]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    heads: list[str] = []
    for column, cells in zip(table.columns, wide, strict=True):
        name = column.name or say(column.title)
        heads += [name] if cells != 2 else []
        heads += [f"{name} low", f"{name} high"] if cells > 1 else []
    writer.writerow(csv_row(map(printable, heads)))
    for row in table.rows:
        writer.writerow(
            csv_row(c for n, cell in enumerate(row.cells) for c in _plain(cell, wide[n]))
        )
    return text.getvalue()


def _width(cells: Sequence[Cell]) -> int:
    """How many columns a column takes: intervals alone two, beside other cells three."""
    ends = max((len(cell) for cell in cells if isinstance(cell, tuple)), default=1)
    alone = all(cell is None or isinstance(cell, tuple) for cell in cells)
    return ends if ends != 2 or alone else 3


def _plain(cell: Cell, wide: int) -> Iterator[str | float | None]:
    """A cell for machines, in so many columns; text without control characters."""
    cell = bare(cell)
    if isinstance(cell, tuple):
        yield from [None] * (wide - len(cell))
        yield from cell
        return
    yield cell if cell is None or isinstance(cell, int | float) else printable(say(cell))
    yield from [None] * (wide - 1)


def as_markdown(table: Table, language: str = "en") -> str:
    """The table as GitHub's Markdown, its title above and its notes below."""
    made = in_letters(table, language, fit=False)
    sides = ["---" if words else "---:" for words in made.words]
    lines = [made.heads, *_set_in(made)]
    body = ["| " + " | ".join(map(markdown, cells)) + " |" for cells in lines]
    body.insert(1, "|" + "|".join(sides) + "|")
    notes = [f"\n{markdown(note)}" for note in _notes(made)]
    return "\n".join([f"**{markdown(made.title)}**\n", *body, *notes]) + "\n"


def as_latex(table: Table, language: str = "en") -> str:
    """The table as LaTeX for the package booktabs (and longtable, over 40 rows), escaped."""
    made = in_letters(table, language, fit=False)
    sides = "".join("l" if words else "r" for words in made.words)
    caption = rf"\caption{{{latex(made.title)}}}\label{{tab:{made.name}}}"
    head = [r"\toprule", _latex_row(made.heads), r"\midrule"]
    body = [_latex_row(cells) for cells in _set_in(made)]
    notes = [rf"\par\footnotesize {latex(note)}" for note in _notes(made)]
    if len(made.rows) > _LONG:
        start = [rf"\begin{{longtable}}{{{sides}}}", rf"{caption} \\", *head, r"\endhead"]
        lines = [*start, *body, r"\bottomrule", r"\end{longtable}", *notes]
    else:
        start = [r"\begin{table}", caption, rf"\begin{{tabular}}{{{sides}}}", *head]
        lines = [*start, *body, r"\bottomrule", r"\end{tabular}", *notes, r"\end{table}"]
    return "\n".join(lines) + "\n"


def _set_in(table: WrittenTable) -> Iterator[tuple[str, ...]]:
    """The cells of each row; a group within another is set in."""
    for row in table.rows:
        first, *others = ("–" if cell == NONE else cell for cell in row.cells)
        yield (f"{'– ' * row.level}{first} {row.signs}".rstrip(), *others)


def _notes(table: WrittenTable) -> list[str]:
    """What stands below it, footnotes first."""
    return [*(f"{one.sign} {one.text}".lstrip() for one in table.footnotes), *table.notes]


def _latex_row(cells: Sequence[str]) -> str:
    r"""A row. A star or a bracket at its beginning would belong to the ``\\`` of the row above."""
    row = " & ".join(map(latex, cells))
    return f"{'{}' * row.startswith(('*', '['))}{row} \\\\"


def latex(text: str) -> str:
    """`text` with LaTeX's own signs escaped, on one line, without control characters."""
    return "".join(_LATEX.get(sign, sign) for sign in " ".join(printable(text).split()))


def markdown(text: str) -> str:
    """`text` with Markdown's own signs escaped, on one line, without control characters."""
    shown = printable(text)
    escaped = "".join(f"\\{sign}" if sign in "\\|*_`<>[]" else sign for sign in shown)
    return " ".join(escaped.split())
