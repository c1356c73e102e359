"""The exam that people took: the trials of a model's run, or a benchmark by its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.registry import declared, find, open_benchmark
from zhiyin.engine.log import read_manifest
from zhiyin.errors import InputError
from zhiyin.human.answers import Study
from zhiyin.numerals import counted
from zhiyin.runs.rows import records_of
from zhiyin.trial import Trial

_OF_MODELS = ("model", "model_data", "shard", "score", "confirm")
"""Settings that say how a model was asked, and nothing of the exam."""


class Exam(NamedTuple):
    """What is examined.

    Attributes
    ----------
    benchmark : Benchmark
    declared, config, options : mapping
        As in the manifest of a run on it; empty where only its name is known.
    trials : dict of str to Trial
        By id; empty likewise.
    """

    benchmark: Benchmark[Any]
    declared: Mapping[str, Any]
    config: Mapping[str, Any]
    options: Mapping[str, Any]
    trials: dict[str, Trial]


def open_exam(name: str) -> Exam:
    """The exam of a run folder, with its trials; or of a benchmark's name, without.

    A run that asks an item several times (repeats, rotations) gives its first trial, under the
    item's name too.

    Raises
    ------
    InputError
        Neither a run nor a benchmark.
    """
    folder = Path(name)
    if not (folder / "run.json").is_file():
        kind = find(name)
        return Exam(kind.from_options({}), declared(kind), {}, {}, {})
    manifest = read_manifest(folder)
    benchmark = open_benchmark(manifest, manifest.options)
    trials: dict[str, Trial] = {}
    for record in records_of(folder):
        trials[record.trial.id] = record.trial
    for trial in sorted(trials.values(), key=_turn):  # a log is in the order of the replies
        if trial.item and not trial.condition:
            trials.setdefault(trial.item, trial)
    if not trials:
        raise InputError(f"{folder}: nothing was asked in this run")
    config = {name: value for name, value in manifest.config.items() if name not in _OF_MODELS}
    return Exam(benchmark, manifest.declared, config, manifest.options, trials)


def _turn(trial: Trial) -> list[float]:
    """Which repeat of its item a trial is, and which rotation."""
    numbers = [trial.tags.get(name) for name in ("repeat", "rotation")]
    return [float(n) if isinstance(n, int | float) else 0.0 for n in numbers]


def check_same(study: Study, exam: Exam, name: str) -> None:
    """Refuse answers to other questions than those of the exam's run, and note what it lacks.

    Raises
    ------
    InputError
        The run, called `name`, was asked none of these questions, or something else by their ids.
    """
    if not exam.trials:  # only the benchmark is known
        return
    answered = dict.fromkeys(answer.trial for answer in study.valid())
    shared = [trial for trial in answered if trial in exam.trials]
    if answered and not shared:
        raise InputError(
            f"--exam {name}: was asked none of the questions that people answered: name a run on "
            "the exam that they took"
        )
    for trial in shared:
        if _asked(study.trials[trial]) != _asked(exam.trials[trial]):
            raise InputError(
                f"--exam {name}: {trial} asks something else than people were asked: name a run "
                "with the same data and settings"
            )
    if lacking := len(answered) - len(shared):
        study.notes.append(
            f"people answered {counted(lacking, 'question')} that {name} was not asked"
        )


def _asked(trial: Trial) -> tuple[object, ...]:
    """What is asked, in whatever order options stand."""
    return trial.stem, trial.target, sorted((o.key, o.text) for o in trial.options)
