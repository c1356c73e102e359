"""Sentences on scores made of parts: what judges made of each run, and how runs compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from zhiyin.analysis.compare_parts import contrasts, scorings, shared
from zhiyin.analysis.comparison import GroupDifference
from zhiyin.numerals import p_words
from zhiyin.report.findings import ALPHA, Finding, count, finding, percent, points, signed
from zhiyin.statistics.intervals import Interval
from zhiyin.statistics.parts import TOTAL, Scored, part_interval


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
    figures = [f"{name} {_with_ends(ends)}" for name, ends in parts.items() if ends]
    if one.by:
        total = part_interval(one.parts, TOTAL) if one.total else None
        head = f"a total of {_with_ends(total)}" if total else "no total"
        text = f"{label}, judged by {one.by}, has {head}: {'; '.join(figures) or 'nothing yet'}."
        if total:
            text += f" Intervals are 95 %, over {count(total.n, 'song')}."
        yield finding("score", text)
    for note in one.notes:
        yield finding("score", f"{label}: {note}.")


def _with_ends(interval: Interval) -> str:
    return f"{percent(interval.mean)} ({100 * interval.low:.1f} to {100 * interval.high:.1f})"


def _compared(first: str, second: str, row: GroupDifference, by: str) -> str:
    ends = f"95 % interval {signed(row.low)} to {signed(row.high)}"
    if row.p_adjusted < ALPHA:
        better, worse = (first, second) if row.difference > 0 else (second, first)
        return (
            f"Judged by {by}, {better} is better than {worse} by {points(row.difference)} of the "
            f"total on {count(row.items, 'song')} ({ends}, first minus second; "
            f"{p_words(row.p_adjusted)})."
        )
    return (
        f"Judged by {by}, {first} and {second} are not told apart in the total on "
        f"{count(row.items, 'song')} ({signed(row.difference)} points, {ends}; "
        f"{p_words(row.p_adjusted)})."
    )
