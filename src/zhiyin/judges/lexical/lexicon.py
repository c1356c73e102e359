"""Looking for words: the lists of a language pack, sentences and clauses."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from zhiyin.judges.language import open_language
from zhiyin.judges.reading import bare

_START = "(?<![A-Za-zÀ-ɏ])"
"""Where a Latin word begins; Chinese characters stand beside it without a space."""
_SENTENCE = re.compile(r"[^。！？!?；;\n.]++(?:\.(?=\d)[^。！？!?；;\n.]++)*+[。！？!?；;.]?")
_CLAUSE = re.compile(r"(?:[^，,。！？!?；;\n.]++|\.(?=\d))++")
_BREAK = re.compile(r"[，,。！？!?；;\n]|\.(?!\d)")
_REACH = 200
"""Characters on either side of a word that `around` looks at."""


def lists(language: str = "zh") -> dict[str, Any]:
    """All word lists of a language by name."""
    return open_language(language).lists


@cache
def patterns(language: str, name: str, *, cased: bool = False) -> tuple[re.Pattern[str], ...]:
    """The patterns of a name in a language's lists."""
    flags = re.NOFLAG if cased else re.IGNORECASE
    return tuple(re.compile(p, flags) for p in lists(language)["patterns"].get(name, ()))


@lru_cache(maxsize=4096)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    words = tuple(sorted(words, key=len, reverse=True))
    latin = "|".join(re.escape(word.strip()) for word in words if _latin(word.strip()))
    others = [re.escape(word) for word in words if not _latin(word.strip())]
    return re.compile("|".join([f"{_START}(?:{latin})"] * bool(latin) + others), re.IGNORECASE)


def _latin(word: str) -> bool:
    return bool(word) and (word.isascii() or word[0] <= "ɏ")


def hits(words: list[str], text: str) -> list[re.Match[str]]:
    """Where words of a list stand in a text; Latin ones at the beginning of a word."""
    present = _present(words, text.lower())
    return list(_pattern(present).finditer(text)) if present else []


def hit(words: list[str], text: str) -> re.Match[str] | None:
    """The first of `hits`."""
    present = _present(words, text.lower())
    return _pattern(present).search(text) if present else None


def named(table: dict[str, list[str]], text: str) -> set[str]:
    """The entries of a table (genres, instruments) that a text names."""
    return {entry for entry, words in table.items() if hit(words, text)}


def within(table: dict[str, list[str]], text: str) -> dict[str, list[str]]:
    """The part of a table that a text may name: a word of every entry stands in it.

    To look in many parts of a long text only for what is somewhere in it.
    """
    lower = text.lower()
    kept = {entry: list(_present(words, lower)) for entry, words in table.items()}
    return {entry: words for entry, words in kept.items() if words}


def _present(words: list[str], lower: str) -> tuple[str, ...]:
    """The words that stand anywhere in a text in lower case: to look only for what can be found."""
    return tuple(word for word in words if word.strip().lower() in lower)


def _has_words(text: str) -> bool:
    """Whether there is a letter or a digit in a text."""
    return any(map(str.isalnum, text)) or bool(bare(text))


def sentences(text: str) -> list[str]:
    """The sentences of a text, without white space around them."""
    return [s.strip() for s in _SENTENCE.findall(text) if _has_words(s)]


def clauses(text: str) -> list[str]:
    """What stands between commas and full stops."""
    return [c.strip() for c in _CLAUSE.findall(text) if _has_words(c)]


def around(text: str, match: re.Match[str]) -> str:
    """The clause in which a word stands, or of a very long one what is near the word."""
    since = max(0, match.start() - _REACH)
    breaks = _BREAK.finditer(text, since, match.start() + 1)  # the digit after a point is seen
    before = [sign.end() for sign in breaks if sign.start() < match.start()]
    begin = before[-1] if before else since
    ended = _BREAK.search(text, match.start(), match.end() + _REACH)
    return text[begin : ended.start() if ended else match.end() + _REACH].strip() or match[0]
