"""Evaluation harnesses' rules for reading a reply to a question with options, faults included.

Each rule does what its source does and no better, so that a figure measured there can be made again
here. None is for use in its own right: `docs/how-to/readers.md` says what each costs. Where a
source draws an answer at random, the reading says from which letters (`Reading.guesses`), and
nothing is drawn here. Rules for one benchmark stand with it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial

from zhiyin.reader import answered
from zhiyin.reader.policy import Reading, Rule, policies_beside
from zhiyin.trial import Option

FOUR = "ABCD"
_ENDS = ",.!?;:'"
NOTHING_FOUND = "no letter in the forms looked for"


def letters_of(options: Sequence[Option]) -> tuple[str, ...]:
    """The letters under which options are shown."""
    return tuple(option.letter for option in options)


# lmms-eval: what several of its tasks share


def framed(text: str) -> str:
    """The reply without the marks at its ends, each mark taken off once, between two blanks."""
    for mark in _ENDS:
        text = text.strip(mark)
    return f" {text} "


def letters_in(reply: str, letters: Iterable[str], forms: Sequence[str]) -> list[str]:
    """The letters that stand in the first of the forms in which any does."""
    for form in forms:
        if found := [letter for letter in letters if form.format(letter) in reply]:
            return found
    return []


def latest(reply: str, letters: Sequence[str], form: str) -> str:
    """The letter whose last place in this form comes latest; the first of those without one."""
    return max(letters, key=lambda letter: reply.rfind(form.format(letter)))


@lru_cache(maxsize=16)  # several rules look at the same reply
def short_form(text: str) -> str | None:
    """The letter that the short form of lmms-eval finds among A to D, whatever options there are.

    In parentheses; else between blanks; else before a full stop, within a word too. Of several the
    one that stands between blanks last, and where none does the first in the alphabet.
    """
    reply = framed(text)
    found = letters_in(reply, FOUR, ("({})", " {} ", "{}."))
    return latest(reply, found, " {} ") if found else None


# EvalScope

_MARKER = re.compile(r"ANSWER\s*:\s*(?:\*+\s*)?", re.IGNORECASE)
_CHINESE_MARKER = re.compile(r"答案\s*[:：]\s*(?:\*+\s*)?")
_BRACKETED = re.compile(r"[(\[（【]\s*([A-Za-z\d](?:\s*[,，]\s*[A-Za-z\d])*)\s*[)\]）】]")
_PLAIN = re.compile(r"[A-Za-z\d][A-Za-z\d ,]*")
_CHINESE_PLAIN = re.compile(r"[A-Za-z\d][A-Za-z\d,，]*")
_TOKEN = re.compile(r"[A-Za-z\d]+")


def evalscope(text: str, options: Sequence[Option], *, chinese: bool = False) -> Reading:
    """EvalScope's rule for questions with options in general.

    The label behind the last ``ANSWER:`` that has one, in brackets or plain, cut where other words
    begin; it has to be one letter. Without such a marker the last capital of the whole reply, where
    an option has it. Where the prompt is its Chinese one the marker is ``答案：`` alone.
    """
    letters = set(letters_of(options))
    sought, plain = (_CHINESE_MARKER, _CHINESE_PLAIN) if chinese else (_MARKER, _PLAIN)
    name = "答案：" if chinese else "ANSWER:"
    for marker in reversed([*sought.finditer(text)]):
        label = _label(text[marker.end() :], letters, plain)
        if label:
            if label in letters:
                return Reading(label, f"the last {name} with a label")
            return Reading(None, f"the last {name} with a label has several")
    capital = next((sign for sign in reversed(text) if sign.isupper()), None)
    if capital in letters:
        return Reading(capital, "the last capital of the reply")
    return Reading(None, "the last capital is no option's" if capital else "no capital")


def _label(tail: str, letters: set[str], plain: re.Pattern[str]) -> str:
    """The beginning of what follows a marker, as far as it holds letters of options alone."""
    for match in (_BRACKETED.match(tail), plain.match(tail)):
        if match is None:
            continue
        written, end = match[match.re.groups], 0
        for token in _TOKEN.finditer(written):
            if not letters.issuperset(token[0]):
                break
            end = token.end()
        if end:
            return written[:end].strip()
    return ""


# lm-evaluation-harness

_IN_PARENTHESES = re.compile(r"\(([A-Z])\)")


def lm_eval(text: str, options: Sequence[Option], *, place: int) -> Reading:
    """The filter ``multi_choice_regex`` as the tasks of MMLU set it.

    A capital in parentheses, whatever options there are; else the text of an option, without regard
    to case and punctuation; else a letter behind a colon. `place` says which of several hits is
    taken: 0 the first, -1 the last.
    """
    if found := _IN_PARENTHESES.findall(text):
        return answered(found[place], options, "a capital in parentheses")
    # of options with one text the last letter stays
    letters = {_unpunctuated(option.text.strip()): option.letter for option in options}
    if (hits := _hits(_unpunctuated(text), [*letters])) and (hit := hits[place].strip()):
        letter = letters.get(hit)
        return Reading(letter, "an option's text" if letter else "a text that no option has")
    if found := _behind_colon(letters_of(options)).findall(text):
        return Reading(found[place], "a letter behind a colon")
    return Reading(None, "neither a letter nor a text in the forms looked for")


def _hits(text: str, wanted: Sequence[str]) -> list[str]:
    """Find some texts as ``re.findall`` does; one compiled pattern a question takes too long."""
    if not all(wanted):  # what an empty text matches is best left to the module itself
        return re.findall("|".join(map(re.escape, wanted)), text)
    hits, place = list[str](), 0
    while found := [(at, n) for n, one in enumerate(wanted) if (at := text.find(one, place)) >= 0]:
        at, first = min(found)
        hits.append(wanted[first])
        place = at + len(wanted[first])
    return hits


@lru_cache(maxsize=64)
def _behind_colon(letters: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf":\s*({'|'.join(letters)})")


@lru_cache(maxsize=64)
def _unpunctuated(text: str) -> str:
    """Give a text in small letters and without punctuation."""
    return "".join(sign for sign in text.lower() if unicodedata.category(sign)[0] != "P")


_ANSWER_IS = re.compile(r"answer is \(?([A-J])\)?")


def lm_eval_mmlu_pro(text: str, options: Sequence[Option]) -> Reading:
    """The capital A to J behind the first "answer is" that has one, inside a word too."""
    if match := _ANSWER_IS.search(text):
        return answered(match[1], options, 'the letter behind "answer is"')
    return Reading(None, 'no letter behind "answer is"')


# Inspect

# Its patterns, ``^ANSWER\s*:\s*([A-Za-z\d ,]+)\s*(?:$|\n|\.)`` and, anywhere, the same up to a sign
# that is no part of a word, in linear time: a blank, which they take for an answer, stands apart.
_STRICT = re.compile(
    r"^ANSWER\s*:(?:\s*+([A-Za-z\d,][A-Za-z\d ,]*+)\s*(?:$|\n|\.)"
    r"|[^\S ]*+ (?:\s*+(?:\Z|\.)|[^\S\n]*+\n))",
    re.IGNORECASE | re.MULTILINE,
)
_LENIENT = re.compile(
    r"ANSWER\s*:(?:\s*+([A-Za-z\d,][A-Za-z\d ,]*+(?!\w)|[A-Za-z\d,][A-Za-z\d ,]*(?=[ ,]))(?:\W|$)"
    r"|[^\S ]*+ (?:\W|$))",
    re.IGNORECASE,
)


def inspect_choice(text: str, options: Sequence[Option]) -> Reading:
    """Read what Inspect's ``multiple_choice`` marks and its scorer ``choice`` compares.

    The last line that is ``ANSWER: X`` alone; only where there is none the last ``ANSWER: X``
    anywhere, before another sign. X, as a capital, has to be one letter.
    """
    strict = _STRICT.findall(text)
    found = strict or _LENIENT.findall(text)
    if not found:
        return Reading(None, "no ANSWER: with a letter")
    parts = [part for part in found[-1].strip().upper().split(",") if part]
    if len(parts) == 1 and parts[0] in letters_of(options):
        where = "a line that is ANSWER: alone" if strict else "ANSWER: within a line"
        return Reading(parts[0], where)
    return Reading(None, "behind the last ANSWER: stands more than one letter")


# AIR-Bench


def air_bench(text: str, options: Sequence[Option]) -> Reading:
    """The first character if it is A to D, else the last but one; any other reply leaves the count.

    Line feeds are taken out first. The word "None" alone leaves the count too.
    """
    reply = text.strip().replace("\n", "")
    if not reply or reply == "None":
        return Reading(None, "empty")
    if reply[0] in FOUR:
        return answered(reply[0], options, "the first character")
    if len(reply) > 1 and reply[-2] in FOUR:
        return answered(reply[-2], options, "the last character but one")
    return Reading(None, "neither the first character nor the last but one is A to D")


_RULES: dict[str, Rule] = {
    "evalscope": evalscope,
    "evalscope-zh": partial(evalscope, chinese=True),
    "lm-eval-first": partial(lm_eval, place=0),
    "lm-eval-last": partial(lm_eval, place=-1),
    "lm-eval-mmlu-pro": lm_eval_mmlu_pro,
    "inspect": inspect_choice,
    "air-bench": air_bench,
}
POLICIES = policies_beside(__file__, "harnesses.toml", _RULES)
