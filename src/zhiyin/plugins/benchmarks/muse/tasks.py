"""The ten tasks: what is heard, what may be answered, and how the published runners read it."""

from __future__ import annotations

from importlib import resources
from typing import Literal, get_args

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.trial import Option
from zhiyin.words import Said, said

TaskName = Literal[
    "transposition", "rhythm_matching", "oddballs", "instrumentID", "contourID",
    "chord_quality", "key_modulation", "chord_progression_matching", "syncopation",
    "meter_identification",
]  # fmt: skip
TASK_NAMES: tuple[TaskName, ...] = get_args(TaskName)
Mode = Literal["sysinst", "cot"]
MODES: tuple[Mode, ...] = get_args(Mode)
Group = Literal["A", "B"]
GROUPS: tuple[Group, ...] = get_args(Group)


class MuseTask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fixed facts of a task.

    Attributes
    ----------
    name : str
        As in the names of the published logs.
    title : str
        For people.
    table : str
        As in the published table of accuracies.
    answers : tuple of str
        The published answers, letter for letter, in their order.
    sounds : int
        How many recordings a trial has.
    lettered : bool
        Whether the published answers begin with a letter of their own.
    letter_needed, stop_needed : bool
        Whether the published runner reads an answer without its letter, and a sentence without
        its full stop.
    steps : dict of str to tuple of str
        By the key of the answer, what a reply with worked steps would have said.
    alone : dict of str to str
        What is said of examples that are played alone, without an answer; by their ids.
    """

    name: TaskName
    title: str
    answers: tuple[str, ...]
    sounds: int = 1
    table: str = ""
    lettered: bool = True
    letter_needed: bool = True
    stop_needed: bool = False
    steps: dict[str, tuple[str, ...]] = {}
    alone: dict[str, str] = {}

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def options(self) -> tuple[Option, ...]:
        """The choices, each under its letter; the letter is no part of the text."""
        return tuple(
            Option(letter, text.partition(". ")[2] if self.lettered else text, letter)
            for letter, text in zip("ABCD", self.answers, strict=False)
        )

    @property
    def called(self) -> Said:
        """Its title, in the language of its reader."""
        return said("muse-task", name=self.name, title=self.title)

    def answer(self, key: str) -> str:
        """The published answer with a key."""
        return self.answers["ABCD".index(key)]

    def reasoned(self, key: str) -> str:
        """Two short steps and the answer line, as a reply in the mode with steps."""
        steps = [f"Step {n}: {text}" for n, text in enumerate(self.steps[key], 1)]
        return "\n".join([*steps, self.answer(key)])


def _read_tasks() -> tuple[MuseTask, ...]:
    text = resources.files(__package__).joinpath("tasks.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, tuple[MuseTask, ...]])["tasks"]


TASKS: dict[TaskName, MuseTask] = {task.name: task for task in _read_tasks()}
BY_TABLE = {task.table or task.name: task for task in TASKS.values()}
"""By the name in the published table of accuracies, where two tasks are called otherwise."""


def task_named(name: str) -> MuseTask:
    """The task called `name`, as logs or tables call it. Raises `InputError` for no such task."""
    for task in TASKS.values():
        if name in (task.name, task.table):
            return task
    raise InputError(f"unknown task {name!r}: {did_you_mean(name, TASK_NAMES)}")
