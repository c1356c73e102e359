"""Runs over time: those of one protocol on the same items, with a line for each model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from markupsafe import Markup

from zhiyin.labbook.run_list import ListedRun
from zhiyin.report.leaderboard.titles import titles
from zhiyin.shown.charts import SHARES, Series, drawing, element, symbol
from zhiyin.shown.table import Column, written
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
    """

    title: Said
    runs: list[ListedRun]
    lines: list[RunLine]
    level: list[RunLine]


def histories(runs: Sequence[ListedRun]) -> list[RunHistory]:
    """Runs by benchmark, data and settings; those without a share of right answers are left out.

    Parameters
    ----------
    runs : sequence of ListedRun
        In any order.
    """
    suites: dict[tuple[str, str], list[ListedRun]] = {}
    for run in runs:
        if run.facts and run.facts.accuracy is not None and run.started:
            key = json.dumps(run.settings, sort_keys=True, default=str)
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
    )


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
    title = say(said("lab-over-time"), language)
    return Markup("").join(
        drawing(wide, _TALL, title, *_parts(history, at, wide), class_=f"plot {name}")
        for name, wide in (("broad", _WIDE), ("narrow", _NARROW))
    )


def _parts(history: RunHistory, at: Mapping[str, datetime], wide: int) -> list[Markup]:
    """What is drawn in so wide a drawing, of runs at these times."""
    first, last = min(at.values()), max(at.values())
    span = max((last - first).total_seconds(), 1.0)

    def x(moment: datetime) -> float:
        inner = wide - _LEFT - 2 * _RIGHT
        return round(_LEFT + _RIGHT + inner * (moment - first).total_seconds() / span, 1)

    parts = [*_axes(wide)]
    for moment, text in time_ticks(first, last, wide // _TICK):
        parts.append(element("path", class_="grid", d=f"M{x(moment)} {_TALL - _FOOT}v5"))
        place = {"x": x(moment), "y": _TALL - 8, "text_anchor": "middle"}
        parts.append(element("text", text, **place))
    for line in history.level:
        parts.append(_horizontal(line, wide))
    for line in history.lines:
        parts.append(_line(line, [x(at[run.key]) for run in line.runs]))
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


def _y(share: float) -> float:
    return round(_TOP + (_TALL - _FOOT - _TOP) * (1 - share), 1)


def _axes(wide: int) -> list[Markup]:
    parts = []
    for tick in SHARES.ticks:
        parts.append(element("path", class_="grid", d=f"M{_LEFT} {_y(tick)}H{wide}"))
        words = written(tick, Column("", "share", decimals=0))
        parts.append(element("text", words, x=_LEFT - 6, y=_y(tick) + 4, text_anchor="end"))
    return parts


def _titled(run: ListedRun) -> str:
    share = run.facts.accuracy if run.facts else None
    return f"{run.called}, {run.started[:10]}: {written(share, Column('', 'share'))} %"


def _horizontal(line: RunLine, wide: int) -> Markup:
    run = line.runs[-1]
    y = _y(run.facts.accuracy or 0.0) if run.facts else 0.0
    series = line.series
    path = element("path", class_="level", d=f"M{_LEFT} {y}H{wide}")
    mark = element("use", href=f"#mark-{series.shape % 6}", x=_LEFT + 4, y=y)
    return element("g", element("title", _titled(run)), path, mark, class_=f"mark {series.name}")


def _line(line: RunLine, places: Sequence[float]) -> Markup:
    series, parts = line.series, []
    facts = [run.facts for run in line.runs if run.facts]
    points = [f"{x} {_y(one.accuracy or 0.0)}" for x, one in zip(places, facts, strict=True)]
    if len(points) > 1:
        parts.append(element("path", class_="joined", d=f"M{'L'.join(points)}"))
    for x, run, one in zip(places, line.runs, facts, strict=True):
        inner = [element("title", _titled(run))]
        if one.low is not None and one.high is not None:
            d = f"M{x} {_y(one.low)}V{_y(one.high)}"
            inner.append(element("path", class_="whisker", d=d))
        href = f"#mark-{series.shape % 6}"
        inner.append(element("use", href=href, x=x, y=_y(one.accuracy or 0.0)))
        parts.append(element("g", *inner))
    return element("g", *parts, class_=f"mark {series.name}")
