"""Freshly made items as stimuli: made once for given settings, kept in a cache, used again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from zhiyin import __version__
from zhiyin.errors import InputError
from zhiyin.files import cache_folder, made_once
from zhiyin.plugins.benchmarks.perception.tasks import (
    TASKS,
    PerceptionSettings,
    PerceptionStimuli,
    PerceptionStimulus,
    TaskName,
    transcribe,
)
from zhiyin.plugins.music.solvers import LEVELS
from zhiyin.plugins.music.stimuli import Item, load, make, make_exemplars, verify
from zhiyin.plugins.music.stimuli.item import TRUTH
from zhiyin.trial import Tag


def open_generated(settings: PerceptionSettings) -> PerceptionStimuli:
    """The stimuli of a generated source.

    Items come from the folder that the settings name, or are made into
    ``$ZHIYIN_CACHE/stimuli`` (by default ``~/.cache/zhiyin/stimuli``), in a folder for each task,
    number, seed, renderer and version of Zhiyin. Worked examples are always made.

    Raises
    ------
    InputError
        For stimuli that are missing, damaged or not of the published kind, or settings by which
        none can be made.
    """
    bank = PerceptionStimuli()
    for task, items in _scored(settings):
        bank.scored += items
        if settings.shows_examples:
            shown = _cached(settings, "examples", task, _maker(task, None, settings.seed))
            _refuse_overlap(task, items, shown)
            bank.exemplars[task] = shown
    return bank


def _scored(settings: PerceptionSettings) -> Iterable[tuple[TaskName, list[PerceptionStimulus]]]:
    if settings.stimuli is None:
        for task in settings.tasks:
            n = settings.n or TASKS[task].generated
            yield task, _cached(settings, str(n), task, _maker(task, n, settings.seed))
        return
    stimuli = _read_folder(Path(settings.stimuli))
    for task in settings.tasks:
        items = [item for item in stimuli if item.task == task]
        if settings.n is not None and 0 < len(items) < settings.n:
            raise InputError(
                f"{settings.stimuli}: {len(items)} items of {task}, not {settings.n}; "
                "lower --n, or make more"
            )
        if items:
            yield task, items[: settings.n]
        elif settings.task:
            raise InputError(f"{settings.stimuli}: no items of {task}; make some, or change --task")


def _read_folder(root: Path) -> list[PerceptionStimulus]:
    """The items of a folder, or of its subfolders named after tasks, checked against their MIDI."""
    folders = [root] if (root / TRUTH).is_file() else [root / task for task in TASKS]
    folders = [folder for folder in folders if (folder / TRUTH).is_file()]
    if not folders:
        raise InputError(
            f"{root}: no {TRUTH} in it or in a folder named after a task; "
            "make stimuli with `zhiyin stimuli make`"
        )
    return [stimulus for folder in folders for stimulus in _stimuli(folder, verify(folder))]


def _maker(task: TaskName, n: int | None, seed: int) -> Callable[[Path], object]:
    """Make a function that makes `n` scored items, or (None) the worked examples, in a folder."""
    if n is None:
        return lambda folder: make_exemplars(task, seed, folder)
    return lambda folder: make(task, n, seed, folder)


def _cached(
    settings: PerceptionSettings, what: str, task: TaskName, maker: Callable[[Path], object]
) -> list[PerceptionStimulus]:
    """The items in the cache's folder for some settings, made if they are not there."""
    from zhiyin.plugins.music.render import open_renderer

    words = "\0".join((f"{task}/{what}", str(settings.seed), open_renderer().label, __version__))
    folder = cache_folder("stimuli") / hashlib.sha256(words.encode()).hexdigest()[:24]
    return _stimuli(folder, made_once(folder, _read_whole, maker))


def _read_whole(folder: Path) -> list[Item] | None:
    try:
        return load(folder)
    except InputError:
        return None


def _stimuli(folder: Path, items: Iterable[Item]) -> list[PerceptionStimulus]:
    return [_stimulus(folder, item) for item in items]


def _stimulus(folder: Path, item: Item) -> PerceptionStimulus:
    _refuse_unpublished(folder, item)
    scores = tuple(str(folder / name) for name in item.scores)
    facts: dict[str, Tag] = {"renderer": item.renderer}
    if item.task == "syncopation":
        facts["level"] = LEVELS[item.answer]
    else:
        name = "kind" if item.task == "transposition" else "quality"
        facts[name] = str(item.truth[name])
    return PerceptionStimulus(
        id=item.id,
        task=item.task,
        sounds=tuple(str(folder / name) for name in item.sounds),
        scores=scores,
        answer=item.answer,
        facts=facts,
        transcription=transcribe(item.task, scores),
    )


def _refuse_unpublished(folder: Path, item: Item) -> None:
    """Raise `InputError` for an item about which the prompts would say something untrue."""
    if item.answer not in {option.key for option in TASKS[item.task].options}:
        raise InputError(
            f"{folder}: {item.id} has the answer {item.answer}, which {item.task} does not offer; "
            "make stimuli without further qualities"
        )
    if item.truth.get("inversion", 0) != 0:
        raise InputError(
            f"{folder}: {item.id} is inverted, and the question is about chords in root position; "
            "make stimuli without inversions"
        )


def _refuse_overlap(
    task: TaskName, scored: list[PerceptionStimulus], shown: list[PerceptionStimulus]
) -> None:
    """Raise `InputError` where a worked example sounds like a scored item."""
    examples = {stimulus.transcription for stimulus in shown}
    for stimulus in scored:
        if stimulus.transcription in examples:
            raise InputError(
                f"{stimulus.sounds[0]}: the same {task} item is a worked example; "
                "make stimuli with `zhiyin stimuli make`, or choose another --seed"
            )
