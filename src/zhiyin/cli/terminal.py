"""Output on a terminal: text of servers, models and data cannot control the terminal."""

from __future__ import annotations

import os
import sys
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from zhiyin.text import printable

FILE_WIDTH = 120
"""Letters in a line of a file or a pipe."""


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

    def render_str(self, text: str, **options: Any) -> Text:
        """As rich does, for every string that is printed, cells of tables included."""
        return super().render_str(printable(text), **options)

    def on_broken_pipe(self) -> None:
        """Leave it to the program, which ends silently; rich would end it with status 1."""
        raise

    def say(self, text: str, indent: int = 2, label: str = "", style: str = "") -> None:
        """Print a sentence as it is, wrapped at the terminal's width and set in.

        Parameters
        ----------
        text : str
        indent : int
            Blanks before the first line; further lines stand two further in.
        label : str
            Stands before the text: "warning".
        style : str
            Of the label, or of the whole where there is no label.
        """
        sentence = Text(printable(f"{label}: {text}" if label else text), "" if label else style)
        if label:
            sentence.stylize(style, 0, len(label) + 1)
        hang = indent + 2
        if self.loose or cell_len(sentence.plain) + indent <= self.width:
            super().print(Text(" " * indent).append_text(sentence), soft_wrap=True)
            return
        for number, line in enumerate(sentence.wrap(self, max(10, self.width - hang))):
            line.rstrip()
            before = " " * (hang if number else indent)
            super().print(Text(before).append_text(line), soft_wrap=True)

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


def shortened_pair(one: str, two: str, cells: int) -> tuple[str, str]:
    """Two names in so many cells each; both whole where they would be alike.

    Parameters
    ----------
    one, two : str
    cells : int
    """
    short = shortened(one, cells), shortened(two, cells)
    return (printable(one), printable(two)) if short[0] == short[1] and one != two else short


def _last(name: str, cells: int) -> str:
    """The end of a name, in so many cells or one less."""
    start = len(name)
    while start and cell_len(name[start - 1 :]) <= cells:
        start -= 1
    return name[start:]
