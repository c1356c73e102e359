"""One server of a pool: what it was asked, how it did, and whether it may be asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from time import monotonic
from typing import Any, Literal

from zhiyin.models.chat import ChatModel

State = Literal["in", "on trial", "out"]

_ROW = 3
"""Failures in a row after which a server is left out."""
_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 10.0
_PROBE_S = 5.0


class Member:
    """A server, and the circuit breaker before it.

    It is *in*; after three failures in a row, or when it stalls, it is *out* and is asked no
    trial. It is looked at after a second, then after two, four, up to ten; when it answers
    that look it is *on trial*: one trial at a time, until one succeeds.

    Parameters
    ----------
    model : ChatModel
        How it is asked.
    place : str
        Its address, with what stands for the query.

    Attributes
    ----------
    flights : dict
        The calls under way, each with the time at which it began (seconds, monotonic).
    asked, answered : int
        Calls begun; calls that brought a reply.
    failures : Counter
        Failed calls by their reason.
    """

    def __init__(self, model: ChatModel, place: str) -> None:
        self.model, self.place = model, place
        self.flights: dict[asyncio.Task[Any], float] = {}
        self.asked = self.answered = self.times_out = 0
        self.failures: Counter[str] = Counter()
        self.state: State = "in"
        self.why = ""
        self.leaving = False
        self.last_answer = monotonic()
        self.seconds = 0.0
        self._row, self._wait = 0, _FIRST_WAIT_S
        self._rest_until = self._look_at = 0.0
        self._out_since: float | None = None
        self._out_s = 0.0

    def __repr__(self) -> str:
        return f"Member({self.place!r}, {self.state}, {len(self.flights)} under way)"

    @property
    def free(self) -> bool:
        """Whether it may be asked a trial now."""
        if self.leaving or self.state == "out" or monotonic() < self._rest_until:
            return False
        return self.state == "in" or not self.flights

    @property
    def out_s(self) -> float:
        """Seconds for which it has been left out, all times together."""
        return self._out_s + (monotonic() - self._out_since if self._out_since else 0.0)

    def began(self, task: asyncio.Task[Any]) -> None:
        """A call is under way."""
        if not self.flights:  # it was idle: silence counts from now
            self.last_answer = monotonic()
        self.asked += 1
        self.flights[task] = monotonic()

    def succeeded(self, seconds: float) -> None:
        """A call brought a reply, after so many seconds."""
        self.answered += 1
        self.seconds += seconds
        self.last_answer = monotonic()
        self._row, self._wait = 0, _FIRST_WAIT_S
        self._admit("in")

    def failed(self, reason: str) -> None:
        """A call failed."""
        self.failures[reason] += 1
        self._row += 1
        if self._row >= _ROW or self.state == "on trial":
            self.leave_out(reason)

    def busy(self, reason: str, seconds: float) -> None:
        """It asks for a pause of so many seconds, which is no failure."""
        self.failures[reason] += 1
        self._rest_until = max(self._rest_until, monotonic() + seconds)

    def leave_out(self, reason: str) -> None:
        """Ask it no more trials until it has shown that it answers."""
        self.why = reason
        if self.state == "out":
            return
        self.times_out += 1
        self.state, self._out_since = "out", monotonic()
        self._look_at = monotonic() + self._wait
        self._wait = min(2 * self._wait, _LONGEST_WAIT_S)

    def silent_for(self) -> float:
        """Seconds since it last answered, while it has been asked something; 0 for idle."""
        if not self.flights:
            return 0.0
        return monotonic() - max(self.last_answer, min(self.flights.values()))

    async def look(self) -> bool:
        """Look whether it is well again, when that is due. Whether it may be asked now."""
        if self.state != "out" or self.leaving or monotonic() < self._look_at:
            return False
        trouble = await self.model.trouble(_PROBE_S)
        if trouble is None:
            self._admit("on trial")
            return True
        self.why = trouble
        self._look_at = monotonic() + self._wait
        self._wait = min(2 * self._wait, _LONGEST_WAIT_S)
        return False

    def _admit(self, state: State) -> None:
        if self._out_since is not None:
            self._out_s += monotonic() - self._out_since
            self._out_since = None
        self.state = state

    def as_manifest(self) -> dict[str, Any]:
        """What the manifest says of it."""
        entry: dict[str, Any] = {
            "base_url": self.place,
            "asked": self.asked,
            "answered": self.answered,
            "mean_s": round(self.seconds / self.answered, 3) if self.answered else None,
            "left_out": self.times_out,
            "left_out_s": round(self.out_s, 1),
        }
        if self.failures:
            entry["failures"] = dict(self.failures.most_common(5))
        if self.state == "out":
            entry["why_out"] = self.why
        if self.leaving:
            entry["left"] = True
        return entry
