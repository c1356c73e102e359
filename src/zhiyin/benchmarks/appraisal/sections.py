"""A judged run as it is shown and compared: its tables, and its scores in parts for each judge."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

import msgspec

from zhiyin.benchmarks.appraisal.data import QA, REVIEWS
from zhiyin.contract.declared import Section
from zhiyin.engine.log import Manifest, read_manifest
from zhiyin.judges.cases import reviewed
from zhiyin.judges.combine import COMPONENTS, QUESTIONS, combine, parts_of
from zhiyin.judges.grades import read_all, read_grades
from zhiyin.judges.judging import graded_folders
from zhiyin.judges.sections import COLUMNS, Row, judge_section
from zhiyin.runs.figures import figures
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.statistics.parts import Parts, Scored
from zhiyin.words import Said, Text, said


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


NAMES = tuple("questions" if name == QUESTIONS else name for name in COMPONENTS)
_OWN = ("draws", "run")
"""Options in which two judge runs may differ and still judge alike."""


def scored(run: Path) -> list[Scored]:
    """The scores of a run under each judge that graded its reviews; of its questions alone
    where none did.

    Raises
    ------
    InputError
        The folder is no run.
    """
    rows = rows_of(run)
    scores = []
    for folder in graded_folders(run):
        manifest = read_manifest(folder)
        grades = read_grades(folder, run)
        combined = combine(grades, run)
        failed = sum(part.errors for part in combined.components.values())
        notes = [
            note
            for note in combined.notes
            if not isinstance(note, Said) or note.name not in ("judged-quotations", "judged-sums")
        ]
        scores.append(
            Scored(
                manifest.model,
                _judging_fingerprint(manifest),
                _with_names(parts_of(grades, rows)),
                not failed and combined.total is not None,
                notes,
                NAMES[:1],
                combined.total is not None,
            )
        )
    if scores:
        return scores
    parts = _with_names(parts_of(None, rows))
    reviews = bool(rows.which(lambda kind: REVIEWS in kind.groups))
    unjudged: list[Text] = [said("appraisal-not-judged")] if reviews else []
    return [Scored("", "", parts, False, unjudged, NAMES[:1])]


def _with_names(parts: Parts) -> Parts:
    return msgspec.structs.replace(parts, names=NAMES)


def _judging_fingerprint(manifest: Manifest) -> str:
    """A fingerprint of how a judge judged, whichever run and however many draws."""
    options = {k: v for k, v in manifest.config.get("options", {}).items() if k not in _OWN}
    what = msgspec.json.encode({**manifest.config, "options": options}, order="sorted")
    return blake2b(what, digest_size=8).hexdigest()
