"""The published figures made again from reply files, task by task, and why ours differ.

Sections of `zhiyin show` for a run: each task by each figure, published and of the field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from statistics import median

import msgspec
from msgspec.structs import replace

from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.contract.published import Cause, ReproducedFigure, ReproducibleTable, Reproduction
from zhiyin.errors import InputError
from zhiyin.parsing import read_beside
from zhiyin.plugins.benchmarks.cmi import events, tasks
from zhiyin.plugins.benchmarks.cmi.benchmark import ScoredReply, closed_sets, read_replies, task_of
from zhiyin.plugins.benchmarks.cmi.measures import (
    CmiMeasure,
    JudgedReply,
    figures_of,
    published_form,
    published_right,
    value_of,
)
from zhiyin.plugins.benchmarks.cmi.tasks import TASKS, CmiTask, judge, require
from zhiyin.runs.measures import Estimate
from zhiyin.runs.rows import Rows
from zhiyin.words import Said, said

MEDIAN = "WER, median over clips"
_LEAST = 1e-12


class PublishedValues(msgspec.Struct, frozen=True):
    """The published figures: digits as printed, by model, task and figure; and how many replies."""

    source: str
    replies: dict[str, int]
    values: dict[str, dict[str, dict[str, str]]]


@cache
def published() -> PublishedValues:
    """The figures that are known of the published files."""
    return read_beside(__file__, "values.json", PublishedValues)


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
        stem = path.name.removesuffix(".gz").rpartition(".")[0]
        model = stem.removesuffix(task.name).rstrip("_") or path.parent.name
        if (twin := paths_by_model.setdefault(model, path)) is not path:
            if twin.read_bytes() == path.read_bytes():
                notes.append(f"{path.name} stands twice, the same to the byte: it counts once")
                continue
            raise InputError(said("cmi-twin", path=path, twin=twin, model=model))
        scored = _scored(path, task)
        rows += _rows(model, task, scored)
        notes += _notes_on(path, task, scored)
    if any(row.published is not None for row in rows):
        notes.append(f"published: {published().source}")
    return Reproduction(tuple(rows), tuple(notes))


def _scored(path: Path, task: CmiTask) -> list[ScoredReply]:
    replies = read_replies(path)
    labels = closed_sets([each.clip for each in replies]).get(task.name, "").split("|")
    return [
        ScoredReply(each.clip, each.reply, judge(task, each.clip.label, each.reply, labels))
        for each in replies
    ]


def _rows(model: str, task: CmiTask, scored: Sequence[ScoredReply]) -> list[ReproducedFigure]:
    by_name = {(m.published, m.name): m for m in task.measures}
    values = published().values.get(model, {}).get(task.name, {})
    items = [each.item for each in scored]
    rows = []
    for (theirs, name), measure in by_name.items():
        if not theirs:
            continue
        own = by_name.get((False, measure.ours or name))
        rule, ours = value_of(measure, items), value_of(own, items) if own else None
        row = _row(model, task, name, values.get(name), rule, len(items))
        causes = _reply_count_causes(task, scored) if name in values else []
        causes += _causes(task, measure, own, scored, rule, ours)
        rows.append(replace(row, ours=ours, percent=measure.percent, causes=tuple(causes)))
    if task.kind == "lyrics":
        rates = [item.scores["wer"] for item in items if "wer" in item.scores]
        rule = median(rates) if rates else None
        row = _row(model, task, MEDIAN, values.get(MEDIAN), rule, len(items))
        rows.append(replace(row, percent=False))
    return rows


def _row(
    model: str, task: CmiTask, name: str, published: str | None, rule: float | None, replies: int
) -> ReproducedFigure:
    """A row with the figure by the published rule alone, to as many digits as are published."""
    value, digits = (float(published), len(published.partition(".")[2])) if published else (None, 4)
    what, within = f"{task.name}, {name}", 0.5 * 10**-digits
    return ReproducedFigure(model, what, value, rule, None, replies, within)


def _reply_count_causes(task: CmiTask, scored: Sequence[ScoredReply]) -> list[Cause]:
    """Count the replies that the file has less or more than the one whose figure is known."""
    expected, count = published().replies.get(task.name, len(scored)), len(scored)
    twice = _repeated_rows(scored) if count > expected else 0
    counts = {
        "replies of the published file that are not here": expected - count,
        "replies more than in the published file": count - expected,
        "of them rows that stand twice, or ask of another part": twice,
    }
    return [Cause("published", what, n) for what, n in counts.items() if n > 0]


def _repeated_rows(scored: Sequence[ScoredReply]) -> int:
    """Count the rows with question, recording and label of one before them."""
    distinct = {(s.clip.question, s.clip.recording, s.clip.label) for s in scored}
    return len(scored) - len(distinct)


def _notes_on(path: Path, task: CmiTask, scored: Sequence[ScoredReply]) -> list[str]:
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


# Why the published figure and ours differ on the same replies: counted, and by how much


def _causes(
    task: CmiTask,
    theirs: CmiMeasure,
    own: CmiMeasure | None,
    scored: Sequence[ScoredReply],
    rule: float | None,
    ours: float | None,
) -> list[Cause]:
    """List what leads from the figure by the published rule to ours.

    Of a mean the effects of all causes add up to the difference. Of any other figure the
    difference is that of two definitions: one cause holds it all, or the causes cannot be
    separated.
    """
    if own is None or rule is None or ours is None:
        return []
    if task.chooses or task.kind == "beats":
        why = _beat_reason if task.kind == "beats" else _choice_reason(task, scored)
        return _of_means(theirs.score, own.score, scored, why)
    difference = ours - rule
    if task.kind == "lyrics":
        rate, unit = ("wer", "words") if theirs.name.startswith("WER") else ("cer", "characters")
        above = sum(each.verdict.scores.get(rate, 0) > 1 for each in scored)
        description = (
            f"replies with more errors than {unit}; the mean over clips becomes one over {unit}"
        )
        return [Cause("ours", description, above, difference)]
    if task.kind == "description":
        description = f"replies by another definition: {own.name} in place of {theirs.name}"
        return [Cause("ours", description, len(scored), difference)]
    if task.kind == "events":
        return _of_events(scored)
    return _of_numbers(scored) if task.kind == "number" else _of_tags(scored)


def _of_means(
    theirs: str,
    ours: str,
    scored: Sequence[ScoredReply],
    reason: Callable[[ScoredReply, float], str],
) -> list[Cause]:
    counts: Counter[str] = Counter()
    effects: dict[str, float] = {}
    for each in scored:
        gain = each.verdict.scores.get(ours, 0.0) - each.verdict.scores.get(theirs, 0.0)
        if abs(gain) > _LEAST:
            why = reason(each, gain)
            counts[why] += 1
            effects[why] = effects.get(why, 0.0) + gain / len(scored)
    return [Cause("ours", why, n, effects[why]) for why, n in counts.most_common()]


def _choice_reason(
    task: CmiTask, scored: Sequence[ScoredReply]
) -> Callable[[ScoredReply, float], str]:
    labels = {each.clip.label for each in scored}
    never = {
        label
        for label in labels
        if task.kind != "key" and not published_right(label, label, labels)
    }

    def reason(each: ScoredReply, gain: float) -> str:
        if gain > 0 and each.clip.label in never:
            return "better by ours: the label holds another one, so the rule never takes it"
        side = "better" if gain > 0 else "worse"
        return f"{side} by ours: {each.verdict.why}"

    return reason


def _beat_reason(each: ScoredReply, gain: float) -> str:
    if events.published_times(each.reply) is None:
        return "read by ours, given up by the rule: a full stop or a word beside a time"
    return "the field leaves out the first 5 s, or the times are read otherwise"


def _of_numbers(scored: Sequence[ScoredReply]) -> list[Cause]:
    read = [(events.published_number(e.reply), events.read_number(e.reply)[0]) for e in scored]
    silent = sum(theirs is None for theirs, _ in read)
    other = sum(theirs != ours for theirs, ours in read)
    description = (
        "replies for which the rule has no number and takes the mean; ours leaves them out"
    )
    reasons = [Cause("ours", description, silent)] if silent else []
    if other - silent > 0:
        more = sum(a is not None and a != b for a, b in read)
        reasons.append(Cause("ours", "replies in which ours reads another number, or none", more))
    description = "replies by another definition: r² in place of R² of standardised numbers"
    return [*reasons, Cause("ours", description, len(scored))]


def _of_tags(scored: Sequence[ScoredReply]) -> list[Cause]:
    items = [each.item for each in scored]
    known = tasks.vocabulary(items)
    other = 0
    for item in items:
        literal = {tag for tag in known if tag in item.reply.lower()}
        other += literal != tasks.read_tags(item.reply, known)
    wanted = {tag for item in items for tag in tasks.tags_of(item.label)}
    blank = sum(published_form(tag) != tag for tag in wanted)
    reasons = []
    if other:
        reasons.append(
            Cause("ours", "replies in which whole words name other tags than letters", other)
        )
    if blank:
        description = "tags with a blank or a hyphen, which by the rule no clip has"
        reasons.append(Cause("ours", description, blank))
    return reasons


def _of_events(scored: Sequence[ScoredReply]) -> list[Cause]:
    reasons = []
    sides = {"labels": [e.clip.label for e in scored], "replies": [e.reply for e in scored]}
    for what, texts in sides.items():
        whole = sum(len(events.read_events(text)) for text in texts)
        first = sum(len(events.published_events(text)) for text in texts)
        if whole > first:
            description = f"events in {what} after the first, which the rule leaves out"
            reasons.append(Cause("ours", description, whole - first))
    return reasons


# The tables


def _table(task: CmiTask) -> ReproducibleTable:
    def mine(path: Path) -> bool:
        name = path.name.removesuffix(".gz")
        if not name.endswith((f"_{task.name}.jsonl", f"/{task.name}.jsonl")) and (
            name != f"{task.name}.jsonl"
        ):
            return False
        return not name.startswith("CMI_")  # a question file holds no replies

    figures = ", ".join(m.name for m in task.measures if m.published)
    return ReproducibleTable(
        task.name.lower(),
        f"{task.name}: {figures}",
        f"MODEL_{task.name}.jsonl",
        mine,
        make,
        "replies",
    )


def tables() -> tuple[ReproducibleTable, ...]:
    """A table for each task that the published script scores."""
    return tuple(_table(task) for task in TASKS.values() if any(m.published for m in task.measures))


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
