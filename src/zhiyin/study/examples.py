"""What stands before a question: the system message, and worked examples as people can use them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from zhiyin.study.design import StudyExample
from zhiyin.trial import Trial

_ANSWER = re.compile(r"(?:final )?answer: ?|(?:最终)?答案[:：] ?", re.IGNORECASE)
_IDENTIFIER = re.compile(r"Identifier: `[^`\n]{1,40}`")
"""How a question names its sounds to models; examples of people have numbers."""


def instruction_of(trial: Trial) -> str:
    """The system message of a trial."""
    return "\n\n".join(m.text.strip() for m in trial.messages if m.role == "system")


def examples_of(trial: Trial) -> tuple[StudyExample, ...]:
    """The questions before the last one that are answered in the conversation itself.

    How a reply is to be written is left out where it ends every question, for people choose; an
    answer that is a letter stands with its option, for people get options by number.
    """
    said = [message for message in trial.messages if message.role != "system"]
    form = _form_of_reply(trial, said[-1].text) if said else ""
    listed = instruction_of(trial)
    examples = []
    for one, other in itertools.pairwise(said):
        if (one.role, other.role) == ("user", "assistant"):
            question = _IDENTIFIER.sub("", one.text).strip().removesuffix(form).strip()
            options = [*question.splitlines(), *listed.splitlines()]
            examples.append(StudyExample(question, _answer_in_words(other.text, options)))
    return tuple(examples)


def _form_of_reply(trial: Trial, question: str) -> str:
    """What stands behind the last option of a question; "" where its options are not in it."""
    last = trial.options[-1].text if trial.options else ""
    place = question.rfind(f". {last}\n") if last else -1
    return question[place + len(last) + 2 :].strip() if place >= 0 else ""


def _answer_in_words(reply: str, options: Sequence[str]) -> str:
    """A reply without the word "Answer"; where it ends with the letter of an option, with that."""
    before, _, last = reply.strip().rpartition("\n")
    answer = last.strip()
    if found := _ANSWER.match(answer):
        answer = answer[found.end() :].strip()
    letter = answer.strip("().")
    named = (line.strip() for line in options if line.strip().startswith(f"{letter}. "))
    words = next(named, answer) if len(letter) == 1 else answer
    return f"{before.strip()}\n\n{words}".strip()
