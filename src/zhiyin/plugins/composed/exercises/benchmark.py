"""The benchmark object: from exercises to trials, or to a folder of questions."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import msgspec

from zhiyin import __version__
from zhiyin.contract.arguments import BENCHMARK
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.conditions import TASK
from zhiyin.contract.options import read_settings
from zhiyin.errors import InputError, reworded
from zhiyin.files import json_lines, write_atomically
from zhiyin.flags import Flag
from zhiyin.plugins.composed.exercises.asking import MAKERS, ExerciseSettings, ExerciseWording
from zhiyin.plugins.composed.exercises.exercise import (
    AskedQuestions,
    ExerciseItem,
    make_items,
    question_keys,
)
from zhiyin.text import quoted
from zhiyin.trial import Trial
from zhiyin.words import Said, said

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
        raise InputError("--out: name the folder to write")
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
            raise InputError(f"{place}: is not empty: name a new folder")
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
