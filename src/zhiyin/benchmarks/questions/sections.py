"""What `zhiyin show` adds to a run on the user's own questions: figures by kind of question."""

from __future__ import annotations

import statistics
from pathlib import Path

from zhiyin.contract import Section
from zhiyin.engine.folder import read_records
from zhiyin.record import Record

_HEADLINE = {
    "set-f1": "f1",
    "several": "f1",
    "edit": "similarity",
    "wer": "wer",
    "cer": "cer",
    "notes": "in_place",
    "judge": "judged",
}
"""The figure beside right and wrong, by scorer; its mean is over the answers that could be read."""


def sections(folder: Path) -> list[Section]:
    """A row for each kind of question: how many, how many right, by chance, and the mean score."""
    by_kind: dict[str, list[Record]] = {}
    for record in read_records(folder):
        if record.verdict.state != "error":
            by_kind.setdefault(_kind(record), []).append(record)
    if not by_kind:
        return []
    rows: list[list[str | float | int | None]] = []
    for kind in sorted(by_kind):
        records = by_kind[kind]
        right = sum(record.verdict.state == "correct" for record in records)
        figure = _HEADLINE.get(kind.partition(":")[0])
        scores = [r.verdict.scores[figure] for r in records if figure in r.verdict.scores]
        rows.append(
            [
                kind,
                len(records),
                100 * right / len(records),
                _chance(records) if kind == "choice" else None,
                figure if scores else None,
                statistics.fmean(scores) if scores else None,
            ]
        )
    notes = [
        "chance: of one option drawn for each question; score: the mean over the answers that "
        "could be read, from 0 to 1 (wer and cer: errors by length, 0 is best)"
    ]
    columns = ["kind", "n", "right, %", "chance, %", "score", "mean"]
    return [Section("By kind of question", columns, rows, notes)]


def _kind(record: Record) -> str:
    tags = record.trial.tags
    return str(tags.get("scorer") or tags.get("kind") or "choice")


def _chance(records: list[Record]) -> float:
    return 100 * statistics.fmean(1 / len(record.trial.options) for record in records)
