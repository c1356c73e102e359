"""Ctrl-C and requests to end, handed to a run, or to several in one event loop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

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
