"""Chords: from Roman numerals in a key to pitches, and the four cadences.

Conventions
-----------
A numeral names a chord by its degree, capital for a major third; "7" adds the seventh usual in
the style ("V7" minor, "Imaj7" major). In minor, V is major: the leading note is raised. A bar
of a progression is one numeral, or several with spaces between, which share the bar evenly.
"""

from __future__ import annotations

import re

from zhiyin.errors import InputError
from zhiyin.music.theory import QUALITIES, SCALES, Key, pitch_class

_DEGREES = ("I", "II", "III", "IV", "V", "VI", "VII")
_NUMERAL = re.compile(r"(VII|VI|V|IV|III|II|I|vii|vi|v|iv|iii|ii|i)(o|maj7|7|)")

CADENCES: dict[str, tuple[str, str]] = {
    "authentic": ("V7", "I"),
    "plagal": ("IV", "I"),
    "half": ("IV", "V"),
    "deceptive": ("V7", "vi"),
}
"""The last two chords of a piece, as written in major."""


def cadence(kind: str, mode: str) -> tuple[str, str]:
    """The two chords of a cadence in a mode."""
    minor = {"I": "i", "IV": "iv", "vi": "VI"}
    first, last = CADENCES[kind]
    return (minor.get(first, first), minor.get(last, last)) if mode == "minor" else (first, last)


def chord(numeral: str, key: Key) -> tuple[int, ...]:
    """Pitch classes of a chord, root first.

    Raises
    ------
    InputError
        `numeral` is none.
    """
    match = _NUMERAL.fullmatch(numeral)
    if match is None:
        raise InputError(f"{numeral!r} is no chord: write a Roman numeral such as IV or V7")
    degree, ending = match.groups()
    root = pitch_class(key.tonic) + SCALES[key.mode][_DEGREES.index(degree.upper())]
    if ending == "o":
        quality = "diminished"
    elif degree.isupper():
        quality = {"": "major", "7": "dominant", "maj7": "major7"}[ending]
    else:
        quality = "minor7" if ending == "7" else "minor"
    return tuple((root + step) % 12 for step in QUALITIES[quality])


def chord_at(bar: str, place: float, key: Key) -> tuple[int, ...]:
    """The chord that sounds at a place of a bar, from 0 (its beginning) to below 1."""
    numerals = bar.split()
    return chord(numerals[int(place * len(numerals))], key)


def voicing(classes: tuple[int, ...], centre: int) -> tuple[int, ...]:
    """Pitches of a chord in close position around `centre`, ascending.

    Each pitch class goes to its place nearest to the centre, so that successive chords share
    their register and common notes stay.
    """
    return tuple(sorted(centre + (c - centre + 6) % 12 - 6 for c in classes))
