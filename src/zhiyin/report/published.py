"""Published rows beside runs in a table, and the origin of replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from zhiyin.analysis.run import origins_beside
from zhiyin.report.paper_runs import reference_of
from zhiyin.runs.measures import Estimate, Measure

if TYPE_CHECKING:
    from zhiyin.report.paper_runs import PaperRun
    from zhiyin.words.findings import Warning

Columns = Mapping[str, tuple[Measure, str]]
"""Measure and group by the name of their column."""


class PublishedRow(NamedTuple):
    """A published row: its name, whose it is, and by column its figures, which have no interval."""

    name: str
    kind: Any
    cells: dict[str, Estimate]


def origins(runs: Sequence[PaperRun]) -> list[Warning]:
    """Warn the readers of several runs of where their replies are from."""
    names, folders = [run.label for run in runs], [run.folder for run in runs]
    return [one for _, one in origins_beside(names, folders, [run.manifest for run in runs])]


_SAME = {"accuracy": ("accuracy", "recall")}
"""Recall over all questions is accuracy."""


def published_rows(figures: Columns, runs: Sequence[PaperRun]) -> list[PublishedRow]:
    """List the published rows for groups that every run here holds whole, best first."""
    reference = reference_of(runs)
    rows = []
    for name, row in (reference.rows if reference else {}).items():
        kind: Any = reference.kinds.get(name, "model") if reference else "model"
        cells = {}
        for column, (measure, group) in figures.items():
            published = row.get(group, {})
            names = _SAME.get(measure.name, (measure.name,))
            value = next((published[one] for one in names if one in published), None)
            if value is not None and all(run.coverage.whole(group) for run in runs):
                cells[column] = Estimate(measure, value)
        if cells:
            rows.append(PublishedRow(name, kind, cells))
    return sorted(rows, key=lambda row: -(next(iter(row.cells.values())).value or 0.0))
