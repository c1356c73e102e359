"""What is lost from reading to hearing to seeing: differences within the item, with intervals.

*Reading* is the mean of an item over the symbolic bodies it was asked in (MIDI text, ABC, MusicXML,
kern), *hearing* its sound, *seeing* its picture. A difference is taken over the items that were
asked both ways, and each piece is one draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.benchmarks.bodies.formats import BODIES, SKILLS
from zhiyin.contract.declared import Cell, Drawn, Kind, PageMark, PagePart, Section, heads
from zhiyin.engine.log import read_manifest
from zhiyin.errors import InputError
from zhiyin.report.figures.style import (
    INK,
    SOFT,
    TWO_COLUMNS,
    PictureText,
    canvas,
    look,
    percent_axis,
    whisker,
)
from zhiyin.runs.rows import Rows, TrialRow, rows_of
from zhiyin.statistics.intervals import Interval, interval
from zhiyin.statistics.paired import holm, paired_difference, sign_flip
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from matplotlib.patches import Rectangle

    from zhiyin.contract.declared import FigureRun


READING = ("midi", "abc", "musicxml", "kern")
WAYS: Mapping[str, tuple[str, ...]] = {
    "reading": READING,
    "hearing": ("sound",),
    "seeing": ("image",),
}
Scores = dict[str, dict[str, float]]
"""From a way (or a body) to items to mean scores in [0, 1]."""


class Loss(msgspec.Struct, frozen=True):
    """What is lost from one way to another.

    Attributes
    ----------
    first, second : str
        Ways, or bodies.
    items, pieces : int
        Asked both ways.
    before, after : float
        Share of right answers, in [0, 1].
    lost, low, high : float
        `before` minus `after`, with its 95 % interval, paired within the item and clustered by
        piece.
    p : float
        Two-sided sign-flip test over pieces.
    """

    first: str
    second: str
    items: int
    pieces: int
    before: float
    after: float
    lost: float
    low: float
    high: float
    p: float


class BodyAnswers(msgspec.Struct):
    """The judged answers of a run: `scores` by body and item, and the piece of each item."""

    scores: Scores
    pieces: dict[str, str]
    skills: dict[str, str]

    def ways(self) -> Scores:
        """Scores by way of taking the piece in; reading is averaged over its bodies."""
        scores_by_way: Scores = {}
        for way, bodies in WAYS.items():
            rows: dict[str, list[float]] = {}
            for body in bodies:
                for item, score in self.scores.get(body, {}).items():
                    rows.setdefault(item, []).append(score)
            if rows:
                scores_by_way[way] = {item: sum(row) / len(row) for item, row in rows.items()}
        return scores_by_way


def gather(rows: Iterable[TrialRow]) -> BodyAnswers:
    """BodyAnswers by body and item; repeats are averaged, what failed is left out."""
    right: dict[tuple[str, str], list[float]] = {}
    answers = BodyAnswers({}, {}, {})
    for row in rows:
        body, item = row.tags.get("body"), row.item
        if not row.judged or body is None:
            continue
        right.setdefault((str(body), item), []).append(row.right)
        answers.pieces[item] = row.cluster or item
        answers.skills[item] = str(row.tags.get("skill"))
    for (body, item), own in right.items():
        answers.scores.setdefault(body, {})[item] = sum(own) / len(own)
    return answers


def losses(answers: BodyAnswers) -> list[Loss]:
    """From reading to hearing, from reading to seeing, from hearing to seeing."""
    return _pairs(answers.ways(), answers)


def body_losses(answers: BodyAnswers) -> list[Loss]:
    """Every body against every other."""
    order = (*READING, "sound", "image")
    return _pairs({b: answers.scores[b] for b in order if b in answers.scores}, answers)


def _pairs(scores: Scores, answers: BodyAnswers) -> list[Loss]:
    rows = []
    for first, second in combinations(scores, 2):
        if items := [item for item in scores[first] if item in scores[second]]:
            a, b = ([scores[way][item] for item in items] for way in (first, second))
            rows.append(_loss(first, second, a, b, [answers.pieces[item] for item in items]))
    return rows


def _loss(
    first: str, second: str, a: Sequence[float], b: Sequence[float], pieces: Sequence[str]
) -> Loss:
    gap = paired_difference(a, b, pieces)
    p = sign_flip([x - y for x, y in zip(a, b, strict=True)], pieces).p
    return Loss(
        first, second, gap.n, gap.clusters, gap.first, gap.second, gap.mean, gap.low, gap.high, p
    )


def between(one: BodyAnswers, other: BodyAnswers) -> list[Loss]:
    """How much more one run loses than another, on the items that both were asked both ways.

    `before` and `after` are the losses of the first and of the second run.
    """
    rows = []
    for first, second in combinations(WAYS, 2):
        tables = [
            ways.get(way, {}) for ways in (one.ways(), other.ways()) for way in (first, second)
        ]
        if items := [item for item in tables[0] if all(item in table for table in tables)]:
            a, b = ([tables[n][item] - tables[n + 1][item] for item in items] for n in (0, 2))
            rows.append(_loss(first, second, a, b, [one.pieces[item] for item in items]))
    return rows


def share(answers: BodyAnswers, items: Mapping[str, float]) -> Interval:
    """The mean of some items with its interval, clustered by piece."""
    return interval(list(items.values()), [answers.pieces[item] for item in items])


def everywhere(answers: BodyAnswers, bodies: Sequence[str]) -> list[str]:
    """The items that were asked in every one of some bodies."""
    sets = [set(answers.scores[body]) for body in bodies]
    common = set.intersection(*sets) if sets else set()
    return [item for item in answers.pieces if item in common]


# What `zhiyin show` adds to a run: what is lost, skill by body, body against body.


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
    rows = [_loss_row(loss) for loss in losses]
    notes = [said("bodies-losses-note"), said("bodies-reading")]
    head = heads("lost", "items", "before", "after", "points-lost", "p")
    return Section(title or said("bodies-losses"), head, rows, notes, leads=True, kinds=KINDS)


KINDS: list[Kind] = ["text", "count", "number", "number", "points", "p"]


def points(loss: Loss) -> tuple[float, float, float]:
    """A loss with the ends of its interval."""
    return (loss.lost, loss.low, loss.high)


def _loss_row(loss: Loss) -> list[Cell]:
    shares = (round(100 * share, 1) for share in (loss.before, loss.after))
    title = said("bodies-from", first=loss.first, second=loss.second)
    return [title, loss.items, *shares, points(loss), loss.p]


def _matrix(answers: BodyAnswers) -> Section:
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


def _cell(answers: BodyAnswers, body: str, skill: str) -> str | None:
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


# `zhiyin losses RUN...`: what runs lose, and how they differ


class RunLosses(msgspec.Struct):
    """A run, by its model and folder, and what it loses."""

    run: str
    losses: list[Loss]


class RunDifference(msgspec.Struct):
    """How much more the first of two runs loses than the second."""

    first: str
    second: str
    losses: list[Loss]


class LossesReport(msgspec.Struct):
    """What ``zhiyin losses`` prints of runs, and of every two of them."""

    runs: list[RunLosses]
    differences: list[RunDifference]


def execute(runs: tuple[Path, ...]) -> LossesReport:
    """Losses of each run, and of every two runs how much more the first loses.

    Parameters
    ----------
    runs : RUN
        from `zhiyin run bodies`
    """
    answers_by_run = {}
    for run in dict.fromkeys(runs):
        manifest, answers = read_manifest(run), gather(rows_of(run))
        if not answers.scores and manifest.benchmark != "bodies":
            raise InputError(f"{run} is a run of {manifest.benchmark}: give runs of bodies")
        if not answers.scores:
            raise InputError(f"{run}: holds no answer yet: the command that began it goes on")
        if not losses(answers):
            raise InputError(
                f"{run}: no item was asked in two ways: run bodies with --body sound,abc,image "
                "or all of them"
            )
        answers_by_run[f"{manifest.model}  {run}"] = answers
    return LossesReport(
        [RunLosses(name, losses(answers)) for name, answers in answers_by_run.items()],
        [
            RunDifference(a, b, between(answers_by_run[a], answers_by_run[b]))
            for a, b in combinations(answers_by_run, 2)
        ],
    )


def show(report: LossesReport) -> list[Section]:
    """A table for each run, then one for each two."""
    tables = [losses_section(each.losses, each.run) for each in report.runs]
    for pair in report.differences:
        rows = [_loss_row(loss) for loss in pair.losses]
        notes = [said("bodies-compared", first=pair.first, second=pair.second)]
        notes += [] if rows else [said("bodies-none")]
        head = heads("lost", "items", "first-points", "second-points", "difference", "p")
        tables.append(Section(said("bodies-more"), head, rows, notes, kinds=KINDS))
    return tables


# Figures: reading, hearing and seeing side by side, and skill by body.

_CHANCE = 0.25


def draw_figures(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Reading, hearing and seeing side by side, and skill by body."""
    yield from draw_losses(runs)
    yield from draw_matrix(runs)


def draw_losses(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Share of right answers by reading, hearing and seeing, on the items asked all these ways."""
    answered = [(run, gather(run.judged)) for run in runs]
    answered = [(run, answers) for run, answers in answered if _common(answers)]
    if not answered:
        return
    figure, (axes,) = canvas(TWO_COLUMNS * 0.6, 2.6)
    rows: list[list[Cell]] = []
    told: list[list[Cell]] = []
    marks: list[PageMark | None] = []
    names = [way for way in WAYS if any(way in answers.ways() for _, answers in answered)]
    for number, (run, answers) in enumerate(answered):
        ways, common = answers.ways(), _common(answers)
        colour, marker = look(run.place).values()
        shift = 0.08 * (number - (len(answered) - 1) / 2)
        xs, ys = [], []
        for way, items in ways.items():
            mean = share(answers, {item: items[item] for item in common})
            x = names.index(way) + shift
            whisker(axes, x, mean.mean, mean.low, mean.high, across=False, color=colour)
            xs.append(x)
            ys.append(mean.mean)
            rows.append([run.label, way, len(common), mean.mean, mean.low, mean.high])
            ends = (mean.low, mean.high)
            told.append([said("bodies-way", way=way), run.label, len(common), mean.mean, ends])
            marks.append(PageMark(mean.mean, mean.low, mean.high, run.place, _CHANCE))
        axes.plot(xs, ys, color=colour, marker=marker, label=run.label, linestyle="")
    axes.axhline(_CHANCE, color=SOFT, linewidth=0.8, linestyle=(0, (3, 2)))
    axes.set_xticks(
        range(len(names)), labels=[PictureText(said("bodies-first", first=way)) for way in names]
    )
    axes.set_xlim(-0.4, len(names) - 0.6)
    percent_axis(axes, "y", said("picture-right"))
    axes.legend(loc="best")
    columns = heads("way", "run", "items", "right-share", "interval-95")
    kinds: tuple[Kind, ...] = ("text", "text", "count", "share", "share")
    yield Drawn(
        "losses",
        said("bodies-losses-figure"),
        said("bodies-losses-caption"),
        figure,
        ["run", "way", "items", "mean", "low", "high"],
        rows,
        PagePart(
            Section("", columns, told, [said("bodies-losses-caption")], kinds=kinds),
            marks,
            shares=True,
        ),
    )


def _common(answers: BodyAnswers) -> list[str]:
    """The items that were asked in every way that a run has; none of a run with one way."""
    ways = list(answers.ways().values())
    return sorted(set.intersection(*map(set, ways))) if len(ways) > 1 else []


def draw_matrix(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Skill by body, a panel for each run."""
    answered = [(run, gather(run.judged)) for run in runs]
    answered = [(run, answers) for run, answers in answered if answers.scores]
    if not answered:
        return
    skills = [s for s in SKILLS if any(s in a.skills.values() for _, a in answered)]
    bodies = [b for b in BODIES if any(b in a.scores for _, a in answered)]
    figure, axes = canvas(TWO_COLUMNS, 0.9 + 0.2 * len(skills), len(answered), sharey=True)
    rows: list[list[Cell]] = []
    for ax, (run, answers) in zip(axes, answered, strict=True):
        grid = _grid(answers, skills, bodies)
        for y, skill in enumerate(skills):
            for x, body in enumerate(bodies):
                value, count = grid[y][x]
                if value is None:
                    continue
                rows.append([run.label, skill, body, value, count])
                shade = 1 - 0.75 * value
                ax.add_patch(_square(x, y, (shade, 0.6 * shade + 0.38, 0.3 * shade + 0.7)))
                dark = value > 0.6
                ax.text(
                    x, y, f"{100 * value:.0f}", ha="center", va="center", fontsize=6,
                    color="white" if dark else INK,
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


def _grid(
    answers: BodyAnswers, skills: Sequence[str], bodies: Sequence[str]
) -> list[list[tuple[float | None, int]]]:
    grid = []
    for skill in skills:
        row: list[tuple[float | None, int]] = []
        for body in bodies:
            items = answers.scores.get(body, {})
            scores = [score for item, score in items.items() if answers.skills[item] == skill]
            row.append((sum(scores) / len(scores) if scores else None, len(scores)))
        grid.append(row)
    return grid


def _square(x: int, y: int, colour: tuple[float, float, float]) -> Rectangle:
    from matplotlib.patches import Rectangle

    return Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor="white", linewidth=0.8)
