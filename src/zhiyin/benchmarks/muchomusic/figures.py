"""What the questions ask about (Weck et al. 2024, Figure 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from zhiyin.benchmarks.muchomusic.questions import CATEGORIES
from zhiyin.contract.declared import Cell, Drawn
from zhiyin.report.figures.scores import finer_groups
from zhiyin.report.figures.style import (
    BLUE,
    TWO_COLUMNS,
    VERMILLION,
    canvas,
    humanly,
    letter,
    rows_axis,
)
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.contract.declared import FigureRun


def draw_dimensions(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """How many questions there are of each kind (Weck et al. 2024, Figure 2)."""
    panels = finer_groups(list(dict.fromkeys(g for run in runs for g in run.groups)), CATEGORIES)
    if not all(panels.values()):
        return
    counts = {
        group: len(
            {n for run in runs if group in run.groups for n in run.groups[group].items.tolist()}
        )
        for groups in panels.values()
        for group in groups
    }
    deepest = max(len(groups) for groups in panels.values())
    figure, axes = canvas(TWO_COLUMNS, 0.6 + 0.19 * deepest, 2)
    rows: list[list[Cell]] = []
    for panel, (ax, (title, groups)) in enumerate(zip(axes, panels.items(), strict=True)):
        groups = sorted(groups, key=lambda group: -counts[group])
        sizes = [counts[group] for group in groups]
        rows += [[title, group, size] for group, size in zip(groups, sizes, strict=True)]
        ax.barh(range(len(groups)), sizes, color=(BLUE, VERMILLION)[panel], height=0.66)
        for row, size in enumerate(sizes):
            ax.annotate(
                str(size), (size, row), (3, 0), textcoords="offset points", va="center", fontsize=7
            )
        rows_axis(ax, [humanly(group) for group in groups], deepest)
        ax.set_xlim(0, 1.12 * max(counts.values()))
        ax.set_title(humanly(title))
        ax.spines["bottom"].set_visible(False)
        ax.set_xticks([])
        letter(ax, panel)
    yield Drawn(
        "dimensions",
        said("muchomusic-dimensions-figure"),
        said("muchomusic-dimensions-caption"),
        figure,
        ["category", "dimension", "questions"],
        rows,
    )
