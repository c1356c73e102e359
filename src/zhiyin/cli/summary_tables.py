"""The figures of runs as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.analysis.summary import Summary
from zhiyin.cli.group_tree import GroupTree
from zhiyin.contract.registry import known
from zhiyin.engine.log import read_manifest
from zhiyin.engine.naming import run_names
from zhiyin.engine.tally import ALL
from zhiyin.runs.figures import GroupFigures
from zhiyin.shown.table import Cell, Column, Kind, Row, Table, table_of
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.session.rescore import RescoredSummary

_FIGURES: dict[str, Kind] = {
    "n": "count", "ans.": "count", "acc.": "share", "95 % int.": "share", "prec.": "share",
    "F1": "share", "IFR": "share",
}  # fmt: skip


def _cells(own: GroupFigures) -> tuple[Cell, ...]:
    """The cells of a run or a group, in the one order that they have everywhere."""
    return (own.n, own.answered, own.accuracy, own.ci95, own.precision, own.f1, own.ifr)


def groups_table(run: Summary, *, with_key: bool = False) -> Table:
    """The figures of a run's groups, and what the short headings mean."""
    tree = GroupTree(run.groups, titles_of(run.run))
    rows = [
        Row((tree.title(name), *_cells(own)), tree.level(name), tree.weight(name, own.n))
        for name, own in run.groups.items()
    ]
    notes = [said("figures-key")] if with_key else []
    return table_of("groups", {"group, %": "text", **_FIGURES}, rows, notes=notes)


def runs_table(runs: Sequence[Summary], names: Sequence[str]) -> Table:
    """A row for each run: its figures on everything, what failed, what it cost."""
    if len({run.benchmark for run in runs}) > 1:
        names = [f"{run.benchmark}: {name}" for run, name in zip(runs, names, strict=True)]
    costs = [run.cost.usd if run.cost else None for run in runs]
    priced = any(cost is not None for cost in costs)
    rows = [
        (name, *_cells(run.groups[ALL]), run.states["error"], *([cost] if priced else []))
        for name, run, cost in zip(names, runs, costs, strict=True)
    ]
    columns: dict[str, Kind] = {"run, %": "text", **_FIGURES, "err.": "count"}
    return table_of("runs", columns | ({"usd": "usd"} if priced else {}), rows)


def side_by_side(runs: Sequence[Summary]) -> Table:
    """Accuracy with its interval: groups down, runs across."""
    tree = GroupTree((name for run in runs for name in run.groups), titles_of(runs[0].run))
    rows = [
        Row((tree.title(name), *(_accuracy(run, name) for run in runs)), tree.level(name))
        for name in tree
    ]
    columns = [Column(""), *(Column(label, "share") for label in labels(runs))]
    return table_of("accuracy", columns, rows, "accuracy, %")


def _accuracy(run: Summary, group: str) -> Cell:
    own = run.groups.get(group)
    if own is None or own.accuracy is None or own.ci95 is None:
        return None
    return (own.accuracy, *own.ci95)


def before_and_after(summary: RescoredSummary) -> Table:
    """What scoring a run again has changed."""
    before, settings = summary.before, summary.settings
    versions = before.benchmark_version, settings["benchmark_version"]
    rules = before.extract or "the default", settings["options"]["extract"]
    both = before.groups[ALL], summary.groups[ALL]
    rows = [
        (rule, str(version or "-"), own.errors, *_cells(own)[2:])
        for rule, version, own in zip(rules, versions, both, strict=True)
    ]
    columns: dict[str, Kind] = {"rule": "text", "version": "number", "errors": "count"}
    figures = dict(list(_FIGURES.items())[2:])
    return table_of("rescored", columns | figures, rows, "before and after, %")


def labels(runs: Sequence[Summary]) -> list[str]:
    """What to call each run: see `naming.run_names`."""
    folders = [Path(run.run) for run in runs]
    return run_names(folders, [read_manifest(folder) for folder in folders])


def titles_of(run: str) -> Mapping[str, str]:
    """Plain labels of the groups of a run."""
    return known(read_manifest(run)).titles
