"""What the options' log-probabilities say, beside the replies of the same trials."""

from __future__ import annotations

from collections import Counter

from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.record import Record
from zhiyin.runs.items import item_of
from zhiyin.runs.rows import Rows
from zhiyin.statistics.scores import Answers, Index
from zhiyin.strategies.likelihood import NOTED, SCORE, WAYS, choices
from zhiyin.words import said


def sections(rows: Rows) -> list[Section]:
    """A row for each way of choosing by log-probability; nothing where it was not asked for."""
    index = Index()
    answers = {way: Answers(index) for way in ("reply", *WAYS)}
    agreed: Counter[str] = Counter()
    both: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    asked = 0
    for record in rows.judged.records():
        if NOTED not in record.exchange.notes:
            continue
        asked += 1
        noted = record.exchange.notes[NOTED]
        if isinstance(noted, str):
            failed[noted] += 1
            continue
        trial, verdict = record.trial, record.verdict
        cell = index.number(
            *item_of(record.id, trial.item, trial.condition, trial.tags), trial.cluster
        )
        answers["reply"].add(cell, verdict.state == "correct", verdict.answer is not None)
        _count(record, cell, answers, agreed, both)
    if not asked:
        return []
    lines = [
        _row("reply", answers["reply"], None),
        *(_row(way, answers[way], _share(agreed[way], both[way])) for way in WAYS),
    ]
    notes = [said("likelihood-note")]
    if failed:
        cause, times = failed.most_common(1)[0]
        missing = said(
            "likelihood-missing", n=failed.total(), of=asked, times=times, cause=cause[:100]
        )
        notes.insert(0, missing)
    columns = heads("chosen-by", "n", "right-share", "from", "to", "as-reply")
    filled = list(filter(None, lines))
    return [Section(said("likelihood-title"), columns, filled, notes, leads=True)]  # asked for


def _count(
    record: Record,
    cell: int,
    answers: dict[str, Answers],
    agreed: Counter[str],
    both: Counter[str],
) -> None:
    """Note each choice of a record, and whether it is the reply's."""
    verdict, letters = record.verdict, choices(record.trial.options, record.exchange.notes[NOTED])
    for way, letter in letters.items():
        right = verdict.scores.get(f"{SCORE}{way}")
        if right is None:
            continue
        answers[way].add(cell, right > 0, True)
        if verdict.letter is not None:
            both[way] += 1
            agreed[way] += letter == verdict.letter


def _row(way: str, answers: Answers, alike: float | None) -> list[Cell] | None:
    if not len(answers):
        return None
    interval = answers.by_item().interval()
    return [
        said("likelihood-way", way=way), len(answers), 100 * interval.mean, 100 * interval.low,
        100 * interval.high, alike,
    ]  # fmt: skip


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None
