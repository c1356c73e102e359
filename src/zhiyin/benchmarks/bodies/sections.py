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
from zhiyin.benchmarks.bodies.settings import BODIES, BODY_TITLES, SKILLS
from zhiyin.contract.declared import Cell, Kind, Section
from zhiyin.runs.rows import Rows
from zhiyin.statistics.paired import holm


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


def losses_section(losses: Sequence[Loss], title: str = "") -> Section:
    """What is lost, a row for each two ways."""
    rows: list[list[Cell]] = [
        [
            f"from {loss.first} to {loss.second}", loss.items, _percent(loss.before),
            _percent(loss.after), points(loss), loss.p,
        ]
        for loss in losses
    ]  # fmt: skip
    notes = [
        "Points lost, with 95 % intervals; p by sign flips. Each item is paired with itself, each "
        "piece is one draw, and only items asked both ways count.",
        "Reading: the mean over MIDI text, ABC, MusicXML and kern.",
    ]
    head = ["what is lost", "items", "before, %", "after, %", "points lost", "p"]
    heading = title or "What is lost from reading to hearing to seeing"
    return Section(heading, head, rows, notes, leads=True, kinds=KINDS)


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
            rows.append([skill.replace("-", " "), *cells])
    common = everywhere(answers, bodies)
    if common and len(bodies) > 1:
        row: list[Cell] = [f"the {len(common)} asked in all"]
        for body in bodies:
            mean = share(answers, {item: answers.scores[body][item] for item in common})
            row.append((mean.mean, mean.low, mean.high))
        rows.append(row)
    notes = [
        "Per cent right (of how many items). Empty: the body cannot carry the question.",
        "Whole bodies are compared in the last row alone: the same items stand in each column.",
    ]
    head = ["skill", *(BODY_TITLES[body] for body in bodies)]
    columns: list[Kind] = ["text"]
    columns.extend("share" for _ in bodies)
    return Section(
        "Skill by body", head, rows, notes if len(rows) > 1 else notes[:1], kinds=columns
    )


def _cell(answers: Answers, body: str, skill: str) -> str | None:
    scores = [
        score for item, score in answers.scores[body].items() if answers.skills[item] == skill
    ]
    return f"{100 * sum(scores) / len(scores):.0f} ({len(scores)})" if scores else None


def _bodies(pairs: Sequence[Loss]) -> Section:
    adjusted = holm([pair.p for pair in pairs])
    rows: list[list[Cell]] = [
        [
            f"{BODY_TITLES[pair.first]} - {BODY_TITLES[pair.second]}", pair.items, points(pair),
            float(p),
        ]
        for pair, p in zip(pairs, adjusted, strict=True)
    ]  # fmt: skip
    note = f"First minus second; p by sign flips, by Holm's rule for {len(pairs)} comparisons."
    kinds: list[Kind] = ["text", "count", "points", "p"]
    return Section(
        "Body against body", ["bodies", "items", "points", "p"], rows, [note], kinds=kinds
    )
