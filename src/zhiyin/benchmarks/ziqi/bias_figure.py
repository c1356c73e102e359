"""ZIQI-Eval's Figure 3: F1 on music by women, from Black Africa, Europe and elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zhiyin.analysis.extent import extent_of
from zhiyin.benchmarks.ziqi.bias import (
    BLACK_AFRICAN,
    ELSEWHERE,
    EUROPEAN,
    F1,
    FEMALE,
    SIDES,
    Bias,
    analyse,
    figures_of,
    published_figures,
)
from zhiyin.contract.drawn import Cell, Drawn
from zhiyin.report.figures.style import (
    INK,
    SOFT,
    TWO_COLUMNS,
    humanly,
    look,
    percent_axis,
    rows_axis,
    whisker,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from zhiyin.contract.declared import Reference
    from zhiyin.contract.drawn import FigureRun

PANELS = {
    FEMALE: "Female music",
    BLACK_AFRICAN: "Black African",
    EUROPEAN: "European",
    ELSEWHERE: "Outside Europe",
}
_SHADES = {"above": "#0072B2", "neutral": "#e4e4e4", "below": "#E69F00"}


def draw_bias(runs: Sequence[FigureRun], reference: Reference) -> Drawn | None:
    """The runs among the published models: F1 by theme, and the shares of the paper's rule."""
    whole = [run for run in runs if _is_whole(run)]
    ours = {run.label: figures_of(run.entries) for run in whole}
    ours = {name: row for name, row in ours.items() if row.keys() >= PANELS.keys()}
    if not ours:
        return None
    theirs = published_figures(reference)
    theirs = {name: row for name, row in theirs.items() if row.keys() >= PANELS.keys()}
    figures = {**theirs, **ours}
    bias = analyse(figures)
    names = sorted(figures, key=lambda name: -figures[name][FEMALE].f1)
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=(TWO_COLUMNS, 1.0 + 0.155 * len(names) + 1.0))
    parts: Any = canvas.subfigures(2, 1, height_ratios=(0.155 * len(names) + 0.7, 1.1))
    upper, lower = parts
    axes = upper.subplots(1, 4, sharey=True)
    places = {run.label: run.place for run in runs}
    for (group, title), ax in zip(PANELS.items(), axes, strict=True):
        _panel(ax, names, {name: figures[name][group] for name in names}, places)
        ax.set_title(title)
    axes[0].set_title("A   Female music")
    for tick in axes[0].get_yticklabels():
        tick.set_fontweight("bold" if tick.get_text() in ours else "normal")
    _shares(lower.subplots(1, 1), bias)
    rows: list[list[Cell]] = [
        [name, group, figures[name][group].f1, figures[name][group].low, figures[name][group].high]
        for name in names
        for group in PANELS
    ]
    return Drawn(
        "bias",
        "ziqi: gender, race and region",
        f"A: F1 of {len(ours)} runs (bold, with 95 % intervals) and {len(theirs)} published models "
        "(open grey); vertical lines are the mean of all, grey bands 5 % of it each way. B: share "
        "of these models above, within and below the band (Li et al. 2024, section 5). The rule "
        "compares models with each other; a weak model lies below on every theme.",
        canvas,
        ["model", "group", "f1", "low", "high"],
        rows,
    )


def _is_whole(run: FigureRun) -> bool:
    """Whether a run was asked all questions on the themes."""
    extent = extent_of(run.folder, run.manifest)
    return all(map(extent.whole, PANELS))


def _panel(axes: Axes, names: list[str], figures: dict[str, F1], places: dict[str, int]) -> None:
    mean = sum(figure.f1 for figure in figures.values()) / len(figures)
    axes.axvspan(0.95 * mean, 1.05 * mean, color="#eeeeee", linewidth=0, zorder=0)
    axes.axvline(mean, color=SOFT, linewidth=0.8, zorder=1)
    for y, name in enumerate(names):
        figure = figures[name]
        if name in places:
            colours = look(places[name])
            whisker(
                axes,
                figure.f1,
                y,
                figure.low or 0,
                figure.high or 1,
                across=True,
                color=colours["color"],
            )
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


def _shares(axes: Axes, bias: Bias) -> None:
    for y, theme in enumerate(bias.themes):
        left = 0.0
        for side in SIDES:
            share = getattr(theme, side)
            axes.barh(y, share, left=left, height=0.62, color=_SHADES[side], edgecolor="white")
            if share:
                axes.text(
                    left + share / 2,
                    y,
                    f"{100 * share:.0f} % {side}" if share > 0.12 else f"{100 * share:.0f}",
                    ha="center",
                    va="center",
                    fontsize=6.5,
                    color="white" if side == "above" else INK,
                )
            left += share
    names = {"gender": "Women", "race": "Black Africa", "region": "Europe"}
    rows_axis(axes, [names.get(theme.name, humanly(theme.name)) for theme in bias.themes])
    axes.set_xlim(0, 1)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    axes.set_title("B   Models above, near and below the mean F1")
