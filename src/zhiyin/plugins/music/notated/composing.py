"""Short pieces drawn by chance: a tune, two tunes by two instruments, or a tune over chords."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import msgspec

from zhiyin.plugins.music.notated import (
    PLAIN,
    NotatedEvent,
    NotatedPart,
    NotatedPiece,
    accidental_of,
    octave_of,
)
from zhiyin.plugins.music.stimuli import Dice
from zhiyin.plugins.music.theory import NATURALS, Key, Mode, parse_pitch, spell, spell_chord

F = Fraction
Kind = Literal["tune", "duet", "chords"]
KINDS: tuple[Kind, ...] = ("tune", "duet", "chords")
METRES = ((2, 4), (3, 4), (4, 4), (5, 4), (2, 2), (3, 8), (6, 8), (9, 8))
PLAYERS = (
    "piano", "violin", "trumpet", "clarinet", "flute", "xylophone", "nylon-string guitar", "cello",
)  # fmt: skip
"""Who may play: names of `INSTRUMENTS` whose sounds differ clearly."""

_CELLS: dict[Fraction, tuple[tuple[Fraction, ...], ...]] = {
    beat: tuple(tuple(map(F, cell.split())) for cell in cells)
    for beat, cells in {
        F(1): ("1", "1", "1/2 1/2", "1/2 1/2", "3/4 1/4", "1/2 1/4 1/4", "1/3 1/3 1/3"),
        F(3, 2): ("3/2", "1 1/2", "1/2 1/2 1/2", "1/2 1", "1/2 1/2 1/4 1/4"),
        F(2): ("2", "1 1", "1 1/2 1/2", "3/2 1/2"),
    }.items()
}
"""Lengths that fill a beat, by its length, in quarter notes."""
_STEPS = (-3, -2, -2, -1, -1, -1, -1, 0, 1, 1, 1, 1, 2, 2, 3)
_LOWEST, _HIGHEST = -3, 8
"""How far a tune goes below and above its tonic, in steps of the scale."""
_CHROMATIC, _RESTS, _TIES = 0.06, 0.05, 0.15
_DEGREES: dict[Mode, dict[str, tuple[int, str]]] = {
    "major": {
        "I": (0, "major"), "ii": (1, "minor"), "iii": (2, "minor"), "IV": (3, "major"),
        "V": (4, "major"), "vi": (5, "minor"),
    },
    "minor": {
        "I": (0, "minor"), "III": (2, "major"), "IV": (3, "minor"), "V": (4, "major"),
        "vi": (5, "major"), "VII": (6, "major"),
    },
}  # fmt: skip
CADENCES = {
    "authentic": ("V", "I"),
    "plagal": ("IV", "I"),
    "half": ("IV", "V"),
    "deceptive": ("V", "vi"),
}
"""The last two chords of each close; of minor keys the same steps."""


class NotatedPlan(msgspec.Struct, frozen=True):
    """The plan of a piece.

    Attributes
    ----------
    kind : {"tune", "duet", "chords"}
    key : Key
    metre : tuple of int
    bars : int
    upbeat : Fraction
        Quarter notes before the first whole bar.
    tempo : float
        Quarter notes a minute.
    form : str
        A letter for each stretch of equal length: equal letters are equal notes; "" for none.
    cadence : str
        How chords close, a key of `CADENCES`.
    repeats : tuple of (int, int)
    players : tuple of str
        An instrument for each part.
    plain : bool
        No ties, no rests.
    """

    kind: Kind = "tune"
    key: Key = Key("C")
    metre: tuple[int, int] = (4, 4)
    bars: int = 4
    upbeat: Fraction = F(0)
    tempo: float = 60.0
    form: str = ""
    cadence: str = "authentic"
    repeats: tuple[tuple[int, int], ...] = ()
    players: tuple[str, ...] = ("piano", "piano")
    plain: bool = False


def any_plan(kind: Kind, dice: Dice) -> NotatedPlan:
    """A plan of a kind, everything else drawn."""
    metre = dice.choice(METRES)
    bar = F(4 * metre[0], metre[1])
    upbeat = dice.choice((F(0), F(0), F(1, 2), F(1))) if bar > 1 and kind != "chords" else F(0)
    bars = dice.choice((4, 5, 6, 8)) if bar < 4 else 4
    begins = dice.whole(1, bars - 1)
    repeats = ((begins, dice.whole(begins, bars)),) if bars > 4 and dice.chance(0.4) else ()
    players = tuple(dice.sample(PLAYERS, 2)) if kind == "duet" else ("piano", "piano")
    # One of the 30 keys with up to seven sharps or flats.
    minor = dice.chance(0.5)
    key = Key(spell(dice.whole(-7, 7) + (3 if minor else 0)), "minor" if minor else "major")
    return NotatedPlan(
        kind, key, metre, bars, upbeat, float(dice.whole(54, 66)), repeats=repeats,
        cadence=dice.choice(tuple(CADENCES)), players=players,
    )  # fmt: skip


def compose(plan: NotatedPlan, dice: Dice) -> NotatedPiece:
    """A piece as planned."""
    frame = NotatedPiece(
        (), plan.metre, plan.bars, plan.key, plan.upbeat, plan.repeats, plan.tempo
    )  # fmt: skip
    parts: tuple[NotatedPart, ...]
    if plan.kind == "chords":
        numerals = progression(plan, dice)
        chords = _accompaniment(frame, numerals)
        tones = [chord.pitches for chord in chords]
        parts = (
            NotatedPart(_tune(frame, plan, dice, 60, tones), plan.players[0]),
            NotatedPart(chords, plan.players[1]),
        )
    elif plan.kind == "duet":
        low = msgspec.structs.replace(plan, form="")
        parts = (
            NotatedPart(_tune(frame, plan, dice, 65), plan.players[0]),
            NotatedPart(_tune(frame, low, dice, 46), plan.players[1]),
        )
    else:
        parts = (NotatedPart(_tune(frame, plan, dice, 60), plan.players[0]),)
    return msgspec.structs.replace(frame, parts=parts)


def progression(plan: NotatedPlan, dice: Dice) -> list[str]:
    """Roman numerals, one a bar: from I to the cadence, no chord twice in a row."""
    known = _DEGREES[plan.key.mode]
    end = CADENCES[plan.cadence]
    row = ["I"]
    while len(row) < plan.bars - 2:
        last = len(row) == plan.bars - 3
        row.append(dice.choice([n for n in known if n != row[-1] and not (last and n == end[0])]))
    return [*row, *end]


def _accompaniment(piece: NotatedPiece, numerals: Sequence[str]) -> tuple[NotatedEvent, ...]:
    """A close triad a bar, its root between C3 and B3, as long as one sign can show: chords that
    are tied are lost by some programs.
    """
    assert piece.key is not None
    scale = piece.key.scale()
    length = max(value for value in PLAIN if value <= piece.bar)
    chords = []
    for bar, numeral in enumerate(numerals, 1):
        degree, quality = _DEGREES[piece.key.mode][numeral]
        names = spell_chord(scale[degree], quality)
        pitches = [_at_or_above(names[0], 48)]
        for name in names[1:]:
            pitches.append(_at_or_above(name, parse_pitch(pitches[-1])))
        chords.append(NotatedEvent(piece.bar_start(bar), length, tuple(pitches)))
    return tuple(chords)


@lru_cache(maxsize=1024)
def _at_or_above(name: str, lowest: int) -> str:
    return next(
        f"{name}{octave}" for octave in range(1, 9) if parse_pitch(f"{name}{octave}") >= lowest
    )


def _tune(
    piece: NotatedPiece,
    plan: NotatedPlan,
    dice: Dice,
    lowest: int,
    chords: Sequence[Sequence[str]] = (),
) -> tuple[NotatedEvent, ...]:
    assert piece.key is not None
    tonic = _at_or_above(piece.key.tonic, lowest)
    if plan.form:
        return _formed(piece, plan, dice, tonic)
    rows = [_lengths(length, piece.beat, dice) for length in _bars(piece)]
    # the last bar: a note for each beat but the last two, which are one.
    beats = int(piece.bar / piece.beat)
    rows[-1] = [piece.beat] * max(0, beats - 2) + [piece.beat * min(2, beats)]
    events = _walk(piece, rows, tonic, dice, chords, plan.plain)
    return events if plan.plain else _loosened(piece, events, dice)


def _bars(piece: NotatedPiece) -> list[Fraction]:
    return ([piece.upbeat] if piece.upbeat else []) + [piece.bar] * piece.bars


def _lengths(total: Fraction, beat: Fraction, dice: Dice) -> list[Fraction]:
    """Lengths that fill a bar, beat by beat; what is less than a beat is one note or eighths."""
    row: list[Fraction] = []
    left, cells = total, _CELLS[beat]
    while left >= beat:
        row += dice.choice(cells)
        left -= beat
    return [left, *row] if left else row


def _walk(
    piece: NotatedPiece, rows: Sequence[Sequence[Fraction]], tonic: str, dice: Dice,
    chords: Sequence[Sequence[str]], plain: bool,
) -> tuple[NotatedEvent, ...]:  # fmt: skip
    """A walk along the scale, on chord tones where bars begin, to the tonic."""
    degree, now = dice.choice((0, 2, 4)), F(0)
    events: list[NotatedEvent] = []
    for bar, row in enumerate(rows):
        for place, length in enumerate(row):
            pitch = step_of(piece.key or Key("C"), tonic, degree)
            if chords and place == 0:
                degree, pitch = _on_chord(piece.key or Key("C"), tonic, degree, chords[bar])
            elif not plain and dice.chance(_CHROMATIC):
                pitch = _altered(pitch, dice)
            events.append(NotatedEvent(now, length, (pitch,)))
            now += length
            degree = _moved(degree, dice)
    if not chords:
        last = events.pop()
        events.append(NotatedEvent(last.onset, last.length, (tonic,)))
    return tuple(events)


def _moved(degree: int, dice: Dice) -> int:
    while True:
        target = degree + dice.choice(_STEPS)
        if _LOWEST <= target <= _HIGHEST:
            return target


@lru_cache(maxsize=4096)
def step_of(key: Key, tonic: str, degree: int) -> str:
    """The pitch some steps of the scale above (or below) a tonic."""
    octaves, place = divmod(degree, 7)
    name = key.scale()[place]
    above = _at_or_above(name, parse_pitch(tonic))
    return f"{name}{octave_of(above) + octaves}"


def _on_chord(key: Key, tonic: str, degree: int, chord: Sequence[str]) -> tuple[int, str]:
    """The nearest step that is in a chord by letter, spelled as the chord spells it."""
    letters = {pitch[0]: pitch[0] + accidental_of(pitch) for pitch in chord}
    near = sorted(range(_LOWEST, _HIGHEST + 1), key=lambda each: (abs(each - degree), each))
    nearest = next(each for each in near if step_of(key, tonic, each)[0] in letters)
    pitch = step_of(key, tonic, nearest)
    return nearest, letters[pitch[0]] + str(octave_of(pitch))


def _altered(pitch: str, dice: Dice) -> str:
    """A pitch raised or lowered by a semitone within its letter, if that needs one sign at most."""
    number = parse_pitch(pitch) + dice.choice((-1, 1))
    octave = octave_of(pitch)
    sign = {-1: "b", 0: "", 1: "#"}.get(number - (12 * (octave + 1) + NATURALS[pitch[0]]))
    return pitch if sign is None else f"{pitch[0]}{sign}{octave}"


def _loosened(
    piece: NotatedPiece, events: Sequence[NotatedEvent], dice: Dice
) -> tuple[NotatedEvent, ...]:
    """Some notes tied over the bar line, and some left out for a rest."""
    loosened: list[NotatedEvent] = []
    edges = set(piece.edges())
    for place, event in enumerate(events):
        inner = 0 < place < len(events) - 1
        before = loosened[-1] if loosened else None
        if (
            inner and event.onset in edges and before is not None and before.end == event.onset
            and not {before.length.denominator, event.length.denominator} & {3, 6}
            and dice.chance(_TIES)
        ):  # fmt: skip
            loosened[-1] = NotatedEvent(before.onset, before.length + event.length, before.pitches)
        elif inner and event.length.denominator % 3 and dice.chance(_RESTS):
            continue
        else:
            loosened.append(event)
    return tuple(loosened)


def _formed(
    piece: NotatedPiece, plan: NotatedPlan, dice: Dice, tonic: str
) -> tuple[NotatedEvent, ...]:
    """Stretches by the letters of a form; no two letters share more than half of their notes."""
    each = plan.bars // len(plan.form)
    phrases: dict[str, tuple[NotatedEvent, ...]] = {}
    for letter in plan.form:
        while letter not in phrases:
            rows = [_lengths(piece.bar, piece.beat, dice) for _ in range(each)]
            drawn = _walk(piece, rows, tonic, dice, (), True)
            if all(_share(drawn, other) <= 0.5 for other in phrases.values()):
                phrases[letter] = drawn
    events = []
    for place, letter in enumerate(plan.form):
        start = piece.upbeat + place * each * piece.bar
        events += [NotatedEvent(start + e.onset, e.length, e.pitches) for e in phrases[letter]]
    return tuple(events)


def _share(one: Sequence[NotatedEvent], other: Sequence[NotatedEvent]) -> float:
    """Share of the notes of two phrases that are the same at the same place."""
    places = {(e.onset, e.pitches) for e in one}
    return len(places & {(e.onset, e.pitches) for e in other}) / max(len(one), len(other))
