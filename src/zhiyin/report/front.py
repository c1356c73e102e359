"""The report's page in a language: its front, its chapters and its methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from markupsafe import Markup, escape

from zhiyin import __version__
from zhiyin.analysis.run import RULES
from zhiyin.engine.scoring import ALL
from zhiyin.report.chapters import PageVoice, rendered_chapters
from zhiyin.report.headlines import without_figure
from zhiyin.report.overview import Chapter, Overview
from zhiyin.report.pictures import trials_link
from zhiyin.report.processes import PaperFigure
from zhiyin.shown.charts import SERIES, Series, definitions, symbol
from zhiyin.shown.dots import picture
from zhiyin.shown.pages import Look, Others, render
from zhiyin.shown.table import in_letters
from zhiyin.text import printable
from zhiyin.words import Said, Text, said, say
from zhiyin.words.findings import OfTwo, Warning


class RenderedPage(msgspec.Struct):
    """All of a page, in a language, that is known before its trials are written.

    Attributes
    ----------
    language : {"en", "zh"}
    title : str
    parts : dict of str to Markup
        ``nav``, ``plan``, ``front``, ``chapters`` and ``methods``; `page` adds what comes late.
    notes : list of (str, str or Markup)
        What else is to be known: of which runs, and what.
    urgent : bool
        Whether there is something grave among them that no command mends.
    live : bool
        Whether the page is served, and follows its runs.
    """

    language: str
    title: str
    parts: dict[str, Markup]
    notes: list[tuple[Text, str | Markup]]
    urgent: bool
    live: bool


def rendered(about: Overview, language: str, *, live: bool = False) -> RenderedPage:
    """All of a page but what comes late."""
    warned = [one for run in about.runs for one in run.warnings]
    who = list(dict.fromkeys(run.label for run in about.runs))
    facts = {
        "about": about,
        "voice": PageVoice(language),
        "live": live,
        "plans": [(plan, in_letters(plan.table, language)) for plan in about.plans],
        "fronts": [front_of(about, chapter, language) for chapter in about.benchmarks],
        "version": __version__,
        "shares": any(
            own.n
            for chapter in about.benchmarks
            for figures in chapter.figures.values()
            for own in figures.values()
        ),
    }
    parts = {
        part: Markup(render(f"report/{part}.html", language, **facts))
        for part in ("nav", "plan", "front", "methods")
    }
    return RenderedPage(
        language,
        say(said("report-browser", who=who), language),
        {**parts, "chapters": rendered_chapters(about, language)},
        _notes(about, PageVoice(language)),
        urgent=any(one.severity == "stop" and not one.remedy for one in warned),
        live=live,
    )


def page(
    made: RenderedPage,
    notes: Sequence[Text],
    look: Look,
    data: Markup | None = None,
    *,
    others: Others = (),
    figures: Sequence[PaperFigure] = (),
) -> str:
    """The whole page.

    Parameters
    ----------
    made : RenderedPage
    notes : sequence of Text
        What is not in the report, and why.
    look : Look
    data : Markup, optional
        Elements with data that stand before the script.
    others : Others
        The same page in other languages.
    figures : sequence of PaperFigure
        For a paper, beside the page.
    """
    marked = PageVoice(made.language).marked
    own = [*made.notes, *(("", marked(note)) for note in notes)]
    late = {"notes": own, "urgent": made.urgent, "figures": figures}
    parts = made.parts | {
        part: Markup(render(f"report/{part}.html", made.language, **late))
        for part in ("notes", "figures")
    }
    return render(
        "report/page.html", made.language, parts=parts, title=made.title, look=look, data=data,
        live=made.live, others=others, definitions=definitions(),
    )  # fmt: skip


def front_of(about: Overview, chapter: Chapter, language: str) -> dict[str, Any]:
    """One benchmark on the first screen: the finding, and the table that it rests on."""
    lead = chapter.lead
    runs = [about.runs[number] for number in chapter.runs]
    drawn = [who for _, who in chapter.drawn.picture.names] if chapter.drawn else []
    return {
        "chapter": chapter,
        "claim": with_signs(
            PageVoice(language).words(chapter.told[0]),
            {run.label: run.series for run in runs if len(runs) <= SERIES},
        ),
        "picture": chapter.drawn
        and picture(chapter.drawn.picture, language, f"lead-{chapter.name}"),
        "silent": [
            (symbol(about.runs[own.run].series), about.runs[own.run].label, without_figure(own))
            for own in lead.standings
            if own.state != "judged"
            and about.runs[own.run].label not in drawn
            and (len(lead.standings) > 1 or not own.measured)
        ],
        "links": list(_links(chapter, [run.label for run in about.runs])),
        "folded": [one for one in chapter.folded if one.place == "front"],
    }


def with_signs(claim: str, signs: Mapping[str, Series]) -> Markup:
    """A claim with its mark before the first naming of each model."""
    html = escape(claim)
    for label, series in signs.items():
        name = Markup('<bdi class="run">{}</bdi>').format(printable(label))
        html = html.replace(name, Markup("{}{}").format(symbol(series), name), 1)
    return html


_MOST = 8
"""So many runs have a link to what they got wrong: the best first, rules only alone."""


def _links(chapter: Chapter, labels: Sequence[str]) -> Iterator[tuple[str, Said]]:
    """Yield the links of the first screen: nothing is offered that would lead nowhere."""
    lead = chapter.lead
    able = [own for own in lead.standings if own.state == "judged" and own.ranked]
    group = None if lead.group == ALL else lead.group
    rivals = [part for part in lead.each if part.contests]
    if rivals:  # the best of all that were compared, and whoever is nearest to it
        part = max(rivals, key=lambda one: max(map(one.height, one.able)))
        apart = f"apart:{part.best}:{part.contests[0].other}"
        yield trials_link(chapter.name, group=group, agree=apart), said("link-apart")
    whose = [own for own in able if own.kind not in RULES] or able
    for own in sorted(whose, key=lambda own: -lead.height(own))[:_MOST]:
        if own.value == 1:
            continue
        wrong = trials_link(chapter.name, group=group, run=str(own.run), state="not right")
        yield wrong, said("link-wrong", who=labels[own.run] if len(able) > 1 else None)
    if any(gap.of_hearing for own in able for gap in own.listening):
        yield f"listening-{chapter.name}", said("topic-listening")


def _notes(about: Overview, voice: PageVoice) -> list[tuple[Text, str | Markup]]:
    """Collect further notes, each once, with the names of its runs where it is not of all."""
    notes: list[tuple[Text, str | Markup]] = []
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
            one = said_once[text]
            named = len(whose) == len(about.runs) or isinstance(one, OfTwo)
            notes.append(("" if named else said("names", each=whose), voice.noted(one)))
    return notes
