"""The word lists of the embedded judge, Chinese and English together, and looking in them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.judges.reading import bare

_START = "(?<![A-Za-z])"
"""Where a Latin word begins; Chinese characters stand beside it without a space."""
_SENTENCE = re.compile(r"[^。！？!?；;\n.]+(?:\.(?=\d)[^。！？!?；;\n.]+)*[。！？!?；;.]?")
_CLAUSE = re.compile(r"(?:[^，,。！？!?；;\n.]|\.(?=\d))+")


@cache
def lists() -> dict[str, Any]:
    """All word lists by name."""
    found: dict[str, Any] = msgspec.json.decode(
        (Path(__file__).parent / "lexicon.json").read_bytes()
    )
    return found


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    parts = [_START + re.escape(w.strip()) if w.isascii() else re.escape(w) for w in words]
    return re.compile("|".join(sorted(parts, key=len, reverse=True)), re.IGNORECASE)


def hits(words: list[str], text: str) -> list[re.Match[str]]:
    """Where words of a list stand in a text; English ones at the beginning of a word."""
    return list(_pattern(tuple(words)).finditer(text))


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
