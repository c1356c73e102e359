"""MIDI text as MEI, so that it can be engraved: onsets and lengths on a grid of sixteenths."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from zhiyin.errors import InputError
from zhiyin.music.midi import Note
from zhiyin.music.miditext import parse_midi_text

_BAR = 16
"""Sixteenths in a bar of 4/4."""
_MOST_BARS = 64
_PLAIN = (16, 12, 8, 6, 4, 3, 2, 1)
"""Lengths that one symbol can have, in sixteenths."""
_SYMBOL = {
    16: (1, 0),
    12: (2, 1),
    8: (2, 0),
    6: (4, 1),
    4: (4, 0),
    3: (8, 1),
    2: (8, 0),
    1: (16, 0),
}
_SHARP = ("c", "c#", "d", "d#", "e", "f", "f#", "g", "g#", "a", "a#", "b")
_FLAT = ("c", "db", "d", "eb", "e", "f", "gb", "g", "ab", "a", "bb", "b")
_SIGN = {"#": "s", "b": "f", "": "n"}
_DRUMS = {35: (4, "f"), 36: (4, "f"), 38: (5, "c"), 40: (5, "c")}
_HAT = (5, "g")
_TEMPO = re.compile(r"^\d+ tempo (\d+)$", re.MULTILINE)

Chord = tuple[int, tuple[int, ...], str]
"""A length in sixteenths, the pitches that sound (none for a rest), MEI's word for its tie."""


def write_mei(text: str) -> str:
    """One block of MIDI text as an MEI document in 4/4, on one staff or on two (piano).

    Parameters
    ----------
    text : str
        From ``BEGIN MIDI`` to ``END MIDI``. Times are rounded to sixteenths, and what is still
        sounding when something new begins is cut there: a picture to read by, not an edition.

    Raises
    ------
    InputError
        When the block cannot be read, holds no notes, or is longer than 64 bars.
    """
    notes = parse_midi_text(text)
    if not notes:
        raise InputError("the MIDI text holds no notes: there is nothing to engrave")
    tempo = _TEMPO.search(text)
    step = int(tempo[1]) / 4e6 if tempo else 0.125
    if round(max(note.end for note in notes) / step) > _MOST_BARS * _BAR:
        raise InputError(f"the MIDI text is longer than {_MOST_BARS} bars: it is not engraved")
    drums = [note for note in notes if note.is_drum]
    pitched = [note for note in notes if not note.is_drum]
    staves = [("perc", drums)] if drums else []
    staves += _staves(pitched)
    bars = [_bars(part, step, clef == "perc") for clef, part in staves]
    length = max(len(part) for part in bars)
    flats = _wants_flats(pitched)
    return _document([clef for clef, _ in staves], bars, length, flats)


def _staves(notes: Sequence[Note]) -> list[tuple[str, list[Note]]]:
    """Treble, bass, or both, so that few ledger lines are needed."""
    high = [note for note in notes if note.pitch >= 60]
    low = [note for note in notes if note.pitch < 60]
    if not notes:
        return []
    if not low or min(note.pitch for note in low) >= 55:
        return [("G", list(notes))]
    if not high or max(note.pitch for note in high) <= 64:
        return [("F", list(notes))]
    if max(note.pitch for note in notes) - min(note.pitch for note in notes) <= 14:
        return [("G", list(notes))]
    return [("G", high), ("F", low)]


def _bars(notes: Sequence[Note], step: float, drums: bool) -> list[list[Chord]]:
    """Onsets in turn, each until the next or its own end, cut at the bar lines."""
    onsets: dict[int, list[Note]] = defaultdict(list)
    for note in notes:
        onsets[round(note.start / step)].append(note)
    places = sorted(onsets)
    line: list[Chord] = []
    at = 0
    for number, place in enumerate(places):
        if place > at:
            line.append((place - at, (), ""))
        following = places[number + 1] if number + 1 < len(places) else None
        longest = max(max(1, round(note.duration / step)) for note in onsets[place])
        if drums:  # a stroke has no length of its own
            longest = 4 - place % 4
        length = longest if following is None else min(longest, following - place)
        line.append((length, tuple(sorted({note.pitch for note in onsets[place]})), ""))
        at = place + length
    return _cut(line)


def _cut(line: Sequence[Chord]) -> list[list[Chord]]:
    bars: list[list[Chord]] = [[]]
    room = _BAR
    for length, pitches, _ in line:
        left = length
        while left:
            if not room:
                bars.append([])
                room = _BAR
            piece = next(plain for plain in _PLAIN if plain <= min(left, room))
            bars[-1].append((piece, pitches, _tie(left == length, left == piece, pitches)))
            left, room = left - piece, room - piece
    while room:
        piece = next(plain for plain in _PLAIN if plain <= room)
        bars[-1].append((piece, (), ""))
        room -= piece
    return bars


def _tie(first: bool, last: bool, pitches: tuple[int, ...]) -> str:
    if not pitches or (first and last):
        return ""
    return "i" if first else "t" if last else "m"


def _wants_flats(notes: Sequence[Note]) -> bool:
    """Whether flats spell the intervals above the lowest note better than sharps do."""
    if not notes:
        return False
    pitches = {note.pitch for note in notes}
    root = min(pitches)
    sharps, flats = (_well_spelled(root, pitches, names) for names in (_SHARP, _FLAT))
    return flats > sharps or (flats == sharps and root % 12 in (3, 5, 8, 10))


def _well_spelled(root: int, pitches: set[int], names: Sequence[str]) -> int:
    """How many thirds, fifths and sevenths above the root are written as such."""
    letters = "cdefgab"
    bottom = letters.index(names[root % 12][0])
    steps = {pitch: letters.index(names[pitch % 12][0]) - bottom for pitch in pitches}
    wanted = {3: 2, 4: 2, 6: 4, 7: 4, 10: 6, 11: 6}
    return sum(wanted.get((p - root) % 12, -1) == step % 7 for p, step in steps.items())


def _document(clefs: list[str], bars: list[list[list[Chord]]], length: int, flats: bool) -> str:
    shapes = {
        "G": 'lines="5" clef.shape="G" clef.line="2"',
        "F": 'lines="5" clef.shape="F" clef.line="4"',
        "perc": 'lines="5" clef.shape="perc"',
    }
    definitions = "".join(
        f'<staffDef n="{number}" {shapes[clef]}/>' for number, clef in enumerate(clefs, 1)
    )
    measures = []
    for place in range(length):
        staves = []
        for number, (clef, part) in enumerate(zip(clefs, bars, strict=True), 1):
            bar = part[place] if place < len(part) else [(_BAR, (), "")]
            layer = "".join(_chord(chord, clef, flats) for chord in bar)
            staves.append(f'<staff n="{number}"><layer n="1">{layer}</layer></staff>')
        measures.append(f'<measure n="{place + 1}">{"".join(staves)}</measure>')
    symbol = ' symbol="brace"' if len(clefs) > 1 else ""
    return (
        '<mei xmlns="http://www.music-encoding.org/ns/mei"><music><body><mdiv><score>'
        f'<scoreDef meter.count="4" meter.unit="4"><staffGrp{symbol}>{definitions}</staffGrp>'
        f"</scoreDef><section>{''.join(measures)}</section></score></mdiv></body></music></mei>"
    )


def _chord(chord: Chord, clef: str, flats: bool) -> str:
    length, pitches, tie = chord
    value, dots = _SYMBOL[length]
    written = f'dur="{value}"' + (f' dots="{dots}"' if dots else "")
    if not pitches:
        return f"<rest {written}/>"
    tied = f' tie="{tie}"' if tie and clef != "perc" else ""
    sounding = tie in ("m", "t")  # a tied note repeats no accidental
    heads = "".join(f"<note {_pitch(pitch, clef, flats, sounding)}{tied}/>" for pitch in pitches)
    return f"<chord {written}>{heads}</chord>"


def _pitch(pitch: int, clef: str, flats: bool, sounding: bool) -> str:
    if clef == "perc":
        octave, step = _DRUMS.get(pitch, _HAT)
        head = ' head.shape="x"' if pitch not in _DRUMS else ""
        return f'pname="{step}" oct="{octave}"{head}'
    name = (_FLAT if flats else _SHARP)[pitch % 12]
    step, sign = name[0], name[1:]
    attribute = "accid.ges" if sounding else "accid"
    accidental = f' {attribute}="{_SIGN[sign]}"' if sign else ""
    return f'pname="{step}" oct="{pitch // 12 - 1}"{accidental}'
