"""A model that waits for hours: requests are gathered, handed in as batches, and collected."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.cost.prices import BATCH
from zhiyin.engine.folder import RECORDS
from zhiyin.errors import (
    FatalError,
    InputError,
    ModelError,
    TransientError,
    UnsupportedError,
    system_words,
)
from zhiyin.files import NOT_JSON, cut_torn
from zhiyin.models.capabilities import capabilities_of
from zhiyin.models.refusals import MOST, AnotherWay
from zhiyin.plugins.local.batch_apis import EXPIRED, BatchApi, BatchPart, batch_api_of
from zhiyin.plugins.local.session_parts import BATCHES
from zhiyin.record import Likelihood, Model, Reply, Sampling
from zhiyin.runs.rows import rows_of
from zhiyin.text import number_in
from zhiyin.trial import Message, Trial
from zhiyin.words import said
from zhiyin.words.findings import BatchesOpen, RequestsExpired, Warning


class BatchLine(msgspec.Struct, omit_defaults=True):
    """A line of the journal.

    Attributes
    ----------
    token : str
        Our own name of the batch; the provider keeps it where it can.
    at : float
        Seconds since 1970.
    ids : list of str
        Of the requests, in the line before a batch is handed in.
    batch : str
        The provider's name of the batch, in the line after.
    lost : bool
        The provider has no such batch: it was never handed in.
    """

    token: str
    at: float
    ids: list[str] = []
    batch: str = ""
    lost: bool = False


class SubmittedBatch(msgspec.Struct):
    """A batch that was handed in, or was about to be; `earlier`: by another session."""

    token: str
    at: float
    ids: list[str]
    batch: str = ""
    earlier: bool = False


class BatchJournal:
    """The batches of a run.

    Parameters
    ----------
    folder : Path
        Of the run.

    Attributes
    ----------
    batches : dict of str to SubmittedBatch
        By our own name, those that were never handed in left out.

    Raises
    ------
    InputError
        Where the file is damaged, or cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / BATCHES
        self.batches: dict[str, SubmittedBatch] = {}
        cut_torn(self.path)  # what it says was never acted upon
        whole = self.path.read_bytes() if self.path.exists() else b""
        for number, text in enumerate(whole.splitlines(), 1):
            try:
                line = msgspec.json.decode(text, type=BatchLine)
            except NOT_JSON as error:
                raise InputError(
                    said("local-journal", path=self.path, number=str(number), why=str(error))
                ) from None
            if line.lost:
                self.batches.pop(line.token, None)
            elif line.batch and line.token in self.batches:
                self.batches[line.token].batch = line.batch
            elif line.ids:
                self.batches[line.token] = SubmittedBatch(
                    line.token, line.at, line.ids, earlier=True
                )

    def begin(self, ids: list[str]) -> SubmittedBatch:
        """Write down that requests are about to be handed in."""
        token = f"zhiyin-{os.urandom(12).hex()}"
        submitted = self.batches[token] = SubmittedBatch(token, time.time(), ids)
        self._write(BatchLine(token, submitted.at, ids))
        return submitted

    def made(self, submitted: SubmittedBatch, batch: str) -> None:
        """Write down what the provider calls a batch."""
        submitted.batch = batch
        self._write(BatchLine(submitted.token, time.time(), batch=batch))

    def lost(self, submitted: SubmittedBatch) -> None:
        """Write down that a batch was never handed in."""
        self.batches.pop(submitted.token, None)
        self._write(BatchLine(submitted.token, time.time(), lost=True))

    def _write(self, line: BatchLine) -> None:
        try:
            with self.path.open("ab") as file:
                file.write(msgspec.json.encode(line) + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(
                said("local-journal-unwritten", path=self.path, why=system_words(error))
            ) from None


_AT_ONCE = 20_000
"""Conversations under way at once: the more, the fewer batches."""
_GATHER_S = 2.0
"""A batch is handed in when no further request has come for so long."""
_POLL_S = 30.0
_MOST_UNSURE = 5
"""How often in a row a provider may fail when a batch is handed in."""
_MOST_FAULTS = 20
"""How often in a row a provider may fail when it is asked after a batch."""


class BatchModel:
    """A model behind an interface of batches.

    What was handed in stands in the run folder: a later session collects it and hands in what is
    missing, and no request twice. A part of a batch that has expired is handed in again.

    Parameters
    ----------
    model : Model
        The same model, which writes requests and reads replies.
    wire : BatchApi
    gather_s, poll_s : float, optional
        Seconds; by default ``$ZHIYIN_BATCH_GATHER_S`` and ``$ZHIYIN_BATCH_POLL_S``, or 2 and 30.
    """

    timed = False
    in_batches = True

    def __init__(
        self, model: Any, wire: BatchApi, gather_s: float | None = None, poll_s: float | None = None
    ) -> None:
        self._model, self._wire = model, wire
        self.name, self.concurrency = model.name, _AT_ONCE
        self.capabilities = capabilities_of(model)
        self._gather_s = gather_s or _seconds("ZHIYIN_BATCH_GATHER_S", _GATHER_S)
        self._poll_s = poll_s or _seconds("ZHIYIN_BATCH_POLL_S", _POLL_S)
        self._journal: BatchJournal | None = None
        self._places: dict[str, SubmittedBatch] = {}
        self._waiting: dict[str, asyncio.Future[BatchPart]] = {}
        self._gathered: dict[str, bytes] = {}
        self._came = asyncio.Event()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._given: Counter[str] = Counter()
        self.endpoint = getattr(model, "endpoint", None)
        self.dialect = getattr(model, "dialect", None)
        self._unsure = 0
        self._in_vain: dict[str, set[str]] = {}
        self.expired = 0

    def __repr__(self) -> str:
        return f"BatchModel({self.name!r})"

    def begin(self, folder: Path) -> None:
        """Take up what earlier sessions of a run have handed in. Before the first request."""
        self._journal = BatchJournal(folder)
        for submitted in self._journal.batches.values():
            self._places |= dict.fromkeys(submitted.ids, submitted)
        if self._places and (folder / RECORDS).exists():
            for record in rows_of(folder).failed.records():
                if not record.exchange.broken:
                    replies = [turn.reply for turn in record.exchange.turns]
                    self._in_vain[record.id] = {str(r.detail.get("batch", "")) for r in replies}

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """Hand a request in and wait for its result. Raises `ModelError` as the model does."""
        if isinstance(sampling, Likelihood):
            raise UnsupportedError("log-probabilities are not asked for in batches")
        for _ in range(MOST):
            written = await self._model.written(messages, sampling)
            base = hashlib.blake2b(trial.id.encode() + b"\0" + written.body, digest_size=16)
            asked = base.hexdigest()
            name = f"{asked}-{self._given[asked]}"
            place = self._places.get(name)
            if place is not None and place.batch in self._in_vain.get(trial.id, ()):
                del self._places[name]
            part = await self._result(name, written.body)
            place = self._places.pop(name, None)  # asked once more, it is handed in once more
            try:
                reply: Reply = self._model.read(written, part.status, part.body)
            except AnotherWay:
                continue
            self._given[asked] += 1
            reply.detail[BATCH] = place.batch if place else ""
            return reply
        raise TransientError("the server refuses every way in which it is asked")

    async def check(self) -> None:
        """Make sure that the server answers. Raises `InputError`."""
        if own := getattr(self._model, "check", None):
            await own()

    def describe(self) -> dict[str, object]:
        """The model as it is described in a run's manifest."""
        own: dict[str, object] = self._model.describe()
        return {**own, "batches": True}

    def identity(self) -> dict[str, object]:
        """The same as of the model that answers at once: it is one."""
        identity: dict[str, object] = self._model.identity()
        return identity

    def report(self) -> list[str | Warning]:
        """List what the user should know when the session is over."""
        lines: list[str | Warning] = [*self._model.report()]
        if self.expired:
            lines.append(RequestsExpired(n=self.expired))
        left = len({self._places[n].batch for n in self._waiting if n in self._places})
        if left:
            lines.append(BatchesOpen(n=left))
        return lines

    async def close(self) -> None:
        """Stop waiting. What was handed in is worked on without us."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._tasks.clear()
        await self._wire.close()
        await self._model.close()

    async def _result(self, name: str, body: bytes) -> BatchPart:
        """The result of a request, whichever session has handed it in."""
        assert self._journal is not None, "begin() names the run folder"
        while True:
            future = self._waiting.get(name)
            if future is None:
                future = self._waiting[name] = asyncio.get_running_loop().create_future()
                if name in self._places:
                    self._collect(self._places[name])
                else:
                    self._gathered[name] = body
                    self._came.set()
                    self._start("gather", self._gather())
            try:
                part = await asyncio.shield(future)
            finally:
                if future.done():
                    self._waiting.pop(name, None)
            if part is not EXPIRED:
                return part
            self._places.pop(name, None)

    def _start(self, name: str, work: Any) -> None:
        task = self._tasks.get(name)
        if task is None or task.done():
            self._tasks[name] = asyncio.create_task(work)
        else:
            work.close()

    def _collect(self, submitted: SubmittedBatch) -> None:
        self._start(submitted.token, self._follow(submitted))

    async def _gather(self) -> None:
        """Hand in what has gathered as soon as nothing more comes for a while."""
        while self._gathered:
            self._came.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._gather_s):
                    await self._came.wait()
                if len(self._gathered) < self._wire.most:
                    continue
            requests: dict[str, bytes] = {}
            size = 0
            for name, body in list(self._gathered.items()):
                if requests and (size + len(body) > self._wire.size):
                    break
                requests[name] = self._gathered.pop(name)
                size += len(body) + 200
                if len(requests) == self._wire.most:
                    break
            await self._hand_in(requests)

    async def _hand_in(self, requests: dict[str, bytes]) -> None:
        assert self._journal is not None
        submitted: SubmittedBatch | None = None
        try:
            submitted = self._journal.begin(list(requests))
            batch = await self._wire.submit(submitted.token, requests)
            self._journal.made(submitted, batch)
            self._unsure = 0
        except TransientError as error:
            # It may have arrived: it is looked for before anything is handed in again.
            assert submitted is not None
            self._unsure += 1
            if self._unsure > _MOST_UNSURE:
                self._fail_all(submitted, error)
                return
            await asyncio.sleep(self._poll_s)
        except Exception as error:  # of any kind: no call may wait for a reply that never comes
            for name in requests:
                self._fail(name, _as_model_error(error))
            if submitted:
                self._journal.lost(submitted)
            return
        self._places |= dict.fromkeys(requests, submitted)
        self._collect(submitted)

    async def _follow(self, submitted: SubmittedBatch) -> None:
        """Ask after a batch until it has ended, and hand out its results."""
        assert self._journal is not None
        faults = 0
        while True:
            try:
                if not submitted.batch and not await self._reached_provider(submitted):
                    results: dict[str, BatchPart] | None = {}
                else:
                    results = await self._wire.results(submitted.batch)
            except TransientError as error:
                faults += 1
                if faults > _MOST_FAULTS:
                    self._fail_all(submitted, error)
                    return
                results = None
            except Exception as error:  # as above
                self._fail_all(submitted, _as_model_error(error))
                self._journal.lost(submitted)
                return
            else:
                faults = 0
            if results is not None:
                for name in submitted.ids:
                    part = results.get(name, EXPIRED)
                    if submitted.earlier and part.status != 200:  # its record was an error
                        self._give(name, EXPIRED)
                        continue
                    self.expired += part is EXPIRED and bool(submitted.batch)
                    self._give(name, part)
                return
            await asyncio.sleep(self._poll_s)

    async def _reached_provider(self, submitted: SubmittedBatch) -> bool:
        """Tell whether a batch whose submission was never confirmed has reached the provider."""
        assert self._journal is not None
        known = {one.batch for one in self._journal.batches.values()}
        batch = await self._wire.find(submitted.token, len(submitted.ids), submitted.at, known)
        if batch is None:
            self._journal.lost(submitted)
            return False
        self._journal.made(submitted, batch)
        return True

    def _give(self, name: str, part: BatchPart) -> None:
        future = self._waiting.get(name)
        if future is not None and not future.done():
            future.set_result(part)
        elif part is EXPIRED:
            self._places.pop(name, None)

    def _fail_all(self, submitted: SubmittedBatch, error: ModelError) -> None:
        for name in submitted.ids:
            self._places.pop(name, None)
            self._fail(name, error)

    def _fail(self, name: str, error: ModelError) -> None:
        future = self._waiting.get(name)
        if future is not None and not future.done():
            future.set_exception(error)


def _as_model_error(error: Exception) -> ModelError:
    if isinstance(error, ModelError):
        return error
    if isinstance(error, InputError):
        return FatalError(str(error))
    return ModelError(f"what came back is no batch ({type(error).__name__}: {error})")


def _seconds(variable: str, usual: float) -> float:
    text = os.environ.get(variable) or str(usual)
    value = number_in(text)
    if not 0 < value < 1e6:
        raise InputError(said("local-seconds", variable=variable, text=text))
    return value


def batched(model: Model) -> BatchModel:
    """The same model behind its provider's batches. Raises `InputError` where it has none."""
    try:
        wire = batch_api_of(model)
    except ModelError as error:
        raise InputError(said("error-no-batch-api", why=error)) from None
    return BatchModel(model, wire)
