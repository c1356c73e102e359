"""Figures: reading, hearing and seeing side by side, and skill by body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from zhiyin.benchmarks.bodies.losses import WAYS, Answers, gather, share
from zhiyin.benchmarks.bodies.settings import BODIES, SKILLS
from zhiyin.contract.declared import Cell, Drawn
from zhiyin.report.figures.style import INK, SOFT, TWO_COLUMNS, canvas, look, percent_axis, whisker
from zhiyin.words import said

if TYPE_CHECKING:
    from matplotlib.patches import Rectangle

    from zhiyin.contract.declared import FigureRun

_CHANCE = 0.25


def draw_losses(runs: Sequence[FigureRun]) -> Iterator[Drawn]:
    """Share of right answers by reading, hearing and seeing, on the items asked all these ways."""
    answered = [(run, gather(run.judged)) for run in runs]
    answered = [(run, answers) for run, answers in answered if _common(answers)]
    if not answered:
        return
    figure, (axes,) = canvas(TWO_COLUMNS * 0.6, 2.6)
    rows: list[list[Cell]] = []
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
        axes.plot(xs, ys, color=colour, marker=marker, label=run.label, linewidth=0.9)
    axes.axhline(_CHANCE, color=SOFT, linewidth=0.8, linestyle=(0, (3, 2)))
    axes.set_xticks(range(len(names)), labels=names)
    axes.set_xlim(-0.4, len(names) - 0.6)
    percent_axis(axes, "y", "right, %")
    axes.legend(loc="best")
    yield Drawn(
        "losses",
        said("bodies-losses-figure"),
        said("bodies-losses-caption"),
        figure,
        ["run", "way", "items", "mean", "low", "high"],
        rows,
    )


def _common(answers: Answers) -> list[str]:
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
            labels=[str(said("bodies-body", body=b)) for b in bodies],
            rotation=60,
        )
        ax.set_yticks(
            range(len(skills)), labels=[str(said("bodies-skill", skill=s)) for s in skills]
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
    answers: Answers, skills: Sequence[str], bodies: Sequence[str]
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
