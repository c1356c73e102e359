"""Counting records: by state, and by the groups that a trial is counted under."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.log import find_log, iterate
from zhiyin.record import NOT_JUDGED, STATES, State

ALL = "all"
_Z95 = 1.959963984540054


class Count(msgspec.Struct):
    """How many trials of a group ended in each state."""

    correct: int = 0
    wrong: int = 0
    no_answer: int = 0
    refused: int = 0
    truncated: int = 0
    error: int = 0
    ungraded: int = 0
    clusters: dict[str, list[int]] = {}
    """For each cluster that was named: how many trials were correct, how many judged."""

    def add(self, state: State, cluster: str | None = None, times: int = 1) -> None:
        """Count one trial, or take it back with `times` = -1."""
        setattr(self, state, getattr(self, state) + times)
        if cluster is not None and state not in NOT_JUDGED:
            sums = self.clusters.setdefault(cluster, [0, 0])
            sums[0] += times * (state == "correct")
            sums[1] += times

    @property
    def answered(self) -> int:
        """Trials from whose reply an answer could be read."""
        return self.correct + self.wrong

    @property
    def judged(self) -> int:
        """Trials that count in shares of right answers: all but errors and ungraded ones."""
        return self.answered + self.no_answer + self.refused + self.truncated

    @property
    def settled(self) -> int:
        """Trials that need not be asked again: all but errors."""
        return self.judged + self.ungraded

    def states(self) -> dict[str, int]:
        """Trials by state, in the order of `STATES`."""
        return {state: getattr(self, state) for state in STATES}

    def metrics(self) -> dict[str, Any]:
        """The figures of ZIQI-Eval, section 4.1 "Metrics".

        Returns
        -------
        dict
            ``n`` trials judged (errors left out), ``errors``, ``answered``, ``accuracy`` =
            correct / n, ``precision`` = correct / answered, ``recall`` = accuracy, ``f1`` =
            their harmonic mean, written 2 correct / (answered + n) so that it is defined when
            nothing was answered, ``ifr`` (instruction-following rate) = answered / n,
            ``ci95``, the interval of the accuracy (Wilson; where trials share a cluster, with
            the effective sample size or cluster-robust: see `statistics.intervals`), and
            ``clusters``, how many there are, or None where every trial stands alone.
            Fractions in [0, 1]; None where the denominator is 0.
        """
        n, answered, correct = self.judged, self.answered, self.correct
        accuracy = correct / n if n else None
        return {
            "n": n,
            "errors": self.error,
            "answered": answered,
            "accuracy": accuracy,
            "precision": correct / answered if answered else None,
            "recall": accuracy,
            "f1": 2 * correct / (answered + n) if n else None,
            "ifr": answered / n if n else None,
            "ci95": self._interval() if n else None,
            "clusters": len(self.clusters) if self._clustered else None,
        }

    @property
    def _clustered(self) -> bool:
        """Whether any two trials are of one cluster. Clusters are named for all or for none."""
        return 0 < len(self.clusters) < self.judged

    def _interval(self) -> list[float]:
        if not self._clustered:
            return list(wilson(self.correct, self.judged))
        from zhiyin.statistics.intervals import interval_from_sums

        sums, counts = zip(*self.clusters.values(), strict=True)
        found = interval_from_sums(sums, counts)
        return [found.low, found.high]


def wilson(successes: int, n: int, z: float = _Z95) -> tuple[float, float]:
    """The Wilson score interval of a proportion (Wilson 1927), 95 % unless told otherwise.

    Parameters
    ----------
    successes, n : int
        With 0 <= successes <= n and n > 0.
    z : float
        Normal quantile of the confidence wanted.
    """
    p, z2 = successes / n, z * z
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = z / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


class Tally:
    """Counts by group, the whole under the name "all"; groups stay in order of appearance.

    `causes` counts the failed trials by what was said of them.
    """

    def __init__(self) -> None:
        self.counts: dict[str, Count] = {ALL: Count()}
        self.causes: Counter[str] = Counter()

    def add(
        self, state: State, groups: Iterable[str], cluster: str | None = None, times: int = 1
    ) -> None:
        """Count one trial (or, with `times` = -1, take it back)."""
        self.counts[ALL].add(state, cluster, times)
        for group in groups:
            count = self.counts.get(group)
            if count is None:
                count = self.counts[group] = Count()
            count.add(state, cluster, times)

    def groups(self) -> dict[str, dict[str, Any]]:
        """The metrics of every group, a group within another right after it.

        A group without a single question of right or wrong has none and is left out.
        """
        return {
            name: self.counts[name].metrics()
            for name in nested(list(self.counts))
            if name == ALL or self.counts[name].judged or not self.counts[name].ungraded
        }


def nested(names: list[str]) -> list[str]:
    """Names such as "a" and "a/b" in the order of a tree, siblings as they came."""
    rank = {name: number for number, name in enumerate(names)}

    def path(name: str) -> tuple[int, ...]:
        parts = name.split("/")
        prefixes = ("/".join(parts[: end + 1]) for end in range(len(parts)))
        return tuple(rank[prefix] for prefix in prefixes if prefix in rank)

    return sorted(names, key=path)


class _Verdict(msgspec.Struct):
    state: State
    why: str = ""


class _Trial(msgspec.Struct):
    groups: tuple[str, ...] = ()
    cluster: str | None = None


class _Record(msgspec.Struct):
    id: str
    verdict: _Verdict
    trial: _Trial
    error: str | None = None


def tally_log(folder: Path) -> Tally:
    """Count the valid record of each trial in a run folder.

    Reads line by line and holds only the failed trials in memory, so that a log of any length
    can be counted.
    """
    tally = Tally()
    failed: dict[str, _Record] = {}
    for record, _ in iterate(find_log(folder), _Record):
        superseded = failed.pop(record.id, None)
        if superseded is not None:
            tally.add("error", superseded.trial.groups, times=-1)
        tally.add(record.verdict.state, record.trial.groups, record.trial.cluster)
        if record.verdict.state == "error":
            failed[record.id] = record
    tally.causes.update((record.error or record.verdict.why) for record in failed.values())
    return tally
