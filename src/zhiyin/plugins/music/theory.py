"""Pitch names and their spelling, keys, scales and chord qualities.

Conventions
-----------
Pitches are MIDI numbers, 0 to 127, with C4 = 60 (middle C). Pitch classes are 0 to 11 with
C = 0. A name keeps the octave of its letter: Cb4 is 59 and B#3 is 60. Accidentals are written
``#``, ``b``, ``x`` or ``##`` (double sharp) and ``bb`` (double flat); the signs ♯ ♭ 𝄪 𝄫 and
the words "sharp" and "flat" are understood as well.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import msgspec

from zhiyin.errors import InputError, did_you_mean

Mode = Literal["major", "minor"]

LETTERS = "CDEFGAB"
NATURALS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
ROOTS = ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B")
"""The twelve names, by pitch class, that chords are called by (as published recordings are)."""

SCALES: dict[str, tuple[int, ...]] = {
    "major": (0, 2, 4, 5, 7, 9, 11),
    "minor": (0, 2, 3, 5, 7, 8, 10),
    "harmonic minor": (0, 2, 3, 5, 7, 8, 11),
    "melodic minor": (0, 2, 3, 5, 7, 9, 11),
    "dorian": (0, 2, 3, 5, 7, 9, 10),
    "phrygian": (0, 1, 3, 5, 7, 8, 10),
    "lydian": (0, 2, 4, 6, 7, 9, 11),
    "mixolydian": (0, 2, 4, 5, 7, 9, 10),
    "locrian": (0, 1, 3, 5, 6, 8, 10),
}
"""Semitones above the tonic of the seven degrees; the melodic minor is the ascending one."""

QUALITIES: dict[str, tuple[int, ...]] = {
    "major": (0, 4, 7),
    "minor": (0, 3, 7),
    "dominant": (0, 4, 7, 10),
    "diminished": (0, 3, 6),
    "augmented": (0, 4, 8),
    "major7": (0, 4, 7, 11),
    "minor7": (0, 3, 7, 10),
    "half-diminished": (0, 3, 6, 10),
    "sus4": (0, 5, 7),
}
"""Semitones above the root, root first. "dominant" is the dominant seventh chord."""

_DEGREES = {
    name: tuple({0: 0, 3: 2, 4: 2, 5: 3, 6: 4, 7: 4, 8: 4, 10: 6, 11: 6}[step] for step in steps)
    for name, steps in QUALITIES.items()
}
SIGNS = {2: "##", 1: "#", 0: "", -1: "b", -2: "bb"}
"""Accidentals by the semitones that they raise a letter."""
ALTERS = {sign: semitones for semitones, sign in SIGNS.items()}
_NAME = re.compile(r"\s*([A-Ga-g])(##|#|x|bb|b|)(-?\d{1,2})?\s*")
_MINOR_SHIFT = 3
"""A minor key has the signature of the major key three fifths below its own tonic's."""


def _plain(text: str) -> str:
    """Accidentals written as signs or words, turned into ASCII."""
    for sign, plain in (("♯", "#"), ("♭", "b"), ("𝄪", "##"), ("𝄫", "bb")):
        text = text.replace(sign, plain)
    text = re.sub(r"(?<![\s-])[\s-]*+\bdouble[\s-]++", "double", text, flags=re.IGNORECASE)
    words = (("doublesharp", "##"), ("doubleflat", "bb"), ("sharp", "#"), ("flat", "b"))
    for word, plain in words:
        text = re.sub(rf"(?<![\s-])[\s-]*+{word}\s*+", plain, text, flags=re.IGNORECASE)
    return text


@lru_cache(maxsize=4096)
def _split(name: str) -> tuple[str, int, int | None]:
    """Letter, accidental in semitones, and octave (None where absent) of a pitch name."""
    match = _NAME.fullmatch(_plain(name))
    if match is None:
        raise InputError(f"{name!r} is not a pitch name: write a letter A-G, #, b, x, ## or bb")
    letter, accidental, octave = match.groups()
    return (
        letter.upper(),
        ALTERS[accidental.replace("x", "##")],
        None if octave is None else int(octave),
    )


def pitch_class(name: str) -> int:
    """Pitch class, 0 to 11, of a name with or without octave: "Cb" is 11, "E#" is 5.

    Raises
    ------
    InputError
        `name` is no pitch name.
    """
    letter, accidental, _ = _split(name)
    return (NATURALS[letter] + accidental) % 12


def parse_pitch(name: str) -> int:
    """MIDI number of a name with its octave: "C4" is 60, "Cb4" is 59, "B#3" is 60.

    Raises
    ------
    InputError
        `name` is no pitch name, has no octave, or lies outside 0 to 127.
    """
    letter, accidental, octave = _split(name)
    if octave is None:
        raise InputError(f"pitch name {name!r} has no octave: write for example {name.strip()}4")
    number = 12 * (octave + 1) + NATURALS[letter] + accidental
    if not 0 <= number <= 127:
        raise InputError(f"pitch {name!r} is MIDI {number}, outside 0-127 (C-1 to G9)")
    return number


def spell(fifths: int) -> str:
    """Name at a place on the line of fifths, C = 0, G = 1, F = -1; -15 (Fbb) to 19 (B##).

    Raises
    ------
    InputError
        The place would need a triple accidental.
    """
    accidental, place = divmod(fifths + 1, 7)
    if accidental not in SIGNS:
        raise InputError(f"no name at {fifths} fifths from C: it would need a triple accidental")
    return "FCGDAEB"[place] + SIGNS[accidental]


def fifths_of(name: str) -> int:
    """Place of a name on the line of fifths, C = 0: the inverse of `spell`."""
    letter, accidental, _ = _split(name)
    return "FCGDAEB".index(letter) - 1 + 7 * accidental


def alteration(letter: str, fifths: int) -> int:
    """Semitones by which a key signature (sharps positive, flats negative) alters a letter."""
    return (fifths - fifths_of(letter) + 5) // 7


class Key(msgspec.Struct, frozen=True):
    """A major or minor key.

    Attributes
    ----------
    tonic : str
        Name without octave, for example "Eb".
    mode : str
        "major" or "minor".
    """

    tonic: str
    mode: Mode = "major"

    @property
    def fifths(self) -> int:
        """Key signature: sharps when positive, flats when negative."""
        return fifths_of(self.tonic) - (_MINOR_SHIFT if self.mode == "minor" else 0)

    @property
    def name(self) -> str:
        """Name of the key, for example "Eb major"."""
        return f"{self.tonic} {self.mode}"

    def scale(self, kind: str | None = None) -> tuple[str, ...]:
        """The seven spelled names of the scale, tonic first.

        Parameters
        ----------
        kind : str, optional
            A name in `SCALES`; the key's own mode when not given.

        Raises
        ------
        InputError
            No such scale, or a degree would need a triple accidental.
        """
        steps = SCALES.get(kind or self.mode)
        if steps is None:
            raise InputError(f"unknown scale {kind!r}: {did_you_mean(str(kind), SCALES)}")
        return _spelled(self.tonic, tuple(range(7)), steps)

    def spell(self, pitch: int) -> str:
        """Name with octave of a MIDI number as this key writes it.

        Scale tones carry their own names; a chromatic tone takes the name nearest to the key
        on the line of fifths, a raised one where two are as near (G# rather than Ab in C).
        """
        centre = self.fifths + 2
        places = (place for place in range(-15, 20) if place * 7 % 12 == pitch % 12)
        name = spell(min(places, key=lambda place: (abs(place - centre), -place)))
        _, accidental, _ = _split(name)
        return f"{name}{(pitch - accidental) // 12 - 1}"


def parse_key(text: str) -> Key:
    """A key from "Eb", "Ebm", "E flat minor", "C# major", "F#min" or "abm".

    Raises
    ------
    InputError
        The text is no key, or a key with more than seven sharps or flats.
    """
    plain = _plain(text).strip()
    match = re.fullmatch(
        r"([A-Ga-g](?:##|#|x|bb|b)?)\s*(major|maj|M|minor|min|m|)", plain
    ) or re.fullmatch(r"([A-G](?:##|#|x|bb|b)?)\s*(major|maj|minor|min)", plain, re.IGNORECASE)
    if match is None:
        raise InputError(f"{text!r} is not a key: write for example 'Eb major' or 'C# minor'")
    tonic, mode = match[1][0].upper() + match[1][1:], match[2]
    minor = mode == "m" or mode.lower().startswith("min")
    key = Key(spell(fifths_of(tonic)), "minor" if minor else "major")
    if abs(key.fifths) > 7:
        raise InputError(f"{key.name} has no key signature: it needs {abs(key.fifths)} accidentals")
    return key


def key_at(tonic: int, mode: Mode = "major") -> Key:
    """The key on a pitch class with the fewest accidentals, flats where two are equal."""
    places = (place for place in range(-11, 12) if place * 7 % 12 == tonic % 12)
    keys = (Key(spell(place), mode) for place in places)
    return min(keys, key=lambda key: (abs(key.fifths), key.fifths))


def spell_chord(root: str, quality: str) -> tuple[str, ...]:
    """Names of a chord's tones, root first, a third or so apart: Db dominant is Db F Ab Cb.

    Raises
    ------
    InputError
        `root` is no pitch name, `quality` is not in `QUALITIES`, or a tone would need a
        triple accidental.
    """
    if quality not in QUALITIES:
        raise InputError(f"unknown chord quality {quality!r}: {did_you_mean(quality, QUALITIES)}")
    return _spelled(root, _DEGREES[quality], QUALITIES[quality])


@lru_cache(maxsize=1024)
def _spelled(tonic: str, degrees: tuple[int, ...], steps: tuple[int, ...]) -> tuple[str, ...]:
    """Names at `steps` semitones above `tonic` whose letters lie `degrees` letters above it."""
    letter, accidental, _ = _split(tonic)
    start = NATURALS[letter] + accidental
    names = []
    for degree, step in zip(degrees, steps, strict=True):
        octave, place = divmod(LETTERS.index(letter) + degree, 7)
        sign = start + step - 12 * octave - NATURALS[LETTERS[place]]
        if sign not in SIGNS:
            raise InputError(f"{tonic} is too far out to be spelled: a triple accidental is needed")
        names.append(LETTERS[place] + SIGNS[sign])
    return tuple(names)
