"""Two voices and twelve-tone rows."""

from __future__ import annotations

from itertools import pairwise

from zhiyin.benchmarks.exercises.exercise import Exercise, Facts, Level, square
from zhiyin.benchmarks.exercises.notes import Note, full_names
from zhiyin.music.stimuli.dice import Dice
from zhiyin.music.theory import LETTERS, alteration

FAULTS = ("parallel fifths", "hidden fifths", "parallel octaves", "hidden octaves")
FORMS = ("transposition", "retrograde", "inversion", "retrograde inversion")
_CHORDS = {"easy": 2, "default": 3, "hard": 5}
_TONES = {"easy": 4, "default": 6, "hard": 12}
_FIFTHS = {"easy": 0, "default": 2, "hard": 4}
_DRAWS = 400
_CONSONANT = {0, 3, 4, 7, 8, 9}
Pair = tuple[Note, Note]


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

    def at(step: int) -> Note:
        return Note(step, alteration(LETTERS[step % 7], fifths))

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
