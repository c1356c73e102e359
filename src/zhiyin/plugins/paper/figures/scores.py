"""Figures of scores: the overview, groups of questions, differences, and what is asked."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from zhiyin.analysis.beside import asked_alike
from zhiyin.analysis.comparison import GroupDifference
from zhiyin.analysis.constant import constant_answers
from zhiyin.contract.arguments import OWN
from zhiyin.contract.declared import Cell, Drawn
from zhiyin.contract.registry import known
from zhiyin.engine.scoring import ALL
from zhiyin.plugins.paper.figures.rows import DrawnShare, draw_shares
from zhiyin.plugins.paper.figures.style import (
    BLUE,
    HAIR,
    INK,
    TWO_COLUMNS,
    VERMILLION,
    PictureText,
    canvas,
    chance_line,
    humanly,
    letter,
    look,
    percent_axis,
    plot_rows,
    rows_axis,
    run_series,
)
from zhiyin.report.paper_runs import headlines, reference_of
from zhiyin.runs.estimates import Frame, chance_of, estimate
from zhiyin.runs.measures import ACCURACY, SHARE, Measure, measure_title
from zhiyin.runs.rows import Rows
from zhiyin.shown.charts import ChartMark, ChartRow, Series
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from zhiyin.report.paper_runs import PaperRun

_MOST_ROWS, _MOST_GROUPS = 24, 26
_TITLE_WIDTH = 21  # letters


def draw_overview(benchmark: str, runs: list[PaperRun]) -> Drawn | None:
    """Every run and every published row on the headline figure (Table 1 of the paper, drawn)."""
    measures = headlines(runs) if runs else [ACCURACY]
    measure, groups = measures[0], [each.group for each in measures]
    called = measure.name
    found = {(run, group): run.estimate(measure, group) for run in runs for group in groups}
    runs = [run for run in runs if any(found[run, group].ends for group in groups)]
    if not runs:
        return None
    reference = reference_of(runs)
    ours = {run.label: run.place for run in runs}
    rows: list[list[Any]] = []
    comparable = {group: [run for run in runs if run.coverage.whole(group)] for group in groups}
    for run in runs:
        for group in groups:
            own = found[run, group]
            if own.ends and (run in comparable[group] or not comparable[group]):
                rows.append([run.label, "run", group, *own.ends, own.items])
    for name, row in (reference.rows if reference else {}).items():
        kind = reference.kinds.get(name, "model") if reference else "model"
        rows += [
            [apart(name, ours), kind, group, row[group][called], None, None, None]
            for group in groups
            if kind != "chance" and comparable[group] and called in row.get(group, {})
        ]
    beside = any(row[1] != "run" for row in rows)
    first: dict[str, float] = {}
    for line in sorted(rows, key=lambda line: groups.index(line[2])):
        first.setdefault(line[0], line[3] if not measure.lower_is_better else -line[3])
    names = _shown(first, ours)
    rows = [row for row in rows if row[0] in names]
    always = {(run.label, group) for run, group in found
              if _one_answer(run.frame.part(run.frame.places(group, run.way)))}  # fmt: skip
    height = 0.75 + 0.165 * len(names)
    made, axes = canvas(TWO_COLUMNS, height, len(groups), sharey=True)
    for panel, (group, ax) in enumerate(zip(groups, axes, strict=True)):
        plot_rows(ax, [_overview_row(name, rows, group, ours, always) for name in names])
        measure_axis(ax, measure)
        title = known(runs[0].manifest).titles.get(group) or _group_title(group)
        way = runs[0].way  # of all of them, where it is an altered one
        ax.set_title(PictureText(said("table-way", title=title, way=way) if way else title))
        if len(groups) > 1:
            letter(ax, panel)
        chance = runs[0].estimate(measure, group, test=True).chance
        if chance is not None:
            chance_line(ax, chance)
    for tick in axes[0].get_yticklabels():
        if tick.get_text() in ours:
            tick.set_fontweight("bold")
    return Drawn(
        f"{benchmark}-overview",
        said("figure-overview", benchmark=benchmark, beside=beside),
        said(
            "figure-overview-caption",
            source=reference.source if reference and beside else None,
            less=len(first) - len(names),
            limits=_limits(runs, groups),
            hollow=bool(always),
        ),
        made,
        ["name", "kind", "group", called, "low", "high", "n"],
        rows,
    )


def measure_axis(axes: Axes, measure: Measure) -> None:
    """An axis of a measure, named with its unit and its direction; in per cent where it is of 1."""
    if measure.unit == SHARE:
        whole = measure.range == (0.0, 1.0)
        percent_axis(axes, "x", measure_title(measure), whole=whole)
    else:
        axes.grid(axis="x", color=HAIR, linewidth=0.6)
        axes.xaxis.set_label_text(PictureText(measure_title(measure)))


def _shown(first: dict[str, float], ours: Collection[str]) -> list[str]:
    """The rows by their first figure, best first: every run, and published ones as room is left."""
    best = sorted(first, key=lambda name: -first[name])
    room = max(0, _MOST_ROWS - sum(name in ours for name in best))
    published = [name for name in best if name not in ours][:room]
    return [name for name in best if name in ours or name in published]


def _limits(runs: Sequence[PaperRun], groups: Sequence[str]) -> list[Said]:
    """List what keeps runs from being compared with what is published, or with the default set."""
    return [
        said(
            "figure-limit",
            who=run.label,
            why=run.coverage.apart,
            settings=run.coverage.set_otherwise,
        )
        for run in runs
        if run.coverage.apart and not all(map(run.coverage.whole, groups))
    ]


def _group_title(group: str) -> Text:
    """A group over its panel."""
    return said("picture-all-questions") if group == ALL else _path_words(group)


def apart(name: str, ours: Collection[str]) -> str:
    """A published name, kept apart from a run of the same model."""
    return f"{name} (published)" if name in ours else name


def _overview_row(
    name: str,
    rows: Sequence[Sequence[Any]],
    group: str,
    ours: dict[str, int],
    always: Collection[tuple[str, str]],
) -> ChartRow:
    """A run, or a published row, in a group."""
    one = (name, group) in always
    marks = [
        ChartMark(
            value,
            run_series(ours[name], hollow=one) if name in ours else Series(kind, hollow=True),
            *((None, None) if one else (low, high)),
        )
        for other, kind, of, value, low, high, _ in rows
        if (other, of) == (name, group)
    ]
    return ChartRow(marks, name=name)


def group_panels(runs: Sequence[PaperRun]) -> dict[str, list[str]]:
    """The groups to show side by side: those that the benchmark says, or those of the top level."""
    names = list(dict.fromkeys(name for run in runs for name in run.groups))
    declared = finer_groups(names, known(runs[0].manifest).panels)
    if declared and all(declared.values()):
        return declared
    top = [name for name in names if "/" not in name and name != ALL]
    members = {
        name: {n for run in runs if name in run.groups for n in _trials(run.groups[name])}
        for name in top
    }
    top = [
        name
        for place, name in enumerate(top)
        if not any(members[name] == members[other] for other in top[place + 1 :])
    ]
    finer = [name for name in names if name.count("/") == 1]
    shown = finer if len(top) <= 3 and len(finer) <= _MOST_GROUPS and finer else top
    return {"": shown} if len(shown) > 1 else {}


def _trials(rows: Rows) -> list[int]:
    names: list[int] = rows.table.trial[rows.numbers].tolist()
    return names


def finer_groups(names: Sequence[str], panels: Sequence[str]) -> dict[str, list[str]]:
    """The groups right within each of some others."""
    return {
        panel: [name for name in names if name.startswith(f"{panel}/") and name.count("/") == 1]
        for panel in panels
    }


def draw_dimensions(benchmark: str, runs: list[PaperRun]) -> Drawn | None:
    """How many questions there are of each kind (Weck et al. 2024, Figure 2).

    Of benchmarks that say which kinds stand side by side, and of own questions of two categories
    with finer ones in them.
    """
    names = list(dict.fromkeys(name for run in runs for name in run.groups))
    sides: Sequence[str] = known(runs[0].manifest).panels
    if not sides and benchmark.partition("-")[0] == OWN:
        sides = list(dict.fromkeys(name.partition("/")[0] for name in names if "/" in name))
    panels = finer_groups(names, sides)
    if len(panels) != 2 or not all(panels.values()):
        return None
    counts = {
        group: len(
            {n for run in runs if group in run.groups for n in run.groups[group].items.tolist()}
        )
        for groups in panels.values()
        for group in groups
    }
    deepest = max(len(groups) for groups in panels.values())
    figure, axes = canvas(TWO_COLUMNS, 0.6 + 0.19 * deepest, 2)
    rows: list[list[Cell]] = []
    for panel, (ax, (title, groups)) in enumerate(zip(axes, panels.items(), strict=True)):
        groups = sorted(groups, key=lambda group: -counts[group])
        sizes = [counts[group] for group in groups]
        rows += [[title, group, size] for group, size in zip(groups, sizes, strict=True)]
        ax.barh(range(len(groups)), sizes, color=(BLUE, VERMILLION)[panel], height=0.66)
        for row, size in enumerate(sizes):
            ax.annotate(
                str(size), (size, row), (3, 0), textcoords="offset points", va="center", fontsize=7
            )
        rows_axis(ax, [humanly(group) for group in groups], deepest)
        ax.set_xlim(0, 1.12 * max(counts.values()))
        ax.set_title(humanly(title))
        ax.spines["bottom"].set_visible(False)
        ax.set_xticks([])
        letter(ax, panel)
    return Drawn(
        f"{benchmark}-dimensions",
        said("figure-dimensions", benchmark=benchmark),
        said("figure-dimensions-caption"),
        figure,
        ["category", "dimension", "questions"],
        rows,
    )


def draw_groups(benchmark: str, runs: list[PaperRun]) -> Drawn | None:
    """Accuracy by group of questions (Weck et al. 2024, Figure 4)."""
    runs = [run for run in runs if run.plain]
    panels = group_panels(runs) if runs else {}
    if not panels:
        return None
    shares = []
    titles = known(runs[0].manifest).titles
    for panel, groups in panels.items():
        nested = any("/" in group for group in groups) and not panel
        words = _path_words if nested else humanly
        chances = {g: chance_of(runs[0].groups[g]) for g in groups if g in runs[0].groups}
        shares += [
            DrawnShare(
                run, titles.get(group) or words(group), estimate(run.groups[group]),
                chances.get(group), titles.get(panel) or humanly(panel), group,
                always=_one_answer(Frame(run.groups[group])),
            )
            for group in groups
            for run in runs
            if group in run.groups
        ]  # fmt: skip
    title = said("figure-groups", benchmark=benchmark)
    caption = said("figure-groups-caption", hollow=any(one.always for one in shares))
    label = said("picture-accuracy")
    return draw_shares(f"{benchmark}-groups", title, caption, shares, label=label)


def _one_answer(frame: Frame) -> bool:
    """Tell whether one answer was given to everything."""
    return ALL in constant_answers(frame, [ALL])


def _path_words(group: str) -> str:
    return ", ".join(part.replace("_", " ") for part in group.split("/")).capitalize()


def draw_differences(benchmark: str, runs: list[PaperRun]) -> Drawn | None:
    """The two best runs: in which groups does one really do better?"""
    from zhiyin.analysis.compare import compare
    from zhiyin.errors import InputError

    runs = [run for run in runs if run.plain]
    if len(runs) < 2:
        return None
    ranked = sorted(runs, key=lambda run: -(estimate(run.plain).value or 0.0))
    ways = [[ranked[place] for place in own] for own in asked_alike(ranked)]
    alike = next((own for own in ways if len(own) > 1), None)
    if alike is None:
        return None
    best = alike[:2]
    try:
        comparison = compare([run.folder for run in alike])
    except InputError:  # other questions: nothing that could be paired
        return None
    names = [run.label for run in comparison.runs[:2]]
    pair = next((one for one in comparison.pairs if [one.first, one.second] == names), None)
    if pair is None:
        return None
    wanted = {ALL, *(group for groups in group_panels(best).values() for group in groups)}
    bare, altered = best[0].rows.ways.bare, best[0].rows.ways.is_altered
    rows = {bare(row.group): row for row in pair.groups[::-1] if not altered(row.group)}
    shown = [row for group, row in [*rows.items()][::-1] if group in wanted]
    if not shown:
        return None
    made, (ax,) = canvas(TWO_COLUMNS * 0.72, 0.85 + 0.19 * len(shown))
    ends = [abs(end) for row in shown for end in (row.low, row.high, row.detectable)]
    # Few items, or few clusters, can show no difference: that end is infinite.
    widest = max((end for end in ends if math.isfinite(end)), default=1.0)
    for y, row in enumerate(shown):
        band = min(row.detectable, widest)
        ax.barh(y, 2 * band, left=-band, height=0.8, color="#efefef", zorder=0)
    names = [bare(row.group) for row in shown]
    titles = {**known(best[0].manifest).titles, ALL: said("picture-all-items")}
    plot_rows(ax, [
        _difference_row(titles.get(name) or _path_words(name), row, best)
        for name, row in zip(names, shown, strict=True)
    ])  # fmt: skip
    ax.axvline(0, color=INK, linewidth=0.6, zorder=1)
    percent_axis(ax, "x", said("picture-difference"), whole=False)
    ax.set_xlim(-1.05 * widest, 1.05 * widest)
    first, second = best[0].label, best[1].label
    better = said("picture-left-better", run=second), said("picture-right-better", run=first)
    left, right = (PictureText(text, width=_TITLE_WIDTH) for text in better)
    ax.set_title(left, loc="left", color=look(best[1].place)["color"])
    ax.set_title(right, loc="right", color=look(best[0].place)["color"])
    return Drawn(
        f"{benchmark}-differences",
        said("figure-differences", benchmark=benchmark, first=first, second=second),
        said(
            "figure-differences-caption",
            first=first,
            second=second,
            items=pair.groups[0].items,
            alpha=comparison.alpha,
        ),
        made,
        [
            *("group", "items", "difference", "low", "high", "p", "p_adjusted", "detectable"),
            *("first", "second"),
        ],
        [
            [
                *(name, r.items, r.difference, r.low, r.high, r.p, r.p_adjusted),
                *(r.findable(), first, second),
            ]
            for name, r in zip(names, shown, strict=True)
        ],
    )


def _difference_row(name: Text, row: GroupDifference, best: Sequence[PaperRun]) -> ChartRow:
    """A difference with the mark of the better run where it is significant."""
    series = Series("unsure")
    if row.resolved:
        series = run_series(best[row.difference < 0].place)
    return ChartRow([ChartMark(row.difference, series, row.low, row.high)], name=name)
