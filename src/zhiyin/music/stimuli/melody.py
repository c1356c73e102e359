"""Short tonal melodies: rhythm from bars of simple patterns, pitch from a walk on the scale."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import msgspec

from zhiyin.music.stimuli.dice import Dice
from zhiyin.music.theory import SCALES, Mode

NOTES = (8, 20)
"""Fewest and most notes of a melody."""
_SECONDS = (6.5, 12.0)
"""Shortest and longest melody; the published ones last about 9 s (Carone et al., section 2.2)."""

_PATTERNS: dict[tuple[int, int], tuple[tuple[float, ...], ...]] = {
    (4, 4): (
        (1, 1, 1, 1),
        (1, 1, 2),
        (2, 1, 1),
        (1.5, 0.5, 1, 1),
        (1, 0.5, 0.5, 1, 1),
        (1, 1, 0.5, 0.5, 1),
        (0.5, 0.5, 1, 2),
        (1.5, 0.5, 2),
        (0.5, 0.5, 0.5, 0.5, 1, 1),
        (1, 0.5, 0.5, 2),
        (2, 1.5, 0.5),
    ),
    (3, 4): (
        (1, 1, 1),
        (2, 1),
        (1.5, 0.5, 1),
        (1, 0.5, 0.5, 1),
        (0.5, 0.5, 1, 1),
        (1, 1, 0.5, 0.5),
        (1, 2),
        (0.5, 0.5, 0.5, 0.5, 1),
    ),
}
_ENDINGS = {(4, 4): ((4,), (2, 2), (1, 3), (1, 1, 2)), (3, 4): ((3,), (1, 2), (1, 1, 1))}
METRES = tuple(_PATTERNS)

_STEPS = (-4, -3, -2, -1, 0, 1, 2, 3, 4)
_STEP_WEIGHTS = (0.05, 0.08, 0.14, 0.30, 0.08, 0.30, 0.14, 0.08, 0.05)
_RANGE = (-3, 7)
"""Lowest and highest scale degree, the tonic being 0."""


class Line(msgspec.Struct, frozen=True):
    """A melody before it has a key: scale degrees with the tonic 0, and lengths in beats."""

    degrees: tuple[int, ...]
    beats: tuple[float, ...]

    @property
    def onsets(self) -> tuple[float, ...]:
        """When each note begins, in beats."""
        return tuple(accumulate(self.beats[:-1], initial=0.0))


def draw_rhythm(metre: tuple[int, int], tempo: float, dice: Dice) -> tuple[float, ...]:
    """Note lengths in beats of whole bars: 8 to 20 notes, and about 9 s at the tempo."""
    bar_s = metre[0] * 60 / tempo
    bars = [n for n in range(2, 9) if _SECONDS[0] <= n * bar_s <= _SECONDS[1]]
    # In 3/4 faster than 221, eight bars are too short; further ones would hold too many notes.
    bars = bars or [8]
    while True:
        count = dice.choice(bars)
        body = [beats for _ in range(count - 1) for beats in dice.choice(_PATTERNS[metre])]
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


def draw_line(metre: tuple[int, int], tempo: float, dice: Dice) -> Line:
    """A melody in a metre, at a tempo."""
    rhythm = draw_rhythm(metre, tempo, dice)
    first = dice.choice((0, 2, 4))
    while True:
        degrees = draw_degrees(rhythm, metre, first, dice)
        if degrees is not None:
            return Line(degrees, rhythm)


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
