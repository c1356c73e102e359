"""Strategies that conduct one trial's conversation: coroutines `(trial, ask) -> Exchange`.

`standalone` and `chain_of_thought` differ in their prompts alone, which the trial brings along;
`logiclm.LogicLM` asks for a transcription, has it repaired, and lets a solver decide.

`confirming` asks for the letter alone, once, where no rule can read a reply. It wraps whatever
strategy conducts the trial. The second question goes to the same conversation: the messages of the
last call, the reply, and the request. What counts is decided when a record is scored
(`zhiyin.engine.scoring`): the first reply where it can be read, else the second.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from zhiyin.prompts import Prompts, Template
from zhiyin.record import Ask, Exchange, Reply, Sampling, Strategy, Turn
from zhiyin.trial import Messages, Trial, say

if TYPE_CHECKING:
    from zhiyin.reader import Policy


_CHINESE = re.compile(r"[\u4e00-\u9fff]")


async def standalone(trial: Trial, ask: Ask) -> Exchange:
    """Send the trial's messages once; the reply is the answer."""
    return Exchange((Turn(await ask(trial.messages)),))


async def chain_of_thought(trial: Trial, ask: Ask) -> Exchange:
    """Send the trial's messages, which ask for reasoning, once; the reply ends in the answer."""
    return Exchange((Turn(await ask(trial.messages)),))


ASKING_ONCE = (standalone, chain_of_thought)
"""Those whose conversations are one call; any other may ask again."""


@cache
def prompts() -> dict[str, str]:
    """The texts in this package, by name."""
    return Prompts(__package__).texts


def language_of(trial: Trial) -> str:
    """The language of the question, the trial's last message: "zh" or "en"."""
    return "zh" if _CHINESE.search(trial.messages[-1].text) else "en"


def signature_of(name: str, version: int, prefix: str) -> str:
    """Version and wording of the texts that begin with the prefix, for a run's settings."""
    texts = "".join(text for key, text in sorted(prompts().items()) if key.startswith(prefix))
    return f"{name}@{version} {hashlib.sha256(texts.encode()).hexdigest()[:12]}"


CONFIRM = "confirm"
"""The purpose of the turn, and the name of what is noted of it."""
VERSION = 1
_ANSWERS = ("answer", "final")
"""Turns that ask for an answer. After others (a transcription that no solver could use) the
question was never put, and is not put now."""


class Confirm:
    """A strategy that asks once more for the letter alone, where the last reply cannot be read.

    A reply that declines to answer was understood, and is not asked again. Where the second call
    fails, the first reply stands, and the exchange's `notes` hold the failure under "confirm".

    Parameters
    ----------
    inner : Strategy
        Who conducts the trial.
    policy : Policy
        By which the reply would be read.
    language : {"zh", "en"} or None
        Of the request; None for that of the trial's last message.
    """

    def __init__(self, inner: Strategy, policy: Policy, language: str | None = None) -> None:
        self.inner, self.policy, self.language = inner, policy, language

    async def __call__(self, trial: Trial, ask: Ask) -> Exchange:
        """Conduct one trial. What the first conversation raises goes through."""
        last: list[tuple[Messages, Sampling | None]] = []

        async def noting_ask(messages: Messages, sampling: Sampling | None = None) -> Reply:
            last[:] = [(messages, sampling)]
            return await ask(messages, sampling)

        exchange = await self.inner(trial, noting_ask)
        if not last or not self._unread(trial, exchange):
            return exchange
        before, sampling = tuple(last[0][0]), last[0][1]
        messages = (
            *before,
            say("assistant", exchange.final.text.strip() or "..."),
            say("user", self._request(trial)),
        )
        try:
            reply = await ask(messages, sampling)
        except Exception as error:  # the first reply is paid for: it stands, whatever happened
            failure = str(error) or type(error).__name__
            return Exchange(exchange.turns, {**exchange.notes, CONFIRM: failure})
        opened = len(trial.messages)
        sent = messages[opened:] if before[:opened] == trial.messages else messages
        return Exchange((*exchange.turns, Turn(reply, sent, CONFIRM)), exchange.notes)

    def _unread(self, trial: Trial, exchange: Exchange) -> bool:
        """Tell whether an answer was asked for, and the reply is none that can be read."""
        if not trial.options or not exchange.turns or exchange.turns[-1].purpose not in _ANSWERS:
            return False
        from zhiyin.reader import is_refusal

        reply = exchange.final
        try:
            read = self.policy.extract(reply.text, trial.options).letter is not None
        except Exception:  # scoring will meet the same fault and log it with the reply
            return False
        return not (read or reply.finish == "refusal" or is_refusal(reply.text))

    def _request(self, trial: Trial) -> str:
        language = self.language or language_of(trial)
        letters = ", ".join(option.letter for option in trial.options)
        return Template(prompts()[f"{CONFIRM}.{language}"]).fill({"letters": letters})


def confirming(
    strategy: Callable[[Trial], Strategy], policy: Policy, language: str | None
) -> Callable[[Trial], Strategy]:
    """A benchmark's strategies, each with the second question."""
    return lambda trial: Confirm(strategy(trial), policy, language)


def signature() -> str:
    """Version and wording of the second question, for a run's settings."""
    return signature_of(CONFIRM, VERSION, CONFIRM)
