"""Results of a test from its log: the ability, and where it stands among people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from zhiyin.contract.declared import Cell, Drawn, PagePart, Section, heads, picture_of
from zhiyin.plugins.methods.ability import Ability, BankItem, estimate
from zhiyin.record import Record
from zhiyin.runs.rows import Rows
from zhiyin.shown.dots import Dot, DotRow
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.contract.declared import FigureRun

LOW, HIGH = -1.5, 2.0
"""Between these abilities the bank can tell people apart."""


def answered(records: Iterable[Record]) -> tuple[list[tuple[BankItem, bool]], int]:
    """The answers that could be read, with their items, and how many were asked."""
    answers, asked = [], 0
    for record in records:
        tags, verdict = record.trial.tags, record.verdict
        if verdict.state == "error" or "b" not in tags:
            continue
        asked += 1
        if verdict.answer is not None:
            item = BankItem(*(float(tags[name] or 0) for name in "abcd"))
            answers.append((item, verdict.answer == record.trial.target))
    return answers, asked


def standing(ability: Ability) -> Said:
    """Rank an ability among people, in words: above how many, with the interval's ends."""
    if ability.theta < LOW:
        return said("rhythm-off-scale", side="below")
    if ability.theta > HIGH:
        return said("rhythm-off-scale", side="above")
    ends = (ability.theta, ability.lower, ability.upper)
    share, low, high = (f"{100 * ndtr(x):.0f}" for x in ends)
    known = "most" if ability.lower < LOW else "least" if ability.upper > HIGH else "both"
    return said("rhythm-standing", share=share, known=known, low=low, high=high)


def ends_of(ability: Ability) -> Said:
    """The interval as far as the bank can tell abilities apart."""
    low = f"< {LOW}" if ability.lower < LOW else f"{ability.lower:.2f}"
    high = f"> {HIGH}" if ability.upper > HIGH else f"{ability.upper:.2f}"
    return said("from-to", low=low, high=high)


def sections(rows: Rows) -> list[Section]:
    """The ability of a run as a table."""
    answers, asked = answered(rows.records())
    if not asked:
        return []
    if not answers:
        rows_of_none = [[said("rhythm-not-measured")]]
        return [
            Section(said("rhythm-title"), heads("ability"), rows_of_none, [said("rhythm-unread")])
        ]
    ability = estimate(answers)
    inside = LOW <= ability.theta <= HIGH
    row: list[Cell] = [
        f"{ability.theta:.2f}"
        if inside
        else f"{'<' if ability.theta < LOW else '>'} {_edge(ability)}",
        f"{ability.se:.2f}" if inside else "-",
        ends_of(ability) if inside else "-",
        standing(ability),
        said("n-of", n=ability.right, of=ability.answers),
    ]
    notes = [
        said("rhythm-ability"), said("rhythm-range", low=LOW, high=HIGH), said("rhythm-people"),
        said("rhythm-ours"),
    ]  # fmt: skip
    if len(answers) < asked:
        notes.append(said("rhythm-left-out", n=asked - len(answers), of=asked))
    columns = heads("ability", "SE", "interval-95", "among-people", "right")
    return [Section(said("rhythm-title"), columns, [row], notes)]


def _edge(ability: Ability) -> str:
    return f"{LOW:.1f}" if ability.theta < LOW else f"{HIGH:.1f}"


def _abilities(runs: Sequence[FigureRun]) -> list[tuple[FigureRun, Ability]]:
    """The ability of each run that answered something."""
    answers_by_run = [(run, answered(run.rows.records())[0]) for run in runs]
    return [(run, estimate(answers)) for run, answers in answers_by_run if answers]


def opening(runs: Sequence[FigureRun]) -> PagePart | None:
    """The scale of abilities, for a report; None where nothing was answered."""
    abilities = _abilities(runs)
    return _scale_page(abilities) if abilities else None


def draw_scale(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Abilities of some runs beside those of people."""
    from zhiyin.plugins.paper.figures.dots import draw_dots

    if not (abilities := _abilities(runs)):
        return
    part = _scale_page(abilities)
    rows: list[list[Cell]] = [
        [run.label, own.theta, own.se, own.lower, own.upper, standing(own), own.answers]
        for run, own in abilities
    ]
    columns = ["run", "ability", "se", "lower", "upper", "among people", "answers"]
    title, caption = said("rhythm-scale-figure"), said("rhythm-scale-page-note")
    yield draw_dots("scale", title, caption, part.picture, page=part, table=(columns, rows))


_WIDE = 3.5
"""The scale of a page goes so far below and above people's mean."""


def _scale_page(abilities: Sequence[tuple[FigureRun, Ability]]) -> PagePart:
    """The same for a page; people's middle two thirds are shaded."""

    def along(ability: float) -> float:
        return (ability + _WIDE) / (2 * _WIDE)

    def within(end: float) -> float:
        return along(float(np.clip(end, LOW, HIGH)))

    dots = tuple(
        Dot(along(own.theta), within(own.lower), within(own.upper), told=ends_of(own))
        for _, own in abilities
    )
    ticks = tuple((along(float(n)), f"{n:+d}".replace("-", "−") if n else "0")
                  for n in range(-3, 4))  # fmt: skip
    row = DotRow(said("rhythm-ability-row"), dots=dots, band=(along(-1.0), along(1.0)), ticks=ticks)
    note, axis = said("rhythm-scale-page-note"), said("rhythm-ability-axis")
    return PagePart(picture_of([run for run, _ in abilities], "ability", axis, [row], note))
