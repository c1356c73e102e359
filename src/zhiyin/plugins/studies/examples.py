"""Messages before a question: the system message, and worked examples as people can use them."""

from __future__ import annotations

import itertools

from zhiyin.plugins.studies.design import StudyExample
from zhiyin.trial import Trial


def instruction_of(told: Trial) -> str:
    """The system message of a trial that is made for people (`zhiyin.prompts.for_people`)."""
    return "\n\n".join(m.text.strip() for m in told.messages if m.role == "system")


def examples_of(told: Trial) -> tuple[StudyExample, ...]:
    """The questions of such a trial that are answered in the conversation itself."""
    turns = [message for message in told.messages if message.role != "system"]
    return tuple(
        StudyExample(asked.text.strip(), reply.text.strip())
        for asked, reply in itertools.pairwise(turns)
        if (asked.role, reply.role) == ("user", "assistant")
    )
