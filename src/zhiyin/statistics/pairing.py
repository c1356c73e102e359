"""Runs laid side by side: the same items, in the same order, repeats averaged within their item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from zhiyin.errors import InputError, did_you_mean
from zhiyin.frame import Entry, read_entries
from zhiyin.log import Manifest
from zhiyin.statistics.intervals import Floats
from zhiyin.tally import ALL, nested

Keep = Callable[[Entry], bool]
"""Which trials to look at."""


class Scores(msgspec.Struct, frozen=True):
    """Scores of several runs on the items that all of them judged.

    Attributes
    ----------
    items : list of str
    clusters : list of str or None
        Of each item; None stands alone.
    groups : dict of str to ndarray of int
        Places of each group's items, the whole first, as a tree.
    values : ndarray, shape (runs, items)
    """

    items: list[str]
    clusters: list[str | None]
    groups: dict[str, np.ndarray[Any, np.dtype[np.intp]]]
    values: Floats


class ItemScores(msgspec.Struct):
    """The judged answers of one run to one item."""

    entry: Entry
    scores: list[float]


def labels(folders: Sequence[Path], manifests: Sequence[Manifest]) -> list[str]:
    """A short name for each run: its model, and its folder where a model is there twice."""
    models = [manifest.model for manifest in manifests]
    names = [
        model if models.count(model) == 1 else f"{model} ({folder.resolve().name})"
        for folder, model in zip(folders, models, strict=True)
    ]
    return [
        name if names.count(name) == 1 else f"{model} ({folder})"
        for name, model, folder in zip(names, models, folders, strict=True)
    ]


def differing(names: Sequence[str], configs: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The settings in which runs differ, but for the model: setting -> name -> value.

    Nested settings are named with dots: ``options.extract``, ``sampling.temperature``.
    """
    flat = [_flattened(config) for config in configs]
    keys = dict.fromkeys(key for config in flat for key in config if key != "model")
    found = {
        key: {name: config.get(key) for name, config in zip(names, flat, strict=True)}
        for key in keys
    }
    return {
        key: values
        for key, values in found.items()
        if any(value != next(iter(values.values())) for value in values.values())
    }


def scores_of(folders: Sequence[Path], measure: str | None = None) -> Scores:
    """Scores of runs on the items that all of them judged. Raises `InputError` as `compare`."""
    check_different(folders)
    return common(folders, [by_item(folder, measure) for folder in folders])


def _flattened(config: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in config.items():
        if isinstance(value, dict):
            flat |= _flattened(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def check_benchmark(folders: Sequence[Path], manifests: Sequence[Manifest]) -> None:
    """Raise `InputError` unless all runs are of one benchmark."""
    for folder, manifest in zip(folders, manifests, strict=True):
        if manifest.benchmark != manifests[0].benchmark:
            raise InputError(
                f"{folders[0]} is a run of {manifests[0].benchmark}, {folder} of "
                f"{manifest.benchmark}: compare runs of one benchmark"
            )


def check_different(folders: Sequence[Path]) -> None:
    """Raise `InputError` where a run is given twice, by whatever path."""
    seen: dict[Path, Path] = {}
    for folder in folders:
        if (known := seen.setdefault(folder.resolve(), folder)) is not folder:
            same = folder if known == folder else f"{known} and {folder}"
            raise InputError(f"{same}: the same run twice; give different runs")


def by_item(folder: Path, measure: str | None, keep: Keep | None = None) -> dict[str, ItemScores]:
    """The judged answers of a run by item, in the order of its log.

    Parameters
    ----------
    folder : Path
    measure : str or None
        A named score of the verdicts; None for right (1) and not (0).
    keep : callable, optional
        Which trials to look at; by default all.

    Raises
    ------
    InputError
        When there are none, or none has the score.
    """
    items: dict[str, ItemScores] = {}
    known: dict[str, None] = {}
    for entry in read_entries(folder):
        counts = entry.judged if measure is None else entry.verdict.state != "error"
        if not counts or (keep and not keep(entry)):
            continue
        score: float | None = entry.right
        if measure is not None:
            known.update(dict.fromkeys(entry.verdict.scores))
            score = entry.verdict.scores.get(measure)
        if score is not None:
            items.setdefault(entry.item, ItemScores(entry, [])).scores.append(score)
    if not items and measure is not None:
        told = (
            did_you_mean(measure, known) if known else "its verdicts hold none but right or wrong"
        )
        raise InputError(f"{folder}: no score named {measure!r}; {told}")
    if not items:
        raise InputError(f"{folder}: no trial has been judged yet; finish the run first")
    return items


def common(folders: Sequence[Path], answered: Sequence[dict[str, ItemScores]]) -> Scores:
    """The items that every run judged, with their mean scores.

    Raises
    ------
    InputError
        When there are none, or one id stands for different questions: in stem, options, target
        or the sounds that the question is about.
    """
    shared = [item for item in answered[0] if all(item in other for other in answered[1:])]
    if not shared:
        raise InputError(
            f"{folders[0]} and {folders[1]} have no item in common: they were not asked the same "
            "questions"
        )
    for folder, items in zip(folders, answered, strict=True):
        for item in shared:
            if items[item].entry.question != answered[0][item].entry.question:
                raise InputError(
                    f"{item}: {folder} asks another question under this id than {folders[0]} (in "
                    "its words, options, key or sound): the data differ, so they cannot be compared"
                )
    places: dict[str, list[int]] = {ALL: list(range(len(shared)))}
    for place, item in enumerate(shared):
        for group in answered[0][item].entry.trial.groups:
            places.setdefault(group, []).append(place)
    return Scores(
        shared,
        [answered[0][item].entry.trial.cluster for item in shared],
        {name: np.array(places[name], dtype=np.intp) for name in nested(list(places))},
        np.array([[np.mean(items[item].scores) for item in shared] for items in answered]),
    )
