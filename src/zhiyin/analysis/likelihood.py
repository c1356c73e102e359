"""What the options' log-probabilities say, beside the replies of the same trials."""

from __future__ import annotations

from collections import Counter

from zhiyin.contract.declared import Section
from zhiyin.record import Record
from zhiyin.runs.items import item_of
from zhiyin.runs.rows import Rows
from zhiyin.statistics.scores import Answers, Index
from zhiyin.strategies.likelihood import NOTED, SCORE, WAYS, choices

Cell = str | float | int | None
_TITLES = {
    "letter": "letter",
    "letter-prior": "letter, less what it says anyway",
    "text": "words",
    "text-length": "words, by byte",
    "text-prior": "words, less what it says anyway",
}


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
        _row("reply", "reply, as read", answers["reply"], None),
        *(_row(way, _TITLES[way], answers[way], _share(agreed[way], both[way])) for way in WAYS),
    ]
    notes = [
        "chosen: the option that the model finds most probable as the first thing to say; right: "
        "of those where one is; as reply: the same option as the reply, where both choose",
    ]
    if failed:
        cause, times = failed.most_common(1)[0]
        notes.insert(
            0,
            f"{sum(failed.values()):,} of {asked:,} have no log-probabilities "
            f"({times:,} x {cause[:100]})",
        )
    columns = ["chosen by", "n", "right, %", "from", "to", "as reply, %"]
    title, filled = "By log-probability of the options", list(filter(None, lines))
    return [Section(title, columns, filled, notes, leads=True)]  # --score asked for it


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


def _row(way: str, title: str, answers: Answers, alike: float | None) -> list[Cell] | None:
    if not len(answers):
        return None
    interval = answers.by_item().interval()
    return [
        title, len(answers), 100 * interval.mean, 100 * interval.low, 100 * interval.high, alike,
    ]  # fmt: skip


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None
