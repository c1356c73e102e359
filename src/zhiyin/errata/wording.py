"""When two texts are the same, and what a question speaks of without showing it."""

from __future__ import annotations

import re

from zhiyin.text import one_width

_WORD = re.compile(r"[A-Za-z]{4,}")
_NOTES = re.compile(r"[A-Ga-g]+|[IVXivx]+")
_END = " \t.;。；"
_GAP = re.compile(
    r"(?<=[^\W\d_]{3})[ -](?=[^\W\d_]{3})|(?<=[,、;；/+—-]) +|(?<! ) ++(?=[,、;；/+—-])"
)
_DROPPED = re.compile(r"[\s_。?!()\[\]“”\"《》〈〉「」:;,、]|\.(?!\d)")
_PAIRS = {"“": "”", '"': '"', "《": "》", "「": "」", "(": ")"}

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


def normal(text: str) -> str:
    """A text for comparison with options of the same question.

    Full-width signs are turned into plain ones, words of four letters and more lose their case, a
    blank or hyphen between words goes, and so do blanks around separators, a full stop at the end
    and marks of quotation around the whole. What can be notes or degrees (``GABc``, ``VIII``) keeps
    its case, and commas and apostrophes stay, since they are octaves in some notations.
    """
    plain = " ".join(one_width(text).replace("\\\n", " ").split()).strip(_END)
    while len(plain) > 2 and plain[-1] == _PAIRS.get(plain[0]) and plain[0] not in plain[1:-1]:
        if any(sign in plain[1:-1] for sign in (plain[-1],)):
            break
        plain = plain[1:-1].strip(_END)
    plain = _WORD.sub(lambda m: m[0] if _NOTES.fullmatch(m[0]) else m[0].lower(), plain)
    return _GAP.sub("", plain)


def folded(text: str) -> str:
    """A question for comparison with others: without blanks, gaps and punctuation.

    Accidentals, numbers with decimals, apostrophes and signs stay, and so does the case of short
    words.
    """
    plain = one_width(text)
    plain = _WORD.sub(lambda m: m[0] if _NOTES.fullmatch(m[0]) else m[0].lower(), plain)
    return _DROPPED.sub("", plain)
