"""The engine: trials stream in, a model is asked, records stream out to the log."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
import signal
import time
from collections import abc
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Annotated, Protocol

import msgspec

from zhiyin.engine.asking import Call, Queue, is_timed
from zhiyin.engine.folder import RECORDS
from zhiyin.engine.log import RunFolder
from zhiyin.engine.scoring import Count
from zhiyin.engine.sequences import Past, SequenceError, Walk, as_logged
from zhiyin.engine.stopping import handled_by, host, signals_are_ours, silence_of
from zhiyin.errors import (
    FatalError,
    HaltError,
    InputError,
    ModelError,
    NoPictureError,
    NoSoundError,
    RefusedError,
    ServerError,
    SpentError,
    StuckError,
    UnfitError,
    UnreachedError,
    UnsupportedError,
)
from zhiyin.flags import ABOVE_0, COUNT, WHOLE, Flag
from zhiyin.record import Exchange, Model, Record, Sampling, Strategy, Verdict
from zhiyin.sequence import Sequence
from zhiyin.trial import Trial
from zhiyin.words import Said, said
from zhiyin.words.reasons import reason

_YIELD_EVERY_S = 0.02
_GRACE_S = 5.0

_LONG_REPLY = 100_000
"""Characters; shorter replies are read in less time than it takes to hand them to a thread."""


class Limits(msgspec.Struct, frozen=True):
    """Limits on a run's effort.

    Attributes
    ----------
    concurrency : int
        Trials, or sequences, under way at once.
    timeout_s : float
        For one call of the model.
    retries : int
        Further calls after one that failed in a way that may pass.
    give_up_after : int
        The run stops when so many trials in a row have failed: whatever answers is gone.
    give_up_alike : int
        The run stops when so many trials in a row have been refused in the same words and no
        further one will fare better: none was ever answered, or the words say so.
    """

    concurrency: Annotated[
        int,
        Flag(
            "trials under way at once",
            metavar="N",
            within=COUNT,
            elsewhere="write `slots` at the model: all its runs share them",
        ),
    ] = 16
    timeout_s: Annotated[
        float, Flag("for one call", metavar="S", name="timeout", within=ABOVE_0)
    ] = 300.0
    retries: Annotated[int, Flag("of a failed call", metavar="N", within=WHOLE)] = 5
    give_up_after: int = 100
    give_up_alike: int = 3


class Watcher(Protocol):
    """Shows how far the run has come."""

    def update(self, count: Count, done: int) -> None: ...


Watch = Callable[[int | None, int], AbstractContextManager[Watcher]]
"""From the number of trials, None where sequences decide it as they go, and how many are done
already to something that watches."""


class SessionOutcome(msgspec.Struct):
    """Result of a session. `stopped` says why it ended early, if it did.

    `faults` has a line for each sequence that could not say what comes next.
    """

    count: Count
    asked: int = 0
    elapsed_s: float = 0.0
    stopped: str | None = None
    interrupted: bool = False
    faults: list[str] = []


class Runner:
    """Examines one model on a stream of trials, and on sequences of them side by side.

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
    without_sound : str
        How the benchmark is asked without sound, for the user whose model takes none.
    queue : Queue, optional
        Where kept replies, budget and pace are looked after.
    leaves_out : callable, optional
        Which trials do not apply to the model by what it has refused up to now: they are not asked,
        and a refusal that says so ends nothing. Asked of each trial before its first call, and of a
        sequence before its next one.
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
        without_sound: str = "",
        queue: Queue | None = None,
        leaves_out: Callable[[Trial], bool] | None = None,
    ) -> None:
        self.queue, self._leaves_out, self.misfit = queue, leaves_out, ""
        self.model, self.strategy, self.score, self.log = model, strategy, score, log
        self.sampling, self.limits, self.watcher = sampling, limits, watcher
        self.timed, self.silence = is_timed(model), silence_of(model)
        self._without_sound = without_sound
        self._failures_in_a_row = self._alike = 0
        self._likeness = ""
        self._any_reply = log.answered_before
        self._hopeless: Said | None = None
        self._unfit = False
        self._yielded = 0.0
        self.outcome = SessionOutcome(Count())
        self._stopping = False

    async def run(
        self, trials: Iterable[Trial], done: int = 0, sequences: abc.Sequence[Sequence] = ()
    ) -> SessionOutcome:
        """Ask every trial that the log lacks; return when all are logged or the run stops.

        Sequences come first, each by one worker from where the log leaves it.

        Raises
        ------
        InputError
            When the log cannot be written or holds other trials of a sequence than it asks, two
            trials share an id, or no call can succeed and none ever has.
        """
        outcome, self._done = self.outcome, done
        self._source: Iterator[Trial | Walk] = self._unanswered(iter(trials))
        if sequences:
            self._source = itertools.chain(self._resumed(sequences), self._source)
        begun = self._yielded = time.perf_counter()
        limit = self.limits.timeout_s if self.timed else getattr(self.model, "timeout_s", None)
        workers = [asyncio.create_task(self._work()) for _ in range(self.limits.concurrency)]
        tells = asyncio.create_task(self.silence.watch(limit))
        with self._stop_on_signals(workers):
            try:
                await _all_or_first_failure(workers)
            finally:
                tells.cancel()
                await asyncio.to_thread(self.log.sync)
                outcome.elapsed_s = time.perf_counter() - begun
                if self.watcher:  # the last figures are the true ones, however fast it went
                    self.watcher.update(outcome.count, done + outcome.asked)
        if self._hopeless and not self._any_reply:
            raise (UnfitError if self._unfit else ServerError)(self._hopeless)
        return outcome

    @contextlib.contextmanager
    def _stop_on_signals(self, workers: abc.Sequence[asyncio.Task[None]]) -> Iterator[None]:
        """Handle Ctrl-C. First: no new trials, a short wait for those in flight. Second: drop them.

        A request to terminate, and a terminal that is closed, are the same.
        """
        outer = host.get()
        if outer is None and not signals_are_ours.get():
            yield
            return
        loop = asyncio.get_running_loop()

        def drop() -> None:
            for worker in workers:
                worker.cancel()

        def interrupted(number: signal.Signals) -> None:
            outcome = self.outcome
            if outcome.interrupted:
                drop()
                return
            self._stopping = outcome.interrupted = True
            killed = said("log-ended-by", signal=number.name)
            cause = said("log-interrupted") if number == signal.SIGINT else killed
            outcome.stopped = outcome.stopped or f"{cause}; {said('log-again')}"
            loop.call_later(_GRACE_S, drop)
            if tell := getattr(self.watcher, "stopping", None):
                tell(_GRACE_S)

        if outer is not None:
            with outer.holds(interrupted):
                yield
            return
        with handled_by(interrupted):
            yield

    def _unanswered(self, trials: Iterator[Trial]) -> Iterator[Trial]:
        """The trials that need asking. Stops early when the run is to stop."""
        known = self.log.answered
        for trial in trials:
            if self._is_stopping:
                return
            named = known.get(trial.id)
            if named:
                raise _same_id(trial)
            known[trial.id] = True
            if named is None and not (self._leaves_out and self._leaves_out(trial)):
                yield trial

    @property
    def halt(self) -> str:
        """Reason to make no further call: somebody has touched the log; "" if there is none."""
        return self.log.lost

    @property
    def _is_stopping(self) -> bool:
        if self.halt:
            self._stopping, self.outcome.stopped = True, self.outcome.stopped or self.halt
        return self._stopping

    def _resumed(self, sequences: abc.Sequence[Sequence]) -> Iterator[Walk]:
        """The sequences that are not at their end, where the log leaves them.

        What the log holds is looked through at once, before anything is asked.
        """
        log, begun = self.log, {}
        ended: set[str] = set()
        if log.answered:
            past = Past(log.folder / RECORDS)
            log.answered.update(dict.fromkeys(past.ids, True))
            ended = past.ended
            for sequence in sequences:
                if sequence.id not in ended and (records := past.records(sequence.id)):
                    begun[sequence.id] = walk = Walk(sequence)
                    self._guarded(walk.replay, records)
                    if walk.ended:  # the log does not know it: its code failed then, and is mended
                        log.supersede(msgspec.structs.replace(walk.newest, last=True))
        return self._open(sequences, begun, ended)

    def _open(
        self, sequences: abc.Sequence[Sequence], begun: dict[str, Walk], ended: set[str]
    ) -> Iterator[Walk]:
        for sequence in sequences:
            if self._is_stopping:
                return
            if sequence.id not in ended:
                walk = begun.pop(sequence.id, None) or Walk(sequence)
                if not walk.begun:
                    self._guarded(walk.first)
                trial = walk.trial
                if trial is not None and not (self._leaves_out and self._leaves_out(trial)):
                    yield walk

    def _guarded(self, move: Callable[..., object], *given: object) -> None:
        """Move a sequence on. A fault in it stops that sequence, and several of them the run."""
        try:
            move(*given)
        except SequenceError as fault:
            faults = self.outcome.faults
            faults.append(str(fault))
            if len(faults) >= self.limits.give_up_alike and not self._stopping:
                self._stopping = True
                self.outcome.stopped = f"{len(faults)} sequences cannot go on; the last: {fault}"

    async def _work(self) -> None:
        for asked in self._source:
            if isinstance(asked, Walk):
                await self._follow(asked)
            else:
                record, refusal = await self._examine(asked)
                if record is not None and self._settle(record, refusal):
                    await asyncio.sleep(0)

    async def _follow(self, walk: Walk) -> None:
        """Ask the trials of a sequence one after another, until it ends or one fails."""
        known = self.log.answered
        while (trial := walk.trial) is not None and not self._is_stopping:
            if trial.id in known:
                raise _same_id(trial)
            known[trial.id] = True
            record, refusal = await self._examine(trial)
            if record is None:
                return
            # Before it is logged: whether it is the last one is part of it.
            record = as_logged(record)
            failed = record.verdict.state == "error"
            if not failed:
                self._guarded(walk.after, record)
                record.last = walk.ended
            if self._settle(record, refusal):
                await asyncio.sleep(0)
            if failed:
                return

    def _settle(self, record: Record, refusal: RefusedError | None) -> bool:
        """Log and count a record. Returns whether to let other tasks of the event loop go on."""
        record = self.log.append(record)
        outcome = self.outcome
        outcome.asked += 1
        outcome.count.add(record.verdict.state)
        if record.verdict.state == "error":
            self._note(record, refusal)
        elif self._failures_in_a_row or not self._any_reply:
            self._failures_in_a_row, self._alike, self._any_reply = 0, 0, True
        now = time.perf_counter()
        if now - self._yielded <= _YIELD_EVERY_S:
            return False
        self._yielded = now
        if self.watcher:
            self.watcher.update(outcome.count, self._done + outcome.asked)
        return True

    def _note(self, record: Record, refusal: RefusedError | None) -> None:
        """Count failures in a row; stop the run when going on would be useless."""
        if self._leaves_out and isinstance(refusal, NoSoundError | NoPictureError):
            self.misfit = record.error or ""
            return
        self._failures_in_a_row += 1
        self._any_reply = self._any_reply or bool(record.exchange.turns)
        likeness = _likeness(refusal) if refusal else ""
        self._alike = self._alike + 1 if likeness and likeness == self._likeness else 1
        self._likeness = likeness
        if self._stopping:
            return
        why = reason(record.error or record.verdict.why)
        vain = isinstance(refusal, FatalError | UnsupportedError) or (
            refusal and not self._any_reply
        )
        if vain and self._alike >= self.limits.give_up_alike:
            hint = self._without_sound if isinstance(refusal, NoSoundError) else ""
            self._unfit = isinstance(refusal, UnsupportedError)
            told = said("log-refused-alike", n=str(self._alike), why=why)
            if hint:
                told = said("log-without-sound", why=told, hint=hint)
            self._hopeless = told
        elif self._failures_in_a_row >= self.limits.give_up_after:
            n = str(self._failures_in_a_row)
            self.outcome.stopped = str(said("log-failed-in-a-row", n=n, why=why))
        self.outcome.stopped = str(self._hopeless) if self._hopeless else self.outcome.stopped
        self._stopping = self.outcome.stopped is not None

    async def _examine(self, trial: Trial) -> tuple[Record | None, RefusedError | None]:
        """Hold the conversation of one trial and judge it. Failures become error records.

        No record at all is made of a trial that there was no money left to ask at all.
        """
        call = Call(self, trial)
        try:
            exchange = await self.strategy(trial)(trial, call.ask)
            if call.spent:  # a strategy that went on without a reply: it is asked again, whole
                raise call.spent
        except HaltError as error:
            self._stopping, self.outcome.stopped = True, self.outcome.stopped or str(error)
            spent = isinstance(error, SpentError)
            if not (call.conversation.spent.calls if spent and call.conversation else call.turns):
                return None, None
            why = "the budget was spent" if spent else "the run came to a halt"
            why = f"{why} before the question was answered"
            if call.failure:
                why = str(said("log-last-failed", ended=why, why=call.failure))
            return call.failed(why), None
        except FatalError as error:
            if not (self._any_reply or call.turns):
                passing = isinstance(error, StuckError)
                raise (UnreachedError if passing else ServerError)(error.args[0]) from None
            return call.failed(str(error)), error
        except RefusedError as error:
            return call.failed(str(error)), error
        except (ModelError, InputError) as error:
            return call.failed(str(error) or type(error).__name__), None
        except asyncio.CancelledError as error:
            if _is_being_cancelled():
                self._keep(call)
                raise
            return call.failed(_error_line(error)), None
        except (Exception, SystemExit) as error:  # a fault of an adapter must not end the run
            return call.failed(_error_line(error)), None
        if not isinstance(exchange, Exchange):
            given = type(exchange).__name__
            return call.failed(f"the strategy returned {given}, and not an Exchange"), None
        return await self._judge(call, exchange), None

    async def _judge(self, call: Call, exchange: Exchange) -> Record:
        """The record of a conversation that was held; an error record where it cannot be scored."""
        trial = call.trial
        try:
            if len(exchange.final.text) <= _LONG_REPLY:
                verdict = self.score(trial, exchange)
            else:  # in a thread, beside the others' calls
                verdict = await asyncio.to_thread(self.score, trial, exchange)
            if not isinstance(verdict, Verdict):
                raise TypeError(f"it returned {type(verdict).__name__}, and not a Verdict")
        except (Exception, SystemExit, asyncio.CancelledError) as error:
            # The reply is paid for: keep it, `rescore` can judge it later.
            failure = call.failed(f"scoring failed: {_error_line(error)}")
            failure.exchange = exchange
            if isinstance(error, asyncio.CancelledError) and _is_being_cancelled():
                with contextlib.suppress(InputError):
                    self.log.append(failure)
                raise
            return failure
        if verdict.state == "error" and self.queue and call.conversation:
            await self.queue.forget(call.conversation)  # what is asked again is to be answered anew
        return Record(trial.id, verdict, trial, exchange, None, call.attempts)

    def _keep(self, call: Call) -> None:
        """Log the replies of a conversation that is dropped: they were paid for."""
        if call.turns:
            with contextlib.suppress(InputError):
                self.log.append(call.failed("interrupted before the question was answered"))


def _same_id(trial: Trial) -> InputError:
    return InputError(said("error-same-id", id=repr(trial.id)))


def _is_being_cancelled() -> bool:
    """Tell whether this task is to stop; otherwise a cancellation was raised by an adapter."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _error_line(error: BaseException) -> str:
    """The type of an exception and its message."""
    try:
        text = f"{type(error).__name__}: {error}".removesuffix(": ")
    except Exception:  # its own text cannot be made
        text = type(error).__name__
    return f"{text} (raised within the call)" if isinstance(error, asyncio.CancelledError) else text


_WORD, _DIGIT = re.compile(r"[\w-]++"), re.compile(r"\d")


def _likeness(refusal: RefusedError) -> str:
    """The words of a refusal without numbers and names with digits, which tell calls apart."""
    return _WORD.sub(lambda word: "#" if _DIGIT.search(word[0]) else word[0], str(refusal))


async def _all_or_first_failure(workers: abc.Sequence[asyncio.Task[None]]) -> None:
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
