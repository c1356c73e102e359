"""What a tracker is told of a run: its settings, figures with intervals, a table and a link."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.analysis.compare_parts import scorings
from zhiyin.analysis.summary import Summary, summarise
from zhiyin.contract.registry import known
from zhiyin.contract.settings import published_config
from zhiyin.engine.folder import read_manifest
from zhiyin.report.export import part_scores
from zhiyin.runs.rows import rows_of
from zhiyin.statistics.intervals import Interval
from zhiyin.words import say

REPORTS = "ZHIYIN_REPORTS"
"""The variable of the environment with the address under which reports are served."""
COLUMNS = ("group", "n", "value", "low", "high", "se", "figure", "precision", "f1", "ifr", "chance")
"""Of the table: shares in [0, 1]; `low` and `high` are ends of the 95 % interval of `value`."""


class TrackedRun(msgspec.Struct, frozen=True):
    """A run, as a tracker keeps it.

    Attributes
    ----------
    id : str
        Of the run: tracked again, it is the same run there.
    name, group, benchmark, model : str
        `group` is the suite; "" for none.
    settings : dict of str to str
    metrics : dict of str to float
        By group and figure: "accuracy", "accuracy_low", "music/accuracy".
    rows : list of list
        Under `COLUMNS`.
    report : str
        Address of its report; "" for none.
    remarks : list of str
        What limits the figures.
    complete : bool
    """

    id: str
    name: str
    group: str
    benchmark: str
    model: str
    settings: dict[str, str]
    metrics: dict[str, float]
    rows: list[list[str | float | int | None]]
    report: str
    remarks: list[str]
    complete: bool

    @property
    def csv(self) -> str:
        """The table as CSV."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(self.rows)
        return out.getvalue()

    @property
    def note(self) -> str:
        """What people read first of it, in Markdown."""
        link = f"[Report]({self.report})" if self.report else ""
        return "\n\n".join(filter(None, (link, *(f"* {each}" for each in self.remarks))))


def facts_of(folder: Path, report: Path | None = None, group: str = "") -> TrackedRun:
    """What a tracker is told of a run.

    Parameters
    ----------
    folder : Path
        The run's.
    report : Path or None
        The page of its report.
    group : str
        The suite that it is part of.

    Raises
    ------
    InputError
        When the folder is not a run.
    """
    manifest, summary = read_manifest(folder), summarise(folder)
    rows = [*_accuracies(summary), *_degrees(folder)]
    metrics = {"trials": float(summary.trials), "planned": float(summary.planned)}
    metrics |= {f"trials_{state}": float(n) for state, n in summary.states.items()}
    if summary.cost and summary.cost.usd is not None:
        metrics["usd"] = summary.cost.usd
    for row in rows:
        told = dict(zip(COLUMNS, row, strict=True))
        before = "" if told["group"] == "all" else f"{told['group']}/"
        names = {"value": told["figure"], "low": f"{told['figure']}_low"}
        names |= {"high": f"{told['figure']}_high"}
        for column in ("value", "low", "high", "n", "f1", "ifr"):
            if isinstance(value := told[column], int | float):
                metrics[f"{before}{names.get(column, column)}"] = float(value)
    settings = dict(_flat(published_config(manifest.config)))
    settings |= {f"version.{name}": version for name, version in manifest.versions.items()}
    return TrackedRun(
        id=manifest.id or folder.name,
        name=summary.name,
        group=group,
        benchmark=summary.benchmark,
        model=summary.model,
        settings=settings,
        metrics=metrics,
        rows=rows,
        report=_address(report) if report else "",
        remarks=[say(one) for one in summary.warnings],
        complete=summary.complete,
    )


def _accuracies(summary: Summary) -> Iterator[list[str | float | int | None]]:
    """The accuracy of every group in which a trial was judged."""
    for name, own in summary.groups.items():
        if own.n and own.accuracy is not None:
            low, high = own.ci95 or (None, None)
            yield [
                name, own.n, own.accuracy, low, high, own.se, "accuracy", own.precision, own.f1,
                own.ifr, own.chance,
            ]  # fmt: skip


def _degrees(folder: Path) -> Iterator[list[str | float | int | None]]:
    """Figures of trials that are right by degrees, and of scores in parts, where it has any."""
    kind = known(read_manifest(folder))
    for figure in kind.by_degrees(rows_of(folder).settled):
        yield _row("all", figure.interval, figure.name)
    scored = scorings(folder)
    for part in part_scores(scored)[0] if scored else ():
        yield _row(part.name, part.score, part.metric)


def _row(group: str, interval: Interval, figure: str) -> list[str | float | int | None]:
    rest = (None, None, None, None)
    return [
        group, interval.n, interval.mean, interval.low, interval.high, interval.se, figure, *rest
    ]  # fmt: skip


def _flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Settings by their names, with dots for those within others; what is not set is left out."""
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        elif value is not None:
            text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            yield f"{before}{name}", text


def _address(page: Path) -> str:
    """Where a report can be opened: under `REPORTS`, or on this machine."""
    base = os.environ.get(REPORTS, "").rstrip("/")
    if base:
        return f"{base}/{page.parent.name}/{page.name}"
    return page.resolve().as_uri()
