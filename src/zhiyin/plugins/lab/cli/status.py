"""The command `zhiyin status`: how far runs and suites have come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli.output import open_console, print_json_each
from zhiyin.shown.table import Kind, table_of

if TYPE_CHECKING:
    from zhiyin.plugins.lab.run_status import RunStatus
    from zhiyin.plugins.lab.suite.progress import Status
    from zhiyin.shown.terminal import Terminal

_CAUSES = 5


def status(folders: tuple[Path, ...], *, json: bool = False) -> int:
    """Show how far runs or a suite have come, here or on a machine that shares the folder.

    Parameters
    ----------
    folders : DIR
        a run, a suite, or a folder of these
    """
    from zhiyin.plugins.lab.suite.progress import status_of, suites_and_runs

    statuses = [status_of(one) for folder in folders for one in suites_and_runs(folder)]
    if json:
        print_json_each(statuses, "folders")
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
        rows.append((name, one.now, done, one.failed, speed, one.left_s, one.since_s, one.usd))
    console.say(f"{status.folder}: {status.told}", 0)
    console.print_table(table_of("runs", columns, rows))
    console.say_all(status.lines)
    console.say_all([line for name, one in status.runs.items() for line in _why(name, one)])


def _why(name: str, one: RunStatus) -> Iterator[str]:
    from zhiyin.shown.terminal import shortened

    if one.why:
        yield f"{name}: {one.why}"
    for cause, times in [*one.failures.items()][:_CAUSES]:
        yield f"{name}: {times:,} x {shortened(cause, 120)}"
