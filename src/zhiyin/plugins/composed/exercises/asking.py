"""Settings of exercises, their names in two languages, and their trials."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from zhiyin.contract.clips import LETTERS
from zhiyin.contract.options import OwnPrompts
from zhiyin.errors import InputError, did_you_mean
from zhiyin.flags import Flag
from zhiyin.plugins.composed.exercises import chinese, sheet, theory
from zhiyin.plugins.composed.exercises.exercise import (
    LEVELS,
    TASKS,
    WRONG,
    ExerciseItem,
    Level,
    Maker,
    Task,
)
from zhiyin.plugins.composed.exercises.pitches import listed, octaves_below
from zhiyin.prompts import LAYOUT, Language, Prompts, Template, lay_out
from zhiyin.trial import Option, Tag, Trial, say

MAKERS: dict[Task, Mapping[str, Maker]] = {
    "theory": theory.MAKERS,
    "chinese": chinese.MAKERS,
    "sheet": sheet.MAKERS,
}
"""The makers of all tasks but continuation, by kind."""
_TUNES = ("tunes", "corpus", "phrases")


class ExerciseSettings(msgspec.Struct, frozen=True):
    """Settings of a run: which exercises, in which language, how many."""

    task: Annotated[
        tuple[Task, ...],
        Flag(f"of {','.join(TASKS)}; default theory,chinese", "T,...", once=True, chooses=True),
    ] = ("theory", "chinese")
    kind: Annotated[
        tuple[str, ...],
        Flag(
            "which kinds, such as interval,row or jianpu-read; default all",
            "K,...",
            once=True,
            chooses=True,
        ),
    ] = ()
    difficulty: Annotated[
        tuple[Level, ...],
        Flag(f"of all but continuation: {', '.join(LEVELS)}", "L,...", once=True, chooses=True),
    ] = ("default",)
    language: Annotated[Literal["en", "zh"], Flag("of questions and options")] = "en"
    n: Annotated[
        int,
        Flag("exercises of each kind and difficulty", chooses=True),
        msgspec.Meta(ge=1, le=100_000),
    ] = 10
    tunes: Annotated[
        str | None,
        Flag(
            "continuation: tunes of your own: ABC, MusicXML, kern; a file or folder",
            "PATH",
            chooses=True,
        ),
    ] = None
    corpus: Annotated[
        str | None,
        Flag(
            "continuation: tunes that music21 brings, such as essenFolksong/han1",
            "NAME",
            chooses=True,
        ),
    ] = None
    phrases: Annotated[
        Literal["lines", "bars"] | None,
        Flag(
            "continuation: a phrase is a line of the ABC, or four bars; default lines for "
            "essenFolksong, else bars",
            chooses=True,
        ),
    ] = None
    prompts: OwnPrompts = None
    seed: Annotated[int, Flag("for everything random")] = 0

    def __post_init__(self) -> None:
        known = self.known()
        for kind in self.kind:
            if kind not in known:
                hint = did_you_mean(kind, known)
                raise InputError(f"--kind {kind}: none of --task {','.join(self.task)}: {hint}")
        given = [name for name in _TUNES if getattr(self, name)]
        if "continuation" not in self.task:
            if given:
                raise InputError(f"--{given[0]} is for --task continuation; add that")
        elif bool(self.tunes) == bool(self.corpus):
            raise InputError(
                "--task continuation: give either --tunes PATH, a file or folder of tunes, or "
                "--corpus NAME, such as essenFolksong/han1, which music21 brings"
            )

    def known(self) -> dict[str, Task]:
        """The kinds of the tasks that are asked for, each with its task."""
        return {kind: task for task in self.task for kind in MAKERS.get(task, WRONG)}

    def kinds(self, task: Task) -> tuple[str, ...]:
        """The kinds of a task that are asked for."""
        all_of = tuple(kind for kind, theirs in self.known().items() if theirs == task)
        if not self.kind:
            return ("others",) if task == "continuation" else all_of
        return tuple(kind for kind in all_of if kind in self.kind)


TERMS = msgspec.json.decode(
    Path(__file__).with_name("terms.json").read_bytes(),
    type=dict[str, dict[str, tuple[str, str]]],
)
"""What terms are called in English and Chinese, by their places in prompts; "words" for others."""
TERMS["quality"] = TERMS["chord"]
_LENGTHS = frozenset({"values", "long", "tied", "unit"})


def fact_in_words(place: str, code: str, language: Language) -> str:
    """A fact of a question in words.

    Parameters
    ----------
    place : str
        The name of its place, such as ``interval``.
    code : str
        As exercises have it: ``m3``.
    language : {"zh", "en"}
    """
    column = 0 if language == "en" else 1
    if place == "figure":
        return "/".join(code)
    if place in _LENGTHS:
        lengths = (TERMS["length"][each][column] for each in code.split(", "))
        return ("，" if column else ", ").join(lengths)
    if place == "key":
        tonic, mode = code.split()
        return f"{tonic}{TERMS['words'][mode][1]}" if column else code
    known = TERMS.get(place, TERMS["words"])
    return known[code][column] if code in known else listed(code)


WITH_OCTAVES = frozenset({"jianpu-read", "jianpu-write"})
"""Kinds of pitches with octaves beside jianpu, whose numbers are degrees."""
PITCHES = frozenset({"tonic", "notes"})
"""The places in these kinds that hold pitches."""


def option(kind: str, code: str, language: Language) -> str:
    """An answer in words. `kind` is that of the exercise."""
    if kind == "roman":
        return _numeral(code, language)
    if kind == "jianpu-read":
        return octaves_below(listed(code))
    return fact_in_words(kind, code, language)


def _numeral(code: str, language: Language) -> str:
    """``V65/V`` as ``V6/5 of V``; ``V7`` and ``ii6`` as they are."""
    chord, _, goal = code.partition("/")
    chord = re.sub(r"(\d)(\d)$", r"\1/\2", chord)
    if not goal:
        return chord
    return f"{chord} of {goal}" if language == "en" else f"{goal}级的{chord}"


_PACKAGE = "zhiyin.plugins.composed.exercises"
PLACES = {"choice": ("question", "options"), "option": ("letter?", "text"), "options": LAYOUT}
"""The prompts that all exercises share, and what each must hold."""


@cache
def _places() -> dict[str, tuple[str, ...]]:
    """The prompts and what each must hold: that of a kind, the facts that our own words name."""
    ours = resources.files(_PACKAGE) / "prompts"
    kinds = {
        file.name.removesuffix(".en.txt"): tuple(
            sorted(Template(file.read_text("utf-8")).placeholders)
        )
        for file in ours.iterdir()
        if file.name.startswith("ask-") and file.name.endswith(".en.txt")
    }
    return PLACES | dict(sorted(kinds.items()))


class ExerciseWording:
    """Puts exercises in words.

    Parameters
    ----------
    settings : ExerciseSettings
    """

    def __init__(self, settings: ExerciseSettings) -> None:
        self.language = settings.language
        self.levels = len(settings.difficulty)
        self.prompts = Prompts(
            _PACKAGE,
            _places(),
            language=settings.language,
            folder=settings.prompts,
        )

    def stem(self, item: ExerciseItem) -> str:
        """The question in words, without its options."""
        facts = item.exercise.facts
        if item.task == "continuation":
            return self.prompts.fill("ask-continuation", **facts)
        words = {place: fact_in_words(place, code, self.language) for place, code in facts.items()}
        if item.kind in WITH_OCTAVES:
            words |= {place: octaves_below(words[place]) for place in PITCHES & words.keys()}
        return self.prompts.fill(f"ask-{item.kind}", **words)

    def texts(self, item: ExerciseItem) -> list[str]:
        """The options in words."""
        answers = item.exercise.answers
        if item.task == "continuation":
            return list(answers)
        return [option(item.kind, code, self.language) for code in answers]

    def groups(self, item: ExerciseItem) -> tuple[str, ...]:
        """Task and kind; difficulties too, where there are several."""
        groups = [item.task, f"{item.task}/{item.kind}"]
        if self.levels > 1 and item.level:
            groups += [f"difficulty={item.level}", f"{item.task}/{item.kind}/{item.level}"]
        return tuple(groups)

    def trial(self, item: ExerciseItem) -> Trial:
        """The trial of an exercise."""
        stem, texts = self.stem(item), self.texts(item)
        options = tuple(
            Option(letter, text, answer)
            for letter, text, answer in zip(LETTERS, texts, item.exercise.answers, strict=False)
        )
        lines = [self.prompts.fill("option", letter=o.letter, text=o.text) for o in options]
        option_lines = lay_out(self.prompts.templates["options"], lines).fill({})
        return Trial(
            id=item.id,
            messages=(
                say("user", self.prompts.fill("choice", question=stem, options=option_lines)),
            ),
            stem=stem,
            options=options,
            target=item.exercise.answer,
            groups=self.groups(item),
            cluster=item.cluster,
            tags=tags(item),
            item=item.id,
        )


def tags(item: ExerciseItem) -> dict[str, Tag]:
    """Collect the tags that the log keeps of an exercise besides its question."""
    values: dict[str, Tag] = {"task": item.task, "kind": item.kind}
    if item.level:
        values["difficulty"] = item.level
    wrong = zip(item.exercise.answers, item.exercise.mistakes, strict=True)
    if item.task != "continuation":
        values["mistakes"] = "; ".join(f"{answer}: {name}" for answer, name in wrong if name)
    return values | item.tags
