"""Reads the place where an answer is due ("the answer is ___"): a letter, a text, or neither.

The guards of this file tell an option's letter from the article, a note, a chord or a section.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal, NamedTuple

from zhiyin.answers.choices import AMBIGUOUS, Choices, trimmed
from zhiyin.answers.plain import fold

Kind = Literal["letter", "text", "ambiguous", "beyond", "nothing"]


class Reading(NamedTuple):
    """What stands in a slot.

    `letter` is set for the kinds "letter" and "text"; `end` is where the reading stops.
    """

    kind: Kind
    letter: str = ""
    end: int = 0
    why: str = ""


NOTHING = Reading("nothing")

_FILLER = re.compile(
    r"(?:[\s:>\"'(\[{<$\\=|#_-]"
    r"|(?:(?:most|very|quite|likely|probably|clearly|definitely|certainly|indeed|actually|therefore"
    r"|thus|then|simply|still|now|perhaps|possibly|either|both|between|be|also|is|as|follows"
    r"|with|for"
    r"|option|choice|letter|number|answer|item)\b(?!['\"]?:))"
    r"|(?:the\s(?=option|choice|letter|answer|correct|first\b)|that\sof\s|correct\s)"
    r"|选项|选择|应该|应当|应|选|是|为|就|可能|最|项){0,16}"
)
_LETTER = re.compile(r"([A-Za-z])(?![A-Za-z0-9#♯♭♮_°+]|'[A-Za-z]|\.[A-Za-z]\b(?!\.?\s))")
_SEVERAL = re.compile(r"([A-Z]{2,26})(?![A-Za-z0-9])")
_MUSIC = re.compile(
    r"\s?-?\s?(?:(?:flat|sharp|natural|major|minor|maj|min|dim|diminished|aug|augmented|sus"
    r"|dominant|dorian"
    r"|phrygian|lydian|mixolydian|aeolian|locrian|ionian|pentatonic|harmonic|melodic|blues|chords?"
    r"|triads?|notes?|strings?|scale|mode|tuning|section|theme|octave|seventh|root|clef|pedal"
    r"|half-diminished|power\schord|cappella|capella|tempo)\b"
    r"|\d|大调|小调|和弦|调|弦|音|段|大三|小三|大七|小七|属七|减|增)"
    r"|\s?(?:-|→|->)\s?[A-G](?![A-Za-z])"
)
_AFTER_ARTICLE = re.compile(
    r"(?:because|since|as|for|due|which|based|given|from|and|or|but|so|here|is|was|in|with|fits?"
    r"|matches"
    r"|best|rather|over|not|if|when|where|considering|according|this|the|it|there|explanation"
    r"|reason"
    r"|reasoning|i|we|that|while|although|though|by|on|would|has|have|instead|final|answer)\b"
)
_NOT = re.compile(
    r"not\s+(?:option\s+)?[\"'(\[]*([A-Z])\b[\"')\]]*\s*[,;.]?\s*(?:but\b(?:\srather)?|rather"
    r"|it(?:'s|\sis))\s+"
    r"|不是\s*([A-Z])\s*[,;.]?\s*(?:而是|应该是|是)\s*"
)
_NEGATIVE = re.compile(
    r"[\"')\]]*\s*(?:(?:is|was|would be|seems|can be)\s+)?(?:(?:clearly|also|definitely"
    r"|obviously)\s+)?"
    r"(?:not\b(?!\s+(?:[A-Z]\b|option|only))|isn't|doesn't|cannot|can't|wouldn't|won't"
    r"|incorrect\b|wrong\b|false\b"
    r"|eliminated|excluded|ruled out|unlikely|impossible)"
    r"|[\"')\]]*\s*(?:选项|项)?\s*(?:的说法|也|都|则|明显)?\s*(?:是|被)?\s*(?:不(?!选"
    r"|是\s*[A-Z])|错|有误|排除)"
)
JOIN = re.compile(
    r"[\"')\]}]*\s*(?:,?\s*(?:(?:and/or|and|or|nor)\b|还是|或者|或|和|与|以及|及)\s*|[,/、&+|]\s*)"
    r"(?:either\s|both\s|option\s|choice\s|the\s|选项|选)?[\"'(\[{]*"
)
_CLOSE = re.compile(r"[\"')\]}>$\\]*")
_SEPARATOR = re.compile(r"[\"')\]}]*\s*(?:[.:,;|)\]-]\s*)?[\"'(\[]?\s*")
_CLAUSE = re.compile(r"[.!?;\n。]|\s-\s|,\s(?:because|as|since|not|but)\b|\"")
_BRACKETED = re.compile(r"[\"']?\s?[(\[]([A-Z])[)\]]")
_QUESTION = re.compile(r"[\"')\]}.]*\s?\?")
_TIGHT = re.compile(r"[\"')\]}>$\\]*\s*(?:[.,;:!|)\]}<\n\"。，]|$|-\s)")
_CONDITION = re.compile(r"[\"')\]}]*,?\s(?:only\s)?(?:if|unless)\b|[\"')\]}]*,?\s*(?:如果|假如)")


def plain_letter(text: str, at: int, choices: Choices) -> str:
    """The capital letter that stands alone at `at` and is no note, chord, article or pronoun.

    Returns "" where there is none. The letter need not be among the options.
    """
    match = _LETTER.match(text, at)
    if match is None or not match[1].isupper():
        return ""
    letter, after = match[1], match.end()
    own = choices.own.get(letter, "")
    if own and own_text_follows(text, after, own):
        return letter
    if _MUSIC.match(text, after):
        return ""
    if letter in "AI" and text[after : after + 1] == " " and text[after + 1 : after + 2].isalpha():
        word = text[after + 1 : after + 20].lower()
        if word.isascii() and (letter == "I" or not _AFTER_ARTICLE.match(word)):
            return ""
    return letter


def own_text_follows(text: str, after: int, own: str) -> bool:
    """Whether the option's own (folded) text comes next, past a separator at most."""
    gap = _SEPARATOR.match(text, after)
    start = gap.end() if gap else after
    words = fold(text[start : start + 2 * len(own) + 20])
    return words.startswith(own) and not words[len(own) : len(own) + 1].isalnum()


def read_slot(text: str, at: int, choices: Choices, *, whole_clause: bool = False) -> Reading:
    """What stands in the slot that begins at `at`.

    Parameters
    ----------
    text : str
        A reply as `plain.plain` leaves it.
    at : int
        The index where the answer is due.
    choices : Choices
    whole_clause : bool
        Whether an option's text may also stand later in the clause ("the answer is clearly
        played on a guitar"); otherwise it must come first.
    """
    filler = _FILLER.match(text, at)
    start = filler.end() if filler else at
    refused = _NOT.match(text, start)
    if refused:
        start = refused.end()
    by_text = _read_text(text, start, choices)
    by_letter = _read_letter(text, start, choices)
    if by_letter.kind in ("nothing", "beyond") and by_text.kind != "nothing":
        return _settled(text, by_text, choices)
    if by_text.kind == "text" and by_text.end > start + 1 and by_text.letter != by_letter.letter:
        if not _own(text, start, by_letter.letter, choices):
            return _settled(text, by_text, choices)
        return Reading("ambiguous", "", start, "a letter and a text of different options")
    if by_letter.kind != "nothing":
        return _settled(text, by_letter, choices)
    return _in_clause(text, start, choices) if whole_clause else NOTHING


def _own(text: str, start: int, letter: str, choices: Choices) -> bool:
    own = choices.own.get(letter, "")
    return bool(own) and own_text_follows(text, start + 1, own)


def _read_text(text: str, start: int, choices: Choices) -> Reading:
    """The option whose text begins here."""
    if not choices.texts:
        return NOTHING
    words = fold(text[start : start + choices.reach])
    begun, letter = choices.at_start(words)
    for article in ("a ", "an ", "the "):
        if not begun and words.startswith(article):
            begun, letter = choices.at_start(words[len(article) :].lstrip("\"' "))
            if letter not in ("", "A") and text[start] == "A" and article == "a ":
                return Reading("ambiguous", "", start, "the letter A or an article")
    if letter == AMBIGUOUS:
        return Reading("ambiguous", "", start, "a text that two options share")
    if letter:
        return Reading("text", letter, _reach(text, start, begun), "full text of one option")
    said = choices.yes_or_no(words)
    return Reading("text", said, start + 2, "yes or no") if said else NOTHING


def _reach(text: str, start: int, begun: str) -> int:
    """The index just past the folded text `begun`, found in the unfolded `text`."""
    last = begun.rsplit(" ", 1)[-1]
    lower = text[start : start + 2 * len(begun) + 40].lower()
    at = 0
    for word in begun.split(" "):
        at = lower.find(word, at) + len(word)
    return start + max(at, len(last))


def _read_letter(text: str, start: int, choices: Choices) -> Reading:
    """The option whose letter stands here."""
    several = _SEVERAL.match(text, start)
    if several:
        run = several[1]
        ascending = all(a < b for a, b in pairwise(run))
        if ascending and all(letter in choices.letters for letter in run):
            return Reading("ambiguous", "", several.end(), "several letters")
        return NOTHING
    letter = plain_letter(text, start, choices) or _small_letter(text, start)
    if not letter:
        return NOTHING
    if letter not in choices.letters:
        tight = _TIGHT.match(text, start + 1)
        return (
            Reading("beyond", letter, start + 1, "a letter beyond the options")
            if tight
            else NOTHING
        )
    return Reading("letter", letter, start + 1)


def _small_letter(text: str, start: int) -> str:
    """A lower-case letter that closes its clause: "answer: b." but not "answer: a guitar"."""
    match = _LETTER.match(text, start)
    if match and match[1].islower() and _TIGHT.match(text, match.end()):
        return match[1].upper()
    return ""


def _settled(text: str, found: Reading, choices: Choices) -> Reading:
    """`found`, unless what follows denies, doubts, doubles or contradicts it."""
    if found.kind not in ("letter", "text"):
        return found
    end = found.end
    if _NEGATIVE.match(text, end) or _CONDITION.match(text, end) or _QUESTION.match(text, end):
        return NOTHING
    own = choices.own.get(found.letter, "")
    if found.kind == "letter" and own and own_text_follows(text, end, own):
        gap = _SEPARATOR.match(text, end)
        end = _reach(text, gap.end() if gap else end, own)
        if _QUESTION.match(text, end):
            return NOTHING
    elif found.kind == "letter" and _contradicted(text, end, found.letter, choices):
        return Reading("ambiguous", "", end, "a letter and a text of different options")
    bracketed = _BRACKETED.match(text, end) if found.kind == "text" else None
    if bracketed and bracketed[1] != found.letter and bracketed[1] in choices.letters:
        return Reading("ambiguous", "", end, "a letter and a text of different options")
    if _doubled(text, end, found, choices) or listed(text, end, found.letter, choices):
        return Reading("ambiguous", "", end, "several options named together")
    return found


def _contradicted(text: str, end: int, letter: str, choices: Choices) -> bool:
    """Whether the clause after the letter is exactly the text of another option."""
    gap = _SEPARATOR.match(text, end)
    if gap is None or gap.end() == end:
        return False
    window = text[gap.end() : gap.end() + choices.reach]
    if not window[:1].strip():
        return False
    words = fold(window)
    for begun, other in choices.texts.items():
        if other != letter and len(begun) > 1 and words.startswith(begun):
            rest = words[len(begun) :].lstrip("\"')]} ")
            if not rest or rest[0] in ".,;!<(":
                return True
    return False


def _doubled(text: str, end: int, found: Reading, choices: Choices) -> bool:
    """Whether a second option is joined to the first by "and", "or" or a comma."""
    join = JOIN.match(text, end)
    if join is None:
        return False
    if found.kind == "letter":
        other = plain_letter(text, join.end(), choices)
        if other and other != found.letter and other in choices.letters:
            return not _NEGATIVE.match(text, join.end() + 1)
    if found.kind == "text" or choices.own.get(found.letter):
        second = choices.at_start(fold(text[join.end() : join.end() + choices.reach]))[1]
        comma = text[end : join.end()].strip(" \"')]}").startswith((",", "、", "|"))
        return bool(second) and second != found.letter and not comma
    return False


def listed(text: str, end: int, letter: str, choices: Choices) -> bool:
    """Whether the next option's label follows at once: the list of options is being repeated."""
    at = choices.letters.find(letter) + 1
    if not 0 < at < len(choices.letters):
        return False
    following = choices.letters[at]
    if following not in text[end : end + 40]:
        return False
    return bool(
        re.match(rf"[\s,;.|/)\]]{{1,4}}(?:- )?\(?{following}[.):](?=\s|$)", text[end : end + 12])
    )


def _in_clause(text: str, start: int, choices: Choices) -> Reading:
    """The one option whose text stands somewhere in the rest of the clause."""
    window = text[start : start + 240]
    stop = _CLAUSE.search(window)
    clause = fold(window[: stop.start()] if stop else window)
    if stop and window[stop.start()] == "?":
        return NOTHING
    if not trimmed(clause):
        return NOTHING
    found = choices.mentioned(clause)
    if len(found) == 1 and AMBIGUOUS not in found:
        return Reading("text", found.pop(), start + len(clause), "full text of one option")
    if found:
        return Reading("ambiguous", "", start, "several options named together")
    return NOTHING
