"""Values that a reply names and that are no options: yes and no, numbers, notes.

Each value found gets a letter of its own, and the reply is then read as if the values were the
options: what is denied, corrected, supposed or reported is recognised in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from zhiyin.numerals import NUMBER_WORDS
from zhiyin.reader.choices import Choices
from zhiyin.reader.mentions import Mention, bounded, is_pronoun, leads
from zhiyin.reader.plain import Plain, plain

_FIRST = 0xE000  # of the characters that Unicode leaves free for such use


class Located(NamedTuple):
    """A value and where it stands; `sure` as in `mentions.Mention`."""

    value: Hashable
    start: int
    end: int
    sure: int = 1


Finder = Callable[[Plain], Iterator[Located]]


def mentions_of(words: Plain, find: Finder) -> tuple[list[Mention], Choices, dict[str, Hashable]]:
    """The values that `find` sees in a reply, as mentions of options.

    Returns
    -------
    mentions : list of Mention
    choices : Choices
        One for each distinct value.
    values : dict
        Letter to value.
    """
    letters: dict[Hashable, str] = {}
    mentions = []
    for value, start, end, sure in bounded(list(find(words))):
        letter = letters.setdefault(value, chr(_FIRST + len(letters)))
        mentions.append(Mention(start, end, letter, "text", sure, leads(words.text, start)))
    pairs = tuple((letter, letter) for letter in letters.values())
    choices = Choices(pairs, closed=False)
    return mentions, choices, {letter: value for value, letter in letters.items()}


# --- Yes and no ---------------------------------------------------------------------------------

_YES_NO = re.compile(
    r"(?<![a-z0-9_'])(?:(?P<yes>yes|yeah|yep|yup|true|correct|(?:the )?same|identical)"
    r"|(?P<no>no|nope|false|incorrect|different))(?![a-z0-9_'-])"
    r"|(?P<zhyes>(?<!不)(?:相同|一样|一致|正确)|是的|对的|(?<![\u4e00-\u9fff])[是对](?![\u4e00-\u9fff]))"
    r"|(?P<zhno>不(?:相同|一样|一致|正确|同(?![\u4e00-\u9fff]))|错误"
    r"|(?<![\u4e00-\u9fff])(?:不是|不对|不|否)(?![\u4e00-\u9fff])|(?<=[是选为])否(?![\u4e00-\u9fff]))"
)
_STOPS = re.compile(
    r"[\"')\]]*\s?(?:$|[,.!;:\n…)]|-\s|or\b|and\b|/|because|since|as\b|they|the\b|there|these|it\b)"
)
_TURNS = re.compile(r"(?:wait|hmm|oh|sorry|actually|hold on|oops|well)[,.!…:\s]*$")


def yes_and_no(words: Plain) -> Iterator[Located]:
    """Yes (True) and no (False), where they are words of their own."""
    for match in _YES_NO.finditer(words.lower):
        kind = match.lastgroup or ""
        start, end = match.span()
        if match[0] in ("no", "yes"):  # "no sharps", "wait, no, ..."
            if not _STOPS.match(words.lower, end):
                continue
            turns = _TURNS.search(words.lower, max(0, start - 20), start)
            if match[0] == "no" and turns and words.lower[end:].strip(" .!,"):
                continue
        yield Located(kind in ("yes", "zhyes"), start, end)


# --- Numbers ------------------------------------------------------------------------------------

_WORDS = {word: number for number, word in enumerate(NUMBER_WORDS)}
_WORDS |= {word: number for number, word in enumerate("零一二三四五六七八九十")} | {"两": 2}
_UNIT = (
    r"(?:\s?(?:bpm|beats?(?: per (?:minute|bar|measure))?|bars?|measures?|semitones?|half steps?"
    r"|whole steps?|notes?|times|hz|years?|sharps?|flats?|%"
    r"|个(?:半音|小节|音|升号|降号|乐句)?|小节|拍"
    r"|次|半音|度|年|句)(?![a-z]))?"
)
_DIGITS = (
    r"(?:\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:[,']\d{3})+(?:\.\d+)?|\d{1,2}(?: \d{3})+(?:[.,]\d+)?"
    r"|\d{3}(?: 000)+|\d{1,15}(?:\.\d+|,\d{1,2}|,\d{4,})?)(?!\d)"
)
"""A number in figures: 20,000 and 20 000 and 20'000; 440.5 and 440,5; 1.234,5."""
_PART = r"(?:1/[2-9]|2/3|3/4)(?![/\d])"
_EITHER = re.compile(r"\d{1,3}(?:\.000)+|0\d+")
"""Twenty or twenty thousand, as one counts in English or in German: 20.000."""
_NUMBER = re.compile(
    rf"(?<![a-z0-9_.#♯♭^])(?<!\d[/,-])(?P<sign>[-+]?)(?:(?P<mixed>\d{{1,3}}) (?={_PART}))?"
    rf"(?P<whole>{_DIGITS})(?:\s?/\s?(?P<below>\d{{1,9}}))?"
    r"(?:(?:e|\s?[x×*·]\s?10\^)\(?(?P<tens>[-+]?\d{1,3})\)?|\^\(?(?P<power>-?\d{1,3})\)?)?"
    rf"(?![a-z0-9_^]|\.\d|[,/]\d|\s?[-~]\s?\d){_UNIT}"
    rf"|(?<![a-z])(?<!hundred and )(?<!thousand and )(?<!point )"
    rf"(?P<word>{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})(?![a-z])"
    rf"(?!-[a-z]| (?:hundred|thousand|million|point|and a)\b){_UNIT}"
    r"|(?<![零一二两三四五六七八九十百千第个])(?P<zh>[零一二两三四五六七八九十])"
    rf"(?![零一二三四五六七八九十百千般样些起定直])(?:{_UNIT[3:]}"
)
_RANGE = re.compile(r"\d+(?:\.\d+)?\s?(?:-|~|to|到|至)\s?\d+")
_SUM = re.compile(r"\d[\d\s+*/x×÷().-]{0,60}[=≈](?=\s?[-+\d])")
_MINUS = re.compile(
    r"(?:^|[:=(\n\"']\s?|'s\s"
    r"|\b(?:is|was|be|of|by|to|at|equals|about|answer|around|approximately)\s)"
    r"(?P<sign>minus\s|negative\s)$|(?P<zh>负\s?)$"
)
"""Before a number that is less than 0, and taken from none before it."""

_LISTED = re.compile(r"[.)、]\s")


def numbers(words: Plain) -> Iterator[Located]:
    """Numbers as floats: digits, fractions, and words up to twenty; no ranges, no list marks."""
    lower = words.lower
    passed = sorted((m.start(), m.end()) for p in (_SUM, _RANGE) for m in p.finditer(lower))
    for match in _NUMBER.finditer(lower):
        start, end = match.span()
        while passed and passed[0][1] <= start:
            passed.pop(0)
        if passed and passed[0][0] <= start < passed[0][1]:
            continue
        if _LISTED.match(lower, end) and leads(words.text, start) and lower[end:].strip(" .)\n"):
            continue
        word = match["word"] or match["zh"]
        if is_pronoun(lower, start, end):
            continue
        if not word and _EITHER.fullmatch(match["whole"]):
            continue
        try:
            value = float(_WORDS[word]) if word else _number_value(match)
        except OverflowError:  # more than a float holds, and no number
            continue
        minus = _MINUS.search(lower, max(0, start - 24), start)
        if minus and value > 0:
            yield Located(-value, minus.start("zh" if minus["zh"] else "sign"), end)
        else:
            yield Located(value, start, end, 0 if word and end - start == len(word) else 1)


@lru_cache(maxsize=256)
def each_number(options: tuple[tuple[str, str], ...]) -> dict[Hashable, str]:
    """Number to letter, where each option (letter and text) gives one number, and its own."""
    letters: dict[Hashable, str] = {}
    for letter, text in options:
        values = {located.value for located in numbers(plain(text))}
        if len(values) != 1 or values & letters.keys():
            return {}
        letters[values.pop()] = letter
    return letters


def _number_value(match: re.Match[str]) -> float:
    """The value of a number in figures; a comma is a decimal one where no thousands follow it."""
    digits = match["whole"].replace(" ", "").replace("'", "")
    if "," in digits and (re.search(r"\.\d+,|^0,", digits) or not _THOUSANDS.match(digits)):
        digits = digits.replace(".", "").replace(",", ".")
    value = Fraction(digits.replace(",", ""))
    if match["below"] and int(match["below"]):
        value = int(match["mixed"] or 0) + value / int(match["below"])
    if match["power"] and not (value == 0 and int(match["power"]) < 0):
        value **= int(match["power"])
    value *= Fraction(10) ** int(match["tens"] or 0)
    return float(-value if match["sign"] == "-" else value)


_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?![\d,])")


# --- Notes --------------------------------------------------------------------------------------

_ALTERED = {"#": "#", "♯": "#", "sharp": "#", "is": "#", "b": "b", "♭": "b", "flat": "b",
            "es": "b", "##": "##", "x": "##", "♯♯": "##", "𝄪": "##", "bb": "bb", "♭♭": "bb",
            "𝄫": "bb", "": "", "♮": ""}  # fmt: skip
_SIGN = r"(?:##|x|#|♯♯|♯|bb|b|♭♭|♭|𝄪|𝄫|[ -]?sharp|[ -]?flat|♮|is|es)?"
_ONE = rf"(?:{_SIGN}-?\d?(?![A-Za-z0-9#♯♭]))"
_NOTE = re.compile(
    rf"(?<![A-Za-z])(?P<name>[A-Ga-g])(?P<sign>{_SIGN})"
    r"(?P<octave>-?\d)?(?![A-Za-z0-9#♯♭])|(?P<zh>[升降])(?P<zhname>[A-Ga-g])(?P<zhoctave>\d)?"
)
_RUN = re.compile(
    rf"(?<![A-Za-z0-9'])(?:[A-G]{_ONE}|[升降][A-G]\d?)"
    rf"(?:(?:[\s,、;|>→'\"-]|and\b|then\b|和|音){{1,8}}(?:[A-G]{_ONE}|[升降][A-G]\d?)){{0,199}}"
)
_SMALL = re.compile(r"\s*(?:(?:[a-g][#b]{0,2}-?\d?|\d{1,9})(?:[\s,-]+|$)){1,80}")
_NAME = re.compile(r"(?<![a-g#])[a-g]")
"""Notes in small letters and nothing else, and the name of each."""
_NO_NOTE = re.compile(
    r"\s?(?:major|minor|dim|aug|sus|chord|triad|scale|dorian|mixolydian|phrygian|lydian|key|和弦|大调"
    r"|小调|调)",
    re.IGNORECASE,
)


def note_lists(words: Plain) -> Iterator[Located]:
    """Names of notes in order, each such as ``C``, ``F#`` or ``Bb4``; no names of chords."""
    text = words.text
    small = _SMALL.fullmatch(text)
    for match in _RUN.finditer(_NAME.sub(lambda note: note[0].upper(), text) if small else text):
        if _NO_NOTE.match(text, match.end()):
            continue
        names = tuple(_note_name(note) for note in _NOTE.finditer(match[0]))
        if names:
            bare = len(names) == 1 and len(match[0]) == 1
            yield Located(names, match.start(), match.end(), 0 if bare else 1)


def _note_name(match: re.Match[str]) -> str:
    if match["zh"]:
        sign, octave = "#" if match["zh"] == "升" else "b", match["zhoctave"]
        return match["zhname"].upper() + sign + (octave or "")
    sign = _ALTERED[match["sign"].strip(" -").lower()]
    return match["name"].upper() + sign + (match["octave"] or "")
