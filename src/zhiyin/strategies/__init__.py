"""How the conversation of one trial is conducted: coroutines `(trial, ask) -> Exchange`.

`standalone` and `chain_of_thought` differ in their prompts alone, which the trial brings along;
`logiclm.LogicLM` asks for a transcription, has it repaired, and lets a solver decide.
"""

from __future__ import annotations

from zhiyin.record import Ask, Exchange, Turn
from zhiyin.trial import Trial


async def standalone(trial: Trial, ask: Ask) -> Exchange:
    """Send the trial's messages once; the reply is the answer."""
    return Exchange((Turn(await ask(trial.messages)),))


async def chain_of_thought(trial: Trial, ask: Ask) -> Exchange:
    """Send the trial's messages, which ask for reasoning, once; the reply ends in the answer."""
    return Exchange((Turn(await ask(trial.messages)),))


ASKING_ONCE = (standalone, chain_of_thought)
"""Those whose conversations are one call; any other may ask again."""
