"""What `zhiyin show` adds to a run: rules, majority, perceptual index, what was only read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from zhiyin.analysis.readings import rules_section, verdict_by
from zhiyin.benchmarks.rul.reading import majority
from zhiyin.contract.conditions import LISTENING_WAYS
from zhiyin.contract.declared import Cell, Kind, Section, heads
from zhiyin.record import Record
from zhiyin.runs.rows import Rows
from zhiyin.words import said

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RULES = {"robust": "robust", "rul": "released"}
BANDS = ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))
"""Perceptual index: at 0.75 the text-only model did no better than a guess with four options."""
Row = list[Cell]


class AnsweredQuestion(msgspec.Struct):
    """The judged passes of one question under one condition."""

    cluster: str
    index: float
    right: str
    scores: list[float] = []
    texts: dict[str, list[str | None]] = {}

    @property
    def mean(self) -> float:
        return sum(self.scores) / len(self.scores)


Gathered = dict[str, dict[str, AnsweredQuestion]]
"""From conditions ("" for the main one) to questions to what was answered."""


def sections(rows: Rows) -> list[Section]:
    """The further tables of a run; none where nothing has been judged yet."""
    records = list(rows.settled.records())
    if not records:
        return []
    gathered = gather(records)
    tables = [rules_section(records, RULES, rows.ways)]
    if main := gathered.get(""):
        tables.append(_majority_section(main))
        if len(main) > 1:
            tables.append(_index_section(main))
        if contrasts := _contrasts(main, gathered):
            tables.append(contrasts)
    return tables


def gather(records: Sequence[Record]) -> Gathered:
    """Judged passes by condition and question, in the order of the passes.

    A log holds them in the order in which their replies came.
    """
    gathered: Gathered = {}
    for record in sorted(records, key=lambda record: record.id):
        trial = record.trial
        texts = {option.letter: option.text for option in trial.options}
        right = next(option.text for option in trial.options if option.key == trial.target)
        answered = gathered.setdefault(trial.condition, {}).setdefault(
            trial.item,
            AnsweredQuestion(
                trial.cluster or trial.item, float(trial.tags.get("perceptual_index") or 0), right
            ),
        )
        answered.scores.append(float(record.verdict.state == "correct"))
        if LISTENING_WAYS.is_main(trial.tags):
            for rule in RULES:
                letter = verdict_by(rule, record).letter
                answered.texts.setdefault(rule, []).append(texts.get(letter or ""))
    return gathered


def _majority_section(main: dict[str, AnsweredQuestion]) -> Section:
    """The figure of the released script, by its reading and by ours."""
    from zhiyin.statistics.intervals import interval

    clusters = [answered.cluster for answered in main.values()]
    rows: list[Row] = []
    for rule, heading in RULES.items():
        agreed = [majority(answered.texts[rule]) for answered in main.values()]
        scores = [float(a == b.right) for a, b in zip(agreed, main.values(), strict=True)]
        share = interval(scores, clusters)
        silent = sum(answer is None for answer in agreed)
        rows.append([heading, share.n, 100 * share.mean, 100 * share.low, 100 * share.high, silent])
    passes = {len(answered.scores) for answered in main.values()}
    notes = [said("rul-majority-note")]
    if passes != {4}:
        notes.append(said("rul-not-four"))
    columns = heads("replies-by", "questions", "majority", "low", "high", "no-vote")
    return Section(said("rul-majority"), columns, rows, notes)


def _index_section(main: dict[str, AnsweredQuestion]) -> Section:
    """Accuracy by the perceptual index, and how fast it changes with it."""
    from zhiyin.statistics.intervals import interval

    rows: list[Row] = []
    for low, high in BANDS:
        inside = [a for a in main.values() if low <= a.index < high or a.index == high == 1]
        if inside:
            share = interval([a.mean for a in inside], [a.cluster for a in inside])
            rows.append(
                [
                    said("from-to", low=low, high=high),
                    share.n,
                    *(100 * x for x in (share.mean, share.low, share.high)),
                ]
            )
    notes = [said("rul-index-note")]
    if slope := _slope(list(main.values())):
        value, low, high = (each / 10 for each in slope)
        notes.append(said("rul-slope", value=value, low=low, high=high))
    columns = heads("index", "questions", "acc-share", "low", "high")
    return Section(said("rul-index"), columns, rows, notes)


def _slope(answers: Sequence[AnsweredQuestion]) -> tuple[float, float, float] | None:
    """Change of accuracy with the index, and its 95 % interval; None where neither varies.

    Delete-one-cluster jackknife with Student's t (Tukey 1958; Efron and Tibshirani 1993, chapter
    11).
    """
    import numpy as np

    from zhiyin.statistics.intervals import cluster_index, t_quantile

    x = np.array([a.index for a in answers])
    y = np.array([a.mean for a in answers])
    index = cluster_index([a.cluster for a in answers], len(answers))
    count = int(index.max()) + 1
    if count < 3 or np.ptp(x) == 0:
        return None
    sums = np.array(
        [
            np.bincount(index, weights=w, minlength=count)
            for w in (np.ones_like(x), x, y, x * x, x * y)
        ]
    )

    total = sums.sum(axis=1)
    left = total[:, None] - sums
    if np.any(left[0] * left[3] - left[1] ** 2 <= 1e-12):
        return None
    whole, without = float(_least_squares(total)), _least_squares(left)
    spread = (count - 1) / count * float(np.sum((without - without.mean()) ** 2))
    half = t_quantile(0.95, count - 1) * spread**0.5
    return whole, whole - half, whole + half


def _least_squares(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The slope from n and the sums of x, y, x² and x y."""
    n, x, y, squares, products = sums
    slope: NDArray[np.float64] = (n * products - x * y) / (n * squares - x * x)
    return slope


def _contrasts(main: dict[str, AnsweredQuestion], gathered: Gathered) -> Section | None:
    """The main way of asking against each other one, paired by question."""
    from zhiyin.statistics.paired import paired_difference, sign_flip

    rows: list[Row] = []
    for condition, others in gathered.items():
        both = [item for item in main if item in others]
        if not condition or "/" in condition or not both:
            continue
        clusters = [main[item].cluster for item in both]
        main_means, other_means = [main[i].mean for i in both], [others[i].mean for i in both]
        difference = paired_difference(main_means, other_means, clusters)
        p = sign_flip([a - b for a, b in zip(main_means, other_means, strict=True)], clusters).p
        figures = (
            difference.first,
            difference.second,
            difference.mean,
            difference.low,
            difference.high,
        )
        rows.append([condition, len(both), *(100 * x for x in figures), p])
    if not rows:
        return None
    columns = heads("instead", "questions", "main", "now", "main-now", "low", "high", "p")
    notes = [said("rul-contrasts-note")]
    if any(row[0] == "distractors=own" for row in rows):
        notes.append(said("rul-own"))
    if any(str(row[0]).startswith("audio=") for row in rows):
        notes.append(said("rul-unheard"))
    kinds: list[Kind] = ["text", "count", "number", "number", "number", "number", "number", "p"]
    return Section(said("rul-contrasts"), columns, rows, notes, kinds=kinds)
