"""Fresh, seeded items: sound, MIDI and the truth about them; `folder` writes and checks them.

Stimuli: the item as it is written down, its difficulty, and the truth file.

What makes listening harder, reverberation and noise, is seeded.

Seeded chance: a stream for every purpose, and orders whose every beginning is balanced.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import msgspec
import numpy as np

from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import json_lines, read_bytes, read_lines, write_atomically
from zhiyin.parsing import read_beside
from zhiyin.plugins.music.midi import Score
from zhiyin.plugins.music.render import RATE
from zhiyin.plugins.music.theory import QUALITIES
from zhiyin.words import said

if TYPE_CHECKING:
    from numpy.typing import NDArray


Task = Literal["syncopation", "transposition", "chords"]
TASKS: tuple[Task, ...] = get_args(Task)
TRUTH = "truth.jsonl"

INSTRUMENTS = read_beside(__file__, "instruments.toml", dict[str, int])
"""Instruments by the name in truth files and flags, with their General MIDI programs."""

QUALITY_LETTERS: dict[str, str] = dict(zip(QUALITIES, "ABCDEFGHI", strict=True))
"""The answer to a chord item: A to D as in the paper, E to I for the qualities beyond it."""


_OF_TASKS: dict[str, tuple[Task, ...]] = {
    "inversions": ("chords",),
    "qualities": ("chords",),
    "instruments": ("transposition", "chords"),
    "altered": ("transposition",),
}
"""The tasks that a setting of `Difficulty` belongs to; those not named belong to all."""


class Difficulty(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings that make items harder, or other, than the paper's. Every default is the paper's.

    Attributes
    ----------
    inversions : bool
        Chords in any inversion rather than in root position.
    qualities : tuple of str
        Chord qualities to ask for, out of `theory.QUALITIES`.
    instruments : tuple of str
        Names in `INSTRUMENTS`; empty for the task's own (a piano for chords; piano and nylon,
        steel and electric guitar for transposition). Syncopation has kits, and takes none.
    tempo : tuple of int or None
        Slowest and fastest quarter notes a minute, 40 to 240; None for the task's own.
    altered : bool
        Transposition: half of the pairs that are not the same melody are transpositions with
        one note changed by one to three semitones.
    noise_db : float or None
        Signal-to-noise ratio of added white noise, -20 to 80 dB; None for no noise.
    reverb_s : float or None
        Reverberation time (RT60), above 0 to 10 s; None for a dry sound.
    """

    inversions: bool = False
    qualities: tuple[str, ...] = ("major", "minor", "dominant", "diminished")
    instruments: tuple[str, ...] = ()
    tempo: tuple[int, int] | None = None
    altered: bool = False
    noise_db: float | None = None
    reverb_s: float | None = None

    def check(self, task: Task) -> None:
        """Raise `InputError` for the first setting that makes no sense, or not for this task."""
        for field, tasks in _OF_TASKS.items():
            if task not in tasks and getattr(self, field) != getattr(_PAPER, field):
                raise InputError(said("stimuli-field", field=field, tasks=tasks, task=task))
        for field, known in (("qualities", QUALITIES), ("instruments", INSTRUMENTS)):
            names = getattr(self, field)
            for name in names:
                if name not in known:
                    raise InputError(f"{field}: unknown {name!r}: {did_you_mean(name, known)}")
            if len(set(names)) < len(names):
                raise InputError(said("stimuli-twice", field=field, names=", ".join(names)))
        if not self.qualities:
            raise InputError(said("stimuli-qualities"))
        if self.tempo and not 40 <= self.tempo[0] <= self.tempo[1] <= 240:
            raise InputError(said("stimuli-tempo", tempo=self.tempo))
        if self.noise_db is not None and not -20 <= self.noise_db <= 80:
            raise InputError(said("stimuli-noise", noisedb=self.noise_db))
        if self.reverb_s is not None and not 0 < self.reverb_s <= 10:
            raise InputError(said("stimuli-reverb", reverbs=self.reverb_s))


_PAPER = Difficulty()


class Item(msgspec.Struct, frozen=True):
    """One stimulus, a line of the truth file.

    Attributes
    ----------
    id : str
        Neutral: task and number, for example "chords-0007".
    task : str
        "syncopation", "transposition" or "chords".
    sounds, scores : tuple of str
        WAV and MIDI file names in the folder, in order of hearing; two for transposition.
    answer : str
        "A" to "E" for syncopation, "Yes" or "No" for transposition, "A" to "D" for chords
        ("E" to "I" for the qualities beyond the paper).
    truth : dict
        What was made (see docs/stimuli.md); ``files`` maps every file to its SHA-256.
    renderer : str
        What made the sound.
    """

    id: str
    task: Task
    sounds: tuple[str, ...]
    scores: tuple[str, ...]
    answer: str
    truth: dict[str, Any]
    renderer: str


class StimulusPlan(msgspec.Struct, frozen=True):
    """An item before it is rendered: what is to be played, and the truth about it."""

    scores: tuple[Score, ...]
    seconds: tuple[float, ...]
    answer: str
    truth: dict[str, Any]


def load(folder: str | Path) -> list[Item]:
    """Read the items of a folder made by `make`.

    Raises
    ------
    InputError
        No truth file (making was interrupted, or this is another folder), a line of it that
        cannot be read, an id that occurs twice, or a file that it names and that is missing.
    """
    folder = Path(folder)
    path = folder / TRUTH
    data = read_bytes(path, said("stimuli-interrupted"))
    lines = read_lines(path, Item, said("stimuli-anew", why=""), data)
    items = [item for _, item in lines]
    if not items:
        raise InputError(said("stimuli-empty", path=path))
    if len({item.id for item in items}) < len(items):
        raise InputError(said("stimuli-item-twice", path=path))
    present = {entry.name for entry in folder.iterdir()}
    for item in items:
        for name in (*item.sounds, *item.scores):
            if name not in present:
                raise InputError(said("stimuli-missing", path=path, id=item.id, name=name))
    return items


def save_truth(folder: Path, items: Sequence[msgspec.Struct]) -> None:
    """Write the truth file in one step, so that it is whole or absent."""
    write_atomically(folder / TRUTH, json_lines(items, "deterministic"), synced=True)


def read_truth(folder: Path, kind: type[T], files: Callable[[T], Iterable[str]]) -> list[T] | None:
    """The items of a folder of the cache; None where it is not whole, `files` of each included."""
    try:
        items = [item for _, item in read_lines(folder / TRUTH, kind)]
    except InputError:
        return None
    whole = all((folder / name).is_file() for item in items for name in files(item))
    return items if items and whole else None


_WET_DB = -8.0
"""Energy of the reverberant sound against the direct one."""


def apply_effects(
    samples: NDArray[np.float32], difficulty: Difficulty, *words: str | int
) -> NDArray[np.float32]:
    """Reverberate, then add noise, as the difficulty says; unchanged by default.

    Parameters
    ----------
    samples : ndarray of float32, shape (n,)
        At `RATE`.
    difficulty : Difficulty
        Its `reverb_s` and `noise_db` are used.
    *words : str or int
        What the room and the noise are seeded from.

    Returns
    -------
    ndarray of float32, shape (n,)
    """
    if difficulty.reverb_s is not None:
        samples = _reverberated(samples, difficulty.reverb_s, _noise_source("room", *words))
    if difficulty.noise_db is not None:
        power = float(np.mean(np.square(samples, dtype=np.float64)))
        level = np.sqrt(power / 10 ** (difficulty.noise_db / 10))
        noise = _noise_source("noise", *words).standard_normal(len(samples), dtype=np.float32)
        samples = samples + np.float32(level) * noise
    return samples


def _noise_source(*words: str | int) -> np.random.Generator:
    digest = hashlib.sha256("\x1f".join(map(str, words)).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))


def _reverberated(
    samples: NDArray[np.float32], rt60_s: float, source: np.random.Generator
) -> NDArray[np.float32]:
    """Convolve with exponentially decaying noise (Moorer, Computer Music Journal 3(2), 1979)."""
    count = round(rt60_s * RATE)
    tail = source.standard_normal(count) * 10 ** (-3 * np.arange(count) / count)
    tail *= np.sqrt(10 ** (_WET_DB / 10) / np.sum(tail**2))
    gap = round(0.015 * RATE)  # the first reflection comes 15 ms after the direct sound
    room = np.concatenate([[1.0], np.zeros(gap), tail])
    size = 1 << (len(samples) + len(room) - 2).bit_length()
    wet = np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(room, size), size)
    return wet[: len(samples)].astype(np.float32)


T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")

_RESERVED_SHARE = 8


class Dice:
    """A random stream that depends only on the words it is made from.

    Built on `random.Random.random` alone, the one method whose sequence Python promises to
    keep from version to version.
    """

    def __init__(self, *words: str | int) -> None:
        text = "\x1f".join(map(str, words)).encode()
        self._random = random.Random(int.from_bytes(hashlib.sha256(text).digest(), "big")).random

    def unit(self) -> float:
        """A number in [0, 1)."""
        return self._random()

    def whole(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self._random() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        """True with a probability."""
        return self._random() < probability

    def choice(self, values: Sequence[T]) -> T:
        """One of the values."""
        return values[int(self._random() * len(values))]

    def weighted(self, values: Sequence[T], weights: Sequence[float]) -> T:
        """One of the values, in proportion to the weights."""
        left = self._random() * sum(weights)
        for value, weight in zip(values, weights, strict=True):
            left -= weight
            if left < 0:
                return value
        return values[-1]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """The values in a random order."""
        pool = list(values)
        for last in range(len(pool) - 1, 0, -1):
            other = int(self._random() * (last + 1))
            pool[last], pool[other] = pool[other], pool[last]
        return pool

    def sample(self, values: Sequence[T], count: int) -> list[T]:
        """`count` different ones of the values."""
        return self.shuffled(values)[:count]


def balanced(values: Sequence[T], *words: str | int) -> Iterator[T]:
    """The values without end, in shuffled rounds: in any beginning, counts differ by at most 1."""
    turn = 0
    while True:
        yield from Dice(*words, turn).shuffled(values)
        turn += 1


def crossed(rows: Sequence[A], columns: Sequence[B], *words: str | int) -> Iterator[tuple[A, B]]:
    """Pairs without end: in any beginning, rows are balanced and columns are balanced (counts
    differ by at most 1), and every round of all pairs holds each pair once.
    """
    turn = 0
    while True:
        for row, column in _round(len(rows), len(columns), (*words, turn)):
            yield rows[row], columns[column]
        turn += 1


def _round(rows: int, columns: int, words: tuple[str | int, ...]) -> list[tuple[int, int]]:
    """One round of `crossed`: drawn greedily, anew until it comes out (a few attempts)."""
    attempt = 0
    while True:
        order = _draw_round(rows, columns, Dice(*words, attempt))
        if order:
            return order
        attempt += 1


def _draw_round(rows: int, columns: int, dice: Dice) -> list[tuple[int, int]] | None:
    """Each pair once, rows and columns in shuffled rounds; None where the draw runs into a wall.

    Of the pairs allowed next, those come first whose row and column have most pairs left.
    """
    unused = {(row, column) for row in range(rows) for column in range(columns)}
    row_left, column_left = [columns] * rows, [rows] * columns
    order: list[tuple[int, int]] = []
    rows_due: list[int] = []
    columns_due: list[int] = []
    while unused:
        rows_due = rows_due or list(range(rows))
        columns_due = columns_due or list(range(columns))
        allowed = [(r, c) for r in rows_due for c in columns_due if (r, c) in unused]
        if not allowed:
            return None
        urgency = [(row_left[r] / columns + column_left[c] / rows, dice.unit()) for r, c in allowed]
        row, column = allowed[max(range(len(allowed)), key=urgency.__getitem__)]
        order.append((row, column))
        unused.remove((row, column))
        rows_due.remove(row)
        columns_due.remove(column)
        row_left[row] -= 1
        column_left[column] -= 1
    return order


def is_reserved(*content: object) -> bool:
    """Tell whether some musical content is kept for few-shot examples, and never scored.

    Decided by the content itself (one in eight, by its hash), so that no example of any seed
    can equal a scored item of any other.
    """
    digest = hashlib.sha256(repr(content).encode()).digest()
    return digest[0] % _RESERVED_SHARE == 0
