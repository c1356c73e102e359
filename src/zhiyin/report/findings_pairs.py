"""Findings on runs against each other: a ranking, and who is better than whom, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from zhiyin.analysis.comparison import GroupDifference
from zhiyin.engine.tally import ALL
from zhiyin.report.findings import ALPHA, Finding, finding
from zhiyin.report.groups import ListedGroup
from zhiyin.report.measures import ComparedRuns, Pairs
from zhiyin.words import Said, said

_MOST_NAMED = 4
_MOST_PAIRS_RUNS = 3
"""With more runs than these there is a ranking, and each is compared with the best alone."""


def comparisons(
    compared: ComparedRuns, pairs: Pairs, labels: Sequence[str], groups: Sequence[ListedGroup]
) -> Iterator[Finding]:
    """A sentence on each pair of few runs; of many the ranking, and the best two.

    Parameters
    ----------
    compared : ComparedRuns
    pairs : dict
        Those of them that may be spoken of.
    labels : sequence of str
        Of all runs, by number.
    groups : sequence of ListedGroup
    """
    shown = list(pairs)[:_MOST_PAIRS_RUNS]
    if len(compared.ranking) > _MOST_PAIRS_RUNS:
        best, *others = [run for run, _ in compared.ranking]
        against = {a + b - best: (a, b) for a, b in pairs if best in (a, b)}
        yield finding("comparison", _ranking(compared, labels, best, pairs, against))
        shown = [against[run] for run in others if run in against][:1]
    for runs in shown:
        yield from _pair(runs, pairs[runs], labels, groups)


def _ranking(
    compared: ComparedRuns,
    labels: Sequence[str],
    best: int,
    pairs: Pairs,
    against: Mapping[int, tuple[int, int]],
) -> Said:
    """The ranking, and which runs the best is not shown to be better than."""

    def won(other: int) -> bool:
        if (runs := against.get(other)) is None:
            return False
        row = pairs[runs][ALL]
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
    labels: Sequence[str],
    groups: Sequence[ListedGroup],
) -> Iterator[Finding]:
    """Who is better, by how much, and in which of the uppermost groups that holds."""
    first, second = runs
    names = labels[first], labels[second]
    words = _compared(*names, rows[ALL])
    yield finding("comparison", words, agree=f"apart:{first}:{second}")
    yield from _by_group(rows, groups, runs, names)


def _compared(first: str, second: str, whole: GroupDifference) -> Said:
    """Two runs on all that both were judged on."""
    items, low, high, p = whole.items, whole.low, whole.high, whole.p_adjusted
    if p < ALPHA:
        better, worse = (first, second) if whole.difference > 0 else (second, first)
        low, high = (low, high) if whole.difference > 0 else (-high, -low)
        return said(
            "finding-better",
            better=better,
            worse=worse,
            mean=abs(whole.difference),
            items=items,
            low=low,
            high=high,
            p=p,
        )
    if low == high:
        return said("finding-same", first=first, second=second, items=items)
    beyond = low > 0 or high < 0  # of an interval that rests on few clusters
    return said(
        "finding-apart",
        first=first,
        second=second,
        items=items,
        mean=whole.difference,
        low=low,
        high=high,
        p=p if beyond else None,
        detectable=whole.detectable if not beyond and whole.detectable <= 1 else None,
        over="clusters" if whole.clusters < items else "items",
    )


def _by_group(
    rows: Mapping[str, GroupDifference],
    groups: Sequence[ListedGroup],
    pair: tuple[int, int],
    names: tuple[str, str],
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
