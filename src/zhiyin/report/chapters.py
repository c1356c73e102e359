"""The chapters of a report's page: findings, charts and tables of each benchmark.

Tables that a benchmark makes of several runs are one where their columns are the same (`joined`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from markupsafe import Markup, escape

from zhiyin.analysis.comparison import corrected_for
from zhiyin.analysis.parts import Folded
from zhiyin.contract.declared import Kind, Section
from zhiyin.engine.scoring import ALL
from zhiyin.idioms import grouped
from zhiyin.report import pictures
from zhiyin.report.measures import ListedGroup
from zhiyin.report.overview import Chapter, Overview
from zhiyin.report.pictures import trials_link
from zhiyin.report.printed import why_apart
from zhiyin.report.run_cards import RunCard
from zhiyin.shown.dots import DotPicture, picture
from zhiyin.shown.pages import render, with_names
from zhiyin.shown.table import Cell, Column, Table, WrittenTable, in_letters, table_of
from zhiyin.text import printable
from zhiyin.words import Said, Text, said, say
from zhiyin.words.findings import Warning

_TOPICS: dict[str, Said] = {
    "score": said("topic-score"),
    "comparison": said("topic-comparison"),
    "listening": said("topic-listening"),
    "conditions": said("topic-conditions"),
    "letters": said("topic-letters"),
    "published": said("topic-published"),
    "reading": said("topic-reading"),
}


def rendered_chapters(about: Overview, language: str) -> Markup:
    """The chapters of all benchmarks: most of the page, and nothing that comes late."""
    views, voice = [], PageVoice(language)
    for chapter in about.benchmarks:
        runs = [about.runs[number] for number in chapter.runs]
        facts = {"view": _chapter(about, chapter, voice), "voice": voice}
        views.append({
            "chapter": chapter,
            "blocks": [block for block in _blocks(chapter, runs) if block.charts],
            **{
                part: Markup(render(f"report/{part}.html", language, **facts))
                for part in ("findings", "tables")
            },
        })  # fmt: skip
    return Markup(render("report/chapters.html", language, chapters=views, drawn=picture))


class ChartBlock(msgspec.Struct):
    """Charts under a heading, some of them folded away.

    Attributes
    ----------
    kind : str
        What the style sheet calls them.
    title : Said
    charts : list of Table or DotPicture
    notes : list of Text
    caveats : list of Text
        How its figures are to be taken, folded away.
    anchor : str
    rest : int or None
        How many charts stand before those that are folded away together; None: none are.
    rest_words : Text
        Behind which.
    """

    kind: str
    title: Said
    charts: Sequence[Table | DotPicture]
    notes: list[Text] = []
    caveats: list[Text] = []
    anchor: str = ""
    rest: int | None = None
    rest_words: Text = ""


def _chapter(about: Overview, chapter: Chapter, voice: PageVoice) -> dict[str, Any]:
    runs = [about.runs[number] for number in chapter.runs]

    def tables(own: Iterable[tuple[int, Section]]) -> list[WrittenTable]:
        each = [(about.runs[run].label, one) for run, one in own]
        several = len(about.runs) > 1
        sections = joined(each, said("report-run")) if several else [one for _, one in each]
        return [_section_table(one, voice) for one in sections]

    return {
        "chapter": chapter,
        "findings": _findings(chapter),
        "apart": _not_beside(chapter, runs),
        "leading": tables(own for own in chapter.sections if own[1].finding),
        "tables": tables(own for own in chapter.sections if not own[1].finding),
        "folded": [(one, _folded(one, voice)) for one in chapter.folded],
        "open": chapter.opened or any(own.state == "measured" for own in chapter.lead.standings),
    }


def _findings(chapter: Chapter) -> list[tuple[Text, list[tuple[Text, str, str]]]]:
    """A line for each question: every sentence with the address of its trials, or of its table.

    The figures of the first screen are not said again.
    """
    found = []
    drawn = {"finding-figure", *(["finding-accuracy"] if chapter.lead.figure == "accuracy" else [])}
    drawn = drawn if chapter.drawn else set()
    titles: dict[str, Text] = {**{one.topic: one.topic for one in chapter.findings}, **_TOPICS}
    for topic in dict.fromkeys([*_TOPICS, *titles]):
        own = [
            (
                one.words,
                trials_link(chapter.name, **one.show) if one.show else "",
                f"#{one.table}" if one.table else "",
            )
            for one in chapter.findings
            if one.topic == topic
            and not (chapter.opened and topic in ("score", "comparison"))
            and (isinstance(one.words, str) or one.words.name not in drawn)
        ]
        if own:
            found.append((titles[topic], own))
    return found


def _not_beside(chapter: Chapter, runs: Sequence[RunCard]) -> list[tuple[Text, list[str]]]:
    """Give the reasons why runs are not comparable with published figures, if no row is shown.

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
    if chapter.reference:
        yield _published_block(chapter, runs)
    judged = chapter.lead.measure.name == "accuracy" or all(
        any(own.n for own in chapter.figures[one.run].values())
        for one in chapter.lead.standings
        if one.state == "judged"
    )
    judged &= any(own.n for run in runs for own in chapter.figures.get(run.number, {}).values())
    own = chapter.way and f"{chapter.way}="
    groups = [g for g in chapter.groups if not (g.same or (own and g.name.startswith(own)))]
    if len(groups) > 1 and judged and not chapter.opened:
        yield _groups_block(chapter, runs, groups)
    if len(runs) > 1 and chapter.pairs and not chapter.opened:
        yield _differences_block(chapter, runs)
    if listening := pictures.conditions(chapter, runs):
        heard = any(one.of_hearing for own in chapter.conditions.values() for one in own)
        title = _TOPICS["listening" if heard else "conditions"]
        anchor = f"listening-{chapter.name}"
        yield ChartBlock("conditions", title, [listening], anchor=anchor)
    if letters := pictures.letters(chapter, runs):
        yield _letters_block(chapter, letters)
    if not chapter.opened:
        yield ChartBlock("outcomes", said("report-outcomes"), [pictures.outcomes(runs)])


def _published_block(chapter: Chapter, runs: Sequence[RunCard]) -> ChartBlock:
    """Runs beside published rows; in a fold other groups, and the rows that are not drawn."""
    able = any(row.groups for row in chapter.published)
    charts: list[Table | DotPicture] = [*pictures.published(chapter, runs)] if able else []
    notes: list[Text] = []
    left = _by_reason(pictures.left_out(chapter, runs, ALL), len(runs) + 1)  # all by their names
    reference = chapter.reference
    assert reference is not None
    if charts:
        notes.append(said("report-hollow", source=reference.source))
    if reference.newer:
        notes.append(said("published-newer", date=reference.newer))
    if any("precision" in row for own in chapter.published for row in own.groups.values()):
        notes.append(said("report-precision-note"))
    notes += [*_below_chance(chapter)]
    notes += [said("report-left-out", who=who, why=why) for why, who in left]
    first, more = min(len(charts), 1), max(len(charts) - 1, 0)
    rest = _other_rows(chapter, able=able)
    charts += [rest] if rest.rows else []
    return ChartBlock(
        "published-rows", said("report-published"), charts, notes,
        rest=first if len(charts) > first else None,
        rest_words=said("published-more", groups=more, n=len(rest.rows)),
    )  # fmt: skip


def _below_chance(chapter: Chapter) -> Iterator[Said]:
    """Say how most of the published rows that lie below chance were asked and read."""
    levels = {group.name: group.chance or 0.0 for group in chapter.groups}
    below = [
        chapter.reference.of(row.name).told
        for row in chapter.published if chapter.reference
        and any(own.get("accuracy", 1) < levels.get(name, 0.0) for name, own in row.groups.items())
    ]  # fmt: skip
    if ways := grouped((str(one), one) for one in below if one):
        yield said("report-below-chance", n=len(below), way=max(ways.values(), key=len)[0])


def _has_figure(chapter: Chapter, group: ListedGroup) -> bool:
    every = (own.get(group.name) for own in chapter.figures.values())
    return any(one is not None and one.accuracy is not None for one in every)


def _other_rows(chapter: Chapter, *, able: bool) -> Table:
    """The published rows that are in no picture, newest first, with the reason why they are not."""
    reference = chapter.reference
    assert reference is not None
    rows: list[tuple[Cell, ...]] = []
    groups = [group.name for group in chapter.groups if able]
    shown = {row.name for group in groups if pictures.is_published(chapter, group)
             for row in pictures.drawn_rows(chapter, group)}  # fmt: skip
    of_runs = None if able else next((one.why for one in chapter.in_part.values()), None)
    titles = {group.name: pictures.group_name(group, whole=True) for group in chapter.groups}
    for name, row in reference.every.items():
        if name not in shown:
            of = (chapter.headline, ALL, *titles)  # of what the runs were asked, if it has that
            group = next((one for one in of if one in row), next(iter(row)))
            figure, value = next(iter(row[group].items()))
            what = said("report-figure-of", figure=pictures.FIGURES.get(figure, figure),
                        group=titles.get(group, group))  # fmt: skip
            facts, why = reference.of(name), why_apart(reference, name) or of_runs
            rows.append((name, what, value, facts.date or None, facts.told, why))
    rows.sort(key=lambda row: str(row[3] or ""), reverse=True)
    names = ("row", "what", "value", "date", "settings", "why")
    columns = [Column(said("published-head", name=name), "share" if name == "value" else "text")
               for name in names]  # fmt: skip
    return table_of("published", columns, rows)


def _groups_block(
    chapter: Chapter, runs: Sequence[RunCard], groups: Sequence[ListedGroup]
) -> ChartBlock:
    """Right answers of the main groups, unless the first screen has them; all others in a fold.

    None that has no figure.
    """
    groups = [g for g in groups if _has_figure(chapter, g)]
    title = said("report-by-group")
    shown = bool(chapter.drawn and chapter.drawn.tasks) or len(runs) > _MANY_RUNS
    level = [g for g in groups if g.level <= 0 and not g.same and _is_large(chapter, g)]
    main = [] if shown else level
    rest = [g for g in groups if g not in main]
    charts = [pictures.by_group(chapter, runs, own, title) for own in (main, rest) if own]
    return ChartBlock(
        "groups", title, charts, rest=len(charts) - 1 if rest else None,
        rest_words=said("groups-more", n=len(rest), shown=len(main)),
    )  # fmt: skip


def _is_large(chapter: Chapter, group: ListedGroup) -> bool:
    few = 0 < pictures.units(chapter.figures, group.name) < pictures.FEW
    return group.name == ALL or not few


_MANY_RUNS = 5
"""Of more runs all groups are behind lines that name them: the first screen has what is of all."""


def _letters_block(chapter: Chapter, letters: Sequence[tuple[RunCard, Table]]) -> ChartBlock:
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
        [chart for _, chart in letters],
        [said("report-letters-note")],
        rest=len(letters) - len(other) if other and len(letters) > 1 else None,
        rest_words=said("letters-none", names=other),
    )


def _differences_block(chapter: Chapter, runs: Sequence[RunCard]) -> ChartBlock:
    """The first pair's main groups, unless the first screen has them; all others in a fold."""
    pairs = list(pictures.difference_tables(chapter, runs))
    charts = [one for own in pairs for one in own if one]
    shown = len(pairs) == 1 and bool(chapter.drawn and chapter.drawn.tasks)
    first = 0 if shown else 1
    lead, every = chapter.lead, chapter.pairs.values()
    head = lead.group if all(lead.group in own for own in every) else ALL
    rivals = {own.run for own in lead.standings if own.ranked and not own.for_scale}
    rows = [([row for name, row in own.items() if name != head], not rivals.issuperset(runs))
            for runs, own in chapter.pairs.items()]  # fmt: skip
    notes: list[Text] = [said("report-minus-note")]
    corrected = corrected_for(rows, None if head == ALL else lead.title)
    caveats: list[Text] = [*([corrected] if corrected else []), said("report-differences-note")]
    return ChartBlock(
        "differences", said("report-differences"), charts, notes, caveats,
        rest=first if len(charts) > first else None,
        rest_words=said("groups-more", n=sum(map(len, chapter.pairs.values())), shown=first),
    )  # fmt: skip


def _folded(one: Folded, voice: PageVoice) -> list[WrittenTable]:
    """Write the tables behind a line, those of several runs as one where they have one form."""
    sections = [(who, own) for who, own in one.tables if isinstance(own, Section)]
    several = joined(sections, said("report-run")) if any(who for who, _ in sections) else None
    tables = [own for _, own in one.tables if isinstance(own, Table)]
    return [
        *(_section_table(own, voice) for own in several or [own for _, own in sections]),
        *(in_letters(own, voice.language) for own in tables),
    ]


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
        letters, title=own(section.title), heads=tuple(map(own, section.columns)), rows=tuple(rows),
        notes=tuple(map(own, section.notes)),
    )  # fmt: skip


def joined(several: Sequence[tuple[str, Section]], head: Text) -> list[Section]:
    """The tables of runs, those with one title and the same columns as one that names the runs.

    A note that is not of all of them names its run.

    Parameters
    ----------
    several : sequence of (str, Section)
        With what their runs are called.
    head : Text
        What the column of these names is called.
    """
    alike = grouped(((str(one.title), *map(str, one.columns)), (who, one)) for who, one in several)
    return [_as_one(own, head) for own in alike.values()]


def _as_one(own: Sequence[tuple[str, Section]], head: Text) -> Section:
    (_, first), runs = own[0], {label for label, _ in own}
    rows = [(label, row) for label, one in own for row in one.rows]
    whole = msgspec.structs.replace(first, rows=[row for _, row in rows])
    kinds: list[Kind] = ["text", *(column.kind for column in whole.table().columns)]
    noted = {(label, str(note)): note for label, one in own for note in one.notes}
    times = Counter(text for _, text in noted)
    notes: list[Text] = [
        said("of-run", who=label, what=note)
        for (label, text), note in noted.items()
        if times[text] < len(runs)
    ]
    notes += {text: note for (_, text), note in noted.items() if times[text] == len(runs)}.values()
    return msgspec.structs.replace(
        first, columns=[head, *first.columns], rows=[[label, *row] for label, row in rows],
        notes=notes, kinds=kinds,
    )  # fmt: skip


_SENTENCE = re.compile(r"[A-Za-z]{2} [A-Za-z]{2}")


class PageVoice:
    """The language that a page speaks.

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
