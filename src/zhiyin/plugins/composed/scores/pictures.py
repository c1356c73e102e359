"""Fresh pictures by seed, engraved and kept in the cache; and a set in the published layout.

A piece as MusicXML 4.0, with the accidentals and beams that are drawn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Tree

import msgspec

from zhiyin import __version__
from zhiyin.errors import InputError, reworded
from zhiyin.files import cache_folder, write_atomically
from zhiyin.plugins.composed.scores.data import MANIFEST
from zhiyin.plugins.composed.scores.music import (
    BOTTOM,
    KNOBS,
    Clef,
    Level,
    PictureKnobs,
    Pitch,
    Staff,
    StaffBar,
    StaffEvent,
    StaffSignature,
    compose,
    is_compound,
    onsets,
    places,
    put,
    sixteenths,
)
from zhiyin.plugins.composed.scores.questions import MAKERS, StaffQuestion, Task
from zhiyin.plugins.music.engraved import PictureLayout, label, picture
from zhiyin.plugins.music.made_files import made_once
from zhiyin.plugins.music.stimuli import Dice, balanced, read_truth, save_truth
from zhiyin.plugins.music.theory import alteration, spell
from zhiyin.text import quoted
from zhiyin.words import said

LAYOUT = PictureLayout(
    {"pageWidth": 2000, "scale": 100, "staffLineWidth": 0.22, "svgViewBox": False},
    zoom=2 / 3,
    words=False,
    extra="scores",
)
"""A space of the staff is 12 pixels high: a whole number, so that all lines are equally dark.

Without words no number of a bar is drawn, and a picture needs no font, so that it is the same on
every machine.
"""


# From a task, a number and a seed to pictures with what is asked of them, kept in the cache.

_MOST_DRAWS = 3000
"""Draws until a question is given up: which needs knobs that leave almost nothing to be asked."""


class FreshPicture(msgspec.Struct, frozen=True):
    """One item: its id, its picture, the music as MusicXML, and the question.

    The options stand in the order in which they are shown; the question's piece is left out.
    """

    id: str
    picture: str
    xml: str
    answer: str
    options: tuple[str, ...] = ()
    mistakes: dict[str, str] = {}
    bar: int = 0
    number: int = 0
    voice: int = 0


def question(task: Task, knobs: PictureKnobs, number: int, seed: int) -> StaffQuestion:
    """The question of a number: it depends on nothing but task, knobs, number and seed.

    Raises
    ------
    InputError
        The knobs leave nothing to be asked.
    """
    knobs_text = msgspec.json.encode(knobs).decode()
    for attempt in range(_MOST_DRAWS):
        drawn = MAKERS[task](knobs, Dice(seed, "scores", task, knobs_text, number, attempt))
        if drawn is not None:
            return drawn
    raise InputError(said("scores-no-task", task=task))


def items(
    task: Task, level: Level, knobs: PictureKnobs, n: int, seed: int, folder: Path
) -> list[FreshPicture]:
    """The items of a task, their pictures in a folder, and its truth file, written last."""
    words = (seed, "scores", task, level)
    seats = islice(balanced(range(4), *words, "seats"), n)
    made = []
    for number, seat in enumerate(seats, 1):
        asked = question(task, knobs, number, seed)
        rest = Dice(*words, number, "order").shuffled(
            [option for option in asked.options if option != asked.answer]
        )
        options = (*rest[:seat], asked.answer, *rest[seat:]) if asked.options else ()
        xml = write_xml(asked.piece)
        data = picture(xml, LAYOUT)
        # Named after its contents: a name says nothing of the answer.
        name = f"{hashlib.sha256(data).hexdigest()[:16]}.png"
        (folder / name).write_bytes(data)
        made.append(
            FreshPicture(
                f"{task}-{level}-{number:03d}-{seed}", name, xml, asked.answer, options,
                asked.mistakes, asked.bar, asked.number, asked.voice,
            )
        )  # fmt: skip
    save_truth(folder, made)
    return made


def cached(
    task: Task, level: Level, knobs: PictureKnobs, n: int, seed: int
) -> tuple[Path, list[FreshPicture]]:
    """The cache's folder of some items, and them."""
    words = [task, level, str(n), str(seed), label(LAYOUT), __version__]
    words.append(msgspec.json.encode(knobs).decode())
    name = hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]
    folder = cache_folder("stimuli") / f"pictures-{name}"

    def make(new: Path) -> None:
        new.mkdir()
        items(task, level, knobs, n, seed, new)

    return folder, made_once(folder, read, make)


def read(folder: Path) -> list[FreshPicture] | None:
    """The items of a folder; None where it is not whole."""
    return read_truth(folder, FreshPicture, lambda item: [item.picture])


# A small set of our own in the published layout: pairs of pictures that differ in one note.

SPLIT = "made"
_KNOBS = msgspec.structs.replace(
    KNOBS["default"], clefs=("treble", "bass"), rests=0.0, chords=0.0,
    metres=((2, 4), (3, 4), (4, 4)), keys=2,
)  # fmt: skip


def make_set(options: Mapping[str, Any]) -> str:
    """Write the folder ``made`` with manifest and pictures; says what was made.

    Raises
    ------
    InputError
        No folder is named, it holds a set already, or it cannot be written.
    """
    if not options.get("out"):
        raise InputError(said("scores-out"))
    families, seed = int(options.get("n") or 6), int(options.get("seed") or 0)
    folder = Path(str(options["out"])) / SPLIT
    if (folder / MANIFEST).exists():
        raise InputError(said("scores-set-there", folder=folder))
    with reworded(said("error-unwritten", path=folder, why="")):
        (folder / "images").mkdir(parents=True, exist_ok=True)
        lines: list[bytes] = []
        for family in range(families):
            for role, piece, bar in _pair(seed, family):
                entry = _entry(len(lines), family, role, piece, bar)
                (folder / entry.image_path).write_bytes(picture(write_xml(piece), LAYOUT))
                lines.append(msgspec.json.encode(entry) + b"\n")
        write_atomically(folder / MANIFEST, b"".join(lines))
    ask = f"`zhiyin run scores --data {quoted(folder.parent)} -m MODEL` examines a model"
    return f"{len(lines)} pictures in {families} families in {folder}: {ask}"


def _pair(seed: int, family: int) -> list[tuple[str, Staff, int]]:
    """A piece, and the same with one note of one bar moved or altered."""
    dice = Dice(seed, "scores", SPLIT, family)
    fifths = dice.whole(-_KNOBS.keys, _KNOBS.keys)
    piece = compose(
        _KNOBS, StaffSignature(dice.choice(_KNOBS.clefs), fifths, dice.choice(_KNOBS.metres)), dice
    )
    place = dice.choice(places(piece))
    old = piece.bars[place.bar].voices[0][place.event].pitches[0]
    step = 1 if old.place < BOTTOM[piece.clef] + 4 else -1
    moved = Pitch(old.place + step)
    new = Pitch(moved.place, alteration(moved.letter, fifths))
    return [("base", piece, place.bar), ("contrast", put(piece, place, (new,)), place.bar)]


class MadeMetadata(msgspec.Struct):
    """The description of the music in a line of the manifest."""

    clef: str
    key_signature: str
    time_signature: str
    measure_note_sequences: list[list[str]]
    accidental_count: int
    family_id: str
    family_role: str


class MadeExample(msgspec.Struct):
    """A line of the manifest, in the published form."""

    id: str
    split: str
    image_path: str
    question: str
    target_measure: int
    answer_notes: list[str]
    metadata: MadeMetadata


def _entry(number: int, family: int, role: str, piece: Staff, bar: int) -> MadeExample:
    bars = [[e.pitches[0] for e in each.voices[0]] for each in piece.bars]
    name = f"{SPLIT}-{number:04d}"
    return MadeExample(
        id=name,
        split=SPLIT,
        image_path=f"images/{name}.png",
        question=f"Which notes has bar {bar + 1}? Reply with JSON: a list named notes.",
        target_measure=bar + 1,
        answer_notes=[pitch.name for pitch in bars[bar]],
        metadata=MadeMetadata(
            clef=piece.clef,
            key_signature=f"{spell(piece.fifths).lower()}_major",
            time_signature=f"{piece.metre[0]}/{piece.metre[1]}",
            measure_note_sequences=[[pitch.name for pitch in each] for each in bars],
            accidental_count=sum(not pitch.in_key(piece.fifths) for pitch in bars[bar]),
            family_id=f"{SPLIT}-family-{family}",
            family_role=role,
        ),
    )


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
        _add(note, "duration", text=str(sixteenths(event.value) * _DIVISIONS // 4))
        _add(note, "voice", text=str(voice + 1))
        _add(note, "type", text=_TYPES[event.value.part])
        if event.value.dotted:
            _add(note, "dot")
        if pitch is not None and signs[number]:
            _add(note, "accidental", text=_ACCIDENTALS[pitch.alter])
        if several and pitch is not None and event.value.part > 1:
            _add(note, "stem", text="down" if voice else "up")
        if not number:
            for level, beam in enumerate(beams, 1):
                _add(note, "beam", text=beam, number=str(level))


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
