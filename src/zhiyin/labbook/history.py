"""Runs over time: those of one protocol on the same items, with a line for each model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from markupsafe import Markup

from zhiyin.contract.declared import DeclaredMeasure
from zhiyin.labbook.run_list import ListedRun, RunFacts
from zhiyin.labbook.titles import titles
from zhiyin.numerals import round_values
from zhiyin.runs.measures import SHARE
from zhiyin.shown.charts import SHARES, ChartScale, Series, drawing, element, symbol
from zhiyin.shown.table import Column, kinds_of, written
from zhiyin.text import shared_start
from zhiyin.words import Said, said, say

_WIDE, _NARROW, _TALL, _LEFT, _RIGHT, _TOP, _FOOT = 640, 358, 250, 40, 20, 14, 26
_TICK = 100
"""So much room a time needs below the drawing."""
_STEPS = tuple(
    timedelta(seconds=seconds) for seconds in (1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 43_200)
) + tuple(timedelta(days=days) for days in (1, 2, 7, 14, 28, 91, 182, 364, 1820))
_SHORTEST = 8
"""So long a common beginning of names is worth cutting."""


class RunLine(msgspec.Struct, frozen=True):
    """The runs of one model, earliest first, with what stands for it in the drawing."""

    name: str
    series: Series
    runs: list[ListedRun]


class RunHistory(msgspec.Struct, frozen=True):
    """Runs of one protocol on the same items.

    Attributes
    ----------
    title : Said
        The benchmark, and what sets these runs apart from others of it.
    runs : list of ListedRun
        All of them, earliest first.
    lines : list of RunLine
        Of models, whole runs alone.
    level : list of RunLine
        Of baselines and people, who do not change with time.
    scale : ChartScale
        On which their figures stand.
    """

    title: Said
    runs: list[ListedRun]
    lines: list[RunLine]
    level: list[RunLine]
    scale: ChartScale = SHARES

    @property
    def measure(self) -> DeclaredMeasure:
        """What the figures are of."""
        return next(run.facts.measure for run in self.runs if run.facts)


def histories(runs: Sequence[ListedRun]) -> list[RunHistory]:
    """Runs by benchmark, data and settings; those without a share of right answers are left out.

    Parameters
    ----------
    runs : sequence of ListedRun
        In any order.
    """
    suites: dict[tuple[str, str], list[ListedRun]] = {}
    for run in runs:
        if run.facts and run.facts.value is not None and run.started:
            key = json.dumps([run.settings, run.facts.measure.name], sort_keys=True, default=str)
            suites.setdefault((run.benchmark, key), []).append(run)
    found = []
    for benchmark in sorted({name for name, _ in suites}):
        own = [
            sorted(r, key=lambda one: one.started) for (n, _), r in suites.items() if n == benchmark
        ]
        own.sort(key=lambda members: members[-1].started, reverse=True)
        settings = [members[0].settings for members in own]
        sets = [run.asked_of for members in own for run in members]
        asked = next((one for one in sets if not one.facts["own"]), sets[0])
        names = titles(asked, settings, _differing(settings), {}, units=own[0][0].units)
        found += [_history(title, members) for title, members in zip(names, own, strict=True)]
    return found


def _differing(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    names = dict.fromkeys(name for one in settings for name in one)
    return [
        name for name in names if any(one.get(name) != settings[0].get(name) for one in settings)
    ]


def _history(title: Said, members: list[ListedRun]) -> RunHistory:
    whole = [run for run in members if run.status == "done"]
    by_name: dict[str, list[ListedRun]] = {}
    for run in sorted(whole, key=lambda run: run.blind):
        by_name.setdefault(run.called, []).append(run)
    lines = [
        RunLine(name, Series("chance", number) if runs[0].blind else Series.of_run(number), runs)
        for number, (name, runs) in enumerate(by_name.items())
    ]
    return RunHistory(
        title,
        members,
        [line for line in lines if not line.runs[0].blind],
        [line for line in lines if line.runs[0].blind],
        _scale([run.facts for run in members if run.facts]),
    )


def _scale(facts: Sequence[RunFacts]) -> ChartScale:
    """From 0 to 1 for a share; for anything else as far as intervals reach."""
    if facts[0].measure.range == (0.0, 1.0):
        return SHARES
    ends = [end for one in facts for end in (one.low, one.value, one.high) if end is not None]
    room = 0.05 * (max(ends) - min(ends)) or 1.0
    return ChartScale(min(ends) - room, max(ends) + room)


def common_start(names: Sequence[str]) -> str:
    """What all of some names begin with, up to a sign that joins words; "" where it is short."""
    start = names[0][: shared_start(names)] if len(names) > 1 else ""
    start = start[: max((found.end() for found in re.finditer(r"[/_.: -]", start)), default=0)]
    return start if len(start) >= _SHORTEST else ""


def key_of(history: RunHistory) -> tuple[str, list[tuple[Markup, str]]]:
    """What all models' names begin with, and each line's mark with the rest of its name."""
    start = common_start([line.name for line in history.lines])
    key = [(symbol(line.series), line.name.removeprefix(start)) for line in history.lines]
    return start, [*key, *((symbol(line.series), line.name) for line in history.level)]


def drawn(history: RunHistory, language: str) -> Markup | None:
    """The drawing for a desk and for a phone: a line for each model, baselines as horizontals.

    None of one run alone.
    """
    every = [run for line in (*history.lines, *history.level) for run in line.runs]
    if len(every) < 2:
        return None
    at = {run.key: datetime.fromisoformat(run.started).astimezone(UTC) for run in every}
    title = say(over_time(history), language)
    return Markup("").join(
        drawing(wide, _TALL, title, *_parts(history, at, wide), class_=f"plot {name}")
        for name, wide in (("broad", _WIDE), ("narrow", _NARROW))
    )


def over_time(history: RunHistory) -> Said:
    """What the drawing shows."""
    of = history.measure
    return said("lab-over-time", name=of.name, unit=of.unit or None, low=of.lower_is_better)


def _parts(history: RunHistory, at: Mapping[str, datetime], wide: int) -> list[Markup]:
    """What is drawn in so wide a drawing, of runs at these times."""
    first, last = min(at.values()), max(at.values())
    span = max((last - first).total_seconds(), 1.0)

    def x(moment: datetime) -> float:
        inner = wide - _LEFT - 2 * _RIGHT
        return round(_LEFT + _RIGHT + inner * (moment - first).total_seconds() / span, 1)

    parts = [*_axes(history, wide)]
    for moment, text in time_ticks(first, last, wide // _TICK):
        parts.append(element("path", class_="grid", d=f"M{x(moment)} {_TALL - _FOOT}v5"))
        place = {"x": x(moment), "y": _TALL - 8, "text_anchor": "middle"}
        parts.append(element("text", text, **place))
    for line in history.level:
        parts.append(_horizontal(history, line, wide))
    for line in history.lines:
        parts.append(_line(history, line, [x(at[run.key]) for run in line.runs]))
    return parts


def time_ticks(first: datetime, last: datetime, most: int = 6) -> list[tuple[datetime, str]]:
    """Round times between two, at most `most`, each with words that differ from its neighbours'."""
    span = last - first
    step = next((step for step in _STEPS if span / step <= most - 1), _STEPS[-1])
    start = datetime(first.year, 1, 1, tzinfo=UTC)
    moment = start + step * -((start - first) // step)
    form = "%Y-%m-%d" if step >= timedelta(days=1) else "%m-%d %H:%M"
    form = "%H:%M:%S" if step < timedelta(minutes=1) else form
    ticks = []
    while moment <= last:
        ticks.append((moment, moment.strftime(form)))
        moment += step
    return ticks or [(first, first.strftime("%Y-%m-%d %H:%M"))]


def _y(history: RunHistory, value: float) -> float:
    low, high = history.scale.low, history.scale.high
    return round(_TOP + (_TALL - _FOOT - _TOP) * (high - value) / (high - low), 1)


def _column(history: RunHistory, decimals: int | None = None) -> Column:
    return Column("", kinds_of(history.measure.unit)[0], decimals)


def _axes(history: RunHistory, wide: int) -> list[Markup]:
    parts, scale = [], history.scale
    for tick in SHARES.ticks if scale == SHARES else round_values(scale.low, scale.high):
        parts.append(element("path", class_="grid", d=f"M{_LEFT} {_y(history, tick)}H{wide}"))
        words = written(tick, _column(history, 0)) if scale == SHARES else f"{tick:g}"
        place = {"x": _LEFT - 6, "y": _y(history, tick) + 4, "text_anchor": "end"}
        parts.append(element("text", words, **place))
    return parts


def _titled(history: RunHistory, run: ListedRun) -> str:
    value = run.facts.value if run.facts else None
    unit = "%" if history.measure.unit == SHARE else history.measure.unit
    return f"{run.called}, {run.started[:10]}: {written(value, _column(history))} {unit}".rstrip()


def _horizontal(history: RunHistory, line: RunLine, wide: int) -> Markup:
    run = line.runs[-1]
    y = _y(history, run.facts.value or 0.0) if run.facts else 0.0
    series = line.series
    path = element("path", class_="level", d=f"M{_LEFT} {y}H{wide}")
    mark = element("use", href=f"#mark-{series.shape % 6}", x=_LEFT + 4, y=y)
    title = element("title", _titled(history, run))
    return element("g", title, path, mark, class_=f"mark {series.name}")


def _line(history: RunHistory, line: RunLine, places: Sequence[float]) -> Markup:
    series, parts = line.series, []
    facts = [run.facts for run in line.runs if run.facts]
    heights = [_y(history, one.value or 0.0) for one in facts]
    points = [f"{x} {y}" for x, y in zip(places, heights, strict=True)]
    if len(points) > 1:
        parts.append(element("path", class_="joined", d=f"M{'L'.join(points)}"))
    for x, y, run, one in zip(places, heights, line.runs, facts, strict=True):
        inner = [element("title", _titled(history, run))]
        if one.low is not None and one.high is not None:
            d = f"M{x} {_y(history, one.low)}V{_y(history, one.high)}"
            inner.append(element("path", class_="whisker", d=d))
        inner.append(element("use", href=f"#mark-{series.shape % 6}", x=x, y=y))
        parts.append(element("g", *inner))
    return element("g", *parts, class_=f"mark {series.name}")
