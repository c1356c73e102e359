"""Hearing a melody: its notes one after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from zhiyin.plugins.music.listener.spectrum import (
    LOW,
    Answer,
    Array,
    SoundEvent,
    events,
    pitch_name,
    prepared,
)
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
    """A melody as it was heard.

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


def sung(heard: Sequence[SoundEvent]) -> list[tuple[SoundEvent, int]]:
    """The events that are notes, each with its MIDI pitch."""
    loudest = max((e.level for e in heard), default=0.0)
    clear = [e for e in heard if evidence(e).max() >= CLEAR]
    notes: list[tuple[SoundEvent, int]] = []
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


def clearness(event: SoundEvent, pitch: int, repeated: bool) -> float:
    """Rate how surely a pitch was heard in an event, 0 to 1; a repeated one need not be new."""
    new, sounding = event.strengths[pitch - LOW], event.sounding[pitch - LOW]
    return float(sounding if repeated else (new + sounding) / 2.0)


def evidence(event: SoundEvent) -> Array:
    """Add up the evidence for each pitch: what is new, and what sounds; shape as `strengths`.

    A string that is struck again mostly renews its overtones, which alone would be heard as a
    higher note; a note that rings on is never as strong as one that begins.
    """
    return event.strengths + SOUNDING * event.sounding


# Whether two heard melodies are the same: in another key, altered, or different.

SHIFTS = 24
"""Transpositions by up to two octaves are looked for."""

OCTAVE = 0.3
"""Cost of a note heard an octave off, as a part of that of another pitch."""

GAP = 0.6
"""Cost of a note that only one melody has, likewise; two gaps cost more than one clash."""

SAME, ALTERED = 0.3, 0.5
"""Greatest cost for two melodies to be the same, or one an altered version of the other."""

FASTEST = 2.5
"""One melody may be played this many times as fast as the other."""

RUBATO = 0.25
"""A shared note may stray from a steady pace by this share of the melody's length."""

TOGETHER_S = 0.12
"""Notes that begin within this time begin together."""

SURE = 0.5
"""Two notes clash where both pitches were heard at least this clearly."""


@dataclass(frozen=True)
class MelodyMatch:
    """A comparison of two heard melodies.

    Attributes
    ----------
    same : bool or None
        Whether they are one melody, in whatever key; None where one of them was not heard.
    shift : int or None
        Semitones from the first up to the second that bring them closest; None where unheard.
    altered : bool
        Whether they would be the same but for changed notes; then `same` is False.
    cost : float
        Share of time in which they disagree under that shift, 0 to 1.
    why : str
        One line for people.
    """

    same: bool | None
    shift: int | None
    altered: bool
    cost: float
    why: str


def same_melody(a: HeardMelody, b: HeardMelody) -> MelodyMatch:
    """Compare two melodies, up to transposition.

    The shift under which most of the two melodies can be aligned sets one against the other,
    and the aligned notes tell how the time of one runs in the other. Where two notes then begin
    together and are clearly of different pitch, one melody is another or has been altered. A
    note that was missed, added or heard an octave off only adds to the cost.
    """
    if not a.pitches or not b.pitches:
        return MelodyMatch(None, None, False, 1.0, a.why if not a.pitches else b.why)
    shift, pairs = closest(a, b)
    clock = pace(a, b, pairs)
    cost = 1.0 if clock is None else unlike(a, b, shift, clock)
    against = 0 if clock is None else clashes(a, b, shift, clock)
    same = cost <= SAME and not against
    altered = not same and cost <= ALTERED
    move = "at the same pitch" if shift == 0 else f"{shift:+d} semitones apart"
    if same:
        verdict = f"heard the same melody twice, {move}"
    elif altered:
        verdict = f"heard a melody and an altered version of it, {move}"
    else:
        verdict = "heard two different melodies"
    spelt = " / ".join(" ".join(map(pitch_name, m.pitches)) for m in (a, b))
    return MelodyMatch(same, shift, altered, cost, f"{verdict}: {spelt}")


def closest(a: HeardMelody, b: HeardMelody) -> tuple[int, list[tuple[int, int]]]:
    """The shift (semitones) under which two melodies align best, and the notes then equal."""
    lasting = [np.diff((*m.onsets, end_of(m))) for m in (a, b)]
    shares = [lengths / lengths.sum() for lengths in lasting]
    shifts = sorted(range(-SHIFTS, SHIFTS + 1), key=abs)
    tried = [align(np.array(a.pitches) + s, np.array(b.pitches), *shares) for s in shifts]
    best = min(range(len(shifts)), key=lambda i: tried[i][0])
    return shifts[best], tried[best][1]


def align(
    a: Array, b: Array, share_a: Array, share_b: Array
) -> tuple[float, list[tuple[int, int]]]:
    """The cheapest alignment of two pitch sequences (Needleman and Wunsch, J. Mol. Biol. 48, 1970).

    Parameters
    ----------
    a, b : ndarray of int, shape (n,) and (m,)
        MIDI pitches, already shifted onto each other.
    share_a, share_b : ndarray, shape (n,) and (m,)
        How much of its melody each note lasts; either sums to 1.

    Returns
    -------
    cost : float
        From 0 (equal) to 1.
    equal : list of tuple of int
        Places in `a` and `b` of the notes aligned at equal pitch, last first.
    """
    longer, shorter = (f(share_a[:, None], share_b[None, :]) for f in (np.maximum, np.minimum))
    swap = clash(a[:, None], b[None, :]) * shorter + GAP * (longer - shorter)
    drop_a, drop_b = GAP * share_a, GAP * share_b
    cost = np.zeros((len(a) + 1, len(b) + 1))
    cost[1:, 0], cost[0, 1:] = np.cumsum(drop_a), np.cumsum(drop_b)
    for i in range(len(a)):
        for j in range(len(b)):
            cost[i + 1, j + 1] = min(
                cost[i, j] + swap[i, j], cost[i, j + 1] + drop_a[i], cost[i + 1, j] + drop_b[j]
            )
    equal = []
    i, j = len(a), len(b)
    while i and j:
        if cost[i, j] == cost[i - 1, j - 1] + swap[i - 1, j - 1]:
            i, j = i - 1, j - 1
            if a[i] == b[j]:
                equal.append((i, j))
        elif cost[i, j] == cost[i - 1, j] + drop_a[i - 1]:
            i -= 1
        else:
            j -= 1
    return float(cost[-1, -1]), equal


def clash(a: Array, b: Array) -> Array:
    """Rate how badly pitches disagree: 0 for equal ones, `OCTAVE` for octaves, 1 for others."""
    apart = np.abs(a - b)
    return np.where(apart == 0, 0.0, np.where(apart % 12 == 0, OCTAVE, 1.0))


@dataclass(frozen=True)
class Clock:
    """A map of time from one melody to another: straight lines between notes they share.

    Attributes
    ----------
    here, there : ndarray, shape (n,)
        Onsets of the shared notes in the one and in the other, in seconds, ascending; n >= 3.
    rate : float
        Seconds there for a second here, before the first and after the last shared note.
    """

    here: Array
    there: Array
    rate: float

    def __call__(self, times: Array) -> Array:
        """Times in the one melody as times in the other (seconds)."""
        inside = np.interp(times, self.here, self.there)
        early = np.minimum(0.0, times - self.here[0])
        late = np.maximum(0.0, times - self.here[-1])
        return np.asarray(inside + self.rate * (early + late))


def pace(a: HeardMelody, b: HeardMelody, pairs: Sequence[tuple[int, int]]) -> Clock | None:
    """Fit how time in `a` runs in `b`, by the notes they share; None where no steady pace fits.

    The median of the slopes between all pairs of notes (Theil and Sen) tells the pace; notes
    that stray far from it were aligned by chance and are left out.
    """
    if len(pairs) < 3:
        return None
    x = np.array([a.onsets[i] for i, _ in reversed(pairs)])
    y = np.array([b.onsets[j] for _, j in reversed(pairs)])
    first, second = np.triu_indices(len(x), 1)
    rate = float(np.median((y[first] - y[second]) / (x[first] - x[second])))
    if not 1.0 / FASTEST <= rate <= FASTEST:
        return None
    stray = np.abs(y - rate * x - np.median(y - rate * x))
    kept = stray <= RUBATO * (y[-1] - y[0])
    return Clock(x[kept], y[kept], rate) if kept.sum() >= 3 else None


def end_of(melody: HeardMelody) -> float:
    """End of the last note in seconds: it is taken to last no longer than most do."""
    return melody.onsets[-1] + min(melody.durations[-1], float(np.median(melody.durations)))


def unlike(a: HeardMelody, b: HeardMelody, shift: int, clock: Clock) -> float:
    """The share of time in which two melodies disagree, 0 to 1.

    Where one has not begun or is over, its first or last note is taken to be held.
    """
    onsets_a, onsets_b = clock(np.array(a.onsets)), np.array(b.onsets)
    end = max(float(clock(np.array([end_of(a)]))[0]), end_of(b))
    moments = np.linspace(min(onsets_a[0], onsets_b[0]), end, 400)
    place_a = np.searchsorted(onsets_a[1:], moments, side="right")
    place_b = np.searchsorted(onsets_b[1:], moments, side="right")
    apart = clash(np.array(a.pitches)[place_a] + shift, np.array(b.pitches)[place_b])
    return float(apart.mean())


def clashes(a: HeardMelody, b: HeardMelody, shift: int, clock: Clock) -> int:
    """Count the notes that begin together, clearly heard, and are not of one pitch class."""
    gaps = np.abs(clock(np.array(a.onsets))[:, None] - np.array(b.onsets)[None, :])
    together = gaps <= TOGETHER_S
    together &= (gaps == gaps.min(axis=0)) & (gaps == gaps.min(axis=1, keepdims=True))
    sure = np.minimum(np.array(a.clarity)[:, None], np.array(b.clarity)[None, :]) >= SURE
    apart = clash(np.array(a.pitches)[:, None] + shift, np.array(b.pitches)[None, :])
    return int(np.sum(together & sure & (apart == 1.0)))


# Hearing the shape of a run of notes: up, down, or with one turn.

Shape = Literal["ascending", "descending", "arch", "inverted arch"]

TURN_GAIN = 0.25
"""How much more concordant two stretches must be than one for a turn to be heard."""
SHORTEST = 3
"""Notes of a stretch, the turning note included."""


def hear_shape(sound: Sound) -> Answer:
    """The shape of a scale or broken chord.

    Judged by the concordance of all pairs of notes (Kendall's tau), over the whole or over two
    stretches that meet in one note: a note heard an octave off spoils few of the pairs.
    """
    heard = hear_melody(sound)
    if len(heard.pitches) < SHORTEST:
        return None, heard.why
    shape = shape_of(heard.pitches)
    names = " ".join(map(pitch_name, heard.pitches))
    return shape, f"heard {names}: {shape or 'no clear shape'}"


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
