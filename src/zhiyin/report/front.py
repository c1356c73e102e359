"""The report's page: its front, its chapters and its methods, rendered once in each language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from markupsafe import Markup, escape

from zhiyin import __version__
from zhiyin.analysis.comparison import corrected_for
from zhiyin.contract.declared import Section
from zhiyin.engine.scoring import ALL
from zhiyin.report import pictures
from zhiyin.report.first_screen import Lead, Standing
from zhiyin.report.headlines import answers, figure_title, without_figure
from zhiyin.report.measures import ListedGroup
from zhiyin.report.overview import Chapter, Overview, RunCard
from zhiyin.report.page_data import labels
from zhiyin.report.pictures import trials_link
from zhiyin.report.processes import PaperFigure
from zhiyin.shown.charts import (
    Chart,
    ChartLine,
    ChartRow,
    Series,
    chart_of,
    definitions,
    radar,
    share_mark,
    symbol,
)
from zhiyin.shown.pages import Look, in_both, render, with_names
from zhiyin.shown.table import Answer, Column, Row, WrittenTable, in_letters
from zhiyin.text import printable
from zhiyin.words import LANGUAGES, Said, Text, said, say
from zhiyin.words.findings import Warning

_TOPICS: dict[str, Said] = {
    "score": said("topic-score"),
    "comparison": said("topic-comparison"),
    "listening": said("topic-listening"),
    "letters": said("topic-letters"),
    "published": said("topic-published"),
    "mistakes": said("topic-mistakes"),
}
_QUESTIONS = (
    said("ask-chance"),
    said("ask-listening"),
    said("ask-letter"),
    said("ask-whole"),
)
_SENTENCE = re.compile(r"[A-Za-z]{2} [A-Za-z]{2}")


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


class PageVoice:
    """How a page speaks.

    Parameters
    ----------
    language : {"en", "zh"}
    """

    def __init__(self, language: str) -> None:
        self.language = language

    def words(self, one: Warning | Text) -> str:
        """A message or a finding in words."""
        return with_names(one, self.language) if isinstance(one, Said) else say(one, self.language)

    def marked(self, text: Text) -> str | Markup:
        """Words of ours, or a text of others: marked as English where it is a sentence."""
        if isinstance(text, Said) or self.language == "en" or not _SENTENCE.search(text):
            return self.words(text)
        return Markup('<span lang="en">') + escape(printable(text)) + Markup("</span>")

    def noted(self, one: Warning) -> str | Markup:
        """A warning in words: where it is an English sentence of others, marked as such."""
        words = self.words(one)
        return self.marked(words) if words == one.text else words


def rendered_chapters(about: Overview) -> Markup:
    """The chapters of all benchmarks: most of the page, and nothing that comes late."""
    views = []
    for chapter in about.benchmarks:
        versions: dict[str, dict[str, Markup]] = {"findings": {}, "tables": {}}
        for language in LANGUAGES:
            voice = PageVoice(language)
            facts = {"view": _chapter(about, chapter, voice), "voice": voice}
            for part, made in versions.items():
                made[language] = Markup(render(f"report/{part}.html", language, **facts))
        runs = [about.runs[number] for number in chapter.runs]
        blocks = [block for block in _blocks(chapter, runs) if block.charts]
        legend = [(run.label, symbol(Series.of_run(run.colour))) for run in runs]
        views.append({"chapter": chapter, "blocks": blocks, "legend": legend, **versions})
    words = {"radar": said("report-radar"), "how": said("report-how")}
    html = render("report/chapters.html", "en", chapters=views, words=words, both=in_both,
                  letters_zh=lambda table: in_letters(table, "zh"))  # fmt: skip
    return Markup(html)


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


# The first screen


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


# The chapters


class ChartBlock(msgspec.Struct):
    """Charts under a heading, some of them folded away.

    Attributes
    ----------
    kind : str
        What the style sheet calls them.
    title : Said
    charts : list of (Chart, Text or None)
        A chart, and the words behind which it is folded: none for one that is open.
    notes : list of Text
    caveats : list of Text
        How its figures are to be taken, folded away.
    picture : Markup
        The same figures as a drawing, folded away.
    legend : bool
        Whether the runs' signs are named above: where no row names its run.
    anchor : str
    rest : int or None
        How many charts stand before those that are folded away together; None: none are.
    rest_words : Text
        Behind which.
    """

    kind: str
    title: Said
    charts: list[tuple[Chart, Text | None]]
    notes: list[Text] = []
    caveats: list[Text] = []
    picture: Markup = Markup()
    legend: bool = False
    anchor: str = ""
    rest: int | None = None
    rest_words: Text = ""


def _chapter(about: Overview, chapter: Chapter, voice: PageVoice) -> dict[str, Any]:
    runs = [about.runs[number] for number in chapter.runs]
    return {
        "chapter": chapter,
        "card": in_letters(chapter.card.table, voice.language),
        "findings": _findings(chapter),
        "apart": _not_beside(chapter, runs),
        "leading": [
            (_section_table(section, voice), about.runs[run].label if len(about.runs) > 1 else "")
            for run, section in chapter.sections
            if section.finding
        ],
        "tables": [
            (_section_table(section, voice), about.runs[run].label if len(about.runs) > 1 else "")
            for run, section in chapter.sections
            if not section.finding
        ],
        "by_rules": [
            (_section_table(section, voice), about.runs[run].label if len(about.runs) > 1 else "")
            for run, section in chapter.by_rules
        ],
        "without_errata": [
            (_section_table(section, voice), "") for section in chapter.without_errata
        ],
        "open": any(own.state == "measured" for own in chapter.lead.standings),
    }


def _findings(chapter: Chapter) -> list[tuple[Said, list[tuple[Said, str, str]]]]:
    """A line for each question: every sentence with the address of its trials, or of its table."""
    found = []
    for topic, title in _TOPICS.items():
        own = [
            (
                one.words,
                trials_link(chapter.name, **one.show) if one.show else "",
                f"#{one.table}" if one.table else "",
            )
            for one in chapter.findings
            if one.topic == topic
        ]
        if own:
            found.append((title, own))
    return found


def _not_beside(chapter: Chapter, runs: Sequence[RunCard]) -> list[tuple[Text, list[str]]]:
    """Why runs are not comparable with published figures, where no row is shown at all.

    Each reason with its runs: with none where it is that of all.
    """
    if not chapter.published or any(row.groups for row in chapter.published):
        return []
    why = [
        (run.label, chapter.in_part[n].why) for run in runs if (n := run.number) in chapter.in_part
    ]
    return _by_reason(why, len(runs))


def _by_reason(why: Sequence[tuple[str, Text]], runs: int) -> list[tuple[Text, list[str]]]:
    """Each reason once, with the runs of which it is one: none where it is that of all runs."""
    reasons: dict[str, tuple[Text, list[str]]] = {}
    for label, reason in why:
        reasons.setdefault(str(reason), (reason, []))[1].append(label)
    return [(reason, who if len(who) < runs else []) for reason, who in reasons.values()]


def _blocks(chapter: Chapter, runs: Sequence[RunCard]) -> Iterator[ChartBlock]:
    if any(row.groups for row in chapter.published):
        yield _published_block(chapter, runs)
    if cells := pictures.cells(chapter, runs):
        title = said("report-cells")
        yield ChartBlock("small", title, [(one, None) for one in cells], legend=True)
    judged = any(own.n for run in runs for own in chapter.figures.get(run.number, {}).values())
    if len(chapter.groups) > 1 and judged:
        yield _groups_block(chapter, runs)
    if len(runs) > 1 and chapter.pairs:
        yield _differences_block(chapter, runs)
    if listening := pictures.conditions(chapter, runs):
        title, anchor = said("topic-listening"), f"listening-{chapter.name}"
        yield ChartBlock("conditions", title, [(listening, None)], anchor=anchor)
    if letters := pictures.letters(chapter, runs):
        yield _letters_block(chapter, letters)
    ended = pictures.outcomes(runs)
    yield ChartBlock("outcomes", said("report-outcomes"), [(ended, None)])


def _published_block(chapter: Chapter, runs: Sequence[RunCard]) -> ChartBlock:
    charts = list(pictures.published(chapter, runs))
    notes: list[Text] = []
    left = _by_reason(pictures.left_out(chapter, runs, ALL), len(runs) + 1)  # all by their names
    if chapter.source:
        notes.append(said("report-hollow", source=chapter.source))
    if any("precision" in row for own in chapter.published for row in own.groups.values()):
        notes.append(said("report-precision-note"))
    notes += [said("report-left-out", who=", ".join(who), why=why) for why, who in left]
    folded: list[tuple[Chart, Text | None]] = [
        (one, one.table.title if place else None) for place, one in enumerate(charts)
    ]
    return ChartBlock("published-rows", said("report-published"), folded, notes)


def _groups_block(chapter: Chapter, runs: Sequence[RunCard]) -> ChartBlock:
    """Accuracy of the main groups; those within them, small ones and repeated ones folded away."""
    title = said("report-by-group")
    few = [g for g in chapter.groups if _is_small(chapter, g)]
    same = [g for g in chapter.groups if g.same and g not in few]
    rest = [g for g in chapter.groups if g not in few and g not in same]
    main = [g for g in rest if g.level <= 0]
    parts: list[tuple[Text | None, list[ListedGroup]]] = [(None, main)]
    if len(runs) > _MANY_RUNS and len(main) > 1 and main[0].name == ALL:
        names = [pictures.group_name(g) for g in main[1:]]
        own = [figures[ALL] for run in runs if ALL in (figures := chapter.figures[run.number])]
        shares = [one.accuracy for one in own if one.accuracy is not None]
        facts = {"n": len(shares), "low": min(shares), "high": max(shares)}
        whole = said("groups-all", **facts)  # the first screen has these figures
        parts = [(whole, main[:1]), (said("groups-main", names=names), main[1:])]
    for group in chapter.groups:
        if group.level == 0:
            start = f"{group.name}/"
            inner = [g for g in rest if g.name.startswith(start)]
            parts.append((said("groups-within", group=group.label, n=len(inner)), inner))
    parts.append((said("groups-small", n=len(few)), few))
    parts.append((said("groups-same", n=len(same)), same))
    charts = [(pictures.by_group(chapter, runs, own, title), words) for words, own in parts if own]
    picture = Markup()
    if web := pictures.radar_of(chapter, runs):
        picture = radar(chapter.name, *web)
    return ChartBlock("groups", title, charts, picture=picture)


def _is_small(chapter: Chapter, group: ListedGroup) -> bool:
    return group.name != ALL and 0 < pictures.units(chapter, group.name) < pictures.FEW


_FEW_PAIRS = 3
"""Of more pairs of runs all but the first are behind one line."""
_MANY_RUNS = 5
"""Of more runs all groups are behind lines that name them: the first screen has what is of all."""


def _letters_block(chapter: Chapter, letters: Sequence[tuple[RunCard, Chart]]) -> ChartBlock:
    """Runs that favour a letter first; the others behind a line that names them."""
    liked = {
        own.run
        for own in chapter.lead.standings
        if own.letter is not None and own.letter.verdict != "none"
    }
    letters = sorted(letters, key=lambda own: own[0].number not in liked)
    other = [run.label for run, _ in letters if run.number not in liked]
    return ChartBlock(
        "letters",
        said("report-letters"),
        [(chart, None) for _, chart in letters],
        [said("report-letters-note")],
        rest=len(letters) - len(other) if other and len(letters) > 1 else None,
        rest_words=said("letters-none", names=other),
    )


def _differences_block(chapter: Chapter, runs: Sequence[RunCard]) -> ChartBlock:
    charts: list[tuple[Chart, Text | None]] = []
    first = 0  # charts of the pair that is not folded away
    pairs = list(pictures.differences(chapter, runs))
    for main, inner in pairs:
        first = first or len(charts)
        charts.append((main, main.table.title if charts else None))
        if inner:
            charts.append((inner, said("groups-of", what=main.table.title)))
    rows = [row for own in chapter.pairs.values() for row in own.values()]
    notes: list[Text] = [said("report-minus-note")]
    corrected = corrected_for(rows, len(chapter.pairs))
    caveats: list[Text] = [*([corrected] if corrected else []), said("report-differences-note")]
    many = len(pairs) > _FEW_PAIRS
    return ChartBlock("differences", said("report-differences"), charts, notes, caveats,
                      rest=first if many else None,
                      rest_words=said("groups-pairs", n=len(pairs) - 1))  # fmt: skip


def _section_table(section: Section, voice: PageVoice) -> WrittenTable:
    """A benchmark's own table, in letters: texts of others are marked."""
    letters, own = in_letters(section.table("section"), voice.language), voice.marked
    rows = [
        msgspec.structs.replace(
            row,
            cells=tuple(
                own(value) if isinstance(value, str) else text
                for text, value in zip(row.cells, section.rows[n], strict=True)
            ),
        )
        for n, row in enumerate(letters.rows)
    ]
    return msgspec.structs.replace(
        letters,
        title=own(section.title),
        heads=tuple(map(own, section.columns)),
        rows=tuple(rows),
        notes=tuple(map(own, section.notes)),
    )
