"""The published design: 200 trials in two groups, 33 worked examples, three orders.

`trials.txt` holds a line for each: task, place in the runner's list (``A01``; ``ex1`` for an
example), to whom an example is shown (groups/modes), the key of the answer ("-" for none), and
the recordings without ``.wav``, by their place below ``stimuli/``.
Source: github.com/brandoncarone/MUSE_music_benchmark, the runners, commit a9e4acd.
"""

from __future__ import annotations

import random
from functools import cache
from importlib import resources

import msgspec

from zhiyin.benchmarks.muse.tasks import TASKS, Group, Mode, TaskName

SEEDS = (1, 2, 3)
"""Of the published runs; the seed says in which order the ten trials come."""


class Item(msgspec.Struct, frozen=True):
    """One published trial, or one worked example.

    Attributes
    ----------
    task : str
    place : str
        ``A01`` to ``B10`` for trials, ``ex1`` and so on for examples.
    recordings : tuple of str
        One or two, below ``stimuli/``, without ``.wav``.
    answer : str or None
        Key of the right option; None for an example that is only played.
    shown : str
        Of an example: to which groups and in which modes, ``AB/sysinst,cot``.
    """

    task: TaskName
    place: str
    recordings: tuple[str, ...]
    answer: str | None
    shown: str = ""

    @property
    def id(self) -> str:
        """Stable and neutral: ``transposition-A01``."""
        return f"{self.task}-{self.place}"

    @property
    def names(self) -> tuple[str, ...]:
        """The recordings without their folder, as logs name them."""
        return tuple(name.rpartition("/")[2] for name in self.recordings)


@cache
def items() -> tuple[Item, ...]:
    """All trials and examples, in the runners' order."""
    text = resources.files(__package__).joinpath("trials.txt").read_text("utf-8")
    entries = []
    for line in text.splitlines()[1:]:
        task, place, shown, answer, *recordings = line.split("\t")
        entries.append(
            Item(
                next(name for name in TASKS if name == task),
                place,
                tuple(recordings),
                None if answer == "-" else answer,
                "" if shown == "-" else shown,
            )
        )
    return tuple(entries)


@cache
def listed(task: TaskName, group: Group) -> tuple[Item, ...]:
    """The ten trials of a task and group as the runner lists them, before they are shuffled."""
    return tuple(i for i in items() if i.task == task and not i.shown and i.place[0] == group)


@cache
def examples(task: TaskName, group: Group, mode: Mode) -> tuple[Item, ...]:
    """The worked examples of a task, in the order in which they are shown."""
    matching = []
    for item in items():
        groups, _, modes = item.shown.partition("/")
        if item.task == task and group in groups and mode in modes.split(","):
            matching.append(item)
    return tuple(matching)


def in_order(task: TaskName, group: Group, seed: int) -> list[Item]:
    """The ten trials in the order of a published run: `random.shuffle` with its seed."""
    order = list(listed(task, group))
    random.Random(seed).shuffle(order)
    return order
