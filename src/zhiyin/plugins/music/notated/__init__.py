"""Pieces in notation: one source, written and read as ABC, MusicXML, **kern, MIDI and a picture.

A `Piece` knows spelled pitches, exact lengths, key, metre, upbeat and repeat marks. `writing`
turns it into each notation and `reading` back; `playing` makes it sound, `music.engraved` a
picture, and `asking` makes questions whose answers are computed from it.

The source of all notations: parts of notes and chords at exact places.

Bars of tunes in ABC as people write them: where they end, what is played, how long they are.

No piece is made of a tune here: real tunes have slips in them, and what is asked of a bar must be
known without its neighbours. After the ABC standard 2.1 (abcnotation.com/wiki/abc:standard:v2.1),
sections 3 and 4.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, wraps
from itertools import pairwise

import msgspec

from zhiyin.errors import InputError
from zhiyin.plugins.music.theory import Key, fifths_of, parse_pitch
from zhiyin.words import said

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

    `instrument` is a name in `zhiyin.plugins.music.pieces.INSTRUMENTS`.
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
                raise InputError(said("notated-other", what=what, why=str(error))) from None

        return strict

    return around


FIELD = re.compile(r"^([A-Za-z]):(?![|:])[ \t]*(.*?)[ \t]*$", re.MULTILINE)
"""A line of a tune's header, or one between lines of music: its letter and what it says."""
_HEADER = re.compile(r"(?:[A-Za-z]:(?![|:]).*\n)*")
_LEADING = re.compile(r"^\s*[A-Z]:(?![|:])\S*")
"""A field that stands in a bar before its notes, as cut out of a line."""
_ASIDE = re.compile(
    r'"[^"\n]*"|![^!\n]*!|\+[A-Za-z]+\+|\{[^{}\n]*+\}|\[[A-Za-z]:[^\[\]\n]*+\]|%[^\n]*'
)
"""Chord names and words above the staff, decorations, grace notes, fields in a line, remarks."""
_LINE = re.compile(r":*\|+[\]:]*|:{2,}|\[\|")
_NUMBER = re.compile(r"^\s*\[?\d[\d,-]*(?=\s|\"|[A-Ga-g(\[^_=]|$)")
"""The number of an ending, at the beginning of a bar."""
_LENGTH = r"(\d*+)(?:(/++)(\d*+))?"
_PITCH = r"(?:\^{1,2}|_{1,2}|=)?[A-Ga-gxz][,']*"
_SOUND = re.compile(
    rf"\((?P<tuplet>\d)(?P<more>(?::\d*){{0,2}})"
    rf"|(?P<chord>\[(?:{_PITCH}\d*+(?:/++\d*+)?-?\s*+)++\])(?P<c>{_LENGTH})"
    rf"|(?P<note>{_PITCH})(?P<n>{_LENGTH})|(?P<broken>[<>]+)"
)
_UNITS = re.compile(_LENGTH)
_NOTE = re.compile(rf"({_PITCH}){_LENGTH}")
_KEY = re.compile(r"([A-G][#b]?)\s*(m(?!aj|ix)|min)?", re.IGNORECASE)
_TIMES = {2: 3, 3: 2, 4: 3, 6: 2, 8: 3}
"""Into the time of how many notes a tuplet goes, of those that do not depend on the metre."""


def music_of(tune: str) -> str:
    """A tune without the lines of its header and fields, and without what is not played."""
    return _ASIDE.sub("", FIELD.sub("", tune.replace("\\\n", " ")))


def bars_of(tune: str) -> list[str]:
    """Split a tune at its bar lines, and keep the parts that hold a note or a rest.

    An upbeat is a bar, and so is each ending.
    """
    return [bar for bar in _LINE.split(music_of(tune)) if re.search(r"[A-Ga-gxzZ]", bar)]


def played(bar: str) -> str:
    """Reduce a bar to what is played, to compare it: no chord names, fields, blanks, bar lines."""
    music = music_of(_LEADING.sub("", bar))
    return "".join(_NUMBER.sub("", _LINE.sub("", music)).replace(":", "").split()).strip("\\")


def same_text(bar: str) -> str:
    """A bar for comparison as it is written: blanks and the ends of lines tell nothing."""
    return "".join(bar.replace("\\\n", "").split())


def length_of(bar: str) -> Fraction:
    """Length of a bar in unit note lengths. Tuplets of 5, 7 and 9 count as of simple metre."""
    total, last, factor = Fraction(0), Fraction(0), Fraction(1)
    left, ratio = 0, Fraction(1)
    for sound in _SOUND.finditer(_NUMBER.sub("", music_of(bar))):
        if sound["tuplet"]:
            count = int(sound["tuplet"])
            given = [int(part) if part else 0 for part in sound["more"].split(":")[1:]]
            into = (given[0] if given else 0) or _TIMES.get(count, 2)
            left = (given[1] if len(given) > 1 else 0) or count
            ratio = Fraction(into, count) if count else Fraction(1)
            continue
        if sound["broken"]:
            short = Fraction(1, 2 ** len(sound["broken"]))
            before, factor = (2 - short, short) if sound["broken"][0] == ">" else (short, 2 - short)
            total += last * (before - 1)
            continue
        own = _units(sound["n"]) if sound["note"] else _of_chord(sound["chord"], sound["c"])
        last, factor = own * factor * (ratio if left else 1), Fraction(1)
        left -= left > 0
        total += last
    return total


def _units(length: str) -> Fraction:
    match = _UNITS.fullmatch(length)
    assert match is not None  # the same pattern found it
    above = int(match[1] or 1)
    if not match[2]:
        return Fraction(above)
    return Fraction(above, int(match[3]) or 1) if match[3] else Fraction(above, 2 ** len(match[2]))


def _of_chord(chord: str, outside: str) -> Fraction:
    """A chord lasts as long as its first note."""
    first = _NOTE.search(chord)
    assert first is not None
    return _units(first[0][len(first[1]) :]) * _units(outside)


def usual_length(tune: str) -> Fraction | None:
    """The length that most bars of a tune have, in unit note lengths; None where two tie."""
    counts = Counter(length_of(bar) for bar in bars_of(tune)).most_common(2)
    if not counts or (len(counts) > 1 and counts[0][1] == counts[1][1]):
        return None
    return counts[0][0]


def metre_length(metre: str) -> Fraction | None:
    """Share of a whole note in a bar of a metre: "6/8", "C", "C|"; None for no metre."""
    if metre.strip() in ("C", "C|"):
        return Fraction(1)
    match = re.fullmatch(r"(\d+)\s*/\s*([1-9]\d*)", metre.strip())
    return Fraction(int(match[1]), int(match[2])) if match else None


def stated(tune: str, field: str) -> list[str]:
    """List what a tune says in a field, that of its header first: ``stated(tune, "M")``.

    A header without a field ``L:`` has what the standard takes (section 3.1.7): 1/16 where a bar is
    shorter than three quarters of a whole note, else 1/8.
    """
    found = [value for name, value in FIELD.findall(tune) if name == field]
    head = _HEADER.match(tune)
    if field != "L" or any(name == "L" for name, _ in FIELD.findall(head[0] if head else "")):
        return found
    lengths = [metre_length(metre) for metre in stated(tune, "M")]
    bar = lengths[0] if lengths and lengths[0] is not None else Fraction(1)
    return ["1/16" if bar < Fraction(3, 4) else "1/8", *found]


def fifths(key: str) -> int | None:
    """Number of sharps of a key of ABC, flats below 0; None for a mode or what is no key."""
    match = _KEY.fullmatch(key.strip())
    return None if match is None else fifths_of(match[1].capitalize()) - 3 * bool(match[2])


def relatives(keys: Iterable[str], key: str) -> list[str]:
    """List the keys that have the signature of `key` and are another key."""
    own = fifths(key)
    return [k for k in keys if own is not None and fifths(k) == own and k.strip() != key.strip()]
