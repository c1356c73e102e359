"""The calls of one trial, with retries and time limits; what stands before the model; the journal.

The journal of calls (calls.jsonl): a call is written down at the moment before it is sent, so that
one which still waited for a connection when its session was killed is none. A line says that a call
begins and what it is expected to cost, another what it did cost. A call that has no second line was
under way when its session was killed, or nobody knows what became of it: it counts as what was
expected. So a budget holds over all sessions, however they end. The first line says what earlier
sessions had spent, which kept no journal.
"""

from __future__ import annotations

import contextlib
import os
import random
from collections import abc
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from zhiyin.engine.appending import AppendedFile
from zhiyin.engine.folder import CALLS, iterate
from zhiyin.engine.readable import readable
from zhiyin.engine.stopping import Silence, silence_of
from zhiyin.errors import (
    HaltError,
    InputError,
    ModelError,
    SilentError,
    TransientError,
    system_words,
)
from zhiyin.files import json_lines
from zhiyin.idioms import holding
from zhiyin.record import (
    RETRIED,
    WORDS_IN,
    Exchange,
    Model,
    Record,
    Reply,
    Sampling,
    Turn,
    Verdict,
    in_hand,
)
from zhiyin.trial import Message, Messages, Trial
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.engine.runner import Limits


_BELIEVED = 20
"""After so many empty replies in a row, whatever was tried, no further one is asked for again."""
_FIRST_WAIT_S, _LONGEST_WAIT_S, _LONGEST_RETRY_AFTER_S = 0.5, 30.0, 600.0


class CallRequest(Protocol):
    """One request on its way to the model.

    `kept` is the reply that was kept, if one was; `more` counts calls that the model itself made
    of it beside the first, less those that reached nobody.
    """

    kept: Reply | None
    more: int

    async def admit(self) -> None: ...
    def sent(self) -> None: ...
    async def again(self, error: TransientError | None) -> None: ...
    def double(self) -> CallRequest | None: ...
    async def replied(self, reply: Reply) -> None: ...
    def failed(self, error: BaseException | None = None) -> None: ...


together: ContextVar[Any] = ContextVar("together", default=None)
"""Room in a budget to be had together with what is asked now, that of a trial's judge; or None."""


class Spent:
    """The cost of a conversation so far."""

    __slots__ = ("calls", "tokens", "usd")

    def __init__(self) -> None:
        self.calls, self.usd, self.tokens = 0, 0.0, 0.0

    def add(self, usd: float, tokens: float) -> None:
        """Add what a call cost."""
        self.usd, self.tokens = self.usd + usd, self.tokens + tokens


class Conversation:
    """Requests that a trial's conversation has made: how often each, and every key.

    `spent` is what that cost; `place` room that was set aside for its first call.
    """

    __slots__ = ("keys", "place", "spent", "times")

    def __init__(self, place: Any = None) -> None:
        self.times: dict[bytes, int] = {}
        self.keys: list[bytes] = []
        self.spent, self.place = Spent(), place


class Queue(Protocol):
    """The layer between conversations and the model: see `zhiyin.cost.request_queue`."""

    async def request(
        self, trial: Trial, messages: Messages, sampling: Sampling, conversation: Conversation
    ) -> CallRequest: ...

    async def forget(self, conversation: Conversation) -> None: ...


class Asks(Protocol):
    """The asking side: a run of its trials, or a judge within them."""

    @property
    def model(self) -> Model: ...
    @property
    def sampling(self) -> Sampling: ...
    @property
    def limits(self) -> Limits: ...
    @property
    def queue(self) -> Queue | None: ...
    @property
    def timed(self) -> bool: ...
    @property
    def silence(self) -> Silence: ...
    @property
    def halt(self) -> str: ...


class OtherAsker(NamedTuple):
    """A caller of a model that is not the run's own; `slots` bound its calls at once."""

    model: Model
    sampling: Sampling
    limits: Limits
    queue: Queue | None
    slots: contextlib.AbstractAsyncContextManager[object] = contextlib.nullcontext()

    @property
    def timed(self) -> bool:
        """Tell whether each call has a time limit of ours."""
        return is_timed(self.model)

    @property
    def silence(self) -> Silence:
        """The model's record of how long it has not answered."""
        return silence_of(self.model)

    @property
    def halt(self) -> str:
        """Reason to make no further call; always "": the run says it before it asks."""
        return ""


def is_timed(model: Model) -> bool:
    """Tell whether each call of a model has a time limit of ours.

    A model that answers without waiting needs no timer for each call; another has its own.
    """
    return not getattr(model, "instant", False) and getattr(model, "timed", True)


class CallStarted(NamedTuple):
    """A call that is about to be sent: who is asked, how, for which trial, at which try."""

    model: str
    sampling: Sampling
    trial: str
    number: int


AroundCall = abc.Callable[
    [CallStarted], contextlib.AbstractContextManager[abc.Callable[[Reply], None]]
]
"""What is entered before a call and left after it; it is given the reply."""
around_calls: ContextVar[AroundCall | None] = ContextVar("around_calls", default=None)
"""For those who watch calls from outside, such as a trace; None where nobody does."""


_beside: ContextVar[abc.Callable[[Model, Sampling], OtherAsker]] = ContextVar("beside")


def asking_others(
    asker: abc.Callable[[Model, Sampling], OtherAsker],
) -> contextlib.AbstractContextManager[None]:
    """Let strategies within ask models that are not the run's own as `asker` says."""
    return holding(_beside, asker)


def other_asker(model: Model, sampling: Sampling) -> OtherAsker:
    """Return the open session's caller of a model not its own. Raises if there is no session."""
    try:
        return _beside.get()(model, sampling)
    except LookupError:
        raise RuntimeError(f"{model.name} is asked within the session of a run only") from None


class Call:
    """The calls of one trial: `ask` for its strategy, with retries, time limits and a count.

    `attempts` counts those that reached somebody and may have to be paid for; `empty` are the
    replies without words of the call that is under way, which is made again.
    """

    __slots__ = (
        "attempts", "blind", "conversation", "empty", "failure", "runner", "spent", "trial",
        "turns",
    )  # fmt: skip

    def __init__(
        self, runner: Asks, trial: Trial, conversation: Conversation | None = None
    ) -> None:
        self.failure = ""
        self.runner, self.trial, self.blind, self.attempts = runner, trial, trial.blind(), 0
        self.conversation = conversation
        self.spent: HaltError | None = None
        self.turns: list[tuple[Messages, Reply]] = []
        self.empty: list[tuple[Messages, Reply]] = []

    def ask(
        self, messages: Messages, sampling: Sampling | None = None
    ) -> abc.Coroutine[Any, Any, Reply]:
        """Get one reply. Raises `ModelError` if there is none."""
        queue, sampling = self.runner.queue, sampling or self.runner.sampling
        if queue is None:
            return self._with_retries(messages, sampling)
        return self._through_queue(queue, messages, sampling)

    async def _through_queue(self, queue: Queue, messages: Messages, sampling: Sampling) -> Reply:
        conversation = self.conversation = self.conversation or Conversation()
        try:
            request = await queue.request(self.trial, messages, sampling, conversation)
            if request.kept is None:
                return await self._with_retries(messages, sampling, request)
            self.attempts += 1
            self.turns.append((messages, request.kept))
            return request.kept
        except HaltError as error:
            self.spent = error
            raise

    async def _with_retries(
        self, messages: Messages, sampling: Sampling, request: CallRequest | None = None
    ) -> Reply:
        """Call until there is a reply, as often as the run's limits allow."""
        import asyncio  # who only reads logs does without

        runner, tries = self.runner, 0
        silence, limit = runner.silence, runner.limits.timeout_s
        while True:
            silence.refuse(limit)
            if runner.halt:
                raise HaltError(runner.halt)
            tries += 1
            if request:
                await request.admit()
                before = in_hand.set(request)
            self.attempts += 1
            try:
                if around := around_calls.get():
                    started = CallStarted(runner.model.name, sampling, self.trial.id, tries)
                    with around(started) as told:
                        reply = await self._reply(messages, sampling)
                        told(reply)
                else:
                    reply = await self._reply(messages, sampling)
                if request:
                    await request.replied(reply)
                silence.empty = 0
                return self._taken(messages, reply)
            except (TransientError, TimeoutError) as error:
                silent = said("log-no-reply", seconds=f"{limit:g}")
                failure = error if isinstance(error, TransientError) else SilentError(str(silent))
                self.failure = str(failure)
                if request:
                    request.failed(failure)
            except BaseException as error:
                if request:
                    request.failed(error)
                raise
            finally:
                if request:
                    in_hand.reset(before)
                    self.attempts, request.more = self.attempts + request.more, 0
            empty: Reply | None = getattr(failure, "reply", None)
            # One more try is enough to know that its words go elsewhere, none that it has none.
            settled = empty is not None and (
                silence.empty >= _BELIEVED or (bool(self.empty) and WORDS_IN in empty.detail)
            )
            if tries > runner.limits.retries or settled:
                if empty is not None:  # the model insists on saying nothing: that is its answer
                    silence.empty += 1
                    return self._taken(messages, empty)
                once = said("log-one-try", why=str(failure))
                more = said("log-tries", why=str(failure), n=str(tries))
                raise ModelError(str(once if tries == 1 else more))
            if empty is not None:
                self.empty.append((messages, empty))
            await asyncio.sleep(_wait(tries, failure.retry_after))

    def _taken(self, messages: Messages, reply: Reply) -> Reply:
        """A reply that counts, with what the empty ones before it used: they were paid for."""
        if self.empty:
            used = [empty.usage for _, empty in self.empty]
            reply = msgspec.structs.replace(reply, detail={**reply.detail, RETRIED: used})
            self.empty = []
        self.turns.append((messages, reply))
        return reply

    async def _reply(self, messages: Messages, sampling: Sampling) -> Reply:
        """Return the model's reply to one call, within the time that it has."""
        import asyncio

        runner = self.runner
        silence = runner.silence
        silence.begin()
        try:
            try:
                async with asyncio.timeout(runner.limits.timeout_s if runner.timed else None):
                    reply = await runner.model.generate(messages, sampling, self.blind)
            finally:
                silence.end()
        except (TimeoutError, SilentError):
            silence.lose(self.trial.id)
            raise
        except asyncio.CancelledError:
            raise
        except BaseException:
            silence.hear()
            raise
        silence.hear()
        return readable(reply)

    def failed(self, error: str) -> Record:
        """The error record of the trial, with the replies that it got before."""
        told = [*self.turns, *self.empty]
        turns = tuple(Turn(reply, self._beyond(sent), "unfinished") for sent, reply in told)
        exchange = Exchange(turns, broken=True) if turns else Exchange()
        trial, verdict = self.trial, Verdict("error", None)
        return Record(trial.id, verdict, trial, exchange, error, self.attempts)

    def _beyond(self, messages: Messages) -> tuple[Message, ...] | None:
        """Return what was sent beyond the trial's own messages; None for nothing."""
        own, sent = self.trial.messages, tuple(messages)
        if sent[: len(own)] == own:
            sent = sent[len(own) :]
        return sent or None


def _wait(tries: int, retry_after: float | None) -> float:
    """Seconds before the next call: what the server asked for, else doubling with jitter."""
    backoff: float = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2.0 ** min(tries - 1, 30))
    backoff *= random.uniform(0.5, 1.0)
    if retry_after is None:
        return backoff
    return min(max(retry_after, 0.0), _LONGEST_RETRY_AFTER_S) + random.uniform(0.0, 0.1)


class Amount(msgspec.Struct, frozen=True, array_like=True):
    """Actual or expected cost of a call: tokens sent and back, dollars (None: no price known)."""

    input: int = 0
    output: int = 0
    usd: float | None = None


class Before(msgspec.Struct, frozen=True, array_like=True):
    """Amounts that were spent before the journal was begun."""

    calls: float = 0
    tokens: float = 0
    usd: float = 0.0


class CallLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the journal.

    Attributes
    ----------
    call : int
        The number of the call, from 1.
    model : str
        Who is asked, where it is not the run's own model: a judge within the trials.
    expected : Amount or None
        The call begins.
    paid : Amount or None
        The call has ended.
    before : Before or None
        No call: what was spent before.
    """

    call: int = 0
    model: str = ""
    expected: Amount | None = None
    paid: Amount | None = None
    before: Before | None = None


def read_calls(folder: Path) -> Iterator[CallLine]:
    """The lines of a run's journal; none where there is no journal. Raises `InputError`."""
    if (folder / CALLS).exists():
        for line, _ in iterate(folder / CALLS, CallLine):
            yield line


def merge_calls(folders: Sequence[Path], target: Path) -> None:
    """Write the journal of a run that is put together from others; none where one has none.

    Without it what all of them have spent is read from their records. Raises `OSError`.
    """
    if not folders or not all((folder / CALLS).exists() for folder in folders):
        return
    lines, last = [], 0
    for folder in folders:
        own = list(read_calls(folder))
        lines += [
            msgspec.structs.replace(one, call=one.call + last) if one.call else one for one in own
        ]
        last += max((one.call for one in own), default=0)
    (target / CALLS).write_bytes(json_lines(lines))


class Journal:
    """The journal of a run, opened for writing by the one who writes its folder.

    Parameters
    ----------
    folder : Path

    Raises
    ------
    InputError
        It cannot be written, or is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / CALLS
        size = self._last = 0
        self._encode = msgspec.json.Encoder().encode
        if self._path.exists():
            for line, data in iterate(self._path, CallLine):
                size += len(data)
                self._last = max(self._last, line.call)
        try:
            descriptor = os.open(
                self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644
            )
            self.file = AppendedFile(self._path, descriptor, size)
            self.file.cut(size)  # a torn line: what it begins was not sent
        except OSError as error:
            raise self._unwritten(error) from None

    @property
    def is_new(self) -> bool:
        """Tell whether nothing stands in it yet."""
        return not self.file.size

    def begin(self, expected: Amount, model: str = "") -> int:
        """A call is about to be sent. Its number. Raises `InputError` where the disk is full."""
        self._last += 1
        self._write(CallLine(self._last, model, expected))
        return self._last

    def end(self, call: int, paid: Amount, model: str = "") -> None:
        """A call has ended; 0 for one whose beginning was not written down."""
        if not call:
            self._last = call = self._last + 1
        self._write(CallLine(call, model, None, paid))

    def open_with(self, before: Before) -> None:
        """Say what was spent before the journal was begun."""
        self._write(CallLine(before=before))

    def _write(self, line: CallLine) -> None:
        try:
            self.file.append(self._encode(line) + b"\n")
        except OSError as error:
            raise self._unwritten(error) from None

    def close(self) -> None:
        """Put it on the disk and let go of it."""
        with contextlib.suppress(OSError):
            self.file.sync()
        self.file.close()

    def _unwritten(self, error: OSError) -> InputError:
        return InputError(said("log-room", path=self._path, why=system_words(error)))
