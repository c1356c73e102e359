"""Strategies that conduct one trial's conversation: coroutines `(trial, ask) -> Exchange`.

`standalone` and `chain_of_thought` differ in their prompts alone, which the trial brings along;
`logiclm.LogicLM` asks for a transcription, has it repaired, and lets a solver decide.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache

from zhiyin.prompts import Prompts
from zhiyin.record import Ask, Exchange, Turn
from zhiyin.trial import Trial

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
