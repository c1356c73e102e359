"""A page of what a model hears: the panels that its runs' benchmarks show of hearing."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from zhiyin.analysis.summary import summarise
from zhiyin.contract.declared import Drawn
from zhiyin.contract.registry import blaming, known
from zhiyin.contract.resolved import name_of
from zhiyin.engine.folder import read_manifest
from zhiyin.errors import InputError
from zhiyin.files import Places, as_paths, is_taken, write_atomically
from zhiyin.plugins.paper.figures.style import Figure, save, style
from zhiyin.report.dots import of_part
from zhiyin.report.paper_runs import gather
from zhiyin.shown.charts import definitions
from zhiyin.shown.dots import DotPicture, picture
from zhiyin.shown.pages import Others, in_page, render, write_pages
from zhiyin.shown.paper import as_markdown, markdown
from zhiyin.shown.table import Column, Row, Table
from zhiyin.words import Named, Said, Text, said, say


def write_hearing(runs: Places, out: Path, languages: Sequence[str] = ("en",)) -> list[Path]:
    """Write a page for each model, with figures as SVG, PDF, PNG and CSV beside it.

    Beside each page stands the same in words and tables (Markdown), for those who cannot see the
    figures, and to be pasted elsewhere.

    Parameters
    ----------
    runs : sequence of Path
        Of one model or several; those of one model are one page.
    out : Path
        Folder; made if it is not there.
    languages : sequence of {"en", "zh"}
        Of each page; the words beside it are in English.

    Returns
    -------
    list of Path
        The pages, in the order in which the models first came.

    Raises
    ------
    InputError
        matplotlib is not installed, a folder is no run, or no run shows anything of hearing.
    """
    models: dict[str, list[Path]] = {}
    for folder in as_paths(runs):
        models.setdefault(read_manifest(folder).model, []).append(folder)
    written: list[Path] = []
    with style():
        made = {model: _panels(folders) for model, folders in models.items()}
        if not any(made.values()):
            raise InputError(said("hearing-nothing"))
        for model, panels in made.items():
            if panels:
                stem = _stem(model, [path.stem for path in written])
                figures = [
                    save(msgspec.structs.replace(panel, name=f"{stem}-{name}-{panel.name}"), out)
                    for name, panel in panels
                ]
                path, drawn = out / f"{stem}.html", [panel for _, panel in panels]
                sounds = out / f"{stem}-sounds"
                for sample in (one for panel in drawn if panel.page for one in panel.page.samples):
                    sounds.mkdir(parents=True, exist_ok=True)
                    write_atomically(sounds / f"{sample.name}.wav", sample.wav)
                shows = {name for name, _ in panels}
                shown_of = [f for f in models[model] if read_manifest(f).benchmark in shows]
                lines = _run_lines(shown_of)
                name = name_of(read_manifest(models[model][0]))
                shown = [_shown(p, f, stem) for p, f in zip(drawn, figures, strict=True)]
                page = partial(_page, name, lines, drawn, shown)
                written += write_pages(path, languages, page)
                text = _as_text(name, lines, drawn, figures)
                write_atomically(path.with_suffix(".md"), text.encode())
    return written


def _panels(folders: Sequence[Path]) -> list[tuple[str, Drawn]]:
    """List one model's panels by benchmark, in the order in which the benchmarks first came."""
    panels = []
    for name, row in gather(folders, keep=lambda run: True).items():
        kind = known(row[0].manifest)
        with blaming(kind):
            panels += [(name, panel) for panel in kind.hearing(row)]
    return panels


def _stem(model: str, taken: Sequence[str]) -> str:
    """A file's name for a model, unlike those that are there."""
    stem = re.sub(r"[^A-Za-z0-9.]+", "-", model).strip("-.")[:60] or "model"
    number = 2
    while is_taken(stem, taken):
        stem = f"{stem.rstrip('0123456789').rstrip('-')}-{number}"
        number += 1
    return stem


def _page(
    name: str,
    lines: Sequence[Said],
    panels: Sequence[Drawn],
    shown: Sequence[ShownPanel],
    language: str,
    others: Others,
) -> str:
    return render(
        "zhiyin.plugins.music/hearing.html", language,
        look=in_page(styles=("report/report.css",), rules="media-src 'self' file:", drawn=True),
        title=said("hearing-what", model=Named(name)),
        findings=[one for p in panels if p.page for one in p.page.findings], lines=lines,
        panels=shown, others=others, definitions=definitions(), drawn=picture,
    )  # fmt: skip


class ShownPanel(msgspec.Struct):
    """A panel on the page: the dot row, or a picture where its benchmark gives no rows."""

    title: Text
    label: Text
    table: Table
    files: list[tuple[str, str]]
    drawn: DotPicture | None = None
    picture: str = ""
    samples: list[tuple[Text, list[tuple[Text, str]]]] = []


def _shown(panel: Drawn, figure: Figure, stem: str) -> ShownPanel:
    files = [(kind, path.name) for kind, path in figure.files.items()]
    shown = ShownPanel(panel.title, panel.caption, _table(panel), files)
    if (part := panel.page) is None:
        # What stands before the picture itself is a declaration of a file's kind.
        picture = figure.files["svg"].read_text("utf-8")
        picture = picture[picture.index("<svg") :]
        # Several pictures in a page: their inner names must not meet.
        mark = re.sub(r"\W", "", figure.name)
        shown.picture = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{mark}", picture)
        return shown
    shown.drawn = of_part(part, panel.title, lambda one: f"{stem}-sounds/{one.name}.wav")
    for _, several in itertools.groupby(part.samples, key=lambda one: str(one.of)):
        each = list(several)
        files_of = [(one.what, f"{stem}-sounds/{one.name}.wav") for one in each]
        shown.samples.append((each[0].of, files_of))
    return shown


def _table(panel: Drawn, note: Text = "") -> Table:
    """Tabulate what a panel shows, for those who cannot see it."""
    columns = [
        Column(
            said("head", name=name),
            "text" if any(isinstance(row[n], str | Said) for row in panel.rows) else "number",
            name=name,
        )
        for n, name in enumerate(panel.columns)
    ]
    rows = tuple(Row(tuple(row)) for row in panel.rows)
    return Table(panel.name, panel.title, tuple(columns), rows, (note,) if note else ())


def _as_text(
    name: str, lines: Sequence[Said], panels: Sequence[Drawn], figures: Sequence[Figure]
) -> str:
    """The page in English without pictures: what each shows, and its data as a table."""
    parts = [f"# {markdown(say(said('hearing-what', model=name)))}"]
    findings = [one for panel in panels if panel.page for one in panel.page.findings]
    parts += [markdown(say(line)) for line in (*findings, *lines)]
    for panel, figure in zip(panels, figures, strict=True):
        picture = f"![{markdown(say(panel.title))}]({figure.files['png'].name})"
        parts += [picture, as_markdown(_table(panel, panel.caption)).rstrip()]
    return "\n\n".join(parts) + "\n"


def _run_lines(folders: Sequence[Path]) -> list[Said]:
    """A line for each run: how many trials, whether it is whole, and what it cost; and the sum."""
    lines, paid = [], []
    named: set[str] = set()
    for folder in folders:
        summary = summarise(folder)
        benchmark, cost = summary.benchmark, summary.cost
        # A second run of a benchmark is called as in the figures.
        lines.append(
            said(
                "hearing-run",
                **summary.of_which_set.facts,
                folder=folder.name if benchmark in named else None,
                trials=summary.trials,
                whole=summary.complete,
                cost=cost.told() if cost else [],
            )
        )
        named.add(benchmark)
        paid.append(cost.usd if cost else None)
    known = [usd for usd in paid if usd is not None]
    if len(known) > 1:
        lack = len(paid) - len(known)
        lines.append(said("hearing-cost", usd=sum(known), runs=len(known), lack=lack))
    return lines
