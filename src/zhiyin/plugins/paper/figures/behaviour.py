"""Figures of behaviour: letters, confidence, cost, and what conditions do (Weck et al. 2024)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zhiyin.contract.declared import Cell, Drawn
from zhiyin.contract.resolved import resolved
from zhiyin.engine.naming import briefs
from zhiyin.plugins.methods.calibration import calibration
from zhiyin.plugins.paper.figures.rows import DrawnShare, draw_shares
from zhiyin.plugins.paper.figures.style import (
    FAINT,
    HAIR,
    INK,
    ONE_COLUMN,
    TWO_COLUMNS,
    PictureText,
    canvas,
    chance_line,
    key,
    letter,
    look,
    percent_axis,
    plot_line,
    plot_mark,
    remark,
    run_series,
)
from zhiyin.record import Record
from zhiyin.runs.contrasts import Contrast, contrasted, side_of
from zhiyin.runs.estimates import Frame, chance_of, estimate
from zhiyin.runs.measures import ACCURACY, IFR
from zhiyin.runs.rows import Rows
from zhiyin.shown.charts import ChartMark, worth_an_axis
from zhiyin.statistics.choice import letter_bias
from zhiyin.words import Text, said

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from zhiyin.report.paper_runs import PaperRun

_MOST_PANELS = 6
_LEAST_STATED = 30
_MOST_TICKS = 6
_COUNTS = ("prompt_tokens", "completion_tokens")


def _grid(count: int, height: float) -> tuple[Any, list[Axes]]:
    """Up to six small axes in rows of three, on one canvas."""
    from matplotlib.figure import Figure as Canvas

    columns = min(3, count)
    lines = math.ceil(count / columns)
    made = Canvas(figsize=(TWO_COLUMNS * (0.36, 0.68, 1)[columns - 1], height * lines))
    axes = list(made.subplots(lines, columns, squeeze=False, sharex=True, sharey=True).flat)
    for spare in axes[count:]:
        spare.set_visible(False)
    return made, axes[:count]


def draw_letters(benchmark: str, runs: list[PaperRun]) -> Drawn | None:
    """The letters that each run chose, against the letters of the key."""
    rows: list[list[Cell]] = []
    biases = []
    for run in runs:
        own = run.plain.choices
        if own:
            keyed, took = [str(row.gold) for row in own], [row.letter for row in own]
            biases.append((run, letter_bias(took, keyed, own.items.tolist())))
    biases = [(run, bias) for run, bias in biases if bias.answered]
    if not biases:
        return None
    left_out = _left_out([run for run, _ in biases])
    biases = biases[:_MOST_PANELS]
    made, axes = _grid(len(biases), 1.75)
    highest = max(
        max(row.chosen / bias.answered, row.gold / (bias.answered + bias.unanswered))
        for _, bias in biases
        for row in bias.letters
    )
    for ax, (run, bias) in zip(axes, biases, strict=True):
        asked = bias.answered + bias.unanswered
        color = look(run.place)["color"]
        for x, row in enumerate(bias.letters):
            chosen, gold = row.chosen / bias.answered, row.gold / asked
            rows.append([run.label, row.letter, row.chosen, chosen, row.gold, gold, row.recall])
            ax.bar(x, chosen, 0.62, color=color, zorder=2)
            ax.plot([x - 0.42, x + 0.42], [gold, gold], color=INK, linewidth=1.4, zorder=3)
            # The key's line would strike the number.
            clear = chosen + 0.13 * highest > gold > chosen
            remark(ax, f"{100 * chosen:.0f}", (x, gold if clear else chosen), xytext=(0, 2),
                   ha="center", fontsize=6.5, color=color)  # fmt: skip
        ax.set_xticks(range(len(bias.letters)), labels=[row.letter for row in bias.letters])
        ax.tick_params(axis="x", length=0, labelbottom=True)
        percent_axis(ax, "y", "", whole=False)
        rstd = said("picture-rstd", rstd=bias.rstd, chance=bias.rstd_by_chance)
        ax.set_title(run.label)
        remark(ax, rstd, (1, 1), xycoords="axes fraction", xytext=(0, -1), ha="right", va="top")
    axes[0].set_ylim(0, 1.32 * highest)
    axes[0].set_yticks([tick for tick in axes[0].get_yticks() if 0 <= tick <= 1])
    for ax in axes[::3]:
        ax.set_ylabel(PictureText(said("picture-answers")))
    return Drawn(
        f"{benchmark}-letters",
        said("figure-letters", benchmark=benchmark),
        said("figure-letters-caption", left=left_out),
        made,
        ["run", "letter", "chosen", "chosen_share", "gold", "gold_share", "recall"],
        rows,
    )


def _left_out(runs: Sequence[PaperRun]) -> list[str]:
    """Labels of the runs without a panel."""
    return [run.label for run in runs[_MOST_PANELS:]]


def stated_confidence(record: Record) -> float | None:
    """The probability that a model gives its answer among the options; None where it says none.

    From the log-probabilities of the options' letters in the last reply, normalised.
    """
    turns, letter = record.exchange.turns, record.verdict.letter
    letters = [option.letter for option in record.trial.options]
    if not turns or letter not in turns[-1].reply.logprobs or len(letters) < 2:
        return None
    reply = turns[-1].reply
    top = max(reply.logprobs.values())
    weights = {k: math.exp(reply.logprobs[k] - top) for k in letters if k in reply.logprobs}
    return weights[letter] / sum(weights.values()) if letter in weights else None


def draw_calibration(benchmark: str, runs: list[PaperRun]) -> Drawn | None:
    """Draw calibration of stated confidence, for runs with log-probabilities."""
    stated = {}
    for run in runs:
        pairs = [
            (confidence, row.right, row.cluster or row.item)
            for row, record in zip(run.plain, run.plain.records(), strict=True)
            if (confidence := stated_confidence(record)) is not None
        ]
        if len(pairs) >= _LEAST_STATED:
            stated[run] = pairs
    if not stated:
        return None
    shown = list(stated.items())[:_MOST_PANELS]
    made, axes = _grid(len(shown), 2.2)
    rows: list[list[Cell]] = []
    for ax, (run, pairs) in zip(axes, shown, strict=True):
        claimed, right, clusters = zip(*pairs, strict=True)
        curve = calibration(claimed, right, clusters=clusters)
        ax.plot([0, 1], [0, 1], color=FAINT, linewidth=0.8, zorder=1)
        for bar in curve.bins:
            share = bar.n / curve.n
            ax.bar((bar.low + bar.high) / 2, 0.5 * share, bar.high - bar.low, color=HAIR, zorder=0,
                   edgecolor="white", linewidth=0.4)  # fmt: skip
            score = bar.accuracy
            rows.append([run.label, bar.low, bar.high, bar.confidence, score.mean, score.low,
                         score.high, bar.n])  # fmt: skip
        points = {bar.confidence: bar.accuracy for bar in curve.bins}
        plot_line(ax, points, run_series(run.place))
        percent_axis(ax, "y")
        percent_axis(ax, "x", said("picture-confidence"))
        ax.set_title(run.label)
        errors = (
            said("picture-calibration", error=curve.ece), said("picture-bias", bias=curve.bias),
        )  # fmt: skip
        remark(ax, PictureText(*errors), (0.03, 0.97), xycoords="axes fraction", va="top")
    for ax in axes[::3]:
        ax.set_ylabel(PictureText(said("picture-right")))
    return Drawn(
        f"{benchmark}-calibration",
        said("figure-calibration", benchmark=benchmark),
        said("figure-calibration-caption", left=_left_out(list(stated))),
        made,
        ["run", "from", "to", "confidence", "accuracy", "low", "high", "n"],
        rows,
    )


def draw_cost(benchmark: str, runs: list[PaperRun]) -> Drawn | None:
    """Accuracy against tokens a trial, or seconds where tokens are not known."""
    runs = [run for run in runs if run.plain]
    costs = {run: _tokens(run) for run in runs}
    unit = "tokens"
    if sum(cost is not None for cost in costs.values()) < 2:
        costs, unit = {run: _seconds(run) for run in runs}, "seconds"
        if all(cost < 1 for cost in costs.values() if cost):
            costs = {run: cost and 1000 * cost for run, cost in costs.items()}
            unit = "milliseconds"
    known = [(run, cost) for run, cost in costs.items() if cost]
    if not worth_an_axis([cost for _, cost in known]):
        return None
    made, (ax,) = canvas(ONE_COLUMN * 1.25, 2.4 + 0.16 * len(known))
    rows: list[list[Cell]] = []
    points: list[tuple[float, float]] = []
    for run, cost in known:
        accuracy = estimate(run.plain)
        rows.append([run.label, cost, *(accuracy.ends or ()), accuracy.items])
        mark = ChartMark(accuracy.value, run_series(run.place), accuracy.low, accuracy.high)
        plot_mark(ax, mark, cost, across=False)
        points.append((cost, accuracy.value or 0.0))
    _frontier(ax, points)
    ax.set_xscale("log")
    ax.margins(x=0.15)
    key(made, {run.label: run.place for run, _ in known})
    ax.set_xlabel(PictureText(said("picture-unit", unit=unit)))
    _plain_log_ticks(ax)
    percent_axis(ax, "y", said("picture-accuracy"))
    return Drawn(
        f"{benchmark}-cost",
        said("figure-cost", benchmark=benchmark),
        said("figure-cost-caption", unit=unit),
        made,
        ["run", f"{unit}_a_trial", "accuracy", "low", "high", "items"],
        rows,
    )


def _plain_log_ticks(axes: Axes) -> None:
    """Set at most six ticks on a logarithmic axis, their numbers written out."""
    from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

    low, high = axes.get_xlim()
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks: list[float] = []
    for steps in ((1, 2, 5), (1, 3), (1,)):
        ticks = [s * 10.0**d for d in decades for s in steps if low <= s * 10.0**d <= high]
        if len(ticks) <= _MOST_TICKS:
            break
    if len(ticks) < 3:  # less than a decade
        ticks = [t for t in MaxNLocator(_MOST_TICKS - 1).tick_values(low, high) if low <= t <= high]
    every = math.ceil(len(ticks) / _MOST_TICKS) or 1
    axes.xaxis.set_major_locator(FixedLocator(ticks[::every]))
    axes.xaxis.set_major_formatter(lambda value, _: _written(value))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlim(low, high)


def _written(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:.{-math.floor(math.log10(value))}f}"


def _frontier(axes: Axes, points: list[tuple[float, float]]) -> None:
    best: list[tuple[float, float]] = []
    for cost, score in sorted(points):
        if not best or score > best[-1][1]:
            best.append((cost, score))
    if len(best) > 1:
        axes.plot([c for c, _ in best], [s for _, s in best], color=FAINT, linewidth=1,
                  drawstyle="steps-post", zorder=1)  # fmt: skip


def _tokens(run: PaperRun) -> float | None:
    """Mean tokens a trial, prompt and reply over all turns; None where they are not known."""
    total, counted = 0.0, set[int]()
    for alike in run.plain.calls():
        if alike.counts:
            counted.update(alike.rows.tolist())
            total += sum(alike.counts[name].sum() for name in _COUNTS if name in alike.counts)
    return total / len(counted) if counted and total else None


def _seconds(run: PaperRun) -> float | None:
    """Mean seconds a trial, over all turns; None where nobody measured them."""
    total, measured = 0.0, set[int]()
    for alike in run.plain.calls():
        known = ~np.isnan(alike.latency_s)
        measured.update(alike.rows[known].tolist())
        total += float(alike.latency_s[known].sum())
    return total / len(measured) if measured else None


_PLAYED = ("true", "swap", "noise", "silence", "none")
_SHOTS = {"zero": 0.0, "few": 1.0}


def draw_shots(benchmark: str, runs: list[PaperRun]) -> Drawn | None:
    """Accuracy and instruction-following rate against worked examples (Figure 5)."""
    by_model: dict[str, dict[float, list[Rows]]] = {}
    names: dict[float, str] = {}
    for run in runs:
        usual = resolved(run.manifest).get("options", {}).get("shots")
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
    labels = dict(zip(several, briefs(list(several)), strict=True))  # a line is of several runs
    places = {run.manifest.model: run.place for run in reversed(runs)}
    made, axes = canvas(TWO_COLUMNS * 0.8, 2.4, 2)
    rows: list[list[Cell]] = []
    width = 0.06 * (max(names) - min(names))
    for place, (model, by_shots) in enumerate(several.items()):
        shift = (place - (len(several) - 1) / 2) * width / len(several)
        for ax, measure in zip(axes, (ACCURACY, IFR), strict=True):
            each = {s: estimate(Frame(*by_shots[s]), measure).interval for s in sorted(by_shots)}
            points = {shots: own for shots, own in each.items() if own is not None}
            for shots, value in points.items():
                rows.append([labels[model], names[shots], measure.name, *value.ends])
            shifted = {shots + shift: value for shots, value in points.items()}
            plot_line(ax, shifted, run_series(places[model]))
    for panel, (ax, title) in enumerate(
        zip(axes, (said("picture-score"), said("picture-following")), strict=True)
    ):
        percent_axis(ax, "y", "%")
        ax.set_xticks(sorted(names), labels=[names[shots] for shots in sorted(names)])
        ax.set_xlabel(PictureText(said("picture-examples")))
        ax.set_title(PictureText(title))
        letter(ax, panel)
    if (chance := chance_of(runs[0].plain)) is not None:
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


def draw_distractors(benchmark: str, runs: list[PaperRun]) -> Drawn | None:
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
    shares = [
        DrawnShare(run, _offered(name), estimate(sets[name][run.label]), 1 / sizes[name], key=name)
        for name in sorted(sets, key=lambda name: (sizes[name], name))
        for run in runs
        if run.label in sets[name]
    ]
    return draw_shares(
        f"{benchmark}-distractors",
        said("figure-distractors", benchmark=benchmark),
        said("figure-distractors-caption"),
        shares,
        label=said("picture-accuracy"),
    )


def _offered(distractors: str) -> Text:
    every = distractors == "all"
    return said("picture-all-three") if every else distractors.upper().replace("+", " + ")


def draw_attention(benchmark: str, runs: list[PaperRun]) -> Drawn | None:
    """Accuracy with the track itself and with something else in its place (Figure 6b)."""
    played = {run.label: _by_sound(run) for run in runs}
    listening = [run for run in runs if "true" in played[run.label] and len(played[run.label]) > 1]
    if not listening:
        return None
    shares = []
    for name in _PLAYED:
        for run in listening:
            sounds = played[run.label]
            if name in sounds:
                words, chance = said("picture-played", played=name), chance_of(sounds["true"])
                p = None if name == "true" else _paired_p(run, name)
                own = estimate(sounds[name])
                shares.append(DrawnShare(run, words, own, chance, key=name, p=p))
    return draw_shares(
        f"{benchmark}-attention",
        said("figure-attention", benchmark=benchmark),
        said("figure-attention-caption"),
        shares,
        label=said("picture-accuracy"),
    )


def _by_sound(run: PaperRun) -> dict[str, Rows]:
    ways = run.rows.ways
    whole = run.judged.in_main(ways.that_change("options"))
    by_sound = whole.by_way(ways.that_change("sound")).items()
    return {str(name): rows for name, rows in by_sound if str(name) in _PLAYED}


def _paired_p(run: PaperRun, name: str) -> float | None:
    """Sign-flip p of the drop, paired by item; None where nothing can be paired."""
    ways = run.rows.ways
    way, whole = ways.that_change("sound"), run.judged.in_main(ways.that_change("options"))
    if way is None:
        return None
    declared = Contrast(side_of(way, "true"), side_of(way, name))
    return next((one.p for one in contrasted(whole, [declared])), None)
