"""Families of tests, and p-values corrected for their number.

A family is groups of trials whose tests were declared beforehand; Holm's correction is over all
groups of a family and all pairs of contenders (see `pairs_to_test`). The whole is a family of its
own, and so is the group that the benchmark's headline is of. What was not declared is exploratory,
and corrected for the false discovery rate over all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import combinations
from typing import NamedTuple

from zhiyin.analysis.run_kind import RunKind, contenders
from zhiyin.errors import InputError, did_you_mean
from zhiyin.runs.measures import EXPLORATORY
from zhiyin.statistics.paired import benjamini_hochberg, holm

MOST_RUNS = 20
"""Of more contenders than these the best is tested against each run, and no two others."""


class TestedPairs(NamedTuple):
    """Pairs of runs that are tested, the run that stands first before the other.

    Attributes
    ----------
    pairs : list of (int, int)
    best : int
        The contender with the highest figure.
    scale : set of (int, int)
        Pairs with a baseline, the listener beside models, or a run that is not finished: they are
        corrected apart, so that no verdict on models hangs on them.
    """

    pairs: list[tuple[int, int]]
    best: int
    scale: set[tuple[int, int]]


def pairs_to_test(
    figures: Sequence[float], kinds: Sequence[RunKind], whole: Sequence[bool] = ()
) -> TestedPairs:
    """The pairs of runs that any view tests: all of few runs, the best with each of many.

    Parameters
    ----------
    figures : sequence of float, length n
        Of the runs; higher is better.
    kinds : sequence of RunKind, length n
    whole : sequence of bool, length n, optional
        Whether each run is finished; by default all are.
    """
    done = whole if any(whole) else [True] * len(figures)
    able = contenders({kind for kind, each in zip(kinds, done, strict=True) if each})
    rivals = [n for n, kind in enumerate(kinds) if kind in able and done[n]]
    best = max(rivals, key=figures.__getitem__)
    if len(rivals) <= MOST_RUNS:
        pairs = list(combinations(range(len(figures)), 2))
    else:
        pairs = [(min(best, n), max(best, n)) for n in range(len(figures)) if n != best]
    scale = {pair for pair in pairs if not set(pair) <= set(rivals)}
    return TestedPairs(pairs, best, scale)


def declared_families(
    member: dict[str, str], declared: Sequence[str], whole: str, what: str = "group"
) -> dict[str, str]:
    """Map each group to its family, with what was declared.

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


def corrected(p: Sequence[float], families: Sequence[str | tuple[str, bool]]) -> list[float]:
    """p-values adjusted for their number: by Holm within "all" and within each declared family, by
    Benjamini and Hochberg among the exploratory ones.

    Parameters
    ----------
    p : sequence of float, length n
    families : sequence, length n
        The family of each, such as its name alone; `EXPLORATORY` is that of what belongs to none.
    """
    adjusted = [1.0] * len(p)
    for family in dict.fromkeys(families):
        where = [i for i, own in enumerate(families) if own == family]
        name = family if isinstance(family, str) else family[0]
        method = benjamini_hochberg if name == EXPLORATORY else holm
        for place, value in zip(where, method([p[i] for i in where]), strict=True):
            adjusted[place] = float(value)
    return adjusted
