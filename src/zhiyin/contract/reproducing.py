"""Published tables made again from published replies: rows, and why ours differ from them.

A benchmark declares its tables by one method, `Benchmark.tables`. What is printed of them, and the
sentence on how many figures came out, are the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

ALL = "all"
"""What may stand for the name of a table: every table of the benchmark."""


class Cause(msgspec.Struct, frozen=True):
    """Why two figures of one row differ, and by how much.

    Attributes
    ----------
    between : {"published", "ours"}
        What the figure by the published rule differs from.
    what : str
        In plain words.
    count : int
        How many there are of what it names: replies, as a rule.
    effect : float or None
        By how much it changes the figure, in units of the figure, from the published rule to what
        `between` names; None where it cannot be told apart from other causes.
    """

    between: str
    what: str
    count: int
    effect: float | None = None


class Row(msgspec.Struct, frozen=True):
    """One figure of a published table, made again.

    Attributes
    ----------
    model : str
    what : str
        Which figure: "GTZAN, accuracy".
    published : float or None
        As published; None where nothing is published of these replies.
    rule : float or None
        Ours from the replies, by the published rule.
    ours : float or None
        Ours by our rule; None where we have no figure of that kind.
    replies : int
        How many the figure by the published rule is over.
    within : float
        By how much `rule` may differ from `published`: half a unit of the last published digit.
    percent : bool
        Whether it is a share, which is shown in per cent.
    causes : tuple of Cause
    remarks : tuple of str
        What else there is to say of the row, such as where it contradicts itself.
    """

    model: str
    what: str
    published: float | None
    rule: float | None
    ours: float | None
    replies: int
    within: float = 5e-5
    percent: bool = True
    causes: tuple[Cause, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def reproduced(self) -> bool | None:
        """Whether the published figure came out; None where there is none."""
        if self.published is None:
            return None
        return self.rule is not None and abs(self.rule - self.published) <= self.within + 1e-9


class Made(msgspec.Struct, frozen=True):
    """What came of the replies: the rows, and what there is to say of the table as a whole."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


class Table(msgspec.Struct, frozen=True):
    """A published table that can be made again.

    Attributes
    ----------
    name : str
        Within its benchmark: ``accuracies``.
    summary : str
        One line.
    replies : str
        Which files it is made of, for people: "MODEL_GTZAN.jsonl".
    mine : callable
        Whether a file, by its name alone, may hold replies to this table.
    make : callable
        From such files to rows. Raises `InputError` for one that cannot be read.
    source : str
        Which of the benchmark's sources holds the published ones; "" for none.
    of : str
        The published name in front of its own, where the benchmark here has another one.
    """

    name: str
    summary: str
    replies: str
    mine: Callable[[Path], bool]
    make: Callable[[Sequence[Path]], Made]
    source: str = ""
    of: str = ""

    def called(self, benchmark: str) -> str:
        """What a user writes for it."""
        return f"{self.of or benchmark}:{self.name}"


def files_of(table: Table, places: Iterable[Path]) -> list[Path]:
    """The files of a table among some files and folders, sorted, each once.

    A hidden file and one that is still being written are none.
    """
    files: dict[Path, None] = {}
    for place in places:
        inside = sorted(place.rglob("*")) if place.is_dir() else [place]
        for path in inside:
            if path.is_file() and not path.name.startswith(".") and table.mine(path):
                files[path] = None
    return list(files)


def closing_sentence(rows: Sequence[Row]) -> str:
    """The sentence at the end: how many published figures came out. It is true of these rows."""
    compared = [row for row in rows if row.published is not None]
    if not compared:
        return "No figure is published of these replies: nothing is compared."
    right = [row for row in compared if row.reproduced]
    if len(right) == len(compared):
        head = f"All {len(compared)}" if len(compared) > 1 else "The one"
        sentence = f"{head} published figure{'s' * (len(compared) > 1)} came out"
    else:
        lost = [row for row in compared if not row.reproduced]
        named = "; ".join(f"{row.model}, {row.what}" for row in lost[:_NAMED])
        more = f" and {len(lost) - _NAMED} more" if len(lost) > _NAMED else ""
        sentence = f"{len(right)} of {len(compared)} published figures came out, not {named}{more}"
    rest = len(rows) - len(compared)
    without = f"; of {rest} further row{'s' * (rest > 1)} nothing is published" if rest else ""
    return f"{sentence}{without}."


_NAMED = 4
