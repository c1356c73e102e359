"""An option in other words: only where a short reply fits one option and no other."""

from __future__ import annotations

import re

from zhiyin.reader.choices import Choices
from zhiyin.reader.cues import lexicon, listed

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[\u4e00-\u9fff]")
_EMPTY = frozenset(listed(lexicon("english_talk")["empty"], lexicon("chinese")["empty"]))
"""Words that mean nothing by themselves."""

_DENIED = re.compile(
    r"\b(?:not|no|never|neither|nor|without|cannot|or|either|maybe)\b|n't|不|没|非|或|还是|\?|\d\s?%"
)
_SUBJECT = re.compile(
    r"(?:the|this|its) (?:overall |main |general |predominant |musical )?(?:mood|genre|style|tempo"
    r"|instrument|emotion|feeling|atmosphere|character|tone|texture|music|song|piece|track|clip"
    r"|excerpt)(?: of (?:the|this) \w+)? (?:is|sounds|feels|seems) "
)
_LONGEST = 80
"""Characters up to which a reply is short."""

_STEM = re.compile(r"(?<=[a-z]{3})(?:ing|ed|es|s|ly|y|ic)$")


def option_meant(lower: str, choices: Choices) -> str:
    """The letter of the one option whose words the reply uses, or "".

    All words of the reply that carry meaning must be words of that option, they must be at
    least half of its words, and no other option may share as many. A reply that denies, asks or
    doubts is left alone.

    Parameters
    ----------
    lower : str
        A reply in plain words, in lower case.
    choices : Choices
    """
    if len(lower) > _LONGEST or _DENIED.search(lower):
        return ""
    reply_words = _meaning(_SUBJECT.sub("", lower, count=1))
    if not reply_words or any(
        word.isdigit() or len(word) < 3 for word in reply_words if word.isascii()
    ):
        return ""
    fits: list[str] = []
    for letter, own in choices.own.items():
        option_words = _meaning(own)
        if (
            option_words
            and reply_words <= option_words
            and 2 * len(reply_words) >= len(option_words)
        ):
            fits.append(letter)
    return fits[0] if len(fits) == 1 else ""


def _meaning(text: str) -> frozenset[str]:
    words = (word for word in _WORD.findall(text) if word not in _EMPTY)
    return frozenset(_STEM.sub("", word) for word in words)
