"""The report's page: its front, its chapters and its methods, rendered once in each language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from markupsafe import Markup, escape

from zhiyin import __version__
from zhiyin.engine.scoring import ALL
from zhiyin.report import pictures
from zhiyin.report.chapters import rendered_chapters
from zhiyin.report.headlines import answers, figure_title, without_figure
from zhiyin.report.overview import Chapter, Overview
from zhiyin.report.page_data import labels
from zhiyin.report.pictures import trials_link
from zhiyin.report.processes import PaperFigure
from zhiyin.report.standings import Lead, Standing
from zhiyin.report.voice import PageVoice
from zhiyin.shown.charts import (
    Chart,
    ChartLine,
    ChartRow,
    Series,
    chart_of,
    definitions,
    share_mark,
    symbol,
)
from zhiyin.shown.pages import Look, render
from zhiyin.shown.table import Answer, Column, Row, in_letters
from zhiyin.words import LANGUAGES, Said, Text, said, say
from zhiyin.words.findings import Warning

_QUESTIONS = (
    said("ask-chance"),
    said("ask-listening"),
    said("ask-letter"),
    said("ask-whole"),
)


class RenderedPage(msgspec.Struct):
    """All of a page that is known before its trials are written.

    Attributes
    ----------
    title : str
    versions : dict of str to dict of str to Markup
        By language the parts ``nav``, ``front`` and ``methods``, and short texts.
    chapters : Markup
        In both languages.
    notes : dict of str to list of (str, str or Markup)
        By language what else is to be known: of which runs, and what.
    urgent : bool
        Whether there is something grave among them that no command mends.
    live : bool
        Whether the page is served, and follows its runs.
    labels : dict of str to dict of str to str
        The words that scripts show; see `page_data.labels`.
    figures : list of PaperFigure
    """

    title: str
    versions: dict[str, dict[str, Markup]]
    chapters: Markup
    notes: dict[str, list[tuple[str, str | Markup]]]
    urgent: bool
    live: bool
    labels: dict[str, dict[str, str]]
    figures: list[PaperFigure] = []


def rendered(about: Overview, *, live: bool = False) -> RenderedPage:
    """All of a page but what comes late."""
    warned = [one for run in about.runs for one in run.warnings]
    return RenderedPage(
        title=say(said("report-browser", who=list(dict.fromkeys(r.label for r in about.runs)))),
        versions={language: _version(about, language, live) for language in LANGUAGES},
        chapters=rendered_chapters(about),
        notes={language: _notes(about, PageVoice(language)) for language in LANGUAGES},
        urgent=any(one.severity == "stop" and not one.remedy for one in warned),
        live=live,
        labels=labels(),
    )


def page(made: RenderedPage, notes: Sequence[Text], look: Look, data: Markup | None = None) -> str:
    """The whole page.

    Parameters
    ----------
    made : RenderedPage
    notes : sequence of Text
        What is not in the report, and why.
    look : Look
    data : Markup, optional
        Elements with data that stand before the script.
    """
    for language in LANGUAGES:
        marked = PageVoice(language).marked
        own = [*made.notes[language], *(("", marked(note)) for note in notes)]
        late = {"notes": own, "urgent": made.urgent, "figures": made.figures}
        for part in ("notes", "figures"):
            html = render(f"report/{part}.html", language, **late)
            made.versions[language][part] = Markup(html)
    return render(
        "report/page.html",
        "en",
        versions=made.versions,
        title=made.title,
        chapters=made.chapters,
        look=look,
        data=data,
        live=made.live,
        definitions=definitions(),
    )


def _version(about: Overview, language: str, live: bool) -> dict[str, Markup]:
    """The parts of the page in one language."""
    facts = {
        "about": about,
        "voice": PageVoice(language),
        "live": live,
        "plans": [(plan, in_letters(plan.table, language)) for plan in about.plans],
        "fronts": [_front(about, chapter) for chapter in about.benchmarks],
        "version": __version__,
        "shares": any(
            own.n
            for chapter in about.benchmarks
            for figures in chapter.figures.values()
            for own in figures.values()
        ),
    }
    words = {
        "skip": said("skip-to-findings"),
        "trials": said("nav-trials"),
        "scripts": said("trials-need-scripts"),
    }
    return {
        **{name: escape(say(one, language)) for name, one in words.items()},
        **{
            part: Markup(render(f"report/{part}.html", language, **facts))
            for part in ("nav", "plan", "front", "methods")
        },
    }


def _front(about: Overview, chapter: Chapter) -> dict[str, Any]:
    """One benchmark on the first screen: the finding, and the table that it rests on."""
    lead = chapter.lead
    judged = [own for own in lead.standings if own.state == "judged"]
    return {
        "chapter": chapter,
        "chart": _forest(about, lead, judged) if judged or lead.published else None,
        "silent": [
            (
                symbol(Series.of_run(about.runs[own.run].colour)),
                about.runs[own.run].label,
                without_figure(own),
            )
            for own in lead.standings
            if own.state != "judged" and (len(lead.standings) > 1 or not own.measured)
        ],
        "judged": bool(judged),
        "guessing": any(own.chance is not None for own in judged),
        "links": list(_links(chapter)),
        "judges": [(about.runs[one.run].label, one.lines) for one in chapter.judges],
    }


def _forest(about: Overview, lead: Lead, judged: Sequence[Standing]) -> Chart:
    """Each run's figure and the answers to the questions, published figures below them."""
    figure = figure_title(lead)
    if lead.title:
        figure = said("report-in-group", figure=figure, group=lead.title)
    columns = (
        Column(said("report-run")),
        Column(figure, "share"),
        Column(said("report-interval"), "share"),
        *map(Column, _QUESTIONS),
    )
    rows: list[ChartLine] = []
    for own in judged:
        run = about.runs[own.run]
        label, series = run.label, Series.of_run(run.colour)
        ends = None if own.low is None or own.high is None else (own.low, own.high)
        who = Answer("soft", label, own.alone or None)
        row = Row((who, own.value, ends, *answers(own, lead.unit)))
        mark = share_mark(label, own.value, series, ends)
        rows.append((row, ChartRow([mark], [own.chance]), series))
    rows += _published_lines(lead)
    places = range(3, 3 + len(_QUESTIONS))
    return chart_of("forest", said("nav-findings"), columns, rows, common=places)


def _published_lines(lead: Lead) -> Iterator[ChartLine]:
    """All published rows of a kind in one row, with the best of them."""
    for kind in ("model", "human", "chance"):
        rows = [row for row in lead.published if row.kind == kind]
        if not rows:
            continue
        series = pictures.published_series(kind)
        marks = [share_mark(row.name, row.value, series) for row in rows]
        best = rows[0].name
        name = said("published-best", name=best) if len(rows) > 1 else best
        who = Answer("soft", said("published-of-kind", kind=kind, n=len(rows)), name)
        cells = (who, rows[0].value, None, *("" for _ in _QUESTIONS))
        yield Row(cells, mark="soft"), ChartRow(marks), series


def _links(chapter: Chapter) -> Iterator[tuple[str, Said]]:
    """Where the first screen leads: nothing is offered that would lead nowhere."""
    lead = chapter.lead
    able = [own for own in lead.standings if own.state == "judged" and own.ranked]
    group = None if lead.group == ALL else lead.group
    if lead.contests:
        apart = f"apart:{lead.best}:{lead.contests[0].other}"
        yield trials_link(chapter.name, group=group, agree=apart), said("link-apart")
    if able:
        wrong = trials_link(chapter.name, group=group, run=str(able[0].run), state="not right")
        yield wrong, said("link-wrong")
    if any(own.listening for own in able):
        yield f"listening-{chapter.name}", said("topic-listening")


def _notes(about: Overview, voice: PageVoice) -> list[tuple[str, str | Markup]]:
    """What else is to be known: each once, with the names of its runs where it is not of all."""
    notes: list[tuple[str, str | Markup]] = []
    for part in ("warnings", "remarks"):
        meant: dict[str, list[str]] = {}
        said_once: dict[str, Warning] = {}
        for run in about.runs:
            own: list[Warning] = getattr(run, part)
            for one in own:
                if not one.remedy:
                    said_once.setdefault(one.text, one)
                    meant.setdefault(one.text, []).append(run.label)
        for text, whose in meant.items():
            names = ", ".join(whose) if len(whose) < len(about.runs) else ""
            notes.append((names, voice.noted(said_once[text])))
    return notes
