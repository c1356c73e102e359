"""All figures of some runs: each is drawn where the runs hold the data for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from zhiyin.analysis.parts import Registration, registrations_of
from zhiyin.contract.declared import Drawn
from zhiyin.contract.registry import blaming, known
from zhiyin.errors import InputError
from zhiyin.files import Place, Places, as_paths, write_atomically
from zhiyin.plugins.paper.figures.behaviour import draw_calibration, draw_cost, draw_letters
from zhiyin.plugins.paper.figures.pictures import draw_pictures
from zhiyin.plugins.paper.figures.style import Figure, save, style
from zhiyin.report.measures import MeasureSheet
from zhiyin.report.overview import charts_of
from zhiyin.report.paper_columns import renamed
from zhiyin.report.paper_runs import PaperRun, as_compared, common_way, gather, paper_name
from zhiyin.report.run_cards import run_marks
from zhiyin.report.run_set import RunSet
from zhiyin.runs.figures import way_in_words
from zhiyin.shown.paper import CHINESE, caption_as_latex
from zhiyin.words import LANGUAGES, said, say

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")


def write_figures(runs: Places, out: Place, formats: Sequence[str] | None = None) -> list[Figure]:
    """Draw every figure that the runs hold the data for, as SVG, PDF, PNG and CSV.

    Their captions stand beside them: ``captions.txt``, and ``.tex`` as floats of LaTeX; in Chinese
    ``captions.zh.txt`` and ``.tex``.

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
    run_set, plans = RunSet(runs), registrations_of(runs)[0]
    with style():
        made = [
            save(drawn, out, formats)
            for own in gather(runs, lambda run: True).values()
            for drawn in draw(run_set, own, plans)
        ]
    # Wide pictures, whose letters one column would make too small: a figure* spans two. A high
    # one leaves room for its caption.
    size = r"width=\textwidth,height=0.7\textheight,keepaspectratio"
    for language in LANGUAGES:
        captions, placed = [], [] if language == "en" else [f"% {CHINESE}\n"]
        for one in made:
            title, caption = one.words
            words = say(said("figure-told", title=title, caption=caption), language)
            captions.append(f"{one.name}: {words}\n")
            picture = one.in_language(language)[0].stem
            picture = picture if picture == one.name else f"{{{picture}}}"  # with a dot in it
            placed.append(
                f"\\begin{{figure*}}\n\\centering\n\\includegraphics[{size}]{{{picture}}}\n"
                f"{caption_as_latex(words, f'fig:{one.name}')}\n\\end{{figure*}}\n"
            )
        stem = out / ("captions" if language == "en" else f"captions.{language}")
        write_atomically(Path(f"{stem}.txt"), "\n".join(captions).encode())
        write_atomically(Path(f"{stem}.tex"), "\n".join(placed).encode())
    return made


def draw(
    run_set: RunSet, runs: list[PaperRun], plans: Sequence[Registration] = ()
) -> Iterator[Drawn]:
    """The figures that every benchmark has, of runs with judged trials, then those of its own."""
    benchmark, called = runs[0].manifest.benchmark, paper_name(runs)
    judged = [run for run in runs if run.judged]
    shown, marks = as_compared(judged), run_marks(run_set)
    way = common_way(shown)
    sheet = MeasureSheet(run_set, benchmark)
    charts = charts_of(run_set, sheet, marks, plans)
    usual = [
        *draw_pictures(charts, [marks[n] for n in sheet.runs], shown),
        *(draw(benchmark, shown) for draw in (draw_letters, draw_calibration, draw_cost) if shown),
    ]
    taken = set()
    for drawn in filter(None, usual):
        taken.add(drawn.name)
        words = said("table-way", title=drawn.title, way=way_in_words(way))
        title = words if way else drawn.title
        yield replace(drawn, title=renamed(title, benchmark, called))
    kind = known(runs[0].manifest)
    with blaming(kind):
        able = runs if kind.draws_ungraded else judged
        for own in kind.figures(able) if able else ():
            name = f"{benchmark}-{own.name}"
            if name in taken or not _NAME.fullmatch(own.name):
                raise InputError(said("figure-name", benchmark=repr(benchmark), own=repr(own.name)))
            taken.add(name)
            yield replace(own, name=name, title=renamed(own.title, benchmark, called))
