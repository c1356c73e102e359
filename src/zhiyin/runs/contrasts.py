"""Two ways of asking within a run, set against each other: what a benchmark declares of it.

An item is on a side by the ways in which it was asked; only items of both sides count, each once.
What differs between two runs in this is a measure like any other (`Contrast.gap`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from zhiyin.runs.differences import Both, NamedTrials, both_of, settled
from zhiyin.runs.estimates import Frame
from zhiyin.runs.measures import ACCURACY, WHAT_SOUND_ADDS, Estimate, Measure, Sums, ratio
from zhiyin.runs.rows import Rows
from zhiyin.runs.sums import averaged
from zhiyin.runs.ways import QuestionKind, Way
from zhiyin.statistics.intervals import in_order
from zhiyin.statistics.paired import holm, mcnemar_exact


class Side(NamedTuple):
    """Trials of a run, by what was asked.

    Attributes
    ----------
    name : str
    wanted : callable
        Whether a kind of trial is on this side.
    cells : int
        In how many ways an item must have been asked, to be on it.
    """

    name: str
    wanted: Callable[[QuestionKind], bool]
    cells: int = 1


def side_of(way: Way, value: str) -> Side:
    """Return the side of trials that were asked with a value of a way."""
    return Side(value, lambda kind: str(kind.tags.get(way.name, way.plain)) == value)


class Contrast(msgspec.Struct, frozen=True):
    """The first side minus the second of each item that was asked on both, in a measure.

    Where ways are named that must be alike (`within`), the two sides of an item are taken for each
    of their values, and averaged after. Where sound is altered, no answer counts as a guess.
    """

    a: Side
    b: Side
    measure: Measure = WHAT_SOUND_ADDS
    within: tuple[str, ...] = ()

    def laid(self, rows: Rows) -> tuple[Both, int]:
        """The items of both sides, in the order of the first; and how many trials that is."""
        parts = rows.by_kind(lambda kind: [tuple(kind.tags.get(name) for name in self.within)])
        each = [self._laid(part) for part in parts.values()] or [self._laid(rows)]
        if len(each) == 1:
            return each[0]
        trials = sum(own for _, own in each)
        both = Both(*map(np.concatenate, zip(*(own for own, _ in each), strict=True)))
        home, place = in_order(both.names)
        values = averaged(home, both.first), averaged(home, both.second)
        names, every = both.names[place], Frame(rows)  # each part numbers its clusters by itself
        ranks = np.argsort(every.names)
        clusters = every.clusters[ranks[np.searchsorted(every.names, names, sorter=ranks)]]
        return Both(*values, clusters, names, names), trials

    def _laid(self, rows: Rows) -> tuple[Both, int]:
        sides, trials = [], 0
        for side in (self.a, self.b):
            own = rows.which(side.wanted)
            sums = Frame(own).sums(self.measure, np.arange(len(own)))
            home, first = in_order(sums.names)
            full = np.bincount(home, minlength=len(first)) >= side.cells
            means = averaged(home, sums.values)[full] if len(first) else sums.values
            sides.append((sums.names[first][full], means, sums.clusters[first][full]))
            trials += sums.trials
        (names, values, clusters), (others, theirs, _) = sides
        both = np.flatnonzero(np.isin(names, others))
        ranks = np.argsort(others)
        place = ranks[np.searchsorted(others, names[both], sorter=ranks)]
        names = names[both]
        return Both(values[both], theirs[place], clusters[both], names, names), trials

    def gap(self) -> Measure:
        """Return the measure of an item's loss from first to second side, also between runs."""

        def of(rows: Rows) -> Sums:
            both, trials = self.laid(rows)
            gaps, numbers = ratio(both.first) - ratio(both.second), np.arange(len(both.names))
            values = np.array([gaps, np.ones(len(gaps))]).T
            return Sums(both.names, numbers, both.names, both.clusters, values, trials)

        name = f"{self.a.name} - {self.b.name}"
        return msgspec.structs.replace(
            self.measure, name=name, of=of, value=ratio, method="mean", range=(None, None),
            chance=None,
        )  # fmt: skip


def contrasted(
    rows: Rows, declared: Sequence[Contrast], *, fewest: int = 1, seed: int = 0
) -> list[Estimate]:
    """The contrasts of which a run has enough items, each with its interval and test.

    Parameters
    ----------
    rows : Rows
    declared : sequence of Contrast
        One family: p is corrected over them by Holm.
    fewest : int
        Items of both sides.
    seed : int
        Of the test, which flips the signs of whole clusters.
    """
    found = []
    for each in declared:
        both, trials = each.laid(rows)
        if len(both.names) >= fewest:
            names = each.a.name, each.b.name
            found.append(_tested(names, each.measure, both, trials, seed))
    return corrected(found)


def between(one: Rows, other: Rows, declared: Sequence[Contrast]) -> list[Estimate]:
    """Estimate how much more of each contrast one run has than another, on the items of both."""
    found = []
    for each in declared:
        gap = each.gap()
        samples = [NamedTrials("", Frame(rows), np.arange(len(rows))) for rows in (one, other)]
        both, trials = both_of(samples[0], samples[1], gap)
        if len(both.names):
            found.append(_tested((each.a.name, each.b.name), gap, both, trials, 0))
    return corrected(found)


def paired_estimate(
    a: ArrayLike, b: ArrayLike, names: tuple[str, str], measure: Measure = ACCURACY
) -> Estimate:
    """Estimate the difference between two values of each item, items that stand alone."""
    x, y = (np.array([each, np.ones(np.shape(each))], dtype=np.float64).T for each in (a, b))
    places = np.arange(len(x))
    return _tested(names, measure, Both(x, y, places, places, places), 2 * len(x), 0)


def _tested(
    names: tuple[str, str], measure: Measure, both: Both, trials: int, seed: int
) -> Estimate:
    """The difference of two sides by flipping signs, also where McNemar's test decides."""
    own = settled(names, measure, both, trials, seed=seed, flips=True)
    assert own is not None
    assert own.pair is not None
    assert own.pair.flips is not None
    majority = own.pair.mcnemar
    if majority is None:  # of repeats what more than half of them are
        x, y = both.first[:, 0] > 0.5, both.second[:, 0] > 0.5
        majority = mcnemar_exact(int((x & ~y).sum()), int((y & ~x).sum()))
    pair = msgspec.structs.replace(own.pair, mcnemar=majority)
    return msgspec.structs.replace(own, pair=pair, p=own.pair.flips.p)


def corrected(found: Sequence[Estimate]) -> list[Estimate]:
    """Differences as one family, their p corrected by Holm."""
    adjusted = holm([own.p or 0.0 for own in found]).tolist() if found else []
    return [
        msgspec.structs.replace(own, pair=msgspec.structs.replace(own.pair, p_adjusted=p))
        for own, p in zip(found, adjusted, strict=True)
        if own.pair is not None
    ]
