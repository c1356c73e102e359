"""Looking for words: the lists of a language pack, sentences and clauses."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from zhiyin.judges.language import open_language
from zhiyin.judges.reading import bare

_START = "(?<![A-Za-zÀ-ɏ])"
"""Where a Latin word begins; Chinese characters stand beside it without a space."""
_SENTENCE = re.compile(r"[^。！？!?；;\n.]+(?:\.(?=\d)[^。！？!?；;\n.]+)*[。！？!?；;.]?")
_CLAUSE = re.compile(r"(?:[^，,。！？!?；;\n.]|\.(?=\d))+")


def lists(language: str = "zh") -> dict[str, Any]:
    """All word lists of a language by name."""
    return open_language(language).lists


@cache
def patterns(language: str, name: str, *, cased: bool = False) -> tuple[re.Pattern[str], ...]:
    """The patterns of a name in a language's lists."""
    flags = re.NOFLAG if cased else re.IGNORECASE
    return tuple(re.compile(p, flags) for p in lists(language)["patterns"].get(name, ()))


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    parts = [_START + re.escape(w.strip()) if _latin(w.strip()) else re.escape(w) for w in words]
    return re.compile("|".join(sorted(parts, key=len, reverse=True)), re.IGNORECASE)


def _latin(word: str) -> bool:
    return bool(word) and (word.isascii() or word[0] <= "ɏ")


def hits(words: list[str], text: str) -> list[re.Match[str]]:
    """Where words of a list stand in a text; Latin ones at the beginning of a word."""
    return list(_pattern(tuple(words)).finditer(text)) if words else []


def named(table: dict[str, list[str]], text: str) -> set[str]:
    """The entries of a table (genres, instruments) that a text names."""
    return {entry for entry, words in table.items() if hits(words, text)}


def sentences(text: str) -> list[str]:
    """The sentences of a text, without white space around them."""
    return [s.strip() for s in _SENTENCE.findall(text) if bare(s)]


def clauses(text: str) -> list[str]:
    """What stands between commas and full stops."""
    return [c.strip() for c in _CLAUSE.findall(text) if bare(c)]


def around(text: str, match: re.Match[str]) -> str:
    """The clause in which a word stands."""
    for clause in _CLAUSE.finditer(text):
        if clause.start() <= match.start() < clause.end():
            return clause[0].strip()
    return match[0]
