"""Engraved notation: finds ABC and MIDI in a trial's words and has them drawn as SVG."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import queue
import re
import select
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec

from zhiyin.errors import InputError, adding
from zhiyin.files import write_atomically
from zhiyin.parsing import read_json_text
from zhiyin.plugins.music.engraver import PATIENCE_S
from zhiyin.plugins.music.midi import Note
from zhiyin.plugins.music.miditext import parse_midi_text
from zhiyin.report.media import Engravings, Progress, silent
from zhiyin.trial import Text, Trial
from zhiyin.words import Said, said

_WORKERS = min(4, os.cpu_count() or 1)
_TOLD_EVERY_S = 0.2
_LONGEST = 20_000
"""Characters of the longest tune that is engraved."""

_TUNE = re.compile(r"^X:[^\n]*\n(?:[^\n]+\n?)+", re.MULTILINE)
_HEADER = re.compile(r"^[LMK]:[^\n]*$", re.MULTILINE)
_MIDI = re.compile(r"(?:Identifier: `([^`\n]{1,40})`\s*+)?(BEGIN MIDI\n)")
_MIDI_END = "\nEND MIDI"
_NOTES = re.compile(rb'^<svg data-notes="([^"]*)"')
_NOTED = re.compile(rb'^<svg data-notes="[^"]*" ')
_HEAD = 60_000
_BARS = re.compile(r"[^A-Ga-gz]*+[A-Ga-gz][^|]*+\|")


class Tune(msgspec.Struct, frozen=True):
    """Something to engrave: where it stands in the trial, its format, its text."""

    label: str
    format: str
    text: str

    @property
    def id(self) -> str:
        """A name made of the contents alone."""
        return hashlib.sha256(f"{self.format}\0{self.text}".encode()).hexdigest()[:32]


def find_tunes(trial: Trial) -> list[Tune]:
    """The tunes in what a trial asks: ABC with its continuations, MIDI in the prompt."""
    tunes = []
    parts = trial.messages[-1].parts if trial.messages else ()
    words = "\n".join([part.text for part in parts if isinstance(part, Text)])
    asked = trial.stem if "X:" in trial.stem else words
    if "X:" in asked and (tune := _TUNE.search(asked[:_LONGEST])):
        tunes.append(Tune("tune", "abc", tune[0]))
        header = "\n".join(("X:1", *_HEADER.findall(tune[0])))
        for option in trial.options:
            if len(option.text) < _LONGEST and _BARS.match(option.text):
                tunes.append(Tune(option.letter, "abc", f"{header}\n{option.text}\n"))
    for number, (label, block) in enumerate(_midi_blocks(words[: 10 * _LONGEST]), 1):
        with contextlib.suppress(InputError):
            tunes.append(Tune(label or f"MIDI {number}", "mei", write_mei(block)))
    return tunes


def without_midi(words: str) -> str:
    """Words without the blocks of MIDI text in them, and without these blocks' identifiers."""
    kept, place = [], 0
    while (begun := _MIDI.search(words, place)) is not None:
        end = words.find(_MIDI_END, begun.end())
        if end < 0:
            break
        kept.append(words[place : begun.start()])
        place = end + len(_MIDI_END)
    return "".join([*kept, words[place:]]).strip()


def _midi_blocks(words: str) -> Iterator[tuple[str | None, str]]:
    """Each block of MIDI text, with the identifier that stands before it, if any."""
    if _MIDI_END not in words:
        return
    place = 0
    while (begun := _MIDI.search(words, place)) is not None:
        end = words.find(_MIDI_END, begun.end())
        if end < 0:
            return
        place = end + len(_MIDI_END)
        yield begun[1], words[begun.start(2) : place]


class Library(Engravings):
    """Tunes named, and their engravings, kept in a cache between reports.

    Parameters
    ----------
    cache : Path
        Folder of the engravings, by tune and version of Verovio. An empty file stands for a
        tune that Verovio cannot read.
    wanted : bool
        Whether tunes are engraved at all.
    progress : callable
        Is told how far `finish` has come.
    """

    def __init__(self, cache: Path, *, wanted: bool = True, progress: Progress = silent) -> None:
        self.wanted, self._progress = wanted, progress
        self.available = importlib.util.find_spec("verovio") is not None
        label = version("verovio") if self.available else "none"
        self._cache = cache / f"verovio-{label}-slim"
        self.tunes: dict[str, Tune] = {}
        self._waiting: queue.SimpleQueue[Tune | None] = queue.SimpleQueue()
        self._workers: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._done = 0
        self._uncached: dict[str, bytes] = {}

    def want(self, tune: Tune) -> str:
        """Name a tune, to be engraved. Returns its id."""
        name = tune.id
        if name not in self.tunes:
            self.tunes[name] = tune
            if self._workers:
                self._waiting.put(tune)
        return name

    def named(self, trial: Trial) -> list[tuple[str, str]]:
        return [(tune.label, self.want(tune)) for tune in find_tunes(trial)]

    def start(self) -> None:
        """Engrave in the background all that is named from now on."""
        if not self.available or not self.wanted:
            return
        self._workers = [threading.Thread(target=self._work) for _ in range(_WORKERS)]
        for worker in self._workers:
            worker.start()

    def finish(self) -> None:
        """Wait until every tune that was named is engraved."""
        for _ in self._workers:
            self._waiting.put(None)
        for worker in self._workers:
            while worker.is_alive():
                worker.join(_TOLD_EVERY_S)
                self._progress(self._done, len(self.tunes))
        self._workers = []

    def stop(self) -> None:
        """Leave what is not engraved yet: the report has failed elsewhere."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._waiting.get_nowait()
        self.finish()

    def _work(self) -> None:
        press = Press()
        try:
            while (tune := self._waiting.get()) is not None:
                self._engrave(tune, press)
                with self._lock:
                    self._done += 1
        finally:
            press.close()

    def engraving(self, name: str) -> bytes | None:
        """The SVG of a tune that was wanted, engraved now if need be; None where it cannot be.

        Raises
        ------
        InputError
            When nobody has wanted such a tune.
        """
        tune = self.tunes.get(name)
        if tune is None:
            raise InputError(f"{name!r} is no tune of these runs: take one that a trial names")
        path = self._path(name)
        if not path.is_file() and self.available:
            with self._lock:
                press = Press()
                try:
                    self._engrave(tune, press)
                finally:
                    press.close()
        return self.kept(name) or None

    def kept(self, name: str) -> bytes | None:
        """The SVG of a tune; b"" where Verovio cannot read it, None where it is not engraved."""
        if not self.wanted:
            return None
        path = self._path(name)
        return path.read_bytes() if path.is_file() else self._uncached.get(name)

    def drawn(self) -> Iterator[tuple[str, bytes, str]]:
        """Yield each engraved tune's name, its picture, and what sounds in it; see `notes_of`."""
        for name in self.tunes:
            if svg := self.kept(name):
                yield name, _NOTED.sub(b"<svg ", svg), notes_of(svg)

    def told(self, drawn: int) -> list[Said]:
        """Say which tunes are not engraved."""
        if self.wanted and self.tunes and not self.available:
            return [said("without-notation", add=adding("notation"))]
        if self.wanted and (unread := len(self.tunes) - drawn):
            return [said("without-tunes", n=unread)]
        return []

    def _engrave(self, tune: Tune, press: Press) -> None:
        path = self._path(tune.id)
        if path.is_file():
            return
        svg = slim(press.engrave(tune) or "").encode()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, svg)
        except OSError:  # a cache that is full, or that others may write
            self._uncached[tune.id] = svg

    def _path(self, name: str) -> Path:
        return self._cache / f"{name}.svg"


def notes_of(svg: bytes) -> str:
    """The notes that an engraving carries: "onset,length,pitch;…", in ms and MIDI numbers."""
    match = _NOTES.search(svg[:_HEAD])
    return match[1].decode() if match else ""


_GAPS = re.compile(r">\s+<")
_NAMED = re.compile(r'<g id="(?![0-9A-F]{4}-)[^"]*"')
"""Groups but those of the signs, which are drawn by their name."""


def slim(svg: str) -> str:
    """An engraving as it is kept: without blanks and names that nothing refers to."""
    return _NAMED.sub("<g", _GAPS.sub("><", svg))


class Press:
    """One engraving process (`zhiyin.plugins.music.engraver`), started anew when it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def engrave(self, tune: Tune) -> str | None:
        """The SVG of a tune; None where Verovio cannot read it, dies of it or takes too long.

        Where it died, another one tries once more: the first may have been killed by somebody.
        """
        for _ in range(2):
            with contextlib.suppress(OSError, ValueError):
                svg = read_json_text(self._ask(tune))
                return svg if isinstance(svg, str) else None
            self.close()
        return None

    def _ask(self, tune: Tune) -> bytes:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "zhiyin.plugins.music.engraver"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C is meant for the report, and ends it in order
            )
        order = json.dumps({"format": tune.format, "text": tune.text}).encode() + b"\n"
        return self._talk(self._process, order)

    def _talk(self, process: subprocess.Popen[bytes], order: bytes) -> bytes:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(order)
        process.stdin.flush()
        pieces: list[bytes] = []
        until = time.monotonic() + PATIENCE_S + 5
        while not pieces or not pieces[-1].endswith(b"\n"):
            ready, _, _ = select.select(
                [process.stdout], [], [], max(0.0, until - time.monotonic())
            )
            piece = os.read(process.stdout.fileno(), 1 << 20) if ready else b""
            if not piece:
                raise OSError("the engraver died, or takes too long")
            pieces.append(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


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
    """Tell whether flats spell the intervals above the lowest note better than sharps do."""
    if not notes:
        return False
    pitches = {note.pitch for note in notes}
    root = min(pitches)
    sharps, flats = (_well_spelled(root, pitches, names) for names in (_SHARP, _FLAT))
    return flats > sharps or (flats == sharps and root % 12 in (3, 5, 8, 10))


def _well_spelled(root: int, pitches: set[int], names: Sequence[str]) -> int:
    """Count the thirds, fifths and sevenths above the root that are written as such."""
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
