"""Components of variance of single answers, split by what was varied.

Each item is asked in several words, orders, languages, at several servers, and again. An answer is

    y = mean + item + words + order + ... + combinations of these + sampling,

every effect drawn independently, those of words and the like within their item. For two answers to
one item that differ in exactly the factors D,

    E (y - y')² / 2 = the sum of the components of all effects that have a factor of D, + sampling,

and for two answers to items of different clusters E y y' is the square of the mean. Solving these
equations item by item gives estimates without bias, whatever the distribution, so for right and
wrong as well; where every item has the same design they are those of the analysis of variance.

A component within items is a mean over items, and has the interval of one (`intervals.interval`,
over clusters). That of items is a U-statistic: its interval is over the jackknife's pseudo-values
of clusters. Estimates below 0 are possible where the truth is near 0, and are shown as 0.

References
----------
Koch (1967), "A general approach to the estimation of variance components", Technometrics 9:
93-118, and (1968), "Some further remarks", Technometrics 10: 551-558 (symmetric sums of squared
differences); Searle, Casella and McCulloch (1992), Variance Components, sections 4.3 and 5.2
(balanced designs, Henderson's methods); Miller (1974), "The jackknife", Biometrika 61: 1-15.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from zhiyin.errors import InputError
from zhiyin.statistics.intervals import (
    Clusters,
    Floats,
    Interval,
    as_scores,
    cluster_index,
    cluster_sums,
    interval,
    standard_error,
)
from zhiyin.words import said

Ints = NDArray[np.intp]
_NOTHING, _FEWEST = 1e-9, 3
ITEMS, SAMPLING, COMBINED = "items", "sampling", "combined"
"""Names of components beside those of the factors; `COMBINED` are all combinations of factors."""


class VarianceComponent(msgspec.Struct, frozen=True):
    """One thing that a figure depends on.

    Attributes
    ----------
    name : str
        `ITEMS`, a factor, `COMBINED` or `SAMPLING`.
    variance, low, high : float or None
        Of one answer, with its 95 % interval; none below 0. None where it was not varied.
    share : float or None
        Of the sum of all components.
    se_once, se : float or None
        The standard error that it alone would give the figure, in units of the figure: if every
        item were asked in one way, once; and in all ways in which it was asked.
    levels : float
        How many ways an item was asked in, on average; of items how many there are.
    with_sampling : bool
        Whether it cannot be separated from sampling, for nothing was asked again as it was.
    """

    name: str
    variance: float | None = None
    low: float | None = None
    high: float | None = None
    share: float | None = None
    se_once: float | None = None
    se: float | None = None
    levels: float = 1.0
    with_sampling: bool = False


class Components(msgspec.Struct, frozen=True):
    """All that a figure depends on.

    Attributes
    ----------
    parts : tuple of VarianceComponent
        Items, every factor in its order, combinations of factors, sampling.
    figure : Interval
        The mean over items of all their answers, each item weighing the same.
    items, clusters, left_out : int
        Items that were asked in every way that the others were, their clusters, and other items.
    answers : int
        To these items.
    """

    parts: tuple[VarianceComponent, ...]
    figure: Interval
    items: int
    clusters: int
    left_out: int
    answers: int

    def part(self, name: str) -> VarianceComponent:
        """The component of a name."""
        return next(part for part in self.parts if part.name == name)


def components(
    scores: ArrayLike,
    items: Sequence[object] | NDArray[np.generic],
    factors: Mapping[str, Sequence[object] | NDArray[np.generic]],
    clusters: Clusters | None = None,
    shared: frozenset[str] = frozenset(),
    level: float = 0.95,
) -> Components:
    """Split the variance of answers by what was varied.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Right (1) or wrong (0), or any other score of an answer.
    items : sequence of labels, length n
    factors : mapping of str to sequence of labels, length n
        In which way each answer was asked for, of each factor. What is the same throughout was not
        varied. Answers that are alike in all of them are samples of one question.
    clusters : sequence of labels, length n, optional
        What each answer's item hangs together with.
    shared : frozenset of str
        Factors whose levels are the same for all items, such as servers: what they do to all
        items alike does not average out over these, and stands in the standard errors.
    level : float
        Confidence of the intervals, in (0, 1).

    Returns
    -------
    Components

    Raises
    ------
    InputError
        Unlike lengths; or fewer than three clusters of items that were asked in every way.
    """
    y = as_scores(scores)
    home = cluster_index(list(items), len(y))
    codes = {name: cluster_index(list(own), len(y)) for name, own in factors.items()}
    group = home if clusters is None else cluster_index(clusters, len(y))
    varied = [name for name, own in codes.items() if _varies(home, own)]
    halves, again = _half_squares(y, home, [codes[name] for name in varied])
    whole = np.all(np.isfinite(halves[:, 0 if again else 1 :]), axis=1)
    of_item = np.zeros(int(home.max()) + 1, dtype=np.intp)
    of_item[home] = group
    kept = np.flatnonzero(whole)
    if len(np.unique(of_item[kept])) < _FEWEST:
        raise InputError(said("components-few", fewest=_FEWEST))
    inside = whole[home]
    design = _Design(y[inside], _renumbered(home[inside]), of_item[kept], level)
    effects = _effects(halves[kept], len(varied), again=again)
    levels = {name: _levels(design.home, codes[name][inside]) for name in varied}
    parts = _within(design, effects, varied, levels, again=again)
    common = {name: _common(design, codes[name][inside]) for name in shared & set(varied)}
    alike = sum(own / parts[name].levels for name, own in common.items())
    of_items = _of_items(design, effects, parts, alike)
    for name, own in common.items():
        parts[name] = _with_common(parts[name], own, design.items)
    every = [of_items, *(parts.get(name, VarianceComponent(name)) for name in codes)]
    every += [parts[name] for name in (COMBINED, SAMPLING) if name in parts]
    if SAMPLING not in parts:
        every.append(VarianceComponent(SAMPLING))
    total = sum(part.variance or 0.0 for part in every)
    if y.min() >= 0 and y.max() <= 1:
        every = [_bounded(part) for part in every]
    return Components(
        tuple(
            part
            if part.variance is None
            else msgspec.structs.replace(part, share=part.variance / total if total else 0.0)
            for part in every
        ),
        design.figure,
        design.items,
        design.figure.clusters,
        len(whole) - len(kept),
        int(inside.sum()),
    )


def _bounded(part: VarianceComponent) -> VarianceComponent:
    """Bound the interval at 1/4: no variance of answers in [0, 1] is above (Popoviciu 1935)."""
    high = None if part.high is None else min(part.high, max(0.25, part.variance or 0.0))
    return msgspec.structs.replace(part, high=high)


class _Design:
    """The answers to items that were asked in every way."""

    def __init__(self, y: Floats, home: Ints, clusters: Ints, level: float) -> None:
        self.y, self.home, self.clusters, self.level = y, home, clusters, level
        self.times = np.bincount(home).astype(np.float64)
        self.items = len(self.times)
        self.means = np.bincount(home, y) / self.times
        self.squares = np.bincount(home, y * y) / self.times
        self.figure = interval(self.means, clusters, level)

    def over_items(self, values: Floats) -> Interval:
        """The mean over items with its interval over clusters."""
        return _mean_of(values, self.clusters, self.level)


def _mean_of(values: Floats, clusters: Ints | None, level: float) -> Interval:
    """A mean that is no share: where it varies, its interval is that of a mean of any numbers.

    Where it does not, each cluster counts as one draw, so that no interval is without width.
    """
    mean = float(values.mean())
    if float(np.ptp(values)) < _NOTHING:
        return interval(np.clip(values, 0.0, 1.0), clusters, level)
    found = interval(values - mean, clusters, level)
    low, high = found.low + mean, found.high + mean
    return msgspec.structs.replace(found, mean=found.mean + mean, low=low, high=high)


def _varies(home: Ints, codes: Ints) -> bool:
    """Tell whether any item has more than one level."""
    first = np.full(int(home.max()) + 1, -1, dtype=np.intp)
    first[home[::-1]] = codes[::-1]
    return bool(np.any(codes != first[home]))


def _renumbered(numbers: Ints) -> Ints:
    return np.unique(numbers, return_inverse=True)[1].ravel().astype(np.intp)


def _levels(home: Ints, codes: Ints) -> Floats:
    """Count the levels of each item."""
    pairs = np.unique(np.column_stack((home, codes)), axis=0)
    return np.bincount(pairs[:, 0]).astype(np.float64)


def _half_squares(y: Floats, home: Ints, codes: Sequence[Ints]) -> tuple[Floats, bool]:
    """Average (y - y')² / 2 of each item over its pairs that differ in exactly the factors D.

    Returns
    -------
    ndarray of float, shape (items, 2**factors)
        By D as a number, the first factor its lowest bit; NaN for no such pair.
    bool
        Whether there is any pair that differs in nothing.
    """
    count, size = int(home.max()) + 1, 1 << len(codes)
    # sums over pairs that are alike at least in the factors K; then in exactly these
    sums, pairs = np.zeros((size, count)), np.zeros((size, count))
    for alike in range(size):
        cell = home
        for bit, own in enumerate(codes):
            if alike >> bit & 1:
                cell = _renumbered(cell * (int(own.max()) + 1) + own)
        n = np.bincount(cell).astype(np.float64)
        total, squares = np.bincount(cell, y), np.bincount(cell, y * y)
        of_cell = np.zeros(len(n), dtype=np.intp)
        of_cell[cell] = home
        sums[alike] = np.bincount(of_cell, (n * squares - total**2) / 2, count)
        pairs[alike] = np.bincount(of_cell, n * (n - 1) / 2, count)
    for table in (sums, pairs):
        for bit in range(len(codes)):
            for alike in range(size):
                if not alike >> bit & 1:
                    table[alike] -= table[alike | 1 << bit]
    differ = (size - 1) ^ np.arange(size)
    sums, pairs = sums[differ], np.round(pairs[differ])
    means = np.where(pairs > 0, np.maximum(sums, 0.0) / np.maximum(pairs, 1), np.nan)
    return np.asarray(means.T), bool(pairs[0].any())


def _effects(halves: Floats, factors: int, *, again: bool) -> Floats:
    """Return each item's component of each set of factors; of the empty set that of sampling.

    What the effects within a set of factors add up to is what pairs that differ in all factors
    have, less what pairs have that differ in all others.
    """
    size, every = halves.shape[1], halves.shape[1] - 1
    sampling = halves[:, 0] if again else np.zeros(len(halves))
    within = np.column_stack(
        [halves[:, every] - (halves[:, every ^ own] if every ^ own else sampling)
         for own in range(size)]
    )  # fmt: skip
    within[:, 0] = 0.0
    for bit in range(factors):
        for own in range(size):
            if own >> bit & 1:
                within[:, own] -= within[:, own ^ 1 << bit]
    within[:, 0] = sampling
    return within


def _within(
    design: _Design, effects: Floats, varied: list[str], levels: Mapping[str, Floats],
    *, again: bool,
) -> dict[str, VarianceComponent]:  # fmt: skip
    """The components within items by name."""
    parts: dict[str, VarianceComponent] = {}
    combined, by_design = np.zeros(design.items), 0.0
    every = (1 << len(varied)) - 1
    for own in range(1, every + 1):
        names = [name for bit, name in enumerate(varied) if own >> bit & 1]
        ways = math.prod(levels[name] for name in names)
        divided = float(np.mean(1 / np.asarray(ways)))
        if len(names) == 1:
            alone = own == every and not again
            parts[names[0]] = _part(
                design, names[0], effects[:, own], divided,
                float(np.mean(levels[names[0]])), with_sampling=alone,
            )  # fmt: skip
        else:
            combined += effects[:, own]
            by_design += max(0.0, float(np.mean(effects[:, own]))) * divided
    if len(varied) > 1:
        part = _part(design, COMBINED, combined, 1.0, 1.0, with_sampling=not again)
        parts[COMBINED] = msgspec.structs.replace(part, se=math.sqrt(by_design / design.items))
    if again:
        divided = float(np.mean(1 / design.times))
        parts[SAMPLING] = _part(
            design, SAMPLING, effects[:, 0], divided, float(np.mean(design.times))
        )
    return parts


def _part(
    design: _Design, name: str, values: Floats, divided: float, levels: float,
    *, with_sampling: bool = False,
) -> VarianceComponent:  # fmt: skip
    """A component that is a mean over items, `divided` by how often each item was asked."""
    found = design.over_items(values)
    variance = max(0.0, found.mean)
    return VarianceComponent(
        name, variance, max(0.0, found.low), max(0.0, found.high),
        se_once=math.sqrt(variance / design.items),
        se=math.sqrt(variance * divided / design.items),
        levels=levels, with_sampling=with_sampling,
    )  # fmt: skip


def _common(design: _Design, codes: Ints) -> float:
    """The variance of what levels do to all items alike: of their means, less what items add."""
    levels = int(codes.max()) + 1
    cell = design.home * levels + codes
    times = np.bincount(cell, minlength=design.items * levels).reshape(design.items, levels)
    sums = np.bincount(cell, design.y, design.items * levels).reshape(design.items, levels)
    means = sums / np.maximum(times, 1)
    found, pairs = 0.0, 0
    for one in range(levels):
        for other in range(one):
            both = (times[:, one] > 0) & (times[:, other] > 0)
            if len(np.unique(design.clusters[both])) < 2:
                continue
            apart = means[both, one] - means[both, other]
            noise = standard_error(*cluster_sums(apart, _renumbered(design.clusters[both])))
            found += (float(apart.mean()) ** 2 - noise**2) / 2
            pairs += 1
    return max(0.0, found / pairs) if pairs else 0.0


def _with_common(part: VarianceComponent, common: float, items: int) -> VarianceComponent:
    """The part with standard errors in which what all items share does not average out."""
    assert part.variance is not None
    common = min(common, part.variance)
    once = common + (part.variance - common) / items
    return msgspec.structs.replace(part, se_once=math.sqrt(once), se=math.sqrt(once / part.levels))


def _of_items(
    design: _Design, effects: Floats, parts: Mapping[str, VarianceComponent], alike: float
) -> VarianceComponent:
    """The component of items: the variance between them, less what is within them.

    `alike`: by how much products of items are larger for what all items share.
    """
    own = _renumbered(design.clusters)
    within = effects.sum(axis=1)
    sums = np.array([
        np.bincount(own, values)
        for values in (design.squares - within, design.means, np.ones(design.items))
    ])  # fmt: skip
    products = sums[1:] ** 2

    def estimate(total: Floats, squares: Floats) -> Floats:
        """Estimate from sums over clusters, and sums of squares; for any number of leavings-out."""
        between = (total[1] ** 2 - squares[0]) / (total[2] ** 2 - squares[1])
        return np.asarray(total[0] / total[2] - between + alike)

    total, squares = sums.sum(axis=1), products.sum(axis=1)
    whole = float(estimate(total, squares))
    count = sums.shape[1]
    left = estimate(total[:, None] - sums, squares[:, None] - products)
    found = _mean_of(count * whole - (count - 1) * left, None, design.level)
    variance = max(0.0, whole)
    inside = sum((part.se or 0.0) ** 2 for part in parts.values())
    robust = design.figure.se**2 if math.isfinite(design.figure.se) else variance / design.items
    se = math.sqrt(max(0.0, robust - inside))
    return VarianceComponent(
        ITEMS, variance, max(0.0, found.low), max(0.0, found.high), se_once=se, se=se,
        levels=float(design.items),
    )  # fmt: skip
