"""Runs against each other, as an object that shows itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zhiyin.analysis import compare as comparing
from zhiyin.analysis import comparison
from zhiyin.analysis.compare_parts import compare_parts
from zhiyin.api import showing
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Place, as_paths
from zhiyin.shown.table import Column, table_of
from zhiyin.trial import one_line


class Comparison(comparison.Comparison, frozen=True):
    """The result of `zhiyin.analysis.compare.compare`, with a table of its own."""

    def __repr__(self) -> str:
        """On one line: how much was compared, and the first difference."""
        about = [self.measure, f"{self.items:,} {self.unit}"]
        if len(self.pairs) == 1:
            whole = self.pairs[0].groups[0]
            ends = showing.ends((whole.low, whole.high), "points")
            about.append(f"difference {100 * whole.difference:+.1f} ({ends})")
        else:
            about.append(f"{len(self.runs)} runs")
        return one_line("Comparison", self.benchmark, "", *about)

    def _repr_html_(self) -> str:
        """Differences with intervals and corrected p: of the whole, for two runs of each group."""
        alone = len(self.pairs) == 1
        rows = [
            (
                row.group if alone else f"{pair.first} − {pair.second}",
                *(row.items, row.first, row.second, row.difference, (row.low, row.high)),
                *(row.p_adjusted, self.better(pair, row) or "not resolved"),
            )
            for pair in self.pairs
            for row in (pair.groups if alone else pair.groups[:1])
        ]
        names = (self.pairs[0].first, self.pairs[0].second) if alone else ("first", "second")
        columns = [
            Column("group"),
            Column(self.unit, "count"),
            *(Column(f"{name}, %", "share") for name in names),
            Column("difference", "points"),
            Column("95 % interval", "points"),
            Column("p, corrected", "p"),
            Column("better"),
        ]
        title = f"{self.benchmark}: {self.measure} on {self.items:,} {self.unit} that all judged"
        table = table_of("compared", columns, rows, title)
        return showing.table(table) + showing.lines("warning", self.warnings)


def compare(
    *runs: Place,
    families: Sequence[str] = (),
    score: str | None = None,
    judge: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> Comparison:
    """Compare runs of one benchmark, item by item: differences with intervals, tests, a ranking.

    Parameters
    ----------
    *runs : path or Run
        At least two.
    families : sequence of str
        Groups whose tests were declared beforehand, such as ``"theory/*"``.
    score : str, optional
        A named score of the verdicts in place of accuracy.
    judge : str, optional
        For runs that are scored by judges, such as reviews: whose grades are compared. Needed
        where several judges graded all of the runs.
    alpha : float
        Level of significance, in (0, 1).
    seed : int
        Of the sign-flip test.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        Fewer than two runs, runs of different benchmarks or without common questions, an unknown
        group, score or judge, or an alpha outside (0, 1).
    """
    folders = as_paths(runs)
    settings: dict[str, Any] = {"families": families, "alpha": alpha, "seed": seed}
    parts = [] if score else compare_parts(folders, **settings)
    if parts:
        result = _by_judge(parts, judge)
    elif judge is not None:
        raise InputError(f"judge {judge!r}: no judge graded all of these runs")
    else:
        result = comparing.compare(folders, measure=score, **settings)
    return Comparison(**{name: getattr(result, name) for name in result.__struct_fields__})


def _by_judge(comparisons: list[comparison.Comparison], judge: str | None) -> comparison.Comparison:
    """The comparison under the judge that is named, or under the only one."""
    if judge is None and len(comparisons) == 1:
        return comparisons[0]
    names = [one.measure for one in comparisons]
    chosen = [one for one in comparisons if judge is not None and judge in one.measure]
    if len(chosen) == 1:
        return chosen[0]
    if judge is None:
        raise InputError(
            f"several judges graded these runs: name one as judge=: {'; '.join(names)}"
        )
    raise InputError(f"judge {judge!r}: {did_you_mean(judge, names)}")
