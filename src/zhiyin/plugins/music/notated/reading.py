"""Each notation read back to a piece, as `writing` writes it.

These readers know what is written here and nothing more: a solver that answers from the text it
was given needs no package. Files of users are read by `files`.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from fractions import Fraction

from zhiyin.errors import InputError, reworded
from zhiyin.plugins.music.midi import Note
from zhiyin.plugins.music.miditext import BEGIN, END, parse_midi_text
from zhiyin.plugins.music.notated import NotatedEvent, NotatedPart, NotatedPiece, joined, strictly
from zhiyin.plugins.music.pieces import instrument_of
from zhiyin.plugins.music.theory import SIGNS, Key, parse_key, spell

F = Fraction
_FINEST = 48
"""Times of MIDI are multiples of a quarter note over this."""
_MEND = "write it as zhiyin.plugins.music.notated.writing does"

# ABC

_ABC_SIGNS = {"=": "", "^": "#", "^^": "##", "_": "b", "__": "bb"}
_ABC_TOKEN = re.compile(
    r"(?P<line>\|\]|:\|:|:\||\|:|\|)|\(3:2:(?P<triplet>\d)|(?P<chord>\[[^\]|:]+\])"
    r"|(?P<note>(?:\^\^|\^|__|_|=)?[A-Ga-gz][,']*\d*(?:/\d+)?-?)|\s+"
)
_ABC_NOTE = re.compile(r"(\^\^|\^|__|_|=)?([A-Ga-gz])([,']*)(\d*)(?:/(\d+))?(-?)")


@strictly("ABC")
def read_abc(text: str) -> NotatedPiece:
    """The piece in a tune as `write_abc` writes it. Raises `InputError` for any other."""
    heads = dict(re.findall(r"^([A-UW-Z]):(.*)$", text, re.MULTILINE))
    names = re.findall(r'^V:\d+ clef=\w+ name="([^"]+)"$', text, re.MULTILINE)
    tunes = [t.strip() for t in re.split(r"^(?:V:|%%MIDI)[^\n]*$", text, flags=re.MULTILINE)[1:]]
    if not names:
        program = re.search(r"^%%MIDI program (\d+)$", text, re.MULTILINE)
        names = [instrument_of(int(program[1]))] if program else []
    if not tunes or len(tunes) != len(names) or heads.get("L") != "1/8":
        raise InputError(f"ABC of another kind than is written here: {_MEND}")
    above, _, below = heads["M"].partition("/")
    metre = (int(above), int(below))
    key = parse_key(heads["K"].strip())
    read = [_abc_tune(tune, key) for tune in tunes]
    bar, lines = F(4 * metre[0], metre[1]), read[0][1]
    first = lines[1][0] if len(lines) > 1 else bar
    upbeat = first if first < bar else F(0)
    tempo = float(heads.get("Q", "1/4=60").rpartition("=")[2])
    parts = tuple(
        NotatedPart(joined(rows), name) for (rows, _), name in zip(read, names, strict=True)
    )
    bars = int((lines[-1][0] - upbeat) / bar)
    return NotatedPiece(parts, metre, bars, key, upbeat, _repeats(lines, upbeat, bar), tempo)


_Row = tuple[Fraction, Fraction, tuple[str, ...], bool]
_Line = tuple[Fraction, str]


def _abc_tune(text: str, key: Key) -> tuple[list[_Row], list[_Line]]:
    """Signs and bar lines of a voice, with their places in quarter notes."""
    from_key = {name[0]: name[1:] for name in key.scale()}
    rows: list[_Row] = []
    lines: list[_Line] = [] if text.startswith("|:") else [(F(0), "")]
    now, at, left, tied = F(0), 0, 0, False
    accidentals: dict[str, str] = {}
    while at < len(text):
        token = _ABC_TOKEN.match(text, at)
        if token is None:
            raise InputError(f"ABC that is not understood at {text[at : at + 12]!r}: {_MEND}")
        at = token.end()
        if token["line"]:
            lines.append((now, token["line"]))
            accidentals = {}
        elif token["triplet"]:
            left = int(token["triplet"])
        elif token["chord"] or token["note"]:
            notes = _ABC_NOTE.findall(token["chord"] or token["note"])
            pitches = tuple(
                _abc_pitch(note, from_key, accidentals) for note in notes if note[1] != "z"
            )
            length = F(int(notes[0][3] or 1), int(notes[0][4] or 1)) / 2
            if left:
                length, left = length * F(2, 3), left - 1
            rows.append((now, length, pitches, tied))
            tied = bool(notes[0][5])
            now += length
    return rows, lines


def _abc_pitch(note: Sequence[str], from_key: dict[str, str], accidentals: dict[str, str]) -> str:
    sign, letter, marks = note[0], note[1], note[2]
    octave = (5 if letter.islower() else 4) + marks.count("'") - marks.count(",")
    name = letter.upper()
    if sign:
        accidentals[name] = _ABC_SIGNS[sign]
    return f"{name}{accidentals.get(name, from_key[name])}{octave}"


def _repeats(lines: list[_Line], upbeat: Fraction, bar: Fraction) -> tuple[tuple[int, int], ...]:
    """First and last bar of each stretch between bar lines that repeat."""
    repeats, start = [], 1
    for place, mark in lines:
        number = int((place - upbeat) / bar)
        if ":|" in mark:
            repeats.append((start, number))
        if "|:" in mark:
            start = number + 1
    return tuple(repeats)


# **kern

_KERN_NOTE = re.compile(r"(\[?)(\d+)(\.?)(?:(r)|([a-gA-G])(\5*)(##|#|--|-|))([\]_]?)")


@strictly("**kern")
def read_kern(text: str) -> NotatedPiece:
    """The piece in a file as `write_kern` writes it. Raises `InputError` for any other."""
    lines = [line.split("\t") for line in text.splitlines() if line and not line.startswith("!")]
    if not lines or set(lines[0]) != {"**kern"}:
        raise InputError(f"no **kern spines: {_MEND}")
    spines: list[list[_Row]] = [[] for _ in lines[0]]
    ends = [F(0)] * len(spines)
    heads: dict[str, str] = {}
    names = [""] * len(spines)
    bars: list[_Line] = []
    for cells in lines[1:]:
        if cells[0].startswith('*I"'):
            names = [cell[3:] for cell in cells]
        elif cells[0].startswith("*"):
            _kern_head(cells[0], heads)
        elif cells[0].startswith("="):
            bars.append((max(ends), cells[0]))
        else:
            for number, cell in enumerate(cells):
                if cell != ".":
                    row = _kern_row(cell, ends[number])
                    spines[number].append(row)
                    ends[number] += row[1]
    if "metre" not in heads or "key" not in heads:
        raise InputError(f"**kern without metre or key: {_MEND}")
    above, _, below = heads["metre"].partition("/")
    return _kern_piece(spines, names, bars, heads, (int(above), int(below)))


def _kern_piece(
    spines: list[list[_Row]], names: list[str], bars: list[_Line], heads: dict[str, str],
    metre: tuple[int, int],
) -> NotatedPiece:  # fmt: skip
    mode = "minor" if heads["key"][0].islower() else "major"
    key = parse_key(f"{heads['key'][0].upper()}{heads['key'][1:].replace('-', 'b')} {mode}")
    upbeat, bar = bars[0][0], F(4 * metre[0], metre[1])
    parts = tuple(
        NotatedPart(joined(row), name) for row, name in zip(spines[::-1], names[::-1], strict=True)
    )
    count = int((bars[-1][0] - upbeat) / bar)
    return NotatedPiece(
        parts, metre, count, key, upbeat, _repeats(bars, upbeat, bar),
        float(heads.get("tempo", "60")),
    )  # fmt: skip


def _kern_head(cell: str, heads: dict[str, str]) -> None:
    if match := re.fullmatch(r"\*M(\d+/\d+)", cell):
        heads["metre"] = match[1]
    elif match := re.fullmatch(r"\*MM([\d.]+)", cell):
        heads["tempo"] = match[1]
    elif match := re.fullmatch(r"\*([A-Ga-g](?:#|-)?):", cell):
        heads["key"] = match[1]


def _kern_row(cell: str, onset: Fraction) -> _Row:
    pitches, length, tied = [], F(0), False
    for word in cell.split(" "):
        match = _KERN_NOTE.fullmatch(word)
        if match is None:
            raise InputError(f"**kern that is not understood: {word!r}: {_MEND}")
        _, value, dot, rest, letter, more, sign, after = match.groups()
        length = F(4, int(value)) * (F(3, 2) if dot else 1)
        tied = after in ("]", "_") and bool(after)
        if rest is None:
            octave = 4 + len(more) if letter.islower() else 3 - len(more)
            pitches.append(f"{letter.upper()}{sign.replace('-', 'b')}{octave}")
    return onset, length, tuple(pitches), tied


# MIDI


@strictly("MIDI text")
def read_midi_text(text: str) -> NotatedPiece:
    """The piece in MIDI text: no key, and pitches spelled as in C major.

    A part for each channel; notes that begin and end together are one chord.
    """
    metre = re.search(r"^\d+ time_signature (\d+)/(\d+)$", text, re.MULTILINE)
    tempo = re.search(r"^\d+ tempo (\d+)$", text, re.MULTILINE)
    if metre is None or tempo is None:
        raise InputError(f"MIDI text without metre or tempo: {_MEND}")
    notes = parse_midi_text(text)
    beat = int(tempo[1]) / 1e6
    channels = sorted({note.channel for note in notes})
    parts = [_midi_part([n for n in notes if n.channel == channel], beat) for channel in channels]
    above, below = int(metre[1]), int(metre[2])
    end = max(event.end for part in parts for event in part.events)
    bars = -(-end // F(4 * above, below))
    return NotatedPiece(tuple(parts), (above, below), int(bars), tempo=60 / beat)


def _midi_part(notes: Sequence[Note], beat: float) -> NotatedPart:
    chords: dict[tuple[Fraction, Fraction], list[int]] = {}
    for note in notes:
        onset, length = (F(round(_FINEST * t / beat), _FINEST) for t in (note.start, note.duration))
        chords.setdefault((onset, length), []).append(note.pitch)
    plain = Key("C")
    events = [
        NotatedEvent(onset, length, tuple(plain.spell(pitch) for pitch in sorted(pitches)))
        for (onset, length), pitches in sorted(chords.items())
    ]
    return NotatedPart(tuple(events), instrument_of(notes[0].program))


# MusicXML


@strictly("MusicXML")
def read_musicxml(text: str) -> NotatedPiece:
    """The piece in a document as `write_musicxml` writes it.

    Raises
    ------
    InputError
        It is no such document.
    """
    with reworded("not MusicXML: ", of=ElementTree.ParseError):
        root = ElementTree.fromstring(text.encode())
    return _xml_piece(root)


def _xml_piece(root: ElementTree.Element) -> NotatedPiece:
    names = [_xml_text(part, "part-name") for part in root.iter("score-part")]
    part_elements = root.findall("part")
    first = part_elements[0].findall("measure")
    attributes = first[0].find("attributes")
    assert attributes is not None
    mode = _xml_text(attributes, "key/mode")
    fifths = int(_xml_text(attributes, "key/fifths")) + (3 if mode == "minor" else 0)
    metre = (int(_xml_text(attributes, "time/beats")), int(_xml_text(attributes, "time/beat-type")))
    divisions = int(_xml_text(attributes, "divisions"))
    parts = [
        NotatedPart(_xml_events(part, divisions), name)
        for part, name in zip(part_elements, names, strict=True)
    ]
    whole = [measure for measure in first if measure.get("number") != "0"]
    upbeat = F(0) if len(whole) == len(first) else _xml_length(first[0], divisions)
    sound = root.find(".//sound[@tempo]")
    tempo = float(sound.get("tempo", "60")) if sound is not None else 60.0
    key = Key(spell(fifths), "minor" if mode == "minor" else "major")
    return NotatedPiece(tuple(parts), metre, len(whole), key, upbeat, _xml_repeats(first), tempo)


def _xml_text(element: ElementTree.Element, path: str) -> str:
    text = element.findtext(path)
    if text is None:
        raise ValueError(f"no {path}")
    return text


def _xml_length(measure: ElementTree.Element, divisions: int) -> Fraction:
    notes = [note for note in measure.iter("note") if note.find("chord") is None]
    return F(sum(int(_xml_text(note, "duration")) for note in notes), divisions)


def _xml_repeats(measures: list[ElementTree.Element]) -> tuple[tuple[int, int], ...]:
    repeats, start = [], 1
    for measure in measures:
        number = int(measure.get("number", "0"))
        for repeat in measure.iter("repeat"):
            if repeat.get("direction") == "forward":
                start = number
            else:
                repeats.append((start, number))
    return tuple(repeats)


def _xml_events(part: ElementTree.Element, divisions: int) -> tuple[NotatedEvent, ...]:
    rows: list[tuple[Fraction, Fraction, tuple[str, ...], bool]] = []
    now = F(0)
    for note in part.iter("note"):
        length = F(int(_xml_text(note, "duration")), divisions)
        pitches: tuple[str, ...] = ()
        if (pitch := note.find("pitch")) is not None:
            sign = SIGNS[int(pitch.findtext("alter") or 0)]
            pitches = (f"{_xml_text(pitch, 'step')}{sign}{_xml_text(pitch, 'octave')}",)
        tied = any(tie.get("type") == "stop" for tie in note.findall("tie"))
        if note.find("chord") is not None:
            onset, before, others, was = rows.pop()
            rows.append((onset, before, (*others, *pitches), was))
        else:
            rows.append((now, length, pitches, tied))
            now += length
    return joined(rows)


# Any of them


_FORMS: tuple[tuple[str, str, str, Callable[[str], NotatedPiece]], ...] = (
    ("midi", BEGIN, rf"{BEGIN}\n[\s\S]*?\n{END}", read_midi_text),
    ("musicxml", "<?xml", r"<\?xml[\s\S]*?</score-partwise>", read_musicxml),
    ("kern", "**kern", r"^\*\*kern[\s\S]*?^\*-(?:\t\*-)*$", read_kern),
    ("abc", "X:1", r"^X:1\n(?:[^\n]+\n?)+", read_abc),
)


def find_pieces(text: str) -> list[NotatedPiece]:
    """The pieces that stand in a text, in whichever one notation, in order; none where none do.

    Raises
    ------
    InputError
        A piece is begun and cannot be read.
    """
    for _, sign, pattern, read in _FORMS:
        if sign in text:
            return [read(piece_text) for piece_text in re.findall(pattern, text, re.MULTILINE)]
    return []
