"""The chapters of a report's page: findings, charts and tables of each benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from zhiyin.analysis.comparison import corrected_for
from zhiyin.contract.declared import Section
from zhiyin.engine.scoring import ALL
from zhiyin.report import pictures
from zhiyin.report.measures import ListedGroup
from zhiyin.report.overview import Chapter, Overview
from zhiyin.report.pictures import trials_link
from zhiyin.report.run_cards import RunCard
from zhiyin.report.voice import PageVoice
from zhiyin.shown.charts import Chart, Series, radar, symbol
from zhiyin.shown.pages import in_both, render
from zhiyin.shown.table import WrittenTable, in_letters
from zhiyin.words import LANGUAGES, Said, Text, said

_TOPICS: dict[str, Said] = {
    "score": said("topic-score"),
    "comparison": said("topic-comparison"),
    "listening": said("topic-listening"),
    "letters": said("topic-letters"),
    "published": said("topic-published"),
    "mistakes": said("topic-mistakes"),
}


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
