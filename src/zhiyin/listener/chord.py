"""Hearing a chord: which pitches sound, on which root they stand, and of what quality it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zhiyin.listener.names import pitch_class_name, pitch_name
from zhiyin.listener.notes import HIGH, LOW, Event, events
from zhiyin.listener.spectrum import Array, prepared
from zhiyin.music.solvers import CHORDS, Quality
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
    """What was heard of a chord.

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


def presence(heard: Sequence[Event]) -> Array:
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


def hear_triad(sound: Sound) -> tuple[Quality | None, str]:
    """Major or minor, for a recording of which it is known that it holds such a triad; and why."""
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
