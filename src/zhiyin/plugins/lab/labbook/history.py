"""Runs over time: those of one protocol on the same items, with a line for each model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from zhiyin.contract.declared import DeclaredMeasure
from zhiyin.plugins.lab.labbook.run_list import ListedRun
from zhiyin.plugins.lab.labbook.titles import titles
from zhiyin.runs.measures import SHARE
from zhiyin.shown.charts import marks_of
from zhiyin.shown.dots import Dot, DotPicture, DotRow
from zhiyin.text import shared_start
from zhiyin.words import Said, said

_MOST_ROWS = 12
_FORMS = ("%Y-%m-%d %H:%M", "%Y-%m-%d", "%G-W%V", "%Y-%m", "%Y")
"""How times are written that are a row: minutes, days, weeks, months, years."""
_SHORTEST = 8
"""So long a common beginning of names is worth cutting."""


class RunHistory(msgspec.Struct, frozen=True):
    """Runs of one protocol on the same items.

    Attributes
    ----------
    title : Said
        The benchmark, and what sets these runs apart from others of it.
    runs : list of ListedRun
        All of them, earliest first.
    """

    title: Said
    runs: list[ListedRun]

    @property
    def measure(self) -> DeclaredMeasure:
        """Measure of the figures."""
        return next(run.facts.measure for run in self.runs if run.facts)

    @property
    def whole(self) -> list[ListedRun]:
        """Runs that are done, and can be drawn."""
        return [run for run in self.runs if run.status == "done" and run.facts]


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
        found += [RunHistory(title, members) for title, members in zip(names, own, strict=True)]
    return found


def _differing(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    names = dict.fromkeys(name for one in settings for name in one)
    return [
        name for name in names if any(one.get(name) != settings[0].get(name) for one in settings)
    ]


def common_start(names: Sequence[str]) -> str:
    """Return the common start of some names, up to a sign that joins words; "" if it is short."""
    start = names[0][: shared_start(names)] if len(names) > 1 else ""
    start = start[: max((found.end() for found in re.finditer(r"[/_.: -]", start)), default=0)]
    return start if len(start) >= _SHORTEST else ""


def picture_of(history: RunHistory) -> DotPicture | None:
    """Draw when runs were started in rows, models as marks with a line from row to row.

    The last run of a model stands for its row: a minute, day, week, month or year, whichever first
    makes few rows. None of one run alone.
    """
    whole, measure = history.whole, history.measure
    if len(whole) < 2:
        return None
    at = {run.key: datetime.fromisoformat(run.started).astimezone(UTC) for run in whole}
    written = [dict.fromkeys(at[run.key].strftime(form) for run in whole) for form in _FORMS]
    place = next((n for n, own in enumerate(written) if len(own) <= _MOST_ROWS), len(_FORMS) - 1)
    place += place == 0 and len(written[1]) == len(written[0])  # no minutes where days tell apart
    form, times = _FORMS[place], written[place]
    names = sorted({run.called for run in whole})
    figures = {(at[run.key].strftime(form), run.called): _dot(run) for run in whole}
    rows = tuple(
        DotRow(time, dots=tuple(figures.get((time, name)) for name in names)) for time in times
    )
    marks, start = marks_of(names), common_start(names)
    notes = [said("dots-lines")]
    notes += [said("lab-names-begin", start=start)] if start else []
    heads = tuple((marks[name], name.removeprefix(start)) for name in names)
    title = said("lab-over-time", name=measure.name, unit=measure.unit or None,
                 low=measure.lower_is_better)  # fmt: skip
    return DotPicture(said("lab-started"), title, measure.unit, heads, rows, notes=tuple(notes),
                      joined=True)  # fmt: skip


def _dot(run: ListedRun) -> Dot:
    assert run.facts is not None
    return Dot(run.facts.value, run.facts.low, run.facts.high)


def claim_of(drawn: DotPicture) -> Said | None:
    """State each model's change from its first row to its last; None where none has two."""
    changes = []
    for n, (_, name) in enumerate(drawn.names):
        own = [(row.name, row.dots[n]) for row in drawn.rows if row.dots[n]]
        (since, first), (_, last) = own[0], own[-1]
        if len(own) > 1 and first and last:
            told = (drawn.figure(first.value), drawn.figure(last.value))
            unit = "%" if drawn.unit == SHARE else drawn.unit
            changes.append(said("lab-change", who=name, since=since, first=told[0], last=told[1],
                                unit=unit))  # fmt: skip
    return said("check-each", each=changes) if changes else None
