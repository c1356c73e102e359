"""`zhiyin suite FILE.toml`: benchmarks by models by conditions, as one piece of work."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from zhiyin.cli.functions import notified
from zhiyin.cli.output import languages_of, open_console, print_json
from zhiyin.cli.pages import Course
from zhiyin.engine.folder import Shard, read_shard
from zhiyin.errors import InputError
from zhiyin.files import stem_of
from zhiyin.flags import COUNT
from zhiyin.numerals import now, usd
from zhiyin.plugins.lab.dot_lines import in_terminal
from zhiyin.plugins.lab.gate_command import (
    ALLOWED,
    check_points,
    check_summaries,
    close_gate,
    gate_payload,
    gate_planned,
    hold,
    suite_pairs,
    summary_of_faults,
    write_fault,
)
from zhiyin.plugins.lab.tracking import Keep, kept_in, spans
from zhiyin.shown.table import Cell, Column, Kind, Row, Table, table_of
from zhiyin.text import quoted
from zhiyin.words import Said, said, say
from zhiyin.words.reasons import reason

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings
    from zhiyin.plugins.lab.suite.baseline import FittedBaseline
    from zhiyin.plugins.lab.suite.cards import Cards
    from zhiyin.plugins.lab.suite.file import Flags, Suite, SuiteCell
    from zhiyin.plugins.lab.suite.folder import SuiteFolder, SuiteState
    from zhiyin.plugins.lab.suite.planning import PlannedRun, SuitePlan
    from zhiyin.plugins.lab.suite.results import Written
    from zhiyin.plugins.lab.suite.running import Holder
    from zhiyin.shown.terminal import Terminal

_LINES = 4
"""So many changes and problems are told before a suite begins."""


class SuiteOptions(msgspec.Struct, frozen=True):
    """Options of the command for a suite: see `suite`."""

    folder: Path
    shard: Shard | None = None
    changed: bool = False
    report: bool = True
    figures: bool = True
    languages: Sequence[str] = ("en",)
    json: bool = False
    quiet: bool = False
    baseline: Path | None = None
    allowed: float = 0.0
    summary: tuple[Path, ...] = ()
    keep: Keep | None = None
    since: str = ""


def suite(
    suite: str = "", *, model: tuple[str, ...] = (), data: tuple[str, ...] = (),
    sample: Annotated[int | None, COUNT] = None, out: Path | None = None, shard: str = "",
    budget: str | None = None, dry_run: bool = False, changed: bool = False, report: bool = True,
    figures: bool = True, lang: str = "", file: bool = False, baseline: Path | None = None,
    fail_if_worse: Annotated[float | None, ALLOWED] = None, summary: tuple[Path, ...] = (),
    notify: str | None = None, track: str = "", otel: bool = False, json: bool = False,
    quiet: bool = False,
) -> int:  # fmt: skip
    """Run benchmarks by models by conditions from one file; the same command goes on.

    Parameters
    ----------
    suite : FILE.toml
        the suite's file, or a suite of Zhiyin: music-core, music-text, omni-music
    model : -m MODEL
        who answers, in the place of the file's models; may be repeated
    data : BENCHMARK=DIR
        where the data of a benchmark lie; may be repeated
    sample
        of every run only N items drawn at random
    out : DIR
        the suite's folder (default: suites/NAME)
    shard : I/N
        ask the I-th of N shares of every run; see `zhiyin merge`
    budget : 5usd|2Mtokens|1000calls
        stop when all runs together have spent it; goes before `budget` in the file
    dry_run
        show the plan and ask nothing
    changed
        put runs aside that the file gives other settings to now, and ask them anew
    report
        no report and no leaderboard at the end
    figures
        no figures and tables for a paper
    lang : en|zh|en,zh
        the pages' language, or pages in each, linked; without it that of the terminal
    file
        print the suite's file and do nothing else
    baseline : FOLDER
        hold each run against the one of its name, or of its settings, in an earlier suite's folder:
        exit with status 3 where one is shown to be worse, lacks questions or is gone, 2 where one
        cannot be compared, 1 where one is not complete (docs/how-to/ci.md)
    fail_if_worse : POINTS
        by how many points it may be worse (default 0); needs --baseline
    summary : FILE
        write what --baseline found as JUnit XML (.xml) or Markdown (.md); several
    notify : CMD
        run this when it is over, however it ended; ZHIYIN_STATUS, ZHIYIN_MESSAGE and others tell
        it how (docs/suites.md)
    track : TRACKER
        keep each run's figures, intervals, table and a link to the report in wandb or mlflow
        (docs/how-to/track.md)
    otel
        send a span of OpenTelemetry for each call (docs/how-to/track.md)
    quiet
        no plan and no progress; with --baseline only the verdict, and what is missing
    """
    from zhiyin.plugins.lab.suite.file import read_suite, read_text

    if file:
        sys.stdout.write(read_text(suite)[1])
        return 0
    check_summaries(summary)
    languages = languages_of(lang)
    with summary_of_faults(summary):
        opened = read_suite(suite, model, suite_flags(data, sample), budget)
        share = read_shard(shard) if shard else None
        place = out or Path("suites") / f"{stem_of(opened.name)}{share.suffix if share else ''}"
        earlier = _checked_baseline(baseline, fail_if_worse, summary, place, suite)
        options = SuiteOptions(
            place, share, changed, report, figures, languages, json, json or quiet,
            earlier, fail_if_worse or 0.0, summary,
            None if dry_run else kept_in(track), now(),
        )  # fmt: skip
        if dry_run:
            return _dry_run(opened, options)

        def work(facts: dict[str, str]) -> int:
            with spans(otel, f"suite {opened.name}", suite=opened.name):
                return asyncio.run(_carry_out(opened, options, facts))

        return notified(notify, "suite", work)


def _checked_baseline(
    baseline: Path | None, points: float | None, summary: tuple[Path, ...], place: Path, suite: str
) -> Path | None:
    """The earlier suite's folder. Raises `InputError` before anything is asked."""
    from zhiyin.plugins.lab.suite.folder import read_state

    if baseline is None:
        if points is not None or summary:
            flag = "--summary" if points is None else "--fail-if-worse"
            raise InputError(said("base-lacking", flag=flag))
        return None
    check_points(points)
    if not baseline.is_dir():
        raise InputError(said("base-absent", baseline=str(baseline), suite=suite))
    if baseline.resolve() == place.resolve():
        raise InputError(said("base-same", baseline=baseline))
    read_state(baseline)
    return baseline


def suite_flags(data: tuple[str, ...], sample: int | None = None) -> Flags:
    """The flags of the command line for the runs: of all, and of one benchmark."""
    flags: Flags = {}
    for text in data:
        name, equals, place = text.partition("=")
        if not (equals and name and place):
            raise InputError(said("suite-data-form", text=text))
        flags[f"{name} data"] = place
    return flags | ({"sample": sample} if sample else {})


def order_of(cell: SuiteCell, shard: Shard | None = None) -> RunSettings:
    """The order of a run of a suite, or of a share of it: its flags as `zhiyin run` reads them."""
    from zhiyin.cli import run
    from zhiyin.cli.parser import Parser

    words = [*run.rewrite_run([cell.asked, *cell.words, "-m", cell.spec])]
    parser = Parser(prog="zhiyin run", allow_abbrev=False)
    run.prepare_run(parser, words)
    order = run.order_of(parser.parse_args(words))
    return msgspec.structs.replace(order, label=" ".join(cell.label.split()), shard=shard)


@contextlib.asynccontextmanager
async def _planned(
    suite: Suite, folder: SuiteFolder, quiet: bool, shard: Shard | None
) -> AsyncIterator[tuple[SuitePlan, dict[str, Holder]]]:
    """The plan, and the holders of the models, which are closed afterwards."""
    from zhiyin.plugins.lab.suite.planning import plan
    from zhiyin.plugins.lab.suite.running import Holder
    from zhiyin.report.media import silent

    models = dict.fromkeys(cell.model for cell in suite.cells)
    holders = {name: Holder(suite.model(name)) for name in models}
    progress = silent if quiet else Course("plan")
    folder.refuse_other_shard(str(shard or ""))
    order = partial(order_of, shard=shard)
    try:
        yield (
            await plan(suite, order, folder, holders, folder.account(suite.budget), progress),
            holders,
        )
    finally:
        for holder in holders.values():
            await holder.close()


def _dry_run(suite: Suite, options: SuiteOptions) -> int:
    from zhiyin.plugins.lab.suite.folder import SuiteFolder

    folder = SuiteFolder(options.folder)

    async def look() -> SuitePlan:
        async with _planned(suite, folder, options.quiet, options.shard) as (planned, _):
            return planned

    planned = asyncio.run(look())
    if not options.json:
        console = open_console()
        with console.paged():
            _say_plan(console, suite, planned, folder, options)
    if options.baseline and (fitted := _fitted(options, planned)):
        fitted.refuse(options.baseline)
    if options.json:
        print_json(_as_json(suite, planned, folder))
    return 2 if planned.problems or (planned.replaced and not options.changed) else 0


async def _carry_out(suite: Suite, options: SuiteOptions, facts: dict[str, str]) -> int:
    from zhiyin.plugins.lab.suite.folder import SuiteFolder
    from zhiyin.plugins.lab.suite.planning import accept, refusal
    from zhiyin.plugins.lab.suite.progress import Display
    from zhiyin.plugins.lab.suite.running import carry_out_all

    facts["DIR"] = str(options.folder)
    with SuiteFolder(options.folder) as folder:
        async with _planned(suite, folder, options.quiet, options.shard) as (plan, holders):
            if not options.quiet:
                aside = open_console(stderr=True)
                _say_plan(aside, suite, plan, folder, options, _LINES, "--dry-run has all")
            for row in plan.problems:
                message = f"{row.cell.name} cannot begin: {row.problem}"
                fault = suite.fault(row.cell, message, of_model=row.of_model)
                fault.kind = row.kind
                raise fault
            if not options.changed and (reason := refusal(plan, folder.folder)):
                raise InputError(reason)
            if options.baseline and (fitted := _fitted(options, plan)):
                fitted.refuse(options.baseline)
            accept(plan, folder)
            folder.begin(suite, str(options.shard or ""))
            with Display(plan.rows, plan.account, quiet=options.quiet) as watcher:
                interrupted = await carry_out_all(plan, folder, holders, watcher)
        return _finish(options, folder, interrupted, facts, plan)


def _finish(
    options: SuiteOptions, folder: SuiteFolder, interrupted: bool, facts: dict[str, str],
    plan: SuitePlan,
) -> int:  # fmt: skip
    """Write the results, print how the suite ended and what it has spent; the exit status."""
    from zhiyin.plugins.lab.gate_summary import gate_picture, gate_table
    from zhiyin.plugins.lab.suite.folder import OVER
    from zhiyin.plugins.lab.suite.results import results_of
    from zhiyin.report.media import silent

    state, spent = folder.state, plan.account.summary if plan.account else ""
    assert state is not None
    left = [run for run in state.runs if run.state not in OVER]
    results = findings = table = fault = None
    if options.baseline is not None:  # of an interrupted suite what is complete has its verdict
        try:
            pairs, together, unheld = suite_pairs(
                options.baseline, folder.folder, state, plan.configs
            )
            findings = hold(
                pairs, options.allowed, options.summary, together=together, unheld=unheld,
                since=options.since,
            )  # fmt: skip
            table = gate_table(findings)
        except InputError as error:  # the results are written all the same
            fault, table = error, Table("gate", said("gate-no-verdict", why=error.args[0]), (), ())
    if options.shard is None:
        results = results_of(
            folder.folder, state, report=options.report and not interrupted,
            figures=options.figures, languages=options.languages, gate=table,
            changes=gate_picture(findings or ()),
            progress=silent if options.quiet else Course("runs"),
        )  # fmt: skip
    if not interrupted and not left:
        state.ended = now()
        folder.write()
    facts.update(_facts(state))
    if table is not None:
        facts["MESSAGE"] = f"suite {state.name}: {table.title}"
    if options.keep and not interrupted:
        runs = [run for one in state.runs if ((run := folder.run(one.name)) / "run.json").is_file()]
        page = Path(results.report) if results and results.report else None
        options.keep(runs, page, state.name)
    closed = 0 if findings is None else close_gate(findings, json=options.json)
    status = max(closed, (2 if all(run.refused for run in left) else 1) if left else 0)
    if interrupted:
        status = 130
    if options.json and fault is None:
        payload = {"suite": str(folder.folder), "state": state, "told": results}
        payload |= {} if findings is None else gate_payload(findings, status)
        print_json({**payload, **({"spent": spent} if spent else {})})
    elif not options.json and (left or findings is None or not options.quiet):
        brief = interrupted or (options.quiet and table is not None)
        print_result(folder.folder, state, results, spent, brief=brief, held=findings is not None)
    if interrupted and findings is None:
        write_fault("interrupted; the same command goes on from here", options.summary)
    if fault is not None and not interrupted:
        raise fault
    return status


def _facts(state: SuiteState) -> dict[str, str]:
    """Collect what `--notify` passes on about a suite."""
    counts = {word: sum(run.state == word for run in state.runs)
              for word in ("done", "failed", "stopped", "missing", "unfit")}  # fmt: skip
    states = ", ".join(f"{n} {word}" for word, n in counts.items() if n)
    return {
        "NAME": state.name,
        "RUNS": str(len(state.runs)),
        "DONE": str(counts["done"]),
        "FAILED": str(counts["failed"] + counts["stopped"]),
        "MESSAGE": f"suite {state.name}: {len(state.runs)} run{'s'[: len(state.runs) != 1]}, "
        f"{states or 'none done'}",
    }


def _say_plan(
    console: Terminal, suite: Suite, plan: SuitePlan, folder: SuiteFolder, options: SuiteOptions,
    most: int | None = None, more: str = "",
) -> None:  # fmt: skip
    """Print what a suite would ask, and how large a fall from a baseline it could show."""
    console.say(said("suite-called", name=f"{suite.name}, {suite.sha256[:8]}", at=folder.folder), 0)
    console.say_all(list(_changes(suite, plan, folder)), most=most, more=more)
    columns: dict[str, Kind] = {
        "run": "text", "trials": "count", "to ask": "count", "calls": "count", "clips": "count",
        "usd": "usd", "time": "seconds",
    }  # fmt: skip
    heads = [Column(said("plan-head", head=head), kind) for head, kind in columns.items()]
    seen, held = dict[str, Said](), list[Said]()
    if options.baseline and (fitted := _fitted(options, plan)) and not fitted.faults:
        seen, held = gate_planned(fitted, plan.rows, options.allowed, folder, options.since)
        heads.append(Column(said("plan-head", head="fall"), "share"))
    rows = [
        Row(
            (
                row.cell.name,
                *_cells(plan, row),
                *([seen.get(row.cell.name, "")] if len(heads) > len(columns) else []),
            ),
            weight=not row.done,
        )
        for row in plan.rows
    ]
    console.print_table(table_of("plan", heads, rows), more)
    problems: dict[tuple[str, str], list[str]] = {}
    for row in plan.rows:
        if row.problem:
            word = "unfit" if row.unfit else "missing"
            word = "cannot" if row in plan.problems else word
            problems.setdefault((word, row.problem), []).append(row.cell.name)
    console.say_all(_by_reason(problems), most=most, more=more)
    console.say_all(list(_total(plan)))
    if seen:
        console.say(said("plan-gate", points=options.allowed / 100, unit="share"))
    console.say_all(held, most=most, more=more)


def _fitted(options: SuiteOptions, plan: SuitePlan) -> FittedBaseline | None:
    """The baseline, read for the runs that are planned; None without one.

    Raises `InputError` where none of its runs is one of these.
    """
    from zhiyin.plugins.lab.suite.baseline import fit_baseline

    if options.baseline is None or plan.problems:  # what cannot begin is to be mended first
        return None
    left_out = {row.cell.name: reason(row.problem) for row in plan.rows if row.problem}
    return fit_baseline(options.baseline, [row.cell for row in plan.rows], plan.configs, left_out)


def _by_reason(runs: Mapping[tuple[str, str], list[str]]) -> list[Said]:
    """A line for each state and reason, with its runs."""
    return [
        said("plan-state", state=word, names=names, why=reason(why))
        for (word, why), names in runs.items()
    ]


def _changes(suite: Suite, plan: SuitePlan, folder: SuiteFolder) -> Iterator[str]:
    """The difference to the file that the folder was begun with, and what it means."""
    before = folder.before
    if before is None:
        return
    if before.now.sha256 != suite.sha256:
        yield f"the file has changed since {before.now.since} ({before.now.file})"
    elif before.now.given != suite.given:
        then = ", ".join(before.now.given) or "none"
        yield f"asked with other flags of the command line than before, which were: {then}"
    change, rows = plan.change, {row.cell.name: row for row in plan.rows}
    if before.now.sha256 != suite.sha256 and not change.any:
        yield "no run is another one by that"
    for name in change.added:
        place = rows[name].take
        answers = f"its answers are in {place}" if place else "all of it will be asked"
        yield f"added: {name}: {answers}"
    for name in change.gone:
        yield f"gone: {name}: put aside, in no table, nothing is lost"
    for name, differences in change.changed.items():
        row = rows[name]
        if row.other:
            means = f"another run: its {row.answered:,} answers will not count"
        elif row.take:
            means = f"another run: its answers are in {row.take}"
        else:
            means = "the same run: its answers count"
        yield f"changed: {name}: {'; '.join(differences)}: {means}"


def _cells(plan: SuitePlan, row: PlannedRun) -> tuple[Cell, ...]:
    estimate = row.estimate
    if row.done:
        return (said("suite-is-done"), *[""] * 5)
    if estimate is None:
        return (None,) * 6
    counts = (estimate.planned, estimate.asked, row.calls, estimate.clips)
    return (*counts, estimate.usd, plan.seconds(row) or None)


def _total(plan: SuitePlan) -> Iterator[Said]:
    total = plan.total
    counts = {"asked": total.asked, "calls": total.calls, "clips": total.clips}
    yield said("suite-total", runs=total.runs, done=total.done, **counts)
    most = usd(total.usd_at_most) if total.usd_at_most else None
    yield said("suite-cost", usd=None if total.usd is None else usd(total.usd), most=most)
    if any("judge" in row.cell.flags and not row.done for row in plan.rows):
        yield said("suite-judges")
    if plan.account:
        spent, budget = plan.account, plan.account.budget
        each = (budget.usd, spent.usd, total.usd), (budget.calls, spent.calls, total.calls)
        beyond = any(None not in (a, c) and b + (c or 0) > (a or 0) for a, b, c in each)
        yield said("suite-budget", spent=spent.summary, beyond=beyond)
    yield said("suite-time", time=total.seconds)


def _as_json(suite: Suite, plan: SuitePlan, folder: SuiteFolder) -> dict[str, Any]:
    return {
        "suite": suite.name,
        "sha256": suite.sha256,
        "folder": str(folder.folder),
        "total": plan.total,
        **({"budget": plan.account.summary} if plan.account else {}),
        "change": plan.change,
        "runs": [
            {
                "name": row.cell.name,
                "benchmark": row.cell.benchmark,
                "model": row.cell.model,
                "condition": row.cell.condition,
                "flags": row.cell.flags,
                "done": row.done,
                "problem": row.problem,
                "other_settings": row.other,
                "seconds": plan.seconds(row),
                "estimate": row.estimate,
            }
            for row in plan.rows
        ],
    }


def print_result(
    folder: Path, state: SuiteState, results: Written | None, spent: str = "", *,
    brief: bool = False, held: bool = False,
) -> None:  # fmt: skip
    """Print what came of a suite: who is best at what, report cards, runs that are not done.

    `brief`: nothing of figures, which are of what is there by chance. `held`: a gate has said why
    runs are not done.
    """
    from zhiyin.plugins.lab.suite.results import (
        canaries_in,
        progress_of,
        results_at_a_glance,
        suite_table,
    )

    console = open_console()
    if results is not None and not brief:
        _, skills, findings = results_at_a_glance(folder, state, results.cards)
        console.say_all([one.sentence() for one in findings], 0)
        alone = sum(len(cards.cards) for cards in results.cards) == 1
        for cards in results.cards:
            _say_cards(console, cards, several=len(results.cards) > 1, alone=alone)
        paper = suite_table(folder, state)
        for table in map(in_terminal, skills):
            console.print_table(table, say(said("suite-on-page"), console.language))
        if paper:
            console.print_table(paper, f"zhiyin table {quoted(folder)} --to csv")
    counts = Counter(str(run.state) for run in state.runs)
    asked = len(state.runs) - counts["missing"] - counts["unfit"]
    others = {key: counts[key] for key in ("unfit", "missing")}
    done = {"done": counts["done"], "of": asked}
    console.say(said("suite-ended", name=state.name, at=folder, **done, **others), 0)
    if spent:
        console.say(said("suite-spent", spent=spent))
    if results is not None and results.cost:
        console.say(said("suite-paid", **msgspec.structs.asdict(results.cost)))
    words = ("failed", "stopped", "missing", "unfit")
    ended: dict[tuple[str, str], list[str]] = {}
    for run in state.runs:
        if run.state in words and not held:
            ended.setdefault((run.state, run.told), []).append(run.name)
    console.say_all(_by_reason(ended))
    console.say_all(progress_of(folder, state)[1:])
    if results is not None:
        told = {str(one): one for one in canaries_in(folder, state)}
        console.say_all([told.get(note, note) for note in results.notes], label=said("cli-note"))
        console.say(said("suite-open", page=results.page))
        if (folder / "table.tex").is_file():
            console.say(said("suite-paper", path=folder / "table.tex"))
    sys.stdout.flush()


def _say_cards(console: Terminal, cards: Cards, *, several: bool, alone: bool) -> None:
    """Rank models for each skill under one condition; print the report card of a lone model."""
    from zhiyin.plugins.lab.suite.cards import card_table, orders_table, unasked

    condition = cards.condition if several else ""
    for card in cards.cards if alone else ():
        if table := card_table(card, condition):
            console.print_table(table, say(said("suite-on-page"), console.language))
        if table and (skills := unasked(card)):
            console.say(said("suite-unasked", skills=skills))
    if orders := orders_table(cards.orders, condition):
        console.print_table(orders)
