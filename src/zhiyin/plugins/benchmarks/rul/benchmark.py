"""The benchmark object: leave-one-out passes over harder wrong answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from zhiyin.contract.benchmark import deferred
from zhiyin.contract.clips import ClipQuestion, FaultSink, common_flaws, is_left_out, read_json
from zhiyin.contract.declared import Flaw
from zhiyin.contract.tables import read_columns
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.listening import Listening, ListeningSettings, Variant
from zhiyin.trial import Audio, Trial
from zhiyin.words import Said, said

ORIGINAL = "muchomusic.csv"
"""The questions that these were made from, for ``--distractors own``."""
_OWN = ("correct_answer", "distractor_1_answer", "distractor_2_answer", "distractor_3_answer")
_WRONG = 4


class RulSettings(ListeningSettings, frozen=True):
    """Settings of a run of RUListening."""

    distractors: Annotated[
        tuple[Literal["all", "own"], ...],
        Flag(
            "wrong answers: all (the harder ones), own (those of the questions before)",
            "D,...",
            once=True,
        ),
    ] = ("all",)
    passes: Annotated[
        Literal["leave-one-out", "all-five"],
        Flag("four passes without one wrong answer each, or one with all five options"),
    ] = "leave-one-out"


class Rul(Listening[RulSettings, ClipQuestion]):
    """Questions on recordings with wrong answers that text alone does not tell."""

    name = "rul"
    summary = said("rul-summary")
    description = "benchmark.toml"
    Settings = RulSettings
    file = "RUL-MuchoMusic.json"
    right_first = True
    details = deferred("zhiyin.plugins.benchmarks.rul.sections:sections", 1)
    """Rules side by side, the majority, the perceptual index, and what was only read."""

    @classmethod
    def read(cls, path: Path, on_fault: FaultSink) -> list[ClipQuestion]:
        """The questions of a file, the right answer first among the choices."""
        entries = read_json(path)
        if not isinstance(entries, dict):
            raise InputError(
                f"{path}: no object of questions by number; is it the published {cls.file}?"
            )
        questions = []
        for number, entry in entries.items():
            where, fault = f"question {number}", _fault(number, entry)
            if not is_left_out(path, where, "entry", fault, on_fault):
                questions.append(_question(number, entry))
        if not questions:
            raise InputError(f"{path}: holds no question that can be asked; get it from {cls.home}")
        return questions

    @classmethod
    def flaws(cls, path: Path, questions: Sequence[ClipQuestion]) -> Iterator[Flaw]:
        """Flaws of questions that can still be asked."""
        first_questions: dict[tuple[str, str], ClipQuestion] = {}
        entries = read_json(path)
        for question in questions:
            caption = str(entries[question.id].get("caption") or "").lower()
            if any(choice.strip().lower() in caption for choice in question.choices[1:]):
                detail = said("rul-in-caption")
                yield Flaw("distractor-in-caption", path.name, question.id, detail)
            yield from common_flaws(path, question)
            right, *wrong = (f" {' '.join(_words(choice))} " for choice in question.choices)
            if any(right in text != right for text in wrong):
                detail = said("rul-within", answer=repr(question.choices[0]))
                yield Flaw("target-within-distractor", path.name, question.id, detail)
            if (
                twin := first_questions.setdefault((question.text, question.choices[0]), question)
            ) != question:
                detail = said("rul-same", twin=twin.id)
                yield Flaw("repeated-question", path.name, question.id, detail)

    def variants(self, question: ClipQuestion) -> Iterator[Variant]:
        """Each pass over the harder wrong answers, and the question as it was before."""
        if "all" in self.settings.distractors:
            yield from self._passes(question)
        if "own" in self.settings.distractors and question.id in self._originals:
            yield Variant(self._originals[question.id].choices, 0, "own")

    def _passes(self, question: ClipQuestion) -> Iterator[Variant]:
        right, *wrong = question.choices
        if self.settings.passes == "all-five":
            yield Variant(question.choices, 0, name="five")
            return
        for left_out in range(len(wrong)):
            kept = wrong[:left_out] + wrong[left_out + 1 :]
            # Passes are askings of one question: it counts once among what is published.
            tags = {"repeat": left_out + 1}
            yield Variant((right, *kept), 0, name=f"without-{left_out + 1}", tags=dict(tags))

    def trial(
        self, question: ClipQuestion, variant: Variant, audio: str, sound: Audio | None
    ) -> Trial:
        """The trial of a question; questions on one recording share a cluster."""
        if question.id in self._originals:
            question = msgspec.structs.replace(question, cluster=self._originals[question.id].track)
        elif self.recordings is not None:
            sha256 = self.recordings.whole(question.recording).sha256
            question = msgspec.structs.replace(question, cluster=sha256[:16])
        return super().trial(question, variant, audio, sound)

    @property
    def kinds(self) -> int:
        """Number of sets of wrong answers that are asked."""
        return len(self.settings.distractors)

    @cached_property
    def _originals(self) -> dict[str, OriginalQuestion]:
        path = self.path.parent / ORIGINAL
        if "own" not in self.settings.distractors:
            return {}
        originals = read_originals(path, self.questions)
        if not originals:
            raise InputError(f"{path}: has none of these questions; is it the published file?")
        return originals

    def remarks(self) -> list[str | Said]:
        """Report what is missing of recordings, and of the questions before."""
        remarks = super().remarks()
        if self.kinds > 1 and (missing := len(self.questions) - len(self._originals)):
            remarks.append(said("rul-harder-alone", n=missing, file=str(ORIGINAL)))
        return remarks


_FIELDS = ("question", "correct_answer", "distractors", "PI")


def _fault(number: str, entry: Any) -> tuple[str, Said] | None:
    if not number.isdecimal():
        return "bad-number", said("flaw-is-no", field="its key", value=None, what="number")
    if not isinstance(entry, dict):
        return "bad-entry", said("flaw-no-object", fields=_FIELDS)
    for name in ("question", "correct_answer"):
        if not isinstance(entry.get(name), str) or not entry[name].strip():
            return "blank-field", said("flaw-none", field=name)
    wrong = entry.get("distractors")
    if not isinstance(wrong, list) or len(wrong) != _WRONG:
        return "bad-distractors", said("rul-wrong", n=_WRONG)
    if not all(isinstance(text, str) and text.strip() for text in wrong):
        return "bad-distractors", said("rul-blank")
    index = entry.get("PI")
    if not isinstance(index, int | float) or isinstance(index, bool) or not 0 <= index <= 1:
        return "bad-index", said("flaw-is-no", field="PI", value=repr(index), what="share")
    return None


def _question(number: str, entry: Mapping[str, Any]) -> ClipQuestion:
    return ClipQuestion(
        id=number,
        recording=f"{number}.mp3",
        text=entry["question"].strip(),
        choices=(entry["correct_answer"], *entry["distractors"]),
        right=0,
        tags={"perceptual_index": float(entry["PI"])},
    )


class OriginalQuestion(msgspec.Struct, frozen=True):
    """A question as it was before: its choices, the right one first, and its track."""

    choices: tuple[str, ...]
    track: str


def read_originals(path: Path, questions: Sequence[ClipQuestion]) -> dict[str, OriginalQuestion]:
    """The original of each question by its id, found by question and right answer.

    Those that two questions, or two rows, have in common are left out.

    Raises
    ------
    InputError
        The file cannot be read, or lacks a column.
    """
    if not path.is_file():
        raise InputError(
            f"{path}: no such file; --distractors own needs the questions that these were made "
            "from in it"
        )
    rows: dict[tuple[str, str], list[OriginalQuestion]] = {}
    for row in read_columns(path, ("question", "dataset", "dataset_identifier", *_OWN)):
        choices = tuple(row[name].strip() for name in _OWN)
        if all(choices) and len(set(choices)) == len(choices):
            track = f"{row['dataset']}/{row['dataset_identifier'].removesuffix('.json')}"
            rows.setdefault(_key(row["question"], choices[0]), []).append(
                OriginalQuestion(choices, track)
            )
    keys = Counter(_key(q.text, q.choices[0]) for q in questions)
    originals = {}
    for question in questions:
        key = _key(question.text, question.choices[0])
        if keys[key] == 1 and len(rows.get(key, ())) == 1:
            originals[question.id] = rows[key][0]
    return originals


def _key(question: str, answer: str) -> tuple[str, str]:
    return " ".join(question.lower().split()), " ".join(answer.lower().split()).rstrip(".")


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()
