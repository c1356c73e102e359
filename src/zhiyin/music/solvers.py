"""The deterministic solvers of three tasks: pure functions over integers.

They follow Carone, Roman and Ripollés, "LLMs can read music, but struggle to hear it",
supplementary section S3 ("Task schemas and deterministic solvers"), and decide nothing that
the rules there do not decide.

Conventions
-----------
slot
    Position of an onset in four bars of eighth notes, 1 to 32. Odd slots are on-beats, even
    slots are off-beats.
pitch
    MIDI note number, 0 to 127 (C4 = 60).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Literal

Quality = Literal["major", "minor", "dominant", "diminished"]

SLOTS = range(1, 33)
PITCHES = range(128)

LEVELS: dict[str, int] = {"A": 0, "B": 2, "C": 4, "D": 6, "E": 8}
"""Syncopation levels: the answer's letter and its number of off-beat onsets (S3)."""

CHORDS: dict[Quality, frozenset[int]] = {
    "major": frozenset({0, 4, 7}),
    "minor": frozenset({0, 3, 7}),
    "dominant": frozenset({0, 4, 7, 10}),
    "diminished": frozenset({0, 3, 6}),
}
"""Chord qualities as pitch classes, in semitones above the root (S3)."""

CHORD_LETTERS: dict[Quality, str] = {
    "major": "A",
    "minor": "B",
    "dominant": "C",
    "diminished": "D",
}
"""Chord qualities and the letters of their answers (S3)."""


def is_offbeat(slot: int) -> bool:
    """Whether a slot (1 to 32) lies between the beats: the even ones do."""
    return slot % 2 == 0


def count_offbeats(slots: Collection[int]) -> int:
    """How many off-beats carry an onset.

    Parameters
    ----------
    slots : collection of int, shape (n,)
        Onsets of kick and snare, 1 to 32, in any order. A slot that is named twice (kick and
        snare together) is one onset. The published solver adds up the list as it stands, so
        that a repeated off-beat counts twice there and the count is higher by the repeats.

    Returns
    -------
    int
        Number of distinct even slots, 0 to 16.
    """
    return sum(map(is_offbeat, set(slots)))


def syncopation_letter(count: int) -> str | None:
    """The answer for a number of off-beat onsets, "A" to "E"; None where no level has it."""
    return next((letter for letter, level in LEVELS.items() if level == count), None)


def are_transpositions(a: Sequence[int], b: Sequence[int]) -> bool | None:
    """Whether two melodies have the same intervals; rhythm is ignored.

    Parameters
    ----------
    a, b : sequence of int, shape (n,) and (m,)
        MIDI pitches in the order in which they sound.

    Returns
    -------
    bool or None
        None when both are empty. False when the lengths differ. True for two single notes.
        Otherwise whether the successive differences, in semitones, are equal. The unmoved
        melody is a transposition of itself.
    """
    if not a and not b:
        return None
    return len(a) == len(b) and intervals(a) == intervals(b)


def intervals(pitches: Sequence[int]) -> list[int]:
    """Differences between successive pitches, in semitones; shape (n,) gives (n - 1,)."""
    return [after - before for before, after in pairwise(pitches)]


def chord_quality(pitches: Collection[int]) -> Quality | None:
    """The quality of a chord in root position.

    Parameters
    ----------
    pitches : collection of int, shape (n,)
        MIDI pitches in any order, doublings allowed. The lowest is taken as the root.

    Returns
    -------
    {"major", "minor", "dominant", "diminished"} or None
        The quality whose pitch classes above the root are exactly those sounded; None where
        there is none (empty, inverted, incomplete or another chord).
    """
    if not pitches:
        return None
    root = min(pitches)
    sounded = {(pitch - root) % 12 for pitch in pitches}
    return next((quality for quality, classes in CHORDS.items() if classes == sounded), None)
