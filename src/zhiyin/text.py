"""Text in one width and one spelling, in time linear in its length; patterns that users write.

Patterns are tried before the run, and never searched without a limit of time. `re` has no such
limit and hears no signal while it searches, so that one pattern on one reply could hold a process
for ever; the package regex reads the same patterns and has one.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, TypeVar

from zhiyin.errors import InputError

LANGUAGES = ("en", "zh")
"""Languages that are spoken here; messages are in `zhiyin.words`."""
_LANGUAGE = "ZHIYIN_LANG"
_MOST_MARKS = 30
"""Combining marks that may follow each other, as in the Stream-Safe Text Format (UAX #15)."""
_HUGE = re.compile("([\ufdfa\ufdfb])")


def one_width(text: str) -> str:
    """`text` in NFKC: full-width letters as narrow ones, accents joined to their letters.

    Of more than 30 combining marks in a row the first 30 are kept: Python sorts such a row in
    quadratic time, and no script has one. Two Arabic signs that stand for whole phrases stay
    signs: one is eighteen letters in NFKC.
    """
    if text.isascii():
        return text
    # In a row of 31 marks one stands at each 31st place of the text: most texts are told so.
    if any(map(unicodedata.combining, text[_MOST_MARKS :: _MOST_MARKS + 1])):
        text = _marks().sub(r"\1", text)
    parts = _HUGE.split(text)
    if len(parts) == 1:
        return unicodedata.normalize("NFKC", text)
    return "".join(
        part if place % 2 else unicodedata.normalize("NFKC", part)
        for place, part in enumerate(parts)
    )


@cache
def _marks() -> re.Pattern[str]:
    """Compile the pattern of more combining marks in a row than are kept."""
    marks = "".join(c for c in map(chr, range(0x300, 0x1F000)) if unicodedata.combining(c))
    return re.compile(f"([{marks}]{{{_MOST_MARKS}}})[{marks}]++")


def printable(text: str) -> str:
    r"""`text` for a terminal or a page: control characters are shown as Python writes them.

    An escape sequence of somebody else's could clear the screen, set the window's title or fake
    a line of ours; marks that turn the direction of writing could make a line read as another.
    Line ends and tabs stay. Half a character ("\ud800") could not be written at all.
    """
    return text if text.isprintable() else text.translate(_SHOWN)


_SHOWN: dict[int, str] = {
    code: ascii(chr(code))[1:-1]
    for code in (
        *(c for c in range(0x20) if chr(c) not in "\n\t"),
        *range(0x7F, 0xA0),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
        *range(0xD800, 0xE000),
    )
}

T = TypeVar("T")
_NUMBER = re.compile(r"[-+]?[\d.]*+%?")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_cell(cell: T) -> T | str:
    """A cell of a CSV file: a text that a spreadsheet would compute gets an apostrophe before it.

    As the Open Worldwide Application Security Project advises ("CSV Injection"). Numbers and
    single signs are left alone; so is all that is no text, and None is an empty cell.
    """
    if cell is None:
        return ""
    if not isinstance(cell, str) or not cell.startswith(_FORMULA) or _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


def csv_row(cells: Iterable[Any]) -> list[Any]:
    """A row of a CSV file, every cell as `csv_cell` has it."""
    return [csv_cell(cell) for cell in cells]


_SECONDS = 2.0
"""Of processor time, for one pattern on one reply: a usual one takes a thousandth of it."""
_TRIED_S = 0.1
_TRIED_ON = ("a", " ", "0", "ab ", "word ", "1, ", "和")
_TRIED_LETTERS = 500
ADVICE = "write it without a repeated group that holds another repetition"


def found(pattern: str, text: str, seconds: float = _SECONDS) -> bool:
    """Tell whether a pattern matches anywhere in a text.

    Raises
    ------
    InputError
        It takes longer than `seconds`.
    """
    import regex  # which takes a while to load

    try:
        return regex.search(pattern, text, timeout=seconds) is not None
    except TimeoutError:
        raise InputError(
            f"the pattern {pattern[:60]!r} took more than {seconds:g} s on this reply: {ADVICE}"
        ) from None


@lru_cache(maxsize=4096)
def trouble_with(pattern: str) -> str:
    """Explain what is wrong with a pattern, to be said behind it; "" for nothing.

    It is tried on texts that nearly match: a pattern that tries every way of parting a text takes
    twice as long for each letter more.
    """
    import regex

    try:
        re.compile(pattern)
        regex.compile(pattern)
    except (re.error, regex.error, RecursionError, OverflowError) as error:
        return f"is no regular expression ({error})"
    for sign in (*_TRIED_ON, *dict.fromkeys(re.findall(r"[^\W\d_]+|\d", pattern)[:8])):
        text = sign * (_TRIED_LETTERS // len(sign) or 1)
        for tried in (f"{text}\x00", f"{sign}\x00{text}\x00"):
            try:
                found(pattern, tried, _TRIED_S)
            except InputError:
                return f"takes too long on {sign!r} many times over: {ADVICE}"
    return ""


def quoted(*words: object) -> str:
    """Words of a command that is printed, as a shell takes them."""
    return shlex.join(map(str, words))


def shared_start(several: Iterable[Sequence[object]]) -> int:
    """Count the equal members with which all of some sequences begin."""
    count = 0
    for members in zip(*several, strict=False):
        if any(one != members[0] for one in members):
            break
        count += 1
    return count


def number_in(text: str) -> float:
    """The number that a text is; not a number (nan) where it is none, so that no bounds hold it."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def equal_places(texts: Sequence[str]) -> list[int]:
    """The places of options that another of them equals but for its form; see `option_form`."""
    folded = [option_form(text) for text in texts]
    if len(set(folded)) == len(folded):
        return []
    return [place for place, text in enumerate(folded) if folded.count(text) > 1]


_WORD = re.compile(
    r"(?P<key>\b[A-Ga-g](?=[#b♯♭]?[ -](?:[Mm]ajor|[Mm]inor)\b))"
    r"|[A-Za-zÀ-ɏ]{2,}|\b[A-Za-z](?![\w,'|#♯♭/°+])"
)
_NOTES = re.compile(r"[A-Ga-g]+|[IVXivx]+|[A-Ga-g]b?[mM]")
_END = " \t.;。；"
_GAP = re.compile(
    r"(?<=[^\W\d_]{3})[ -](?=[^\W\d_]{3})|(?<=[,、;；/+—-]) +|(?<! ) ++(?=[,、;；/+—-])"
)
_PAIRS = {"“": "”", '"': '"', "《": "》", "「": "」", "(": ")"}


def option_form(text: str) -> str:
    """Return the form of an option in which it equals another of its question.

    Full-width signs are turned into plain ones, words lose their case, a blank or hyphen between
    words goes, and so do blanks around separators, a full stop at the end and marks of quotation
    around the whole. A letter alone and what can be notes, degrees or chords (``GABc``, ``VIII``,
    ``Bbm``) keep their case, and commas and apostrophes stay, since they are octaves in some
    notations.
    """
    plain = " ".join(one_width(text).replace("\\\n", " ").split()).strip(_END)
    while len(plain) > 2 and plain[-1] == _PAIRS.get(plain[0]) and plain[0] not in plain[1:-1]:
        if plain[-1] in plain[1:-1]:
            break
        plain = plain[1:-1].strip(_END)
    return plain if len(plain) == 1 else _GAP.sub("", lower_words(plain))


def lower_words(text: str) -> str:
    """A text whose words lose their case, but for notes in a row, degrees and chords.

    A key is written with a capital.
    """

    def form(match: re.Match[str]) -> str:
        word = match[0]
        if match["key"]:
            return word.upper()
        return word if word[1:] and _NOTES.fullmatch(word) else word.lower()

    return _WORD.sub(form, text)


@lru_cache(maxsize=64)
def fold(text: str) -> str:
    """A text as it is compared: one width, lower case, single spaces, no full stop at its end."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(" .。")


_SYMBOL = re.compile(
    r"(?<![A-Za-z])(?:[IVXivx]{1,5}|[A-Ga-g]?[#b♯♭]?[Mm]|[A-Ga-g]{2,8}|[A-Ga-g](?=[,'|]))"
    r"(?![A-Za-z])"
)
"""Roman numerals, chords, intervals, notes in a row: their case tells."""


def compared(text: str) -> str:
    """`fold`, but for the case of symbols in which it tells: m3 and M3, II and ii, CM and Cm."""
    symbols = "".join(_SYMBOL.findall(text)) if len(text) < _LONG_SYMBOL else ""
    return f"{fold(text)}\0{symbols}" if symbols else fold(text)


_LONG_SYMBOL = 200


def spoken() -> str:
    """Return the language of what people read: what ZHIYIN_LANG says, else the locale's.

    JSON, CSV and logs, which programs read, are English whatever it is.
    """
    names = (_LANGUAGE, "LC_ALL", "LC_MESSAGES", "LANG")
    wanted = next(filter(None, map(os.environ.get, names)), "").lower()[:2]
    return wanted if wanted in LANGUAGES else "en"
