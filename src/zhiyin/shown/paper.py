"""Tables on paper and for machines: LaTeX, Markdown, and CSV at full precision.

On paper a table is set so that it fits: which size, which cells in two lines, how many parts, on
how many pages. Widths are estimated from those of Computer Modern at 10 pt, the limits those of the
smallest usual pages: the class article with one column (345 × 550 pt at 10 pt, 390 × 548 pt at
12 pt), and a column of IEEE or of article with two. They hold as multiples of the size of letters.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec

from zhiyin.shown.table import (
    NONE,
    Cell,
    Column,
    MarkedFigure,
    Table,
    WrittenRow,
    WrittenTable,
    bare,
    in_letters,
    written,
)
from zhiyin.text import csv_row, printable
from zhiyin.words import said, say

_SIGNS = (
    "×times ÷div ≤leq ≥geq ≠neq ≈approx →rightarrow ←leftarrow ∞infty ·cdot ♯sharp ♭flat ♮natural "
    "✗times ✘times ✓surd ✔surd √surd «ll »gg ↑uparrow ↓downarrow ↔leftrightarrow ⇒Rightarrow ∈in "
    "αalpha βbeta γgamma δdelta εvarepsilon ζzeta ηeta θtheta ιiota κkappa λlambda μmu νnu ξxi πpi "
    "ρrho σsigma τtau υupsilon φvarphi χchi ψpsi ωomega "
    "ΓGamma ΔDelta ΘTheta ΛLambda ΞXi ΠPi ΣSigma ΦPhi ΨPsi ΩOmega"
)
"""A sign, and what it is called in mathematics."""
_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "±": r"\ensuremath{\pm}",
    "−": r"\ensuremath{-}",
    "`": r"\textasciigrave{}",
    **{sign: rf"\textsuperscript{{{n}}}" for n, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{word[0]: rf"\ensuremath{{\{word[1:]}}}" for word in _SIGNS.split()},
}
"""What LaTeX reads otherwise, and what pdfLaTeX's usual fonts lack."""
_KNOWN = {*map(chr, (*range(0x20, 0x7F), *range(0xA1, 0x180))), *"–—‘’“”†‡•…‰⁄€™"} - {
    *"ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲųſ"
}
"""What pdfLaTeX sets as it stands."""


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
        name = column.name or column.head()
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
    """Number of columns that a column takes: intervals alone two, beside other cells three."""
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
    if not (cell is None or isinstance(cell, int | float)):
        cell = printable(written(cell, Column("")))
    yield cell
    yield from [None] * (wide - 1)


def as_markdown(table: Table, language: str = "en") -> str:
    """The table as GitHub's Markdown, its title above and its notes below."""
    made = in_letters(table, language, fit=False)
    sides = ["---" if words else "---:" for words in made.words]
    body = [_markdown_row(map(markdown, made.heads))]
    for cells, row in _set_in(made):
        line = enumerate(cells)
        body.append(_markdown_row(
            _dressed(cell, row, n, _IN_MARKDOWN) + _raised(row, n, _IN_MARKDOWN) for n, cell in line
        ))  # fmt: skip
    body.insert(1, "|" + "|".join(sides) + "|")
    notes = [f"\n{note}" for note in _notes(made, _with_code, _IN_MARKDOWN)]
    return "\n".join([f"**{markdown(made.title)}**\n", *body, *notes]) + "\n"


def as_latex(table: Table, language: str = "en", label: str = "") -> str:
    """The table as LaTeX for the package booktabs, escaped.

    It fits the text of a page with one column and with two (`_layout`), and what is higher than a
    page goes on in a further float. `label` is what it is referred to by, its own name where that
    is empty.
    """
    made = in_letters(table, language, fit=False)
    fit, pages = _layout(made)
    around = "table" if fit.narrow else "table*"
    notes = [rf"\par {note}" for note in _notes(made, _breakable, _IN_LATEX)]
    below = [r"\par{\footnotesize\raggedright\setlength{\parindent}{0pt}", *notes, r"\par}"]
    floats: list[str] = []
    for number, page in enumerate(pages, 1):
        title = said("table-continued", title=made.title) if number > 1 else made.title
        caption = rf"\caption{{{_breakable(say(title, language))}}}"
        named = rf"\label{{tab:{label or made.name}}}" if number == 1 else ""
        before = [r"\addtocounter{table}{-1}"] if number > 1 else []
        floats += [r"\clearpage"] * (number % _MOST_FLOATS == 1 < number)
        body = [
            line for n, (part, rows) in enumerate(page)
            for line in ([r"\par\medskip"] * (n > 0) + _tabular(made, fit, part, rows))
        ]  # fmt: skip
        set_as = [r"\centering" + fit.size, *_separation(fit)]
        last = below if notes and number == len(pages) else []
        own = [*before, caption + named, *set_as, *body, *last]
        floats += [rf"\begin{{{around}}}", *_in_chinese(own), rf"\end{{{around}}}"]
    text = "\n".join(floats)
    return f"{_packages(text)}\n{text}\n"


_MOST_FLOATS = 10
"""LaTeX stops where more than 18 wait for their page."""
_Pages = list[list[tuple[Sequence[int], range]]]


def _pages(table: WrittenTable, fit: PaperFit) -> _Pages:
    """Choose the columns and the rows of each part of a table, page by page."""
    line = _LINES[fit.size]
    below = [f"{one.sign} {one.text}" for one in table.footnotes] + [*table.notes]
    small = r"\footnotesize"
    told = _LINES[small] * sum(1 + int(_text_width(t) * _SIZES[small] / _PAGE) for t in below)
    most = _HEIGHT - 12 * (1 + int(_text_width(table.title) / _PAGE))
    pages: _Pages = [[]]
    left = most
    for part in fit.parts:
        head = line * (1 + max(len(fit.head(table.owns[n])) for n in part)) + 15
        counts = [max(len(fit.lines(table, n, row.cells[n])) for n in part) for row in table.rows]
        heights = [line * n + _BETWEEN * (n > 1) for n in counts]
        heights = heights or [0.0]
        heights[-1] += told if part is fit.parts[-1] else 0.0
        room, start = most - head, 0
        share = sum(heights) / math.ceil(sum(heights) / room or 1)
        for end in range(1, len(heights) + 1):
            height = sum(heights[start:end])
            more = heights[end] if end < len(heights) else math.inf
            if height + more / 2 <= share and height + more <= room:
                continue
            if pages[-1] and height + head > left:
                pages.append([])
                left = most
            pages[-1].append((part, range(start, min(end, len(counts)))))
            left, start = left - height - head, end
    return pages


def _packages(text: str) -> str:
    """The comment that says which packages a table of LaTeX needs."""
    return r"% \usepackage{booktabs}" + f" {CHINESE}" * ("{CJK*}" in text)


CHINESE = r"\usepackage{CJKutf8} % XeLaTeX, LuaLaTeX: ctex"
"""What a paper with Chinese in it needs."""


def _in_chinese(lines: list[str]) -> list[str]:
    """Lines with signs of Chinese in the environment without which pdfLaTeX does not know them.

    XeLaTeX and LuaLaTeX know them, and have no such environment.
    """
    if not any(is_wide(sign) for line in lines for sign in line):
        return lines
    known = r"\ifcsname CJK*\endcsname"
    start, end = rf"{known}\begin{{CJK*}}{{UTF8}}{{gbsn}}\fi", rf"{known}\end{{CJK*}}\fi"
    return [start, *lines, end]


def caption_as_latex(text: str, label: str) -> str:
    """A float's caption and label, with the environment that Chinese needs around both."""
    return "\n".join(_in_chinese([rf"\caption{{{_breakable(text)}}}", rf"\label{{{label}}}"]))


def text_as_latex(text: str) -> str:
    """Paragraphs, parted by blank lines, as LaTeX."""
    lines = [f"{_breakable(part)}\n" for part in text.split("\n\n")]
    chinese = _in_chinese(lines)
    return "\n".join([*[f"% {CHINESE}"] * (chinese is not lines), *chinese])


def _separation(fit: PaperFit) -> list[str]:
    return [rf"\setlength{{\tabcolsep}}{{{fit.separation:g}pt}}"] if fit.stacked else []


def _tabular(table: WrittenTable, fit: PaperFit, part: Sequence[int], own: range) -> list[str]:
    """Some columns and rows of a table."""
    sides = ["l" if table.words[n] else "r" for n in part]
    heads = [
        _stacked([latex(line) for line in fit.head(table.owns[n])], side, "b")
        for n, side in zip(part, sides, strict=True)
    ]
    lines = [
        rf"\begin{{tabular}}{{{''.join(sides)}}}", r"\toprule", *_spans(table.spanned(part)),
        _latex_line(heads), r"\midrule",
    ]  # fmt: skip
    set_in = [*_set_in(table)]
    for number in own:
        cells, row = set_in[number]
        before = table.rows[number - 1] if number > own.start else None
        if before and (row.apart or (row.mark == "soft" and before.mark != "soft")):
            lines.append(r"\midrule")
        elif before and max(len(fit.lines(table, n, before.cells[n])) for n in part) > 1:
            lines.append(r"\addlinespace")
        made = []
        for n, side in zip(part, sides, strict=True):
            first, *below = fit.lines(table, n, cells[n])
            if side == "l":
                dressed = [_dressed(line, row, n, _IN_LATEX) for line in (first, *below)]
                dressed[-1] += _raised(row, n, _IN_LATEX)
            else:
                figure = _dressed(first, row, n, _IN_LATEX) + _raised(row, n, _IN_LATEX)
                dressed = [figure, *(rf"\scriptsize {latex(line)}" for line in below)]
            made.append(_stacked(dressed, side, "t"))
        lines.append(_latex_line(made))
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _spans(spanned: Sequence[tuple[str, int]]) -> Iterator[str]:
    """The line of headings that columns share, and rules below them; nothing without any."""
    if not any(over for over, _ in spanned):
        return
    yield _latex_line(
        rf"\multicolumn{{{n}}}{{c}}{{{latex(over)}}}" if over else "" for over, n in spanned
    )
    last = 0
    for over, n in spanned:
        first, last = last + 1, last + n
        if over:
            yield rf"\cmidrule(lr){{{first}-{last}}}"


def _stacked(lines: Sequence[str], side: str, at: str) -> str:
    """Lines of a cell above each other; one line as it is."""
    if len(lines) == 1:
        return lines[0]
    return rf"\begin{{tabular}}[{at}]{{@{{}}{side}@{{}}}}" + r"\\".join(lines) + r"\end{tabular}"


class PaperStyle(msgspec.Struct, frozen=True):
    """A kind of paper's way to escape text, set it in bold, and raise the marks of footnotes."""

    escape: Callable[[str], str]
    bold: str
    raised: str


def _dressed(cell: str, row: WrittenRow, n: int, style: PaperStyle) -> str:
    """A cell, or a line of it, escaped, and in bold where it stands out."""
    text = style.escape(cell)
    return style.bold.format(text) if n in row.strong else text


def _raised(row: WrittenRow, n: int, style: PaperStyle) -> str:
    """The marks of a cell's footnotes."""
    return style.raised.format(row.marks[n]) if n in row.marks else ""


def _set_in(table: WrittenTable) -> Iterator[tuple[tuple[str, ...], WrittenRow]]:
    """The cells of each row; a group within another is set in."""
    for row in table.rows:
        first, *others = ("–" if cell == NONE else cell for cell in row.cells)
        yield (f"{'– ' * row.level}{first}", *others), row


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _notes(table: WrittenTable, escape: Callable[[str], str], style: PaperStyle) -> Iterator[str]:
    """Yield the lines below the table, footnotes first."""
    for one in table.footnotes:
        yield (f"{style.raised.format(one.sign)} " if one.sign else "") + escape(one.text)
    yield from map(escape, table.notes)


def _latex_line(cells: Iterable[str]) -> str:
    r"""A row. A star or a bracket at its beginning would belong to the ``\\`` of the row above."""
    row = " & ".join(cells)
    return f"{'{}' * row.startswith(('*', '['))}{row} \\\\"


def latex(text: str) -> str:
    r"""`text` with LaTeX's own signs escaped, on one line, without control characters.

    pdfLaTeX stops at a sign that it does not know: such a one is set by its base, or its number.
    """
    line = unicodedata.normalize("NFC", " ".join(printable(text).split()))
    return "".join(map(_in_latex, line)).replace("--", "-{}-")  # a flag would become a dash


def _in_latex(sign: str) -> str:
    if sign in _LATEX:
        return _LATEX[sign]
    if sign in _KNOWN or (is_wide(sign) and unicodedata.category(sign) != "So"):
        return sign
    base = [one for one in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(one)]
    if sign in base:
        return rf"{{\ttfamily U+{ord(sign):04X}}}"
    return "".join(map(_in_latex, base))


def _breakable(text: str) -> str:
    """Escape as `latex`; a long word, such as an address, may break behind its signs."""
    words = [
        _JOINT.sub(r"\1\\allowbreak{}", latex(word)) if len(word) > _UNBROKEN else latex(word)
        for word in text.split()
    ]
    return " ".join(words)


_UNBROKEN = 16
_JOINT = re.compile(r"(\\_|\\&|\\#|\\%|[/.?=:-](?![{}]))(?=\S)")


def markdown(text: str) -> str:
    """`text` with Markdown's own signs escaped, on one line, without control characters."""
    return " ".join(_escaped(printable(text)).split())


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\|*_`<>[]" else sign for sign in text)


def _with_code(text: str) -> str:
    """The same of a note: a command in it, in backticks, stays code."""
    pieces = printable(text).split("`")
    if not len(pieces) % 2 or not all(pieces[1::2]):  # a backtick without its fellow
        return markdown(text)
    escaped = (f"`{p}`" if n % 2 else _escaped(p) for n, p in enumerate(pieces))
    return " ".join("".join(escaped).split())


_IN_LATEX = PaperStyle(latex, r"\textbf{{{}}}", r"\textsuperscript{{{}}}")
_IN_MARKDOWN = PaperStyle(markdown, "**{}**", "<sup>{}</sup>")


_PAGE = 325.0
_COLUMN = 225.0
"""Widths of text in pt, for letters of 10 pt."""
_SIZES = {"": 1.0, r"\small": 0.925, r"\footnotesize": 0.85}
_HEIGHT = 440.0
"""The height of a page in pt, for letters of 10 pt."""
_LINES = {"": 12.0, r"\small": 11.0, r"\footnotesize": 9.5}
"""From line to line."""
_BETWEEN = 5.0
"""Below a row of several lines."""
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
_NAMES, _HEAD = (40, 26, 18, 12), 10
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
        The columns of each part of the table, below each other; what names a row is in each.
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


def _layout(table: WrittenTable) -> tuple[PaperFit, _Pages]:
    """Choose a layout and its pages: the first of those on the fewest pages."""
    return min(((fit, _pages(table, fit)) for fit in _fits(table)), key=lambda one: len(one[1]))


def _fits(table: WrittenTable) -> Iterator[PaperFit]:
    """Layouts that are not too wide: flat, else in two lines, smaller, and at last in parts."""
    every = tuple(range(len(table.heads)))
    found = False
    for letters, sizes in ((0, 2), *((letters, 3) for letters in _NAMES), (0, 3)):
        for size in list(_SIZES)[:sizes]:
            fit = PaperFit(size, letters, (every,), narrow=False)
            width = sum(_widths(table, fit))
            if width <= _PAGE:
                found = True
                yield msgspec.structs.replace(fit, narrow=width <= _COLUMN)
    if not found:
        fit = PaperFit(size, _NAMES[1], (every,), narrow=False)
        widths = _widths(table, fit)
        parts = in_parts(table, lambda columns: sum(widths[n] for n in columns) <= _PAGE)
        yield msgspec.structs.replace(fit, parts=tuple(map(tuple, parts)))


def _widths(table: WrittenTable, fit: PaperFit) -> list[float]:
    """The width of each column with the gap beside it."""
    scale = _SIZES[fit.size]
    widths = []
    for n, head in enumerate(table.owns):
        width = max(map(_text_width, fit.head(head)))
        for row in table.rows:
            first, *below = fit.lines(table, n, row.cells[n])
            own = _text_width(first) * (_BOLD if n in row.strong else 1) + 4 * len(
                row.marks.get(n, "")
            )
            small = 1 if table.words[n] else _SCRIPT / scale
            width = max(width, own, *(small * _text_width(line) for line in below))
        widths.append(width * scale + 2 * fit.separation)
    return widths


def in_parts(table: WrittenTable, fits: Callable[[list[int]], bool]) -> list[list[int]]:
    """The columns of a table in as many parts as fit beside those that name a row.

    These, the words that a row begins with, are in each part, but for what leaves a figure no room.
    What shares a heading stays together where it can.
    """
    every = range(len(table.heads))
    keys = [0, *itertools.takewhile(table.words.__getitem__, every[1:])]
    while len(keys) > 1 and not all(fits([*keys, n]) for n in every[len(keys) :]):
        keys.pop()
    kept, column = [[*keys]], len(keys)
    for _, number in table.spanned(every[len(keys) :]):
        several = range(column, column + number)
        column += number
        if len(kept[-1]) > len(keys) and not fits([*kept[-1], *several]):
            kept.append([*keys])
        for one in several:
            if len(kept[-1]) > len(keys) and not fits([*kept[-1], one]):
                kept.append([*keys])
            kept[-1].append(one)
    return kept


@lru_cache(4096)  # every layout that is tried asks again
def _text_width(text: str) -> float:
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
    """A text in lines, broken behind blanks, hyphens, strokes, underscores and Chinese marks, and
    before a Chinese bracket, which stays whole; what is too long alone, behind any of its signs.
    """
    lines = [""]
    for piece in _PIECE.findall(text):
        most = 1.5 * width if piece.startswith("（") else width
        for part in (piece,) if _letters(piece) <= most else filter(None, _PARTS.findall(piece)):
            if lines[-1] and _letters(lines[-1] + part.rstrip()) > width:
                lines.append("")
            lines[-1] += part
    return tuple(line.strip() for line in lines)


_PIECE = re.compile(r"（[^（）]*）|[^ /_\-（，、；：]*[ /_\-，、；：]|[^ /_\-（，、；：]+|（")
_PARTS = re.compile(r"（?[^ /_\-\u2e80-\uffff]*(?:[ /_\-\u2e80-\uffff]|$)")


def _letters(text: str) -> int:
    """Count the letters that a text is as wide as."""
    return len(text) + sum(map(is_wide, text))
