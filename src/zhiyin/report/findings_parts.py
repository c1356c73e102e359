"""Findings on scores made of parts: what judges made of each run, and how runs compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from zhiyin.analysis.compare_parts import contrasts, scorings, shared
from zhiyin.analysis.comparison import GroupDifference
from zhiyin.report.findings import ALPHA, Finding, finding
from zhiyin.statistics.intervals import Interval
from zhiyin.statistics.parts import TOTAL, Scored, part_interval
from zhiyin.words import Said, said


def findings_in_parts(labels: Sequence[str], folders: Sequence[Path]) -> Iterator[Finding]:
    """What the judgements that there are say of runs of one benchmark; nothing without parts.

    Parameters
    ----------
    labels : sequence of str
        Of the runs.
    folders : sequence of Path
    """
    each = [scorings(folder) for folder in folders]
    scored = [one for one in each if one is not None]
    if not scored or len(scored) < len(each):
        return
    for label, own in zip(labels, scored, strict=True):
        for one in own:
            yield from _of_run(label, one)
    if len(scored) > 1:
        for judged in shared(scored):
            pairs, _ = contrasts(labels, judged)
            for pair in pairs:
                row = pair.groups[0]
                if row.group == TOTAL:
                    yield finding(
                        "comparison", _compared(pair.first, pair.second, row, judged[0].by)
                    )


def _of_run(label: str, one: Scored) -> Iterator[Finding]:
    parts = {name: part_interval(one.parts, name) for name in one.parts.names}
    if one.by:
        total = part_interval(one.parts, TOTAL) if one.total else None
        figures = [
            said("finding-judged-part", name=name, figure=_figure(ends))
            for name, ends in parts.items()
            if ends
        ]
        words = said(
            "finding-judged",
            who=label,
            by=one.by,
            total=_figure(total) if total else None,
            parts=figures or [said("finding-judged-nothing")],
            songs=total.n if total else None,
        )
        yield finding("score", words)
    for note in one.notes:
        yield finding("score", said("finding-judged-note", who=label, note=note))


def _figure(interval: Interval) -> Said:
    return said("finding-judged-figure", value=interval.mean, low=interval.low, high=interval.high)


def _compared(first: str, second: str, row: GroupDifference, by: str) -> Said:
    if row.p_adjusted < ALPHA:
        better, worse = (first, second) if row.difference > 0 else (second, first)
        return said(
            "finding-judged-better",
            by=by,
            better=better,
            worse=worse,
            mean=abs(row.difference),
            n=row.items,
            low=row.low,
            high=row.high,
            p=row.p_adjusted,
        )
    return said(
        "finding-judged-apart",
        by=by,
        first=first,
        second=second,
        mean=row.difference,
        n=row.items,
        low=row.low,
        high=row.high,
        p=row.p_adjusted,
    )
