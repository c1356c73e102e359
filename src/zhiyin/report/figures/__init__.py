"""All figures of some runs: each is drawn where the runs hold the data for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from zhiyin.analysis.extent import Extent, extent_of
from zhiyin.contract import declared
from zhiyin.contract.declared import Drawn
from zhiyin.contract.registry import blaming, known
from zhiyin.contract.resolved import run_names
from zhiyin.engine.log import read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.files import Place, Places, as_paths
from zhiyin.report.figures.style import Figure, save, style
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.measures import OVER, Estimate, Measure
from zhiyin.runs.rows import Rows
from zhiyin.words import said

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")


class PaperRun(declared.FigureRun):
    """One run as the figures of every benchmark see it: with its extent."""

    @cached_property
    def extent(self) -> Extent:
        """How much of the published data the run was asked."""
        return extent_of(self.folder, self.manifest)

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

        Only for what names the way beside each figure: see `Extent.only_way`.
        """
        if self.plain or not self.judged or not self.extent.only_way:
            return self
        return AlteredRun(self.label, self.place, self.folder, self.manifest)


class AlteredRun(PaperRun):
    """A run of one altered way alone, such as without its sound, by the figures of this way."""

    @cached_property
    def plain(self) -> Rows:
        """All of its judged trials."""
        return self.judged

    @property
    def way(self) -> str:
        """That in which it was asked."""
        return self.extent.only_way


Draw = Callable[[str, list[PaperRun]], Drawn | None]
"""From a benchmark's name and its runs to a figure, or None where they lack the data."""


def write_figures(runs: Places, out: Place, formats: Sequence[str] | None = None) -> list[Figure]:
    """Draw every figure that the runs hold the data for, as SVG, PDF, PNG and CSV.

    Parameters
    ----------
    runs : sequence of Path
        Run folders, of one benchmark or several.
    out : Path
        Folder for the files; made if it is not there.
    formats : sequence of {"svg", "pdf", "png"}, optional
        Only these, beside the CSV.

    Returns
    -------
    list of Figure
        By benchmark, the overview first.

    Raises
    ------
    InputError
        When matplotlib is not installed, or a folder is not a run.
    """
    runs, out = as_paths(runs), Path(out)
    with style():
        return [
            save(drawn, out, formats)
            for benchmark, own in gather(runs, lambda run: True).items()
            for drawn in _draw(benchmark, own)
        ]


def _draw(benchmark: str, runs: list[PaperRun]) -> Iterator[Drawn]:
    """The figures that every benchmark has, of runs with judged trials, then those of its own."""
    taken = set()
    judged = [run for run in runs if run.judged]
    asked = [run.as_asked() for run in judged]
    way = common_way(asked)
    first, *others = _drawers()
    drawings = ((first, runs), *((draw, judged) for draw in others if judged))
    for draw, own_runs in drawings:
        if (drawn := draw(benchmark, asked if way else own_runs)) is not None:
            taken.add(drawn.name)
            title = said("table-way", title=drawn.title, way=way) if way else drawn.title
            yield replace(drawn, title=title)
    kind = known(runs[0].manifest)
    with blaming(kind):
        shown = runs if kind.draws_ungraded else judged
        for own in kind.figures(shown) if shown else ():
            name = f"{benchmark}-{own.name}"
            if name in taken or not _NAME.fullmatch(own.name):
                raise InputError(
                    f"benchmark {benchmark!r}: figure {own.name!r}: give it a name of letters, "
                    "digits and '-' that no other figure has"
                )
            taken.add(name)
            yield replace(own, name=name)


def common_way(runs: Sequence[PaperRun]) -> str:
    """The altered way in which alone all of some runs, taken `as_asked`, were asked; or ""."""
    ways = {run.way for run in runs}
    return ways.pop() if len(ways) == 1 else ""


def gather(
    runs: Sequence[Path],
    keep: Callable[[PaperRun], object] = lambda run: run.judged,
) -> dict[str, list[PaperRun]]:
    """Runs by benchmark, in the order given: those that `keep` wants, which have judged trials."""
    manifests = [read_manifest(folder) for folder in runs]
    names = run_names(runs, manifests)
    by_benchmark: dict[str, list[PaperRun]] = {}
    for name, folder, manifest in zip(names, runs, manifests, strict=True):
        own = by_benchmark.setdefault(manifest.benchmark, [])
        run = PaperRun(name, len(own), folder, manifest)
        if keep(run):
            own.append(run)
    return {name: own for name, own in by_benchmark.items() if own}


def _drawers() -> tuple[Draw, ...]:
    from zhiyin.report.figures.behaviour import (
        draw_attention,
        draw_calibration,
        draw_cost,
        draw_distractors,
        draw_letters,
        draw_shots,
    )
    from zhiyin.report.figures.doses import draw_doses
    from zhiyin.report.figures.scores import draw_differences, draw_groups, draw_overview

    return (
        *(draw_overview, draw_groups, draw_differences),
        *(draw_shots, draw_distractors, draw_attention, draw_doses),
        *(draw_letters, draw_calibration, draw_cost),
    )
