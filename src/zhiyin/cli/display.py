"""Results as tables in a terminal, or as JSON."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from zhiyin.benchmarks import Reference
from zhiyin.summary import published
from zhiyin.tally import ALL

_COLUMNS = ("n", "answered", "accuracy", "95 % interval", "precision", "F1", "IFR")


def print_json(value: Any) -> None:
    """Print one JSON object and a line end on standard output."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def print_summary(summaries: list[dict[str, Any]], *, as_json: bool) -> None:
    """Print what `summary.summarise` gave for one or more runs."""
    if as_json:
        print_json(summaries[0] if len(summaries) == 1 else {"runs": summaries})
        return
    from rich.console import Console

    console = Console(highlight=False)
    for summary in summaries:
        console.print(_heading(summary), soft_wrap=True)
        console.print(_groups_table(summary["groups"]))
        for remark in summary["remarks"]:
            console.print(f"  note: {remark}", soft_wrap=True, markup=False)
        for warning in summary["warnings"]:
            console.print(f"  [yellow]warning:[/] {_escape(warning)}", soft_wrap=True)
    for name in dict.fromkeys(summary["benchmark"] for summary in summaries):
        reference = published(name)
        if reference:
            runs = [summary for summary in summaries if summary["benchmark"] == name]
            for table in _reference_tables(reference, runs):
                console.print(table)
            console.print(f"  published: {_escape(reference.source)}", soft_wrap=True)


def _heading(summary: dict[str, Any]) -> str:
    states = ", ".join(f"{n} {state}" for state, n in summary["states"].items() if n)
    rate = summary["trials_per_s"]
    speed = f", {summary['elapsed_s']:.1f} s, {rate:,.0f} trials/s" if rate else ""
    return (
        f"\n[bold]{_escape(summary['benchmark'])}[/]  [bold]{_escape(summary['model'])}[/]  "
        f"{_escape(summary['run'])}\n{summary['trials']} trials: {states}{speed}"
    )


def _groups_table(groups: dict[str, dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("group", overflow="fold")
    for column in _COLUMNS:
        table.add_column(column, justify="right", no_wrap=True)
    for name, figures in groups.items():
        low_high = figures["ci95"]
        interval = "-" if low_high is None else "–".join(f"{100 * x:.1f}" for x in low_high)
        table.add_row(
            _escape(name),
            str(figures["n"]),
            str(figures["answered"]),
            percent(figures["accuracy"]),
            interval,
            percent(figures["precision"]),
            percent(figures["f1"]),
            percent(figures["ifr"]),
        )
    return table


def _reference_tables(reference: Reference, runs: list[dict[str, Any]]) -> Any:
    """One table for each figure that was published: its groups across, runs first, then rows."""
    from rich.table import Table

    ran = {group for run in runs for group in run["groups"]}
    figures = dict.fromkeys(f for row in reference.rows.values() for g in row.values() for f in g)
    for figure in figures:
        groups = [
            group
            for group in dict.fromkeys(g for row in reference.rows.values() for g in row)
            if group in ran and any(figure in row.get(group, {}) for row in reference.rows.values())
        ]
        if not groups:
            continue
        table = Table(box=None, pad_edge=False, title=f"{reference.title}: {figure}, %")
        table.add_column("")
        for group in groups:
            table.add_column(_escape("everything" if group == ALL else group), justify="right")
        for run in runs:
            cells = [percent(run["groups"].get(group, {}).get(figure)) for group in groups]
            table.add_row(f"[bold]{_escape(run['model'])} (this run)[/]", *cells)
        for name, row in reference.rows.items():
            cells = [percent(row.get(group, {}).get(figure)) for group in groups]
            if any(cell != "-" for cell in cells):
                table.add_row(_escape(name), *cells)
        yield table


def percent(value: float | None) -> str:
    """A fraction as a percentage with two decimals, as the papers print them."""
    return "-" if value is None else f"{100 * value:.2f}"


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)
