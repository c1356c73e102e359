"""ZIQI-Eval's Figure 3: F1 on music by women, from Black Africa, Europe and elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from zhiyin.analysis.extent import extent_of
from zhiyin.benchmarks.ziqi.bias import (
    BLACK_AFRICAN,
    ELSEWHERE,
    EUROPEAN,
    F1,
    FEMALE,
    NEUTRAL,
    SIDES,
    Theme,
    analyse,
    figures_of,
    published_figures,
)
from zhiyin.contract.declared import Cell, Drawn
from zhiyin.report.figures.scores import apart
from zhiyin.report.figures.style import (
    INK,
    SOFT,
    TWO_COLUMNS,
    letter,
    look,
    percent_axis,
    rows_axis,
    whisker,
)
from zhiyin.words import said

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from zhiyin.contract.declared import FigureRun, Reference

PANELS = {
    FEMALE: "Women",
    BLACK_AFRICAN: "Black Africa",
    EUROPEAN: "Europe",
    ELSEWHERE: "Elsewhere",
}
_SHADES = {"above": "#0072B2", "neutral": "#b5b5b5", "below": "#E69F00"}


def draw_bias(runs: Sequence[FigureRun], reference: Reference) -> Drawn | None:
    """The runs among the published models: F1 by theme, and the shares of the paper's rule."""
    whole = [run for run in runs if _is_whole(run)]
    ours = {run.label: figures_of(run.judged) for run in whole}
    ours = {name: row for name, row in ours.items() if row.keys() >= PANELS.keys()}
    if not ours:
        return None
    theirs = {
        apart(name, ours): row
        for name, row in published_figures(reference).items()
        if row.keys() >= PANELS.keys()
    }
    figures = {**theirs, **ours}
    bias = analyse(figures)
    means = {name: fmean(row[group].f1 for group in PANELS) for name, row in figures.items()}
    names = sorted(figures, key=lambda name: -means[name])
    from matplotlib.figure import Figure as Canvas

    heights = (0.155 * len(names) + 0.6, 0.8)
    canvas = Canvas(figsize=(TWO_COLUMNS, 0.5 + sum(heights)))
    upper, lower = canvas.subplots(2, 4, height_ratios=heights, sharey="row")
    places = {run.label: run.place for run in runs}
    rows: list[list[Cell]] = []
    for theme, left, right in zip(bias.themes, upper, lower, strict=True):
        own = {placed.model: placed.figure for placed in theme.models}
        _panel(left, [own[name] for name in names], names, places, theme.mean)
        left.plot([means[name] for name in names], range(len(names)), color=INK,
                  linewidth=1.0, zorder=2)  # fmt: skip
        left.set_title(PANELS[theme.group])
        _shares(right, theme)
        figures_here = [[own[name].f1, own[name].low, own[name].high] for name in names]
        for name, cells in zip(names, figures_here, strict=True):
            rows.append(["F1", name, theme.group, *cells])
        rows.append(["F1", "mean of all models", theme.group, theme.mean, None, None])
        for side in SIDES:
            rows.append(["share of models", side, theme.group, getattr(theme, side), None, None])
    rows += [["F1", name, "mean of the four", means[name], None, None] for name in names]
    for tick in upper[0].get_yticklabels():
        tick.set_fontweight("bold" if tick.get_text() in ours else "normal")
    lower[0].set_title("Share of models, %")
    letter(upper[0], 0)
    letter(lower[0], 1)
    return Drawn(
        "bias",
        said("ziqi-bias-figure"),
        said("ziqi-bias-caption", runs=len(ours), published=len(theirs)),
        canvas,
        ["what", "name", "group", "value", "low", "high"],
        rows,
    )


def _is_whole(run: FigureRun) -> bool:
    """Whether a run was asked all questions on the themes."""
    extent = extent_of(run.folder, run.manifest)
    return all(map(extent.whole, PANELS))


def _panel(
    axes: Axes, figures: Sequence[F1], names: Sequence[str], places: dict[str, int], mean: float
) -> None:
    """F1 of every model on one theme."""
    low, high = (1 - NEUTRAL) * mean, (1 + NEUTRAL) * mean
    axes.axvspan(low, high, color="#eeeeee", linewidth=0, zorder=0)
    axes.axvline(mean, color=SOFT, linewidth=0.8, zorder=1)
    for y, (name, figure) in enumerate(zip(names, figures, strict=True)):
        if name in places:
            colours = look(places[name])
            whisker(axes, figure.f1, y, figure.low, figure.high, across=True,
                    color=colours["color"])  # fmt: skip
            axes.plot(figure.f1, y, linestyle="", zorder=3, **colours)
        else:
            axes.plot(
                figure.f1,
                y,
                linestyle="",
                marker="o",
                markersize=4,
                markerfacecolor="white",
                markeredgecolor=SOFT,
                markeredgewidth=0.9,
                zorder=3,
            )
    rows_axis(axes, names)
    percent_axis(axes, "x", "F1, %")
    axes.set_xticks([0, 0.5, 1])


def _shares(axes: Axes, theme: Theme) -> None:
    """The shares of models on the three sides of one theme."""
    for y, side in enumerate(SIDES):
        share = getattr(theme, side)
        axes.barh(y, share, height=0.66, color=_SHADES[side])
        axes.annotate(f"{100 * share:.1f}", (share, y), (3, 0), textcoords="offset points",
                      va="center", fontsize=6.5)  # fmt: skip
    rows_axis(axes, SIDES)
    axes.set_xlim(0, 1)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
