"""Each run as a report shows it: settings, warnings, how its trials ended."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import msgspec

from zhiyin.analysis.compare import set_apart
from zhiyin.analysis.run import origins_beside
from zhiyin.analysis.summary import Summary
from zhiyin.contract.resolved import departing, resolved, resolved_beside
from zhiyin.engine.folder import Manifest
from zhiyin.engine.naming import models_in
from zhiyin.idioms import grouped
from zhiyin.report.run_set import RunSet
from zhiyin.runs.pairing import differing
from zhiyin.runs.rows import Rows
from zhiyin.shown.charts import SETTINGS, Series, marks_of
from zhiyin.words import Text, said
from zhiyin.words.findings import Remark, Warning


class RunMark(msgspec.Struct):
    """A run as a picture shows it.

    Attributes
    ----------
    number : int
        Its place among the runs of the report.
    series : Series
        Its mark, in every benchmark of the report.
    label : str
    """

    number: int
    series: Series
    label: str


class RunCard(RunMark):
    """A run as a report shows it.

    Attributes
    ----------
    model, folder, benchmark : str
    started : str or None
    config : list of (Text, str)
        Settings that are set.
    versions : dict of str to str
    running : bool
    warnings, remarks : list of Warning
    trials, planned : int
        Planned are those of adaptive sequences that were asked: how many come is known to nobody.
    states : dict of str to int
    elapsed_s : float
    """

    model: str
    folder: str
    benchmark: str
    started: str | None
    config: list[tuple[Text, str]]
    versions: dict[str, str]
    running: bool
    warnings: list[Warning]
    remarks: list[Warning]
    trials: int
    planned: int
    states: dict[str, int]
    elapsed_s: float


def run_marks(run_set: RunSet) -> list[RunMark]:
    """List how each run is marked."""
    runs = run_set.runs
    marks = marks_of_runs([run.label for run in runs], [run.manifest for run in runs])
    return [RunMark(n, marks[n], run.label) for n, run in enumerate(runs)]


def run_cards(run_set: RunSet, summaries: Sequence[Summary]) -> list[RunCard]:
    """A card for each run, with what is to be known of runs that stand beside each other."""
    marks = run_marks(run_set)
    cards = [_run(run_set, n, marks[n].series, own) for n, own in enumerate(summaries)]
    # Add to the warnings of two runs that they hold the same replies
    labels, folders = [run.label for run in run_set.runs], [run.folder for run in run_set.runs]
    for numbers, one in origins_beside(labels, folders, [run.manifest for run in run_set.runs]):
        for number in numbers if len(numbers) > 1 else ():
            cards[number].warnings.insert(0, one)
    _add_differing(run_set, cards)
    return cards


def _add_differing(run_set: RunSet, runs: list[RunCard]) -> None:
    """Add to the warnings of runs of one benchmark that they were not asked or read alike."""
    by_benchmark = grouped((run.manifest.benchmark, n) for n, run in enumerate(run_set.runs))
    for numbers in by_benchmark.values():
        members = [run_set.runs[number] for number in numbers]
        configs = resolved_beside([one.manifest for one in members])
        settings = differing([one.label for one in members], configs)
        for found in set_apart(settings):
            for number in numbers:
                runs[number].warnings.append(found)


def marks_of_runs(names: Sequence[str], manifests: Sequence[Manifest]) -> list[Series]:
    """The mark of each run: that of its model, in its setting among those on one benchmark.

    What was asked in the usual way is full.
    """
    named = [*zip(names, models_in(manifests), manifests, strict=True)]
    marks = marks_of((model, name) for name, model, _ in named)
    settings: dict[tuple[str, str], list[str]] = {}
    for name, model, one in sorted(named, key=lambda each: (len(departing(each[2])), each[0])):
        settings.setdefault((one.benchmark, model), []).append(name)
    return [
        msgspec.structs.replace(
            marks[model, name], setting=settings[one.benchmark, model].index(name) % SETTINGS
        )
        for name, model, one in named
    ]


def _run(run_set: RunSet, number: int, series: Series, summary: Summary) -> RunCard:
    run = run_set.runs[number]
    sessions, states = run.manifest.sessions, summary.states
    if states.get("ungraded"):  # an exam's replies: by their outcome
        replies = Rows(run.table, run.table.rows).outcomes_of_replies()
        states = {str(state): n for state, n in replies.items()}
    told = [
        *(summary.reading.told() if summary.reading else ()),
        *(summary.cost.told() if summary.cost else ()),
    ]
    return RunCard(
        number=number, series=series, label=run.label, model=run.manifest.model,
        folder=run.folder.name or os.fspath(run.folder), benchmark=run.manifest.benchmark,
        started=sessions[0].started if sessions else None, config=_plain(resolved(run.manifest)),
        versions=run.manifest.versions, running=run.running, warnings=summary.warnings,
        remarks=[*summary.remarks, *(Remark(what=line) for line in told)], trials=summary.trials,
        planned=summary.trials if run.manifest.total is None else summary.planned, states=states,
        elapsed_s=summary.elapsed_s,
    )  # fmt: skip


def _plain(config: dict[str, Any]) -> list[tuple[Text, str]]:
    """Settings as rows of name and value, those that are unset left out."""
    rows: list[tuple[Text, str]] = []
    for name, value in config.items():
        if isinstance(value, dict):
            rows += [
                (said("settings-part", part=name, name=k), _as_text(v))
                for k, v in value.items()
                if v not in (None, [])
            ]
        elif value is not None:
            rows.append((said("settings-name", name=name), _as_text(value)))
    return rows


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
