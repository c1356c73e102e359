"""The audiogram of a model, and its psychometric functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zhiyin.analysis.run import contenders, kind_of_run
from zhiyin.contract.declared import Cell, Drawn, PagePart, Sample, heads
from zhiyin.plugins.composed.thresholds.results import (
    DimensionResult,
    amount,
    dimension_name,
    people,
    read_results,
    threshold_in_words,
    why_unmeasured,
)
from zhiyin.plugins.music.hearing.dimensions import DIMENSIONS, Dimension, play
from zhiyin.plugins.music.psychometric import chance_of_right
from zhiyin.plugins.paper.figures.dots import draw_dots
from zhiyin.plugins.paper.figures.style import (
    SOFT,
    TWO_COLUMNS,
    PictureText,
    key,
    painted,
)
from zhiyin.shown.charts import Series
from zhiyin.shown.dots import Dot, DotPicture, DotRow
from zhiyin.words import Named, Said, said

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from zhiyin.contract.declared import FigureRun


def draw_figures(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """The audiogram, and the psychometric functions."""
    yield from draw_audiogram(runs)
    yield from draw_functions(runs)


def draw_audiogram(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Thresholds by dimension, each on an axis of its own, what people hear behind them."""
    results_by_run = {run.label: (run.place, read_results(run.folder)) for run in runs}
    part = audiogram_page(results_by_run)
    if not part.picture.rows:
        return
    entries = [(label, result) for label, (_, row) in results_by_run.items() for result in row]
    entries.sort(key=lambda entry: DIMENSIONS.index(entry[1].dimension))
    columns = ["run", "dimension", "unit", "threshold", "lower", "upper", "told", "people",
               "answers"]  # fmt: skip
    caption = said("thresholds-audiogram-caption", left=_unmeasured(results_by_run))
    table = columns, [_row(label, result) for label, result in entries]
    title = said("thresholds-audiogram-figure")
    yield draw_dots("audiogram", title, caption, part.picture, page=part, table=table)


def opening(runs: Sequence[FigureRun]) -> PagePart | None:
    """The audiogram, for a report; None where nothing was asked.

    Its claim is of models, and of what stands for scale where there are none.
    """
    results = {run.label: (run.place, read_results(run.folder)) for run in runs}
    kinds = {run.label: kind_of_run(run.manifest) for run in runs}
    able = contenders({*kinds.values()})
    page = audiogram_page(results)
    page.findings = [_finding(Named(who), row) for who, (_, row) in results.items()
                     if kinds[who] in able]  # fmt: skip
    return page if any(row for _, row in results.values()) else None


def audiogram_page(results_by_run: dict[str, tuple[int, list[DimensionResult]]]) -> PagePart:
    """The audiogram for a page, with the sounds at each threshold."""
    shown = [label for label, (_, row) in results_by_run.items() if row]
    rows, samples = [], dict[str, Sample]()
    for dimension in DIMENSIONS:
        found = {
            label: result
            for label, (_, row) in results_by_run.items()
            for result in row
            if result.dimension == dimension
        }
        for number, label in enumerate(results_by_run):
            for one in _samples(found[label], label, number) if label in found else ():
                samples.setdefault(one.name, one)
        if first := next(iter(found.values()), None):
            dots = tuple(_dot(found[label]) if label in found else None for label in shown)
            rows.append(
                DotRow(_with_unit(dimension), dots=dots, band=_band(first), ticks=_ticks(first))
            )
    names = tuple((Series.of_run(results_by_run[label][0]), label) for label in shown)
    head, notes = (
        heads("dimension")[0],
        (said("thresholds-page-note"), *_unmeasured(results_by_run)),
    )
    return PagePart(
        DotPicture(head, said("thresholds-hearing"), "", names, tuple(rows), notes=notes),
        [_finding(Named(who), row) for who, (_, row) in results_by_run.items()],
        samples=list(samples.values()),
        played=said("thresholds-played"),
    )


def _with_unit(dimension: Dimension) -> Said:
    unit = said("thresholds-unit", unit=dimension.unit)
    return said("thresholds-axis", name=dimension_name(dimension), unit=unit)


def _dot(result: DimensionResult) -> Dot:
    told, threshold = threshold_in_words(result), result.threshold
    if not result.measured:
        return Dot(hollow=told)
    places = (threshold.place, threshold.low, threshold.high)
    value, low, high = (_along(result, place) for place in places)
    return Dot(value, low, high, told=told)


def _band(result: DimensionResult) -> tuple[float, float] | None:
    """Return the band of people; one level is seen too."""
    if (known := _people_places(result)) is None:
        return None
    finer, coarser = (_along(result, place) for place in known)
    return finer - 0.004, coarser + 0.004


def _ticks(result: DimensionResult) -> tuple[tuple[float, str], ...]:
    """Five of the levels that are asked, and where they stand."""
    dimension, levels = result.dimension, result.dimension.ladder.levels
    picked = (levels[n] for n in np.linspace(0, len(levels) - 1, 5).round().astype(int))
    return tuple(
        (_along(result, float(dimension.ladder.place(level))), amount(dimension, level))
        for level in picked
    )


def _people_places(result: DimensionResult) -> tuple[float, float] | None:
    """Find where people's thresholds lie on the ladder, the finer end first; None if unknown."""
    known = result.dimension.people
    if known is None:
        return None
    ends = [float(result.dimension.ladder.place(value)) for value in (known.low, known.high)]
    return min(ends), max(ends)


def _side(result: DimensionResult) -> str:
    """Compare an interval with what people hear: wholly finer, coarser, alike, or alone where no
    figure is known; or beyond the easiest level, where it bounds nothing that could be asked.
    """
    threshold, band = result.threshold, _people_places(result)
    if threshold.place > result.dimension.ladder.ends[1]:
        return "beyond"
    if band is None:
        return "alone"
    return "finer" if threshold.high < band[0] else (
        "coarser" if threshold.low > band[1] else "alike")  # fmt: skip


def _finding(who: Named, results: Sequence[DimensionResult]) -> Said:
    """State where a run hears finer and where coarser differences than people, by its intervals."""
    order = ("finer", "coarser", "beyond", "alike", "alone")
    sides: dict[str, list[Said]] = {side: [] for side in order}
    measured = [one for one in results if one.measured and one.threshold.beyond != "both"]
    for result in measured:
        sides[_side(result)].append(dimension_name(result.dimension))
    parts = [said("thresholds-against", how=how, of=of) for how, of in sides.items() if of]
    return said("thresholds-finding", who=who, parts=parts, measured=len(measured))


def _samples(result: DimensionResult, run: str, number: int) -> list[Sample]:
    """The plain sound and then the one with the difference: as heard, as not heard, by people.

    The levels are the ends of the interval; an end beyond the levels that were asked is none.
    """
    threshold, dimension = result.threshold, result.dimension
    hardest, easiest = dimension.ladder.ends
    levels: dict[str, float] = {}
    if result.measured and threshold.high <= easiest:
        levels["heard"] = dimension.ladder.level(max(threshold.high, hardest))
    if result.measured and threshold.low >= hardest:
        levels["unheard"] = dimension.ladder.level(min(threshold.low, easiest))
    if (band := _people_places(result)) is not None:
        levels["people"] = dimension.ladder.level(band[1])
    samples = []
    for kind, level in levels.items():
        draw = np.random.default_rng(0)  # the same page twice has the same sounds
        wav, _ = play(dimension, "two-interval", level, True, draw)
        unit = said("thresholds-unit", unit=dimension.unit)
        what = said("thresholds-sample", kind=kind, level=amount(dimension, level), unit=unit)
        at = _along(result, float(dimension.ladder.place(level)))
        own = kind != "people"
        name = f"{dimension.name}-{kind}{f'-{number}' if own and number else ''}"
        of = _with_unit(dimension)
        samples.append(Sample(of, what, name, wav, at, run if own else ""))
    return samples


def _unmeasured(results_by_run: dict[str, tuple[int, list[DimensionResult]]]) -> list[Said]:
    """List what is not measured, and why: it has no mark in the figure."""
    left = []
    for label, (_, row) in results_by_run.items():
        names: defaultdict[str, list[Said]] = defaultdict(list)
        for result in row:
            if why := why_unmeasured(result):
                names[str(why)].append(dimension_name(result.dimension))
        whys = {str(why): why for result in row if (why := why_unmeasured(result))}
        left += [
            said("thresholds-left", who=label, names=several, why=whys[why])
            for why, several in names.items()
        ]
    return left


def _row(label: str, result: DimensionResult) -> list[Cell]:
    threshold, dimension = result.threshold, result.dimension
    figures: list[Cell] = [None] * 3
    if result.measured:  # nothing is told beyond the levels that were asked
        levels = dimension.ladder.levels
        ends = (threshold.estimate, threshold.lower, threshold.upper)
        figures = [one if min(levels) <= one <= max(levels) else None for one in ends]
    words = threshold_in_words(result), people(dimension)
    unit = said("thresholds-unit", unit=dimension.unit)
    return [label, dimension_name(dimension), unit, *figures, *words, len(result.answers)]


def _along(result: DimensionResult, place: float) -> float:
    """Position of a place on the ladder, from 0, the hardest level, to 1, the easiest."""
    hardest, easiest = result.dimension.ladder.ends
    return (place - hardest) / (easiest - hardest)


def draw_functions(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """The share of right answers by level: what was answered, and the curve that was fitted."""
    answered = [(run, h) for run in runs for h in read_results(run.folder) if h.answers]
    names = list(dict.fromkeys(h.dimension.name for _, h in answered))
    if not names:
        return
    columns = min(3, len(names))
    figure, axes = _panels(len(names), columns)
    rows: list[list[Cell]] = []
    for axis, name in zip(axes, names, strict=False):
        for run, h in answered:
            if h.dimension.name == name:
                rows += _curve(axis, run, h)
        dimension = next(h.dimension for _, h in answered if h.dimension.name == name)
        axis.set_title(PictureText(_with_unit(dimension)))
        axis.set_ylim(0.0, 1.04)
        axis.set_yticks([0, 0.5, 1], labels=["0", "50", "100"])
        axis.axhline(0.5, color=SOFT, linewidth=0.6, linestyle=(0, (3, 2)), zorder=0)
        levels = [dimension.ladder.levels[i] for i in (0, len(dimension.ladder.levels) // 2, -1)]
        at = [float(dimension.ladder.place(level)) for level in levels]
        axis.set_xticks(at, labels=[amount(dimension, level) for level in levels])
    axes[0].set_ylabel(PictureText(said("picture-right")))
    key(figure, {run.label: Series.of_run(run.place) for run, _ in answered})
    yield Drawn(
        "functions",
        said("thresholds-functions-figure"),
        said("thresholds-functions-caption"),
        figure,
        ["run", "dimension", "level", "answers", "right", "fitted"],
        rows,
    )


def _panels(count: int, columns: int) -> tuple[Any, list[Any]]:
    from matplotlib.figure import Figure

    lines = -(-count // columns)
    figure = Figure(figsize=(TWO_COLUMNS, 0.4 + 1.55 * lines))
    grid = figure.subplots(lines, columns, squeeze=False).ravel().tolist()
    for axis in grid[count:]:
        axis.set_visible(False)
    return figure, grid


def _curve(axis: Axes, run: FigureRun, result: DimensionResult) -> list[list[Cell]]:
    ladder, threshold, colour = (
        result.dimension.ladder,
        result.threshold,
        painted(Series.of_run(run.place)),
    )
    counts: dict[float, list[int]] = defaultdict(lambda: [0, 0])
    for answer in result.answers:
        counts[answer.level][0] += 1
        counts[answer.level][1] += answer.later == answer.chose_later
    if result.measured:
        places = np.linspace(*ladder.ends, 80)
        curve = [chance_of_right(threshold, ladder, result.method, ladder.level(p)) for p in places]
        axis.plot(places, curve, color=colour["color"], linewidth=1.0, zorder=2)
    if result.measured and not threshold.beyond:
        axis.axvline(threshold.place, color=colour["color"], linewidth=0.6, zorder=1)
    rows: list[list[Cell]] = []
    for level, (n, right) in sorted(counts.items()):
        axis.plot(
            [float(ladder.place(level))], [right / n], linestyle="", zorder=3, alpha=0.7,
            color=colour["color"], marker=colour["marker"], markersize=2 + min(6.0, n**0.5),
        )  # fmt: skip
        fitted: float | None = None
        if result.measured:
            fitted = round(chance_of_right(threshold, ladder, result.method, level), 4)
        rows.append([run.label, result.dimension.title, level, n, right, fitted])
    return rows
