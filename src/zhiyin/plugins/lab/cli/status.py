"""The command `zhiyin status`: how far runs and suites have come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli.output import open_console, print_json_each
from zhiyin.shown.table import Kind, table_of
from zhiyin.words import Said, said
from zhiyin.words.reasons import reason

if TYPE_CHECKING:
    from zhiyin.analysis.progress import RunStatus
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
