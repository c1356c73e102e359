"""What text models and blind rules make of a set: accuracy by fold, and the perceptual index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.forge.asking import Asker, carry_out
from zhiyin.forge.blind import (
    Answers,
    Blind,
    Probe,
    index_of,
    leave_one_out,
    read_answers,
    rotations,
)
from zhiyin.forge.items import Item
from zhiyin.forge.stages import lines_of
from zhiyin.session import Watch, silent
from zhiyin.statistics.intervals import interval

BANDS = (0.25, 0.5, 0.75)


class Measure(msgspec.Struct, frozen=True):
    """What an examinee that hears nothing makes of a set.

    Attributes
    ----------
    model : str
    accuracy : float
        Mean probability of the right option (of a choice: 1 or 0), each item counting once.
    low, high : float
        95 % interval, by cluster.
    chance : float
        Of the options shown, the mean over items.
    folds : dict of str to float
        Accuracy with each fold's options.
    items, failed, by_choice : int
        Items in the figures; calls that failed; askings known by their choice alone.
    index : float
        Mean perceptual index: 1 - `accuracy`.
    below : dict of str to int
        Items whose index is below 0.25, 0.5 and 0.75.
    """

    model: str
    accuracy: float
    low: float
    high: float
    chance: float
    folds: dict[str, float]
    items: int
    failed: int
    by_choice: int
    index: float
    below: dict[str, int]


def probes_of(items: Sequence[Item], rounds: int, *, whole: bool) -> list[Probe]:
    """What is asked: each leave-one-out fold so often, or every rotation of all the options."""
    probes: list[Probe] = []
    for one in items:
        if whole or len(one.options) < 3:
            probes += rotations(one.id, one.question, one.options, one.track)
        else:
            probes += leave_one_out(one.id, one.question, one.options, one.track, rounds)
    return probes


def ask_blind(
    probes: Sequence[Probe], asker: Asker, folder: Path, watch: Watch = silent
) -> Answers:
    """Put probes before a model. Raises `InputError` where `folder` cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / "probes.jsonl", lines_of(probes))
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from error
    options = {"items": str(folder / "probes.jsonl"), "prompts": asker.prompts}
    run = carry_out(Blind, options, asker, folder, watch)
    blind = Blind.from_options(options)
    assert isinstance(blind, Blind)
    return read_answers(run, blind)


def measure(
    items: Sequence[Item], probes: Sequence[Probe], answers: Answers, model: str
) -> tuple[Measure, dict[str, float]]:
    """The figures of an examinee, and the perceptual index of each item.

    Raises
    ------
    InputError
        Every call failed.
    """
    index = index_of(answers, probes)
    known = [item for item in items if item.id in index]
    if not known:
        raise InputError(f"{model}: all {answers.failed} calls failed: `zhiyin show` its run")
    folds: dict[str, list[float]] = {}
    shown: dict[str, list[float]] = {}
    for probe in probes:
        if probe.item in index:
            folds.setdefault(probe.fold, []).append(answers.right[probe.id])
            shown.setdefault(probe.item, []).append(1 / len(probe.options))
    estimate = interval([1 - index[item.id] for item in known], [item.track for item in known])
    chance = sum(sum(shares) / len(shares) for shares in shown.values()) / len(shown)
    figures = Measure(
        model,
        estimate.mean,
        estimate.low,
        estimate.high,
        chance,
        {fold: sum(values) / len(values) for fold, values in folds.items()},
        len(known),
        answers.failed,
        answers.by_choice,
        1 - estimate.mean,
        {f"{band:g}": sum(value < band - 1e-9 for value in index.values()) for band in BANDS},
    )
    return figures, index
