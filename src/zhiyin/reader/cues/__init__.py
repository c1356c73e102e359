"""The lexicon: how the reader sees that an option is declared, rejected, doubted or supposed.

The files ``*.toml`` hold lists of words; `before` and `after` make patterns of them, for what
stands before and after a named option.

A list is a block of text: phrases with ``|`` between them, laid out as one likes. Inside a
phrase, ``(a | b)`` is one of several words, ``(a | b)?`` may be left out, and ``( a | b)`` begins
with a space whichever word it is. What else a regular expression knows is allowed and seldom
needed. Everything is matched in lower case.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import msgspec

from zhiyin.reader.notation import bare

_TOKEN = re.compile(r"\\.|\[\^?\]?[^\]]*\]|\(\?[:=!]|\(\?<[=!]|\( ?|\)|.", re.DOTALL)


@cache
def lexicon(name: str) -> dict[str, str]:
    """The lists of one file, by what their words do; without accents, as replies are read."""
    text = (Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(bare(text), type=dict[str, str])


def phrases(*blocks: str) -> str:
    """A pattern for any phrase of `blocks`, wherever it stands: for scripts without spaces."""
    joined = "|".join(" ".join(block.split()).strip("| ") for block in blocks)
    return f"(?:{_grouped(re.sub(r' ?[|] ?', '|', joined))})"


def words(*blocks: str) -> str:
    """A pattern for any phrase of `blocks` as whole words: for scripts with spaces."""
    return rf"(?<![a-z]){phrases(*blocks)}(?![a-z])"


def listed(*blocks: str) -> list[str]:
    """The phrases of `blocks` one by one, where they are plain words."""
    return [phrase.strip() for block in blocks for phrase in block.split("|")]


def either(*patterns: str) -> str:
    """A pattern for any of `patterns`, the first that fits."""
    return f"(?:{'|'.join(patterns)})"


def _grouped(block: str) -> str:
    """`block` with its brackets as groups that catch nothing."""
    pieces: list[str] = []
    closing: list[str] = []
    for token in _TOKEN.findall(block):
        if token == "( ":
            pieces.append("(?: (?:")
            closing.append("))")
        elif token[0] == "(":
            pieces.append("(?:" if token == "(" else token)
            closing.append(")")
        else:
            pieces.append(closing.pop() if token == ")" else token)
    return "".join(pieces)
