"""Sections of `zhiyin show` for a run: each task by each figure, published and of the field."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.plugins.benchmarks.cmi.measures import JudgedReply, figures_of
from zhiyin.plugins.benchmarks.cmi.tasks import TASKS
from zhiyin.runs.measures import Estimate
from zhiyin.runs.rows import Rows
from zhiyin.words import Said, said


def sections(rows: Rows) -> list[Section]:
    """The figures of each task of a run; none where nothing has been judged yet."""
    items = items_of(rows)
    if not items:
        return []
    lines: dict[bool, list[list[Cell]]] = {}
    for task, of_task in items.items():
        measures = TASKS[task].measures
        for measure, own in zip(measures, figures_of(measures, of_task), strict=True):
            scale, unit = (100, ", %") if measure.percent else (1, "")
            shown = [None if x is None else scale * x for x in (own.value, own.low, own.high)]
            of_kind = lines.setdefault(measure.published, [])
            of_kind.append([task, f"{measure.name}{unit}", len(of_task), *shown])
    columns = heads("task", "figure", "replies", "value", "low", "high")
    tables = [
        Section(said("cmi-by", published=published), columns, lines[published])
        for published in sorted(lines, reverse=True)
    ]
    notes = [said("cmi-interval"), *_notes(items)]
    return [*tables[:-1], replace(tables[-1], notes=notes)]


def by_degrees(rows: Rows) -> list[Estimate]:
    """The figure that stands for a run of one task: of tags micro F1, else the field's first share.

    Its interval is by resampled clips; none of another figure, of none, or of a rate beyond 1.
    """
    items = items_of(rows)
    if len(items) != 1:
        return []
    task, own = next(iter(items.items()))
    measures = [m for m in TASKS[task].measures if m.percent and not m.published]
    measures.sort(key=lambda measure: measure.name != "micro F1")
    if TASKS[task].chooses or not measures:
        return []
    return [one for one in figures_of(measures[:1], own) if one.ends]


def items_of(rows: Rows) -> dict[str, list[JudgedReply]]:
    """Judged replies by task, in the order of the log; true sound alone where there is any."""
    items: dict[str, list[JudgedReply]] = {}
    for record in (rows.settled.main or rows.settled).records():
        task = str(record.trial.tags.get("task"))
        if task in TASKS:
            clip = record.trial.cluster or record.id
            reply = record.exchange.final.text
            item = JudgedReply(record.trial.target or "", reply, clip, record.verdict.scores)
            items.setdefault(task, []).append(item)
    return items


def _notes(items: dict[str, list[JudgedReply]]) -> Iterable[Said]:
    """Yield what a reader has to know of these figures."""
    unread = []
    for task, of_task in items.items():
        silent = sum(item.scores.get("read", 1.0) == 0 for item in of_task)
        if silent:
            unread.append(said("cmi-unread-in", n=silent, of=len(of_task), task=task))
    if unread:
        yield said("cmi-unread", tasks=unread)
    if "EMO_arousal" in items and "EMO_valence" in items:
        first, second = ([item.label for item in items[n]] for n in ("EMO_arousal", "EMO_valence"))
        if first == second:
            yield said("cmi-same-labels")
