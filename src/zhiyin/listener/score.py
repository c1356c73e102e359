"""Reading instead of hearing: the same findings from the notes of MIDI text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from zhiyin.listener.chord import HeardChord
from zhiyin.listener.melody import HeardMelody
from zhiyin.listener.names import pitch_name
from zhiyin.listener.rhythm import SLOTS, HeardRhythm, find_grid, nothing
from zhiyin.music.midi import KICKS, SNARES
from zhiyin.music.solvers import chord_quality, count_offbeats

if TYPE_CHECKING:
    from zhiyin.music.midi import Note


def read_chord(notes: Sequence[Note]) -> HeardChord:
    """The chord of all notes together; the lowest is its root."""
    pitches = tuple(sorted({note.pitch for note in notes}))
    quality = chord_quality(pitches)
    root = pitches[0] % 12 if quality else None
    names = " ".join(map(pitch_name, pitches))
    return HeardChord(pitches, root, quality, float(quality is not None), f"read {names}")


def read_melody(notes: Sequence[Note]) -> HeardMelody:
    """The melody of all notes in the order of their onsets."""
    ordered = sorted(notes, key=lambda note: (note.start, note.pitch))
    return HeardMelody(
        tuple(note.pitch for note in ordered),
        tuple(note.start for note in ordered),
        tuple(note.duration for note in ordered),
        (1.0,) * len(ordered),
        "read " + " ".join(pitch_name(note.pitch) for note in ordered),
    )


def read_rhythm(notes: Sequence[Note]) -> HeardRhythm:
    """Four bars of drums on the grid of eighth notes that the strokes themselves form."""
    times = np.unique([note.start for note in notes])
    grid = find_grid(times, np.ones(len(times)), float("inf")) if notes else None
    if grid is None:
        return nothing("read no steady eighth notes over four bars")

    def slots(keep: Collection[int] | None) -> tuple[int, ...]:
        starts = [n.start for n in notes if (n.pitch in keep if keep else True)]
        places = {round((start - grid.start) / grid.eighth) + 1 for start in starts}
        return tuple(sorted(places & set(range(1, SLOTS + 1))))

    kicks, snares = slots(KICKS), slots(SNARES)
    hats = tuple(sorted({*slots(None)} - {*kicks, *snares}))
    count = count_offbeats({*kicks, *snares})
    tempo = 30.0 / grid.eighth
    why = f"read kick {list(kicks)}, snare {list(snares)}: {count} off the beat"
    return HeardRhythm(kicks, snares, hats, tempo, count, why)
