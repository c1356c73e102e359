"""Published results beside runs, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.markup import escape
from rich.table import Table

from zhiyin.analysis.summary import Summary
from zhiyin.cli.display import labels, percent, titles_of
from zhiyin.contract.declared import Reference
from zhiyin.engine.tally import ALL

_MOST_ACROSS = 6


def reference_tables(reference: Reference, runs: Sequence[Summary]) -> Iterator[Table]:
    """A table for each published figure and each set of groups that it was published for.

    Rows that were published for the same groups stand together, below the runs. Only groups
    are shown of which a run here holds all published items, and only in such runs. Where the
    groups are many they go down and the rows across.
    """
    runs = [run for run in runs if run.whole]
    titles = titles_of(runs[0].run) if runs else {}
    ran = {group for run in runs for group in run.whole}
    for figure in _figures(reference):
        together: dict[tuple[str, ...], list[str]] = {}
        for name, row in reference.rows.items():
            groups = tuple(g for g, figures in row.items() if figure in figures and g in ran)
            if groups:
                together.setdefault(groups, []).append(name)
        for groups, names in together.items():
            lines = [
                (
                    f"{name} (this run)",
                    [_own(run, g, figure) if g in run.whole else "-" for g in groups],
                )
                for name, run in zip(labels(runs), runs, strict=True)
            ]
            lines += [
                (name, [_published(reference, name, g, figure) for g in groups]) for name in names
            ]
            yield _table(f"{reference.title}: {figure}, %", groups, lines, len(runs), titles)


def _figures(reference: Reference) -> list[str]:
    rows = reference.rows.values()
    return list(dict.fromkeys(f for row in rows for group in row.values() for f in group))


def _own(run: Summary, group: str, figure: str) -> str:
    """A figure of a run; some that are published are none of ours."""
    return percent(getattr(run.groups.get(group), figure, None))


def _published(reference: Reference, name: str, group: str, figure: str) -> str:
    """A published figure, with the range of the single scores behind it where that is published."""
    cell = percent(reference.rows[name].get(group, {}).get(figure))
    ends = reference.ranges.get(name, {}).get(group, {}).get(figure)
    if ends is None:
        return cell
    low, high = (f"{100 * end:.0f}" for end in ends)
    return f"{cell} ({low if low == high else f'{low} to {high}'})"


def _table(
    title: str,
    groups: tuple[str, ...],
    lines: list[tuple[str, list[str]]],
    ours: int,
    titles: Mapping[str, str],
) -> Table:
    table = Table(box=None, pad_edge=False, title=title, title_justify="left")
    table.add_column("", overflow="fold")
    if len(groups) <= max(_MOST_ACROSS, len(lines)):
        for group in groups:
            table.add_column(
                _label(group, titles), justify="right", vertical="bottom", overflow="fold"
            )
        for number, (name, cells) in enumerate(lines):
            table.add_row(escape(name), *cells, style="bold" if number < ours else None)
        return table
    for number, (name, _) in enumerate(lines):
        style = "bold" if number < ours else None
        table.add_column(escape(name), justify="right", vertical="bottom", style=style)
    for number, group in enumerate(groups):
        table.add_row(_label(group, titles, " / "), *(cells[number] for _, cells in lines))
    return table


def _label(group: str, titles: Mapping[str, str], joint: str = "\n") -> str:
    if group in titles:
        return escape(titles[group])
    return "everything" if group == ALL else escape(group.replace("/", joint).replace("_", " "))
