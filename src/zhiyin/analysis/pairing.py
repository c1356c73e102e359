"""Runs laid side by side: the same items, in the same order, their repeats averaged first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from zhiyin.engine.entries import Entry, Outcome, entries_of
from zhiyin.engine.items import item_of
from zhiyin.engine.log import Manifest
from zhiyin.engine.naming import run_names
from zhiyin.engine.tally import ALL, counted_under, is_plain, nested
from zhiyin.errors import InputError, did_you_mean
from zhiyin.paths import Places, as_paths
from zhiyin.statistics.intervals import Floats

Keep = Callable[[Entry], bool]
"""Which trials to look at."""


class OtherPathError(InputError):
    """Sequences of two runs went different ways: their trials cannot be paired."""


def other_path(trial: str, sequence: str, one: str, other: str) -> OtherPathError:
    """The error for a trial of a sequence that asked something else in another run."""
    return OtherPathError(
        f"{trial}: {one} and {other} were asked different questions here: sequence {sequence!r} "
        "goes by the answers (or by other data), and trials that were chosen by answers cannot be "
        "paired"
    )


class Judged(msgspec.Struct, frozen=True, gc=False):
    """One judged answer as a comparison sees it.

    Attributes
    ----------
    item, condition : str
        What is asked about, and in which way.
    cluster : str or None
    groups : tuple of str
    question : int or None
        Equal for trials that ask the same; see `frame.question_of`.
    score : float
    sequence : str
        Of which it is a trial; empty for a plain one.
    main : bool
        Whether it was asked in the main way: of others no headline is made.
    """

    item: str
    condition: str
    cluster: str | None
    groups: tuple[str, ...]
    question: int | None
    score: float
    sequence: str = ""
    main: bool = True


class CellScores(msgspec.Struct, gc=False):
    """The judged answers of one run to one item under one condition."""

    first: Judged
    scores: list[float]


Cells = dict[tuple[str, str], CellScores]
"""From item and condition to the answers of a run, in the order of its log."""


class GroupScores(msgspec.Struct, frozen=True):
    """The items of one group: their clusters (None stands alone), values of shape (runs, items).

    An item's value is the mean over those of its conditions that are in the group.
    """

    clusters: list[str | None]
    values: Floats


class Scores(msgspec.Struct, frozen=True):
    """Scores of several runs on what all of them judged.

    Attributes
    ----------
    items : list of str
        Of the whole.
    groups : dict of str to GroupScores
        The whole first, as a tree. It is over what was asked in the main way, if anything was.
    cells : frozenset
        The items and conditions that are compared.
    """

    items: list[str]
    groups: dict[str, GroupScores]
    cells: frozenset[tuple[str, str]]

    @property
    def values(self) -> Floats:
        """Of the whole, shape (runs, items)."""
        return self.groups[ALL].values

    @property
    def clusters(self) -> list[str | None]:
        """Of the items of the whole."""
        return self.groups[ALL].clusters


def labels(folders: Sequence[Path], manifests: Sequence[Manifest]) -> list[str]:
    """A short name for each run: see `naming.run_names`."""
    return run_names(folders, manifests)


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


def scores_of(folders: Places, measure: str | None = None) -> Scores:
    """Scores of runs on the items that all of them judged. Raises `InputError` as `compare`."""
    folders = as_paths(folders)
    check_different(folders)
    return common(folders, [by_cell(folder, measure) for folder in folders])


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


def by_cell(folder: Path, measure: str | None, keep: Keep | None = None) -> Cells:
    """The judged answers of a run by item and condition, in the order of its log.

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
    known: dict[str, None] = {}
    states: set[str] = set()
    cells: Cells
    if keep is None:
        cells = entries_of(
            folder, Outcome, lambda found: cells_of(_judged(found, measure, known, states))
        )
    else:
        cells = entries_of(
            folder,
            Entry,
            lambda found: cells_of(_judged((e for e in found if keep(e)), measure, known, states)),
        )
    if not cells and measure is not None:
        told = (
            did_you_mean(measure, known) if known else "its verdicts hold none but right or wrong"
        )
        raise InputError(f"{folder}: no score named {measure!r}; {told}")
    if not cells and "ungraded" in states:
        raise InputError(
            f"{folder}: its trials are neither right nor wrong: `zhiyin show` tells what they say, "
            "and --score compares a score that they have"
        )
    if not cells:
        raise InputError(f"{folder}: no trial has been judged yet; finish the run first")
    return cells


def _judged(
    entries: Iterable[Outcome], measure: str | None, known: dict[str, None], states: set[str]
) -> Iterator[Judged]:
    """The answers that count.

    The names of all scores that are there are put into `known`, and all states into `states`.
    """
    groups: dict[tuple[str, ...], tuple[str, ...]] = {}  # each once: there are few
    for entry in entries:
        states.add(entry.verdict.state)
        counts = entry.judged if measure is None else entry.verdict.state != "error"
        if not counts:
            continue
        score: float | None = entry.right
        if measure is not None:
            known.update(dict.fromkeys(entry.verdict.scores))
            score = entry.verdict.scores.get(measure)
        if score is not None:
            trial = entry.trial
            item, condition = item_of(entry.id, trial.item, trial.condition, trial.tags)
            yield Judged(
                *(item, condition, trial.cluster, groups.setdefault(trial.groups, trial.groups)),
                *(entry.question, score, trial.sequence, is_plain(trial.tags)),
            )


def cells_of(judged: Iterable[Judged]) -> Cells:
    """Answers gathered by item and condition."""
    cells: Cells = {}
    for one in judged:
        cells.setdefault((one.item, one.condition), CellScores(one, [])).scores.append(one.score)
    return cells


def common(names: Sequence[object], answered: Sequence[Cells]) -> Scores:
    """What every run judged, repeats averaged within their condition, conditions within the item.

    Parameters
    ----------
    names : sequence
        Of the runs, for messages.
    answered : sequence of Cells
        For each run.

    Raises
    ------
    InputError
        When there is nothing, or one name stands for different questions: in stem, options,
        target or the sounds that the question is about.
        `OtherPathError` where a sequence chose them.
    """
    shared = [cell for cell in answered[0] if all(cell in other for other in answered[1:])]
    if not shared:
        raise InputError(
            f"{names[0]} and {names[1]} have no item in common: they were not asked the same "
            "questions"
        )
    for name, cells in zip(names, answered, strict=True):
        for cell in shared:
            if cells[cell].first.question != answered[0][cell].first.question:
                if cells[cell].first.sequence:
                    sequence = cells[cell].first.sequence
                    raise other_path(cell[0], sequence, str(name), str(names[0]))
                raise InputError(
                    f"{cell[0]}: {name} asks another question under this id than {names[0]} (in "
                    "its words, options, key or sound): the data differ, so they cannot be compared"
                )
    first = [answered[0][cell].first for cell in shared]
    means = np.array([[_mean(cells[cell].scores) for cell in shared] for cells in answered])
    every = list(range(len(first)))
    members = {ALL: [place for place in every if first[place].main] or every}
    for place, one in enumerate(first):
        for group in counted_under(one.groups)[1:]:
            members.setdefault(group, []).append(place)
    return Scores(
        list(dict.fromkeys(first[place].item for place in members[ALL])),
        {name: _grouped(first, means, members[name]) for name in nested(list(members))},
        frozenset(shared),
    )


def _mean(scores: list[float]) -> float:
    return scores[0] if len(scores) == 1 else float(np.mean(scores))


def _grouped(first: Sequence[Judged], means: Floats, members: Sequence[int]) -> GroupScores:
    """Some cells averaged within their items."""
    clusters = {first[place].item: first[place].cluster for place in reversed(members)}
    numbers = {item: number for number, item in enumerate(reversed(clusters))}
    home = np.array([numbers[first[place].item] for place in members])
    times = np.bincount(home)
    values = [np.bincount(home, weights=row) / times for row in means[:, members]]
    return GroupScores([clusters[item] for item in numbers], np.array(values))
