"""Metres, bars, note values, two voices and twelve-tone rows; and all makers of theory."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from zhiyin.plugins.composed.exercises import harmony, pitches
from zhiyin.plugins.composed.exercises.exercise import Exercise, Facts, Level, Maker, line, square
from zhiyin.plugins.composed.exercises.pitches import SpelledNote, full_names
from zhiyin.plugins.music.stimuli.dice import Dice
from zhiyin.plugins.music.theory import LETTERS, alteration

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
METRES = {
    "easy": ("2/4", "3/4", "4/4", "5/4"),
    "default": ("5/8", "3/4", "7/8", "4/4"),
    "hard": ("7/16", "2/4", "9/16", "5/8"),
}
"""Four whose bars differ in length, by difficulty."""
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
    metres = METRES[level]

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
    """Ask how many short notes last as long as a long one tied to another."""
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


FAULTS = ("parallel fifths", "hidden fifths", "parallel octaves", "hidden octaves")
FORMS = ("transposition", "retrograde", "inversion", "retrograde inversion")
_CHORDS = {"easy": 2, "default": 3, "hard": 5}
_TONES = {"easy": 4, "default": 6, "hard": 12}
_FIFTHS = {"easy": 0, "default": 2, "hard": 4}
_DRAWS = 400
_CONSONANT = {0, 3, 4, 7, 8, 9}
Pair = tuple[SpelledNote, SpelledNote]


def counterpoint(level: Level, dice: Dice) -> Exercise | None:
    """The one fault in two voices."""
    most = _FIFTHS[level]
    fifths = dice.whole(-most, most)
    voices_by_fault = [_voices(_CHORDS[level], fault, fifths, dice) for fault in FAULTS]

    def facts(right: int) -> Facts | None:
        voices = voices_by_fault[right]
        if voices is None:
            return None
        return {
            "lower": full_names([low for low, _ in voices]),
            "upper": full_names([high for _, high in voices]),
        }

    return square(dice, FAULTS, ("motion", "interval"), facts)


def _voices(count: int, fault: str, fifths: int, dice: Dice) -> list[Pair] | None:
    """Consonant intervals with one fault and no other."""

    def at(step: int) -> SpelledNote:
        return SpelledNote(step, alteration(LETTERS[step % 7], fifths))

    for _ in range(_DRAWS):
        low = dice.whole(20, 25)
        pairs = []
        for _ in range(count):
            pairs.append((at(low), at(low + dice.choice((2, 4, 5, 7, 9)))))
            low += dice.choice((-2, -1, 1, 2))
        if all(_interval(pair) in _CONSONANT for pair in pairs):
            faults = [
                name for before, after in pairwise(pairs) if (name := fault_of(before, after))
            ]
            if faults == [fault]:
                return pairs
    return None


def _interval(pair: Pair) -> int:
    return (pair[1].midi - pair[0].midi) % 12


def fault_of(before: Pair, after: Pair) -> str:
    """The fault in a step of two voices; "" for none.

    Parallel: one perfect fifth (or octave) after another, both voices in one direction. Hidden:
    both voices go in one direction to a fifth (or octave) from another interval.
    """
    lower, upper = after[0].midi - before[0].midi, after[1].midi - before[1].midi
    if lower * upper <= 0 or _interval(after) not in (0, 7):
        return ""
    kind = "fifths" if _interval(after) == 7 else "octaves"
    return f"{'parallel' if _interval(before) == _interval(after) else 'hidden'} {kind}"


def row(level: Level, dice: Dice) -> Exercise | None:
    """A form of a row that begins on a given number."""
    tones = dice.sample(range(12), _TONES[level])
    start = dice.whole(0, 11)
    if start in (tones[0], tones[-1]):
        return None
    forms = [form_of(tones, form, start) for form in FORMS]

    def facts(right: int) -> Facts:
        return {"row": _row_text(tones), "form": FORMS[right], "start": str(start)}

    return square(dice, list(map(_row_text, forms)), ("retrograde", "inversion"), facts)


def form_of(tones: list[int], form: str, start: int) -> list[int]:
    """A form of a row, transposed so that it begins on `start`."""
    turned = tones[::-1] if form.startswith("retrograde") else tones
    sign = -1 if form.endswith("inversion") else 1
    return [(start + sign * (tone - turned[0])) % 12 for tone in turned]


def _row_text(tones: list[int]) -> str:
    return " ".join(map(str, tones))


MAKERS: dict[str, Maker] = {
    "interval": pitches.interval,
    "enharmonic": pitches.enharmonic,
    "clef": pitches.clef,
    "transposition": pitches.transposition,
    "instrument": pitches.instrument,
    "scale": pitches.scale,
    "mode": pitches.mode,
    "signature": pitches.signature,
    "spelling": harmony.spelling,
    "quality": harmony.quality,
    "inversion": harmony.inversion,
    "roman": harmony.roman,
    "figured": harmony.figured,
    "cadence": harmony.cadence,
    "metre": metre,
    "bar": bar,
    "value": value,
    "counterpoint": counterpoint,
    "row": row,
}
"""What makes exercises of each kind."""
