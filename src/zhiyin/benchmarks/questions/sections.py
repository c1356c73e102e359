"""What `zhiyin show` adds to a run on the user's own questions: figures by kind of question."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path

from zhiyin.benchmarks.questions.beside import FIGURES, KEPT, read_published
from zhiyin.contract import Section
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.engine.tally import ALL, tally_log
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
    found: dict[str, list[Record]] = {}
    for record in read_records(folder):
        if record.verdict.state != "error":
            found.setdefault(_kind(record), []).append(record)
    if not found:
        return []
    rows: list[list[str | float | int | None]] = []
    for kind in sorted(found):
        records = found[kind]
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
    return [Section("By kind of question", columns, rows, notes), *_beside(folder)]


def _beside(folder: Path) -> Iterator[Section]:
    """Published rows beside a run that was given the whole file."""
    reference, manifest = read_published(folder / KEPT), read_manifest(folder)
    if reference is None or manifest.options.get("partial"):
        return
    if any(
        manifest.config.get(name) is not None and manifest.planned >= manifest.config[name]
        for name in ("limit", "sample")
    ):
        return
    ours = tally_log(folder).groups()
    held = {group for row in reference.rows.values() for group in row}
    groups = [group for group in ours if group in held]
    for figure in FIGURES:
        if not any(figure in row.get(g, {}) for row in reference.rows.values() for g in groups):
            continue
        lines = [("this run", ours), *reference.rows.items()]
        rows: list[list[str | float | int | None]] = [
            [name, *(_percent(row.get(group, {}).get(figure)) for group in groups)]
            for name, row in lines
        ]
        title = f"{reference.title}: {figure}, %"
        columns = ["", *("everything" if group == ALL else group for group in groups)]
        yield Section(title, columns, rows, [f"published: {reference.source}"])


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _kind(record: Record) -> str:
    tags = record.trial.tags
    return str(tags.get("scorer") or tags.get("kind") or "choice")


def _chance(records: list[Record]) -> float:
    return 100 * statistics.fmean(1 / len(record.trial.options) for record in records)
