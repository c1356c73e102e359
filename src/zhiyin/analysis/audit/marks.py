"""The marks of an audit, beside the run: RUN/audit.jsonl, draws and marks, only ever added to."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from zhiyin.engine.sums import seal_quietly
from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON

AUDIT = "audit.jsonl"
NONE, UNSURE = "none", "unsure"
PERSON = "person"
"""Who marks where no name is given."""
JUDGE = "judge:"
"""How the name of a model that marks begins."""


class Drawn(msgspec.Struct, frozen=True, array_like=True):
    """A reply of a draw: its trial, its stratum, the hash of the reply's text."""

    id: str
    stratum: str
    reply: str


class Draw(msgspec.Struct, frozen=True, tag="draw", tag_field="kind"):
    """A stratified draw.

    Attributes
    ----------
    seed, n : int
        As they were asked for.
    allocation : str
        "neyman" or "proportional".
    sizes : dict of str to int
        Replies in each stratum of the run.
    probabilities : dict of str to float
        With which each of them was drawn.
    replies : tuple of Drawn
        In the order in which they are shown.
    at : str
    """

    seed: int
    n: int
    allocation: str
    sizes: dict[str, int]
    probabilities: dict[str, float]
    replies: tuple[Drawn, ...]
    at: str = ""


class Mark(msgspec.Struct, frozen=True, tag="mark", tag_field="kind"):
    """What somebody takes from a reply.

    Attributes
    ----------
    id, reply : str
        Trial, and hash of the reply's text: a mark is never taken for one of another reply.
    mark : str
        A letter, "none" for no answer, or "unsure".
    by : str
        Who marked: a name, or "judge:" and a model's.
    blind : bool
        Whether the reader's verdict was out of sight.
    at : str
    """

    id: str
    reply: str
    mark: str
    by: str = PERSON
    blind: bool = True
    at: str = ""


Line = Draw | Mark


class Book:
    """The draws and marks of a run.

    Parameters
    ----------
    folder : Path
        Of the run.

    Attributes
    ----------
    draw : Draw or None
        The one in force: the last.
    marks : dict
        By who marked, trial and reply: the last mark.

    Raises
    ------
    InputError
        A line that is neither, by its number.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / AUDIT
        self.draw: Draw | None = None
        self.marks: dict[tuple[str, str, str], Mark] = {}
        for line in read_lines(self.path) if self.path.is_file() else ():
            self._take(line)

    def _take(self, line: Line) -> None:
        if isinstance(line, Draw):
            self.draw = line
        else:
            self.marks[line.by, line.id, line.reply] = line

    def add(self, lines: Iterable[Line]) -> None:
        """Write some lines; they are on the disk when this returns."""
        stamped = [msgspec.structs.replace(line, at=line.at or _now()) for line in lines]
        if not stamped:
            return
        data = b"".join(msgspec.json.encode(line) + b"\n" for line in stamped)
        try:
            with self.path.open("ab+") as file:
                _cut_torn(self.path, file.fileno())
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                seal_quietly(self.path.parent, [AUDIT])
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}") from None
        for line in stamped:
            self._take(line)

    def marked_by(self, by: str) -> dict[str, Mark]:
        """The marks of one who marks on the draw in force, by trial."""
        drawn = self.draw.replies if self.draw else ()
        marks = {one.id: self.marks.get((by, one.id, one.reply)) for one in drawn}
        return {name: mark for name, mark in marks.items() if mark is not None}

    @property
    def markers(self) -> list[str]:
        """Who has marked replies of the draw in force: who is done first, people before judges."""
        counts: dict[str, int] = {}
        drawn = {(one.id, one.reply) for one in self.draw.replies} if self.draw else set()
        for by, name, reply in self.marks:
            if (name, reply) in drawn:
                counts[by] = counts.get(by, 0) + 1
        return sorted(
            counts, key=lambda by: (counts[by] < len(drawn), by.startswith(JUDGE), -counts[by], by)
        )


def read_lines(path: Path) -> list[Line]:
    """Every whole line of a file of marks. A torn end is left out.

    Raises
    ------
    InputError
        A file that cannot be read, or a line that is no draw and no mark.
    """
    decoder = msgspec.json.Decoder(Line)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    lines: list[Line] = []
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        try:
            lines.append(decoder.decode(line))
        except NOT_JSON as error:
            raise InputError(f"{path}:{number}: no draw and no mark ({error})") from None
    return lines


def _cut_torn(path: Path, descriptor: int) -> None:
    """Cut off a last line that a crash left without its end."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole != len(data):
        os.ftruncate(descriptor, whole)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
