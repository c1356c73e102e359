"""Spelled notes that can be moved; intervals, names, clefs, transposition, scales and keys."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from zhiyin.plugins.composed.exercises.exercise import Exercise, Facts, Level, line, square
from zhiyin.plugins.music import theory
from zhiyin.plugins.music.notated import accidental_of, octave_of
from zhiyin.plugins.music.stimuli import Dice

INTERVALS = {
    "P1": (0, 0), "m2": (1, 1), "M2": (1, 2), "A2": (1, 3), "d3": (2, 2), "m3": (2, 3),
    "M3": (2, 4), "d4": (3, 4), "P4": (3, 5), "A4": (3, 6), "d5": (4, 6), "P5": (4, 7),
    "A5": (4, 8), "m6": (5, 8), "M6": (5, 9), "A6": (5, 10), "d7": (6, 9), "m7": (6, 10),
    "M7": (6, 11), "P8": (7, 12),
}  # fmt: skip
"""Letters and semitones of each interval."""
REACH = {"easy": (-1, 5), "default": (-4, 7), "hard": (-8, 10)}
"""The places on the line of fifths from which names are drawn (C = 0), by difficulty."""


class SpelledNote(NamedTuple):
    """A spelled pitch: letters above C0, and by how many semitones it is altered."""

    step: int
    alter: int

    @property
    def letter(self) -> str:
        """Letter, ``C`` to ``B``."""
        return theory.LETTERS[self.step % 7]

    @property
    def name(self) -> str:
        """Name without octave: ``F#``."""
        return self.letter + theory.SIGNS[self.alter]

    @property
    def full(self) -> str:
        """Name with octave: ``F#4``."""
        return f"{self.name}{self.step // 7}"

    @property
    def midi(self) -> int:
        """MIDI number: C4 is 60."""
        return 12 * (self.step // 7 + 1) + theory.NATURALS[self.letter] + self.alter

    def moved(self, interval: str, up: bool = True) -> SpelledNote | None:
        """A note an interval away; None where that would need three accidentals."""
        steps, semitones = INTERVALS[interval]
        sign = 1 if up else -1
        plain = SpelledNote(self.step + sign * steps, 0)
        alter = self.midi + sign * semitones - plain.midi
        return SpelledNote(plain.step, alter) if alter in theory.SIGNS else None


def note(name: str, octave: int | None = None) -> SpelledNote:
    """The note of a name with octave, or of one without and an octave."""
    full = name if octave is None else f"{name}{octave}"
    return SpelledNote(
        theory.LETTERS.index(full[0]) + 7 * octave_of(full), theory.ALTERS[accidental_of(full)]
    )


def draw_note(dice: Dice, level: str, low: int = 4) -> SpelledNote:
    """Any note of the names of a difficulty, in octaves `low` to 4."""
    return note(theory.spell(dice.whole(*REACH[level])), dice.whole(low, 4))


def plain(notes: list[SpelledNote | None], most: int = 1) -> list[SpelledNote] | None:
    """The notes, where there are all of them and none has more than `most` accidentals."""
    usable = [each for each in notes if each is not None and abs(each.alter) <= most]
    return usable if len(usable) == len(notes) else None


def names(notes: list[SpelledNote]) -> str:
    """Names without octaves: ``C E G``."""
    return " ".join(each.name for each in notes)


def full_names(notes: list[SpelledNote]) -> str:
    """Names with octaves: ``C4 E4 G4``."""
    return " ".join(each.full for each in notes)


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
    low = draw_note(dice, level, 3)
    most = 2 if level == "hard" else 1

    def facts(right: int) -> Facts | None:
        high = plain([low.moved(answers[right])], most)
        return {"low": low.full, "high": high[0].full} if high else None

    way = "spelling" if answers in _BY_SPELLING else "quality"
    return square(dice, answers, (way, "inversion"), facts)


def enharmonic(level: Level, dice: Dice) -> Exercise | None:
    """Another name of the same pitch."""
    signs = ("b", "#") if level == "easy" else dice.choice((("b", "#"), ("bb", "##")))
    if level == "easy":
        letters = dice.choice((("D", "G"), ("A", "D"), ("G", "D"), ("D", "A")))
    else:
        start = dice.whole(0, 6)
        letters = (theory.LETTERS[start], theory.LETTERS[(start + 2) % 7])
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
    return [name for place in range(-13, 18) if _class(name := theory.spell(place)) == pitch]


@cache
def _class(name: str) -> int:
    return 7 * theory.fifths_of(name) % 12


def clef(level: Level, dice: Dice) -> Exercise | None:
    """The pitch at a place of the staff."""
    clefs = dice.sample(_CLEFS[level], 2)
    low, high = _PLACES[level]
    place = dice.whole(low, high - 1)
    answers = [
        SpelledNote(BOTTOM[each] + place + more, 0).full for each in clefs for more in (0, 1)
    ]

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
    """Ask which notes a transposing instrument sounds."""
    melody = _melody(level, dice)
    kinds = ("Bb", "D", "A", "Eb")
    moved = [plain([each.moved(*CLARINETS[kind]) for each in melody]) for kind in kinds]
    if any(each is None for each in moved):
        return None

    def facts(right: int) -> Facts:
        return {"notes": full_names(melody), "clarinet": kinds[right]}

    return square(dice, [full_names(m or []) for m in moved], ("direction", "size"), facts)


def _melody(level: Level, dice: Dice) -> list[SpelledNote]:
    """Notes of a major scale, by steps and small leaps."""
    tonic = theory.spell(dice.whole(*{"easy": (-1, 2), "default": (-3, 4), "hard": (-5, 5)}[level]))
    now, melody = dice.whole(28, 34), []
    signature = theory.fifths_of(tonic)
    for _ in range(_MELODY[level]):
        melody.append(SpelledNote(now, theory.alteration(theory.LETTERS[now % 7], signature)))
        now += dice.choice((-3, -2, -1, -1, 1, 1, 2, 3))
    return melody


SCALES = {
    "natural minor": "P1 M2 m3 P4 P5 m6 m7",
    "dorian": "P1 M2 m3 P4 P5 M6 m7",
    "harmonic minor": "P1 M2 m3 P4 P5 m6 M7",
    "melodic minor": "P1 M2 m3 P4 P5 M6 M7",
    "major": "P1 M2 M3 P4 P5 M6 M7",
    "lydian": "P1 M2 M3 A4 P5 M6 M7",
    "mixolydian": "P1 M2 M3 P4 P5 M6 m7",
    "lydian dominant": "P1 M2 M3 A4 P5 M6 m7",
    "phrygian": "P1 m2 m3 P4 P5 m6 m7",
    "locrian": "P1 m2 m3 P4 d5 m6 m7",
}
"""Intervals above the tonic; the melodic minor is the ascending one."""
_SETS = {
    ("natural minor", "dorian", "harmonic minor", "melodic minor"): ("sixth", "seventh"),
    ("major", "lydian", "mixolydian", "lydian dominant"): ("fourth", "seventh"),
}
BRIGHTNESS = ("lydian", "major", "mixolydian", "dorian", "natural minor", "phrygian", "locrian")
"""The seven modes, each with one degree lower than the one before."""
_MOST = {"easy": 3, "default": 5, "hard": 7}
_SHIFT = {"major": 0, "minor": 3}


def built(tonic: SpelledNote, scale: str) -> list[SpelledNote] | None:
    """The notes of a scale, where none needs two accidentals."""
    return plain([tonic.moved(each) for each in SCALES[scale].split()])


def scale(level: Level, dice: Dice) -> Exercise | None:
    """The notes of a scale."""
    kinds = dice.choice(list(_SETS)[:1] if level == "easy" else list(_SETS))
    tonic = draw_note(dice, level)
    scales = [built(tonic, kind) for kind in kinds]
    if any(each is None for each in scales):
        return None

    def facts(right: int) -> Facts:
        return {"tonic": tonic.name, "scale": kinds[right]}

    return square(dice, [names(each or []) for each in scales], _SETS[kinds], facts)


def mode(level: Level, dice: Dice) -> Exercise | None:
    """The name of a mode, by its notes."""
    if level == "easy":
        kinds = dice.sample(("lydian", "major", "mixolydian", "natural minor", "phrygian"), 4)
    else:
        kinds = dice.sample(BRIGHTNESS, 4)
    tonic = draw_note(dice, level)

    def facts(right: int) -> Facts | None:
        notes = built(tonic, kinds[right])
        if notes is None:
            return None
        if level == "hard":  # not in order: only the final tells where it begins
            notes = dice.shuffled(notes)
        return {"tonic": tonic.name, "notes": names(notes)}

    def mistake(right: int, other: int) -> str:
        apart = abs(BRIGHTNESS.index(kinds[right]) - BRIGHTNESS.index(kinds[other]))
        return "one degree" if apart == 1 else "several degrees"

    return line(dice, kinds, mistake, facts)


def signature(level: Level, dice: Dice) -> Exercise | None:
    """The tonic of a key, by its signature and mode."""
    count = dice.whole(1, _MOST[level])
    ways = [(sign, mode) for mode in _SHIFT for sign in (1, -1)]
    answers = [theory.spell(sign * count + _SHIFT[mode]) for sign, mode in ways]

    def facts(right: int) -> Facts:
        sign, mode = ways[right]
        return {"signature": f"{sign * count:+d}", "mode": mode}

    return square(dice, answers, ("sharps and flats", "relative key"), facts)


_LISTS = re.compile(r"[A-G](?:#|b){0,2}-?\d?(?: [A-G](?:#|b){0,2}-?\d?)+")
_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def octaves_below(pitches: str) -> str:
    """Pitches with their octaves below the line, ``C₄``: they are no numbers of jianpu.

    Written alike, "5" the degree and "5" the octave made right answers more like their questions.
    """
    return pitches.translate(_BELOW)


def listed(code: str) -> str:
    """Several notes with commas between them; anything else as it is."""
    return code.replace(" ", ", ") if _LISTS.fullmatch(code) else code
