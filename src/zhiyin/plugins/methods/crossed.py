"""The mean of scores that people and items share: both were drawn, and both are uncertain.

The interval of one group's answers by items alone speaks of other items and the same people; here
it speaks of other people and other items.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from zhiyin.errors import InputError
from zhiyin.statistics.intervals import Floats, as_scores, cluster_index, t_quantile


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


def crossed_mean(
    scores: ArrayLike,
    people: Sequence[Hashable],
    items: Sequence[Hashable],
    level: float = 0.95,
    clusters: Sequence[Hashable | None] | None = None,
) -> Crossed:
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
    return msgspec.structs.replace(
        plain, se=se, low=low, high=high, between_people=a, between_items=b, rest=e, df=df
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
    people: Sequence[Hashable],
    items: Sequence[Hashable],
    statistic: Callable[[Floats, Floats], float | None],
    *,
    draws: int = 1999,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[float, float] | None:
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
