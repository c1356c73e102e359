"""Stages: each a folder with what it kept, what fell and why, and a funnel of numbers.

``STAGE/stage.json`` holds the funnel and the stage's key: a hash of its settings and of what went
in. Where the key is the same, the stage is done. It is written last, so that a stage that was
killed is done again, and gives the same: nothing in it depends on the time or on the order of
replies.

What goes through them are tracks with their captions, and questions about them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from zhiyin import files
from zhiyin.errors import reworded
from zhiyin.files import NOT_JSON, read_regular, write_atomically

KINDS = ("incorrect but related", "correct but unrelated", "incorrect and unrelated")
"""The three kinds of wrong answer: does it fit the recording, does it suit the question?"""


class ForgeTrack(msgspec.Struct, frozen=True, omit_defaults=True):
    """A recording and what people wrote of it.

    Attributes
    ----------
    id : str
    captions : tuple of str
    recording : str
        Path of its file; "" where it has none.
    title, artist : str
        Never shown: questions that hold them fall.
    style : str
        Its genre; "" where it is not stated.
    labels : tuple of str
        Further words about it.
    quality, licence, dataset : str
        As the source has it; "" where it says nothing.
    outside : str
        Why the source itself leaves it out; "" for what belongs to it.
    """

    id: str
    captions: tuple[str, ...]
    recording: str = ""
    title: str = ""
    artist: str = ""
    style: str = ""
    labels: tuple[str, ...] = ()
    quality: str = ""
    licence: str = ""
    dataset: str = ""
    outside: str = ""


class Distractor(msgspec.Struct, frozen=True, omit_defaults=True):
    """A wrong answer: which of `KINDS`, its text, and why it is wrong."""

    text: str
    kind: str = ""
    why: str = ""


class ForgeItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question about a track.

    Attributes
    ----------
    id, track : str
    question, answer : str
    distractors : tuple of Distractor
    evidence : str
        The words of a caption that the answer rests on.
    summary : str
        What the writer took from the captions.
    index : dict of str to float
        Perceptual index by text model: 1 minus its probability of the right answer, unheard.
    annotations : int
        How many people judged it.
    categories : tuple of str
        Such as "CATEGORY/DIMENSION"; of several, the first counts it first.
    explanation : str
        Why these categories.
    """

    id: str
    track: str
    question: str
    answer: str
    distractors: tuple[Distractor, ...]
    evidence: str = ""
    summary: str = ""
    index: dict[str, float] = {}
    annotations: int = 0
    categories: tuple[str, ...] = ()
    explanation: str = ""

    @property
    def options(self) -> tuple[str, ...]:
        """The texts of all options, the right one first."""
        return (self.answer, *(one.text for one in self.distractors))


def chance_of(*words: object) -> float:
    """A number in [0, 1) that depends on the words alone: a draw that is the same everywhere."""
    digest = hashlib.blake2b("\0".join(map(str, words)).encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64


KEPT, FELL, STAGE = "kept.jsonl", "fell.jsonl", "stage.json"
SHOWN = 3
"""Examples of each reason in a funnel; ``fell.jsonl`` holds all."""
VERSION = 1
T = TypeVar("T", bound=msgspec.Struct)


class Fallen(msgspec.Struct, frozen=True):
    """An item that was dropped: its id, why (a word), and what of it shows that (a line)."""

    id: str
    why: str
    detail: str


class Funnel(msgspec.Struct, frozen=True):
    """Counts of a stage: how many went in, how many fell, why, with examples.

    Attributes
    ----------
    stage, unit : str
        "write", "tracks".
    went_in, kept : int
    fell : dict of str to int
        By reason; `went_in` is `kept` and all of these.
    examples : dict of str to list of str
        At most `SHOWN` of each reason.
    notes : list of str
        Further remarks, a line each.
    """

    stage: str
    unit: str
    went_in: int
    kept: int
    fell: dict[str, int] = {}
    examples: dict[str, list[str]] = {}
    notes: list[str] = []


class Done(msgspec.Struct, frozen=True):
    """A stage as it was left: its key, its funnels, and whether calls failed in it."""

    key: str
    funnels: list[Funnel]
    failed: bool = False


def funnel(
    stage: str, unit: str, kept: int, fallen: Sequence[Fallen], notes: Iterable[str] = ()
) -> Funnel:
    """The funnel of what was kept and what fell."""
    counts: dict[str, int] = {}
    examples: dict[str, list[str]] = {}
    for one in fallen:
        counts[one.why] = counts.get(one.why, 0) + 1
        shown = examples.setdefault(one.why, [])
        if len(shown) < SHOWN:
            shown.append(f"{one.id}: {one.detail}")
    ordered = dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
    return Funnel(stage, unit, kept + len(fallen), kept, ordered, examples, list(notes))


def key_of(*parts: Any) -> str:
    """A hash of whatever a stage depends on."""
    what = msgspec.json.encode([VERSION, *parts], order="sorted")
    return hashlib.sha256(what).hexdigest()


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def lines_of(items: Iterable[msgspec.Struct]) -> bytes:
    """Structs as JSON lines, the same bytes for the same structs."""
    return files.json_lines(items, "deterministic")


def read_lines(path: Path, kind: type[T]) -> list[T]:
    """The structs of a file of JSON lines. Raises `InputError`, with the number of a line."""
    what = kind.__name__.removeprefix("Forge").lower()
    lines = files.read_lines(path, kind, f"no {what} ({{}}); see docs/how-to/forge.md")
    return [one for _, one in lines]


def done(folder: Path, key: str) -> Done | None:
    """The stage in `folder`, if its key is the same and no call failed; None otherwise."""
    try:
        finished = msgspec.json.decode(read_regular(folder / STAGE), type=Done)
    except (OSError, *NOT_JSON):
        return None
    if finished.key != key or finished.failed or not (folder / KEPT).is_file():
        return None
    return finished


def finish(
    folder: Path,
    key: str,
    kept: Sequence[msgspec.Struct],
    fallen: Sequence[Fallen],
    funnels: list[Funnel],
    *,
    failed: bool = False,
) -> Done:
    """Write a stage; its `STAGE` file last."""
    with reworded(f"{folder}: cannot be written (", "): give another --out"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / STAGE).unlink(missing_ok=True)
        write_atomically(folder / KEPT, lines_of(kept))
        write_atomically(folder / FELL, lines_of(fallen))
        finished = Done(key, funnels, failed)
        content = msgspec.json.format(msgspec.json.encode(finished), indent=1)
        write_atomically(folder / STAGE, content + b"\n")
    return finished


Checked = Callable[[T], Fallen | None]


def sieve(items: Iterable[T], checks: Sequence[Checked[T]]) -> tuple[list[T], list[Fallen]]:
    """Split items into those that pass every check, and the first failure of each other."""
    kept, fallen = [], []
    for item in items:
        fault = next((failure for check in checks if (failure := check(item))), None)
        if fault is None:
            kept.append(item)
        else:
            fallen.append(fault)
    return kept, fallen
