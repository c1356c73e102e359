"""Melodies: pairs in two keys, pairs with foreign notes, scales and broken chords."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from zhiyin.benchmarks.muse.settings import Knobs
from zhiyin.music.midi import Note, Score
from zhiyin.music.stimuli import transposition
from zhiyin.music.stimuli.dice import Dice, is_reserved
from zhiyin.music.stimuli.item import Difficulty, Plan
from zhiyin.music.stimuli.transposition import METRES, draw_line, sounding
from zhiyin.music.theory import SCALES, Mode

PIANO, BASS = 0, 33
GUITARS = (24, 25, 27)
"""General MIDI programs: nylon, steel and clean electric strings."""
_LOWEST = {"piano": (45, 62), "guitar": (42, 57), "bass": (28, 38)}
"""Of scales and broken chords: from where to where their lowest note lies."""
SHAPES = {"A": "arch", "B": "inverted arch", "C": "ascending", "D": "descending"}


def program_of(instrument: str, dice: Dice) -> int:
    """A General MIDI program for piano, guitar or bass."""
    return {"piano": PIANO, "bass": BASS}.get(instrument) or (
        dice.choice(GUITARS) if instrument == "guitar" else PIANO
    )


def in_two_keys(seed: int, knobs: Knobs, reserved: bool) -> Iterator[Plan]:
    """Pairs that are one melody in two keys, or not."""
    for plan in transposition.designs((), seed, Difficulty(altered=knobs.altered), reserved):
        yield Plan(plan.scores, plan.seconds, "A" if plan.answer == "Yes" else "B", plan.truth)


def with_odd_notes(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> Plan | None:
    """A melody twice; the second time with notes out of the key, or played again as it was."""
    modes: tuple[Mode, ...] = ("major", "minor")
    metre, mode = dice.choice(METRES), dice.choice(modes)
    tempo = float(dice.whole(78, 150))
    line = draw_line(metre, tempo, dice)
    first = sounding(line.degrees, dice.whole(52, 63), mode)
    if is_reserved(first, line.beats) != reserved:
        return None
    second = list(first)
    inner = range(1, len(first) - 1)
    places = dice.sample(inner, min(knobs.odd_notes, len(inner))) if answer == "B" else []
    key = {pitch % 12 for pitch in first}
    for place in places:
        foreign = [first[place] + step for step in (-1, 1) if (first[place] + step) % 12 not in key]
        if not foreign:
            return None
        second[place] = dice.choice(foreign)
    program = dice.choice((PIANO, *GUITARS))
    rows = (first, tuple(second))
    scores = tuple(_played(row, line.beats, tempo, program, dice) for row in rows)
    seconds = sum(line.beats) * 60 / tempo + 1.0
    truth = {"pitches": rows, "odd": sorted(places), "program": program, "tempo": tempo}
    return Plan(scores, (seconds, seconds), answer, truth)


def _played(
    pitches: Sequence[int], beats: Sequence[float], tempo: float, program: int, dice: Dice
) -> Score:
    onsets = accumulate(beats[:-1], initial=0.0)
    beat = 60 / tempo
    notes = tuple(
        Note(on * beat, length * beat * 0.95, pitch, dice.whole(78, 98), 0, program)
        for pitch, on, length in zip(pitches, onsets, beats, strict=True)
    )
    return Score(notes, tempo)


def shapes(answer: tuple[str, str], knobs: Knobs, dice: Dice, reserved: bool) -> Plan | None:
    """A scale or broken chord that goes up, down, or turns once: its shape, and its instrument."""
    shape, instrument = answer
    score, truth = run_of_notes(shape, instrument, dice)
    if is_reserved(tuple((note.pitch, note.program) for note in score.notes)) != reserved:
        return None
    return Plan((score,), (score.notes[-1].end + 0.8,), shape, truth)


def run_of_notes(shape: str, instrument: str, dice: Dice) -> tuple[Score, dict[str, object]]:
    """A scale or broken chord of a shape (a key of `SHAPES`), and what it is."""
    mode: Mode = dice.choice(("major", "minor"))
    kind = dice.choice(("scale", "arpeggio"))
    lowest = dice.whole(*_LOWEST[instrument])
    if kind == "scale":
        up = [lowest + step for step in (*SCALES[mode], 12)]
    else:
        third = 4 if mode == "major" else 3
        octaves = dice.choice((1, 2))
        up = [lowest + 12 * o + step for o in range(octaves) for step in (0, third, 7)]
        up.append(lowest + 12 * octaves)
    down = up[::-1]
    pitches = {"A": up + down[1:], "B": down + up[1:], "C": up, "D": down}[shape]
    beat = 60 / dice.whole(90, 180)
    program = program_of(instrument, dice)
    notes = tuple(
        Note(i * beat, beat * 0.95, pitch, dice.whole(80, 98), 0, program)
        for i, pitch in enumerate(pitches)
    )
    truth: dict[str, object] = {"shape": SHAPES[shape], "kind": kind}
    truth |= {"instrument": instrument, "pitches": pitches}
    return Score(notes, 60 / beat), truth
