"""The audiogram of a model, and its psychometric functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zhiyin.analysis.run_kind import contenders, kind_of_run
from zhiyin.contract.declared import Cell, Drawn, Kind, PageMark, PagePart, Sample, Section, heads
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
from zhiyin.plugins.paper.figures.style import (
    FAINT,
    HAIR,
    SOFT,
    TWO_COLUMNS,
    PictureText,
    canvas,
    key,
    look,
)
from zhiyin.words import Named, Said, said

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from zhiyin.contract.declared import FigureRun


_ROW = 0.42
_BAND = "#cfe3f1"


def _axis_name(dimension: Dimension) -> PictureText:
    return PictureText(_with_unit(dimension))


def draw_figures(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """The audiogram, and the psychometric functions."""
    yield from draw_audiogram(runs)
    yield from draw_functions(runs)


def draw_audiogram(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Thresholds by dimension, each on an axis of its own, what people hear behind them."""
    results_by_run = {run.label: (run.place, read_results(run.folder)) for run in runs}
    dimensions = list(
        {h.dimension.name: h.dimension for _, row in results_by_run.values() for h in row}
    )
    if not dimensions:
        return
    figure, axes = canvas(TWO_COLUMNS, 0.7 + _ROW * len(dimensions))
    axis = axes[0]
    rows: list[list[Cell]] = []
    for place, name in enumerate(dimensions):
        entries = [(label, at, h) for label, (at, row) in results_by_run.items() for h in row
                 if h.dimension.name == name]  # fmt: skip
        _scale(axis, place, entries[0][2])
        for number, (label, at, h) in enumerate(entries):
            shift = 0.18 * (number - (len(entries) - 1) / 2)
            _mark(axis, place + shift, h, at)
            rows.append(_row(label, h))
    titles = {h.dimension.name: h.dimension for _, row in results_by_run.values() for h in row}
    names = [_axis_name(titles[n]) for n in dimensions]
    axis.set_yticks(range(len(names)), labels=names)
    axis.set_ylim(len(names) - 0.4, -0.7)
    axis.set_xlim(-0.05, 1.05)
    axis.set_xticks(
        [0, 1],
        labels=[PictureText(said("thresholds-hearing", end=end)) for end in ("fine", "coarse")],
    )
    axis.tick_params(axis="both", length=0)
    for side in ("left", "bottom"):
        axis.spines[side].set_visible(False)
    key(figure, {label: at for label, (at, row) in results_by_run.items() if row})
    yield Drawn(
        "audiogram",
        said("thresholds-audiogram-figure"),
        said("thresholds-audiogram-caption", left=_unmeasured(results_by_run)),
        figure,
        ["run", "dimension", "unit", "threshold", "lower", "upper", "told", "people", "answers"],
        rows,
        audiogram_page(results_by_run),
    )


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
    entries = [(label, at, result) for label, (at, row) in results_by_run.items() for result in row]
    entries.sort(key=lambda entry: DIMENSIONS.index(entry[2].dimension))
    rows: list[list[Cell]] = []
    samples: dict[str, Sample] = {}
    for label, _, result in entries:
        dimension, levels = result.dimension, result.dimension.ladder.levels
        ends = (amount(dimension, level) for level in (levels[0], levels[-1]))
        low, high = ends
        rows.append(
            [
                _with_unit(dimension), label, threshold_in_words(result), people(dimension),
                said("thresholds-levels", low=low, high=high),
            ]
        )  # fmt: skip
        for one in _samples(result, label, list(results_by_run).index(label)):
            samples.setdefault(one.name, one)
    notes = [said("thresholds-page-note"), *_unmeasured(results_by_run)]
    columns = heads("dimension", "run", "threshold", "people", "levels")
    kinds: tuple[Kind, ...] = ("text", "text", "text", "text", "text")
    return PagePart(
        Section("", columns, rows, notes, kinds=kinds),
        [_page_mark(result, at) for _, at, result in entries],
        [_finding(Named(who), row) for who, (_, row) in results_by_run.items()],
        samples=list(samples.values()),
        played=said("thresholds-played"),
    )


def _with_unit(dimension: Dimension) -> Said:
    unit = said("thresholds-unit", unit=dimension.unit)
    return said("thresholds-axis", name=dimension_name(dimension), unit=unit)


def _page_mark(result: DimensionResult, at: int) -> PageMark | None:
    if not result.measured:
        return None
    threshold = result.threshold
    low, value, high = (_along(result, p) for p in (threshold.low, threshold.place, threshold.high))
    band = None
    if (known := _people_places(result)) is not None:
        finer, coarser = (_along(result, place) for place in known)
        band = (finer - 0.004, coarser + 0.004)  # one level is seen too
    return PageMark(value, low, high, at, band=band, ticks=_ticks(result))


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


def _scale(axis: Axes, row: int, result: DimensionResult) -> None:
    dimension = result.dimension
    axis.plot([0, 1], [row, row], color=HAIR, linewidth=0.8, zorder=0)
    for x, words in _ticks(result):
        axis.plot([x, x], [row - 0.06, row + 0.06], color=FAINT, linewidth=0.6, zorder=0)
        axis.annotate(
            words, (x, row), (0, -6.5), textcoords="offset points",
            fontsize=5.5, color=SOFT, ha="center", va="top",
        )  # fmt: skip
    if (people := dimension.people) is not None:
        ends = [_along(result, float(dimension.ladder.place(v))) for v in (people.low, people.high)]
        low, high = min(ends) - 0.004, max(ends) + 0.004
        axis.fill_between([low, high], row - 0.28, row + 0.28, color=_BAND, zorder=-1, linewidth=0)


def _mark(axis: Axes, y: float, result: DimensionResult, at: int) -> None:
    threshold, colour = result.threshold, look(at)
    if not result.measured:
        return
    low, high, x = (_along(result, p) for p in (threshold.low, threshold.high, threshold.place))
    ends = np.clip([low, high], 0, 1)
    axis.plot(ends, [y, y], color=colour["color"], linewidth=1.2, zorder=2)
    for beyond, edge, step in ((low < 0, 0.0, -0.025), (high > 1, 1.0, 0.025)):
        if beyond:
            arrow: Any = {"arrowstyle": "->", "color": colour["color"], "linewidth": 1.0}
            axis.annotate("", (edge + step, y), (edge, y), arrowprops=arrow)
    if 0 <= x <= 1:
        axis.plot([x], [y], linestyle="", zorder=3, **colour)


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
        axis.set_title(_axis_name(dimension))
        axis.set_ylim(0.0, 1.04)
        axis.set_yticks([0, 0.5, 1], labels=["0", "50", "100"])
        axis.axhline(0.5, color=SOFT, linewidth=0.6, linestyle=(0, (3, 2)), zorder=0)
        levels = [dimension.ladder.levels[i] for i in (0, len(dimension.ladder.levels) // 2, -1)]
        at = [float(dimension.ladder.place(level)) for level in levels]
        axis.set_xticks(at, labels=[amount(dimension, level) for level in levels])
    axes[0].set_ylabel(PictureText(said("picture-right")))
    key(figure, {run.label: run.place for run, _ in answered})
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
    ladder, threshold, colour = result.dimension.ladder, result.threshold, look(run.place)
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
