"""What `zhiyin show` adds to a run on the user's own questions: figures by kind of question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from zhiyin.contract import Section
from zhiyin.contract.attention import condition_sections
from zhiyin.engine.folder import gather
from zhiyin.engine.log import read_manifest
from zhiyin.engine.tally import is_plain
from zhiyin.record import State

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


class _Verdict(msgspec.Struct):
    state: State
    scores: dict[str, float] = {}


class _Question(msgspec.Struct):
    options: list[msgspec.Raw] = []
    tags: dict[str, Any] = {}


class _Answer(msgspec.Struct):
    """What is read of a record: a run may have a million."""

    id: str
    verdict: _Verdict
    trial: _Question


class _Kind:
    """The answers to one kind of question, counted."""

    def __init__(self, figure: str | None) -> None:
        self.figure = figure
        self.n = self.right = 0
        self.options: Counter[int] = Counter()
        self.scores: list[float] = []

    def add(self, answer: _Answer) -> None:
        self.n += 1
        self.right += answer.verdict.state == "correct"
        self.options[len(answer.trial.options)] += 1
        if self.figure in answer.verdict.scores:
            self.scores.append(answer.verdict.scores[self.figure])

    def chance(self) -> float:
        """Right answers by drawing one option for each question, in percent."""
        return 100 * sum(times / options for options, times in self.options.items()) / self.n


def sections(folder: Path) -> list[Section]:
    """A row for each kind of question: how many, how many right, by chance, and the mean score."""
    (plain, altered), _ = gather(folder, _Answer, _counted)
    if not (by_kind := plain or altered):
        return []
    rows: list[list[str | float | int | None]] = []
    for name, kind in sorted(by_kind.items()):
        rows.append(
            [
                name,
                kind.n,
                100 * kind.right / kind.n,
                kind.chance() if name == "choice" else None,
                kind.figure if kind.scores else None,
                fmean(kind.scores) if kind.scores else None,
            ]
        )
    notes = [
        "chance: of one option drawn for each question; score: the mean over the answers that "
        "could be read, from 0 to 1 (wer and cer: errors by length, 0 is best)"
    ]
    columns = ["kind", "n", "right, %", "chance, %", "score", "mean"]
    options = read_manifest(folder).options
    several = any(options.get(name) for name in ("audio", "distractors"))
    further = condition_sections(folder) if several else []
    return [Section("By kind of question", columns, rows, notes), *further]


def _counted(answers: Iterator[_Answer]) -> tuple[dict[str, _Kind], dict[str, _Kind]]:
    """The kinds of what was asked in the main way, and of what was asked otherwise."""
    counts: tuple[dict[str, _Kind], dict[str, _Kind]] = {}, {}
    for answer in answers:
        if answer.verdict.state == "error":
            continue
        tags = answer.trial.tags
        by_kind = counts[not is_plain(tags)]
        name = str(tags.get("scorer") or tags.get("kind") or "choice")
        if name not in by_kind:
            by_kind[name] = _Kind(_HEADLINE.get(name.partition(":")[0]))
        by_kind[name].add(answer)
    return counts
