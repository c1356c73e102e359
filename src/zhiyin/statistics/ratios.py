"""Intervals of ratios of sums over clusters: F1, precision, and weighted totals of such ratios.

An F1 is 2 right / (answered + asked): numerator and denominator both vary from sample to sample,
and both hang together within a cluster. The standard error is that of the linearised ratio
(Cochran 1977, Sampling Techniques, section 6.3; with clusters: Miller 2024, section 2.2), the
interval Wilson's with the effective n that this standard error stands for, as in `intervals`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from zhiyin.errors import InputError
from zhiyin.statistics.intervals import (
    Floats,
    Interval,
    as_scores,
    degrees_of_freedom,
    proportion_ends,
    share_interval,
)


def ratio_interval(tops: ArrayLike, bottoms: ArrayLike, n: int, level: float = 0.95) -> Interval:
    """The interval of sum(tops) / sum(bottoms), a ratio in [0, 1].

    Parameters
    ----------
    tops, bottoms : array_like, shape (C,)
        What each cluster adds to numerator and denominator, 0 <= top <= bottom.
    n : int
        How many items that is, for `Interval.n`.
    level : float
        Confidence, in (0, 1).

    Returns
    -------
    Interval

    Raises
    ------
    InputError
        On no clusters, unlike lengths, or denominators that are all 0.
    """
    top, bottom = as_scores(tops, "numerator"), as_scores(bottoms, "denominator")
    if top.shape != bottom.shape:
        raise InputError("numerators and denominators of unlike lengths: give one for each cluster")
    used = bottom > 0
    if not used.any():
        raise InputError("a denominator is 0 throughout: leave that part out")
    return share_interval(top[used], bottom[used], level, n)


def total_interval(
    parts: Sequence[tuple[ArrayLike, ArrayLike]],
    weights: Sequence[float],
    n: int,
    level: float = 0.95,
) -> Interval:
    """The interval of a weighted mean of ratios over the same clusters.

    So with the total of judged songs: accuracy of questions, completeness, precision and novelty,
    each a ratio of sums over songs, and a song is in all four.

    Parameters
    ----------
    parts : sequence of (tops, bottoms), each array_like of shape (C,)
        For each ratio what each cluster adds to numerator and denominator,
        0 <= top <= bottom; both 0 where a cluster has nothing of it.
    weights : sequence of float
        Of the ratios, at least 0; only their proportions count.
    n : int
        For `Interval.n`.
    level : float
        Confidence, in (0, 1).

    Returns
    -------
    Interval
        With SE = sqrt[sum_c (sum_k w_k (top_kc - r_k bottom_kc) / sum_c bottom_kc)² / (1 - i_c)],
        where i_c is what cluster c weighs: sum_k w_k bottom_kc / sum_c bottom_kc.

    Raises
    ------
    InputError
        On no parts, unlike lengths, a part without any denominator, or weights that are all 0.
    """
    tables = [(as_scores(top, "numerator"), as_scores(low, "denominator")) for top, low in parts]
    shares = np.asarray(weights, dtype=np.float64)
    if not tables or len(tables) != len(shares) or not shares.sum() > 0 or np.any(shares < 0):
        raise InputError("no parts to combine: give at least one, with weights of at least 0")
    if any(top.shape != tables[0][0].shape or low.shape != top.shape for top, low in tables):
        raise InputError("numerators and denominators of unlike lengths: give one for each cluster")
    if any(not low.sum() > 0 for _, low in tables):
        raise InputError("a denominator is 0 throughout: leave that part out")
    used = np.any([low > 0 for _, low in tables], axis=0)
    shares = shares / shares.sum()
    value, residuals, influence = 0.0, np.zeros(int(used.sum())), np.zeros(int(used.sum()))
    for share, (top, low) in zip(shares, tables, strict=True):
        base = float(low.sum())
        ratio = float(top.sum()) / base
        value += share * ratio
        residuals += share * (top - ratio * low)[used] / base
        influence += share * low[used] / base
    return _interval(value, residuals, influence, n, level)


def _interval(value: float, residuals: Floats, influence: Floats, n: int, level: float) -> Interval:
    """Wilson's interval with the effective n of the residuals' standard error."""
    keep = influence > 0
    residuals, influence, size = residuals[keep], influence[keep], len(residuals)
    value = float(min(1.0, max(0.0, value)))
    residuals = np.where(np.abs(residuals) <= 1e-12 * influence, 0.0, residuals)
    several = len(residuals) > 1
    se = math.sqrt(float(residuals**2 @ (1 / (1 - influence)))) if several else math.inf
    # where nothing varies, each cluster is one draw (Kish 1965), as in `intervals`
    draws = 1 / float(influence @ influence)
    low, high = proportion_ends(value, se, draws, degrees_of_freedom(influence), level)
    return Interval(value, low, high, se, n, size, "wilson (effective n)", level)
