"""The servers of a pool: where they are, how they do, and whether they may be asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from time import monotonic
from typing import Any, Literal

from zhiyin.errors import InputError
from zhiyin.models.chat import ChatModel
from zhiyin.models.endpoint import Endpoint, url_endpoint

_FORM = "pool:http://HOST:PORT/v1,http://HOST:PORT/v1#MODEL or pool:FILE#MODEL"


class Addresses:
    """The servers that a spec names.

    Parameters
    ----------
    rest : str
        What follows ``pool:``: addresses between commas, or a file with an address a line (empty
        lines and what follows "#" count for nothing), and ``#MODEL``.

    Attributes
    ----------
    model : str
        The model's name, as the servers know it.
    file : Path or None
        Read again whenever it changes: servers may join and leave while a run goes on.

    Raises
    ------
    InputError
        When no model or no address is named, an address is malformed or named twice, or the
        file cannot be read.
    """

    def __init__(self, rest: str) -> None:
        place, _, self.model = rest.rpartition("#")
        if not place.strip() or not self.model.strip():
            raise InputError(f"a pool names its servers and its model: write {_FORM}")
        self.written = [part.strip() for part in place.split(",") if part.strip()]
        here = any(part.startswith(("http://", "https://")) for part in self.written)
        self.file = None if here else Path(place).expanduser()
        self._file_state: tuple[int, int] | None = None

    def changed(self) -> bool:
        """Whether the file is another than when it was read last. A missing one is not."""
        if self.file is None:
            return False
        try:
            status = self.file.stat()
        except OSError:  # being rewritten at this moment, or a disk that is away: keep the servers
            return False
        return (status.st_mtime_ns, status.st_size) != self._file_state

    def read(self) -> list[Endpoint]:
        """The endpoints, in the order in which they are written."""
        lines = self.written if self.file is None else self._lines(self.file)
        where = f"{self.file}: " if self.file else ""
        endpoints: dict[str, Endpoint] = {}
        for line in lines:
            try:
                one = url_endpoint(f"{line.partition('#')[0].strip()}#{self.model}")
            except InputError as error:
                raise InputError(f"{where}{error}") from None
            if one.place in endpoints:
                raise InputError(f"{where}{one.place} is named twice: a server counts once")
            endpoints[one.place] = one
        if not endpoints:
            raise InputError(f"{where}no address: write one a line, such as http://HOST:PORT/v1")
        return list(endpoints.values())

    def _lines(self, file: Path) -> list[str]:
        try:
            status = file.stat()
            text = file.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            raise InputError(f"{file}: no such file of addresses; write {_FORM}") from None
        except (OSError, UnicodeDecodeError) as error:
            reason = (getattr(error, "strerror", None) or "").lower() or "not text in UTF-8"
            raise InputError(f"{file}: cannot be read ({reason})") from None
        self._file_state = (status.st_mtime_ns, status.st_size)
        return [line for raw in text.splitlines() if (line := raw.partition("#")[0].strip())]


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

    def as_manifest(self) -> dict[str, object]:
        """What the manifest says of it."""
        entry: dict[str, object] = {
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
