"""Hearing chords: which one, which ones follow each other, and whether the key changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from zhiyin.plugins.music.listener.pieces import LONG_FRAMES, Hearing
from zhiyin.plugins.music.listener.spectrum import (
    HIGH,
    LOW,
    Answer,
    Array,
    SoundEvent,
    events,
    pitch_class_name,
    pitch_name,
    prepared,
)
from zhiyin.plugins.music.solvers import CHORDS, Quality
from zhiyin.sound import Sound

CLASSES = np.arange(LOW, HIGH + 1) % 12

ONSET = 0.05
"""Least flux of an onset: notes of a chord are struck."""

PRESENT_AT, PRESENT_WIDTH = 0.30, 0.05
"""Strength at which a pitch is as likely present as absent, and the slope (logistic)."""

CLEAR = 0.3
"""An event none of whose notes has this strength is noise, not notes."""

FRESH = 0.05
"""An event adds notes where at least this share of its energy is new."""

ROOT_POSITION = 0.75
"""Prior probability that the lowest note of a chord is its root."""


@dataclass(frozen=True)
class HeardChord:
    """A chord as it was heard.

    Attributes
    ----------
    pitches : tuple of int
        MIDI pitches that sound anywhere in the recording, ascending; empty for none.
    root : int or None
        Pitch class of the root, 0 (C) to 11 (B); None where no chord was recognised.
    quality : {"major", "minor", "dominant", "diminished"} or None
        None where no chord was recognised.
    confidence : float
        Posterior probability of root and quality together, 0 to 1.
    why : str
        One line for people.
    """

    pitches: tuple[int, ...]
    root: int | None
    quality: Quality | None
    confidence: float
    why: str


def hear_chord(sound: Sound) -> HeardChord:
    """Recognise the one chord of a recording, played as a block, broken, or both.

    Every event is fitted with harmonic templates; a pitch is present as surely as in its
    clearest event. Chords compete by the probability of exactly their pitch classes, with a
    preference for the root in the bass and against an unknown chord of any classes.
    """
    samples = prepared(sound)
    if samples is None:
        return HeardChord((), None, None, 0.0, "heard nothing: the recording is silent")
    present = presence(events(samples, ONSET))
    pitches = tuple(int(i) + LOW for i in np.flatnonzero(present > 0.5))
    if not pitches:
        return HeardChord((), None, None, 0.0, "heard no clear note")
    root, quality, confidence = recognise(present)
    names = " ".join(map(pitch_name, pitches))
    if quality is None or root is None:
        why = f"heard {names}: none of the four chord qualities"
    else:
        why = f"heard {names}: {pitch_class_name(root)} {quality}"
    return HeardChord(pitches, root, quality, confidence, why)


def presence(heard: Sequence[SoundEvent]) -> Array:
    """Probability that each pitch from `LOW` up sounds, shape (HIGH - LOW + 1,)."""
    clear = [e.strengths for e in heard if e.fresh >= FRESH and e.strengths.max() >= CLEAR]
    if not clear:
        return np.zeros(len(CLASSES))
    best = np.max(clear, axis=0)
    return np.asarray(1.0 / (1.0 + np.exp(-(best - PRESENT_AT) / PRESENT_WIDTH)))


def recognise(present: Array) -> tuple[int | None, Quality | None, float]:
    """Root, quality and their posterior probability; None, None where another chord is likelier.

    The four qualities on twelve roots share half of the prior evenly; the other half belongs
    to any set of pitch classes whatever, each class as likely in it as not.
    """
    fits = fits_of(present)
    names = [(root, quality) for quality, root, _ in fits]
    scores = [fit for _, _, fit in fits]
    other = 12.0 * np.log(0.5) + np.log(len(names) / 12.0)
    weights = np.exp(np.array([*scores, other]))
    best = int(np.argmax(scores))
    confidence = float(weights[best] / weights.sum())
    if scores[best] <= other:
        return None, None, confidence
    return *names[best], confidence


def hear_triad(sound: Sound) -> Answer:
    """Tell a major from a minor triad in a recording that holds one of them; and why."""
    samples = prepared(sound)
    if samples is None:
        return None, "heard nothing: the recording is silent"
    present = presence(events(samples, ONSET))
    if present.max() < 0.5:
        return None, "heard no clear note"
    fits = {(q, r): f for q, r, f in fits_of(present) if q in ("major", "minor")}
    quality, root = max(fits, key=fits.__getitem__)
    names = " ".join(pitch_name(int(i) + LOW) for i in np.flatnonzero(present > 0.5))
    return quality, f"heard {names}: {pitch_class_name(root)} {quality}"


def fits_of(present: Array) -> list[tuple[Quality, int, float]]:
    """Every quality on every root, with the logarithm of its likelihood and of its bass."""
    doubt = np.clip(present, 0.005, 0.995)
    classes = np.array([doubt[c == CLASSES].max() for c in range(12)])
    bass = lowest(present)
    fits: list[tuple[Quality, int, float]] = []
    for quality, members in CHORDS.items():
        for root in range(12):
            within = np.zeros(12, dtype=bool)
            within[[(root + m) % 12 for m in members]] = True
            inverted = float(bass[within].sum() - bass[root]) / (len(members) - 1)
            position = ROOT_POSITION * bass[root] + (1.0 - ROOT_POSITION) * inverted
            likelihood = np.log(np.where(within, classes, 1.0 - classes)).sum()
            fits.append((quality, root, float(likelihood + np.log(position + 1e-3))))
    return fits


def lowest(present: Array) -> Array:
    """Probability that each pitch class holds the lowest note, shape (12,)."""
    nothing_below = np.concatenate([[1.0], np.cumprod(1.0 - present)[:-1]])
    return np.asarray(np.bincount(CLASSES, weights=present * nothing_below, minlength=12), float)


# Hearing chord progressions: which chords, whether two are the same, whether the key changes.

Chord = int
"""A triad: pitch class of its root for a major one, that and 12 for a minor one."""

STAY = 6.0
"""How much better another chord must fit, summed over frames, before the chord changes."""
FIT = 8.0
"""Weight of the likeness of a frame with a triad."""
BASS_WEIGHT = 0.25
"""What sounds in the bass tells the root, with this weight beside the triad."""
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
    """Name a chord, such as ``A`` or ``F#m``."""
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


def hear_chords(sound: Sound) -> list[ChordSpan]:
    """The triads of a recording, one after another (Viterbi); empty where nothing is heard."""
    hearing = Hearing(sound)
    if hearing.samples is None:
        return []
    chroma, bass = hearing.chroma, hearing.bass
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
    """Distance of two chords: 0 for one chord, 0.5 for major and minor on one root, else 1."""
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


def same_progression(a: Sound, b: Sound) -> Answer:
    """Tell whether two progressions are one, in whatever key; None where one is not heard."""
    rows = [[heard.chord for heard in hear_chords(sound)] for sound in (a, b)]
    names = " / ".join(" ".join(map(chord_name, row)) for row in rows)
    if not all(rows):
        return None, "heard no chords in one of the recordings"
    far = min(distance(*rows), distance(*map(cycle_of, rows)))
    return ("yes" if far < APART else "no"), f"heard {names}: they differ by {far:.2f} a chord"


MAJOR_KEY = {0: 0.28, 5: 0.2, 7: 0.22, 14: 0.08, 21: 0.14, 16: 0.04}
MINOR_KEY = {12: 0.28, 17: 0.16, 7: 0.18, 19: 0.06, 8: 0.12, 3: 0.08, 10: 0.08}
"""How often each triad occurs in C major and in C minor (V major or minor): round figures."""
FOREIGN = 0.004
"""How often a triad outside them does."""
MODULATES = 4.0
"""Least gain of two keys over one, in nats, for a change of key."""


def hear_modulation(sound: Sound) -> Answer:
    """Tell whether the key changes for good; None where no chords are heard."""
    chords = [heard.chord for heard in hear_chords(sound)]
    if len(chords) < 4:
        return None, "heard too few chords to tell a key"
    gain, first, second = key_gain(chords)
    names = " ".join(map(chord_name, chords))
    if gain < MODULATES:
        return "no", f"heard {names}: one key explains them (two gain {gain:.1f})"
    return "yes", f"heard {names}: {chord_name(first)}, then {chord_name(second)} (gain {gain:.1f})"


def key_gain(chords: Sequence[Chord]) -> tuple[float, int, int]:
    """Compute how much better two keys explain chords than one, in nats, and which two."""
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
