"""Classical item analysis: difficulty, discrimination, unused options, a shorter set.

Scores are arrays of examinees by items: right answers as shares in [0, 1], NaN where not asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.stats import fisher_exact, kendalltau

from zhiyin.statistics.paired import holm

Floats = NDArray[np.float64]
LEAST_EXAMINEES = 4
"""Fewest whose scores are correlated with anything."""
_SURE = 0.05


def difficulty(scores: Floats) -> Floats:
    """The share of right answers by item: high is easy."""
    with np.errstate(invalid="ignore"):
        asked = (~np.isnan(scores)).sum(axis=0)
        shares: Floats = np.where(
            asked > 0, np.nansum(scores, axis=0) / np.maximum(asked, 1), np.nan
        )
    return shares


def discrimination(scores: Floats) -> Floats:
    """The correlation of an item with the mean of the other items, by item.

    NaN where there are under `LEAST_EXAMINEES`, or where all answer an item (or the rest) alike.
    """
    correlations = np.full(scores.shape[1], np.nan)
    asked = ~np.isnan(scores)
    filled = np.where(asked, scores, 0.0)
    total, count = filled.sum(axis=1), asked.sum(axis=1)
    for item in range(scores.shape[1]):
        here = asked[:, item] & (count > 1)
        if here.sum() < LEAST_EXAMINEES:
            continue
        own = scores[here, item]
        rest = (total[here] - own) / (count[here] - 1)
        if np.ptp(own) > 0 and np.ptp(rest) > 0:
            correlations[item] = np.corrcoef(own, rest)[0, 1]
    return correlations


def is_dead(chosen: int, wrong: int, options: int) -> bool:
    """Whether a wrong option that nobody chose would have been, were wrong answers spread evenly.

    Parameters
    ----------
    chosen : int
        How often it was chosen.
    wrong : int
        Wrong answers to the item.
    options : int
        Options of the item, the right one included.
    """
    others = options - 1
    return chosen == 0 and others > 1 and (1 - 1 / others) ** wrong < _SURE


class Apart(msgspec.Struct, frozen=True):
    """An item that separates two groups of examinees: shares right, and p after Holm (1979)."""

    item: int
    first: float
    second: float
    p: float


def apart(first: Floats, second: Floats) -> list[Apart]:
    """Items that one group gets right more often, the clearest first (Fisher's exact test).

    Shares above one half count as right. p values are adjusted by Holm's method over all items.
    """
    rows = []
    for item in range(first.shape[1]):
        groups = [g[~np.isnan(g[:, item]), item] > 0.5 for g in (first, second)]
        if all(len(g) for g in groups):
            table = [[int(g.sum()), int((~g).sum())] for g in groups]
            p = float(fisher_exact(table).pvalue)
            rows.append((p, item, float(groups[0].mean()), float(groups[1].mean())))
    rows.sort()
    adjusted = holm([row[0] for row in rows]) if rows else ()
    return [
        Apart(item, one, other, float(p))
        for (_, item, one, other), p in zip(rows, adjusted, strict=True)
        if p < _SURE
    ]


class Shorter(msgspec.Struct, frozen=True):
    """A shorter set of items.

    Attributes
    ----------
    items : list of int
        In the order in which they were taken.
    tau : float
        Kendall's tau-b of its ranking with that of all items, for the examinees it was chosen by.
    tau_new : float or None
        The mean of the same for examinees that had no part in the choice, each fifth left out in
        turn; None under ten examinees.
    error : float
        The greatest difference of an examinee's score on it from the score on all items.
    """

    items: list[int]
    tau: float
    tau_new: float | None
    error: float


def shorter(scores: Floats, keep: int | None = None) -> Shorter | None:
    """The fewest items that rank the examinees as all items do, or the best `keep` of them.

    Items are taken one by one, each time the one with which the sum is nearest to the sum over
    all items (correlation). Only items that all were asked; None where they rank nobody.
    """
    whole = np.flatnonzero(~np.isnan(scores).any(axis=0))
    table = scores[:, whole]
    if len(scores) < LEAST_EXAMINEES or not len(whole) or np.ptp(table.mean(axis=1)) == 0:
        return None
    taken = _taken(table, keep)
    part, total = table[:, taken].mean(axis=1), table.mean(axis=1)
    return Shorter(
        [int(whole[item]) for item in taken], _tau(part, total), _crossed(table, len(taken)),
        float(np.abs(part - total).max()),
    )  # fmt: skip


def _taken(table: Floats, keep: int | None) -> list[int]:
    total = table.mean(axis=1)
    centred = total - total.mean()
    useful = [item for item in range(table.shape[1]) if np.ptp(table[:, item]) > 0]
    taken: list[int] = []
    now = np.zeros(len(table))
    while useful and (keep is None or len(taken) < keep):
        sums = now[:, None] + table[:, useful]
        sums = sums - sums.mean(axis=0)
        norms = np.sqrt((sums**2).sum(axis=0))
        gain = np.where(norms > 0, centred @ sums / np.maximum(norms, 1e-12), -np.inf)
        item = useful.pop(int(gain.argmax()))
        taken.append(item)
        now = now + table[:, item]
        if keep is None and _tau(now, total) > 1 - 1e-9:
            break
    return taken


def _tau(first: Floats, second: Floats) -> float:
    value = float(kendalltau(np.round(first, 9), np.round(second, 9)).statistic)
    return value if not np.isnan(value) else 0.0


def _crossed(table: Floats, keep: int) -> float | None:
    if len(table) < 10:
        return None
    fifths = np.arange(len(table)) % 5
    taus = []
    for fifth in range(5):
        taken = _taken(table[fifths != fifth], keep)
        left_out = table[fifths == fifth]
        if np.ptp(left_out.mean(axis=1)) > 0:
            taus.append(_tau(left_out[:, taken].mean(axis=1), left_out.mean(axis=1)))
    return float(np.mean(taus)) if taus else None


def reliability(scores: Floats) -> float | None:
    """Cronbach's alpha over the items that all were asked; None where it is not defined."""
    table = scores[:, ~np.isnan(scores).any(axis=0)]
    if len(table) < LEAST_EXAMINEES or table.shape[1] < 2:
        return None
    total = float(table.sum(axis=1).var(ddof=1))
    if total == 0:
        return None
    k = table.shape[1]
    return float(k / (k - 1) * (1 - float(table.var(axis=0, ddof=1).sum()) / total))


def means(scores: Floats) -> Sequence[float]:
    """The mean score of each examinee over the items that were asked."""
    averages: list[float] = np.nanmean(scores, axis=1).tolist()
    return averages
