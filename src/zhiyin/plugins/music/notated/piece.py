"""The source of all notations: parts of notes and chords at exact places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, wraps
from itertools import pairwise

import msgspec

from zhiyin.errors import InputError
from zhiyin.plugins.music.theory import Key, parse_pitch

F = Fraction
PLAIN = tuple(map(F, ("4", "3", "2", "3/2", "1", "3/4", "1/2", "3/8", "1/4", "1/8")))
"""Lengths in quarter notes that one sign can have, with or without a dot."""
TRIPLETS = (F(2, 3), F(1, 3), F(1, 6))
"""Lengths of one sign in a triplet."""
_ONE_SIGN = frozenset((*PLAIN, *TRIPLETS))


class NotatedEvent(msgspec.Struct, frozen=True, cache_hash=True):
    """A note, or a chord of notes of one length.

    Attributes
    ----------
    onset, length : Fraction
        In quarter notes; the piece begins at 0. Ties are joined: a tied note is one event.
    pitches : tuple of str
        Spelled, with octave ("F#4"), the lowest first; at least one.
    """

    onset: Fraction
    length: Fraction
    pitches: tuple[str, ...]

    @property
    def end(self) -> Fraction:
        """End of the event, in quarter notes."""
        return self.onset + self.length

    @property
    def numbers(self) -> tuple[int, ...]:
        """MIDI numbers of its pitches."""
        return tuple(map(parse_pitch, self.pitches))


class NotatedPart(msgspec.Struct, frozen=True, cache_hash=True):
    """The part of one instrument: events in order, which do not overlap; between them is rest.

    `instrument` is a name in `zhiyin.plugins.music.pieces.instruments.INSTRUMENTS`.
    """

    events: tuple[NotatedEvent, ...]
    instrument: str = "piano"


class NotatedPiece(msgspec.Struct, frozen=True, cache_hash=True):
    """A short piece of music.

    Attributes
    ----------
    parts : tuple of NotatedPart
        The tune first.
    metre : tuple of int
        Beats of a bar and their value: (6, 8).
    bars : int
        Whole bars; an upbeat is none.
    key : Key or None
        None where it is not known, as in MIDI.
    upbeat : Fraction
        Length of what comes before the first whole bar, in quarter notes; 0 for none.
    repeats : tuple of (int, int)
        First and last bar of each stretch that is marked to be played twice, from 1.
    tempo : float
        Quarter notes a minute.
    signature_alone : bool
        Whether of `key` the signature alone is sure, and the mode is not.
    """

    parts: tuple[NotatedPart, ...]
    metre: tuple[int, int]
    bars: int
    key: Key | None = None
    upbeat: Fraction = F(0)
    repeats: tuple[tuple[int, int], ...] = ()
    tempo: float = 60.0
    signature_alone: bool = False

    @property
    def bar(self) -> Fraction:
        """Length of a bar in quarter notes."""
        return _bar_and_beat(self.metre)[0]

    @property
    def beat(self) -> Fraction:
        """Length of a beat in quarter notes: of three eighths in 3/8, 6/8, 9/8 and 12/8."""
        return _bar_and_beat(self.metre)[1]

    @property
    def length(self) -> Fraction:
        """Length of the whole in quarter notes."""
        return self.upbeat + self.bars * self.bar

    @property
    def tune(self) -> tuple[NotatedEvent, ...]:
        """The events of the first part."""
        return self.parts[0].events

    def bar_start(self, number: int) -> Fraction:
        """Start of a bar (from 1; 0 is the upbeat)."""
        return F(0) if number == 0 else self.upbeat + (number - 1) * self.bar

    def edges(self) -> list[Fraction]:
        """Starts of the bars, the upbeat included, and the end of the last one."""
        first = [F(0)] if self.upbeat else []
        return first + [self.bar_start(n) for n in range(1, self.bars + 2)]


@lru_cache(maxsize=64)
def _bar_and_beat(metre: tuple[int, int]) -> tuple[Fraction, Fraction]:
    beats, value = metre
    compound = value == 8 and beats % 3 == 0
    return F(4 * beats, value), F(3, 2) if compound else F(4, value)


class Sign(msgspec.Struct, frozen=True):
    """A sign within one bar: a note, a chord or a rest, perhaps part of a tied one.

    Attributes
    ----------
    onset, length : Fraction
        In quarter notes, as it sounds.
    pitches : tuple of str
        Empty for a rest.
    from_tie, to_tie : bool
        Whether it is tied to the sign before, and to the one after.
    triplet : str
        Of a triplet "begin", "inside" or "end"; else "".
    group : int
        Of the first sign of a triplet, how many signs it has; else 0.
    """

    onset: Fraction
    length: Fraction
    pitches: tuple[str, ...] = ()
    from_tie: bool = False
    to_tie: bool = False
    triplet: str = ""
    group: int = 0

    @property
    def shown(self) -> Fraction:
        """The length that the sign has outside a triplet."""
        return self.length * F(3, 2) if self.triplet else self.length


@lru_cache(maxsize=16)
def signs(piece: NotatedPiece, part: NotatedPart) -> Sequence[Sequence[Sign]]:
    """The signs of a part, bar by bar, the upbeat first where there is one.

    A piece is written in one notation after another: its signs are kept as long as that takes.

    Raises
    ------
    InputError
        A length that no sign or tie of signs can show; events that overlap or stand outside.
    """
    rows = []
    events, first = part.events, 0
    for start, end in pairwise(piece.edges()):
        row: list[Sign] = []
        while first < len(events) and events[first].end <= start:
            first += 1
        last = first
        while last < len(events) and events[last].onset < end:
            last += 1
        for event in _filled(events[first:last], start, end):
            row += _split(event, start, end)
        rows.append(_with_triplets(row))
    return rows


def _filled(
    events: Sequence[NotatedEvent], start: Fraction, end: Fraction
) -> Iterator[NotatedEvent]:
    """The events that sound in a stretch, and rests (no pitches) between them."""
    now = start
    for event in events:
        onset, stop = event.onset, event.end
        if stop <= start or onset >= end:
            continue
        if onset > now:
            yield NotatedEvent(now, onset - now, ())
        elif start <= onset < now:
            raise InputError(f"two events overlap {now} quarter notes from the beginning")
        yield event
        now = min(stop, end)
    if now < end:
        yield NotatedEvent(now, end - now, ())


def _split(event: NotatedEvent, start: Fraction, end: Fraction) -> Iterator[Sign]:
    """An event within a bar as one sign or several tied ones."""
    stop = event.end
    if event.length in _ONE_SIGN and start <= event.onset and stop <= end:  # most are
        yield Sign(event.onset, event.length, event.pitches)
        return
    now, stop = max(start, event.onset), min(end, stop)
    while now < stop:
        length = _longest(now - start, stop - now)
        yield Sign(
            now, length, event.pitches,
            from_tie=bool(event.pitches) and now > event.onset,
            to_tie=bool(event.pitches) and now + length < event.end,
        )  # fmt: skip
        now += length


def _longest(place: Fraction, left: Fraction) -> Fraction:
    """The longest sign that fits: what begins off the grid first goes up to the next place."""
    if left in _ONE_SIGN:
        return left
    values = TRIPLETS if left.denominator % 3 == 0 or place.denominator % 3 == 0 else PLAIN
    fits = [value for value in values if value <= left]
    if not fits:
        raise InputError(f"a length of {left} quarter notes cannot be written")
    return fits[0]


def _with_triplets(row: list[Sign]) -> list[Sign]:
    """Marks the signs that make triplets together."""
    marked: list[Sign] = []
    group: list[Sign] = []
    for sign in row:
        if not group and sign.length.denominator % 3:
            marked.append(sign)
            continue
        group.append(sign)
        if sum((each.length for each in group), F(0)).denominator % 3:
            last = len(group) - 1
            for place, each in enumerate(group):
                where = "begin" if place == 0 else "end" if place == last else "inside"
                count = len(group) if place == 0 else 0
                marked.append(msgspec.structs.replace(each, triplet=where, group=count))
            group = []
    if group:
        raise InputError("a triplet goes over a bar line, which cannot be written here")
    return marked


def altered(row: Sequence[Sign], key: Key | None) -> list[tuple[bool, ...]]:
    """Mark each pitch of a bar whose accidental is to be shown.

    It is where it differs from the key, and wherever the letter was altered in the bar before, in
    any octave: programs do not agree for how many octaves an accidental holds.
    """
    from_key = {name[0]: name[1:] for name in (key or Key("C")).scale()}
    touched: set[str] = set()
    shown = []
    for sign in row:
        flags = []
        for pitch in sign.pitches:
            letter, accidental = pitch[0], accidental_of(pitch)
            flags.append(accidental != from_key[letter] or letter in touched)
        touched |= {p[0] for p, flag in zip(sign.pitches, flags, strict=True) if flag}
        shown.append(tuple(flags))
    return shown


@lru_cache(maxsize=1024)
def accidental_of(pitch: str) -> str:
    """``#``, ``b``, ``##``, ``bb`` or "" of a pitch name with octave."""
    return pitch[1:].rstrip("-0123456789")


@lru_cache(maxsize=1024)
def octave_of(pitch: str) -> int:
    """The octave of a pitch name: 4 for C4 to B4."""
    return int(pitch[1 + len(accidental_of(pitch)) :])


def joined(
    rows: Sequence[tuple[Fraction, Fraction, tuple[str, ...], bool]],
) -> tuple[NotatedEvent, ...]:
    """Events from signs (onset, length, pitches, whether tied to the one before), ties joined."""
    events: list[NotatedEvent] = []
    for onset, length, pitches, tied in rows:
        if tied and events and events[-1].end == onset and events[-1].pitches == pitches:
            before = events.pop()
            events.append(NotatedEvent(before.onset, before.length + length, pitches))
        elif pitches:
            events.append(NotatedEvent(onset, length, pitches))
    return tuple(events)


def strictly(what: str) -> Callable[[Callable[[str], NotatedPiece]], Callable[[str], NotatedPiece]]:
    """A reader that refuses whatever it was not written for.

    The readers here check nothing before they parse: a text of another kind lacks a part, or has
    one that is no number.
    """

    def around(read: Callable[[str], NotatedPiece]) -> Callable[[str], NotatedPiece]:
        @wraps(read)
        def strict(text: str) -> NotatedPiece:
            try:
                return read(text)
            except InputError:
                raise
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise InputError(
                    f"{what} of another kind than zhiyin.plugins.music.notated writes ({error})"
                ) from None

        return strict

    return around
