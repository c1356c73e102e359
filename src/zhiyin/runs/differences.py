"""Difference between two samples of trials: an estimate with its test, paired by question.

One way for every comparison: two runs, two ways of asking within a run, and the difference of such
differences. Means are tested by McNemar's exact test or by flipping signs of whole clusters
(`statistics.paired`), any other function of sums by swapping the two samples on whole clusters,
with a jackknifed interval (Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapters 11
and 15).

A benchmark declares which ways of asking are set against each other (`Contrast`). An item is on a
side by the ways in which it was asked; only items of both sides count, each once. What differs
between two runs in this is a measure like any other (`Contrast.gap`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from zhiyin.engine.scoring import ALL
from zhiyin.runs.estimates import Frame, for_other_people
from zhiyin.runs.measures import (
    ACCURACY,
    EXPLORATORY,
    SHARE,
    WHAT_SOUND_ADDS,
    Estimate,
    Ints,
    Measure,
    Pair,
    Sums,
    Weighted,
    ratio,
)
from zhiyin.runs.rows import Rows
from zhiyin.runs.sums import averaged, jackknife, summed
from zhiyin.runs.ways import QuestionKind, Way
from zhiyin.statistics import paired
from zhiyin.statistics.intervals import (
    Floats,
    degrees_of_freedom,
    in_order,
    normal_quantile,
    t_quantile,
)
from zhiyin.statistics.paired import holm, mcnemar_exact
from zhiyin.statistics.parts import part_difference
from zhiyin.statistics.planning import flips_detectable, mcnemar_detectable

_DRAWS = 10_000


class NamedTrials(NamedTuple):
    """Some trials of a run, under a name."""

    name: str
    frame: Frame
    places: Ints


class Both(NamedTuple):
    """Items of two samples: the columns of each, shape (n, K); names of items, numbers of clusters.

    `cells` names what was asked of both, so that two groups of the same answers are known.
    """

    first: Floats
    second: Floats
    clusters: Ints
    names: Ints
    cells: Ints


def both_of(a: NamedTrials, b: NamedTrials, measure: Measure) -> tuple[Both, int]:
    """Return what two samples were asked in the same ways, and the number of those trials."""
    one, two = (each.frame.sums(measure, each.places) for each in (a, b))
    return _cells_of_both(one, two), one.trials + two.trials


def difference(
    a: NamedTrials, b: NamedTrials, measure: Measure, *, group: str = ALL,
    family: str = EXPLORATORY, level: float = 0.95, alpha: float = 0.05, seed: int = 0,
    flips: bool = False,
) -> Estimate | None:  # fmt: skip
    """Sample a minus sample b on what both were asked in the same ways.

    Parameters
    ----------
    a, b : NamedTrials
    measure : Measure
    group, family : str
        What the estimate is of, and within what its p is corrected.
    level, alpha : float
        Of the interval; of the test whose smallest detectable difference is told.
    seed : int
        Of the flips.
    flips : bool
        Whether signs are flipped also where McNemar's test decides.

    Returns
    -------
    Estimate or None
        With a `Pair`; None where the two have nothing in common.
    """
    both, n = both_of(a, b, measure)
    found = settled(
        (a.name, b.name), measure, both, n, group=group, family=family, level=level, alpha=alpha,
        seed=seed, flips=flips,
    )  # fmt: skip
    return found and for_other_people(found, [a[1:], b[1:]], level)


def settled(
    names: tuple[str, str], measure: Measure, both: Both, n: int, *, group: str = ALL,
    family: str = EXPLORATORY, level: float = 0.95, alpha: float = 0.05, seed: int = 0,
    flips: bool = False,
) -> Estimate | None:  # fmt: skip
    """The difference of two samples laid side by side; see `difference`."""
    if not len(both.clusters):
        return None
    found: tuple[Estimate, Pair] | None
    if measure.weighted is not None:
        found = _of_parts(measure, measure.weighted, both, level, alpha, seed)
        if found is None:
            return None
        estimate, pair = found
    elif measure.value is ratio and all(np.all(side[:, 1] == 1) for side in both[:2]):
        estimate, pair = _of_means(measure, both, level, alpha, seed, flips=flips)
    else:
        estimate, pair = _of_sums(measure, both, level, seed)
    pair = msgspec.structs.replace(pair, a=names[0], b=names[1], family=family)
    return msgspec.structs.replace(estimate, pair=pair, n=n, group=group)


def _of_means(
    measure: Measure, both: Both, level: float, alpha: float, seed: int, *, flips: bool
) -> tuple[Estimate, Pair]:
    """The difference of two means.

    McNemar's test of right and wrong answers that stand alone, else the sign-flip test over
    clusters.
    """
    x, y = both.first[:, 0], both.second[:, 0]
    own = paired.paired_difference(x, y, both.clusters, level)
    mcnemar = None
    if np.isin(x, (0, 1)).all() and np.isin(y, (0, 1)).all():
        mcnemar = paired.mcnemar_exact(int((x > y).sum()), int((y > x).sum()))
    exact = mcnemar is not None and own.clusters == own.n
    flipped = None
    if flips or not exact:
        flipped = paired.sign_flip(x - y, both.clusters, draws=_DRAWS, seed=seed)
    if exact and mcnemar is not None:
        test, p = "mcnemar", mcnemar.p
        discordant = (mcnemar.b + mcnemar.c + 2) / (own.n + 2)
        least = mcnemar_detectable(own.n, discordant, alpha=alpha)
    else:
        assert flipped is not None
        test, p = "sign-flip", flipped.p
        step = paired.smallest_step(np.concatenate([x, y])) if measure.unit == SHARE else 0.0
        # From the interval where that is wider: a standard error may be 0 by luck.
        implied = (own.high - own.low) / 2 / normal_quantile(level)
        least = flips_detectable(max(own.se, implied), own.clusters, step / own.n, alpha=alpha)
    pair = Pair(own.first, own.second, test, p, least, flipped, mcnemar, mcnemar is not None)
    ends = own.mean, own.low, own.high, own.se
    return Estimate(measure, *ends, 0, own.n, own.clusters, own.method, None, p), pair


def _of_parts(
    measure: Measure, of: Weighted, both: Both, level: float, alpha: float, seed: int
) -> tuple[Estimate, Pair] | None:
    """The difference of scores in parts; None where the two have none in common."""
    first, second = (of.parts(side, both.clusters) for side in both[:2])
    own = part_difference(first, second, of.figure, level, seed=seed)
    if own is None:
        return None
    # From the interval where that is wider: a standard error may be 0 by luck.
    implied = (own.high - own.low) / 2 / normal_quantile(level)
    least = flips_detectable(max(own.se, implied), own.songs, alpha=alpha)
    pair = Pair(own.first, own.second, "sign-flip", own.flips.p, least, own.flips)
    ends, n = (own.mean, own.low, own.high, own.se), own.songs
    return Estimate(measure, *ends, n, n, n, "parts", None, own.flips.p), pair


def _of_sums(measure: Measure, both: Both, level: float, seed: int) -> tuple[Estimate, Pair]:
    """The same of any function of sums."""
    clusters = in_order(both.clusters)[0]
    a, b = (summed(clusters, each) for each in both[:2])
    whole, other, size = a.sum(axis=0), b.sum(axis=0), len(a)
    one, two = float(measure.value(whole)), float(measure.value(other))
    se, df = math.inf, 0.0
    if size > 1:
        se = jackknife(measure.value(whole - a) - measure.value(other - b))
        df = degrees_of_freedom(np.bincount(clusters).astype(np.float64))
    half = t_quantile(level, df) * se
    moved = np.abs(a - b).max(axis=1) > 1e-12
    gap, count = (b - a)[moved], int(moved.sum())
    exact = count <= paired.EXACT_CLUSTERS
    if exact:
        swaps: Any = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    else:  # clusters that differ alike are swapped together
        gap, times = np.unique(gap, axis=0, return_counts=True)
        swaps = np.random.default_rng(seed).binomial(times, 0.5, (_DRAWS, len(times)))
    swaps = swaps.astype(np.float64)
    turned = measure.value(whole + swaps @ gap) - measure.value(other - swaps @ gap)
    extreme = np.abs(turned) >= abs(one - two) - 1e-9
    p = float(extreme.mean()) if exact else (1 + float(extreme.sum())) / (1 + _DRAWS)
    flips = paired.Flips(one - two, p, len(swaps), exact, count)
    pair = Pair(one, two, "swap", p, paired.minimum_detectable(se), flips)
    ends = one - two, one - two - half, one - two + half, se
    return Estimate(measure, *ends, 0, len(both.clusters), size, "jackknife", None, p), pair


def _cells_of_both(one: Sums, two: Sums) -> Both:
    """Return what both were asked in the same way, averaged by item, in the order of last cells."""
    own = np.flatnonzero(np.isin(one.keys, two.keys))
    ranks = np.argsort(two.keys)
    other = ranks[np.searchsorted(two.keys, one.keys[own], sorter=ranks)]
    back = in_order(one.names[own][::-1])[0]
    home = back.max(initial=-1) - back[::-1]
    first = np.unique(home, return_index=True)[1]
    values = averaged(home, one.values[own]), averaged(home, two.values[other])
    keys = one.keys[own]
    return Both(*values, one.clusters[own][first], one.names[own][first], keys)


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


def paired_estimate(a: ArrayLike, b: ArrayLike, names: tuple[str, str]) -> Estimate:
    """Estimate the difference between two values of each item, items that stand alone."""
    x, y = (np.array([each, np.ones(np.shape(each))], dtype=np.float64).T for each in (a, b))
    places = np.arange(len(x))
    return _tested(names, ACCURACY, Both(x, y, places, places, places), 2 * len(x), 0)


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
