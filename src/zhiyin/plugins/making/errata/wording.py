"""Tests that two questions are the same, and that a question refers to what it does not show."""

from __future__ import annotations

import re

from zhiyin.text import lower_words, one_width

_DROPPED = re.compile(r"[\s_。?!()\[\]“”\"《》〈〉「」:;,、]|\.(?!\d)")

FIGURE = re.compile(
    r"""图\s*\d | [上下如]图 | 图所示
      | (?:以上|以下|下面|下列|上面)(?:这段|三段)?
        (?:谱例|乐谱|合唱谱|节奏谱|旋律片段|歌曲片段|戏曲片段|旋律(?!大调|小调|类型|性|中))""",
    re.VERBOSE,
)
"""How Chinese questions speak of what they do not show; "旋律" also names scales."""
FIGURE_EN = re.compile(
    r"\b(?:figure|score|staff|stave|notation|excerpt|chord|picture|image)"
    r" (?:shown )?(?:below|above)\b"
    r"|\bshown (?:below|above)\b|\bin the (?:figure|picture|image)\b",
    re.IGNORECASE,
)
POINTING = re.compile(
    r"^[^\S\n]*+(?:所有)?(?:以上|上述)"
    r"|^[^\S\n]*+(?:都|均|皆)不?(?:是|对)[^\S\n]*+$|(?:所有)?以上(?:都|皆|均)?"
    r"|^[^\S\n]*+[A-D]\s*+[和与、]\s*+[A-D]"
    r"|\b(?:all|none|both|either|neither)\b",
    re.IGNORECASE,
)
"""How an option speaks of other options."""
COMPARING = re.compile(
    r"最|更|较|相比|同类|不同|之一不|首先|首次|先后|顺序|"
    r"\b\w{3,}est\b|\b(?:most|least|more|less|first|last|best|order|different|odd)\b",
    re.IGNORECASE,
)
"""How a question compares its options with each other, so that another set has another answer."""


def folded(text: str) -> str:
    """A question for comparison with others: without blanks, gaps and punctuation.

    Accidentals, numbers with decimals, apostrophes and signs stay, and so does the case of short
    words.
    """
    return _DROPPED.sub("", lower_words(one_width(text)))
