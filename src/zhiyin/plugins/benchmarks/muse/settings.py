"""Settings: which trials, in which conversation, and how hard generated ones are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec

from zhiyin.contract.options import OwnPrompts
from zhiyin.errors import InputError, did_you_mean
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.muse.tasks import GROUPS, MODES, TASK_NAMES, Group, Mode, TaskName

Order = Literal["1", "2", "3"]
Level = Literal["easy", "default", "hard"]


class Knobs(msgspec.Struct, frozen=True):
    """Settings that make items harder.

    Attributes
    ----------
    odd_notes : int
        Notes of a melody that are altered in an oddball that is not the same.
    altered : bool
        Whether half of the melodies that are not transpositions differ in one note alone.
    moved : int
        Strokes of a drum pattern that are moved where it is another one; 0 for a new pattern.
    apart : int
        Least difference of two patterns in strokes off the beat.
    inverted : bool
        Whether chords of progressions stand in any inversion.
    styles : int
        How many ways of playing a progression there are: 1 for blocks alone, up to 4.
    near : bool
        Whether keys that a modulation leads to are nearest neighbours (fifths and relatives).
    noise_db : float or None
        Signal-to-noise ratio of added white noise.
    """

    odd_notes: int = 2
    altered: bool = False
    moved: int = 0
    apart: int = 2
    inverted: bool = False
    styles: int = 3
    near: bool = False
    noise_db: float | None = None


LEVELS: dict[Level, Knobs] = {
    "easy": Knobs(odd_notes=4, apart=4, styles=1),
    "default": Knobs(),
    "hard": Knobs(
        odd_notes=1, altered=True, moved=2, inverted=True, styles=4, near=True, noise_db=20.0
    ),
}


_RANGES = {
    "odd_notes": (1, 4),
    "moved": (0, 2),
    "apart": (1, 4),
    "styles": (1, 4),
    "noise_db": (0, 60),
}
"""What the levels span, and noise that leaves something to be heard."""


def set_knobs(knobs: Knobs, words: Iterable[str]) -> Knobs:
    """Knobs with some of them set: ``odd_notes=1``, ``near=true``.

    Raises
    ------
    InputError
        There is no such knob, or it does not take the value.
    """
    given: dict[str, object] = {}
    for word in words:
        name, _, value = (part.strip() for part in word.partition("="))
        if name not in Knobs.__struct_fields__:
            raise InputError(f"--knob {word}: {did_you_mean(name, Knobs.__struct_fields__)}")
        try:
            kind = msgspec.structs.fields(Knobs)[Knobs.__struct_fields__.index(name)].type
            given[name] = msgspec.convert(value, kind, strict=False)
        except msgspec.ValidationError:
            raise InputError(f"--knob {word}: write {name}=VALUE, a value that it takes") from None
        low, high = _RANGES.get(name, (-math.inf, math.inf))
        number = given[name]
        if isinstance(number, int | float) and not low <= number <= high:
            raise InputError(f"--knob {word}: {name} is from {low:g} to {high:g}")
    return msgspec.structs.replace(knobs, **given)


class MuseSettings(msgspec.Struct, frozen=True):
    """Settings of a run: which trials, in which conversation, from where."""

    task: Annotated[
        tuple[TaskName, ...], Flag(f"of {','.join(TASK_NAMES)}; default all", "T,...", once=True)
    ] = ()
    mode: Annotated[
        tuple[Mode, ...],
        Flag("sysinst (short answers), cot (worked steps) or both", "M,...", once=True),
    ] = MODES
    chat: Annotated[
        Literal["stateful", "fresh"],
        Flag("one conversation for ten trials, as published, or one for each", told="{}"),
    ] = "stateful"
    keep: Annotated[
        int | None,
        Flag("stateful: trials that stay in the conversation; default all"),
        msgspec.Meta(ge=0),
    ] = None
    group: Annotated[tuple[Group, ...], Flag("published trials: A, B or both", once=True)] = GROUPS
    order: Annotated[
        tuple[Order, ...],
        Flag("which orders: the published seeds 1,2,3; generated: 1", "N,...", once=True),
    ] = ()
    examples: Annotated[
        Literal["standard", "none"], Flag("worked examples, as published or none")
    ] = "standard"
    source: Annotated[
        Literal["published", "generated"],
        Flag("the published recordings, by --data, or fresh ones"),
    ] = "published"
    n: Annotated[
        int, Flag("generated items a task", chooses=True), msgspec.Meta(ge=1, le=10_000)
    ] = 20
    difficulty: Annotated[Level, Flag("of generated items", chooses=True)] = "default"
    knob: Annotated[
        tuple[str, ...],
        Flag(
            "of generated items, such as odd_notes=1; goes before --difficulty",
            "K=V,...",
            chooses=True,
        ),
    ] = ()
    prompts: OwnPrompts = None
    seed: Annotated[int, Flag("of generated items")] = 0
    data: Annotated[str | None, Flag("the published recordings", place=True)] = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"
    partial: Annotated[bool, Flag("recordings may be missing", place=True)] = False

    def __post_init__(self) -> None:
        if self.source == "generated" and self.data:
            raise InputError("--data is for --source published; leave it out")
        if self.knob and self.source == "published":
            raise InputError("--knob is for --source generated; leave it out")
        set_knobs(LEVELS[self.difficulty], self.knob)
        if self.keep is not None and self.chat == "fresh":
            raise InputError("--keep is for --chat stateful; leave it out")

    @property
    def knobs(self) -> Knobs:
        """The difficulty of generated items: the level, with the knobs that the user set."""
        return set_knobs(LEVELS[self.difficulty], self.knob)

    @property
    def tasks(self) -> tuple[TaskName, ...]:
        """The tasks that are asked: all where the user named none."""
        return self.task or TASK_NAMES

    @property
    def orders(self) -> tuple[int, ...]:
        """The orders in which the trials of a group come, each a run of its own."""
        usual = ("1", "2", "3") if self.source == "published" else ("1",)
        return tuple(map(int, self.order or usual))
