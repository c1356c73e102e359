"""What a leaderboard is made of: tables, their rows and cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from zhiyin.analysis.origins import origins_beside
from zhiyin.words import Said, Text
from zhiyin.words.findings import Warning

if TYPE_CHECKING:
    from zhiyin.report.figures import FigureRun

Kind = Literal["run", "model", "human", "chance"]
Columns = Mapping[str, tuple[str, str]]
"""Figure and group by the name of their column."""


class Cell(msgspec.Struct, frozen=True):
    """A figure in [0, 1] with its 95 % interval; published ones have none."""

    value: float
    low: float | None = None
    high: float | None = None


class Row(msgspec.Struct, frozen=True):
    """A run, or a published row.

    Attributes
    ----------
    name : str
    kind : {"run", "model", "human", "chance"}
    cells : dict of str to Cell
        By column.
    letters : str
        Runs that share a letter are not told apart; empty for published and unfinished rows.
    items, clusters : int or None
    ifr : float or None
        Share of replies with a readable answer.
    notes : tuple of Warning
        What the reader must know: that it is unfinished, a part, deaf, ...
    folder : str
        Of a run, within the folder that was collected.
    usd, tokens : float or None
        What an item cost, kept replies at their full price; None where it is not known.
    signed : str
        The key that the run is signed with, by a signature that holds; "" for none.
    """

    name: str
    kind: Kind
    cells: dict[str, Cell]
    letters: str = ""
    items: int | None = None
    clusters: int | None = None
    ifr: float | None = None
    notes: tuple[Warning, ...] = ()
    folder: str = ""
    usd: float | None = None
    tokens: float | None = None
    signed: str = ""

    @property
    def note(self) -> str:
        """The notes in English."""
        return "; ".join(one.text for one in self.notes)


class Board(msgspec.Struct, frozen=True):
    """One table.

    Attributes
    ----------
    benchmark : str
    title : Text
        The benchmark, and what sets this table apart where there are several.
    columns : list of str
        Names of the figures, accuracy on all and the headline first: ``"accuracy, all"``,
        ``"f1, theory"``.
    rows : list of Row
        Runs best first, and between them what is published of the same protocol, where its figure
        in the first column puts it; then unfinished runs, then those without a figure.
    aside : list of Row
        What is published but cannot stand between them, best first.
    why_aside : Said or None
        Why not.
    items : int
        Items that all ranked runs judged.
    protocol : dict
        The settings of all runs, flat.
    ignored : dict
        Settings in which they differ all the same: setting -> run -> value.
    source : str
        Of the published rows; empty where there are none.
    notes : list of Warning
        What the reader must know of all rows.
    unit : str
        What `items` counts: "items", or "songs" where scores are made of parts.
    paper : str
        Full reference of the benchmark; empty where it names none.
    headings : dict of str to Said
        What columns are called on pages, by their names.
    """

    benchmark: str
    title: Text
    columns: list[str]
    rows: list[Row]
    items: int
    protocol: dict[str, Any]
    ignored: dict[str, dict[str, Any]]
    source: str
    notes: list[Warning] = []
    unit: str = "items"
    paper: str = ""
    aside: list[Row] = []
    why_aside: Said | None = None
    headings: dict[str, Said] = {}

    def as_data(self) -> dict[str, Any]:
        """It for JSON, its words in English."""
        words = {"title": str(self.title), "why_aside": str(self.why_aside or "")}
        data: dict[str, Any] = {**msgspec.to_builtins(self), **words}
        del data["headings"]
        return data


def origins(runs: Sequence[FigureRun]) -> list[Warning]:
    """What the readers of several runs must know of where their replies are from."""
    names, folders = [run.label for run in runs], [run.folder for run in runs]
    return [one for _, one in origins_beside(names, folders, [run.manifest for run in runs])]


def within(root: Path, folder: Path) -> str:
    """A run's folder as it is named within the folder that was collected."""
    return str(folder.relative_to(root)) if folder != root else folder.name
