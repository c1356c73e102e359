"""Questions about a piece, whose wrong options could as well have been right.

The options of a question are drawn first, as a set of which any one may be the answer; then which
of them it is; then the place, or the piece, of which it is true. So nothing but the piece tells.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import msgspec

from zhiyin.plugins.music.notated import (
    NotatedEvent,
    NotatedPart,
    NotatedPiece,
    accidental_of,
    composing,
    octave_of,
    solving,
)
from zhiyin.plugins.music.notated.composing import CADENCES
from zhiyin.plugins.music.stimuli import Dice
from zhiyin.plugins.music.theory import Key, fifths_of, parse_pitch, spell

F = Fraction
Body = str
BODIES: tuple[Body, ...] = ("sound", "midi", "abc", "musicxml", "kern", "image")
NOTATION = ("abc", "musicxml", "kern", "image")
"""Bodies that show spelling, upbeat and repeat marks."""
HEARD_METRES = ("3/4", "4/4", "5/4", "6/8")
"""Metres that accents alone tell from each other."""
METRES = {
    "3/4": (3, 4), "4/4": (4, 4), "5/4": (5, 4), "6/8": (6, 8), "2/4": (2, 4), "2/2": (2, 2),
    "3/8": (3, 8), "9/8": (9, 8),
}  # fmt: skip
FORMS = ("AABA", "ABAB", "AABB", "ABBA", "ABAC", "ABCA", "AABC", "ABCB")
_TRIES = 200
_KEYS = [Key(spell(f), "major") for f in range(-6, 7)] + [
    Key(spell(f + 3), "minor") for f in range(-6, 7)
]


class NotatedQuestion(msgspec.Struct, frozen=True):
    """A question and its pieces.

    Attributes
    ----------
    skill : str
        A key of `solving.WORDS`.
    stem : str
    options : tuple of str
        The right one first.
    pieces : tuple of NotatedPiece
        One, or two.
    bodies : tuple of str
        Those that can carry what is asked.
    """

    skill: str
    stem: str
    options: tuple[str, ...]
    pieces: tuple[NotatedPiece, ...]
    bodies: tuple[Body, ...] = BODIES


def fresh(skill: str, dice: Dice) -> NotatedQuestion:
    """A question of a skill about a piece of our own."""
    for _ in range(_TRIES):
        question = _FRESH[skill](dice)
        if question is not None and _is_sound(question):
            return question
    raise AssertionError(f"no question of {skill} in {_TRIES} tries")


def about(skill: str, piece: NotatedPiece, dice: Dice) -> NotatedQuestion | None:
    """A question of a skill about a given piece; None where it gives no good one."""
    ask = _ABOUT.get(skill)
    if ask is None:
        return None
    for _ in range(10):
        question = ask(piece, dice)
        if question is not None and _is_sound(question):
            return question
    return None


def _is_sound(question: NotatedQuestion) -> bool:
    """Tell whether the computed answer is the one that is meant, and the options differ."""
    understood = solving.understand(question.stem)
    if (
        understood is None
        or understood[0] != question.skill
        or len({*question.options}) < len(question.options)
    ):
        return False
    return solving.solve(*understood, question.pieces, question.options) == question.options[0]


def _stem_text(skill: str, **places: object) -> str:
    return solving.WORDS[skill].format(**places)


def _seconds(piece: NotatedPiece) -> str:
    return f"{float(piece.bar) * 60 / piece.tempo:.3g}"


def _tune(dice: Dice, **known: Any) -> NotatedPiece:
    plan = composing.any_plan("tune", dice)
    return composing.compose(msgspec.structs.replace(plan, repeats=(), **known), dice)


# About any piece


def _pitch(piece: NotatedPiece, dice: Dice) -> NotatedQuestion | None:
    numbers = solving.tops(piece)
    names = {n: event.pitches[-1] for n, event in zip(numbers, piece.tune, strict=True)}
    if len(names) < 4:
        return None
    options = dice.sample(sorted(names), 4)
    place = dice.choice([n for n, each in enumerate(numbers, 1) if each == options[0]])
    # Another note of the same pitch may be spelled otherwise: this one's own name is shown.
    shown = [piece.tune[place - 1].pitches[-1], *(names[n] for n in options[1:])]
    return NotatedQuestion("pitch", _stem_text("pitch", a=place), tuple(shown), (piece,))


def _spelling(piece: NotatedPiece, dice: Dice) -> NotatedQuestion | None:
    places = [n for n, e in enumerate(piece.tune, 1) if _twin(e.pitches[-1]) is not None]
    if not places:
        return None
    place = dice.choice(places)
    name = piece.tune[place - 1].pitches[-1]
    others = [t for t in _BLACK if t[0] not in (_bare(name), _bare(str(_twin(name))))]
    octave, other = octave_of(name), dice.choice(others)
    options = (name, str(_twin(name)), *(f"{each}{octave}" for each in other))
    return NotatedQuestion("spelling", _stem_text("spelling", a=place), options, (piece,), NOTATION)


_BLACK = (("C#", "Db"), ("D#", "Eb"), ("F#", "Gb"), ("G#", "Ab"), ("A#", "Bb"))


def _bare(pitch: str) -> str:
    return pitch[0] + accidental_of(pitch)


def _twin(pitch: str) -> str | None:
    """The other name of a black key, with the octave; None for other pitches."""
    for pair in _BLACK:
        if _bare(pitch) in pair:
            return f"{pair[1 - pair.index(_bare(pitch))]}{octave_of(pitch)}"
    return None


def _interval(piece: NotatedPiece, dice: Dice) -> NotatedQuestion | None:
    steps = [b - a for a, b in pairwise(solving.tops(piece))]
    sizes = sorted({step for step in steps if step in solving.INTERVALS})
    if len(sizes) < 4:
        return None
    options = dice.sample(sizes, 4)
    place = dice.choice([n for n, step in enumerate(steps, 1) if step == options[0]])
    stem = _stem_text("interval", a=place, b=place + 1)
    return NotatedQuestion("interval", stem, tuple(solving.INTERVALS[o] for o in options), (piece,))


def _key(piece: NotatedPiece, dice: Dice) -> NotatedQuestion | None:
    """Two keys a fifth apart and their relatives: each of the four may be the odd one in."""
    if piece.key is None or piece.signature_alone:
        return None
    own = fifths_of(piece.key.tonic) - (3 if piece.key.mode == "minor" else 0)
    near = [f for f in (own - 1, own + 1) if -7 <= f <= 7]
    pair = (own, dice.choice(near))
    keys = [Key(spell(f)) for f in pair] + [Key(spell(f + 3), "minor") for f in pair]
    options = [piece.key.name, *(k.name for k in keys if k != piece.key)]
    heard = solving.tonality(piece, keys) == piece.key
    bodies = BODIES if heard else NOTATION
    return NotatedQuestion("key", _stem_text("key"), tuple(options), (piece,), bodies)


def _metre(piece: NotatedPiece, dice: Dice) -> NotatedQuestion | None:
    name = "{}/{}".format(*piece.metre)
    if name not in METRES:
        return None
    heard = name in HEARD_METRES and not piece.upbeat
    others = [m for m in (HEARD_METRES if heard else METRES) if m != name]
    options = (name, *dice.sample(others, 3))
    bodies = BODIES if heard else tuple(b for b in BODIES if b != "sound")
    return NotatedQuestion("metre", _stem_text("metre"), options, (piece,), bodies)


def _contour(piece: NotatedPiece, dice: Dice, shape: str = "") -> NotatedQuestion | None:
    wanted, size = shape or dice.choice(solving.SHAPES), dice.whole(4, 5)
    numbers = solving.tops(piece)
    places = [
        n for n in range(len(numbers) - size + 1)
        if solving.shape_of(numbers[n : n + size]) == wanted
    ]  # fmt: skip
    if not places:
        return None
    place = dice.choice(places)
    others = [shape for shape in solving.SHAPES if shape != wanted]
    stem = _stem_text("contour", a=place + 1, b=place + size)
    return NotatedQuestion("contour", stem, (wanted, *others), (piece,))


def _repeated(piece: NotatedPiece, dice: Dice) -> NotatedQuestion | None:
    rows = [
        solving.content(piece.tune, piece.bar_start(n), piece.bar_start(n) + piece.bar)
        for n in range(1, piece.bars + 1)
    ]
    bars = range(1, piece.bars + 1)
    pairs = [
        (a, b) for a in bars for b in bars if a != b and solving.same(rows[a - 1], rows[b - 1])
    ]
    if not pairs:
        return None
    model, twin = dice.choice(pairs)
    wrong = [n for n in bars if n != model and not solving.same(rows[n - 1], rows[model - 1])]
    if len(wrong) < 3:
        return None
    options = (twin, *dice.sample(wrong, 3))
    stem = _stem_text("repeated bar", a=model, s=_seconds(piece))
    # Sound and MIDI show no upbeat or first rest: bars cannot be counted in them then.
    bodies = BODIES if not piece.upbeat and piece.tune[0].onset == 0 else NOTATION
    names = tuple(f"bar {n}" for n in options)
    return NotatedQuestion("repeated bar", stem, names, (piece,), bodies)


def _marks(piece: NotatedPiece, dice: Dice) -> NotatedQuestion | None:
    if len(piece.repeats) != 1:
        return None
    first, last = piece.repeats[0]
    size = last - first + 1
    others = [n for n in range(1, piece.bars - size + 2) if n != first]
    if len(others) < 3:
        return None
    starts = (first, *dice.sample(others, 3))
    options = tuple(f"bars {n} to {n + size - 1}" for n in starts)
    return NotatedQuestion("repeat marks", _stem_text("repeat marks"), options, (piece,), NOTATION)


def _upbeat(piece: NotatedPiece, dice: Dice) -> NotatedQuestion | None:
    if piece.upbeat not in solving.UPBEATS or piece.bar < 2:
        return None
    right = solving.UPBEATS[piece.upbeat]
    others = [words for words in solving.UPBEATS.values() if words != right]
    return NotatedQuestion("upbeat", _stem_text("upbeat"), (right, *others), (piece,), NOTATION)


def _transposition(piece: NotatedPiece, dice: Dice) -> NotatedQuestion | None:
    options = dice.sample([n for n in solving.INTERVALS if abs(n) <= 7], 4)
    moved = transposed(piece, options[0])
    if moved is None:
        return None
    words = tuple(solving.INTERVALS[o] for o in options)
    return NotatedQuestion("transposition", _stem_text("transposition"), words, (piece, moved))


def transposed(piece: NotatedPiece, semitones: int) -> NotatedPiece | None:
    """A piece some semitones higher, each note spelled as far along the fifths as its key moves.

    None where no key with up to seven signs, or no name of a note, would do.
    """
    key = piece.key or Key("C")
    moves = [
        f for f in range(-13, 14) if f * 7 % 12 == semitones % 12 and -7 <= key.fifths + f <= 7
    ]
    if not moves:
        return None
    fifths = min(moves, key=lambda f: abs(key.fifths + f))

    def moved(pitch: str) -> str | None:
        place = fifths_of(_bare(pitch)) + fifths
        if not -8 <= place <= 12:  # at most one sign, but for F## and Bbb and their like
            return None
        name = spell(place)
        number = parse_pitch(pitch) + semitones
        octaves = (o for o in range(9) if parse_pitch(f"{name}{o}") == number)
        octave = next(octaves, None)
        return None if octave is None else f"{name}{octave}"

    parts = []
    for part in piece.parts:
        events = []
        for event in part.events:
            pitches = tuple(map(moved, event.pitches))
            if None in pitches:
                return None
            events.append(NotatedEvent(event.onset, event.length, tuple(map(str, pitches))))
        parts.append(NotatedPart(tuple(events), part.instrument))
    now = Key(spell(fifths_of(key.tonic) + fifths), key.mode) if piece.key else None
    return msgspec.structs.replace(piece, parts=tuple(parts), key=now)


def _instruments(piece: NotatedPiece, dice: Dice) -> NotatedQuestion | None:
    names = [part.instrument for part in piece.parts]
    if len(names) != 2 or names[0] == names[1]:
        return None
    middles = [
        sum(n for e in p.events for n in e.numbers) / max(1, len(p.events)) for p in piece.parts
    ]
    others = [name for name in composing.PLAYERS if name not in names]
    if middles[0] <= middles[1] + 5 or any(name not in composing.PLAYERS for name in names):
        return None
    options = (*names, *dice.sample(others, 2))
    return NotatedQuestion("instruments", _stem_text("instruments"), options, (piece,))


def _changed(piece: NotatedPiece, dice: Dice) -> NotatedQuestion | None:
    numbers = solving.tops(piece)
    if len(numbers) < 8:
        return None
    places = dice.sample(range(1, len(numbers) - 1), 4)
    place = places[0]
    event = piece.tune[place]
    step = dice.choice((-1, 1)) * dice.whole(1, 2)
    letter = "CDEFGAB".index(event.pitches[-1][0]) + step
    octaves, index = divmod(letter, 7)
    names = {name[0]: name for name in (piece.key or Key("C")).scale()}
    name = names["CDEFGAB"[index]] + str(octave_of(event.pitches[-1]) + octaves)
    if parse_pitch(name) in (numbers[place - 1], numbers[place], numbers[place + 1]):
        return None
    tune = list(piece.tune)
    tune[place] = NotatedEvent(event.onset, event.length, (*event.pitches[:-1], name))
    if sorted(map(parse_pitch, tune[place].pitches)) != list(tune[place].numbers):
        return None
    parts = (NotatedPart(tuple(tune), piece.parts[0].instrument), *piece.parts[1:])
    other = msgspec.structs.replace(piece, parts=parts)
    options = tuple(f"note number {n + 1}" for n in places)
    return NotatedQuestion("changed note", _stem_text("changed note"), options, (piece, other))


_ABOUT: dict[str, Callable[[NotatedPiece, Dice], NotatedQuestion | None]] = {
    "pitch": _pitch,
    "spelling": _spelling,
    "interval": _interval,
    "key": _key,
    "metre": _metre,
    "contour": _contour,
    "repeated bar": _repeated,
    "repeat marks": _marks,
    "upbeat": _upbeat,
    "transposition": _transposition,
    "instruments": _instruments,
    "changed note": _changed,
}


# About a piece of our own


def _plainly(skill: str) -> Callable[[Dice], NotatedQuestion | None]:
    """A question about a tune of any kind."""
    return lambda dice: _ABOUT[skill](_tune(dice), dice)


def _moved(dice: Dice) -> NotatedQuestion | None:
    """Ask about a tune with notes of the key alone: each interval has a key and names for it."""
    return _transposition(_tune(dice, plain=True), dice)


def _shaped(dice: Dice) -> NotatedQuestion | None:
    """The shape is drawn first, then a tune that has it: none comes more often than another."""
    wanted = dice.choice(solving.SHAPES)
    for _ in range(_TRIES):
        question = _contour(_tune(dice), dice, wanted)
        if question is not None:
            return question
    return None


def _black_key(dice: Dice) -> NotatedQuestion | None:
    """The name is drawn first, then a key that has it: sharps and flats come equally often."""
    name = dice.choice(dice.choice(_BLACK))
    fifths = [f for f in range(-7, 8) if -1 <= fifths_of(name) - f <= 5]
    key = Key(spell(dice.choice(fifths)))
    question = _spelling(_tune(dice, key=key), dice)
    return question if question and _bare(question.options[0]) == name else None


def _any_of_four_keys(dice: Dice) -> NotatedQuestion | None:
    return _key(_tune(dice, key=dice.choice(_KEYS)), dice)


def _any_metre(dice: Dice) -> NotatedQuestion | None:
    name = dice.choice(HEARD_METRES)
    # As many bars as come to about the same length in every metre.
    bars = {"3/4": 5, "4/4": 4, "5/4": 3, "6/8": 5}[name]
    return _metre(_tune(dice, metre=METRES[name], upbeat=F(0), bars=bars, plain=True), dice)


def _chorded(dice: Dice, **known: Any) -> NotatedPiece:
    plan = composing.any_plan("chords", dice)
    bars = 6 if F(4 * plan.metre[0], plan.metre[1]) < 4 else 5
    return composing.compose(msgspec.structs.replace(plan, repeats=(), bars=bars, **known), dice)


def _chord(dice: Dice) -> NotatedQuestion | None:
    piece = _chorded(dice)
    names: dict[str, int] = {}
    for number, event in enumerate(piece.parts[1].events, 1):
        root, quality = _bare(event.pitches[0]), str(solving.names_of(event.numbers)).split()[1]
        names[f"{root} {quality}"] = number
    if len(names) < 4:
        return None
    options = dice.sample(sorted(names), 4)
    return NotatedQuestion(
        "chord", _stem_text("chord", a=names[options[0]]), tuple(options), (piece,)
    )


def _cadence(dice: Dice) -> NotatedQuestion | None:
    names = dice.shuffled(tuple(CADENCES))
    piece = _chorded(dice, cadence=names[0])
    assert piece.key is not None
    words = tuple(solving.CADENCE_WORDS[name] for name in names)
    return NotatedQuestion("cadence", _stem_text("cadence", key=piece.key.name), words, (piece,))


def _a_bar_again(dice: Dice) -> NotatedQuestion | None:
    """Compose six bars, of which two are the same, and ask which."""
    letters = dice.shuffled("AABCDE")
    metre = dice.choice(((2, 4), (3, 4), (4, 4)))
    return _repeated(_tune(dice, metre=metre, bars=6, form="".join(letters), upbeat=F(0)), dice)


def _marked(dice: Dice) -> NotatedQuestion | None:
    """Mark two bars of eight; which pairs are offered does not depend on which are marked."""
    starts = dice.sample((1, 3, 5, 7), 4)
    metre = dice.choice(((2, 4), (3, 4), (3, 8)))
    piece = _tune(dice, metre=metre, bars=8)
    piece = msgspec.structs.replace(piece, repeats=((starts[0], starts[0] + 1),))
    options = tuple(f"bars {n} to {n + 1}" for n in starts)
    return NotatedQuestion("repeat marks", _stem_text("repeat marks"), options, (piece,), NOTATION)


def _begun(dice: Dice) -> NotatedQuestion | None:
    upbeat = dice.choice(tuple(solving.UPBEATS))
    metre = dice.choice(((3, 4), (4, 4), (6, 8)))
    return _upbeat(_tune(dice, metre=metre, bars=4, upbeat=upbeat), dice)


def _form(dice: Dice) -> NotatedQuestion | None:
    options = dice.sample(FORMS, 4)
    metre = dice.choice(((2, 4), (3, 4), (3, 8)))
    piece = _tune(dice, metre=metre, bars=8, form=options[0], upbeat=F(0))
    stem = _stem_text("form", a=2, s=_seconds(piece))
    return NotatedQuestion("form", stem, tuple(options), (piece,))


def _duet(dice: Dice) -> NotatedQuestion | None:
    """Draw the options first, then who of them plays, then who of these is above."""
    options = dice.sample(composing.PLAYERS, 4)
    plan = composing.any_plan("duet", dice)
    plan = msgspec.structs.replace(plan, repeats=(), players=(options[0], options[1]))
    piece = composing.compose(plan, dice)
    return NotatedQuestion("instruments", _stem_text("instruments"), tuple(options), (piece,))


_FRESH: dict[str, Callable[[Dice], NotatedQuestion | None]] = {
    **{name: _plainly(name) for name in ("pitch", "interval", "changed note")},
    "contour": _shaped,
    "transposition": _moved,
    "spelling": _black_key,
    "key": _any_of_four_keys,
    "metre": _any_metre,
    "chord": _chord,
    "cadence": _cadence,
    "repeated bar": _a_bar_again,
    "repeat marks": _marked,
    "upbeat": _begun,
    "form": _form,
    "instruments": _duet,
}
