"""Chords: their notes, their names, their inversions."""

from __future__ import annotations

from zhiyin.benchmarks.exercises.exercise import Exercise, Facts, Level, line, square
from zhiyin.benchmarks.exercises.notes import Note, draw_note, names, plain
from zhiyin.music.stimuli.dice import Dice

CHORDS = {
    "major": "P1 M3 P5", "minor": "P1 m3 P5", "augmented": "P1 M3 A5", "diminished": "P1 m3 d5",
    "dominant7": "P1 M3 P5 m7", "minor7": "P1 m3 P5 m7", "major7": "P1 M3 P5 M7",
    "minor-major7": "P1 m3 P5 M7", "half-diminished7": "P1 m3 d5 m7", "diminished7": "P1 m3 d5 d7",
}  # fmt: skip
"""Intervals above the root."""
TRIADS = ("major", "minor", "augmented", "diminished")
SEVENTHS = ("dominant7", "minor7", "major7", "minor-major7")
_SETS = {TRIADS: ("third", "fifth"), SEVENTHS: ("third", "seventh")}
_ALLOWED = {"easy": (TRIADS,), "default": (TRIADS, SEVENTHS), "hard": (SEVENTHS,)}
INVERSIONS = ("root position", "first inversion", "second inversion", "third inversion")
_INVERTED = {
    "easy": ("dominant7",),
    "default": ("dominant7", "minor7", "major7"),
    "hard": ("dominant7", "minor7", "major7", "half-diminished7", "diminished7"),
}


def chord(root: Note, quality: str, most: int = 1) -> list[Note] | None:
    """The notes of a chord from its root up, where none needs more than `most` accidentals."""
    return plain([root.moved(each) for each in CHORDS[quality].split()], most)


def spelling(level: Level, dice: Dice) -> Exercise | None:
    """The notes of a chord."""
    kinds = dice.choice(_ALLOWED[level])
    root = draw_note(dice, level, 4, 4)
    spelled = [chord(root, kind, 2 if level == "hard" else 1) for kind in kinds]
    if any(each is None for each in spelled):
        return None

    def facts(right: int) -> Facts:
        return {"root": root.name, "chord": kinds[right]}

    return square(dice, [names(each or []) for each in spelled], _SETS[kinds], facts)


def quality(level: Level, dice: Dice) -> Exercise | None:
    """The kind of a chord, by its notes."""
    kinds = dice.choice(_ALLOWED[level])
    root = draw_note(dice, level, 4, 4)

    def facts(right: int) -> Facts | None:
        notes = chord(root, kinds[right], 2 if level == "hard" else 1)
        if notes is None:
            return None
        return {"notes": names(notes if level == "easy" else dice.shuffled(notes))}

    # Thirds alone tell the root of all but the augmented triad: its root has to stand first.
    if level != "easy" and kinds is TRIADS:

        def ordered(right: int) -> Facts | None:
            notes = chord(root, kinds[right])
            return {"notes": names(notes)} if notes else None

        return square(dice, kinds, _SETS[kinds], ordered)
    return square(dice, kinds, _SETS[kinds], facts)


def inversion(level: Level, dice: Dice) -> Exercise | None:
    """The position of a seventh chord, by its notes from the bass up."""
    notes = chord(draw_note(dice, level, 4, 4), dice.choice(_INVERTED[level]))
    if notes is None:
        return None

    def facts(right: int) -> Facts:
        above = [each for number, each in enumerate(notes) if number != right]
        above = notes[right + 1 :] + notes[:right] if level == "easy" else dice.shuffled(above)
        return {"notes": names([notes[right], *above])}

    return line(dice, INVERSIONS, "bass", facts)
