"""Questions for a model that runs elsewhere: what is asked of a trial, and its name there."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from zhiyin.engine.asking import OtherAsker, asking_others
from zhiyin.engine.runner import Limits
from zhiyin.errors import ModelError
from zhiyin.models.questions import (
    AskedQuestion,
    name_of,
)
from zhiyin.record import Reply, Sampling, Strategy
from zhiyin.trial import Message, Trial


class UnreachedModel:
    """A model that is not here: a run of it can be described, and nothing can be asked."""

    name = "elsewhere"
    concurrency = 1

    async def generate(self, messages: Any, sampling: Sampling, trial: Trial) -> Reply:
        """Raise `ModelError` always."""
        raise ModelError("this model runs elsewhere: bring its answers with -m replay:FILE")

    async def close(self) -> None:
        """Do nothing: no connection is open."""


async def asked_once(trial: Trial, strategy: Strategy, sampling: Sampling) -> AskedQuestion | None:
    """Return the one request of a trial, without its id; None where more follow a reply.

    The trial's own strategy is given an empty reply, and says what it sends.
    """
    sent: list[tuple[tuple[Message, ...], Sampling]] = []

    async def ask(messages: Iterable[Message], own: Sampling | None = None) -> Reply:
        sent.append((tuple(messages), own or sampling))
        if len(sent) > 9:
            raise ModelError("asks without end")
        return Reply("")

    # It expects words: what it asked first is known. Others that it would ask are not there.
    others = asking_others(lambda _, own: OtherAsker(UnreachedModel(), own, Limits(), None))
    with contextlib.suppress(Exception), others:
        await strategy(trial, ask)
    if len(sent) != 1:
        return None
    return AskedQuestion("", trial.id, *sent[0])


async def names(
    trials: Iterable[Trial], strategy: Callable[[Trial], Strategy], sampling: Sampling
) -> AsyncIterator[tuple[str, str]]:
    """Each trial's id, and its name elsewhere without a number; "" where it has none."""
    for trial in trials:
        asked = await asked_once(trial, strategy(trial), sampling)
        yield trial.id, name_of(asked.messages, asked.sampling) if asked else ""
