"""Playing techniques of the Guzheng in time, by frames of 10 ms.

Times of beats and downbeats; and melodies as notes in time.

Numbers from 1 to 9 for arousal, against a standardised label.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from zhiyin.parsing import read_literal
from zhiyin.plugins.benchmarks.cmi.measures import CmiMeasure, JudgedReply, mean_of, published_form

TECHNIQUES = (
    "Vibrato", "Point Note", "Upward Portamento", "Downward Portamento", "Plucks", "Glissando",
    "Tremolo",
)  # fmt: skip
SECONDS, RATE = 10, 100
_LEAST = 1e-4
_UNREAD = (
    ValueError, TypeError, AttributeError, LookupError, OverflowError
)  # fmt: skip
"""What Python says of a text that is no list of events."""
_FORMS = tuple(published_form(name) for name in TECHNIQUES)
_EVENT = re.compile(
    r"\(\s*+['\"]?(\d+(?:\.\d+)?)['\"]?\s*+,\s*+['\"]?(\d+(?:\.\d+)?)['\"]?\s*+,"
    r"\s*+['\"]?([A-Za-z_ -]{1,60}?)['\"]?\s*+\)"
)
Event = tuple[float, float, int]


def read_events(text: str) -> list[Event]:
    """Every event in a text: start and end in seconds, and which technique it is.

    "No Tech" and techniques that are not asked for are none of them.
    """
    events = []
    for start, end, name in _EVENT.findall(text):
        form = published_form(name)
        if form in _FORMS:
            events.append((float(start), float(end), _FORMS.index(form)))
    return events


def events_of_clip(text: str) -> list[Event]:
    """Every event in a text, its times counted from the beginning of its clip of ten seconds.

    The labels count from the beginning of the whole recording, and models hear the clip alone. An
    event that lasts beyond the end of its clip is cut off there by `frames`.
    """
    events = []
    for start, end, kind in read_events(text):
        clip = start - start % SECONDS
        events.append((start - clip, end - clip, kind))
    return events


def published_events(text: str) -> list[Event]:
    """The events that the published script reads, which it reads alike on both sides.

    From the first ``[`` of the text to the first ``)``, wherever that stands: the first event alone
    of a list, and nothing where a bracket closes before the list begins. What stands between them
    is read as Python; only texts that begin with a digit are times, numbers without quotes make it
    all void, and so does what cannot be read. Times are taken modulo 10, an end at a full ten
    seconds being the end of the clip.

    Two departures, both where the script stops or runs a reply as code: a technique that is none
    of the seven is left out, and arithmetic in a reply is not computed.
    """
    start, end = text.find("["), text.find(")")
    if not 0 <= start < end:
        return []
    piece = text[start:end] + ")]"
    try:
        listed = read_literal(piece[2:] if piece.startswith('["[') else piece)
        timed = [_published_event(*each) for each in _published_parts(listed)]
    except _UNREAD:
        return []
    return [(start, end, _FORMS.index(form)) for start, end, form in timed if form in _FORMS]


def _published_parts(listed: Any) -> list[tuple[Any, Any, Any]]:
    """Start, end and name of each event as they are written. Raises where the script reads none."""
    if isinstance(listed[0], dict):
        return [(float(e["start"]), float(e["end"]), e["technique"]) for e in listed]
    if all(isinstance(e, tuple) and len(e) == 3 for e in listed):
        quoted = (e for e in listed if e[0][0].isdigit())
        return [(float(a), float(b), str(name)) for a, b, name in quoted]
    return [(a, b, name) for a, b, name in listed]


def _published_event(start: Any, end: Any, name: str) -> tuple[float, float, str]:
    if not math.isfinite(start + end):
        raise ValueError("no time")
    last = (end - _LEAST) % SECONDS + _LEAST  # what is left of 10 modulo 10 is 10, and not 0
    return start % SECONDS, last, published_form(name)


def score_events(label: str, reply: str) -> tuple[dict[str, float], str]:
    """Record whether a reply names events, or that there are none; and how many."""
    named = read_events(reply)
    read = bool(named) or "no tech" in reply.lower()
    return {"read": float(read)}, f"{len(named)} events"


def frames(events: Sequence[Event]) -> Any:
    """Mark which technique sounds when: shape (1000, 7)."""
    grid = np.zeros((SECONDS * RATE, len(TECHNIQUES)), dtype=bool)
    for start, end, kind in events:
        grid[int(start * RATE) : int(end * RATE), kind] = True
    return grid


def _sums(read: Callable[[str], list[Event]]) -> Callable[[Sequence[JudgedReply]], Any]:
    def sums(items: Sequence[JudgedReply]) -> Any:
        rows = []
        for item in items:
            wanted, named = frames(read(item.label)), frames(read(item.reply))
            counts = ((wanted & named), wanted, named)
            rows.append(np.concatenate([each.sum(axis=0) for each in counts]))
        return np.array(rows, dtype=np.float64)

    return sums


def micro_f1(s: Any) -> Any:
    """Micro-averaged F1 over all frames and techniques."""
    both, wanted, named = (s[..., 7 * k : 7 * k + 7].sum(axis=-1) for k in range(3))
    return 2 * both / (wanted + named)


def published_micro_f1(s: Any) -> Any:
    """The same, and 0 where neither side has any event, as the published script has it."""
    return np.nan_to_num(micro_f1(s), nan=0.0)


def macro_f1(s: Any) -> Any:
    """Mean over the seven techniques; 0 for one that neither side has."""
    both, wanted, named = (s[..., 7 * k : 7 * k + 7] for k in range(3))
    below = wanted + named
    return np.where(below > 0, 2 * both / np.where(below > 0, below, 1), 0).mean(axis=-1)


_MICRO_ALL, _MACRO_ALL = "micro F1 of all events", "macro F1 of all events"
_FIRST, _EVERY = _sums(published_events), _sums(events_of_clip)
EVENT_MEASURES = (
    CmiMeasure("micro F1 of the first event", True, _FIRST, published_micro_f1, ours=_MICRO_ALL),
    CmiMeasure("macro F1 of the first event", True, _FIRST, macro_f1, ours=_MACRO_ALL),
    CmiMeasure(_MICRO_ALL, False, _EVERY, micro_f1),
    CmiMeasure(_MACRO_ALL, False, _EVERY, macro_f1),
)


BEAT_MEASURES = (
    mean_of("F", "published_f", published=True),
    mean_of("CMLt", "published_cmlt", published=True),
    mean_of("AMLt", "published_amlt", published=True),
    mean_of("F, from the beginning", "f_whole", published=False),
    mean_of("F", "f", published=False),
    mean_of("CMLt", "cmlt", published=False),
    mean_of("AMLt", "amlt", published=False),
)
"""Without a rule: mir_eval's own evaluation, which leaves the first 5 s out. "From the beginning"
differs from the published figure in reading alone."""
MELODY = (mean_of("overall accuracy", "overall", published=False),)
_TIME = re.compile(r"(?:(\d+):)?(\d+(?:\.\d+)?) ?(?:s\b|sec(?:onds?)?\b|ss\b)?", re.IGNORECASE)
_ONE = r"(?:\d+:)?\d+(?:\.\d+)? ?(?:s+|sec|seconds?)?"
_LIST = re.compile(rf"{_ONE}(?:[,;\s]+{_ONE})*", re.IGNORECASE)
_MOST_S = 30_000.0


def published_times(text: str) -> list[float] | None:
    """The times that the published script reads; None where it drops the item.

    Split at commas; blanks at the ends and every "s" go; a part counts if it begins with a digit.
    A part that is then no number, such as the last one with its full stop, makes the item 0.
    """
    times = []
    try:
        for part in text.split(","):
            part = part.strip().replace("s", "")
            if part and part[0].isdigit():
                if ":" not in part:
                    times.append(float(part))
                elif part.split(":")[1]:
                    times.append(int(part.split(":")[0]) * 60 + float(part.split(":")[1]))
    except ValueError:
        return None
    return sorted(times)


def read_times(reply: str) -> tuple[list[float], str]:
    """The longest list of times in a reply, in seconds, sorted; a full stop ends it.

    Words before and after it are no times: "120 bpm" stands in no list.
    """
    lists = [match[0] for match in _LIST.finditer(reply.replace("`", " "))]
    longest = max(lists, key=lambda text: len(_TIME.findall(text)), default="")
    times = [60 * int(minutes or 0) + float(seconds) for minutes, seconds in _TIME.findall(longest)]
    times = sorted({time for time in times if time < _MOST_S})
    if len(times) < 2 and not re.fullmatch(r"\W*\d+(\.\d+)? ?s*\W*", reply.strip()):
        return [], "no list of times"
    return times, f"a list of {len(times)} times"


def score_beats(label: str, reply: str) -> tuple[dict[str, float], str]:
    """All scores of a reply, and how it was read."""
    from mir_eval.beat import trim_beats

    wanted = published_times(label) or []
    scores = {}
    given = published_times(reply)
    for name, value in zip(("f", "cmlt", "amlt"), _evaluate(wanted, given), strict=True):
        scores[f"published_{name}"] = value
    times, why = read_times(reply)
    same = times == given
    scores["f_whole"] = scores["published_f"] if same else _evaluate(wanted, times)[0]
    trimmed = [trim_beats(np.array(each)) for each in (wanted, times)]
    for name, value in zip(("f", "cmlt", "amlt"), _evaluate(*trimmed), strict=True):
        scores[name] = value
    scores["read"] = float(bool(times))
    return scores, why


def _evaluate(wanted: Sequence[float], given: Sequence[float] | None) -> tuple[float, float, float]:
    """F-measure (70 ms), CMLt and AMLt by mir_eval; 0 for what it refuses, and for no times."""
    from mir_eval import beat

    if given is None or not len(given) or not len(wanted):
        return 0.0, 0.0, 0.0
    reference, estimate = np.array(wanted), np.array(given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            f = float(beat.f_measure(reference, estimate))
        except ValueError:
            f = 0.0
        try:
            _, cmlt, _, amlt = beat.continuity(reference, estimate)
        except (ValueError, IndexError, ZeroDivisionError):
            cmlt = amlt = 0.0
    return f, float(cmlt), float(amlt)


_PAIR = re.compile(
    r"\(\s*+'?(?:(\d+):)?(\d+(?:\.\d+)?)'?\s*+,"
    r"\s*+'?([A-Ga-g][#♯b♭]?-?\d|\d+(?:\.\d+)?|)'?\s*+\)"
)


def read_melody(text: str) -> list[tuple[float, float]]:
    """Times in seconds and MIDI numbers (0 for silence) of pairs such as ``(0.52, 'A4')``."""
    notes: dict[float, float] = {}
    for minutes, seconds, note in _PAIR.findall(text):
        notes.setdefault(60 * int(minutes or 0) + float(seconds), _midi(note))
    return sorted(notes.items())


def _midi(note: str) -> float:
    if not note:
        return 0.0
    if note[0].isdigit():
        return float(note)
    place = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}[note[0].upper()]
    accidental = note[1:2]
    shift = {"#": 1, "♯": 1, "b": -1, "♭": -1}.get(accidental, 0)
    return float(12 * (int(note[1 + bool(shift) :]) + 1) + place + shift)


def score_melody(label: str, reply: str) -> tuple[dict[str, float], str]:
    """Overall accuracy by mir_eval (50 cents), of a reply with a readable list of notes; 0 else."""
    from mir_eval import melody

    wanted, given = read_melody(label), read_melody(reply)
    if not wanted or not given:
        return {"overall": 0.0, "read": float(bool(given))}, "no list of times and notes"

    def track(notes: list[tuple[float, float]]) -> tuple[object, object]:
        times = np.array([time for time, _ in notes])
        hz = [440 * 2 ** ((midi - 69) / 12) if midi else 0.0 for _, midi in notes]
        return times, np.array(hz)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = melody.evaluate(*track(wanted), *track(given))["Overall Accuracy"]
        except (ValueError, IndexError):
            value = 0.0
    return {"overall": float(value), "read": 1.0}, f"a list of {len(given)} notes"


_LEFT_OUT = {
    r"out of 9": "",
    r"1-9 scale": "scale",
    r"from 1 to 9": "scale",
    r"\d-point scale": "scale",
    r"\d/\d time signature": "time signature",
    r"\d/\d beat": "time signature",
    r"Example \d": "",
}
"""Phrases and what the published script puts in their place, in its order: the digits on both
sides of a phrase do not become one number."""
_RANGE = re.compile(
    r"(?:from\s+)?1\s*(?:-|–|to)\s*9|out of (?:9|nine)|/\s*9\b|\d-point|Example \d"
    r"|\d/(?!9)\d\s+\w+",
    re.I,
)
_NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)(?!\w|\.\d)")


def published_number(reply: str) -> float | None:
    """The number that the published script reads: the first digit run from 1 to 9.

    Phrases that name the scale go first. Exactly two runs that stand as "a.b" are that decimal.
    """
    text = reply
    for phrase, instead in _LEFT_OUT.items():
        text = re.sub(phrase, instead, text)
    runs = [run for run in re.findall(r"\d+", text) if len(_figures(run)) == 1]
    if not runs:
        return None
    if len(runs) == 2 and f"{runs[0]}.{runs[1]}" in text:
        return float(f"{runs[0]}.{runs[1]}")
    return float(_figures(runs[0]))


def _figures(run: str) -> str:
    """The digits of a number in any script, without the noughts before it."""
    return "".join(str(int(digit)) for digit in run).lstrip("0")


def read_number(reply: str) -> tuple[float | None, str]:
    """The one number from 1 to 9 that a reply gives, what only names the scale aside."""
    numbers = {float(n) for n in _NUMBER.findall(_RANGE.sub(" ", reply)) if 1 <= float(n) <= 9}
    if len(numbers) == 1:
        return numbers.pop(), "the only number from 1 to 9"
    return None, "several numbers from 1 to 9" if numbers else "no number from 1 to 9"


def score_number(label: str, reply: str) -> tuple[dict[str, float], str]:
    """The numbers that the field and the published script read, and how the former was read."""
    number, why = read_number(reply)
    theirs = published_number(reply)
    scores = {"read": float(number is not None), "number": number, "published": theirs}
    return {name: value for name, value in scores.items() if value is not None}, why


@cache
def _moments(score: str) -> Callable[[Sequence[JudgedReply]], list[list[float]]]:
    def sums(items: Sequence[JudgedReply]) -> list[list[float]]:
        rows = []
        for item in items:
            y, x = float(item.label), item.scores.get(score)
            given = [0.0] * 5 if x is None else [1.0, x, x * x, x * y, y]
            rows.append([1.0, y, y * y, *given, 0.0 if x is None else y * y])
        return rows

    return sums


def _published_r2(s: Any) -> Any:
    """1 - Σ(y - z)² / Σ(y - mean)², z the numbers standardised by themselves, 0 where missing."""
    n, y, yy, m, x, xx, xy, ym, _ = (s[..., k] for k in range(9))
    mean = x / m
    spread = np.sqrt(np.maximum(xx / m - mean**2, 0))
    spread = np.where(spread > 1e-9, spread, np.nan)  # all numbers equal: the script stops
    together = (xy - mean * ym) / spread
    return 1 - (yy - 2 * together + m) / (yy - y * y / n)


def _correlation(s: Any) -> Any:
    """Pearson's r over the replies with a number."""
    _, _, _, m, x, xx, xy, y, yy = (s[..., k] for k in range(9))
    below = (xx - x * x / m) * (yy - y * y / m)
    return (xy - x * y / m) / np.sqrt(np.where(below > 1e-12, below, np.nan))


def _squared(s: Any) -> Any:
    return _correlation(s) ** 2


NUMBER_MEASURES = (
    CmiMeasure(
        "R²", True, _moments("published"), _published_r2, False, ours="r² of those with a number"
    ),
    CmiMeasure("r of those with a number", False, _moments("number"), _correlation, False),
    CmiMeasure("r² of those with a number", False, _moments("number"), _squared, False),
)
