"""Naming failures: why a choice went wrong, with the words that show it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from zhiyin.plugins.judges import reading
from zhiyin.plugins.judges.language import Language, open_language
from zhiyin.plugins.judges.reading import TEXT, Schema, UnreadableJudgement, choice, record_schema
from zhiyin.plugins.judges.rubric import Judgement, JudgementDetail
from zhiyin.reader import is_refusal
from zhiyin.reader.refusal import evasion_in

_SHARED = ("evasion", "guess", "other")
MODES = {
    "heard": (
        *("auditory_hallucination", "language_hallucination", "training_data_bias"),
        *_SHARED,
    ),
    "read": ("matching_error", "comprehension_error", "reasoning_error", *_SHARED),
}
"""Names of failures: of questions about sound (after Weck et al. 2024, arXiv:2408.01337, section
6), of questions in writing (after Li et al. 2024, arXiv:2406.15885, section 6), and of both. What
each means stands in the language packs."""
BY_RULE = (
    *("silence", "refusal", "training_data_bias", "evasion"),
    *("bare_letter", "guess", "caption"),
)
"""What the first pass can name: besides the above, no words at all, a model that declines, a
letter without any reasoning, and a caption in place of an answer."""

_NO_CAPTION = re.compile(
    r"(?:not|n't|never) (?:explicitly |clearly |specifically )?"
    r"(?:mentioned|specified|stated|described|provided|given|indicated) (?:in|by) the "
    r"(?:caption|description|text|passage|context|metadata)[^.\n]{0,120}+"
    r"|(?:the )?(?:caption|description|passage|metadata) (?:does not|doesn't) "
    r"(?:mention|say|specify|state|describe|provide|indicate)[^.\n]{0,120}+"
    r"|(?:描述|字幕|文字说明|标题|说明)(?:中|里)?(?:并)?(?:没有|未)(?:提到|提及|说明|给出)[^。\n]{0,60}+",
    re.IGNORECASE,
)
"""Mentions a caption where there is none: an example of training bias in Weck et al. 2024."""
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


class RuleFinding(msgspec.Struct, frozen=True):
    """A failure named by the first pass: a name out of `BY_RULE`, and the words that show it."""

    mode: str
    quote: str


def first_pass(reply: str, letters: Sequence[str], answered: bool) -> RuleFinding | None:
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
        return RuleFinding("silence", "")
    if not answered and (finding := _without_answer(text)):
        return finding
    guess = _GUESS.search(text)
    if guess:
        return RuleFinding("guess", guess[0].strip())
    if _FRAME.sub("", text).strip("\n\t .:：。，,()（）[]*\"'") in letters:
        return RuleFinding("bare_letter", text)
    captions = [match[0].strip() for match in _CAPTION.finditer(text)]
    if not answered and len(captions) >= 2:
        return RuleFinding("caption", "; ".join(captions))
    return None


def _without_answer(text: str) -> RuleFinding | None:
    """Find why a reply has no answer, if its words say so."""
    if is_refusal(text):
        return RuleFinding("refusal", text[:200])
    if biased := _NO_CAPTION.search(text):
        return RuleFinding("training_data_bias", biased[0].strip())
    evasion = evasion_in(text)
    return RuleFinding("evasion", evasion) if evasion is not None else None


def schema(kind: str) -> Schema:
    """The JSON schema of a finding, for questions that were "heard" or "read"."""
    return record_schema(mode=choice(MODES[kind]), quote=TEXT, reason=TEXT)


def wording(mode: str, language: Language) -> str:
    """Describe a failure mode; in English if a language pack does not say it."""
    return language.words.modes.get(mode) or open_language("en").words.modes[mode]


def list_modes(kind: str, language: Language) -> str:
    """The modes as lines for a prompt."""
    return "\n".join(f"- {mode}: {wording(mode, language)}" for mode in MODES[kind])


def read(reply: str, text: str, kind: str) -> Judgement:
    """The failure named in a reply.

    Raises
    ------
    UnreadableJudgement
        The mode is not one of those asked for, or the quotation is not in `text`.
    """
    fields = reading.read_object(reply, ("mode",))
    mode = reading.word_of(fields.get("mode"), dict.fromkeys(MODES[kind], ()), "mode")
    quote = reading.words(fields.get("quote"))
    if not reading.quoted_in(quote, text):
        shown = f'"{quote[:60]}"' if quote else "missing"
        raise UnreadableJudgement(
            f"the quotation was {shown}, which does not stand in the reply judged"
        )
    reason = reading.words(fields.get("reason"))
    return Judgement({mode: 1.0}, JudgementDetail(mode=mode, quote=quote, reason=reason))
