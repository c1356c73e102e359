"""Figures over items with their bootstrap: each is a function of sums over items.

A mean, a pooled error rate, R², a macro average of areas: all of them are computed from sums of a
few numbers of each item. So a resample of clips is one multiplication by how often each was drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DRAWS = 1000
_CHUNK = 50


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
    """

    name: str
    published: bool
    sums: Callable[[Sequence[JudgedReply]], Any]
    value: Callable[[Any], Any]
    percent: bool = True
    score: str = ""
    ours: str = ""


class MeasuredFigure(msgspec.Struct, frozen=True):
    """A measure's value with the ends of its 95 % interval; None for what is not defined."""

    value: float | None
    low: float | None
    high: float | None


def value_of(measure: CmiMeasure, items: Sequence[JudgedReply]) -> float | None:
    """The value of a measure; None where it is not defined."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(measure.value(np.asarray(measure.sums(items), dtype=np.float64).sum(axis=0)))
    return value if np.isfinite(value) else None


def figure(measure: CmiMeasure, items: Sequence[JudgedReply], seed: int = 0) -> MeasuredFigure:
    """The value of one measure and its interval: see `figures_of`."""
    return figures_of([measure], items, seed)[0]


def figures_of(
    measures: Sequence[CmiMeasure], items: Sequence[JudgedReply], seed: int = 0
) -> list[MeasuredFigure]:
    """The values of measures, and the percentile intervals of `DRAWS` resamples of whole clips.

    All measures see the same resamples, which are drawn once; and measures that rest on the same
    sums have them computed once. No interval for fewer than two clips, where a resample in twenty
    has no value, or where all resamples are alike.
    """
    import numpy as np

    sums = {m.sums: np.asarray(m.sums(items), dtype=np.float64) for m in measures}
    names, index = np.unique([item.clip for item in items], return_inverse=True)
    clips = {}
    for sums_of, of_items in sums.items():
        clips[sums_of] = np.zeros((len(names), of_items.shape[1]))
        np.add.at(clips[sums_of], index, of_items)
    resampled: list[list[Any]] = [[] for _ in measures]
    rng = np.random.default_rng(seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = [float(m.value(sums[m.sums].sum(axis=0))) for m in measures]
        for _ in range(DRAWS // _CHUNK if len(names) > 1 else 0):
            times = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), _CHUNK)
            weights = times.astype(np.float64)
            totals = {sums_of: weights @ of_clips for sums_of, of_clips in clips.items()}
            for kept, measure in zip(resampled, measures, strict=True):
                kept.append(measure.value(totals[measure.sums]))
    return [_with_interval(*each) for each in zip(values, resampled, strict=True)]


def _with_interval(value: float, drawn: Sequence[Any]) -> MeasuredFigure:
    import numpy as np

    if not np.isfinite(value):
        return MeasuredFigure(None, None, None)
    values = np.concatenate(drawn) if drawn else np.empty(0)
    values = values[np.isfinite(values)]
    if len(values) < 0.95 * DRAWS:
        return MeasuredFigure(value, None, None)
    low, high = np.quantile(values, (0.025, 0.975))
    if low == high:  # nothing varies, which says nothing of what another clip would show
        return MeasuredFigure(value, None, None)
    return MeasuredFigure(value, float(low), float(high))


def mean_of(
    name: str, score: str, *, published: bool, percent: bool = True, ours: str = ""
) -> CmiMeasure:
    """The mean of a score over the items that have it."""

    def sums(items: Sequence[JudgedReply]) -> list[list[float]]:
        return [[item.scores.get(score, 0.0), float(score in item.scores)] for item in items]

    return CmiMeasure(name, published, sums, lambda s: s[..., 0] / s[..., 1], percent, score, ours)


def ratio_of(name: str, above: str, below: str) -> CmiMeasure:
    """The sum of one score over the sum of another: a rate pooled over all items."""

    def sums(items: Sequence[JudgedReply]) -> list[list[float]]:
        return [[item.scores.get(above, 0.0), item.scores.get(below, 0.0)] for item in items]

    return CmiMeasure(name, False, sums, lambda s: s[..., 0] / s[..., 1])
