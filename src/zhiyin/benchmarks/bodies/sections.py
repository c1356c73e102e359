"""What `zhiyin show` adds to a run: what is lost, skill by body, body against body."""

from __future__ import annotations

from collections.abc import Sequence

from zhiyin.benchmarks.bodies.losses import (
    Answers,
    Loss,
    body_losses,
    everywhere,
    gather,
    losses,
    share,
)
from zhiyin.benchmarks.bodies.settings import BODIES, SKILLS
from zhiyin.contract.declared import Cell, Kind, Section, heads
from zhiyin.runs.rows import Rows
from zhiyin.statistics.paired import holm
from zhiyin.words import Said, Text, said


def sections(rows: Rows) -> list[Section]:
    """The further tables of a run; none where nothing has been judged yet."""
    answers = gather(rows)
    if not answers.scores:
        return []
    tables = [losses_section(losses(answers))] if losses(answers) else []
    tables.append(_matrix(answers))
    if pairs := body_losses(answers):
        tables.append(_bodies(pairs))
    return tables


def losses_section(losses: Sequence[Loss], title: Text | None = None) -> Section:
    """What is lost, a row for each two ways."""
    rows: list[list[Cell]] = [
        [
            said("bodies-from", first=loss.first, second=loss.second), loss.items,
            _percent(loss.before), _percent(loss.after), points(loss), loss.p,
        ]
        for loss in losses
    ]  # fmt: skip
    notes = [said("bodies-losses-note"), said("bodies-reading")]
    head = heads("lost", "items", "before", "after", "points-lost", "p")
    return Section(title or said("bodies-losses"), head, rows, notes, leads=True, kinds=KINDS)


KINDS: list[Kind] = ["text", "count", "number", "number", "points", "p"]


def points(loss: Loss) -> tuple[float, float, float]:
    """A loss with the ends of its interval."""
    return (loss.lost, loss.low, loss.high)


def _percent(value: float) -> float:
    return round(100 * value, 1)


def _matrix(answers: Answers) -> Section:
    """Skill by body: per cent right, and of how many."""
    bodies = [body for body in BODIES if body in answers.scores]
    rows: list[list[Cell]] = []
    for skill in SKILLS:
        cells = [_cell(answers, body, skill) for body in bodies]
        if any(cells):
            rows.append([said("bodies-skill", skill=skill), *cells])
    common = everywhere(answers, bodies)
    if common and len(bodies) > 1:
        row: list[Cell] = [said("bodies-in-all", n=len(common))]
        for body in bodies:
            mean = share(answers, {item: answers.scores[body][item] for item in common})
            row.append((mean.mean, mean.low, mean.high))
        rows.append(row)
    notes = [said("bodies-share"), said("bodies-last-row")]
    head = [*heads("skill"), *(said("bodies-body", body=body) for body in bodies)]
    columns: list[Kind] = ["text"]
    columns.extend("share" for _ in bodies)
    notes = notes if len(rows) > 1 else notes[:1]
    return Section(said("bodies-skills"), head, rows, notes, kinds=columns)


def _cell(answers: Answers, body: str, skill: str) -> str | None:
    scores = [
        score for item, score in answers.scores[body].items() if answers.skills[item] == skill
    ]
    return f"{100 * sum(scores) / len(scores):.0f} ({len(scores)})" if scores else None


def _two(pair: Loss) -> Said:
    first, second = (said("bodies-body", body=body) for body in (pair.first, pair.second))
    return said("bodies-two", first=first, second=second)


def _bodies(pairs: Sequence[Loss]) -> Section:
    adjusted = holm([pair.p for pair in pairs])
    rows: list[list[Cell]] = [
        [
            _two(pair), pair.items, points(pair),
            float(p),
        ]
        for pair, p in zip(pairs, adjusted, strict=True)
    ]  # fmt: skip
    note = said("bodies-two-note", n=len(pairs))
    columns = heads("bodies", "items", "points", "p")
    kinds: list[Kind] = ["text", "count", "points", "p"]
    return Section(said("bodies-pairs"), columns, rows, [note], kinds=kinds)
