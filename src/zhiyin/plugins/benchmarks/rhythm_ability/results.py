"""Results of a test from its log: the ability, and where it stands among people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from zhiyin.contract.declared import Cell, Drawn, Kind, PageMark, PagePart, Section, heads
from zhiyin.plugins.methods.ability import Ability, BankItem, estimate
from zhiyin.record import Record
from zhiyin.runs.rows import Rows
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
    """Abilities of some runs below the distribution of people's in the bank's prior."""
    from zhiyin.plugins.paper.figures.style import (
        HAIR,
        SOFT,
        TWO_COLUMNS,
        PictureText,
        canvas,
        look,
    )

    abilities = _abilities(runs)
    if not abilities:
        return
    figure, axes = canvas(TWO_COLUMNS, 1.7 + 0.22 * len(abilities))
    axis, x = axes[0], np.linspace(-3.5, 3.5, 200)
    height = len(abilities) + 2.0
    axis.fill_between(x, 0, height * 0.5 * np.exp(-(x**2) / 2), color="#cfe3f1", linewidth=0)
    for edge in (LOW, HIGH):
        axis.axvline(edge, color=SOFT, linewidth=0.7, linestyle=(0, (3, 2)))
    rows: list[list[Cell]] = []
    for number, (run, ability) in enumerate(abilities):
        y, colour = -0.7 - number, look(run.place)
        low, high, theta = (float(np.clip(v, LOW, HIGH)) for v in
                            (ability.lower, ability.upper, ability.theta))  # fmt: skip
        axis.plot([-3.5, 3.5], [y, y], color=HAIR, linewidth=0.8, zorder=0)
        axis.plot([low, high], [y, y], color=colour["color"], linewidth=1.3)
        if LOW <= ability.theta <= HIGH:
            axis.plot([theta], [y], linestyle="", **colour)
        for beyond, edge, tip in (
            (ability.lower < LOW, LOW, -3.0),
            (ability.upper > HIGH, HIGH, 3.0),
        ):
            if beyond:
                arrow = {"arrowstyle": "->", "color": colour["color"], "linewidth": 1.3}
                axis.annotate("", (tip, y), (edge, y), arrowprops=arrow)
        axis.text(-3.6, y, run.label, ha="right", va="center", color=colour["color"])
        rows.append([run.label, ability.theta, ability.se, ability.lower, ability.upper,
                     standing(ability), ability.answers])  # fmt: skip
    axis.set_yticks([])
    axis.spines["left"].set_visible(False)
    axis.set_xlim(-3.6, 3.6)
    axis.set_xlabel(PictureText(said("rhythm-ability-axis")))
    yield Drawn(
        "scale",
        said("rhythm-scale-figure"),
        said("rhythm-scale-caption"),
        figure,
        ["run", "ability", "se", "lower", "upper", "among people", "answers"],
        rows,
        _scale_page(abilities),
    )


_WIDE = 3.5
"""The scale of a page goes so far below and above people's mean."""


def _scale_page(abilities: Sequence[tuple[FigureRun, Ability]]) -> PagePart:
    """The same for a page; people's middle two thirds are shaded."""

    def along(ability: float) -> float:
        return (float(np.clip(ability, -_WIDE, _WIDE)) + _WIDE) / (2 * _WIDE)

    rows: list[list[Cell]] = []
    marks: list[PageMark | None] = []
    for run, ability in abilities:
        told = (said("rhythm-ability-row"), run.label, ends_of(ability), standing(ability))
        rows.append([*told, ability.answers])
        low, high, at = (along(float(np.clip(v, LOW, HIGH))) for v in
                         (ability.lower, ability.upper, ability.theta))  # fmt: skip
        ticks = tuple((along(float(n)), f"{n:+d}".replace("-", "−") if n else "0")
                      for n in range(-3, 4))  # fmt: skip
        band = (along(-1.0), along(1.0))
        marks.append(PageMark(at, low, high, run.place, band=band, ticks=ticks))
    columns = heads("ability", "run", "interval-95", "among-people", "answers")
    kinds: tuple[Kind, ...] = ("text", "text", "text", "text", "count")
    return PagePart(
        Section("", columns, rows, [said("rhythm-scale-page-note")], kinds=kinds), marks
    )
