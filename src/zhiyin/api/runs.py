"""Runs as objects: what was set, what came of it, every record; compared, and scored again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.analysis.compare import compare_all
from zhiyin.analysis.comparison import Comparison
from zhiyin.analysis.summary import Summary, summarise
from zhiyin.contract.resolved import resolved
from zhiyin.engine.folder import Manifest, find_log, read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError, did_you_mean, missing_package
from zhiyin.files import Place
from zhiyin.numerals import percent
from zhiyin.record import Record
from zhiyin.runs.estimates import estimate
from zhiyin.runs.figures import GroupFigures
from zhiyin.runs.frames import read_frame
from zhiyin.runs.measures import measure_named
from zhiyin.runs.rows import records_of, rows_of
from zhiyin.session.rescore import RescoredSummary
from zhiyin.shown.pages import in_notebook, paragraphs
from zhiyin.shown.table import Cell, Column, Kind, table_of, written
from zhiyin.statistics.intervals import Interval
from zhiyin.trial import one_line
from zhiyin.words import said
from zhiyin.words.findings import Warning

if TYPE_CHECKING:
    import pandas
    import polars

_FIGURES = ("accuracy", "precision", "recall", "f1", "ifr")
_COLUMNS: dict[str, Kind] = {
    "trials": "count", "accuracy, %": "share", "95 % interval": "share", "readable, %": "share"
}  # fmt: skip


def _cells(own: GroupFigures) -> tuple[Cell, ...]:
    """The cells of `_COLUMNS`."""
    return (own.n, own.accuracy, own.ci95, own.ifr)


def load(folder: Place) -> Run:
    """A run that was made before, here or with ``zhiyin run``.

    Parameters
    ----------
    folder : path

    Returns
    -------
    Run

    Raises
    ------
    InputError
        The folder is not a run, or its manifest is damaged.
    """
    run = Run(Path(folder))
    find_log(run.folder)
    _ = run.manifest
    return run


class Run:
    """One run. It is a path too: whatever takes a run folder takes a `Run`.

    Its data is read when it is first needed, and kept: `load` a run again to see what a
    session elsewhere has added since. `records` always reads the log as it is.

    Parameters
    ----------
    folder : path
    summary : Summary, optional
        Where it is known already.

    Attributes
    ----------
    folder : Path
    manifest : Manifest
        Settings, versions, sessions.
    summary : Summary
        All figures; ``zhiyin show --json`` prints them.
    """

    def __init__(self, folder: Place, summary: Summary | None = None) -> None:
        self.folder = Path(folder)
        if summary is not None:
            self.summary = summary

    @cached_property
    def manifest(self) -> Manifest:
        """Settings, versions and sessions."""
        return read_manifest(self.folder)

    @cached_property
    def summary(self) -> Summary:
        """All figures of the run, see `zhiyin.analysis.summary.summarise`."""
        return summarise(self.folder)

    @property
    def settings(self) -> dict[str, Any]:
        """Settings that distinguish the run: options with defaults, sampling, model, data."""
        return resolved(self.manifest)

    @property
    def benchmark(self) -> str:
        """The name of the benchmark."""
        return self.manifest.benchmark

    @property
    def name(self) -> str:
        """Name of the run: its label, or its model's name in short."""
        return self.summary.name

    @property
    def complete(self) -> bool:
        """True if every planned trial was asked, every sequence ended, and none failed."""
        return self.summary.complete

    @property
    def warnings(self) -> list[Warning]:
        """Limits of these figures, the gravest first: kind, severity, text and remedy."""
        return list(self.summary.warnings)

    @property
    def groups(self) -> dict[str, GroupFigures]:
        """The figures of every group, "all" first."""
        return dict(self.summary.groups)

    def figure(self, metric: str = "accuracy", group: str = ALL) -> Interval:
        """A figure of a group with its 95 % interval, repeats and clusters taken into account.

        Parameters
        ----------
        metric : {"accuracy", "precision", "recall", "f1", "ifr"}
        group : str
            One of `groups`.

        Returns
        -------
        Interval
            ``mean``, ``low`` and ``high`` in [0, 1].

        Raises
        ------
        InputError
            An unknown metric or group, or nothing was judged in it.
        """
        if metric not in _FIGURES:
            raise InputError(
                said("api-figure", metric=repr(metric), hint=did_you_mean(metric, _FIGURES))
            )
        if group not in self.groups:
            raise InputError(said(
                "api-group", folder=self.folder, group=repr(group),
                hint=did_you_mean(group, self.groups),
            ))  # fmt: skip
        own = estimate(rows_of(self.folder).within(group), measure_named(metric)).interval
        if own is None:
            raise InputError(
                said("api-unjudged", folder=self.folder, metric=metric, group=repr(group))
            )
        return own

    def records(self) -> Iterator[Record]:
        """The record of each trial, in the order of the log: trial, exchange and verdict.

        Reads line by line. Raises `InputError` for a damaged line.
        """
        return records_of(self.folder)

    def __iter__(self) -> Iterator[Record]:
        return self.records()

    def __len__(self) -> int:
        """Count the trials that are logged."""
        return self.summary.trials

    def __bool__(self) -> bool:
        """A run is one, even where nothing is logged yet."""
        return True

    def to_polars(self) -> polars.DataFrame:
        """A row a trial; for the columns see `zhiyin.runs.frames.read_frame`.

        Raises `InputError` where Polars is not installed.
        """
        return read_frame([self.folder])

    def to_pandas(self) -> pandas.DataFrame:
        """The same as `to_polars`, as a pandas frame.

        Raises `InputError` where pandas or Polars is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise missing_package("pandas", "pandas") from None
        frame = self.to_polars()
        return pandas.DataFrame({name: frame[name].to_list() for name in frame.columns})

    def __fspath__(self) -> str:
        return os.fspath(self.folder)

    def __repr__(self) -> str:
        """Write on one line: model, benchmark, number of trials, accuracy."""
        summary = self.summary
        trials = summary.how_far
        failed = summary.states["error"]
        about = [f"{failed:,} failed"] if failed else []
        whole = summary.groups.get(ALL)
        if whole and whole.accuracy is not None:
            ends = written(whole.ci95, Column("", "share"))
            about.append(f"accuracy {percent(whole.accuracy)} % ({ends})")
        return one_line("Run", summary.name, "", summary.benchmark, trials, *about)

    def _repr_html_(self) -> str:
        """The groups with their intervals; the benchmark's own tables where nothing is judged."""
        summary = self.summary
        states = ", ".join(f"{n:,} {state}" for state, n in summary.states.items() if n)
        title = f"{summary.benchmark}: {summary.name} — {summary.trials:,} trials: {states}"
        rows = [(name, *_cells(own)) for name, own in summary.groups.items() if own.n]
        columns: dict[str, Kind] = {"group": "text", **_COLUMNS}
        parts = [in_notebook(table_of("groups", columns, rows, title))]
        if not rows:
            parts += [in_notebook(section.table()) for section in summary.details[:2]]
        return "".join([*parts, paragraphs("warning", summary.warnings)])


def compare(
    *runs: Place,
    families: Sequence[str] = (),
    score: str | None = None,
    judge: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> Comparison:
    """Compare runs of one benchmark, item by item: differences with intervals, tests, a ranking.

    Parameters
    ----------
    *runs : path or Run
        At least two.
    families : sequence of str
        Groups whose tests were declared beforehand, such as ``"theory/*"``.
    score : str, optional
        A named score of the verdicts in place of accuracy.
    judge : str, optional
        For runs that are scored by judges, such as reviews: whose grades are compared. Needed
        where several judges graded all of the runs.
    alpha : float
        Level of significance, in (0, 1).
    seed : int
        Of the sign-flip test.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        Fewer than two runs, runs of different benchmarks or without common questions, an unknown
        group, score or judge, or an alpha outside (0, 1).
    """
    found = compare_all(runs, measure=score, families=families, alpha=alpha, seed=seed, both=True)
    if found[0].by_judge:
        return _by_judge(found, judge)
    if judge is not None:
        raise InputError(said("api-no-judge", judge=repr(judge)))
    return found[0]


def _by_judge(comparisons: list[Comparison], judge: str | None) -> Comparison:
    """The comparison under the judge that is named, or under the only one."""
    if judge is None and len(comparisons) == 1:
        return comparisons[0]
    names = [one.measure for one in comparisons]
    chosen = [one for one in comparisons if judge is not None and judge in one.measure]
    if len(chosen) == 1:
        return chosen[0]
    if judge is None:
        raise InputError(said("api-judges", names=names))
    raise InputError(said("api-judge", judge=repr(judge), hint=did_you_mean(judge, names)))


class Rescored:
    """A run as it is scored now, beside how it was scored first.

    Attributes
    ----------
    summary : RescoredSummary
        As `Run.summary`, with ``before`` and ``changed``.
    changed : int
        How many verdicts differ.
    """

    def __init__(self, summary: RescoredSummary) -> None:
        self.summary = summary
        self.changed = summary.changed

    def _rows(self) -> list[tuple[str, GroupFigures]]:
        before, options = self.summary.before, self.summary.settings["options"]
        return [
            (str(before.extract or "the default"), before.groups[ALL]),
            (str(options["extract"]), self.summary.groups[ALL]),
        ]

    def __repr__(self) -> str:
        """Write on one line what changed."""
        (_, old), (policy, new) = self._rows()
        was, now = percent(old.accuracy), percent(new.accuracy)
        about = f"{self.changed:,} verdicts differ", f"accuracy {was} to {now} %"
        return one_line("Rescored", self.summary.name, "", policy, *about)

    def _repr_html_(self) -> str:
        rows = [(name, *_cells(own)) for name, own in self._rows()]
        title = f"{self.summary.name}: {self.changed:,} verdicts differ"
        columns: dict[str, Kind] = {"read by": "text", **_COLUMNS}
        return in_notebook(table_of("rescored", columns, rows, title))
