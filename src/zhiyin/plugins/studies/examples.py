"""Messages before a question: the system message, and worked examples as people can use them."""

from __future__ import annotations

import itertools
import re

from zhiyin.plugins.studies.design import StudyExample
from zhiyin.trial import Trial

_REPLY = (
    r"(?:please )?(?:just |only )?(?:answer|reply|respond|output|return)\b.*\b(?:"
    r"(?:with|in|as|by|using|only|just) (?:only |just |exactly )?(?:an? |the |one |its |single )*"
    r"(?:letter|number|word|option|sentence|json)|letters? only|nothing else|word for word)\b"
    r"|(?:please )?(?:write|give|state|output) (?:only|just)\b.*\bletter"
    r"|.*\bfinal answer:|(?:let's |please )?(?:think|reason|work)\b.*\bstep by step"
    r"|(?:please )?(?:do not|don't) (?:explain|give (?:any|an) explanation|output)"
    r"|请?(?:只|仅|直接)(?:需|要|能)?(?:回答|输出|给出|回复|写出)|请?(?:不要|无需)(?:解释|输出)"
    r"|(?:bitte )?(?:antworte\w*|gib|geben sie)\b.*\b(?:nur|buchstaben?|json)\b"
)
"""How a sentence begins that says how a reply is written."""
_ROLE = (
    r"(?:you are|you're|act as|imagine (?:that )?you are) (?:an? |the )?.*\b(?:model|assistant|ai"
    r"|expert|specialist|musician|musicologist|transcriber|listener|teacher|student)\b"
    r"|(?:你|您)是.*(?:模型|助手|助理|专家|音乐家|AI)"
    r"|(?:du bist|sie sind) .*\b(?:modell|assistent|experte|expertin)"
)
"""How one begins that says who a model is to be."""
_OF_STEM, _OF_INSTRUCTION = (
    re.compile(words, re.IGNORECASE) for words in (_REPLY, f"{_REPLY}|{_ROLE}")
)
_SENTENCE = re.compile(r"(?<=[.!?:])\s+|(?<=[。！？])")


def instruction_of(told: Trial) -> str:
    """The system message of a trial that is made for people (`zhiyin.prompts.for_people`).

    What a prompt marks for models is left out there already; here what speaks to a model alone in
    prompts that mark nothing.
    """
    text = "\n\n".join(m.text for m in told.messages if m.role == "system")
    return _without(_OF_INSTRUCTION, text)


def stem_of(trial: Trial) -> str:
    """The question of a trial; where people choose, without how a model writes its reply."""
    stem = trial.stem or (trial.messages[-1].text if trial.messages else "")
    return (_without(_OF_STEM, stem) or stem) if trial.options else stem


def _without(sentences: re.Pattern[str], text: str) -> str:
    """A text without some sentences; other lines as they are."""
    lines = []
    for line in text.splitlines():
        parts = _SENTENCE.split(line)
        kept = [one for one in parts if not sentences.match(one.strip())]
        if len(kept) == len(parts):
            lines.append(line)
        elif kept:
            lines.append(" ".join(kept))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def examples_of(told: Trial) -> tuple[StudyExample, ...]:
    """The questions of such a trial that are answered in the conversation itself."""
    turns = [message for message in told.messages if message.role != "system"]
    return tuple(
        StudyExample(asked.text.strip(), reply.text.strip())
        for asked, reply in itertools.pairwise(turns)
        if (asked.role, reply.role) == ("user", "assistant")
    )
