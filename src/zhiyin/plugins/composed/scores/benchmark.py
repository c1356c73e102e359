"""The benchmark object: from pictures to trials, and from exchanges to verdicts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.clips import refuse
from zhiyin.contract.conditions import TASK
from zhiyin.contract.declared import CheckResult, Flaw
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.picture import image_part
from zhiyin.plugins.composed.scores.asking import ScoresAsker, ScoresSettings
from zhiyin.plugins.composed.scores.data import (
    Example,
    data_flaws,
    find_splits,
    picture_of,
    read_manifest,
)
from zhiyin.plugins.composed.scores.music import Level
from zhiyin.plugins.composed.scores.questions import Task
from zhiyin.plugins.composed.scores.scoring import PUBLISHED, judge_notes, score
from zhiyin.record import Exchange, Record, Verdict
from zhiyin.runs.measures import USUAL
from zhiyin.runs.measures import score as mean_score
from zhiyin.trial import Image, Trial
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.plugins.composed.scores.music import Level
    from zhiyin.plugins.composed.scores.pictures import FreshPicture
    from zhiyin.plugins.composed.scores.questions import Task


class MakingScores(msgspec.Struct, frozen=True):
    """Settings of a small set of pictures to make."""

    out: Annotated[str | None, Flag("the folder to make", "DIR", place=True)] = None
    n: Annotated[int, Flag("families of two pictures"), msgspec.Meta(ge=1, le=1000)] = 6
    seed: Annotated[int, Flag("for everything random")] = 0


class Scores(Benchmark[ScoresSettings]):
    """Questions about pictures of scores as a `Benchmark`.

    Pictures are opened when they are first needed, so that a log can be scored again where they
    are not at hand.

    Parameters
    ----------
    settings : Settings
    """

    name = "scores"
    summary = said("scores-summary")
    description = "benchmark.toml"
    ways = (TASK,)
    measures = (
        *USUAL,
        mean_score("edit_distance", unit="edits", lower_is_better=True, range=(0.0, None)),
    )
    Settings = ScoresSettings
    Making = MakingScores
    expected = deferred("zhiyin.plugins.composed.scores.data:holdings")
    """What the published data hold."""
    tables = deferred("zhiyin.plugins.composed.scores.replies:TABLES")
    """The figures of the published splits."""
    make = deferred("zhiyin.plugins.composed.scores.pictures:make_set")
    """Write pictures and questions of our own in the published layout."""
    details = deferred("zhiyin.plugins.composed.scores.sections:sections")
    """Both rules side by side, kinds of error, families, and what wrong options stand for."""
    import_answers = deferred("zhiyin.plugins.composed.scores.replies:import_results")
    """Runs of published replies, one for each model."""

    @cached_property
    def _asker(self) -> ScoresAsker:
        return ScoresAsker(self.settings)

    def trials(self) -> Iterator[Trial]:
        """Every picture with its question."""
        if self.settings.source == "generated":
            for task, level, folder, items in self._made():
                for item in items:
                    picture = image_part(folder / item.picture)
                    yield self._asker.generated(task, level, item, picture)
            return
        for example, path in self._present:
            yield self._asker.published(example, image_part(path))

    def __len__(self) -> int:
        if self.settings.source == "generated":
            levels = self.settings.difficulty
            return self.settings.n * sum(len(self.settings.tasks(level)) for level in levels)
        return len(self._present)

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """A list of notes, a number, or one of some options."""
        return score(trial, exchange, self.policy)

    @classmethod
    def by_rules(cls, record: Record) -> dict[str, Verdict]:
        """A list of notes by the published rule and by ours."""
        trial = record.trial
        if trial.options or trial.tags.get("answer") == "number":
            return {}
        reply = record.exchange.final
        return {rule: judge_notes(trial, reply, rule) for rule in ("robust", PUBLISHED)}

    def fingerprint(self) -> str:
        """SHA-256 over prompts, questions, answers and pictures; not over the pictures' names."""
        total = hashlib.sha256(self._asker.prompts.as_bytes())
        for trial in self.trials():
            parts = [p.sha256 for m in trial.messages for p in m.parts if isinstance(p, Image)]
            total.update(
                msgspec.json.encode((trial.id, trial.stem, trial.options, trial.target, parts))
            )
        return total.hexdigest()

    def remarks(self) -> list[str | Said]:
        """Say how many pictures are missing."""
        if self.settings.source == "generated":
            return []
        if missing := len(self._examples) - len(self._present):
            whole = len(self._examples)
            return [said("examples-missing", n=missing, of=whole, unit="examples", what="pictures")]
        return []

    def _made(self) -> Iterator[tuple[Task, Level, Path, list[FreshPicture]]]:
        from zhiyin.plugins.composed.scores.pictures import cached

        for level in self.settings.difficulty:
            for task in self.settings.tasks(level):
                knobs = self.settings.knobs(level)
                yield task, level, *cached(task, level, knobs, self.settings.n, self.settings.seed)

    @cached_property
    def _examples(self) -> list[tuple[Example, Path]]:
        """The examples that are asked for, each with where its picture should be."""
        splits = find_splits(self.settings.data, self.settings.split)
        examples = [
            (example, picture_of(path, example))
            for path in splits.values()
            for example in read_manifest(path, refuse)
        ]
        by_id: dict[str, Example] = {}
        for example, _ in examples:
            if (twin := by_id.setdefault(example.id, example)) is not example:
                raise InputError(
                    f"{self.settings.data}: the id {example.id} stands in {twin.split} and in "
                    f"{example.split}; give --split"
                )
        if not examples:
            raise InputError(f"{self.settings.data}: holds no example that can be asked")
        return examples

    @cached_property
    def _present(self) -> list[tuple[Example, Path]]:
        """The examples with pictures here. Raises `InputError` if one has none, unless partial."""
        present = [(example, path) for example, path in self._examples if path.is_file()]
        if len(present) < len(self._examples) and (not self.settings.partial or not present):
            example, path = next(pair for pair in self._examples if not pair[1].is_file())
            missing = len(self._examples) - len(present)
            hint = "; --partial leaves such examples out" if present else ""
            raise InputError(
                f"{path}: no picture of {example.id} ({missing} of {len(self._examples)} are "
                f"missing): copy it there{hint}"
            )
        return present

    # About the benchmark, without data

    @classmethod
    def fetched(cls, options: Mapping[str, Any]) -> str | None:
        """The folder of the fetched pictures, which generated ones do not need."""
        return None if options.get("source") == "generated" else super().fetched(options)

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of manifests and pictures; decodes every picture."""
        flaws: list[Flaw] = []
        notes, items, expected = [], 0, cls.expected().counts
        for split, path in find_splits(options.get("data")).items():
            examples = read_manifest(path, flaws.append)
            flaws += data_flaws(path, examples, bool(options.get("partial")))
            items += len(examples)
            notes.append(said("scores-examples", split=split, n=len(examples)))
            wanted = expected.get(split, len(examples))
            if len(examples) != wanted and not options.get("partial"):
                detail = said("scores-published", n=len(examples), of=wanted)
                flaws.append(Flaw("incomplete", f"{split}/{path.name}", "", detail))
        return CheckResult(items, flaws, notes)
