"""What a suite shows while it goes: one display for all its runs, or plain lines."""

from __future__ import annotations

import contextlib
import copy
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import msgspec
from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table

from zhiyin.analysis.progress import RunProgress
from zhiyin.cost.budget import Purse
from zhiyin.engine.runner import Watcher as RunWatcher
from zhiyin.engine.tally import Count
from zhiyin.numerals import duration
from zhiyin.session import Result, Watch
from zhiyin.session.progress import Lines
from zhiyin.suite.planning import Planned
from zhiyin.words import said

_LINE_EVERY_S, _DRAW_EVERY_S = 10.0, 0.25
_MOST_SHOWN = 8


class Line(msgspec.Struct):
    """How far one run has come.

    Attributes
    ----------
    name, model : str
    total : int or None
        Trials; None where sequences decide it as they go.
    begun_with, done : int
        Trials that an earlier session answered, and those that are answered now.
    count : Count
        Of this session.
    begun : float
        By the clock.
    over : bool
    """

    name: str
    model: str
    total: int | None
    begun_with: int
    done: int
    count: Count
    begun: float
    over: bool = False

    def rate(self, now: float) -> float:
        """Trials a second."""
        return (self.done - self.begun_with) / max(now - self.begun, 1e-9)


class Silent:
    """Shows nothing."""

    def of(self, row: Planned) -> Watch:
        """What watches one run."""
        from zhiyin.session import silent

        return silent

    def ended(self, row: Planned, state: RunProgress, why: str, result: Result | None) -> None:
        """Look away."""

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Display:
    """One display for all runs. Use as a context manager.

    Parameters
    ----------
    rows : sequence of Planned
    purse : Purse, optional
        What they spend from between them.
    console : Console, optional
        By default standard error.
    """

    def __init__(
        self, rows: Sequence[Planned], purse: Purse | None = None, console: Console | None = None
    ) -> None:
        self._purse = purse
        self._console = console or Lines(stderr=True, highlight=False)
        self._rows = [row for row in rows if not row.done and not row.problem]
        self._already = sum(row.done for row in rows)
        self._lines: dict[str, Line] = {}
        self._ended = 0
        self._live: Live | None = None
        self._printed = self._drawn = self._begun = time.monotonic()

    def __enter__(self) -> Display:
        if self._already:
            self._print(
                f"{self._already} {'run is' if self._already == 1 else 'runs are'} done already"
            )
        if self._console.is_terminal:
            self._live = Live(console=self._console, transient=True, auto_refresh=False)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def of(self, row: Planned) -> Watch:
        """What watches one run."""

        @contextlib.contextmanager
        def watch(total: int | None, done: int) -> Iterator[RunWatcher]:
            line = Line(row.cell.name, row.cell.model, total, done, done, Count(), time.monotonic())
            self._lines[line.name] = line
            try:
                yield _RunDisplay(self, line)
            finally:
                line.over = True
                self.refresh()

        return _as_watch(watch)

    def ended(self, row: Planned, state: RunProgress, why: str, result: Result | None) -> None:
        """A run has ended: one line that stays."""
        self._ended += 1
        number = f"{self._ended}/{len(self._rows)}"
        self._print(f"{number} {row.cell.name}: {_result_line(result)}{_why(state, why)}")

    def refresh(self) -> None:
        """Draw anew, or print a line, if it is time."""
        now = time.monotonic()
        if self._live:
            if now - self._drawn >= _DRAW_EVERY_S:
                self._drawn = now
                self._live.update(self._picture(now), refresh=True)
        elif now - self._printed >= _LINE_EVERY_S:
            self._printed = now
            self._print(self.progress_line(now))

    def progress_line(self, now: float) -> str:
        """How far the suite has come, on one line."""
        lines = [*self._lines.values()]
        planned = sum(_planned(row) for row in self._rows)
        asked = sum(line.done - line.begun_with for line in lines)
        done = sum(line.done for line in lines)
        rate = asked / max(now - self._begun, 1e-9)
        text = f"{self._ended}/{len(self._rows)} runs, {done:,} of {planned:,} trials"
        text += f", {rate:,.1f}/s"
        left, model = self._left(now)
        if left is not None:
            text += f", {duration(left)} left"
            several = len({row.cell.model for row in self._rows}) > 1
            text += f" (slowest: {model})" if several else ""
        text += f", {self._purse.summary} spent" if self._purse else ""
        errors = sum(line.count.error for line in lines)
        return text + (f", {errors:,} errors" if errors else "")

    def _left(self, now: float) -> tuple[float | None, str]:
        """Seconds until the last model is done, and which it is; None where it is not known yet."""
        longest, slowest = 0.0, ""
        for model in dict.fromkeys(row.cell.model for row in self._rows):
            lines = [line for line in self._lines.values() if line.model == model]
            wanted = sum(_planned(row) for row in self._rows if row.cell.model == model)
            missing = wanted - sum(line.done for line in lines)
            if missing <= 0:
                continue
            asked = sum(line.done - line.begun_with for line in lines)
            if not asked:
                return None, ""
            seconds = missing * (now - min(line.begun for line in lines)) / asked
            if seconds > longest:
                longest, slowest = seconds, model
        return (longest, slowest) if slowest else (None, "")

    def _picture(self, now: float) -> Any:
        table = Table.grid(padding=(0, 1))
        for side in ("left", "left", "right", "right"):
            table.add_column(justify=side, no_wrap=True, overflow="ellipsis")  # type: ignore[arg-type]
        going = [line for line in self._lines.values() if not line.over]
        for line in going[:_MOST_SHOWN]:
            bar = ProgressBar(line.total, line.done, width=16)
            of = f"{line.done:,}" + ("" if line.total is None else f"/{line.total:,}")
            table.add_row(escape(line.name), bar, of, f"{line.rate(now):,.1f}/s")
        more = len(going) - _MOST_SHOWN
        return Group(table, *([f"and {more} more"] if more > 0 else []), self.progress_line(now))

    def _print(self, line: str) -> None:
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)


class _RunDisplay:
    """Watches one run for a display."""

    def __init__(self, display: Display, line: Line) -> None:
        self._display, self._line = display, line

    def update(self, count: Count, done: int) -> None:
        """Take in how far the run has come."""
        self._line.count = copy.copy(count)
        self._line.done = done
        self._display.refresh()


def _as_watch(watch: Any) -> Watch:
    def open_(total: int | None, done: int) -> AbstractContextManager[RunWatcher]:
        manager: AbstractContextManager[RunWatcher] = watch(total, done)
        return manager

    return open_


def _planned(row: Planned) -> int:
    return row.estimate.planned if row.estimate else 0


def _result_line(result: Result | None) -> str:
    if result is None:
        return ""
    summary = result.summary
    whole = summary.groups["all"]
    return str(said("cli-run-result", trials=summary.trials, accuracy=whole.accuracy))


def _why(state: RunProgress, reason: str) -> str:
    if state == "done":
        return ""
    return f"; {state}: {reason}" if reason else f"; {state}"
