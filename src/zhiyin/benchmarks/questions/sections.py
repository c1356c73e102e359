"""What `zhiyin show` adds to a run on the user's own questions: figures by kind of question."""

from __future__ import annotations

from statistics import fmean

import numpy as np

from zhiyin.contract import Section
from zhiyin.contract.conditions import condition_sections
from zhiyin.contract.declared import heads
from zhiyin.engine.folder import Manifest
from zhiyin.runs.rows import Row, Rows
from zhiyin.words import said

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


def sections(rows: Rows, manifest: Manifest) -> list[Section]:
    """A row for each kind of question: how many, how many right, by chance, and the mean score."""
    asked = rows.settled.main or rows.settled
    if not asked:
        return []
    lines: list[list[str | float | int | None]] = []
    for name, own in sorted(asked.by(map(_kind_of, asked)).items()):
        figure = _HEADLINE.get(name.partition(":")[0])
        scores = own.scores(figure or "")
        scores = scores[~np.isnan(scores)]
        lines.append(
            [
                name,
                len(own),
                100 * float(own.right.mean()),
                100 * fmean(1 / row.options for row in own) if name == "choice" else None,
                figure if len(scores) else None,
                fmean(scores.tolist()) if len(scores) else None,
            ]
        )
    columns = heads("kind", "n", "right-share", "chance-share", "score", "mean")
    options = manifest.options
    several = any(options.get(name) for name in ("audio", "distractors"))
    further = condition_sections(rows, manifest) if several else []
    return [Section(said("questions-kinds"), columns, lines, [said("questions-note")]), *further]


def _kind_of(row: Row) -> str:
    """The kind of a question: its scorer, or whether one or several options are right."""
    return str(row.tags.get("scorer") or row.tags.get("kind") or "choice")
