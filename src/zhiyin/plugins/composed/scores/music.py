"""Music on one staff: what is engraved, how hard it is to read, and how it is composed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Literal, get_args

import msgspec

from zhiyin.plugins.music.stimuli import Dice
from zhiyin.plugins.music.theory import LETTERS, NATURALS, SIGNS, alteration

Clef = Literal["treble", "bass", "alto", "tenor"]
BOTTOM: dict[Clef, int] = {"treble": 30, "bass": 18, "alto": 24, "tenor": 22}
"""The place of the lowest line, in `Pitch.place`: E4, G2, F3 and D3."""
TOP_LINE = 8
"""The highest line, in steps above the lowest one."""
_ODD = {("E", 1), ("B", 1), ("C", -1), ("F", -1)}
"""Spellings that a reader meets in remote keys alone."""


class Pitch(msgspec.Struct, frozen=True):
    """A spelled pitch: the `place` of its letter (C0 = 0, D0 = 1, ...) and its alteration."""

    place: int
    alter: int = 0

    @property
    def letter(self) -> str:
        return LETTERS[self.place % 7]

    @property
    def octave(self) -> int:
        """The octave as it is written: middle C begins octave 4."""
        return self.place // 7

    @property
    def name(self) -> str:
        """Name, such as ``F#4``."""
        return f"{self.letter}{SIGNS[self.alter]}{self.octave}"

    @property
    def midi(self) -> int:
        return 12 * (self.octave + 1) + NATURALS[self.letter] + self.alter

    @property
    def common(self) -> bool:
        """True if it has at most one sharp or flat, and is no E#, B#, Cb or Fb."""
        return abs(self.alter) <= 1 and (self.letter, self.alter) not in _ODD

    def in_key(self, fifths: int) -> bool:
        """Tell whether a key signature (count of sharps, flats below 0) gives it its alteration."""
        return self.alter == alteration(self.letter, fifths)


class NoteValue(msgspec.Struct, frozen=True, order=True):
    """A note value: 1 for a whole, 2 for a half, 4 for a quarter; dotted or not."""

    part: int
    dotted: bool = False

    @property
    def quarters(self) -> Fraction:
        return Fraction(4, self.part) * (Fraction(3, 2) if self.dotted else 1)

    @property
    def name(self) -> str:
        """Name, such as ``4.`` for a dotted quarter."""
        return f"{self.part}{'.' if self.dotted else ''}"


class StaffEvent(msgspec.Struct, frozen=True):
    """A note, a chord (its pitches from the lowest up) or, without pitches, a rest."""

    value: NoteValue
    pitches: tuple[Pitch, ...] = ()


class StaffBar(msgspec.Struct, frozen=True):
    """A bar: the events of each voice, the upper voice first, and the mark below its beginning."""

    voices: tuple[tuple[StaffEvent, ...], ...]
    dynamic: str = ""


class Staff(msgspec.Struct, frozen=True):
    """One staff of music.

    `fifths` is the key signature: sharps above 0, flats below. `metre` is beats and their value.
    `shown` says whether the time signature is drawn.
    """

    clef: Clef
    fifths: int
    metre: tuple[int, int]
    bars: tuple[StaffBar, ...]
    shown: bool = True


def interval(low: Pitch, high: Pitch) -> tuple[int, str]:
    """Number (1 to 8 and on) and quality ("m", "M", "P", "A", "d") from one pitch up to another.

    The quality is "?" where it is more than augmented or diminished.
    """
    steps = high.place - low.place
    natural = (0, 2, 4, 5, 7, 9, 11)[steps % 7] + 12 * (steps // 7)
    over = high.midi - low.midi - natural
    if steps % 7 in (0, 3, 4):
        quality = {0: "P", 1: "A", -1: "d"}.get(over, "?")
    else:
        quality = {0: "M", -1: "m", 1: "A", -2: "d"}.get(over, "?")
    return steps + 1, quality


# How hard a picture is to read.

Level = Literal["easy", "default", "hard"]
LEVELS: tuple[Level, ...] = get_args(Level)


class PictureKnobs(msgspec.Struct, frozen=True):
    """The settings that make a picture harder.

    Attributes
    ----------
    clefs : tuple of str
        Those that may stand at its beginning.
    keys : int
        Most sharps or flats of a key signature.
    accidentals : float
        Probability that a note is altered against its key.
    ledger : int
        Most ledger lines above or below the staff.
    rests, chords : float
        Probability that an event is a rest, or a chord.
    voices : int
        1 or 2 on the staff.
    dynamics : bool
        Whether bars carry marks from pp to ff.
    bars : int
    leap : int
        Most steps from one note to the next.
    values : tuple of NoteValue
        The note values.
    metres : tuple of (int, int)
    counted : bool
        Whether a metre that is asked for is not drawn, and has to be counted.
    """

    clefs: tuple[Clef, ...]
    keys: int
    accidentals: float
    ledger: int
    rests: float
    chords: float
    voices: int
    dynamics: bool
    bars: int
    leap: int
    values: tuple[NoteValue, ...]
    metres: tuple[tuple[int, int], ...]
    counted: bool = False


def _values(text: str) -> tuple[NoteValue, ...]:
    return tuple(NoteValue(int(word.rstrip(".")), word.endswith(".")) for word in text.split())


KNOBS: dict[Level, PictureKnobs] = {
    "easy": PictureKnobs(
        clefs=("treble", "bass"), keys=2, accidentals=0.0, ledger=1, rests=0.1, chords=0.1,
        voices=1, dynamics=True, bars=3, leap=2, values=_values("1 2. 2 4 8"),
        metres=((2, 4), (3, 4), (4, 4), (5, 4)),
    ),
    "default": PictureKnobs(
        clefs=("treble", "bass", "alto"), keys=4, accidentals=0.12, ledger=2, rests=0.15,
        chords=0.15, voices=1, dynamics=True, bars=4, leap=5, values=_values("1 2. 2 4. 4 8 16"),
        metres=((2, 4), (3, 4), (4, 4), (5, 4), (3, 8), (6, 8), (9, 8)),
    ),
    "hard": PictureKnobs(
        clefs=("treble", "bass", "alto", "tenor"), keys=7, accidentals=0.3, ledger=4, rests=0.2,
        chords=0.25, voices=2, dynamics=True, bars=6, leap=9,
        values=_values("1 2. 2 4. 4 8. 8 16"),
        metres=((2, 4), (3, 4), (4, 4), (5, 4), (3, 8), (6, 8), (9, 8)), counted=True,
    ),
}  # fmt: skip


# Music for a picture: random by knobs, with what a question needs put into it.

_SIXTEENTH = 4
"""Sixteenths of a quarter."""
_MIDDLE = 4
"""The middle line: the upper of two voices stays above it, the lower one below."""
MARKS = ("pp", "p", "mp", "mf", "f", "ff")
_MARKED = 0.3
"""How many bars carry a mark where nothing is asked about it."""
_CHORDS = ((0, 2, 4), (0, 2, 5), (0, 3, 5))


class StaffSignature(msgspec.Struct, frozen=True):
    """The clef and signatures at the beginning of a staff, and how high the music may go."""

    clef: Clef
    fifths: int
    metre: tuple[int, int]
    highest: int | None = None
    """The highest place of a note, in steps above the lowest line; None for that of the knobs."""


def lowest(knobs: PictureKnobs) -> int:
    """The lowest place that the ledger lines allow, in steps above the lowest line."""
    return -1 - 2 * knobs.ledger


def highest(knobs: PictureKnobs) -> int:
    """The highest place that they allow."""
    return TOP_LINE + 1 + 2 * knobs.ledger


def is_compound(metre: tuple[int, int]) -> bool:
    """Tell whether beats are dotted: 6/8, 9/8."""
    return metre[1] == 8 and metre[0] % 3 == 0


def sixteenths(value: NoteValue) -> int:
    """A value's length."""
    return int(value.quarters * _SIXTEENTH)


def bar_length(metre: tuple[int, int]) -> int:
    """Sixteenths of a bar."""
    return 16 * metre[0] // metre[1]


def compose(knobs: PictureKnobs, frame: StaffSignature, dice: Dice) -> Staff:
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
        bars.append(StaffBar(tuple(voices), dice.choice(MARKS) if marked else ""))
    return Staff(frame.clef, frame.fifths, frame.metre, tuple(bars))


def rhythm(knobs: PictureKnobs, metre: tuple[int, int], dice: Dice) -> list[NoteValue]:
    """Values that fill a bar and can be read: longer ones begin on beats."""
    while True:
        values: list[NoteValue] = []
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


def _weight(value: NoteValue) -> float:
    """Weight by which a value is drawn: quarters and eighths most."""
    return {1: 0.5, 2: 1.0, 4: 2.0, 8: 2.0, 16: 0.7}[value.part] * (0.5 if value.dotted else 1.0)


def _fits(value: NoteValue, place: int, end: int, metre: tuple[int, int]) -> bool:
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


def _range(knobs: PictureKnobs, frame: StaffSignature, voice: int) -> tuple[int, int]:
    low, high = lowest(knobs), highest(knobs)
    if frame.highest is not None:
        high = frame.highest
    if knobs.voices > 1:
        low, high = (_MIDDLE + 1, high) if voice == 0 else (low, _MIDDLE - 1)
    return low, max(low, high)


def _line(
    knobs: PictureKnobs,
    frame: StaffSignature,
    values: Sequence[NoteValue],
    voice: int,
    place: int,
    dice: Dice,
) -> tuple[tuple[StaffEvent, ...], int]:
    low, high = _range(knobs, frame, voice)
    events: list[StaffEvent] = []
    for value in values:
        if not value.dotted and dice.chance(knobs.rests):
            events.append(StaffEvent(value))
            continue
        place = _wander(place, low, high, knobs.leap, dice)
        events.append(StaffEvent(value, _sounding(knobs, frame, place, low, high, dice)))
    if not any(event.pitches for event in events):
        which = dice.whole(0, len(events) - 1)
        events[which] = StaffEvent(events[which].value, (_pitch(knobs, frame, place, dice),))
    return tuple(events), place


def _wander(place: int, low: int, high: int, leap: int, dice: Dice) -> int:
    """The next place: mostly near; where the end of the range is met, back from it."""
    size = dice.whole(1, leap) if dice.chance(0.5) else dice.whole(0, 2)
    moved = place + size * dice.choice((-1, 1))
    if not low <= moved <= high:
        moved = 2 * place - moved
    return min(max(moved, low), high)


def _sounding(
    knobs: PictureKnobs, frame: StaffSignature, place: int, low: int, high: int, dice: Dice
) -> tuple[Pitch, ...]:
    shape = dice.choice(_CHORDS)
    if high - low >= shape[-1] and dice.chance(knobs.chords):
        root = min(place, high - shape[-1])
        return tuple(_pitch(knobs, frame, root + step, dice) for step in shape)
    return (_pitch(knobs, frame, place, dice),)


def _pitch(knobs: PictureKnobs, frame: StaffSignature, place: int, dice: Dice) -> Pitch:
    absolute = BOTTOM[frame.clef] + place
    usual = alteration(Pitch(absolute).letter, frame.fifths)
    if dice.chance(knobs.accidentals):
        others = [Pitch(absolute, a) for a in (-1, 0, 1) if a != usual]
        if able := [pitch for pitch in others if pitch.common]:
            return dice.choice(able)
    return Pitch(absolute, usual)


class Place(msgspec.Struct, frozen=True):
    """The place of a note: voice, bar and event from 0, and its number among the voice's notes."""

    voice: int
    bar: int
    event: int
    number: int


def places(piece: Staff, wanted: Callable[[StaffEvent], bool] = lambda event: True) -> list[Place]:
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


def put(piece: Staff, place: Place, pitches: Sequence[Pitch]) -> Staff:
    """The piece with other pitches at a place."""
    bar = piece.bars[place.bar]
    events = list(bar.voices[place.voice])
    events[place.event] = StaffEvent(events[place.event].value, tuple(pitches))
    voices = list(bar.voices)
    voices[place.voice] = tuple(events)
    bars = list(piece.bars)
    bars[place.bar] = msgspec.structs.replace(bar, voices=tuple(voices))
    return msgspec.structs.replace(piece, bars=tuple(bars))


def onsets(events: Sequence[StaffEvent]) -> list[Fraction]:
    """List when each event begins, in quarters from the bar's beginning."""
    starts, at = [], Fraction(0)
    for event in events:
        starts.append(at)
        at += event.value.quarters
    return starts
