"""The benchmark object, and what is read from the published file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from zhiyin.analysis.sections import sections_by_rules
from zhiyin.benchmarks.mmau.protocols import PROTOCOLS
from zhiyin.contract.clips import (
    ClipQuestion,
    choices_of,
    read_json,
    right_place,
    slug,
)
from zhiyin.contract.conditions import LISTENING_WAYS, TASK
from zhiyin.contract.declared import Headline, Section
from zhiyin.contract.listening import Matched, OrderedSettings
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.record import Reply
from zhiyin.runs.rows import Rows
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.contract.published import Source

Task = Literal["music", "sound", "speech"]
TASKS: tuple[Task, ...] = get_args(Task)
_REPLIES = ("model_output", "model_prediction")
"""The key that the published script reads, and the one that its README names."""


class Settings(OrderedSettings, frozen=True):
    """What the user chose."""

    task: Annotated[tuple[Task, ...], Flag(f"which recordings: {', '.join(TASKS)}", "T,...")] = (
        TASKS
    )


class Mmau(Matched[Settings]):
    """Multiple choice about recordings of music, sound and speech, as a `Benchmark`."""

    name = "mmau"
    summary = said("mmau-summary")
    paper = (
        "S. Sakshi, Utkarsh Tyagi, Sonal Kumar, Ashish Seth, Ramaneswaran Selvakumar, Oriol Nieto, "
        "Ramani Duraiswami, Sreyan Ghosh, Dinesh Manocha: MMAU, A Massive Multi-Task Audio "
        "Understanding and Reasoning Benchmark. ICLR 2025, arXiv:2410.19168"
    )
    licence = "questions Apache-2.0; recordings by the terms of their collections"
    bibtex = """\
@inproceedings{sakshi2025mmau,
  title     = {{MMAU}: A Massive Multi-Task Audio Understanding and Reasoning Benchmark},
  author    = {Sakshi, S. and Tyagi, Utkarsh and Kumar, Sonal and Seth, Ashish and Selvakumar,
               Ramaneswaran and Nieto, Oriol and Duraiswami, Ramani and Ghosh, Sreyan and Manocha,
               Dinesh},
  booktitle = {International Conference on Learning Representations},
  year      = {2025}
}
"""
    headline = Headline(group="music")
    ways = (*LISTENING_WAYS, TASK)
    skills = {
        "music/instrumentation": "timbre",
        "music/musical_texture_interpretation": "timbre",
        "music/rhythm_and_tempo_understanding": "rhythm",
        "music/melodic_structure_interpretation": "pitch",
        "music/harmony_and_chord_progressions": "harmony",
        "music/emotional_tone_interpretation": "mood",
        "music/socio_cultural_interpretation": "knowledge",
        "music/temporal_reasoning": "reasoning",
        "music/lyrical_reasoning": "reasoning",
        "music/musical_genre_reasoning": "reasoning",
    }
    protocols = PROTOCOLS
    Settings = Settings
    file, home = "mmau-test-mini.json", "https://github.com/Sakshi113/MMAU"

    named = ("id", "audio_id", "task")

    @classmethod
    def entries(cls, path: Path) -> Iterator[tuple[str, str, Any]]:
        """The items of the file's one array."""
        questions = read_json(path)
        if not isinstance(questions, list):
            raise InputError(f"{path}: no array of questions; is it the published file?")
        for number, entry in enumerate(questions, 1):
            yield f"item {number}", "entry", entry

    @classmethod
    def fault(cls, entry: dict[str, Any]) -> tuple[str, str] | None:
        """A task that there is not."""
        if entry["task"] in TASKS:
            return None
        return "bad-task", f"task {entry['task']!r} is not one of {', '.join(TASKS)}"

    @classmethod
    def asked(cls, entry: dict[str, Any]) -> ClipQuestion:
        """The question of an entry."""
        return _asked(entry)

    @classmethod
    def reply(cls, path: Path, name: str, entry: dict[str, Any]) -> Reply | None:
        """What the published script reads: ``model_output``."""
        return _reply(path, name, entry)

    @classmethod
    def place(cls, question: ClipQuestion) -> int:
        """Music first."""
        return TASKS.index(question.tags["task"])  # type: ignore[arg-type]

    def wanted(self, question: ClipQuestion) -> bool:
        """Whether it is of a task that is asked for."""
        return question.tags["task"] in self.settings.task

    @classmethod
    def sources(cls) -> Sequence[Source]:
        """Where its data are published."""
        from zhiyin.benchmarks.mmau.sources import SOURCES

        return SOURCES

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """Our reading and the published one, side by side."""
        return sections_by_rules(rows, {"robust": "robust", "string-match": "match"})


def _asked(entry: dict[str, Any]) -> ClipQuestion:
    kind, fine = _text(entry.get("category")), _text(entry.get("sub-category"))
    level, task = _text(entry.get("difficulty")), entry["task"]
    groups = [task]
    groups += [f"{task}/{slug(fine)}"] if fine else []
    groups += [f"{task}/difficulty={slug(level)}"] if level else []
    return ClipQuestion(
        id=entry["id"],
        recording=entry["audio_id"],
        text=entry["question"].strip(),
        choices=choices_of(entry),
        right=right_place(entry),
        groups=tuple(groups),
        tags={
            **({"empty_choices": True} if len(choices_of(entry)) < len(entry["choices"]) else {}),
            "task": task,
            "category": kind,
            "sub_category": fine,
            "difficulty": level,
            "dataset": _text(entry.get("dataset")),
        },
    )


def _text(value: Any) -> str:
    """A label; some stand alone in a list."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, str) else ""


def _reply(path: Path, name: str, entry: dict[str, Any]) -> Reply | None:
    for key in _REPLIES:
        if (output := entry.get(key)) is not None:
            if not isinstance(output, str):
                raise InputError(f"{path}: {name}: {key} is no text; write what the model said")
            return Reply(output)
    return None
