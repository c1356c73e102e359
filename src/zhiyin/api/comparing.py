"""Runs against each other, as an object that shows itself."""

from __future__ import annotations

from collections.abc import Sequence

from zhiyin.analysis.compare import compare_all
from zhiyin.analysis.comparison import Comparison
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Place


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
    found = compare_all(runs, measure=score, families=families, alpha=alpha, seed=seed, both=True)
    if found[0].by_judge:
        return _by_judge(found, judge)
    if judge is not None:
        raise InputError(f"judge {judge!r}: no judge graded all of these runs")
    return found[0]


def _by_judge(comparisons: list[Comparison], judge: str | None) -> Comparison:
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
