"""What plug-ins say of runs beside the core: classes of the group ``zhiyin.sections``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from zhiyin import extensions
from zhiyin.analysis.within import Within
from zhiyin.contract.declared import Section
from zhiyin.engine.folder import Manifest
from zhiyin.runs.rows import Rows
from zhiyin.shown.dots import DotPicture
from zhiyin.shown.table import Table
from zhiyin.words import Said, Text


class Prediction(msgspec.Struct, frozen=True):
    """A hypothesis that was written down before the runs, and what became of it.

    Attributes
    ----------
    name, fate : str
    words : Said
        What became of it, as a clause.
    model, other : str
        The specs of the runs that it is about; `other` is "" where it compares none.
    group : str
    than : {"chance", "run", ""}
        Whether it compares the right answers in the group with guessing, with those of another
        run, or something else.
    confirmatory : bool
        Whether every reply that it rests on was asked for after it was written down.
    """

    name: str
    fate: str
    words: Said
    model: str
    other: str
    group: str
    than: str
    confirmatory: bool


class Departure(msgspec.Struct, frozen=True):
    """In what the run of a model is not what was planned.

    `early`: not every reply was asked for after the plan was registered.
    """

    model: str
    text: Text
    early: bool = False


class Registration(msgspec.Struct, frozen=True):
    """What was written down before some runs, and what became of it.

    Attributes
    ----------
    key, at : str
        SHA-256 of what was written, which these runs name, and when that was.
    told : Said
    table : Table
        The predictions, a row each.
    notes, cautions : list of Said
        How the table is to be read; `cautions` are those of them that a short view shows.
    predictions : list of Prediction
    departures : list of Departure
    confirmatory : bool
    """

    key: str
    at: str
    told: Said
    table: Table
    notes: list[Said]
    cautions: list[Said]
    predictions: list[Prediction]
    departures: list[Departure]
    confirmatory: bool


class Finding(msgspec.Struct, frozen=True):
    """Something that the figures say.

    Attributes
    ----------
    topic : str
        The question that it answers.
    words : Said
    show : dict of str to str or None
        The filter of the trial list that it speaks of.
    table : str
        The anchor of the table that it speaks of; "" for none.
    """

    topic: str
    words: Said
    show: dict[str, str] | None = None
    table: str = ""


class ChapterRun(msgspec.Struct, frozen=True):
    """A run of a chapter: its number on the page, its colour, and what it is called there.

    `within` is what was found in its groups alone.
    """

    number: int
    label: str
    colour: int
    folder: Path
    manifest: Manifest
    within: Within
    running: bool = False


class ChapterRuns(msgspec.Struct, frozen=True):
    """What a part is given of a chapter of a report.

    Attributes
    ----------
    benchmark, group : str
        Its name, and the group that its headline is of.
    runs : list of ChapterRun
    given : mapping
        What the user gave of the part's own settings.
    """

    benchmark: str
    group: str
    runs: list[ChapterRun]
    given: Mapping[str, Any] = {}


class Folded(msgspec.Struct, frozen=True):
    """What stands behind one line of a chapter.

    Attributes
    ----------
    place : {"front", "findings", "tables"}
        Below the picture, below the findings, or behind all tables.
    name : str
        What the style sheet calls it, and the beginning of its anchor: "NAME-BENCHMARK".
    title : Text
        The line.
    tables : sequence of (str, Section or Table)
        Each with the name of its run; "" where it is of all, or of the only one.
    lines : list of Text
    run : str
        Whose it is; "" where it is of all.
    """

    place: Literal["front", "findings", "tables"]
    name: str
    title: Text
    tables: Sequence[tuple[str, Section | Table]] = ()
    lines: list[Text] = []
    run: str = ""


class Opening(msgspec.Struct, frozen=True):
    """A picture that a chapter opens on in the place of its tasks or models.

    Attributes
    ----------
    picture : DotPicture
    claims : list of Said
        What it says of each run; nothing where it says nothing yet.
    way : str
        The way of asking (a tag) whose values its rows are: no chart draws these groups again.
    """

    picture: DotPicture
    claims: list[Said] = []
    way: str = ""


class ChapterPart(msgspec.Struct):
    """What a part adds to a chapter."""

    findings: list[Finding] = []
    folded: list[Folded] = []


class ReadingAudit(Protocol):
    """How well the replies of a run were read, as somebody found who looked at some of them."""

    @property
    def complete(self) -> bool: ...

    def told(self) -> list[Said]: ...

    def in_short(self) -> Said: ...


class RunPart:
    """What a plug-in says of runs. Every method says nothing unless it is written anew."""

    def tables(self, rows: Rows) -> Iterable[Section]:
        """Tables of one run, behind those of its benchmark."""
        return ()

    def audit(self, folder: Path) -> ReadingAudit | None:
        """How well the replies of a run were read."""
        return None

    def registrations(self, folders: Sequence[Path]) -> tuple[list[Registration], list[Said]]:
        """What was written down before some runs; and what is to be said of what is unreadable."""
        return [], []

    def remarks(self, folders: Sequence[Path]) -> Iterable[Said]:
        """Lines below tables in which these runs stand side by side."""
        return ()

    def check(self, given: Mapping[str, Any], benchmarks: Iterable[str]) -> None:
        """Raise `InputError` where what is given fits none of a page's benchmarks."""

    def chapter(self, chapter: ChapterRuns) -> ChapterPart:
        """What stands in a report's chapter on a benchmark."""
        return ChapterPart()

    def opening(self, chapter: ChapterRuns) -> Opening | None:
        """The picture that this chapter opens on."""
        return None

    def facts(self, folders: Sequence[Path]) -> Mapping[str, Any]:
        """What ``zhiyin show --json`` holds of runs beside their own figures, by its key."""
        return {}


@cache
def run_parts() -> tuple[RunPart, ...]:
    """Those of every plug-in."""
    return tuple(kind() for kind in extensions.loaded(extensions.SECTIONS))


def registrations_of(folders: Sequence[Path]) -> tuple[list[Registration], list[Said]]:
    """What was written down before some runs, and what is to be said of what is unreadable."""
    each = [part.registrations(folders) for part in run_parts()]
    return [one for found, _ in each for one in found], [one for _, told in each for one in told]


def remarks_on(folders: Sequence[Path]) -> list[Said]:
    """What plug-ins say below a table in which these runs stand side by side."""
    return [line for part in run_parts() for line in part.remarks(folders)]


def audit_of(folder: Path) -> ReadingAudit | None:
    """How well the replies of a run were read; None where nobody looked."""
    return next((found for part in run_parts() if (found := part.audit(folder))), None)
