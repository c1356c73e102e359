"""Families of tests, and p-values corrected for their number.

A family is groups of trials whose tests were declared beforehand; Holm's correction is over all
groups of a family and all pairs of runs that are tested (see `tested_pairs`). The whole is a family
of its own, and so is the group that the benchmark's headline is of. What was not declared is
exploratory, and corrected for the false discovery rate over all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from zhiyin.analysis.comparison import EXPLORATORY
from zhiyin.analysis.run_kind import RunKind, contenders
from zhiyin.errors import InputError, did_you_mean
from zhiyin.statistics.paired import benjamini_hochberg, holm

MOST_RUNS = 20
"""Of more contenders than these the best is tested against each run, and no two others."""


class TestedPairs(NamedTuple):
    """Which pairs of runs are tested, the run that stands first before the other.

    Attributes
    ----------
    pairs : list of (int, int)
    best : int
        The contender with the highest figure.
    scale : set of int
        Places of pairs with a baseline, or the listener beside models, where only the best is
        tested: they are corrected apart, so that no verdict on models hangs on them.
    """

    pairs: list[tuple[int, int]]
    best: int
    scale: set[int]


def tested_pairs(figures: ArrayLike, kinds: Sequence[RunKind]) -> TestedPairs:
    """The pairs of runs that any view tests: all of few runs, the best with each of many.

    Parameters
    ----------
    figures : array_like, shape (n,)
        Of the runs, on what is compared; higher is better.
    kinds : sequence of RunKind, length n
    """
    values, able = np.asarray(figures), contenders(kinds)
    rivals = [run for run, kind in enumerate(kinds) if kind in able]
    best = max(rivals, key=values.__getitem__)
    if len(rivals) <= MOST_RUNS:
        return TestedPairs(list(combinations(range(len(values)), 2)), best, set())
    others = [run for run in range(len(values)) if run != best]
    scale = {place for place, run in enumerate(others) if kinds[run] not in able}
    return TestedPairs([(min(best, run), max(best, run)) for run in others], best, scale)


def declared_families(
    member: dict[str, str], declared: Sequence[str], whole: str, what: str = "group"
) -> dict[str, str]:
    """From each group to its family, with what was declared.

    Parameters
    ----------
    member : dict of str to str
        Each group's family where nothing is declared.
    declared : sequence of str
        Families: each one or more patterns of names, with commas between.
    whole : str
        The group that stays as it is.
    what : str
        What a group is called in the message of an error.

    Raises
    ------
    InputError
        A pattern is that of no group.
    """
    member, known = dict(member), [name for name in member if name != whole]
    for family in reversed(declared):
        patterns = [pattern.strip() for pattern in family.split(",") if pattern.strip()]
        for pattern in patterns:
            matches = [name for name in known if fnmatchcase(name, pattern)]
            if not matches:
                raise InputError(f"no {what} is named {pattern!r}: {did_you_mean(pattern, known)}")
            member.update(dict.fromkeys(matches, family))
    return member


def corrected(p: Sequence[float], families: Sequence[str]) -> list[float]:
    """p-values adjusted for their number: by Holm within "all" and within each declared family, by
    Benjamini and Hochberg among the exploratory ones.

    Parameters
    ----------
    p : sequence of float, length n
    families : sequence of str, length n
        The family of each; `EXPLORATORY` for those that belong to none.
    """
    adjusted = [1.0] * len(p)
    for family in dict.fromkeys(families):
        where = [i for i, own in enumerate(families) if own == family]
        method = benjamini_hochberg if family == EXPLORATORY else holm
        for place, value in zip(where, method([p[i] for i in where]), strict=True):
            adjusted[place] = float(value)
    return adjusted
