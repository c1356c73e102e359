"""What plug-ins say of runs beside the core: classes of the group ``zhiyin.sections``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import msgspec

from zhiyin import extensions
from zhiyin.contract.declared import Section
from zhiyin.runs.rows import Rows
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


class ReadingAudit(Protocol):
    """How well the replies of a run were read, as somebody found who looked at some of them."""

    complete: bool

    def told(self) -> list[Said]:
        """What `show` and the report say of it."""

    def in_short(self) -> Said:
        """What has been found so far."""


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
