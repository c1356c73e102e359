"""Scales, modes and key signatures."""

from __future__ import annotations

from zhiyin.benchmarks.exercises.exercise import Exercise, Facts, Level, line, square
from zhiyin.benchmarks.exercises.notes import Note, draw_note, names, plain
from zhiyin.music.stimuli.dice import Dice
from zhiyin.music.theory import spell

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


def built(tonic: Note, scale: str) -> list[Note] | None:
    """The notes of a scale, where none needs two accidentals."""
    return plain([tonic.moved(each) for each in SCALES[scale].split()])


def scale(level: Level, dice: Dice) -> Exercise | None:
    """The notes of a scale."""
    kinds = dice.choice(list(_SETS)[:1] if level == "easy" else list(_SETS))
    tonic = draw_note(dice, level, 4, 4)
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
    tonic = draw_note(dice, level, 4, 4)

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
    answers = [spell(sign * count + _SHIFT[mode]) for sign, mode in ways]

    def facts(right: int) -> Facts:
        sign, mode = ways[right]
        return {"signature": f"{sign * count:+d}", "mode": mode}

    return square(dice, answers, ("sharps and flats", "relative key"), facts)
