"""Figures of perception: modality gaps, and transcription against decision (Carone et al.)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from zhiyin.contract.declared import Cell, Drawn, FigureRun
from zhiyin.engine.naming import briefs
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.perception.scoring import Fidelity, fidelity_table, without_messages
from zhiyin.plugins.benchmarks.perception.tasks import STRATEGY, TASKS
from zhiyin.plugins.methods.glmm import Glmm, fit_glmm
from zhiyin.plugins.methods.glmm.means import MarginalContrast
from zhiyin.plugins.methods.table import read_runs
from zhiyin.plugins.paper.figures.style import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    SOFT,
    TWO_COLUMNS,
    VERMILLION,
    PictureText,
    canvas,
    humanly,
    letter,
    percent_axis,
)
from zhiyin.record import Record
from zhiyin.words import said

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FILL = {"audio": "#0072B2", "midi": "#cfe3f1"}
_CHANCE = {"syncopation": 0.20, "transposition": 0.50, "chords": 0.25}
_MASK_COLOURS = {"on_beat": INK, "off_beat": SOFT}
_LABEL_COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)


def draw_modality(runs: Sequence[FigureRun]) -> Drawn | None:
    """Estimated marginal means by model and modality, from a mixed model a task (Figure 2)."""
    if not any("modality" in row.tags for run in runs for row in run.judged[:1]):
        return None
    tables = read_runs([run.folder for run in runs]).tables
    fits: dict[str, Glmm] = {}
    failed = []
    for task in [str(task) for task in TASKS if task in tables]:
        table = tables[task]
        if len(set(table.columns.get("modality", ()))) < 2:
            continue
        try:
            fixed = "model * modality" if len(set(table.columns["model"])) > 1 else "modality"
            fits[task] = fit_glmm(table, f"correct ~ {fixed} + (1 | stimulus)")
        except InputError:
            failed.append(task)
    if not fits:
        return None
    figure, axes = canvas(TWO_COLUMNS, 2.55, len(fits), sharey=True)
    rows: list[list[Cell]] = []
    for panel, (ax, (task, fit)) in enumerate(zip(axes, fits.items(), strict=True)):
        rows += _modality_panel(ax, task, fit)
        ax.set_title(humanly(task))
        letter(ax, panel)
    axes[0].set_ylabel(PictureText(said("perception-estimated")))
    _modality_key(figure)
    return Drawn(
        "modality",
        said("perception-modality-figure"),
        said("perception-modality-caption", left=failed),
        figure,
        ["task", "model", "modality", "estimate", "low", "high", "observed", "n", "p"],
        rows,
    )


def _modality_panel(axes: Axes, task: str, fit: Glmm) -> list[list[Cell]]:
    models, modalities = fit.levels.get("model", [""]), fit.levels["modality"]
    term = {"model", "modality"} & fit.levels.keys()
    rows: list[list[Cell]] = []
    width = 0.76 / len(modalities)
    for mean in [mean for mean in fit.emmeans if mean.levels.keys() == term]:
        model, modality = mean.levels.get("model", ""), mean.levels["modality"]
        x = models.index(model) + (modalities.index(modality) - (len(modalities) - 1) / 2) * width
        axes.bar(x, mean.probability, width * 0.92, color=_FILL.get(modality, SKY), edgecolor=INK,
                 linewidth=0.5)  # fmt: skip
        ends = [mean.lower, mean.upper]
        axes.plot([x, x], ends, color=INK, linewidth=1.1, solid_capstyle="butt", zorder=2)
        axes.plot(x, mean.observed, linestyle="", marker=".", markersize=3.5, color=INK)
        contrast = _gap(fit, model)
        p = contrast.p if contrast else None
        estimate = [mean.probability, mean.lower, mean.upper, mean.observed, mean.n]
        rows.append([task, model, modality, *estimate, p])
    for place, model in enumerate(models):
        if contrast := _gap(fit, model):
            _bracket(axes, place - width / 2, place + width / 2, contrast.p)
    axes.set_xticks(range(len(models)), labels=briefs(models))
    axes.tick_params(axis="x", length=0)
    percent_axis(axes, "y")
    axes.set_ylim(0, 1.16)
    if task in _CHANCE:
        axes.axhline(_CHANCE[task], color=SOFT, linewidth=0.8, linestyle=(0, (3, 2)), zorder=3)
    return rows


def _gap(fit: Glmm, model: str) -> MarginalContrast | None:
    """The contrast of the two modalities within a model; None where there are more than two.

    A fit of several models also has the family ``modality``: one contrast over all of them, which
    is that of no bracket.
    """
    family, at = (
        ("modality | model", {"model": model}) if "model" in fit.levels else ("modality", {})
    )
    own = [row for row in fit.contrasts if row.family == family and row.at == at]
    return own[0] if len(own) == 1 else None


def _bracket(axes: Axes, left: float, right: float, p: float) -> None:
    stars = next(
        (s for level, s in ((0.001, "***"), (0.01, "**"), (0.05, "*")) if p < level), "n.s."
    )
    axes.plot([left, left, right, right], [1.04, 1.06, 1.06, 1.04], color=INK, linewidth=0.7)
    axes.text((left + right) / 2, 1.07, stars, ha="center", va="bottom", fontsize=7)


def _key_words(name: str) -> PictureText:
    """A modality, a mask or a label, as a key names it."""
    return PictureText(said("perception-key", name=name.replace("_", "-")))


def _modality_key(target: Any) -> None:
    from matplotlib.patches import Patch

    handles = [
        Patch(facecolor=_FILL[name], edgecolor=INK, linewidth=0.5, label=_key_words(name))
        for name in ("audio", "midi")
    ]
    target.legend(handles=handles, loc="outside upper left", ncols=2)


def draw_fidelity(runs: Sequence[FigureRun]) -> Drawn | None:
    """Quality of LogicLM's transcriptions against accuracy of the decisions (Figure 3)."""
    if not any("logiclm" in run.judged.by_way(STRATEGY) for run in runs):
        return None
    records = _logiclm_records(runs)
    points = [point for point in fidelity_table(records) if _has_place(point)]
    tasks = [task for task in TASKS if any(point.task == task for point in points)]
    if not tasks:
        return None
    figure, axes = canvas(TWO_COLUMNS, 2.75, len(tasks), sharey=True)
    for panel, (ax, task) in enumerate(zip(axes, tasks, strict=True)):
        _fidelity_panel(ax, [point for point in points if point.task == task])
        ax.set_title(humanly(task))
        letter(ax, panel)
    axes[0].set_ylabel(PictureText(said("perception-decided")))
    return Drawn(
        "fidelity",
        said("perception-fidelity-figure"),
        said("perception-fidelity-caption"),
        figure,
        ["task", "modality", "mask", "label", "f1", "accuracy", "trials", "cut_off"],
        [
            [
                *(p.task, p.modality, p.mask, None if p.label is None else str(p.label)),
                *(p.counts.f1, p.accuracy, p.trials, p.token_limited),
            ]
            for p in points
        ],
    )


def _has_place(point: Fidelity) -> bool:
    """Tell whether a point has both figures, and, for syncopation, a level that can be shown."""
    known = point.counts.f1 is not None and point.accuracy is not None
    return known and (point.task != "syncopation" or point.label is not None)


def _place(point: Fidelity) -> tuple[float, float]:
    """F1 and accuracy of a point that has both."""
    f1, accuracy = point.counts.f1, point.accuracy
    assert f1 is not None
    assert accuracy is not None
    return f1, accuracy


def _logiclm_records(runs: Sequence[FigureRun]) -> Iterator[Record]:
    for run in runs:
        for record in run.rows.which(
            lambda kind: kind.tags.get(STRATEGY.name) == "logiclm"
        ).records():
            yield without_messages(record)


def _fidelity_panel(axes: Axes, points: list[Fidelity]) -> None:
    masks = list(dict.fromkeys(point.mask for point in points))
    labels = list(dict.fromkeys(str(point.label) for point in points))
    several = len(masks) > 1
    for point in points:
        color = (
            _MASK_COLOURS[point.mask]
            if several
            else _LABEL_COLOURS[labels.index(str(point.label)) % len(_LABEL_COLOURS)]
        )
        axes.plot(
            *_place(point), linestyle="", marker="o", markersize=6, color=color,
            markerfacecolor=color if point.modality == "audio" else "none", markeredgewidth=1.1,
            clip_on=False, zorder=3,
        )  # fmt: skip
    if several:
        _name_points(axes, points)
    percent_axis(axes, "y")
    percent_axis(axes, "x", said("perception-transcribed"))
    _fidelity_key(axes, masks if several else labels, _MASK_COLOURS if several else None)


def _name_points(axes: Axes, points: list[Fidelity]) -> None:
    """Labels above on-beats and below off-beats, those of points that coincide together."""
    together: dict[tuple[str, float, float], list[str]] = {}
    for point in points:
        x, y = _place(point)
        together.setdefault((point.mask, round(x, 2), round(y, 2)), []).append(str(point.label))
    for (mask, x, y), names in together.items():
        axes.annotate(
            ", ".join(dict.fromkeys(names)), (x, y), (0, 5 if mask == "on_beat" else -10),
            textcoords="offset points", ha="center", fontsize=5.5, color=_MASK_COLOURS[mask],
            annotation_clip=False,
        )  # fmt: skip


def _fidelity_key(axes: Axes, names: list[str], colours: dict[str, str] | None) -> None:
    from matplotlib.lines import Line2D

    handles = []
    for place, name in enumerate(names):
        color = colours[name] if colours else _LABEL_COLOURS[place % len(_LABEL_COLOURS)]
        words = _key_words(name)
        handles.append(Line2D([], [], linestyle="", marker="o", color=color, label=words))
    for name, fill in (("audio", SOFT), ("midi", "none")):
        words = _key_words(name)
        handles.append(
            Line2D([], [], linestyle="", marker="o", color=SOFT, markerfacecolor=fill, label=words)
        )
    axes.legend(handles=handles, loc="lower right", handlelength=1, borderaxespad=0.1)
