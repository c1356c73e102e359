"""Hearing a melody: its notes one after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zhiyin.listener.names import pitch_name
from zhiyin.listener.notes import LOW, Event, events
from zhiyin.listener.spectrum import Array, prepared
from zhiyin.sound import Sound

ONSET = 0.03
"""Least flux of an onset: a flute begins softly."""

FRESH = 0.08
"""Least share of new energy in an event that begins another note."""

LEVEL_DB = -26.0
"""A new note may be this much weaker than the strongest."""

SOUNDING = 1.5
"""Weight of what sounds after an onset, beside what is new."""

CLEAR = 0.6
"""Least evidence for the pitch of a note."""

GRACE_S = 0.1
"""An event that a stronger one follows within this time belongs to it (pick, slide)."""

STRUCK, SWELLED = 0.15, 0.05
"""A note is repeated where all bands rise by the first at once; or by the second, where it
brings `SWELL_FRESH` of new energy at least `SWELL_S` after the note began."""

SWELL_FRESH, SWELL_S = 0.2, 0.25


@dataclass(frozen=True)
class HeardMelody:
    """What was heard of a melody.

    Attributes
    ----------
    pitches : tuple of int
        MIDI pitches in the order in which they sound; empty for none.
    onsets : tuple of float
        When each note begins, in seconds.
    durations : tuple of float
        How long each note lasts until the next begins or the recording ends, in seconds.
    clarity : tuple of float
        How surely each pitch was heard: its share of what begins and sounds then, 0 to 1.
    why : str
        One line for people.
    """

    pitches: tuple[int, ...]
    onsets: tuple[float, ...]
    durations: tuple[float, ...]
    clarity: tuple[float, ...]
    why: str


def hear_melody(sound: Sound) -> HeardMelody:
    """Transcribe a melody without accompaniment; notes may ring into each other."""
    samples = prepared(sound)
    if samples is None:
        return HeardMelody((), (), (), (), "heard nothing: the recording is silent")
    notes = sung(events(samples, ONSET))
    if not notes:
        return HeardMelody((), (), (), (), "heard no clear note")
    onsets = tuple(event.time for event, _ in notes)
    ends = (*onsets[1:], sound.seconds)
    pitches = tuple(pitch for _, pitch in notes)
    clarity = tuple(
        clearness(event, pitch, pitch in pitches[max(0, i - 1) : i])
        for i, (event, pitch) in enumerate(notes)
    )
    why = "heard " + " ".join(map(pitch_name, pitches))
    durations = tuple(end - start for start, end in zip(onsets, ends, strict=True))
    return HeardMelody(pitches, onsets, durations, clarity, why)


def sung(heard: Sequence[Event]) -> list[tuple[Event, int]]:
    """The events that are notes, each with its MIDI pitch."""
    loudest = max((e.level for e in heard), default=0.0)
    clear = [e for e in heard if evidence(e).max() >= CLEAR]
    notes: list[tuple[Event, int]] = []
    for index, event in enumerate(clear):
        following = clear[index + 1] if index + 1 < len(clear) else None
        if following and following.time - event.time < GRACE_S and following.level > event.level:
            continue
        pitch = int(np.argmax(evidence(event))) + LOW
        since = event.time - notes[-1][0].time if notes else 0.0
        previous = notes[-1][1] if notes else None
        if pitch == previous:
            swelled = event.rise >= SWELLED and event.fresh >= SWELL_FRESH and since >= SWELL_S
            if since < GRACE_S or not (event.rise >= STRUCK or swelled):
                continue
        elif event.fresh < FRESH or event.level < loudest * 10.0 ** (LEVEL_DB / 20.0):
            continue
        notes.append((event, pitch))
    return notes


def clearness(event: Event, pitch: int, repeated: bool) -> float:
    """How surely a pitch was heard in an event, 0 to 1; a repeated one need not be new."""
    new, sounding = event.strengths[pitch - LOW], event.sounding[pitch - LOW]
    return float(sounding if repeated else (new + sounding) / 2.0)


def evidence(event: Event) -> Array:
    """How much speaks for each pitch: what is new, and what sounds; shape as `strengths`.

    A string that is struck again mostly renews its overtones, which alone would be heard as a
    higher note; a note that rings on is never as strong as one that begins.
    """
    return event.strengths + SOUNDING * event.sounding
