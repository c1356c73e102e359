"""What a figure is before it is written, and what it is drawn from."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.engine.entries import Entry, read_entries
from zhiyin.engine.log import Manifest
from zhiyin.engine.tally import counted_under, is_plain, without_condition
from zhiyin.trial import one_line

Cell = str | float | int | None


class Drawn(msgspec.Struct):
    """A figure before it is written.

    Attributes
    ----------
    name : str
        Letters, digits and "-": the stem of its files is the benchmark's name, "-", and this.
    title, caption : str
        Plain text. The caption says what is shown, the n, and what intervals are.
    canvas : matplotlib.figure.Figure
    columns : list of str
    rows : list of list
        The data behind the figure, as a table.
    """

    name: str
    title: str
    caption: str
    canvas: Any
    columns: list[str]
    rows: list[list[Cell]]


class FigureRun:
    """One run as figures see it.

    Attributes
    ----------
    label : str
        Short, and different from that of every other run.
    place : int
        Among the runs of its benchmark; decides colour and marker in every figure.
    folder : Path
    manifest : Manifest
    """

    def __init__(self, label: str, place: int, folder: Path, manifest: Manifest) -> None:
        self.label, self.place, self.folder, self.manifest = label, place, folder, manifest

    def __repr__(self) -> str:
        """On one line: its name and its benchmark."""
        return one_line("FigureRun", self.label, "", self.manifest.benchmark)

    @cached_property
    def entries(self) -> list[Entry]:
        """Judged trials, in the order of the log; those that failed are in no figure."""
        return [entry for entry in read_entries(self.folder) if entry.judged]

    @cached_property
    def plain(self) -> list[Entry]:
        """Those asked in the benchmark's main way: true sound, all distractors."""
        return [entry for entry in self.entries if is_plain(entry.trial.tags)]

    @cached_property
    def groups(self) -> dict[str, list[Entry]]:
        """Plain trials by group, without the names of conditions; "all" first."""
        by_group: dict[str, list[Entry]] = {}
        for entry in self.plain:
            names = map(without_condition, entry.trial.groups)
            for name in counted_under(filter(None, names)):
                by_group.setdefault(name, []).append(entry)
        return by_group
