"""Names of pitches, for lines that people read."""

from __future__ import annotations

from zhiyin.music.theory import ROOTS


def pitch_class_name(pitch_class: int) -> str:
    """The name of a pitch class, 0 (C) to 11 (B)."""
    return ROOTS[pitch_class % 12]


def pitch_name(pitch: int) -> str:
    """The name and octave of a MIDI pitch: 60 is C4."""
    return f"{ROOTS[pitch % 12]}{pitch // 12 - 1}"
