"""The options of a question as the robust policy looks them up in a reply: by letter, by text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from zhiyin.answers.plain import fold, one_width, without_markup
from zhiyin.trial import Option

AMBIGUOUS = "?"
"""Stands for "more than one option" where a letter is expected."""

_TRIES = 1000
"""Mentions of one text that are looked at: bounds the time on hostile replies."""

_EDGE = " \t\n.,;:!?\"'()[]{}<>-"
_NEGATED_BEFORE = re.compile(
    r"(?:\b(?:not|no|never|without|nor|neither|than|excluding|unlike|except)|n't|instead of"
    r"|rules? out|ruled out|eliminat(?:e|ed|ing)|exclud(?:e|ed)|reject(?:ed)?|lacks?"
    r"|不是|没有|并非|而非|排除|不选|不属于|不像|非)"
    r"(?:\s*(?:(?:be|a|an|the|in|of|really|any|option|choice|exactly|quite)\b|选项"
    r"|[(\"'\[])){0,3}\s*$"
)
_NEGATED_AFTER = re.compile(
    r"[)\]\"'.:]*\s*(?:option|choice|选项|项)?\s*"
    r"(?:(?:is|are|was|were|would be|seems?|can be|可以|是|的说法|被|则|明显|显然)\s*)?"
    r"(?:(?:clearly|obviously|also|definitely|therefore|both|all|simply)\s+)*"
    r"(?:not\b|n't|isn't|aren't|doesn't|can't|cannot|wouldn't|won't|incorrect|wrong|false|out\b"
    r"|absent|missing"
    r"|eliminated|excluded|ruled out|unlikely|impossible|不(?!选)|错|排除|有误)"
)
_YES_NO = (
    "yes",
    "no",
    "true",
    "false",
    "是",
    "否",
    "对",
    "错",
    "正确",
    "错误",
    "不是",
    "相同",
    "不同",
)


class Choices:
    """The options of one question, prepared for looking up.

    Attributes
    ----------
    letters : str
        The letters shown, in order.
    texts : dict of str to str
        Folded text to letter, longest text first; `AMBIGUOUS` where two options share a text.
    own : dict of str to str
        Letter to folded text.
    """

    def __init__(self, pairs: tuple[tuple[str, str], ...]) -> None:
        self.letters = "".join(letter for letter, _ in pairs)
        self.own = {letter: _words(letter, text) for letter, text in pairs}
        texts: dict[str, str] = {}
        for letter, text in self.own.items():
            if text:
                texts[text] = AMBIGUOUS if text in texts else letter
        for text, letter in list(texts.items()):
            head = text.partition(" (")[0]
            if head and head != text:
                texts[head] = AMBIGUOUS if head in texts else letter
        self.texts = dict(sorted(texts.items(), key=lambda item: -len(item[0])))
        self.reach = 60 + 2 * max(map(len, texts), default=0)

    def at_start(self, words: str) -> tuple[str, str]:
        """The longest option text with which `words` (folded) begins, and its letter.

        Returns ("", "") where there is none.
        """
        for text, letter in self.texts.items():
            if words.startswith(text) and _ends_word(words, len(text)):
                return text, letter
        return "", ""

    def yes_or_no(self, words: str) -> str:
        """The letter of the one option that begins with the yes or no that `words` begin with."""
        for word in _YES_NO:
            if words.startswith(word) and _ends_word(words, len(word)):
                rest = words[len(word) : len(word) + 8].lstrip(" ,")
                if rest.startswith(("and no", "or no", "/no", "/ no", "answer", "option", "one ")):
                    continue
                begin = [
                    letter
                    for letter, text in self.own.items()
                    if text.startswith(word) and _ends_word(text, len(word))
                ]
                if len(begin) == 1:
                    return begin[0]
        return ""

    def mentioned(self, words: str) -> set[str]:
        """Letters of the options whose whole text occurs in `words` (folded), not negated.

        A text inside a longer option's text does not count. Texts of one or two letters prove
        nothing in running prose and are left out; so are "yes" and "no".
        """
        found: set[str] = set()
        free = words
        for text, letter in self.texts.items():
            if not _telling(text) or text == "yes" or text not in free:
                continue
            at, tries = free.find(text), 0
            while at >= 0 and tries < _TRIES:
                end, tries = at + len(text), tries + 1
                if (
                    _starts_word(words, at)
                    and _ends_word(words, end)
                    and not negated(words, at, end)
                ):
                    found.add(letter)
                    break
                at = free.find(text, end)
            free = free.replace(text, "\0" * len(text))
        return found


@lru_cache(maxsize=1024)
def _prepared(pairs: tuple[tuple[str, str], ...]) -> Choices:
    return Choices(pairs)


def prepare(options: Sequence[Option]) -> Choices:
    """The prepared form of `options`, kept for as long as the same question is asked."""
    return _prepared(tuple((option.letter, option.text) for option in options))


def negated(words: str, start: int, end: int) -> bool:
    """Whether what stands in `words` from `start` to `end` is said not to be so."""
    return bool(
        _NEGATED_BEFORE.search(words[max(0, start - 40) : start])
        or _NEGATED_AFTER.match(words, end, end + 60)
    )


def trimmed(words: str) -> str:
    """`words` without the punctuation and quotes around them."""
    return words.strip(_EDGE)


def _words(letter: str, text: str) -> str:
    words = fold(without_markup(one_width(text)))
    label = re.match(rf"\(?{letter.lower()}[.):]\s*", words)
    return words[label.end() :].rstrip(" .") if label else words.rstrip(" .")


def _telling(text: str) -> bool:
    """Whether a text names something: not a letter, a number or a grammatical word."""
    return (len(text) >= 3 or (len(text) == 2 and not text.isascii())) and any(
        map(str.isalnum, text)
    )


def _starts_word(words: str, at: int) -> bool:
    return at == 0 or not (_latin(words[at - 1]) and _latin(words[at]))


def _ends_word(words: str, end: int) -> bool:
    return end >= len(words) or not (_latin(words[end]) and _latin(words[end - 1]))


def _latin(character: str) -> bool:
    """Whether words written in this character's script are set apart by spaces."""
    return character.isalnum() and character < "\u2e80"
