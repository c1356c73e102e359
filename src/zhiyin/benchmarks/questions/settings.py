"""Settings that the user chose."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from zhiyin.contract.conditions import AUDIO, EVERY, SETS, AudioCondition, read_sets
from zhiyin.flags import Flag


class ReadingSettings(msgspec.Struct, frozen=True):
    """Settings for reading a file of questions, whatever is then done with them."""

    columns: Annotated[
        tuple[str, ...],
        Flag("which column is what, e.g. question=stem,answer=gold", "MEANING=COLUMN"),
    ] = ()
    answers: Annotated[
        Literal["auto", "letter", "index-0", "index-1", "text"],
        Flag("how answers name options; auto: as the file shows"),
    ] = "auto"
    delimiter: Annotated[
        str | None, Flag("parts entries in a cell; default line break, | or ;", "SIGN")
    ] = None
    sheet: Annotated[str | None, Flag("of a spreadsheet", "NAME")] = None
    split: Annotated[str | None, Flag("of a folder of datasets", "NAME")] = None
    audio_root: Annotated[
        str | None,
        Flag("where paths of files begin; default: beside the questions", "DIR", place=True),
    ] = None
    several: Annotated[
        bool, Flag("ask every choice as one with, perhaps, several right answers")
    ] = False
    scorer: Annotated[
        str | None,
        Flag(
            "of free answers: exact, normalised, contains, number[:TOLERANCE], regex, set-f1, "
            "edit, wer, cer, notes, yes-no, judge",
            "NAME",
        ),
    ] = None
    rubric: Annotated[
        str | None, Flag("what the judge looks for: words, or a .txt or .md file", "TEXT")
    ] = None


class QuestionSettings(ReadingSettings, frozen=True):
    """Settings for reading, asking and scoring a file of questions."""

    data: Annotated[str | None, Flag("the file", "FILE", place=True, common=True)] = None
    partial: Annotated[bool, Flag("leave out rows that cannot be asked", common=True)] = False
    seed: Annotated[int, Flag("for everything random", common=True)] = 0
    shots: Annotated[int, Flag("worked examples before each question", common=True)] = 0
    extract: Annotated[str, Flag("how choices are read", common=True)] = "robust"
    judge: Annotated[str | None, Flag("who judges, a model", "JUDGE", place=True)] = None
    shuffle: Annotated[bool, Flag("shuffle each question's options by --seed")] = False
    language: Annotated[Literal["en", "zh"], Flag("of the words around a question")] = "en"
    prompts: Annotated[
        str | None, Flag("prompts that replace ours by file name", "DIR", place=True)
    ] = None
    audio: Annotated[
        tuple[AudioCondition, ...], Flag(f"what is played: {', '.join(AUDIO)}", "A,...", once=True)
    ] = ("true",)
    distractors: Annotated[tuple[str, ...], Flag(SETS, "D,...", once=True)] = (EVERY,)
    repeats: Annotated[
        int,
        Flag("how often each question is asked, its options in fresh order"),
        msgspec.Meta(ge=1, le=100),
    ] = 1
    rotations: Annotated[
        Literal["none", "all"], Flag("ask each order under all its cyclic rotations")
    ] = "none"

    def __post_init__(self) -> None:
        read_sets(self.distractors)

    @property
    def sets(self) -> tuple[str, ...]:
        """Sets of distractors: kinds joined by "+", or "all"; small ones first."""
        return read_sets(self.distractors)

    @property
    def plain(self) -> bool:
        """True if recordings are played as they are, beside all options."""
        return self.audio == ("true",) and self.sets == (EVERY,)

    @property
    def once(self) -> bool:
        """True if every question is asked once under each condition."""
        return self.repeats == 1 and self.rotations == "none"
