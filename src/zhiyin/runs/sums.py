"""Figures with intervals from the sums of clusters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zhiyin.runs.measures import Ints, Measure
from zhiyin.statistics.intervals import (
    Floats,
    interval_from_sums,
    is_skewed,
    share_interval,
    t_quantile,
)

_RESAMPLES, _CHUNK = 1000, 50
_KEPT = 10_000  # clusters whose draws are kept, 20 MB

Reduced = tuple[float | None, float | None, float | None, float | None, str]
"""Value, ends, standard error and method."""


def reduced(measure: Measure, columns: Floats, n: int, level: float = 0.95) -> Reduced:
    """A figure with its interval from what each cluster adds up.

    Parameters
    ----------
    measure : Measure
    columns : ndarray of float, shape (clusters, K)
    n : int
        How many items these are.
    level : float
        Confidence, in (0, 1).
    """
    method = measure.method
    value = float(measure.value(columns.sum(axis=0)))
    if not math.isfinite(value):
        return None, None, None, None, ""
    if method in ("share", "auto", "mean"):
        return _of_ratio(measure, columns, n, level, value)
    if method == "jackknife" and len(columns) > 2:
        se = jackknife(measure.value(columns.sum(axis=0) - columns))
        half = t_quantile(level, len(columns) - 1) * se
        return value, *_clipped(measure, value - half, value + half), se, method
    if method == "bootstrap" and len(columns) > 1:
        return value, *_resampled(measure, columns, level), None, method
    return value, None, None, None, method


def _of_ratio(measure: Measure, columns: Floats, n: int, level: float, value: float) -> Reduced:
    """The interval of a ratio of two sums."""
    tops, bottoms = columns[columns[:, 1] > 0].T[:2]
    if measure.method == "share":
        ends = share_interval(tops, bottoms, level, n)
        # Of right-or-wrong answers the mean is at most 1, of sums the quotient may be a bit more.
        return ends.mean, *_clipped(measure, ends.low, ends.high), ends.se, ends.method
    how: Any = "auto"
    if measure.method == "mean":  # whatever the data: one ranking has one kind of interval
        how = "bootstrap" if is_skewed(tops, bottoms) else "t"
    ends = interval_from_sums(tops, bottoms, level, method=how)
    if not ends.se and (ends.low, ends.high) == (ends.mean, ends.mean):
        return value, None, None, 0.0, ends.method  # all alike: nothing is known of the spread
    return value, *_clipped(measure, ends.low, ends.high), ends.se, ends.method


def jackknife(without: Floats) -> float:
    """Standard error from the figures without each cluster in turn."""
    return math.sqrt((len(without) - 1) * float(np.var(without)))


def _clipped(measure: Measure, low: float, high: float) -> tuple[float, float]:
    least, most = measure.range
    return low if least is None else max(least, low), high if most is None else min(most, high)


def _resampled(
    measure: Measure, columns: Floats, level: float
) -> tuple[float | None, float | None]:
    """Percentiles over resampled clusters; none where one in twenty has no value, or all agree."""
    size = len(columns)
    with np.errstate(divide="ignore", invalid="ignore"):
        chunks = _kept_draws(size) if size <= _KEPT else _draws(size)
        drawn = [measure.value(times.astype(np.float64) @ columns) for times in chunks]
    values = np.concatenate(drawn)
    values = values[np.isfinite(values)]
    if len(values) < 0.95 * _RESAMPLES:
        return None, None
    low, high = np.quantile(values, ((1 - level) / 2, (1 + level) / 2))
    return (None, None) if low == high else (float(low), float(high))


def _draws(size: int) -> Iterator[Ints]:
    """Draw how often each cluster counts, chunk by chunk; the seed is always the same."""
    rng = np.random.default_rng(0)
    for _ in range(_RESAMPLES // _CHUNK):
        yield rng.multinomial(size, np.full(size, 1 / size), _CHUNK)


@lru_cache(1)
def _kept_draws(size: int) -> list[NDArray[np.uint16]]:
    """The same, kept for the next measure of the same clusters."""
    return [times.astype(np.uint16) for times in _draws(size)]


def numbered(numbers: Ints) -> tuple[Ints, Ints | None]:
    """The different numbers in order, and the place of each among them; None where they rise."""
    if np.all(numbers[1:] > numbers[:-1]):
        return numbers, None
    found: Any = np.unique(numbers, return_inverse=True)
    return found[0], found[1]


def averaged(home: Ints | None, values: Floats) -> Floats:
    """The mean of the values of each home: sum over number, so that ones stay exactly 1."""
    if home is None:
        return values
    times = np.bincount(home)
    if values.ndim == 1:
        return np.asarray(np.bincount(home, weights=values) / times)
    return summed(home, values) / times[:, None]


def summed(home: Ints, values: Floats) -> Floats:
    """Sums by home, shape (homes, K); as they are where each has its own."""
    if np.array_equal(home, np.arange(len(values))):
        return values
    return np.array([np.bincount(home, column) for column in values.T]).T
