"""Names of pitches, for lines that people read."""

from __future__ import annotations

NAMES = ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B")
"""Spelt as in Table S1 of Carone, Roman and Ripollés."""


def pitch_class_name(pitch_class: int) -> str:
    """The name of a pitch class, 0 (C) to 11 (B)."""
    return NAMES[pitch_class % 12]


def pitch_name(pitch: int) -> str:
    """The name and octave of a MIDI pitch: 60 is C4."""
    return f"{NAMES[pitch % 12]}{pitch // 12 - 1}"
