"""Ends of a run before its time: Ctrl-C, requests to end, and the silence of a model."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

from zhiyin.errors import StuckError
from zhiyin.numerals import counted, duration
from zhiyin.record import Model

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

signals_are_ours: ContextVar[bool] = ContextVar("signals_are_ours", default=True)
"""Whether a run may take Ctrl-C for itself: not as a guest in somebody's event loop."""


@contextlib.contextmanager
def handled_by(stop: Callable[[signal.Signals], None]) -> Iterator[None]:
    """Hand Ctrl-C, and requests to end, to a function while an event loop goes on."""
    loop = asyncio.get_running_loop()
    before: dict[signal.Signals, Any] = {}
    try:
        for number in _SIGNALS:
            handler = signal.getsignal(number)
            if handler is not signal.SIG_IGN:  # under nohup, or in the background
                loop.add_signal_handler(number, stop, number)
                before[number] = handler
    except (NotImplementedError, RuntimeError, ValueError):
        pass  # not the main thread: our caller handles signals
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            if handler is not None:
                signal.signal(number, handler)


class Host:
    """Hosts several runs in one event loop: its signals reach all of them."""

    def __init__(self) -> None:
        self.stopped: signal.Signals | None = None
        self._runs: set[Callable[[signal.Signals], None]] = set()

    def stop(self, number: signal.Signals) -> None:
        """Hand a signal on to every run, and to those that are yet to begin."""
        self.stopped = number
        for run in [*self._runs]:
            run(number)

    @contextlib.contextmanager
    def holds(self, run: Callable[[signal.Signals], None]) -> Iterator[None]:
        """Hand signals on to a run while it goes on."""
        self._runs.add(run)
        if self.stopped:
            run(self.stopped)
        try:
            yield
        finally:
            self._runs.discard(run)


host: ContextVar[Host | None] = ContextVar("host", default=None)
"""Who hands signals on to this run, where it is one of several."""


SAID_AFTER_S, SAID_EVERY_S = 30.0, 60.0
_LOOKED_EVERY_S = 5.0
_HELD = "_silence"
_TIMES = 2
"""So many times the limit of a call nobody answers before a run gives up."""
_TRIALS = 3
"""Of so many trials, where something was answered before: one question may be too much alone."""

say_silence: ContextVar[Callable[[str], None] | None] = ContextVar("say_silence", default=None)
"""Who tells the user that nobody answers; None where nothing is shown."""


class Silence:
    """Clock of the time since a call of a model was last answered, in whichever way.

    An error is an answer, too: only calls that came to their time limit are silence. `empty`:
    replies in a row without words, of which each was asked for again and taken in the end.
    """

    def __init__(self) -> None:
        self._under_way = 0
        self._since: float | None = None
        self._heard = False
        self._lost: set[str] = set()
        self._told = 0.0
        self.empty = 0

    @property
    def seconds(self) -> float:
        """Seconds since the last answer; 0 if nothing is asked."""
        return 0.0 if self._since is None else time.monotonic() - self._since

    def begin(self) -> None:
        """A call is sent."""
        self._under_way += 1
        if self._since is None:
            self._since = time.monotonic()

    def end(self) -> None:
        """A call is over, however it ended."""
        self._under_way -= 1

    def hear(self) -> None:
        """Note that something came back: time runs anew for what else is under way."""
        self._heard, self._told = True, 0.0
        self._lost.clear()
        self._since = time.monotonic() if self._under_way else None

    def lose(self, trial: str) -> None:
        """A call of a trial came to its time limit."""
        self._lost.add(trial)

    def refuse(self, limit_s: float) -> None:
        """Raise `StuckError` where nobody has answered for too long; a call may take `limit_s`."""
        few = self._heard and len(self._lost) < _TRIALS
        if not self._lost or few or self.seconds < 0.99 * _TIMES * limit_s:
            return
        raise StuckError(
            f"no reply to any call within {duration(_TIMES * limit_s)}: connections are taken, and "
            "nothing is answered; is the server stuck, or too slow for a time limit (timeout) of "
            f"{duration(limit_s)}?"
        )

    async def watch(self, limit_s: float | None) -> None:
        """Say every minute that nobody answers, for as long as that is so; runs until cancelled.

        `limit_s` is the time limit of a call; None without any.
        """
        while True:
            await asyncio.sleep(_LOOKED_EVERY_S)
            tell, now = say_silence.get(), time.monotonic()
            quiet = self.seconds >= SAID_AFTER_S and now - self._told >= SAID_EVERY_S
            if tell is None or not quiet or not self._under_way:
                continue
            self._told = now
            told = f"no reply for {duration(self.seconds)}: waiting for "
            told += counted(self._under_way, "call")
            if limit_s is not None:
                told += f", each for up to {duration(limit_s)} (timeout)"
                told += f"; gives up after {duration(_TIMES * limit_s)} without any reply"
            tell(told)


def silence_of(model: Model) -> Silence:
    """The silence of a model, which all share that ask it: its canary, and the runs of a suite."""
    found = getattr(model, _HELD, None)
    if not isinstance(found, Silence):
        found = Silence()
        with contextlib.suppress(AttributeError, TypeError):  # a model of a user's own: no room
            setattr(model, _HELD, found)
    return found
