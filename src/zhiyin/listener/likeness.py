"""Whether two heard melodies are the same: in another key, altered, or different."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zhiyin.listener.melody import HeardMelody
from zhiyin.listener.names import pitch_name
from zhiyin.listener.spectrum import Array

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
    """Whether two melodies are the same up to transposition.

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
    """How badly pitches disagree: 0 for equal ones, `OCTAVE` for octaves, 1 for others."""
    apart = np.abs(a - b)
    return np.where(apart == 0, 0.0, np.where(apart % 12 == 0, OCTAVE, 1.0))


@dataclass(frozen=True)
class Clock:
    """How the time of one melody runs in another: straight lines between notes they share.

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
    """How time in `a` runs in `b`, by the notes they share; None where no steady pace fits.

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
    """When the last note ends, in seconds: it is taken to last no longer than most do."""
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
    """How many notes begin together, clearly heard, and are not of one pitch class."""
    gaps = np.abs(clock(np.array(a.onsets))[:, None] - np.array(b.onsets)[None, :])
    together = gaps <= TOGETHER_S
    together &= (gaps == gaps.min(axis=0)) & (gaps == gaps.min(axis=1, keepdims=True))
    sure = np.minimum(np.array(a.clarity)[:, None], np.array(b.clarity)[None, :]) >= SURE
    apart = clash(np.array(a.pitches)[:, None] + shift, np.array(b.pitches)[None, :])
    return int(np.sum(together & sure & (apart == 1.0)))
