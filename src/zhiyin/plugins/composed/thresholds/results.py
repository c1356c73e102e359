"""Thresholds of a run, one for each dimension, from the log alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from zhiyin.contract.declared import Cell, Kind, Section, heads
from zhiyin.numerals import number, percent
from zhiyin.plugins.composed.thresholds.benchmark import as_answer, is_right, turned_round
from zhiyin.plugins.music.hearing.dimensions import BY_NAME, DIMENSIONS, Dimension
from zhiyin.plugins.music.psychometric import (
    Method,
    Threshold,
    ThresholdAnswer,
    chance_of_right,
    fit,
)
from zhiyin.record import Record
from zhiyin.runs.rows import Rows, records_of
from zhiyin.words import Said, Text, said


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
