"""The lexicon: how the reader sees that an option is declared, rejected, doubted or supposed.

The files ``*.toml`` hold lists of words; `before` and `after` make patterns of them, for what
stands before and after a named option.

A list is a block of text: phrases with ``|`` between them, laid out as one likes. Inside a
phrase, ``(a | b)`` is one of several words, ``(a | b)?`` may be left out, and ``( a | b)`` begins
with a space whichever word it is. What else a regular expression knows is allowed and seldom
needed. Everything is matched in lower case.

Capitals that are no options, but notes, chords, sections, articles and pronouns, are known here.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import msgspec

from zhiyin.reader.plain import bare

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


_MUSIC = lexicon("music")

_NOTE = re.compile(
    rf" ?-? ?{words(_MUSIC['after_note'])}|{phrases(_MUSIC['after_note_zh'])}"
    r"|[、,] ?[升降][A-G]|到[A-G](?![A-Za-z选项])|[#♯♭♮°]"
    r"|\+(?! ?[A-Z](?![A-Za-z]))| ?(?:-|→|->) ?[A-G](?![A-Za-z])"
)
_NOTE_BEFORE = re.compile(
    rf"\b{phrases(_MUSIC['things'])}s?\s[\"'(\[]*$"
    rf"|\b{phrases(_MUSIC['before_note'])}(?:\s{phrases(_MUSIC['note_parts'])})?s?"
    r"(?: (?:of|in|for) (?:the|this|that|its|our) \w+(?: \w+)?)?"
    rf"\s?{phrases(_MUSIC['joined_to_note'])}?\s?(?:a |an |the )?[\"'(\[]*$"
    r"|(?:[音弦调段根]|调性)(?:名|符|高|级)?(?:分别|应该?|就|也)?(?:是|为|:|=|,|在|叫|定为|从)?\s?[\"'(\[]*$"
    rf"|[升降]$|[升降][a-g][、,]\s?$|{phrases(_MUSIC['before_note_zh'])}\s?[\"'(\[]*$"
)
_PITCH = re.compile(
    r"[\"')\]]*\s(?:is|being|as|serves as|acts as|functions as|was|becomes)\s"
    rf"(?:the |a |its |an )?{words(_MUSIC['of_note'])}"
    rf"|\s?(?:是|为|作){phrases(_MUSIC['of_note_zh'])}"
)
_NO_ARTICLE = re.compile(rf"{phrases(_MUSIC['after_letter'])}\b")
_NEXT_LETTER = re.compile(r"[B-H](?![\w#♯♭°+'’-])")
_JUDGED = re.compile(
    r"[\"')\]]*\s(?:is|must be|seems|looks|has to be|would be)\s(?:\w+ly\s|therefore\s)?"
    r"(?:correct|right|wrong|incorrect|false|true|the (?:\w+ )?(?:answer|option|choice|match))\b"
    r"|(?:需要|说|太|认为|指的|描述)"
)
"""After a capital: an option is judged, whatever stands before."""

_FORM = re.compile(r"(?<![A-Za-z])[A-E](?:'?[ ,–-]{1,2}[A-E]){2,}(?![A-Za-z])")
"""Letters in a row: sections of a form where one of them comes back."""
_PLACE = re.compile(r"(?:^|[\s,])(?:in|on|from|of|above|below|at|into|onto|through|via|over)\s$")
_LEANS = re.compile(rf"\b{phrases(_MUSIC['leaning'])}")


def no_option(text: str, lower: str, at: int, start: int) -> bool:
    """Tell whether a capital is a note, a chord, a section, an article or a pronoun.

    Parameters
    ----------
    text, lower : str
        The reply in plain words, as written and in lower case.
    at : int
        Where the capital stands.
    start : int
        Where the quotes and brackets before it begin.
    """
    if _NOTE.match(text, at + 1) or _PITCH.match(lower, at + 1):
        return True
    if text[at] in "AI" and text[at + 1 : at + 2] == " " and text[at + 2 : at + 3].isalpha():
        word = lower[at + 2 : at + 22]
        if word[0].isascii() and (text[at] == "I" or not _NO_ARTICLE.match(word)):
            letter = text[at] == "A" and _NEXT_LETTER.match(
                text, at + 2
            )  # "A C" may be two options
            if not letter or _NOTE.match(text, at + 3):
                return True
    if _in_form(text, at):
        return True
    if _JUDGED.match(lower, at + 1):
        return False
    before = lower[max(0, start - 40) : start]
    if _NOTE_BEFORE.search(before):
        return True
    return bool(_PLACE.search(before) and not _LEANS.search(before))


def _in_form(text: str, at: int) -> bool:
    """Tell whether a capital is a section in a row such as "A A B A"."""
    for row in _FORM.finditer(text, max(0, at - 24), at + 24):
        letters = [sign for sign in row[0] if sign.isalpha()]
        if row.start() <= at < row.end():
            return len(set(letters)) < len(letters)
    return False
