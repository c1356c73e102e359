"""Output on a terminal: text of servers, models and data cannot control the terminal.

A table is laid out so that no figure is ever cut or folded: only words are folded, and where the
figures alone need more room than there is, the columns stand in several tables.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any

import msgspec
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.pager import Pager
from rich.text import Text

from zhiyin.shown.glossary import key_of, shortened_in
from zhiyin.shown.paper import in_parts
from zhiyin.shown.table import Table, WrittenTable, in_letters
from zhiyin.text import printable
from zhiyin.words import Said, said, say, spoken

FILE_WIDTH = 120
"""Letters in a line of a file or a pipe."""
MOST_ROWS = 12
"""Rows of a table where another command shows all of them."""
_LEAST = 16
"""Letters that a column of words keeps where it has to be folded."""
_LONGEST = 24
"""A column with longer cells than this holds words, not figures."""
_GAPS = (2, 1)
_TOGETHER = re.compile(
    r"(?<=\d)[ \u00a0](?=(?:%|(?:s|ms|min|h|d|kB|MB|GB|points?)\b))"
    r"|(?<=[<=>])[ \u00a0](?=[−-]?\d)|(?<=\bp)[ \u00a0](?=[<=])"
)
_GLUE = "\ue000"
"""Holds a number and its unit together while a sentence is wrapped: rich folds at any blank."""
_BETWEEN = re.compile(
    r"(?<=[\u3001-\u9fff\uff01-\uff5e”])(?<![（《“])(?=[^\s\u3001-\u3003》」』】！），：；？．”…%])"
)
_BREAK = "\x1f"
"""Stands where a Chinese sentence may be folded: to rich, which shows it in no room, a blank."""
_STYLES = {"": "", "strong": "bold", "soft": "dim"}


Spoken = str | Said | msgspec.Struct
"""Text of others, a message, or a finding."""


class Terminal(Console):
    """A rich console that shows control characters in its text, and obeys none.

    It is as wide as the terminal, or as COLUMNS says; in a file or a pipe tables are wide and
    sentences stay on one line, so that they can be searched. Colours are rich's: none where
    NO_COLOR is set, where TERM is dumb or output is no terminal, unless FORCE_COLOR is set.
    """

    def __init__(self, **settings: Any) -> None:
        settings = {"highlight": False, **settings}
        file = settings.get("file") or (sys.stderr if settings.get("stderr") else sys.stdout)
        self.loose = not file.isatty() and "COLUMNS" not in os.environ
        """Whether sentences stay on one line."""
        if self.loose:
            settings.setdefault("width", FILE_WIDTH)
        if os.environ.get("FORCE_COLOR") == "0":  # elsewhere this means no colours
            settings.setdefault("no_color", True)
        super().__init__(**settings)
        self._explained: set[str] = set()
        self.language = spoken()

    def render_str(self, text: str, **options: Any) -> Text:
        """Render as rich does, for every string that is printed, cells of tables included."""
        return super().render_str(printable(text), **options)

    @contextmanager
    def paged(self) -> Iterator[None]:
        """Send what is printed through a pager, on a terminal whose screen it does not fit on."""
        if not self.file.isatty() or self.is_dumb_terminal:
            yield
            return
        with self.pager(_Pager(self.height, self.file), styles=True, links=True):
            yield

    def print_table(self, table: Table, more: str = "") -> None:
        """Print a table: its title, its rows, its notes, what its short heads mean.

        A head is explained once: not again under a further table, and not where a note does.

        Parameters
        ----------
        table : Table
        more : str
            What shows all rows: "zhiyin show RUN --groups all". Of more than twelve those of the
            least weight give way to a line with it. Without it all rows are printed.
        """
        shown = table.heaviest(MOST_ROWS) if more else table
        letters = in_letters(shown, self.language)
        if letters.title:
            super().print()
            self.say(letters.title, 0, style="italic")
        for line in _lines(letters, self.width):
            super().print(line, soft_wrap=True)
        if left := len(table.rows) - len(shown.rows):
            self.say_command(said("cli-more", n=left), more, 0)
        for one in letters.footnotes:
            self.say(one.plain, style="red" if one.stops else "")
        for note in letters.notes:
            self.say(note)
        notes = set(re.findall(r"[\w.]+", " ".join(letters.notes)))
        new = [head for head in letters.heads if head not in notes]
        if terms := [one for one in shortened_in(new) if one not in self._explained]:
            self._explained.update(terms)
            self.say(key_of(terms), style="dim")

    def on_broken_pipe(self) -> None:
        """Raise to the program, which ends silently; rich would end it with status 1."""
        raise

    def say(self, text: Spoken, indent: int = 2, label: str | Said = "", style: str = "") -> None:
        """Print a sentence as it is, wrapped at the terminal's width and set in.

        Parameters
        ----------
        text : str, Said or finding
        indent : int
            Blanks before the first line; further lines stand two further in.
        label : str or Said
            Stands before the text: "warning".
        style : str
            Of the label, or of the whole where there is no label.
        """
        text, label = say(text, self.language), say(label, self.language)
        if self.loose:  # where it is searched for "50.0 %"
            text = text.replace("\u00a0", " ")
        sentence = Text(
            printable(f"{label}{self._colon}{text}" if label else text), "" if label else style
        )
        if label:
            sentence.stylize(style, 0, len(label) + 1)
        hang = indent + 2
        if self.loose or cell_len(sentence.plain) + indent <= self.width:
            super().print(Text(" " * indent).append_text(sentence), soft_wrap=True)
            return
        begun = len(label) + 1 if label else 0
        glued = _TOGETHER.sub(_GLUE, sentence.plain)
        sentence.plain = glued[:begun] + _BETWEEN.sub(_BREAK, glued[begun:])
        for number, line in enumerate(sentence.wrap(self, max(10, self.width - hang))):
            line.rstrip()
            line.plain = line.plain.replace(_GLUE, " ").replace(_BREAK, "")
            before = " " * (hang if number else indent)
            super().print(Text(before).append_text(line), soft_wrap=True)

    def say_all(
        self,
        lines: Sequence[Spoken],
        indent: int = 2,
        label: str | Said = "",
        style: str = "",
        most: int | None = None,
        more: str = "",
    ) -> None:
        """Say some sentences, or so many of them, how many more there are, and what shows them."""
        shown = lines[:most]
        for line in shown:
            self.say(line, indent, label, style)
        if left := len(lines) - len(shown):
            self.say_command(said("cli-more", n=left), more, indent)

    @property
    def _colon(self) -> str:
        return "：" if self.language == "zh" else ": "

    def say_command(
        self, text: str | Said, command: str, indent: int = 2, style: str = "dim"
    ) -> None:
        """Say what a command shows; the command on a line of its own where both are too long."""
        before = f"{say(text, self.language)}{self._colon}"
        if self.loose or cell_len(f"{before}{command}") + indent <= self.width:
            self.say(f"{before}{command}", indent, style=style)
        else:
            self.say(before.rstrip(), indent, style=style)
            super().print(f"    {printable(command)}", style=style, soft_wrap=True, markup=False)

    def say_indented(self, line: str) -> None:
        """Print a line as `say` does, set in by the blanks that it begins with."""
        text = line.lstrip()
        self.say(text, len(line) - len(text))


def shortened(name: str, cells: int) -> str:
    """A name in so many cells of a terminal, cut in its middle; a number in it is not cut.

    Parameters
    ----------
    name : str
    cells : int
        A Chinese character takes two.
    """
    name = " ".join(printable(name).split())
    if cell_len(name) <= cells:
        return name
    room = max(cells - 1, 2)
    head = set_cell_size(name, room - room // 2).rstrip()
    tail = _last(name, room // 2).lstrip()
    if head[-1:].isdigit() and name[len(head) : len(head) + 1].isdigit():
        head = head.rstrip("0123456789")
    if tail[:1].isdigit() and name[: -len(tail)][-1:].isdigit():
        tail = tail.lstrip("0123456789")
    return f"{head}…{tail}"


def _last(name: str, cells: int) -> str:
    """The end of a name, in so many cells or one less."""
    start = len(name)
    while start and cell_len(name[start - 1 :]) <= cells:
        start -= 1
    return name[start:]


class _Pager(Pager):
    """The pager that PAGER names, or less; without one the text is printed."""

    def __init__(self, height: int, file: IO[str]) -> None:
        self._height, self._file = height, file

    def show(self, content: str) -> None:
        try:
            words = shlex.split(os.environ.get("PAGER", "less"))
        except ValueError:  # a quotation mark that is not closed
            words = []
        if content.count("\n") < self._height or not words or not shutil.which(words[0]):
            self._file.write(content)
            return
        usual = {"LESS": "FRX", "LESSCHARSET": "utf-8"}
        pager = subprocess.Popen(words, stdin=subprocess.PIPE, env={**usual, **os.environ})
        with suppress(BrokenPipeError, KeyboardInterrupt):
            pager.communicate(content.encode(errors="replace"))
        while pager.poll() is None:
            with suppress(KeyboardInterrupt):  # it is the pager's, which may use it
                pager.wait()


def _lines(table: WrittenTable, width: int) -> Iterator[Text]:
    """The lines of a table, its columns in as many parts as are needed."""
    grid = _Grid(table, width)
    for number, columns in enumerate(grid.parts()):
        if number:
            yield Text("")
        yield from grid.lines(columns)


class _Grid:
    """A table in a terminal of some width.

    Parameters
    ----------
    table : WrittenTable
    width : int
        Letters in a line; a Chinese character takes two.
    """

    def __init__(self, table: WrittenTable, width: int) -> None:
        self._words, self._width = table.words, width
        self._table = table
        self._heads = [_one_line(head) for head in table.owns]
        self._rows = [
            [
                _one_line(cell if place else f"{'  ' * row.level}{cell}")
                for place, cell in enumerate(row.plain)
            ]
            for row in table.rows
        ]
        self._styles = [_STYLES[row.mark] for row in table.rows]
        columns = range(len(self._heads))
        self._cells = [max((cell_len(row[n]) for row in self._rows), default=0) for n in columns]
        self._least = [self._room(n) for n in columns]
        for n in filter(self._words.__getitem__, columns):  # words whole, where there is room
            whole = [
                cell_len(row[n]) - cell_len(row[n].lstrip()) + cell_len(piece.strip())
                for row in self._rows for piece in _pieces(row[n])
            ]  # fmt: skip
            spare = width - self._needs(columns, _GAPS[-1])
            self._least[n] += max(0, min(spare, max(whole, default=0) - self._least[n]))
        self._gap = next((gap for gap in _GAPS if self._needs(columns, gap) <= width), _GAPS[-1])

    def _room(self, column: int) -> int:
        """Least width of a column: figures whole, headings by the word, some words."""
        words = [cell_len(piece.rstrip()) for piece in _pieces(self._heads[column])]
        if self._words[column]:
            return min(_LEAST, max([1, self._cells[column], *words]))
        return max([1, self._cells[column], *(min(word, _LONGEST) for word in words)])

    def _needs(self, columns: Sequence[int], gap: int) -> int:
        return sum(self._least[n] for n in columns) + gap * (len(columns) - 1)

    def parts(self) -> list[list[int]]:
        """The columns, in as many parts as fit beside the first column."""
        return in_parts(self._table, lambda own: self._needs(own, self._gap) <= self._width)

    def _widths(self, columns: Sequence[int]) -> list[int]:
        """The least widths, and what room is left: first for words, then for headings."""
        widths = [self._least[n] for n in columns]
        spare = self._width - self._needs(columns, self._gap)
        cells = [self._cells[n] for n in columns]
        for wanted in (cells, [max(self._cells[n], cell_len(self._heads[n])) for n in columns]):
            while spare > 0 and (short := [n for n, w in enumerate(widths) if w < wanted[n]]):
                for n in short:
                    more = min(max(1, spare // len(short)), wanted[n] - widths[n], spare)
                    widths[n] += more
                    spare -= more
        return widths

    def lines(self, columns: Sequence[int]) -> Iterator[Text]:
        """The lines of some columns."""
        widths = self._widths(columns)
        if any(over for over, _ in self._table.spanned(columns)):
            yield self._over(columns, widths)
        if any(self._heads[n] for n in columns):
            yield from self._row([self._heads[n] for n in columns], columns, widths, "bold", -1)
        for row, style, own in zip(self._rows, self._styles, self._table.rows, strict=True):
            yield from [Text("")] * own.apart
            yield from self._row([row[n] for n in columns], columns, widths, style, 0)

    def _over(self, columns: Sequence[int], widths: list[int]) -> Text:
        """The line of headings that columns share, each in the middle of its columns."""
        line, start = "", 0
        for over, number in self._table.spanned(columns):
            own = widths[start : start + number]
            room, start = sum(own) + self._gap * (number - 1), start + number
            text = shortened(over, room) if over else ""
            before = " " * ((room - cell_len(text)) // 2)
            line += f"{before}{text}".ljust(room - cell_len(text) + len(text)) + " " * self._gap
        return Text(line.rstrip(), "bold")

    def _row(
        self, cells: list[str], columns: Sequence[int], widths: list[int], style: str, edge: int
    ) -> Iterator[Text]:
        """A row; `edge` -1 sets its cells at the bottom, as headings are."""
        folded = [_folded(cell, room) for cell, room in zip(cells, widths, strict=True)]
        height = max(map(len, folded))
        for number in range(height):
            line = []
            for column, room, own in zip(columns, widths, folded, strict=True):
                place = number - (height - len(own) if edge else 0)
                text = own[place] if 0 <= place < len(own) else ""
                blanks = " " * (room - cell_len(text))
                line.append(text + blanks if self._words[column] else blanks + text)
            yield Text((" " * self._gap).join(line).rstrip(), style)


def _one_line(text: str) -> str:
    return printable(text).replace("\n", " ").replace("\t", " ")


def _pieces(text: str) -> list[str]:
    """Split text where words may be folded: at blanks, and behind signs that join names.

    The mark of a failed canary stays behind its name.
    """
    blank, joint = r"(?:[^\S\u00a0](?!✗))", r"(?:[/_:-]|=(?!\u00a0))"
    word = rf"(?:(?!{blank}|{joint}).)"
    return re.findall(rf"{blank}*{word}*{joint}+|{blank}*{word}+|{blank}+", text)


def _folded(text: str, room: int) -> list[str]:
    """A cell in lines of so many cells of the terminal; further lines are set in as it is."""
    if cell_len(text) <= room:
        return [text]
    before = text[: len(text) - len(text.lstrip())][: room // 2]
    lines, line = [], before
    for piece in (part for own in _pieces(text.lstrip()) for part in _BETWEEN.split(own)):
        if line.strip() and cell_len(line + piece) > room:
            lines.append(line.rstrip())
            line, piece = before, piece.lstrip()
        for sign in piece:
            if cell_len(line + sign) > room and line.strip():
                lines.append(line.rstrip())
                line = before
            line += sign
    return [*lines, line.rstrip()] if line.strip() else lines
