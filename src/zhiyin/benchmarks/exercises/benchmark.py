"""The benchmark object: from exercises to trials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from zhiyin.benchmarks.exercises import making
from zhiyin.benchmarks.exercises.asking import Asker
from zhiyin.benchmarks.exercises.exercise import Maker
from zhiyin.benchmarks.exercises.items import Item, make_items
from zhiyin.benchmarks.exercises.settings import Settings as ExerciseSettings
from zhiyin.benchmarks.exercises.settings import Task
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.conditions import TASK
from zhiyin.contract.declared import Headline
from zhiyin.trial import Trial
from zhiyin.words import Said, said


class Exercises(Benchmark[ExerciseSettings]):
    """Fresh exercises as a `Benchmark`. The same settings give the same exercises.

    Parameters
    ----------
    settings : Settings
    """

    name = "exercises"
    summary = said("exercises-summary")
    licence = "exercises are made when they are asked; tunes keep the terms of their collection"
    chance = 0.25
    headline = Headline()
    ways = (TASK,)
    skills = {"theory": "theory", "chinese": "theory", "continuation": "reading"}
    Settings = ExerciseSettings
    Making = making.Making

    @cached_property
    def _asker(self) -> Asker:
        return Asker(self.settings)

    @cached_property
    def items(self) -> list[Item]:
        """The exercises, in a fixed order."""
        return list(self._make_items())

    def _make_items(self) -> Iterator[Item]:
        settings = self.settings
        for task in settings.task:
            if task == "continuation":
                yield from self._continued()
                continue
            for kind in settings.kinds(task):
                for level in settings.difficulty:
                    maker = makers(task)[kind]
                    yield from make_items(task, kind, level, maker, settings.n, settings.seed)

    def _continued(self) -> Iterator[Item]:
        from zhiyin.benchmarks.exercises.continuation.choosing import continued

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
        """Which exercises there are too few of."""
        again: dict[str, int] = {}
        for item in self.items:
            if item.again:
                again[item.kind] = again.get(item.kind, 0) + 1
        return [said("exercises-again", n=count, kind=kind) for kind, count in again.items()]

    @classmethod
    def make(cls, options: Mapping[str, Any]) -> str:
        """Write exercises as a folder of questions; says what was written."""
        own = {
            name: options[name] for name in ExerciseSettings.__struct_fields__ if name in options
        }
        given = {name: value for name, value in own.items() if value is not None}
        model = Exercises.from_options(given)
        assert isinstance(model, Exercises)
        message = making.write(
            options.get("out"), model.items, list(model.trials()), model.settings
        )
        return "\n".join([message, *map(str, model.remarks())])


def makers(task: Task) -> Mapping[str, Maker]:
    """The makers of a task, by kind."""
    if task == "theory":
        from zhiyin.benchmarks.exercises.theory import MAKERS
    else:
        from zhiyin.benchmarks.exercises.chinese import MAKERS
    return MAKERS
