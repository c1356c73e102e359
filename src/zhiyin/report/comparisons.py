"""Findings on what is set side by side: runs, the judgements of runs, and conditions of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from zhiyin.analysis.comparison import GroupDifference
from zhiyin.analysis.listening import ConditionGap
from zhiyin.analysis.parts import Finding
from zhiyin.engine.naming import brief
from zhiyin.engine.scoring import ALL
from zhiyin.report.findings import ALPHA, finding
from zhiyin.report.measures import ComparedRuns, ListedGroup, MeasureSheet
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.measures import Estimate, Measure
from zhiyin.runs.ways import NO_SOUND
from zhiyin.words import Named, Said, said

_MOST_NAMED = 4
_MOST_PAIRS_RUNS = 3
"""With more runs than these there is a ranking, and each is compared with the best alone."""


def comparisons(
    compared: ComparedRuns, labels: Sequence[Named], groups: Sequence[ListedGroup]
) -> Iterator[Finding]:
    """A sentence on each pair of few runs; of many the ranking, and the best two.

    Parameters
    ----------
    compared : ComparedRuns
    labels : sequence of Named
        Of all runs, by number.
    groups : sequence of ListedGroup
    """
    pairs = compared.pairs
    shown = list(pairs)[:_MOST_PAIRS_RUNS]
    if len(compared.ranking) > _MOST_PAIRS_RUNS:
        best, *others = [run for run, _ in compared.ranking]
        against = {a + b - best: (a, b) for a, b in pairs if best in (a, b)}
        yield finding("comparison", _ranking(compared, labels, best, against))
        shown = [against[run] for run in others if run in against][:1]
    for runs in shown:
        yield from _pair(runs, pairs[runs], labels, groups)


def _ranking(
    compared: ComparedRuns,
    labels: Sequence[Named],
    best: int,
    against: Mapping[int, tuple[int, int]],
) -> Said:
    """The ranking, and which runs the best is not shown to be better than."""

    def won(other: int) -> bool:
        if (runs := against.get(other)) is None:
            return False
        row = compared.pairs[runs][ALL]
        return row.p_adjusted < ALPHA and (row.difference > 0) == (runs[0] == best)

    return said(
        "finding-ranking",
        items=compared.shared,
        runs=[
            said("finding-group", group=labels[run], value=score) for run, score in compared.ranking
        ],
        best=labels[best],
        open=[labels[run] for run, _ in compared.ranking[1:] if not won(run)],
    )


def _pair(
    runs: tuple[int, int],
    rows: Mapping[str, GroupDifference],
    labels: Sequence[Named],
    groups: Sequence[ListedGroup],
) -> Iterator[Finding]:
    """Say which run is better, by how much, and in which of the uppermost groups that holds."""
    first, second = runs
    names = labels[first], labels[second]
    words = _compared(*names, rows[ALL])
    yield finding("comparison", words, agree=f"apart:{first}:{second}")
    yield from _by_group(rows, groups, runs, names)


def _compared(first: Named, second: Named, whole: GroupDifference) -> Said:
    """Two runs on all that both were judged on."""
    items, low, high, p = whole.items, whole.low, whole.high, whole.p_adjusted
    if p < ALPHA:
        return said("finding-better", items=items, p=p, **_ahead(first, second, whole))
    if low == high:
        return said("finding-same", first=first, second=second, items=items)
    beyond = low > 0 or high < 0  # of an interval that rests on few clusters
    return said(
        "finding-apart", first=first, second=second, items=items,
        mean=whole.difference, low=low, high=high, p=p if beyond else None,
        detectable=None if beyond else whole.findable(),
        over="clusters" if whole.clusters < items else "items",
    )  # fmt: skip


def _by_group(
    rows: Mapping[str, GroupDifference],
    groups: Sequence[ListedGroup],
    pair: tuple[int, int],
    names: tuple[Named, Named],
) -> Iterator[Finding]:
    first, second = names
    upper = [(g.label, rows[g.name]) for g in groups if g.main and g.name in rows]
    if len(upper) < 2:
        return
    for name, sign in zip(names, (1, -1), strict=True):
        won = [
            (label, row)
            for label, row in upper
            if row.p_adjusted < ALPHA and row.difference * sign > 0
        ]
        won.sort(key=lambda entry: -abs(entry[1].difference))
        if won:
            other, ends = (second, pair) if sign > 0 else (first, (pair[1], pair[0]))
            words = said(
                "finding-better-in",
                better=name,
                worse=other,
                groups=[
                    said("finding-better-by", group=label, mean=abs(row.difference))
                    for label, row in won[:_MOST_NAMED]
                ],
                more=max(0, len(won) - _MOST_NAMED),
            )
            show = {"group": won[0][1].group, "agree": f"only:{ends[0]}:{ends[1]}"}
            yield finding("comparison", words, **show)
    open_ones = sum(row.p_adjusted >= ALPHA for _, row in upper)
    if open_ones and rows[ALL].low < rows[ALL].high:
        yield finding(
            "comparison",
            said("finding-open-groups", open=open_ones, of=len(upper), first=first, second=second),
        )


def findings_in_parts(
    sheet: MeasureSheet, labels: Sequence[Named], totals: Mapping[int, Sequence[Measure]]
) -> Iterator[Finding]:
    """Yield the findings of judgements on runs of one benchmark; nothing without parts.

    Parameters
    ----------
    sheet : MeasureSheet
    labels : sequence of Named
        Of all runs, by number.
    totals : mapping of int to sequence of Measure
        Those of each run.
    """
    for run, own in totals.items():
        for total in own:
            yield from _judged(labels[run], sheet.frames[run], total)
    for total in dict.fromkeys(one for own in totals.values() for one in own if one.by):
        for compared in sheet.compared(total):
            for (a, b), rows in compared.pairs.items():
                words = _judged_better(labels[a], labels[b], rows[ALL], brief(total.by))
                yield finding("comparison", words)


def _judged(label: Named, frame: Frame, total: Measure) -> Iterator[Finding]:
    own = estimate(frame, total)
    if total.by:
        parts = ((part.name, _judged_figure(estimate(frame, part))) for part in total.parts)
        figures = [
            said("finding-judged-part", name=name, figure=figure)
            for name, figure in parts
            if figure
        ]
        words = said(
            "finding-judged",
            who=label,
            by=brief(total.by),
            total=_judged_figure(own),
            parts=figures or [said("finding-judged-nothing")],
            songs=own.items or None,
        )
        yield finding("score", words)
    for note in own.warnings:
        yield finding("score", said("finding-judged-note", who=label, note=note))


def _judged_figure(own: Estimate) -> Said | None:
    if own.value is None:
        return None
    return said("finding-judged-figure", value=own.value, low=own.low, high=own.high)


def _judged_better(first: Named, second: Named, row: GroupDifference, by: str) -> Said:
    facts: dict[str, object] = {"by": by, "n": row.items, "p": row.p_adjusted}
    if row.p_adjusted < ALPHA:
        return said("finding-judged-better", **_ahead(first, second, row), **facts)
    facts |= {"mean": row.difference, "low": row.low, "high": row.high}
    return said("finding-judged-apart", first=first, second=second, **facts)


def _ahead(first: Named, second: Named, row: GroupDifference) -> dict[str, object]:
    """The better of two, the other, and the one minus the other."""
    if row.difference < 0:
        first, second, row = second, first, row.turned()
    names = {"better": first, "worse": second}
    return {**names, "mean": row.difference, "low": row.low, "high": row.high}


def listening(label: Named, gaps: Sequence[ConditionGap]) -> Iterator[Finding]:
    """Say whether answers depend on the sound, on reading in its place, on how it was asked."""
    for one in gaps:
        gap, pair = one.gap, one.gap.pair
        assert pair is not None
        beyond = gap.p is not None and gap.p < ALPHA
        facts = {
            "verdict": ("better" if (gap.value or 0.0) > 0 else "worse") if beyond else "open",
            **{"a": pair.first, "b": pair.second, "n": gap.items, "p": gap.p},
            **{"mean": gap.value, "low": gap.low, "high": gap.high},
        }
        if one.way.changes in ("sound", "dose"):
            instead = "no-sound" if one.second in ("none", NO_SOUND) else one.second
            words = said(
                "finding-listening", who=label, instead=instead, guessed=one.guessed, **facts
            )
        elif one.of_hearing:
            words = said("finding-reading", who=label, **facts)
        else:
            ways = {"way": one.way.name, "first": one.first, "second": one.second}
            words = said("finding-condition", who=label, **ways, **facts)
        yield finding("listening" if one.of_hearing else "conditions", words)
