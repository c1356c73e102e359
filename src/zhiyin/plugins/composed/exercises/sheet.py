"""Questions about lines of ABC: their metre, their bar lines, a note at an interval.

After the rules by which SSMR-Bench makes its questions (Wang et al. 2025, arXiv:2509.04059) that no
other kind has; see the page of the exercises for what each of its ten is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from zhiyin.plugins.composed.exercises.exercise import Exercise, Facts, Level, Maker, line, square
from zhiyin.plugins.composed.exercises.pitches import SpelledNote, draw_note, plain
from zhiyin.plugins.composed.exercises.theory import METRES
from zhiyin.plugins.music.notated import metre_length
from zhiyin.plugins.music.stimuli import Dice

_UNIT = {"easy": "1/8", "default": "1/8", "hard": "1/16"}
_BARS = {"easy": 2, "default": 2, "hard": 3}
_LONGEST = 3
_SCALE = ("C", "D", "E", "F", "G", "A", "B", "c", "d", "e")
_SIZES = {
    "easy": (("m3", "M3"), ("m6", "M6")),
    "default": (("m2", "M2"), ("m3", "M3"), ("m6", "M6"), ("m7", "M7")),
    "hard": (("d4", "P4"), ("P5", "A5"), ("m6", "M6"), ("d7", "m7"), ("A2", "M2")),
}
"""Intervals that differ in quality alone."""
_MISSED = "bar length"


def _units(metre: str, unit: str) -> int:
    """Number of unit lengths in a bar."""
    length = metre_length(metre)
    assert length is not None
    return int(length / Fraction(unit))


def _lengths(cuts: Sequence[int], dice: Dice) -> list[int]:
    """Lengths of notes that reach from one cut to the next."""
    lengths = []
    for start, end in zip((0, *cuts), cuts, strict=False):
        while start < end:
            lengths.append(dice.whole(1, min(_LONGEST, end - start)))
            start += lengths[-1]
    return lengths


def _tune(lengths: Sequence[int], dice: Dice) -> list[str]:
    """Notes of these lengths that wander about a scale."""
    place, notes = dice.whole(2, 6), []
    for length in lengths:
        place = min(max(place + dice.choice((-2, -1, 1, 2)), 0), len(_SCALE) - 1)
        notes.append(_SCALE[place] + (str(length) if length > 1 else ""))
    return notes


def _barred(notes: Sequence[str], lengths: Sequence[int], bar: int) -> str:
    """The notes with a bar line after each full bar."""
    words, now = [], 0
    for note, length in zip(notes, lengths, strict=True):
        now += length
        words.append(f"{note} |" if now % bar == 0 else note)
    return " ".join(words)


def metre(level: Level, dice: Dice) -> Exercise | None:
    """The time signature of some bars."""
    metres, unit = METRES[level], _UNIT[level]

    def facts(right: int) -> Facts:
        bar = _units(metres[right], unit)
        lengths = _lengths([bar * n for n in range(1, _BARS[level] + 1)], dice)
        music = _barred(_tune(lengths, dice), lengths, bar)
        return {"music": f"L:{unit}\nK:C\n{music}"}

    return line(dice, metres, _MISSED, facts)


def barlines(level: Level, dice: Dice) -> Exercise | None:
    """Ask for the bar lines of a run of notes; each of the answers is right in another metre."""
    metres, unit = METRES[level], _UNIT[level]
    bars = [_units(metre, unit) for metre in metres]
    total = 2 * max(bars)
    cuts = sorted({bar * n for bar in bars for n in range(1, total // bar + 1)} | {total})
    lengths = _lengths(cuts, dice)
    notes = _tune(lengths, dice)

    def facts(right: int) -> Facts:
        return {"signature": metres[right], "music": f"L:{unit}\nK:C\n{' '.join(notes)}"}

    return line(dice, [_barred(notes, lengths, bar) for bar in bars], _MISSED, facts)


def note_at(level: Level, dice: Dice) -> Exercise | None:
    """The note at an interval from another."""
    start, up = draw_note(dice, level), bool(dice.whole(0, 1))
    ways = [each for pair in dice.sample(_SIZES[level], 2) for each in pair]
    found: list[SpelledNote] | None = plain([start.moved(way, up) for way in ways])
    if found is None:
        return None

    def facts(right: int) -> Facts:
        direction = "up" if up else "down"
        return {"note": start.full, "direction": direction, "interval": ways[right]}

    return square(dice, [each.full for each in found], ("quality", "number"), facts)


MAKERS: dict[str, Maker] = {"sheet-metre": metre, "sheet-barlines": barlines, "note-at": note_at}
"""What makes exercises of each kind."""
