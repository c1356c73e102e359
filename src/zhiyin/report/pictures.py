"""The charts of a report's chapter, each a table with its drawing: from figures to rows.

Shares are drawn from 0 to 100 % everywhere, so that what stands side by side can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from zhiyin.analysis.comparison import GroupDifference
from zhiyin.analysis.within import Within
from zhiyin.contract.reference import OWN, RowFacts
from zhiyin.engine.scoring import ALL
from zhiyin.record import STATES
from zhiyin.report.findings import ALPHA
from zhiyin.report.measures import ListedGroup
from zhiyin.report.published import most_telling
from zhiyin.report.run_cards import RunCard
from zhiyin.runs.figures import GroupFigures
from zhiyin.shown.charts import (
    SHARES,
    ChartLine,
    ChartMark,
    ChartRow,
    Series,
    bar,
    chart_of,
    even_scale,
    stack,
)
from zhiyin.shown.dots import Dot, DotPicture, DotRow
from zhiyin.shown.table import Cell, Column, Link, Row, Table
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.report.overview import Chapter, PublishedGroups

FIGURES: dict[str, Text] = {
    "accuracy": said("report-accuracy"),
    "recall": said("report-recall"),
    "precision": said("report-precision"),
    "f1": "F1",
    "ifr": said("report-ifr"),
}
_WHOLE = ("accuracy", "f1", "recall")
"""Figures that count every question; precision leaves out what could not be read."""
_KINDS: dict[str, Said] = {
    "run": said("report-this-run"),
    "model": said("report-model"),
    "human": said("report-human"),
    "chance": said("report-chance"),
}
_SHAPES = {"human": 1, "chance": 3}
STATE_WORDS: dict[str, Said] = {
    "correct": said("state-correct"),
    "wrong": said("state-wrong"),
    "no_answer": said("state-no-answer"),
    "refused": said("state-refused"),
    "truncated": said("state-truncated"),
    "error": said("state-error"),
    "ungraded": said("state-ungraded"),
}
_INTERVAL = said("report-interval")
FEW = 5
"""Groups of fewer clusters fold away."""


def trials_link(benchmark: str, **wanted: str | None) -> str:
    """The address of the list of trials, filtered."""
    given = {key: value for key, value in wanted.items() if value is not None}
    return f"#trials?{urlencode({**given, 'benchmark': benchmark})}"


def group_name(group: ListedGroup, *, whole: bool = False) -> Text:
    """A group as it is shown: within the one above it, or with all above it."""
    if group.name == ALL:
        return said("report-everything")
    return group.path if whole else group.label


def published_series(kind: str) -> Series:
    """Return the style in which published figures of a kind are drawn."""
    return Series(kind, _SHAPES.get(kind, 0), hollow=True)


# Beside what has been published


def published(chapter: Chapter, runs: Sequence[RunCard]) -> Iterator[DotPicture]:
    """Runs beside published rows: a picture a group, that of the most telling group first."""
    groups = [g for g in chapter.groups if g.name == ALL or is_published(chapter, g.name)]
    fair = {g.name: max(_counts(chapter, g.name).get(f, 0) for f in _WHOLE) for g in groups}
    if len(groups) > 1 and not fair[ALL]:
        groups.sort(key=lambda g: (not fair[g.name], g.name.count("/"), g.name == ALL))
    yield from (_beside(chapter, runs, group) for group in groups)


def is_published(chapter: Chapter, group: str) -> int:
    """Count the published rows that may stand beside runs in a group."""
    return sum(bool(row.groups.get(group)) for row in chapter.published)


def _counts(chapter: Chapter, group: str) -> dict[str, int]:
    """Count the published rows that have each figure of a group."""
    counts = {"accuracy": 0}
    for row in chapter.published:
        for figure in row.groups.get(group, {}):
            counts[figure] = counts.get(figure, 0) + 1
    return counts


def _most_given(counts: Mapping[str, int]) -> str:
    """The figure that most rows have: one over all questions, where there is one."""
    return max([f for f in _WHOLE if f in counts] or counts, key=lambda figure: counts[figure])


def drawn_rows(chapter: Chapter, group: str) -> list[PublishedGroups]:
    """The published rows that the picture of a group has, newest first."""
    first = _most_given(_counts(chapter, group))
    rows = {row.name: row for row in chapter.published if first in row.groups.get(group, {})}
    figures = {name: row.groups[group][first] for name, row in rows.items()}
    told = most_telling(chapter.reference, figures) if chapter.reference else ()
    return [rows[name] for name in told]


def _beside(chapter: Chapter, runs: Sequence[RunCard], group: ListedGroup) -> DotPicture:
    """One group: the figure that most published rows have is drawn, the others are told."""
    name, counts = group.name, _counts(chapter, group.name)
    first = _most_given(counts)
    others = [figure for figure in counts if figure != first and counts[figure]]
    lines: list[tuple[float, Series, DotRow]] = []

    def add(label: Text, kind: str, series: Series, figures: Mapping[str, float | None],
            ends: tuple[float, float] | tuple[()] = (), n: int | None = None,
            facts: RowFacts | None = None) -> None:  # fmt: skip
        if (value := figures.get(first)) is None:
            return
        more = [said("report-other", name=_figure(one), value=own)
                for one in others if (own := figures.get(one)) is not None]  # fmt: skip
        date, by = (facts.date, facts.by) if facts else ("", "")
        about = said("report-beside", kind=_KINDS[kind], n=n, date=date or None,
                     by=None if by in ("", OWN) else by, more=more)  # fmt: skip
        lines.append((value, series, DotRow(label, about, "", (Dot(value, *ends),), group.chance)))

    for run in runs:
        told = chapter.figures.get(run.number, {}).get(name)
        if told is not None and not _left_out(chapter, run, name):
            figures = {one: getattr(told, one, None) for one in (first, *others)}
            ends = told.ci95 if _has_interval(first, told) and told.ci95 else ()
            add(run.label, "run", Series.of_run(run.colour), figures, ends, told.n)
    lines.sort(key=lambda line: -line[0])
    for row in drawn_rows(chapter, name):
        facts = chapter.reference.of(row.name) if chapter.reference else None
        add(row.name, row.kind, published_series(row.kind), row.groups[name], facts=facts)
    notes = (said("dots-lines"), *([said("dots-guessing")] if group.chance is not None else []))
    title = said("report-figure-of", figure=_figure(first), group=group_name(group, whole=True))
    rows, signs = tuple(row for *_, row in lines), tuple(series for _, series, _ in lines)
    return DotPicture(said("report-who"), title, "share", (), rows, signs, notes=notes)


def _figure(name: str) -> Text:
    return FIGURES.get(name, name)


def _left_out(chapter: Chapter, run: RunCard, group: str) -> bool:
    """Tell whether a run asked only part of this group, where published rows are of the whole."""
    part = chapter.in_part.get(run.number)
    return bool(part and group in part.groups and is_published(chapter, group))


def _has_interval(figure: str, figures: GroupFigures) -> bool:
    """Tell whether the interval, which is the accuracy's, is that of a figure too."""
    if figure == "ifr":
        return False
    return figure in ("accuracy", "recall") or figures.answered == figures.n


def left_out(chapter: Chapter, runs: Sequence[RunCard], group: str) -> list[tuple[str, Text]]:
    """The runs that are not shown beside published rows of a group, and why."""
    return [
        (run.label, chapter.in_part[run.number].why)
        for run in runs
        if _left_out(chapter, run, group)
    ]


# Groups


def by_group(
    chapter: Chapter, runs: Sequence[RunCard], groups: Sequence[ListedGroup], title: Text
) -> DotPicture:
    """Accuracy of groups, with a mark for each run."""
    names = tuple((Series.of_run(run.colour), run.label) for run in runs)
    rows = []
    for group in groups:
        own = [chapter.figures.get(run.number, {}).get(group.name) for run in runs]
        link = trials_link(chapter.name, group=None if group.name == ALL else group.name)
        sizes = [figures.items for figures in own if figures]
        about: Text = said("dots-sizes", sizes=", ".join(f"{size:,}" for size in sizes))
        if len({*sizes}) == 1:
            about = said("dots-items", n=sizes[0], unit="items")
        dots = tuple(
            dot_in(chapter.within[run.number], group.name, one.accuracy, one.ci95) if one else None
            for run, one in zip(runs, own, strict=True)
        )
        rows.append(DotRow(group_name(group), about, link, dots, group.chance, level=group.level))
    return DotPicture(said("report-group"), title, "share", names, tuple(rows),
                      notes=read_as(rows))  # fmt: skip


def dot_in(
    within: Within, group: str, value: float | None, ends: tuple[float, float] | None
) -> Dot:
    """A figure of a group; hollow, and without an interval, where all answers were the same."""
    if always := within.always.get(group):
        return Dot(value, hollow=always.told)
    low, high = ends or (None, None)
    return Dot(value, low, high, notes=tuple(within.told(group)))


def read_as(rows: Sequence[DotRow]) -> tuple[Said, ...]:
    """Explain a picture: its lines, guessing, and hollow marks where there are some."""
    notes = [said("dots-lines")]
    notes += [said("dots-guessing")] if any(row.rule is not None for row in rows) else []
    hollow = any(dot and dot.hollow for row in rows for dot in row.dots)
    return (*notes, *([said("dots-hollow")] if hollow else []))


# Differences


def differences(chapter: Chapter, runs: Sequence[RunCard]) -> Iterator[tuple[Table, Table | None]]:
    """Tabulate, for each pair of runs, the better minus the other: main groups, and all others.

    Small groups, and those with the trials of the one above them, are not main ones.
    """
    of_number = {run.number: run for run in runs}
    labels = {number: run.label for number, run in of_number.items()}
    groups = {g.name: g for g in chapter.groups}
    places = {name: place for place, name in enumerate(groups)}
    every = [row for own in chapter.pairs.values() for row in own.values()]
    scale = even_scale(end for row in every for end in (row.difference, row.low, row.high))
    columns = (
        Column(said("report-group")), Column(said("report-shared"), "count"),
        Column(said("report-difference"), "points"), Column(_INTERVAL, "points"),
        Column(said("report-p-adjusted"), "p"), Column(said("report-detectable"), "share"),
        Column(said("report-verdict")),
    )  # fmt: skip
    for (first, second), own in chapter.pairs.items():
        if own[ALL].difference < 0:  # the better run minus the other
            first, second = second, first
            own = {name: row.turned() for name, row in own.items()}
        title = said("report-minus", a=labels[first], b=labels[second])
        parts: tuple[list[ChartLine], list[ChartLine]] = ([], [])
        for row in sorted(own.values(), key=lambda row: places[row.group]):
            group = groups[row.group]
            cells, mark = _difference(chapter, group, row, (first, second), of_number)
            line = Row(cells, level=max(0, group.level)), ChartRow([mark], [0.0])
            few = group.name != ALL and (row.clusters or row.items) < FEW
            parts[group.level > 0 or group.same or few].append(line)
        main, inner = (
            chart_of("differences", title, columns, lines, scale, at=2, kind="points")
            if lines else None
            for lines in parts
        )  # fmt: skip
        if main:
            yield main, inner


def _difference(
    chapter: Chapter,
    group: ListedGroup,
    row: GroupDifference,
    pair: tuple[int, int],
    runs: Mapping[int, RunCard],
) -> tuple[tuple[Cell, ...], ChartMark]:
    sure = row.p_adjusted < ALPHA
    better = runs[pair[0] if row.difference > 0 else pair[1]]
    apart = f"apart:{pair[0]}:{pair[1]}"
    group_of = None if row.group == ALL else row.group
    link = Link(group_name(group), trials_link(chapter.name, group=group_of, agree=apart))
    verdict = said("report-better", who=better.label) if sure else said("report-no-difference")
    cells: tuple[Cell, ...] = (
        link, row.items, row.difference, (row.low, row.high), row.p_adjusted,
        None if sure else row.findable(), verdict,
    )  # fmt: skip
    series = Series.of_run(better.colour) if sure else Series("unsure", better.colour, hollow=True)
    return cells, ChartMark(row.difference, series, row.low, row.high)


# Ways of asking, letters, outcomes


def conditions(chapter: Chapter, runs: Sequence[RunCard]) -> Table | None:
    """The same questions under two conditions."""
    columns = (
        Column(said("report-run")), Column(said("report-same-questions")),
        Column(said("report-former"), "share"), Column(said("report-latter"), "share"),
        Column(said("report-difference"), "points"), Column(_INTERVAL, "points"), Column("p", "p"),
    )  # fmt: skip
    rows: list[ChartLine] = []
    for run in runs:
        own, other = (Series.of_run(run.colour, hollow=hollow) for hollow in (False, True))
        for one in chapter.conditions.get(run.number, ()):
            gap, first = one.gap, "real" if one.first == "true" else one.first
            ways = said("report-ways", tag=one.way.name, a=first, b=one.second)
            assert gap.pair is not None
            ends, sides = gap.ends and gap.ends[1:], (gap.pair.first, gap.pair.second)
            row = Row((run.label, ways, *sides, gap.value, ends, gap.p))
            marks = [ChartMark(sides[0], own), ChartMark(sides[1], other)]
            rows.append((row, ChartRow(marks)))
    if not rows:
        return None
    return chart_of("conditions", "", columns, rows, at=2)


def letters(chapter: Chapter, runs: Sequence[RunCard]) -> list[tuple[RunCard, Table]]:
    """Chosen letters against the key, a chart for each run that chose."""
    columns = (
        Column(said("report-letter")), Column(said("report-chosen"), "share"),
        Column(said("report-key"), "share"), Column(said("report-recall-of"), "share"),
    )  # fmt: skip
    charts = []
    for run in runs:
        bias = chapter.letters.get(run.number)
        if bias is None:
            continue
        answered = bias.answered or 1
        keyed = sum(letter.gold for letter in bias.letters) or 1
        rows: list[ChartLine] = []
        for one in bias.letters:
            link = trials_link(chapter.name, run=str(run.number), letter=one.letter)
            chosen, key = one.chosen / answered, one.gold / keyed
            drawn = bar(SHARES, chosen, key, Series.of_run(run.colour))
            rows.append((Row((Link(one.letter, link), chosen, key, one.recall)), drawn))
        charts.append((run, chart_of("letters", run.label, columns, rows)))
    return charts


def outcomes(runs: Sequence[RunCard]) -> Table:
    """Tabulate how trials ended."""
    seen = [state for state in STATES if any(run.states.get(state) for run in runs)]
    all_asked = all(run.planned == run.trials for run in runs)
    columns = (
        Column(said("report-run")),
        Column(said("report-trials"), "count"),
        *(() if all_asked else (Column(said("report-planned"), "count"),)),
        *(Column(said("report-state", mark=MARKS[s], state=STATE_WORDS[s]), "count") for s in seen),
    )
    rows: list[ChartLine] = []
    for run in runs:
        counts = [(state, run.states.get(state, 0)) for state in seen]
        parts = [(state, n, f"{n:,} {MARKS[state]}") for state, n in counts if n]
        planned = () if all_asked else (run.planned,)
        row = Row((run.label, run.trials, *planned, *(n for _, n in counts)))
        drawn = stack(parts, max(1, run.planned, run.trials))
        rows.append((row, drawn))
    return chart_of("outcomes", "", columns, rows, None, at=len(columns) - len(seen))


MARKS = {
    "correct": "✓", "wrong": "✗", "no_answer": "?", "refused": "⊘", "truncated": "…",
    "error": "!", "ungraded": "✎",
}  # fmt: skip
"""The sign of each state, beside its colour."""


def units(chapter: Chapter, group: str) -> int:
    """Number of clusters, or items where these stand alone, behind a group's surest figure."""
    of_runs = (own[group] for own in chapter.figures.values() if group in own)
    return max((own.clusters or own.items for own in of_runs), default=0)
