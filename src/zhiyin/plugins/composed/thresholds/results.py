"""Thresholds of a run, one for each dimension, from the log alone.

The audiogram of a model, and its psychometric functions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from zhiyin.analysis.run import contenders, kind_of_run
from zhiyin.contract.declared import Cell, Drawn, FigureRun, Kind, PagePart, Sample, Section, heads
from zhiyin.numerals import number, percent
from zhiyin.plugins.composed.thresholds.benchmark import as_answer, is_right, turned_round
from zhiyin.plugins.music.hearing import BY_NAME, DIMENSIONS, Dimension, play
from zhiyin.plugins.music.psychometric import (
    Method,
    Threshold,
    ThresholdAnswer,
    chance_of_right,
    fit,
)
from zhiyin.plugins.paper.figures.dots import draw_dots
from zhiyin.plugins.paper.figures.style import SOFT, TWO_COLUMNS, PictureText, key, lined, painted
from zhiyin.record import Record
from zhiyin.runs.rows import Rows, records_of
from zhiyin.shown.charts import Series
from zhiyin.shown.dots import Dot, DotPicture, DotRow
from zhiyin.words import Named, Said, Text, said

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class DimensionResult(msgspec.Struct):
    """The answers of one dimension under one method, and what they tell.

    `asked` counts replies; a reply without an answer tells nothing of the hearing.
    """

    dimension: Dimension
    method: Method
    asked: int
    answers: list[ThresholdAnswer]
    threshold: Threshold

    @property
    def one_answer(self) -> bool:
        """True if one answer was given throughout: that shows a bias, and no hearing or deafness.

        What is fitted to it is the largest bias that is thought possible, and not the listener.
        """
        return len({answer.chose_later for answer in self.answers}) == 1

    @property
    def right(self) -> int:
        """Number of right answers."""
        return sum(map(is_right, self.answers))

    @property
    def turned(self) -> bool:
        """True if clearly fewer are right than by guessing, which is right in every second trial.

        The fitted listener is never right less often than by chance: it would be called deaf.
        """
        return turned_round(self.right, len(self.answers))

    @property
    def measured(self) -> bool:
        """True if the answers are those of a listener that can be fitted."""
        return bool(self.answers) and not self.one_answer and not self.turned


def results_in(records: Iterable[Record]) -> list[DimensionResult]:
    """The thresholds that some records tell, in the order of the dimensions."""
    answers_by_kind: dict[tuple[str, Method], list[ThresholdAnswer | None]] = {}
    for record in records:
        tags = record.trial.tags
        if record.verdict.state != "error" and tags.get("task") in BY_NAME:
            method: Method = "yes-no" if tags.get("method") == "yes-no" else "two-interval"
            answers_by_kind.setdefault((str(tags["task"]), method), []).append(as_answer(record))
    results = []
    for dimension in DIMENSIONS:
        for (name, method), answers_or_none in answers_by_kind.items():
            if name == dimension.name:
                answers = [answer for answer in answers_or_none if answer is not None]
                threshold = fit(dimension.ladder, method, answers)
                results.append(
                    DimensionResult(dimension, method, len(answers_or_none), answers, threshold)
                )
    return results


def read_results(folder: Path) -> list[DimensionResult]:
    """The thresholds of a run."""
    return results_in(records_of(folder))


def amount(dimension: Dimension, level: float) -> str:
    """A level with as many digits as it is worth."""
    if dimension.ladder.scale == "decibel":
        return number(level, 1).removesuffix(".0")
    return f"{level:.2g}" if level < 10 else number(level, 0)


def threshold_in_words(result: DimensionResult) -> Said:
    """The threshold in words: with its interval, or what bounds it.

    Where the interval reaches beyond the levels that were asked, one bound is left. It is
    told no farther than the last level.
    """
    threshold, ladder, dimension = result.threshold, result.dimension.ladder, result.dimension
    if not result.measured or threshold.beyond == "both":
        return said("thresholds-told", how="none", level="", low="", high="")
    hardest, easiest = ladder.ends
    if threshold.beyond == "coarser":
        level = amount(dimension, ladder.level(min(threshold.low, easiest)))
        return said("thresholds-told", how="worse", level=level, low="", high="")
    if threshold.beyond == "finer":
        level = amount(dimension, ladder.level(max(threshold.high, hardest)))
        return said("thresholds-told", how="better", level=level, low="", high="")
    own = (threshold.estimate, threshold.lower, threshold.upper)
    level, low, high = (amount(dimension, each) for each in own)
    to = "signed" if "−" in low + high else "measured"  # as `table.written` has intervals
    return said("thresholds-told", how=to, level=level, low=low, high=high)


def people(dimension: Dimension) -> Text:
    """Describe what people hear, in words; "-" where no figure is sure."""
    known = dimension.people
    if known is None:
        return "-"
    low, high = (amount(dimension, value) for value in (known.low, known.high))
    return low if low == high else said("from-to", low=low, high=high)


def bias_in_words(result: DimensionResult) -> Text:
    """The bias in words: which answer is preferred, and c with its deviation."""
    earlier, later = ("first", "second") if result.method == "two-interval" else ("no", "yes")
    c, deviation = result.threshold.bias, result.threshold.bias_sd
    if not result.answers:
        return "-"
    if result.one_answer:
        given = later if result.answers[0].chose_later else earlier
        return said("thresholds-always", answer=given)
    size = f"{number(abs(c), 1)} ± {number(deviation, 1)}"
    return said("thresholds-bias", answer=earlier if c > 0 else later, size=size)


def sections(rows: Rows) -> list[Section]:
    """The thresholds of a run as a table."""
    lines: list[list[Cell]] = []
    results = results_in(rows.records())
    for result in results:
        dimension, read = result.dimension, len(result.answers)
        lines.append(
            [
                dimension_name(dimension), said("thresholds-unit", unit=dimension.unit),
                threshold_in_words(result), people(dimension), bias_in_words(result),
                f"{read}" if read == result.asked else said("n-of", n=read, of=result.asked),
            ]
        )  # fmt: skip
    if not lines:
        return []
    notes = [said("thresholds-meaning")]
    if any(result.dimension.ladder.harder == "more" for result in results):
        notes.append(said("thresholds-harder"))
    if any(result.threshold.beyond and result.measured for result in results):
        notes.append(said("thresholds-beyond"))
    reasons: dict[str, tuple[Said, list[Said]]] = {}
    for result in results:
        if why := why_unmeasured(result):
            reasons.setdefault(str(why), (why, []))[1].append(dimension_name(result.dimension))
    notes += [said("thresholds-none", of=of, why=why) for why, of in reasons.values()]
    if any(len(result.answers) < result.asked for result in results):
        notes.append(said("thresholds-left-out"))
    for result in results:
        if (known := result.dimension.people) is not None:
            title = dimension_name(result.dimension)
            notes.append(said("thresholds-people", of=title, who=known.who, source=known.source))
    columns = heads("dimension", "unit", "threshold", "people", "bias", "answers")
    found = [Section(said("thresholds-title"), columns, lines, notes)]
    return found + _functions([result for result in results if result.measured])


def _functions(results: Sequence[DimensionResult]) -> list[Section]:
    """The psychometric functions that were fitted, as a table."""
    lines: list[list[Cell]] = []
    for result in results:
        own = result.threshold
        at = result.dimension.ladder.level(own.place)
        right = chance_of_right(own, result.dimension.ladder, result.method, at)
        spread = f"{number(own.slope, 1)} ± {number(own.slope_sd, 1)}"
        lapses = f"{percent(own.lapse, 0)} ± {percent(own.lapse_sd, 0)}"
        lines.append([dimension_name(result.dimension), spread, lapses, right])
    columns = heads("dimension", "slope", "lapses-share", "right-at-threshold")
    kinds: list[Kind] = ["text", "text", "text", "share"]
    notes: list[Text] = [said("thresholds-fitted")]
    title = said("thresholds-functions-figure")
    return [Section(title, columns, lines, notes, kinds=kinds)] if lines else []


def dimension_name(dimension: Dimension) -> Said:
    """Name of a dimension, in words."""
    return said("thresholds-dimension", name=dimension.name, title=dimension.title)


def why_unmeasured(result: DimensionResult) -> Said | None:
    """Explain why there is no threshold; None where there is one, or the levels did not suffice."""
    if not result.answers:
        return said("thresholds-unread")
    if result.one_answer:
        return said("thresholds-one-answer")
    if result.turned:
        return said("thresholds-turned", n=result.right, of=len(result.answers))
    return None


def draw_figures(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """The audiogram, and the psychometric functions."""
    yield from draw_audiogram(runs)
    yield from draw_functions(runs)


def draw_audiogram(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Thresholds by dimension, each on an axis of its own, what people hear behind them."""
    results_by_run = {run.label: (run.series, read_results(run.folder)) for run in runs}
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
    results = {run.label: (run.series, read_results(run.folder)) for run in runs}
    kinds = {run.label: kind_of_run(run.manifest) for run in runs}
    able = contenders({*kinds.values()})
    page = audiogram_page(results)
    page.findings = [_finding(Named(who), row) for who, (_, row) in results.items()
                     if kinds[who] in able]  # fmt: skip
    return page if any(row for _, row in results.values()) else None


def audiogram_page(results_by_run: dict[str, tuple[Series, list[DimensionResult]]]) -> PagePart:
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
        for place, label in enumerate(results_by_run):
            for one in _samples(found[label], label, place) if label in found else ():
                samples.setdefault(one.name, one)
        if first := next(iter(found.values()), None):
            dots = tuple(_dot(found[label]) if label in found else None for label in shown)
            rows.append(
                DotRow(_with_unit(dimension), dots=dots, band=_band(first), ticks=_ticks(first))
            )
    names = tuple((results_by_run[label][0], label) for label in shown)
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


def _samples(result: DimensionResult, run: str, place: int) -> list[Sample]:
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
        name = f"{dimension.name}-{kind}{f'-{place}' if own and place else ''}"
        of = _with_unit(dimension)
        samples.append(Sample(of, what, name, wav, at, run if own else ""))
    return samples


def _unmeasured(results_by_run: dict[str, tuple[Series, list[DimensionResult]]]) -> list[Said]:
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
    key(figure, {run.label: run.series for run, _ in answered})
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
    ladder, threshold = result.dimension.ladder, result.threshold
    looks, line = painted(run.series), lined(run.series)
    counts: dict[float, list[int]] = defaultdict(lambda: [0, 0])
    for answer in result.answers:
        counts[answer.level][0] += 1
        counts[answer.level][1] += answer.later == answer.chose_later
    if result.measured:
        places = np.linspace(*ladder.ends, 80)
        curve = [chance_of_right(threshold, ladder, result.method, ladder.level(p)) for p in places]
        axis.plot(places, curve, zorder=2, linewidth=1.0, **line)
    if result.measured and not threshold.beyond:
        axis.axvline(threshold.place, zorder=1, linewidth=0.6, **line)
    rows: list[list[Cell]] = []
    for level, (n, right) in sorted(counts.items()):
        axis.plot(
            [float(ladder.place(level))], [right / n], zorder=3, alpha=0.7,
            markersize=2 + min(6.0, n**0.5), **looks | {"linestyle": ""},
        )  # fmt: skip
        fitted: float | None = None
        if result.measured:
            fitted = round(chance_of_right(threshold, ladder, result.method, level), 4)
        rows.append([run.label, result.dimension.title, level, n, right, fitted])
    return rows
