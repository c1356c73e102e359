"""MMAU and MMAR: entries with question, choices, answer, and beside them what a model replied.

Their replies are published by writing them into the file of the questions.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args

from zhiyin.contract.benchmark import deferred
from zhiyin.contract.conditions import LISTENING_WAYS, TASK
from zhiyin.contract.declared import Flaw, Section
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.audio_reasoning import rules
from zhiyin.plugins.benchmarks.by_rules import sections_by_rules
from zhiyin.plugins.benchmarks.listening import Listening, OrderedSettings
from zhiyin.plugins.judges.rubrics import CRITERIA, Criterion, Rubric, pack_rubric
from zhiyin.plugins.methods.replies import (
    GivenEntry,
    entries_of,
    given_entries,
    reply_fields,
    reply_in,
)
from zhiyin.plugins.music.clips import (
    ClipQuestion,
    FaultSink,
    choices_of,
    common_flaws,
    fault_in,
    is_left_out,
    refuse,
    right_place,
    slug,
    twins,
)
from zhiyin.record import Reply
from zhiyin.runs.rows import Rows
from zhiyin.trial import Tag
from zhiyin.words import Text as Words
from zhiyin.words import said

Entry = Mapping[str, Any]
S = TypeVar("S", bound=OrderedSettings)


class AudioReasoning(Listening[S, ClipQuestion]):
    """Choices about recordings, read from a file that replies are written into."""

    ways = (*LISTENING_WAYS, TASK)
    fields: ClassVar[tuple[str, str, str]]
    """The texts of an entry that hold its id, its recording, and what kind of sound that is."""
    answers: ClassVar[tuple[str, ...]]
    """Where the published script finds a reply, the first that is there."""
    thoughts: ClassVar[str] = ""
    """Where it finds the thoughts behind the reply."""

    @classmethod
    @abstractmethod
    def groups_of(cls, entry: Entry) -> tuple[str, ...]:
        """The groups of a question, the kind of its sound first."""

    @classmethod
    @abstractmethod
    def facts_of(cls, entry: Entry) -> dict[str, Tag]:
        """Collect further facts about a question; never sent."""

    @classmethod
    @abstractmethod
    def place(cls, question: ClipQuestion) -> Any:
        """Sort key of a question; of equal ones the first in the file comes first."""

    @classmethod
    def fault(cls, entry: Entry) -> tuple[str, Words] | None:
        """Find a further fault in an entry: the kind of the flaw, and what is wrong."""
        return None

    @classmethod
    def read(cls, path: Path, on_fault: FaultSink) -> list[ClipQuestion]:
        """The questions of a file, in their order."""
        questions = [question for question, _ in cls.read_entries(path, on_fault)]
        if not questions:
            raise InputError(said("questions-none-home", path=path, home=cls.home))
        return sorted(questions, key=cls.place)

    @classmethod
    def read_entries(cls, path: Path, on_fault: FaultSink) -> Iterator[tuple[ClipQuestion, Entry]]:
        """The questions of a file with their entries; faulty ones go to `on_fault`."""
        seen: set[str] = set()
        for where, entry in entries_of(path):
            what = "entry" if where.startswith("item") else "line"
            fault = fault_in(entry, cls.fields) or cls.fault(entry)
            name = "" if fault else entry[cls.fields[0]]
            if name in seen:
                fault = "repeated-id", said("flaw-twice", id=name)
            if is_left_out(path, where, what, fault, on_fault):
                continue
            seen.add(name)
            yield cls.question(entry), entry

    @classmethod
    def asked(cls, path: Path, number: int, entry: Entry) -> ClipQuestion:
        """The question of an entry. Raises `InputError`, with its place, where it is none."""
        fault = fault_in(entry, cls.fields) or cls.fault(entry)
        if fault:
            raise InputError(said("reasoning-entry", path=path, number=number, fault=fault[1]))
        return cls.question(entry)

    @classmethod
    def question(cls, entry: Entry) -> ClipQuestion:
        """The question of an entry without a fault."""
        choices = choices_of(entry)
        empty: dict[str, Tag] = {"empty_choices": True}
        return ClipQuestion(
            id=entry[cls.fields[0]],
            recording=entry[cls.fields[1]],
            text=entry["question"].strip(),
            choices=choices,
            right=right_place(entry),
            groups=cls.groups_of(entry),
            tags=(empty if len(choices) < len(entry["choices"]) else {}) | cls.facts_of(entry),
        )

    @classmethod
    def flaws(cls, path: Path, questions: Sequence[ClipQuestion]) -> Iterator[Flaw]:
        """Yield the flaws of questions that can be asked all the same."""
        for question in questions:
            yield from common_flaws(path, question)
            yield from twins(path, question)

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """Our reading and the published one, side by side."""
        return sections_by_rules(rows, {"robust": "robust", "string-match": "match"})

    @classmethod
    def import_answers(
        cls,
        files: Sequence[Path],
        out: Path | None,
        extract: str,
        model: str,
        *,
        field: str = "",
        questions: Path | None = None,
    ) -> Path:
        """A run of files with replies in them, one for each repeat.

        `field` names the reply's; `questions` the file of the questions, where replies have an id
        alone. Then a question may have several replies in one file.
        """
        asked: list[tuple[ClipQuestion, Entry, int]] = []
        questions = questions or cls._questions_for(files)
        if questions is None:
            for repeat, path in enumerate(files, 1):
                read = cls.read_entries(path, refuse)
                asked += [(question, entry, repeat) for question, entry in read]
        else:
            given = given_entries(files, questions)
            asked = [(cls._joined(each), each.entry, each.repeat) for each in given]
        fields = reply_fields(files[0], [entry for _, entry, _ in asked], field, cls.answers)
        predictions = [
            (question, repeat, cls._reply(files[0], entry, fields))
            for question, entry, repeat in asked
        ]
        return cls.import_predictions(files, predictions, out, extract, model)

    @classmethod
    def _questions_for(cls, files: Sequence[Path]) -> Path | None:
        """The fetched questions, for files that hold replies alone; None for files with both."""
        first = [entry for path in files for _, entry in entries_of(path)[:1]]
        if not first or any(not isinstance(each, dict) or "question" in each for each in first):
            return None
        folder = cls.fetched({})
        if folder and (Path(folder) / cls.file).is_file():
            return Path(folder) / cls.file
        raise InputError(said("reasoning-replies", files=files[0], file=cls.file, name=cls.name))

    @classmethod
    def _joined(cls, given: GivenEntry) -> ClipQuestion:
        """The question of a reply that was joined with it."""
        fault = fault_in(given.entry, cls.fields) or cls.fault(given.entry)
        if fault:
            raise InputError(
                said("reasoning-fault", path=given.path, place=given.where, fault=fault[1])
            )
        return cls.question(given.entry)

    @classmethod
    def _reply(cls, path: Path, entry: Entry, fields: Sequence[str] = ()) -> Reply | None:
        """Read a model's reply; None for nothing."""
        text = reply_in(path, entry, fields or cls.answers)
        if text is None:
            return None
        thought = reply_in(path, entry, (cls.thoughts,)) if cls.thoughts else None
        return Reply(text, detail={"reasoning": thought} if thought else {})


# MMAU

Task = Literal["music", "sound", "speech"]
TASKS: tuple[Task, ...] = get_args(Task)


class MmauSettings(OrderedSettings, frozen=True):
    """Settings of a run of MMAU."""

    task: Annotated[tuple[Task, ...], Flag(f"which recordings: {', '.join(TASKS)}", "T,...")] = (
        TASKS
    )


class Mmau(AudioReasoning[MmauSettings]):
    """Multiple choice about recordings of music, sound and speech, as a `Benchmark`."""

    name = "mmau"
    rules = rules.MMAU
    tables = deferred("zhiyin.plugins.benchmarks.audio_reasoning.reproduce:MMAU_TABLES")
    """The figures that are known of published replies."""
    summary = said("mmau-summary")
    description = "mmau.toml"
    Settings = MmauSettings
    file = "mmau-test-mini.json"
    fields = ("id", "audio_id", "task")
    answers = ("model_output", "model_prediction")  # what the script reads, and its README names

    @classmethod
    def fault(cls, entry: Entry) -> tuple[str, Words] | None:
        """A task that there is not."""
        if entry["task"] in TASKS:
            return None
        return "bad-task", said("flaw-no-task", task=repr(entry["task"]), tasks=TASKS)

    @classmethod
    def groups_of(cls, entry: Entry) -> tuple[str, ...]:
        """The task, with the finer category and with the difficulty where they are told."""
        task, fine, level = entry["task"], _text(entry, "sub-category"), _text(entry, "difficulty")
        finer = (f"{task}/{slug(fine)}",) if fine else ()
        return (task, *finer, *((f"{task}/difficulty={slug(level)}",) if level else ()))

    @classmethod
    def facts_of(cls, entry: Entry) -> dict[str, Tag]:
        """Task, categories, difficulty and data set."""
        return {
            "task": entry["task"],
            "category": _text(entry, "category"),
            "sub_category": _text(entry, "sub-category"),
            "difficulty": _text(entry, "difficulty"),
            "dataset": _text(entry, "dataset"),
        }

    @classmethod
    def place(cls, question: ClipQuestion) -> int:
        """Sort music first."""
        return TASKS.index(question.tags["task"])  # type: ignore[arg-type]

    def wanted(self, question: ClipQuestion) -> bool:
        """Tell whether the question is of a task that is asked for."""
        return question.tags["task"] in self.settings.task


def _text(entry: Entry, name: str) -> str:
    """A label; some stand alone in a list."""
    value = entry.get(name)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, str) else ""


# MMAR


class MmarSettings(OrderedSettings, frozen=True):
    """Settings of a run of MMAR."""

    modality: Annotated[
        Literal["all", "music", "with-music"],
        Flag("which recordings: all, those of music alone, or all with music in them"),
    ] = "all"


class Mmar(AudioReasoning[MmarSettings]):
    """Multiple choice that takes reasoning about what is heard, as a `Benchmark`."""

    name = "mmar"
    rules = rules.MMAR
    tables = deferred("zhiyin.plugins.benchmarks.audio_reasoning.reproduce:MMAR_TABLES")
    """The figures that are known of published replies."""
    summary = said("mmar-summary")
    description = "mmar.toml"
    Settings = MmarSettings
    file = "MMAR-meta.jsonl"
    fields = ("id", "audio_path", "modality")
    answers, thoughts = ("answer_prediction",), "thinking_prediction"

    @classmethod
    def groups_of(cls, entry: Entry) -> tuple[str, ...]:
        """The modality and the layer, each with the finer category, and whether music is in it."""
        modality = slug(entry["modality"])
        layer, fine = (slug(str(entry.get(name) or "")) for name in ("category", "sub-category"))
        groups = [modality, f"{modality}/{fine}" if fine else "", layer]
        groups += [f"{layer}/{fine}" if layer and fine else ""]
        groups += ["with_music" if "music" in modality else ""]
        return tuple(filter(None, groups))

    @classmethod
    def facts_of(cls, entry: Entry) -> dict[str, Tag]:
        """Modality, categories, language, source, and the rubric of its reasoning."""
        language, source = entry.get("language"), entry.get("source")
        return {
            "modality": entry["modality"],
            "category": str(entry.get("category") or ""),
            "sub_category": str(entry.get("sub-category") or ""),
            "language": language if isinstance(language, str) else None,
            "source": source if isinstance(source, str) else None,
            **_criteria(entry),
        }

    @classmethod
    def place(cls, question: ClipQuestion) -> tuple[bool, bool]:
        """Sort music first, then what has music in it."""
        return "music" not in question.groups, "with_music" not in question.groups

    def wanted(self, question: ClipQuestion) -> bool:
        """Tell whether the question is of the modality that is asked for."""
        chosen = self.settings.modality
        return chosen == "all" or chosen.replace("-", "_") in question.groups


def _criteria(entry: Entry) -> dict[str, Tag]:
    """The rubric of a question, for a judge of the reasoning; nothing where it is not whole."""
    rubric = entry.get("rubric")
    points = rubric if isinstance(rubric, list) else ()
    texts = [(p.get("name"), p.get("scoring_point")) for p in points if isinstance(p, dict)]
    criteria = [Criterion(n, m) for n, m in texts if isinstance(n, str) and isinstance(m, str)]
    if not criteria or len(criteria) < len(points):
        return {}
    thinking = entry.get("thinking")
    rubric = Rubric(thinking if isinstance(thinking, str) else "", tuple(criteria))
    return {CRITERIA: pack_rubric(rubric)}
