"""A run that is read: its folder opened once, and whence its replies are.

A kept reply says in the log which run asked for it (`cost.prices.KEPT_BY`), so that two runs that
hold one and the same reply can be told from two that were given the same words twice.

Its kind is known here alone: a model, or what models are held against.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from zhiyin.analysis.cost import Bill
from zhiyin.analysis.coverage import Coverage, table_for
from zhiyin.contract.benchmark import Benchmark
from zhiyin.cost.prices import UNKNOWN
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.naming import people_in
from zhiyin.engine.scoring import ALL, nested
from zhiyin.files import Place
from zhiyin.models.baselines import BASELINES
from zhiyin.runs.figures import Figures, figures
from zhiyin.runs.pairing import is_copy, same_replies
from zhiyin.runs.rows import Rows, latencies, read_table
from zhiyin.runs.table import RunTable
from zhiyin.words.findings import (
    Copies,
    Kept,
    KeyHidden,
    OfRun,
    SameReplies,
    SeveralModels,
    SharedReplies,
    Warning,
)

_MOST_NAMED = 4


class ReplyOrigins(msgspec.Struct, frozen=True):
    """Counts of a run's replies by their origin.

    Attributes
    ----------
    n : int
    earlier : int
        Those that an earlier run asked for.
    since, until : str or None
        The days on which those were asked; None where that is not known.
    models : dict of str to int
        Replies by the name of the model that the server gave in them.
    hidden : int
        Replies in which a key was hidden.
    """

    n: int
    earlier: int
    since: str | None
    until: str | None
    models: dict[str, int]
    hidden: int


class Origins:
    """Origins of a run's replies: `summary`, and what a reader of the figures has to know."""

    def __init__(self, table: RunTable) -> None:
        n = earlier = hidden = 0
        models: Counter[str] = Counter()
        days: set[str] = set()
        for alike in table.calls():
            kind, many = alike.kind, len(alike.rows)
            n += many
            hidden += many * kind.hidden
            if kind.model:
                models[kind.model] += many
            if kind.earlier is not None:
                earlier += many
                days.add(kind.day)
        known = sorted(filter(None, days))
        since, until = (known[0], known[-1]) if known else (None, None)
        self.summary = ReplyOrigins(n, earlier, since, until, dict(models.most_common()), hidden)
        self._all_dated = "" not in days

    def warned(self) -> list[Warning]:
        """Warn a reader of the figures of where the replies are from."""
        found: list[Warning] = []
        own = self.summary
        if own.earlier:
            when = None
            if own.since and own.until and self._all_dated:
                when = " – ".join(dict.fromkeys((own.since, own.until)))
            found.append(Kept(n=own.earlier, of=own.n, days=when))
        if len(own.models) > 1:
            first = list(own.models.items())[:_MOST_NAMED]
            named = tuple(f"{n:,} of {model}" for model, n in first)
            more = len(own.models) - len(named)
            found.append(SeveralModels(n=len(own.models), named=named, more=more))
        if own.hidden:
            found.append(KeyHidden(n=own.hidden))
        return found


def _by_trial(table: RunTable) -> dict[int, str]:
    """Map each trial whose last reply an earlier run asked for to the id of that run."""
    asked = [one.kept_by for one in table.outcomes]
    if not any(by is not None for by in asked):
        return {}
    rows = table.rows
    pairs = zip(table.trial[rows].tolist(), table.outcome[rows].tolist(), strict=True)
    return {trial: by for trial, code in pairs if (by := asked[code]) is not None}


def origins_beside(
    names: Sequence[str], folders: Sequence[Path], manifests: Sequence[Manifest]
) -> Iterator[tuple[tuple[int, ...], Warning]]:
    """Warn, beside several runs, of where the replies of each are from and which two share some.

    Parameters
    ----------
    names : sequence of str
        What the runs are called.
    folders : sequence of Path
    manifests : sequence of Manifest

    Yields
    ------
    tuple of int, Warning
        The numbers of the run or of the two runs of which it is said, and what.
    """
    kept = []
    for number, folder in enumerate(folders):
        table = read_table(folder)
        kept.append(_by_trial(table))
        for one in Origins(table).warned():
            yield (number,), OfRun(who=names[number], what=one, severity=one.severity)
    for a, b in combinations(range(len(names)), 2):
        if folders[a] == folders[b]:  # a column for each of its judges
            continue
        if is_copy(manifests[a], manifests[b]):
            yield (a, b), Copies(first=names[a], second=names[b])
            continue
        if same := _same((manifests[a].id, kept[a]), (manifests[b].id, kept[b])):
            yield (a, b), SharedReplies(first=names[a], second=names[b], n=same)
        alike = manifests[a].benchmark == manifests[b].benchmark
        if alike and same_replies(folders[a], folders[b]):
            yield (a, b), SameReplies(first=names[a], second=names[b])


def shared_replies(one: Path, other: Path) -> int:
    """Count trials of two runs with one and the same reply as their last, asked for once."""
    runs = [(read_manifest(run).id, _by_trial(read_table(run))) for run in (one, other)]
    return _same(runs[0], runs[1])


_Run = tuple[str, Mapping[int, str]]
"""The id of a run, and of its trials with kept replies the ids of the runs that asked for them."""


def _same(one: _Run, other: _Run) -> int:
    """Count trials of two runs with one and the same reply as their last."""
    (first, kept), (second, theirs) = one, other
    same = sum(
        run == theirs.get(id, second) for id, run in kept.items() if run not in (UNKNOWN, "")
    )
    return same + sum(run == first for id, run in theirs.items() if id not in kept)


def in_order(names: Iterable[str], kind: type[Benchmark[Any]]) -> list[str]:
    """Groups as a tree, "all" first, the same of every run: siblings as the benchmark declares
    them, in its titles or its published data, then by name; ways and levels of one tag together.
    """
    expected = kind.expected()
    declared = [*kind.titles, *(expected.counts if expected else ())]
    place = {name: number for number, name in enumerate(dict.fromkeys(declared))}

    def key(name: str) -> tuple[Any, ...]:
        *above, last = name.split("/")
        bare = "/".join([*itertools.dropwhile(lambda part: "=" in part, above), last])
        parts = [int(part) if n % 2 else part for n, part in enumerate(re.split(r"(\d+)", last))]
        return name != ALL, "=" in last, place.get(bare, len(place)), parts

    return nested(sorted(names, key=key))


class OpenRun:
    """A run folder's contents, and counts of them, each made when it is first asked for.

    Parameters
    ----------
    folder : path

    Attributes
    ----------
    folder : Path
    manifest : Manifest
    table : RunTable
        Of `coverage`'s questions too, where that was asked for first.

    Raises
    ------
    InputError
        The folder is not a run; where the table is first asked for: its log is damaged.
    """

    def __init__(self, folder: Place) -> None:
        self.folder = Path(folder)
        self.manifest: Manifest = read_manifest(self.folder)

    @cached_property
    def table(self) -> RunTable:
        """Its log in columns."""
        return read_table(self.folder)

    @cached_property
    def coverage(self) -> Coverage:
        """Coverage of the published data that it was asked."""
        coverage = Coverage(self.manifest)
        self.table = table_for(coverage, self.folder)
        coverage.count(self.table)
        return coverage

    @cached_property
    def figures(self) -> Figures:
        """The figures of its groups."""
        return figures(self.table)

    @cached_property
    def origins(self) -> Origins:
        """Origins of its replies."""
        return Origins(self.table)

    @cached_property
    def bill(self) -> Bill:
        """The cost of its replies."""
        return Bill(self.manifest, self.table)

    @property
    def rows(self) -> Rows:
        """Its trials."""
        return Rows(self.table, self.table.rows)

    def causes(self, most: int, longest: int | None = None) -> list[tuple[str, int]]:
        """The most frequent causes of failures on one line each, and how often."""
        times: dict[str, int] = {}
        for cause, n in self.figures.causes.items():
            line = " ".join(cause.split())[:longest]
            times[line] = times.get(line, 0) + n
        return sorted(times.items(), key=lambda pair: -pair[1])[:most]

    def latency(self, *shares: float) -> list[float] | None:
        """Seconds of a reply that these shares of all are not above; None where none is known."""
        seconds = latencies(self.table)
        return np.quantile(seconds, shares).tolist() if len(seconds) else None


RunKind = Literal["model", "people", "listener", "constant", "baseline"]
"""A model; people; the reference listener; a model that gave one answer to (nearly) everything,
which is no better than a rule (see `within.kind_of_answers`); a rule that sees and hears nothing.
"""
RULES: frozenset[RunKind] = frozenset({"constant", "baseline"})
"""What needs neither to see nor to hear for its figure: never best at anything."""
_LISTENER = "listener"


def kind_of_model(spec: str) -> RunKind:
    """Return the kind of what answers under the name that ``-m`` is given."""
    name = spec.partition(":")[0]
    return "baseline" if name in BASELINES else "listener" if name == _LISTENER else "model"


def kind_of_run(manifest: Manifest) -> RunKind:
    """Return the kind of who answered in a run."""
    return "people" if people_in(manifest) else kind_of_model(manifest.model)


def is_elsewhere(manifest: Manifest) -> bool:
    """Tell whether replies were given elsewhere and imported: what was played is not known."""
    return bool(manifest.options.get("imported"))


def contenders(kinds: Collection[RunKind]) -> set[RunKind]:
    """Choose the kinds that a headline speaks of; all others stand beside them for scale.

    Models and people, where there are any; else the reference listener; else models that gave one
    answer to everything; else baselines.

    Parameters
    ----------
    kinds : collection of RunKind
        Of the runs that have a figure.
    """
    if "model" in kinds or "people" in kinds:
        return {"model", "people"}
    return next(({kind} for kind in ("listener", "constant") if kind in kinds), {"baseline"})


def answerers(runs: int, people: int) -> str:
    """Name those who answered, for a heading: "models", "people", or "both".

    Parameters
    ----------
    runs, people : int
        How many runs there are, and how many of these hold answers of people.
    """
    if not people:
        return "models"
    return "people" if people == runs else "both"
