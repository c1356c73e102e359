"""The benchmark object: the grid of cells over the stimuli of one source."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import CheckResult, Section
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.perception import COMMANDS
from zhiyin.plugins.benchmarks.perception.scoring import DECIDED, judge_logiclm
from zhiyin.plugins.benchmarks.perception.tasks import (
    TASKS,
    WAYS,
    PerceptionSettings,
    PerceptionStimuli,
    PerceptionStimulus,
    shots_as_words,
)
from zhiyin.plugins.benchmarks.perception.trials import GridCell, PerceptionTrials
from zhiyin.plugins.music.logiclm import LogicLM
from zhiyin.prompts import Prompts
from zhiyin.record import Exchange, Strategy, Verdict
from zhiyin.runs.rows import Rows
from zhiyin.strategies import chain_of_thought, standalone
from zhiyin.trial import Trial
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.contract.declared import Drawn, FigureRun, Published


class Perception(Benchmark[PerceptionSettings]):
    """Core music perception as a `Benchmark`.

    The stimuli are opened when they are first needed, so that a log can be scored again where
    they are not at hand.

    Parameters
    ----------
    settings : PerceptionSettings

    Raises
    ------
    InputError
        At once for an unknown policy or faulty prompts; for faulty data on first use.
    """

    name = "perception"
    version = "3"
    summary = said("perception-summary")
    description = "benchmark.toml"
    ways = WAYS
    commands = COMMANDS
    printed_measures = (DECIDED,)

    Settings = PerceptionSettings

    def __init__(self, settings: PerceptionSettings) -> None:
        super().__init__(settings)
        self._prompts = Prompts(__package__, folder=settings.prompts)
        self._maker = PerceptionTrials(self._prompts.texts, settings.source)

    @cached_property
    def bank(self) -> PerceptionStimuli:
        """The stimuli, scored ones and worked examples."""
        if self.settings.source == "muse":
            from zhiyin.plugins.benchmarks.perception.muse import open_muse

            return open_muse(self.settings)
        from zhiyin.plugins.benchmarks.perception.generated import open_generated

        return open_generated(self.settings)

    @cached_property
    def _order(self) -> list[tuple[GridCell, PerceptionStimulus]]:
        """Every cell with every stimulus, shuffled within and across cells by the seed."""
        grid = [
            (GridCell(stimulus.task, modality, shots, strategy), stimulus)
            for stimulus in self.bank.scored
            for modality in self.settings.modality
            for shots in self.settings.shots
            for strategy in self.settings.strategy
        ]

        def place(entry: tuple[GridCell, PerceptionStimulus]) -> bytes:
            cell, stimulus = entry
            name = f"{self.settings.seed}/{cell.name}/{stimulus.id}"
            return hashlib.sha256(name.encode()).digest()

        return sorted(grid, key=place)

    def trials(self) -> Iterator[Trial]:
        """Every trial of every cell, in an order that the seed alone decides."""
        for cell, stimulus in self._order:
            exemplars = self.bank.exemplars[cell.task] if cell.shots == "few" else []
            yield self._maker.make(cell, stimulus, exemplars)

    def __len__(self) -> int:
        return len(self._order)

    def strategy(self, trial: Trial) -> Strategy:
        """Choose the strategy by the trial's tag `strategy`."""
        if trial.tags["strategy"] == "logiclm":
            task = TASKS[trial.tags["task"]]  # type: ignore[index]
            question = self._prompts.texts[f"{task.name}-final"]
            return LogicLM(task.kind, task.ids, task.decide, question)
        return chain_of_thought if trial.tags["strategy"] == "cot" else standalone

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """Score LogicLM by its solver, every other strategy by the last reply."""
        if trial.tags["strategy"] == "logiclm":
            return judge_logiclm(trial, exchange, self.policy)
        return judge_choice(trial, exchange, self.policy)

    def fingerprint(self) -> str:
        """SHA-256 over prompts, answers, recordings and MIDI files; not over their names."""
        digest = hashlib.sha256()
        digest.update(self._prompts.as_bytes())
        shown = [item for items in self.bank.exemplars.values() for item in items]
        for role, items in (("scored", self.bank.scored), ("example", shown)):
            for item in sorted(items, key=lambda item: (item.task, item.id)):
                sounds = [self._maker.audio(path).sha256 for path in item.sounds]
                scores = [
                    hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in item.scores
                ]
                line = "\0".join((role, item.id, item.answer, *sounds, *scores))
                digest.update(line.encode() + b"\n")
        return digest.hexdigest()

    def remarks(self) -> list[Said]:
        """List what the user should know of the data."""
        return list(self.bank.remarks)

    # About the benchmark, without data

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Benchmark[Any]:
        """Build as `Benchmark.from_options` does; ``--shots 0`` says zero."""
        return super().from_options({**options, "shots": shots_as_words(options.get("shots"))})

    @classmethod
    def expected(cls) -> Published:
        """Contents of the published recordings: each task's items, in every cell of the grid."""
        declared, reference = super().expected(), cls.published()
        assert declared is not None
        assert reference is not None
        cells = {cell: None for row in reference.rows.values() for cell in row}
        counts = {
            cell: n
            for task, n in declared.counts.items()
            for cell in cells
            if cell.startswith(f"{task}/")
        }
        return msgspec.structs.replace(declared, counts=counts)

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """Table 1's grid for this run and, where LogicLM was asked, what became of it."""
        from zhiyin.plugins.benchmarks.perception.sections import sections

        return sections(rows, cls.published())

    @classmethod
    def figures(cls, runs: Sequence[FigureRun]) -> list[Drawn]:
        """Reading against hearing, and what was written down against what was decided."""
        from zhiyin.plugins.benchmarks.perception.figures import draw_fidelity, draw_modality

        return [drawn for drawn in (draw_modality(runs), draw_fidelity(runs)) if drawn]

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Look through a folder of the MUSE recordings. Raises `InputError` where there is none."""
        from zhiyin.plugins.benchmarks.perception.muse import check_folder

        if not options.get("data"):
            raise InputError("give --data, the folder of the MUSE recordings")
        return check_folder(str(options["data"]), bool(options.get("partial")), cls.expected())
