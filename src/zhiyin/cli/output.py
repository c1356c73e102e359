"""Output of commands: tables on a terminal, or one JSON object and nothing beside it."""

from __future__ import annotations

import io
import operator
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from zhiyin.shown.terminal import Terminal
    from zhiyin.words import Said, Text

_apart: TextIO | None = None


def _to_nowhere(stream: io.FileIO | TextIO) -> None:
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


class Unhurt(io.FileIO):
    """A standard stream whose reader may leave: what is printed then is dropped.

    The work goes on and its exit status stands: that of a closed gate is not to depend on how much
    of its table somebody reads.
    """

    left = False

    def write(self, data: Any) -> int:
        """Write what can be written, as `io.FileIO` does."""
        try:
            return super().write(data)
        except BrokenPipeError:
            self.left = True
            _to_nowhere(self)
            return len(data)


def unhurt(descriptor: int, like: TextIO | None = None) -> TextIO:
    """Open a descriptor for text as an `Unhurt`, in the manner of another stream."""
    return io.TextIOWrapper(
        io.BufferedWriter(Unhurt(descriptor, "w", closefd=False)),
        encoding=like.encoding if like else "utf-8",
        errors=like.errors if like else None,
        line_buffering=bool(like and like.line_buffering),  # type: ignore[attr-defined]
    )


def refuse_unread() -> None:
    """Raise `BrokenPipeError` where the reader of standard output has left: there is no end."""
    if getattr(getattr(sys.stdout.buffer, "raw", None), "left", False):
        raise BrokenPipeError


def keep_apart(arguments: Sequence[str]) -> None:
    """Send to standard error, with ``--json``, whatever else is printed in this process.

    A function of the user's, or a library that it loads, may print while it is asked; who reads
    the result expects one JSON object.

    Parameters
    ----------
    arguments : sequence of str
        What follows ``--`` is for another command.
    """
    global _apart
    if not wants_json(arguments):
        return
    sys.stdout.flush()
    _apart = unhurt(os.dup(1))
    os.dup2(2, 1)
    sys.stdout = sys.stderr


def wants_json(arguments: Sequence[str]) -> bool:
    """Tell whether a command line asks for one JSON object on standard output."""
    words = list(arguments)
    words = words[: words.index("--")] if "--" in words else words
    return "--json" in words and not {"-h", "--help"} & set(words)


def stream() -> TextIO:
    """Return the stream that a result is written to."""
    return _apart or sys.stdout


def flush() -> None:
    """Flush the output. Raises `OSError` where that fails."""
    for each in (sys.stdout, stream()):
        each.flush()


def discard() -> None:
    """Write nothing of what is left, now that writing has failed."""
    for each in (sys.stdout, stream()):
        _to_nowhere(each)


_by_name = operator.attrgetter("__name__")


def languages_of(lang: str) -> list[str]:
    """The languages of a page: what ``--lang`` says, else that of the terminal.

    Raises `InputError` where it says another one.
    """
    from zhiyin.errors import InputError
    from zhiyin.words import LANGUAGES, said, spoken

    asked = list(dict.fromkeys(one.strip() for one in lang.split(",") if one.strip()))
    if other := next((one for one in asked if one not in LANGUAGES), None):
        raise InputError(said("error-lang", lang=other))
    return asked or [spoken()]


def print_json(value: Any) -> None:
    """Print one JSON object and a line end on standard output; a measure's functions by name."""
    import msgspec

    stream().write(msgspec.json.encode(value, enc_hook=_by_name).decode() + "\n")


def print_json_each(values: Sequence[Any], name: str, **more: Any) -> None:
    """Print the only one of some values as JSON, or an object with all of them under a name.

    `more` stands beside either.
    """
    import msgspec

    if len(values) != 1:
        print_json({name: values, **more})
    else:
        print_json(
            {**msgspec.to_builtins(values[0], enc_hook=_by_name), **more} if more else values[0]
        )


def note(text: Text, label: Said | None = None) -> None:
    """Write a line for people on standard error, in the language of the terminal."""
    from zhiyin.words import said, say, spoken

    line = text if label is None else said("cli-labelled", label=label, text=text)
    sys.stderr.write(f"{say(line, spoken())}\n")


def open_console(**settings: Any) -> Terminal:
    """Open the terminal for tables as wide as it is, a file or pipe wide enough not to wrap."""
    from zhiyin.shown.terminal import Terminal

    return Terminal(**settings)
