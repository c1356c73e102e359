"""Extraction policies that read an option from free text, named and versioned.

`zhiyin.contract.registry` finds them by name, and those of benchmarks and plug-ins beside them.

The default policy: a reply of a few words is read at once, any other clause by clause.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from zhiyin.reader import published
from zhiyin.reader.policy import Policy, Reading
from zhiyin.reader.rejections import is_refusal
from zhiyin.text import compared
from zhiyin.trial import Option


def read(text: str, options: Sequence[Option]) -> Reading:
    """The answer that a careful reader would find in `text`.

    Parameters
    ----------
    text : str
        A reply, of any length and in any script.
    options : sequence of Option
        In the order shown, lettered "A" to "Z".

    Returns
    -------
    Reading
        `letter` is None where the reply declares nothing, or several things at once.
    """
    options = _each_text_once(options)
    reading = read_at_once(text, options) or _after_reasoning(text, options)
    if reading:
        return reading
    from zhiyin.reader import clauses  # a tenth of a second, which letters alone do not need

    return clauses.read(text, options)


def _each_text_once(options: Sequence[Option]) -> Sequence[Option]:
    """The options, the text of one that stands under several letters left to the first of them.

    Such letters share a key: whichever is named, it is the same answer, and no ambiguous one.
    """
    if len({option.key for option in options}) == len(options):
        return options
    seen: set[tuple[str, str]] = set()
    once = []
    for option in options:
        twice = (option.key, option.text) in seen
        seen.add((option.key, option.text))
        once.append(Option(option.letter, "", option.key) if twice else option)
    return once


_TAIL = 80
_LAST = re.compile(
    r"</(?:think(?:ing)?|reason(?:ing)?|analysis)>[\W_]{0,9}(?:conclusion|(?:final[ _])?answer)?"
    r"[\W_]{0,9}\b([A-Z])\b[^\w<]{0,9}(?:</[\w ]{1,20}>)?\s{0,9}\Z",
    re.IGNORECASE,
)


def _after_reasoning(text: str, options: Sequence[Option]) -> Reading | None:
    """The one letter that stands behind the reasoning, whatever became of the tag around it."""
    if "</" not in text or (match := _LAST.search(text, max(0, len(text) - _TAIL))) is None:
        return None
    if not match[1].isupper() or all(option.letter != match[1] for option in options):
        return None
    return Reading(match[1], "the letter alone", match.span(1), "declared")


LONGEST = 160
"""Characters up to which a reply may be short."""

_OPEN = r"[*_`\"'(\[{$（【「“]{0,4}"
_SHUT = r"[*_`\"')\]}>$）】」”]{0,4}"
_SHORT = re.compile(
    r"\s*[*_`\"'(\[{<$（【「“#=.>-]{0,4}"
    r"(?:(?:(?:so|thus|therefore),? )?(?:i (?:think|believe|would say) )?(?:the|my) )?"
    r"(?:(?:final |correct |right |best )?(?:answer|ans|option|choice)(?: is)?\s?[:：]?\s?"
    r"|(?:正确|最终|本题)?答案(?:应该)?[是为选]?\s?[:：]?\s?|[我故应]?选择?\s?[:：]?\s?|选项\s?)?"
    rf"{_OPEN}(\S[^\n]{{0,118}}?){_SHUT}[.。!！;,/]?[*_`\"')\]}}]{{0,3}}\s*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"([A-Za-z])(?:[*_`\"')\]}）】」”.:：、,，-]{0,4}[ \t]{0,2}(?<![A-Za-z])(\S.*))?"
)


def read_at_once(text: str, options: Sequence[Option]) -> Reading | None:
    """The reading of a reply that is a letter, a text, or both, as most are; None where it is more.

    What is read here is what `clauses` would read; this is the short way only.

    Parameters
    ----------
    text : str
        A reply.
    options : sequence of Option
        In the order shown.
    """
    if len(text) == 1:
        return _letter(text, (0, 1), options) if text.isascii() and text.isalpha() else None
    short = _SHORT.fullmatch(text) if len(text) < LONGEST else None
    if short is None:
        return None
    answer, place = short[1], short.span(1)
    label = _LABEL.fullmatch(answer)
    if label and not label[2]:
        return _letter(label[1], place, options)
    same = [option.letter for option in options if _is_text(answer, option.text)]
    if len(same) == 1 and len(answer) > 1:
        return Reading(same[0], "full text of one option", place, "declared")
    if label and not same:
        for option in options:
            if option.letter == label[1] and _is_text(label[2], option.text):
                return Reading(label[1], "letter and text", place, "declared")
    return None


def _is_text(written: str, text: str) -> bool:
    """Tell whether an option's text is written, in any case but where case tells (m3, M3)."""
    if written == text:
        return bool(text)
    return written.lower() == text.lower() and compared(written) == compared(text)


def _letter(written: str, place: tuple[int, int], options: Sequence[Option]) -> Reading | None:
    """The letter alone; a small one only where no text of one character could be meant."""
    letter = written.upper()
    for option in options:
        if option.letter == letter and (written == letter or len(options[0].text) != 1):
            return Reading(letter, "the letter alone", (place[0], place[0] + 1), "declared")
    return None


__all__ = ["OF_EVERY_USE", "ROBUST", "Policy", "Reading", "is_refusal"]

ROBUST = Policy("robust", 6, "the last declared answer that stands; our default", read)
OF_EVERY_USE = (
    ROBUST,
    Policy(
        "first-letter",
        2,
        "first upper-case A to D anywhere (Li et al. 2024, section 4.1)",
        published.first_letter,
        "arXiv:2406.15885, section 4.1",
    ),
    Policy(
        "final-line",
        2,
        "the last 'Final Answer: X', or the last line (Carone, Roman and Ripollés)",
        published.final_line,
        "Carone, Roman and Ripollés, section 2.3 and supplement S2",
    ),
    Policy(
        "flexible",
        2,
        "first a to d set apart, the article included (ReactionEval)",
        published.flexible,
        "karroyan/ReactionEvalBenchmark: _normalize_answer",
    ),
)
