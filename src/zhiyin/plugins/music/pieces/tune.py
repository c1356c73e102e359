"""Harmony and melody: chords from Roman numerals, cadences, and a phrase that stands on its chords.

A phrase follows a contour and ends on a tone of its last chord.

Conventions
-----------
A numeral names a chord by its degree, capital for a major third; "7" adds the seventh usual in
the style ("V7" minor, "Imaj7" major). In minor, V is major: the leading note is raised. A bar
of a progression is one numeral, or several with spaces between, which share the bar evenly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import msgspec

from zhiyin.errors import InputError
from zhiyin.plugins.music.pieces.piece import Contour, Motion
from zhiyin.plugins.music.stimuli import Dice
from zhiyin.plugins.music.theory import QUALITIES, SCALES, Key, pitch_class

_CURVES: dict[str, Callable[[float], float]] = {
    "rising": lambda x: 2 * x - 1,
    "falling": lambda x: 1 - 2 * x,
    "arch": lambda x: 1 - 2 * abs(2 * x - 1),
    "valley": lambda x: 2 * abs(2 * x - 1) - 1,
}
"""Where the tune tends, from -1 (low) to 1 (high), over a phrase from 0 to 1."""
_SWING_SEMITONES = (5.0, 10.0)
"""How far the curve leads from the middle of the register: drawn between these."""
_CLEAR_SEMITONES = 3.5
"""A contour's thirds of a phrase lie at least this far apart in mean pitch."""
_LEAP = 3
_STEPWISE, _LEAPING = 0.35, 0.6
_TRIES = 150


class TuneLine(msgspec.Struct, frozen=True):
    """A phrase: onset and length in quarter notes from its beginning, and MIDI pitch."""

    onsets: tuple[float, ...]
    lengths: tuple[float, ...]
    pitches: tuple[int, ...]


class Phrase(msgspec.Struct, frozen=True):
    """The plan of a phrase.

    Attributes
    ----------
    bars : tuple of str
        Chords of each bar, as Roman numerals.
    bar : float
        Length of a bar in quarter notes.
    beat : float
        Length of a beat in quarter notes.
    rhythms : tuple of tuple of float
        Note lengths that fill a bar, one of which each bar takes.
    ending : tuple of float
        Note lengths of the last bar.
    key : Key
    centre : int
        MIDI pitch in the middle of the register.
    contour, motion : str
    """

    bars: tuple[str, ...]
    bar: float
    beat: float
    rhythms: tuple[tuple[float, ...], ...]
    ending: tuple[float, ...]
    key: Key
    centre: int
    contour: Contour
    motion: Motion


def draw_phrase(phrase: Phrase, dice: Dice) -> TuneLine | None:
    """A phrase that really has the contour and the motion asked for: drawn until it does.

    The rhythm of the first bar comes back in every other one, as in a period. None where chords
    and rhythms seem not to allow such a phrase (a few long notes cannot climb far by step).
    """
    for _ in range(_TRIES):
        line = _draw(phrase, dice)
        if contour_of(line) == phrase.contour and motion_of(line) == phrase.motion:
            return line
    return None


def fitted(line: TuneLine, was: Phrase, now: Phrase) -> TuneLine:
    """A phrase over chords of which some have changed: notes that no longer fit are moved."""
    pitches = list(line.pitches)
    for place, onset in enumerate(line.onsets):
        final = place == len(pitches) - 1
        chord = _chord(now, onset + line.lengths[place] - 1e-6 if final else onset)
        strong = final or onset % now.beat == 0
        if strong and (final or chord != _chord(was, onset)):
            near = range(pitches[place] - 6, pitches[place] + 7)
            fits = [pitch for pitch in near if pitch % 12 in chord[: 3 if final else None]]
            pitches[place] = min(fits, key=lambda pitch: abs(pitch - line.pitches[place]))
    return TuneLine(line.onsets, line.lengths, tuple(pitches))


def _chord(phrase: Phrase, onset: float) -> tuple[int, ...]:
    place, within = divmod(onset, phrase.bar)
    return chord_at(phrase.bars[int(place)], within / phrase.bar, phrase.key)


def _draw(phrase: Phrase, dice: Dice) -> TuneLine:
    first, second = dice.choice(phrase.rhythms), dice.choice(phrase.rhythms)
    count = len(phrase.bars)
    rows = [first if place % 2 == 0 else second for place in range(count - 1)] + [phrase.ending]
    onsets: list[float] = []
    lengths: list[float] = []
    for place, row in enumerate(rows):
        now = place * phrase.bar
        for length in row:
            onsets.append(now)
            lengths.append(length)
            now += length
    return TuneLine(tuple(onsets), tuple(lengths), tuple(_pitches(phrase, onsets, dice)))


def _pitches(phrase: Phrase, onsets: Sequence[float], dice: Dice) -> list[int]:
    """Chord tones where they carry weight, scale tones between them, along the curve.

    A tune in steps needs a chord tone at the beginning of each bar, a leaping one everywhere.
    """
    whole = len(phrase.bars) * phrase.bar
    tonic = pitch_class(phrase.key.tonic)
    scale = {(tonic + step) % 12 for step in SCALES[phrase.key.mode]}
    reach = range(phrase.centre - 15, phrase.centre + 16)
    low, high = _SWING_SEMITONES
    swing = low + (high - low) * dice.unit()
    pitches: list[int] = []
    for onset in onsets:
        chord = _chord(phrase, onset)
        target = phrase.centre + swing * _CURVES[phrase.contour](onset / whole)
        target += 2.5 * (2 * dice.unit() - 1)
        strong = onset % phrase.bar == 0 or phrase.motion == "leaps"
        # A raised leading note belongs to the scale wherever the chord has it.
        allowed = chord if strong else scale - {(c - 1) % 12 for c in chord} | set(chord)
        before = pitches[-1] if pitches else None
        tones = [p for p in reach if p % 12 in allowed]
        pitches.append(min(tones, key=lambda p: _cost(p, target, before, phrase.motion)))
    final = _chord(phrase, whole - 1e-6)[:3]
    last = pitches[-1]
    pitches[-1] = min((p for p in reach if p % 12 in final), key=lambda p: abs(p - last))
    return pitches


def _cost(pitch: int, target: float, before: int | None, motion: str) -> float:
    """Compute how little a pitch suits: its distance from the curve, and from the motion wanted."""
    away = abs(pitch - target)
    if before is None:
        return away
    leap = abs(pitch - before)
    if leap == 0:
        return away + (6.0 if motion == "leaps" else 2.5)
    if motion == "steps":
        return away + (3.0 * (leap - 2) if leap > 2 else 0.0)
    return away + (5.0 if leap < _LEAP else 0.0)


def contour_of(line: TuneLine) -> Contour | None:
    """The direction of a phrase, by the mean pitch of its thirds in time; None for no clear one.

    Parameters
    ----------
    line : TuneLine

    Returns
    -------
    {"rising", "falling", "arch", "valley"} or None
        Rising and falling: every third lies higher (lower) than the one before, the last 3.5
        semitones from the first. Arch and valley: the middle lies 3.5 semitones above (below)
        the outer thirds' mean and half of that beyond each.
    """
    ends = [o + n for o, n in zip(line.onsets, line.lengths, strict=True)]
    whole = ends[-1]
    means = []
    for third in range(3):
        low, high = whole * third / 3, whole * (third + 1) / 3
        weights = [
            max(0.0, min(e, high) - max(o, low)) for o, e in zip(line.onsets, ends, strict=True)
        ]
        weighed = sum(w * p for w, p in zip(weights, line.pitches, strict=True))
        means.append(weighed / sum(weights))
    return direction(means[0], means[1], means[2])


def direction(first: float, middle: float, last: float) -> Contour | None:
    """The contour of three mean pitches in semitones; see `contour_of`."""
    if last - first >= _CLEAR_SEMITONES and first < middle < last:
        return "rising"
    if first - last >= _CLEAR_SEMITONES and first > middle > last:
        return "falling"
    bend = middle - (first + last) / 2
    if bend >= _CLEAR_SEMITONES and middle - max(first, last) >= _CLEAR_SEMITONES / 2:
        return "arch"
    if -bend >= _CLEAR_SEMITONES and min(first, last) - middle >= _CLEAR_SEMITONES / 2:
        return "valley"
    return None


def motion_of(line: TuneLine) -> Motion | None:
    """Classify the motion of a tune: None where neither kind of interval prevails.

    Returns
    -------
    {"steps", "leaps"} or None
        Steps where at most 35 % of the intervals are of three semitones or more, leaps where at
        least 60 % are.
    """
    sizes = [abs(after - before) for before, after in pairwise(line.pitches)]
    share = sum(size >= _LEAP for size in sizes) / max(1, len(sizes))
    return "steps" if share <= _STEPWISE else "leaps" if share >= _LEAPING else None


_DEGREES = ("I", "II", "III", "IV", "V", "VI", "VII")
_NUMERAL = re.compile(r"(VII|VI|V|IV|III|II|I|vii|vi|v|iv|iii|ii|i)(o|maj7|7|)")

CADENCES: dict[str, tuple[str, str]] = {
    "authentic": ("V7", "I"),
    "plagal": ("IV", "I"),
    "half": ("IV", "V"),
    "deceptive": ("V7", "vi"),
}
"""The last two chords of a piece, as written in major."""


def cadence(kind: str, mode: str) -> tuple[str, str]:
    """The two chords of a cadence in a mode."""
    minor = {"I": "i", "IV": "iv", "vi": "VI"}
    first, last = CADENCES[kind]
    return (minor.get(first, first), minor.get(last, last)) if mode == "minor" else (first, last)


def chord(numeral: str, key: Key) -> tuple[int, ...]:
    """Pitch classes of a chord, root first.

    Raises
    ------
    InputError
        `numeral` is none.
    """
    match = _NUMERAL.fullmatch(numeral)
    if match is None:
        raise InputError(f"{numeral!r} is no chord: write a Roman numeral such as IV or V7")
    degree, ending = match.groups()
    root = pitch_class(key.tonic) + SCALES[key.mode][_DEGREES.index(degree.upper())]
    if ending == "o":
        quality = "diminished"
    elif degree.isupper():
        quality = {"": "major", "7": "dominant", "maj7": "major7"}[ending]
    else:
        quality = "minor7" if ending == "7" else "minor"
    return tuple((root + step) % 12 for step in QUALITIES[quality])


def chord_at(bar: str, place: float, key: Key) -> tuple[int, ...]:
    """The chord that sounds at a place of a bar, from 0 (its beginning) to below 1."""
    numerals = bar.split()
    return chord(numerals[int(place * len(numerals))], key)


def voicing(classes: tuple[int, ...], centre: int) -> tuple[int, ...]:
    """Pitches of a chord in close position around `centre`, ascending.

    Each pitch class goes to its place nearest to the centre, so that successive chords share
    their register and common notes stay.
    """
    return tuple(sorted(centre + (c - centre + 6) % 12 - 6 for c in classes))
