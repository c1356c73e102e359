"""Intervals, enharmonic names, clefs, transposition."""

from __future__ import annotations

from functools import cache

from zhiyin.benchmarks.exercises.exercise import Exercise, Facts, Level, square
from zhiyin.benchmarks.exercises.notes import (
    Note,
    draw_note,
    full_names,
    plain,
)
from zhiyin.music.stimuli.dice import Dice
from zhiyin.music.theory import LETTERS, alteration, fifths_of, spell

_BY_QUALITY = (
    ("m2", "M2", "M7", "m7"), ("m3", "M3", "M6", "m6"), ("P4", "A4", "P5", "d5"),
)  # fmt: skip
_BY_SPELLING = (
    ("A2", "m3", "d7", "M6"), ("d4", "M3", "A5", "m6"), ("d3", "M2", "A6", "m7"),
)  # fmt: skip
"""As it is, of another quality (or spelling), inverted, both."""
_SIZES = {
    "easy": (("M2", "m3"),),
    "default": (("m2", "M2"), ("m3", "M3"), ("P4", "P5")),
    "hard": (("m2", "M2"), ("m3", "M3"), ("m6", "M6"), ("m7", "M7")),
}
_MELODY = {"easy": 3, "default": 4, "hard": 5}
CLARINETS = {"Bb": ("M2", False), "A": ("m3", False), "D": ("M2", True), "Eb": ("m3", True)}
"""How a clarinet sounds: by what interval, and whether higher than written."""
BOTTOM = {"treble": 30, "bass": 18, "alto": 24, "tenor": 22, "soprano": 28}
"""The step above C0 of each clef's lowest line."""
_CLEFS = {
    "easy": ("treble", "bass"),
    "default": ("treble", "bass", "alto"),
    "hard": ("treble", "bass", "alto", "tenor", "soprano"),
}
_PLACES = {"easy": (0, 8), "default": (-2, 10), "hard": (-4, 12)}


def interval(level: Level, dice: Dice) -> Exercise | None:
    """The name of the interval between two notes."""
    sets = {"easy": _BY_QUALITY[:2], "default": _BY_QUALITY, "hard": _BY_QUALITY + _BY_SPELLING}
    answers = dice.choice(sets[level])
    low = draw_note(dice, level, 3, 4)
    most = 2 if level == "hard" else 1

    def facts(right: int) -> Facts | None:
        high = plain([low.moved(answers[right])], most)
        return {"low": low.full, "high": high[0].full} if high else None

    return square(dice, answers, (_way(answers), "inversion"), facts)


def _way(answers: tuple[str, ...]) -> str:
    return "spelling" if answers in _BY_SPELLING else "quality"


def enharmonic(level: Level, dice: Dice) -> Exercise | None:
    """Another name of the same pitch."""
    signs = ("b", "#") if level == "easy" else dice.choice((("b", "#"), ("bb", "##")))
    if level == "easy":
        letters = dice.choice((("D", "G"), ("A", "D"), ("G", "D"), ("D", "A")))
    else:
        start = dice.whole(0, 6)
        letters = (LETTERS[start], LETTERS[(start + 2) % 7])
    answers = [letter + sign for letter in letters for sign in signs]
    pitches = [_class(name) for name in answers]
    if len(set(pitches)) < 4:
        return None
    most = 2 if level == "hard" else 1

    def facts(right: int) -> Facts | None:
        others = [
            name
            for name in _names_of(pitches[right])
            if len(name) - 1 <= most and name[0] not in letters
        ]
        return {"note": dice.choice(others)} if others else None

    return square(dice, answers, ("accidental", "letter"), facts)


@cache
def _names_of(pitch: int) -> list[str]:
    return [name for place in range(-13, 18) if _class(name := spell(place)) == pitch]


@cache
def _class(name: str) -> int:
    return 7 * fifths_of(name) % 12


def clef(level: Level, dice: Dice) -> Exercise | None:
    """The pitch at a place of the staff."""
    clefs = dice.sample(_CLEFS[level], 2)
    low, high = _PLACES[level]
    place = dice.whole(low, high - 1)
    answers = [Note(BOTTOM[each] + place + more, 0).full for each in clefs for more in (0, 1)]

    def facts(right: int) -> Facts:
        return {"clef": clefs[right // 2], "place": str(place + right % 2)}

    return square(dice, answers, ("place", "clef"), facts)


def transposition(level: Level, dice: Dice) -> Exercise | None:
    """A melody some interval higher or lower."""
    melody = _melody(level, dice)
    sizes = dice.choice(_SIZES[level])
    ways = [(size, up) for size in sizes for up in (True, False)]
    moved = [plain([each.moved(*way) for each in melody]) for way in ways]
    if any(each is None for each in moved):
        return None

    def facts(right: int) -> Facts:
        size, up = ways[right]
        return {"notes": full_names(melody), "interval": size, "direction": "up" if up else "down"}

    return square(dice, [full_names(m or []) for m in moved], ("direction", "size"), facts)


def instrument(level: Level, dice: Dice) -> Exercise | None:
    """What a transposing instrument sounds like."""
    melody = _melody(level, dice)
    kinds = ("Bb", "D", "A", "Eb")
    moved = [plain([each.moved(*CLARINETS[kind]) for each in melody]) for kind in kinds]
    if any(each is None for each in moved):
        return None

    def facts(right: int) -> Facts:
        return {"notes": full_names(melody), "clarinet": kinds[right]}

    return square(dice, [full_names(m or []) for m in moved], ("direction", "size"), facts)


def _melody(level: Level, dice: Dice) -> list[Note]:
    """Notes of a major scale, by steps and small leaps."""
    tonic = spell(dice.whole(*{"easy": (-1, 2), "default": (-3, 4), "hard": (-5, 5)}[level]))
    now, melody = dice.whole(28, 34), []
    signature = fifths_of(tonic)
    for _ in range(_MELODY[level]):
        melody.append(Note(now, alteration(LETTERS[now % 7], signature)))
        now += dice.choice((-3, -2, -1, -1, 1, 1, 2, 3))
    return melody
