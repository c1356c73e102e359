"""The benchmark object: leave-one-out passes over harder wrong answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from zhiyin.benchmarks.rul.data import (
    FILE,
    HOME,
    ORIGINAL,
    Original,
    find_flaws,
    read_originals,
    read_questions,
)
from zhiyin.benchmarks.rul.protocols import PROTOCOLS
from zhiyin.contract.clips import ClipQuestion, FaultSink
from zhiyin.contract.declared import Flaw, Section
from zhiyin.contract.listening import Listening, Variant
from zhiyin.contract.listening import Settings as Common
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.runs.rows import Rows
from zhiyin.trial import Audio, Trial
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.contract.published import Source


class Settings(Common, frozen=True):
    """What the user chose."""

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


class Rul(Listening[Settings]):
    """Questions on recordings with wrong answers that text alone does not tell."""

    name = "rul"
    summary = said("rul-summary")
    paper = (
        "Yongyi Zang, Sean O'Brien, Taylor Berg-Kirkpatrick, Julian McAuley, Zachary Novack: Are "
        "you really listening? Boosting Perceptual Awareness in Music-QA Benchmarks. ISMIR 2025, "
        "arXiv:2504.00369"
    )
    licence = "questions MIT; recordings by the terms of Song Describer and MusicCaps"
    bibtex = """\
@inproceedings{zang2025listening,
  title     = {Are you really listening? Boosting Perceptual Awareness in Music-{QA} Benchmarks},
  author    = {Zang, Yongyi and O'Brien, Sean and Berg-Kirkpatrick, Taylor and McAuley, Julian and
               Novack, Zachary},
  booktitle = {Proceedings of the 26th International Society for Music Information Retrieval
               Conference},
  year      = {2025}
}
"""
    chance = 0.25
    protocols = PROTOCOLS
    Settings = Settings
    file, home = FILE, HOME

    @classmethod
    def read(cls, path: Path, on_fault: FaultSink) -> list[ClipQuestion]:
        """The questions of a file."""
        return read_questions(path, on_fault)

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
        elif self.shelf is not None:
            sha256 = self.shelf.whole(question.recording).sha256
            question = msgspec.structs.replace(question, cluster=sha256[:16])
        return super().trial(question, variant, audio, sound)

    @property
    def kinds(self) -> int:
        """How many sets of wrong answers are asked."""
        return len(self.settings.distractors)

    @cached_property
    def _originals(self) -> dict[str, Original]:
        path = self.path.parent / ORIGINAL
        if "own" not in self.settings.distractors:
            return {}
        originals = read_originals(path, self.questions)
        if not originals:
            raise InputError(f"{path}: has none of these questions; is it the published file?")
        return originals

    def remarks(self) -> list[str | Said]:
        """What is missing of recordings, and of the questions before."""
        remarks = super().remarks()
        if self.kinds > 1 and (missing := len(self.questions) - len(self._originals)):
            remarks.append(said("rul-harder-alone", n=missing, file=str(ORIGINAL)))
        return remarks

    @classmethod
    def sources(cls) -> Sequence[Source]:
        """Where its data are published."""
        from zhiyin.benchmarks.rul.sources import SOURCES

        return SOURCES

    @classmethod
    def flaws(cls, path: Path, questions: Sequence[ClipQuestion]) -> Iterator[Flaw]:
        """Flaws of questions that can still be asked."""
        return find_flaws(path, questions)

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """Rules side by side, the majority, the perceptual index, and what was only read."""
        from zhiyin.benchmarks.rul.sections import sections

        return sections(rows)
