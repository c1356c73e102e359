"""Hearing the shape of a run of notes: up, down, or with one turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from zhiyin.listener.melody import hear_melody
from zhiyin.listener.names import pitch_name
from zhiyin.sound import Sound

Shape = Literal["ascending", "descending", "arch", "inverted arch"]

TURN_GAIN = 0.25
"""How much more concordant two stretches must be than one for a turn to be heard."""
SHORTEST = 3
"""Notes of a stretch, the turning note included."""


@dataclass(frozen=True)
class HeardShape:
    """The shape of a run of notes, or None, and why."""

    shape: Shape | None
    why: str


def hear_shape(sound: Sound) -> HeardShape:
    """The shape of a scale or broken chord.

    Judged by the concordance of all pairs of notes (Kendall's tau), over the whole or over two
    stretches that meet in one note: a note heard an octave off spoils few of the pairs.
    """
    heard = hear_melody(sound)
    if len(heard.pitches) < SHORTEST:
        return HeardShape(None, heard.why)
    shape = shape_of(heard.pitches)
    names = " ".join(map(pitch_name, heard.pitches))
    return HeardShape(shape, f"heard {names}: {shape or 'no clear shape'}")


def shape_of(pitches: Sequence[int]) -> Shape | None:
    """The shape of a row of MIDI pitches; None where nothing prevails."""
    whole = concordance(pitches)
    turns: dict[Shape, float] = {"arch": -1.0, "inverted arch": -1.0}
    for place in range(SHORTEST - 1, len(pitches) - SHORTEST + 1):
        first, second = pitches[: place + 1], pitches[place:]
        # Weighted by length: a turn near an end is mostly a note misheard.
        share = (len(first) * concordance(first) - len(second) * concordance(second)) / (
            len(pitches) + 1
        )
        turns["arch"] = max(turns["arch"], share)
        turns["inverted arch"] = max(turns["inverted arch"], -share)
    best = max(turns, key=turns.__getitem__)
    if turns[best] > abs(whole) + TURN_GAIN:
        return best
    if abs(whole) < TURN_GAIN:
        return None
    return "ascending" if whole > 0 else "descending"


def concordance(pitches: Sequence[int]) -> float:
    """Kendall's tau of pitch against time, -1 to 1: 1 where each note is higher than all before."""
    pairs = [
        (later > earlier) - (later < earlier)
        for place, earlier in enumerate(pitches)
        for later in pitches[place + 1 :]
    ]
    return sum(pairs) / len(pairs) if pairs else 0.0
