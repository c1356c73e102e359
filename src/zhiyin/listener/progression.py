"""Hearing chord progressions: which chords, whether two are the same, whether the key changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from zhiyin.listener.general import LONG_FRAMES, Hearing
from zhiyin.listener.names import pitch_class_name
from zhiyin.listener.spectrum import axis
from zhiyin.sound import Sound

Chord = int
"""A triad: pitch class of its root for a major one, that and 12 for a minor one."""

STAY = 6.0
"""How much better another chord must fit, summed over frames, before the chord changes."""
FIT = 8.0
"""Weight of the likeness of a frame with a triad."""
BASS_BELOW, BASS_WEIGHT = 53, 0.25
"""What sounds below F3 tells the root, with this weight beside the triad."""
LEAST_S = 0.35
"""A chord lasts at least this long."""
APART = 0.2
"""Edit distance for each chord, from which two progressions are different ones."""


@dataclass(frozen=True)
class ChordSpan:
    """One chord of a progression, from when to when, in seconds."""

    chord: Chord
    start: float
    end: float


def chord_name(chord: Chord) -> str:
    """Such as ``A`` or ``F#m``."""
    return pitch_class_name(chord % 12) + ("m" if chord >= 12 else "")


@lru_cache(maxsize=1)
def triads() -> NDArray[np.float64]:
    """Pitch classes of the 24 triads, each of length 1, shape (24, 12)."""
    rows = np.zeros((24, 12))
    for root in range(12):
        for minor in (0, 1):
            rows[root + 12 * minor, [root, (root + 4 - minor) % 12, (root + 7) % 12]] = 1.0
    unit: NDArray[np.float64] = rows / np.sqrt(3.0)
    return unit


def bass_of(hearing: Hearing) -> NDArray[np.float64]:
    """Weight of each pitch class in the bass, shape (frames, 12)."""
    pitch = axis()
    used = (pitch < BASS_BELOW) & (np.abs(pitch - np.rint(pitch)) < 0.1)
    classes = np.rint(pitch[used]).astype(int) % 12
    level = np.sqrt(hearing.long[:, used])
    folded = np.zeros((len(level), 12))
    for pitch_class in range(12):
        folded[:, pitch_class] = level[:, classes == pitch_class].sum(axis=1)
    return folded


def hear_chords(sound: Sound) -> list[ChordSpan]:
    """The triads of a recording, one after another (Viterbi); empty where nothing is heard."""
    hearing = Hearing(sound)
    if hearing.samples is None:
        return []
    chroma, bass = hearing.chroma, bass_of(hearing)
    sounding = chroma.sum(axis=1) > 0.15 * np.percentile(chroma.sum(axis=1), 90)
    chroma = chroma - chroma.min(axis=1, keepdims=True)
    upper = chroma / (np.linalg.norm(chroma, axis=1, keepdims=True) + 1e-9)
    lower = bass / (np.linalg.norm(bass, axis=1, keepdims=True) + 1e-9)
    fit = upper @ triads().T + BASS_WEIGHT * np.tile(lower, 2)
    path = _likeliest(FIT * fit * sounding[:, None])
    frames = np.flatnonzero(sounding)
    if not len(frames):
        return []
    return _merged(path, int(frames[0]), int(frames[-1]) + 1)


def _likeliest(fit: NDArray[np.float64]) -> NDArray[np.intp]:
    """The path of best fit that changes only where it pays."""
    total = fit[0].copy()
    back = np.zeros(fit.shape, dtype=np.intp)
    own = np.arange(fit.shape[1])
    for frame in range(1, len(fit)):
        best = int(total.argmax())
        moved = total[best] - STAY
        back[frame] = np.where(total >= moved, own, best)
        total = np.maximum(total, moved) + fit[frame]
    path = np.zeros(len(fit), dtype=np.intp)
    path[-1] = int(total.argmax())
    for frame in range(len(fit) - 1, 0, -1):
        path[frame - 1] = back[frame, path[frame]]
    return path


def _merged(path: NDArray[np.intp], first: int, last: int) -> list[ChordSpan]:
    edges = [first, *(np.flatnonzero(np.diff(path[first:last])) + first + 1), last]
    spans: list[ChordSpan] = []
    for low, high in pairwise(edges):
        chord, start, end = int(path[low]), low / LONG_FRAMES, high / LONG_FRAMES
        if end - start < LEAST_S:
            continue
        if spans and spans[-1].chord == chord:
            spans[-1] = ChordSpan(chord, spans[-1].start, end)
        else:
            spans.append(ChordSpan(chord, start, end))
    return spans


def distance(a: Sequence[Chord], b: Sequence[Chord]) -> float:
    """The least edit distance over twelve shifts, for each chord of the longer one, 0 to 1."""
    moved = ([(c + shift) % 12 + 12 * (c >= 12) for c in a] for shift in range(12))
    longest = max(len(a), len(b), 1)
    return min(_edits(row, b) for row in moved) / longest


def _edits(a: Sequence[Chord], b: Sequence[Chord]) -> float:
    row = np.arange(len(b) + 1, dtype=float)
    for place, chord in enumerate(a, 1):
        last, row[0] = row[0], float(place)
        for other, theirs in enumerate(b, 1):
            swapped = last + _clash(chord, theirs)
            last = row[other]
            row[other] = min(swapped, row[other] + 1.0, row[other - 1] + 1.0)
    return float(row[-1])


def _clash(a: Chord, b: Chord) -> float:
    """0 for one chord, a half for major and minor on one root, 1 for others."""
    if a == b:
        return 0.0
    return 0.5 if a % 12 == b % 12 else 1.0


def cycle_of(chords: Sequence[Chord]) -> list[Chord]:
    """The shortest beginning that a progression repeats to its end; else the whole of it."""
    for size in range(2, len(chords) // 2 + 1):
        again = [chords[place % size] for place in range(len(chords))]
        if sum(x != y for x, y in zip(again, chords, strict=True)) <= len(chords) // 8:
            return list(chords[:size])
    return list(chords)


def same_progression(a: Sound, b: Sound) -> tuple[bool | None, str]:
    """Whether two progressions are one, in whatever key; None where one is not heard."""
    rows = [[heard.chord for heard in hear_chords(sound)] for sound in (a, b)]
    names = " / ".join(" ".join(map(chord_name, row)) for row in rows)
    if not all(rows):
        return None, "heard no chords in one of the recordings"
    far = min(distance(*rows), distance(*map(cycle_of, rows)))
    return far < APART, f"heard {names}: they differ by {far:.2f} a chord"


MAJOR_KEY = {0: 0.28, 5: 0.2, 7: 0.22, 14: 0.08, 21: 0.14, 16: 0.04}
MINOR_KEY = {12: 0.28, 17: 0.16, 7: 0.18, 19: 0.06, 8: 0.12, 3: 0.08, 10: 0.08}
"""How often each triad occurs in C major and in C minor (V major or minor): round figures."""
FOREIGN = 0.004
"""How often a triad outside them does."""
MODULATES = 4.0
"""Least gain of two keys over one, in nats, for a change of key."""


def hear_modulation(sound: Sound) -> tuple[bool | None, str]:
    """Whether the key changes for good; None where no chords are heard."""
    chords = [heard.chord for heard in hear_chords(sound)]
    if len(chords) < 4:
        return None, "heard too few chords to tell a key"
    gain, first, second = key_gain(chords)
    names = " ".join(map(chord_name, chords))
    if gain < MODULATES:
        return False, f"heard {names}: one key explains them (two gain {gain:.1f})"
    return True, f"heard {names}: {chord_name(first)}, then {chord_name(second)} (gain {gain:.1f})"


def key_gain(chords: Sequence[Chord]) -> tuple[float, int, int]:
    """How much better two keys explain chords than one, in nats, and which two."""
    fit = np.array([[_log_share(chord, key) for key in range(24)] for chord in chords])
    before = np.cumsum(fit, axis=0)
    whole = before[-1]
    best = (0.0, 0, 0)
    for place in range(2, len(chords) - 1):
        first, rest = before[place - 1], whole - before[place - 1]
        gain = float(first.max() + rest.max() - whole.max())
        if gain > best[0]:
            best = (gain, int(first.argmax()), int(rest.argmax()))
    return best


def _log_share(chord: Chord, key: int) -> float:
    moved = (chord - key) % 12 + 12 * (chord >= 12)
    shares = MAJOR_KEY if key < 12 else MINOR_KEY
    return float(np.log(shares.get(moved, FOREIGN)))
