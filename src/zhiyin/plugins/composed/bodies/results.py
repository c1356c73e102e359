"""Losses from reading to hearing to seeing: differences within the item, with intervals.

*Reading* is the mean of an item over the symbolic bodies it was asked in (MIDI text, ABC, MusicXML,
kern), *hearing* its sound, *seeing* its picture. A difference is taken over the items that were
asked both ways, and each piece is one draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from zhiyin.contract.declared import (
    CONTRASTED,
    Cell,
    Drawn,
    Kind,
    Section,
    contrast_row,
    heads,
    picture_of,
)
from zhiyin.engine.folder import read_manifest
from zhiyin.errors import InputError
from zhiyin.plugins.composed.bodies.benchmark import BODIES, SKILLS, Body, Skill
from zhiyin.plugins.paper.figures.dots import dot_of, draw_dots
from zhiyin.plugins.paper.figures.style import INK, TWO_COLUMNS, PictureText, canvas
from zhiyin.runs.differences import Contrast, Side, between, contrasted
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import SHARE, Estimate
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.shown.dots import DotRow
from zhiyin.words import Text, said

if TYPE_CHECKING:
    from zhiyin.contract.declared import FigureRun


READING = ("midi", "abc", "musicxml", "kern")


def _side(name: str, bodies: Sequence[str]) -> Side:
    return Side(name, lambda kind: kind.condition in bodies)


WAYS = (_side("reading", READING), _side("hearing", ("sound",)), _side("seeing", ("image",)))
LOSSES = tuple(Contrast(*two) for two in combinations(WAYS, 2))
"""What is lost from one way of taking a piece in to another."""
_EACH = tuple(_side(body, (body,)) for body in (*READING, "sound", "image"))
_BODIES = tuple(Contrast(*two) for two in combinations(_EACH, 2))


def on_shared(rows: Rows, sides: Sequence[Side]) -> dict[str, Rows]:
    """The judged trials of each side that a run has, of the items that were asked on all these."""
    parts = {side.name: own for side in sides if (own := rows.judged.which(side.wanted))}
    if not parts:
        return {}
    items = reduce(np.intersect1d, [own.items for own in parts.values()])
    return {name: own.where(np.isin(own.items, items)) for name, own in parts.items()}


def by_skill(rows: Rows) -> dict[tuple[Skill, Body], Estimate]:
    """The share of right answers by skill and body, in the order of both."""
    parted = rows.judged.by_kind(
        lambda kind: [(skill, kind.condition) for skill in kind.groups if skill in SKILLS]
    )
    cells = [(skill, body) for skill in SKILLS for body in BODIES]
    return {cell: estimate(parted[cell], ends=False) for cell in cells if cell in parted}


# What `zhiyin show` adds to a run: what is lost, skill by body, body against body.


def sections(rows: Rows) -> list[Section]:
    """The further tables of a run; none where nothing has been judged yet."""
    if not rows.judged:
        return []
    lost = contrasted(rows, LOSSES)
    tables = [losses_section(lost)] if lost else []
    tables.append(_matrix(rows))
    if pairs := contrasted(rows, _BODIES):
        tables.append(_bodies(pairs))
    return tables


def losses_section(losses: Sequence[Estimate], title: Text | None = None) -> Section:
    """Tabulate what is lost, a row for each two ways of asking."""
    rows = [contrast_row(_named(loss), loss) for loss in losses]
    notes = [said("bodies-losses-note"), said("bodies-reading")]
    head = heads("lost", "items", "before", "after", "points-lost", "p")
    return Section(title or said("bodies-losses"), head, rows, notes, leads=True, kinds=CONTRASTED)


def _named(loss: Estimate) -> Text:
    first, second = loss.sides
    return said("bodies-from", first=first, second=second)


def _matrix(rows: Rows) -> Section:
    """Skill by body: per cent right, and of how many."""
    cells = by_skill(rows)
    bodies = [body for body in BODIES if any(of == body for _, of in cells)]
    lines: list[list[Cell]] = []
    for skill in dict.fromkeys(skill for skill, _ in cells):
        shares = [cells.get((skill, body)) for body in bodies]
        line: list[Cell] = [said("bodies-skill", skill=skill)]
        for one in shares:
            line.append(f"{100 * (one.value or 0.0):.0f} ({one.items})" if one else None)
        lines.append(line)
    notes = [said("bodies-share")]
    common = on_shared(rows, [side for side in _EACH if side.name in bodies])
    if len(bodies) > 1 and any(map(len, common.values())):
        ends = {body: estimate(own) for body, own in common.items()}
        n = ends[bodies[0]].items
        lines.append([said("bodies-in-all", n=n), *(ends[body].ends for body in bodies)])
        notes += [said("bodies-last-row")] if len(lines) > 1 else []
    head = [*heads("skill"), *(said("bodies-body", body=body) for body in bodies)]
    kinds: list[Kind] = ["text", *("share" for _ in bodies)]  # type: ignore[list-item]
    return Section(said("bodies-skills"), head, lines, notes, kinds=kinds)


def _bodies(pairs: Sequence[Estimate]) -> Section:
    rows = []
    for pair in pairs:
        first, second = (said("bodies-body", body=body) for body in pair.sides)
        name = said("bodies-two", first=first, second=second)
        rows.append(contrast_row(name, pair, adjusted=True))
    note = said("bodies-two-note", n=len(pairs))
    columns = heads("bodies", "items", "before", "after", "points", "p")
    return Section(said("bodies-pairs"), columns, rows, [note], kinds=CONTRASTED)


# `zhiyin losses RUN...`: what runs lose, and how they differ


class RunLosses(msgspec.Struct):
    """A run, by its model and folder, and what it loses."""

    run: str
    losses: list[Estimate]


class RunDifference(msgspec.Struct):
    """The amount by which the first of two runs loses more than the second."""

    first: str
    second: str
    losses: list[Estimate]


class LossesReport(msgspec.Struct):
    """The report of ``zhiyin losses``: runs, and the difference of every two of them."""

    runs: list[RunLosses]
    differences: list[RunDifference]


def execute(runs: tuple[Path, ...]) -> LossesReport:
    """Losses of each run, and of every two runs how much more the first loses.

    Parameters
    ----------
    runs : RUN
        from `zhiyin run bodies`
    """
    rows_by_run, lost_by_run = dict[str, Rows](), []
    for run in dict.fromkeys(runs):
        manifest, rows = read_manifest(run), rows_of(run)
        if manifest.benchmark != "bodies":
            raise InputError(said("losses-other", run=run, benchmark=manifest.benchmark))
        if not rows.judged:
            raise InputError(said("losses-none", run=run))
        if not (lost := contrasted(rows, LOSSES)):
            raise InputError(said("losses-one", run=run))
        rows_by_run[f"{manifest.model}  {run}"] = rows
        lost_by_run.append(RunLosses(f"{manifest.model}  {run}", lost))
    return LossesReport(
        lost_by_run,
        [
            RunDifference(a, b, between(rows_by_run[a], rows_by_run[b], LOSSES))
            for a, b in combinations(rows_by_run, 2)
        ],
    )


def show(report: LossesReport) -> list[Section]:
    """A table for each run, then one for each two."""
    tables = [losses_section(each.losses, each.run) for each in report.runs]
    for pair in report.differences:
        rows = [contrast_row(_named(loss), loss) for loss in pair.losses]
        notes = [said("bodies-compared", first=pair.first, second=pair.second)]
        notes += [] if rows else [said("bodies-none")]
        head = heads("lost", "items", "first-points", "second-points", "difference", "p")
        kinds: list[Kind] = ["text", "count", "points", "points", "points", "p"]
        tables.append(Section(said("bodies-more"), head, rows, notes, kinds=kinds))
    return tables


# Figures: reading, hearing and seeing side by side, and skill by body.

_CHANCE = 0.25


def draw_figures(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Reading, hearing and seeing side by side, and skill by body."""
    yield from draw_losses(runs)
    yield from draw_matrix(runs)


def draw_losses(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Share of right answers by reading, hearing and seeing, on the items asked all these ways."""
    asked = {run: own for run in runs if len(own := on_shared(run.judged, WAYS)) > 1}
    rows = []
    for way in WAYS:
        each = (own.get(way.name) for own in asked.values())
        dots = tuple(dot_of(estimate(own)) if own else None for own in each)
        if any(dots):
            rows.append(DotRow(said("bodies-way", way=way.name), dots=dots, rule=_CHANCE))
    if rows:
        title, caption = said("bodies-losses-figure"), said("bodies-losses-caption")
        right = said("head", name="right-share")
        made = picture_of(asked, "shown", right, rows, caption, unit=SHARE)
        yield draw_dots("losses", title, caption, made)


def draw_matrix(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Skill by body, a panel for each run."""
    from matplotlib.patches import Rectangle

    answered = [(run, cells) for run in runs if (cells := by_skill(run.judged))]
    if not answered:
        return
    asked = {cell for _, cells in answered for cell in cells}
    skills = [skill for skill in SKILLS if any(of == skill for of, _ in asked)]
    bodies = [body for body in BODIES if any(of == body for _, of in asked)]
    figure, axes = canvas(TWO_COLUMNS, 0.9 + 0.2 * len(skills), len(answered), sharey=True)
    rows: list[list[Cell]] = []
    for ax, (run, cells) in zip(axes, answered, strict=True):
        for (skill, body), own in cells.items():
            value, x, y = own.value or 0.0, bodies.index(body), skills.index(skill)
            rows.append([run.label, skill, body, value, own.items])
            shade = 1 - 0.75 * value
            colour = shade, 0.6 * shade + 0.38, 0.3 * shade + 0.7
            at = x - 0.5, y - 0.5
            ax.add_patch(Rectangle(at, 1, 1, facecolor=colour, edgecolor="white", linewidth=0.8))
            ax.text(
                x, y, f"{100 * value:.0f}", ha="center", va="center", fontsize=6,
                color="white" if value > 0.6 else INK,
            )  # fmt: skip
        ax.set_xticks(
            range(len(bodies)),
            labels=[PictureText(said("bodies-body", body=b)) for b in bodies],
            rotation=60,
        )
        ax.set_yticks(
            range(len(skills)), labels=[PictureText(said("bodies-skill", skill=s)) for s in skills]
        )
        ax.set_xlim(-0.5, len(bodies) - 0.5)
        ax.set_ylim(len(skills) - 0.5, -0.5)
        ax.set_title(run.label, wrap=True)
        ax.tick_params(length=0)
    yield Drawn(
        "matrix",
        said("bodies-matrix-figure"),
        said("bodies-matrix-caption"),
        figure,
        ["run", "skill", "body", "mean", "items"],
        rows,
    )
