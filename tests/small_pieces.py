"""Pieces of a bar or two, for tests by hand."""

from __future__ import annotations

from fractions import Fraction as F

from zhiyin.plugins.music.notated import NotatedEvent, NotatedPart, NotatedPiece
from zhiyin.plugins.music.theory import Key


def line(*pitches, length=F(1), start=F(0)):
    return tuple(NotatedEvent(start + k * length, length, (p,)) for k, p in enumerate(pitches))


def chords(*names):
    return tuple(NotatedEvent(F(k), F(1), tuple(each.split())) for k, each in enumerate(names))


C_MAJOR = Key("C")
SCALE = ("C4", "D4", "E4", "F4", "G4", "A4", "B4", "C5")
TRIADS = {"I": "C3 E3 G3", "IV": "F3 A3 C4", "V": "G3 B3 D4", "vi": "A3 C4 E4", "bVI": "G#3 C4 D#4"}


def piece(*pitches, harmony=(), key: Key | None = C_MAJOR, metre=(4, 4), **more):
    parts = [NotatedPart(line(*pitches), "flute")]
    if harmony:
        parts.append(NotatedPart(chords(*(TRIADS.get(name, name) for name in harmony))))
    return NotatedPiece(tuple(parts), metre, len(pitches) // 4 or 1, key, **more)
