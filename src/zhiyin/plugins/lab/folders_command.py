"""Folders that commands of the core know nothing of: suites, and folders of runs as lab books.

The command `zhiyin status`: how far runs and suites have come.

`zhiyin verify`: are runs what they claim?

`zhiyin view`: runs in the browser, while they go on too.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.cli.functions import read_by, runs_of
from zhiyin.cli.output import note, open_console, print_json, print_json_each
from zhiyin.plugins.methods.serving import LOOPBACK, serve_page
from zhiyin.shown.table import Kind, table_of
from zhiyin.text import quoted
from zhiyin.words import Said, localized, said
from zhiyin.words.reasons import reason

if TYPE_CHECKING:
    from zhiyin.plugins.lab.run_status import RunStatus
    from zhiyin.plugins.lab.suite.status import Status
    from zhiyin.plugins.lab.verifying import Verified
    from zhiyin.report.run_set import RunsInPlace
    from zhiyin.shown.terminal import Terminal


def suite(place: Path) -> RunsInPlace | None:
    """The runs of a suite that have answers, and the published rows that its file names."""
    from zhiyin.plugins.lab.suite.folder import is_suite, named_runs, read_state

    if not is_suite(place):
        return None
    from zhiyin.plugins.lab.suite.results import published_rows_of
    from zhiyin.report.run_set import RunsInPlace

    state = read_state(place)
    return RunsInPlace(named_runs(place, state), published_rows_of(place, state))


def merge(given: argparse.Namespace) -> int | None:
    """Merge shards of a suite into one suite."""
    from zhiyin.plugins.lab.suite.folder import is_suite, merge_suites

    if not is_suite(given.shards[0]):
        return None
    merged = merge_suites(given.shards, given.out)
    aside = open_console(stderr=True)
    for one in merged:
        for remark in one.notes:
            aside.say(f"{one.folder.name}: {remark}", 0, said("cli-note"))
    if given.json:
        print_json({"suite": str(given.out), "runs": merged})
    trials = sum(one.records for one in merged)
    facts = {"n": len(merged), "trials": trials, "out": given.out}
    aside.say(said("suite-merged", **facts), 0)
    aside.say(said("suite-merged-report", out=given.out), 0)
    return 0


def show(given: argparse.Namespace) -> int | None:
    """Print what came of a suite, as its command does; with --groups all or --json its runs."""
    from zhiyin.plugins.lab.suite.folder import is_suite, read_state
    from zhiyin.plugins.lab.suite.results import written_in
    from zhiyin.plugins.lab.suite_command import print_result

    if len(given.places) != 1 or given.json or given.groups == "all":
        return None
    folder = given.places[0]
    if not is_suite(folder):
        return None
    state = read_state(folder)
    if (written := written_in(folder, state)) is None:
        return None
    print_result(folder, state, written)
    console = open_console()
    console.say_command(said("cli-each-whole"), f"zhiyin show {quoted(folder)} --groups all")
    return 0


_CAUSES = 5


def status(folders: tuple[Path, ...], *, json: bool = False) -> int:
    """Show how far runs or a suite have come, here or on a machine that shares the folder.

    Parameters
    ----------
    folders : DIR
        a run, a suite, or a folder of these
    """
    from zhiyin.plugins.lab.suite.status import status_of, suites_and_runs

    statuses = [status_of(one) for folder in folders for one in suites_and_runs(folder)]
    if json:
        print_json_each([one.in_english() for one in statuses], "folders")
        return 0
    console = open_console()
    with console.paged():
        for one in statuses:
            _print_status(console, one)
    return 0


def _print_status(console: Terminal, status: Status) -> None:
    columns: dict[str, Kind] = {
        "run": "text", "now": "text", "done": "number", "failed": "count", "/s": "number",
        "left": "seconds", "last": "seconds", "usd": "usd",
    }  # fmt: skip
    rows = []
    for name, one in status.runs.items():
        share = one.answered / one.planned if one.planned else 1.0
        done = f"{one.answered:,}/{one.planned:,} {int(100 * share)}%"
        speed = None if one.per_second is None else f"{one.per_second:,.1f}"
        now = said("status-state", state=one.now)
        rows.append((name, now, done, one.failed, speed, one.left_s, one.since_s, one.usd))
    console.say(said("of-run", who=status.folder, what=status.told), 0)
    console.print_table(table_of("runs", columns, rows))
    console.say_all(status.lines)
    console.say_all([line for name, one in status.runs.items() for line in _why(name, one)])


def _why(name: str, one: RunStatus) -> Iterator[Said]:
    from zhiyin.shown.terminal import shortened

    if one.why:
        yield said("of-run", who=name, what=reason(one.why))
    for cause, times in [*one.failures.items()][:_CAUSES]:
        what = said("cause", n=times, what=reason(shortened(cause, 120)))
        yield said("of-run", who=name, what=what)


def verify(
    places: tuple[Path, ...], *, rescore: bool = False, strict: bool = False,
    benchmark_file: str | None = None, json: bool = False,
) -> int:  # fmt: skip
    """Look whether runs are what was written.

    Every file by its SHA-256 (`sha256sum -c SHA256SUMS` does the same), every record by its form,
    every sound by its hash. Status 1 where something is not.

    Parameters
    ----------
    places : RUN
        a run folder, or one that holds runs; what lies in a run is verified too
    rescore
        also score every record again, and make its items
    strict
        status 1 too where something is not covered
    """
    from zhiyin.plugins.lab.suite.folder import gone
    from zhiyin.plugins.lab.verifying import Verified, runs_in
    from zhiyin.plugins.lab.verifying import verify as verify_run

    lost = [Verified(run, faults=[str(said("verify-run-gone"))]) for run in gone(places)]
    runs = [*runs_of(places)]
    read_by(benchmark_file, runs)
    results = []
    console = open_console()
    looked = (verify_run(one, rescore=rescore) for run in runs for one in runs_in(run))
    for result in itertools.chain(lost, looked):
        results.append(result)
        if not json:
            _print_verified(console, result)
    if json:
        print_json({"runs": msgspec.to_builtins(results, enc_hook=str)})
    return int(any(one.faults or (strict and not one.covered) for one in results))


def _print_verified(console: Terminal, one: Verified) -> None:
    state = "faults" if one.faults else "covered" if one.covered else "open"
    line = said("verify-state", folder=one.folder, state=state, n=one.records)
    console.say(line, 0, "", "red" if one.faults else "green")
    for fault in one.faults:
        console.say(fault, 2, said("verify-wrong"), "red")
    for remark in one.notes:
        console.say(remark, 2, said("cli-note"))
    if one.rescored:
        alike = one.rescored.records - len(one.rescored.differ)
        console.say(said("verify-again", alike=alike, of=one.rescored.records), 2)


def view(
    places: tuple[Path, ...], *, port: int = 0, host: str = LOOPBACK[0], open_: bool = False
) -> int:
    """Look at runs in the browser, finished or still going on: figures, trials, sound, notation.

    Parameters
    ----------
    places : RUN
        folders that `zhiyin run` wrote; or one folder that holds runs, as a lab book
    port
        default: any free one
    host : ADDRESS
        address to listen on; by default this machine only
    open_
        open the page in your browser
    """
    if host not in LOOPBACK:
        note(said("serve-everybody", host=host), said("cli-warning"))
    line = localized(said("serving-open", address="{address}"))
    serve_page(lambda ready: _serve(places, host, port, ready), port, line, open_)
    return 0


def _serve(
    runs: Sequence[Path], host: str, port: int, ready: Callable[[str], None]
) -> Coroutine[Any, Any, None]:
    """The lab book for one folder that is no run itself, else the report's page on the runs."""
    from zhiyin.engine.folder import MANIFEST

    if len(runs) == 1 and runs[0].is_dir() and not (runs[0] / MANIFEST).exists():
        from zhiyin.plugins.lab.labbook import server

        return server.serve(runs[0], host, port, ready)
    from zhiyin.plugins.lab import viewer

    return viewer.serve(runs, host, port, ready)
