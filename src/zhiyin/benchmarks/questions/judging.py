"""Free answers that a model judges by the user's rubric, within the trial that they answer.

The judge's reply is logged with the trial, so that scoring stays a pure function of the record.
A judge that fails or cannot be read makes the trial an error, never a wrong answer; the reply of
the model judged is kept, and ``-m replay:RUN`` has it judged again without asking for it again.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from functools import cached_property
from typing import Any

import msgspec

from zhiyin.cost.budget import Budget, Ledger, OthersPaid, purse
from zhiyin.cost.desk import find_price
from zhiyin.cost.estimate import tokens_in
from zhiyin.cost.prices import Price
from zhiyin.cost.usage import usage_of
from zhiyin.errors import FatalError, InputError, ModelError, SpentError, TransientError
from zhiyin.judges.reading import Unreadable, read_object, word_of
from zhiyin.judges.wording import fenced
from zhiyin.prompts import Prompts
from zhiyin.record import Ask, Exchange, Model, Reply, Sampling, Turn
from zhiyin.trial import Message, Trial, say

VERDICTS = {"right": 1.0, "partly": 0.5, "wrong": 0.0}
_SYNONYMS = {
    "right": ("correct", "true", "正确"),
    "partly": ("partly_right", "partial", "partially", "部分正确"),
    "wrong": ("incorrect", "false", "错误"),
}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": list(VERDICTS)},
    },
    "required": ["reason", "verdict"],
    "additionalProperties": False,
}
_TRIES, _FIRST_WAIT_S, _LONGEST_WAIT_S, _TIMEOUT_S = 6, 0.5, 30.0, 300.0


class Judge:
    """A model that judges.

    Parameters
    ----------
    spec : str
        A model as ``-m`` takes it.
    prompts : Prompts

    Raises
    ------
    InputError
        The spec names no model, or one that cannot be opened.
    """

    def __init__(self, spec: str, prompts: Prompts) -> None:
        from zhiyin.models import open_model

        try:
            self._model: Model = open_model(spec, timeout=_TIMEOUT_S)
        except InputError as error:
            raise InputError(f"--judge: {error}") from None
        self._prompts = prompts
        self._slots = asyncio.Semaphore(self._model.concurrency)
        self._closer: AsyncIterator[Model] | None = None
        self._reached = False

    async def check(self) -> None:
        """Make sure that the judge can be reached, where it knows how. Raises `InputError`."""
        check = getattr(self._model, "check", None)
        try:
            if check:
                await check()
        finally:
            await self._model.close()

    async def conduct(self, trial: Trial, ask: Ask) -> Exchange:
        """Ask the model under examination, then have its reply judged."""
        reply = await ask(trial.messages)
        if not reply.text.strip() or reply.finish == "refusal":
            return Exchange((Turn(reply),))
        if self._closer is None:
            self._closer = _closed_at_the_end(self._model)
            await anext(self._closer)
        notes: dict[str, Any] = {"model": self._model.name, "replies": []}
        exchange = Exchange((Turn(reply),), {"judge": notes})
        ledger = self._ledger()
        messages: tuple[Message, ...] = (say("user", self._request(trial, reply)),)
        try:
            for _ in range(2):
                judgement = await self._ask(messages, trial, ledger)
                notes["replies"].append(judgement.text)
                try:
                    read_verdict(judgement.text)
                    break
                except Unreadable as fault:
                    again = self._prompts.fill("again", fault=str(fault))
                    messages = (
                        *messages,
                        say("assistant", judgement.text.strip() or "..."),
                        say("user", again),
                    )
        except FatalError as error:
            if not self._reached:  # no call will ever succeed: stop before more is asked and paid
                raise FatalError(f"--judge: {error}") from None
            notes["error"] = str(error)
        except (ModelError, SpentError) as error:
            notes["error"] = str(error) or type(error).__name__
        if ledger and ledger.started:
            paid = OthersPaid(ledger.purse.calls, ledger.purse.tokens, ledger.purse.usd)
            exchange.notes["paid"] = msgspec.to_builtins(paid)
        return exchange

    def _ledger(self) -> Ledger | None:
        """What one reply costs to judge, paid from the run's budget; None for what is no call."""
        if getattr(self._model, "instant", False):
            return None
        return Ledger(Budget(), self._price, common=purse.get())

    @cached_property
    def _price(self) -> Price | None:
        return find_price(self._model)

    def _request(self, trial: Trial, reply: Reply) -> str:
        accepted = msgspec.json.decode(str(trial.tags.get("accept") or "[]"), type=list[str])
        return self._prompts.fill(
            "judge",
            question=trial.stem,
            rubric=str(trial.tags["rubric"]),
            expected="\n".join(accepted) or "-",
            reply=fenced(reply.text),
        )

    async def _ask(
        self, messages: tuple[Message, ...], trial: Trial, ledger: Ledger | None
    ) -> Reply:
        """One reply of the judge, with retries.

        Raises
        ------
        ModelError
            None could be had.
        SpentError
            The run's budget is spent.
        """
        blind = Trial(trial.id, messages)
        for tries in range(1, _TRIES + 1):
            try:
                async with self._slots, asyncio.timeout(_TIMEOUT_S):
                    if ledger:
                        ledger.admit()
                    reply = await self._model.generate(messages, Sampling(schema=_SCHEMA), blind)
                self._reached = True
                if ledger:
                    ledger.pay(
                        usage_of(reply), sum(tokens_in(message.text) for message in messages)
                    )
                return reply
            except (TransientError, TimeoutError) as error:
                if tries == _TRIES:
                    raise ModelError(
                        f"{str(error) or 'no reply in time'} ({tries} tries)"
                    ) from None
                wait = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2.0 ** (tries - 1))
                retry_after = getattr(error, "retry_after", None)
                await asyncio.sleep(
                    wait * random.uniform(0.5, 1.0) if retry_after is None else retry_after
                )
        raise AssertionError("unreachable")


async def _closed_at_the_end(model: Model) -> AsyncIterator[Model]:
    """Keeps a model until the event loop ends, which closes the generators that it knows."""
    try:
        yield model
    finally:
        await model.close()


def read_verdict(text: str) -> tuple[str, str]:
    """The word and the reason in a judge's reply. Raises `Unreadable` where it holds none."""
    verdict = read_object(text, ("verdict",))
    reason = verdict.get("reason")
    word = word_of(verdict.get("verdict"), _SYNONYMS, "verdict")
    return word, reason if isinstance(reason, str) else ""


def judged(exchange: Exchange) -> tuple[str, str] | str:
    """The judge's word and reason in a logged exchange; a text for why there is none."""
    notes = exchange.notes.get("judge")
    if notes is None:
        return "no judge was asked"
    fault = notes.get("error", "")
    for text in reversed(notes.get("replies", [])):
        try:
            return read_verdict(text)
        except Unreadable as unreadable:
            fault = fault or str(unreadable)
    return f"judge_error: {fault or 'no reply'}"
