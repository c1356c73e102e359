"""Tables of runs, alone, side by side and beside what has been published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.analysis.summary import Summary
from zhiyin.contract.declared import Reference
from zhiyin.contract.published_table import ITEMS
from zhiyin.contract.registry import known
from zhiyin.contract.resolved import run_names
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.report.printed import higher_apart
from zhiyin.runs.figures import GroupFigures, GroupTree
from zhiyin.shown.table import Cell, Column, Kind, Row, Table, table_of
from zhiyin.words import Said, Text, said
from zhiyin.words.reasons import as_said

if TYPE_CHECKING:
    from zhiyin.session.rescore import RescoredSummary


_FIGURES: dict[str, Kind] = {
    "n": "count", "ans.": "count", "acc.": "share", "95 % int.": "share", "prec.": "share",
    "F1": "share", "IFR": "share",
}  # fmt: skip
_MOST_ACROSS = 6
_PUBLISHED = {"accuracy": "accuracy", "f1": "F1", "precision": "precision", "recall": "recall"}


def _cells(own: GroupFigures) -> tuple[Cell, ...]:
    """The cells of a run or a group, in the one order that they have everywhere."""
    ends = (
        said("short-always", letter=own.always, others=own.always_but) if own.always else own.ci95
    )
    return (own.n, own.answered, own.accuracy, ends, own.precision, own.f1, own.ifr)


def _noted(own: GroupFigures) -> Iterator[Said]:
    if own.favours and not own.always:
        yield said("noted-letter", letter=own.favours)
    for other, gap in own.sound_adds.items():
        yield said("noted-sound", text=said("short-points-over", gap=gap, other=other))


def groups_table(run: Summary) -> Table:
    """The figures of a run's groups."""
    tree = GroupTree(run.groups, titles_of(run.run))
    rows = [
        Row(
            (tree.title(name), *_cells(own)), tree.level(name), tree.weight(name, own.n),
            notes=tuple(_noted(own)),
        )
        for name, own in run.groups.items()
    ]  # fmt: skip
    return Table("groups", "", (Column(said("cli-group")), *_columns_of(_FIGURES)), tuple(rows))


def runs_table(runs: Sequence[Summary], names: Sequence[str]) -> Table:
    """A row for each run: its figures on everything, what failed, what it cost.

    Below it the group that its benchmark's headline is of, where that is not everything.
    """
    priced = any(run.cost and run.cost.usd is not None for run in runs)
    rows: list[Row] = []
    for name, run in zip(names, runs, strict=True):
        cost = [run.cost.usd if run.cost else None] if priced else []
        rows.append(Row((name, *_cells(run.groups[ALL]), run.states["error"], *cost)))
        lead, titles = known(read_manifest(run.run)).measures[0].group, titles_of(run.run)
        inner = [one for one in run.groups if one != ALL and f"/{one}".endswith(f"/{lead}")]
        for own, title in [(run.groups[one], GroupTree(run.groups, titles).title(one))
                           for one in inner[:1]]:  # fmt: skip
            rows.append(Row((title, *_cells(own), own.errors, *[None for _ in cost]), 1))
    columns: dict[str, Kind] = {**_FIGURES, "err.": "count"} | ({"usd": "usd"} if priced else {})
    wholes = [(name, run.groups[ALL]) for name, run in zip(names, runs, strict=True)]
    averaged = [name for name, own in wholes if own.n and own.items != own.n]
    notes = [said("cli-averaged", who=averaged)] if averaged else []
    heads = Column(said("cli-run")), *_columns_of(columns)
    return Table("runs", "", heads, tuple(rows), tuple(notes))


def _columns_of(kinds: Mapping[str, Kind]) -> list[Column]:
    return [Column(name, kind) for name, kind in kinds.items()]


def side_by_side(runs: Sequence[Summary]) -> Table:
    """Accuracy with its interval: groups down, runs across."""
    tree = GroupTree((name for run in runs for name in run.groups), titles_of(runs[0].run))
    rows = [
        Row((tree.title(name), *(_accuracy(run, name) for run in runs)), tree.level(name))
        for name in tree
    ]
    columns = [Column(""), *(Column(label, "share") for label in labels(runs))]
    return table_of("accuracy", columns, rows, "accuracy, %")


def _accuracy(run: Summary, group: str) -> Cell:
    own = run.groups.get(group)
    if own is None or own.accuracy is None or own.ci95 is None:
        return None
    return own.accuracy if own.always else (own.accuracy, *own.ci95)


def before_and_after(summary: RescoredSummary) -> Table:
    """Tabulate the changes from scoring a run again."""
    before, settings = summary.before, summary.settings
    versions = before.benchmark_version, settings["benchmark_version"]
    rules = before.extract or said("rule-default"), settings["options"]["extract"]
    both = before.groups[ALL], summary.groups[ALL]
    rows = [
        (rule, str(version or "-"), own.errors, *_cells(own)[2:])
        for rule, version, own in zip(rules, versions, both, strict=True)
    ]
    columns: dict[str, Kind] = {"rule": "text", "benchmark version": "number", "errors": "count"}
    if versions[0] == versions[1]:  # else the questions' own scoring may have changed, too
        rows = [(rule, *cells) for rule, _, *cells in rows]
        del columns["benchmark version"]
    figures = dict(list(_FIGURES.items())[2:])
    return table_of("rescored", columns | figures, rows, "before and after, %")


def labels(runs: Sequence[Summary]) -> list[str]:
    """Name each run: see `naming.run_names`; of several benchmarks with the benchmark."""
    folders = [Path(run.run) for run in runs]
    names = run_names(folders, [read_manifest(folder) for folder in folders])
    if len({run.benchmark for run in runs}) == 1:
        return names
    return [f"{run.of_which_set}: {name}" for run, name in zip(runs, names, strict=True)]


def titles_of(run: str) -> Mapping[str, Text]:
    """Plain labels of the groups of a run."""
    return known(read_manifest(run)).titles


def reference_tables(reference: Reference, runs: Sequence[Summary]) -> Iterator[Table]:
    """A table for each published figure and each set of groups that it was published for.

    Rows that were published for the same groups stand together, below the runs. Only groups
    are shown of which a run here holds all published items, and only in such runs. Where the
    groups are many they go down and the rows across.
    """
    runs = [run for run in runs if run.whole]
    titles = titles_of(runs[0].run) if runs else {}
    ran = {group for run in runs for group in run.whole}
    figures = {f: None for row in reference.rows.values() for own in row.values() for f in own}
    for figure in figures:
        together: dict[tuple[str, ...], list[str]] = {}
        for name, row in reference.rows.items():
            groups = tuple(g for g, own in row.items() if figure in own and g in ran)
            if groups:
                together.setdefault(groups, []).append(name)
        for groups, names in together.items():
            first = ALL if ALL in groups else groups[0]
            names.sort(key=lambda name: -reference.rows[name][first][figure])
            names.sort(key=lambda name: reference.of(name).date, reverse=True)
            lines: list[tuple[Text, list[Cell]]] = [
                (said("cli-this-run", name=name), [_figure(run, group, figure) for group in groups])
                for name, run in zip(labels(runs), runs, strict=True)
            ]
            lines += [
                (name, [_published(reference, name, group, figure) for group in groups])
                for name in names
            ]
            title = said("cli-reference", title=reference.title, figure=figure)
            notes = [*_limits(reference, names, groups)]
            yield _table(title, groups, lines, len(runs), titles, notes)


def _limits(reference: Reference, names: Sequence[str], groups: Sequence[str]) -> Iterator[Text]:
    """Say which published rows are of fewer questions, and which figures are made otherwise."""
    parts: dict[str, list[str]] = {}
    for name in names:
        if items := reference.of(name).asked.get(ITEMS):
            parts.setdefault(items, []).append(name)
    for items, who in parts.items():
        yield said("published-of-part", who=who if len(who) < len(names) else None, items=items)
    if ranged := [name for name in names if reference.ranges.get(name, {}).keys() & set(groups)]:
        yield said("published-range", who=ranged)
    noted = ((of, note) for name in names for of, note in reference.notes.get(name, {}).items())
    for note in dict.fromkeys(note for of, note in noted if of in groups):
        yield as_said("published-part", note)


def _figure(run: Summary, group: str, figure: str) -> Cell:
    """A figure of a group that a run holds whole; some that are published are none of ours."""
    own = run.groups.get(group) if group in run.whole else None
    value: float | None = getattr(own, figure, None)
    return value


def _published(reference: Reference, name: str, group: str, figure: str) -> Cell:
    """A published figure, with the range of the single scores behind it where that is published."""
    value = reference.rows[name].get(group, {}).get(figure)
    ends = reference.ranges.get(name, {}).get(group, {}).get(figure)
    return value if value is None or ends is None else (value, *ends)


def _table(
    title: Said,
    groups: tuple[str, ...],
    lines: list[tuple[Text, list[Cell]]],
    ours: int,
    titles: Mapping[str, Text],
    notes: Sequence[Text],
) -> Table:
    tree = GroupTree([], titles)
    named = [tree.title(group) for group in groups]
    if len(groups) <= max(_MOST_ACROSS, len(lines)):
        rows = [
            Row((name, *cells), mark="strong" if number < ours else "")
            for number, (name, cells) in enumerate(lines)
        ]
        return table_of("published", _columns(named), rows, title, notes)
    down = [(name, *(cells[n] for _, cells in lines)) for n, name in enumerate(named)]
    return table_of("published", _columns([name for name, _ in lines]), down, title, notes)


def _columns(shares: Sequence[Text]) -> list[Column]:
    return [Column(""), *(Column(name, "share") for name in shares)]


def published_line(reference: Reference, runs: Sequence[Summary], trust: Text) -> Said | None:
    """The best and the last of what is published on a group that a run here holds whole."""
    whole = {group for run in runs for group in run.whole}
    rows_of: dict[tuple[str, str], dict[str, float]] = {}
    for name, row in reference.rows.items():
        for group, figures in row.items():
            for figure, value in figures.items():
                if group in whole and figure in _PUBLISHED:
                    rows_of.setdefault((group, figure), {})[name] = value
    if not rows_of:
        return None

    def how_general(key: tuple[str, str]) -> tuple[bool, int, int, bool]:
        return key[0] == ALL, -key[0].count("/"), len(rows_of[key]), key[1] == "f1"

    order = [*runs[0].groups]  # of two alike the first, as on a page
    able = sorted(rows_of, key=lambda key: order.index(key[0]) if key[0] in order else len(order))
    group, figure = max(able, key=how_general)
    rows = rows_of[group, figure]
    holding = [run for run in runs if group in run.whole]
    here = holding[0].groups.get(group) if len(runs) == 1 else None
    best, last = max(rows, key=rows.__getitem__), min(rows, key=rows.__getitem__)
    return said(
        "cli-published",
        figure=_PUBLISHED[figure],
        group=GroupTree([], titles_of(runs[0].run)).title(group),
        best=best,
        highest=rows[best],
        rows=len(rows),
        last=last,
        lowest=rows[last],
        higher=higher_apart(reference, best, group, figure),
        own=getattr(here, figure) if here else None,
        trust=trust or None,
    )
