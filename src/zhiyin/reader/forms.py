"""Answers that are no option: yes or no, a number, several letters, notes, a text, a field.

They are read as options are. A reply is brought into plain words; the values that it names are
found (`values`); its clauses are read, and what stands at the end is the answer. An object's
field comes before any words. Two values that stand side by side are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from zhiyin.reader import groups, mentions, structured
from zhiyin.reader.choices import prepare
from zhiyin.reader.clause import AFFIRMED, DECLARED, PLACED, Act, letters_named
from zhiyin.reader.clauses import RUN_ON, acts_of
from zhiyin.reader.cues import before
from zhiyin.reader.plain import Plain, plain, why_empty
from zhiyin.reader.policy import Value
from zhiyin.reader.resolve import resolve
from zhiyin.reader.values import Finder, mentions_of, note_lists, numbers, yes_and_no
from zhiyin.trial import Option

_ANSWER = ("answer", "final_answer", "result", "答案")
"""Names of the field that holds an answer, the clearest first."""

_SHORT = 80
"""Characters up to which one clause that names options is an answer to "which of them?"."""

_NO_NUMBER = 1e300
"""From here on a field holds digits without end, and no number."""

_LONGEST = 320
"""Characters up to which a whole reply is taken for an answer in words."""

_SLOT_END = re.compile(
    r"[\n;]|[.!?](?=\s|$)|,\s(?=because|since|as|but|which|so)\b|</|因为|由于|,\s?(?=而|但)",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(
    r"(?<=\b(?i:op|no|nr|kv|rv))\.(?=\s\d)|(?<=\b(?i:bwv|vol|hob|bar))\.(?=\s\d)"
    r"|(?<=\b(?i:st|dr|mr|ca|vs))\.(?=\s\w)"
    r"|(?<=\b[A-Za-z])\.(?=\s[A-Za-z]\.)|(?<=\b[A-Za-z]\.\s[A-Za-z])\.(?=\s)"
    r"|(?<=\b[A-Z])\.(?=\s[A-Z]\w+\W*$)",
    re.MULTILINE,
)
"""A full stop that ends no sentence: "Op. 18", "J. S. Bach"."""
_SAID = re.compile(
    r"(?:(?:the|this|that|its?|they|these)\b[^.,;:!?\n]{0,40}?\s(?:is|are|was|were)|(?:it|that)'s)\s"
    r"(?!not?\b)(?:(?:an?|the|likely|probably|clearly|most likely)\s)*+"
    r"(?P<said>(?:[^\s.!?]|\.(?=\S))+(?: (?:[^\s.!?]|\.(?=\S))+){0,4})[.!]?",
    re.IGNORECASE,
)
"""A reply that is one sentence which says it: "The key is C# minor."."""
_EDGE = " \t\n\"'()[]{}<>:=*$#|,.!"
_SHARP = re.compile(r"(?<![A-Za-z])[A-Ga-g]#{1,2}(?![A-Za-z0-9#])")
"""A note whose sharp is no mark of a heading."""


def yes_no(text: str) -> Value:
    """Yes (True) or no (False), in English or Chinese.

    Parameters
    ----------
    text : str
        A reply.
    """
    reading = _read(text, (*_ANSWER[:2], "same", *_ANSWER[2:]), yes_and_no)
    if reading.value is None and reading.why == _DENIED:
        reply = plain(text)
        if first := _FIRST.match(reply.text):  # "No, there is no repeat sign."
            value = first[1].lower() in ("yes", "是的", "是")
            return Value(value, "said first", reply.span(*first.span(1)), "declared")
        named, _, values = mentions_of(reply, yes_and_no)
        if len(set(values.values())) == 1:
            denied = not next(iter(values.values()))
            span = reply.span(named[0].start, named[0].end)
            return Value(denied, "its opposite is denied", span, "inferred")
    return reading


_DENIED = "values rejected, none declared"
_FIRST = re.compile(r"\W*(yes|no|是的|是|不是|不|否|没有)\s*[,.;:!\n，。；：！—–]", re.IGNORECASE)
"""An answer that is given before a sentence repeats it in other words."""


def number(text: str) -> Value:
    """A number as a float: digits, a fraction, or a word up to twenty; no range.

    Parameters
    ----------
    text : str
        A reply.
    """
    return _read(text, (*_ANSWER[:2], "value", "number", *_ANSWER[2:]), numbers)


def notes(text: str) -> Value:
    """Names of notes in order, a tuple of such as ``C``, ``F#`` or ``Bb4``.

    Parameters
    ----------
    text : str
        A reply.
    """
    return _read(text, (*_ANSWER[:2], "notes", *_ANSWER[2:]), note_lists)


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
    choices, reply = prepare(options), plain(text)
    if not reply.text:
        return Value(None, why_empty(text))
    run_on = RUN_ON.search(reply.text)
    if run_on and run_on.start():
        reply = reply.upto(run_on.start())
    for start, end, data in reversed(structured.objects(reply.source)):
        answer = structured.answer(data, choices)
        if answer and answer[0]:
            place = (reply.offset + start, reply.offset + end)
            return Value(_ordered(answer[0], choices.letters), answer[1], place, "declared")
    named = groups.group(mentions.find(reply, choices), reply, choices)
    acts = acts_of(reply, named, choices)
    unsure = {group.start for group in named if group.join == "or"}
    sure = [act for act in acts if act.start not in unsure or act.kind == "rejecting"]
    declaring = _declaring_acts(sure, choices.letters, len(reply.text) <= _SHORT)
    if not declaring:
        return Value(None, "no options declared")
    good = letters_named(declaring)
    if all(act.firmness < DECLARED for act in declaring):
        good -= letters_named(act for act in acts if act.kind == "rejecting")
    last = declaring[-1]
    if last.firmness == PLACED and before.WITHDRAWS.search(reply.lower, last.end):
        return Value(None, "an answer taken back")
    place = reply.span(last.start, last.end)
    return Value(_ordered(good, choices.letters), last.why, place, "declared")


def _declaring_acts(acts: list[Act], shown: str, short: bool) -> list[Act]:
    """The acts that together say which options are right."""
    declaring = [act for act in acts if act.declares and set(act.letters) <= set(shown)]
    firm = [act for act in declaring if act.firmness >= DECLARED]
    if firm:
        last = max((n for n, act in enumerate(firm) if not act.also), default=0)
        return firm[last:]
    good = [act for act in declaring if act.firmness == AFFIRMED]
    return good or _one_a_line(acts, declaring) or _only_act(acts, shown, short)


def _one_a_line(acts: list[Act], declaring: list[Act]) -> list[Act]:
    """Options by their places, where all others are rejected."""
    placed = [act for act in declaring if act.firmness == PLACED]
    others = letters_named(act for act in acts if act.kind != "rejecting") - letters_named(placed)
    return [] if others else placed


def _only_act(acts: list[Act], shown: str, short: bool) -> list[Act]:
    one = len(acts) == 1 and short and acts[0].kind not in ("rejecting", "reported")
    return acts if one and set(acts[0].letters) <= set(shown) else []


def _ordered(named: Iterable[str], shown: str) -> tuple[str, ...]:
    return tuple(letter for letter in shown if letter in set(named))


def words(text: str) -> Value:
    """The answer as the reply words it: what stands where one is due, to the sentence's end.

    Parameters
    ----------
    text : str
        A reply.
    """
    data = field(text, _ANSWER)
    if data.value is not None:
        return data._replace(value=str(data.value))
    reply = plain(text)
    slot = _last_due(reply)
    if slot:
        start, end, why = slot
        return Value(_bare(reply.text[start:end]), why, reply.span(start, end), "declared")
    if not reply.text:
        return Value(None, why_empty(text))
    if said := _SAID.fullmatch(reply.text):
        span = said.span("said")
        why = f"said: {reply.text[: span[0]].strip()!r}"
        return Value(_bare(said["said"]), why, reply.span(*span), "by text alone")
    if len(reply.text) <= _LONGEST and "\n" not in reply.text:
        return Value(reply.text, "the whole reply", None, "by text alone")
    return Value(None, "no words where an answer is due")


def _bare(text: str) -> str:
    """An answer without the marks around it; the sharp of a note is none of them."""
    answer = text.strip(_EDGE)
    end = len(text) - len(text.lstrip(_EDGE)) + len(answer)
    if answer.count("(") > answer.count(")") and text[end : end + 1] == ")":
        return f"{answer})"
    note = _SHARP.match(text, max(0, end - 1))
    return answer[:-1] + note[0] if note else answer


def _last_due(reply: Plain) -> tuple[int, int, str] | None:
    """The last place where an answer is due and given: where it begins and ends, and why."""
    lower, last = reply.lower, None
    whole = _ABBREVIATED.sub("_", reply.text)
    for match in before.DUE.finditer(lower):
        stop = _SLOT_END.search(whole, match.end())
        end = stop.start() if stop else len(lower)
        ahead = lower[max(0, match.start() - 60) : match.start()]
        sentence = re.split(r"[.!?\n;]", ahead)[-1]
        if not lower[match.end() : end].strip(_EDGE) or before.TEMPLATE.search(ahead):
            continue
        if not before.SUPPOSES.search(sentence):
            last = (match.end(), end, f"declared: {' '.join(match[0].split())!r}")
    return last


def field(text: str, keys: Sequence[str]) -> Value:
    """The value of the first of `keys` in the last JSON object of the reply.

    Parameters
    ----------
    text : str
        A reply.
    keys : sequence of str
        In lower case, with underscores for spaces; the clearest first.
    """
    reply = plain(text)
    for start, end, data in reversed(structured.objects(reply.source)):
        row = data[0] if isinstance(data, list) else data
        if not isinstance(row, dict):
            continue
        named = {str(name).lower().replace(" ", "_"): name for name in row}
        for key in keys:
            value = row.get(named[key]) if key in named else None
            if value is None:
                continue
            place = (reply.offset + start, reply.offset + end)
            listed = ", ".join(map(str, value)) if isinstance(value, list) else value
            return Value(listed, f"the field {named[key]!r}", place, "declared")
    return Value(None, "no such field")


def _read(text: str, keys: Sequence[str], find: Finder) -> Value:
    """The value that stands at the end of a reply; an object's field before any words."""
    data = field(text, keys)
    if isinstance(data.value, bool | int | float) and find is not note_lists:
        literal: bool | float = data.value
        if find is yes_and_no:
            return data._replace(value=bool(literal))
        if not abs(literal) < _NO_NUMBER:
            return Value(None, "its number is endless")
        return data._replace(value=float(literal))
    reply = plain(str(data.value) if data.value is not None else text)
    if not reply.text:
        return Value(None, why_empty(text))
    named, choices, values = mentions_of(reply, find)
    acts = acts_of(reply, groups.group(named, reply, choices), choices)
    outcome = resolve(acts, reply.lower, choices)
    if not outcome.letter:
        return Value(None, outcome.why.replace("option", "value"))
    value = values[outcome.letter]
    if data.value is not None:
        return data._replace(value=value)
    place = reply.span(outcome.start, outcome.end) if outcome.end else None
    return Value(value, outcome.why, place, outcome.confidence)


__all__ = ["Value", "field", "letters", "notes", "number", "words", "yes_no"]
