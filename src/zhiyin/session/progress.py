"""What a run shows while it goes: a live bar on a terminal or in a notebook, else plain lines."""

from __future__ import annotations

import sys
import time
from html import escape
from typing import Any, cast

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar

from zhiyin.engine.tally import Count

_LINE_EVERY_S, _PICTURE_EVERY_S = 10.0, 0.2


class Progress:
    """Shows rate, remaining time, running accuracy and errors. Use as a context manager.

    Parameters
    ----------
    total : int or None
        Trials of the run; None where it is not known beforehand.
    done : int
        How many of them an earlier session has answered.
    """

    def __init__(self, total: int | None, done: int) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._total, self._begun_with = total, done
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._begun = self._spoken = time.monotonic()

    def __enter__(self) -> Progress:
        if self._begun_with:
            self._console.print(f"resuming: {_of(self._begun_with, self._total)} trials are there")
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
            total = "" if self._total is None else f"/{self._total}"
            left = _left(self._total, done, rate)
            self._console.print(
                f"{done}{total} trials, {rate:,.1f}/s{left}, {_figures(count)}",
                highlight=False,
                soft_wrap=True,
            )


class NotebookProgress:
    """The same in a notebook: one output that is drawn anew. Use as a context manager.

    Parameters
    ----------
    total : int or None
        Trials of the run; None where it is not known beforehand.
    done : int
        How many of them an earlier session has answered.
    """

    def __init__(self, total: int | None, done: int) -> None:
        self._total, self._begun_with, self._done = total, done, done
        self._begun = time.monotonic()
        self._shown, self._told = 0.0, ""
        self._handle: Any = None

    def __enter__(self) -> NotebookProgress:
        from IPython import display

        show: Any = display.display
        self._html = cast("Any", display.HTML)
        self._handle = show(self._html(self._bar()), display_id=True)
        return self

    def __exit__(self, *_: Any) -> None:
        self._draw()

    def update(self, count: Count, done: int) -> None:
        """Show how far the run has come. `count` is of this session."""
        self._done, self._told = done, _figures(count)
        now = time.monotonic()
        if now - self._shown >= _PICTURE_EVERY_S:
            self._shown = now
            self._draw()

    def _draw(self) -> None:
        if self._handle is not None:  # None: nobody displays anything here
            self._handle.update(self._html(self._bar()))

    def _bar(self) -> str:
        rate = (self._done - self._begun_with) / max(time.monotonic() - self._begun, 1e-9)
        left = _left(self._total, self._done, rate) if rate else ""
        told = f", {self._told}" if self._told else ""
        share = "" if self._total is None else f" max={self._total} value={self._done}"
        return f"<progress{share}></progress> " + escape(
            f"{_of(self._done, self._total)} trials, {rate:,.1f}/s{left}{told}"
        )


def in_notebook() -> bool:
    """Whether a notebook's kernel runs this: IPython is there, and talks to a front end."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def _of(done: int, total: int | None) -> str:
    return f"{done:,}" if total is None else f"{done:,} of {total:,}"


def _left(total: int | None, done: int, rate: float) -> str:
    """What time is left; nothing where nobody knows how much there is."""
    if total is None:
        return ""
    return f", {(total - done) / rate if rate else float('inf'):,.0f} s left"


def _figures(count: Count) -> str:
    accuracy = f"{count.correct / count.judged:.1%} correct" if count.judged else "-"
    return f"{accuracy}, {count.error} errors"
