"""Spelled notes that can be moved by an interval."""

from __future__ import annotations

from typing import NamedTuple

from zhiyin.music.notated.piece import accidental_of, octave_of
from zhiyin.music.stimuli.dice import Dice
from zhiyin.music.theory import ALTERS, LETTERS, NATURALS, SIGNS, spell

INTERVALS = {
    "P1": (0, 0), "m2": (1, 1), "M2": (1, 2), "A2": (1, 3), "d3": (2, 2), "m3": (2, 3),
    "M3": (2, 4), "d4": (3, 4), "P4": (3, 5), "A4": (3, 6), "d5": (4, 6), "P5": (4, 7),
    "A5": (4, 8), "m6": (5, 8), "M6": (5, 9), "A6": (5, 10), "d7": (6, 9), "m7": (6, 10),
    "M7": (6, 11), "P8": (7, 12),
}  # fmt: skip
"""Letters and semitones of each interval."""
REACH = {"easy": (-1, 5), "default": (-4, 7), "hard": (-8, 10)}
"""The places on the line of fifths from which names are drawn (C = 0), by difficulty."""


class Note(NamedTuple):
    """A spelled pitch: letters above C0, and by how many semitones it is altered."""

    step: int
    alter: int

    @property
    def letter(self) -> str:
        """``C`` to ``B``."""
        return LETTERS[self.step % 7]

    @property
    def name(self) -> str:
        """Without octave: ``F#``."""
        return self.letter + SIGNS[self.alter]

    @property
    def full(self) -> str:
        """With octave: ``F#4``."""
        return f"{self.name}{self.step // 7}"

    @property
    def midi(self) -> int:
        """C4 is 60."""
        return 12 * (self.step // 7 + 1) + NATURALS[self.letter] + self.alter

    def moved(self, interval: str, up: bool = True) -> Note | None:
        """A note an interval away; None where that would need three accidentals."""
        steps, semitones = INTERVALS[interval]
        sign = 1 if up else -1
        plain = Note(self.step + sign * steps, 0)
        alter = self.midi + sign * semitones - plain.midi
        return Note(plain.step, alter) if alter in SIGNS else None


def note(name: str, octave: int | None = None) -> Note:
    """The note of a name with octave, or of one without and an octave."""
    full = name if octave is None else f"{name}{octave}"
    return Note(LETTERS.index(full[0]) + 7 * octave_of(full), ALTERS[accidental_of(full)])


def draw_note(dice: Dice, level: str, low: int = 3, high: int = 5) -> Note:
    """Any note of the names of a difficulty, in octaves `low` to `high`."""
    return note(spell(dice.whole(*REACH[level])), dice.whole(low, high))


def plain(notes: list[Note | None], most: int = 1) -> list[Note] | None:
    """The notes, where there are all of them and none has more than `most` accidentals."""
    usable = [each for each in notes if each is not None and abs(each.alter) <= most]
    return usable if len(usable) == len(notes) else None


def names(notes: list[Note]) -> str:
    """Names without octaves: ``C E G``."""
    return " ".join(each.name for each in notes)


def full_names(notes: list[Note]) -> str:
    """Names with octaves: ``C4 E4 G4``."""
    return " ".join(each.full for each in notes)
