"""What the user may set."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from zhiyin.benchmarks.muse.fresh.knobs import LEVELS, Knobs, set_knobs
from zhiyin.benchmarks.muse.tasks import GROUPS, MODES, TASK_NAMES, Group, Mode, TaskName
from zhiyin.errors import InputError
from zhiyin.flags import Flag

Order = Literal["1", "2", "3"]


class Settings(msgspec.Struct, frozen=True):
    """Which trials, in which conversation, from where."""

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
    difficulty: Annotated[
        Literal["easy", "default", "hard"], Flag("of generated items", chooses=True)
    ] = "default"
    knob: Annotated[
        tuple[str, ...],
        Flag(
            "of generated items, such as odd_notes=1; goes before --difficulty",
            "K=V,...",
            chooses=True,
        ),
    ] = ()
    prompts: Annotated[
        str | None, Flag("prompt files in place of the benchmark's own", "DIR", place=True)
    ] = None
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
        """How hard generated items are: the level, with the knobs that the user set."""
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
