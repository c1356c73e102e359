"""The model that a run sees: calls are gathered into batches and dealt out to the workers."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Sequence

from zhiyin.errors import TransientError
from zhiyin.models import Setting
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.endpoint import bare, written
from zhiyin.plugins.local.on_ray import Cluster
from zhiyin.plugins.local.on_ray.workers import (
    FailedCall,
    WorkerCall,
    WorkerHandle,
    WorkerPool,
    with_whole_path,
)
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Message, Trial

_BATCH = 8
_LARGEST_BATCH = 32
_MOST_LOSSES = 3
"""Workers that a trial may take with it before it is held to be the reason."""
_LOOK_S = 0.5


class _QueuedCall:
    __slots__ = ("asked", "losses", "reply")

    def __init__(self, asked: WorkerCall) -> None:
        self.asked, self.losses = asked, 0
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()


class RayModel:
    """Any model, on the workers of a Ray cluster.

    The driver keeps the run: trials, conversations, retries, the log. Workers only answer. A
    worker that is lost costs another try of the batches that it had, made by the driver: no
    trial is lost, and none is in the log twice.

    Parameters
    ----------
    spec : str
        The model, as after ``-m``. It is opened on the workers alone.
    cluster : Cluster
    setting : Setting
        How a worker opens the model; its timeout is of one call there.
    concurrency : int or None
        Trials under way at once, all workers together.
    keeps : bool
        Whether to find out what makes the model the one that it is, so that replies can be kept.
    """

    canary = None
    timed = False
    """A call waits for a worker; on the worker it has its time limit."""

    def __init__(
        self,
        spec: str,
        cluster: Cluster,
        setting: Setting,
        concurrency: int | None,
        *,
        keeps: bool = False,
    ) -> None:
        self.name, self.cluster, self._concurrency = bare(spec), cluster, concurrency
        self._spec, self._setting, self._keeps = spec, setting, keeps
        self.capabilities = Capabilities()
        self._crew: WorkerPool | None = None
        self._waiting: deque[_QueuedCall] = deque()
        self._change: asyncio.Event | None = None
        self._dealing: asyncio.Task[None] | None = None
        self._batches: set[asyncio.Task[None]] = set()
        self._again = 0

    def __repr__(self) -> str:
        return f"RayModel({self.name!r}, {self.cluster.address!r})"

    @property
    def concurrency(self) -> int:
        """Trials under way at once: enough that no worker waits for the driver."""
        if self._concurrency:
            return self._concurrency
        if self._crew is None or self._crew.about is None:
            return 64
        return self._crew.wanted * (self._crew.about.concurrency + 2 * self._batch)

    @property
    def _batch(self) -> int:
        """Trials sent together at most."""
        each = self._crew.about.concurrency if self._crew and self._crew.about else 1
        return max(_BATCH, min(_LARGEST_BATCH, each // 8))

    async def check(self) -> None:
        """Reach the cluster, start the workers, wait for the first. Raises `InputError`."""
        spec = with_whole_path(self._spec)
        self._crew = WorkerPool(self.cluster, spec, self._setting, self._changed, keeps=self._keeps)
        self.capabilities = (await self._crew.start()).capabilities

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """The reply of whichever worker has room. Raises as the model does."""
        item = _QueuedCall(WorkerCall(messages, sampling, trial))
        self._waiting.append(item)
        self._changed()
        if self._dealing is None or self._dealing.done():
            self._dealing = asyncio.get_running_loop().create_task(self._deal())
        return await item.reply

    def _changed(self) -> None:
        if self._change is not None:
            self._change.set()

    async def _deal(self) -> None:
        """Deal waiting calls out, as long as there are calls."""
        crew = self._crew
        assert crew is not None
        self._change = asyncio.Event()
        while True:
            self._change.clear()
            if crew.fatal is not None:
                while self._waiting:
                    item = self._waiting.popleft()
                    if not item.reply.done():
                        item.reply.set_exception(crew.fatal)
            else:
                while self._waiting and (handle := self._free(crew)):
                    self._send_batch(crew, handle)
                if self._waiting or self._batches:
                    crew.look()
            try:
                await asyncio.wait_for(self._change.wait(), _LOOK_S)
            except TimeoutError:
                continue

    def _free(self, crew: WorkerPool) -> WorkerHandle | None:
        """The ready worker with the fewest batches, if it has room for one more."""
        assert crew.about is not None
        room = max(2, -(-crew.about.concurrency // self._batch) + 1)
        ready = [handle for handle in crew.handles if handle.ready and handle.batches < room]
        return min(ready, key=lambda handle: handle.batches, default=None)

    def _send_batch(self, crew: WorkerPool, handle: WorkerHandle) -> None:
        """Send a batch. At the end of a run batches are small, so that all workers have some."""
        share = -(-len(self._waiting) // max(1, 2 * len(crew.handles)))
        batch: list[_QueuedCall] = []
        while self._waiting and len(batch) < min(self._batch, max(1, share)):
            if batch and self._waiting[0].losses:  # what took a worker with it goes alone
                break
            item = self._waiting.popleft()
            if not item.reply.done():  # nobody waits for it any more
                batch.append(item)
            if item.losses:
                break
        if batch:
            handle.batches += 1  # counted at once, and handed over to the task
            task = asyncio.get_running_loop().create_task(self._answered(crew, handle, batch))
            self._batches.add(task)
            task.add_done_callback(self._batches.discard)

    async def _answered(
        self, crew: WorkerPool, handle: WorkerHandle, batch: list[_QueuedCall]
    ) -> None:
        """Wait for the replies to a batch; put it back when its worker is lost."""
        handle.batches -= 1
        try:
            answers = await crew.work(handle, [item.asked for item in batch])
        except OSError as error:  # a recording that is gone from the driver's disk too
            failed = FailedCall("ModelError", f"a file cannot be read: {error.strerror}")
            lost = [
                item for item in batch if any(m.path == error.filename for m in item.asked.media)
            ] or batch
            self._waiting.extendleft(item for item in reversed(batch) if item not in lost)
            batch, answers = lost, [failed] * len(lost)
        except Exception as error:  # what cannot be sent; who waits for it would wait for ever
            answers = [FailedCall("ModelError", f"{type(error).__name__}: {error}")] * len(batch)
        if answers is None:
            self._put_back(batch)
        else:
            for item, one in zip(batch, answers, strict=True):
                if item.reply.done():
                    continue
                if isinstance(one, Reply):
                    # The log leaves a default out that is the very object: make it so again.
                    one.finish = sys.intern(one.finish)  # type: ignore[assignment]
                    item.reply.set_result(one)
                else:
                    item.reply.set_exception(one.error())
        self._changed()

    def _put_back(self, batch: list[_QueuedCall]) -> None:
        for item in reversed(batch):
            item.losses += 1
            self._again += 1
            if item.losses > _MOST_LOSSES and not item.reply.done():
                item.reply.set_exception(
                    TransientError(f"{item.losses} workers were lost while they answered it")
                )
            else:
                self._waiting.appendleft(item)

    def identity(self) -> dict[str, object] | None:
        """Return the model's identity, as a worker says it; None before there is one."""
        known = self._crew.about.identity if self._crew and self._crew.about else None
        return None if known is None else {**known, **self._query()}

    def _query(self) -> dict[str, str]:
        """Return a stand-in for the address's query, by the key of this machine, not a worker's."""
        return {"query": written(self._spec)} if bare(self._spec) != self._spec else {}

    def describe(self) -> dict[str, object]:
        """Return a run's manifest entry: the model as a worker describes it, and the workers."""
        if self._crew is None or self._crew.about is None:
            return {"kind": "ray", **self._query()}
        nodes: dict[str, dict[str, int]] = {}
        for worker in (*self._crew.gone, *self._crew.handles):
            name = worker.node or "nowhere"
            node = nodes.setdefault(name, {"workers": 0, "answered": 0, "lost": 0})
            node["workers"] += 1
            node["answered"] += worker.answered
            node["lost"] += worker.lost
        ray = {
            "address": self.cluster.address,
            "cpus": self.cluster.cpus,
            "gpus": self.cluster.gpus,
            "nodes": nodes,
            "asked_again": self._again,
        }
        return {"kind": "ray", **self._crew.about.describe, **self._query(), "ray": ray}

    def report(self) -> list[str]:
        """List what the user should know when the run is over, a line each."""
        lost = len(self._crew.gone) if self._crew else 0
        if not lost:
            return []
        workers = "1 worker was" if lost == 1 else f"{lost} workers were"
        return [f"{workers} lost on the way; {self._again:,} calls were made again elsewhere"]

    async def close(self) -> None:
        """Let the workers go."""
        if self._dealing is not None:
            self._dealing.cancel()
        for task in [*self._batches]:
            task.cancel()
        if self._crew is not None:
            await self._crew.close()
