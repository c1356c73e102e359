"""Music for a picture: random by knobs, with what a question needs put into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import msgspec

from zhiyin.benchmarks.scores.fresh.knobs import Knobs
from zhiyin.benchmarks.scores.fresh.music import (
    BOTTOM,
    TOP_LINE,
    Bar,
    Clef,
    Event,
    Piece,
    Pitch,
    Value,
)
from zhiyin.music.stimuli.dice import Dice
from zhiyin.music.theory import alteration

_SIXTEENTH = 4
"""Sixteenths of a quarter."""
_MIDDLE = 4
"""The middle line: the upper of two voices stays above it, the lower one below."""
MARKS = ("pp", "p", "mp", "mf", "f", "ff")
_MARKED = 0.3
"""How many bars carry a mark where nothing is asked about it."""
_CHORDS = ((0, 2, 4), (0, 2, 5), (0, 3, 5))


class Frame(msgspec.Struct, frozen=True):
    """What stands at the beginning of the staff, and how high the music may go."""

    clef: Clef
    fifths: int
    metre: tuple[int, int]
    highest: int | None = None
    """The highest place of a note, in steps above the lowest line; None for that of the knobs."""


def lowest(knobs: Knobs) -> int:
    """The lowest place that the ledger lines allow, in steps above the lowest line."""
    return -1 - 2 * knobs.ledger


def highest(knobs: Knobs) -> int:
    """The highest place that they allow."""
    return TOP_LINE + 1 + 2 * knobs.ledger


def is_compound(metre: tuple[int, int]) -> bool:
    """Whether beats are dotted: 6/8, 9/8."""
    return metre[1] == 8 and metre[0] % 3 == 0


def sixteenths(value: Value) -> int:
    """A value's length."""
    return int(value.quarters * _SIXTEENTH)


def bar_length(metre: tuple[int, int]) -> int:
    """Sixteenths of a bar."""
    return 16 * metre[0] // metre[1]


def compose(knobs: Knobs, frame: Frame, dice: Dice) -> Piece:
    """Random music: a line that wanders over the staff, with rests and chords."""
    bars = []
    places: list[int] = []
    for voice in range(knobs.voices):
        low, high = _range(knobs, frame, voice)
        places.append((low + high) // 2 if knobs.voices > 1 else min(_MIDDLE, high))
    for _ in range(knobs.bars):
        voices = []
        for voice in range(knobs.voices):
            values = rhythm(knobs, frame.metre, dice)
            line, places[voice] = _line(knobs, frame, values, voice, places[voice], dice)
            voices.append(line)
        marked = knobs.dynamics and dice.chance(_MARKED)
        bars.append(Bar(tuple(voices), dice.choice(MARKS) if marked else ""))
    return Piece(frame.clef, frame.fifths, frame.metre, tuple(bars))


def rhythm(knobs: Knobs, metre: tuple[int, int], dice: Dice) -> list[Value]:
    """Values that fill a bar and can be read: longer ones begin on beats."""
    while True:
        values: list[Value] = []
        place, end = 0, bar_length(metre)
        while place < end:
            fitting = [v for v in knobs.values if _fits(v, place, end, metre)]
            if not fitting:
                break
            value = dice.weighted(fitting, [_weight(v) for v in fitting])
            values.append(value)
            place += sixteenths(value)
        if place == end:
            return values


def _weight(value: Value) -> float:
    """How often a value is drawn: quarters and eighths most."""
    return {1: 0.5, 2: 1.0, 4: 2.0, 8: 2.0, 16: 0.7}[value.part] * (0.5 if value.dotted else 1.0)


def _fits(value: Value, place: int, end: int, metre: tuple[int, int]) -> bool:
    length = sixteenths(value)
    if place + length > end:
        return False
    if is_compound(metre):
        inside = place % 6
        if value.part == 4 and not value.dotted:
            return inside in (0, 2)
        if value.part <= 4:
            return inside == 0 and value.dotted
        if value.dotted:
            return False
    elif value.part <= 4 or value.dotted:
        return place % 4 == 0
    return place % length == 0


def _range(knobs: Knobs, frame: Frame, voice: int) -> tuple[int, int]:
    low, high = lowest(knobs), highest(knobs)
    if frame.highest is not None:
        high = frame.highest
    if knobs.voices > 1:
        low, high = (_MIDDLE + 1, high) if voice == 0 else (low, _MIDDLE - 1)
    return low, max(low, high)


def _line(
    knobs: Knobs, frame: Frame, values: Sequence[Value], voice: int, place: int, dice: Dice
) -> tuple[tuple[Event, ...], int]:
    low, high = _range(knobs, frame, voice)
    events: list[Event] = []
    for value in values:
        if not value.dotted and dice.chance(knobs.rests):
            events.append(Event(value))
            continue
        place = _wander(place, low, high, knobs.leap, dice)
        events.append(Event(value, _sounding(knobs, frame, place, low, high, dice)))
    if not any(event.pitches for event in events):
        which = dice.whole(0, len(events) - 1)
        events[which] = Event(events[which].value, (_pitch(knobs, frame, place, dice),))
    return tuple(events), place


def _wander(place: int, low: int, high: int, leap: int, dice: Dice) -> int:
    """The next place: mostly near; where the end of the range is met, back from it."""
    size = dice.whole(1, leap) if dice.chance(0.5) else dice.whole(0, 2)
    moved = place + size * dice.choice((-1, 1))
    if not low <= moved <= high:
        moved = 2 * place - moved
    return min(max(moved, low), high)


def _sounding(
    knobs: Knobs, frame: Frame, place: int, low: int, high: int, dice: Dice
) -> tuple[Pitch, ...]:
    shape = dice.choice(_CHORDS)
    if high - low >= shape[-1] and dice.chance(knobs.chords):
        root = min(place, high - shape[-1])
        return tuple(_pitch(knobs, frame, root + step, dice) for step in shape)
    return (_pitch(knobs, frame, place, dice),)


def _pitch(knobs: Knobs, frame: Frame, place: int, dice: Dice) -> Pitch:
    absolute = BOTTOM[frame.clef] + place
    usual = alteration(Pitch(absolute).letter, frame.fifths)
    if dice.chance(knobs.accidentals):
        others = [Pitch(absolute, a) for a in (-1, 0, 1) if a != usual]
        if able := [pitch for pitch in others if pitch.common]:
            return dice.choice(able)
    return Pitch(absolute, usual)


class Place(msgspec.Struct, frozen=True):
    """Where a note stands: voice, bar and event from 0, and its number among the voice's notes."""

    voice: int
    bar: int
    event: int
    number: int


def places(piece: Piece, wanted: Callable[[Event], bool] = lambda event: True) -> list[Place]:
    """Every note and chord that is wanted; `number` counts all notes of its bar and voice from 1.

    A chord counts as one.
    """
    matching = []
    for b, bar in enumerate(piece.bars):
        for v, events in enumerate(bar.voices):
            number = 0
            for e, event in enumerate(events):
                number += bool(event.pitches)
                if event.pitches and wanted(event):
                    matching.append(Place(v, b, e, number))
    return matching


def put(piece: Piece, place: Place, pitches: Sequence[Pitch]) -> Piece:
    """The piece with other pitches at a place."""
    bar = piece.bars[place.bar]
    events = list(bar.voices[place.voice])
    events[place.event] = Event(events[place.event].value, tuple(pitches))
    voices = list(bar.voices)
    voices[place.voice] = tuple(events)
    bars = list(piece.bars)
    bars[place.bar] = msgspec.structs.replace(bar, voices=tuple(voices))
    return msgspec.structs.replace(piece, bars=tuple(bars))


def onsets(events: Sequence[Event]) -> list[Fraction]:
    """When each event begins, in quarters from the bar's beginning."""
    starts, at = [], Fraction(0)
    for event in events:
        starts.append(at)
        at += event.value.quarters
    return starts
