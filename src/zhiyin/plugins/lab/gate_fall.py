"""The fall of a run from an earlier one: its interval, the verdict, and what could be shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from zhiyin.analysis.pairs import RunSample, shared_items
from zhiyin.engine.scoring import ALL
from zhiyin.runs.differences import Both, settled
from zhiyin.runs.measures import ACCURACY, SHARE, Measure, ratio
from zhiyin.statistics.intervals import normal_quantile
from zhiyin.statistics.paired import minimum_detectable, paired_difference
from zhiyin.words import said

GateState = Literal["worse", "missing", "failed", "other", "open", "kept", "unheld"]
MANY = 300
"""From so many clusters on no interval is adjusted: a fall of all is shown, whatever the level."""


def fall_seen(
    half: float, clusters: int, level: float, allowed: float, most: float = math.inf,
    unit: str = SHARE,
) -> float | None:  # fmt: skip
    """The smallest true fall that would close the gate with 80 % power.

    allowed + (z_level + z_power) SE: the interval lies beyond what is allowed. Of shares the fall
    itself makes answers differ, at the least a share of the clusters as large:
    SE >= sqrt(fall (1 - fall) / clusters).

    Parameters
    ----------
    half : float
        Half the width of the difference's interval at `level`.
    clusters : int
    level, allowed : float
        As in `GateFinding`.
    most : float
        None where none up to this is large enough, such as the share that was right before.
    unit : str
    """
    reach = minimum_detectable(1.0, alpha=1 - level)
    fall = allowed + reach * half / normal_quantile(level)
    if unit == SHARE:
        # The larger root of (fall - allowed)^2 = reach^2 fall (1 - fall) / clusters.
        spread = reach**2 / clusters
        middle = allowed + spread / 2
        root = math.sqrt(middle**2 - (1 + spread) * allowed**2)
        fall = max(fall, (middle + root) / (1 + spread))
    return fall if math.isfinite(fall) and fall <= most else None


def held(
    ends: tuple[float, float, float], clusters: int, before: float, level: float, points: float,
    measure: Measure = ACCURACY,
) -> dict[str, Any]:  # fmt: skip
    """Judge a difference, new minus old, with its interval: what a `GateFinding` has of it.

    `before` is the earlier figure, which bounds the fall of a share.
    """
    (mean, low, high), unit = ends, measure.unit
    allowed = points / 100 if unit == SHARE else points
    most = before if unit == SHARE and not measure.lower_is_better else math.inf
    detectable = fall_seen((high - low) / 2, clusters, level, allowed, most, unit)
    facts = {"allowed": allowed, "unit": unit}
    state: GateState = "open"
    if high < -allowed:
        state, why = "worse", said("gate-worse", points=-mean, **facts)
    elif low >= -allowed:
        state, why = "kept", said("gate-kept", **facts)
    else:
        why = said("gate-open", low=-low, detectable=detectable, **facts)
    return facts | {
        "difference": mean, "low": low, "high": high, "level": level, "detectable": detectable,
        "state": state, "why": why,
    }  # fmt: skip


def fall_of(
    one: RunSample, two: RunSample, measure: Measure, points: float, level: float, group: str = ALL
) -> dict[str, Any] | None:
    """What a finding has of a run and an earlier one, or of a group of theirs; None for no items.

    Where no item differs the interval is not empty: `paired_difference` adds a pair each way.
    """
    both = shared_items(one, two, measure, group)
    found = settled((one.name, two.name), measure, both, 0, level=level)
    if found is None or found.ends is None or found.pair is None:
        return None
    mean, low, high = found.ends
    ends = (-mean, -high, -low) if measure.lower_is_better else found.ends
    old, new, n = found.pair.second, found.pair.first, found.items
    facts = held(ends, found.clusters, old, level, points, measure)
    if facts["state"] == "open" and not can_close(both, measure, level, facts["allowed"]):
        facts |= {"state": "unheld", "why": said("gate-few-right")}
    return facts | {"old_score": old, "new_score": new, "items": n, "asked": n}


def can_close(both: Both, measure: Measure, level: float, allowed: float) -> bool:
    """Tell whether the loss of all that was right in the earlier run, the second, would be shown.

    Of figures that are no share of right answers, whose fall has no end, always.
    """
    if measure.unit != SHARE or measure.lower_is_better or measure.value is not ratio:
        return True
    first = both.first.copy()
    first[:, 0] = 0
    lost = settled(("", ""), measure, both._replace(first=first), 0, level=level)
    return lost is not None and lost.ends is not None and lost.ends[2] < -allowed


def shared_level(clusters: Sequence[int], alpha: float, allowed: float) -> tuple[float, int]:
    """The level that parts of runs share, and the fewest clusters of a part that takes part.

    A part in which not even a fall of all its answers, from right to wrong, would be shown cannot
    close the gate: its error of the first kind is 0, and to give it a share of `alpha` would only
    widen the intervals of the others (Tarone). It is left out by the number of its clusters alone,
    which is known before anything is answered, and not by what was answered: a choice by earlier
    scores would take parts that did well by luck, which fall without a cause. So the union bound
    holds for the others as it does where nothing is left out.

    Parameters
    ----------
    clusters : sequence of int
        Of each part.
    alpha : float
        Of all parts together.
    allowed : float
        How much worse each may be, a share.

    Returns
    -------
    float
        1 - alpha / k, for the smallest k such that at this level at most k parts can show a fall.
    int

    References
    ----------
    Tarone (1990), Biometrics 46: 515-522.
    """
    for k in range(1, len(clusters) + 1):
        level = 1 - alpha / k
        least = 1
        while least < MANY and not (
            paired_difference(np.zeros(least), np.ones(least), None, level).high < -allowed
        ):
            least += 1
        if sum(n >= least for n in clusters) <= k:
            return level, least
    return 1 - alpha, 1
