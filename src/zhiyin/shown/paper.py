"""Tables on paper and for machines: LaTeX, Markdown, and CSV at full precision."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from zhiyin.shown.table import (
    NONE,
    Cell,
    MarkedFigure,
    Table,
    WrittenRow,
    WrittenTable,
    bare,
    in_letters,
)
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
    "±": r"\ensuremath{\pm}",
    **{sign: rf"\textsuperscript{{{n}}}" for n, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}


def as_csv(table: Table) -> str:
    """The table as CSV with full precision, shares as shares of 1.

    An interval has two columns, a standard error and the marks of figures (``*`` for bold, and the
    letters of footnotes) one each.
    """
    marks = [
        [f"{'*' * (n in row.strong)}{row.marks.get(n, '')}" for n in range(len(row.cells))]
        for row in in_letters(table, fit=False).rows
    ]
    every = [[row.cells[n] for row in table.rows] for n in range(len(table.columns))]
    wide = [_width([bare(cell) for cell in cells]) for cells in every]
    spread = [any(_se(cell) is not None for cell in cells) for cells in every]
    marked = [any(row[n] for row in marks) for n in range(len(every))]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    heads: list[str] = []
    for n, (column, cells) in enumerate(zip(table.columns, wide, strict=True)):
        name = column.name or say(column.title)
        heads += [name] if cells != 2 else []
        heads += [f"{name} low", f"{name} high"] if cells > 1 else []
        heads += [f"{name} SE"] * spread[n] + [f"{name} marks"] * marked[n]
    writer.writerow(csv_row(map(printable, heads)))
    for row, own in zip(table.rows, marks, strict=True):
        line: list[str | float | None] = []
        for n, (cell, width) in enumerate(zip(row.cells, wide, strict=True)):
            line += [*_plain(cell, width), *[_se(cell)] * spread[n], *[own[n]] * marked[n]]
        writer.writerow(csv_row(line))
    return text.getvalue()


def _se(cell: Cell) -> float | None:
    return cell.se if isinstance(cell, MarkedFigure) else None


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
    body = [_markdown_row(map(markdown, made.heads))]
    body += [_markdown_row(_dressed(cells, row, _IN_MARKDOWN)) for cells, row in _set_in(made)]
    body.insert(1, "|" + "|".join(sides) + "|")
    notes = [f"\n{note}" for note in _notes(made, _IN_MARKDOWN)]
    return "\n".join([f"**{markdown(made.title)}**\n", *body, *notes]) + "\n"


def as_latex(table: Table, language: str = "en") -> str:
    """The table as LaTeX for the package booktabs (and longtable, over 40 rows), escaped."""
    made = in_letters(table, language, fit=False)
    sides = "".join("l" if words else "r" for words in made.words)
    caption = rf"\caption{{{latex(made.title)}}}\label{{tab:{made.name}}}"
    head = [r"\toprule", _latex_row(made.heads), r"\midrule"]
    body = []
    for (cells, row), before in zip(_set_in(made), [None, *made.rows], strict=False):
        if row.mark == "soft" and before and before.mark != "soft":  # published rows below ours
            body.append(r"\midrule")
        body.append(_latex_line(_dressed(cells, row, _IN_LATEX)))
    notes = [rf"\par\footnotesize {note}" for note in _notes(made, _IN_LATEX)]
    if len(made.rows) > _LONG:
        start = [rf"\begin{{longtable}}{{{sides}}}", rf"{caption} \\", *head, r"\endhead"]
        lines = [*start, *body, r"\bottomrule", r"\end{longtable}", *notes]
    else:
        start = [r"\begin{table}", caption, rf"\begin{{tabular}}{{{sides}}}", *head]
        lines = [*start, *body, r"\bottomrule", r"\end{tabular}", *notes, r"\end{table}"]
    return "\n".join(lines) + "\n"


class PaperStyle(msgspec.Struct, frozen=True):
    """How a kind of paper escapes text, sets it in bold, and raises the marks of footnotes."""

    escape: Callable[[str], str]
    bold: str
    raised: str


def _dressed(cells: Sequence[str], row: WrittenRow, style: PaperStyle) -> Iterator[str]:
    """The cells of a row, escaped, with what is bold and the marks of footnotes."""
    for n, cell in enumerate(cells):
        text = style.escape(cell)
        text = style.bold.format(text) if n in row.strong else text
        yield text + (style.raised.format(row.marks[n]) if n in row.marks else "")


def _set_in(table: WrittenTable) -> Iterator[tuple[tuple[str, ...], WrittenRow]]:
    """The cells of each row; a group within another is set in."""
    for row in table.rows:
        first, *others = ("–" if cell == NONE else cell for cell in row.cells)
        yield (f"{'– ' * row.level}{first}", *others), row


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _notes(table: WrittenTable, style: PaperStyle) -> Iterator[str]:
    """What stands below it, footnotes first."""
    for one in table.footnotes:
        yield (f"{style.raised.format(one.sign)} " if one.sign else "") + style.escape(one.text)
    yield from map(style.escape, table.notes)


def _latex_row(cells: Sequence[str]) -> str:
    return _latex_line(map(latex, cells))


def _latex_line(cells: Iterable[str]) -> str:
    r"""A row. A star or a bracket at its beginning would belong to the ``\\`` of the row above."""
    row = " & ".join(cells)
    return f"{'{}' * row.startswith(('*', '['))}{row} \\\\"


def latex(text: str) -> str:
    """`text` with LaTeX's own signs escaped, on one line, without control characters."""
    plain = "".join(_LATEX.get(sign, sign) for sign in " ".join(printable(text).split()))
    return plain.replace("--", "-{}-")  # a flag, which would become a dash


def markdown(text: str) -> str:
    """`text` with Markdown's own signs escaped, on one line, without control characters."""
    shown = printable(text)
    escaped = "".join(f"\\{sign}" if sign in "\\|*_`<>[]" else sign for sign in shown)
    return " ".join(escaped.split())


_IN_LATEX = PaperStyle(latex, r"\textbf{{{}}}", r"\textsuperscript{{{}}}")
_IN_MARKDOWN = PaperStyle(markdown, "**{}**", "<sup>{}</sup>")
