"""What `zhiyin show` adds to a run: each task by each figure, published and of the field."""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec.structs import replace

from zhiyin.benchmarks.cmi.measures import CmiMeasure, JudgedReply, MeasuredFigure, figures_of
from zhiyin.benchmarks.cmi.tasks import TASKS
from zhiyin.contract.declared import Cell, FigureByDegrees, Section, heads
from zhiyin.runs.rows import Rows
from zhiyin.statistics.intervals import Interval
from zhiyin.words import Said, said


def sections(rows: Rows) -> list[Section]:
    """The figures of each task of a run; none where nothing has been judged yet."""
    items = items_of(rows)
    if not items:
        return []
    figures_by_task = {task: figures(task, of_task) for task, of_task in items.items()}
    tables = []
    for published in (True, False):
        lines: list[list[Cell]] = []
        for task, of_task in items.items():
            for measure, value in figures_by_task[task]:
                if measure.published != published:
                    continue
                scale = 100 if measure.percent else 1
                shown = [
                    None if x is None else scale * x for x in (value.value, value.low, value.high)
                ]
                unit = ", %" if measure.percent else ""
                lines.append([task, f"{measure.name}{unit}", len(of_task), *shown])
        if lines:
            title = said("cmi-by", published=published)
            columns = heads("task", "figure", "replies", "value", "low", "high")
            tables.append(Section(title, columns, lines))
    notes = [said("cmi-interval"), *_notes(items)]
    return [*tables[:-1], replace(tables[-1], notes=notes)]


def figures(task: str, items: list[JudgedReply]) -> list[tuple[CmiMeasure, MeasuredFigure]]:
    """All figures of one task."""
    measures = TASKS[task].measures
    return list(zip(measures, figures_of(measures, items), strict=True))


def by_degrees(rows: Rows) -> list[FigureByDegrees]:
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
    measure = measures[0]
    (made,) = figures_of([measure], own)
    if made.value is None or made.low is None or made.high is None:
        return []
    clips = len({item.clip for item in own})
    ends = made.value, made.low, made.high, math.nan
    return [FigureByDegrees(measure.name, Interval(*ends, len(own), clips, "bootstrap"))]


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
    """What a reader has to know of these figures."""
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
