"""Figures of conditions: worked examples, distractors, and what is played (Weck et al. 2024)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zhiyin.contract.declared import Cell, Drawn
from zhiyin.numerals import p_words
from zhiyin.report.figures.style import (
    SOFT,
    TWO_COLUMNS,
    canvas,
    chance_line,
    key,
    letter,
    look,
    percent_axis,
    plot_mark,
    rows_axis,
    whisker,
)
from zhiyin.runs.rows import Rows, pooled
from zhiyin.shown.charts import ChartMark, Series
from zhiyin.statistics.paired import sign_flip
from zhiyin.statistics.scores import ALONE, Figure
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.report.figures import FigureRun

_PLAYED = {
    "true": ("the track itself", "o", True),
    "swap": ("another track", "s", False),
    "noise": ("noise", "^", False),
    "silence": ("silence", "D", False),
    "none": ("no sound", "v", False),
}
_SHOTS = {"zero": 0.0, "few": 1.0}


def draw_shots(benchmark: str, runs: list[FigureRun]) -> Drawn | None:
    """Accuracy and instruction-following rate against worked examples (Figure 5)."""
    by_model: dict[str, dict[float, list[Rows]]] = {}
    names: dict[float, str] = {}
    for run in runs:
        usual = run.manifest.config.get("options", {}).get("shots")
        way = run.rows.ways.that_change("examples")
        for given, own in run.plain.by_way(way, usual).items():
            if given is None:
                continue
            shots = _SHOTS.get(str(given)) if isinstance(given, str) else float(given)
            if shots is not None:
                names[shots] = str(given)
                by_model.setdefault(run.manifest.model, {}).setdefault(shots, []).append(own)
    several = {model: by_shots for model, by_shots in by_model.items() if len(by_shots) > 1}
    if not several:
        return None
    labels = {run.manifest.model: run.label.partition(" (")[0] for run in runs}
    places = {run.manifest.model: run.place for run in reversed(runs)}
    made, axes = canvas(TWO_COLUMNS * 0.8, 2.4, 2)
    rows: list[list[Cell]] = []
    wanted: tuple[Figure, Figure] = ("accuracy", "ifr")
    width = 0.06 * (max(names) - min(names))
    for place, (model, by_shots) in enumerate(several.items()):
        colours, shift = (
            look(places[model]),
            (place - (len(several) - 1) / 2) * width / len(several),
        )
        for ax, name in zip(axes, wanted, strict=True):
            points = [(shots, pooled(by_shots[shots], name)) for shots in sorted(by_shots)]
            for shots, value in points:
                x = shots + shift
                whisker(ax, x, 0, value.low, value.high, across=False, color=colours["color"])
                rows.append([labels[model], names[shots], name, value.mean, value.low, value.high])
            ax.plot([s + shift for s, _ in points], [v.mean for _, v in points], **colours)
    for panel, (ax, title) in enumerate(
        zip(axes, ("Accuracy", "Instruction-following rate"), strict=True)
    ):
        percent_axis(ax, "y", "%")
        ax.set_xticks(sorted(names), labels=[names[shots] for shots in sorted(names)])
        ax.set_xlabel("worked examples before the question")
        ax.set_title(title)
        letter(ax, panel)
    if (chance := runs[0].plain.chance()) is not None:
        chance_line(axes[0], chance, "y")
    key(made, {labels[model]: places[model] for model in several})
    return Drawn(
        f"{benchmark}-shots",
        said("figure-shots", benchmark=benchmark),
        said("figure-shots-caption"),
        made,
        ["model", "shots", "figure", "value", "low", "high"],
        rows,
    )


def draw_distractors(benchmark: str, runs: list[FigureRun]) -> Drawn | None:
    """Accuracy by the distractors offered beside the right answer (Figure 6a)."""
    sets: dict[str, dict[str, Rows]] = {}
    sizes: dict[str, int] = {}
    for run in runs:
        ways = run.rows.ways
        heard = run.judged.in_main(ways.that_change("sound"))
        for given, own in heard.by_way(ways.that_change("options")).items():
            if given is not None:
                sets.setdefault(str(given), {})[run.label] = own
                sizes[str(given)] = own[-1].options
    runs = [run for run in runs if sum(run.label in by_run for by_run in sets.values()) > 1]
    if not runs:
        return None
    order = sorted(sets, key=lambda name: (sizes[name], name))
    made, (ax,) = canvas(TWO_COLUMNS * 0.7, 2.5)
    rows: list[list[Cell]] = []
    shift = 0.66 / len(runs)
    for x, name in enumerate(order):
        chance = 1 / sizes[name]
        ax.plot(
            [x - 0.42, x + 0.42], [chance] * 2, color=SOFT, linewidth=0.9, linestyle=(0, (3, 2))
        )
        for place, run in enumerate(runs):
            if run.label not in sets[name]:
                continue
            accuracy = sets[name][run.label].interval()
            mark = ChartMark(accuracy.mean, Series.of_run(run.place), accuracy.low, accuracy.high)
            plot_mark(ax, mark, x + (place - (len(runs) - 1) / 2) * shift, across=False)
            figures = (accuracy.mean, accuracy.low, accuracy.high, accuracy.n)
            rows.append([run.label, name, sizes[name], chance, *figures])
    names = ["all three" if n == "all" else n.upper().replace("+", " + ") for n in order]
    ax.set_xticks(range(len(order)), labels=names)
    ax.set_xlabel("distractors beside the right answer")
    percent_axis(ax, "y", "accuracy, %")
    ax.annotate("chance", (-0.42, 1 / sizes[order[0]]), (0, 2), textcoords="offset points",
                fontsize=6.5, color=SOFT)  # fmt: skip
    key(made, {run.label: run.place for run in runs})
    return Drawn(
        f"{benchmark}-distractors",
        said("figure-distractors", benchmark=benchmark),
        said("figure-distractors-caption"),
        made,
        ["run", "distractors", "options", "chance", "accuracy", "low", "high", "items"],
        rows,
    )


def draw_attention(benchmark: str, runs: list[FigureRun]) -> Drawn | None:
    """Accuracy with the track itself and with something else in its place (Figure 6b)."""
    played = {run.label: _by_sound(run) for run in runs}
    listening = [run for run in runs if "true" in played[run.label] and len(played[run.label]) > 1]
    if not listening:
        return None
    made, (ax,) = canvas(TWO_COLUMNS * 0.8, 0.8 + 0.42 * len(listening))
    rows: list[list[Cell]] = []
    used: dict[str, None] = {}
    for place, run in enumerate(listening):
        sounds, lines = played[run.label], []
        order = [name for name in _PLAYED if name in sounds]
        means = []
        for step, name in enumerate(order):
            _, marker, filled = _PLAYED[name]
            used[name] = None
            accuracy, color = sounds[name].interval(), look(run.place)["color"]
            y = place + (step - (len(order) - 1) / 2) * 0.15
            whisker(ax, accuracy.mean, y, accuracy.low, accuracy.high, across=True, color=color)
            ax.plot(accuracy.mean, y, linestyle="", marker=marker, color=color, zorder=3,
                    markerfacecolor=color if filled else "white")  # fmt: skip
            means.append(accuracy.mean)
            p = None if name == "true" else _paired_p(sounds["true"], sounds[name])
            rows.append(
                [run.label, name, accuracy.mean, accuracy.low, accuracy.high, accuracy.n, p]
            )
            if p is not None:
                lines.append(f"{_PLAYED[name][0]} {p_words(p)}")
        ax.annotate("\n".join(lines), (1.0, place), (4, 0), textcoords="offset points",
                    xycoords=("axes fraction", "data"), va="center", fontsize=6.2,
                    color=SOFT)  # fmt: skip
    rows_axis(ax, [run.label for run in listening])
    percent_axis(ax, "x", "accuracy, %")
    if (chance := played[listening[0].label]["true"].chance()) is not None:
        chance_line(ax, chance)
    _sound_key(made, list(used))
    return Drawn(
        f"{benchmark}-attention",
        said("figure-attention", benchmark=benchmark),
        said("figure-attention-caption"),
        made,
        ["run", "played", "accuracy", "low", "high", "items", "p"],
        rows,
    )


def _by_sound(run: FigureRun) -> dict[str, Rows]:
    ways = run.rows.ways
    whole = run.judged.in_main(ways.that_change("options"))
    by_sound = whole.by_way(ways.that_change("sound")).items()
    return {str(name): rows for name, rows in by_sound if str(name) in _PLAYED}


def _paired_p(true: Rows, changed: Rows) -> float | None:
    """Sign-flip p of the drop, paired by item; None where nothing can be paired."""
    means: list[dict[int, list[float]]] = [{}, {}]
    clusters: dict[int, int | None] = {}
    for side, rows in zip(means, (true, changed), strict=True):
        named = rows.items.tolist(), rows.clusters.tolist(), rows.right.tolist()
        for item, cluster, right in zip(*named, strict=True):
            side.setdefault(item, []).append(right)
            clusters[item] = None if cluster == ALONE else cluster
    shared = [item for item in means[0] if item in means[1]]
    if not shared:
        return None
    drops = [
        sum(means[0][item]) / len(means[0][item]) - sum(means[1][item]) / len(means[1][item])
        for item in shared
    ]
    return sign_flip(drops, [clusters[item] for item in shared]).p


def _sound_key(target: Any, names: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    handles = []
    for name in names:
        words, marker, filled = _PLAYED[name]
        handles.append(
            Line2D(
                [],
                [],
                linestyle="",
                marker=marker,
                color=SOFT,
                label=words,
                markerfacecolor=SOFT if filled else "white",
            )
        )
    target.legend(handles=handles, loc="outside upper left", ncols=len(names), columnspacing=1.4)
