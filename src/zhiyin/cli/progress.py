"""What a run shows while it goes: a live bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from typing import Any

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar

from zhiyin.cli.terminal import Terminal
from zhiyin.engine.tally import Count

_LINE_EVERY_S = 10.0


class Progress:
    """Shows rate, remaining time, running accuracy and errors. Use as a context manager.

    Parameters
    ----------
    total, done : int
        Trials of the run, and how many an earlier session has answered.
    """

    def __init__(self, total: int, done: int) -> None:
        self._console = Terminal(stderr=True)
        self._total, self._begun_with = total, done
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._begun = self._spoken = time.monotonic()

    def __enter__(self) -> Progress:
        if self._begun_with:
            self._console.print(f"resuming: {self._begun_with} of {self._total} trials are there")
        if self._console.is_terminal:
            self._bar = Bar(
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
                TextColumn("{task.fields[figures]}"),
                console=self._console,
                transient=True,
            )
            self._task = self._bar.add_task(
                "", total=self._total, completed=self._begun_with, rate="", figures=""
            )
            self._bar.start()
        return self

    def __exit__(self, *_: Any) -> None:
        if self._bar:
            self._bar.stop()

    def update(self, count: Count, done: int) -> None:
        """Show how far the run has come. `count` is of this session."""
        now = time.monotonic()
        rate = (done - self._begun_with) / max(now - self._begun, 1e-9)
        if self._bar and self._task is not None:
            self._bar.update(
                self._task, completed=done, rate=f"{rate:,.0f}/s", figures=_figures(count)
            )
        elif now - self._spoken >= _LINE_EVERY_S:
            self._spoken = now
            left = (self._total - done) / rate if rate else float("inf")
            self._console.print(
                f"{done}/{self._total} trials, {rate:,.1f}/s, {left:,.0f} s left, "
                f"{_figures(count)}",
                highlight=False,
                soft_wrap=True,
            )


def _figures(count: Count) -> str:
    accuracy = f"{count.correct / count.judged:.1%} correct" if count.judged else "-"
    return f"{accuracy}, {count.error} errors"
