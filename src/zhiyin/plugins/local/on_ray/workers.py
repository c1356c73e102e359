"""The workers of a cluster: what runs on each, and how they are started, watched and replaced.

A worker holds one model, which is asked in batches. Media come by path, or once by content.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any, NamedTuple

import msgspec

from zhiyin import errors
from zhiyin.errors import HaltError, InputError, ModelError, TransientError, imported
from zhiyin.files import TemporaryPlace, write_atomically
from zhiyin.models import Setting, open_model
from zhiyin.models.capabilities import Capabilities, capabilities_of
from zhiyin.models.replies import EmptyReply
from zhiyin.plugins.local.on_ray import Cluster
from zhiyin.record import Model, Reply, Sampling, identity_of
from zhiyin.trial import Audio, Image, Message, Trial
from zhiyin.words import said


class WorkerCall(NamedTuple):
    """One call, as it travels to a worker."""

    messages: Sequence[Message]
    sampling: Sampling
    trial: Trial

    @property
    def media(self) -> Iterator[Audio | Image]:
        """Its sounds and pictures."""
        for message in (*self.messages, *self.trial.messages):
            for part in message.parts:
                if isinstance(part, Audio | Image):
                    yield part


class FailedCall(NamedTuple):
    """Failure of one call, as it travels back: an error's kind and its words."""

    kind: str
    message: str
    retry_after: float | None = None
    reply: Reply | None = None

    @classmethod
    def of(cls, error: Exception) -> FailedCall:
        """Convert `error` for the way back."""
        wait = getattr(error, "retry_after", None)
        return cls(type(error).__name__, _words(error), wait, getattr(error, "reply", None))

    def error(self) -> Exception:
        """The error that it was."""
        if self.reply is not None:
            return EmptyReply(self.reply)
        kind = getattr(errors, self.kind, None)
        if kind is None or not issubclass(kind, Exception):
            return ModelError(f"{self.kind}: {self.message}")
        more = (self.retry_after,) if issubclass(kind, TransientError) else ()
        made: Exception = kind(self.message, *more)
        return made


def _words(error: Exception) -> str:
    text = str(error.args[0]) if error.args else ""
    return " ".join(text.split()) or type(error).__name__


class MissingMedia(NamedTuple):
    """Content that a worker lacks, by SHA-256: it is sent once and kept."""

    hashes: list[str]


class ModelFacts(msgspec.Struct):
    """Facts of a worker's model, for the driver that never opens it."""

    capabilities: Capabilities
    concurrency: int
    describe: dict[str, object]
    identity: dict[str, object] | None = None


class Worker:
    """The actor. All methods but `ping` run in one event loop; `ping` has its own.

    Parameters
    ----------
    spec : str
        The model, as after ``-m``.
    setting : Setting
        How the model is opened; its concurrency is of this worker.
    keeps : bool
        Whether to find out what makes the model the one that it is.
    """

    def __init__(self, spec: str, setting: Setting, *, keeps: bool = False) -> None:
        self._spec, self._setting, self._keeps = spec, setting, keeps
        self._model: Model | None = None
        self._place = TemporaryPlace()
        self._kept: dict[str, str] = {}
        self._right: dict[str, bool] = {}

    async def ping(self) -> str:
        """Return its node, as a sign that it lives."""
        return os.uname().nodename

    async def begin(self) -> ModelFacts | FailedCall:
        """Open the model, and look whether it can be asked."""
        try:
            model = open_model(self._spec, **self._setting._asdict())
            if check := getattr(model, "check", None):
                await check()
            # It may read all weights.
            identity = await asyncio.to_thread(identity_of, model) if self._keeps else None
        except (InputError, ModelError) as error:
            return FailedCall.of(error)
        self._model = model
        each = self._setting.concurrency or model.concurrency
        self._room = asyncio.Semaphore(each)
        description: dict[str, object] = getattr(model, "describe", dict)()
        return ModelFacts(capabilities_of(model), each, description, identity)

    async def keep(self, digest: str, data: bytes) -> None:
        """Keep the content of a sound or a picture."""
        path = self._place.path / digest
        await asyncio.to_thread(write_atomically, path, data)
        self._kept[digest] = str(path)

    async def close(self) -> None:
        """Close the model, and delete what was kept."""
        with contextlib.suppress(Exception):  # the user's own code
            if self._model is not None:
                await self._model.close()
        self._place.delete()

    async def work(self, batch: Sequence[WorkerCall]) -> list[Reply | FailedCall] | MissingMedia:
        """The replies to some calls, in their order; or what is lacking."""
        lacking = {
            part.sha256 for asked in batch for part in asked.media if self._local_path(part) is None
        }
        if lacking:
            return MissingMedia(sorted(lacking))
        return list(await asyncio.gather(*map(self._answer, batch)))

    async def _answer(self, asked: WorkerCall) -> Reply | FailedCall:
        assert self._model is not None
        trial = msgspec.structs.replace(
            asked.trial, messages=self._with_local_paths(asked.trial.messages)
        )
        timed = not getattr(self._model, "instant", False) and getattr(self._model, "timed", True)
        limit = self._setting.timeout if timed else None
        async with self._room:
            begun = perf_counter()
            try:
                async with asyncio.timeout(limit):
                    reply = await self._model.generate(
                        self._with_local_paths(asked.messages), asked.sampling, trial
                    )
            except TimeoutError:
                return FailedCall("TransientError", f"no reply within {limit:g} s")
            except (ModelError, InputError) as error:
                return FailedCall.of(error)
            except Exception as error:  # the user's own code
                return FailedCall("ModelError", f"{type(error).__name__}: {_words(error)}")
        if reply.latency_s is None and not getattr(self._model, "instant", False):
            reply.latency_s = perf_counter() - begun
        return reply

    def _with_local_paths(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """The messages, with the paths of this machine."""
        if not any(isinstance(p, Audio | Image) for m in messages for p in m.parts):
            return tuple(messages)
        placed = []
        for message in messages:
            parts = tuple(
                msgspec.structs.replace(part, path=self._local_path(part) or part.path)
                if isinstance(part, Audio | Image)
                else part
                for part in message.parts
            )
            placed.append(Message(message.role, parts))
        return tuple(placed)

    def _local_path(self, part: Audio | Image) -> str | None:
        """Return the path of a sound or picture on this machine; None where it is not there."""
        if kept := self._kept.get(part.sha256):
            return kept
        key = f"{part.path}\0{part.sha256}"
        if key not in self._right:
            try:
                digest = hashlib.sha256(Path(part.path).read_bytes()).hexdigest()
            except OSError:
                digest = ""
            self._right[key] = digest == part.sha256
        return part.path if self._right[key] else None


def with_whole_path(spec: str) -> str:
    """A spec that names a file of this machine, from the root: workers stand in other folders."""
    kind, _, rest = spec.partition(":")
    name, mark, more = rest.partition(":" if kind == "python" else ",")
    if kind in ("python", "hf", "vllm") and Path(name).exists():
        return f"{kind}:{Path(name).resolve()}{mark}{more}"
    return spec


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


class WorkerPool:
    """All workers of a run.

    Parameters
    ----------
    cluster : Cluster
    spec : str
    setting : Setting
        How each worker opens the model.
    changed : callable
        Called whenever a worker is ready or lost.
    keeps : bool
        Whether workers say what makes the model the one that it is.
    """

    def __init__(
        self,
        cluster: Cluster,
        spec: str,
        setting: Setting,
        changed: Callable[[], None],
        *,
        keeps: bool = False,
    ) -> None:
        self._ray, self._cluster, self._changed = ray_package("ray"), cluster, changed
        self._opened = spec, setting._replace(concurrency=cluster.each)
        self._keeps = keeps
        self.handles: list[WorkerHandle] = []
        self.gone: list[WorkerHandle] = []
        self.about: ModelFacts | None = None
        self.fatal: Exception | None = None
        self._useless = 0
        self._nobody_since: float | None = None
        self._loss_reason = ""
        self._ours = False

    @property
    def wanted(self) -> int:
        """Number of workers that there are to be."""
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
        ).remote(*self._opened, keeps=self._keeps)
        handle = WorkerHandle(actor)
        handle.watch = asyncio.get_running_loop().create_task(self._watch(handle))
        self.handles.append(handle)
        return handle

    async def _watch(self, handle: WorkerHandle) -> None:
        """See a worker in, and look every second whether it lives."""
        try:
            handle.node = await _result(handle.actor.ping.remote())  # placed
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
        self.gone.append(handle)
        with contextlib.suppress(Exception):  # it may be gone in any way
            self._ray.kill(handle.actor)
        self._useless = 0 if handle.answered else self._useless + 1
        if self._useless >= _MOST_USELESS * max(1, len(self.handles) + 1):
            self.fatal = HaltError(said("log-workers-lost", n=self._useless, why=why))
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


def ray_package(name: str) -> Any:
    """A package that comes with Ray. Raises `InputError` where it is not installed."""
    return imported(name, name, "ray")


async def _result(reference: Any) -> Any:
    """The result of a call on a worker."""
    return await asyncio.wrap_future(reference.future())


def _loss_reason(error: Exception) -> str:
    """Return Ray's words on a lost worker, on one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    cause = next((line for line in lines if "died" in line or "unavailable" in line), "")
    return (cause or type(error).__name__)[:160]


def _with_own_loop(ray: Any) -> type:
    """The worker, with a loop for `ping` alone: a busy worker is not a dead one."""

    class ZhiyinWorker(Worker):
        @ray.method(concurrency_group="health")  # type: ignore[untyped-decorator]
        async def ping(self) -> str:
            return await super().ping()

    return ZhiyinWorker
