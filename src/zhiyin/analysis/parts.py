"""Parts that plug-ins add to pages on runs: classes of the group ``zhiyin.sections``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from zhiyin import extensions
from zhiyin.analysis.within import Within
from zhiyin.contract.declared import Section
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError, did_you_mean
from zhiyin.runs.estimates import Frame
from zhiyin.runs.measures import Estimate, Ints
from zhiyin.runs.rows import Rows
from zhiyin.shown.charts import Series
from zhiyin.shown.dots import DotPicture
from zhiyin.shown.table import Cell, Column, Table
from zhiyin.words import Said, Text, said
from zhiyin.words.findings import Warning


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
    """A departure of a model's run from what was planned.

    `early`: not every reply was asked for after the plan was registered.
    """

    model: str
    text: Text
    early: bool = False


class Registration(msgspec.Struct, frozen=True):
    """A registration made before some runs, and its outcome.

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
        The question that it answers: "score", "comparison", "listening", "conditions", "letters",
        "published" or "reading"; or another in words, which then stands on the page.
    words : Text
    show : dict of str to str or None
        The filter of the trial list that it speaks of.
    table : str
        The anchor of the table that it speaks of; "" for none.
    """

    topic: str
    words: Text
    show: dict[str, str] | None = None
    table: str = ""


class ChapterRun(msgspec.Struct, frozen=True):
    """A run of a chapter: its number on the page, its mark, and what it is called there.

    `within` is what was found in its groups alone.
    """

    number: int
    label: str
    series: Series
    folder: Path
    manifest: Manifest
    within: Within
    running: bool = False


class ChapterRuns(msgspec.Struct, frozen=True):
    """The chapter of a report that a part is given.

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
    """Content folded behind one line of a chapter.

    Attributes
    ----------
    place : {"front", "findings", "tables"}
        Below the picture (its lines alone), below the findings, or behind all tables (its tables
        alone).
    name : str
        What the style sheet calls it, and the beginning of its anchor, "NAME-BENCHMARK", which a
        `Finding.table` may be. Below the picture it has none.
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
    """A part's contribution to a chapter."""

    findings: list[Finding] = []
    folded: list[Folded] = []


class RunColumn(msgspec.Struct, frozen=True):
    """A column of tables that have a row for each model.

    Attributes
    ----------
    column : Column
        Its title, and what it holds.
    cell : callable
        From the folders of a row's runs, one or more, to its cell; None for no figure.
    """

    column: Column
    cell: Callable[[Sequence[Path]], Cell]


class ReadingAudit(Protocol):
    """Result of an audit of how well a run's replies were read, by somebody who looked at some."""

    @property
    def complete(self) -> bool: ...

    def told(self) -> list[Said]: ...

    def in_short(self) -> Said: ...


class RunPart:
    """A plug-in's contribution to pages on runs. Every method says nothing unless overridden."""

    def tables(self, rows: Rows) -> Iterable[Section]:
        """Tables of one run, behind those of its benchmark."""
        return ()

    def warnings(self, rows: Rows, manifest: Manifest) -> Iterable[Warning]:
        """Warn of what a reader of one run's figures has to know: `Remark(what=...)`, or a kind."""
        return ()

    def audit(self, folder: Path) -> ReadingAudit | None:
        """Return how well the replies of a run were read."""
        return None

    def registrations(self, folders: Sequence[Path]) -> tuple[list[Registration], list[Said]]:
        """List registrations made before some runs, and notes on what is unreadable."""
        return [], []

    def remarks(self, folders: Sequence[Path]) -> Iterable[Said]:
        """Lines below tables in which these runs stand side by side."""
        return ()

    def check(self, given: Mapping[str, Any], benchmarks: Iterable[str]) -> None:
        """Raise `InputError` where what is given fits none of a page's benchmarks."""

    def chapter(self, chapter: ChapterRuns) -> ChapterPart:
        """Return its part of a report's chapter on a benchmark."""
        return ChapterPart()

    def opening(self, chapter: ChapterRuns) -> Opening | None:
        """The picture that this chapter opens on."""
        return None

    def for_other_people(
        self, own: Estimate, sides: Sequence[tuple[Frame, Ints]], level: float
    ) -> Estimate | None:
        """A figure of several people's answers, or a difference, for other people and items."""
        return None

    def facts(self, folders: Sequence[Path]) -> Mapping[str, Any]:
        """Return what ``zhiyin show --json`` holds of runs beside their own figures, by its key."""
        return {}


@cache
def run_parts() -> tuple[RunPart, ...]:
    """Return the parts of every plug-in."""
    return tuple(kind() for kind in extensions.every(extensions.SECTIONS).values())


T = TypeVar("T")


def of_parts(asked: Callable[[RunPart], T]) -> list[T]:
    """List what each part gives. A fault in one of another package is an `InputError`."""
    found = []
    for part in run_parts():
        kind = type(part)
        with _blaming(extensions.SECTIONS, f"{kind.__module__}:{kind.__qualname__}"):
            found.append(asked(part))
    return found


@contextmanager
def _blaming(group: str, name: str) -> Iterator[None]:
    """Report a fault in the code of another package in one line."""
    try:
        yield
    except (InputError, OSError):
        raise
    except Exception as error:
        if name.startswith("zhiyin."):
            raise
        why = extensions.error_line(error)
        raise InputError(said("part-fault", group=group, name=name, why=why)) from error


def cells_of(name: str, rows: Sequence[Sequence[Path]]) -> tuple[Column, list[Cell]]:
    """The column of a plug-in that is called `name`, with its cells.

    Parameters
    ----------
    name : str
    rows : sequence of sequence of Path
        The folders of each row's runs.

    Raises
    ------
    InputError
        There is no such column, or it has a fault.
    """
    known = {**extensions.ours(extensions.COLUMNS), **extensions.installed(extensions.COLUMNS)}
    if name not in known:
        hint = did_you_mean(name, known) if known else None
        raise InputError(said("error-column", name=repr(name), hint=hint))
    with _blaming(extensions.COLUMNS, repr(name)):
        ours = extensions.every(extensions.COLUMNS, name).get(name)
        own: RunColumn = ours or extensions.load(extensions.installed(extensions.COLUMNS)[name])
        return own.column, [own.cell(folders) for folders in rows]


def warnings_by_parts(rows: Rows, manifest: Manifest) -> list[Warning]:
    """List what plug-ins warn of in a run."""

    def checked(part: RunPart) -> list[Warning]:
        found = [*part.warnings(rows, manifest)]
        if not all(isinstance(one, Warning) for one in found):
            raise TypeError("`warnings` gives something else than a Warning")
        return found

    return [one for own in of_parts(checked) for one in own]


def registrations_of(folders: Sequence[Path]) -> tuple[list[Registration], list[Said]]:
    """List registrations made before some runs, and notes on what is unreadable."""
    each = of_parts(lambda part: part.registrations(folders))
    return [one for found, _ in each for one in found], [one for _, told in each for one in told]


def remarks_on(folders: Sequence[Path]) -> list[Said]:
    """List remarks of plug-ins below a table in which these runs stand side by side."""
    return [line for own in of_parts(lambda part: [*part.remarks(folders)]) for line in own]


def audit_of(folder: Path) -> ReadingAudit | None:
    """Return how well the replies of a run were read; None where nobody looked."""
    return next(filter(None, of_parts(lambda part: part.audit(folder))), None)
