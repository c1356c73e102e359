"""The benchmark object: the grid of cells over the stimuli of one source.

Sections of `zhiyin show` for a run: the grid of Table 1, LogicLM's conversations, figure 3.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.analysis.coverage import Coverage, coverage_of
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import Cell, CheckResult, Reference, Section, heads
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.perception import COMMANDS, scoring, tasks
from zhiyin.plugins.benchmarks.perception.trials import GridCell, PerceptionTrials
from zhiyin.plugins.music.logiclm import LogicLM
from zhiyin.prompts import Prompts
from zhiyin.record import Exchange, Record, Strategy, Verdict
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.rows import Rows
from zhiyin.strategies import chain_of_thought, standalone
from zhiyin.trial import Trial
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.contract.declared import Drawn, FigureRun, Published


class Perception(Benchmark[tasks.PerceptionSettings]):
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
    ways = tasks.WAYS
    commands = COMMANDS
    printed_measures = (scoring.DECIDED,)
    checked_with = MappingProxyType({"source": "muse"})

    Settings = tasks.PerceptionSettings

    def __init__(self, settings: tasks.PerceptionSettings) -> None:
        super().__init__(settings)
        self._prompts = Prompts(__package__, folder=settings.prompts)
        self._maker = PerceptionTrials(self._prompts.texts, settings.source)

    @cached_property
    def bank(self) -> tasks.PerceptionStimuli:
        """The stimuli, scored ones and worked examples."""
        if self.settings.source == "muse":
            from zhiyin.plugins.benchmarks.perception.muse import open_muse

            return open_muse(self.settings)
        from zhiyin.plugins.benchmarks.perception.trials import open_generated

        return open_generated(self.settings)

    @cached_property
    def _order(self) -> list[tuple[GridCell, tasks.PerceptionStimulus]]:
        """Every cell with every stimulus, shuffled within and across cells by the seed."""
        grid = [
            (GridCell(stimulus.task, modality, shots, strategy), stimulus)
            for stimulus in self.bank.scored
            for modality in self.settings.modality
            for shots in self.settings.shots
            for strategy in self.settings.strategy
        ]

        def place(entry: tuple[GridCell, tasks.PerceptionStimulus]) -> bytes:
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
            task = tasks.TASKS[trial.tags["task"]]  # type: ignore[index]
            question = self._prompts.texts[f"{task.name}-final"]
            return LogicLM(task.kind, task.ids, task.decide, question)
        return chain_of_thought if trial.tags["strategy"] == "cot" else standalone

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """Score LogicLM by its solver, every other strategy by the last reply."""
        if trial.tags["strategy"] == "logiclm":
            return scoring.judge_logiclm(trial, exchange, self.policy)
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
        return super().from_options(
            {**options, "shots": tasks.shots_as_words(options.get("shots"))}
        )

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
            raise InputError(said("perception-recordings"))
        return check_folder(str(options["data"]), bool(options.get("partial")), cls.expected())


_OFTEN = 0.25
"""Share of transcriptions from which on their common fault is reported."""


def sections(rows: Rows, published: Reference | None = None) -> list[Section]:
    """The further tables of a run of this benchmark. LogicLM's only where it was asked for it."""
    frame, coverage = Frame(rows), coverage_of(rows.folder)
    grids = [_grid(task, frame, coverage, published) for task in tasks.TASKS]
    tables = [grid for grid in grids if grid.rows]
    logiclm = rows.which(lambda kind: kind.tags.get("strategy") == "logiclm")
    if logical := [scoring.without_messages(record) for record in logiclm.records()]:
        tables += [_execution(logical), _fidelity(logical)]
    return tables


def _grid(task: str, frame: Frame, coverage: Coverage, table: Reference | None) -> Section:
    """Accuracy in every cell, beside the models of Table 1 where it holds the published items."""
    asked = frame.groups(tree=False)
    cells = [
        (f"{task}/{modality}/{shots}/{strategy}",
         said("perception-cell", modality=modality, shots=shots, strategy=strategy))
        for modality, shots, strategy in product(tasks.MODALITIES, tasks.SHOTS, tasks.STRATEGIES)
        if f"{task}/{modality}/{shots}/{strategy}" in asked
    ]  # fmt: skip
    whole = table and table.only(group for group, _ in cells if coverage.whole(group))
    published = whole.rows if whole else {}
    rows: list[list[Cell]] = []
    cut = 0
    for group, cell in cells:
        own = estimate(frame, scoring.DECIDED, frame.places(group), ends=False)
        cut += frame.count(group).judged - own.n
        theirs = [row.get(group, {}).get("accuracy") for row in published.values()]
        rows.append([cell, own.n, _percent(own.value), *map(_percent, theirs)])
    notes = [said("perception-cut", n=cut)] if cut else []
    columns: list[Text] = ["", *heads("n", "this-run"), *published]
    return Section(said("perception-accuracy", task=task), columns, rows, notes)


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _listed(counts: Iterable[tuple[object, int]]) -> Text:
    return ", ".join(f"{name}: {n}" for name, n in counts) or said("perception-none")


def _execution(records: list[Record]) -> Section:
    columns: list[Text] = [
        "",
        *heads("n", "exec", "acc", "on-exec", "strict", "repairs", "faults", "agree"),
    ]
    rows: list[list[Cell]] = [
        [
            said("perception-asked", task=e.task, modality=e.modality, shots=str(e.shots)),
            e.trials,
            _percent(e.executable_rate),
            _percent(e.accuracy),
            _percent(e.accuracy_executed),
            _percent(e.strict_accuracy),
            _listed(sorted(e.repairs.items())),
            _listed(sorted(e.faults.items())),
            _percent(e.agreement),
        ]
        for e in scoring.execution_table(records)
    ]
    notes = [said("perception-execution-note"), *_first_faults(records)]
    return Section(said("perception-execution"), columns, rows, notes)


_FENCES = "code fences"


def _first_faults(records: list[Record]) -> Iterable[Said]:
    """Explain why transcriptions could not be read at first, where one cause stands behind many."""
    first: Counter[str] = Counter()
    for record in records:
        faults = record.exchange.notes.get("faults") or []
        if faults and record.exchange.notes.get("repairs"):
            message = str(faults[0].get("message"))
            kind = str(faults[0].get("kind"))
            first[_FENCES if _FENCES in message else kind] += 1
    for cause, times in first.most_common(1):
        if times >= _OFTEN * len(records):
            fault = None if cause == _FENCES else cause
            yield said("perception-faults", n=times, of=len(records), fault=fault)


def _fidelity(records: list[Record]) -> Section:
    columns: list[Text] = [
        "",
        *heads("n", "prec", "recall", "F1", "acc", "strict-f1", "strict-acc", "cut"),
    ]
    rows: list[list[Cell]] = [
        [
            said(
                "perception-fidelity-of",
                task=p.task,
                modality=p.modality,
                mask=p.mask.replace("_", " "),
                label=p.label,
            ),
            p.trials,
            _percent(p.counts.precision),
            _percent(p.counts.recall),
            _percent(p.counts.f1),
            _percent(p.accuracy),
            _percent(p.strict_counts.f1),
            _percent(p.strict_accuracy),
            p.token_limited,
        ]
        for p in scoring.fidelity_table(records)
    ]
    return Section(said("perception-fidelity"), columns, rows, [said("perception-fidelity-note")])
