"""Batches of requests of about one length, as many as memory holds.

Two threads share the work. One measures requests as they come, picks those that go together and
prepares them (tokens, features of sound); the other runs the model, so that the next batch is ready
when it is done. The oldest request is always among the next, beside its neighbours in length, so
that no request waits for ever and little is padded.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import math
import threading
from bisect import bisect_left
from collections.abc import Hashable, Mapping, Sequence
from queue import Empty, Full, Queue, SimpleQueue
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from zhiyin.errors import ModelError
from zhiyin.extensions import error_line
from zhiyin.plugins.local.checkpoint import Checkpoint, ModelOption, read_spec
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Message, Trial

if TYPE_CHECKING:
    from zhiyin.models import Setting

WINDOW_S = 0.005
"""How long an idle model waits for company for the first request."""
LEAVE_S = 20.0
"""How long is waited for a model to stop what it is doing."""
_GROWTH, _GROW_AFTER = 1.3, 16

Asked = TypeVar("Asked")


class Measured(NamedTuple):
    """Measurements of a request before it is run.

    Attributes
    ----------
    key : hashable
        Requests of one key can be asked together.
    length : int
        Positions of the model that its prompt takes, about.
    more : int
        Positions that the reply may take.
    data : Any
        What `prepare` is given of it.
    """

    key: Hashable
    length: int
    more: int
    data: Any


class BatchWork(Generic[Asked]):
    """A batcher's work on requests. All but `too_much` is called in its threads."""

    def measure(self, asked: Asked) -> Measured:
        """Look at one request. What it raises is the request's error."""
        raise NotImplementedError

    def prepare(self, batch: Sequence[Any]) -> Any:
        """Make the model's inputs from the `data` of a batch."""
        raise NotImplementedError

    def run(self, batch: Sequence[Any], prepared: Any) -> Sequence[Any]:
        """Run the model: a result a request, in their order. A result may be an exception."""
        raise NotImplementedError

    def too_much(self, error: BaseException) -> bool:
        """Tell whether an error says that memory ran out."""
        return False

    def relieve(self) -> None:
        """Give back what memory can be given back, after it ran out."""

    def stop(self) -> None:
        """Return from `run` soon, even with results missing: no one waits for them any more."""

    def close(self) -> None:
        """Let go of what it holds, when all threads have ended."""


class LocalCall(NamedTuple):
    """One call."""

    messages: Sequence[Message]
    sampling: Sampling
    trial: str


class LocalModel:
    """A checkpoint in this process, which is asked in batches.

    A subclass writes `load`, `capabilities` and `describe`.

    Parameters
    ----------
    rest : str
        ``PATH_OR_ID[,OPTION=VALUE...]``
    setting : Setting

    Attributes
    ----------
    rows : int
        Prompts asked together at most.

    Raises
    ------
    InputError
        The spec is wrong, or packages are missing. What is wrong with the checkpoint is reported
        when it is read.
    """

    timed = False
    """A call waits for its batch; how long depends on the others."""
    kind: ClassVar[str]
    options: ClassVar[Mapping[str, ModelOption]]
    usual_rows: ClassVar[int]
    waiting: ClassVar[int]
    """Prompts in a batch, and batches that wait for the model."""

    def __init__(self, rest: str, setting: Setting) -> None:
        self.spec = read_spec(self.kind, rest, self.options)
        self.refuse_missing()
        self.name = self.spec.name
        self.checkpoint = Checkpoint(self.spec)
        self.sound, self._wanted = setting.sound, setting.concurrency
        self.concurrency = self._wanted or self.usual_rows * self.waiting
        self.work: BatchWork[LocalCall] | None = None
        self.batcher: Batcher[LocalCall] | None = None
        self._loading = threading.Lock()

    @property
    def rows(self) -> int:
        raise NotImplementedError

    def refuse_missing(self) -> None:
        """Raise `InputError` where a package is missing."""

    def load(self) -> BatchWork[LocalCall]:
        """Load the model. Raises `InputError` when it cannot be had."""
        raise NotImplementedError

    def describe(self) -> dict[str, object]:
        """Return what a run's manifest says of it."""
        raise NotImplementedError

    async def check(self) -> None:
        """Load the model. Raises `InputError` when it cannot be had."""
        if self.batcher is None:
            await asyncio.to_thread(self._load_once)

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """One reply, when its batch has been generated. Of `trial` the id seeds the draws.

        Raises
        ------
        ModelError
            The prompt or its sound cannot be given to the model, or memory does not hold it.
        """
        await self.check()
        assert self.batcher is not None
        begun = perf_counter()
        reply: Reply = await self.batcher.ask(LocalCall(messages, sampling, trial.id))
        reply.latency_s = perf_counter() - begun
        return reply

    def _load_once(self) -> None:
        """Load the model, unless another of the first calls has: they all come at once."""
        with self._loading:
            if self.batcher is None:
                self.work = self.load()
                self.batcher = Batcher(self.work, self.rows)
                self.concurrency = self._wanted or self.rows * self.waiting

    def fingerprint(self) -> str:
        """SHA-256 of the checkpoint."""
        return self.checkpoint.fingerprint()

    def identity(self) -> dict[str, object]:
        """Return the model's identity, for kept replies: weights, and what computes them."""
        own = {k: v for k, v in self.describe().items() if k not in ("place", "device", "batch")}
        return own | {"weights": self.fingerprint()}

    async def close(self) -> None:
        """Let the threads end, and the weights go with them."""
        if self.batcher is not None:
            await self.batcher.close()
        if self.work is not None:
            self.work.close()
        self.batcher = self.work = None


class _Waiting(NamedTuple):
    number: int
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    measured: Measured


class BatchSize:
    """Size that a batch may have: rows, and rows times the positions of the longest.

    It shrinks to half of what was too much, grows again after some batches that filled it, and
    never again to what failed.

    Parameters
    ----------
    rows : int
        At most.
    """

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.cells, self._failed, self._full = math.inf, math.inf, 0
        self.failures = 0

    def fits(self, rows: int, positions: int) -> bool:
        """Tell whether a batch of so many rows and positions may be tried. One row always may."""
        return rows == 1 or (rows <= self.rows and rows * positions <= self.cells)

    def shrink(self, cells: int) -> None:
        """A batch of so many cells was too much."""
        self.failures += 1
        self._failed = min(self._failed, cells)
        self.cells, self._full = min(self.cells, cells / 2), 0

    def grow(self, cells: int) -> None:
        """A batch of so many cells went well."""
        if self.cells == math.inf or cells * _GROWTH < self.cells:
            return
        self._full += 1
        if self._full >= _GROW_AFTER:
            self.cells, self._full = min(self.cells * _GROWTH, 0.9 * self._failed), 0


class Batcher(Generic[Asked]):
    """Collects requests, and has them done in batches in threads of its own.

    Parameters
    ----------
    work : BatchWork
    rows : int
        Requests in a batch at most.
    """

    def __init__(self, work: BatchWork[Asked], rows: int) -> None:
        self.budget = BatchSize(rows)
        self.batches = self.done = 0
        self._work = work
        self._arrived: SimpleQueue[Any] = SimpleQueue()
        self._ready: Queue[Any] = Queue(maxsize=1)
        self._idle = threading.Event()
        self._idle.set()
        self._ending = False
        self._threads: list[threading.Thread] = []
        self._count = 0

    async def ask(self, asked: Asked) -> Any:
        """The result for one request, when its batch has been done. Raises what it raised."""
        if not self._threads:
            for name, target in (("collect", self._collect), ("run", self._run)):
                thread = threading.Thread(target=target, name=f"zhiyin-{name}", daemon=True)
                self._threads.append(thread)
                thread.start()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._count += 1
        self._arrived.put((self._count, future, loop, asked))
        return await future

    async def close(self) -> None:
        """End the threads. Nothing more may be asked, and what is being done is given up."""
        self._ending = True
        self._work.stop()
        self._arrived.put(None)
        # A thread that is inside torch when Python ends crashes the process.
        for thread in self._threads:
            await asyncio.to_thread(thread.join, LEAVE_S)

    # The thread that collects

    def _collect(self) -> None:
        waiting: list[_Waiting] = []
        while not self._ending:
            self._take(waiting, None if not waiting else 0.0)
            waiting = [w for w in waiting if not w.future.done()]
            if not waiting or self._ending:
                continue
            full = len(waiting) >= self.budget.rows
            if self._ready.full() or not (full or self._idle.is_set()):
                self._take(waiting, WINDOW_S)  # the model is busy: more may come meanwhile
                continue
            if not full:
                self._take(waiting, WINDOW_S)
            for prepared in self._prepare(self._pick(waiting)):
                self._idle.clear()
                self._hand_over(prepared)
        self._hand_over(None)

    def _hand_over(self, ready: Any) -> None:
        """Give a batch to the thread that runs the model; nothing any more when all is to end."""
        while not (self._ending and ready is not None):
            with contextlib.suppress(Full):
                self._ready.put(ready, timeout=WINDOW_S * 20)
                return

    def _take(self, waiting: list[_Waiting], seconds: float | None) -> None:
        """Measure what has arrived; wait so long for the first of it, None for ever."""
        with contextlib.suppress(Empty):
            arrived = self._arrived.get(seconds != 0.0, seconds or None)
            while arrived is not None:
                number, future, loop, asked = arrived
                try:
                    measured = self._work.measure(asked)
                except Exception as error:
                    _settle([(future, loop, _as_model_error(error))])
                else:
                    waiting.append(_Waiting(number, future, loop, measured))
                arrived = self._arrived.get_nowait()

    def _pick(self, waiting: list[_Waiting]) -> list[_Waiting]:
        """Take the oldest out, and its neighbours in length."""
        oldest = min(waiting, key=lambda w: w.number)
        alike = [w for w in waiting if w.measured.key == oldest.measured.key]
        alike.sort(key=lambda w: (w.measured.length, w.number))
        place = bisect_left(
            alike,
            (oldest.measured.length, oldest.number),
            key=lambda w: (w.measured.length, w.number),
        )
        first = last = place  # both included
        while True:
            nearer = _nearer(alike, first, last)
            if nearer is None:
                break
            longest = max(alike[last], alike[nearer], key=_positions)
            if not self.budget.fits(last - first + 2, _positions(longest)):
                break
            first, last = min(first, nearer), max(last, nearer)
        chosen = alike[first : last + 1]
        taken = {w.number for w in chosen}
        waiting[:] = [w for w in waiting if w.number not in taken]
        return chosen

    def _prepare(self, batch: list[_Waiting]) -> list[tuple[list[_Waiting], Any]]:
        """The inputs for a batch; one by one where they cannot be made for all at once."""
        try:
            return [(batch, self._work.prepare([w.measured.data for w in batch]))]
        except Exception as error:
            if len(batch) > 1:
                return [ready for one in batch for ready in self._prepare([one])]
            _settle([(batch[0].future, batch[0].loop, _as_model_error(error))])
            return []

    # The thread that runs the model

    def _run(self) -> None:
        while (ready := self._next()) is not None:
            batch, prepared = ready
            del ready
            if self._ending:
                continue
            self._finish(batch, prepared)
            del batch, prepared

    def _next(self) -> Any:
        if self._ready.empty():
            self._idle.set()
        return self._ready.get()

    def _finish(self, batch: list[_Waiting], prepared: Any) -> None:
        """Run a batch to its end, in halves where it is too much, row by row where it fails."""
        longest = max(map(_positions, batch))
        if not self.budget.fits(len(batch), longest):  # known since it was picked
            del prepared
            self._finish_parts(_halves(batch))
            return
        failure: Exception
        try:
            results = self._work.run([w.measured.data for w in batch], prepared)
            self.batches, self.done = self.batches + 1, self.done + len(batch)
            self.budget.grow(len(batch) * longest)
            _settle([(w.future, w.loop, r) for w, r in zip(batch, results, strict=True)])
            return
        except Exception as error:
            too_much = self._work.too_much(error)
            failure = _as_model_error(error)
            failure.__cause__ = None  # its frames hold the tensors that were too much
        del prepared
        if too_much:
            self.budget.shrink(len(batch) * longest)
            gc.collect()
            self._work.relieve()
        if len(batch) == 1:
            _settle([(batch[0].future, batch[0].loop, failure)])
        else:
            self._finish_parts(_halves(batch) if too_much else [[one] for one in batch])

    def _finish_parts(self, parts: list[list[_Waiting]]) -> None:
        for part in parts:
            for ready in self._prepare(part):
                self._finish(*ready)


def _halves(batch: list[_Waiting]) -> list[list[_Waiting]]:
    middle = len(batch) // 2
    return [batch[:middle], batch[middle:]]


def _positions(waiting: _Waiting) -> int:
    return waiting.measured.length + waiting.measured.more


def _nearer(alike: list[_Waiting], first: int, last: int) -> int | None:
    """The neighbour outside [first, last] that is nearer in length; None where there is none."""
    if first == 0 and last == len(alike) - 1:
        return None
    if first == 0:
        return last + 1
    if last == len(alike) - 1:
        return first - 1
    below = alike[first].measured.length - alike[first - 1].measured.length
    above = alike[last + 1].measured.length - alike[last].measured.length
    return first - 1 if below <= above else last + 1


def _as_model_error(error: BaseException) -> ModelError:
    """An error of the model's as a trial's: one line."""
    if isinstance(error, ModelError):
        return error
    return ModelError(error_line(error))


def _settle(done: list[tuple[asyncio.Future[Any], asyncio.AbstractEventLoop, Any]]) -> None:
    """Hand results to those who wait, in their own loops."""
    loops = {id(loop): loop for _, loop, _ in done}
    for name, loop in loops.items():
        own = [(future, result) for future, its, result in done if id(its) == name]
        with contextlib.suppress(RuntimeError):  # the loop has ended: no one waits any more
            loop.call_soon_threadsafe(_give, own)


def _give(results: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in results:
        if future.done():
            continue
        if isinstance(result, BaseException):
            future.set_exception(result)
        else:
            future.set_result(result)
