"""Whether stated confidence is deserved: calibration error, Brier score, reliability diagram.

Conventions
-----------
confidence
    The probability in [0, 1] that an examinee gives its own answer.
outcome
    1 where that answer was right, 0 where it was wrong.
"""

from __future__ import annotations

from typing import Literal, get_args

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
    interval,
)

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
    """How far confidence and accuracy lie apart.

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
    confidence: ArrayLike,
    outcome: ArrayLike,
    bins: int | None = None,
    binning: Binning = "width",
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
        raise InputError(f"{bins} bins: give at least 1")
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
        raise InputError(
            f"confidence {odd[0] + 1} is {stated[odd[0]]:g}: give probabilities in [0, 1], "
            "not percent"
        )
    if not np.all(np.isin(right, (0, 1))):
        raise InputError("an outcome is neither 0 nor 1: confidence is about right and wrong")
    return stated, right
