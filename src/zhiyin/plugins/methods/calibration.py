"""Calibration of stated confidence, and the worth of a judge's grades beside people's.

Conventions
-----------
confidence
    The probability in [0, 1] that a model gives its own answer.
outcome
    1 where that answer was right, 0 where it was wrong.
"""

from __future__ import annotations

import math
from itertools import permutations
from typing import Literal, get_args

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from zhiyin.errors import InputError
from zhiyin.statistics.intervals import (
    Clusters,
    Floats,
    Interval,
    as_scores,
    cluster_index,
    interval,
    normal_quantile,
    p_value,
    t_quantile,
)
from zhiyin.words import said

Binning = Literal["width", "mass"]


class Bin(msgspec.Struct, frozen=True):
    """One bar of a reliability diagram.

    Attributes
    ----------
    low, high : float
        Edges. With "width", confidences in (low, high], the first bin with its lower edge; with
        "mass", the lowest and the highest confidence inside.
    confidence : float
        Mean confidence inside.
    accuracy : Interval
        Share of right answers, with its Wilson interval.
    n : int
    """

    low: float
    high: float
    confidence: float
    accuracy: Interval
    n: int


class Calibration(msgspec.Struct, frozen=True):
    """Distance between confidence and accuracy.

    Attributes
    ----------
    ece : float
        Expected calibration error: mean of |accuracy - confidence| over bins, by their n.
    largest : float
        Maximum calibration error: the largest |accuracy - confidence| of a bin.
    bias : float
        Mean confidence minus accuracy; above 0 is overconfident.
    bins : tuple of Bin
        Bins that hold something, in order.
    n : int
    """

    ece: float
    largest: float
    bias: float
    bins: tuple[Bin, ...]
    n: int


class Brier(msgspec.Struct, frozen=True):
    """The Brier score and what it is made of.

    score = reliability - resolution + uncertainty + within, exactly.

    Attributes
    ----------
    score : float
        Mean squared difference of confidence and outcome; 0 is perfect.
    reliability : float
        Squared distance of mean confidence and accuracy, over groups; 0 is calibrated.
    resolution : float
        Variance of accuracy between groups; higher is better.
    uncertainty : float
        Variance of the outcomes themselves.
    within : float
        What grouping unlike confidences leaves over; 0 where groups are the distinct values.
    n : int
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float
    n: int


def calibration(
    confidence: ArrayLike,
    outcome: ArrayLike,
    bins: int = 10,
    binning: Binning = "width",
    clusters: Clusters | None = None,
) -> Calibration:
    """Calibration error and the reliability diagram behind it.

    Parameters
    ----------
    confidence : array_like, shape (n,)
        In [0, 1].
    outcome : array_like, shape (n,)
        0 or 1.
    bins : int
        How many, at least 1.
    binning : {"width", "mass"}
        Bins of equal width, or of equal numbers of answers. Equal confidences always share a
        bin, so that "mass" is as equal as ties allow and the order of the input never matters.
    clusters : sequence of labels, length n, or None
        What makes answers depend on each other, for the intervals of the bins' accuracies.

    Returns
    -------
    Calibration

    Raises
    ------
    InputError
        On values outside their range, unlike lengths, or an unknown binning.

    References
    ----------
    Guo et al. (2017), arXiv 1706.04599, section 2, equations 3 and 5; equal mass: Nguyen and
    O'Connor (2015), arXiv 1508.05154.
    """
    stated, right = _checked(confidence, outcome)
    index = _bin_index(stated, bins, binning)
    homes, bars = cluster_index(clusters, len(stated)), []
    for number in np.unique(index):
        inside = index == number
        if binning == "width":
            low, high = number / bins, (number + 1) / bins
        else:
            low, high = stated[inside].min(), stated[inside].max()
        n = int(inside.sum())
        accuracy = interval(right[inside], homes[inside])
        bars.append(Bin(float(low), float(high), float(stated[inside].mean()), accuracy, n))
    gaps = np.array([abs(bar.accuracy.mean - bar.confidence) for bar in bars])
    weights = np.array([bar.n for bar in bars]) / len(stated)
    return Calibration(
        float(gaps @ weights),
        float(gaps.max()),
        float(stated.mean() - right.mean()),
        tuple(bars),
        len(stated),
    )


def brier(
    confidence: ArrayLike, outcome: ArrayLike, bins: int | None = None, binning: Binning = "width"
) -> Brier:
    """The Brier score with Murphy's decomposition.

    Parameters
    ----------
    confidence : array_like, shape (n,)
        In [0, 1].
    outcome : array_like, shape (n,)
        0 or 1.
    bins : int or None
        None groups by distinct confidences (Murphy's own); a number groups by bins, for
        confidences that hardly repeat.
    binning : {"width", "mass"}

    Returns
    -------
    Brier

    Raises
    ------
    InputError
        On values outside their range, unlike lengths, or an unknown binning.

    References
    ----------
    Brier (1950), Monthly Weather Review 78: 1-3; Murphy (1973), Journal of Applied Meteorology
    12: 595-600; the rest within bins: Stephenson, Coelho and Jolliffe (2008), Weather and
    Forecasting 23: 752-757.
    """
    stated, right = _checked(confidence, outcome)
    if bins is None:
        index = np.unique(stated, return_inverse=True)[1]
    else:
        index = np.unique(_bin_index(stated, bins, binning), return_inverse=True)[1]
    counts = np.bincount(index).astype(float)
    forecast = np.bincount(index, stated) / counts
    accuracy = np.bincount(index, right) / counts
    weights, base = counts / len(stated), float(right.mean())
    spread, shared = stated - forecast[index], right - accuracy[index]
    return Brier(
        float(np.mean((stated - right) ** 2)),
        float(weights @ (forecast - accuracy) ** 2),
        float(weights @ (accuracy - base) ** 2),
        base * (1 - base),
        float(np.mean(spread**2) - 2 * np.mean(spread * shared)),
        len(stated),
    )


def _bin_index(stated: Floats, bins: int, binning: Binning) -> NDArray[np.intp]:
    if binning not in get_args(Binning):
        raise InputError(f"unknown binning {binning!r}: take {' or '.join(get_args(Binning))}")
    if bins < 1:
        raise InputError(said("calibration-bins", n=str(bins)))
    if binning == "width":
        edges = np.arange(1, bins) / bins
        return np.searchsorted(edges, stated, side="left").astype(np.intp)
    # the middle rank of equal values decides their bin
    _, where, times = np.unique(stated, return_inverse=True, return_counts=True)
    middle = np.cumsum(times) - (times + 1) / 2
    return (middle * bins / len(stated)).astype(np.intp)[where]


def _checked(confidence: ArrayLike, outcome: ArrayLike) -> tuple[Floats, Floats]:
    stated, right = as_scores(confidence, "confidence"), as_scores(outcome, "outcome")
    if len(stated) != len(right):
        raise InputError(f"{len(stated)} confidences for {len(right)} outcomes: give one for each")
    odd = np.flatnonzero((stated < 0) | (stated > 1))
    if len(odd):
        first = int(odd[0])
        raise InputError(said("calibration-percent", n=str(first + 1), value=float(stated[first])))
    if not np.all(np.isin(right, (0, 1))):
        raise InputError(said("calibration-outcome"))
    return stated, right


_MOST_PERMUTED = 8


class Correlation(msgspec.Struct, frozen=True):
    """Spearman's rank correlation with interval and two-sided p; None for constant input."""

    rho: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int


class Powered(msgspec.Struct, frozen=True):
    """The mean of a judge's grades, corrected by people's.

    Attributes
    ----------
    mean, low, high, se : float
        Corrected mean with its interval and standard error.
    weight : float
        How much of the judge is used: 1 for plain PPI, 0 would be people's grades alone.
    judge_mean : float
        Mean of the judge's grades without correction, over all units.
    human_mean, human_se : float
        What people's grades alone give.
    humans, others : int
        Units graded by both, and by the judge alone.
    """

    mean: float
    low: float
    high: float
    se: float
    weight: float
    judge_mean: float
    human_mean: float
    human_se: float
    humans: int
    others: int


def length_correlation(
    scores: ArrayLike, lengths: ArrayLike, confidence: float = 0.95
) -> Correlation:
    """Spearman's correlation of a judge's scores with the length of what was judged.

    Parameters
    ----------
    scores, lengths : array_like, shape (n,)
        Lengths in characters or tokens: only their order counts.
    confidence : float
        In (0, 1).

    Returns
    -------
    Correlation
        Without interval for fewer than 4 pairs, without p for fewer than 3.

    Raises
    ------
    InputError
        On unlike lengths or values that are no finite numbers.

    References
    ----------
    Interval: Fisher's z with the variance (1 + rho²/2) / (n - 3) of Bonett and Wright (2000),
    Psychometrika 65: 23-28. p: the share of all orders that correlate as much, up to 8 pairs
    (Kendall and Gibbons 1990, Rank Correlation Methods, chapter 4); Student's t with n - 2 degrees
    of freedom above. Never 0.
    """
    one, two = as_scores(scores, "score"), as_scores(lengths, "length")
    n = len(one)
    if n != len(two):
        raise InputError(f"{n} scores for {len(two)} lengths: give one for each")
    ranks = [ranked - ranked.mean() for ranked in (_mid_ranks(one), _mid_ranks(two))]
    spread = math.sqrt(float(ranks[0] @ ranks[0]) * float(ranks[1] @ ranks[1]))
    if spread == 0:
        return Correlation(None, None, None, None, n)
    rho = min(1.0, max(-1.0, float(ranks[0] @ ranks[1]) / spread))
    if n < 3:
        return Correlation(rho, None, None, None, n)
    p = _rank_p(rho, ranks[0], ranks[1])
    if n < 4:
        return Correlation(rho, None, None, p, n)
    # the z of a perfect correlation is infinite: half a step of rank inward keeps it finite
    inside = min(abs(rho), 1 - 3 / (n**3 - n)) * math.copysign(1, rho)
    half = normal_quantile(confidence) * math.sqrt((1 + inside**2 / 2) / (n - 3))
    centre = math.atanh(inside)
    low, high = math.tanh(centre - half), math.tanh(centre + half)
    return Correlation(rho, min(rho, low), max(rho, high), p, n)


def _rank_p(rho: float, one: Floats, two: Floats) -> float:
    """Two-sided p of a rank correlation: of all orders where they are few, else by t."""
    n = len(one)
    if n <= _MOST_PERMUTED:
        orders = np.array(list(permutations(range(n))))
        strength = np.abs(one @ two[orders].T)
        return float(np.mean(strength >= abs(float(one @ two)) - 1e-9))
    if abs(rho) > 1 - 1e-12:  # of all different orders, one each way
        ties = np.unique(one, return_counts=True)[1]
        orders = special.gammaln(n + 1) - float(np.sum(special.gammaln(ties + 1)))
        return p_value(min(1.0, 2 * math.exp(-orders)))
    return p_value(float(2 * special.stdtr(n - 2, -abs(rho) * math.sqrt((n - 2) / (1 - rho**2)))))


def prediction_powered(
    human: ArrayLike,
    judge: ArrayLike,
    judge_elsewhere: ArrayLike,
    *,
    tuned: bool = True,
    confidence: float = 0.95,
) -> Powered:
    """The mean grade that people would give, from few of theirs and many of a judge's.

    Parameters
    ----------
    human, judge : array_like, shape (n,)
        Grades of the same n >= 2 units.
    judge_elsewhere : array_like, shape (N,)
        The judge's grades of the N >= 2 other units, drawn from the same kind.
    tuned : bool
        Whether the judge is weighted by how well it predicts people (PPI++), so that a poor one
        does no harm; False is plain PPI.
    confidence : float
        In (0, 1).

    Returns
    -------
    Powered
        mean = w mean_N(f) + mean_n(y - w f), variance = w² Var_N(f) / N + Var_n(y - w f) / n,
        with w = 1, or w = Cov_n(y, f) / ((1 + n/N) Var_{n+N}(f)) within [0, 1]. The quantile is
        Student's with Welch's degrees of freedom, since n is often small; a tuned weight costs
        one degree more (with 10 human grades 94.6 % are covered, without that 92.8 %).

    Raises
    ------
    InputError
        On fewer than 2 units of either kind, unlike lengths, or values that are no finite
        numbers.

    References
    ----------
    Angelopoulos et al. (2023), Science 382: 669-674, arXiv 2301.09633; PPI++: Angelopoulos,
    Duchi and Zrnic (2023), arXiv 2311.01453 (power tuning).
    """
    y, f = as_scores(human, "human grade"), as_scores(judge, "judge's grade")
    rest = as_scores(judge_elsewhere, "judge's grade elsewhere")
    n, others = len(y), len(rest)
    if n != len(f):
        raise InputError(f"{n} human grades for {len(f)} of the judge: give both for each unit")
    if n < 2 or others < 2:
        raise InputError(f"{n} units with human grades and {others} without: 2 of each at least")
    weight = _tuned_weight(y, f, rest) if tuned else 1.0
    rectified = y - weight * f
    mean = float(weight * rest.mean() + rectified.mean())
    free = n - 2 if tuned and weight and n > 2 else n - 1  # the weight is estimated too
    spread = float(np.sum((rectified - rectified.mean()) ** 2)) / free
    parts = np.array([weight**2 * np.var(rest, ddof=1) / others, spread / n])
    variance = float(parts.sum())
    welch = float(parts**2 @ np.array([1 / (others - 1), 1 / free]))
    df = variance**2 / welch if variance > 0 else n - 1
    se = math.sqrt(variance)
    half = t_quantile(confidence, df) * se
    judged, by_people = float(np.concatenate([f, rest]).mean()), float(y.mean())
    people_se = math.sqrt(float(np.var(y, ddof=1)) / n)
    ends = mean - half, mean + half
    return Powered(mean, *ends, se, weight, judged, by_people, people_se, n, others)


def _tuned_weight(y: Floats, f: Floats, rest: Floats) -> float:
    """The weight of the judge that makes the variance least, within [0, 1]."""
    spread = float(np.var(np.concatenate([f, rest]), ddof=1))
    if spread == 0:
        return 0.0
    shared = float(np.cov(y, f)[0, 1])
    return min(1.0, max(0.0, shared / ((1 + len(y) / len(rest)) * spread)))


def _mid_ranks(values: Floats) -> Floats:
    """Ranks from 1, ties sharing their mean."""
    _, where, times = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(times) - (times - 1) / 2)[where]
