"""The benchmark object: from exercises to trials, or to a folder of questions.

Settings of exercises, their names in two languages, and their trials.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from zhiyin import __version__
from zhiyin.contract.arguments import BENCHMARK
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.conditions import TASK
from zhiyin.contract.options import OwnPrompts, read_settings
from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.files import json_lines, write_atomically
from zhiyin.flags import Flag
from zhiyin.parsing import read_beside
from zhiyin.plugins.composed.exercises import chinese, sheet, theory
from zhiyin.plugins.composed.exercises.exercise import (
    LEVELS,
    TASKS,
    WRONG,
    AskedQuestions,
    ExerciseItem,
    Level,
    Maker,
    Task,
    make_items,
    question_keys,
)
from zhiyin.plugins.composed.exercises.pitches import listed, octaves_below
from zhiyin.plugins.music.clips import LETTERS
from zhiyin.prompts import LAYOUT, Language, Prompts, Template, lay_out
from zhiyin.text import quoted
from zhiyin.trial import Option, Tag, Trial, say
from zhiyin.words import Said, said

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
        tuple[Task, ...], Flag(f"of {','.join(TASKS)}", "T,...", once=True, chooses=True)
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
                raise InputError(
                    said("exercises-kind", kind=kind, task=",".join(self.task), hint=hint)
                )
        given = [name for name in _TUNES if getattr(self, name)]
        if "continuation" not in self.task:
            if given:
                raise InputError(said("exercises-continuation", given=given[0]))
        elif bool(self.tunes) == bool(self.corpus):
            raise InputError(said("exercises-tunes"))

    def known(self) -> dict[str, Task]:
        """The kinds of the tasks that are asked for, each with its task."""
        return {kind: task for task in self.task for kind in MAKERS.get(task, WRONG)}

    def kinds(self, task: Task) -> tuple[str, ...]:
        """The kinds of a task that are asked for."""
        all_of = tuple(kind for kind, theirs in self.known().items() if theirs == task)
        if not self.kind:
            return ("others",) if task == "continuation" else all_of
        return tuple(kind for kind in all_of if kind in self.kind)


TERMS = read_beside(__file__, "terms.json", dict[str, dict[str, tuple[str, str]]])
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
        # ``V65/V`` as ``V6/5 of V``; ``V7`` and ``ii6`` as they are.
        chord, _, goal = code.partition("/")
        chord = re.sub(r"(\d)(\d)$", r"\1/\2", chord)
        if not goal:
            return chord
        return f"{chord} of {goal}" if language == "en" else f"{goal}级的{chord}"
    if kind == "jianpu-read":
        return octaves_below(listed(code))
    return fact_in_words(kind, code, language)


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
            _PACKAGE, _places(), language=settings.language, folder=settings.prompts
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


_QUESTIONS = "exercises.jsonl"


class MakingExercises(ExerciseSettings, frozen=True):
    """Settings of ``zhiyin data make exercises``: all that a run may set, and the folder."""

    out: Annotated[str | None, Flag("the folder, a new or an empty one", "DIR")] = None


def write_questions(
    out: str | None,
    items: Sequence[ExerciseItem],
    trials: Sequence[Trial],
    chosen: ExerciseSettings,
) -> str:
    """Write exercises as a folder that ``zhiyin run DIR`` examines; says what was written.

    Parameters
    ----------
    out : str or None
        A new folder, or an empty one.
    items, trials
        The exercises, and the same as questions.
    chosen : ExerciseSettings
        How they were made, for ``benchmark.json``.

    Raises
    ------
    InputError
        No folder is named, it cannot be written, or it holds something.
    """
    if not out:
        raise InputError(said("exercises-out"))
    place = Path(out)
    rows = _different(items, trials)
    lines = json_lines(rows, "deterministic")
    facts = {
        "format": 1,
        "name": "exercises",
        "questions": _QUESTIONS,
        "items": len(rows),
        "chance": 0.25,
        "licence": "none claimed; rows of tunes have the statement of their collection",
        "made": msgspec.to_builtins(chosen),
        "zhiyin": __version__,
        "files": {_QUESTIONS: hashlib.sha256(lines).hexdigest()},
    }
    with reworded(f"{place}: cannot be written (", "): name another"):
        place.mkdir(parents=True, exist_ok=True)
        if any(place.iterdir()):
            raise InputError(said("exercises-there", place=place))
        write_atomically(place / _QUESTIONS, lines)
        described = msgspec.json.format(msgspec.json.encode(facts), indent=1)
        write_atomically(place / BENCHMARK, described + b"\n")
    left_out = len(items) - len(rows)
    note = f" ({left_out} that repeat another left out)" if left_out else ""
    examine = f"`zhiyin run {quoted(place)} -m MODEL`"
    return f"{place}: {len(rows)} exercises{note}; {examine} examines a model"


def _different(items: Sequence[ExerciseItem], trials: Sequence[Trial]) -> list[dict[str, Any]]:
    """The exercises as rows, those that are new, whatever their difficulty."""
    asked_questions: dict[str, AskedQuestions] = defaultdict(AskedQuestions)
    rows = []
    for item, trial in zip(items, trials, strict=True):
        question = question_keys(item.kind, item.exercise)
        if not item.again and not asked_questions[item.kind].before(*question):
            asked_questions[item.kind].add(*question, item.id)
            rows.append(_row(item, trial))
    return rows


def _row(item: ExerciseItem, trial: Trial) -> dict[str, Any]:
    """An exercise as a line of a file of questions."""
    key = next(option.letter for option in trial.options if option.key == trial.target)
    return {
        "id": trial.id,
        "question": trial.stem,
        "options": [option.text for option in trial.options],
        "answer": key,
        "category": list(trial.groups),
        "cluster": item.cluster,
        **{name: value for name, value in trial.tags.items() if name not in ("task", "kind")},
    }


class Exercises(Benchmark[ExerciseSettings]):
    """Fresh exercises as a `Benchmark`. The same settings give the same exercises.

    Parameters
    ----------
    settings : ExerciseSettings
    """

    name = "exercises"
    summary = said("exercises-summary")
    licence = "exercises are made when they are asked; tunes keep the terms of their collection"
    chance = 0.25
    ways = (TASK,)
    titles = {name: said("exercises-theory", of=name) for name in ("theory", "chinese")}
    skills = {
        "theory": "theory",
        "chinese": "theory",
        "continuation": "reading",
        "sheet": "reading",
    }
    Settings = ExerciseSettings
    Making = MakingExercises

    @cached_property
    def _asker(self) -> ExerciseWording:
        return ExerciseWording(self.settings)

    @cached_property
    def items(self) -> list[ExerciseItem]:
        """The exercises, in a fixed order."""
        return list(self._make_items())

    def _make_items(self) -> Iterator[ExerciseItem]:
        settings = self.settings
        for task in settings.task:
            if task == "continuation":
                yield from self._continued()
                continue
            for kind in settings.kinds(task):
                for level in settings.difficulty:
                    maker = MAKERS[task][kind]
                    yield from make_items(task, kind, level, maker, settings.n, settings.seed)

    def _continued(self) -> Iterator[ExerciseItem]:
        from zhiyin.plugins.composed.exercises.continuations import continued

        settings = self.settings
        kinds = settings.kinds("continuation")
        yield from continued(
            settings.tunes, settings.corpus, settings.phrases, kinds, settings.n, settings.seed
        )

    def trials(self) -> Iterator[Trial]:
        """Every exercise as a question."""
        return map(self._asker.trial, self.items)

    def __len__(self) -> int:
        return len(self.items)

    def remarks(self) -> list[Said]:
        """Name the kinds of which there are too few different exercises."""
        again = Counter(item.kind for item in self.items if item.again)
        return [said("exercises-again", n=count, kind=kind) for kind, count in again.items()]

    @classmethod
    def make(cls, options: Mapping[str, Any]) -> str:
        """Write exercises as a folder of questions; says what was written."""
        model = Exercises(read_settings(ExerciseSettings, options))
        message = write_questions(
            options.get("out"), model.items, list(model.trials()), model.settings
        )
        return "\n".join([message, *map(str, model.remarks())])
