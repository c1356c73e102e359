"""Figures of behaviour: letters, confidence, and cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zhiyin.contract.declared import Cell, Drawn
from zhiyin.engine.folder import RECORDS
from zhiyin.plugins.methods.calibration import calibration
from zhiyin.plugins.paper.figures.style import (
    FAINT,
    HAIR,
    INK,
    ONE_COLUMN,
    TWO_COLUMNS,
    PictureText,
    canvas,
    key,
    painted,
    percent_axis,
    plot_line,
    plot_marks,
    remark,
)
from zhiyin.record import Record
from zhiyin.runs.estimates import estimate
from zhiyin.shown.charts import worth_an_axis
from zhiyin.statistics.choice import LEAST_KEYS, letter_bias
from zhiyin.words import said

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
            keyed = [*map(str, own.of_kinds(lambda kind: kind.gold))]
            took = own.of_outcomes(lambda outcome: outcome.letter)
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
        color = painted(run.series)["color"]
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
        f"{benchmark}-letters", said("figure-letters", benchmark=benchmark),
        said("figure-letters-caption", left=left_out, least=LEAST_KEYS), made,
        ["run", "letter", "chosen", "chosen_share", "gold", "gold_share", "recall"], rows,
    )  # fmt: skip


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
        if b'"logprobs"' not in (run.folder / RECORDS).read_bytes():
            continue  # a log is read much faster than records are
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
        plot_line(ax, points, run.series)
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
        f"{benchmark}-calibration", said("figure-calibration", benchmark=benchmark),
        said("figure-calibration-caption", left=_left_out(list(stated))), made,
        ["run", "from", "to", "confidence", "accuracy", "low", "high", "n"], rows,
    )  # fmt: skip


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
        placed = (cost, accuracy.value or 0.0)
        ends = (accuracy.low, accuracy.high)
        plot_marks(ax, [(*placed, *ends)], run.series, across=False)
        points.append(placed)
    _frontier(ax, points)
    ax.set_xscale("log")
    ax.margins(x=0.15)
    key(made, {run.label: run.series for run, _ in known})
    ax.set_xlabel(PictureText(said("picture-unit", unit=unit)))
    _plain_log_ticks(ax)
    percent_axis(ax, "y", said("picture-accuracy"))
    return Drawn(
        f"{benchmark}-cost", said("figure-cost", benchmark=benchmark),
        said("figure-cost-caption", unit=unit), made,
        ["run", f"{unit}_a_trial", "accuracy", "low", "high", "items"], rows,
    )  # fmt: skip


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
