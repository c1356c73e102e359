"""Metres, bars and note values."""

from __future__ import annotations

from fractions import Fraction

from zhiyin.benchmarks.exercises.exercise import Exercise, Facts, Level, line, square
from zhiyin.music.stimuli.dice import Dice

_BELOW = {"easy": ((4,), (8,)), "default": ((4, 2), (8, 4)), "hard": ((2, 4, 8), (4, 8, 16))}
"""The lower figures of simple and compound metres, as many of each: so no kind has more to ask."""
_BEATS = {"easy": (2, 3), "default": (2, 3, 4), "hard": (2, 3, 4)}
VALUES = {
    "whole": 32, "half": 16, "quarter": 8, "eighth": 4, "sixteenth": 2, "thirty-second": 1,
}  # fmt: skip
"""Lengths in thirty-second notes."""
_LONG = {
    "easy": ("half", "quarter"),
    "default": ("whole", "half", "quarter"),
    "hard": ("whole", "half", "quarter", "eighth"),
}
_UNITS = {"easy": ("eighth",), "default": ("eighth", "sixteenth"), "hard": ("thirty-second",)}
_METRES = {
    "easy": ("2/4", "3/4", "4/4", "5/4"),
    "default": ("5/8", "3/4", "7/8", "4/4"),
    "hard": ("7/16", "2/4", "9/16", "5/8"),
}
_IN_BARS = {
    "easy": ("half", "quarter", "eighth"),
    "default": ("dotted quarter", "quarter", "eighth", "sixteenth"),
    "hard": ("dotted eighth", "eighth", "sixteenth", "thirty-second"),
}


def length(value: str) -> Fraction:
    """The length of a value such as ``dotted quarter``, in thirty-second notes."""
    plain = value.removeprefix("dotted ")
    return Fraction(VALUES[plain]) * (Fraction(3, 2) if plain != value else 1)


def metre(level: Level, dice: Dice) -> Exercise | None:
    """The kind of a metre, by its signature."""
    counts = dice.sample(_BEATS[level], 2)
    simple, compound = (dice.choice(below) for below in _BELOW[level])
    ways = [(division, count) for count in counts for division in ("simple", "compound")]

    def facts(right: int) -> Facts:
        division, count = ways[right]
        if division == "simple":
            return {"signature": f"{count}/{simple}"}
        return {"signature": f"{3 * count}/{compound}"}

    return square(dice, [f"{d} {c}" for d, c in ways], ("division", "beats"), facts)


def bar(level: Level, dice: Dice) -> Exercise | None:
    """The signature whose bar some values fill."""
    metres = _METRES[level]

    def facts(right: int) -> Facts | None:
        above, below = map(int, metres[right].split("/"))
        left, values = Fraction(32 * above, below), []
        while left > 0:
            fits = [value for value in _IN_BARS[level] if length(value) <= left]
            if not fits:
                return None
            values.append(dice.choice(fits))
            left -= length(values[-1])
        return {"values": ", ".join(values)}

    def mistake(right: int, other: int) -> str:
        return "one unit" if abs(right - other) == 1 else "several units"

    return line(dice, metres, mistake, facts)


def value(level: Level, dice: Dice) -> Exercise | None:
    """How many short notes last as long as a long one tied to another."""
    unit = dice.choice(_UNITS[level])
    long = dice.choice(_LONG[level])
    shorter = list(VALUES)[list(VALUES).index(long) + 1]
    tied = dice.choice(list(VALUES)[list(VALUES).index(shorter) + (level != "easy") :])
    ways = [dot + each for each in (long, shorter) for dot in ("", "dotted ")]
    counts = [(length(way) + length(tied)) / VALUES[unit] for way in ways]
    if any(count.denominator != 1 for count in counts):
        return None

    def facts(right: int) -> Facts:
        return {"long": ways[right], "tied": tied, "unit": unit}

    return square(dice, [str(count) for count in counts], ("dot", "value"), facts)
