"""A piece as ABC, as Humdrum's **kern, as MIDI text, as MusicXML 4.0, and as sound.

Repeat marks are not played out, in sound and in MIDI.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from html import escape
from io import BytesIO

import msgspec

from zhiyin.errors import InputError
from zhiyin.plugins.music.midi import DRUM_CHANNEL, Note, Score, midi_bytes
from zhiyin.plugins.music.miditext import midi_text
from zhiyin.plugins.music.notated import (
    NotatedPiece,
    Sign,
    accidental_of,
    altered,
    octave_of,
    signs,
)
from zhiyin.plugins.music.pieces import INSTRUMENTS
from zhiyin.plugins.music.render import RATE, Renderer, normalised, wav_bytes
from zhiyin.plugins.music.theory import ALTERS, Key

F = Fraction
_ABC_SIGNS = {"": "=", "#": "^", "##": "^^", "b": "_", "bb": "__"}
_UNIT = F(1, 2)
"""ABC's unit, an eighth, in quarter notes."""
_BARS_A_LINE = 4
MIDDLE = 55
"""Parts whose middle lies below this MIDI number stand in the bass clef."""


def clef_of(piece: NotatedPiece, number: int) -> str:
    """The clef that suits a part, treble or bass."""
    pitches = sorted(p for event in piece.parts[number].events for p in event.numbers)
    return "bass" if pitches and pitches[len(pitches) // 2] < MIDDLE else "treble"


# ABC


def write_abc(piece: NotatedPiece) -> str:
    """A piece in ABC 2.1, a voice for each part."""
    key = piece.key or Key("C")
    lines = ["X:1", f"M:{piece.metre[0]}/{piece.metre[1]}", "L:1/8", f"Q:1/4={piece.tempo:g}"]
    lines.append(f"K:{key.tonic}{'m' if key.mode == 'minor' else ''}")
    for number, part in enumerate(piece.parts, 1):
        if len(piece.parts) > 1:
            clef = clef_of(piece, number - 1)
            lines.append(f'V:{number} clef={clef} name="{part.instrument}"')
        else:  # a voice that is alone has no name in ABC
            lines.append(f"%%MIDI program {INSTRUMENTS[part.instrument].program}")
        first = 0 if piece.upbeat else 1
        text = _abc_line(piece, first, True)
        for bar, row in enumerate(signs(piece, part), first):
            text += f" {_abc_bar(row, piece, key)} {_abc_line(piece, bar + 1, False)}"
            text += "\n" if bar % _BARS_A_LINE == 0 and bar else ""
        lines += [line.strip() for line in text.strip().splitlines()]
    return "\n".join(lines) + "\n"


def abc_signs(piece: NotatedPiece) -> list[list[tuple[Fraction, str]]]:
    """The signs of the first part with their onsets, bar by bar, to be cut and put together.

    A sign that begins a beam has a space before it. Accidentals are against `piece.key`.
    """
    key = piece.key or Key("C")
    rows = []
    for row in signs(piece, piece.parts[0]):
        start = row[0].onset
        rows.append(
            [
                (s.onset, ("" if (s.onset - start) % piece.beat else " ") + _abc_sign(s, shown))
                for s, shown in zip(row, altered(row, key), strict=True)
            ]
        )
    return rows


def _abc_line(piece: NotatedPiece, bar: int, first: bool) -> str:
    """The bar line before a bar, or after the last one."""
    if bar > piece.bars:
        return ":|" if any(end == piece.bars for _, end in piece.repeats) else "|]"
    ends = any(end == bar - 1 for _, end in piece.repeats)
    begins = any(start == bar for start, _ in piece.repeats)
    if first:
        return "|:" if begins else ""
    return {(True, True): ":|:", (True, False): ":|", (False, True): "|:"}.get((ends, begins), "|")


def _abc_bar(row: Sequence[Sign], piece: NotatedPiece, key: Key) -> str:
    start, text = row[0].onset, ""
    for sign, shown in zip(row, altered(row, key), strict=True):
        beamed = (sign.onset - start) % piece.beat != 0
        text += ("" if beamed or not text else " ") + _abc_sign(sign, shown)
    return text


def _abc_sign(sign: Sign, shown: tuple[bool, ...]) -> str:
    length, tie = abc_length(sign.shown / _UNIT), "-" if sign.to_tie else ""
    head = f"(3:2:{sign.group}" if sign.group else ""
    if not sign.pitches:
        return f"{head}z{length}"
    notes = [
        f"{_abc_pitch(pitch, flag)}{length}{tie}"
        for pitch, flag in zip(sign.pitches, shown, strict=True)
    ]
    return head + (notes[0] if len(notes) == 1 else f"[{''.join(notes)}]")


def _abc_pitch(pitch: str, shown: bool) -> str:
    octave = octave_of(pitch)
    letter = pitch[0] if octave < 5 else pitch[0].lower()
    marks = "'" * (octave - 5) if octave > 5 else "," * (4 - octave)
    return (_ABC_SIGNS[accidental_of(pitch)] if shown else "") + letter + marks


def abc_length(units: Fraction) -> str:
    """A length in units of ``L:``, as it stands behind a note: "" for one, ``3/2``, ``/2``."""
    if units == 1:
        return ""
    above = str(units.numerator) if units.numerator != 1 else ""
    return above + (f"/{units.denominator}" if units.denominator != 1 else "")


# Humdrum's **kern


def write_kern(piece: NotatedPiece) -> str:
    """A piece in **kern: a spine for each part, the lowest part first, as is usual."""
    key = piece.key or Key("C")
    order = range(len(piece.parts) - 1, -1, -1)
    count = len(piece.parts)

    def line(*tokens: str) -> str:
        return "\t".join(tokens if len(tokens) == count else tokens * count)

    order_of, sign = ("fcgdaeb", "#") if key.fifths > 0 else ("beadgcf", "-")
    signature = "".join(letter + sign for letter in order_of[: abs(key.fifths)])
    tonic = key.tonic[0] + key.tonic[1:].replace("b", "-")
    lines = [
        line("**kern"),
        line(*(f'*I"{piece.parts[n].instrument}' for n in order)),
        line(*("*clefF4" if clef_of(piece, n) == "bass" else "*clefG2" for n in order)),
        line(f"*k[{signature}]"),
        line(f"*{tonic if key.mode == 'major' else tonic.lower()}:"),
        line(f"*M{piece.metre[0]}/{piece.metre[1]}"),
        line(f"*MM{piece.tempo:g}"),
    ]
    rows = [signs(piece, piece.parts[n]) for n in order]
    first = 0 if piece.upbeat else 1
    for bar, spines in enumerate(zip(*rows, strict=True), first):
        if mark := _kern_line(piece, bar, bar == first):
            lines.append(line(mark))
        tokens = [{sign.onset: _kern_sign(sign) for sign in spine} for spine in spines]
        for onset in sorted(set().union(*tokens)):
            lines.append(line(*(spine.get(onset, ".") for spine in tokens)))
    closed = any(end == piece.bars for _, end in piece.repeats)
    lines += [line("==:|!" if closed else "=="), line("*-")]
    return "!!!filter: autobeam\n" + "\n".join(lines) + "\n"


def _kern_line(piece: NotatedPiece, bar: int, first: bool) -> str:
    if bar == 0:
        return ""
    ends = any(end == bar - 1 for _, end in piece.repeats) and not first
    begins = any(start == bar for start, _ in piece.repeats)
    mark = {(True, True): ":|!|:", (True, False): ":|!", (False, True): "!|:"}
    return f"={bar}{'-' if first and not begins else ''}{mark.get((ends, begins), '')}"


def _kern_sign(sign: Sign) -> str:
    length = _kern_length(sign.length)
    if not sign.pitches:
        return f"{length}r"
    before = "[" if sign.to_tie and not sign.from_tie else ""
    after = "_" if sign.to_tie and sign.from_tie else "]" if sign.from_tie else ""
    return " ".join(f"{before}{length}{_kern_pitch(pitch)}{after}" for pitch in sign.pitches)


@lru_cache(maxsize=256)
def _kern_length(length: Fraction) -> str:
    """Reciprocal of a whole note, a dot where it is dotted."""
    shown = F(4) / length
    if shown.denominator == 1:
        return str(shown.numerator)
    dotted = F(4) / (length * F(2, 3))
    return f"{dotted.numerator}."


def _kern_pitch(pitch: str) -> str:
    octave, letter = octave_of(pitch), pitch[0]
    name = letter.lower() * (octave - 3) if octave > 3 else letter * (4 - octave)
    return name + accidental_of(pitch).replace("b", "-")


# MIDI


def write_midi_text(piece: NotatedPiece) -> str:
    """A piece as MIDI text: pitches, times, programs, metre and tempo. Repeats are not played out.

    It has no spelling, no key, no upbeat and no repeat marks.
    """
    import mido

    data = midi_bytes(as_score(piece))
    return midi_text(mido.MidiFile(file=BytesIO(data)))


# MusicXML

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


@lru_cache(maxsize=4)  # it is also what names the files of a piece
def write_musicxml(piece: NotatedPiece) -> str:
    """A piece as a partwise document, with beams, so that it can be engraved."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', _DOCTYPE, '<score-partwise version="4.0">']
    lines.append("<part-list>")
    for number, part in enumerate(piece.parts, 1):
        program = INSTRUMENTS[part.instrument].program + 1
        name = escape(part.instrument, quote=False)
        lines.append(
            f'<score-part id="P{number}"><part-name>{name}</part-name>'
            f'<score-instrument id="P{number}-I1"><instrument-name>{name}'
            f'</instrument-name></score-instrument><midi-instrument id="P{number}-I1">'
            f"<midi-channel>{number}</midi-channel><midi-program>{program}</midi-program>"
            "</midi-instrument></score-part>"
        )
    lines.append("</part-list>")
    for number in range(len(piece.parts)):
        lines += [f'<part id="P{number + 1}">', *_xml_measures(piece, number), "</part>"]
    return "\n".join([*lines, "</score-partwise>"]) + "\n"


def _xml_measures(piece: NotatedPiece, number: int) -> list[str]:
    lines: list[str] = []
    first = 0 if piece.upbeat else 1
    for bar, row in enumerate(signs(piece, piece.parts[number]), first):
        lines.append(f'<measure number="{bar}">' if bar else '<measure number="0" implicit="yes">')
        if bar == first:
            lines.append(_xml_attributes(piece, number))
        if any(start == bar for start, _ in piece.repeats):
            lines.append(
                '<barline location="left"><bar-style>heavy-light</bar-style>'
                '<repeat direction="forward"/></barline>'
            )
        if bar == first and number == 0:
            lines.append(f'<sound tempo="{piece.tempo:g}"/>')
        beams = _beams(row, piece)
        for sign, shown, beam in zip(row, altered(row, piece.key), beams, strict=True):
            lines += _xml_notes(sign, shown, beam)
        if any(end == bar for _, end in piece.repeats):
            lines.append(
                '<barline location="right"><bar-style>light-heavy</bar-style>'
                '<repeat direction="backward"/></barline>'
            )
        elif bar == piece.bars:
            lines.append('<barline location="right"><bar-style>light-heavy</bar-style></barline>')
        lines.append("</measure>")
    return lines


def _xml_attributes(piece: NotatedPiece, number: int) -> str:
    key = piece.key or Key("C")
    sign, line = _CLEFS[clef_of(piece, number)]
    return (
        f"<attributes><divisions>{DIVISIONS}</divisions>"
        f"<key><fifths>{key.fifths}</fifths><mode>{key.mode}</mode></key>"
        f"<time><beats>{piece.metre[0]}</beats><beat-type>{piece.metre[1]}</beat-type></time>"
        f"<clef><sign>{sign}</sign><line>{line}</line></clef></attributes>"
    )


def _beams(row: Sequence[Sign], piece: NotatedPiece) -> list[str]:
    """List "begin", "continue" or "end" for each sign with flags joined within a beat, else ""."""
    words = [""] * len(row)
    start, group = row[0].onset if row else F(0), list[int]()
    beat = piece.beat

    def close() -> None:
        if len(group) > 1:
            for place in group:
                words[place] = "continue"
            words[group[0]], words[group[-1]] = "begin", "end"
        group.clear()

    for place, sign in enumerate(row):
        if (sign.onset - start) % beat == 0:
            close()
        if sign.pitches and sign.shown < 1:
            group.append(place)
        else:
            close()
    close()
    return words


def _xml_notes(sign: Sign, shown: tuple[bool, ...], beam: str) -> list[str]:
    length, tail = _xml_length(sign.length, sign.triplet != "")
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


@lru_cache(maxsize=256)
def _xml_length(length: Fraction, triplet: bool) -> tuple[str, str]:
    """A length as a duration, and as what stands behind it; `triplet`: within one."""
    duration = length * DIVISIONS
    if duration.denominator != 1:
        raise InputError(f"a length of {length} quarter notes cannot be written as MusicXML")
    shown = length * F(3, 2) if triplet else length
    plain = shown if shown in _TYPES else shown * F(2, 3)
    dot = "" if plain == shown else "<dot/>"
    return str(duration), f"<voice>1</voice><type>{_TYPES[plain]}</type>{dot}"


def _modified(sign: Sign) -> str:
    if not sign.triplet:
        return ""
    return (
        "<time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes>"
        "</time-modification>"
    )


def _triplet(sign: Sign) -> str:
    """Write what follows the type of a rest in a triplet."""
    if sign.triplet in ("", "inside"):
        return _modified(sign)
    kind = "start" if sign.triplet == "begin" else "stop"
    return f'{_modified(sign)}<notations><tuplet type="{kind}"/></notations>'


FIRST, STRONG, WEAK = 104, 90, 78
"""Velocities on the first beat of a bar, on the other beats, and between them."""
HELD = 0.85
"""Share of its written length that a note sounds, so that repeated notes can be distinguished."""
TAIL_S = 1.0
"""Silence after the last note, in seconds."""


def as_score(piece: NotatedPiece) -> Score:
    """The notes of a piece with their written lengths, a channel for each part."""
    return Score(tuple(sorted(_sounding(piece))), piece.tempo, piece.metre)


def _sounding(piece: NotatedPiece) -> Iterator[Note]:
    second = 60 / piece.tempo
    channels = [n for n in range(16) if n != DRUM_CHANNEL]
    for channel, part in zip(channels, piece.parts, strict=False):
        program = INSTRUMENTS[part.instrument].program
        for event in part.events:
            place = (event.onset - piece.upbeat) % piece.bar
            velocity = FIRST if place == 0 else WEAK if place % piece.beat else STRONG
            for pitch in event.numbers:
                start, length = float(event.onset) * second, float(event.length) * second
                yield Note(start, length, pitch, velocity, channel, program)


def play(piece: NotatedPiece, renderer: Renderer) -> bytes:
    """A piece as a WAV file of one channel at 44.1 kHz and 16 bits, normalised."""
    notes = [
        msgspec.structs.replace(note, duration=note.duration * HELD)
        for note in as_score(piece).notes
    ]
    seconds = float(piece.length) * 60 / piece.tempo + TAIL_S
    return wav_bytes(normalised(renderer.render(notes, seconds)), RATE)
