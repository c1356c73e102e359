"""Facts of a run for a tracker: its settings, figures with intervals, a table and a link."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.analysis.summary import summarise
from zhiyin.contract.resolved import resolved
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.plugins.paper.measured import measured, name_of, places_of, unit_of
from zhiyin.runs.estimates import Frame, Made, estimate
from zhiyin.runs.measures import ACCURACY, F1, IFR, PRECISION
from zhiyin.runs.rows import rows_of
from zhiyin.words import say

REPORTS = "ZHIYIN_REPORTS"
"""The variable of the environment with the address under which reports are served."""
COLUMNS = ("group", "n", "value", "low", "high", "se", "figure", "precision", "f1", "ifr", "chance",
           "unit", "lower_is_better")  # fmt: skip
"""Of the table: `low` and `high` are ends of the 95 % interval of `value`; a proportion is of 1."""
_BESIDE = ("precision", "f1", "ifr")


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
    rows: list[list[str | float | int | bool | None]]
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
        """Note that people read first, in Markdown."""
        link = f"[Report]({self.report})" if self.report else ""
        return "\n\n".join(filter(None, (link, *(f"* {each}" for each in self.remarks))))


def facts_of(folder: Path, report: Path | None = None, group: str = "") -> TrackedRun:
    """Collect the facts of a run for a tracker.

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
    rows = [*_rows(folder, manifest)]
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
    settings = dict(_flat(resolved(manifest)))
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


def _rows(folder: Path, manifest: Manifest) -> Iterator[list[str | float | int | bool | None]]:
    """Every figure of a run that goes out, as a row."""
    found = measured(folder, manifest)
    by_name = {(one.measure.name, one.group): one.value for one in found}
    frame = Frame(rows_of(folder))
    for one in found:
        measure, group = one.measure, one.group
        if measure.name in _BESIDE and (ACCURACY.name, group) in by_name:
            continue
        beside: list[float | None] = [None] * len(_BESIDE)
        if measure.of == ACCURACY.of and not measure.by:
            places, made = places_of(frame, group), Made()
            beside = [estimate(frame, own, places, made, ends=False).value
                      for own in (PRECISION, F1, IFR)]  # fmt: skip
        yield [
            name_of(one, found), one.n if measure.of == ACCURACY.of else one.items,
            one.value, one.low, one.high, one.se, measure.name,
            *beside, one.chance, unit_of(measure), measure.lower_is_better,
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
    """Return the address of a report: under `REPORTS`, or on this machine."""
    base = os.environ.get(REPORTS, "").rstrip("/")
    if base:
        return f"{base}/{page.parent.name}/{page.name}"
    return page.resolve().as_uri()
