"""What a run's log says: a threshold for each dimension, from the log alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from zhiyin.benchmarks.thresholds.asking import as_answer, is_right, turned_round
from zhiyin.contract.declared import Section
from zhiyin.contract.drawn import Cell
from zhiyin.music.hearing.dimensions import BY_NAME, DIMENSIONS, Dimension
from zhiyin.record import Record
from zhiyin.runs.rows import Rows, records_of
from zhiyin.statistics.psychometric import Answered, Method, Threshold, fit


class DimensionResult(msgspec.Struct):
    """The answers of one dimension under one method, and what they tell.

    `asked` counts replies; a reply without an answer tells nothing of the hearing.
    """

    dimension: Dimension
    method: Method
    asked: int
    answers: list[Answered]
    threshold: Threshold

    @property
    def one_answer(self) -> bool:
        """Whether one answer was given throughout: that shows a bias, and no hearing or deafness.

        What is fitted to it is the largest bias that is thought possible, and not the listener.
        """
        return len({answer.chose_later for answer in self.answers}) == 1

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(map(is_right, self.answers))

    @property
    def turned(self) -> bool:
        """Whether clearly fewer are right than by guessing, who is right in every second trial.

        The fitted listener is never right less often than by chance: it would be called deaf.
        """
        return turned_round(self.right, len(self.answers))

    @property
    def measured(self) -> bool:
        """Whether the answers are those of a listener that can be fitted."""
        return bool(self.answers) and not self.one_answer and not self.turned


def results_in(records: Iterable[Record]) -> list[DimensionResult]:
    """The thresholds that some records tell, in the order of the dimensions."""
    answers_by_kind: dict[tuple[str, Method], list[Answered | None]] = {}
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
        return f"{level:.1f}".removesuffix(".0").replace("-", "−")
    return f"{level:.2g}" if level < 10 else f"{level:.0f}"


def threshold_in_words(result: DimensionResult) -> str:
    """The threshold in words: with its interval, or what bounds it.

    Where the interval reaches beyond the levels that were asked, one bound is left. It is
    told no farther than the last level.
    """
    threshold, ladder, dimension = result.threshold, result.dimension.ladder, result.dimension
    if not result.measured or threshold.beyond == "both":
        return "not measured"
    hardest, easiest = ladder.ends
    if threshold.beyond == "coarser":
        return f"worse than {amount(dimension, ladder.level(min(threshold.low, easiest)))}"
    if threshold.beyond == "finer":
        return f"better than {amount(dimension, ladder.level(max(threshold.high, hardest)))}"
    low, high = amount(dimension, threshold.lower), amount(dimension, threshold.upper)
    return f"{amount(dimension, threshold.estimate)} ({low} to {high})"


def people(dimension: Dimension) -> str:
    """What people hear, in words; "-" where no figure is sure."""
    known = dimension.people
    if known is None:
        return "-"
    ends = dict.fromkeys(amount(dimension, value) for value in (known.low, known.high))
    return " to ".join(ends)


def bias_in_words(result: DimensionResult) -> str:
    """The bias in words: which answer is preferred, and c with its deviation."""
    earlier, later = ("first", "second") if result.method == "two-interval" else ("no", "yes")
    c, deviation = result.threshold.bias, result.threshold.bias_sd
    if not result.answers:
        return "-"
    if result.one_answer:
        return f"always {later if result.answers[0].chose_later else earlier}"
    return f"{earlier if c > 0 else later} {abs(c):.1f} ± {deviation:.1f}"


def sections(rows: Rows) -> list[Section]:
    """The thresholds of a run as a table."""
    lines: list[list[Cell]] = []
    results = results_in(rows.records())
    for result in results:
        dimension, read = result.dimension, len(result.answers)
        lines.append(
            [
                dimension.title, dimension.unit, threshold_in_words(result), people(dimension),
                bias_in_words(result),
                f"{read}" if read == result.asked else f"{read} of {result.asked}",
            ]
        )  # fmt: skip
    if not lines:
        return []
    notes = [_MEANING]
    notes += [_HARDER] if any(h.dimension.ladder.harder == "more" for h in results) else []
    if any(result.threshold.beyond and result.measured for result in results):
        notes.append(_BEYOND)
    reasons: dict[str, list[str]] = {}
    for result in results:
        if why := why_unmeasured(result):
            reasons.setdefault(why, []).append(result.dimension.title)
    notes += [f"not measured, {', '.join(titles)}: {why}" for why, titles in reasons.items()]
    if any(len(result.answers) < result.asked for result in results):
        notes.append("replies without an answer tell nothing of the hearing, and are left out")
    for result in results:
        if (known := result.dimension.people) is not None:
            notes.append(f"people, {result.dimension.title}: {known.who} ({known.source})")
    columns = ["dimension", "unit", "threshold", "people", "bias", "answers"]
    return [Section("Thresholds", columns, lines, notes)]


def why_unmeasured(result: DimensionResult) -> str:
    """Why there is no threshold; empty where there is one, or the levels did not suffice."""
    if not result.answers:
        return "no answer could be read"
    if result.one_answer:
        return "one answer to every question, which shows a bias alone"
    if result.turned:
        return (
            f"{result.right} of {len(result.answers)} answers are right, clearly fewer than by "
            "guessing: what is heard is named the wrong way round, or the answers are misread"
        )
    return ""


_MEANING = (
    "threshold: where d' is 1, the mean of the posterior with a 95 % credible interval; the prior "
    "is even over the levels and half a power of ten beyond; bias: the preferred answer, and the "
    "criterion c with its standard deviation"
)
_HARDER = "melody memory: more notes are harder, so a higher threshold is better"
_BEYOND = (
    "better, worse than: the interval reaches beyond the levels that can be asked; of listeners as "
    "the prior has them the bound held for 96 to 98 % when simulated; of those whose answers get "
    "better slowly, with lapses, worse than for 81 %"
)
