"""What runs on a worker: one model, asked in batches. Media come by path, or once by content."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from zhiyin import errors
from zhiyin.errors import InputError, ModelError, TransientError
from zhiyin.files import TemporaryPlace, write_atomically
from zhiyin.models import open_model
from zhiyin.models.capabilities import capabilities_of
from zhiyin.models.replies import EmptyReply
from zhiyin.record import Model, Reply, Sampling, identity_of
from zhiyin.trial import Audio, Image, Message, Trial


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
    """What went wrong with one call, as it travels back: an error's kind and its words."""

    kind: str
    message: str
    retry_after: float | None = None
    reply: Reply | None = None

    @classmethod
    def of(cls, error: Exception) -> FailedCall:
        """What `error` is on the way."""
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
    """What a worker's model is, for the driver that never opens it."""

    capabilities: Any
    concurrency: int
    describe: dict[str, Any]
    node: str


class Worker:
    """The actor. All methods but `ping` run in one event loop; `ping` has its own.

    Parameters
    ----------
    spec : str
        The model, as after ``-m``.
    settings : dict
        Of `open_model`.
    each : int or None
        Calls at once; None for what suits the model.
    """

    def __init__(self, spec: str, settings: dict[str, Any], each: int | None) -> None:
        self._spec, self._settings, self._each = spec, settings, each
        self._model: Model | None = None
        self._place = TemporaryPlace()
        self._kept: dict[str, str] = {}
        self._right: dict[str, bool] = {}

    async def ping(self) -> tuple[int, str]:
        """That it lives: its process, and its node."""
        return os.getpid(), os.uname().nodename

    async def begin(self) -> ModelFacts | FailedCall:
        """Open the model, and look whether it can be asked."""
        try:
            model = open_model(self._spec, concurrency=self._each, **self._settings)
            if check := getattr(model, "check", None):
                await check()
        except (InputError, ModelError) as error:
            return FailedCall.of(error)
        self._model = model
        each = self._each or model.concurrency
        self._room = asyncio.Semaphore(each)
        description: dict[str, Any] = getattr(model, "describe", dict)()
        return ModelFacts(capabilities_of(model), each, description, os.uname().nodename)

    async def identity(self) -> dict[str, Any] | None:
        """What makes the model the one that it is; None where nobody can say."""
        return await asyncio.to_thread(identity_of, self._model)  # it may read all weights

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
        limit = self._settings["timeout"] if timed else None
        async with self._room:
            begun = time.perf_counter()
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
            reply.latency_s = time.perf_counter() - begun
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
        """Where a sound or a picture lies on this machine; None where it does not."""
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
