"""The engine: trials stream in, a model is asked, records stream out to the log."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

import msgspec

from zhiyin.errors import FatalError, InputError, ModelError, TransientError
from zhiyin.log import RunFolder
from zhiyin.record import Exchange, Model, Record, Reply, Sampling, Strategy, Verdict
from zhiyin.tally import Count
from zhiyin.trial import Message, Trial

_BREATHE_EVERY_S = 0.02
_FIRST_WAIT_S, _LONGEST_WAIT_S, _LONGEST_RETRY_AFTER_S = 0.5, 30.0, 600.0
_GRACE_S = 5.0
_LONG_REPLY = 100_000
"""Characters; shorter replies are read in less time than it takes to hand them to a thread."""


class Limits(msgspec.Struct, frozen=True):
    """How hard to try.

    Attributes
    ----------
    concurrency : int
        Trials under way at once.
    timeout_s : float
        For one call of the model.
    retries : int
        Further calls after one that failed in a way that may pass.
    give_up_after : int
        The run stops when so many trials in a row have failed: whatever answers is gone.
    """

    concurrency: int = 16
    timeout_s: float = 300.0
    retries: int = 5
    give_up_after: int = 100


class Watcher(Protocol):
    """Whoever wants to see the run go by."""

    def update(self, count: Count, done: int) -> None: ...


class Outcome(msgspec.Struct):
    """What a session did. `stopped` says why it ended early, if it did."""

    count: Count
    asked: int = 0
    elapsed_s: float = 0.0
    stopped: str | None = None
    interrupted: bool = False


class Runner:
    """Examines one model on a stream of trials.

    Parameters
    ----------
    model : Model
    strategy : callable
        From a trial to the strategy that conducts its conversation.
    score : callable
        From a trial and its exchange to a verdict. Pure.
    log : RunFolder
        Trials that it names as answered are not asked.
    sampling : Sampling
    limits : Limits
    watcher : Watcher, optional
    """

    def __init__(
        self,
        model: Model,
        strategy: Callable[[Trial], Strategy],
        score: Callable[[Trial, Exchange], Verdict],
        log: RunFolder,
        sampling: Sampling,
        limits: Limits,
        watcher: Watcher | None = None,
    ) -> None:
        self.model, self.strategy, self.score, self.log = model, strategy, score, log
        self.sampling, self.limits, self.watcher = sampling, limits, watcher
        # A model that answers without waiting needs no timer for each call.
        self._timed = not getattr(model, "instant", False)
        self._failures_in_a_row = 0
        self._breathed = 0.0
        self._stopping = False

    async def run(self, trials: Iterable[Trial], done: int = 0) -> Outcome:
        """Ask every trial that the log lacks; return when all are logged or the run stops.

        Raises
        ------
        InputError
            When the log cannot be written, two trials share an id, or no call can succeed.
        """
        outcome = Outcome(Count())
        self._outcome, self._done = outcome, done
        self._source = self._unanswered(iter(trials))
        begun = self._breathed = time.perf_counter()
        workers = [asyncio.create_task(self._work()) for _ in range(self.limits.concurrency)]
        with self._stop_on_interrupt(workers):
            try:
                await _all_or_first_failure(workers)
            finally:
                await asyncio.to_thread(self.log.sync)
                outcome.elapsed_s = time.perf_counter() - begun
        return outcome

    @contextlib.contextmanager
    def _stop_on_interrupt(self, workers: Sequence[asyncio.Task[None]]) -> Iterator[None]:
        """First Ctrl-C: no new trials, wait a little for replies in flight. Second: drop them."""
        loop = asyncio.get_running_loop()

        def drop() -> None:
            for worker in workers:
                worker.cancel()

        def interrupted() -> None:
            if self._stopping:
                drop()
                return
            self._stopping = self._outcome.interrupted = True
            self._outcome.stopped = "interrupted; the same command goes on from here"
            loop.call_later(_GRACE_S, drop)

        try:
            loop.add_signal_handler(signal.SIGINT, interrupted)
        except (NotImplementedError, RuntimeError, ValueError):
            yield  # not the main thread: whoever runs us handles signals
            return
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)

    def _unanswered(self, trials: Iterator[Trial]) -> Iterator[Trial]:
        """The trials that need asking. Stops early when the run is to stop."""
        known = self.log.answered
        for trial in trials:
            if self._stopping:
                return
            seen = known.get(trial.id)
            if seen:
                raise InputError(
                    f"two trials share the id {trial.id!r}: every item needs an id of its own"
                )
            known[trial.id] = True
            if seen is None:
                yield trial

    async def _work(self) -> None:
        for trial in self._source:
            record = await self._examine(trial)
            self.log.append(record)
            outcome = self._outcome
            outcome.asked += 1
            outcome.count.add(record.verdict.state)
            self._note_failure(record)
            now = time.perf_counter()
            if now - self._breathed > _BREATHE_EVERY_S:
                self._breathed = now
                if self.watcher:
                    self.watcher.update(outcome.count, self._done + outcome.asked)
                await asyncio.sleep(0)

    def _note_failure(self, record: Record) -> None:
        if record.verdict.state != "error":
            self._failures_in_a_row = 0
            return
        self._failures_in_a_row += 1
        if self._failures_in_a_row >= self.limits.give_up_after and not self._stopping:
            self._stopping = True
            self._outcome.stopped = (
                f"{self._failures_in_a_row} trials in a row failed; the last: "
                f"{record.error or record.verdict.why}"
            )

    async def _examine(self, trial: Trial) -> Record:
        """Hold the conversation of one trial and judge it. Failures become error records."""
        call = _Call(self, trial)
        try:
            exchange = await self.strategy(trial)(trial, call.ask)
        except FatalError as error:
            if self._outcome.count.judged == 0 and not self.log.answered_before:
                raise InputError(str(error)) from None
            return _failed(trial, str(error), call.attempts)
        except (ModelError, InputError) as error:
            return _failed(trial, str(error) or type(error).__name__, call.attempts)
        except Exception as error:  # a fault of ours or of an adapter must not end the run
            return _failed(trial, f"{type(error).__name__}: {error}", call.attempts)
        try:
            verdict = await self._verdict(trial, exchange)
        except Exception as error:  # the reply is paid for: keep it, `rescore` can judge it later
            failure = _failed(trial, f"scoring failed: {error!r}", call.attempts)
            failure.exchange = exchange
            return failure
        return Record(trial.id, verdict, trial, exchange, None, call.attempts)

    async def _verdict(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The score of one exchange; a long reply is read in a thread, beside the others' calls."""
        if len(exchange.final.text) <= _LONG_REPLY:
            return self.score(trial, exchange)
        return await asyncio.to_thread(self.score, trial, exchange)


class _Call:
    """The calls of one trial: `ask` for its strategy, with retries, time limits and a count."""

    __slots__ = ("attempts", "blind", "runner")

    def __init__(self, runner: Runner, trial: Trial) -> None:
        self.runner, self.blind, self.attempts = runner, trial.blind(), 0

    async def ask(self, messages: Sequence[Message], sampling: Sampling | None = None) -> Reply:
        """One reply. Raises `ModelError` when none could be had."""
        runner, tries = self.runner, 0
        sampling = sampling or runner.sampling
        while True:
            tries += 1
            self.attempts += 1
            try:
                if not runner._timed:
                    return await runner.model.generate(messages, sampling, self.blind)
                async with asyncio.timeout(runner.limits.timeout_s):
                    return await runner.model.generate(messages, sampling, self.blind)
            except TransientError as error:
                failure = error
            except TimeoutError:
                failure = TransientError(f"no reply within {runner.limits.timeout_s:g} s")
            if tries > runner.limits.retries:
                empty: Reply | None = getattr(failure, "reply", None)
                if empty is not None:
                    return empty  # the model insists on saying nothing: that is its answer
                raise ModelError(f"{failure} ({tries} {'tries' if tries > 1 else 'try'})")
            await asyncio.sleep(_wait(tries, failure.retry_after))


def _wait(tries: int, retry_after: float | None) -> float:
    """Seconds before the next call: what the server asked for, else doubling with jitter."""
    backoff: float = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2.0 ** (tries - 1))
    backoff *= random.uniform(0.5, 1.0)
    if retry_after is None:
        return backoff
    return min(max(retry_after, 0.0), _LONGEST_RETRY_AFTER_S) + random.uniform(0.0, 0.1)


def _failed(trial: Trial, error: str, attempts: int) -> Record:
    return Record(trial.id, Verdict("error", None), trial, error=error, attempts=attempts)


async def _all_or_first_failure(workers: Sequence[asyncio.Task[None]]) -> None:
    """Wait for all workers; when one fails, stop the others and raise its exception."""
    try:
        finished, _ = await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
        for worker in finished:
            if not worker.cancelled() and worker.exception():
                raise worker.exception()  # type: ignore[misc]
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
