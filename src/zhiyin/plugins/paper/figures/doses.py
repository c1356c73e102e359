"""Accuracy over the seconds of sound that a model was given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zhiyin.contract.declared import Cell, Drawn
from zhiyin.plugins.methods.dose import doses_of
from zhiyin.plugins.paper.figures.style import (
    TWO_COLUMNS,
    PictureText,
    canvas,
    chance_line,
    key,
    percent_axis,
    plot_line,
    run_series,
)
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.report.paper_runs import PaperRun


def draw_doses(benchmark: str, runs: list[PaperRun]) -> Drawn | None:
    """Accuracy over dose, of each run with doses of sound."""
    found = [(run, doses) for run in runs if (doses := doses_of(run.every)) is not None]
    if not found:
        return None
    made, (ax,) = canvas(TWO_COLUMNS * 0.7, 2.6)
    rows: list[list[Cell]] = []
    longest = max(doses.points[-1].seconds for _, doses in found)
    for place, (run, doses) in enumerate(found):
        shift = (place - (len(found) - 1) / 2) * longest * 0.012
        marks = {}
        for point in doses.points:
            accuracy, needing = point.accuracy, point.needing_more
            marks[point.seconds + shift] = accuracy
            more = (needing.value, needing.low, needing.high) if needing else (None, None, None)
            figures = (accuracy.mean, accuracy.low, accuracy.high)
            rows.append([run.label, point.name, point.seconds, *figures, doses.items, *more])
        plot_line(ax, marks, run_series(run.place))
    percent_axis(ax, "y", said("picture-accuracy"))
    ax.set_xlabel(PictureText(said("picture-heard")))
    chances = {doses.chance for _, doses in found}
    if len(chances) == 1 and (chance := chances.pop()) is not None:
        chance_line(ax, chance, "y")
    key(made, {run.label: run.place for run, _ in found})
    return Drawn(
        f"{benchmark}-dose",
        said("figure-dose", benchmark=benchmark),
        said("figure-dose-caption"),
        made,
        [
            *("run", "dose", "seconds", "accuracy", "low", "high", "items"),
            *("needing_more", "needing_low", "needing_high"),
        ],
        rows,
    )
