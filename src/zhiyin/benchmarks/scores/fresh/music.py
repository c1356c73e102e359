"""What is engraved: one staff of spelled pitches and exact durations."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from zhiyin.music.theory import LETTERS, NATURALS, SIGNS, alteration

Clef = Literal["treble", "bass", "alto", "tenor"]
BOTTOM: dict[Clef, int] = {"treble": 30, "bass": 18, "alto": 24, "tenor": 22}
"""The place of the lowest line, in `Pitch.place`: E4, G2, F3 and D3."""
TOP_LINE = 8
"""The highest line, in steps above the lowest one."""
_ODD = {("E", 1), ("B", 1), ("C", -1), ("F", -1)}
"""Spellings that a reader meets in remote keys alone."""


class Pitch(msgspec.Struct, frozen=True):
    """A spelled pitch: the `place` of its letter (C0 = 0, D0 = 1, ...) and its alteration."""

    place: int
    alter: int = 0

    @property
    def letter(self) -> str:
        return LETTERS[self.place % 7]

    @property
    def octave(self) -> int:
        """As it is written: middle C begins octave 4."""
        return self.place // 7

    @property
    def name(self) -> str:
        """Such as ``F#4``."""
        return f"{self.letter}{SIGNS[self.alter]}{self.octave}"

    @property
    def midi(self) -> int:
        return 12 * (self.octave + 1) + NATURALS[self.letter] + self.alter

    @property
    def common(self) -> bool:
        """Whether it has at most one sharp or flat, and is no E#, B#, Cb or Fb."""
        return abs(self.alter) <= 1 and (self.letter, self.alter) not in _ODD

    def in_key(self, fifths: int) -> bool:
        """Whether a key signature of so many sharps (flats: below 0) gives it its alteration."""
        return self.alter == alteration(self.letter, fifths)


class Value(msgspec.Struct, frozen=True, order=True):
    """A note value: 1 for a whole, 2 for a half, 4 for a quarter; dotted or not."""

    part: int
    dotted: bool = False

    @property
    def quarters(self) -> Fraction:
        return Fraction(4, self.part) * (Fraction(3, 2) if self.dotted else 1)

    @property
    def name(self) -> str:
        """Such as ``4.`` for a dotted quarter."""
        return f"{self.part}{'.' if self.dotted else ''}"


class Event(msgspec.Struct, frozen=True):
    """A note, a chord (its pitches from the lowest up) or, without pitches, a rest."""

    value: Value
    pitches: tuple[Pitch, ...] = ()


class Bar(msgspec.Struct, frozen=True):
    """A bar: the events of each voice, the upper voice first, and the mark below its beginning."""

    voices: tuple[tuple[Event, ...], ...]
    dynamic: str = ""


class Piece(msgspec.Struct, frozen=True):
    """One staff of music.

    `fifths` is the key signature: sharps above 0, flats below. `metre` is beats and their value.
    `shown` says whether the time signature is drawn.
    """

    clef: Clef
    fifths: int
    metre: tuple[int, int]
    bars: tuple[Bar, ...]
    shown: bool = True


def interval(low: Pitch, high: Pitch) -> tuple[int, str]:
    """Number (1 to 8 and on) and quality ("m", "M", "P", "A", "d") from one pitch up to another.

    The quality is "?" where it is more than augmented or diminished.
    """
    steps = high.place - low.place
    natural = (0, 2, 4, 5, 7, 9, 11)[steps % 7] + 12 * (steps // 7)
    over = high.midi - low.midi - natural
    if steps % 7 in (0, 3, 4):
        quality = {0: "P", 1: "A", -1: "d"}.get(over, "?")
    else:
        quality = {0: "M", -1: "m", 1: "A", -2: "d"}.get(over, "?")
    return steps + 1, quality
