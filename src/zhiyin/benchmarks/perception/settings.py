"""What the user may set: the flags, and their meaning, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

import msgspec

from zhiyin.benchmarks.perception.tasks import TASKS, TaskName
from zhiyin.contract import Way, conditions
from zhiyin.errors import InputError
from zhiyin.flags import Flag

Modality = Literal["audio", "midi"]
Shots = Literal["zero", "few"]
How = Literal["standalone", "cot", "logiclm"]
TASK_NAMES: tuple[TaskName, ...] = get_args(TaskName)
MODALITIES: tuple[Modality, ...] = get_args(Modality)
SHOTS: tuple[Shots, ...] = get_args(Shots)
STRATEGIES: tuple[How, ...] = get_args(How)
STRATEGY = Way("strategy")
WAYS = (
    *(Way("modality", contrast="midi", changes="medium"), conditions.TASK),
    *(conditions.SHOTS, STRATEGY),
)


class Settings(msgspec.Struct, frozen=True):
    """The grid, and where its stimuli come from."""

    task: Annotated[
        tuple[TaskName, ...],
        Flag(f"of {','.join(TASK_NAMES)}; default all", "T,...", once=True, chooses=True),
    ] = ()
    modality: Annotated[
        tuple[Modality, ...], Flag("audio, midi or both", "M,...", once=True, told="{}")
    ] = ("audio",)
    strategy: Annotated[tuple[How, ...], Flag(f"of {','.join(STRATEGIES)}", "S,...", once=True)] = (
        "standalone",
    )
    source: Annotated[
        Literal["generated", "muse"], Flag("muse is the published set, by --data")
    ] = "generated"
    n: Annotated[
        int | None,
        Flag("generated items a task; default 20, for chords 48", "N", chooses=True),
        msgspec.Meta(gt=0),
    ] = None
    stimuli: Annotated[
        str | None,
        Flag("items that `zhiyin stimuli make` made, or DIR/TASK", "DIR", place=True),
    ] = None
    prompts: Annotated[
        str | None, Flag("prompt files in place of the benchmark's own", "DIR", place=True)
    ] = None
    shots: Annotated[tuple[Shots, ...], Flag("zero, few or both", once=True)] = ("zero",)
    seed: Annotated[int, Flag("of items and their order")] = 0
    data: Annotated[str | None, Flag("the published recordings", place=True)] = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"
    partial: Annotated[bool, Flag("recordings may be missing", place=True)] = False

    def __post_init__(self) -> None:
        muse, made = self.source == "muse", self.n is not None or self.stimuli
        if muse and not self.data:
            raise InputError("--source muse needs --data, the folder of the MUSE recordings")
        if muse and made:
            raise InputError("--n and --stimuli are for --source generated; leave them out")
        if not muse and self.data:
            raise InputError(
                "--data is for --source muse; items of your own are given by --stimuli"
            )

    @staticmethod
    def usual(values: Mapping[str, Any]) -> dict[str, Any]:
        """How many items are made of the chosen tasks where the user does not say."""
        sizes = {TASKS[task].generated for task in values["task"] or TASK_NAMES if task in TASKS}
        n = values["n"]
        enough = isinstance(n, int) and bool(sizes) and n >= max(sizes)
        return {"n": max(sizes)} if enough or len(sizes) == 1 else {}

    @property
    def tasks(self) -> tuple[TaskName, ...]:
        """The tasks that are asked: all where the user named none."""
        return self.task or TASK_NAMES


def shots_as_words(shots: Any) -> Any:
    """What ``--shots`` says, with "zero" for the 0 that other benchmarks take."""
    if isinstance(shots, int):
        shots = str(shots)
    if isinstance(shots, str):
        return ",".join("zero" if word.strip() == "0" else word for word in shots.split(","))
    return shots
