"""A run that is read: its folder opened once, and handed on to whatever tells of it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np

from zhiyin.analysis.cost import Bill
from zhiyin.analysis.extent import Extent, table_for
from zhiyin.analysis.origins import Origins
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.files import Place
from zhiyin.runs.figures import Figures, figures
from zhiyin.runs.opening import latencies, read_table
from zhiyin.runs.rows import Rows
from zhiyin.runs.table import RunTable


class OpenRun:
    """What a run folder holds, and what is counted of it, each when it is first asked for.

    Parameters
    ----------
    folder : path

    Attributes
    ----------
    folder : Path
    manifest : Manifest
    table : RunTable
        Of `extent`'s questions too, where that was asked for first.

    Raises
    ------
    InputError
        The folder is not a run; where the table is first asked for: its log is damaged.
    """

    def __init__(self, folder: Place) -> None:
        self.folder = Path(folder)
        self.manifest: Manifest = read_manifest(self.folder)

    @cached_property
    def table(self) -> RunTable:
        """Its log in columns."""
        return read_table(self.folder)

    @cached_property
    def extent(self) -> Extent:
        """How much of the published data it was asked."""
        extent = Extent(self.manifest)
        self.table = table_for(extent, self.folder)
        extent.count(self.table)
        return extent

    @cached_property
    def figures(self) -> Figures:
        """The figures of its groups."""
        return figures(self.table)

    @cached_property
    def origins(self) -> Origins:
        """Whence its replies are."""
        return Origins(self.table)

    @cached_property
    def bill(self) -> Bill:
        """What its replies have cost."""
        return Bill(self.manifest, self.table)

    @property
    def rows(self) -> Rows:
        """Its trials."""
        return Rows(self.table, self.table.rows)

    def causes(self, most: int, longest: int | None = None) -> list[tuple[str, int]]:
        """The most frequent causes of failures on one line each, and how often."""
        times: dict[str, int] = {}
        for cause, n in self.figures.causes.items():
            line = " ".join(cause.split())[:longest]
            times[line] = times.get(line, 0) + n
        return sorted(times.items(), key=lambda pair: -pair[1])[:most]

    def latency(self, *shares: float) -> list[float] | None:
        """Seconds of a reply that these shares of all are not above; None where none is known."""
        seconds = latencies(self.table)
        return np.quantile(seconds, shares).tolist() if len(seconds) else None
