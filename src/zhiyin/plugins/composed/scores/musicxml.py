"""A piece as MusicXML 4.0, with the accidentals and beams that are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from xml.etree import ElementTree as Tree

from zhiyin.plugins.composed.scores.music import (
    Clef,
    NoteValue,
    Pitch,
    Staff,
    StaffBar,
    StaffEvent,
    is_compound,
    onsets,
    sixteenths,
)
from zhiyin.plugins.music.theory import alteration

_DIVISIONS = 4
_CLEFS: dict[Clef, tuple[str, int]] = {
    "treble": ("G", 2), "bass": ("F", 4), "alto": ("C", 3), "tenor": ("C", 4),
}  # fmt: skip
_TYPES = {1: "whole", 2: "half", 4: "quarter", 8: "eighth", 16: "16th"}
_ACCIDENTALS = {-1: "flat", 0: "natural", 1: "sharp"}


def write_xml(piece: Staff) -> str:
    """The piece as one part of MusicXML."""
    root = Tree.Element("score-partwise", version="4.0")
    _add(_add(_add(root, "part-list"), "score-part", id="P1"), "part-name")
    part = _add(root, "part", id="P1")
    for number, bar in enumerate(piece.bars, 1):
        measure = _add(part, "measure", number=str(number))
        if number == 1:
            _attributes(measure, piece)
        if bar.dynamic:
            direction = _add(measure, "direction", placement="below")
            _add(_add(_add(direction, "direction-type"), "dynamics"), bar.dynamic)
        drawn = accidentals(bar, piece.fifths)
        for voice, events in enumerate(bar.voices):
            if voice:
                length = sum((e.value.quarters for e in events), Fraction(0))
                backup = _add(measure, "backup")
                _add(backup, "duration", text=str(int(length * _DIVISIONS)))
            beams = _beams(events, piece.metre)
            for which, event in enumerate(events):
                signs = drawn.get((voice, which), ())
                _event(measure, event, voice, len(bar.voices) > 1, signs, beams[which])
        if number == len(piece.bars):
            _add(_add(measure, "barline", location="right"), "bar-style", text="light-heavy")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Tree.tostring(root, encoding="unicode")


def accidentals(bar: StaffBar, fifths: int) -> dict[tuple[int, int], tuple[bool, ...]]:
    """Mark the notes of a bar that have an accidental drawn, by voice, event and pitch.

    An accidental holds for its line or space to the end of the bar. A note is also marked where
    its letter was last read otherwise in another octave of the bar, so that the
    reader need not know whether an accidental holds there.
    """
    timed = [
        (onset, voice, which, event)
        for voice, events in enumerate(bar.voices)
        for which, (onset, event) in enumerate(zip(onsets(events), events, strict=True))
    ]
    last: dict[int, int] = {}
    latest: dict[str, int] = {}
    drawn = {}
    for _, voice, which, event in sorted(timed, key=lambda row: row[:3]):
        marks = []
        for pitch in event.pitches:
            usual = alteration(pitch.letter, fifths)
            unlike = latest.get(pitch.letter, pitch.alter) != pitch.alter
            marks.append(last.get(pitch.place, usual) != pitch.alter or unlike)
            last[pitch.place] = latest[pitch.letter] = pitch.alter
        drawn[voice, which] = tuple(marks)
    return drawn


def _attributes(measure: Tree.Element, piece: Staff) -> None:
    attributes = _add(measure, "attributes")
    _add(attributes, "divisions", text=str(_DIVISIONS))
    _add(_add(attributes, "key"), "fifths", text=str(piece.fifths))
    time = _add(attributes, "time", **({} if piece.shown else {"print-object": "no"}))
    _add(time, "beats", text=str(piece.metre[0]))
    _add(time, "beat-type", text=str(piece.metre[1]))
    clef = _add(attributes, "clef")
    sign, line = _CLEFS[piece.clef]
    _add(clef, "sign", text=sign)
    _add(clef, "line", text=str(line))


def _event(
    measure: Tree.Element, event: StaffEvent, voice: int, several: bool,
    signs: Sequence[bool], beams: Sequence[str],
) -> None:  # fmt: skip
    pitches: Sequence[Pitch | None] = event.pitches or (None,)
    for number, pitch in enumerate(pitches):
        note = _add(measure, "note")
        if number:
            _add(note, "chord")
        if pitch is None:
            _add(note, "rest")
        else:
            inner = _add(note, "pitch")
            _add(inner, "step", text=pitch.letter)
            if pitch.alter:
                _add(inner, "alter", text=str(pitch.alter))
            _add(inner, "octave", text=str(pitch.octave))
        _value(note, event.value, voice)
        if pitch is not None and signs[number]:
            _add(note, "accidental", text=_ACCIDENTALS[pitch.alter])
        if several and pitch is not None and event.value.part > 1:
            _add(note, "stem", text="down" if voice else "up")
        if not number:
            for level, beam in enumerate(beams, 1):
                _add(note, "beam", text=beam, number=str(level))


def _value(note: Tree.Element, value: NoteValue, voice: int) -> None:
    _add(note, "duration", text=str(sixteenths(value) * _DIVISIONS // 4))
    _add(note, "voice", text=str(voice + 1))
    _add(note, "type", text=_TYPES[value.part])
    if value.dotted:
        _add(note, "dot")


def _beams(events: Sequence[StaffEvent], metre: tuple[int, int]) -> list[tuple[str, ...]]:
    """List the beams of each event: eighths and shorter notes of one beat stand together."""
    beat = Fraction(3, 2) if is_compound(metre) or metre[1] == 8 else Fraction(1)
    groups: list[list[int]] = []
    before = None
    for which, (onset, event) in enumerate(zip(onsets(events), events, strict=True)):
        if event.value.part < 8 or not event.pitches:
            before = None
            continue
        if before == onset // beat:
            groups[-1].append(which)
        else:
            groups.append([which])
        before = onset // beat
    beams: list[tuple[str, ...]] = [()] * len(events)
    for group in groups:
        if len(group) > 1:
            for at, which in enumerate(group):
                beams[which] = _beams_at(events, group, at)
    return beams


def _beams_at(events: Sequence[StaffEvent], group: Sequence[int], at: int) -> tuple[str, ...]:
    last = len(group) - 1
    first = "begin" if at == 0 else "end" if at == last else "continue"
    if events[group[at]].value.part < 16:
        return (first,)
    left = at > 0 and events[group[at - 1]].value.part == 16
    right = at < last and events[group[at + 1]].value.part == 16
    if left and right:
        return first, "continue"
    if left or right:
        return first, "begin" if right else "end"
    return first, "backward hook" if at == last else "forward hook"


def _add(parent: Tree.Element, tag: str, text: str | None = None, **named: str) -> Tree.Element:
    child = Tree.SubElement(parent, tag, named)
    child.text = text
    return child
