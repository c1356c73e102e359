"""The pool: each trial to the server with the fewest calls under way; failures go elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Literal

from zhiyin.errors import (
    BusyError,
    FatalError,
    HaltError,
    InputError,
    ModelError,
    TransientError,
    reworded,
)
from zhiyin.models import Setting
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.chat import OF_ANY_SERVER, ChatModel
from zhiyin.models.endpoint import Endpoint, url_endpoint
from zhiyin.models.http import make_room
from zhiyin.models.replies import EmptyReply
from zhiyin.record import Reply, Sampling, in_hand
from zhiyin.trial import Message, Trial
from zhiyin.words import Said, said
from zhiyin.words.findings import Warning

_POOL = "pool:http://HOST:PORT/v1,http://HOST:PORT/v1#MODEL or pool:FILE#MODEL"

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
        """Tell whether it may be asked a trial now."""
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
        """Take a request to pause for so many seconds, which is no failure."""
        self.failures[reason] += 1
        self._rest_until = max(self._rest_until, monotonic() + seconds)

    def leave_out(self, reason: str) -> None:
        """Ask it no more trials until it has shown that it answers."""
        self.why = reason
        if self.state == "out":
            return
        self.times_out += 1
        self.state, self._out_since = "out", monotonic()
        self._look_later()

    def silent_for(self) -> float:
        """Seconds since it last answered, while it has been asked something; 0 for idle."""
        if not self.flights:
            return 0.0
        return monotonic() - max(self.last_answer, min(self.flights.values()))

    async def look(self) -> bool:
        """Look whether it is well again, when that is due. Return whether it may be asked now."""
        if self.state != "out" or self.leaving or monotonic() < self._look_at:
            return False
        trouble = await self.model.trouble(_PROBE_S)
        if trouble is None:
            self._admit("on trial")
            return True
        self.why = trouble
        self._look_later()
        return False

    def _look_later(self) -> None:
        self._look_at = monotonic() + self._wait
        self._wait = min(2 * self._wait, _LONGEST_WAIT_S)

    def _admit(self, state: State) -> None:
        if self._out_since is not None:
            self._out_s += monotonic() - self._out_since
            self._out_since = None
        self.state = state

    def as_manifest(self) -> dict[str, object]:
        """Return what the manifest says of it."""
        return {
            "base_url": self.place,
            "asked": self.asked,
            "answered": self.answered,
            "mean_s": round(self.seconds / self.answered, 3) if self.answered else None,
            "left_out": self.times_out,
            "left_out_s": round(self.out_s, 1),
            **({"failures": dict(self.failures.most_common(5))} if self.failures else {}),
            **({"why_out": self.why} if self.state == "out" else {}),
            **({"left": True} if self.leaving else {}),
        }


_EACH = 32
"""Calls at once for each server, where the user says nothing."""
_TICK_S = 0.25
_LEAST_STALL_S = 2.0
_LATE = 200
"""Of so many latest replies the slowest says what is slow."""
_REST_S = 1.0
"""How long a server that is busy and does not say for how long is left alone."""


class Pool:
    """One model behind several servers that speak OpenAI's chat completions.

    Parameters
    ----------
    rest : str
        What follows ``pool:``; see `Addresses`.
    setting : Setting
        The time limit holds for each call of each server.

    Notes
    -----
    A call that fails at one server is put to the next at once; when it has failed at all that
    are well, the run's own retries begin. A server none of whose calls has ended for twice as
    long as the slowest of the latest 200 replies took (2 s at least) has *stalled*: it is left
    out, and what it was asked is asked of another as well; the first reply counts, once.
    """

    canary = True
    timed = False
    tells_sending = True
    capabilities: Capabilities = OF_ANY_SERVER

    def __init__(self, rest: str, setting: Setting) -> None:
        self._addresses = addresses = Addresses(rest)
        self._setting = setting
        endpoints = addresses.read()
        where = str(addresses.file or ",".join(one.place for one in endpoints))
        self.name = f"pool:{where}#{addresses.model}"
        self.concurrency = setting.concurrency or _EACH * len(endpoints)
        self.members = [self._member(one) for one in endpoints]
        self._late: deque[float] = deque(maxlen=_LATE)
        self._alarms: dict[asyncio.Task[Any], asyncio.Future[None]] = {}
        self._watching: asyncio.Task[None] | None = None
        self._looking: set[asyncio.Task[Any]] = set()
        self._change: asyncio.Event | None = None
        self._none_since: float | None = None
        self._twice = 0
        self._trouble = ""

    def __repr__(self) -> str:
        return f"Pool({self.name!r})"

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """Ask until a server replies or all that are well have failed. Raises as `ChatModel`."""
        loop = asyncio.get_running_loop()
        if self._watching is None or self._watching.done():
            self._watching = loop.create_task(self._keep_watch())
        under_way: dict[asyncio.Task[Reply], Member] = {}
        tried: set[Member] = set()
        failure: TransientError | None = None
        request, second = in_hand.get(), None  # who counts the calls, and a doubled one
        alarm: asyncio.Future[None] = loop.create_future()
        try:
            while True:
                if not under_way or (alarm.done() and len(under_way) == 1):
                    member = await self._choose(tried, wait=not under_way and failure is None)
                    if member is None and not under_way:
                        raise failure or TransientError(str(self._no_server()))
                    if member is not None and request is not None:
                        if under_way:
                            second = request.double()
                            member = member if second else None
                        elif tried:
                            await request.again(failure)
                    if member is not None:
                        self._twice += bool(under_way)
                        tried.add(member)
                        task = loop.create_task(member.model.generate(messages, sampling, trial))
                        member.began(task)
                        self._alarms[task] = alarm
                        under_way[task] = member
                until: set[asyncio.Future[Any]] = {*under_way}
                until |= set() if alarm.done() else {alarm}
                timeout = _TICK_S if alarm.done() and len(under_way) == 1 else None
                done, _ = await asyncio.wait(
                    until, timeout=timeout, return_when=asyncio.FIRST_COMPLETED
                )
                for task in [task for task in under_way if task in done]:
                    ended = self._outcome(under_way.pop(task), task)
                    if isinstance(ended, Reply):
                        return ended
                    failure = ended
                    if under_way and second is not None:  # the other one goes on as the first
                        second.failed(failure)
                        second = None
        finally:
            if second is not None:  # which the other server may go on with
                second.failed(asyncio.CancelledError() if under_way else failure)
            for task, member in under_way.items():
                self._forget(task, member)
                task.cancel()

    def _forget(self, task: asyncio.Task[Reply], member: Member) -> float:
        """A call is no longer under way. How long it was."""
        self._alarms.pop(task, None)
        if member.leaving or member.state == "on trial":
            self._changed()
        return monotonic() - member.flights.pop(task)

    def _outcome(self, member: Member, task: asyncio.Task[Reply]) -> Reply | TransientError:
        """Return the result of a call: its reply, or a failure that another server may not have."""
        seconds = self._forget(task, member)
        try:
            reply = task.result()
        except EmptyReply:  # of the server it is an answer as good as any
            member.succeeded(seconds)
            raise
        except BusyError as error:
            rest = _REST_S if error.retry_after is None else error.retry_after
            member.busy(str(error), min(rest, 60.0))
            return error
        except TransientError as error:
            member.failed(str(error))
            self._changed()
            return error
        except FatalError as error:
            # Not the trial's fault. Another server may have the model, or take the key.
            member.leave_out(str(error))
            member.failures[str(error)] += 1
            if all(one.state == "out" and one.why == member.why for one in self._present()):
                raise
            return TransientError(str(error))
        except ModelError:  # it refuses this trial, and is well
            member.succeeded(seconds)
            raise
        member.succeeded(seconds)
        self._late.append(seconds)
        self._none_since = None
        reply.detail |= {"server": member.place}
        return reply

    async def _choose(self, tried: set[Member], *, wait: bool) -> Member | None:
        """The free server with the fewest calls under way; None where `tried` has had all.

        With `wait` it waits for one; without, what is not free is as good as tried.

        Raises
        ------
        HaltError
            When no server has been well for as long as a call may take.
        """
        while True:
            present = [one for one in self._present() if one not in tried]
            if free := [one for one in present if one.free]:
                return min(free, key=lambda one: (len(one.flights), one.asked))
            if not wait:
                return None
            if all(one.state == "out" for one in self._present()):
                self._none_since = self._none_since or monotonic()
                if monotonic() - self._none_since > self._setting.timeout:
                    raise HaltError(self._no_server())
            event = self._change = self._change or asyncio.Event()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), _TICK_S)

    def _present(self) -> list[Member]:
        return [one for one in self.members if not one.leaving]

    def _no_server(self) -> Said:
        reasons = "; ".join(f"{one.place}: {one.why}" for one in self._present()[:3])
        count = len(self._present())
        return said("log-pool-silent", n=count, why=reasons or said("log-none-named"))

    def _changed(self) -> None:
        if self._change is not None:
            self._change.set()
            self._change = None

    async def _keep_watch(self) -> None:
        while True:
            await asyncio.sleep(_TICK_S)
            self._reread()
            slow = max(_LEAST_STALL_S, 2 * max(self._late)) if self._late else None
            for member in self.members:
                if slow is not None and member.silent_for() > slow:
                    self._stalled(member)
                if member.state == "out" and not member.leaving:
                    self._look(member)

    def _stalled(self, member: Member) -> None:
        """Leave a server out that does not answer, and let its calls be put to others too."""
        member.leave_out(f"no reply for {member.silent_for():.1f} s")
        for task in member.flights:
            alarm = self._alarms.get(task)
            if alarm is not None and not alarm.done():
                alarm.set_result(None)

    def _look(self, member: Member) -> None:
        if any(task.get_name() == member.place for task in self._looking):
            return

        async def look() -> None:
            if await member.look():
                self._changed()

        task = asyncio.get_running_loop().create_task(look(), name=member.place)
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    def _reread(self) -> None:
        """Take in servers that the file of addresses names by now, and let go of the others."""
        if not self._addresses.changed():
            return
        try:
            endpoints = {one.place: one for one in self._addresses.read()}
        except InputError as error:
            self._trouble = f"{error}; the servers stay as they were"
            return
        for member in self.members:
            member.leaving = member.place not in endpoints
        known = {member.place for member in self.members}
        self.members += [
            self._member(one) for place, one in endpoints.items() if place not in known
        ]
        self._changed()

    def _member(self, endpoint: Endpoint) -> Member:
        model = ChatModel(endpoint, self._setting._replace(concurrency=self.concurrency))
        return Member(model, endpoint.place)

    async def check(self) -> None:
        """Look at all servers. Those that do not answer are left out for now.

        Raises
        ------
        InputError
            When none answers, or this machine does not allow as many connections as wanted.
        """
        make_room(self.concurrency)
        troubles = await asyncio.gather(*(one.model.trouble(10.0) for one in self.members))
        for member, trouble in zip(self.members, troubles, strict=True):
            if trouble is not None:
                member.leave_out(trouble)
        if all(trouble is not None for trouble in troubles):
            raise InputError(self._no_server())

    def describe(self) -> dict[str, object]:
        """Return what a run's manifest says: each server, what it was asked, and how it did."""
        description = self.members[0].model.describe()
        del description["base_url"]
        description |= self._queries()
        description["kind"] = "pool"
        if self._addresses.file:
            description["addresses"] = str(self._addresses.file)
        return {
            **description,
            "asked_twice": self._twice,
            "members": [m.as_manifest() for m in self.members],
        }

    def identity(self) -> dict[str, object]:
        """Return what identifies the pool, for kept replies."""
        own = self.members[0].model.identity()
        bases = sorted({member.model.endpoint.base for member in self.members})
        return {**own, "base_url": bases, **self._queries()}

    def _queries(self) -> dict[str, str]:
        """Return the marks of the queries of all addresses, if any has one."""
        marks = sorted(one.model.endpoint.place for one in self.members if one.model.endpoint.query)
        return {"query": " ".join(marks)} if marks else {}

    def report(self) -> list[str | Warning]:
        """List what the user should know when the run is over, a line each."""
        lines: list[str | Warning] = []
        for member in self.members:
            if member.times_out:
                now = ", and is out now" if member.state == "out" else ""
                times = f"{member.times_out} time{'s' if member.times_out > 1 else ''}"
                lines.append(
                    f"server {member.place} was left out {times}, {member.out_s:.0f} s in all"
                    f"{now} ({member.why})"
                )
        if self._twice:
            calls = "call was" if self._twice == 1 else "calls were"
            lines.append(f"{self._twice:,} {calls} put to a second server, as the first was silent")
        if self._trouble:
            lines.append(self._trouble)
        own = dict.fromkeys(line for member in self.members for line in member.model.report())
        return [*lines, *own]

    async def close(self) -> None:
        """Close all connections."""
        for task in [*self._looking, *([self._watching] if self._watching else [])]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        self._watching = None
        await asyncio.gather(*(member.model.close() for member in self.members))


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
            raise InputError(said("local-pool", pool=_POOL))
        self.written = [part.strip() for part in place.split(",") if part.strip()]
        here = any(part.startswith(("http://", "https://")) for part in self.written)
        self.file = None if here else Path(place).expanduser()
        self._file_state: tuple[int, int] | None = None

    def changed(self) -> bool:
        """Tell whether the file has changed since it was read last. A missing one has not."""
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
            with reworded(where, of=InputError):
                one = url_endpoint(f"{line.partition('#')[0].strip()}#{self.model}")
            if one.place in endpoints:
                raise InputError(said("local-pool-twice", where=where, place=one.place))
            endpoints[one.place] = one
        if not endpoints:
            raise InputError(said("local-pool-empty", where=where))
        return list(endpoints.values())

    def _lines(self, file: Path) -> list[str]:
        try:
            status = file.stat()
            text = file.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            raise InputError(said("local-addresses", file=file, pool=_POOL)) from None
        except (OSError, UnicodeDecodeError) as error:
            why = (getattr(error, "strerror", None) or "").lower() or said("local-no-utf8")
            raise InputError(said("error-read", path=file, why=why)) from None
        self._file_state = (status.st_mtime_ns, status.st_size)
        return [line for raw in text.splitlines() if (line := raw.partition("#")[0].strip())]
