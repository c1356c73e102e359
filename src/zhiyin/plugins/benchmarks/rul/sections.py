"""Sections of `zhiyin show` for a run: rules, majority, perceptual index, what was only read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import msgspec
import numpy as np

from zhiyin.contract.declared import CONTRASTED, Cell, Section, contrast_row, heads
from zhiyin.plugins.benchmarks.by_rules import sections_by_rules, verdict_by
from zhiyin.plugins.benchmarks.rul.reading import majority
from zhiyin.record import Record
from zhiyin.runs.differences import Contrast, Side, contrasted
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import Measure, one, right
from zhiyin.runs.rows import Rows
from zhiyin.runs.ways import QuestionKind
from zhiyin.statistics.intervals import Floats, interval
from zhiyin.words import said

RULES = {"robust": "robust", "rul": "released"}
BANDS = ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))
"""Perceptual index: at 0.75 the text-only model did no better than a guess with four options."""


class AnsweredQuestion(msgspec.Struct):
    """The answers to one question by each rule, in the order of the passes."""

    cluster: str
    right: str
    texts: dict[str, list[str | None]] = {}


def sections(rows: Rows) -> list[Section]:
    """The further tables of a run; none where nothing has been judged yet."""
    tables = sections_by_rules(rows, RULES)
    if main := rows.judged.main:
        tables.append(_majority_section(gather(list(main.records()))))
        tables += _index_sections(main) + _contrast_sections(rows)
    return tables


def gather(records: Sequence[Record]) -> dict[str, AnsweredQuestion]:
    """Judged passes by question, in the order of the passes.

    A log holds them in the order in which their replies came.
    """
    gathered: dict[str, AnsweredQuestion] = {}
    for record in sorted(records, key=lambda record: record.id):
        trial = record.trial
        texts = {option.letter: option.text for option in trial.options}
        key = next(option.text for option in trial.options if option.key == trial.target)
        own = gathered.setdefault(trial.item, AnsweredQuestion(trial.cluster or trial.item, key))
        for rule in RULES:
            letter = verdict_by(rule, record).letter
            own.texts.setdefault(rule, []).append(texts.get(letter or ""))
    return gathered


def _majority_section(main: dict[str, AnsweredQuestion]) -> Section:
    """The figure of the released script, by its reading and by ours."""
    clusters = [answered.cluster for answered in main.values()]
    rows: list[list[Cell]] = []
    for rule, heading in RULES.items():
        agreed = [majority(answered.texts[rule]) for answered in main.values()]
        scores = [float(a == b.right) for a, b in zip(agreed, main.values(), strict=True)]
        share = interval(scores, clusters)
        silent = sum(answer is None for answer in agreed)
        rows.append([heading, share.n, 100 * share.mean, 100 * share.low, 100 * share.high, silent])
    notes = [said("rul-majority-note")]
    if any(len(texts) != 4 for answered in main.values() for texts in answered.texts.values()):
        notes.append(said("rul-not-four"))
    columns = heads("replies-by", "questions", "majority", "low", "high", "no-vote")
    return Section(said("rul-majority"), columns, rows, notes)


def _index(rows: Rows) -> Floats:
    """The perceptual index of each trial."""
    tags = rows.table.tags
    return np.array([float(tags[n].get("perceptual_index") or 0) for n in rows.numbers.tolist()])


def _least_squares(sums: Floats) -> Floats:
    """The slope from n and the sums of x, y, x² and x y; none where x hardly varies."""
    n, x, y, squares, products = np.moveaxis(sums, -1, 0)
    spread = n * squares - x * x
    return np.asarray((n * products - x * y) / np.where(spread > 1e-12, spread, np.nan))


SLOPE = Measure(
    "slope of the index",
    range=(None, None),
    of=(one, _index, right, lambda rows: _index(rows) ** 2, lambda rows: _index(rows) * rows.right),
    value=_least_squares,
    method="jackknife",
)
"""Delete-one-cluster jackknife with Student's t (Tukey 1958; Efron and Tibshirani 1993, chapter
11)."""


def _index_sections(main: Rows) -> list[Section]:
    """Accuracy by the perceptual index, and how fast it changes with it."""
    if len(np.unique(main.items)) < 2:
        return []
    index, rows = _index(main), list[list[Cell]]()
    for low, high in BANDS:
        inside = main.where((index >= low) & ((index < high) | ((index == high) & (high == 1))))
        if inside:
            own = estimate(inside)
            shares = (100 * share for share in own.ends or ())
            rows.append([said("from-to", low=low, high=high), own.items, *shares])
    notes = [said("rul-index-note")]
    slope = estimate(main, SLOPE).ends
    if slope and math.isfinite(slope[1]):
        value, low, high = (each / 10 for each in slope)
        notes.append(said("rul-slope", value=value, low=low, high=high))
    columns = heads("index", "questions", "acc-share", "low", "high")
    return [Section(said("rul-index"), columns, rows, notes)]


def _is_asked(condition: str, kind: QuestionKind) -> bool:
    return kind.condition == condition


def _contrast_sections(rows: Rows) -> list[Section]:
    """The main way of asking against each other one, paired by question."""
    main = Side("main", lambda kind: not kind.condition)
    others = dict.fromkeys(rows.table.kinds[n].condition for n in rows.table.kind[rows.numbers])
    found = contrasted(
        rows,
        [
            Contrast(main, Side(name, partial(_is_asked, name)))
            for name in others
            if name and "/" not in name
        ],
    )
    if not found:
        return []
    names = [each.sides[1] for each in found]
    notes = [said("rul-contrasts-note")]
    if "distractors=own" in names:
        notes.append(said("rul-own"))
    if any(name.startswith("audio=") for name in names):
        notes.append(said("rul-unheard"))
    lines = [contrast_row(name, each) for name, each in zip(names, found, strict=True)]
    columns = heads("instead", "questions", "main", "now", "main-now", "p")
    return [Section(said("rul-contrasts"), columns, lines, notes, kinds=CONTRASTED)]
