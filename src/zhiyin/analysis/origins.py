"""Whence the replies of a run are: asked in it, or kept ones of an earlier run, and by which model.

A kept reply says in the log which run asked for it (`cost.usage.KEPT_BY`), so that two runs that
hold one and the same reply can be told from two that were given the same words twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import msgspec

from zhiyin.cost.usage import UNKNOWN
from zhiyin.engine.log import Manifest
from zhiyin.runs.opening import read_table
from zhiyin.runs.pairing import is_copy
from zhiyin.runs.table import RunTable
from zhiyin.words.findings import (
    Copies,
    Kept,
    KeyHidden,
    OfRun,
    SeveralModels,
    SharedReplies,
    Warning,
)

_MOST_NAMED = 4


class ReplyOrigins(msgspec.Struct, frozen=True):
    """Whence the replies of a run are, in numbers.

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
    """Counts whence the replies of a run are.

    Attributes
    ----------
    replies, earlier, hidden : int
        All; those that an earlier run asked for; those in which a key was hidden.
    models : Counter
        By the names that the server gave in its replies.
    """

    def __init__(self, table: RunTable) -> None:
        self.replies = self.earlier = self.hidden = 0
        self.models: Counter[str] = Counter()
        self._days: set[str] = set()
        for alike in table.calls():
            kind, many = alike.kind, len(alike.rows)
            self.replies += many
            self.hidden += many * kind.hidden
            if kind.model:
                self.models[kind.model] += many
            if kind.earlier is not None:
                self.earlier += many
                self._days.add(kind.day)

    def as_summary(self) -> ReplyOrigins:
        """What was counted."""
        known = sorted(filter(None, self._days))
        return ReplyOrigins(
            n=self.replies,
            earlier=self.earlier,
            since=known[0] if known else None,
            until=known[-1] if known else None,
            models=dict(self.models.most_common()),
            hidden=self.hidden,
        )

    def warned(self) -> list[Warning]:
        """What a reader of the figures has to know of it."""
        found: list[Warning] = []
        if self.earlier:
            days = sorted(filter(None, self._days))
            known = days and "" not in self._days
            when = " – ".join(dict.fromkeys((days[0], days[-1]))) if known else None
            found.append(Kept(n=self.earlier, of=self.replies, days=when))
        if len(self.models) > 1:
            named = tuple(f"{n:,} of {model}" for model, n in self.models.most_common(_MOST_NAMED))
            more = len(self.models) - len(named)
            found.append(SeveralModels(n=len(self.models), named=named, more=more))
        if self.hidden:
            found.append(KeyHidden(n=self.hidden))
        return found


def _by_trial(table: RunTable) -> dict[int, str]:
    """Of each trial whose last reply an earlier run asked for, the id of that run."""
    asked = [one.kept_by for one in table.outcomes]
    if not any(by is not None for by in asked):
        return {}
    rows = table.rows
    pairs = zip(table.trial[rows].tolist(), table.outcome[rows].tolist(), strict=True)
    return {trial: by for trial, code in pairs if (by := asked[code]) is not None}


def origins_beside(
    names: Sequence[str], folders: Sequence[Path], manifests: Sequence[Manifest]
) -> Iterator[tuple[tuple[int, ...], Warning]]:
    """What to say beside several runs: whence the replies of each are, and which two hold the same.

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
        if is_copy(manifests[a], manifests[b]):
            yield (a, b), Copies(first=names[a], second=names[b])
            continue
        if same := _same((manifests[a].id, kept[a]), (manifests[b].id, kept[b])):
            yield (a, b), SharedReplies(first=names[a], second=names[b], n=same)


_Run = tuple[str, Mapping[int, str]]
"""The id of a run, and of its trials with kept replies the ids of the runs that asked for them."""


def _same(one: _Run, other: _Run) -> int:
    """How many trials of two runs have one and the same reply as their last."""
    (first, kept), (second, theirs) = one, other
    same = sum(
        run == theirs.get(id, second) for id, run in kept.items() if run not in (UNKNOWN, "")
    )
    return same + sum(run == first for id, run in theirs.items() if id not in kept)
