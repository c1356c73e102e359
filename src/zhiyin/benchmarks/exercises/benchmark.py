"""The benchmark object: from exercises to trials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from zhiyin.benchmarks.exercises import making
from zhiyin.benchmarks.exercises.asking import Asker
from zhiyin.benchmarks.exercises.exercise import Maker
from zhiyin.benchmarks.exercises.made import Made, made
from zhiyin.benchmarks.exercises.settings import Settings as Chosen
from zhiyin.benchmarks.exercises.settings import Task
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import Headline
from zhiyin.trial import Trial


class Exercises(Benchmark[Chosen]):
    """Fresh exercises as a `Benchmark`. The same settings give the same exercises.

    Parameters
    ----------
    settings : Settings
    """

    name = "exercises"
    summary = "Fresh exercises by seed: theory, Chinese traditional music, continuing a tune"
    licence = "exercises are made when they are asked; tunes keep the terms of their collection"
    chance = 0.25
    headline = Headline()
    skills = {"theory": "theory", "chinese": "theory", "continuation": "reading"}
    Settings = Chosen
    Making = making.Making

    @cached_property
    def _asker(self) -> Asker:
        return Asker(self.settings)

    @cached_property
    def items(self) -> list[Made]:
        """The exercises, in a fixed order."""
        return list(self._made())

    def _made(self) -> Iterator[Made]:
        chosen = self.settings
        for task in chosen.task:
            if task == "continuation":
                yield from self._continued()
                continue
            for kind in chosen.kinds(task):
                for level in chosen.difficulty:
                    maker = makers(task)[kind]
                    yield from made(task, kind, level, maker, chosen.n, chosen.seed)

    def _continued(self) -> Iterator[Made]:
        from zhiyin.benchmarks.exercises.continuation.choosing import continued

        chosen = self.settings
        kinds = chosen.kinds("continuation")
        yield from continued(
            chosen.tunes, chosen.corpus, chosen.phrases, kinds, chosen.n, chosen.seed
        )

    def trials(self) -> Iterator[Trial]:
        """Every exercise as a question."""
        return map(self._asker.trial, self.items)

    def __len__(self) -> int:
        return len(self.items)

    def remarks(self) -> list[str]:
        """Which exercises there are too few of."""
        again: dict[str, int] = {}
        for item in self.items:
            if item.again:
                again[item.kind] = again.get(item.kind, 0) + 1
        return [
            f"{count} exercises of the kind {kind} stand in the set before: there are no more "
            "(intervals count them as one)"
            for kind, count in again.items()
        ]

    @classmethod
    def make(cls, options: Mapping[str, Any]) -> str:
        """Write exercises as a folder of questions; says what was written."""
        own = {name: options[name] for name in Chosen.__struct_fields__ if name in options}
        given = {name: value for name, value in own.items() if value is not None}
        model = Exercises.from_options(given)
        assert isinstance(model, Exercises)
        said = making.write(options.get("out"), model.items, list(model.trials()), model.settings)
        return "\n".join([said, *model.remarks()])


def makers(task: Task) -> Mapping[str, Maker]:
    """The makers of a task, by kind."""
    if task == "theory":
        from zhiyin.benchmarks.exercises.theory import MAKERS
    else:
        from zhiyin.benchmarks.exercises.chinese import MAKERS
    return MAKERS
