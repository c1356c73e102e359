"""Runs on one screen: the total, the top groups, the warnings; and where the rest is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from zhiyin.analysis.extent import expected_of
from zhiyin.analysis.summary import Summary, published
from zhiyin.cli.display import (
    cells_of,
    figures_table,
    has_figures,
    indented,
    labels,
    lines_of,
    no_published,
    percent,
    print_heading,
    say_warnings,
    section_table,
    titles_of,
)
from zhiyin.cli.screen import Part, Screen, named_table, nothing, sentences, table_of
from zhiyin.engine.log import read_manifest
from zhiyin.engine.tally import ALL

if TYPE_CHECKING:
    from rich.table import Table

    from zhiyin.shown.terminal import Terminal
    from zhiyin.contract.declared import Reference, Section
    from zhiyin.runs.figures import GroupFigures
    from zhiyin.words.findings import Warning

_ROWS = (16, 12, 10, 8, 6, 4, 3, 2)
_ROW_RANKS = (2, 2.5, 3, 3.5, 5, 7, 9)
_WARNINGS, _WARNING_RANKS = (4, 2, 1), (2.05, 4, 6, 8)
_PUBLISHED = {"accuracy": "accuracy", "f1": "F1", "precision": "precision", "recall": "recall"}
MORE = "--groups all"


def print_brief(
    console: Terminal,
    runs: Sequence[Summary],
    *,
    beside: bool = True,
    more: str = MORE,
    taken: int = 0,
) -> None:
    """Print one run, or several in one table, on one screen.

    Parameters
    ----------
    console : Terminal
    runs : sequence of Summary
        What `summary.summarise` gave.
    beside : bool
        Print what has been published too.
    more : str
        How to see the rest.
    taken : int
        Lines that are printed after it on the same screen.
    """
    screen = Screen(console, taken)
    if len(runs) == 1:
        _add_run(screen, runs[0])
    else:
        _add_runs(screen, runs)
    if beside:
        _add_published(screen, runs)
    if rest := _rest(runs):
        screen.add(lambda console: console.say(f"{rest}: {more}"))
    screen.show()


def _add_run(screen: Screen, run: Summary) -> None:
    room = max(16, screen.width - cell_len(run.benchmark) - 2)
    screen.add(lambda console: print_heading(console, run, room))
    reading, cost = lines_of(run)
    screen.add(*sentences(reading, (3, 2, 1)), rank=(4.5, 5.5, 6.2))
    screen.add(*sentences(cost, (2, 1)), rank=(0.5, 1))
    for section in run.details:
        if section.leads:
            forms = table_of(partial(section_table, section), (8, 4, 2))
            screen.add(*forms, rank=(1.4, 2.1))
            screen.add(*sentences(section.notes, (2, 1, 0), label="note"), rank=(0.05, 0.3, 0.9))
    if has_figures(run):
        titles = titles_of(run.run)

        def table(rows: int | None) -> Table:
            return top_table(run.groups, titles, rows, screen.width)

        screen.add(*table_of(table, _ROWS), rank=_ROW_RANKS)
    if run.states.get("ungraded"):  # what has no right answer has its scores there
        for section in (each for each in run.details if not each.leads):
            forms = table_of(partial(section_table, section), (9, 4, 2))
            screen.add(*forms, nothing, rank=(1.5, 2.2, 6.5))
    grave = sum(one.severity == "stop" for one in run.warnings)  # the first: always shown
    fewer = dict.fromkeys(max(most, grave) for most in _WARNINGS)
    screen.add(*_warned(run.warnings, [*fewer]), rank=_WARNING_RANKS)
    notes = [remark.text for remark in run.remarks]
    screen.add(*sentences(notes, (2, 1, 0), label="note"), rank=(0, 0.1, 0.2))


def _warned(warnings: Sequence[Warning], counts: Sequence[int]) -> list[Part]:
    """Forms of warnings: all with their commands, all without, the first ones alone."""
    lines = [one.text for one in warnings]
    told = sentences(lines, counts, label="warning", style="yellow", rest="more warnings")
    if not any(one.remedy for one in warnings):
        return told
    return [lambda console: say_warnings(console, warnings), *told]


def top_table(
    groups: Mapping[str, GroupFigures], titles: Mapping[str, str], rows: int | None, width: int
) -> Table:
    """The figures of the top groups in a terminal of some width."""
    chosen = top_groups({name: own.n for name, own in groups.items()}, rows)
    return named_table(
        lambda: figures_table("group, %"),
        [indented(name, groups, titles) for name in chosen],
        [cells_of(groups[name]) for name in chosen],
        width,
        len(groups) - len(chosen),
    )


def top_groups(groups: Mapping[str, int], most: int | None) -> list[str]:
    """The names of the top groups in their order, at most so many: whole levels as far as they go.

    Where the first level alone is more, those with the most trials in it.
    """
    if most is None or len(groups) <= most:
        return list(groups)
    depths = {name: depth_of(name, groups) for name in groups}
    for deepest in range(max(depths.values()), -1, -1):
        level = [name for name in groups if depths[name] <= deepest]
        if len(level) <= most:
            return level
    first = [name for name in groups if not depths[name]]
    size = sorted(first, key=lambda name: (name != ALL, -groups[name]))
    kept = set(size[:most])
    return [name for name in first if name in kept]


def depth_of(name: str, groups: Mapping[str, Any]) -> int:
    """How many groups a group is within."""
    parts = name.split("/")
    return sum("/".join(parts[:end]) in groups for end in range(1, len(parts)))


def _add_runs(screen: Screen, runs: Sequence[Summary]) -> None:
    names = labels(runs)
    if len({run.benchmark for run in runs}) > 1:
        names = [f"{run.benchmark}: {name}" for run, name in zip(runs, names, strict=True)]

    def table(rows: int | None) -> Table:
        return runs_table(runs, names, rows, screen.width)

    screen.add(lambda console: console.print())
    screen.add(*table_of(table, (None, 20, 15, 10, 6)), rank=(3, 5, 7, 9))
    by_warning: dict[str, list[str]] = {}
    for name, run in zip(names, runs, strict=True):
        for warning in run.warnings:
            by_warning.setdefault(warning.text, []).append(name)
    counts = [
        f"{name} {len(run.warnings)}" for name, run in zip(names, runs, strict=True) if run.warnings
    ]
    if counts:
        every = sum(len(run.warnings) for run in runs)
        lines = [f"{', '.join(who)}: {what}" for what, who in by_warning.items()]
        where = "(`zhiyin show RUN` tells them)"
        screen.add(
            *sentences(lines, (), label="warning", style="yellow"),
            *sentences([f"{', '.join(counts)} {where}"], (), label="warnings", style="yellow"),
            _line(f"{every} warnings, in {len(counts)} of these runs {where}", "yellow"),
            rank=(4, 6),
        )


def runs_table(
    runs: Sequence[Summary], names: Sequence[str], rows: int | None, width: int
) -> Table:
    """A row for each run: its figures on everything, what failed, what it cost."""
    costs = [run.cost.usd if run.cost else None for run in runs]
    priced = any(cost is not None for cost in costs)
    body = []
    for run, cost in zip(runs, costs, strict=True):
        row = [*cells_of(run.groups[ALL]), str(run.states["error"])]
        body.append(row + (["-" if cost is None else f"{cost:.2f}"] if priced else []))

    def empty() -> Table:
        table = figures_table("run, %")
        for column in ("err.", "usd")[: 1 + priced]:
            table.add_column(column, justify="right", no_wrap=True)
        return table

    left = 0 if rows is None else max(0, len(runs) - rows)
    return named_table(empty, names[:rows], body[:rows], width, left)


def _add_published(screen: Screen, runs: Sequence[Summary]) -> None:
    for name in dict.fromkeys(run.benchmark for run in runs):
        own = [run for run in runs if run.benchmark == name]
        reference = published(own[0].run)
        if reference is None:
            continue
        line = published_line(reference, own)
        expected = expected_of(read_manifest(own[0].run))
        if line and expected is not None and expected.on_trust:
            line += f"; {expected.on_trust}"
        line = line or no_published(own)
        if len(own) < len(runs):
            line = f"{name}: {line}"
        screen.add(_line(line), nothing, rank=4.5 if len(runs) > 1 else 10)


def _line(line: str, style: str = "") -> Part:
    return lambda console: console.say(line, style=style)


def published_line(reference: Reference, runs: Sequence[Summary]) -> str:
    """The best and the last of what is published on a group that a run here holds whole."""
    whole = {group for run in runs for group in run.whole}
    rows_of: dict[tuple[str, str], dict[str, float]] = {}
    for name, row in reference.rows.items():
        for group, figures in row.items():
            for figure, value in figures.items():
                if group in whole and figure in _PUBLISHED:
                    rows_of.setdefault((group, figure), {})[name] = value
    if not rows_of:
        return ""

    def how_general(key: tuple[str, str]) -> tuple[bool, int, int, bool]:
        return key[0] == ALL, -key[0].count("/"), len(rows_of[key]), key[1] == "f1"

    group, figure = max(rows_of, key=how_general)
    rows = rows_of[group, figure]
    best, last = max(rows, key=rows.__getitem__), min(rows, key=rows.__getitem__)
    titles = titles_of(runs[0].run)
    called = titles.get(group) or ("everything" if group == ALL else group.replace("_", " "))
    line = f"published, {_PUBLISHED[figure]} on {called}, %: {best} {percent(rows[best])}"
    if len(rows) > 1:
        line += f" is the highest of {len(rows)} rows, {last} {percent(rows[last])} the lowest"
    holding = [run for run in runs if group in run.whole]
    here = holding[0].groups.get(group) if len(runs) == 1 else None
    own = getattr(here, figure) if here else None
    if own is not None:
        line += f"; this run {percent(own)}"
    return line


def _is_shown(section: Section, run: Summary) -> bool:
    """Whether a further table of a single run stands on the screen, without its notes."""
    return section.leads or bool(run.states.get("ungraded"))


def _rest(runs: Sequence[Summary]) -> str:
    """What `--groups all` shows beyond this, in a few words."""
    groups = max(len(run.groups) for run in runs)
    shown = [s for run in runs[: len(runs) == 1] for s in run.details if _is_shown(s, run)]
    tables = sum(len(run.details) for run in runs) - len(shown)
    notes = len({remark.text for run in runs for remark in run.remarks})
    notes += sum(len(section.notes) for section in shown)
    parts = [f"all {groups} groups"] if groups > 1 else []
    for count, word in ((tables, "further table"), (notes, "note")):
        if count:
            parts.append(f"{count} {word}{'s' if count > 1 else ''}")
    return ", ".join(parts)
