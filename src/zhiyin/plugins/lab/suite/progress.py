"""Display of a suite while it runs."""

from __future__ import annotations

import contextlib
import copy
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table

from zhiyin.engine.scoring import Count
from zhiyin.engine.stopping import say_silence
from zhiyin.plugins.lab.run_status import RunProgress
from zhiyin.plugins.lab.suite.folder import LeftOut
from zhiyin.words import said, say, spoken
from zhiyin.words.reasons import reason

if TYPE_CHECKING:
    from zhiyin.cost.budget import BudgetAccount
    from zhiyin.engine.runner import Watcher
    from zhiyin.plugins.lab.suite.planning import PlannedRun
    from zhiyin.session import Result, Watch

_LINE_EVERY_S, _DRAW_EVERY_S = 10.0, 0.25
_MOST_SHOWN = 8


class RunLine(msgspec.Struct):
    """Progress of one run, which it is told itself.

    Attributes
    ----------
    refresh : callable
        Draws the display that it is part of.
    name, model : str
    total : int or None
        Trials; None where sequences decide it as they go.
    begun_with, done : int
        Trials that an earlier session answered, and those that are answered now.
    count : Count
        Of this session.
    begun, first : float
        By the clock: when it began, and when its first answer came; 0 before it.
    over : bool
    """

    refresh: Callable[[], None]
    name: str
    model: str
    total: int | None
    begun_with: int
    done: int
    count: Count = msgspec.field(default_factory=Count)
    begun: float = msgspec.field(default_factory=time.monotonic)
    first: float = 0.0
    over: bool = False

    def update(self, count: Count, done: int) -> None:
        """Take in how far the run has come."""
        if done > self.begun_with and not self.first:
            self.first = time.monotonic()
        self.count, self.done = copy.copy(count), done
        self.refresh()

    def rate(self, now: float) -> float:
        """Trials a second."""
        return (self.done - self.begun_with) / max(now - self.begun, 1e-9)


class Display:
    """One display for all runs. Use as a context manager.

    Parameters
    ----------
    rows : sequence of PlannedRun
    account : BudgetAccount, optional
        What they spend from between them.
    quiet : bool
        Whether nothing is shown.
    """

    def __init__(
        self, rows: Sequence[PlannedRun], account: BudgetAccount | None = None, *,
        quiet: bool = False,
    ) -> None:  # fmt: skip
        from zhiyin.session.progress import Lines

        self._account = account
        self._console = Lines(stderr=True, highlight=False, quiet=quiet)
        self._rows = [row for row in rows if not row.done and not row.problem]
        self._already = sum(row.done for row in rows)
        self._answered = sum(row.answered for row in rows if row.done)
        self._of = self._already + len(self._rows)
        self._over: set[str] = set()
        self._alike: tuple[str, list[str]] = "", []
        self._lines: dict[str, RunLine] = {}
        self._ended = self._already
        self._live: Live | None = None
        self._printed = self._drawn = self._begun = time.monotonic()

    def __enter__(self) -> Display:
        say_silence.set(self._print)
        if self._already:
            self._print(say(said("suite-already", n=self._already), spoken()))
        if self._console.is_terminal and not self._console.quiet:
            self._live = Live(console=self._console, transient=True, auto_refresh=False)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        say_silence.set(None)
        self._tell()
        if self._live:
            self._live.stop()

    def of(self, row: PlannedRun) -> Watch:
        """Return the watch of one run."""

        @contextlib.contextmanager
        def watch(total: int | None, done: int) -> Iterator[Watcher]:
            line = RunLine(self.refresh, row.cell.name, row.cell.model, total, done, done)
            self._lines[line.name] = line
            try:
                yield line
            finally:
                line.over = True
                self.refresh()

        return watch

    def ended(
        self, row: PlannedRun, state: RunProgress | LeftOut, why: str, result: Result | None
    ) -> None:
        """A run has ended: one line that stays, of all that end alike without an answer."""
        told = "; ".join(filter(None, (_result_line(result), _why(state, why))))
        if told != self._alike[0]:
            self._tell()
        self._ended += 1
        self._over.add(row.cell.name)
        self._alike = told, [*self._alike[1], row.cell.name]
        if result is not None:
            self._tell()

    def _tell(self) -> None:
        (told, names), self._alike = self._alike, ("", [])
        if names:
            line = say(said("check-of", who=names, text=told), spoken())
            self._print(f"{self._ended}/{self._of} {line}")

    def refresh(self) -> None:
        """Draw anew, or print a line, if it is time."""
        self._tell()
        now = time.monotonic()
        if self._live:
            if now - self._drawn >= _DRAW_EVERY_S:
                self._drawn = now
                self._live.update(self._picture(now), refresh=True)
        elif now - self._printed >= _LINE_EVERY_S:
            self._printed = now
            self._print(self.progress_line(now))

    def progress_line(self, now: float) -> str:
        """Describe the suite's progress on one line."""
        lines = [*self._lines.values()]
        asked = sum(line.done - line.begun_with for line in lines)
        before = self._answered + sum(map(self._before, self._rows))
        wanted = sum(map(self._wanted, self._rows))
        rate = asked / max(now - self._begun, 1e-9)
        left, model = self._left(now)
        several = len({row.cell.model for row in self._rows}) > 1
        trials = {"asked": before + asked, "wanted": before + wanted}
        told = said(
            "suite-course", done=self._ended, of=self._of, **trials,
            rate=f"{rate:,.1f}", left=left,
            slowest=model if several and left is not None else None,
            spent=self._account.summary if self._account else None,
            errors=sum(line.count.error for line in lines),
        )  # fmt: skip
        return say(told, spoken())

    def _left(self, now: float) -> tuple[float | None, str]:
        """Seconds until the last model is done, and which it is; None where it is not known yet."""
        longest, slowest = 0.0, ""
        for model in dict.fromkeys(row.cell.model for row in self._rows):
            lines = [line for line in self._lines.values() if line.model == model]
            wanted = sum(self._wanted(row) for row in self._rows if row.cell.model == model)
            asked = sum(line.done - line.begun_with for line in lines)
            missing = wanted - asked
            if missing <= 0:
                continue
            if not asked:
                return None, ""
            # From its first answer on: what goes before it, such as making sounds, is not a rate.
            begun = min(line.first or line.begun for line in lines)
            seconds = missing * (now - begun) / asked
            if seconds > longest:
                longest, slowest = seconds, model
        return (longest, slowest) if slowest else (None, "")

    def _wanted(self, row: PlannedRun) -> int:
        """Trials of a run that this session asks, as far as it is known; of one that has ended, or
        was told how many there are, what is known now.
        """
        line = self._lines.get(row.cell.name)
        if row.cell.name in self._over:
            return line.done - line.begun_with if line else 0
        if line and line.total is not None:
            return line.total - line.begun_with
        return row.estimate.planned - row.estimate.answered if row.estimate else 0

    def _before(self, row: PlannedRun) -> int:
        """Trials of a run that earlier sessions answered."""
        line = self._lines.get(row.cell.name)
        return line.begun_with if line else row.estimate.answered if row.estimate else 0

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
        rest = [say(said("cli-more", n=more), spoken())] if more > 0 else []
        return Group(table, *rest, self.progress_line(now))

    def _print(self, line: str) -> None:
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)


def _result_line(result: Result | None) -> str:
    if result is None:
        return ""
    summary = result.summary
    whole = summary.groups["all"]
    told = said("cli-run-result", trials=summary.trials, accuracy=whole.accuracy)
    return say(told, spoken())


def _why(state: RunProgress | LeftOut, why: str) -> str:
    if state == "done":
        return say(reason(why), spoken())
    word = said("status-state", state=state)
    told = said("cli-labelled", label=word, text=reason(why)) if why else word
    return say(told, spoken())
