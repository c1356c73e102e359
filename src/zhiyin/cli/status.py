"""`zhiyin status DIR...`: how runs and suites are going, read from their folders alone."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zhiyin.analysis.going import Going
    from zhiyin.suite.status import Status

HELP = "How far runs or a suite have come, here or on another machine that shares the folder."
_MOST_CAUSES = 5


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument(
        "folders", nargs="+", metavar="DIR", help="a run, a suite, or a folder of these"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Read, print, return the exit status."""
    from zhiyin.cli.display import open_console, print_json_each
    from zhiyin.suite.status import status_of, suites_and_runs

    statuses = [status_of(one) for name in args.folders for one in suites_and_runs(Path(name))]
    if args.json:
        print_json_each(statuses, "folders")
        return 0
    console = open_console()
    for one in statuses:
        _print(console, one)
    return 0


def _print(console: Any, status: Status) -> None:
    from rich.table import Table

    from zhiyin.cli.screen import Screen, cut_rows, sentences
    from zhiyin.suite.watching import duration

    def empty() -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
        table.add_column("run", overflow="fold")
        for column in ("now", "done", "failed", "/s", "left", "last", "usd"):
            table.add_column(column, justify="right", no_wrap=True)
        return table

    body = []
    for name, one in status.runs.items():
        share = one.answered / one.planned if one.planned else 1.0
        cells = [
            name,
            one.now,
            f"{one.answered:,}/{one.planned:,} {int(100 * share)}%",
            f"{one.failed:,}",
            "-" if one.per_second is None else f"{one.per_second:,.1f}",
            "-" if one.left_s is None else duration(one.left_s),
            "-" if one.since_s is None else duration(one.since_s),
            "-" if one.usd is None else f"{one.usd:.3g}",
        ]
        body.append(cells)
    screen = Screen(console)
    screen.add(lambda own: own.say(f"{status.folder}: {status.told}", 0))
    screen.add(*cut_rows(empty, body), rank=1)
    screen.add(*sentences(status.lines, ()))
    why = [line for name, one in status.runs.items() for line in _why(name, one)]
    screen.add(*sentences(why, (8, 4, 2, 1), rest="more causes: --json has all"), rank=0)
    screen.show()


def _why(name: str, one: Going) -> Iterator[str]:
    from zhiyin.shown.terminal import shortened

    if one.why:
        yield f"{name}: {one.why}"
    for cause, times in [*one.failures.items()][:_MOST_CAUSES]:
        yield f"{name}: {times:,} x {shortened(cause, 120)}"
