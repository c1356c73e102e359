"""Results in the terminal: `zhiyin show` and `status`; runs made of runs: `merge` and `rescore`."""

from __future__ import annotations

import argparse
import itertools
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from zhiyin.analysis.parts import of_parts, registrations_of
from zhiyin.analysis.run import OpenRun, origins_beside
from zhiyin.analysis.summary import Summary, summarise
from zhiyin.cli import tables as run_tables
from zhiyin.cli.functions import read_by
from zhiyin.cli.output import open_console, print_json_each
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import people_in
from zhiyin.report.chapters import joined
from zhiyin.shown.table import Table
from zhiyin.words import Said, said, say
from zhiyin.words.findings import OfTwo, Warning

if TYPE_CHECKING:
    from zhiyin.session.rescore import RescoredSummary
    from zhiyin.shown.terminal import Terminal

_WARNING = said("cli-warning")
_WARNINGS, _NOTES = 4, 2
"""So many are told where another command tells all; of warnings that say "stop" all are."""


def show(
    runs: tuple[Path, ...],
    given: argparse.Namespace,
    *,
    benchmark_file: str | None = None,
    groups: Literal["top", "all"] = "top",
    json: bool = False,
) -> int:
    """Print the results of one or more runs, beside what has been published."""
    read_by(benchmark_file, runs)
    summaries = [summarise(run) for run in runs]
    _add_common(summaries)
    more = shlex.join(["zhiyin", "show", *map(str, given.runs), "--groups", "all"])
    print_summary(summaries, as_json=json, whole=groups == "all", more=more)
    return 0


def _add_common(summaries: Sequence[Summary]) -> None:
    """Add to the warnings of runs that two of them hold the same replies."""
    folders = [Path(one.run) for one in summaries]
    names = [str(name) for name in run_tables.labels(summaries)]
    for numbers, one in origins_beside(names, folders, [*map(read_manifest, folders)]):
        for number in numbers if len(numbers) > 1 else ():
            summaries[number].warnings.insert(0, one)


def print_summary(
    summaries: Sequence[Summary],
    *,
    as_json: bool,
    beside: bool = True,
    whole: bool = False,
    more: str = "",
) -> None:
    """Print what `summary.summarise` gave for runs, `beside` what has been published or alone.

    What limits the figures, what the run was made for and the largest groups; of the rest the names
    and the command that prints it, by default `zhiyin show`. With `whole` every group, every table
    and every note, through a pager where there are more lines than a terminal has.
    """
    if as_json:
        folders = [Path(one.run) for one in summaries]
        facts = of_parts(lambda part: part.facts(folders))
        more_facts = {key: fact for own in facts for key, fact in own.items()}
        print_json_each([one.in_english() for one in summaries], "runs", **more_facts)
        return
    console = open_console()
    command = shlex.join(["zhiyin", "show", *(summary.run for summary in summaries)])
    more = "" if whole else more or f"{command} --groups all"
    with console.paged():
        if len(summaries) == 1:
            _print_run(console, summaries[0], beside, more)
        elif whole:
            _print_each(console, summaries, beside)
        else:
            _print_together(console, summaries, beside, more)
        _print_registered(console, [Path(one.run) for one in summaries], more)


def _print_registered(console: Terminal, folders: Sequence[Path], more: str) -> None:
    """Print the outcome of registrations, and in what runs depart from them."""
    plans, faults = registrations_of(folders)
    for plan in plans:
        console.print()
        console.say(plan.told, 0)
        console.print_table(plan.table, more)
        console.say_all(plan.cautions if more else plan.notes, 2)
        lines = [said("of-run", who=one.model, what=one.text) for one in plan.departures]
        console.say_all(lines, 2, said("plan-departure"), "yellow")
    console.say_all(faults, 2, _WARNING, "yellow")


def _print_run(console: Terminal, run: Summary, beside: bool, more: str) -> None:
    _print_heading(console, run)
    _say_warnings(console, run.warnings, more)
    console.say_all([*itertools.chain(*_lines_of(run))])
    tables = _own_tables(run)
    shown = [table for table in tables if table.leads]
    if has_figures(run):
        shown.append(run_tables.groups_table(run))
    if not more or run.states.get("ungraded"):  # what has no right answer has its scores there
        shown += [table for table in tables if not table.leads]
    for table in shown:
        console.print_table(table, more)
    console.say_all(run.remarks, 2, said("cli-note"), most=_NOTES if more else None, more=more)
    if beside:
        _say_published(console, [run], more)
    if rest := [table for table in tables if table not in shown]:
        also = said("cli-also", tables=[table.title for table in rest])
        console.say_command(also, more, style="")


def _own_tables(run: Summary) -> list[Table]:
    """The further tables of a run's benchmark."""
    return [section.table(f"details-{n}") for n, section in enumerate(run.details, 1)]


def _print_together(console: Terminal, runs: Sequence[Summary], beside: bool, more: str) -> None:
    """Runs in one table, and what limits their figures."""
    names = run_tables.labels(runs)
    for run in runs:
        if not has_figures(run):  # its own tables are all that it has
            _print_heading(console, run)
            for number, table in enumerate(_own_tables(run)):
                if table.leads or not number:
                    console.print_table(table, more)
    figured = [one for one in zip(names, runs, strict=True) if has_figures(one[1])]
    if figured:
        called, of = zip(*figured, strict=True)
        console.print()
        console.print_table(run_tables.runs_table(of, called), more)
        leading = [(name, own) for name, run in figured for own in run.details if own.leads]
        for section in joined(leading, said("report-run")):
            console.print_table(section.table("measured"), more)
    together: dict[tuple[str, str], tuple[Warning, list[str]]] = {}
    for severity in ("stop", "doubt", "note"):
        for name, run in zip(names, runs, strict=True):
            for one in run.warnings:
                if one.severity == severity:
                    together.setdefault((severity, one.text), (one, []))[1].append(name)
    lines = [
        one if isinstance(one, OfTwo)
        else said("of-run", who=said("names", each=who), what=one)
        for one, who in together.values()
    ]  # fmt: skip
    most = max(_WARNINGS, sum(severity == "stop" for severity, _ in together))
    console.say_all(lines, 2, _WARNING, "yellow", most, more)
    benchmarks = dict.fromkeys(run.benchmark for run in runs)
    for name in benchmarks if beside else ():
        about = name if len(benchmarks) > 1 else ""
        _say_published(console, [run for run in runs if run.benchmark == name], more, about)
    console.say_command(said("cli-each-whole"), more, style="")


def _print_each(console: Terminal, summaries: Sequence[Summary], beside: bool) -> None:
    """All that is told of several runs, those of a benchmark together."""
    for name in dict.fromkeys(summary.benchmark for summary in summaries):
        runs = [summary for summary in summaries if summary.benchmark == name]
        if len(runs) == 1:
            _print_run(console, runs[0], beside, "")
            continue
        for run in runs:
            _print_heading(console, run)
            _say_warnings(console, run.warnings, "")
            console.say_all([*itertools.chain(*_lines_of(run))])
        notes = {remark.text: remark for run in runs for remark in run.remarks}
        console.say_all([*notes.values()], 2, said("cli-note"))
        console.print_table(run_tables.side_by_side(runs))
        if beside:
            _say_published(console, runs, "")


def _say_warnings(console: Terminal, warnings: Sequence[Warning], more: str) -> None:
    """Print warnings, under each the command that mends it, in one line for copying."""
    stops = sum(one.severity == "stop" for one in warnings)
    shown = warnings[: max(stops, _WARNINGS)] if more else warnings
    for number, warning in enumerate(shown):
        console.say(warning, 2, _WARNING, "yellow")
        following = shown[number + 1 :]
        if warning.remedy and warning.remedy not in [one.remedy for one in following]:
            console.print(f"    {warning.remedy}", style="dim", soft_wrap=True, markup=False)
    if left := len(warnings) - len(shown):
        console.say_command(said("cli-more", n=left), more)


def _say_published(console: Terminal, runs: Sequence[Summary], more: str, about: str = "") -> None:
    """Print the published rows of what runs hold whole: the ends of them, or all."""
    from zhiyin.analysis.coverage import expected_of
    from zhiyin.analysis.summary import published
    from zhiyin.engine.folder import read_manifest
    from zhiyin.report.printed import all_apart

    reference = published(*(run.run for run in runs))
    if reference is None:
        return
    if more:
        expected = expected_of(read_manifest(runs[0].run))
        trust = expected.on_trust if expected else ""
        line = run_tables.published_line(reference, runs, trust)
        line = line or (None if reference.rows else all_apart(reference)) or _no_published(runs)
        if line:
            console.say(said("of-run", who=about, what=line) if about else line)
        return
    tables = list(run_tables.reference_tables(reference, runs))
    if not tables:
        if line := _no_published(runs):
            console.say(line)
        return
    if not (reference.in_details and len(runs) == 1):
        for table in tables:
            console.print_table(table)
    console.say(reference.source, label=said("cli-published-in"))
    if apart := all_apart(reference):
        console.say(apart)
    if reference.newer:
        console.say(said("published-newer", date=reference.newer))


def _no_published(runs: Sequence[Summary]) -> Said | None:
    """Say why no published rows stand beside these runs; None where a warning of each has it."""
    coverage = [OpenRun(Path(run.run)).coverage for run in runs]
    warned = [{warning.text for warning in run.warnings} for run in runs]
    if all(c.caution and c.caution.text in w for c, w in zip(coverage, warned, strict=True)):
        return None
    parts = {run.part: own.part for run, own in zip(runs, coverage, strict=True)}
    each = [part or said("cli-unfinished") for part in parts.values()]
    return said("cli-not-comparable", parts=each[:2])


def _print_heading(console: Terminal, summary: Summary) -> None:
    """Benchmark, name and folder of a run, and its trials."""
    from rich.cells import cell_len

    language = console.language
    heading = f"{say(summary.of_which_set, language)}  {say(summary.name, language)}"
    where = str(summary.run)
    console.print()
    if console.loose or cell_len(heading) + 2 + cell_len(where) <= console.width:
        console.say(f"{heading}  {where}", 0, style="bold")
    else:
        console.say(heading, 0, style="bold")
        console.say(where, 0)
    console.say(asked(summary), 0)


def asked(summary: Summary) -> Said:
    """Say how many trials a run holds, how they ended, how long that took."""
    if not summary.trials:
        shard = summary.settings.get("shard")
        if shard and summary.complete:
            return said("cli-empty-shard", shard=shard)
        return said("cli-nothing-asked")
    whole, replies, rate = summary.groups["all"], summary.replies, summary.trials_per_s
    # Of people's answers each person's are averaged first, as a note says.
    several = whole.items != whole.n and not people_in(read_manifest(summary.run))
    return said(
        "cli-trials",
        trials=summary.trials,
        begun=summary.sequences.begun if summary.sequences else 0,
        items=whole.items if several else None,
        clusters=(whole.clusters or None) if several else None,
        states=[said("cli-state", n=n, state=name) for name, n in summary.states.items() if n],
        rate=rate or None,
        slow=bool(rate and rate < 10),
        seconds=summary.elapsed_s,
        timed=summary.timed if summary.timed < summary.trials else None,
        earlier=replies.earlier if replies else 0,
        replies=replies.n if replies else 0,
    )


def has_figures(summary: Summary) -> bool:
    """Tell whether any trial of a run is right or wrong, so that its table has rows."""
    whole = summary.groups["all"]
    return bool(whole.answered if summary.states.get("ungraded") else summary.trials)


def _lines_of(summary: Summary) -> tuple[list[Said], list[Said]]:
    """List lines on how the replies of a run were read, and what they cost."""
    reading, cost = summary.reading, summary.cost
    return list(reading.told()) if reading else [], cost.told() if cost else []


def rescore(
    run: Path,
    *,
    extract: str,
    out: Path | None = None,
    benchmark_file: str | None = None,
    json: bool = False,
) -> int:
    """Score a run again with another extraction policy. Asks no model and changes no run.

    Parameters
    ----------
    extract : POLICY
        see `zhiyin list`
    out : RUN_DIR
        write the verdicts as a run of their own
    """
    from zhiyin.session.rescore import rescore as score_again

    read_by(benchmark_file, [run])
    summary = score_again(run, extract, out)
    print_rescored(summary, as_json=json)
    return 1 if summary.states["error"] else 0


def merge(shards: tuple[Path, ...], *, out: Path, json: bool = False) -> int:
    """Make one run of all its shards (`run --shard I/N`). Nothing of it may be missing.

    Parameters
    ----------
    shards : DIR
        the folder of each shard
    out : DIR
        the folder to write
    """
    from zhiyin.contract.registry import is_followed
    from zhiyin.engine.folder import read_manifest
    from zhiyin.engine.merging import merge as merge_runs

    merged = merge_runs(shards, out)
    aside = open_console(stderr=True)
    for text in merged.notes:
        aside.say(text, 0, said("cli-note"))
    facts = {"shards": merged.shards, "trials": merged.records, "folder": merged.folder}
    aside.say(said("cli-merged", **facts), 0)
    if is_followed(read_manifest(merged.folder)):
        aside.say(said("cli-merged-judge", folder=merged.folder), 0)
    summary = summarise(merged.folder)
    print_summary([summary], as_json=json, beside=False)
    return 1 if summary.states["error"] else 0


def print_rescored(summary: RescoredSummary, *, as_json: bool) -> None:
    """Print a run that was scored again, and what that has changed."""
    print_summary([summary], as_json=as_json, more="--json")
    if not as_json:
        console = open_console()
        console.print_table(run_tables.before_and_after(summary))
        of = sum(summary.states.values())
        console.say(said("cli-differ-now", n=summary.changed, of=of))
