"""The published figures made again from reply files, task by task, and why ours differ."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from statistics import median

import msgspec

from zhiyin.benchmarks.cmi.causes import causes
from zhiyin.benchmarks.cmi.data import closed_sets, read_replies, task_of
from zhiyin.benchmarks.cmi.measures import Measure, value_of
from zhiyin.benchmarks.cmi.scored import Scored
from zhiyin.benchmarks.cmi.tasks import MEASURES, TASKS, Kind, Task, judge, require
from zhiyin.contract.published import Cause, PublishedTable, ReproducedFigure, Reproduction
from zhiyin.errors import InputError

OURS: dict[Kind, dict[str, str]] = {
    "label": {"accuracy": "accuracy"},
    "pitch": {"accuracy": "accuracy"},
    "key": {"weighted score": "weighted score", "exactly right": "exactly right"},
    "number": {"R²": "r² of those with a number"},
    "tags": {"ROC-AUC, literal": "ROC-AUC", "PR-AUC, literal": "PR-AUC"},
    "beats": {"F": "F", "CMLt": "CMLt", "AMLt": "AMLt"},
    "lyrics": {"WER, mean over clips": "WER, pooled", "CER, mean over clips": "CER, pooled"},
    "description": {
        "BLEU over characters": "BLEU over words, corpus",
        "ROUGE-L recall": "ROUGE-L F",
    },
    "events": {
        "micro F1 of the first event": "micro F1 of all events",
        "macro F1 of the first event": "macro F1 of all events",
    },
}
"""Which of our figures stands beside a published one; none where the field has no such figure."""
MEDIAN = "WER, median over clips"


class Values(msgspec.Struct, frozen=True):
    """The published figures: digits as printed, by model, task and figure; and how many replies."""

    source: str
    replies: dict[str, int]
    values: dict[str, dict[str, dict[str, str]]]


@cache
def published() -> Values:
    """The figures that are known of the published files."""
    text = resources.files(__package__).joinpath("values.json").read_bytes()
    return msgspec.json.decode(text, type=Values)


def make(files: Sequence[Path]) -> Reproduction:
    """The rows of reply files of one task, one file for each model.

    Raises
    ------
    InputError
        A file cannot be read, or two are of one model and differ.
    """
    rows: list[ReproducedFigure] = []
    notes: list[str] = []
    paths_by_model: dict[str, Path] = {}
    for path in files:
        task = task_of(path)
        require([task])
        model = _model(path, task)
        if (twin := paths_by_model.setdefault(model, path)) is not path:
            if twin.read_bytes() == path.read_bytes():
                notes.append(f"{path.name} stands twice, the same to the byte: it counts once")
                continue
            raise InputError(f"{path}: {twin} holds other replies of {model}; give one of them")
        scored = _scored(path, task)
        rows += _rows(model, task, scored)
        notes += _notes(path, task, scored)
    if any(row.published is not None for row in rows):
        notes.append(f"published: {published().source}")
    return Reproduction(tuple(rows), tuple(notes))


def _model(path: Path, task: Task) -> str:
    """Whose replies a file holds, by its name; the name of its folder where it says only a task."""
    stem = path.name.removesuffix(".gz").rpartition(".")[0]
    return stem.removesuffix(task.name).rstrip("_") or path.parent.name


def _scored(path: Path, task: Task) -> list[Scored]:
    replies = read_replies(path)
    labels = closed_sets([each.clip for each in replies]).get(task.name, "").split("|")
    return [
        Scored(each.clip, each.reply, judge(task, each.clip.label, each.reply, labels))
        for each in replies
    ]


def _rows(model: str, task: Task, scored: Sequence[Scored]) -> list[ReproducedFigure]:
    by_name = {(m.published, m.name): m for m in MEASURES[task.kind]}
    published_values = published().values.get(model, {}).get(task.name, {})
    items = [each.item for each in scored]
    rows = []
    for (theirs, name), measure in by_name.items():
        if not theirs:
            continue
        own = by_name.get((False, OURS[task.kind].get(name, "")))
        rule, ours = value_of(measure, items), value_of(own, items) if own else None
        reasons = _reply_count_causes(task, scored) if name in published_values else []
        reasons += causes(task, measure, own, scored, rule, ours)
        rows.append(
            _row(model, task, measure, published_values.get(name), rule, ours, len(items), reasons)
        )
    if task.kind == "lyrics":
        rates = [item.scores["wer"] for item in items if "wer" in item.scores]
        rule = median(rates) if rates else None
        measure = Measure(MEDIAN, True, lambda i: i, lambda s: s, percent=False)
        rows.append(
            _row(model, task, measure, published_values.get(MEDIAN), rule, None, len(items), [])
        )
    return rows


def _row(
    model: str,
    task: Task,
    measure: Measure,
    published: str | None,
    rule: float | None,
    ours: float | None,
    replies: int,
    causes: Sequence[Cause],
) -> ReproducedFigure:
    digits = len(published.partition(".")[2]) if published else 4
    return ReproducedFigure(
        model, f"{task.name}, {measure.name}", float(published) if published else None, rule, ours,
        replies, 0.5 * 10**-digits, measure.percent, tuple(causes),
    )  # fmt: skip


def _reply_count_causes(task: Task, scored: Sequence[Scored]) -> list[Cause]:
    """How many replies the file has less or more than the one whose figure is known."""
    expected, count = published().replies.get(task.name, len(scored)), len(scored)
    if count < expected:
        return [
            Cause("published", "replies of the published file that are not here", expected - count)
        ]
    if count > expected:
        twice = _repeated_rows(scored)
        reasons = [Cause("published", "replies more than in the published file", count - expected)]
        return [
            *reasons,
            *(
                [Cause("published", "of them rows that stand twice, or ask of another part", twice)]
                if twice
                else []
            ),
        ]
    return []


def _repeated_rows(scored: Sequence[Scored]) -> int:
    """How many rows have question, recording and label of one before them."""
    distinct = {(s.clip.question, s.clip.recording, s.clip.label) for s in scored}
    return len(scored) - len(distinct)


def _notes(path: Path, task: Task, scored: Sequence[Scored]) -> list[str]:
    notes = []
    if twice := _repeated_rows(scored):
        notes.append(
            f"{path.name}: {twice} rows have question, recording and label of one before them: "
            "they stand twice, or ask about another part of it; each counts, as published"
        )
    if empty := sum(not each.reply.strip() for each in scored):
        notes.append(f"{path.name}: {empty} of {len(scored)} replies are empty")
    if task.kind == "events":
        notes.append("the published script prints micro and macro F1 with their names swapped")
    return notes


def _table(task: Task) -> PublishedTable:
    def mine(path: Path) -> bool:
        name = path.name.removesuffix(".gz")
        if not name.endswith((f"_{task.name}.jsonl", f"/{task.name}.jsonl")) and (
            name != f"{task.name}.jsonl"
        ):
            return False
        return not name.startswith("CMI_")  # a question file holds no replies

    figures = ", ".join(m.name for m in MEASURES[task.kind] if m.published)
    return PublishedTable(
        task.name.lower(),
        f"{task.name}: {figures}",
        f"MODEL_{task.name}.jsonl",
        mine,
        make,
        "replies",
    )


def tables() -> tuple[PublishedTable, ...]:
    """A table for each task that the published script scores."""
    return tuple(
        _table(task) for task in TASKS.values() if any(m.published for m in MEASURES[task.kind])
    )
