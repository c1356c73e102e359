"""Figures over items with their bootstrap: each is a function of sums over items.

A mean, a pooled error rate, R², a macro average of areas: all of them are computed from sums of a
few numbers of each item. So a resample of clips is one multiplication by how often each was drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from zhiyin.runs.measures import SHARE, Estimate, Measure
from zhiyin.runs.sums import reduced
from zhiyin.statistics.intervals import Floats


class JudgedReply(msgspec.Struct, frozen=True):
    """One reply to one clip: the label, the reply, and the scores of that pair."""

    label: str
    reply: str
    clip: str
    scores: dict[str, float] = {}


class CmiMeasure(msgspec.Struct, frozen=True):
    """A figure over items.

    Attributes
    ----------
    name : str
    published : bool
        Whether it is what the published script computes; else the standard of the field.
    sums : callable
        From items to an array of shape (items, K), whose sums over items decide the figure.
    value : callable
        From sums of shape (..., K) to figures of shape (...); NaN where there is none.
    percent : bool
        Whether it is a share.
    score : str
        The score that it is the mean of; "" for any other figure.
    ours : str
        The name of the field's figure that stands beside a published one; "" for its own name.
    low : bool
        Whether lower is better: a rate of errors.
    """

    name: str
    published: bool
    sums: Callable[[Sequence[JudgedReply]], Any]
    value: Callable[[Any], Any]
    percent: bool = True
    score: str = ""
    ours: str = ""
    low: bool = False


def value_of(measure: CmiMeasure, items: Sequence[JudgedReply]) -> float | None:
    """The value of a measure; None where it is not defined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(measure.value(np.asarray(measure.sums(items), dtype=np.float64).sum(axis=0)))
    return value if np.isfinite(value) else None


def figures_of(measures: Sequence[CmiMeasure], items: Sequence[JudgedReply]) -> list[Estimate]:
    """The values of measures, with the percentile intervals of resamples of whole clips.

    Measures that rest on the same sums have them computed once. No interval for fewer than two
    clips, where a resample in twenty has no value, or where all resamples are alike.
    """
    names, clip = np.unique([item.clip for item in items], return_inverse=True)
    clips: dict[Any, Floats] = {}
    for sums in dict.fromkeys(measure.sums for measure in measures):
        of_items = np.asarray(sums(items), dtype=np.float64)
        clips[sums] = np.array([np.bincount(clip, column, len(names)) for column in of_items.T]).T
    found, n = [], len(items)
    for one in measures:
        unit = SHARE if one.percent else ""
        measure = Measure(
            one.name, unit, one.low, range=(None, None), value=one.value, method="bootstrap"
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            own = reduced(measure, clips[one.sums], n)
        found.append(Estimate(measure, *own[:4], n, n, len(names), own[4]))
    return found


def mean_of(
    name: str, score: str, *, published: bool, percent: bool = True, ours: str = ""
) -> CmiMeasure:
    """The mean of a score over the items that have it."""

    def sums(items: Sequence[JudgedReply]) -> list[list[float]]:
        return [[item.scores.get(score, 0.0), float(score in item.scores)] for item in items]

    value, low = (lambda s: s[..., 0] / s[..., 1]), score in ("wer", "cer")
    return CmiMeasure(name, published, sums, value, percent, score, ours, low)


def error_rate_of(name: str, above: str, below: str) -> CmiMeasure:
    """The sum of one score over the sum of another: a rate of errors pooled over all items."""

    def sums(items: Sequence[JudgedReply]) -> list[list[float]]:
        return [[item.scores.get(above, 0.0), item.scores.get(below, 0.0)] for item in items]

    return CmiMeasure(name, False, sums, lambda s: s[..., 0] / s[..., 1], low=True)
