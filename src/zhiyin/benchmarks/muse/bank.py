"""The stimuli of a run: what is played in each trial and each worked example."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from zhiyin.benchmarks.muse import design
from zhiyin.benchmarks.muse.design import Item
from zhiyin.benchmarks.muse.settings import Settings
from zhiyin.benchmarks.muse.tasks import Group, Mode, TaskName
from zhiyin.errors import InputError
from zhiyin.trial import Tag

_MOST_NAMED = 6


class Stimulus(msgspec.Struct, frozen=True):
    """What is played in one trial or example, and the answer.

    Attributes
    ----------
    id : str
        Neutral.
    task : str
    sounds : tuple of str
        Paths, one or two.
    answer : str or None
        Key of the right option; None for an example that is only played.
    facts : dict
        For breakdowns; never sent.
    """

    id: str
    task: TaskName
    sounds: tuple[str, ...]
    answer: str | None
    facts: dict[str, Tag] = {}


class Bank(msgspec.Struct):
    """Trials by task and group, in the runner's order, and examples by task, group and mode."""

    trials: dict[tuple[TaskName, str], list[Stimulus]] = {}
    examples: dict[tuple[TaskName, str, Mode], list[Stimulus]] = {}
    remarks: list[str] = []

    def in_order(self, task: TaskName, group: str, seed: int) -> list[Stimulus]:
        """The trials of a group in the order that a seed makes of the whole list."""
        order = list(self.trials[task, group])
        random.Random(seed).shuffle(order)
        return order


def open_bank(settings: Settings) -> Bank:
    """The stimuli that the settings ask for.

    Raises
    ------
    InputError
        No recordings, some that are missing (named), or nothing that can be asked.
    """
    if settings.source == "generated":
        from zhiyin.benchmarks.muse.generated import open_generated

        return open_generated(settings)
    if not settings.data:
        raise InputError(
            "give --data, the folder of the MUSE recordings, or --source generated for fresh ones"
        )
    return _published(settings, Path(settings.data))


def recordings_in(data: Path) -> dict[str, Path]:
    """The recordings below a folder, by their place below ``stimuli/`` without ``.wav``.

    A set that came in parts, each with a ``stimuli/`` of its own, may lie in one folder.

    Raises
    ------
    InputError
        There is no ``stimuli/`` with recordings in it.
    """
    roots = [data / "stimuli", *sorted(data.glob("*/stimuli"))]
    roots = [root for root in roots if root.is_dir()] or [data]
    recordings = {
        path.relative_to(root).as_posix().removesuffix(".wav"): path
        for root in reversed(roots)
        for path in sorted(root.rglob("*.wav"))
    }
    if not recordings:
        raise InputError(f"{data}: no stimuli/ with recordings in it; give the folder of MUSE")
    return recordings


def _published(settings: Settings, data: Path) -> Bank:
    recordings = recordings_in(data)
    _refuse_incomplete(settings, data, recordings)
    bank = Bank()
    for task in settings.tasks:
        wanted = [item for group in settings.group for item in design.listed(task, group)]
        kept = [item for item in wanted if recordings.keys() >= set(item.recordings)]
        if not kept and settings.task:
            raise InputError(f"{data}: no trial of {task} has its recordings; leave it out")
        if len(kept) < len(wanted):
            bank.remarks.append(
                f"{task}: {len(kept)} of {len(wanted)} published trials; the recordings of the "
                "others are not there"
            )
        for group in settings.group:
            _add_group(bank, settings, recordings, task, group)
    if not any(bank.trials.values()):
        raise InputError(f"{data}: no trial has its recordings; correct --data")
    return bank


def _add_group(
    bank: Bank, settings: Settings, recordings: dict[str, Path], task: TaskName, group: Group
) -> None:
    # The whole list is shuffled and then thinned out: what is there keeps its published place.
    bank.trials[task, group] = [_stimulus(item, recordings) for item in design.listed(task, group)]
    for mode in settings.mode:
        if settings.examples == "none":
            bank.examples[task, group, mode] = []
            continue
        shown = design.examples(task, group, mode)
        available = [item for item in shown if recordings.keys() >= set(item.recordings)]
        if len(available) < len(shown) and any(s.sounds for s in bank.trials[task, group]):
            bank.remarks.append(
                f"{task}, group {group}, {mode}: {len(available)} of {len(shown)} worked examples; "
                "the recordings of the others are not there"
            )
        bank.examples[task, group, mode] = [_stimulus(item, recordings) for item in available]


def _stimulus(item: Item, recordings: dict[str, Path]) -> Stimulus:
    """A trial with its recordings; without sounds where one is missing."""
    whole = recordings.keys() >= set(item.recordings)
    sounds = tuple(str(recordings[name]) for name in item.recordings) if whole else ()
    return Stimulus(item.id, item.task, sounds, item.answer, {"recording": " + ".join(item.names)})


def _refuse_incomplete(settings: Settings, data: Path, recordings: dict[str, Path]) -> None:
    """Raise `InputError` that names the recordings that are missing, unless some may be."""
    if settings.partial:
        return
    expected = names_of(needed(settings))
    if missing := sorted(expected - recordings.keys()):
        listed = ", ".join(f"{name}.wav" for name in missing[:_MOST_NAMED])
        more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
        raise InputError(
            f"{data} lacks {len(missing)} of {len(expected)} published recordings: {listed}{more}; "
            "add them, or ask what is there with --partial"
        )


def needed(settings: Settings) -> list[Item]:
    """The published trials and examples that the settings ask for."""
    items = [i for t in settings.tasks for g in settings.group for i in design.listed(t, g)]
    if settings.examples == "standard":
        for task in settings.tasks:
            for group in settings.group:
                for mode in settings.mode:
                    items += design.examples(task, group, mode)
    return items


def names_of(items: Iterable[Item] | Sequence[Item]) -> set[str]:
    """The recordings of some trials and examples."""
    return {name for item in items for name in item.recordings}
