"""What a figure is before it is written, and what it is drawn from."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.declared import Cell as Cell
from zhiyin.engine.log import Manifest
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.trial import one_line
from zhiyin.words import Text


class Drawn(msgspec.Struct):
    """A figure before it is written.

    Attributes
    ----------
    name : str
        Letters, digits and "-": the stem of its files is the benchmark's name, "-", and this.
    title, caption : Text
        The caption says what is shown, the n, and what intervals are. A message of the benchmark's
        (`zhiyin.words.said`) is put on the page in its reader's language; a string as it is.
    canvas : matplotlib.figure.Figure
    columns : list of str
    rows : list of list
        The data behind the figure, as a table.
    """

    name: str
    title: Text
    caption: Text
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
    def rows(self) -> Rows:
        """All trials that count, in the order of the log."""
        return rows_of(self.folder)

    @cached_property
    def judged(self) -> Rows:
        """Judged trials, in the order of the log; those that failed are in no figure."""
        return self.rows.judged

    @cached_property
    def plain(self) -> Rows:
        """Those asked in the benchmark's main way: true sound, all distractors."""
        return self.judged.main

    @cached_property
    def groups(self) -> dict[str, Rows]:
        """Plain trials by group, without the names of conditions; "all" first."""
        return self.plain.by_group(conditions=False)
