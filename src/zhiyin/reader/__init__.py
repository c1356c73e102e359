"""Extraction policies that read an option from free text, named and versioned.

`zhiyin.contract.policies` finds them by name, and those of benchmarks and plug-ins beside them.

The default policy reads a reply of a few words at once, any other clause by clause. The policies of
published benchmarks keep their quirks, so that their figures can be explained: each reads as its
source does and no better; `docs/reading.md` says what each quirk costs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from zhiyin.reader.plain import fold, one_width, without_markup
from zhiyin.reader.policy import Policy, Reading
from zhiyin.reader.refusal import is_refusal
from zhiyin.text import compared
from zhiyin.trial import Option

_FLEXIBLE = re.compile(r"(?<!\w)[A-D](?!\w)", re.IGNORECASE)
_FLEXIBLE_GLUED = re.compile(r"(?:option|choice|answer|select)\s*([A-D])(?!\w)", re.IGNORECASE)
_FINAL = re.compile(r"final\s+answer\s*[:=-]", re.IGNORECASE)
_LABELLED = re.compile(r"[(\[]?([A-Z])(?:[)\].:,](?:\s.*)?|\s*)$")


def _among(letter: str, options: Sequence[Option], why: str) -> Reading:
    """The extraction of `letter`, or none where no such option was shown."""
    if any(option.letter == letter for option in options):
        return Reading(letter, why)
    return Reading(None, f"{letter} is not an option")


def answered(letter: str, options: Sequence[Option], why: str) -> Reading:
    """The extraction of `letter`, shown or not: the source counts A to D as answered.

    Where fewer options were shown, a letter beyond them is thus an answer, and wrong; to call it
    no answer would lower instruction-following rate and raise precision.
    """
    shown = any(option.letter == letter for option in options)
    return Reading(letter, why if shown else f"{why}; no such option, so answered and wrong")


def first_letter(text: str, options: Sequence[Option]) -> Reading:
    """The first upper-case A to D anywhere in the reply, inside words as well.

    One beyond the options shown is answered, and wrong.
    Source: Li et al. 2024 (arXiv:2406.15885), section 4.1, "Metrics".
    """
    match = re.search("[ABCD]", text)
    if match is None:
        return Reading(None, "no upper-case A to D")
    return answered(match[0], options, "first upper-case A to D")


def flexible(text: str, options: Sequence[Option]) -> Reading:
    """The first A to D, in either case, that stands apart from word characters.

    Hence the article ("This is a bridge") is read as A and "I'd" as D, and a letter after a
    Chinese character is not seen, since that is a word character too. A letter glued to
    "option", "choice", "answer" or "select" is looked for next. Last, the whole reply is compared
    with the key: "E" is thus read where it stands alone, and the text of an option never, for a
    key is a letter. One of A to D beyond the options shown is answered, and wrong.
    Source: ReactionEval, "Flexible answer extraction from verbose model responses"; the public
    repository karroyan/ReactionEvalBenchmark, ``_normalize_answer``,
    by behaviour.
    """
    match = _FLEXIBLE.search(text)
    if match:
        return answered(match[0].upper(), options, "first A to D set apart, in either case")
    glued = _FLEXIBLE_GLUED.search(text)
    if glued:
        return answered(glued[1].upper(), options, "letter glued to a word for option")
    whole = text.strip().upper()
    for option in options:
        if whole == option.letter:
            return Reading(option.letter, "whole reply is one option's letter")
    return Reading(None, "no A to D set apart")


def final_line(text: str, options: Sequence[Option]) -> Reading:
    """Read the last "Final Answer: X", or else the last line if it is an answer alone.

    X, or the last line, is a letter ("B"), a letter with its text ("C. Dominant") or the full
    text of an option ("Yes, these are the same melody."). Nothing else is searched: a last
    "Final Answer" that cannot be read leaves the reply unanswered.
    Source: Carone, Roman and Ripollés, section 2.3 and supplement S2.
    """
    unmarked = without_markup(one_width(text))
    labels = list(_FINAL.finditer(unmarked))
    if labels:
        after = unmarked[labels[-1].end() :].strip().partition("\n")[0]
        return _answer_alone(after, options, "Final Answer")
    return _answer_alone(unmarked.rstrip().rpartition("\n")[2], options, "last line")


def _answer_alone(line: str, options: Sequence[Option], where: str) -> Reading:
    """The option that `line` is, by its text, or by its letter with or without a text."""
    words = _bare(line)
    same = [option.letter for option in options if words and _bare(option.text) == words]
    if len(same) == 1:
        return Reading(same[0], f"{where}: full text of one option")
    if same:
        return Reading(None, f"{where}: a text that options share")
    label = _LABELLED.match(line.strip())
    if label:
        return _among(label[1], options, f"{where}: letter")
    for option in options:
        if option.text and words == _bare(f"{option.letter} {option.text}"):
            return Reading(option.letter, f"{where}: letter and text")
    return Reading(None, f"{where}: no option")


def _bare(text: str) -> str:
    """`text` folded, without the quotes around it and the full stop behind it."""
    return fold(one_width(text)).strip(" \"'.")


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
        first_letter,
        "arXiv:2406.15885, section 4.1",
    ),
    Policy(
        "final-line",
        2,
        "the last 'Final Answer: X', or the last line (Carone, Roman and Ripollés)",
        final_line,
        "Carone, Roman and Ripollés, section 2.3 and supplement S2",
    ),
    Policy(
        "flexible",
        2,
        "first a to d set apart, the article included (ReactionEval)",
        flexible,
        "karroyan/ReactionEvalBenchmark: _normalize_answer",
    ),
)
