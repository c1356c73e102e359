"""From a stimulus and a cell of the grid to a trial: what is said, what is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from zhiyin.benchmarks.perception.scoring import pack
from zhiyin.benchmarks.perception.tasks import TASKS, Stimulus, TaskName, identifiers
from zhiyin.benchmarks.perception.worked import solve
from zhiyin.trial import Audio, Message, Part, Text, Trial, say

PROMPTS_FOR = {"standalone": "question", "cot": "question", "logiclm": "transcribe"}


class Cell(msgspec.Struct, frozen=True):
    """One cell of the grid."""

    task: TaskName
    modality: str
    shots: str
    strategy: str

    @property
    def name(self) -> str:
        """As groups and published results name it: ``chords/audio/zero/standalone``."""
        return f"{self.task}/{self.modality}/{self.shots}/{self.strategy}"


class Players(msgspec.Struct, frozen=True):
    """How a path becomes part of a message: a recording as sound, a MIDI file as text."""

    audio: Callable[[str], Audio]
    midi: Callable[[str], str]


def build_trial(
    cell: Cell,
    stimulus: Stimulus,
    exemplars: Sequence[Stimulus],
    prompts: dict[str, str],
    players: Players,
    source: str,
) -> Trial:
    """The trial of a stimulus in a cell.

    Parameters
    ----------
    cell : Cell
    stimulus : Stimulus
    exemplars : sequence of Stimulus
        Worked examples to show before; empty for zero-shot.
    prompts : dict of str to str
        By name. ``TASK-STRATEGY-MODALITY`` are the system instructions, to the specification of
        supplementary section S2; ``TASK-question`` and ``TASK-transcribe`` follow the sounds of
        a trial, the latter in LogicLM.
    players : Players
    source : {"generated", "muse"}
    """
    task = TASKS[cell.task]
    facts = {
        "task": cell.task,
        "modality": cell.modality,
        "shots": cell.shots,
        "strategy": cell.strategy,
        "item": stimulus.id,
        "source": source,
        **stimulus.facts,
    }
    if stimulus.transcription is not None:
        facts["transcription"] = pack(stimulus.transcription)
    return Trial(
        id=f"{cell.name}/{stimulus.id}",
        messages=(
            say("system", prompts[f"{cell.task}-{cell.strategy}-{cell.modality}"]),
            *_examples(cell, exemplars, prompts, players),
            _present(cell, stimulus, task.ids, prompts, players),
        ),
        stem=prompts[f"{cell.task}-question"],
        options=task.options,
        target=stimulus.answer,
        groups=(cell.task, f"{cell.task}/{cell.modality}", cell.name),
        cluster=stimulus.id,
        tags=facts,
        item=stimulus.id,
        condition=cell.name,
    )


def _examples(
    cell: Cell, exemplars: Sequence[Stimulus], prompts: dict[str, str], players: Players
) -> list[Message]:
    messages: list[Message] = []
    shown = 0
    for example in exemplars:
        ids = identifiers("example", len(TASKS[cell.task].ids), shown)
        shown += len(ids)
        messages.append(_present(cell, example, ids, prompts, players))
        messages.append(say("assistant", solve(example, cell.strategy, ids)))
    return messages


def _present(
    cell: Cell,
    stimulus: Stimulus,
    ids: Sequence[str],
    prompts: dict[str, str],
    players: Players,
) -> Message:
    """Each sound after a line with its identifier, then what is asked."""
    parts: list[Part] = []
    if cell.modality == "audio":
        for name, path in zip(ids, stimulus.sounds, strict=True):
            parts += [Text(f"Identifier: `{name}`"), players.audio(path)]
    else:
        for name, path in zip(ids, stimulus.scores, strict=True):
            parts.append(Text(f"Identifier: `{name}`\n{players.midi(path)}"))
    request = prompts[f"{cell.task}-{PROMPTS_FOR[cell.strategy]}"]
    return Message("user", (*parts, Text(request)))
