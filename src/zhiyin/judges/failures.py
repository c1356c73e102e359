"""Naming failures: why a choice went wrong, with the words that show it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from zhiyin.judges import reading
from zhiyin.judges.judgement import Judgement
from zhiyin.judges.reading import Unreadable
from zhiyin.reader import is_refusal

HEARD: dict[str, tuple[str, str]] = {
    "auditory_hallucination": (
        "听觉幻觉：声称听到了录音中没有的声音、乐器或人声",
        "claims to hear a sound, instrument or voice that the right answer shows is not there",
    ),
    "language_hallucination": (
        "语言幻觉：答非所问，或所说与题目、选项无关或自相矛盾",
        "says what neither question nor options hold, or contradicts itself",
    ),
    "training_data_bias": (
        "训练数据偏差：复述常见的曲目描述套话，而不是回答这道题",
        "recites the usual caption or the most common case instead of answering this question",
    ),
}
"""Failure modes for questions about sound (after MuChoMusic, arXiv:2408.01337)."""

READ: dict[str, tuple[str, str]] = {
    "matching_error": (
        "匹配错误：只凭题目与选项字面相近来选",
        "chooses by likeness of words between question and option",
    ),
    "comprehension_error": (
        "理解错误：误解题意或音乐术语",
        "misunderstands the question or a musical term",
    ),
    "reasoning_error": (
        "推理错误：前提正确，推导或计算有误",
        "starts from sound facts and draws a wrong conclusion",
    ),
}
"""Failure modes for questions in writing (after ZIQI-Eval, arXiv:2406.15885, section 6)."""

SHARED: dict[str, tuple[str, str]] = {
    "evasion": ("回避：不作选择，或说无法判断", "avoids a choice, or calls it undecidable"),
    "guess": ("猜测：承认或显出是在猜", "admits to guessing, or plainly does"),
    "other": ("以上都不是", "none of these"),
}
MODES: dict[str, dict[str, tuple[str, str]]] = {
    "heard": {**HEARD, **SHARED},
    "read": {**READ, **SHARED},
}
BY_RULE = ("silence", "evasion", "bare_letter", "guess", "caption")
"""What the first pass can name: besides the above, no words at all, a letter without any
reasoning, and a caption in place of an answer."""

_EVASION = re.compile(
    r"(?:impossible|difficult|hard|not possible) to (?:determine|say|tell|know|identify)[^.\n]*"
    r"|(?:cannot|can't|can not|unable to) (?:be )?(?:determin|identif|tell|say|decid)\w*[^.\n]*"
    r"|none of the (?:above|options|given)[^.\n]*|not enough information[^.\n]*"
    r"|(?:无法|不能|难以)(?:判断|确定|得知|选择)[^。\n]*|(?:以上|选项)(?:都|均)(?:不|没有)[^。\n]*"
    r"|没有正确(?:答案|选项)[^。\n]*|信息不足[^。\n]*",
    re.IGNORECASE,
)
_GUESS = re.compile(
    r"(?:I(?:'ll| will| would|'d)? (?:have to )?(?:just )?guess|my (?:best )?guess|"
    r"(?:random|educated|wild) guess|at random)[^.\n]*"
    r"|(?:我猜|猜测|随便选|随机选|蒙一个|瞎猜)[^。\n]*",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"(?:the (?:low quality )?(?:recording|song|track|clip) (?:features|is an? instrumental|"
    r"consists of|contains)|the tempo is (?:slow|medium|fast)|there are no (?:vocals|voices)|"
    r"this (?:song|track|piece|music) (?:can|could|may) be (?:played|used|heard)|"
    r"(?:这是一首|这首(?:歌|曲子|音乐)(?:适合|可以用于)))[^.。\n]*",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"\b(?:the|my|final|correct|right|answer|option|choice|is|it)\b|最终|正确|答案|选项|应该|选|是|为",
    re.IGNORECASE,
)
"""What may stand around a bare letter."""


class Finding(msgspec.Struct, frozen=True):
    """What the first pass found: a name out of `BY_RULE`, and the words that show it."""

    mode: str
    quote: str


def first_pass(reply: str, letters: Sequence[str], answered: bool) -> Finding | None:
    """The failure that can be named by rule alone, or None.

    Parameters
    ----------
    reply : str
    letters : sequence of str
        The letters of the options.
    answered : bool
        Whether an answer was found in the reply; one who answers does not evade, and a caption
        beside an answer is the judge's matter.
    """
    text = reply.strip()
    if not text:
        return Finding("silence", "")
    if not answered and (is_refusal(text) or _EVASION.search(text)):
        found = _EVASION.search(text)
        return Finding("evasion", found[0].strip() if found else text[:200])
    guess = _GUESS.search(text)
    if guess:
        return Finding("guess", guess[0].strip())
    if _FRAME.sub("", text).strip("\n\t .:：。，,()（）[]*\"'") in letters:
        return Finding("bare_letter", text)
    captions = [match[0].strip() for match in _CAPTION.finditer(text)]
    if not answered and len(captions) >= 2:
        return Finding("caption", "; ".join(captions))
    return None


def schema(kind: str) -> dict[str, Any]:
    """The JSON schema of a finding, for questions that were "heard" or "read"."""
    fields: dict[str, Any] = {
        "mode": {"type": "string", "enum": list(MODES[kind])},
        "quote": {"type": "string"},
        "reason": {"type": "string"},
    }
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def list_modes(kind: str, language: str) -> str:
    """The modes as lines for a prompt."""
    place = 0 if language == "zh" else 1
    return "\n".join(f"- {mode}: {names[place]}" for mode, names in MODES[kind].items())


def read(reply: str, text: str, kind: str) -> Judgement:
    """The failure named in a reply.

    Raises
    ------
    Unreadable
        The mode is none of those asked for, or the quotation does not stand in `text`.
    """
    found = reading.read_object(reply, ("mode",))
    mode = reading.word_of(found.get("mode"), dict.fromkeys(MODES[kind], ()), "mode")
    quote = reading.words(found.get("quote"))
    if not reading.quoted_in(quote, text):
        shown = f'"{quote[:60]}"' if quote else "missing"
        raise Unreadable(f"the quotation was {shown}, which does not stand in the reply judged")
    detail = {"mode": mode, "quote": quote, "reason": reading.words(found.get("reason"))}
    return Judgement({mode: 1.0}, detail)
