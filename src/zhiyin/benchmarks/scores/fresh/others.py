"""Questions about everything but pitch: key, metre, values, dynamics, numbers; and transcription.

Where there are options, they are drawn first, then which of them is true, then the music.
"""

from __future__ import annotations

from itertools import combinations

import msgspec

from zhiyin.benchmarks.scores.fresh.asked import Question
from zhiyin.benchmarks.scores.fresh.compose import (
    MARKS,
    Frame,
    bar_length,
    compose,
    is_compound,
    places,
    sixteenths,
)
from zhiyin.benchmarks.scores.fresh.knobs import Knobs
from zhiyin.benchmarks.scores.fresh.music import Piece, Value
from zhiyin.music.stimuli.dice import Dice


def _any(
    knobs: Knobs, dice: Dice, fifths: int | None = None, metre: tuple[int, int] | None = None
) -> Piece:
    keys = dice.whole(-knobs.keys, knobs.keys)
    frame = Frame(
        dice.choice(knobs.clefs),
        keys if fifths is None else fifths,
        metre or dice.choice(knobs.metres),
    )
    return compose(knobs, frame, dice)


def name_signature(knobs: Knobs, dice: Dice) -> Question | None:
    """Which major key has this signature?"""
    signed = [
        (a, b, -a, -b) for a, b in combinations(range(1, knobs.keys + 1), 2)
    ]  # counted wrongly, or flats taken for sharps
    if not signed:
        return None
    square = dice.choice(signed)
    fifths = dice.choice(square)
    options = tuple(f"{each:+d}" for each in square)
    mistakes = {
        f"{each:+d}": " and ".join(
            what
            for what, wrong in (
                ("sharps or flats", each * fifths < 0),
                ("number", abs(each) != abs(fifths)),
            )
            if wrong
        )
        for each in square
        if each != fifths
    }
    piece = _any(knobs, dice, fifths=fifths)
    return Question(piece, f"{fifths:+d}", options, mistakes)


def name_meter(knobs: Knobs, dice: Dice) -> Question | None:
    """Which time signature is drawn, or belongs here?

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
    return Question(piece, f"{metre[0]}/{metre[1]}", options)


def name_value(knobs: Knobs, dice: Dice) -> Question | None:
    """How long is the note at a place? One option at least is another with a dot."""
    dotted = {value for value in knobs.values if value.dotted}
    sets = [
        four
        for four in combinations(sorted(knobs.values), 4)
        if any(Value(value.part) in four for value in dotted.intersection(four))
    ]
    if not sets:
        return None
    four = dice.choice(sets)
    return _with_value(knobs, dice, dice.choice(four), tuple(value.name for value in four))


def _with_value(
    knobs: Knobs, dice: Dice, value: Value, options: tuple[str, ...]
) -> Question | None:
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
            return Question(piece, true, options, mistakes, place.bar + 1, place.number, voice)
    return None


def _holds(value: Value, metre: tuple[int, int]) -> bool:
    """Whether a bar can hold a value that can be read there."""
    if sixteenths(value) > bar_length(metre):
        return False
    if is_compound(metre):
        return value.part <= 4 if value.dotted else value.part >= 4
    return True


def name_marking(knobs: Knobs, dice: Dice) -> Question | None:
    """Which mark stands below a bar? Others of the options stand below other bars."""
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
    return Question(piece, true, four, mistakes, bar + 1)


def transcribe(knobs: Knobs, dice: Dice) -> Question | None:
    """Which notes has a bar, in order?"""
    piece = _any(knobs, dice)
    bar = dice.whole(0, knobs.bars - 1)
    voice = dice.whole(0, knobs.voices - 1)
    names = [pitch.name for event in piece.bars[bar].voices[voice] for pitch in event.pitches]
    voice_number = voice + 1 if knobs.voices > 1 else 0
    return Question(piece, " ".join(names), bar=bar + 1, voice=voice_number)


def count_notes(knobs: Knobs, dice: Dice) -> Question | None:
    """How many note heads has a bar?"""
    piece = _any(knobs, dice)
    bar = dice.whole(0, knobs.bars - 1)
    heads = sum(len(e.pitches) for events in piece.bars[bar].voices for e in events)
    return Question(piece, str(heads), bar=bar + 1)


def count_silences(knobs: Knobs, dice: Dice) -> Question | None:
    """How many rests are there in all?"""
    if not knobs.rests:
        return None
    piece = _any(knobs, dice)
    rests = sum(not e.pitches for bar in piece.bars for events in bar.voices for e in events)
    return Question(piece, str(rests))
