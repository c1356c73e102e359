"""Hearing a melody: the notes one after another, and whether two melodies are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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

CLEAR = 0.35
"""Least evidence for the pitch of a note."""

GRACE_S = 0.1
"""An event that a stronger one follows within this time belongs to it (pick, slide)."""

STRUCK, SWELLED = 0.15, 0.05
"""A note is repeated where all bands rise by the first at once; or by the second, where it
brings `SWELL_FRESH` of new energy at least `SWELL_S` after the note began."""

SWELL_FRESH, SWELL_S = 0.2, 0.25

SHIFTS = 24
"""Transpositions by up to two octaves are looked for."""

OCTAVE = 0.3
"""Cost of a note heard an octave off, as a part of that of another pitch."""

GAP = 0.6
"""Cost of a note that only one melody has, likewise; two gaps cost more than one clash."""

SAME, ALTERED = 0.2, 0.45
"""Greatest cost for two melodies to be the same, or one an altered version of the other."""

SURE = 0.5
"""Two notes clash where both pitches were heard at least this clearly."""


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
        How surely each pitch was heard: its share of what began, or sounds, with it; 0 to 1.
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
        float(max(event.strengths[pitch - LOW], event.sounding[pitch - LOW]))
        for event, pitch in notes
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


def evidence(event: Event) -> Array:
    """How much speaks for each pitch: what is new, and what sounds where little is new."""
    return np.asarray(event.strengths + (1.0 - event.fresh) * event.sounding)


@dataclass(frozen=True)
class MelodyMatch:
    """How two heard melodies compare.

    Attributes
    ----------
    same : bool or None
        Whether they are one melody, in whatever key; None where one of them was not heard.
    shift : int or None
        Semitones from the first up to the second that bring them closest; None where unheard.
    altered : bool
        Whether they would be the same but for changed notes; then `same` is False.
    cost : float
        Distance under that shift, 0 (alike) to 1.
    why : str
        One line for people.
    """

    same: bool | None
    shift: int | None
    altered: bool
    cost: float
    why: str


def same_melody(a: HeardMelody, b: HeardMelody) -> MelodyMatch:
    """Whether two melodies are the same up to transposition.

    Under every shift the notes are aligned at the least cost, each weighing as much as it
    lasts. Notes that were missed, added or heard an octave off are slips of the ear and cost
    little; a note that stands against another pitch speaks for a changed or another melody.
    """
    if not a.pitches or not b.pitches:
        return MelodyMatch(None, None, False, 1.0, a.why if not a.pitches else b.why)
    weights = [np.array(m.durations) / sum(m.durations) for m in (a, b)]
    shifts = sorted(range(-SHIFTS, SHIFTS + 1), key=abs)
    tried = [align(np.array(a.pitches) + s, np.array(b.pitches), *weights) for s in shifts]
    best = min(range(len(shifts)), key=lambda i: tried[i][0])
    cost, clashes = tried[best]
    against = [pair for pair in clashes if min(a.clarity[pair[0]], b.clarity[pair[1]]) >= SURE]
    shift = shifts[best]
    same = cost <= SAME and not against
    altered = bool(against) and cost <= ALTERED
    move = "at the same pitch" if shift == 0 else f"{shift:+d} semitones apart"
    if same:
        verdict = f"heard the same melody twice, {move}"
    elif altered:
        verdict = f"heard a melody and an altered version of it, {move}"
    else:
        verdict = "heard two different melodies"
    spelt = " / ".join(" ".join(map(pitch_name, m.pitches)) for m in (a, b))
    return MelodyMatch(same, shift, altered, cost, f"{verdict}: {spelt}")


def align(
    a: NDArray[np.int_],
    b: NDArray[np.int_],
    weight_a: Array,
    weight_b: Array,
) -> tuple[float, list[tuple[int, int]]]:
    """The cheapest alignment of two pitch sequences (Needleman and Wunsch).

    Parameters
    ----------
    a, b : ndarray of int, shape (n,) and (m,)
        MIDI pitches, already shifted onto each other.
    weight_a, weight_b : ndarray, shape (n,) and (m,)
        Share of each note in its melody; either sums to 1.

    Returns
    -------
    cost : float
        From 0 (equal) to 1.
    against : list of tuple of int
        Places in `a` and `b` of the notes that stand against another pitch class.
    """
    apart = np.abs(a[:, None] - b[None, :])
    clash = np.where(apart == 0, 0.0, np.where(apart % 12 == 0, OCTAVE, 1.0))
    swap = clash * (weight_a[:, None] + weight_b[None, :]) / 2.0
    drop_a, drop_b = GAP * weight_a, GAP * weight_b
    cost = np.zeros((len(a) + 1, len(b) + 1))
    cost[1:, 0], cost[0, 1:] = np.cumsum(drop_a), np.cumsum(drop_b)
    for i in range(len(a)):
        for j in range(len(b)):
            cost[i + 1, j + 1] = min(
                cost[i, j] + swap[i, j], cost[i, j + 1] + drop_a[i], cost[i + 1, j] + drop_b[j]
            )
    against = []
    i, j = len(a), len(b)
    while i and j:
        if cost[i, j] == cost[i - 1, j - 1] + swap[i - 1, j - 1]:
            i, j = i - 1, j - 1
            if clash[i, j] == 1.0:
                against.append((i, j))
        elif cost[i, j] == cost[i - 1, j] + drop_a[i - 1]:
            i -= 1
        else:
            j -= 1
    return float(cost[-1, -1]), against
