"""Playing techniques of the Guzheng in time, by frames of 10 ms."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from zhiyin.parsing import read_literal
from zhiyin.plugins.benchmarks.cmi.choices import published_form
from zhiyin.plugins.benchmarks.cmi.measures import CmiMeasure, JudgedReply

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


def score(label: str, reply: str) -> tuple[dict[str, float], str]:
    """Record whether a reply names events, or that there are none; and how many."""
    named = read_events(reply)
    read = bool(named) or "no tech" in reply.lower()
    return {"read": float(read)}, f"{len(named)} events"


def frames(events: Sequence[Event]) -> Any:
    """Mark which technique sounds when: shape (1000, 7)."""
    import numpy as np

    grid = np.zeros((SECONDS * RATE, len(TECHNIQUES)), dtype=bool)
    for start, end, kind in events:
        grid[int(start * RATE) : int(end * RATE), kind] = True
    return grid


def _sums(read: Callable[[str], list[Event]]) -> Callable[[Sequence[JudgedReply]], Any]:
    def sums(items: Sequence[JudgedReply]) -> Any:
        import numpy as np

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
    import numpy as np

    return np.nan_to_num(micro_f1(s), nan=0.0)


def macro_f1(s: Any) -> Any:
    """Mean over the seven techniques; 0 for one that neither side has."""
    import numpy as np

    both, wanted, named = (s[..., 7 * k : 7 * k + 7] for k in range(3))
    below = wanted + named
    return np.where(below > 0, 2 * both / np.where(below > 0, below, 1), 0).mean(axis=-1)


_MICRO_ALL, _MACRO_ALL = "micro F1 of all events", "macro F1 of all events"
_FIRST, _EVERY = _sums(published_events), _sums(events_of_clip)
MEASURES = (
    CmiMeasure("micro F1 of the first event", True, _FIRST, published_micro_f1, ours=_MICRO_ALL),
    CmiMeasure("macro F1 of the first event", True, _FIRST, macro_f1, ours=_MACRO_ALL),
    CmiMeasure(_MICRO_ALL, False, _EVERY, micro_f1),
    CmiMeasure(_MACRO_ALL, False, _EVERY, macro_f1),
)
