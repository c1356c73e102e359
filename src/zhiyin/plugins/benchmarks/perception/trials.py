"""Trials made of a stimulus and a cell of the grid: what is said, what is played.

Worked examples are what a perfect participant would have replied, in each strategy's form.

Freshly made items as stimuli: made once for given settings, kept in a cache, used again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

import msgspec

from zhiyin import __version__
from zhiyin.errors import InputError
from zhiyin.files import cache_folder
from zhiyin.plugins.benchmarks.perception.scoring import pack
from zhiyin.plugins.benchmarks.perception.tasks import (
    TASKS,
    PerceptionSettings,
    PerceptionStimuli,
    PerceptionStimulus,
    TaskName,
    identifiers,
    transcribe,
)
from zhiyin.plugins.music import solvers
from zhiyin.plugins.music.made_files import made_once
from zhiyin.plugins.music.miditext import midi_text
from zhiyin.plugins.music.solvers import LEVELS, write_schema
from zhiyin.plugins.music.stimuli import TRUTH, Item, load
from zhiyin.plugins.music.stimuli.folder import make, make_exemplars, verify
from zhiyin.prompts import named_as, to_people
from zhiyin.sound import audio_part
from zhiyin.trial import Message, Part, Tag, Text, Trial, say
from zhiyin.words import said

PROMPTS_FOR = {"standalone": "question", "cot": "question", "logiclm": "transcribe"}


class GridCell(msgspec.Struct, frozen=True):
    """One cell of the grid."""

    task: TaskName
    modality: str
    shots: str
    strategy: str

    @property
    def name(self) -> str:
        """Name in groups and published results: ``chords/audio/zero/standalone``."""
        return f"{self.task}/{self.modality}/{self.shots}/{self.strategy}"


class PerceptionTrials:
    """Makes the trials of a run; a recording or MIDI file is read once.

    Parameters
    ----------
    prompts : dict of str to str
        By name. ``TASK-STRATEGY-MODALITY`` are the system instructions, to the specification of
        supplementary section S2; ``TASK-question`` and ``TASK-transcribe`` follow the sounds of
        a trial, the latter in LogicLM.
    source : {"generated", "muse"}
    """

    def __init__(self, prompts: dict[str, str], source: str) -> None:
        self.prompts, self.source = prompts, source
        self.audio, self._midi = cache(audio_part), cache(midi_text)

    def make(
        self, cell: GridCell, stimulus: PerceptionStimulus, examples: Sequence[PerceptionStimulus]
    ) -> Trial:
        """The trial of a stimulus in a cell, after worked examples (none for zero-shot)."""
        task = TASKS[cell.task]
        facts = {**msgspec.structs.asdict(cell), "item": stimulus.id, "source": self.source}
        facts |= stimulus.facts
        if stimulus.transcription is not None:
            facts["transcription"] = pack(stimulus.transcription)
        instruction = self.prompts[f"{cell.task}-{cell.strategy}-{cell.modality}"]
        messages = [say("system", instruction)]
        for number, example in enumerate(examples):
            ids = identifiers("example", len(task.ids), number * len(task.ids))
            messages.append(self._present(cell, example, ids))
            messages.append(say("assistant", solve(example, cell.strategy, ids)))
        return Trial(
            id=f"{cell.name}/{stimulus.id}",
            messages=(*messages, self._present(cell, stimulus, task.ids)),
            stem=self.prompts[f"{cell.task}-question"], options=task.options,
            target=stimulus.answer, groups=(cell.task, f"{cell.task}/{cell.modality}", cell.name),
            cluster=stimulus.id, tags=facts, item=stimulus.id, condition=cell.name,
        )  # fmt: skip

    def _present(self, cell: GridCell, stimulus: PerceptionStimulus, ids: Sequence[str]) -> Message:
        """Each sound after a line with its identifier, then what is asked."""
        parts: list[Part] = []
        if cell.modality == "audio":
            for name, path in zip(ids, stimulus.sounds, strict=True):
                parts += [Text(how_to_reply(f"Identifier: `{name}`")), self.audio(path)]
        else:
            for name, path in zip(ids, stimulus.scores, strict=True):
                named = how_to_reply(f"Identifier: `{name}`\n")
                parts.append(Text(f"{named}{self._midi(path)}"))
        request = self.prompts[f"{cell.task}-{PROMPTS_FOR[cell.strategy]}"]
        return Message("user", (*parts, Text(request)))


_INTERVALS = {
    "major": "a major third and a perfect fifth",
    "minor": "a minor third and a perfect fifth",
    "dominant": "a major third, a perfect fifth and a minor seventh",
    "diminished": "a minor third and a diminished fifth",
}


def how_to_reply(text: str) -> str:
    """Words of how a reply is written, as part of a prompt: none for people."""
    return "" if to_people() else text


def solve(stimulus: PerceptionStimulus, strategy: str, ids: Sequence[str]) -> str:
    """The right reply to a stimulus.

    Parameters
    ----------
    stimulus : PerceptionStimulus
    strategy : {"standalone", "cot", "logiclm"}
    ids : sequence of str
        The identifiers under which its sounds were introduced.

    Raises
    ------
    InputError
        For LogicLM where the transcription is not known.
    """
    task = TASKS[stimulus.task]
    option = next(option for option in task.options if option.key == stimulus.answer)
    if strategy == "logiclm" and not to_people():  # people choose, and write down nothing
        if stimulus.transcription is None:
            raise InputError(said("perception-unknown", recording=stimulus.facts.get("recording")))
        return write_schema(task.kind, stimulus.transcription, ids)
    sentence = stimulus.task == "transposition"
    answer = option.text if sentence else named_as(option.letter, option.text)
    if strategy == "cot":
        return f"{_REASONS[stimulus.task](stimulus)}\n{how_to_reply('Final Answer: ')}{answer}"
    return answer if sentence else f"{how_to_reply('Final Answer: ')}{answer}"


def _reason_syncopation(stimulus: PerceptionStimulus) -> str:
    level = solvers.LEVELS[stimulus.answer]
    (slots,) = stimulus.transcription or ((),)
    off = [slot for slot in slots if solvers.is_offbeat(slot)]
    # Sync3_A's level is not what its notes say: a reason that contradicts its answer teaches none.
    if stimulus.transcription is None or len(off) != level:
        return f"Hits of the kick and the snare halfway between the beats: {level}."
    return (
        f"Counting the eighth notes from 1, the kick and the snare sound on {_list(slots)}. "
        f"Even numbers are off-beats: {_list(off)}. Off-beat hits: {len(off)}."
    )


def _reason_transposition(stimulus: PerceptionStimulus) -> str:
    same = stimulus.answer == "Yes"
    if stimulus.transcription is None:
        verdict = "the same" if same else "not the same"
        return f"From note to note, the intervals of the two melodies are {verdict}."
    first, second = (
        ", ".join(f"{step:+d}" for step in solvers.intervals(row)) for row in stimulus.transcription
    )
    verdict = "They agree at every step." if same else "They do not agree."
    return (
        f"In semitones from note to note, the first melody moves {first}; the second melody "
        f"moves {second}. {verdict}"
    )


def _reason_chords(stimulus: PerceptionStimulus) -> str:
    letters = solvers.CHORD_LETTERS.items()
    quality = next(quality for quality, letter in letters if letter == stimulus.answer)
    classes = _list(sorted(solvers.CHORDS[quality]))
    return (
        f"Above the lowest note, the root, the chord has {_INTERVALS[quality]}: "
        f"pitch classes {classes}."
    )


_REASONS = {
    "syncopation": _reason_syncopation,
    "transposition": _reason_transposition,
    "chords": _reason_chords,
}


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"


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
                said("perception-few", at=settings.stimuli, n=len(items), task=task, of=settings.n)
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
        raise InputError(said("perception-no-truth", root=root, truth=TRUTH))
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
        id=item.id, task=item.task, sounds=tuple(str(folder / name) for name in item.sounds),
        scores=scores, answer=item.answer, facts=facts, transcription=transcribe(item.task, scores),
    )  # fmt: skip


def _refuse_unpublished(folder: Path, item: Item) -> None:
    """Raise `InputError` for an item about which the prompts would say something untrue."""
    if item.answer not in {option.key for option in TASKS[item.task].options}:
        raise InputError(
            said("perception-answer", folder=folder, item=item.id, key=item.answer, task=item.task)
        )
    if item.truth.get("inversion", 0) != 0:
        raise InputError(said("perception-inverted", folder=folder, item=item.id))


def _refuse_overlap(
    task: TaskName, scored: list[PerceptionStimulus], shown: list[PerceptionStimulus]
) -> None:
    """Raise `InputError` where a worked example sounds like a scored item."""
    examples = {stimulus.transcription for stimulus in shown}
    for stimulus in scored:
        if stimulus.transcription in examples:
            raise InputError(said("perception-same", sound=stimulus.sounds[0], task=task))
