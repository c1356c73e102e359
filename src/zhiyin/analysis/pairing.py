"""Runs laid side by side: the same items, in the same order, their repeats averaged first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from zhiyin.analysis.cells import Cells, Scores, common
from zhiyin.engine.entries import Outcome, entries_of, read_entries
from zhiyin.engine.log import Manifest
from zhiyin.engine.naming import run_names
from zhiyin.engine.tally import asked_about
from zhiyin.errors import InputError, did_you_mean
from zhiyin.paths import Places, as_paths
from zhiyin.record import NOT_JUDGED

_ROWS = 64
"""So many answers go into the columns together: more no longer fit into the cache."""

_UNREAD = frozenset(("no_answer", "refused", "truncated"))

Keep = Callable[[Outcome], bool]
"""Which trials to look at."""


def labels(folders: Sequence[Path], manifests: Sequence[Manifest]) -> list[str]:
    """A short name for each run: see `naming.run_names`."""
    return run_names(folders, manifests)


def differing(names: Sequence[str], configs: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The settings in which runs differ, but for the model: setting -> name -> value.

    Nested settings are named with dots: ``options.extract``, ``sampling.temperature``.
    """
    flat = [_flattened(config) for config in configs]
    keys = dict.fromkeys(key for config in flat for key in config if key != "model")
    settings = {
        key: {name: config.get(key) for name, config in zip(names, flat, strict=True)}
        for key in keys
    }
    return {
        key: values
        for key, values in settings.items()
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


_MUCH_SAID = 20
"""A reply of more characters than these is no bare letter, which two models may both give."""
_WRONG_ALIKE = 5


def same_replies(one: Path | None, other: Path | None) -> bool:
    """Whether two runs hold the same replies, word for word, to all that both were asked.

    Bare letters that are nearly all right may be those of two models that know the answers: they
    are not taken for the same.
    """
    if one is None or other is None:
        return False
    first = {entry.id: entry for entry in read_entries(one) if entry.judged and entry.reply}
    shared = [entry for entry in read_entries(other) if entry.id in first and entry.reply]
    pairs = [(entry.reply, first[entry.id].reply) for entry in shared]
    if not pairs or any(a is None or b is None or a.text != b.text for a, b in pairs):
        return False
    if sum(not entry.right for entry in shared) >= _WRONG_ALIKE:
        return True
    return any(a is not None and len(a.text.strip()) > _MUCH_SAID for a, _ in pairs)


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

    def made(outcomes: Iterator[Outcome]) -> Cells:
        cells, waiting = Cells(folder=folder), filter(keep, outcomes) if keep else outcomes
        while rows := list(islice(waiting, _ROWS)):
            _enter(cells, rows, measure, known, states)
        return cells

    cells = entries_of(folder, Outcome, made)
    if cells.trials:
        return cells
    if measure is not None:
        hint = (
            did_you_mean(measure, known) if known else "its verdicts hold none but right or wrong"
        )
        raise InputError(f"{folder}: no score named {measure!r}; {hint}")
    if "ungraded" in states:
        raise InputError(
            f"{folder}: its trials are neither right nor wrong: `zhiyin show` tells what they say, "
            "and --score compares a score that they have"
        )
    raise InputError(f"{folder}: no trial has been judged yet; finish the run first")


def _enter(
    cells: Cells,
    rows: list[Outcome],
    measure: str | None,
    known: dict[str, None],
    states: set[str],
) -> None:
    """Add those answers that count.

    The names of all scores that are there are put into `known`, and all states into `states`.
    """
    ended = [row.verdict.state for row in rows]
    states.update(ended)
    if measure is None:
        if not NOT_JUDGED.isdisjoint(ended):
            rows = [row for row in rows if row.judged]
            ended = [row.verdict.state for row in rows]
        scores = [1.0 if state == "correct" else 0.0 for state in ended]
    else:
        rows = [row for row in rows if row.verdict.state != "error"]
        for row in rows:
            known.update(dict.fromkeys(row.verdict.scores))
        unread = [
            row
            for row in rows
            if row.verdict.state in _UNREAD and row.verdict.scores.get(measure) is None
        ]
        cells.miss(*asked_about(unread)[:2])
        rows = [row for row in rows if row.verdict.scores.get(measure) is not None]
        scores = [row.verdict.scores[measure] for row in rows]
    trials = [row.trial for row in rows]
    items, conditions, main = asked_about(rows)
    cells.enter(
        items,
        conditions,
        [trial.cluster for trial in trials],
        [trial.groups for trial in trials],
        [row.question for row in rows],
        scores,
        [trial.sequence for trial in trials],
        main,
    )
