"""Figures: what moves answers, and by fact whether they move with it and stay otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from zhiyin.benchmarks.pairs.moving import AnsweredItem, findings, gather, moved, share, stay_shares
from zhiyin.benchmarks.pairs.settings import CHANGES, FACTS
from zhiyin.contract.declared import Cell, Drawn
from zhiyin.report.figures.style import (
    HAIR,
    SOFT,
    TWO_COLUMNS,
    canvas,
    key,
    look,
    percent_axis,
    rows_axis,
    whisker,
)
from zhiyin.statistics.intervals import Interval, interval
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.contract.declared import FigureRun

_CHANCE = 0.25
"""Of a guess, to be right to both of a pair."""
_PANELS = ("moves with the fact", "stays otherwise")


def draw_moved(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Share of items whose answer moves, by what is changed, a mark for each run."""
    answered = [(run, list(gather(run.judged).values())) for run in runs]
    answered = [(run, items) for run, items in answered if moved(items, "changed")]
    if not answered:
        return
    names = ["changed"] + [c for c in CHANGES if any(moved(items, c) for _, items in answered)]
    figure, (axes,) = canvas(TWO_COLUMNS * 0.7, 0.9 + 0.28 * len(names))
    rows: list[list[Cell]] = []
    for number, (run, items) in enumerate(answered):
        style = look(run.place)
        shift = 0.14 * (number - (len(answered) - 1) / 2)
        for row, name in enumerate(names):
            values = moved(items, name)
            if not values:
                continue
            proportion = share(values)
            y = row + shift
            whisker(
                axes,
                proportion.mean,
                y,
                proportion.low,
                proportion.high,
                across=True,
                color=style["color"],
            )
            axes.plot(proportion.mean, y, linestyle="", label=None if row else run.label, **style)
            rows.append(
                [run.label, name, len(values), proportion.mean, proportion.low, proportion.high]
            )
    rows_axis(axes, ["the fact", *names[1:]])
    axes.axhline(0.5, color=HAIR, linewidth=0.8)
    percent_axis(axes, "x", "items whose answer moves, %")
    axes.legend(loc="best")
    yield Drawn(
        "moved",
        said("pairs-moved-figure"),
        said("pairs-moved-caption"),
        figure,
        ["run", "changed", "items", "moved", "low", "high"],
        rows,
    )


def draw_consistency(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """By fact: how often base and changed version are both right, and how often answers stay."""
    answered = [(run, list(gather(run.judged).values())) for run in runs]
    answered = [
        (run, paired) for run, items in answered if (paired := [i for i in items if i.paired])
    ]
    if not answered:
        return
    names: list[str] = [
        f for f in FACTS if any(item.fact == f for _, items in answered for item in items)
    ]
    names += ["all"] if len(names) > 1 else []
    figure, axes = canvas(TWO_COLUMNS, 0.9 + 0.26 * len(names), 2, sharey=True)
    rows: list[list[Cell]] = []
    for number, (run, items) in enumerate(answered):
        style, shift = look(run.place), 0.14 * (number - (len(answered) - 1) / 2)
        for row, name in enumerate(names):
            of_fact = [item for item in items if name in ("all", item.fact)]
            for ax, panel, proportion in zip(axes, _PANELS, _consistent(of_fact), strict=True):
                if proportion is None:
                    continue
                y, colour = row + shift, style["color"]
                whisker(
                    ax,
                    proportion.mean,
                    y,
                    proportion.low,
                    proportion.high,
                    across=True,
                    color=colour,
                )
                ax.plot(proportion.mean, y, linestyle="", **style)
                rows.append(
                    [
                        run.label,
                        name,
                        panel,
                        proportion.n,
                        proportion.mean,
                        proportion.low,
                        proportion.high,
                    ]
                )
    for ax, panel in zip(axes, _PANELS, strict=True):
        rows_axis(ax, names)
        percent_axis(ax, "x", f"{panel}, %")
    axes[0].axvline(_CHANCE, color=SOFT, linewidth=0.8, linestyle=(0, (3, 2)))
    key(figure, {run.label: run.place for run, _ in answered})
    yield Drawn(
        "consistency",
        said("pairs-consistency-figure"),
        said("pairs-consistency-caption", bases=_bases(answered)),
        figure,
        ["run", "fact", "what", "items", "share", "low", "high"],
        rows,
    )


def _bases(runs: Sequence[tuple[FigureRun, Sequence[AnsweredItem]]]) -> list[Said]:
    """What the answers of each run follow: no figure is shown without it."""
    return [
        said(
            "pairs-base-of",
            who=run.label,
            what=findings({str(number): item for number, item in enumerate(items)}),
        )
        for run, items in runs
    ]


def _consistent(items: Sequence[AnsweredItem]) -> tuple[Interval | None, Interval | None]:
    """Both right, and stays; None where nothing was asked."""
    stays = stay_shares(items)
    both = share([item.both for item in items]) if items else None
    return both, interval(stays) if stays else None
