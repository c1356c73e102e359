"""A piece as MusicXML 4.0, written and read."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from xml.sax.saxutils import escape

from zhiyin.errors import InputError
from zhiyin.music.notated.piece import (
    Event,
    Part,
    Piece,
    Sign,
    accidental_of,
    altered,
    joined,
    octave_of,
    signs,
    strictly,
)
from zhiyin.music.notated.writing import clef_of
from zhiyin.music.pieces.instruments import INSTRUMENTS
from zhiyin.music.theory import ALTERS, SIGNS, Key, spell

F = Fraction
DIVISIONS = 24
"""Parts of a quarter note: enough for thirty-seconds and triplets of sixteenths."""
_TYPES = {
    F(4): "whole", F(2): "half", F(1): "quarter", F(1, 2): "eighth", F(1, 4): "16th",
    F(1, 8): "32nd",
}  # fmt: skip
_NAMES = {"": "natural", "#": "sharp", "##": "double-sharp", "b": "flat", "bb": "flat-flat"}
_CLEFS = {"treble": ("G", 2), "bass": ("F", 4)}
_DOCTYPE = (
    '<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" '
    '"http://www.musicxml.org/dtds/partwise.dtd">'
)


def write_musicxml(piece: Piece) -> str:
    """A piece as a partwise document, with beams, so that it can be engraved."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', _DOCTYPE, '<score-partwise version="4.0">']
    lines.append("<part-list>")
    for number, part in enumerate(piece.parts, 1):
        program = INSTRUMENTS[part.instrument].program + 1
        lines.append(
            f'<score-part id="P{number}"><part-name>{escape(part.instrument)}</part-name>'
            f'<score-instrument id="P{number}-I1"><instrument-name>{escape(part.instrument)}'
            f'</instrument-name></score-instrument><midi-instrument id="P{number}-I1">'
            f"<midi-channel>{number}</midi-channel><midi-program>{program}</midi-program>"
            "</midi-instrument></score-part>"
        )
    lines.append("</part-list>")
    for number in range(len(piece.parts)):
        lines += [f'<part id="P{number + 1}">', *_measures(piece, number), "</part>"]
    return "\n".join([*lines, "</score-partwise>"]) + "\n"


def _measures(piece: Piece, number: int) -> list[str]:
    lines: list[str] = []
    first = 0 if piece.upbeat else 1
    for bar, row in enumerate(signs(piece, piece.parts[number]), first):
        lines.append(f'<measure number="{bar}">' if bar else '<measure number="0" implicit="yes">')
        if bar == first:
            lines.append(_attributes(piece, number))
        if any(start == bar for start, _ in piece.repeats):
            lines.append(
                '<barline location="left"><bar-style>heavy-light</bar-style>'
                '<repeat direction="forward"/></barline>'
            )
        if bar == first and number == 0:
            lines.append(f'<sound tempo="{piece.tempo:g}"/>')
        beams = _beams(row, piece)
        for sign, shown, beam in zip(row, altered(row, piece.key), beams, strict=True):
            lines += _notes(sign, shown, beam)
        if any(end == bar for _, end in piece.repeats):
            lines.append(
                '<barline location="right"><bar-style>light-heavy</bar-style>'
                '<repeat direction="backward"/></barline>'
            )
        elif bar == piece.bars:
            lines.append('<barline location="right"><bar-style>light-heavy</bar-style></barline>')
        lines.append("</measure>")
    return lines


def _attributes(piece: Piece, number: int) -> str:
    key = piece.key or Key("C")
    sign, line = _CLEFS[clef_of(piece, number)]
    return (
        f"<attributes><divisions>{DIVISIONS}</divisions>"
        f"<key><fifths>{key.fifths}</fifths><mode>{key.mode}</mode></key>"
        f"<time><beats>{piece.metre[0]}</beats><beat-type>{piece.metre[1]}</beat-type></time>"
        f"<clef><sign>{sign}</sign><line>{line}</line></clef></attributes>"
    )


def _beams(row: list[Sign], piece: Piece) -> list[str]:
    """For each sign "begin", "continue" or "end" where flags are joined within a beat, or ""."""
    words = [""] * len(row)
    start, group = row[0].onset if row else F(0), list[int]()

    def close() -> None:
        if len(group) > 1:
            for place in group:
                words[place] = "continue"
            words[group[0]], words[group[-1]] = "begin", "end"
        group.clear()

    for place, sign in enumerate(row):
        if (sign.onset - start) % piece.beat == 0:
            close()
        if sign.pitches and sign.shown < 1:
            group.append(place)
        else:
            close()
    close()
    return words


def _notes(sign: Sign, shown: tuple[bool, ...], beam: str) -> list[str]:
    length = sign.length * DIVISIONS
    if length.denominator != 1:
        raise InputError(f"a length of {sign.length} quarter notes cannot be written as MusicXML")
    plain = sign.shown if sign.shown in _TYPES else sign.shown * F(2, 3)
    tail = f"<voice>1</voice><type>{_TYPES[plain]}</type>"
    tail += "" if plain == sign.shown else "<dot/>"
    if not sign.pitches:
        return [f"<note><rest/><duration>{length}</duration>{tail}{_triplet(sign)}</note>"]
    lines = []
    for number, (pitch, flag) in enumerate(zip(sign.pitches, shown, strict=True)):
        accidental = accidental_of(pitch)
        alter = f"<alter>{ALTERS[accidental]}</alter>" if accidental else ""
        ties = '<tie type="stop"/>' * sign.from_tie + '<tie type="start"/>' * sign.to_tie
        marks = ties.replace("<tie ", "<tied ")
        if not number and sign.triplet in ("begin", "end"):
            kind = "start" if sign.triplet == "begin" else "stop"
            marks += f'<tuplet type="{kind}"/>'
        lines.append(
            f"<note>{'<chord/>' if number else ''}"
            f"<pitch><step>{pitch[0]}</step>{alter}<octave>{octave_of(pitch)}</octave></pitch>"
            f"<duration>{length}</duration>{ties}{tail}"
            + (f"<accidental>{_NAMES[accidental]}</accidental>" if flag else "")
            + _modified(sign)
            + (f'<beam number="1">{beam}</beam>' if beam and not number else "")
            + (f"<notations>{marks}</notations>" if marks else "")
            + "</note>"
        )
    return lines


def _modified(sign: Sign) -> str:
    if not sign.triplet:
        return ""
    return (
        "<time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes>"
        "</time-modification>"
    )


def _triplet(sign: Sign) -> str:
    """Of a rest in a triplet, after its type."""
    if sign.triplet in ("", "inside"):
        return _modified(sign)
    kind = "start" if sign.triplet == "begin" else "stop"
    return f'{_modified(sign)}<notations><tuplet type="{kind}"/></notations>'


# Reading


@strictly("MusicXML")
def read_musicxml(text: str) -> Piece:
    """The piece in a document as `write_musicxml` writes it.

    Raises
    ------
    InputError
        It is no such document.
    """
    try:
        root = ElementTree.fromstring(text.encode())
    except ElementTree.ParseError as error:
        raise InputError(f"not MusicXML: {error}") from None
    return _piece(root)


def _piece(root: ElementTree.Element) -> Piece:
    names = [_text(part, "part-name") for part in root.iter("score-part")]
    part_elements = root.findall("part")
    first = part_elements[0].findall("measure")
    attributes = first[0].find("attributes")
    assert attributes is not None
    mode = _text(attributes, "key/mode")
    fifths = int(_text(attributes, "key/fifths")) + (3 if mode == "minor" else 0)
    metre = (int(_text(attributes, "time/beats")), int(_text(attributes, "time/beat-type")))
    divisions = int(_text(attributes, "divisions"))
    parts = [
        Part(_events(part, divisions), name)
        for part, name in zip(part_elements, names, strict=True)
    ]
    whole = [measure for measure in first if measure.get("number") != "0"]
    upbeat = F(0) if len(whole) == len(first) else _length(first[0], divisions)
    sound = root.find(".//sound[@tempo]")
    tempo = float(sound.get("tempo", "60")) if sound is not None else 60.0
    key = Key(spell(fifths), "minor" if mode == "minor" else "major")
    return Piece(tuple(parts), metre, len(whole), key, upbeat, _repeats(first), tempo)


def _text(element: ElementTree.Element, path: str) -> str:
    text = element.findtext(path)
    if text is None:
        raise ValueError(f"no {path}")
    return text


def _length(measure: ElementTree.Element, divisions: int) -> Fraction:
    notes = [note for note in measure.iter("note") if note.find("chord") is None]
    return F(sum(int(_text(note, "duration")) for note in notes), divisions)


def _repeats(measures: list[ElementTree.Element]) -> tuple[tuple[int, int], ...]:
    repeats, start = [], 1
    for measure in measures:
        number = int(measure.get("number", "0"))
        for repeat in measure.iter("repeat"):
            if repeat.get("direction") == "forward":
                start = number
            else:
                repeats.append((start, number))
    return tuple(repeats)


def _events(part: ElementTree.Element, divisions: int) -> tuple[Event, ...]:
    rows: list[tuple[Fraction, Fraction, tuple[str, ...], bool]] = []
    now = F(0)
    for note in part.iter("note"):
        length = F(int(_text(note, "duration")), divisions)
        pitches: tuple[str, ...] = ()
        if (pitch := note.find("pitch")) is not None:
            sign = SIGNS[int(pitch.findtext("alter") or 0)]
            pitches = (f"{_text(pitch, 'step')}{sign}{_text(pitch, 'octave')}",)
        tied = any(tie.get("type") == "stop" for tie in note.findall("tie"))
        if note.find("chord") is not None:
            onset, before, others, was = rows.pop()
            rows.append((onset, before, (*others, *pitches), was))
        else:
            rows.append((now, length, pitches, tied))
            now += length
    return joined(rows)
