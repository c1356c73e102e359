"""The benchmark object: from its settings to adaptive runs, and from replies to verdicts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from zhiyin.benchmarks.thresholds.asking import PLACES, Asker, Quest, Staircase, in_turn
from zhiyin.benchmarks.thresholds.settings import Settings as ThresholdSettings
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.conditions import TASK
from zhiyin.contract.declared import Section
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import judge_choice
from zhiyin.music.hearing.dimensions import BY_NAME
from zhiyin.prompts import Prompts
from zhiyin.record import Exchange, Verdict
from zhiyin.runs.rows import Rows
from zhiyin.sequence import Sequence as TrialSequence
from zhiyin.trial import Trial
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.contract.declared import Drawn, FigureRun

_PROCEDURES = {"quest": Quest, "staircase": Staircase}


class Thresholds(Benchmark[ThresholdSettings]):
    """How small a difference is heard, in nine dimensions.

    Parameters
    ----------
    settings : Settings
    """

    name = "thresholds"
    version = "2"  # the prior of the slope begins at 0.35
    summary = said("thresholds-summary")
    description = "benchmark.toml"
    ways = (TASK,)
    Settings = ThresholdSettings
    draws_ungraded = True

    def __init__(self, settings: ThresholdSettings) -> None:
        super().__init__(settings)
        self._prompts = Prompts("zhiyin.benchmarks.thresholds", PLACES, folder=settings.prompts)
        self._asker = Asker(self._prompts, settings)

    def sequences(self) -> Iterator[TrialSequence]:
        """The adaptive runs, dimension by dimension."""
        kind = _PROCEDURES.get(self.settings.procedure)
        if kind is not None:
            for number in range(1, self.settings.tracks + 1):
                for name in self.settings.dimensions:
                    yield kind(self._asker, BY_NAME[name], number)

    def trials(self) -> Iterator[Trial]:
        """Every level in turn, where that is the procedure; else none."""
        if self.settings.procedure == "constant":
            for name in self.settings.dimensions:
                yield from in_turn(self._asker, BY_NAME[name])

    def __len__(self) -> int:
        constant = self.settings.procedure == "constant"
        return len(self.settings.dimensions) * self.settings.most if constant else 0

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The answer. It counts as right or wrong only where levels do not depend on answers.

        An adaptive run seeks the level at which about three in four answers are right,
        for every model, so that a share of right ones would tell nothing.
        """
        verdict = judge_choice(trial, exchange, self.policy)
        if trial.tags.get("procedure") == "constant":
            return verdict
        read = float(verdict.answer is not None)
        return msgspec.structs.replace(verdict, state="ungraded", scores={"answered": read})

    def fingerprint(self) -> str:
        """SHA-256 over prompts, dimensions with their levels, and the first sound of each."""
        digest = hashlib.sha256(self._prompts.as_bytes())
        for name in self.settings.dimensions:
            dimension = BY_NAME[name]
            first = self._asker.trial(dimension, name, 1, dimension.ladder.levels[0])
            sounds = [part.sha256 for part in first.messages[0].parts if hasattr(part, "sha256")]
            words = (name, repr(dimension.ladder.levels), first.stem, *sounds)
            digest.update("\0".join(words).encode())
        return digest.hexdigest()

    # About the benchmark, without data

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """The threshold in each dimension, and what people hear."""
        from zhiyin.benchmarks.thresholds.results import sections

        return sections(rows)

    @classmethod
    def figures(cls, runs: Sequence[FigureRun]) -> Iterable[Drawn]:
        """The audiogram, and the psychometric functions."""
        from zhiyin.benchmarks.thresholds.figures import draw_audiogram, draw_functions

        drawn = (draw_audiogram(runs), draw_functions(runs))
        return [figure for figure in drawn if figure is not None]

    @classmethod
    def hearing(cls, runs: Sequence[FigureRun]) -> Iterable[Drawn]:
        """The audiogram."""
        from zhiyin.benchmarks.thresholds.figures import draw_audiogram

        drawn = draw_audiogram(runs)
        return [] if drawn is None else [drawn]
