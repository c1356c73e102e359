"""`zhiyin suite FILE.toml`: benchmarks by models by conditions, as one piece of work."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.output import print_json
from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings
    from zhiyin.engine.folder import Shard
    from zhiyin.suite.file import Cell, Flags, Suite
    from zhiyin.suite.folder import SuiteFolder, SuiteState
    from zhiyin.suite.planning import Plan
    from zhiyin.suite.sharing import Holder

HELP = "Run benchmarks by models by conditions from one file; the same command goes on."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    from zhiyin.cli.flags import add_notify, positive

    add = parser.add_argument
    add("suite", metavar="FILE.toml", help="the suite's file, or music-core")
    add(
        "-m",
        "--model",
        action="append",
        default=[],
        metavar="MODEL",
        help="who answers, in the place of the file's models; may be repeated",
    )
    add(
        "--data",
        action="append",
        default=[],
        metavar="BENCHMARK=DIR",
        help="where the data of a benchmark lie; may be repeated",
    )
    add("--sample", type=positive, metavar="N", help="of every run only N items drawn at random")
    add("--out", metavar="DIR", help="the suite's folder (default: suites/NAME)")
    add("--shard", metavar="I/N", help="ask the I-th of N shares of every run; see `zhiyin merge`")
    add(
        "--budget",
        metavar="5usd|2Mtokens|1000calls",
        help="stop when all runs together have spent it; goes before `budget` in the file",
    )
    add("--dry-run", action="store_true", help="show the plan and ask nothing")
    add(
        "--changed",
        action="store_true",
        help="put runs aside that the file gives other settings to now, and ask them anew",
    )
    add("--no-report", action="store_true", help="no report and no leaderboard at the end")
    add("--no-figures", action="store_true", help="no figures and tables for a paper")
    add("--file", action="store_true", help="print the suite's file and do nothing else")
    add_notify(parser)
    add("--json", action="store_true", help="print one JSON object and nothing else")
    add("--quiet", action="store_true", help="no plan and no progress")


def execute(args: argparse.Namespace) -> int:
    """Plan, run, report; return the exit status."""
    from zhiyin.cli.flags import notified
    from zhiyin.suite.file import read_suite

    if args.file:
        from zhiyin.suite.file import read_text

        sys.stdout.write(read_text(args.suite)[1])
        return 0
    suite = read_suite(args.suite, args.model, _flags(args), args.budget)
    if args.dry_run:
        return _dry_run(args, suite)

    def work(facts: dict[str, str]) -> int:
        return asyncio.run(_carry_out(args, suite, facts))

    return notified(args.notify, "suite", work)


def _flags(args: argparse.Namespace) -> Flags:
    """The flags of the command line for the runs: of all, and of one benchmark."""
    flags: Flags = {}
    for text in args.data:
        name, equals, place = text.partition("=")
        if not (equals and name and place):
            raise InputError(f"--data {text}: write BENCHMARK=DIR, such as --data NAME=data/name")
        flags[f"{name} data"] = place
    if args.sample:
        flags["sample"] = args.sample
    return flags


def order_of(cell: Cell, shard: Shard | None = None) -> RunSettings:
    """The order of a run of a suite, or of a share of it: its flags as `zhiyin run` reads them."""
    import msgspec

    from zhiyin.cli import Parser, run

    words = [*run.rewrite([cell.asked, *cell.words, "-m", cell.spec])]
    parser = Parser(prog="zhiyin run", allow_abbrev=False)
    run.prepare(parser, words)
    order = run.order_of(parser.parse_args(words))
    return msgspec.structs.replace(order, label=" ".join(cell.label.split()), shard=shard)


def _place(args: argparse.Namespace, suite: Suite) -> Path:
    from zhiyin.suite.file import slug

    if args.out:
        return Path(args.out)
    shard = _shard(args)
    return Path("suites") / f"{slug(suite.name)}{shard.suffix if shard else ''}"


def _shard(args: argparse.Namespace) -> Shard | None:
    from zhiyin.engine.folder import read_shard

    return read_shard(args.shard) if args.shard else None


@contextlib.asynccontextmanager
async def _planned(
    suite: Suite, folder: SuiteFolder, quiet: bool, shard: Shard | None
) -> AsyncIterator[tuple[Plan, dict[str, Holder]]]:
    """The plan, and the holders of the models, which are closed afterwards."""
    from zhiyin.suite.planning import plan
    from zhiyin.suite.sharing import Holder

    models = dict.fromkeys(cell.model for cell in suite.cells)
    holders = {name: Holder(suite.model(name)) for name in models}
    on_run = None if quiet else _show_planning(len(suite.cells))
    folder.refuse_other_shard(str(shard or ""))
    order = partial(order_of, shard=shard)
    try:
        yield await plan(suite, order, folder, holders, folder.purse(suite.budget), on_run), holders
    finally:
        for holder in holders.values():
            await holder.close()


def _show_planning(total: int) -> Any:
    """A function that shows on a terminal which run is being opened."""
    count = 0

    def show(name: str) -> None:
        nonlocal count
        count += 1
        if sys.stderr.isatty():
            end = "\r" if count < total else "\r\x1b[K"
            sys.stderr.write(f"\x1b[Klooking at {count} of {total}: {name[:50]}{end}")
            sys.stderr.flush()

    return show


def _dry_run(args: argparse.Namespace, suite: Suite) -> int:
    from zhiyin.cli.suite_tables import print_plan
    from zhiyin.suite.folder import SuiteFolder

    folder = SuiteFolder(_place(args, suite))

    async def look() -> Plan:
        async with _planned(suite, folder, args.json or args.quiet, _shard(args)) as (planned, _):
            return planned

    planned = asyncio.run(look())
    print_plan(suite, planned, folder, as_json=args.json, dry=True)
    return 2 if planned.problems or (planned.replaced and not args.changed) else 0


async def _carry_out(args: argparse.Namespace, suite: Suite, facts: dict[str, str]) -> int:
    from zhiyin.cli.suite_tables import print_plan
    from zhiyin.suite.carrying import carry_out_all
    from zhiyin.suite.folder import SuiteFolder
    from zhiyin.suite.planning import accept, refusal
    from zhiyin.suite.watching import Display, Silent

    quiet = args.quiet or args.json
    shard = str(_shard(args) or "")
    facts["DIR"] = str(_place(args, suite))
    with SuiteFolder(_place(args, suite)) as folder:
        async with _planned(suite, folder, quiet, _shard(args)) as (plan, holders):
            if not quiet:
                print_plan(suite, plan, folder, as_json=False, dry=False)
            for row in plan.problems:
                message = f"{row.cell.name} cannot begin: {row.problem}"
                raise suite.fault(row.cell, message, of_model=row.of_model)
            if not args.changed and (reason := refusal(plan, folder.folder)):
                raise InputError(reason)
            accept(plan, folder)
            folder.begin(suite, shard)
            with Silent() if quiet else Display(plan.rows, plan.purse) as watcher:
                interrupted = await carry_out_all(plan, folder, holders, watcher)
        spent = plan.purse.summary if plan.purse else ""
        return _finish(args, folder, interrupted, facts, spent)


def _finish(
    args: argparse.Namespace, folder: SuiteFolder, interrupted: bool, facts: dict[str, str],
    spent: str,
) -> int:  # fmt: skip
    """Write the results, print how the suite ended and what it has spent; the exit status."""
    from zhiyin.cli.suite_tables import print_result
    from zhiyin.suite.folder import now
    from zhiyin.suite.results import write_results

    state = folder.state
    assert state is not None
    results = None
    if not interrupted and not args.shard:
        results = write_results(
            folder.folder,
            state,
            report=not args.no_report,
            figures=False if args.no_figures else None,
        )
    if not interrupted and all(run.state in ("done", "missing") for run in state.runs):
        state.ended = now()
        folder.write()
    facts.update(_facts(state))
    if args.json:
        payload = {"suite": str(folder.folder), "state": state, "told": results}
        print_json({**payload, **({"spent": spent} if spent else {})})
    else:
        print_result(folder.folder, state, results, spent)
    if interrupted:
        return 130
    return 1 if any(run.state not in ("done", "missing") for run in state.runs) else 0


def _facts(state: SuiteState) -> dict[str, str]:
    """What `--notify` passes on about a suite."""
    counts = {word: sum(run.state == word for run in state.runs)
              for word in ("done", "failed", "stopped", "missing")}  # fmt: skip
    states = ", ".join(f"{n} {word}" for word, n in counts.items() if n)
    return {
        "NAME": state.name,
        "RUNS": str(len(state.runs)),
        "DONE": str(counts["done"]),
        "FAILED": str(counts["failed"] + counts["stopped"]),
        "MESSAGE": f"suite {state.name}: {len(state.runs)} runs, {states or 'none done'}",
    }
