"""Sentences on the groups of one run: where it is better or worse than on the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from zhiyin.engine.tally import ALL
from zhiyin.report.findings import ALPHA, Finding, finding, percent
from zhiyin.runs.figures import GroupFigures
from zhiyin.statistics.guessing import binomial, wilson_n
from zhiyin.statistics.intervals import Interval
from zhiyin.statistics.paired import holm


def extremes(
    label: str, figures: dict[str, GroupFigures], groups: Sequence[dict[str, Any]]
) -> Iterator[Finding]:
    """The main groups that lie above or below the whole.

    Intervals apart are not enough: of a dozen groups in which a model is equally good, one lies
    apart in every tenth run. So the binomial test has to say the same, corrected by Holm over them.
    """
    whole = figures[ALL].interval if ALL in figures else None
    if not whole:
        return
    upper = [
        (own, str(g["label"]))
        for g in groups
        if g["main"] and g["name"] in figures and (own := figures[g["name"]].interval)
    ]
    if not upper:
        return
    significant = holm([_p(own, whole.mean) for own, _ in upper]) < ALPHA
    apart = [entry for entry, shown in zip(upper, significant.tolist(), strict=True) if shown]
    above = [(f, name) for f, name in apart if f.low > whole.high]
    below = [(f, name) for f, name in apart if f.high < whole.low]
    parts = []
    for side, word, best in ((above, "above", True), (below, "below", False)):
        side.sort(key=lambda entry: entry[0].mean, reverse=best)
        if side:
            named = ", ".join(f"{name} ({percent(f.mean)})" for f, name in side[:3])
            more = f" and {len(side) - 3} more" if len(side) > 3 else ""
            parts.append(f"clearly {word} its own average in {named}{more}")
    if parts:
        yield finding("score", f"{label} is {'; '.join(parts)}.")


def _p(own: Interval, average: float) -> float:
    """How likely a group lies so far from the average of its run, by the binomial test."""
    trials = round(wilson_n(own.mean, own.low, own.high))
    return binomial(round(trials * own.mean), trials, average) if trials else 1.0
