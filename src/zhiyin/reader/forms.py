"""Answers that are no option: yes or no, a number, several letters, notes, a text, an object.

All forms are read by one machinery. A reply is brought into plain words; the place where an
answer is due is found (the last "the answer is", "答案是", box, tag or JSON field that is not
taken back; else a last line or a whole reply that is short); and only what stands there is read
as a number, as notes and so on. Two values that stand side by side are none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from zhiyin.reader import groups, mentions, structured
from zhiyin.reader.acts import AFFIRMED, DECLARED
from zhiyin.reader.choices import prepare
from zhiyin.reader.clauses import acts_of
from zhiyin.reader.cues import before as cues
from zhiyin.reader.plain import Plain, last_match, plain
from zhiyin.reader.reading import Confidence
from zhiyin.trial import Option

T = TypeVar("T")

_SHORT = 80
"""Characters up to which a whole reply, or a last line, is taken for an answer alone."""

_SLOT_END = re.compile(
    r"[\n;]|[.!?](?=\s|$)|,\s(?=because|since|as|but|which|so)\b|</|因为|由于|,\s?(?=而|但)"
)
_EDGE = " \t\n\"'()[]{}<>:=*$#|,.!"
_OR = re.compile(r"\s?(?:,?\s(?:or|to|through|and)\s|-|~|/|或|到|至|和|、)\s?")


class Value(NamedTuple):
    """What was read of a reply.

    Attributes
    ----------
    value : object or None
        The answer; None where there is none.
    why : str
        How it was found, or why there is none.
    span : tuple of int or None
        Where in the reply the words stand that it rests on.
    confidence : str
        "declared", "inferred" or "by text alone" (see `reading.Reading`); "" for no answer.
    """

    value: Any
    why: str
    span: tuple[int, int] | None = None
    confidence: Confidence = ""


class _Slot(NamedTuple):
    start: int
    end: int
    why: str
    confidence: Confidence


def _slots(words: Plain) -> list[_Slot]:
    """The places where an answer is due, the most telling first."""
    found: list[_Slot] = []
    lower = words.lower
    for match in cues.DUE.finditer(lower):
        end = _SLOT_END.search(lower, match.end())
        stop = end.start() if end else len(lower)
        before = lower[max(0, match.start() - 60) : match.start()]
        if not lower[match.end() : stop].strip(_EDGE) or cues.SUPPOSES.search(_clause(before)):
            continue
        if cues.TEMPLATE.search(before):
            continue
        found.append(
            _Slot(match.end(), stop, f"declared: {' '.join(match[0].split())!r}", "declared")
        )
    found.reverse()
    if found:
        corrected = _corrected(lower, found[0].end)
        return [corrected, *found] if corrected else found
    line = lower.rstrip().rfind("\n") + 1
    if line and len(lower) - line <= _SHORT:
        found.append(_Slot(line, len(lower), "the last line", "declared"))
    if len(lower) <= _SHORT:
        found.append(_Slot(0, len(lower), "the whole reply", "declared"))
    return found


def _clause(before: str) -> str:
    return re.split(r"[.!?\n;]", before)[-1]


def _corrected(lower: str, after: int) -> _Slot | None:
    """What stands after "wait, no", where an answer was declared before."""
    last = last_match(cues.CORRECTS, lower, after)
    if last is None:
        return None
    start = last.end()
    said = re.match(
        r"[\s,.:!-]*(?:no,?\s)?(?:it's|it is|that's|make that|i mean|应该?是|是|为)?\s?",
        lower[start:],
    )
    start += said.end() if said else 0
    end = _SLOT_END.search(lower, start)
    stop = end.start() if end else len(lower)
    return _Slot(start, stop, "corrected", "declared") if start < stop else None


def _read(text: str, keys: Sequence[str], parse: Callable[[str], T | None], what: str) -> Value:
    """The first slot that `parse` can read; an object's field before any words."""
    words = plain(text)
    if not words.text:
        return Value(None, "nothing said outside the reasoning" if text.strip() else "empty reply")
    data = field(text, keys)
    if data.value is not None:
        said = parse(str(data.value))
        return data._replace(value=said) if said is not None else Value(None, f"no {what} in JSON")
    slots = _slots(words)
    for slot in slots:
        stretch = words.text[slot.start : slot.end].strip(_EDGE)
        said = parse(stretch) if stretch else None
        if said is not None:
            return Value(said, slot.why, words.span(slot.start, slot.end), slot.confidence)
        if slot.confidence == "declared" and slot.why != "corrected":
            break
    if not slots:
        said = parse(words.text)
        if said is not None:
            return Value(said, f"the only {what} in the reply", None, "inferred")
    return Value(None, f"no {what} where an answer is due" if slots else f"no single {what}")


def yes_no(text: str) -> Value:
    """Yes (True) or no (False), in English or Chinese, or none.

    Parameters
    ----------
    text : str
        A reply.
    """

    def parse(said: str) -> bool | None:
        lower = said.lower()
        first = _YES_NO.match(lower) or (_YES_NO.search(lower) if len(lower) < 24 else None)
        if first is None:
            return None
        other = _YES_NO.search(lower, first.end(), first.end() + 12)
        if other and other[0] != first[0] and _OR.match(lower, first.end()):
            return None
        return first["yes"] is not None

    found = _read(text, ("answer", "final_answer", "same", "result", "答案"), parse, "yes or no")
    if found.value is None and found.why.startswith("no single"):
        words = plain(text)
        opened = _YES_NO.match(words.lower)
        if opened:
            span = words.span(opened.start(), opened.end())
            return Value(opened["yes"] is not None, "it opens the reply", span, "declared")
    return found


_YES_NO = re.compile(
    r"(?:(?P<yes>yes\b|yeah\b|yep\b|true\b|correct\b|是的?(?!否)|对的?|正确|相同|一样)"
    r"|(?P<no>no\b|nope\b|not\b|false\b|incorrect\b|否|不是|不对|错误|不同|不一样|不))"
)
_DIGITS = re.compile(
    r"(?<![\w.])(?P<sign>[-+]?)(?P<whole>\d[\d,]*(?:\.\d+)?)(?:\s?/\s?(?P<below>\d+))?(?![\d])"
)
_WORDS = (
    {
        word: number
        for number, word in enumerate(
            [
                "zero",
                "one",
                "two",
                "three",
                "four",
                "five",
                "six",
                "seven",
                "eight",
                "nine",
                "ten",
                "eleven",
                "twelve",
                "thirteen",
                "fourteen",
                "fifteen",
                "sixteen",
                "seventeen",
                "eighteen",
                "nineteen",
                "twenty",
            ]
        )
    }
    | {word: number for number, word in enumerate("零一二三四五六七八九十")}
    | {"两": 2, "none": 0}
)
_WORD = re.compile(
    r"(?<![a-z])("
    + "|".join(sorted((w for w in _WORDS if w.isascii()), key=len, reverse=True))
    + r")(?![a-z])"
    r"|([零一二两三四五六七八九十])(?![零一二三四五六七八九十百千])"
)


def number(text: str) -> Value:
    """A number as a float: digits, a fraction, or a word up to twenty; no range.

    Parameters
    ----------
    text : str
        A reply.
    """
    return _read(
        text, ("answer", "final_answer", "value", "number", "result", "答案"), _number, "number"
    )


def _number(said: str) -> float | None:
    found = list(_DIGITS.finditer(said))
    values = {_worth(match) for match in found}
    if not found:
        words = {_WORDS[match[0]] for match in _WORD.finditer(said.lower())}
        return float(words.pop()) if len(words) == 1 else None
    if len(values) == 1:
        return values.pop()
    if len(found) > 1 and _OR.fullmatch(said[found[0].end() : found[1].start()]):
        return None
    equal = re.search(r"[=≈]\s?(?=[-+\d])", said)
    if equal:
        last = _DIGITS.match(said, equal.end())
        return _worth(last) if last else None
    return _worth(found[0]) if found[0].start() < 12 else None


def _worth(match: re.Match[str]) -> float:
    whole = Fraction(match["whole"].replace(",", ""))
    if match["below"] and int(match["below"]):
        whole /= int(match["below"])
    return float(-whole if match["sign"] == "-" else whole)


_NOTE = re.compile(
    r"(?<![A-Za-z])(?P<name>[A-Ga-g])(?P<sharp>(?:##|x|#|♯♯|♯|bb|b|♭♭|♭|𝄪|𝄫|-?\s?sharp|-?\s?flat|♮|is|es)?)"
    r"(?P<octave>-?\d)?(?![A-Za-z])|(?P<zh>[升降])(?P<zname>[A-Ga-g])(?P<zoctave>\d)?"
)
_NOTE_FILL = re.compile(r"(?:[\s,，、;|>()\[\]\"'→-]|and\b|then\b|和|notes?\b|音)*")
_ALTER = {"#": 1, "♯": 1, "sharp": 1, "is": 1, "b": -1, "♭": -1, "flat": -1, "es": -1,
          "##": 2, "x": 2, "♯♯": 2, "𝄪": 2, "bb": -2, "♭♭": -2, "𝄫": -2, "": 0, "♮": 0}  # fmt: skip


def notes(text: str) -> Value:
    """Names of notes in order, each such as ``C``, ``F#`` or ``Bb4``; none where words mix in.

    Parameters
    ----------
    text : str
        A reply.
    """
    return _read(text, ("answer", "final_answer", "notes", "答案"), _notes, "list of notes")


def _notes(said: str) -> tuple[str, ...] | None:
    names: list[str] = []
    at = _skip(said, 0)
    while at < len(said):
        match = _NOTE.match(said, at)
        if match is None:
            return None
        names.append(_spelt(match))
        at = _skip(said, match.end())
    return tuple(names) or None


def _skip(said: str, at: int) -> int:
    gap = _NOTE_FILL.match(said, at)
    return gap.end() if gap else at


def _spelt(match: re.Match[str]) -> str:
    if match["zh"]:
        return (
            match["zname"].upper()
            + ("#" if match["zh"] == "升" else "b")
            + (match["zoctave"] or "")
        )
    alter = _ALTER[match["sharp"].strip(" -").lower()]
    return (
        match["name"].upper()
        + ("#" * alter if alter > 0 else "b" * -alter)
        + (match["octave"] or "")
    )


def letters(text: str, options: Sequence[Option]) -> Value:
    """Every option that the reply declares, for questions with several right answers.

    Parameters
    ----------
    text : str
        A reply.
    options : sequence of Option
        In the order shown.

    Returns
    -------
    Value
        Of a tuple of letters in the order shown.
    """
    choices, words = prepare(options), plain(text)
    if not words.text:
        return Value(None, "empty reply")
    for start, end, data in reversed(structured.objects(words.source)):
        told = structured.answer(data, choices)
        if told and told[0]:
            place = (words.offset + start, words.offset + end)
            return Value(_ordered(told[0], choices.letters), told[1], place, "declared")
    named = groups.group(mentions.find(words, choices), words, choices)
    acts = acts_of(words, named, choices)
    said = [
        act for act in acts if act.kind == "declaring" and set(act.letters) <= set(choices.letters)
    ]
    firm = [act for act in said if act.firmness >= DECLARED]
    good = [act for act in said if act.firmness == AFFIRMED]
    bad = {letter for act in acts if act.kind == "rejecting" for letter in act.letters}
    if firm:
        named = set(firm[-1].letters).union(*(act.letters for act in firm if act.also))
        last = firm[-1]
    elif good:
        named, last = {letter for act in good for letter in act.letters} - bad, good[-1]
    elif (
        len(acts) == 1
        and len(words.text) <= _SHORT
        and acts[0].kind not in ("rejecting", "reported")
    ):
        named, last = set(acts[0].letters), acts[0]
    else:
        return Value(None, "no options declared")
    return Value(
        _ordered(named, choices.letters), last.why, words.span(last.start, last.end), "declared"
    )


def _ordered(named: Sequence[str] | set[str], shown: str) -> tuple[str, ...]:
    return tuple(letter for letter in shown if letter in named)


def words(text: str) -> Value:
    """The answer as the reply words it: what stands where an answer is due.

    Parameters
    ----------
    text : str
        A reply.
    """
    found = _read(
        text, ("answer", "final_answer", "result", "答案"), lambda said: said or None, "answer"
    )
    if found.value is None:
        said = plain(text).text
        if said and len(said) <= 4 * _SHORT and "\n" not in said:
            return Value(said, "the whole reply", None, "by text alone")
    return found


def field(text: str, keys: Sequence[str]) -> Value:
    """The value of the first of `keys` in the last JSON object of the reply."""
    shown = plain(text)
    for start, end, data in reversed(structured.objects(shown.source)):
        row = data[0] if isinstance(data, list) else data
        if not isinstance(row, dict):
            continue
        for key in keys:
            for name, value in row.items():
                if (
                    isinstance(name, str)
                    and name.lower().replace(" ", "_") == key
                    and value is not None
                ):
                    place = (shown.offset + start, shown.offset + end)
                    return Value(_plain_value(value), f"the field {name!r}", place, "declared")
    return Value(None, "no such field")


def _plain_value(value: Any) -> Any:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return value


__all__ = ["Value", "field", "letters", "notes", "number", "words", "yes_no"]
