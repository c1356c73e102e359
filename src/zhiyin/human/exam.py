"""The exam that people took: the trials of a model's run, or a benchmark by its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.registry import declared, find, open_benchmark
from zhiyin.engine.log import read_manifest, read_records
from zhiyin.errors import InputError
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
    for record in read_records(folder):
        trial = record.trial
        trials[trial.id] = trial
        if trial.item and not trial.condition:
            trials.setdefault(trial.item, trial)
    if not trials:
        raise InputError(f"{folder}: nothing was asked in this run")
    config = {name: value for name, value in manifest.config.items() if name not in _OF_MODELS}
    return Exam(benchmark, manifest.declared, config, manifest.options, trials)
