"""Published results beside runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from zhiyin.analysis.summary import Summary
from zhiyin.cli.summary_tables import labels, titles_of
from zhiyin.contract.declared import Reference
from zhiyin.engine.tally import ALL
from zhiyin.numerals import percent
from zhiyin.shown.table import Cell, Column, Row, Table, table_of

_MOST_ACROSS = 6
_PUBLISHED = {"accuracy": "accuracy", "f1": "F1", "precision": "precision", "recall": "recall"}


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
            lines: list[tuple[str, list[Cell]]] = [
                (
                    f"{name} (this run)",
                    [_figure(run, group, figure) for group in groups],
                )
                for name, run in zip(labels(runs), runs, strict=True)
            ]
            lines += [
                (name, [_published(reference, name, group, figure) for group in groups])
                for name in names
            ]
            yield _table(f"{reference.title}: {figure}, %", groups, lines, len(runs), titles)


def _figure(run: Summary, group: str, figure: str) -> Cell:
    """A figure of a group that a run holds whole; some that are published are none of ours."""
    own = run.groups.get(group) if group in run.whole else None
    value: float | None = getattr(own, figure, None)
    return value


def _published(reference: Reference, name: str, group: str, figure: str) -> Cell:
    """A published figure, with the range of the single scores behind it where that is published."""
    value = reference.rows[name].get(group, {}).get(figure)
    ends = reference.ranges.get(name, {}).get(group, {}).get(figure)
    if ends is None:
        return value
    low, high = (f"{100 * end:.0f}" for end in ends)
    return f"{percent(value)} ({low if low == high else f'{low} to {high}'})"


def _table(
    title: str,
    groups: tuple[str, ...],
    lines: list[tuple[str, list[Cell]]],
    ours: int,
    titles: Mapping[str, str],
) -> Table:
    named = [_label(group, titles) for group in groups]
    if len(groups) <= max(_MOST_ACROSS, len(lines)):
        rows = [
            Row((name, *cells), mark="strong" if number < ours else "")
            for number, (name, cells) in enumerate(lines)
        ]
        return table_of("published", _columns(named), rows, title)
    down = [(name, *(cells[n] for _, cells in lines)) for n, name in enumerate(named)]
    return table_of("published", _columns([name for name, _ in lines]), down, title)


def _columns(shares: Sequence[str]) -> list[Column]:
    return [Column(""), *(Column(name, "share") for name in shares)]


def _label(group: str, titles: Mapping[str, str]) -> str:
    if group in titles:
        return titles[group]
    return "all" if group == ALL else group.replace("/", " / ").replace("_", " ")


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
