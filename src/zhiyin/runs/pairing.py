"""Runs laid side by side: trial by trial, and item by item with repeats averaged first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.record import Record
from zhiyin.runs.columns import cells_of
from zhiyin.runs.estimates import Frame
from zhiyin.runs.measures import Ints
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.runs.table import RunTable
from zhiyin.runs.ways import Codes, QuestionKind, union
from zhiyin.statistics.intervals import in_order
from zhiyin.trial import Tag
from zhiyin.words import said

NOT_ASKED = 255


class TrialKind(msgspec.Struct, frozen=True):
    """The common part of many trials.

    Attributes
    ----------
    groups : tuple of str
        As they are in the main way, below its condition in any other. They do not depend on which
        other conditions its run had.
    plain : bool
        Whether it was asked in its benchmark's main way.
    options : int
        How many there are; 0 for a free answer.
    gold : str or None
        The letter under which the right option was shown first; None for a free answer.
    heard : bool
        Whether any sound was played.
    tags : tuple of (str, object)
        Those by which conditions are distinguished.
    """

    groups: tuple[str, ...]
    plain: bool
    options: int
    gold: str | None
    heard: bool
    tags: tuple[tuple[str, Tag], ...]

    @classmethod
    def of(cls, asked: QuestionKind) -> TrialKind:
        """Convert the kind of a run's trials."""
        own = tuple(group for group in dict.fromkeys(asked.bare) if group not in ("", ALL))
        if way := asked.way:
            own = (way, *(f"{way}/{group}" for group in own))
        return cls(own, asked.main, asked.options, asked.gold, asked.heard, asked.conditions)

    @property
    def facts(self) -> dict[str, Tag]:
        """The tags by name."""
        return dict(self.tags)


class Collation:
    """The trials of one benchmark, in order of first appearance, and what each run made of them.

    Trials of two runs are the same where their names are and they ask the same (see
    `RunTable.question`): runs on other data are never laid side by side by the mere name of a
    trial.

    Parameters
    ----------
    tables : mapping of int to RunTable
        The runs, by number.

    Attributes
    ----------
    ways : Ways
        Of all the runs.
    kinds : list of TrialKind
    kind, item, way, cluster, question : ndarray of int, shape (n,)
        Of each trial the place in `kinds`, and what names it; see `RunTable`.
    """

    def __init__(self, tables: Mapping[int, RunTable]) -> None:
        self._tables = dict(tables)
        self.ways = union(table.ways for table in tables.values())
        rows = {run: table.rows for run, table in tables.items()}
        known: Codes[TrialKind] = Codes()

        def column(name: str) -> Ints:
            own = [getattr(table, name)[rows[run]] for run, table in tables.items()]
            joined: Ints = np.concatenate([np.empty(0, dtype=np.int64), *own])
            return joined

        names = cells_of(column("trial"), column("question"))
        place, first = in_order(names)
        codes = [
            np.array([known[TrialKind.of(kind)] for kind in table.kinds], dtype=np.int64)[
                table.kind[rows[run]]
            ]
            for run, table in tables.items()
            if len(rows[run])
        ]
        self.kinds = known.names
        self.kind: Ints = np.concatenate([np.empty(0, dtype=np.int64), *codes])[first]
        self.item, self.way, self.cluster, self.question = (
            column(name)[first] for name in ("item", "way", "cluster", "question")
        )
        ends = np.cumsum([0, *(len(own) for own in rows.values())])
        self._row: dict[int, Ints] = {}
        for number, (run, own) in enumerate(rows.items()):
            self._row[run] = np.full(len(first), -1, dtype=np.int64)
            self._row[run][place[ends[number] : ends[number + 1]]] = own

    def __len__(self) -> int:
        return len(self.kind)

    def rows(self, run: int) -> Ints:
        """The row of each trial in a run's table; -1 where it was not asked."""
        return self._row[run]

    def states(self, run: int) -> Ints:
        """Return the state of each trial in a run: the place in `STATES`, or `NOT_ASKED`."""
        rows, codes = self._row[run], np.full(len(self), NOT_ASKED, dtype=np.int64)
        asked = rows >= 0
        codes[asked] = self._tables[run].state[rows[asked]]
        return codes

    def frame(self, run: int) -> Frame:
        """The trials of a run, in groups as they are named here."""
        table, rows = self._tables[run], self._row[run]
        kinds = [msgspec.structs.replace(k, groups=TrialKind.of(k).groups) for k in table.kinds]
        return Frame(Rows(table, rows[rows >= 0]), kinds=kinds)


def differing(
    names: Sequence[str], configs: Sequence[Mapping[str, object]]
) -> dict[str, dict[str, object]]:
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


def _flattened(config: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
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
            first = {"first": folders[0], "of": manifests[0].benchmark}
            other = {"other": folder, "benchmark": manifest.benchmark}
            raise InputError(said("error-two-benchmarks", **first, **other))


def check_different(folders: Sequence[Path]) -> None:
    """Raise `InputError` where a run is given twice, by whatever path."""
    seen: dict[Path, Path] = {}
    for folder in folders:
        if (known := seen.setdefault(folder.resolve(), folder)) is not folder:
            same = folder if known == folder else f"{known} and {folder}"
            raise InputError(said("error-same-run", folder=same))


class OtherPathError(InputError):
    """Sequences of two runs went different ways: their trials cannot be paired."""


def other_path(trial: str, sequence: str, one: str, other: str) -> OtherPathError:
    """The error for a trial of a sequence that asked something else in another run."""
    return OtherPathError(
        said("pairs-other-path", trial=trial, one=one, other=other, sequence=repr(sequence))
    )


_MUCH_SAID = 20
"""A reply of more characters than these is no bare letter, which two models may both give."""
_WRONG_ALIKE = 5


def is_copy(one: Manifest, other: Manifest) -> bool:
    """Tell whether two folders are of one run: each has drawn an id of its own when it began."""
    return one.id == other.id != ""


def same_replies(one: Path, other: Path) -> bool:
    """Tell whether two runs hold the same replies, word for word, to all that both were asked.

    Bare letters that are nearly all right may be those of two models that know the answers: they
    are not taken for the same. Copies of one run are.
    """
    if is_copy(read_manifest(one), read_manifest(other)):
        return True
    if _scored_otherwise(rows_of(one).judged, rows_of(other)):
        return False  # no reply need be read
    first = {_asked(record): _last_words(record) for record in rows_of(one).judged.records()}
    wrong, longest = 0, 0
    for record in rows_of(other).records():
        words = _last_words(record)
        if words is None or (theirs := first.get(_asked(record))) is None:
            continue
        if words != theirs:
            return False
        wrong += record.verdict.state != "correct"
        longest = max(longest, len(words.strip()))
    return wrong >= _WRONG_ALIKE or longest > _MUCH_SAID


def _scored_otherwise(one: Rows, other: Rows) -> bool:
    """Tell whether a trial of both ended in different states."""
    first, second = one.table.trial[one.numbers], other.table.trial[other.numbers]
    _, here, there = np.intersect1d(first, second, return_indices=True)
    return not np.array_equal(one.states[here], other.states[there])


def _asked(record: Record) -> tuple[object, ...]:
    """Return what a record answers, whatever its run calls it: imported trials have other names."""
    trial, tags = record.trial, record.trial.tags
    return (trial.item or record.id, trial.condition, tags.get("rotation"), tags.get("repeat", 1))


def _last_words(record: Record) -> str | None:
    turns = record.exchange.turns
    return turns[-1].reply.text if turns else None
