"""The workers of a cluster: started on what is asked for, watched, and replaced when lost."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import os
import socket
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, NamedTuple

from zhiyin.errors import HaltError, InputError, missing_package
from zhiyin.models.on_ray.cluster import Cluster
from zhiyin.models.on_ray.worker import FailedCall, MissingMedia, ModelFacts, Worker, WorkerCall
from zhiyin.record import Reply

_PING_S = 1.0
_SILENT_S = 10.0
"""A worker whose `ping` takes longer is as good as lost: it has a loop of its own."""
_LISTENS_S = 10.0
_CLOSE_S = 5.0
"""Workers have so long to tidy up."""
_MOST_USELESS = 3
"""So many workers in a row, for each that is wanted, may die before one brings a reply."""
HEALTH = {
    "health_check_initial_delay_ms": 1000,
    "health_check_period_ms": 1000,
    "health_check_timeout_ms": 1000,
    "health_check_failure_threshold": 2,
}
"""A node that is gone is known in 2 seconds, not in 14 (65 where the network broke)."""


class WorkerHandle:
    """One worker: its actor, and how many batches it has now."""

    def __init__(self, actor: Any) -> None:
        self.actor = actor
        self.ready = self.lost = False
        self.batches = self.answered = 0
        self.node = ""
        self.watch: asyncio.Task[None] | None = None


class WorkerPlace(NamedTuple):
    """What is counted of a worker that is or was."""

    node: str
    answered: int
    lost: bool


class WorkerPool:
    """All workers of a run.

    Parameters
    ----------
    cluster : Cluster
    spec : str
    settings : dict
        Of `open_model`.
    changed : callable
        Called whenever a worker is ready or lost.
    """

    def __init__(
        self, cluster: Cluster, spec: str, settings: dict[str, Any], changed: Callable[[], None]
    ) -> None:
        try:
            self._ray: Any = importlib.import_module("ray")
        except ModuleNotFoundError:
            raise missing_package("ray", "ray") from None
        self._cluster = cluster
        self._spec, self._settings, self._changed = spec, settings, changed
        self.handles: list[WorkerHandle] = []
        self.gone: list[WorkerPlace] = []
        self.about: ModelFacts | None = None
        self.fatal: Exception | None = None
        self._useless = 0
        self._nobody_since: float | None = None
        self._loss_reason = ""
        self._ours = False

    @property
    def wanted(self) -> int:
        """How many workers there are to be."""
        if self._cluster.workers:
            return self._cluster.workers
        has = self._ray.cluster_resources()
        room = [
            has.get(kind, 0) / amount
            for kind, amount in (("CPU", self._cluster.cpus), ("GPU", self._cluster.gpus))
            if amount
        ]
        return max(1, int(min(room, default=1)))

    def connect(self) -> None:
        """Reach the cluster. Raises `InputError` when there is none."""
        if self._ray.is_initialized():
            return
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        self._listens()
        logging.getLogger("ray").setLevel(logging.ERROR)  # some of it logs before `init` is called
        quiet = {"logging_level": "ERROR", "log_to_driver": False, "configure_logging": False}
        try:
            if self._cluster.address == "local":
                self._ray.init(
                    address="local", include_dashboard=False, _system_config=HEALTH, **quiet
                )
            else:
                self._ray.init(address=self._cluster.address, **quiet)
        except Exception as error:  # Ray raises that itself where a node does not come up in time
            message = " ".join(str(error).split())[:200]
            raise self._unreachable(message) from None
        self._ours = True

    def _listens(self) -> None:
        """Make sure that somebody listens at the address: Ray itself would wait for minutes."""
        host, colon, port = self._cluster.address.rpartition(":")
        if not colon or "/" in host:
            return
        try:
            with socket.create_connection((host, int(port)), timeout=_LISTENS_S):
                return
        except (OSError, ValueError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise self._unreachable(reason.lower()) from None

    def _unreachable(self, reason: str) -> InputError:
        message = f"--ray {self._cluster.address}: no cluster can be reached ({reason.rstrip('.')})"
        if self._cluster.address == "local":
            return InputError(f"{message}; run it again when this machine has less to do")
        return InputError(
            f"{message}; give HOST:PORT, auto for the one of this machine, or local to start one"
        )

    async def start(self) -> ModelFacts:
        """Start all workers, and wait for the first.

        Raises
        ------
        InputError
            When none can be placed in time, or the model cannot be opened there.
        """
        await asyncio.to_thread(self.connect)
        for _ in range(self.wanted):
            self._start_worker()
        while self.about is None:
            if self.fatal is not None:
                raise InputError(str(self.fatal))
            self.look()
            await asyncio.sleep(0.05)
        return self.about

    async def identity(self) -> dict[str, Any] | None:
        """What makes the model the one that it is, as one worker says; None where none can."""
        for handle in [handle for handle in self.handles if handle.ready]:
            with contextlib.suppress(self._ray.exceptions.RayError):  # the next one may live
                identity: dict[str, Any] | None = await _result(handle.actor.identity.remote())
                return identity
        return None

    def _start_worker(self) -> WorkerHandle:
        """One more worker. It waits until there is room for it."""
        cluster = self._cluster
        made = self._ray.remote(concurrency_groups={"health": 1})(_with_own_loop(self._ray))
        actor = made.options(
            num_cpus=cluster.cpus,
            num_gpus=cluster.gpus,
            max_concurrency=1000,
            max_restarts=0,  # Ray's own would wait for ever, silently, where there is no room
            max_task_retries=0,
            scheduling_strategy="SPREAD",
        ).remote(self._spec, self._settings, cluster.each)
        handle = WorkerHandle(actor)
        handle.watch = asyncio.get_running_loop().create_task(self._watch(handle))
        self.handles.append(handle)
        return handle

    async def _watch(self, handle: WorkerHandle) -> None:
        """See a worker in, and look every second whether it lives."""
        try:
            _, handle.node = await _result(handle.actor.ping.remote())  # placed
            begun = await _result(handle.actor.begin.remote())
            if isinstance(begun, FailedCall):
                self.fatal = begun.error()
                self._changed()
                return
            self.about = self.about or begun
            handle.ready = True
            self._changed()
            while not handle.lost:
                await asyncio.sleep(_PING_S)
                await asyncio.wait_for(_result(handle.actor.ping.remote()), _SILENT_S)
        except TimeoutError:
            self.lose(handle, f"no sign of life for {_SILENT_S:g} s")
        except self._ray.exceptions.RayError as error:
            self.lose(handle, _loss_reason(error))

    def lose(self, handle: WorkerHandle, why: str) -> None:
        """A worker is gone; another is started in its place."""
        if handle.lost:
            return
        handle.lost, handle.ready, self._loss_reason = True, False, why
        self.handles.remove(handle)
        self.gone.append(WorkerPlace(handle.node, handle.answered, lost=True))
        with contextlib.suppress(Exception):  # it may be gone in any way
            self._ray.kill(handle.actor)
        self._useless = 0 if handle.answered else self._useless + 1
        if self._useless >= _MOST_USELESS * max(1, len(self.handles) + 1):
            self.fatal = HaltError(
                f"{self._useless} workers in a row were lost before they answered ({why}): mend "
                "it, and run the same command"
            )
        elif self.fatal is None:
            self._start_worker()
        self._changed()

    def look(self) -> None:
        """Give up when nobody has been there to work for too long."""
        if any(handle.ready or handle.node for handle in self.handles):
            self._nobody_since = None
            return
        self._nobody_since = self._nobody_since or monotonic()
        if monotonic() - self._nobody_since < self._cluster.wait_s or self.fatal is not None:
            return
        needs = f"{self._cluster.cpus:g} CPU" + (
            f" and {self._cluster.gpus:g} GPU" if self._cluster.gpus else ""
        )
        try:
            all_ = self._ray.cluster_resources()
            has = f"the cluster has {all_.get('CPU', 0):g} CPU and {all_.get('GPU', 0):g} GPU"
        except Exception:  # the head itself is gone
            has = "the cluster does not answer"
        last = f" (the last was lost: {self._loss_reason})" if self._loss_reason else ""
        self.fatal = HaltError(
            f"no worker for {self._cluster.wait_s:g} s{last}: each wants {needs}, and {has}; run "
            "the same command when there is room"
        )
        self._changed()

    async def work(
        self, handle: WorkerHandle, batch: Sequence[WorkerCall]
    ) -> list[Reply | FailedCall] | None:
        """The replies of a worker to a batch; None where it was lost meanwhile."""
        handle.batches += 1
        try:
            while True:
                answer = await _result(handle.actor.work.remote([*batch]))
                if not isinstance(answer, MissingMedia):
                    handle.answered += len(answer)
                    self._useless = 0
                    return list(answer)
                await self._send(handle, batch, answer.hashes)
        except self._ray.exceptions.RayError as error:
            self.lose(handle, _loss_reason(error))
            return None
        finally:
            handle.batches -= 1

    async def _send(
        self, handle: WorkerHandle, batch: Sequence[WorkerCall], hashes: Sequence[str]
    ) -> None:
        """Send sounds and pictures that a worker cannot reach by their paths."""
        paths = {part.sha256: part.path for asked in batch for part in asked.media}
        for digest in hashes:
            with open(paths[digest], "rb") as file:  # noqa: PTH123 - read in a thread
                data = await asyncio.to_thread(file.read)
            await _result(handle.actor.keep.remote(digest, data))

    def places(self) -> list[WorkerPlace]:
        """All workers that are or were."""
        return [
            *self.gone,
            *(WorkerPlace(one.node, one.answered, lost=False) for one in self.handles),
        ]

    async def close(self) -> None:
        """Let all workers go, once they have closed their models and deleted their copies."""
        for handle in self.handles:
            if handle.watch is not None:
                handle.watch.cancel()
        with contextlib.suppress(Exception):  # the cluster itself may be gone
            ready = [handle.actor.close.remote() for handle in self.handles if handle.ready]
            if ready:
                wait = {"num_returns": len(ready), "timeout": _CLOSE_S}
                await asyncio.to_thread(self._ray.wait, ready, **wait)
        for handle in self.handles:
            with contextlib.suppress(Exception):
                self._ray.kill(handle.actor)
        if self._ours:
            await asyncio.to_thread(self._ray.shutdown)


async def _result(reference: Any) -> Any:
    """The result of a call on a worker."""
    return await asyncio.wrap_future(reference.future())


def _loss_reason(error: Exception) -> str:
    """What Ray says of a lost worker, on one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    cause = next((line for line in lines if "died" in line or "unavailable" in line), "")
    return (cause or type(error).__name__)[:160]


def _with_own_loop(ray: Any) -> type:
    """The worker, with a loop for `ping` alone: a busy worker is not a dead one."""

    class ZhiyinWorker(Worker):
        @ray.method(concurrency_group="health")  # type: ignore[untyped-decorator]
        async def ping(self) -> tuple[int, str]:
            return await super().ping()

    return ZhiyinWorker
