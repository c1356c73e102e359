"""What the user may set: the flags, and their meaning, checked."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import msgspec

from zhiyin.benchmarks.perception.tasks import TaskName
from zhiyin.errors import InputError, did_you_mean

TASK_NAMES: tuple[TaskName, ...] = get_args(TaskName)
MODALITIES = ("audio", "midi")
SHOTS = ("zero", "few")
STRATEGIES = ("standalone", "cot", "logiclm")
SOURCES = ("generated", "muse")


class Settings(msgspec.Struct, frozen=True):
    """The grid, and where its stimuli come from.

    Attributes
    ----------
    tasks : tuple of str
        All three where the user named none; then `all_tasks` is true.
    modalities, shots, strategies : tuple of str
    source : {"generated", "muse"}
    n : int or None
        Items a task; None for each task's own number.
    seed : int
    data, stimuli, prompts : str or None
        Folders.
    extract : str
        The extraction policy.
    partial : bool
        Whether a published set may lack recordings.
    """

    tasks: tuple[TaskName, ...] = TASK_NAMES
    all_tasks: bool = True
    modalities: tuple[str, ...] = ("audio",)
    shots: tuple[str, ...] = ("zero",)
    strategies: tuple[str, ...] = ("standalone",)
    source: str = "generated"
    n: int | None = None
    seed: int = 0
    data: str | None = None
    stimuli: str | None = None
    prompts: str | None = None
    extract: str = "robust"
    partial: bool = False


def add_flags(parser: argparse._ActionsContainer) -> None:
    """Add the benchmark's own flags."""
    add = parser.add_argument
    add("--task", metavar="T,...", help=f"of {','.join(TASK_NAMES)}; default all")
    add("--modality", metavar="M,...", help="audio, midi or both; default audio")
    add("--strategy", metavar="S,...", help=f"of {','.join(STRATEGIES)}; default standalone")
    add("--source", metavar="S", help="generated (default), or muse with --data")
    add("--n", type=int, metavar="N", help="generated items a task; default 20, for chords 48")
    add("--stimuli", metavar="DIR", help="items that `zhiyin stimuli make` made, or DIR/TASK")
    add("--prompts", metavar="DIR", help="prompt files in place of the benchmark's own")


def read_settings(options: Mapping[str, Any]) -> Settings:
    """The settings that flags, or a run's manifest, say.

    Raises
    ------
    InputError
        For an unknown word, a flag that contradicts another, or a number that is too small.
    """
    task, source = options.get("task"), options.get("source") or "generated"
    if source not in SOURCES:
        raise InputError(f"--source {source}: {did_you_mean(str(source), SOURCES)}")
    n, data, stimuli = options.get("n"), options.get("data"), options.get("stimuli")
    if n is not None and n < 1:
        raise InputError(f"--n {n}: give a number of items above 0")
    if source == "muse" and not data:
        raise InputError("--source muse needs --data, the folder of the MUSE recordings")
    if source == "muse" and (n is not None or stimuli):
        raise InputError("--n and --stimuli are for --source generated; leave them out")
    if source == "generated" and data:
        raise InputError("--data is for --source muse; items of your own are given by --stimuli")
    tasks = _choices("--task", task, TASK_NAMES, TASK_NAMES)
    return Settings(
        tasks=tuple(name for name in TASK_NAMES if name in tasks),
        all_tasks=not task,
        modalities=_choices("--modality", options.get("modality"), MODALITIES, ("audio",)),
        shots=_choices("--shots", _shots(options.get("shots")), SHOTS, ("zero",)),
        strategies=_choices("--strategy", options.get("strategy"), STRATEGIES, ("standalone",)),
        source=source,
        n=n,
        seed=options.get("seed") or 0,
        data=data,
        stimuli=stimuli,
        prompts=options.get("prompts"),
        extract=options.get("extract") or "robust",
        partial=bool(options.get("partial")),
    )


def _shots(said: Any) -> Any:
    """0 is another word for zero."""
    if isinstance(said, int):
        said = str(said)
    if isinstance(said, str):
        return ",".join("zero" if word.strip() == "0" else word for word in said.split(","))
    return said


def _choices(
    flag: str, said: str | Sequence[str] | None, known: Sequence[str], default: Sequence[str]
) -> tuple[Any, ...]:
    """Words of a list parted by commas, in the order of `known`, each once."""
    if not said:
        return tuple(default)
    words = [word.strip() for word in (said.split(",") if isinstance(said, str) else said)]
    for word in words:
        if word not in known:
            raise InputError(f"{flag} {word!r}: {did_you_mean(word, known)}")
    return tuple(word for word in known if word in words)
