"""Transposition items: a melody, then the same one in another key, or one that is not the same.

A melody that is not the same is matched: it has the rhythm, the first and last degree, the mode
and, to a semitone or two, the range of the first one, and it lies in another key as a
transposition would. Length, rhythm, register, ends and timbre therefore tell nothing.

Melodies are short and tonal: rhythm from bars of simple patterns, pitch from a walk on the scale.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Literal

import msgspec

from zhiyin.errors import InputError
from zhiyin.parsing import read_beside
from zhiyin.plugins.music.midi import Note, Score
from zhiyin.plugins.music.stimuli import (
    INSTRUMENTS,
    Dice,
    Difficulty,
    StimulusPlan,
    balanced,
    crossed,
    is_reserved,
)
from zhiyin.plugins.music.theory import SCALES, Mode, key_at

Kind = Literal["transposed", "different", "altered"]

TEMPO = (70, 150)
GUITARS_AND_PIANO = ("piano", "nylon_guitar", "steel_guitar", "electric_guitar")
SHIFTS = (-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6)
"""Semitones from the first melody's key to the second's."""
_TONIC_FLOOR = 52
"""The first tonic lies in the octave from E3 up; all pitches then lie between G2 and C6."""
_MOST_SHARED = 0.5
"""A different melody shares at most this part of its intervals, place by place."""
_ATTEMPTS = 4000


class MelodyPair(msgspec.Struct, frozen=True):
    """The choices drawn for an item before its melodies are."""

    kind: Kind
    instrument: str
    tonic: int
    mode: Mode
    metre: tuple[int, int]
    shift: int
    tempo: float


def designs(
    kits: Sequence[int], seed: int, difficulty: Difficulty, reserved: bool
) -> Iterator[StimulusPlan]:
    """Transposition items without end; every choice balanced, kind and instrument crossed."""
    words = (seed, "transposition", "examples" if reserved else "items")
    instruments = difficulty.instruments or GUITARS_AND_PIANO
    pairs = crossed(("transposed", "different"), instruments, *words, "pairs")
    tonics = balanced(range(12), *words, "tonics")
    shifts: dict[str, Iterator[int]] = {
        same: balanced(SHIFTS, *words, "shifts", same) for same in ("transposed", "different")
    }
    modes = balanced(("major", "minor"), *words, "modes")
    metres = balanced(METRES, *words, "metres")
    near = balanced((True, False), *words, "near")
    seen: set[tuple[int, ...]] = set()
    for index, (answer, instrument) in enumerate(pairs):
        altered = difficulty.altered and answer == "different" and next(near)
        dice = Dice(*words, "item", index)
        slow, fast = difficulty.tempo or TEMPO
        pair = MelodyPair(
            kind="altered" if altered else answer,  # type: ignore[arg-type]
            instrument=instrument,
            tonic=next(tonics),
            mode=next(modes),  # type: ignore[arg-type]
            metre=next(metres),
            shift=next(shifts[answer]),
            tempo=float(dice.whole(slow, fast)),
        )
        yield _draw(pair, seen, reserved, (*words, "item", index))


def _draw(
    pair: MelodyPair, seen: set[tuple[int, ...]], reserved: bool, words: tuple[str | int, ...]
) -> StimulusPlan:
    """The melodies of a pair, neither of which has been used before."""
    tonic = _TONIC_FLOOR + (pair.tonic - _TONIC_FLOOR) % 12
    for attempt in range(_ATTEMPTS):
        dice = Dice(*words, attempt)
        line = draw_line(pair.metre, pair.tempo, dice)
        first = sounding(line.degrees, tonic, pair.mode)
        if steps_of(first) in seen or is_reserved(steps_of(first)) != reserved:
            continue
        second = _second(pair, line, first, tonic, dice)
        if second is None or steps_of(second) in seen:
            continue
        if pair.kind != "transposed" and is_reserved(steps_of(second)) != reserved:
            continue
        seen |= {steps_of(first), steps_of(second)}
        return _plan(pair, line, first, second, dice)
    raise InputError("transposition: no further pair of melodies could be found: ask for fewer")


def _second(
    pair: MelodyPair, line: MelodyLine, first: tuple[int, ...], tonic: int, dice: Dice
) -> tuple[int, ...] | None:
    """The second melody; None where this first one has none that matches."""
    moved = tuple(pitch + pair.shift for pitch in first)
    if pair.kind == "transposed":
        return moved
    if pair.kind == "altered":
        # one note, neither the first nor the last, moved by one to three semitones.
        place = dice.whole(1, len(moved) - 2)
        change = dice.choice((-3, -2, -1, 1, 2, 3))
        return (*moved[:place], moved[place] + change, *moved[place + 1 :])
    span = (min(line.degrees), max(line.degrees))
    for _ in range(60):
        degrees = draw_degrees(line.beats, pair.metre, line.degrees[0], dice, span)
        if degrees is None or degrees[-1] != line.degrees[-1]:
            continue
        second = sounding(degrees, tonic + pair.shift, pair.mode)
        if _is_match(moved, second):
            return second
    return None


def _is_match(moved: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Tell whether another melody has the range of the moved one and is yet clearly another.

    The lowest and the highest pitch each lie within one semitone, so the ambitus within two.
    """
    alike = abs(min(other) - min(moved)) <= 1 and abs(max(other) - max(moved)) <= 1
    intervals, others = steps_of(moved), steps_of(other)
    shared = sum(a == b for a, b in zip(intervals, others, strict=True))
    return alike and shared <= _MOST_SHARED * len(intervals)


def _plan(
    pair: MelodyPair, line: MelodyLine, first: tuple[int, ...], second: tuple[int, ...], dice: Dice
) -> StimulusPlan:
    beat = 60 / pair.tempo
    velocities = [
        (92 if onset % pair.metre[0] == 0 else 82) + dice.whole(-5, 5) for onset in line.onsets
    ]
    program = INSTRUMENTS[pair.instrument]
    scores = []
    for pitches in (first, second):
        notes = tuple(
            Note(onset * beat, beats * beat, pitch, velocity, 0, program)
            for onset, beats, pitch, velocity in zip(
                line.onsets, line.beats, pitches, velocities, strict=True
            )
        )
        scores.append(Score(notes, pair.tempo, pair.metre))
    keys = (key_at(pair.tonic, pair.mode), key_at(pair.tonic + pair.shift, pair.mode))
    truth = {
        "kind": pair.kind,
        "pitches": (first, second),
        "onsets": line.onsets,
        "durations": line.beats,
        "keys": tuple(key.name for key in keys),
        "shift": pair.shift,
        "metre": f"{pair.metre[0]}/{pair.metre[1]}",
        "tempo": pair.tempo,
        "instrument": pair.instrument,
    }
    seconds = sum(line.beats) * beat + 0.5  # time for the last note to die away
    answer = "Yes" if pair.kind == "transposed" else "No"
    return StimulusPlan(tuple(scores), (seconds, seconds), answer, truth)


NOTES = (8, 20)
"""Fewest and most notes of a melody."""
_SECONDS = (6.5, 12.0)
"""Shortest and longest melody; the published ones last about 9 s (Carone et al., section 2.2)."""

_RHYTHMS = read_beside(__file__, "rhythms.toml", dict[str, tuple[tuple[int | float, ...], ...]])
_ENDINGS = {(4, 4): ((4,), (2, 2), (1, 3), (1, 1, 2)), (3, 4): ((3,), (1, 2), (1, 1, 1))}
METRES = tuple(_ENDINGS)

_STEPS = (-4, -3, -2, -1, 0, 1, 2, 3, 4)
_STEP_WEIGHTS = (0.05, 0.08, 0.14, 0.30, 0.08, 0.30, 0.14, 0.08, 0.05)
_RANGE = (-3, 7)
"""Lowest and highest scale degree, the tonic being 0."""


class MelodyLine(msgspec.Struct, frozen=True):
    """A melody before it has a key: scale degrees with the tonic 0, and lengths in beats."""

    degrees: tuple[int, ...]
    beats: tuple[float, ...]

    @property
    def onsets(self) -> tuple[float, ...]:
        """Onset of each note, in beats."""
        return tuple(accumulate(self.beats[:-1], initial=0.0))


def draw_rhythm(metre: tuple[int, int], tempo: float, dice: Dice) -> tuple[float, ...]:
    """Note lengths in beats of whole bars: 8 to 20 notes, and about 9 s at the tempo."""
    bar_s = metre[0] * 60 / tempo
    bars = [n for n in range(2, 9) if _SECONDS[0] <= n * bar_s <= _SECONDS[1]]
    # In 3/4 faster than 221, eight bars are too short; further ones would hold too many notes.
    bars = bars or [8]
    rhythms = _RHYTHMS[f"{metre[0]}/{metre[1]}"]
    while True:
        count = dice.choice(bars)
        body = [beats for _ in range(count - 1) for beats in dice.choice(rhythms)]
        rhythm = (*body, *dice.choice(_ENDINGS[metre]))
        if NOTES[0] <= len(rhythm) <= NOTES[1]:
            return rhythm


def draw_degrees(
    rhythm: Sequence[float],
    metre: tuple[int, int],
    first: int,
    dice: Dice,
    span: tuple[int, int] = _RANGE,
) -> tuple[int, ...] | None:
    """A walk on the scale from degree `first` to the tonic, or None where it does not arrive.

    `span` is the lowest and the highest degree that it may touch.

    Steps are likelier than leaps; a leap is followed by a step back; on the first beat of a
    bar a tone of the tonic chord is preferred.
    """
    degrees = [first]
    onsets = list(accumulate(rhythm[:-1], initial=0.0))
    leap = 0
    for onset in onsets[1:]:
        weights = []
        for step, weight in zip(_STEPS, _STEP_WEIGHTS, strict=True):
            degree = degrees[-1] + step
            if not span[0] <= degree <= span[1]:
                weight = 0.0
            if abs(leap) > 1 and step * leap > 0:
                weight *= 0.15
            if onset % metre[0] == 0 and degree % 7 in (0, 2, 4):
                weight *= 2.5
            weights.append(weight)
        leap = dice.weighted(_STEPS, weights)
        degrees.append(degrees[-1] + leap)
    arrives = degrees[-1] % 7 == 0 and abs(leap) in (1, 2, 4)
    lively = len(set(degrees)) >= 4 and max(degrees) - min(degrees) >= 4
    return tuple(degrees) if arrives and lively else None


def draw_line(metre: tuple[int, int], tempo: float, dice: Dice) -> MelodyLine:
    """A melody in a metre, at a tempo."""
    rhythm = draw_rhythm(metre, tempo, dice)
    first = dice.choice((0, 2, 4))
    while True:
        degrees = draw_degrees(rhythm, metre, first, dice)
        if degrees is not None:
            return MelodyLine(degrees, rhythm)


def sounding(degrees: Sequence[int], tonic: int, mode: Mode) -> tuple[int, ...]:
    """MIDI pitches of scale degrees over a tonic (MIDI number of degree 0).

    In minor the seventh degree is raised where it leads to the tonic.
    """
    scale = SCALES[mode]
    pitches = []
    for index, degree in enumerate(degrees):
        octave, place = divmod(degree, 7)
        after = degrees[index + 1] if index + 1 < len(degrees) else None
        leads = mode == "minor" and place == 6 and after == degree + 1
        pitches.append(tonic + 12 * octave + scale[place] + leads)
    return tuple(pitches)


def steps_of(pitches: Sequence[int]) -> tuple[int, ...]:
    """Differences between successive pitches, in semitones."""
    return tuple(after - before for before, after in pairwise(pitches))
