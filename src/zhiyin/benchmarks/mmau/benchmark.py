"""The benchmark object, and what is read from the published file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from zhiyin.analysis.side_by_side import rules_section
from zhiyin.benchmarks.mmau.protocols import PROTOCOLS
from zhiyin.contract.asked import (
    Asked,
    FaultSink,
    choices_of,
    common_flaws,
    fault_in,
    read_json,
    refuse,
    right_place,
    slug,
    twins,
)
from zhiyin.contract.declared import Flaw, Headline, Published, Section, read_published
from zhiyin.contract.flags import Flag
from zhiyin.contract.listening import Listening, OrderedSettings
from zhiyin.engine.log import read_records
from zhiyin.errors import InputError
from zhiyin.record import Reply

Task = Literal["music", "sound", "speech"]
TASKS: tuple[Task, ...] = get_args(Task)
_REPLIES = ("model_output", "model_prediction")
"""The key that the published script reads, and the one that its README names."""


class Settings(OrderedSettings, frozen=True):
    """What the user chose."""

    task: Annotated[tuple[Task, ...], Flag(f"which recordings: {', '.join(TASKS)}", "T,...")] = (
        TASKS
    )


class Mmau(Listening[Settings]):
    """Multiple choice about recordings of music, sound and speech, as a `Benchmark`."""

    name = "mmau"
    summary = "MMAU test-mini: 1,000 questions on music, sound and speech; string match beside ours"
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
    protocols = PROTOCOLS
    Settings = Settings
    file, home = "mmau-test-mini.json", "https://github.com/Sakshi113/MMAU"

    @classmethod
    def read(cls, path: Path, on_fault: FaultSink) -> list[Asked]:
        """The questions of a file, those on music first."""
        questions = [asked for asked, _ in read_entries(path, on_fault)]
        if not questions:
            raise InputError(f"{path}: holds no question that can be asked; get it from {cls.home}")
        return sorted(questions, key=lambda q: TASKS.index(q.tags["task"]))  # type: ignore[arg-type]

    def wanted(self, question: Asked) -> bool:
        """Whether it is of a task that is asked for."""
        return question.tags["task"] in self.settings.task

    @classmethod
    def flaws(cls, path: Path, questions: Sequence[Asked]) -> Iterator[Flaw]:
        """What is wrong with questions that can be asked all the same."""
        for question in questions:
            yield from common_flaws(path, question)
            yield from twins(path, question)

    @classmethod
    def expected(cls) -> Published:
        """What the published data hold."""
        return read_published(Path(__file__).with_name("published_counts.json"))

    @classmethod
    def details(cls, folder: Path) -> list[Section]:
        """Our reading and the published one, side by side."""
        rules = {"robust": "robust", "string-match": "match"}
        records = list(read_records(folder))
        return (
            [rules_section(records, rules)]
            if any(r.verdict.state != "error" for r in records)
            else []
        )

    @classmethod
    def import_answers(
        cls, files: Sequence[Path], out: Path | None, extract: str, model: str
    ) -> Path:
        """Replies as the published script scores them: the questions with ``model_output``."""
        found = [
            (asked, repeat, _reply(path, asked.id, entry))
            for repeat, path in enumerate(files, 1)
            for asked, entry in read_entries(path, refuse)
        ]
        return cls.import_predictions(files, found, out, extract, model)


def read_entries(path: Path, on_fault: FaultSink) -> Iterator[tuple[Asked, dict[str, Any]]]:
    """The questions of a file with their entries; faulty ones go to `on_fault`."""
    found = read_json(path)
    if not isinstance(found, list):
        raise InputError(f"{path}: no array of questions; is it the published file?")
    seen: set[str] = set()
    for number, entry in enumerate(found, 1):
        fault = fault_in(entry, ("id", "audio_id", "task"))
        if not fault and entry["task"] not in TASKS:
            fault = "bad-task", f"task {entry['task']!r} is none of {', '.join(TASKS)}"
        if not fault and entry["id"] in seen:
            fault = "repeated-id", f"the id {entry['id']} stands twice"
        if fault:
            on_fault(Flaw(fault[0], str(path), f"item {number}", f"{fault[1]}: mend the entry"))
            continue
        seen.add(entry["id"])
        yield _asked(entry), entry


def _asked(entry: dict[str, Any]) -> Asked:
    kind, fine = _text(entry.get("category")), _text(entry.get("sub-category"))
    level, task = _text(entry.get("difficulty")), entry["task"]
    groups = [task]
    groups += [f"{task}/{slug(fine)}"] if fine else []
    groups += [f"{task}/difficulty={slug(level)}"] if level else []
    return Asked(
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
        if (said := entry.get(key)) is not None:
            if not isinstance(said, str):
                raise InputError(f"{path}: {name}: {key} is no text; write what the model said")
            return Reply(said)
    return None
