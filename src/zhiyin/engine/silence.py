"""Silence of a model: how long it has not answered, what is said of it, when waiting ends."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from contextvars import ContextVar

from zhiyin.errors import FatalError
from zhiyin.numerals import counted, duration
from zhiyin.record import Model

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

    An error is an answer, too: only calls that came to their time limit are silence.
    """

    def __init__(self) -> None:
        self._under_way = 0
        self._since: float | None = None
        self._heard = False
        self._lost: set[str] = set()
        self._told = 0.0

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
        """Raise `FatalError` where nobody has answered for too long; a call may take `limit_s`."""
        few = self._heard and len(self._lost) < _TRIALS
        if not self._lost or few or self.seconds < 0.99 * _TIMES * limit_s:
            return
        raise FatalError(
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
