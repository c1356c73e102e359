"""The calls of one trial, with retries and time limits; and what may stand before the model."""

from __future__ import annotations

import asyncio
import random
from collections import abc
from typing import TYPE_CHECKING, Any, Protocol

from zhiyin.engine.readable import readable
from zhiyin.errors import HaltError, ModelError, TransientError
from zhiyin.record import Exchange, Record, Reply, Sampling, Turn, Verdict
from zhiyin.trial import Message, Trial

if TYPE_CHECKING:
    from zhiyin.engine.runner import Runner

_FIRST_WAIT_S, _LONGEST_WAIT_S, _LONGEST_RETRY_AFTER_S = 0.5, 30.0, 600.0


class Request(Protocol):
    """One request on its way to the model; `kept` is the reply that was kept, if one was."""

    kept: Reply | None

    async def admit(self) -> None: ...
    async def replied(self, reply: Reply) -> None: ...
    def failed(self, error: TransientError | None = None) -> None: ...


class Conversation:
    """What a trial's conversation has asked by now: how often each request, and every key."""

    __slots__ = ("keys", "times")

    def __init__(self) -> None:
        self.times: dict[bytes, int] = {}
        self.keys: list[bytes] = []


class Desk(Protocol):
    """What stands between conversations and the model: see `zhiyin.cost.desk`."""

    async def request(
        self,
        trial: Trial,
        messages: abc.Sequence[Message],
        sampling: Sampling,
        conversation: Conversation,
    ) -> Request: ...

    async def forget(self, conversation: Conversation) -> None: ...


class Call:
    """The calls of one trial: `ask` for its strategy, with retries, time limits and a count."""

    __slots__ = ("attempts", "blind", "conversation", "runner", "spent", "trial", "turns")

    def __init__(self, runner: Runner, trial: Trial) -> None:
        self.runner, self.trial, self.blind, self.attempts = runner, trial, trial.blind(), 0
        self.conversation: Conversation | None = None
        self.spent: HaltError | None = None
        self.turns: list[tuple[abc.Sequence[Message], Reply]] = []

    def ask(
        self, messages: abc.Sequence[Message], sampling: Sampling | None = None
    ) -> abc.Coroutine[Any, Any, Reply]:
        """One reply. Raises `ModelError` when there is none."""
        desk, sampling = self.runner.desk, sampling or self.runner.sampling
        if desk is None:
            return self._with_retries(messages, sampling)
        return self._through_desk(desk, messages, sampling)

    async def _through_desk(
        self, desk: Desk, messages: abc.Sequence[Message], sampling: Sampling
    ) -> Reply:
        conversation = self.conversation = self.conversation or Conversation()
        try:
            request = await desk.request(self.trial, messages, sampling, conversation)
            if request.kept is None:
                return await self._with_retries(messages, sampling, request)
            self.attempts += 1
            self.turns.append((messages, request.kept))
            return request.kept
        except HaltError as error:
            self.spent = error
            raise

    async def _with_retries(
        self, messages: abc.Sequence[Message], sampling: Sampling, request: Request | None = None
    ) -> Reply:
        """Call until there is a reply, as often as the run's limits allow."""
        runner, tries = self.runner, 0
        while True:
            tries += 1
            if request:
                await request.admit()
            self.attempts += 1
            try:
                if not runner.timed:
                    reply = await runner.model.generate(messages, sampling, self.blind)
                else:
                    async with asyncio.timeout(runner.limits.timeout_s):
                        reply = await runner.model.generate(messages, sampling, self.blind)
                reply = readable(reply)
                if request:
                    await request.replied(reply)
                self.turns.append((messages, reply))
                return reply
            except TransientError as error:
                failure = error
            except TimeoutError:
                failure = TransientError(f"no reply within {runner.limits.timeout_s:g} s")
            except BaseException:
                if request:
                    request.failed()
                raise
            if request:
                request.failed(failure)
            if tries > runner.limits.retries:
                empty: Reply | None = getattr(failure, "reply", None)
                if empty is not None:  # the model insists on saying nothing: that is its answer
                    self.turns.append((messages, empty))
                    return empty
                raise ModelError(f"{failure} ({tries} {'tries' if tries > 1 else 'try'})")
            await asyncio.sleep(_wait(tries, failure.retry_after))

    def failed(self, error: str) -> Record:
        """The error record of the trial, with the replies that it got before."""
        turns = tuple(Turn(reply, self._beyond(sent), "unfinished") for sent, reply in self.turns)
        exchange = Exchange(turns, broken=True) if turns else Exchange()
        trial, verdict = self.trial, Verdict("error", None)
        return Record(trial.id, verdict, trial, exchange, error, self.attempts)

    def _beyond(self, messages: abc.Sequence[Message]) -> tuple[Message, ...] | None:
        """What was sent beyond the trial's own messages; None for nothing."""
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
