"""Progress of a run: a live bar on a terminal or in a notebook, else plain lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from typing import Any, cast

from rich.cells import cell_len
from rich.console import Console
from rich.live import Live
from rich.text import Text

from zhiyin.cost.budget import Pace
from zhiyin.cost.ledger import Ledger
from zhiyin.engine.runner import Watcher
from zhiyin.engine.scoring import Count
from zhiyin.engine.stopping import say_silence
from zhiyin.numerals import TIME_UNITS
from zhiyin.session.running import silent
from zhiyin.words import Said, said, say, spoken

_LINE_EVERY_S, _PICTURE_EVERY_S = 10.0, 0.2
_WORTH_SAYING_S = 2.0
_BAR = 20
_OF_SESSION = ("right", "errors", "spent")
"""What is counted from the beginning of the session, in the order of the line."""


class Lines(Console):
    """Lines on standard error, which may come to nobody: a run goes on when its reader has left."""

    def on_broken_pipe(self) -> None:
        """Print nothing from now on; rich would end the program."""
        self.quiet = True

    def print(self, *objects: Any, **settings: Any) -> None:
        """Print as rich does; a full disk or a closed terminal does not end the run."""
        try:
            super().print(*objects, **settings)
        except OSError:
            self.quiet = True


@contextmanager
def quietly(total: int | None, done: int) -> Iterator[Watcher]:
    """A `Watch` that says how many trials are there already, and nothing else."""
    if done:
        Lines(stderr=True, highlight=False).print(_resuming(done, total), soft_wrap=True)
    with silent(total, done) as watcher:
        yield watcher


def _resuming(done: int, total: int | None) -> str:
    line = said("progress-resuming", done=_fraction(done, total), total=total or done)
    return say(line, spoken())


class _Course:
    """Progress of a run, in words.

    Parameters
    ----------
    total : int or None
        Trials of the run; None where it is not known beforehand.
    done : int
        How many of them an earlier session has answered.
    """

    def __init__(self, total: int | None, done: int) -> None:
        self._total, self._begun_with, self._done = total, done, done
        self._count = Count()
        self._pace: Pace | None = None
        self._begun = time.monotonic()

    def _parts(self) -> dict[str, str]:
        """Texts of the progress line, by topic."""
        rate = (self._done - self._begun_with) / max(time.monotonic() - self._begun, 1e-9)
        done, n = _fraction(self._done, self._total), self._count.error
        parts: dict[str, str | Said] = {
            "trials": said(
                "progress-trials", done=done, n=self._done if self._total is None else 0
            ),
            "rate": _rate(rate),
        }
        held = self._pace.held_s if self._pace else 0.0
        if held >= _WORTH_SAYING_S:
            parts["left"] = said("progress-held", wait=in_words(held))
        elif self._total is not None and rate:
            time_left = in_words((self._total - self._done) / rate)
            parts["left"] = said("progress-left", time=time_left)
        parts["right"] = said("progress-right", share=_share_right(self._count))
        parts["errors"] = said("progress-errors", n=n)
        return {topic: say(part, spoken()) for topic, part in parts.items()}

    def _told(self, parts: Mapping[str, str]) -> str:
        """The line. Of a resumed run it says where it turns from all trials to this session's."""
        own = next((topic for topic in _OF_SESSION if topic in parts), None)
        if self._begun_with and own:
            parts = {**parts, own: say(said("progress-session", text=parts[own]), spoken())}
        return ("，" if spoken() == "zh" else ", ").join(parts.values())


class Progress(_Course):
    """Shows rate, time left, running accuracy, errors and cost. Use as a context manager.

    A live line on a terminal, which is kept within its width by leaving parts out; else a plain
    line now and then.
    """

    def __init__(self, total: int | None, done: int) -> None:
        super().__init__(total, done)
        self._console = Lines(stderr=True, highlight=False)
        self._ledger: Ledger | None = None
        self._live: Live | None = None
        self._printed = self._begun

    def __enter__(self) -> Progress:
        if self._begun_with:
            self._console.print(_resuming(self._begun_with, self._total))
        say_silence.set(self._say)
        if sys.stderr.isatty() and not self._console.is_dumb_terminal:
            self._live = Live(
                console=self._console,
                get_renderable=self._line,
                refresh_per_second=4,
                transient=True,
            )
            self._live.start()
        return self

    def __exit__(self, *_: Any) -> None:
        say_silence.set(None)
        if self._live:
            self._live.stop()

    def begin(self, opening: Said) -> None:
        """Say what is asked and how, before the first call."""
        self._console.print(say(opening, spoken()), soft_wrap=True)

    def _say(self, line: str) -> None:
        self._console.print(line, soft_wrap=True)

    def follow(self, ledger: Ledger, pace: Pace) -> None:
        """Show what the run has spent, too, and how long its server asks it to wait."""
        self._ledger, self._pace = ledger, pace

    def stopping(self, seconds: float) -> None:
        """Say what a first Ctrl-C does."""
        self._console.print(say(said("progress-stopping", seconds=f"{seconds:g}"), spoken()))

    def update(self, count: Count, done: int) -> None:
        """Show how far the run has come. `count` is of this session."""
        self._count, self._done = count, done
        now = time.monotonic()
        if self._live is None and now - self._printed >= _LINE_EVERY_S:
            self._printed = now
            self._console.print(self._told(self._parts()), soft_wrap=True)

    def _parts(self) -> dict[str, str]:
        parts = super()._parts()
        if self._ledger and (spent := self._ledger.spent):
            if self._begun_with and self._ledger.account.budget.usd:  # of all sessions
                parts = {"trials": parts["trials"], "spent": "", **parts}
            parts["spent"] = say(spent, spoken())
        return parts

    def _line(self) -> Text:
        parts = self._parts()
        width = self._console.width - 1
        for gone in ("", "right", "rate", "errors", "spent", "left"):
            parts.pop(gone, "")
            line = self._told(parts)
            if cell_len(line) <= width:
                break
        if self._total and cell_len(line) + _BAR + 1 <= width:
            filled = round(_BAR * min(1.0, self._done / self._total))
            bar = Text("━" * filled, "green").append("━" * (_BAR - filled), "dim")
            return bar.append(f" {line}", "default")
        return Text(line, no_wrap=True)


class NotebookProgress(_Course):
    """The same in a notebook: one output that is drawn anew. Use as a context manager."""

    def __init__(self, total: int | None, done: int) -> None:
        super().__init__(total, done)
        self._drawn = 0.0
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
        self._count, self._done = count, done
        now = time.monotonic()
        if now - self._drawn >= _PICTURE_EVERY_S:
            self._drawn = now
            self._draw()

    def _draw(self) -> None:
        if self._handle is not None:  # None: nobody displays anything here
            self._handle.update(self._html(self._bar()))

    def _bar(self) -> str:
        share = "" if self._total is None else f" max={self._total} value={self._done}"
        return f"<progress{share}></progress> " + escape(self._told(self._parts()))


def in_notebook() -> bool:
    """Tell whether a notebook's kernel runs this: IPython is loaded and talks to a front end."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def _fraction(done: int, total: int | None) -> Said:
    return said("progress-fraction", done=done, total=total)


def _rate(rate: float) -> Said:
    """Trials a second, or a minute where that is less than one."""
    seconds = rate >= 1 or not rate
    return said("progress-rate", rate=f"{rate if seconds else 60 * rate:,.1f}", seconds=seconds)


def in_words(seconds: float) -> str:
    """A time in its two largest units: "45 s", "3 min 20 s", "2 h 5 min", "3 d 4 h"."""
    whole = max(0, round(seconds))
    units = (*zip(reversed(TIME_UNITS[spoken()]), (86_400, 3_600, 60, 1), strict=True),)
    for place, (name, size) in enumerate(units):
        if whole >= size:
            if place == len(units) - 1:
                break
            inner, length = units[place + 1]
            rest = whole % size // length
            return f"{whole // size} {name}" + (f" {rest} {inner}" if rest else "")
    return f"{whole} {units[-1][0]}"


def _share_right(count: Count) -> str | None:
    return f"{100 * count.correct / count.judged:.1f} %" if count.judged else None
