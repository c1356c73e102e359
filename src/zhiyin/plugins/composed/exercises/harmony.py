"""Chords and their inversions, Roman numerals, figured bass, cadences."""

from __future__ import annotations

from zhiyin.plugins.composed.exercises.exercise import Exercise, Facts, Level, line, square
from zhiyin.plugins.composed.exercises.pitches import (
    SpelledNote,
    built,
    draw_note,
    names,
    note,
    plain,
)
from zhiyin.plugins.music.stimuli.dice import Dice
from zhiyin.plugins.music.theory import Key, Mode, alteration, spell

CHORDS = {
    "major": "P1 M3 P5", "minor": "P1 m3 P5", "augmented": "P1 M3 A5", "diminished": "P1 m3 d5",
    "dominant7": "P1 M3 P5 m7", "minor7": "P1 m3 P5 m7", "major7": "P1 M3 P5 M7",
    "minor-major7": "P1 m3 P5 M7", "half-diminished7": "P1 m3 d5 m7", "diminished7": "P1 m3 d5 d7",
}  # fmt: skip
"""Intervals above the root."""
TRIADS = ("major", "minor", "augmented", "diminished")
_SEVENTH_CHORDS = ("dominant7", "minor7", "major7", "minor-major7")
_SETS = {TRIADS: ("third", "fifth"), _SEVENTH_CHORDS: ("third", "seventh")}
_ALLOWED = {"easy": (TRIADS,), "default": (TRIADS, _SEVENTH_CHORDS), "hard": (_SEVENTH_CHORDS,)}
INVERSIONS = ("root position", "first inversion", "second inversion", "third inversion")
_INVERTED = {
    "easy": ("dominant7",),
    "default": ("dominant7", "minor7", "major7"),
    "hard": ("dominant7", "minor7", "major7", "half-diminished7", "diminished7"),
}


def chord(root: SpelledNote, quality: str, most: int = 1) -> list[SpelledNote] | None:
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


MAJOR = {
    "I": (0, "major"), "ii": (1, "minor"), "iii": (2, "minor"), "IV": (3, "major"),
    "V": (4, "major"), "vi": (5, "minor"),
}  # fmt: skip
MINOR = {
    "i": (0, "minor"), "III": (2, "major"), "iv": (3, "minor"), "V": (4, "major"),
    "VI": (5, "major"),
}  # fmt: skip
"""Degree (from 0) and quality of the triads that a numeral names; V has the raised seventh."""
SEVENTHS: dict[str, dict[str, tuple[int, str]]] = {
    "major": {"ii": (1, "minor7"), "V": (4, "dominant7"), "vi": (5, "minor7")},
    "minor": {"iv": (3, "minor7"), "V": (4, "dominant7"), "VI": (5, "major7")},
}
SECONDARY = {"V": 4, "IV": 3, "ii": 1, "vi": 5}
"""Degrees of a major key before which a dominant seventh chord of their own may stand."""
_TRIAD_FIGURES = ("", "6", "64")
_SEVENTH_FIGURES = ("7", "65", "43", "42")
_FIFTHS = {"easy": 2, "default": 4, "hard": 6}
FIGURES: dict[str, tuple[int, ...]] = {
    "53": (2, 4), "6": (2, 5), "64": (3, 5), "54": (3, 4), "7": (2, 4, 6), "65": (2, 4, 5),
    "43": (2, 3, 5), "42": (1, 3, 5),
}  # fmt: skip
"""The letters above the bass that a figure stands for."""
CADENCES = ("authentic", "plagal", "deceptive", "half")


def _key(level: Level, dice: Dice, modes: tuple[Mode, ...] = ("major", "minor")) -> Key:
    mode = dice.choice(modes)
    most = _FIFTHS[level]
    return Key(spell(dice.whole(-most, most) + (3 if mode == "minor" else 0)), mode)


def degrees(key: Key) -> list[SpelledNote]:
    """The seven notes of a key, from its tonic in octave 4."""
    scale = "major" if key.mode == "major" else "natural minor"
    return built(note(key.tonic, 4), scale) or []


def _stacked(
    root: SpelledNote, quality: str, figure: str, figures: tuple[str, ...]
) -> list[SpelledNote] | None:
    """A chord from its bass up, in the position that a figure names."""
    turn = figures.index(figure)
    notes = plain([root.moved(each) for each in CHORDS[quality].split()], 2)
    return notes[turn:] + notes[:turn] if notes else None


def roman(level: Level, dice: Dice) -> Exercise | None:
    """The numeral of a chord in a key."""
    if level == "hard":
        return _secondary(dice)
    key = _key(level, dice)
    triads = level == "easy"
    known = (MAJOR if key.mode == "major" else MINOR) if triads else SEVENTHS[key.mode]
    figures = _TRIAD_FIGURES if triads else _SEVENTH_FIGURES
    numerals, positions = dice.sample(list(known), 2), dice.sample(figures, 2)
    scale = degrees(key)
    ways = [(numeral, figure) for numeral in numerals for figure in positions]

    def facts(right: int) -> Facts | None:
        numeral, figure = ways[right]
        degree, quality = known[numeral]
        notes = _stacked(scale[degree], quality, figure, figures) if scale else None
        return {"key": key.name, "notes": names(notes)} if notes else None

    return square(dice, [n + f for n, f in ways], ("inversion", "degree"), facts)


def _secondary(dice: Dice) -> Exercise | None:
    key = _key("default", dice, ("major",))
    goals, positions = dice.sample(list(SECONDARY), 2), dice.sample(_SEVENTH_FIGURES, 2)
    ways = [(goal, figure) for goal in goals for figure in positions]
    scale = degrees(key)

    def facts(right: int) -> Facts | None:
        goal, figure = ways[right]
        root = scale[SECONDARY[goal]].moved("P5") if scale else None
        notes = _stacked(root, "dominant7", figure, _SEVENTH_FIGURES) if root else None
        return {"key": key.name, "notes": names(notes)} if notes else None

    return square(dice, [f"V{f}/{g}" for g, f in ways], ("inversion", "degree"), facts)


def figured(level: Level, dice: Dice) -> Exercise | None:
    """The notes above a bass that a figure asks for."""
    key = _key(level, dice)
    figures = list(FIGURES)[:4] if level == "easy" else list(FIGURES)[4:]
    if level == "hard":
        figures = dice.sample(list(FIGURES), 4)
    bass = dice.choice(degrees(key) or [None])  # type: ignore[list-item]
    if bass is None:
        return None
    steps = [[bass.step, *(bass.step + more for more in FIGURES[figure])] for figure in figures]
    notes = [
        [SpelledNote(s, alteration(SpelledNote(s, 0).letter, key.fifths)) for s in row]
        for row in steps
    ]

    def facts(right: int) -> Facts:
        return {"key": key.name, "bass": bass.name, "figure": figures[right]}

    return line(dice, list(map(names, notes)), "figure", facts)


def cadence(level: Level, dice: Dice) -> Exercise | None:
    """The kind of a cadence, by its two chords."""
    key = _key(level, dice)
    minor = key.mode == "minor"
    known = MINOR if minor else MAJOR
    tonic, sixth = ("i", "VI") if minor else ("I", "vi")
    four = "iv" if minor else "IV"
    before = four if level == "easy" else dice.choice((four, tonic))
    pairs = {
        "authentic": ("V", tonic), "plagal": (four, tonic), "deceptive": ("V", sixth),
        "half": (before, "V"),
    }  # fmt: skip
    scale = degrees(key)
    seventh = level == "hard" and dice.chance(0.5)

    def notes(numeral: str, first: bool) -> list[SpelledNote] | None:
        degree, quality = known[numeral]
        if numeral == "V" and first and seventh:
            quality = "dominant7"
        tones = plain([scale[degree].moved(each) for each in CHORDS[quality].split()], 2)
        if tones and level == "hard":  # the bass stays, so that the root is heard below
            return [tones[0], *dice.shuffled(tones[1:])]
        return tones

    def facts(right: int) -> Facts | None:
        if not scale:
            return None
        first, last = pairs[CADENCES[right]]
        chords = notes(first, True), notes(last, False)
        if chords[0] is None or chords[1] is None:
            return None
        return {"key": key.name, "first": names(chords[0]), "last": names(chords[1])}

    return square(dice, CADENCES, ("first chord", "last chord"), facts)
