"""The ten tasks: what is heard, what may be answered, and how the published runners read it."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from zhiyin.contract.declared import Skill
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


class Task(msgspec.Struct, frozen=True):
    """What is fixed about a task.

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
    """

    name: TaskName
    title: str
    answers: tuple[str, ...]
    sounds: int
    table: str = ""
    lettered: bool = True
    letter_needed: bool = True
    stop_needed: bool = False

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


def _pair(what: str) -> tuple[str, str]:
    return f"Yes, these are the same {what}.", f"No, these are not the same {what}."


_ALL = (
    Task(
        "transposition", "transposition", _pair("melody"), 2, lettered=False, stop_needed=True
    ),
    Task(
        "rhythm_matching", "rhythm matching", _pair("exact drum set patterns"), 2,
        lettered=False, stop_needed=True,
    ),
    Task(
        "oddballs", "oddball detection", _pair("exact melody"), 2, lettered=False, stop_needed=True
    ),
    Task(
        "instrumentID", "instrument", ("A. Piano", "B. Guitar", "C. Bass", "D. Drums"), 1,
        "instrument_identification",
    ),
    Task(
        "contourID",
        "contour",
        (
            "A. Arch (ascending and then descending)",
            "B. Inverted Arch (descending and then ascending)",
            "C. Ascending (pitch raises over time)",
            "D. Descending (pitch falls over time)",
        ),
        1,
        "contour_identification",
    ),
    Task("chord_quality", "chord quality", ("A. Major", "B. Minor"), 1),
    Task(
        "key_modulation", "key modulation",
        ("A. Yes, a key modulation occurs.", "B. No, the key stays the same."), 1,
    ),
    Task(
        "chord_progression_matching",
        "progression matching",
        (
            "A. Yes, these are the same chord progression.",
            "B. No, these are not the same chord progression.",
        ),
        2,
        letter_needed=False,
        stop_needed=True,
    ),
    Task(
        "syncopation",
        "syncopation comparison",
        (
            "A. The rhythm in Excerpt 1 is more syncopated.",
            "B. The rhythm in Excerpt 2 is more syncopated.",
        ),
        2,
        letter_needed=False,
        stop_needed=True,
    ),
    Task(
        "meter_identification", "meter", ("A. Groups of 3", "B. Groups of 4", "C. Groups of 5"), 1
    ),
)  # fmt: skip
TASKS: dict[TaskName, Task] = {task.name: task for task in _ALL}
SKILLS: dict[str, Skill] = {
    "transposition": "pitch",
    "oddballs": "pitch",
    "contourID": "pitch",
    "rhythm_matching": "rhythm",
    "syncopation": "rhythm",
    "meter_identification": "rhythm",
    "instrumentID": "timbre",
    "chord_quality": "harmony",
    "key_modulation": "harmony",
    "chord_progression_matching": "harmony",
}
"""What each task shows."""
BY_TABLE: dict[str, Task] = {task.table or task.name: task for task in _ALL}
"""By the name in the published table of accuracies, where two tasks are called otherwise."""


def task_named(name: str) -> Task:
    """The task called `name`, as logs or tables call it. Raises `InputError` for no such task."""
    for task in _ALL:
        if name in (task.name, task.table):
            return task
    raise InputError(f"unknown task {name!r}: {did_you_mean(name, TASK_NAMES)}")
