"""All figures of some runs: each is drawn where the runs hold the data for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from zhiyin.contract.declared import Drawn
from zhiyin.contract.registry import blaming, known
from zhiyin.errors import InputError
from zhiyin.files import Place, Places, as_paths
from zhiyin.plugins.paper.figures.style import Figure, save, style
from zhiyin.report.paper_runs import PaperRun, common_way, gather
from zhiyin.words import said

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")


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
            for drawn in draw(benchmark, own)
        ]


def draw(benchmark: str, runs: list[PaperRun]) -> Iterator[Drawn]:
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


def _drawers() -> tuple[Draw, ...]:
    from zhiyin.plugins.paper.figures.behaviour import (
        draw_attention,
        draw_calibration,
        draw_cost,
        draw_distractors,
        draw_letters,
        draw_shots,
    )
    from zhiyin.plugins.paper.figures.doses import draw_doses
    from zhiyin.plugins.paper.figures.scores import (
        draw_differences,
        draw_dimensions,
        draw_groups,
        draw_overview,
    )

    return (
        *(draw_overview, draw_groups, draw_differences, draw_dimensions),
        *(draw_shots, draw_distractors, draw_attention, draw_doses),
        *(draw_letters, draw_calibration, draw_cost),
    )
