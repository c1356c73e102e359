"""Tables that `zhiyin show` adds to a judged run, and to a judge run itself."""

from __future__ import annotations

from pathlib import Path

from zhiyin.benchmarks import Section
from zhiyin.errors import InputError
from zhiyin.judges.aspects import read_aspects
from zhiyin.judges.cases import DONE
from zhiyin.judges.combine import COMPONENTS, Combined, combine
from zhiyin.judges.grades import read_grades
from zhiyin.judges.judging import judged_folders
from zhiyin.judges.lexical import NOT_COMPARABLE
from zhiyin.log import read_manifest
from zhiyin.tally import tally_log

_SONG_COLUMNS = ["song", "completeness /16", "precision", "novelty /10", "total", "missing"]


def run_sections(run: Path) -> list[Section]:
    """The headline of an appraisal run, and what each judge made of its reviews."""
    tally = tally_log(run)
    counts = tally.counts
    rows: list[list[str | float | int | None]] = []
    qa, reviews = counts.get("qa"), counts.get("appraisal")
    if qa:
        rows.append(
            ["option questions: accuracy", tally.metrics("qa")["accuracy"], qa.judged, qa.error]
        )
    if reviews:
        written: int = getattr(reviews, DONE)
        share = written / reviews.judged if reviews.judged else None
        rows.append(["reviews: share written", share, written, reviews.error])
    note = (
        'a review has no right answer: the figures under "all" and "appraisal" above count it as '
        "correct when it was written; accuracy is that of qa"
    )
    sections = [Section("Appraisal", ["", "share", "n", "failed"], rows, [note])]
    graded = [folder for folder in judged_folders(run) if _is_graded(folder)]
    if graded:
        results = [combine(read_grades(folder, run), run) for folder in graded]
        sections.append(_judges(results))
    return sections


def judged_sections(folder: Path) -> list[Section]:
    """The scores of a judge run by song; nothing where the run judged is not at hand."""
    if not _is_graded(folder):
        return []
    try:
        found = combine(read_grades(folder), folder.parent)
    except InputError:
        return []
    rows: list[list[str | float | int | None]] = [
        [s.song, s.completeness, s.precision, s.novelty, s.total, s.errors] for s in found.songs
    ]
    note = "a judgement has no right answer: above, correct means that it could be read"
    return [Section("Scores by song", _SONG_COLUMNS, rows, [note, *found.notes])]


def _is_graded(folder: Path) -> bool:
    return "failures" not in read_aspects(read_manifest(folder).options.get("aspects"))


def _judges(results: list[Combined]) -> Section:
    """A row for each judge."""
    rows: list[list[str | float | int | None]] = [
        [r.judge, *(r.components[name].value for name in COMPONENTS), r.total, r.low, r.high]
        for r in results
    ]
    notes = list(dict.fromkeys(f"{r.judge}: {note}" for r in results for note in r.notes))
    if any(r.judge.partition(":")[0] == "lexical" for r in results):
        notes.append(NOT_COMPARABLE)
    return Section("Judged", ["judge", *COMPONENTS, "total", "low", "high"], rows, notes)
