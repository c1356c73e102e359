"""Fresh pictures by seed, engraved and kept in the cache; and a set in the published layout."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from zhiyin import __version__
from zhiyin.errors import InputError, reworded
from zhiyin.files import cache_folder, made_once, write_atomically
from zhiyin.plugins.composed.scores.data import MANIFEST
from zhiyin.plugins.composed.scores.music import (
    BOTTOM,
    KNOBS,
    Level,
    PictureKnobs,
    Pitch,
    Staff,
    StaffSignature,
    compose,
    places,
    put,
)
from zhiyin.plugins.composed.scores.musicxml import write_xml
from zhiyin.plugins.composed.scores.questions import MAKERS, StaffQuestion, Task
from zhiyin.plugins.music.engraved import PictureLayout, label, picture
from zhiyin.plugins.music.stimuli.dice import Dice, balanced
from zhiyin.plugins.music.stimuli.item import read_truth, save_truth
from zhiyin.plugins.music.theory import alteration, spell
from zhiyin.text import quoted

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
    raise InputError(
        f"no question of the task {task} can be made with these flags: leave the task out of "
        "--task, or allow more (clefs, keys, accidentals, ledger lines, rests, chords, dynamics)"
    )


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
        raise InputError("give --out, the folder to make")
    families, seed = int(options.get("n") or 6), int(options.get("seed") or 0)
    folder = Path(str(options["out"])) / SPLIT
    if (folder / MANIFEST).exists():
        raise InputError(f"{folder}: holds a set already; give another --out")
    with reworded(f"{folder}: cannot be written (", ")"):
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
