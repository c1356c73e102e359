"""The released script's reading of a reply, and how it makes one answer of several passes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from zhiyin.reader import answered
from zhiyin.reader.policy import Policy, Reading
from zhiyin.trial import Option

_FIVE = "ABCDE"
_MARKED = re.compile(r"\[\[([A-E])\]\]")
_CHOOSING = re.compile(
    r"(?:answer is|chose|choose|select|guess is|I guess) ([A-E])\b", re.IGNORECASE
)


def as_released(text: str, options: Sequence[Option]) -> Reading:
    """Read a reply as the released script does.

    In this order: the last ``[[A]]`` to ``[[E]]``; the last letter after words such as "answer is"
    or "select"; the first of A to E for which "option A", "Option A" or "(A)" stands anywhere, so
    that a reply which repeats the list of options is read as A; the first option, in the order
    shown, whose text stands in the reply whatever its case. A letter that no option has is an
    answer, and a wrong one.
    Source: github.com/yongyizang/AreYouReallyListening, ``extract_answer``, by behaviour.
    """
    if marked := _MARKED.findall(text):
        return answered(marked[-1], options, "the last letter in double brackets")
    if chosen := _CHOOSING.findall(text):
        return answered(chosen[-1].upper(), options, "the last letter after words of choosing")
    for letter in _FIVE:
        if any(form in text for form in (f"option {letter}", f"Option {letter}", f"({letter})")):
            return answered(letter, options, "the first letter that stands as an option anywhere")
    lower = text.lower()
    for option in options:
        if option.text and option.text.lower() in lower:
            return Reading(option.letter, "first option whose text is contained")
    return Reading(None, "no letter and no option's text")


def majority(answers: Sequence[str | None]) -> str | None:
    """The answer that most passes gave; the one met first where several did; None for no answer.

    A pass without an answer has no vote. The script goes by the answers' texts, not letters.
    """
    votes = Counter(answer for answer in answers if answer)
    return votes.most_common(1)[0][0] if votes else None


POLICIES = (
    Policy(
        "rul",
        1,
        "[[A]], or words of choosing, or the first (A), or an option's text (Zang et al. 2025)",
        as_released,
        "yongyizang/AreYouReallyListening@d3971de:ExampleAudioEval/qwen_2_audio.py",
    ),
)
