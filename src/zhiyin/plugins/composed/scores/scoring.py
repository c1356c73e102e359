"""Reading of a reply as a list of notes, by the published rule and by ours; and its verdict."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from zhiyin.engine.scoring import judge_choice
from zhiyin.parsing import read_json_text
from zhiyin.reader import is_refusal, structured
from zhiyin.reader.plain import plain
from zhiyin.reader.policy import Confidence, Policy, Reading, form
from zhiyin.record import Exchange, Reply, State, Verdict
from zhiyin.trial import Option, Tag, Trial

PUBLISHED = "music-bench"
NOTES, NUMBER = form("notes"), form("number")
_TOKEN = re.compile(r"[A-G][#b]?[0-8]")
_KEYS = ("notes", "answer", "final_answer", "pitches", "音符", "答案")
_SIGNS = {
    "": "", "n": "", "♮": "", "nat": "", "natural": "", "还原": "", "#": "#", "♯": "#", "s": "#",
    "is": "#", "sharp": "#", "升": "#", "b": "b", "♭": "b", "es": "b", "flat": "b", "降": "b",
    "##": "##", "x": "##", "𝄪": "##", "♯♯": "##", "double sharp": "##", "bb": "bb", "♭♭": "bb",
    "𝄫": "bb", "double flat": "bb",
}  # fmt: skip
_SIGN = "|".join(sorted(map(re.escape, filter(None, _SIGNS)), key=len, reverse=True))
_LOOSE = re.compile(
    rf"(?P<before>升|降|还原)?(?P<letter>[A-Ga-g])[ _-]?(?P<sign>{_SIGN})?[ _]?(?P<octave>-?\d)?"
    rf"(?P<after>{_SIGN})?"
)
_LIST = re.compile(r'\[\s{0,20}"[^\[\]{}]{0,4000}\]')
"""A list of texts that stands in no object."""
_DOUBTFUL = "no answer is stated"


class Notes(NamedTuple):
    """The notes that were read, in order, None where there are none; and the reason.

    `fault` is the published name of what is wrong with a reply, by the published rule alone.
    """

    notes: tuple[str, ...] | None
    why: str
    span: tuple[int, int] | None = None
    confidence: Confidence = ""
    fault: str = ""


def by_published(reply: Reply) -> Notes:
    """Read as the published scorer does: the whole reply is one JSON object with a list of notes.

    Text around it is not accepted, nor a natural sign, a double accidental or a missing octave.
    Source: jlebar/music-bench, commit d1af7c5, by the behaviour of its scorer.
    """
    text = reply.text.strip()
    if not text and _status(reply) == "incomplete":
        return _fault("truncated_before_final_answer")
    try:
        value = read_json_text(text)
    except ValueError:
        return _fault("truncated_before_final_answer" if _is_cut(reply) else "invalid_json")
    if not isinstance(value, dict):
        return _fault("invalid_json")
    listed = value.get("notes")
    if not isinstance(listed, list):
        return _fault("missing_notes")
    tokens = []
    for each in listed:
        if not isinstance(each, str):
            return _fault("invalid_note_type")
        token = each.strip().replace("♯", "#").replace("♭", "b")
        token = token[:1].upper() + ("b" + token[2:] if token[1:2] == "B" else token[1:])
        if not _TOKEN.fullmatch(token):
            return _fault("invalid_note_token")
        tokens.append(token)
    return Notes(tuple(tokens), "the list of the whole reply")


def _fault(name: str) -> Notes:
    return Notes(None, name.replace("_", " "), fault=name)


def _status(reply: Reply) -> str:
    """Status that the provider gave the reply, as far as the published scorer looks at it."""
    status = reply.detail.get("response_status")
    if status is None and reply.finish == "length":
        return "incomplete"  # of a reply that we asked for ourselves
    return str(status)


def _is_cut(reply: Reply) -> bool:
    if reply.detail.get("response_status") is None:
        return reply.finish == "length"
    details = reply.detail.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, dict) else None
    return _status(reply) == "incomplete" and reason == "max_output_tokens"


def by_ours(reply: Reply) -> Notes:
    """The list that a reply states: in its last JSON object, in a fence or not, or in words.

    Signs for naturals and words for accidentals are understood. A list that a length limit has
    cut is none.
    """
    words = plain(reply.text)
    bare = [(*m.span(), _parsed(m[0])) for m in _LIST.finditer(words.source)]
    for start, end, value in reversed(structured.objects(words.source) or bare):
        listed = _listed(value)
        if listed is None:
            continue
        place = (words.offset + start, words.offset + end)
        notes = [_note_name(each) for each in listed]
        if None in notes:
            bad = listed[notes.index(None)]
            return Notes(None, f"{str(bad)[:40]!r} in the list is no note")
        return Notes(tuple(filter(None, notes)), "the list in JSON", place, "declared")
    reading = NOTES(reply.text)
    if reading.value is None:
        return Notes(None, reading.why or _DOUBTFUL)
    if reply.finish == "length" and _at_end(reply.text, reading.span):
        return Notes(None, "the list is cut off by the length limit")
    return Notes(tuple(reading.value), reading.why, reading.span, reading.confidence)


def _parsed(text: str) -> Any:
    try:
        return read_json_text(text)
    except ValueError:
        return None


def _at_end(text: str, span: tuple[int, int] | None) -> bool:
    return span is None or not text[span[1] :].strip(" ,\"'\n")


def _listed(value: Any) -> list[Any] | None:
    """The list in the field that holds the answer; a text is split at commas and spaces."""
    if isinstance(value, list) and not any(isinstance(each, dict) for each in value):
        return value
    if not isinstance(value, dict):
        return None
    named = {str(name).lower().replace(" ", "_"): each for name, each in value.items()}
    for key in _KEYS:
        field = named.get(key)
        if isinstance(field, str) and field.strip():
            return [part for part in re.split(r"[\s,;、，]+", field) if part]
        if isinstance(field, list):
            return field
    return None


def _note_name(token: Any) -> str | None:
    """A note as `Pitch.name` has it, or None for what is no note."""
    if not isinstance(token, str):
        return None
    match = _LOOSE.fullmatch(token.strip())
    if match is None:
        return None
    signs = [match[name] for name in ("before", "sign", "after") if match[name]]
    if len(signs) > 1:
        return None
    return f"{match['letter'].upper()}{_SIGNS[signs[0]] if signs else ''}{match['octave'] or ''}"


def _no_options(text: str, options: Sequence[Option]) -> Reading:
    return Reading(None, "reads lists of notes, and this is a question with options")


POLICIES = (
    Policy(
        PUBLISHED,
        1,
        "the whole reply is a JSON object with a list of notes; for such lists alone (music-bench)",
        _no_options,
        "jlebar/music-bench@d1af7c5 (the scorer)",
        fits=lambda options: False,
    ),
)


# From an exchange to a verdict: a list of notes, a number, or one of some options. Pure.

VERSION = 1
"""Raised whenever a free answer would be scored otherwise."""
F1 = "note_f1"


def score(trial: Trial, exchange: Exchange, policy: Policy) -> Verdict:
    """Judge an exchange. Needs the logged record alone."""
    if trial.options:
        return judge_choice(trial, exchange, policy)
    if trial.tags.get("answer") == "number":
        return _number(trial, exchange.final)
    rule = PUBLISHED if policy.name == PUBLISHED else "robust"
    return judge_notes(trial, exchange.final, rule)


def judge_notes(trial: Trial, reply: Reply, rule: str) -> Verdict:
    """A list of notes by the published rule ("music-bench") or by ours ("robust").

    Its scores are those of the published scorer: precision, recall and F1 of the notes whatever
    their order, and the Levenshtein distance. A reply without a list gets 0, 0, 0 and the number
    of right notes, by both rules: it is in every mean.
    """
    reading = by_published(reply) if rule == PUBLISHED else by_ours(reply)
    right = tuple((trial.target or "").split())
    label = f"{PUBLISHED}@1" if rule == PUBLISHED else f"notes@{VERSION}"
    kind = kind_of(trial, reading)
    scores = note_scores(reading.notes, right)
    tags: dict[str, Tag] = {"kind": kind}
    if reading.notes is None:
        state = _unread(reply, reading.fault)
        return Verdict(state, None, None, reading.why, label, scores, tags)
    state = "correct" if reading.notes == right else "wrong"
    return Verdict(
        state, " ".join(reading.notes), None, reading.why, label, scores, tags,
        confidence=reading.confidence, span=reading.span,
    )  # fmt: skip


def note_scores(stated: Sequence[str] | None, right: Sequence[str]) -> dict[str, float]:
    """The published figures of a list of notes; None for no list.

    Precision and recall are the overlap of the two as multisets over the number of notes stated and
    of right ones; F1 is their harmonic mean.
    """
    if stated is None:
        zeros = dict.fromkeys((F1, "note_precision", "note_recall"), 0.0)
        return {**zeros, "edit_distance": float(len(right))}
    overlap = (Counter(stated) & Counter(right)).total()
    precision = overlap / len(stated) if stated else 0.0
    recall = overlap / len(right) if right else 0.0
    f1 = 2 * precision * recall / (precision + recall) if overlap else 0.0
    return {
        F1: f1,
        "note_precision": precision,
        "note_recall": recall,
        "edit_distance": float(_distance(stated, right)),
    }


def _distance(stated: Sequence[str], right: Sequence[str]) -> int:
    """Levenshtein's distance over notes."""
    row = list(range(len(right) + 1))
    for i, one in enumerate(stated, 1):
        before, row = row, [i]
        for j, other in enumerate(right, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (one != other)))
    return row[-1]


def kind_of(trial: Trial, notes: Notes) -> str:
    """The kind of error, by the published names and in their order: the first that holds."""
    right = tuple((trial.target or "").split())
    stated = notes.notes
    if stated is None:
        cut = "truncated_before_final_answer"
        return cut if notes.fault == cut else "formatting_failure"
    if stated == right:
        return "exact_match"
    bars = [tuple(bar.split()) for bar in str(trial.tags.get("measures") or "").split("|")]
    if any(bar == stated for n, bar in enumerate(bars, 1) if bar and n != trial.tags.get("bar")):
        return "wrong_measure"
    if len(stated) == len(right):
        if [n.rstrip("-0123456789") for n in stated] == [n[:-1] for n in right]:
            return "octave_mistake"
        if [n[0] + n.lstrip("ABCDEFG#b") for n in stated] == [n[0] + n[-1] for n in right]:
            return "accidental_mistake"
    return "other_mismatch"


def _number(trial: Trial, reply: Reply) -> Verdict:
    reading = NUMBER(reply.text)
    label = f"number@{VERSION}"
    if reading.value is None:
        return Verdict(_unread(reply), None, None, reading.why, label)
    state: State = "correct" if reading.value == float(trial.target or "nan") else "wrong"
    return Verdict(
        state, f"{reading.value:g}", None, reading.why, label,
        confidence=reading.confidence, span=reading.span,
    )  # fmt: skip


def _unread(reply: Reply, fault: str = "") -> State:
    if reply.finish == "length" or fault == "truncated_before_final_answer":
        return "truncated"
    return "refused" if reply.finish == "refusal" or is_refusal(reply.text) else "no_answer"
