"""MMAU-Pro as a `Benchmark`: choices, open answers and instructions about recordings."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

import msgspec

from zhiyin.contract.declared import Flaw, Section
from zhiyin.contract.tables import read_table
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import judge_choice, unread
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.parsing import read_json_text
from zhiyin.plugins.benchmarks.listening import PLACES, Listening, OrderedSettings, Variant
from zhiyin.plugins.benchmarks.mmau_pro import answers
from zhiyin.plugins.judges.answers import Judge, judgement_in
from zhiyin.plugins.music.clips import (
    LETTERS,
    ClipQuestion,
    FaultSink,
    common_flaws,
    fault_in,
    find_table,
    is_left_out,
    refuse,
    slug,
)
from zhiyin.record import Exchange, Reply, Strategy, Verdict
from zhiyin.runs.rows import Rows
from zhiyin.strategies import standalone
from zhiyin.trial import Audio, Message, Option, Tag, Text, Trial
from zhiyin.words import Said, said
from zhiyin.words import Text as Words

Category = Literal[
    "music", "sound", "speech", "multi", "spatial_audio", "voice_chat", "sound_speech",
    "sound_music", "music_speech", "sound_music_speech", "open", "instruction_following",
]  # fmt: skip
CATEGORIES: tuple[Category, ...] = get_args(Category)
AnswerKind = Literal["closed", "open", "instruction"]
OPEN, INSTRUCTION = "open", "instruction_following"
OPEN_ANSWERS = "open_answers"
"""The group of the category "open"."""
REPLIES = ("model_output", "model_ouput", "model_prediction")
"""Columns of a reply: what the script reads, what its README says, and a common name."""
UNKEYED = -1
"""The place of the right choice where none of them is keyed."""
_LABELS = ("length_type", "task_classification", "region", "culture", "transcription")
_VERSION = 1
"""Raised whenever an open answer or an instruction would be scored otherwise."""


class ProSettings(OrderedSettings, frozen=True):
    """Settings of a run of MMAU-Pro."""

    category: Annotated[
        tuple[Category, ...], Flag(f"which questions: {', '.join(CATEGORIES)}", "C,...")
    ] = CATEGORIES
    judge: Annotated[str | None, Flag("who judges open answers, a model", "JUDGE", place=True)] = (
        None
    )


class ProQuestion(ClipQuestion, frozen=True):
    """A question about one recording or several.

    Attributes
    ----------
    others : tuple of str
        The recordings after the first.
    kind : {"closed", "open", "instruction"}
    answer : str
        Of an open question.
    """

    others: tuple[str, ...] = ()
    kind: AnswerKind = "closed"
    answer: str = ""

    @property
    def clips(self) -> tuple[str, ...]:
        """Every recording that is played for it, in order."""
        return (self.recording, *self.others)


class MmauPro(Listening[ProSettings, ProQuestion]):
    """Questions on speech, sound, music and their mixtures, as a `Benchmark`."""

    name = "mmau-pro"
    summary = said("mmau-pro-summary")
    description = "benchmark.toml"
    Settings = ProSettings
    file = "test.parquet"
    places_in_prompts: ClassVar = {
        **PLACES,
        "open": ("question",),
        "instruction": ("question",),
        "judge": ("question", "expected", "reply"),
        "again": ("fault",),
    }

    # Data

    @classmethod
    def find(cls, data: str | None) -> Path:
        """The table of the questions."""
        return find_table(
            data, (cls.file, "test.jsonl", "*.parquet", "*.jsonl", "*.json"), cls.name, cls.home
        )

    @classmethod
    def read(cls, path: Path, on_fault: FaultSink) -> list[ProQuestion]:
        """The questions of the table, in its order."""
        questions = [question for question, _ in cls.read_entries(path, on_fault)]
        if not questions:
            raise InputError(said("questions-none-home", path=path, home=cls.home))
        return questions

    @classmethod
    def read_entries(
        cls, path: Path, on_fault: FaultSink
    ) -> Iterator[tuple[ProQuestion, dict[str, Any]]]:
        """The questions with their rows; faulty ones go to `on_fault`."""
        seen: set[str] = set()
        table = read_table(path)
        for broken in table.broken:
            on_fault(Flaw(broken.kind, str(path), f"{table.unit} {broken.line}", broken.problem))
        for row in table.rows:
            entry = {name: row.cells.get(name) for name in table.columns}
            entry |= {name: _listed(entry.get(name)) for name in ("audio_path", "choices")}
            if isinstance(entry.get("id"), int):
                entry["id"] = str(entry["id"])
            kind = kind_of(entry)
            fault = _fault(entry, kind)
            if not fault and entry["id"] in seen:
                fault = "repeated-id", said("flaw-twice", id=entry["id"])
            if is_left_out(path, f"{table.unit} {row.line}", table.unit, fault, on_fault):
                continue
            seen.add(entry["id"])
            yield _question(entry, kind), entry

    @cached_property
    def all_questions(self) -> list[ProQuestion]:
        """The questions that are asked for; with ``--partial`` without rows that have a fault."""
        on_fault = self._faults.append if self.settings.partial else refuse
        return [q for q in self.read(self.path, on_fault) if self.wanted(q)]

    @cached_property
    def _faults(self) -> list[Flaw]:
        return []

    def wanted(self, question: ProQuestion) -> bool:
        """Tell whether the question is of a category that is asked for."""
        chosen = self.settings.category
        return chosen == CATEGORIES or question.tags["category"] in chosen

    @classmethod
    def flaws(cls, path: Path, questions: Sequence[ProQuestion]) -> Iterator[Flaw]:
        """Yield the flaws of questions that can be asked all the same."""
        for question in questions:
            rule = question.tags.get("rule")
            if question.kind == "closed":
                if question.tags.get("other_key"):
                    found = question.right != UNKEYED
                    key = repr(question.answer)
                    detail = said("mmau-pro-other-key", key=key, found=found)
                    kind = "key-differs" if found else "no-right-choice"
                    yield Flaw(kind, path.name, question.id, detail)
                if question.right != UNKEYED:
                    yield from common_flaws(path, question)
            elif question.kind == "instruction" and not answers.is_known(str(rule)):
                detail = said("mmau-pro-no-rule", rule=repr(rule))
                yield Flaw("unknown-rule", path.name, question.id, detail)
            elif question.tags.get("unofficial"):
                yield Flaw("one-choice", path.name, question.id, said("mmau-pro-one-choice"))

    # Trials

    def target(self, question: ProQuestion, variant: Variant) -> str | None:
        """The key of the right choice, the answer of an open question, none of an instruction.

        Where none of the choices is right it is the published answer, in quotes if it looks like
        the letter of one.
        """
        if question.kind == "closed" and question.right != UNKEYED:
            return super().target(question, variant)
        seems_a_letter = question.right == UNKEYED and set(question.answer) <= {*LETTERS, ","}
        return f'"{question.answer}"' if seems_a_letter else question.answer or None

    def options(self, question: ProQuestion, variant: Variant) -> tuple[Option, ...]:
        """The choices of a closed question; others show none."""
        return super().options(question, variant) if question.kind == "closed" else ()

    def messages(
        self,
        question: ProQuestion,
        variant: Variant,
        options: Sequence[Option],
        audio: str,
        sound: Audio | None,
    ) -> tuple[Message, ...]:
        """All recordings in their order, then the question."""
        (message,) = super().messages(question, variant, options, audio, sound)
        words = message.parts[-1]
        if question.kind != "closed":
            words = Text(self._asking.fill(question.kind, question=question.text))
        more = [self.play_clip(clip, audio) for clip in question.others] if sound else []
        sounds = [part for part in (sound, *more) if part is not None]
        return (Message("user", (*sounds, words)),)

    def play_clip(self, clip: str, audio: str) -> Audio | None:
        """Get what is played for a further recording."""
        assert self.recordings is not None
        return self.recordings.play(clip, audio, self.settings.seed)

    def remarks(self) -> list[str | Said]:
        """Report what is missing, and what cannot be scored without a judge."""
        remarks = super().remarks()
        opened = sum(question.kind == "open" for question in self.questions)
        if opened and not self.settings.judge:
            remarks.append(said("mmau-pro-unjudged", n=opened))
        if unkeyed := sum(question.right == UNKEYED for question in self.questions):
            remarks.append(said("mmau-pro-unkeyed", n=unkeyed))
        if self._faults:
            first = self._faults[0]
            remarks.append(said("mmau-pro-faults", n=len(self._faults), where=first.id))
        return remarks

    # Answers

    async def before(self, order: Any) -> None:
        """See that the judge is there, where one is named."""
        if self.settings.judge:
            await self._judge.check()

    def strategy(self, trial: Trial) -> Strategy:
        """One question, one reply; and a judgement of an open answer."""
        judged = trial.tags.get("kind") == "open" and self.settings.judge
        return self._judge.conduct if judged else standalone

    @cached_property
    def _judge(self) -> Judge:
        return Judge(str(self.settings.judge), self._asking, answers.GRADE)

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """A choice by its policy, an instruction by its rule, an open answer by its judge.

        `official` in the scores is what the official script gives, where it needs no embedding.
        """
        kind = trial.tags.get("kind")
        if kind == "instruction":
            return _by_rule(trial, exchange.final)
        if kind == "open":
            return _by_judge(trial, exchange)
        return judge_choice(trial, exchange, self.policy)

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """Our rule and the official one, part by part."""
        from zhiyin.plugins.benchmarks.mmau_pro.answers import rule_sections

        return rule_sections(rows, cls.published())

    @classmethod
    def import_answers(
        cls, files: Sequence[Path], out: Path | None, extract: str, model: str
    ) -> Path:
        """A run of tables with replies in them, one for each repeat."""
        predictions = [
            (question, repeat, _reply(path, entry))
            for repeat, path in enumerate(files, 1)
            for question, entry in cls.read_entries(path, refuse)
        ]
        return cls.import_predictions(files, predictions, out, extract, model)


def kind_of(entry: Mapping[str, Any]) -> AnswerKind:
    """Find how a row is answered: by its category, and by whether it offers choices."""
    category = slug(str(entry.get("category") or ""))
    if category == INSTRUCTION:
        return "instruction"
    return "open" if category == OPEN or len(_choices(entry)) < 2 else "closed"


def _choices(entry: Mapping[str, Any]) -> list[str]:
    return [c for c in entry.get("choices") or () if isinstance(c, str) and c.strip()]


def _listed(value: Any) -> Any:
    """A list, as JSON where the table holds text; one text alone is a list of one."""
    if isinstance(value, str) and value.strip().startswith("["):
        try:
            return read_json_text(value)
        except ValueError:
            return [value]
    return [value] if isinstance(value, str) and value.strip() else value


def _fault(entry: Mapping[str, Any], kind: AnswerKind) -> tuple[str, Words] | None:
    """Find why a row cannot be asked: the kind of the flaw, and what is wrong."""
    clips = entry["audio_path"]
    if not clips or not all(isinstance(clip, str) and clip.strip() for clip in clips):
        return "blank-field", said("flaw-none", field="audio_path")
    if kind == "closed":
        fault = fault_in(entry, ("id", "category"))
        # Published rows have such keys, and officially they count as wrong.
        return None if fault and fault[0] == "bad-answer" else fault
    needed = [
        "id",
        "category",
        "question",
        *(["answer"] if kind == "open" else ["task_identifier"]),
    ]
    lacking = [n for n in needed if not isinstance(entry.get(n), str) or not entry[n].strip()]
    return ("blank-field", said("flaw-none", field=lacking[0])) if lacking else None


def _question(entry: Mapping[str, Any], kind: AnswerKind) -> ProQuestion:
    """The question of a row without a fault."""
    category = slug(entry["category"])
    fine = slug(str(entry.get("sub-cat") or ""))
    length = slug(str(entry.get("length_type") or ""))
    first, *others = entry["audio_path"]
    tags: dict[str, Tag] = {"kind": kind, "category": category, "clips": 1 + len(others)}
    tags |= {n: entry[n] for n in _LABELS if isinstance(entry.get(n), str) and entry[n]}
    for name in ("perceptual_skills", "reasoning_skills"):
        if skills := _listed(entry.get(name)):
            tags[name] = "; ".join(map(str, skills))
    if kind == "instruction":
        tags["rule"] = entry["task_identifier"].strip()
        tags["arguments"] = json.dumps(_arguments(entry.get("kwargs")), ensure_ascii=False)
    if kind == "open":
        tags["accept"] = json.dumps([entry["answer"].strip()], ensure_ascii=False)
        if category != OPEN:
            tags["unofficial"] = True
    region = slug(str(entry.get("region") or entry.get("culture") or ""))
    named = OPEN_ANSWERS if category == OPEN else category
    groups = (
        named,
        f"{category}/{fine}" if fine else "",
        f"{category}/region={region}" if region else "",
        "closed_answers" if kind == "closed" else "",
        "several_clips" if others else "",
        f"length={length}" if length else "",
    )
    closed = kind == "closed"
    if closed and entry["answer"] not in entry["choices"]:
        tags["other_key"] = True
    return ProQuestion(
        id=entry["id"], recording=first, text=entry["question"].strip(),
        choices=tuple(_choices(entry)) if closed else (),
        right=_keyed_place(entry) if closed else 0, groups=tuple(filter(None, groups)), tags=tags,
        others=tuple(others), kind=kind,
        answer=entry["answer"].strip() if kind != "instruction" else "",
    )  # fmt: skip


def _keyed_place(entry: Mapping[str, Any]) -> int:
    """Find the keyed choice: that with the words of the answer, and else the only one like it."""
    choices = [choice.strip() for choice in _choices(entry)]
    answer = entry["answer"].strip()
    if answer in choices:
        return choices.index(answer)
    alike = [place for place, choice in enumerate(choices) if _form(choice) == _form(answer)]
    return alike[0] if len(alike) == 1 else UNKEYED


def _form(text: str) -> str:
    """A text without regard to case, width, blanks, and marks at its ends."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return folded.strip(" .,;:!?\"'`") or folded


def _arguments(value: Any) -> dict[str, Any]:
    """The arguments of a rule: an object, or JSON of one; what is null is not there."""
    if isinstance(value, str):
        try:
            value = read_json_text(value)
        except ValueError:
            value = None
    given = value.items() if isinstance(value, dict) else ()
    return {name: each for name, each in given if each is not None}


def _reply(path: Path, entry: Mapping[str, Any]) -> Reply | None:
    """Read a model's reply; None for nothing.

    A table without such a column is refused: the official script would score the key itself.
    """
    column = next((name for name in REPLIES if name in entry), None)
    if column is None:
        raise InputError(said("mmau-no-replies", path=path, replies=REPLIES[0]))
    given = entry[column]
    if given is not None and not isinstance(given, str):
        raise InputError(said("mmau-no-text", path=path, entry=entry["id"], column=column))
    return None if given is None else Reply(given)


def _by_rule(trial: Trial, reply: Reply) -> Verdict:
    """An instruction: an empty reply follows none, whatever the official rule says of it."""
    rule, label = str(trial.tags["rule"]), f"instruction@{_VERSION}"
    arguments = msgspec.json.decode(str(trial.tags["arguments"]), type=dict[str, Any])
    followed = answers.follows(rule, reply.text, arguments, trial.stem)
    scores = {"official": float(bool(followed))}
    if not reply.text.strip() or reply.finish == "refusal":
        return msgspec.structs.replace(unread(reply, "empty reply", label), scores=scores)
    if followed is None:
        return Verdict("ungraded", None, None, f"no rule is known as {rule}", label, scores)
    state: Literal["correct", "wrong"] = "correct" if followed else "wrong"
    return Verdict(
        state, None, None, f"{rule}: {'' if followed else 'not '}followed", label, scores
    )


def _by_judge(trial: Trial, exchange: Exchange) -> Verdict:
    """An open answer: right where its four criteria are 4 on average, officially a "good" one."""
    reply, label = exchange.final, f"open@{_VERSION}"
    official = not trial.tags.get("unofficial")
    if not reply.text.strip() or reply.finish == "refusal":
        scores = {"official": answers.LEAST_OFFICIAL} if official else {}
        return msgspec.structs.replace(unread(reply, "nothing to judge", label), scores=scores)
    if "judge" not in exchange.notes:
        return Verdict("ungraded", None, None, "no judge was asked", label)
    grade = judgement_in(exchange, answers.read_grade)
    if isinstance(grade, str):
        return Verdict("error", None, why=grade, policy=label)
    scores = grade.scores if official else {"open": grade.scores["open"]}
    why = f"judged {grade.mean:g} of 5"
    return Verdict(
        "correct" if grade.mean >= answers.GOOD else "wrong", None, None, why, label, scores
    )
