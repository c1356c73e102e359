"""Results as tables in a terminal, or as JSON."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from math import isfinite, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin import numerals
from zhiyin.analysis.summary import Summary, published
from zhiyin.cli import results
from zhiyin.cli.tables import print_table
from zhiyin.contract.declared import Section
from zhiyin.contract.registry import known
from zhiyin.engine.log import read_manifest
from zhiyin.engine.naming import run_names
from zhiyin.words.findings import Warning

if TYPE_CHECKING:
    from rich.table import Table

    from zhiyin.shown.terminal import Terminal
    from zhiyin.runs.figures import GroupFigures
    from zhiyin.session.rescore import RescoredSummary

_COLUMNS = ("n", "ans.", "acc.", "95 % int.", "prec.", "F1", "IFR")


def print_json(value: Any) -> None:
    """Print one JSON object and a line end on standard output."""
    results.stream().write(msgspec.json.encode(value).decode() + "\n")


def print_json_each(values: Sequence[Any], name: str) -> None:
    """Print the only one of some values as JSON, or an object with all of them under a name."""
    print_json(values[0] if len(values) == 1 else {name: values})


def open_console(**settings: Any) -> Terminal:
    """Where tables go: the terminal as wide as it is, a file or pipe wide enough not to wrap."""
    from zhiyin.shown.terminal import Terminal

    return Terminal(**settings)


def print_summary(
    summaries: Sequence[Summary],
    *,
    as_json: bool,
    beside: bool = True,
    whole: bool = False,
    more: str = "--groups all",
    taken: int = 0,
) -> None:
    """Print what `summary.summarise` gave for runs, `beside` what has been published or alone.

    One screen with the total, the top groups and the warnings; with `whole` every group, every
    further table and every note. `more` and `taken`: see `brief.print_brief`.
    """
    if as_json:
        print_json_each(summaries, "runs")
        return
    console = open_console()
    if not whole:
        from zhiyin.cli.brief import print_brief

        print_brief(console, summaries, beside=beside, more=more, taken=taken)
        return
    for name in dict.fromkeys(summary.benchmark for summary in summaries):
        runs = [summary for summary in summaries if summary.benchmark == name]
        for run in runs:
            print_heading(console, run)
            for line in itertools.chain(*lines_of(run)):
                console.say(line)
            if len(runs) == 1:
                leading = [section for section in run.details if section.leads]
                for section in leading:
                    print_section(console, section)
                if has_figures(run):
                    print_table(console, groups_table(run.groups, titles_of(run.run)))
                for section in run.details:
                    if not section.leads:
                        print_section(console, section)
            say_warnings(console, run.warnings)
        for remark in dict.fromkeys(remark.text for run in runs for remark in run.remarks):
            console.say(remark, 2, "note")
        if len(runs) > 1:
            print_table(console, _side_by_side(runs))
        if beside:
            _print_beside(console, runs)


def say_warnings(console: Terminal, warnings: Sequence[Warning]) -> None:
    """Print warnings, under each the command that mends it, in one line for copying."""
    for number, warning in enumerate(warnings):
        console.say(warning.text, 2, "warning", "yellow")
        following = warnings[number + 1 :]
        if warning.remedy and warning.remedy not in [one.remedy for one in following]:
            console.print(f"    {_escape(warning.remedy)}", style="dim", soft_wrap=True)


def _print_beside(console: Terminal, runs: Sequence[Summary]) -> None:
    from zhiyin.cli.beside import reference_tables

    reference = published(runs[0].run)
    if reference is None:
        return
    tables = list(reference_tables(reference, runs))
    if not tables:
        console.say(no_published(runs))
        return
    if not (reference.in_details and len(runs) == 1):
        for table in tables:
            print_table(console, table)
    console.say(f"published: {reference.source}")


def no_published(runs: Sequence[Summary]) -> str:
    """Why nothing that is published stands beside these runs."""
    parts = list(dict.fromkeys(run.part or "the run is not finished" for run in runs))
    return f"beside no published figures: {'; '.join(parts[:2])}"


def labels(runs: Sequence[Summary]) -> list[str]:
    """What to call each run: see `naming.run_names`."""
    folders = [Path(run.run) for run in runs]
    return run_names(folders, [read_manifest(folder) for folder in folders])


def _side_by_side(runs: Sequence[Summary]) -> Any:
    """Accuracy with its interval: groups down, runs across."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title="accuracy, %", title_justify="left")
    table.add_column("", overflow="fold")
    for label in labels(runs):
        table.add_column(_escape(label), justify="right", overflow="fold")
    groups = {name: figures for run in runs for name, figures in run.groups.items()}
    titles = titles_of(runs[0].run)
    for name in groups:
        cells = [run.groups.get(name) for run in runs]
        table.add_row(_escape(indented(name, groups, titles)), *map(_with_interval, cells))
    return table


def print_before_and_after(summary: RescoredSummary) -> None:
    """Print what scoring a run again has changed: the figures of the whole, before and after."""
    from rich.table import Table

    before, options = summary.before, summary.settings["options"]
    versions = before.benchmark_version, summary.settings["benchmark_version"]
    table = Table(box=None, pad_edge=False, title="before and after, %", title_justify="left")
    for column in ("rule", "version", "errors", "acc.", "95 % int.", "prec.", "F1", "IFR"):
        table.add_column(column, justify="left" if column == "rule" else "right", overflow="fold")
    rows = (
        (before.extract, versions[0], before.groups["all"]),
        (options["extract"], versions[1], summary.groups["all"]),
    )
    for rule, version, figures in rows:
        ends = _interval(figures), percent(figures.precision)
        table.add_row(
            *(_escape(str(rule or "the default")), str(version or "-"), str(figures.errors)),
            *(percent(figures.accuracy), *ends, percent(figures.f1)),
            percent(figures.ifr),
        )
    console = open_console()
    print_table(console, table)
    of = sum(summary.states.values())
    console.say(f"{summary.changed} of {of} verdicts differ")


def _with_interval(figures: GroupFigures | None) -> str:
    if not figures or figures.accuracy is None or figures.ci95 is None:
        return "-"
    low, high = figures.ci95
    return f"{100 * figures.accuracy:.1f} ({100 * low:.0f}–{100 * high:.0f})"


def _interval(figures: GroupFigures) -> str:
    low_high = figures.ci95
    return "-" if low_high is None else "–".join(f"{100 * x:.1f}" for x in low_high)


def print_heading(console: Terminal, summary: Summary, cells: int | None = None) -> None:
    """Benchmark, name (in so many cells of the terminal) and folder of a run, and its trials."""
    from rich.cells import cell_len

    from zhiyin.shown.terminal import shortened

    named = summary.name if cells is None else shortened(summary.name, cells)
    heading, where = f"{summary.benchmark}  {named}", str(summary.run)
    console.print()
    if console.loose or cell_len(heading) + 2 + cell_len(where) <= console.width:
        console.print(f"[bold]{_escape(heading)}[/]  {_escape(where)}", soft_wrap=True)
    else:
        console.say(heading, 0, style="bold")
        console.say(where, 0)
    console.say(asked(summary), 0)


def asked(summary: Summary) -> str:
    """How many trials a run holds, how they ended, how long that took."""
    if not summary.trials:
        shard = summary.settings.get("shard")
        if shard and summary.complete:
            return f"nothing to ask: shard {shard} holds no trial of this run (merge it too)"
        return "nothing has been asked yet"
    states = ", ".join(f"{n} {state}" for state, n in summary.states.items() if n)
    rate = summary.trials_per_s
    speed = f", {summary.elapsed_s:.1f} s, {rate:,.{int(rate < 10)}f} trials/s" if rate else ""
    begun = summary.sequences.begun if summary.sequences else 0
    within = f", {begun} sequence{'s' if begun > 1 else ''}" if begun else ""
    noun = "trial" if summary.trials == 1 else "trials"
    trials = f"{summary.trials} {noun}{within}{_on_items(summary)}"
    return f"{trials}: {states}{speed}{_kept(summary)}"


def _kept(summary: Summary) -> str:
    """How many replies an earlier run asked for."""
    replies = summary.replies
    if not replies or not (earlier := replies.earlier):
        return ""
    are = "is" if earlier == 1 else "are"
    return f"; {earlier:,} of {replies.n:,} replies {are} of an earlier run"


def has_figures(summary: Summary) -> bool:
    """Whether any trial of a run is right or wrong, so that a table of groups is not empty."""
    whole = summary.groups["all"]
    return bool(whole.n or (summary.trials and not summary.states.get("ungraded")))


def lines_of(summary: Summary) -> tuple[list[str], list[str]]:
    """How the replies of a run were read, and what they cost."""
    reading, cost = summary.reading, summary.cost
    return list(reading.lines if reading else ()), list(cost.lines if cost else ())


def _on_items(summary: Summary) -> str:
    """What was asked about, where that is less than the trials, and what hangs together."""
    whole = summary.groups["all"]
    if whole.items == whole.n:
        return ""
    of = f" in {whole.clusters} clusters" if whole.clusters else ""
    return f" on {whole.items} items{of} (an item's trials are averaged first)"


def groups_table(groups: Mapping[str, GroupFigures], titles: Mapping[str, str]) -> Table:
    """The figures of groups, a row each."""
    table = figures_table("group, %")
    for name, figures in groups.items():
        table.add_row(_escape(indented(name, groups, titles)), *cells_of(figures))
    return table


def figures_table(first: str) -> Table:
    """An empty table for rows of `cells_of` under a first column."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(first, overflow="fold")
    for column in _COLUMNS:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def cells_of(figures: GroupFigures) -> list[str]:
    """The cells of a run or a group, in the one order that they have everywhere."""
    return [
        str(figures.n),
        str(figures.answered),
        percent(figures.accuracy),
        _interval(figures),
        percent(figures.precision),
        percent(figures.f1),
        percent(figures.ifr),
    ]


def print_section(console: Terminal, section: Section, rows: int | None = None) -> None:
    """Print a table that a benchmark made, and its notes; or its first rows alone."""
    print_table(console, section_table(section, rows))
    for note in section.notes if rows is None else ():
        console.say(note)


def section_table(section: Section, rows: int | None = None) -> Table:
    """A table that a benchmark made, or its first rows."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), title=_escape(section.title))
    table.title_justify = "left"
    for number, column in enumerate(section.columns):
        side: Any = "right" if number else "left"
        table.add_column(_escape(column), justify=side, vertical="bottom", overflow="fold")
    for row in written(section)[:rows]:
        table.add_row(*map(_escape, row))
    if rows is not None and len(section.rows) > rows:
        more = len(section.rows) - rows
        table.add_row(f"… {more} more row{'s' if more > 1 else ''}")
    return table


def written(section: Section) -> list[list[str]]:
    """The cells of a table as text: the figures of a column have one number of decimals."""
    columns = [list(column) for column in zip(*section.rows, strict=True)]
    decimals = []
    for title, column in zip(section.columns, columns, strict=False):
        figures = [abs(cell) for cell in column if isinstance(cell, float) and isfinite(cell)]
        share = "%" in title.replace("95 %", "") or "%" in section.title
        largest = max(figures, default=0.0)
        decimals.append(1 if share or largest > 1 else 3)
    return [
        [_cell(cell, number) for cell, number in zip(row, decimals, strict=True)]
        for row in section.rows
    ]


def _cell(value: str | float | None, decimals: int) -> str:
    if value is None:
        return "-"
    if not isinstance(value, float) or isinstance(value, bool):
        return str(value)
    if isnan(value):
        return "-"
    return f"{value:.{decimals}f}" if abs(value) < 1e9 else f"{value:.3g}"


def indented(name: str, groups: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """The title of a group, indented; without the part that is in the title of its parent group."""
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
    """A fraction as a percentage, with the one decimal that every percentage has here."""
    return numerals.percent(value)


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)
