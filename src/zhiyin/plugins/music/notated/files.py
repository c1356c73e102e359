"""Pieces of users: MusicXML, ABC and **kern, read with music21 (extra ``notation``).

Of ABC as people write it, music21 must be told some things, and others it would misread.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.archives import opened_zip
from zhiyin.errors import InputError, imported, reworded
from zhiyin.files import read_regular
from zhiyin.plugins.music.notated import NotatedEvent, NotatedPart, NotatedPiece, octave_of, signs
from zhiyin.plugins.music.pieces import INSTRUMENTS, instrument_of
from zhiyin.plugins.music.theory import SIGNS, Key, spell
from zhiyin.words import said

F = Fraction
FORMATS = {
    ".musicxml": "musicxml", ".xml": "musicxml", ".mxl": "musicxml", ".krn": "humdrum",
    ".abc": "abc",
}  # fmt: skip
"""What music21 calls the format of a file, by its ending."""
MOST_BYTES = 2_000_000
EXCERPT = 8
"""Bars of an excerpt, at most."""
_FINEST = 48


def files_in(place: Path) -> list[Path]:
    """The files of notation in a folder, or the one that is named, by name.

    Raises
    ------
    InputError
        There is no such place, or nothing in it that is read.
    """
    known = ", ".join(FORMATS)
    if place.is_file():
        if place.suffix.lower() not in FORMATS:
            raise InputError(f"{place}: not a file of notation that is read: give one of {known}")
        return [place]
    if not place.is_dir():
        raise InputError(f"{place}: no such file or folder: give one with {known}")
    paths = sorted(p for p in place.rglob("*") if p.suffix.lower() in FORMATS and p.is_file())
    if not paths:
        raise InputError(f"{place}: no files of notation in it: give a folder with {known}")
    return paths


def read_file(path: Path) -> NotatedPiece:
    """The first `EXCERPT` bars of a file.

    Raises
    ------
    InputError
        It cannot be read, or holds what not every body can show: more than three
        parts, several voices on one staff, changes of metre or key, grace notes, other tuplets
        than triplets, bars that are not full.
    """
    with reworded(said("error-cannot-read", path=path, why="")):
        data = read_regular(path)
    refuse_large(path, data)
    if not data.strip():
        raise InputError(f"{path}: is empty: export it again")
    with reworded(f"{path}: ", of=InputError):
        readings = [from_music21(score) for score in parsed(path, data)]
        for part in readings[0].parts:
            signs(readings[0], part)
    if any(piece != readings[0] for piece in readings):
        raise InputError(said("notated-accidental", path=path))
    return readings[0]


def refuse_large(path: Path, data: bytes) -> None:
    """Raise `InputError` for a file of more than `MOST_BYTES`, as it lies there or unpacked."""
    if len(data) > MOST_BYTES:
        raise InputError(f"{path}: above {MOST_BYTES:,} bytes: cut out a short piece")
    if path.suffix.lower() == ".mxl" and zipfile.is_zipfile(path):
        with opened_zip(path, MOST_BYTES):
            pass


def parsed(path: Path, data: bytes) -> list[Any]:
    """Parse a file with music21: one score, or several that must be alike."""
    converter = imported("music21.converter", "music21", "notation")
    kind = FORMATS[path.suffix.lower()]
    texts = for_music21(_decoded(data)) if kind == "abc" else []
    try:
        if texts:
            return [converter.parseData(text, format=kind) for text in texts]
        return [converter.parse(str(path), format=kind, forceSource=True, storePickle=False)]
    except Exception as error:  # music21 meets damage with whatever its parsers trip over
        reason = " ".join(str(error).split())[:100] or type(error).__name__
        raise InputError(f"music21 cannot read it ({reason}): export it again") from None


def _decoded(data: bytes) -> str:
    """A text in UTF-8, or of older programs, in whose titles alone other letters stand."""
    if b"\0" in data:
        raise InputError("is not text in UTF-8: save it so")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        return data.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")


def from_music21(score: Any) -> NotatedPiece:
    """Convert a music21 score to a piece: its first bars.

    Raises
    ------
    InputError
        It holds what a piece cannot say (see `read_file`).
    """
    staves = list(score.parts) if hasattr(score, "parts") else []
    if not 1 <= len(staves) <= 3:
        raise InputError(f"{len(staves)} parts: give a piece with one, two or three")
    # After a last bar line that repeats, music21 sets a bar that holds nothing.
    first = [m for m in staves[0].getElementsByClass("Measure") if m.duration.quarterLength]
    if not first:
        raise InputError("no bars: give it a metre, and two plain bar lines at least")
    metre = metre_of(score)
    bar = F(4 * metre[0], metre[1])
    refuse_transposing(staves)
    upbeat = _length(first[0]) if _length(first[0]) < bar else F(0)
    whole = first[1:] if upbeat else first
    if whole and _length(whole[-1]) == bar - upbeat and upbeat:
        whole = whole[:-1]  # the last bar makes up for the upbeat: left out with what it holds
    whole = whole[:EXCERPT]
    if not whole or any(_length(measure) != bar for measure in whole):
        raise InputError("a bar within it is not full: mend it, or cut the piece before it")
    end = upbeat + len(whole) * bar
    parts = [NotatedPart(tuple(events_of(staff, end)), _instrument(staff)) for staff in staves]
    if any(not part.events for part in parts):
        raise InputError("a part without notes: leave it out")
    key, named = _key(score)
    # With first and second endings, what a repeat encloses is not played twice as it stands.
    endings = score.recurse().getElementsByClass("RepeatBracket")
    repeats = () if endings else _repeats(whole)
    marks = list(score.recurse().getElementsByClass("MetronomeMark"))
    bpm = marks[0].getQuarterBPM() if marks else None
    tempo = round(float(bpm), 3) if bpm and 20 <= bpm <= 300 else 60.0
    return NotatedPiece(tuple(parts), metre, len(whole), key, upbeat, repeats, tempo, not named)


def _length(measure: Any) -> Fraction:
    return F(measure.duration.quarterLength).limit_denominator(_FINEST)


def metre_of(score: Any) -> tuple[int, int]:
    """Its metre. Raises `InputError` where there is none, or several."""
    metres = {
        (m.numerator, m.denominator) for m in score.recurse().getElementsByClass("TimeSignature")
    }
    if len(metres) != 1:
        raise InputError(f"{len(metres) or 'no'} metres: give a piece in one metre")
    return metres.pop()


def _key(score: Any) -> tuple[Key, bool]:
    """The key, and whether the file names it: else it is the signature's, taken as major."""
    signatures = list(score.recurse().getElementsByClass("KeySignature"))
    if len({s.sharps for s in signatures}) > 1:
        raise InputError("its key signature changes: cut the piece before that")
    keys = [s for s in signatures if "Key" in s.classes and s.mode]
    if len({(key.tonic.name, key.mode) for key in keys}) > 1:
        raise InputError("its key changes: cut the piece before that")
    if keys and keys[-1].mode in ("major", "minor"):
        name = keys[-1].tonic.name.replace("-", "b")
        return Key(name, "minor" if keys[-1].mode == "minor" else "major"), True
    return Key(spell(signatures[0].sharps if signatures else 0)), False


def refuse_transposing(staves: list[Any]) -> None:
    """A file says so itself: music21 takes any clarinet for one in B flat."""
    if any(staff.atSoundingPitch is False for staff in staves):
        raise InputError("a transposing instrument: save it as it sounds (concert pitch)")


def _instrument(staff: Any) -> str:
    name = str(staff.partName or "").lower()
    program = getattr(staff.getInstrument(returnDefault=True), "midiProgram", None)
    return name if name in INSTRUMENTS else instrument_of(program or 0)


def _repeats(measures: list[Any]) -> tuple[tuple[int, int], ...]:
    repeats, start = [], 1
    for number, measure in enumerate(measures, 1):
        if getattr(measure.leftBarline, "direction", "") == "start":
            start = number
        if getattr(measure.rightBarline, "direction", "") == "end":
            repeats.append((start, number))
            start = number + 1
    return tuple(repeats)


def events_of(staff: Any, end: Fraction) -> Iterator[NotatedEvent]:
    """Notes and chords of a part up to a place, ties joined."""
    if staff.recurse().getElementsByClass("Voice"):
        raise InputError("several voices on one staff: give each a staff of its own")
    pending: NotatedEvent | None = None
    tied = False
    for note in staff.flatten().notes:
        if note.duration.isGrace or "ChordSymbol" in note.classes:
            if note.duration.isGrace:
                raise InputError("grace notes, whose place is nowhere exact: remove them")
            continue
        if not note.pitches:
            raise InputError("notes without a pitch, as of drums: leave that part out")
        if any(tuplet.numberNotesActual != 3 for tuplet in note.duration.tuplets):
            raise InputError("a tuplet that is no triplet, which is not used: cut it out")
        onset = F(note.offset).limit_denominator(_FINEST)
        length = F(note.duration.quarterLength).limit_denominator(_FINEST)
        if onset + length > end:
            break
        event = NotatedEvent(onset, length, _pitches(note))
        tie = note.tie.type if note.tie is not None else ""
        if (
            pending is not None
            and tied
            and tie in ("stop", "continue")
            and _goes_on(pending, event)
        ):
            pending = msgspec.structs.replace(pending, length=pending.length + length)
        else:
            if pending is not None:
                yield pending
            pending = event
        tied = tie in ("start", "continue")
    if pending is not None:
        yield pending


def _goes_on(before: NotatedEvent, event: NotatedEvent) -> bool:
    """Tell whether a note is held on in another: on the same place of the staff.

    In ABC an accidental before a bar line holds for the note that is tied over it, which music21
    reads without.
    """
    places = [[(p[0], octave_of(p)) for p in each.pitches] for each in (before, event)]
    return before.end == event.onset and places[0] == places[1]


def _pitches(note: Any) -> tuple[str, ...]:
    names = []
    for pitch in sorted(note.pitches, key=lambda each: each.ps):
        alter = 0 if pitch.accidental is None else pitch.accidental.alter
        if alter not in SIGNS or pitch.octave is None:
            raise InputError(f"the pitch {pitch.nameWithOctave} has no plain name")
        names.append(f"{pitch.step}{SIGNS[int(alter)]}{pitch.octave}")
    return tuple(names)


_KEY_LINE = re.compile(r"^K:([^%\n]*)", re.MULTILINE)
_TUNE = re.compile(r"^X:", re.MULTILINE)
_INLINE = re.compile(r"\[K:([^\[\]%\n]*)\]")
_TONIC = re.compile(r"([A-G][#b]?) ?([A-Za-z]{0,3})")
_OWN = re.compile(r" exp\b| [_^=][A-Ga-g]")
_ALTERED = re.compile(r"[_^=][A-Ga-g]")
_TIED_CHORD = re.compile(r"\][\d/]*-")
_RULE = "propagate-accidentals"
_COMMENT = re.compile(r"^(?!%%)([^%\n]*)%[^\n]*", re.MULTILINE)
_FIELD = re.compile(r"^(?:[KVI]:|%%)[^\n]*|\[[KVI]:[^\[\]\n]*\]", re.MULTILINE)
_SHIFT = re.compile(
    r"\b(?:octave|transpose|shift|score|sound|instrument)\s*+=\s*+(?![-+]?0\b)"
    r"|\b(?:treble|bass|alto|tenor|soprano|baritone|mezzo\w*|[GCF][1-5]?)[-+^_](?:8|15)\b"
    r"|^(?:%%|I:)\s*+(?:MIDI\b[\s=]*+)?(?:r?transpose|octave)\b",
    re.IGNORECASE,
)
"""What in a field makes notes sound elsewhere than they are written."""
_NO_MUSIC = re.compile(r'^(?:[A-Za-ln-z+]:|%%)[^\n]*|"[^"\n]*"', re.MULTILINE)
_LEFT_OUT = {
    "voices laid over each other": re.compile(r"&"),
    "rests of several bars": re.compile(r"Z\d*"),
    "octave lines": re.compile(r"!(?:8v|15m|22m)[ab(]*!"),
    "a macro": re.compile(r"^m:[^\n]*", re.MULTILINE),
    "quarter tones": re.compile(r"[_^]\d*/\d*[A-Ga-g]"),
}
_INLINE_LINE = re.compile(r"\[([VL]:[^\[\]\n]*)\]")
_VOICE = re.compile(r"^V:[ \t]*(\S++)([^\n]*)\n", re.MULTILINE)


def _by_voice(text: str) -> str:
    """The same tune with every voice in one piece: music21 takes each new line for another part."""
    text = _INLINE_LINE.sub(r"\n\1\n", text)
    key = _KEY_LINE.search(text)
    head, body = (text[: key.end()], text[key.end() :]) if key else (text, "")
    lead, *rest = _VOICE.split(body)
    if not rest:
        return text
    declared, voices = dict(_VOICE.findall(head)), dict[str, list[str]]()
    for name, more, music in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        voices.setdefault(name, [f"V:{name}{more.rstrip() or declared.get(name, '')}\n"]).append(
            music
        )
    if len(voices) > 1 and re.search(r"^L:", body, re.MULTILINE):
        raise InputError("the length of its notes changes within voices: write one L: for all")
    parts = (part for voice in voices.values() for part in voice)
    return _VOICE.sub("", head) + lead + "".join(parts)


def for_music21(text: str) -> list[str]:
    """The text as music21 is to read it; two texts where both must come to the same piece.

    Without a version music21 lets an accidental hold for one note. It holds to the end of its
    bar, but programs do not agree in which octaves: the tune is read in both ways.

    Raises
    ------
    InputError
        Several tunes, a change of key, a key with accidentals of its own, a chord that is tied, or
        whatever else music21 leaves out: see `_LEFT_OUT`.
    """
    text = _by_voice(_COMMENT.sub(r"\1", text))
    for field in _FIELD.findall(text):
        if _SHIFT.search(field):
            raise InputError(said("notated-shift", field=repr(field.strip())))
    music = _NO_MUSIC.sub("", text)
    for what, pattern in _LEFT_OUT.items():
        if match := pattern.search(music):
            raise InputError(f"{what} ({match[0].strip()}), which music21 loses: write it out")
    if (count := len(_TUNE.findall(text))) > 1:
        raise InputError(f"holds {count} tunes: give each a file of its own")
    if _TIED_CHORD.search(text):
        raise InputError("ties a chord, which music21 loses in ABC: save it as MusicXML")
    named = [
        " ".join(key_text.split()) for key_text in _KEY_LINE.findall(text) + _INLINE.findall(text)
    ]
    if len({_tonic_and_mode(name) for name in named}) > 1:
        raise InputError(said("notated-keys", first=named[0], second=named[1]))
    if named and _OWN.search(named[0]):
        raise InputError(f"the key {named[0]!r} has accidentals of its own: save it as MusicXML")
    if _RULE in text:
        return [f"%abc-2.1\n{text}"]
    ways = ("octave", "pitch") if _ALTERED.search(text) else ("octave",)
    return [f"%abc-2.1\n%%{_RULE} {way}\n{text}" for way in ways]


def _tonic_and_mode(name: str) -> tuple[str, ...]:
    """Reduce a key to tonic and mode, so that ``A minor clef=bass`` and ``Am`` are equal."""
    match = _TONIC.match(name)
    if match is None:
        return (name,)
    mode = match[2].lower()
    return match[1], {"": "maj", "cle": "maj", "m": "min"}.get(mode, mode)
