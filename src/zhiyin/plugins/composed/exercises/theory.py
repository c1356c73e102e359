"""Metres, bars, note values, two voices and twelve-tone rows; and all makers of theory.

Chords and their inversions, Roman numerals, figured bass, cadences.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from zhiyin.plugins.composed.exercises import pitches
from zhiyin.plugins.composed.exercises.exercise import Exercise, Facts, Level, Maker, line, square
from zhiyin.plugins.composed.exercises.pitches import (
    SpelledNote,
    built,
    draw_note,
    full_names,
    names,
    note,
    plain,
)
from zhiyin.plugins.music.stimuli import Dice
from zhiyin.plugins.music.theory import LETTERS, Key, Mode, alteration, spell

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
    root = draw_note(dice, level)
    spelled = [chord(root, kind, 2 if level == "hard" else 1) for kind in kinds]
    if any(each is None for each in spelled):
        return None

    def facts(right: int) -> Facts:
        return {"root": root.name, "chord": kinds[right]}

    return square(dice, [names(each or []) for each in spelled], _SETS[kinds], facts)


def quality(level: Level, dice: Dice) -> Exercise | None:
    """The kind of a chord, by its notes."""
    kinds = dice.choice(_ALLOWED[level])
    root = draw_note(dice, level)

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
    notes = chord(draw_note(dice, level), dice.choice(_INVERTED[level]))
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
_CHORD_FIFTHS = {"easy": 2, "default": 4, "hard": 6}
FIGURES: dict[str, tuple[int, ...]] = {
    "53": (2, 4), "6": (2, 5), "64": (3, 5), "54": (3, 4), "7": (2, 4, 6), "65": (2, 4, 5),
    "43": (2, 3, 5), "42": (1, 3, 5),
}  # fmt: skip
"""The letters above the bass that a figure stands for."""
CADENCES = ("authentic", "plagal", "deceptive", "half")


def _key(level: Level, dice: Dice, modes: tuple[Mode, ...] = ("major", "minor")) -> Key:
    mode = dice.choice(modes)
    most = _CHORD_FIFTHS[level]
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
    "spelling": spelling,
    "quality": quality,
    "inversion": inversion,
    "roman": roman,
    "figured": figured,
    "cadence": cadence,
    "metre": metre,
    "bar": bar,
    "value": value,
    "counterpoint": counterpoint,
    "row": row,
}
"""What makes exercises of each kind."""
