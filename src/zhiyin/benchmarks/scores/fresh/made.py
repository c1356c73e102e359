"""From a task, a number and a seed to pictures with what is asked of them, kept in the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import msgspec

from zhiyin import __version__
from zhiyin.benchmarks.scores.fresh import others, pitches
from zhiyin.benchmarks.scores.fresh.asked import Question, Task
from zhiyin.benchmarks.scores.fresh.knobs import Knobs, Level
from zhiyin.benchmarks.scores.fresh.layout import LAYOUT
from zhiyin.benchmarks.scores.fresh.xml import write_xml
from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, cache_folder, made_once, write_atomically
from zhiyin.music.engraved import label, picture
from zhiyin.music.stimuli.dice import Dice, balanced

TRUTH = "truth.jsonl"
_MOST_DRAWS = 3000
"""Draws until a question is given up: which needs knobs that leave almost nothing to be asked."""
MAKERS: dict[Task, Callable[[Knobs, Dice], Question | None]] = {
    "note": pitches.name_note,
    "highest": pitches.highest_note,
    "interval": pitches.name_interval,
    "triad": pitches.name_chord,
    "signature": others.name_signature,
    "meter": others.name_meter,
    "value": others.name_value,
    "marking": others.name_marking,
    "transcribe": others.transcribe,
    "notes": others.count_notes,
    "silences": others.count_silences,
}


class Made(msgspec.Struct, frozen=True):
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


def question(task: Task, knobs: Knobs, number: int, seed: int) -> Question:
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


def items(task: Task, level: Level, knobs: Knobs, n: int, seed: int, folder: Path) -> list[Made]:
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
            Made(
                f"{task}-{level}-{number:03d}-{seed}", name, xml, asked.answer, options,
                asked.mistakes, asked.bar, asked.number, asked.voice,
            )
        )  # fmt: skip
    lines = [msgspec.json.encode(item, order="deterministic") + b"\n" for item in made]
    write_atomically(folder / TRUTH, b"".join(lines), synced=True)
    return made


def cached(task: Task, level: Level, knobs: Knobs, n: int, seed: int) -> tuple[Path, list[Made]]:
    """The cache's folder of some items, and them."""
    words = [task, level, str(n), str(seed), label(LAYOUT), __version__]
    words.append(msgspec.json.encode(knobs).decode())
    name = hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]
    folder = cache_folder("stimuli") / f"pictures-{name}"

    def make(new: Path) -> None:
        new.mkdir()
        items(task, level, knobs, n, seed, new)

    return folder, made_once(folder, read, make)


def read(folder: Path) -> list[Made] | None:
    """The items of a folder; None where it is not whole."""
    try:
        lines = (folder / TRUTH).read_bytes().splitlines()
        made = [msgspec.json.decode(line, type=Made) for line in lines]
    except (OSError, *NOT_JSON):
        return None
    whole = all((folder / item.picture).is_file() for item in made)
    return made if made and whole else None
