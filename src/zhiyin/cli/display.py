"""Results as tables in a terminal, or as JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from zhiyin import numerals
from zhiyin.analysis.summary import published
from zhiyin.cli.tables import print_table
from zhiyin.contract.declared import Section
from zhiyin.contract.registry import known
from zhiyin.engine.log import read_manifest
from zhiyin.engine.naming import run_names

_FILE_WIDTH = 120
_COLUMNS = ("n", "ans.", "acc.", "95 % int.", "prec.", "F1", "IFR")


def print_json(value: Any) -> None:
    """Print one JSON object and a line end on standard output."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def open_console() -> Any:
    """Where tables go: the terminal as wide as it is, a file or pipe wide enough not to wrap."""
    from zhiyin.cli.terminal import Terminal

    wide = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Terminal(highlight=False, width=_FILE_WIDTH if wide else None)


def print_summary(summaries: list[dict[str, Any]], *, as_json: bool, beside: bool = True) -> None:
    """Print what `summary.summarise` gave for runs, `beside` what has been published or alone."""
    if as_json:
        print_json(summaries[0] if len(summaries) == 1 else {"runs": summaries})
        return
    console = open_console()
    for name in dict.fromkeys(summary["benchmark"] for summary in summaries):
        runs = [summary for summary in summaries if summary["benchmark"] == name]
        for run in runs:
            console.print(_heading(run), soft_wrap=True)
            for line in run.get("reading", {}).get("lines", ()):
                console.print(f"  {_escape(line)}", soft_wrap=True)
            for line in (run.get("cost") or {}).get("lines", ()):
                console.print(f"  {_escape(line)}", soft_wrap=True)
            if len(runs) == 1:
                print_table(console, _groups_table(run["groups"], titles_of(run["run"])))
                for section in run["details"]:
                    print_section(console, section)
            for warning in run["warnings"]:
                console.print(f"  [yellow]warning:[/] {_escape(warning)}", soft_wrap=True)
        for remark in dict.fromkeys(remark for run in runs for remark in run["remarks"]):
            console.print(f"  note: {_escape(remark)}", soft_wrap=True)
        if len(runs) > 1:
            print_table(console, _side_by_side(runs))
        if beside:
            _print_beside(console, runs)


def _print_beside(console: Any, runs: list[dict[str, Any]]) -> None:
    from zhiyin.cli.beside import reference_tables

    reference = published(runs[0]["run"])
    if reference is None:
        return
    tables = list(reference_tables(reference, runs))
    if not tables:
        parts = list(dict.fromkeys(run["part"] or "the run is not finished" for run in runs))
        told = _escape("; ".join(parts[:2]))
        console.print(f"  beside no published figures: {told}", soft_wrap=True)
        return
    if not (reference.in_details and len(runs) == 1):
        for table in tables:
            print_table(console, table)
    console.print(f"  published: {_escape(reference.source)}", soft_wrap=True)


def labels(runs: list[dict[str, Any]]) -> list[str]:
    """What to call each run: see `naming.run_names`."""
    folders = [Path(run["run"]) for run in runs]
    return run_names(folders, [read_manifest(folder) for folder in folders])


def _side_by_side(runs: list[dict[str, Any]]) -> Any:
    """Accuracy with its interval: groups down, runs across."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title="accuracy, %", title_justify="left")
    table.add_column("", overflow="fold")
    for label in labels(runs):
        table.add_column(_escape(label), justify="right", overflow="fold")
    groups = {name: figures for run in runs for name, figures in run["groups"].items()}
    titles = titles_of(runs[0]["run"])
    for name in groups:
        cells = [run["groups"].get(name) for run in runs]
        table.add_row(_escape(_indented(name, groups, titles)), *map(_with_interval, cells))
    return table


def print_before_and_after(summary: dict[str, Any]) -> None:
    """Print what scoring a run again has changed: the figures of the whole, before and after."""
    from rich.table import Table

    before, options = summary["before"], summary["settings"]["options"]
    versions = before["benchmark_version"], summary["settings"]["benchmark_version"]
    table = Table(box=None, pad_edge=False, title="before and after, %", title_justify="left")
    for column in ("rule", "version", "errors", "acc.", "95 % int.", "prec.", "F1", "IFR"):
        table.add_column(column, justify="left" if column == "rule" else "right", overflow="fold")
    rows = (
        (before["extract"], versions[0], before["groups"]["all"]),
        (options["extract"], versions[1], summary["groups"]["all"]),
    )
    for rule, version, figures in rows:
        ends = _interval(figures), percent(figures["precision"])
        table.add_row(
            *(_escape(str(rule or "the default")), str(version or "-"), str(figures["errors"])),
            *(percent(figures["accuracy"]), *ends, percent(figures["f1"])),
            percent(figures["ifr"]),
        )
    console = open_console()
    print_table(console, table)
    of = sum(summary["states"].values())
    console.print(f"  {summary['changed']} of {of} verdicts differ", soft_wrap=True)


def _with_interval(figures: dict[str, Any] | None) -> str:
    if not figures or figures["accuracy"] is None:
        return "-"
    low, high = figures["ci95"]
    return f"{100 * figures['accuracy']:.1f} ({100 * low:.0f}–{100 * high:.0f})"


def _interval(figures: dict[str, Any]) -> str:
    low_high = figures["ci95"]
    return "-" if low_high is None else "–".join(f"{100 * x:.1f}" for x in low_high)


def _heading(summary: dict[str, Any]) -> str:
    states = ", ".join(f"{n} {state}" for state, n in summary["states"].items() if n)
    rate = summary["trials_per_s"]
    speed = f", {summary['elapsed_s']:.1f} s, {rate:,.0f} trials/s" if rate else ""
    sequences = summary.get("sequences")
    begun = sequences["begun"] if sequences else 0
    within = f", {begun} sequence{'s' if begun > 1 else ''}" if begun else ""
    trials = f"{summary['trials']} trials{within}{_on_items(summary)}"
    return (
        f"\n[bold]{_escape(summary['benchmark'])}[/]  [bold]{_escape(summary['name'])}[/]  "
        f"{_escape(summary['run'])}\n{trials}: {states}{speed}"
    )


def _on_items(summary: dict[str, Any]) -> str:
    """What was asked about, where that is less than the trials, and what hangs together."""
    whole = summary["groups"]["all"]
    if whole["items"] == whole["n"]:
        return ""
    of = f" in {whole['clusters']} clusters" if whole["clusters"] else ""
    return f" on {whole['items']} items{of} (an item's trials are averaged first)"


def _groups_table(groups: dict[str, dict[str, Any]], titles: Mapping[str, str]) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("group, %", overflow="fold")
    for column in _COLUMNS:
        table.add_column(column, justify="right", no_wrap=True)
    for name, figures in groups.items():
        table.add_row(
            _escape(_indented(name, groups, titles)),
            str(figures["n"]),
            str(figures["answered"]),
            percent(figures["accuracy"]),
            _interval(figures),
            percent(figures["precision"]),
            percent(figures["f1"]),
            percent(figures["ifr"]),
        )
    return table


def print_section(console: Any, section: Section) -> None:
    """Print a table that a benchmark made, and its notes."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), title=section.title)
    table.title_justify = "left"
    for number, column in enumerate(section.columns):
        side: Any = "right" if number else "left"
        table.add_column(_escape(column), justify=side, vertical="bottom", overflow="fold")
    for row in section.rows:
        table.add_row(*map(_cell, row))
    print_table(console, table)
    for note in section.notes:
        console.print(f"  {_escape(note)}", soft_wrap=True)


def _cell(value: str | float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else _escape(str(value))


def _indented(name: str, groups: dict[str, Any], titles: Mapping[str, str]) -> str:
    """What a group is called; without the part that a group above it says already."""
    parent, _, own = name.rpartition("/")
    depth = 0
    while parent:
        if parent in groups:
            depth += 1
            own = own if depth > 1 else name[len(parent) + 1 :]
        parent = parent.rpartition("/")[0]
    return "  " * depth + (titles.get(name) or (own if depth else name).replace("_", " "))


def titles_of(run: str) -> Mapping[str, str]:
    """Plain labels of the groups of a run."""
    return known(read_manifest(run)).titles


def percent(value: float | None) -> str:
    """A fraction as a percentage with two decimals, as the papers print them."""
    return numerals.percent(value, 2)


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)
