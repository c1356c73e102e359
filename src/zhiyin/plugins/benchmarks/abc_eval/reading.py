"""Reading of a reply as a place among choices counted from 0, or as an order of places."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zhiyin.reader.plain import plain
from zhiyin.reader.policy import Policy, Reading, Value, form
from zhiyin.trial import Option

NUMBER, WORDS = form("number"), form("words")
_BARE = re.compile(r"[\s\"'(\[]*(\d)[\s\"')\].:。]*")
_LETTER = re.compile(r"[\s\"'(\[]*([A-Z])[\s\"')\].:]*")
_STEP = r"(?:\s*(?:,|，|、|->|→|-|>|;)\s*|\s+)"
_ORDER = re.compile(rf"(?<![\w.])(\d(?:{_STEP}\d)+|\d{{2,}})(?![\w.]*\d)")


def by_index(text: str, options: Sequence[Option]) -> Reading:
    """A place from 0, as it is asked for by the published prompt.

    A reply that is a digit and nothing else; else the number that it declares. A digit that no
    option has is no answer, and 0 is one. A reply that is the letter of an option is read too.
    """
    words = plain(text)
    if bare := _BARE.fullmatch(words.text):
        return _at(int(bare[1]), options, "the whole reply")
    if (letter := _LETTER.fullmatch(words.text)) and letter[1] in [o.letter for o in options]:
        return Reading(letter[1], "the letter of an option", confidence="declared")
    said = words.text.strip()
    found = [option.letter for option in options if said and option.text.strip() == said]
    if found:
        return Reading(found[0], "the words of an option", confidence="declared", alike=(*found,))
    number = NUMBER(text)
    if number.value is None or number.value != int(number.value):
        return Reading(None, number.why or "no whole number is stated")
    reading = _at(int(number.value), options, number.why)
    if reading.letter is None:
        return reading
    return Reading(reading.letter, reading.why, number.span, number.confidence)


def _at(place: int, options: Sequence[Option], why: str) -> Reading:
    if not 0 <= place < len(options):
        return Reading(None, "a number that no option has")
    return Reading(options[place].letter, why, confidence="declared")


def read_order(text: str) -> Value:
    """An order of places as digits: "3102", or "3, 1, 0, 2", or with arrows.

    What stands where an answer is due goes first, else the only order in the reply. Which digits
    there are is not looked at: an order that leaves a place out is an answer, and a wrong one.
    """
    stated = WORDS(text)
    if stated.value is not None:
        named = _orders(str(stated.value))
        if len(set(named)) == 1 or (named and stated.confidence == "declared"):
            return Value(named[-1], stated.why, stated.span, stated.confidence)
    named = _orders(plain(text).text)
    if len(set(named)) == 1:
        return Value(named[0], "the only order in the reply", None, "by text alone")
    return Value(None, "several orders, none declared" if named else "no order is stated")


def _orders(text: str) -> list[str]:
    return ["".join(re.findall(r"\d", match[1])) for match in _ORDER.finditer(text)]


POLICIES = (
    Policy(
        "abc-eval", 1, "the number of an option, counted from 0, as ABC-Eval asks for it", by_index
    ),
)
