"""Runs of a benchmark as a paper's tables and figures see them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from zhiyin.analysis.coverage import Coverage, coverage_of
from zhiyin.analysis.question_set import title_of
from zhiyin.analysis.summary import published
from zhiyin.contract import declared
from zhiyin.contract.declared import Reference
from zhiyin.contract.registry import known
from zhiyin.contract.resolved import run_names
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.report.run_cards import marks_of_runs
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.measures import ACCURACY, OVER, Estimate, Measure, measure_named
from zhiyin.runs.rows import Rows
from zhiyin.words import Text

_MOST_PANELS = 3


class PaperRun(declared.FigureRun):
    """One run as the figures of every benchmark see it: with its coverage."""

    @cached_property
    def coverage(self) -> Coverage:
        """Coverage of the published data that the run was asked."""
        return coverage_of(self.folder, self.manifest)

    @property
    def way(self) -> str:
        """The one altered way that its figures are of ("audio=none"); "" for the main one."""
        return ""

    @cached_property
    def frame(self) -> Frame:
        """Its trials, numbered."""
        return Frame(self.rows)

    @cached_property
    def asked_in(self) -> list[str]:
        """The groups of what was settled in its way, without the names of ways; "all" first."""
        settled = set(self.frame.kind[OVER["settled"][self.frame.state]].tolist())
        kinds = (kind for n, kind in self.frame.kinds if kind.way == self.way and n in settled)
        return list(dict.fromkeys([ALL, *(name for kind in kinds for name in kind.bare if name)]))

    def estimate(self, measure: Measure, group: str = "", **how: Any) -> Estimate:
        """A measure of what was asked in its way, by default of the measure's own group."""
        own = group or measure.group
        found = estimate(self.frame, measure, self.frame.places(own, self.way), **how)
        return replace(found, group=own)

    def as_asked(self) -> PaperRun:
        """The run by what it was asked: where that was in one altered way alone, by this.

        Only for what names the way beside each figure: see `Coverage.only_way`.
        """
        if self.plain or not self.judged or not self.coverage.only_way:
            return self
        return AlteredRun(self.label, self.series, self.folder, self.manifest)


class AlteredRun(PaperRun):
    """A run of one altered way alone, such as without its sound, by the figures of this way."""

    @cached_property
    def plain(self) -> Rows:
        """All of its judged trials."""
        return self.judged

    @property
    def way(self) -> str:
        """The way in which it was asked."""
        return self.coverage.only_way


def common_way(runs: Sequence[PaperRun]) -> str:
    """The altered way in which alone all of some runs, taken `as_asked`, were asked; or ""."""
    ways = {run.way for run in runs}
    return ways.pop() if len(ways) == 1 else ""


def as_compared(runs: Sequence[PaperRun]) -> list[PaperRun]:
    """Runs as one table has them: `as_asked`, where all that were judged were asked in one way."""
    asked = [run.as_asked() for run in runs]
    return asked if common_way([run for run in asked if run.judged]) else [*runs]


def gather(
    runs: Sequence[Path], keep: Callable[[PaperRun], object] = lambda run: run.judged
) -> dict[str, list[PaperRun]]:
    """Runs by benchmark, in the order given: those that `keep` wants, which have judged trials."""
    manifests = [read_manifest(folder) for folder in runs]
    names = run_names(runs, manifests)
    by_benchmark: dict[str, list[PaperRun]] = {}
    each = zip(names, marks_of_runs(names, manifests), runs, manifests, strict=True)
    for name, series, folder, manifest in each:
        own = by_benchmark.setdefault(manifest.benchmark, [])
        run = PaperRun(name, series, folder, manifest)
        if keep(run):
            own.append(run)
    return {name: own for name, own in by_benchmark.items() if own}


def reference_of(runs: Sequence[PaperRun]) -> Reference | None:
    """Published rows of the benchmark that the runs are of, if it has any."""
    return published(*(run.folder for run in runs)) if runs else None


def paper_name(runs: Sequence[PaperRun]) -> Text:
    """The name of a benchmark: that which its paper gives it, where that is its own in full."""
    reference, name = reference_of(runs), runs[0].manifest.benchmark
    full = str(reference.title) if reference else ""
    own, whole = (re.sub(r"\W", "", one).casefold() for one in (name, full))
    return full if full and whole.startswith(own) else title_of(name)


def headlines(runs: Sequence[PaperRun]) -> list[Measure]:
    """The measure that papers give for a benchmark, for each of the groups it is given for.

    The first that the benchmark declares and a run has. Where that is the usual share of right
    answers, at most three groups that every run has: those first published for most models, with
    the figure that is published; where these are more, those of which most figures are published.
    """
    first, *others = known(runs[0].manifest).measures
    every = (first, replace(first, group=ALL), *others)
    declared = next((m for m in every if has_measure(runs, m)), ACCURACY)
    if declared != ACCURACY:
        return [declared]
    reference = reference_of(runs)
    given: dict[str, dict[str, list[int]]] = {}
    for name in reference.own if reference else ():
        if reference and reference.kinds.get(name) == "model":
            for group, figures in reference.every[name].items():
                for figure in ("accuracy", "f1"):
                    if figure in figures and all(group in run.asked_in for run in runs):
                        given.setdefault(figure, {}).setdefault(group, []).append(len(figures))
    if not given:
        return [ACCURACY]
    figure = max(sorted(given), key=lambda name: sum(map(len, given[name].values())))
    counts = given[figure]
    groups = [group for group in counts if len(counts[group]) == max(map(len, counts.values()))]
    if len(groups) > _MOST_PANELS:
        groups = [
            group for group in groups if max(counts[group]) == max(max(counts[g]) for g in groups)
        ]
    few = len(groups) <= _MOST_PANELS
    return [replace(measure_named(figure), group=g) for g in groups] if few else [ACCURACY]


def has_measure(runs: Sequence[PaperRun], measure: Measure) -> bool:
    """Tell whether a run has it, in the measure's group."""
    return any(run.estimate(measure, ends=False).value is not None for run in runs)
