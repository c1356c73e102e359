"""The pages of the lab book: from what is in the list to the templates, no request in sight.

Runs over time: those of one protocol on the same items, with a line for each model.

Titles of one benchmark's tables: by the settings in which they differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec

from zhiyin.analysis.beside import LAST_RESORT
from zhiyin.analysis.comparison import Comparison
from zhiyin.analysis.summary import Summary
from zhiyin.contract.declared import DeclaredMeasure
from zhiyin.contract.resolved import setting_in_words
from zhiyin.plugins.lab.labbook import Notebook, run_list
from zhiyin.plugins.lab.labbook.run_list import ListedRun
from zhiyin.record import Record
from zhiyin.report.front import front_of
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.runs.measures import SHARE
from zhiyin.runs.rows import rows_of
from zhiyin.shown.charts import definitions, marks_of
from zhiyin.shown.dots import Dot, DotPicture, DotRow, picture
from zhiyin.shown.pages import linked, others, render
from zhiyin.shown.table import Cell, Column, Row, Table, kinds_of, written
from zhiyin.text import shared_start
from zhiyin.words import LANGUAGES, Said, Text, said, say
from zhiyin.words.reasons import reason

PER_PAGE, REPLIES = 100, 50
_OURS = ("lang", "token")
"""In an address, what is no part of what is asked for."""
_USD, _LATENCY = Column("", "number", 2), Column("", "seconds", 2)
_COUNT = Column("", "count")
_MOST_GROUPS = 12
"""So many groups are drawn; of more the widest, and of these the largest."""


class Visit(msgspec.Struct, frozen=True):
    """A request for a page.

    Attributes
    ----------
    language : {"en", "zh"}
    query : str
        What the address asks for, after its question mark.
    token : str
        What the forms of our own pages hold.
    """

    language: str = "en"
    query: str = ""
    token: str = ""

    @property
    def asked(self) -> dict[str, str]:
        """Query of the address, by name."""
        return dict(parse_qsl(self.query, keep_blank_values=True))

    @property
    def from_(self) -> int:
        """The first row that is shown. Raises `ValueError` where it is no number."""
        return max(0, int(self.asked.get("from", "0") or 0))


def _page(name: str, visit: Visit, /, *, again: float | None = None, **facts: Any) -> str:
    """A whole page; with `again` it is asked for anew after so many seconds."""
    kept = [pair for pair in parse_qsl(visit.query) if pair[0] not in _OURS]
    addresses = {one: f"?{urlencode([*kept, ('lang', one)])}" for one in LANGUAGES}
    return render(
        f"zhiyin.plugins.lab.labbook/{name}.html",
        visit.language,
        look=linked("/assets/style.css"),
        others=others(addresses, visit.language),
        again=again,
        visit=visit,
        address=_address,
        moment=moment,
        status=status_of,
        **facts,
    )  # fmt: skip


def _address(path: str, query: Mapping[str, Any] | None = None, **more: Any) -> str:
    """A path with what it asks for; what is empty is left out."""
    asked = {name: value for name, value in {**(query or {}), **more}.items() if value != ""}
    return f"{path}?{urlencode(asked)}" if asked else path


def trouble_page(title: Said, message: Text, visit: Visit) -> str:
    """Render a page on what went wrong, with the way back."""
    return _page("trouble", visit, title=title, message=message)


def moment(text: str) -> str:
    """A time of the log as people write it: 2026-01-31 09:30."""
    return text[:16].replace("T", " ")


def status_of(state: str) -> Said:
    """Return the status of a run or a reply, in words."""
    return said("lab-status", state=state)


def figures_of(run: ListedRun, language: str) -> list[str]:
    """The headline with its interval, trials that count, failed, dollars and seconds of a run."""
    facts = run.facts
    if facts is None:
        return ["…", "…", written(run.errors, _COUNT, language), "-", "-"]
    of, whole = facts.measure, facts.low is not None and facts.high is not None
    column = Column("", kinds_of(of.unit)[0])
    ends = written((facts.low or 0.0, facts.high or 0.0), column, language) if whole else None
    unit = "%" if of.unit == SHARE else of.unit if of.unit != of.name else ""
    value = written(facts.value, column, language)
    named = said("lab-figure", name=of.name, value=value, unit=unit or None, ends=ends)
    rest: list[tuple[Cell, Column]] = [
        (facts.n, _COUNT), (run.errors, _COUNT), (facts.usd, _USD), (facts.median_s, _LATENCY)
    ]  # fmt: skip
    figure = "-" if facts.value is None else say(named, language)
    return [figure, *(written(*each, language) for each in rest)]


def runs_page(runs: Sequence[ListedRun], visit: Visit) -> str:
    """The list: searched, sorted, and a page of it."""
    asked, first = visit.asked, visit.from_
    shown = run_list.chosen(runs, asked)
    sort, order = run_list.order_of(asked)
    kept = {key: asked[key] for key in ("q", "benchmark", "state") if asked.get(key)}
    sorters = {
        name: {
            "mark": ("" if name != sort else " ▾" if order == "down" else " ▴"),
            "to": _address("/", kept, sort=name, order=_turned(order) if name == sort
                           else run_list.first_order(name)),
        }
        for name in run_list.SORTS
    }  # fmt: skip
    waiting = any(run.status == "counting" for run in runs)
    return _page(
        "runs",
        visit,
        asked=asked,
        rows=[
            (run, figures_of(run, visit.language), _progress(run) if run.going else None)
            for run in shown[first : first + PER_PAGE]
        ],
        sorters=sorters,
        benchmarks=sorted({run.benchmark for run in runs if run.benchmark}),
        states=sorted({run.status for run in runs}),
        n=len(shown),
        all=len(runs),
        steps=_steps(len(shown), {k: v for k, v in asked.items() if k != "from"}),
        first=first,
        again=1 if waiting else 10 if any(run.going for run in runs) else None,
    )


def _turned(order: str) -> str:
    return "up" if order == "down" else "down"


def _steps(count: int, asked: Mapping[str, str]) -> list[tuple[int, int, str]]:
    """The pages of a list: first row, last row, address."""
    if count <= PER_PAGE:
        return []
    return [
        (at, min(at + PER_PAGE, count), _address("/", asked, **{"from": at}))
        for at in range(0, count, PER_PAGE)
    ]


def _progress(run: ListedRun) -> dict[str, Any]:
    """Return how far a run has come, its rate, and the time that is left at that rate."""
    whole, rate = run.total or run.planned, run.rate
    rest = max(0, whole - run.done)
    return {
        "done": run.done,
        "all": whole,
        "rate": (f"{rate:,.1f}/s" if rate >= 1 else f"{60 * rate:,.1f}/min") if rate else None,
        "left": rest / rate if rate else None,
        "errors": run.errors,
        "usd": run.facts.usd if run.facts else None,
    }


def run_page(run: ListedRun, folder: Path, summary: Summary | None, visit: Visit) -> str:
    """A run: its figures, its progress, what failed, what it cost, its notes and replies."""
    notebook, asked, first = Notebook(folder), visit.asked, visit.from_
    found = None if run.problem else run_list.replies(folder, notebook, asked)
    many = len(found) if found else 0
    kept = {k: asked[k] for k in ("q", "state", "marked") if asked.get(k)}
    here = f"/run/{run.key}"
    return _page(
        "run",
        visit,
        run=run,
        figures=figures_of(run, visit.language),
        progress=_progress(run) if run.going else None,
        warnings=summary.warnings if summary else (),
        causes=_causes(run),
        front=_first_screen([folder], visit.language) if summary else None,
        definitions=definitions(),
        remarks=notebook.run,
        where={"run": run.key},
        asked=asked,
        states=sorted(run.facts.states) if run.facts else [],
        replies=[
            (one, run_list.question(one), run_list.beginning(one), notebook.of(one.id).tags)
            for one in (found[first : first + REPLIES].records() if found else ())
        ],
        first=first,
        last=min(first + REPLIES, many),
        all=many,
        earlier=_address(here, kept, **{"from": max(0, first - REPLIES)}) if first else "",
        later=_address(here, kept, **{"from": first + REPLIES}) if first + REPLIES < many else "",
        again=10 if run.going else None,
    )


def _causes(run: ListedRun) -> Table | None:
    causes = run.facts.causes if run.facts else []
    columns = (Column(said("lab-times"), "count"), Column(said("lab-cause")))
    rows = tuple(Row((n, reason(cause))) for cause, n in causes)
    return Table("causes", said("lab-what-failed"), columns, rows) if rows else None


def _first_screen(folders: Sequence[Path], language: str) -> Mapping[str, Any]:
    """The first screen of a report on runs of one benchmark: its claim, picture and sentences."""
    about = overview(RunSet(folders))
    return front_of(about, about.benchmarks[0], language)


def find_reply(folder: Path, trial: str) -> Record | None:
    """The record of a trial; None where the run has no such trial."""
    row = rows_of(folder).find(trial)
    return row.record if row else None


def reply_page(run: ListedRun, folder: Path, record: Record, visit: Visit) -> str:
    """One reply with its question."""
    messages = [(one.role, one.text) for one in record.trial.messages if one.text]
    return _page("reply", visit, run=run, record=record, messages=messages,
                 remarks=Notebook(folder).of(record.id), reason=reason(record.verdict.why),
                 where={"run": run.key, "trial": record.id})  # fmt: skip


def compare_page(
    runs: Sequence[ListedRun], comparisons: Sequence[Comparison], problem: Text, visit: Visit
) -> str:
    """Two runs or more on the questions that all judged, under each judge that judged all."""
    folders = [Path(run.run) for run in comparisons[0].runs] if comparisons else []
    return _page(
        "compare",
        visit,
        runs=runs,
        report="/report?" + urlencode([("run", run.key) for run in runs]),
        each=[(run, figures_of(run, visit.language)) for run in runs],
        problem=problem,
        comparisons=comparisons,
        front=_first_screen(folders, visit.language) if folders else None,
        definitions=definitions(),
    )


def history_page(runs: Sequence[ListedRun], visit: Visit) -> str:
    """Each protocol on the same items over time."""
    found = []
    for number, one in enumerate(histories(runs)):
        drawn = picture_of(one)
        shown = drawn and picture(drawn, visit.language, f"history-{number}")
        rows = [(run, figures_of(run, visit.language)) for run in one.runs]
        found.append((one, drawn and claim_of(drawn), shown, rows))
    return _page("history", visit, suites=found, definitions=definitions())


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
    models = {run.called: run.model for run in whole}
    marks, start = marks_of((models[name], name) for name in names), common_start(names)
    notes = [said("dots-lines")]
    notes += [said("lab-names-begin", start=start)] if start else []
    heads = tuple((marks[models[name], name], name.removeprefix(start)) for name in names)
    title = said("lab-over-time", name=measure.name, unit=measure.unit or None,
                 low=measure.lower_is_better)  # fmt: skip
    return DotPicture(said("lab-started"), title, measure.unit, heads, rows, notes=tuple(notes),
                      joined=True)  # fmt: skip


def _dot(run: ListedRun) -> Dot:
    assert run.facts is not None
    return Dot(run.facts.value, run.facts.low, run.facts.high)


def claim_of(drawn: DotPicture) -> Said | None:
    """State each model's change from first to last row, and how far it went; None without two."""
    changes = []
    for n, (_, name) in enumerate(drawn.names):
        own = [(row.name, dot.value) for row in drawn.rows if (dot := row.dots[n])]
        values = [value for _, value in own if value is not None]
        if len(own) > 1 and len(values) == len(own):
            ends, every = (values[0], values[-1]), (min(values), max(values))
            first, last, low, high = map(drawn.figure, (*ends, *every))
            changes.append(said(
                "lab-change", who=name, since=own[0][0], first=first, last=last, high=high,
                low=low if every != (min(ends), max(ends)) else None,
                unit="%" if drawn.unit == SHARE else drawn.unit,
            ))  # fmt: skip
    return said("check-each", each=changes) if changes else None


FlatSettings = Mapping[str, object]


def titles(
    benchmark: Text, boards: Sequence[FlatSettings], names: Sequence[str],
    wording: Mapping[str, str], *, units: str = "trials",
) -> list[Said]:  # fmt: skip
    """A heading for each table of a benchmark, all different.

    Parameters
    ----------
    benchmark : Text
    boards : sequence of mapping
        The settings of each table, flat: ``{"limit": 200, "options.shots": 5}``.
    names : sequence of str
        The settings in which they differ.
    wording : mapping of str to str
        How the benchmark says some of them, see `Flag.told`.
    units : str
        What a limit counts, see `contract.resolved.limit_units`.

    Returns
    -------
    list of Said
        ``"triads: first 200 trials, 5 shots"``.
    """
    plain = [name for name in names if name not in LAST_RESORT]
    headings = [_title(benchmark, board, plain, wording, units) for board in boards]
    if any(headings.count(title) > 1 for title in headings):
        headings = [_title(benchmark, board, names, wording, units) for board in boards]
    return [
        title
        if headings.count(title) == 1
        else said("boards-again", title=title, number=headings[: place + 1].count(title))
        for place, title in enumerate(headings)
    ]


def _title(
    benchmark: Text, settings: FlatSettings, names: Sequence[str], own: Mapping[str, str],
    units: str,
) -> Said:  # fmt: skip
    told = {
        name: words
        for name in names
        if (words := setting_in_words(name, settings.get(name), own, units))
    }
    if "limit" in told and settings.get("limit") is None and _is_part(told, settings, own):
        del told["limit"]
    return said("boards-title", benchmark=benchmark, clauses=list(told.values()))


def _is_part(told: Mapping[str, Text], settings: FlatSettings, own: Mapping[str, str]) -> bool:
    """Tell whether a setting says what alone is asked: "all trials" would be wrong beside it."""
    return any(
        own.get(name.rpartition(".")[2]) == "only {}" and settings.get(name) for name in told
    )
