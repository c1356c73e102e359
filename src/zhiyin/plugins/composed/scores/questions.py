"""Questions about a fresh picture, and the music that is composed for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from typing import Literal, get_args

import msgspec

from zhiyin.plugins.composed.scores.music import (
    BOTTOM,
    MARKS,
    Clef,
    NoteValue,
    PictureKnobs,
    Pitch,
    Place,
    Staff,
    StaffEvent,
    StaffSignature,
    bar_length,
    compose,
    highest,
    interval,
    is_compound,
    lowest,
    places,
    put,
    sixteenths,
)
from zhiyin.plugins.music.stimuli import Dice

Task = Literal[
    "note", "highest", "interval", "triad", "signature", "meter", "value", "marking",
    "transcribe", "notes", "silences",
]  # fmt: skip
TASKS: tuple[Task, ...] = get_args(Task)
CHOICES: tuple[Task, ...] = TASKS[:8]
"""Tasks in which one of four options is right; the others are answered freely."""


class StaffQuestion(msgspec.Struct, frozen=True):
    """A piece and what is asked of it.

    Attributes
    ----------
    piece : Staff
    options : tuple of str
        Without words: ``F#4``, ``3m`` (a minor third), ``-2`` (two flats), ``6/8``, ``4.``, ``mf``.
        None where the answer is free.
    answer : str
        One of the options; or notes parted by spaces; or a number.
    mistakes : dict of str to str
        What a wrong option stands for, as far as it is known.
    bar, number, voice : int
        From 1: the bar, the note among those of its voice in the bar, and the voice, where the
        question names one; else 0.
    """

    piece: Staff
    answer: str
    options: tuple[str, ...] = ()
    mistakes: dict[str, str] = {}
    bar: int = 0
    number: int = 0
    voice: int = 0


# Questions whose options are pitches: four readings, of which one becomes the music.
#
# Options come in squares: two readings of one thing (the clef, an accidental, the octave, the line)
# times two of another. First the square is drawn, then which of its corners is true, then the music
# is written around that. So no corner is likelier than another without the picture, and each
# wrong one is what a known mistake would read.

Factor = Literal["clef", "accidental", "octave", "line"]
FACTORS: tuple[Factor, ...] = ("clef", "accidental", "octave", "line")
_MIDDLE = 4
_SHAPES = ((0, 2, 4), (0, 2, 5), (0, 3, 5))
_TRIES = 500


class _Corner(msgspec.Struct, frozen=True):
    """One reading: the clef, the place of the lowest note on the staff, and each alteration."""

    clef: Clef
    place: int
    alters: tuple[int, ...]

    def pitches(self, shape: Sequence[int]) -> tuple[Pitch, ...]:
        bottom = BOTTOM[self.clef] + self.place
        return tuple(
            Pitch(bottom + step, alter) for step, alter in zip(shape, self.alters, strict=True)
        )


def _joined(mistakes: Mapping[str, bool]) -> str:
    """Name the mistakes that lead to a wrong option."""
    return " and ".join(what for what, wrong in mistakes.items() if wrong)


def name_chord(knobs: PictureKnobs, dice: Dice) -> StaffQuestion | None:
    """Ask which notes the chord at a place has."""
    return _read(knobs, dice, dice.choice(_SHAPES)) if knobs.chords else None


def _read(
    knobs: PictureKnobs, dice: Dice, shape: Sequence[int] = (0,), *, top: bool = False
) -> StaffQuestion | None:
    """Ask which note or chord is at a place, or which note is the highest of all.

    None where the corners that were drawn cannot all be written.
    """
    drawn = _square(knobs, dice, shape, top)
    if drawn is None:
        return None
    first, second, corners = drawn
    # Each corner must be able to be the true one: else a blind reader could leave it out.
    frames = [_frames(knobs, corner.pitches(shape), corner.clef) for corner in corners]
    if not all(frames):
        return None
    which = dice.whole(0, 3)
    true = corners[which]
    fifths = dice.choice(frames[which])
    names = [" ".join(pitch.name for pitch in corner.pitches(shape)) for corner in corners]
    mistakes = {
        name: _joined({first: bool((number ^ which) & 2), second: bool((number ^ which) & 1)})
        for number, name in enumerate(names)
        if number != which
    }
    asked = StaffQuestion(
        Staff(true.clef, fifths, (4, 4), ()), names[which], tuple(names), mistakes
    )
    written = (_write(knobs, dice, asked, true.pitches(shape), top) for _ in range(_TRIES))
    return next(filter(None, written), None)


def _square(
    knobs: PictureKnobs, dice: Dice, shape: Sequence[int], top: bool
) -> tuple[Factor, Factor, list[_Corner]] | None:
    able = [f for f in FACTORS if _has(knobs, f)]
    if len(able) < 2:
        return None
    first, second = sorted(dice.sample(able, 2), key=FACTORS.index)
    low, high = lowest(knobs), highest(knobs) - shape[-1]
    # Room for the other notes below the highest one.
    least = low if not top else _MIDDLE + 3 if knobs.voices > 1 else low + 4
    place = dice.whole(least, high)
    clefs = dice.sample(knobs.clefs, 2) if len(knobs.clefs) > 1 else [*knobs.clefs] * 2
    usual = [dice.choice((-1, 0, 0, 1)) if _has(knobs, "accidental") else 0 for _ in shape]
    member = dice.whole(0, len(shape) - 1)
    other = dice.choice([a for a in (-1, 0, 1) if a != usual[member]])
    moved: dict[Factor, int] = {"octave": 7 * dice.choice((-1, 1)), "line": dice.choice((-1, 1))}
    corners = []
    for bits in range(4):
        chosen: dict[Factor, bool] = {first: bool(bits & 2), second: bool(bits & 1)}
        alters = list(usual)
        if chosen.get("accidental"):
            alters[member] = other
        at = place + sum(by for factor, by in moved.items() if chosen.get(factor))
        corners.append(_Corner(clefs[chosen.get("clef", False)], at, tuple(alters)))
    if not all(least <= corner.place <= high for corner in corners):
        return None
    if knobs.voices > 1 and any(_voice(corner.place, shape) is None for corner in corners):
        return None
    if not all(pitch.common for corner in corners for pitch in corner.pitches(shape)):
        return None
    if len({corner.pitches(shape) for corner in corners}) < 4:
        return None
    return first, second, corners


def _has(knobs: PictureKnobs, factor: Factor) -> bool:
    if factor == "clef":
        return len(knobs.clefs) > 1
    return factor != "accidental" or knobs.accidentals > 0 or knobs.keys > 0


def _frames(knobs: PictureKnobs, pitches: Sequence[Pitch], clef: Clef) -> list[int]:
    """The keys in which pitches can be written."""
    keys = range(-knobs.keys, knobs.keys + 1)
    if knobs.accidentals:
        return list(keys)
    return [fifths for fifths in keys if all(pitch.in_key(fifths) for pitch in pitches)]


def _write(
    knobs: PictureKnobs, dice: Dice, asked: StaffQuestion, pitches: Sequence[Pitch], top: bool
) -> StaffQuestion | None:
    """The question with music in which the pitches stand at a place of their own."""
    head = asked.piece
    on_staff = [pitch.place - BOTTOM[head.clef] for pitch in pitches]
    limit = on_staff[0] - (2 if knobs.accidentals else 1) if top else None
    frame = StaffSignature(head.clef, head.fifths, dice.choice(knobs.metres), limit)
    voice = _voice(on_staff[0], [at - on_staff[0] for at in on_staff]) if knobs.voices > 1 else 0
    piece = compose(knobs, frame, dice)
    able = [p for p in places(piece) if p.voice == voice]
    place = dice.choice(able)
    piece = put(piece, place, pitches)
    if top:
        others = [p.midi for p in _all_pitches(piece) if p != pitches[0]]
        if others and max(others) >= pitches[0].midi:
            return None
        return msgspec.structs.replace(asked, piece=piece)
    return msgspec.structs.replace(asked, piece=piece, **_where(knobs, place))


def _voice(place: int, shape: Sequence[int]) -> int | None:
    """Choose the one of two voices for some notes; None for neither: they cross the middle line."""
    return 0 if place > _MIDDLE else 1 if place + shape[-1] < _MIDDLE else None


def _where(knobs: PictureKnobs, place: Place) -> dict[str, int]:
    voice = place.voice + 1 if knobs.voices > 1 else 0
    return {"bar": place.bar + 1, "number": place.number, "voice": voice}


def _all_pitches(piece: Staff) -> list[Pitch]:
    return [
        pitch
        for bar in piece.bars
        for events in bar.voices
        for event in events
        for pitch in event.pitches
    ]


_INTERVALS = (
    ("2m", "2M", "3m", "3M"), ("3m", "3M", "6m", "6M"), ("6m", "6M", "7m", "7M"),
    ("2m", "2M", "7m", "7M"), ("4P", "4A", "5P", "5d"),
)  # fmt: skip
"""Squares of intervals: by a step wrong, or turned upside down; by an accidental wrong."""


def name_interval(knobs: PictureKnobs, dice: Dice) -> StaffQuestion | None:
    """Ask how far a note is from the one after it."""
    able = [four for four in _INTERVALS if all(_homes(knobs, answer) for answer in four)]
    if not able:
        return None
    options = dice.choice(able)
    answer = dice.choice(options)
    written = (_apart(knobs, dice, options, answer) for _ in range(_TRIES))
    return next(filter(None, written), None)


def _apart(
    knobs: PictureKnobs, dice: Dice, options: tuple[str, ...], answer: str
) -> StaffQuestion | None:
    clef, fifths = dice.choice(_homes(knobs, answer))
    pair = dice.shuffled(dice.choice(_pairs(knobs, clef, fifths, answer)))
    piece = compose(knobs, StaffSignature(clef, fifths, dice.choice(knobs.metres)), dice)
    able = [p for p in places(piece) if p.voice == 0 and _is_followed(piece, p)]
    if not able:
        return None
    place = dice.choice(able)
    piece = put(piece, place, pair[:1])
    after = Place(place.voice, place.bar, place.event + 1, place.number + 1)
    piece = put(piece, after, pair[1:])
    mistakes = {
        option: _joined({"steps": option[0] != answer[0], "accidental": option[1:] != answer[1:]})
        for option in options
        if option != answer
    }
    return StaffQuestion(piece, answer, options, mistakes, **_where(knobs, place))


@cache
def _homes(knobs: PictureKnobs, answer: str) -> tuple[tuple[Clef, int], ...]:
    """The clefs and keys in which an interval can be written."""
    return tuple(
        (clef, fifths)
        for clef in knobs.clefs
        for fifths in range(-knobs.keys, knobs.keys + 1)
        if _pairs(knobs, clef, fifths, answer)
    )


@cache
def _pairs(
    knobs: PictureKnobs, clef: Clef, fifths: int, answer: str
) -> tuple[tuple[Pitch, Pitch], ...]:
    """The pairs of pitches that are the interval apart and that the knobs allow."""
    low = _MIDDLE + 1 if knobs.voices > 1 else lowest(knobs)
    steps, alters = int(answer[0]) - 1, (-1, 0, 1)
    pairs = []
    for place in range(low, highest(knobs) - steps + 1):
        for one in alters:
            for two in alters:
                lower = Pitch(BOTTOM[clef] + place, one)
                upper = Pitch(BOTTOM[clef] + place + steps, two)
                able = lower.common and upper.common
                if not knobs.accidentals:
                    able = lower.in_key(fifths) and upper.in_key(fifths)
                if able and interval(lower, upper) == (steps + 1, answer[1:]):
                    pairs.append((lower, upper))
    return tuple(pairs)


def _is_followed(piece: Staff, place: Place) -> bool:
    events: Sequence[StaffEvent] = piece.bars[place.bar].voices[place.voice]
    return place.event + 1 < len(events) and bool(events[place.event + 1].pitches)


# Questions about everything but pitch: key, metre, values, dynamics, numbers; and transcription.
#
# Where there are options, they are drawn first, then which of them is true, then the music.


def _any(
    knobs: PictureKnobs, dice: Dice, fifths: int | None = None, metre: tuple[int, int] | None = None
) -> Staff:
    keys = dice.whole(-knobs.keys, knobs.keys)
    frame = StaffSignature(
        dice.choice(knobs.clefs),
        keys if fifths is None else fifths,
        metre or dice.choice(knobs.metres),
    )
    return compose(knobs, frame, dice)


def name_signature(knobs: PictureKnobs, dice: Dice) -> StaffQuestion | None:
    """Ask which major key has this signature."""
    signed = [
        (a, b, -a, -b) for a, b in combinations(range(1, knobs.keys + 1), 2)
    ]  # counted wrongly, or flats taken for sharps
    if not signed:
        return None
    square = dice.choice(signed)
    fifths = dice.choice(square)
    options = tuple(f"{each:+d}" for each in square)
    mistakes = {
        f"{each:+d}": _joined(
            {"sharps or flats": each * fifths < 0, "number": abs(each) != abs(fifths)}
        )
        for each in square
        if each != fifths
    }
    piece = _any(knobs, dice, fifths=fifths)
    return StaffQuestion(piece, f"{fifths:+d}", options, mistakes)


def name_meter(knobs: PictureKnobs, dice: Dice) -> StaffQuestion | None:
    """Ask which time signature is drawn, or belongs here.

    One that is not drawn is asked for among bars of different lengths.
    """
    sets = list(combinations(sorted(knobs.metres), 4))
    if knobs.counted:
        sets = [four for four in sets if len({bar_length(metre) for metre in four}) == 4]
    if not sets:
        return None
    four = dice.choice(sets)
    metre = dice.choice(four)
    piece = _any(knobs, dice, metre=metre)
    piece = msgspec.structs.replace(piece, shown=not knobs.counted)
    options = tuple(f"{beats}/{part}" for beats, part in four)
    return StaffQuestion(piece, f"{metre[0]}/{metre[1]}", options)


def name_value(knobs: PictureKnobs, dice: Dice) -> StaffQuestion | None:
    """Ask how long the note at a place is. One option at least is another with a dot."""
    dotted = {value for value in knobs.values if value.dotted}
    sets = [
        four
        for four in combinations(sorted(knobs.values), 4)
        if any(NoteValue(value.part) in four for value in dotted.intersection(four))
    ]
    if not sets:
        return None
    four = dice.choice(sets)
    return _with_value(knobs, dice, dice.choice(four), tuple(value.name for value in four))


def _with_value(
    knobs: PictureKnobs, dice: Dice, value: NoteValue, options: tuple[str, ...]
) -> StaffQuestion | None:
    metres = [metre for metre in knobs.metres if _holds(value, metre)]
    if not metres:
        return None
    metre = dice.choice(metres)
    for _ in range(200):
        piece = _any(knobs, dice, metre=metre)
        able = places(piece, lambda event: event.value == value)
        if able:
            place = dice.choice(able)
            voice = place.voice + 1 if knobs.voices > 1 else 0
            true = value.name
            mistakes = {
                option: "dot" if option.strip(".") == true.strip(".") else "shape"
                for option in options
                if option != true
            }
            return StaffQuestion(piece, true, options, mistakes, place.bar + 1, place.number, voice)
    return None


def _holds(value: NoteValue, metre: tuple[int, int]) -> bool:
    """Tell whether a bar can hold a value that can be read there."""
    if sixteenths(value) > bar_length(metre):
        return False
    if is_compound(metre):
        return value.part <= 4 if value.dotted else value.part >= 4
    return True


def name_marking(knobs: PictureKnobs, dice: Dice) -> StaffQuestion | None:
    """Ask which mark stands below a bar. Others of the options stand below other bars."""
    sets = list(combinations(MARKS, 4))
    if not knobs.dynamics:
        return None
    four = dice.choice(sets)
    true, bar = dice.choice(four), dice.whole(0, knobs.bars - 1)
    others = [mark for mark in four if mark != true]
    piece = _any(knobs, dice)
    bars = []
    elsewhere = set()
    for number, each in enumerate(piece.bars):
        mark = true if number == bar else dice.choice(others)
        elsewhere |= {mark} - {true}
        bars.append(msgspec.structs.replace(each, dynamic=mark))
    piece = msgspec.structs.replace(piece, bars=tuple(bars))
    mistakes = {
        mark: "another bar" if mark in elsewhere else "not in the picture" for mark in others
    }
    return StaffQuestion(piece, true, four, mistakes, bar + 1)


def transcribe(knobs: PictureKnobs, dice: Dice) -> StaffQuestion | None:
    """Ask which notes a bar has, in order."""
    piece = _any(knobs, dice)
    bar = dice.whole(0, knobs.bars - 1)
    voice = dice.whole(0, knobs.voices - 1)
    names = [pitch.name for event in piece.bars[bar].voices[voice] for pitch in event.pitches]
    voice_number = voice + 1 if knobs.voices > 1 else 0
    return StaffQuestion(piece, " ".join(names), bar=bar + 1, voice=voice_number)


def count_notes(knobs: PictureKnobs, dice: Dice) -> StaffQuestion | None:
    """Ask how many note heads a bar has."""
    piece = _any(knobs, dice)
    bar = dice.whole(0, knobs.bars - 1)
    heads = sum(len(e.pitches) for events in piece.bars[bar].voices for e in events)
    return StaffQuestion(piece, str(heads), bar=bar + 1)


def count_silences(knobs: PictureKnobs, dice: Dice) -> StaffQuestion | None:
    """Ask how many rests there are in all."""
    if not knobs.rests:
        return None
    piece = _any(knobs, dice)
    rests = sum(not e.pitches for bar in piece.bars for events in bar.voices for e in events)
    return StaffQuestion(piece, str(rests))


MAKERS: dict[Task, Callable[[PictureKnobs, Dice], StaffQuestion | None]] = {
    "note": _read,
    "highest": partial(_read, top=True),
    "interval": name_interval,
    "triad": name_chord,
    "signature": name_signature,
    "meter": name_meter,
    "value": name_value,
    "marking": name_marking,
    "transcribe": transcribe,
    "notes": count_notes,
    "silences": count_silences,
}
