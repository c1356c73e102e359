"""The same items under two conditions, paired: true sound against none or another, MIDI against
sound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from zhiyin.report.findings import ALPHA, Finding, finding
from zhiyin.report.measures import Sheet
from zhiyin.runs.ways import Way
from zhiyin.statistics.paired import Difference, paired_difference, sign_flip
from zhiyin.statistics.scores import ALONE
from zhiyin.words import said

_DRAWS = 10_000


class ConditionGap(msgspec.Struct, frozen=True):
    """What a run got right of the same items under two conditions.

    Attributes
    ----------
    way : Way
        What the conditions are of.
    first, second : str
        The conditions: values of the tag.
    gap : Difference
        First minus second, paired by item.
    p : float
        By flipping the signs of whole clusters.
    """

    way: Way
    first: str
    second: str
    gap: Difference
    p: float


def condition_gaps(sheet: Sheet, run: int) -> list[ConditionGap]:
    """What a run got right under conditions that are set against each other.

    Found by the first way with a contrast that the run has values of, with item and all ways
    without a contrast equal. Repeats are averaged first, and what was asked about one item in
    several other conditions after.
    """
    for way in sheet.trials.ways:
        gaps = _gaps(sheet, run, way) if way.contrast else []
        if gaps:
            return gaps
    return []


_Scores = dict[str, list[float]]


def _gaps(sheet: Sheet, run: int, way: Way) -> list[ConditionGap]:
    tag, first = way.name, way.contrast
    within = [each.name for each in sheet.trials.ways if not each.contrast]
    cells: dict[tuple[object, ...], _Scores] = {}
    clusters: dict[int, int | None] = {}
    facts = {number: kind.facts for number, kind in sheet.kinds.items()}
    places = sheet.of_kinds(number for number, own in facts.items() if tag in own)
    places = places[~np.isnan(sheet.scores[run][places])]
    for place in places.tolist():
        item, own = int(sheet.trials.item[place]), facts[int(sheet.kind[place])]
        key: tuple[object, ...] = (item, *(own.get(name) for name in within))
        score = float(sheet.scores[run][place])
        cells.setdefault(key, {}).setdefault(str(own[tag]), []).append(score)
        cluster = int(sheet.trials.cluster[place])
        clusters[item] = None if cluster == ALONE else cluster
    values = dict.fromkeys(value for cell in cells.values() for value in cell)
    gaps = []
    for other in values:
        if other == first:
            continue
        items: dict[object, list[tuple[float, float]]] = {}
        for key, cell in cells.items():
            if first in cell and other in cell:
                means = float(np.mean(cell[first])), float(np.mean(cell[other]))
                items.setdefault(key[0], []).append(means)
        if len(items) < 2:
            continue
        one, two = np.array([np.mean(pairs, axis=0) for pairs in items.values()]).T
        groups = [clusters[item] for item in items]  # type: ignore[index]
        gap = paired_difference(one, two, groups)
        p = sign_flip(np.subtract(one, two), groups, _DRAWS).p
        gaps.append(ConditionGap(way, first, other, gap, p))
    return gaps


def listening(label: str, gaps: Sequence[ConditionGap]) -> Iterator[Finding]:
    """Whether the answers depend on the sound, and whether reading goes better than hearing."""
    for one in gaps:
        gap = one.gap
        facts = {
            "verdict": "open" if one.p >= ALPHA else "better" if gap.mean > 0 else "worse",
            **{"a": gap.first, "b": gap.second, "n": gap.n, "p": one.p},
            **{"mean": gap.mean, "low": gap.low, "high": gap.high},
        }
        if one.way.changes == "sound":
            instead = "no-sound" if one.second == "none" else one.second
            words = said("finding-listening", who=label, instead=instead, **facts)
        else:
            words = said("finding-reading", who=label, **facts)
        yield finding("listening", words)
