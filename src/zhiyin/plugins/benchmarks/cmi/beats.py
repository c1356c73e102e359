"""Times of beats and downbeats; and melodies as notes in time."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence

from zhiyin.plugins.benchmarks.cmi.measures import mean_of

MEASURES = (
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


def score(label: str, reply: str) -> tuple[dict[str, float], str]:
    """All scores of a reply, and how it was read."""
    import numpy as np
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
    import numpy as np
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
    import numpy as np
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
