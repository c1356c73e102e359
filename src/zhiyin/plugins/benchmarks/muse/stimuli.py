"""Stimuli: the published design and its recordings, or fresh items made by seed.

The published design is 200 trials in two groups, 33 worked examples, three orders. `trials.txt`
holds a line for each: task, place in the runner's list (``A01``; ``ex1`` for an example), to whom
an example is shown (groups/modes), the key of the answer ("-" for none), and the recordings without
``.wav``, by their place below ``stimuli/``.
Source: github.com/brandoncarone/MUSE_music_benchmark, the runners, commit a9e4acd.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec

from zhiyin import __version__
from zhiyin.contract.declared import CheckResult, Flaw, Published
from zhiyin.contract.published import File
from zhiyin.errors import InputError
from zhiyin.files import cache_folder
from zhiyin.parsing import read_beside
from zhiyin.plugins.benchmarks.muse.tasks import (
    GROUPS,
    MODES,
    TASKS,
    Group,
    Mode,
    MuseSettings,
    TaskName,
)
from zhiyin.plugins.music.made_files import made_once
from zhiyin.sound import audio_part
from zhiyin.trial import Tag
from zhiyin.words import Said, said

_MOST_NAMED = 6
_TRIALS = 10
"""Trials of a run, as published."""
DOUBTFUL = {
    "Intermediate/vi-IV-I-V_Gmaj_AcousticGuit_118": said("muse-no-triple"),
    "Intermediate/Sync3_A": said("muse-sync3"),
}


class PublishedItem(msgspec.Struct, frozen=True):
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
        """Stable and neutral id: ``transposition-A01``."""
        return f"{self.task}-{self.place}"

    @property
    def names(self) -> tuple[str, ...]:
        """The recordings without their folder, as logs name them."""
        return tuple(name.rpartition("/")[2] for name in self.recordings)

    def is_whole(self, recordings: Iterable[str]) -> bool:
        """Tell whether all its recordings are among some."""
        return set(self.recordings).issubset(recordings)


@cache
def items() -> tuple[PublishedItem, ...]:
    """All trials and examples, in the runners' order."""
    text = resources.files(__package__).joinpath("trials.txt").read_text("utf-8")
    entries = []
    for line in text.splitlines()[1:]:
        task, place, shown, answer, *recordings = line.split("\t")
        name = next(name for name in TASKS if name == task)
        key = None if answer == "-" else answer
        shown = shown.removeprefix("-")
        entries.append(PublishedItem(name, place, tuple(recordings), key, shown))
    return tuple(entries)


@cache
def listed(task: TaskName, group: Group) -> tuple[PublishedItem, ...]:
    """The ten trials of a task and group as the runner lists them, before they are shuffled."""
    return tuple(i for i in items() if i.task == task and not i.shown and i.place[0] == group)


@cache
def examples(task: TaskName, group: Group, mode: Mode) -> tuple[PublishedItem, ...]:
    """The worked examples of a task, in the order in which they are shown."""
    matching = []
    for item in items():
        groups, _, modes = item.shown.partition("/")
        if item.task == task and group in groups and mode in modes.split(","):
            matching.append(item)
    return tuple(matching)


@cache
def _hashes() -> dict[str, str]:
    """SHA-256 by recording (without folder and ``.wav``), of those that we have seen."""
    return read_beside(__file__, "sha256.json", dict[str, str])


def recording_files() -> tuple[File, ...]:
    """The recordings that trials and examples use, each a file of the source.

    Of those that we have seen the contents are known; of the others the first fetch counts.
    """
    return tuple(
        File(f"stimuli/{name}.wav", sha256=_hashes().get(name.rpartition("/")[2], ""))
        for name in sorted(names_of(items()))
    )


@cache
def published_design() -> Published:
    """Every published trial once in each mode; the three orders are repeats of it."""
    trials = [item for task in TASKS for group in GROUPS for item in listed(task, group)]
    return Published(
        source="the runners and recordings of MUSE; hashes of the recordings that we have seen",
        unit="trials",
        counts={f"{task}/{mode}": 20 for task in TASKS for mode in MODES},
        recordings={" + ".join(i.names): [_hashes().get(n) for n in i.names] for i in trials},
        narrowed=dict.fromkeys(("task", "mode", "group", "order", "keep", "examples"), ""),
    )


class Stimulus(msgspec.Struct, frozen=True):
    """The sounds played in one trial or example, and the answer.

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


class StimulusBank(msgspec.Struct):
    """Trials by task and group, in the runner's order, and examples by task, group and mode."""

    trials: dict[tuple[TaskName, str], list[Stimulus]] = {}
    examples: dict[tuple[TaskName, str, Mode], list[Stimulus]] = {}
    remarks: list[Said] = []

    def in_order(self, task: TaskName, group: str, seed: int) -> list[Stimulus]:
        """The trials of a group in the order that a seed makes of the whole list."""
        order = list(self.trials[task, group])
        random.Random(seed).shuffle(order)
        return order


def open_bank(settings: MuseSettings) -> StimulusBank:
    """The stimuli that the settings ask for.

    Raises
    ------
    InputError
        No recordings, some that are missing (named), or nothing that can be asked.
    """
    if settings.source == "generated":
        return _generated(settings)
    if not settings.data:
        raise InputError(said("muse-data"))
    return _published(settings, Path(settings.data))


# The published recordings


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
        raise InputError(said("muse-no-stimuli", data=data))
    return recordings


def _published(settings: MuseSettings, data: Path) -> StimulusBank:
    recordings = recordings_in(data)
    _refuse_incomplete(settings, data, recordings)
    bank = StimulusBank()
    for task in settings.tasks:
        wanted = [item for group in settings.group for item in listed(task, group)]
        count = sum(item.is_whole(recordings) for item in wanted)
        if not count and settings.task:
            raise InputError(said("muse-no-task", data=data, task=task))
        if count < len(wanted):
            bank.remarks.append(said("muse-few-trials", task=task, n=count, of=len(wanted)))
        for group in settings.group:
            _add_group(bank, settings, recordings, task, group)
    if not any(bank.trials.values()):
        raise InputError(said("muse-unheard", data=data))
    return bank


def _add_group(
    bank: StimulusBank,
    settings: MuseSettings,
    recordings: dict[str, Path],
    task: TaskName,
    group: Group,
) -> None:
    # The whole list is shuffled and then thinned out: what is there keeps its published place.
    bank.trials[task, group] = [_stimulus(item, recordings) for item in listed(task, group)]
    for mode in settings.mode:
        shown = examples(task, group, mode) if settings.examples == "standard" else ()
        available = [item for item in shown if item.is_whole(recordings)]
        if len(available) < len(shown) and any(s.sounds for s in bank.trials[task, group]):
            counts = {"n": len(available), "of": len(shown)}
            bank.remarks.append(
                said("muse-few-examples", task=task, group=group, mode=mode, **counts)
            )
        bank.examples[task, group, mode] = [_stimulus(item, recordings) for item in available]


def _stimulus(item: PublishedItem, recordings: dict[str, Path]) -> Stimulus:
    """A trial with its recordings; without sounds where one is missing."""
    names = item.recordings if item.is_whole(recordings) else ()
    sounds = tuple(str(recordings[name]) for name in names)
    return Stimulus(item.id, item.task, sounds, item.answer, {"recording": " + ".join(item.names)})


def _refuse_incomplete(settings: MuseSettings, data: Path, recordings: dict[str, Path]) -> None:
    """Raise `InputError` that names the recordings that are missing, unless some may be."""
    if settings.partial:
        return
    expected = names_of(_needed(settings))
    if missing := sorted(expected - recordings.keys()):
        names, more = [f"{name}.wav" for name in missing[:_MOST_NAMED]], len(missing[_MOST_NAMED:])
        raise InputError(
            said("muse-lacks", data=data, n=len(missing), of=len(expected), names=names, more=more)
        )


def _needed(settings: MuseSettings) -> list[PublishedItem]:
    """The published trials and examples that the settings ask for."""
    needed: list[PublishedItem] = []
    for task in settings.tasks:
        for group in settings.group:
            needed += listed(task, group)
            for mode in settings.mode if settings.examples == "standard" else ():
                needed += examples(task, group, mode)
    return needed


def names_of(items: Iterable[PublishedItem]) -> set[str]:
    """The recordings of some trials and examples."""
    return {name for item in items for name in item.recordings}


def check_folder(data: Path, partial: bool) -> CheckResult:
    """Look through a folder of the recordings.

    Returns
    -------
    CheckResult
        `items` counts the trials and examples whose recordings are all there. Kinds of flaws:
        ``missing``, ``unreadable``, ``altered``, ``doubtful label``.
    """
    recordings = recordings_in(data)
    wanted = names_of(items())
    missing = sorted(wanted - recordings.keys())
    flaws = [] if partial else [
        Flaw("missing", f"{name}.wav", name, said("flaw-not-there"))
        for name in missing
    ]  # fmt: skip
    for name in sorted(wanted & recordings.keys()):
        try:
            audio_part(recordings[name])
        except InputError as error:
            flaws.append(Flaw("unreadable", f"{name}.wav", name, str(error)))
            continue
        known = _hashes().get(name.rpartition("/")[2])
        if known and hashlib.sha256(recordings[name].read_bytes()).hexdigest() != known:
            flaws.append(Flaw("altered", f"{name}.wav", name, said("flaw-altered")))
        if name in DOUBTFUL:
            flaws.append(Flaw("doubtful label", f"{name}.wav", name, DOUBTFUL[name]))
    whole = sum(item.is_whole(recordings) for item in items())
    notes = [said("data-published", n=len(wanted) - len(missing), of=len(wanted))]
    return CheckResult(whole, flaws, notes)


# Fresh items


def _generated(settings: MuseSettings) -> StimulusBank:
    """Fresh items of the tasks, in groups of ten, with as many examples as there are answers."""
    bank = StimulusBank()
    for task in settings.tasks:
        made = _fresh(settings, task, settings.n, reserved=False)
        shown: list[Stimulus] = []
        if settings.examples == "standard":
            shown = _fresh(settings, task, len(TASKS[task].answers), reserved=True)
        for number, first in enumerate(range(0, len(made), _TRIALS), 1):
            group = f"{number:03d}"
            bank.trials[task, group] = made[first : first + _TRIALS]
            for mode in settings.mode:
                bank.examples[task, group, mode] = shown
    return bank


def _fresh(settings: MuseSettings, task: TaskName, n: int, *, reserved: bool) -> list[Stimulus]:
    """Fresh items as stimuli, made in the cache by seed where they are not there."""
    from zhiyin.plugins.benchmarks.muse.making import make_items, read_items
    from zhiyin.plugins.music.render import open_renderer

    player, knobs = open_renderer(), settings.knobs
    words = [task, str(n), str(settings.seed), str(reserved), player.label, __version__]
    words.append(msgspec.json.encode(knobs).decode())
    name = hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]
    folder = cache_folder("stimuli") / f"tasks-{name}"

    def make(new: Path) -> None:
        make_items(task, n, settings.seed, knobs, new, player, reserved)

    return [
        Stimulus(
            f"{item.id}-{settings.seed}",
            task,
            tuple(str(folder / name) for name in item.sounds),
            item.answer,
            {"difficulty": "/".join((settings.difficulty, *settings.knob))},
        )
        for item in made_once(folder, read_items, make)
    ]
