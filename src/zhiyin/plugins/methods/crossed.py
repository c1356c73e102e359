"""The mean of scores that people and items share: both were drawn, and both are uncertain.

The interval of one group's answers by items alone speaks of other items and the same people; here
it speaks of other people and other items. Every figure of several people's answers comes from here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from zhiyin.errors import InputError
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.measures import Estimate, Ints, Measure, ratio
from zhiyin.runs.sums import averaged
from zhiyin.statistics.distributions import t_above
from zhiyin.statistics.intervals import (
    Floats,
    as_scores,
    cluster_index,
    normal_quantile,
    t_quantile,
)
from zhiyin.statistics.paired import minimum_detectable

_Sides = Sequence[tuple[float | None, float | None]]


class Crossed(msgspec.Struct, frozen=True):
    """A mean over people and items.

    Attributes
    ----------
    mean : float
        Of the people's own means: every person counts as much, however many items were answered.
    se, low, high : float or None
        Standard error and interval. None with fewer than two people or items, or with as many
        answers as people or items.
    people, items, answers : int
    between_people, between_items, rest : float or None
        Variance components of one answer, none below 0.
    df : float or None
        Degrees of freedom of the interval.
    clusters : int or None
        How many draws the items count as, where some share a cluster: `between_items` and `rest`
        are those of clusters then.
    p : float or None
        Of the test whose intervals these are, against what was to be tested.
    """

    mean: float
    se: float | None
    low: float | None
    high: float | None
    people: int
    items: int
    answers: int
    between_people: float | None = None
    between_items: float | None = None
    rest: float | None = None
    df: float | None = None
    clusters: int | None = None
    p: float | None = None


def crossed_mean(
    scores: ArrayLike, people: Sequence[Hashable], items: Sequence[Hashable], level: float = 0.95,
    clusters: Sequence[Hashable | None] | None = None, against: float | None = None,
) -> Crossed:  # fmt: skip
    """The mean score of people with an interval over people and items drawn.

    Model: score = mean + person + item + rest, the three drawn independently. The mean is that of
    the people's means, sum of w y with w = 1 / (P n_p). Its variance is A sum_p w_p.² +
    B sum_i w_.i² + E sum w², with the components A, B, E estimated from sums of squares within
    people, within items and of all answers, which needs no balance: each person may have had other
    and fewer items. Interval: Student's t with Satterthwaite's degrees of freedom. Scores that all
    lie in [0, 1] get it on the logit scale, so that it stays between them.

    Items of one cluster (questions on one recording) are one draw: a person's answers to them are
    averaged, and weigh in the person's mean as many as they are.

    Parameters
    ----------
    scores : array_like, shape (n,)
    people, items : sequence of labels, length n
        Whose answer to what. A pair stands once.
    level : float
        Confidence, in (0, 1).
    clusters : sequence of labels, length n, optional
        What each item belongs to; None for an item that stands alone.
    against : float, optional
        The mean that is tested.

    Raises
    ------
    InputError
        No scores, unlike lengths, or a person who answered an item twice.

    References
    ----------
    Gao and Owen (2017), "Efficient moment calculations for variance components in large unbalanced
    crossed random effects models", Electronic Journal of Statistics 11: 1235-1296 (equations of
    the moments); Satterthwaite (1946), Biometrics Bulletin 2: 110-114.
    """
    y = as_scores(scores)
    rows, columns = cluster_index(people, len(y)), cluster_index(items, len(y))
    if len(np.unique(np.column_stack((rows, columns)), axis=0)) < len(y):
        raise InputError("a person has two scores on one item: average them, or take the first")
    count, persons, things = len(y), int(rows.max()) + 1, int(columns.max()) + 1
    given = np.bincount(rows).astype(np.float64)
    weights = 1 / (persons * given[rows])
    mean = float(np.mean(np.bincount(rows, y) / given))
    plain = Crossed(mean, None, None, None, persons, things, count)
    unit = bool(np.all((y >= 0) & (y <= 1)))
    drawn = columns if clusters is None else _draws(columns, clusters)
    if int(drawn.max()) + 1 < things:
        things = int(drawn.max()) + 1
        plain = msgspec.structs.replace(plain, clusters=things)
        # Each person's mean in each draw, with its whole weight.
        cells, at, often = np.unique(
            np.column_stack((rows, drawn)), axis=0, return_inverse=True, return_counts=True
        )
        y = np.bincount(at.ravel(), y) / often
        weights = np.bincount(at.ravel(), weights).astype(np.float64)
        rows, columns = cells.T
    parts = _components(y, rows, columns)
    if parts is None:
        return plain
    a, b, e = (max(0.0, part) for part in parts)
    alone = float(weights @ weights)
    by_person = a * float(np.sum(np.bincount(rows, weights) ** 2))
    by_item = b * float(np.sum(np.bincount(columns, weights) ** 2))
    variance = by_person + by_item + e * alone
    spread = np.array([by_person + e * alone, by_item + e * alone])
    free = float(spread**2 @ (1 / np.array([persons - 1, things - 1])))
    df = variance**2 / free if free > 0 else float(min(persons, things) - 1)
    se = math.sqrt(variance)
    if se < 1e-12:  # nothing varied: nothing is known of how much it may
        return msgspec.structs.replace(plain, between_people=a, between_items=b, rest=e)
    low, high = _ends(mean, t_quantile(level, df) * se, unit)
    p = None if against is None else 2 * t_above(_apart(mean, against, unit) / se, df)
    return msgspec.structs.replace(
        plain, se=se, low=low, high=high, between_people=a, between_items=b, rest=e, df=df, p=p
    )


def _draws(columns: NDArray[np.intp], clusters: Sequence[Hashable | None]) -> NDArray[np.intp]:
    """The number of the draw that each answer's item belongs to."""
    if len(clusters) != len(columns):
        raise InputError(f"{len(clusters)} clusters for {len(columns)} scores: give one for each")
    names = [
        ("item", int(item)) if cluster is None else ("cluster", cluster)
        for item, cluster in zip(columns, clusters, strict=True)
    ]
    return cluster_index(names, len(names))


def _ends(mean: float, half: float, unit: bool) -> tuple[float, float]:
    if not unit:
        return mean - half, mean + half
    centre, reach = math.log(mean / (1 - mean)), half / (mean * (1 - mean))
    return _expit(centre - reach), _expit(centre + reach)


def _apart(mean: float, other: float, unit: bool) -> float:
    """How far a mean lies from another, as its interval measures it."""
    if not unit:
        return abs(mean - other)
    if not 0 < other < 1:
        return math.inf
    slope = mean * (1 - mean)
    return slope * abs(math.log(mean / (1 - mean)) - math.log(other / (1 - other)))


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def _components(
    y: Floats, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> tuple[float, float, float] | None:
    """Variance between people, between items, and of the rest, without bias; None: no way."""
    n = len(y)
    in_row, in_column = np.bincount(rows).astype(float), np.bincount(columns).astype(float)
    persons, things = len(in_row), len(in_column)
    row_mean, column_mean = np.bincount(rows, y) / in_row, np.bincount(columns, y) / in_column
    within = np.array(
        [
            np.sum((y - row_mean[rows]) ** 2),
            np.sum((y - column_mean[columns]) ** 2),
            n * np.sum((y - y.mean()) ** 2),
        ]
    )
    table = np.array(
        [
            [0.0, n - persons, n - persons],
            [n - things, 0.0, n - things],
            [n**2 - in_row @ in_row, n**2 - in_column @ in_column, n**2 - n],
        ]
    )
    if abs(np.linalg.det(table / n)) < 1e-9:  # so with one person, one item, or one answer of each
        return None
    a, b, e = np.linalg.solve(table, within)
    return float(a), float(b), float(e)


def pigeonhole(
    people: Sequence[Hashable], items: Sequence[Hashable],
    statistic: Callable[[Floats, Floats], float | None], *, draws: int = 1999, level: float = 0.95,
    seed: int = 0,
) -> tuple[float, float] | None:  # fmt: skip
    """A percentile interval from a bootstrap that draws people and items, both with replacement.

    Parameters
    ----------
    people, items : sequence of labels, length n
    statistic : callable
        Given how often each answer's person and how often its item was drawn, shape (n,) each.
        None where it cannot be computed for a draw.
    draws, level, seed : int, float, int

    Returns
    -------
    (float, float) or None
        Too wide rather than too narrow. None where a tenth of the draws gave nothing.

    References
    ----------
    Owen (2007), "The pigeonhole bootstrap", Annals of Applied Statistics 1: 386-411.
    """
    rows, columns = cluster_index(people, len(people)), cluster_index(items, len(people))
    persons, things = int(rows.max()) + 1, int(columns.max()) + 1
    draw = np.random.default_rng(seed)
    values: list[float] = []
    for _ in range(draws):
        often = draw.multinomial(persons, np.full(persons, 1 / persons))
        which = draw.multinomial(things, np.full(things, 1 / things))
        value = statistic(often[rows].astype(np.float64), which[columns].astype(np.float64))
        if value is not None:
            values.append(value)
    if len(values) < 0.9 * draws:
        return None
    low, high = np.quantile(values, [0.5 - level / 2, 0.5 + level / 2])
    return float(low), float(high)


def crossed_gap(
    gaps: Floats, people: Sequence[Hashable], items: Sequence[Hashable],
    clusters: Sequence[Hashable | None] | None, sides: _Sides, level: float = 0.95,
) -> Crossed:  # fmt: skip
    """The mean of differences of shares, each of a person's answer and of another's to one item.

    They are brought from [-1, 1] to [0, 1], so that the interval stays within; `p` is against 0.

    Parameters
    ----------
    gaps, people, items, clusters, level
        As of `crossed_mean`.
    sides : sequence of (low, high)
        Intervals of the two whose difference it is: with few people what is crossed may be wider
        than their ends allow, and is no wider then.
    """
    found = crossed_mean((gaps + 1) / 2, people, items, level, clusters, 0.5)
    se, low, high = found.se and 2 * found.se, found.low, found.high
    if low is not None and high is not None:
        low, high = 2 * low - 1, 2 * high - 1
        (least, most), (less, more) = sides
        if least is not None and most is not None and less is not None and more is not None:
            low, high = max(low, least - more), min(high, most - less)
    return msgspec.structs.replace(found, mean=2 * found.mean - 1, se=se, low=low, high=high)


class _DrawnAnswers(NamedTuple):
    """The values of a measure, each person's of an item once; of a model all are of one person."""

    values: Floats
    people: Ints
    items: Ints
    clusters: Ints

    @classmethod
    def of(cls, frame: Frame, places: Ints, measure: Measure) -> _DrawnAnswers:
        """Values of some trials. Where no mean is measured, pseudo-values of the jackknife."""
        kept = places[frame.counted(measure)[places]]
        assert not callable(measure.of)
        columns = np.array([frame.column(of)[0][kept] for of in measure.of]).T
        told = columns.any(axis=1)  # a blank adds nothing to what is over answers
        kept, columns = kept[told], columns[told]
        who = np.zeros(len(kept), dtype=int) if frame.people is None else frame.people[kept]
        pairs, home = np.unique(
            np.column_stack((who, frame.cell[kept])), axis=0, return_inverse=True
        )
        columns, (people, cells) = averaged(home.ravel(), columns), pairs.T
        n, whole, values = len(columns), columns.sum(axis=0), columns[:, 0]
        if measure.value is not ratio or not np.all(columns[:, 1] == 1):
            rest = measure.value(whole - columns) if n > 1 else np.zeros(1)
            values = np.asarray(n * measure.value(whole) - (n - 1) * rest)
        return cls(values, people, frame.keys[cells], frame.clusters[frame.home[cells]])

    @property
    def mean(self) -> float:
        """Mean of the people's means."""
        people = np.unique(self.people, return_inverse=True)[1].ravel()
        return float(averaged(people, self.values).mean())

    def less(self, other: _DrawnAnswers, measure: Measure, sides: _Sides, level: float) -> Crossed:
        """These people's values less the other's mean of the same item."""
        names, home = np.unique(other.items, return_inverse=True)
        gaps = (
            self.values - averaged(home.ravel(), other.values)[np.searchsorted(names, self.items)]
        )
        people, items, clusters = (each.tolist() for each in self[1:])
        if measure.range == (0.0, 1.0):
            return crossed_gap(gaps, people, items, clusters, sides, level)
        return crossed_mean(gaps, people, items, level, clusters, 0.0)


def for_other_people(
    own: Estimate, sides: Sequence[tuple[Frame, Ints]], level: float = 0.95
) -> Estimate | None:
    """A figure of several people's answers, or a difference, for other people and other items.

    Parameters
    ----------
    own : Estimate
        For other items and these people.
    sides : sequence of (Frame, ndarray of int)
        The trials that it is of; of a difference what both sides were asked.
    level : float

    Returns
    -------
    Estimate or None
        None for a measure that is fitted, or made of several trials at once.
    """
    measure = own.measure
    if callable(measure.of) or measure.method == "none" or own.value is None:
        return None
    given = [_DrawnAnswers.of(*side, measure) for side in sides]
    if own.pair is None:
        values, people, items, clusters = (each.tolist() for each in given[0])
        found = crossed_mean(values, people, items, level, clusters, own.chance)
        least, most = measure.range
    else:
        found = _difference(given, sides, own, level)
        least, most = (-1.0, 1.0) if measure.range == (0.0, 1.0) else (None, None)
    # Nothing varied, or one person answered, or one item was asked: nothing is claimed.
    low = -math.inf if found.low is None else found.low
    high = math.inf if found.high is None else found.high
    low, high = low if least is None else max(low, least), high if most is None else min(high, most)
    tested = own.pair is not None or own.p is not None
    p = (1.0 if found.p is None else found.p) if tested else None
    se = math.inf if found.se is None else found.se
    pair = own.pair
    if pair is not None:
        one, two = given
        first = one.mean if sides[0][0].people is not None else two.mean + found.mean
        second = round(first - found.mean, 12) + 0.0  # no −0.0
        implied = (high - low) / 2 / normal_quantile(level)
        pair = msgspec.structs.replace(
            pair, first=round(first, 12) + 0.0, second=second, test="crossed", p_adjusted=p,
            detectable=minimum_detectable(max(se, implied)), flips=None, mcnemar=None, binary=False,
        )  # fmt: skip
    return msgspec.structs.replace(
        own, value=found.mean, low=low, high=high, se=se, method="crossed", p=p, pair=pair
    )


def _difference(
    given: Sequence[_DrawnAnswers], sides: Sequence[tuple[Frame, Ints]], own: Estimate, level: float
) -> Crossed:
    """The first side less the second, of which at least one is several people's.

    Of two groups of people each is held against what the other got on an item; what items add
    is in both variances, and in that for other items alone: it is taken away once.
    """
    ends = [estimate(frame, own.measure, places, level=level) for frame, places in sides]
    both: _Sides = [(one.low, one.high) for one in ends]
    found = []
    if sides[0][0].people is not None:
        found.append(given[0].less(given[1], own.measure, both, level))
    if sides[1][0].people is not None:
        one = given[1].less(given[0], own.measure, both[::-1], level)
        low, high = (None if end is None else -end for end in (one.high, one.low))
        found.append(msgspec.structs.replace(one, mean=-one.mean, low=low, high=high))
    if len(found) == 1:
        return found[0]
    mean = (found[0].mean + found[1].mean) / 2
    if any(one.se is None for one in found):
        return Crossed(mean, None, None, None, 0, 0, 0)
    alone = own.se if own.se is not None and own.se < math.inf else 0.0
    se = math.sqrt(max(sum((one.se or 0.0) ** 2 for one in found) - alone**2, alone**2))
    df = min(one.df or 1.0 for one in found)
    half = t_quantile(level, df) * se
    p = 2 * t_above(abs(mean) / se, df)
    return msgspec.structs.replace(
        found[0], mean=mean, se=se, low=max(-1.0, mean - half), high=min(1.0, mean + half), p=p
    )
