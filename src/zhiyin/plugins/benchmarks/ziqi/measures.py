"""The mean of the F1 of subthemes (Li et al. 2024, section 5.3: "the average F1")."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from zhiyin.plugins.benchmarks.ziqi.data import ELSEWHERE
from zhiyin.runs.estimates import Frame
from zhiyin.runs.measures import Measure, Sums, half_answered, right
from zhiyin.runs.rows import Rows
from zhiyin.statistics.intervals import Floats


def subtheme(groups: tuple[str, ...]) -> str:
    """The narrowest of a trial's groups that is a subtheme."""
    return next((g for g in groups if "/" in g and not g.endswith(f"/{ELSEWHERE}")), groups[-1])


def _by_subtheme(rows: Rows) -> Sums:
    """Two columns for each subtheme: right answers, and the denominator of F1."""
    frame = Frame(rows)
    names = sorted({subtheme(kind.groups) for _, kind in frame.kinds if kind.groups}) or [""]
    columns = tuple(_within(name, of) for name in names for of in (right, half_answered))
    return frame.sums(Measure("", of=columns), np.arange(len(frame)))


def _within(name: str, of: Callable[[Rows], Floats]) -> Callable[[Rows], Floats]:
    """A column that is 0 outside a subtheme."""

    def column(rows: Rows) -> Floats:
        mine = np.array([bool(k.groups) and subtheme(k.groups) == name for k in rows.table.kinds])
        return np.where(mine[rows.table.kind[rows.numbers]], of(rows), 0.0)

    return column


def _mean(sums: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        f1 = sums[..., 0::2] / sums[..., 1::2]
    there = ~np.isnan(f1)
    return np.asarray(np.where(there, f1, 0.0).sum(axis=-1) / there.sum(axis=-1))


MEAN_F1 = Measure("mean_f1", of=_by_subtheme, value=_mean, method="bootstrap")
