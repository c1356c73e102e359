"""Runs laid side by side: the same items, in the same order, their repeats averaged first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from zhiyin.analysis.cells import Cells, Scores, common
from zhiyin.analysis.origins import is_copy
from zhiyin.engine.log import Manifest, read_manifest
from zhiyin.engine.naming import run_names
from zhiyin.errors import InputError, did_you_mean
from zhiyin.paths import Places, as_paths
from zhiyin.record import NOT_JUDGED, STATES, Record
from zhiyin.runs.opening import read_table
from zhiyin.runs.rows import Row, rows_of
from zhiyin.runs.table import RunTable
from zhiyin.statistics.scores import cells_of

_UNREAD = frozenset(("no_answer", "refused", "truncated"))


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


def same_replies(one: Path, other: Path) -> bool:
    """Whether two runs hold the same replies, word for word, to all that both were asked.

    Bare letters that are nearly all right may be those of two models that know the answers: they
    are not taken for the same. Copies of one run are.
    """
    if is_copy(read_manifest(one), read_manifest(other)):
        return True
    first = {record.id: _last_words(record) for record in rows_of(one).judged.records()}
    wrong, longest = 0, 0
    for record in rows_of(other).records():
        words = _last_words(record)
        if words is None or (theirs := first.get(record.id)) is None:
            continue
        if words != theirs:
            return False
        wrong += record.verdict.state != "correct"
        longest = max(longest, len(words.strip()))
    return wrong >= _WRONG_ALIKE or longest > _MUCH_SAID


def _last_words(record: Record) -> str | None:
    turns = record.exchange.turns
    return turns[-1].reply.text if turns else None


def by_cell(folder: Path, measure: str | None, *, main: bool = False) -> Cells:
    """The judged answers of a run by item and condition, in the order of its log.

    Parameters
    ----------
    folder : Path
    measure : str or None
        A named score of the verdicts; None for right (1) and not (0).
    main : bool
        Whether only trials count that were asked in the benchmark's main way.

    Raises
    ------
    InputError
        When there are none, or none has the score.
    """
    table = read_table(folder, questions=True)
    rows, within = table.rows, np.array([kind.main for kind in table.kinds], dtype=bool)
    if main:
        rows = rows[within[table.kind[rows]]]
    state, unread = table.state, rows[:0]
    if measure is None:
        left_out = [STATES.index(one) for one in NOT_JUDGED]
        rows = rows[~np.isin(state[rows], left_out)]
        scores = (state == STATES.index("correct")).astype(np.float64)
    else:
        rows = rows[state[rows] != STATES.index("error")]
        scores = table.scores(measure)
        lacks = np.isnan(scores[rows])
        unread = rows[lacks & np.isin(state[rows], [STATES.index(one) for one in _UNREAD])]
        rows = rows[~lacks]
    if not len(rows):
        raise _nothing(folder, table, measure)

    def named(answer: int) -> tuple[str, str]:
        row = Row(table, int(rows[answer]))
        return row.item, row.sequence

    return Cells(
        table.item[rows],
        table.way[rows],
        table.cluster[rows],
        table.question[rows],
        scores[rows],
        table.kind[rows],
        [(kind.groups, kind.main) for kind in table.kinds],
        folder,
        named,
        cells_of(table.item[unread], table.way[unread]),
    )


def _nothing(folder: Path, table: RunTable, measure: str | None) -> InputError:
    """The error for a run without an answer that counts."""
    if measure is not None:
        known = table.score_names
        hint = (
            did_you_mean(measure, known) if known else "its verdicts hold none but right or wrong"
        )
        return InputError(f"{folder}: no score named {measure!r}; {hint}")
    if np.any(table.state[table.rows] == STATES.index("ungraded")):
        return InputError(
            f"{folder}: its trials are neither right nor wrong: `zhiyin show` tells what they say, "
            "and --score compares a score that they have"
        )
    return InputError(f"{folder}: no trial has been judged yet; finish the run first")
