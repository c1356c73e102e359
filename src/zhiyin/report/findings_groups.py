"""Findings on the groups of one run: where it is better or worse than on the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zhiyin.engine.tally import ALL
from zhiyin.report.findings import ALPHA, Finding, finding
from zhiyin.report.groups import ListedGroup
from zhiyin.runs.figures import GroupFigures
from zhiyin.statistics.guessing import binomial, wilson_n
from zhiyin.statistics.intervals import Interval
from zhiyin.statistics.paired import holm
from zhiyin.words import said


def extremes(
    label: str, figures: dict[str, GroupFigures], groups: Sequence[ListedGroup]
) -> Iterator[Finding]:
    """The main groups that lie above or below the whole.

    Intervals apart are not enough: of a dozen groups in which a model is equally good, one lies
    apart in every tenth run. So the binomial test has to say the same, corrected by Holm over them.
    """
    whole = figures[ALL].interval if ALL in figures else None
    if not whole:
        return
    upper = [
        (own, g.label)
        for g in groups
        if g.main and g.name in figures and (own := figures[g.name].interval)
    ]
    if not upper:
        return
    significant = holm([_p(own, whole.mean) for own, _ in upper]) < ALPHA
    apart = [entry for entry, shown in zip(upper, significant.tolist(), strict=True) if shown]
    above = [(f, name) for f, name in apart if f.low > whole.high]
    below = [(f, name) for f, name in apart if f.high < whole.low]
    sides = []
    for side, there in (("above", above), ("below", below)):
        there.sort(key=lambda entry: entry[0].mean, reverse=side == "above")
        named = [said("finding-group", group=name, value=f.mean) for f, name in there[:3]]
        if there:
            more = max(0, len(there) - 3)
            sides.append(said("finding-groups-side", side=side, groups=named, more=more))
    if sides:
        yield finding("score", said("finding-groups", who=label, sides=sides))


def _p(own: Interval, average: float) -> float:
    """How likely a group lies so far from the average of its run, by the binomial test."""
    trials = round(wilson_n(own.mean, own.low, own.high))
    return binomial(round(trials * own.mean), trials, average) if trials else 1.0
