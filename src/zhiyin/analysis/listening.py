"""Accuracy of a run under two conditions of the same items, as a whole and by group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from zhiyin.analysis.letters import ALPHA
from zhiyin.engine.scoring import ALL
from zhiyin.runs.contrasts import Contrast, contrasted, side_of
from zhiyin.runs.estimates import Frame
from zhiyin.runs.measures import UNREAD, Estimate, Measure, ratio
from zhiyin.runs.rows import Rows
from zhiyin.runs.sums import reduced, summed
from zhiyin.runs.ways import NO_SOUND, Way
from zhiyin.statistics.intervals import Floats, in_order
from zhiyin.words import Said, said

_LEAST = 10
"""Of fewer clusters, here or elsewhere, nothing is said of a group."""
_LARGE = 0.1
"""By how much what the sound adds to a group is other than elsewhere, to be told."""


class ConditionGap(NamedTuple):
    """A run's accuracy on the same items under two conditions.

    Attributes
    ----------
    way : Way
        What the conditions are of.
    first, second : str
        The conditions: values of the tag.
    gap : Estimate
        First minus second, paired by item; p by flipping the signs of whole clusters.
    guessed : bool
        Whether replies without an answer count as guesses in it.
    """

    way: Way
    first: str
    second: str
    gap: Estimate
    guessed: bool = False

    @property
    def of_hearing(self) -> bool:
        """Tell whether what was played, or whether anything was, is what differs."""
        return self.way.changes in ("sound", "dose", "medium")

    @property
    def listens(self) -> bool:
        """True if the first is shown to be better."""
        return self.gap.p is not None and self.gap.p < ALPHA and (self.gap.value or 0.0) > 0

    @property
    def told(self) -> Said:
        """Text beside a figure: "+12.0 points over no sound"."""
        return said("short-points-over", gap=self.gap.value, other=self.second)


def condition_gaps(rows: Rows) -> list[ConditionGap]:
    """Compare a run's accuracy under conditions that are set against each other.

    Found by the first way with a contrast that the run has values of, with item and all ways
    without a contrast equal. Repeats are averaged first, and what was asked about one item in
    several other conditions after.
    """
    for way, asked, declared in _set_apart(rows):
        if found := contrasted(asked, declared, fewest=2):
            guessed = way.changes in ("sound", "dose") and bool(UNREAD[asked.states].any())
            return [ConditionGap(way, *one.sides, one, guessed) for one in found]
    return []


def _set_apart(rows: Rows) -> Iterator[tuple[Way, Rows, list[Contrast]]]:
    """Each way with a contrast, what was asked in it, and what is set against what."""
    within = tuple(way.name for way in rows.ways if not way.contrast)
    for way in rows.ways:
        if not way.contrast:
            continue
        asked = rows.judged.which(lambda kind, way=way: way.name in kind.tags)  # type: ignore[misc]
        for other in rows.ways:
            if other.above_benchmarks and other != way:
                asked = asked.in_main(other)
        values = [
            str(value)
            for value in asked.by_way(way)
            if str(value) != way.contrast and (way.changes != "dose" or value == NO_SOUND)
        ]
        sides = [(side_of(way, way.contrast), side_of(way, value)) for value in values]
        yield way, asked, [Contrast(*two, within=within) for two in sides]


def listening_within(frame: Frame) -> dict[str, ConditionGap]:
    """The groups of a run in which true sound adds nothing, where it does elsewhere; or the other
    way about.

    What it adds to a group is tested against what it adds to all other items (jackknife over
    clusters; Bonferroni over groups and conditions).
    """
    (rows,) = frame.several
    tested = []
    for way, asked, declared in _set_apart(rows):
        if way.changes not in ("sound", "dose"):
            continue
        parts = asked.by_kind(lambda kind: [one for one in kind.bare if one not in ("", ALL)])
        for each in declared:
            both, _ = each.laid(asked)
            gaps, home = ratio(both.first) - ratio(both.second), in_order(both.clusters)[0]
            for group, part in parts.items():
                inside = np.isin(both.names, np.unique(part.items))
                halves = (inside, ~inside)
                if min(len(np.unique(home[half])) for half in halves) >= _LEAST:
                    columns = [x * half for half in halves for x in (gaps, np.ones(len(gaps)))]
                    sums = summed(home, np.array(columns).T)
                    tested.append((way, asked, part, each, sums, group))
    found: dict[str, ConditionGap] = {}
    family = max(1, len(tested))
    for way, asked, part, each, sums, group in tested:
        value, low, high, *_ = reduced(_APART, sums, 0, 1 - ALPHA / family)
        if value is None or low is None or high is None or abs(value) < _LARGE:
            continue
        if low <= 0 <= high or group in found:
            continue
        here, whole = (
            ConditionGap(way, *one.sides, one)
            for of in (part, asked)
            for one in contrasted(of, [each])
        )
        certain = here.listens and (here.gap.p or 0.0) * family < ALPHA
        if here.listens != whole.listens and certain == here.listens:
            found[group] = here
    return found


def _apart(sums: Floats) -> Floats:
    """Subtract the mean of all else from that of a group."""
    return ratio(sums[..., :2]) - ratio(sums[..., 2:])


_APART = Measure("apart", range=(None, None), value=_apart, method="jackknife")
