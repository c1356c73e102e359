"""The charts of a report's chapter, each a table with its drawing: from figures to rows.

Shares are drawn from 0 to 100 % everywhere, so that what stands side by side can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from msgspec.structs import replace

from zhiyin.analysis.within import Within
from zhiyin.contract.published_table import OWN, RowFacts
from zhiyin.engine.scoring import ALL
from zhiyin.record import STATES
from zhiyin.report.findings import ALPHA
from zhiyin.report.measures import ListedGroup
from zhiyin.report.printed import most_telling
from zhiyin.report.run_cards import RunCard, RunMark
from zhiyin.runs.estimates import estimate
from zhiyin.runs.figures import GroupFigures
from zhiyin.runs.measures import Measure, measure_named
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
from zhiyin.shown.dots import Dot, DotPicture, DotRow, Fact
from zhiyin.shown.table import Cell, Column, Link, Row, Table
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.report.overview import Charts, PublishedGroups

FIGURES: dict[str, Text] = {
    "accuracy": said("report-accuracy"),
    "recall": said("report-recall"),
    "precision": said("report-precision"),
    "f1": "F1",
    "ifr": said("report-ifr"),
}
OVER_ALL = ("accuracy", "f1", "recall")
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


# Beside what has been published


def published(chapter: Charts, runs: Sequence[RunMark]) -> Iterator[DotPicture]:
    """Runs beside published rows: a picture a group, that of the most telling group first."""
    groups = [g for g in chapter.groups if g.name == ALL or is_published(chapter, g.name)]
    fair = {g.name: max(_counts(chapter, g.name).get(f, 0) for f in OVER_ALL) for g in groups}
    if len(groups) > 1 and not fair[ALL]:
        groups.sort(key=lambda g: (not fair[g.name], g.name.count("/"), g.name == ALL))
    yield from (beside(chapter, runs, group) for group in groups)


def is_published(chapter: Charts, group: str) -> int:
    """Count the published rows that may stand beside runs in a group."""
    return sum(bool(row.groups.get(group)) for row in chapter.published)


def _counts(chapter: Charts, group: str) -> dict[str, int]:
    """Count the published rows that have each figure of a group."""
    counts = {"accuracy": 0}
    for row in chapter.published:
        for figure in row.groups.get(group, {}):
            counts[figure] = counts.get(figure, 0) + 1
    return counts


def _most_given(counts: Mapping[str, int]) -> str:
    """The figure that most rows have: one over all questions, where there is one."""
    return max([f for f in OVER_ALL if f in counts] or counts, key=lambda figure: counts[figure])


def _drawn_measure(chapter: Charts, figure: str) -> tuple[Measure, int]:
    """Return the measure that a published figure is of, and -1 where less of it is better."""
    measure = chapter.lead.measure
    if measure.name != figure:  # of people's recall every question counts
        measure = measure_named("accuracy" if figure == "recall" else figure)
    return measure, -1 if measure.lower_is_better else 1


def drawn_rows(chapter: Charts, group: str, figure: str = "") -> list[PublishedGroups]:
    """The published rows that the picture of a group has, newest first."""
    first = figure or _most_given(_counts(chapter, group))
    rows = {row.name: row for row in chapter.published if first in row.groups.get(group, {})}
    figures = {name: row.groups[group][first] for name, row in rows.items()}
    if not figures or not chapter.reference:
        return []
    sign = _drawn_measure(chapter, first)[1]
    return [rows[name] for name in most_telling(chapter.reference, figures, sign)]


def beside(
    chapter: Charts, runs: Sequence[RunMark], group: ListedGroup, figure: str = ""
) -> DotPicture:
    """Draw one group: by default the figure of most published rows; others are told."""
    name, counts = group.name, _counts(chapter, group.name)
    first = figure or _most_given(counts)
    measure, sign = _drawn_measure(chapter, first)
    others = [figure for figure in counts if figure != first and counts[figure]]
    lines: list[tuple[float, Series, DotRow]] = []
    of: dict[str, Fact] = {"group": name, "figure": first}

    def add(label: Text, kind: str, series: Series, dot: Dot, figures: Mapping[str, float | None],
            n: int | None = None, facts: RowFacts | None = None) -> None:  # fmt: skip
        if dot.value is not None:
            more = [said("report-other", name=_figure(one), value=own)
                    for one in others if (own := figures.get(one)) is not None]  # fmt: skip
            date, by = (facts.date, facts.by) if facts else ("", "")
            about = said("report-beside", kind=_KINDS[kind], n=n, date=date or None,
                         by=None if by in ("", OWN) else by, more=more)  # fmt: skip
            lines.append((sign * dot.value, series, DotRow(label, about, "", (dot,), group.chance)))

    for run in runs:
        told = chapter.figures.get(run.number, {}).get(name)
        if told is not None and not _left_out(chapter, run, name):
            frame = chapter.frames[run.number]
            own = estimate(frame, measure, frame.places(name))
            dot = dot_in(chapter.within[run.number], name, own.value, own.ends and own.ends[1:],
                         items=own.items, **of)  # fmt: skip
            others_of = {one: getattr(told, one, None) for one in others}
            add(run.label, "run", run.series, dot, others_of, told.n)
    lines.sort(key=lambda line: -line[0])
    for row in drawn_rows(chapter, name, first):
        facts = chapter.reference.of(row.name) if chapter.reference else None
        # The style in which published figures of a kind are drawn
        figures, series = row.groups[name], Series(row.kind, _SHAPES.get(row.kind, 0), hollow=True)
        add(row.name, row.kind, series, Dot(figures[first], facts=of), figures, facts=facts)
    title = said("report-figure-of", figure=_figure(first), group=group_name(group, whole=True))
    rows, signs = tuple(row for *_, row in lines), tuple(series for _, series, _ in lines)
    return DotPicture(said("report-who"), title, measure.unit, (), rows, signs, notes=read_as(rows))


def _figure(name: str) -> Text:
    return FIGURES.get(name, name)


def _left_out(chapter: Charts, run: RunMark, group: str) -> bool:
    """Tell whether a run asked only part of this group, where published rows are of the whole."""
    part = chapter.in_part.get(run.number)
    return bool(part and group in part.groups and is_published(chapter, group))


def left_out(chapter: Charts, runs: Sequence[RunMark], group: str) -> list[tuple[str, Text]]:
    """The runs that are not shown beside published rows of a group, and why."""
    return [
        (run.label, chapter.in_part[run.number].why)
        for run in runs
        if _left_out(chapter, run, group)
    ]


# Groups


def by_group(
    chapter: Charts, runs: Sequence[RunMark], groups: Sequence[ListedGroup], title: Text
) -> DotPicture:
    """Accuracy of groups, with a mark for each run."""
    names = tuple((run.series, run.label) for run in runs)
    rows = []
    for group in groups:
        own = [chapter.figures.get(run.number, {}).get(group.name) for run in runs]
        link = trials_link(chapter.name, group=None if group.name == ALL else group.name)
        sizes = [figures.items for figures in own if figures]
        about: Text = said("dots-sizes", sizes=", ".join(f"{size:,}" for size in sizes))
        if len({*sizes}) == 1:
            about = said("dots-items", n=sizes[0], unit="items")
        dots = []
        for run, one in zip(runs, own, strict=True):
            apart = [gap.gap.p for gap in chapter.conditions.get(run.number, ())
                     if group.name == f"{gap.way.name}={gap.second}"]  # fmt: skip
            facts = {"items": one.items, "p": next(iter(apart), None)} if one else {}
            dots.append(
                dot_in(chapter.within[run.number], group.name, one.accuracy, one.ci95, **facts)
                if one else None
            )  # fmt: skip
        rows.append(
            DotRow(group_name(group), about, link, tuple(dots), group.chance, level=group.level,
                   key=group.name)
        )  # fmt: skip
    return DotPicture(said("report-group"), title, "share", names, tuple(rows),
                      notes=read_as(rows))  # fmt: skip


def dot_in(
    within: Within, group: str, value: float | None, ends: tuple[float, float] | None, /,
    **facts: Fact,
) -> Dot:  # fmt: skip
    """A figure of a group; hollow, and without an interval, where all answers were the same."""
    low, high = ends or (None, None)
    if always := within.always.get(group):
        return Dot(value, hollow=always.told, facts={"low": low, "high": high, **facts})
    return Dot(value, low, high, notes=tuple(within.told(group)), facts=facts)


def read_as(rows: Sequence[DotRow]) -> tuple[Said, ...]:
    """Explain a picture: its lines, guessing, and hollow marks where there are some."""
    notes = [said("dots-lines")]
    notes += [said("dots-guessing")] if any(row.rule is not None for row in rows) else []
    hollow = any(dot and dot.hollow for row in rows for dot in row.dots)
    return (*notes, *([said("dots-hollow")] if hollow else []))


# Differences


def differences(chapter: Charts, runs: Sequence[RunMark]) -> Iterator[DotPicture]:
    """Draw, for each pair of runs, the better minus the other in every group.

    Shaded is what is too small to be found.
    """
    of_number = {run.number: run for run in runs}
    for (first, second), own in chapter.pairs.items():
        if own[ALL].difference < 0:  # the better run minus the other
            first, second = second, first
            own = {name: row.turned() for name, row in own.items()}
        pair = of_number[first], of_number[second]
        rows, signs = [], []
        for group in chapter.groups:
            if (one := own.get(group.name)) is None:
                continue
            better = pair[one.difference <= 0].series
            sure = one.p_adjusted < ALPHA
            signs.append(better if sure else Series("unsure", better.shape, hollow=True))
            facts: dict[str, Fact] = {
                "items": one.items, "clusters": one.clusters, "p": one.p,
                "p_adjusted": one.p_adjusted, "detectable": one.findable(),
                "first": pair[0].label, "second": pair[1].label,
            }  # fmt: skip
            dot = Dot(one.difference, one.low, one.high, clear=sure, facts=facts)
            least = one.findable()
            if one.low == one.high:  # the same replies twice
                facts["p_adjusted"] = facts["detectable"] = least = None
                dot = Dot(one.difference, clear=sure, facts=facts)
            link = trials_link(chapter.name, group=None if group.name == ALL else group.name,
                               agree=f"apart:{first}:{second}")  # fmt: skip
            rows.append(
                DotRow(group_name(group), "", link, (dot,), 0.0, level=group.level,
                       key=group.name, band=None if least is None else (-least, least))
            )  # fmt: skip
        title = said("report-minus", a=pair[0].label, b=pair[1].label)
        yield DotPicture(said("report-group"), title, "points", (), tuple(rows), tuple(signs))


def difference_tables(
    chapter: Charts, runs: Sequence[RunMark]
) -> Iterator[tuple[Table, Table | None]]:
    """Tabulate, for each pair of runs, the main differences; and all other groups.

    Small groups, and those with the trials of the one above them, are not main ones.
    """
    upper = {group.name for group in chapter.groups if group.main or group.name == ALL}
    every = [row for own in chapter.pairs.values() for row in own.values()]
    scale = even_scale(end for row in every for end in (row.difference, row.low, row.high))
    columns = (
        Column(said("report-group")), Column(said("report-shared"), "count"),
        Column(said("report-difference"), "points"), Column(_INTERVAL, "points"),
        Column(said("report-p-adjusted"), "p"), Column(said("report-detectable"), "share"),
        Column(said("report-verdict")),
    )  # fmt: skip
    for made in differences(chapter, runs):
        parts: tuple[list[ChartLine], list[ChartLine]] = ([], [])
        for row, sign in zip(made.rows, made.signs, strict=True):
            (dot,) = filter(None, row.dots)
            value, facts = dot.value or 0.0, dot.facts
            ends = None if dot.low is None or dot.high is None else (dot.low, dot.high)
            verdict = said("report-no-difference")
            if dot.clear:
                verdict = said("report-better", who=facts["first" if value > 0 else "second"])
            cells: tuple[Cell, ...] = (
                Link(row.name, row.link), facts["items"], value, ends,
                facts["p_adjusted"], facts["detectable"], verdict,
            )  # fmt: skip
            line = (
                Row(cells, level=max(0, row.level)),
                ChartRow([ChartMark(value, sign, dot.low, dot.high)], [row.rule]),
            )
            few = row.key != ALL and (facts["clusters"] or facts["items"]) < FEW  # type: ignore[operator]
            parts[row.key not in upper or few].append(line)
        main, inner = (
            chart_of("differences", made.title, columns, lines, scale, at=2, kind="points")
            if lines else None
            for lines in parts
        )  # fmt: skip
        if main:
            yield main, inner


# Ways of asking, letters, outcomes


def conditions(chapter: Charts, runs: Sequence[RunCard]) -> Table | None:
    """The same questions under two conditions."""
    columns = (
        Column(said("report-run")), Column(said("report-same-questions")),
        Column(said("report-former"), "share"), Column(said("report-latter"), "share"),
        Column(said("report-difference"), "points"), Column(_INTERVAL, "points"), Column("p", "p"),
    )  # fmt: skip
    rows: list[ChartLine] = []
    for run in runs:
        own, other = run.series, replace(run.series, hollow=True)
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


def letters(chapter: Charts, runs: Sequence[RunCard]) -> list[tuple[RunCard, Table]]:
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
            drawn = bar(SHARES, chosen, key, run.series)
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


def units(figures: Mapping[int, Mapping[str, GroupFigures]], group: str) -> int:
    """Number of clusters, or items where these stand alone, behind a group's surest figure."""
    of_runs = (own[group] for own in figures.values() if group in own)
    return max((own.clusters or own.items for own in of_runs), default=0)
