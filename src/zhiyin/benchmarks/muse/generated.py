"""Fresh items as stimuli, made in the cache by seed where they are not there."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from zhiyin import __version__
from zhiyin.benchmarks.muse.bank import Bank, Stimulus
from zhiyin.benchmarks.muse.fresh import made
from zhiyin.benchmarks.muse.settings import Settings
from zhiyin.benchmarks.muse.tasks import TASKS, TaskName
from zhiyin.files import cache_folder, made_once
from zhiyin.music.render import open_renderer

RUN = 10
"""Trials of a run, as published."""


def open_generated(settings: Settings) -> Bank:
    """Fresh items of the tasks, in groups of ten, with as many examples as there are answers."""
    bank = Bank()
    for task in settings.tasks:
        items = _stimuli(settings, task, settings.n, False)
        shown: list[Stimulus] = []
        if settings.examples == "standard":
            shown = _stimuli(settings, task, len(TASKS[task].answers), True)
        for number, first in enumerate(range(0, len(items), RUN), 1):
            group = f"{number:03d}"
            bank.trials[task, group] = items[first : first + RUN]
            for mode in settings.mode:
                bank.examples[task, group, mode] = shown
    return bank


def _stimuli(settings: Settings, task: TaskName, n: int, reserved: bool) -> list[Stimulus]:
    player, knobs = open_renderer(), settings.knobs
    words = [task, str(n), str(settings.seed), str(reserved), player.label, __version__]
    words.append(msgspec.json.encode(knobs).decode())
    name = hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]
    folder = cache_folder("stimuli") / f"tasks-{name}"

    def make(new: Path) -> None:
        made.make(task, n, settings.seed, knobs, new, player, reserved)

    return [
        Stimulus(
            f"{item.id}-{settings.seed}",
            task,
            tuple(str(folder / name) for name in item.sounds),
            item.answer,
            {"difficulty": "/".join((settings.difficulty, *settings.knob))},
        )
        for item in made_once(folder, made.read, make)
    ]
