"""Material for a paper: figures drawn by matplotlib, and tables of every figure.

Figures of a paper by their names there: ``zhiyin table --as BENCHMARK:FIGURE``.

Files for a paper beside a report: its figures and its tables.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from zhiyin.cli.pages import put_table
from zhiyin.errors import InputError
from zhiyin.plugins.paper.figures import draw, write_figures
from zhiyin.plugins.paper.figures.style import FORMATS, save, style
from zhiyin.report.printed import printed_named, runs_of
from zhiyin.report.processes import PaperFigure
from zhiyin.report.run_set import RunSet, runs_in
from zhiyin.shown.table import Column, table_of
from zhiyin.words import LANGUAGES, said, say


def table(given: Namespace) -> int | None:
    """With --as BENCHMARK:FIGURE --out FILE.pdf (.svg, .png) a figure is drawn; else its data."""
    if not given.as_:
        return None
    kind, form = printed_named(given.as_)
    if not form.drawn:
        return None
    folders = [*runs_in(given.places).runs]
    runs, _ = runs_of(kind, folders, given.as_)
    with style():
        made = draw(RunSet(folders), runs)
        drawn = next((one for one in made if one.name == f"{kind.name}-{form.drawn}"), None)
        if drawn is None:
            raise InputError(said("paper-lacks", name=given.as_))
        suffix = given.out.suffix.removeprefix(".") if given.out else ""
        if suffix in FORMATS:
            save(replace(drawn, name=given.out.stem), given.out.parent, [suffix])
            return 0
    name, notes = given.as_.replace(":", "-"), [drawn.caption]
    heads = [Column(head, "number") for head in drawn.columns]
    made_table = table_of(name, heads, drawn.rows, form.title, notes)
    put_table(made_table, given.to, given.out, given.lang)
    return 0


def figures_of(runs: Sequence[Path], out: Path, formats: Sequence[str] | None) -> list[PaperFigure]:
    """Draw them into a folder of their own."""
    return [
        PaperFigure(
            {language: say(figure.words[0], language) for language in LANGUAGES},
            {language: say(figure.words[1], language) for language in LANGUAGES},
            {
                lang: [f.relative_to(out).as_posix() for f in figure.in_language(lang)]
                for lang in LANGUAGES
            },
        )
        for figure in write_figures(runs, out / "figures", formats)
    ]


def tables_of(runs: Sequence[Path], out: Path, formats: Sequence[str] | None) -> list[PaperFigure]:
    """Write them into a folder of their own; the page shows none of them."""
    from zhiyin.plugins.paper.tables import write_tables

    write_tables(runs, out / "tables")
    return []
