"""Rules by which harnesses, and authors of models, read replies to these benchmarks, with faults.

Each rule does what its source does and no better; see `zhiyin.plugins.methods.harnesses`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from zhiyin.plugins.methods.harnesses import (
    FOUR,
    NOTHING_FOUND,
    framed,
    latest,
    letters_in,
    letters_of,
    short_form,
)
from zhiyin.reader import answered
from zhiyin.reader.policy import Reading, policies_beside
from zhiyin.trial import Option

# lmms-eval


def lmms_mmau(text: str, options: Sequence[Option]) -> Reading:
    """The short form of lmms-eval; a reply in which it finds nothing is one of A to D by chance.

    Where fewer than four options were shown a D stops the script; here it is an answer, and wrong.
    """
    letter = short_form(text)
    if letter is None:
        return Reading(None, NOTHING_FOUND, guesses=tuple(FOUR))
    return answered(letter, options, "a letter in the short form")


_WORDS_OF_A_LONG_REPLY = 5


def lmms_mmar(text: str, options: Sequence[Option]) -> Reading:
    """The long form of lmms-eval.

    In parentheses; else with a blank behind it, at the end of a word too ("USA is"); else before a
    full stop; else, in a reply of more than five words, the options whose text is contained. Of
    several the last, sought in parentheses if they were found so, else between blanks.
    """
    reply, letters = framed(text), letters_of(options)
    if found := letters_in(reply, letters, ("({})",)):
        return Reading(latest(reply, found, "({})"), "the last letter in parentheses")
    if found := letters_in(reply, letters, ("{} ", "{}.")):
        return Reading(latest(reply, found, " {} "), "a letter before a blank or a full stop")
    if len(reply.split()) > _WORDS_OF_A_LONG_REPLY:
        lower = reply.lower()
        places = {o.letter: lower.rfind(o.text.lower()) for o in options}
        if held := [letter for letter in letters if places[letter] >= 0]:
            return Reading(max(held, key=places.__getitem__), "the option whose text stands last")
    return Reading(None, NOTHING_FOUND, guesses=letters)


# MMAU, MMAR


def string_match(text: str, options: Sequence[Option]) -> Reading:
    """The option all of whose words stand in the reply, and no word of any other option.

    A text's words are its runs of letters, digits and underscores, lower case, each counted once;
    words that the option shares with others are its own. So a letter alone is no answer, and
    "B. the words" is one only where "b" is no word of another option. Options with the same
    words in another order or number cannot be distinguished: each of them is taken for right.
    Source: Sakshi et al. 2024 (arXiv:2410.19168) and Ma et al. 2025 (arXiv:2505.13032), by the
    behaviour of their scoring scripts.
    """
    return match_words(text, {option.letter: option.text for option in options})


def match_words(text: str, texts: Mapping[str, str]) -> Reading:
    """Match words as `string_match` does, with texts by letter."""
    reply_words = _word_set(text)
    if not reply_words:
        return Reading(None, "no words")
    sets = {letter: _word_set(own) for letter, own in texts.items()}
    whole = {letter: words for letter, words in sets.items() if words <= reply_words}
    accepted = [
        letter
        for letter, own in whole.items()
        if not reply_words
        & (set().union(*(other for other in sets.values() if other != own)) - own)
    ]
    if accepted:
        return Reading(accepted[0], "all words of one option alone", alike=tuple(accepted[1:]))
    if whole:
        return Reading(None, "words of another option stand there too")
    return Reading(None, "not all words of any option stand there")


@lru_cache(maxsize=256)  # several rules look at the same reply and options
def _word_set(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower()))


# EvalScope

_FIRST_ANSWER = re.compile(r"ANSWER\s*:\s*([A-D])", re.IGNORECASE)


def evalscope_mmau(text: str, options: Sequence[Option]) -> Reading:
    """The first ``ANSWER: X``, inside a word too; else the short form of lmms-eval; else A."""
    if match := _FIRST_ANSWER.search(text):
        return answered(match[1].upper(), options, "the first letter after ANSWER:")
    letter = short_form(text)
    if letter is None:
        return answered("A", options, "A, which it takes for any reply that it cannot read")
    return answered(letter, options, "a letter in the short form")


# AudioBench

_MARK = len("(A) ")


def audiobench(text: str, options: Sequence[Option]) -> Reading:
    """MMAU's rule, with the first four characters of every option cut as if they were its mark.

    Of options without a mark that is the beginning of their text: "Violin" is "in".
    """
    return match_words(text, {option.letter: option.text[_MARK:] for option in options})


# DeSTA2.5-Audio

_STATED = "The correct answer is: "


def desta(text: str, options: Sequence[Option]) -> Reading:
    """MMAU's rule on the reply without "The correct answer is: ", wherever that stands."""
    return string_match(text.replace(_STATED, "").strip(), options)


# R1-AQA

_OPEN, _CLOSE = "<answer>", "</answer>"


def r1_aqa(text: str, options: Sequence[Option]) -> Reading:
    """MMAU's rule on what the first ``<answer>`` holds, on one line, else on the whole reply."""
    for line in text.split("\n"):
        start = line.find(_OPEN)
        end = line.find(_CLOSE, start)
        if 0 <= start < end:
            return string_match(line[start + len(_OPEN) : end], options)
    return string_match(text, options)


# MiMo-Audio-Eval

_DECLARED = (
    re.compile(
        r"^[^\S\r\n]*(?:the\s+)?correct\s+(?:choice|answer)\s+is\s*[:\-]?\s*(.*)$", re.I | re.M
    ),
    re.compile(r"^[^\S\r\n]*answer\s*[:\-]\s*(.*)$", re.I | re.M),
)
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_WRAPPED = tuple(
    re.compile(pattern)
    for pattern in (r"^\*{1,2}(.+?)\*{1,2}$", r"^`(.+?)`$", r"^['\"](.+?)['\"]$")
)


def mimo(text: str, options: Sequence[Option]) -> Reading:
    """MMAU's rule on the answer that the reply states.

    What stands before the first ``</think>`` is cut. The answer is the rest of the last line that
    begins with "answer:", else with "(the) correct answer is"; an empty rest is replaced by the
    next bold text or line. Else the last bold text; else the first line with text. Quotes and
    marks at its ends are taken off.
    """
    reply = text.partition("</think>")[2] if "</think>" in text else text
    return string_match(_mimo_answer(reply.lstrip()), options)


def _mimo_answer(reply: str) -> str:
    stated = [answer for pattern in _DECLARED for answer in _behind(pattern, reply)]
    if not stated:
        stated = [bold for each in _BOLD.finditer(reply) if (bold := _bare(each[1]))]
    if not stated:
        stated = [line for each in reply.splitlines() if (line := _bare(each))][:1]
    return stated[-1] if stated else ""


def _behind(pattern: re.Pattern[str], reply: str) -> Iterator[str]:
    """Yield what follows each hit: the rest of its line, else the next bold text, else a line."""
    for match in pattern.finditer(reply):
        after = reply[match.end() :]
        bold = _BOLD.search(after)
        found = _bare(match[1]) or (_bare(bold[1]) if bold else "")
        found = found or next((line for each in after.splitlines() if (line := _bare(each))), "")
        if found:
            yield found


def _bare(text: str) -> str:
    """The first line of a text without what wraps it and the marks at its ends."""
    lines = text.strip().splitlines()
    if not lines:
        return ""
    line = lines[0].strip().replace('\\"', '"').replace("\\'", "'")
    for wrapped in _WRAPPED:
        line = wrapped.sub(r"\1", line)
    return re.sub(r"\s+", " ", line.strip(" \t\r\n.:;!?,"))


# Replies to MMAR of "Measuring Faithfulness of CoT Reasoning in LALMs"

_CONCLUDED = re.compile(r">\s*+([A-Za-z])\s*+(?=</Conclu[^\n>]*+>)", re.I)
_AT_THE_END = re.compile(r"(?:[^a-zA-Z]|^)([A-D])[^a-zA-Z]*$", re.I)


def faithfulness_omni(text: str, options: Sequence[Option]) -> Reading:
    """The one letter within ``<Conclusion>``, of whatever option; else A to D at the end."""
    if match := _concluded(text):
        return answered(match[1].upper(), options, "the letter within <Conclusion>")
    if match := _AT_THE_END.search(text.strip()):
        return answered(match[1].upper(), options, "the letter at the end")
    return Reading(None, "no letter within <Conclusion> or at the end")


def _concluded(text: str) -> re.Match[str] | None:
    r"""The first hit of ``<Conclu.*?>\s*([A-Za-z])\s*</Conclu.*?>``, in linear time."""
    for match in _CONCLUDED.finditer(text):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if "<conclu" in line.lower():
            return match
    return None


_FORMS = (
    (re.compile(r"\(([a-zA-Z])\)"), "the first letter in parentheses"),
    (re.compile(r"([a-zA-Z])\)"), "the first letter before a parenthesis"),
    (re.compile(r"\(([a-zA-Z])"), "the first letter behind a parenthesis"),
    (
        re.compile(
            r"(?:choice|option|answer|prediction|conclusion)\s*+(?:[:\-]\s*+)?([A-D])\b", re.I
        ),
        "the first letter behind a word for it",
    ),
)
_APART = re.compile(r"(?:^|[^a-zA-Z])([A-D])(?:[^a-zA-Z]|$)", re.I)


def faithfulness_flamingo(text: str, options: Sequence[Option]) -> Reading:
    """The first letter in parentheses anywhere, whatever options there are.

    Else the first before, or behind, one parenthesis, at the end of a word too; else the first
    A to D behind a word such as "answer"; else the last a to d set apart, the article included;
    else the whole reply where it is one letter.
    """
    reply = text.strip().strip(".").strip()
    for pattern, why in _FORMS:
        if match := pattern.search(reply):
            return answered(match[1].upper(), options, why)
    if found := _APART.findall(reply):
        return answered(found[-1].upper(), options, "the last a to d set apart")
    if len(reply) == 1 and reply.isascii() and reply.isalpha():
        return answered(reply.upper(), options, "the whole reply")
    return Reading(None, "no letter in the forms looked for")


_RULES = (
    string_match, lmms_mmau, lmms_mmar, evalscope_mmau, audiobench, desta, r1_aqa, mimo,
    faithfulness_omni, faithfulness_flamingo,
)  # fmt: skip
POLICIES = policies_beside(
    __file__, "rules.toml", {rule.__name__.replace("_", "-"): rule for rule in _RULES}
)
MMAU = ("string-match", "lmms-mmau", "evalscope-mmau", "audiobench", "desta", "r1-aqa", "mimo")
MMAR = ("string-match", "lmms-mmar", "mimo", "faithfulness-omni", "faithfulness-flamingo")
"""The rules whose sources report figures of each."""
