"""Playing techniques of the Guzheng in time, by frames of 10 ms."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from zhiyin.benchmarks.cmi.choices import published_form
from zhiyin.benchmarks.cmi.measures import Item, Measure

TECHNIQUES = (
    "Vibrato", "Point Note", "Upward Portamento", "Downward Portamento", "Plucks", "Glissando",
    "Tremolo",
)  # fmt: skip
SECONDS, RATE = 10, 100
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
    """The first event alone, its times modulo 10, as the published script reads both sides."""
    start = text.find("[")
    first = text[start : text.find(")", start) + 1] if start >= 0 else ""
    return [(a % SECONDS, b % SECONDS, kind) for a, b, kind in read_events(first)]


def frames(events: Sequence[Event]) -> Any:
    """Which technique sounds when: shape (1000, 7)."""
    import numpy as np

    grid = np.zeros((SECONDS * RATE, len(TECHNIQUES)), dtype=bool)
    for start, end, kind in events:
        grid[int(start * RATE) : int(end * RATE), kind] = True
    return grid


def _sums(read: Callable[[str], list[Event]]) -> Callable[[Sequence[Item]], Any]:
    def sums(items: Sequence[Item]) -> Any:
        import numpy as np

        rows = []
        for item in items:
            wanted, named = frames(read(item.label)), frames(read(item.reply))
            counts = ((wanted & named), wanted, named)
            rows.append(np.concatenate([each.sum(axis=0) for each in counts]))
        return np.array(rows, dtype=np.float64)

    return sums


def micro_f1(s: Any) -> Any:
    """Over all frames and techniques."""
    both, wanted, named = (s[..., 7 * k : 7 * k + 7].sum(axis=-1) for k in range(3))
    return 2 * both / (wanted + named)


def macro_f1(s: Any) -> Any:
    """Mean over the seven techniques; 0 for one that neither side has."""
    import numpy as np

    both, wanted, named = (s[..., 7 * k : 7 * k + 7] for k in range(3))
    below = wanted + named
    return np.where(below > 0, 2 * both / np.where(below > 0, below, 1), 0).mean(axis=-1)


_FIRST, _EVERY = _sums(published_events), _sums(events_of_clip)
MEASURES = (
    Measure("micro F1 of the first event", True, _FIRST, micro_f1),
    Measure("macro F1 of the first event", True, _FIRST, macro_f1),
    Measure("micro F1 of all events", False, _EVERY, micro_f1),
    Measure("macro F1 of all events", False, _EVERY, macro_f1),
)
