"""The tables of a run: its questions, its reviews, and what each judge made of them."""

from __future__ import annotations

from zhiyin.benchmarks.appraisal.data import QA, REVIEWS
from zhiyin.contract.declared import Section
from zhiyin.judges.cases import reviewed
from zhiyin.judges.combine import combine
from zhiyin.judges.grades import read_all
from zhiyin.judges.judging import graded_folders
from zhiyin.judges.sections import COLUMNS, Row, judge_section
from zhiyin.runs.figures import figures
from zhiyin.runs.rows import Rows
from zhiyin.words import said


def sections(rows: Rows) -> list[Section]:
    """The headline of an appraisal run, and what each judge made of its reviews."""
    run, counted = rows.folder, figures(rows.table)
    counts = counted.counts
    lines: list[Row] = []
    qa, reviews = counts.get(QA), counts.get(REVIEWS)
    if qa:
        metrics = counted.metrics(QA)
        ends = metrics.ci95 or (None, None)
        lines.append([said("appraisal-questions"), metrics.accuracy, *ends, qa.judged, qa.error])
    notes = []
    if reviews:
        written = sum(1 for _ in reviewed(run))
        settled = reviews.settled
        share = written / settled if settled else None
        lines.append([said("appraisal-written"), share, None, None, settled, reviews.error])
        if reviews.correct:
            notes.append(said("appraisal-earlier"))
    overview = [Section(said("appraisal-title"), COLUMNS, lines, notes)]
    return overview + [
        judge_section(combine(grades, run), grades.title)
        for grades in read_all(graded_folders(run), run)
    ]
