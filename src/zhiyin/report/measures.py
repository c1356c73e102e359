"""The figures of a report: accuracy with interval, paired differences, letters, two modalities.

Intervals and tests are those of `zhiyin.statistics`; trials of one cluster count as one draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zhiyin.record import NOT_JUDGED
from zhiyin.report.casebook import Casebook
from zhiyin.statistics.choice import LetterBias, letter_bias
from zhiyin.statistics.intervals import (
    cluster_index,
    cluster_sums,
    interval_from_sums,
    normal_quantile,
)
from zhiyin.statistics.paired import (
    benjamini_hochberg,
    holm,
    mcnemar_exact,
    minimum_detectable,
    paired_difference,
    sign_flip,
)
from zhiyin.tally import ALL, Tally, nested

_DRAWS = 10_000
MOST_PAIRED = 6
"""With more runs than these, each is compared with the best one alone."""

Floats = NDArray[np.float64]


class Sheet:
    """The cases of one benchmark as columns.

    Attributes
    ----------
    places : list of int
        The cases' numbers in the casebook, n of them.
    runs : list of int
        The numbers of the runs of this benchmark.
    scores : dict of int to ndarray, shape (n,)
        For each run 1 for right, 0 for not, NaN for an error, a trial not asked or
        one without a right answer.
    groups : dict of str to ndarray of int
        Which of the n belong to each group, "all" first.
    """

    def __init__(self, book: Casebook, benchmark: str) -> None:
        self.benchmark = benchmark
        self.places = [i for i, case in enumerate(book.cases) if case.benchmark == benchmark]
        self.cases = [book.cases[place] for place in self.places]
        self.runs = [i for i, r in enumerate(book.runs) if r.manifest.benchmark == benchmark]
        self.clusters = [case.cluster for case in self.cases]
        self.scores = {run: self._scores(run) for run in self.runs}
        members: dict[str, list[int]] = {ALL: list(range(len(self.cases)))}
        for number, case in enumerate(self.cases):
            for group in case.groups:
                members.setdefault(group, []).append(number)
        self.groups = {
            name: np.array(members[name], dtype=np.intp) for name in nested(list(members))
        }

    def _scores(self, run: int) -> Floats:
        answers = [case.answers.get(run) for case in self.cases]
        return np.array(
            [
                np.nan if a is None or a.state in NOT_JUDGED else float(a.state == "correct")
                for a in answers
            ],
            dtype=np.float64,
        )

    def level(self, group: str) -> int:
        """How many other groups of the sheet this one lies within; -1 for the whole."""
        if group == ALL:
            return -1
        parts = group.split("/")
        return sum("/".join(parts[:end]) in self.groups for end in range(1, len(parts)))


def metrics(sheet: Sheet, run: int) -> dict[str, dict[str, Any]]:
    """The figures of every group: those of `tally.Count.metrics`, with a clustered ``ci95``."""
    tally = Tally()
    for case in sheet.cases:
        answer = case.answers.get(run)
        if answer:
            tally.add(answer.state, case.groups)
    found = {}
    for name, members in sheet.groups.items():
        count = tally.counts.get(name)
        if count is None:
            continue
        found[name] = count.metrics()
        judged = members[~np.isnan(sheet.scores[run][members])]
        if len(judged):
            sums, sizes = _cluster(sheet, judged, sheet.scores[run][judged])
            ends = interval_from_sums(sums, sizes)
            found[name]["ci95"] = [ends.low, ends.high]
            found[name]["clusters"] = ends.clusters
    return found


def _cluster(sheet: Sheet, members: NDArray[np.intp], values: Floats) -> tuple[Floats, Floats]:
    return cluster_sums(values, cluster_index([sheet.clusters[i] for i in members], len(members)))


def compare(sheet: Sheet) -> list[dict[str, Any]]:
    """Every pair of runs that share trials, first minus second: difference, interval, test.

    The test is McNemar's exact one where every trial stands alone, else the sign-flip test
    over whole clusters. ``adjusted`` is what `zhiyin compare` gives where no family is
    declared: Holm's p over all pairs for the whole, Benjamini and Hochberg's over all pairs and
    groups for the groups, which are exploratory.
    """
    pairs = [_pair(sheet, a, b) for a, b in _pairs(sheet)]
    pairs = [pair for pair in pairs if pair["rows"]]
    rows = [row for pair in pairs for row in pair["rows"]]
    whole = [row for row in rows if row["group"] == ALL]
    parts = [row for row in rows if row["group"] != ALL]
    for family, method in ((whole, holm), (parts, benjamini_hochberg)):
        if not family:
            continue
        for row, adjusted in zip(family, method([row["p"] for row in family]), strict=True):
            row["adjusted"] = float(adjusted)
    return pairs


def _pairs(sheet: Sheet) -> list[tuple[int, int]]:
    held = [run for run in sheet.runs if np.any(~np.isnan(sheet.scores[run]))]
    if len(held) <= MOST_PAIRED:
        return list(combinations(held, 2))
    order, _ = ranking(sheet)
    best = order[0][0] if order else held[0]
    return [(best, run) for run in held if run != best]


def ranking(sheet: Sheet) -> tuple[list[tuple[int, float]], int]:
    """Runs and their accuracies on the trials that all of them have in common, best first.

    Returns
    -------
    list of tuple
        Number of the run, accuracy in [0, 1]; runs without a judged trial are left out. Empty
        where there is no trial in common.
    int
        How many trials they have in common.
    """
    held = [run for run in sheet.runs if np.any(~np.isnan(sheet.scores[run]))]
    shared = np.ones(len(sheet.cases), dtype=bool)
    for run in held:
        shared &= ~np.isnan(sheet.scores[run])
    if not held or not shared.any():
        return [], 0
    found = [(run, float(sheet.scores[run][shared].mean())) for run in held]
    return sorted(found, key=lambda row: -row[1]), int(shared.sum())


def _pair(sheet: Sheet, a: int, b: int) -> dict[str, Any]:
    rows = []
    both = ~np.isnan(sheet.scores[a]) & ~np.isnan(sheet.scores[b])
    for name, members in sheet.groups.items():
        shared = members[both[members]]
        if len(shared):
            rows.append({"group": name, **_contrast(sheet, shared, a, b)})
    return {"first": a, "second": b, "rows": rows}


def _contrast(sheet: Sheet, shared: NDArray[np.intp], a: int, b: int) -> dict[str, Any]:
    first, second = sheet.scores[a][shared], sheet.scores[b][shared]
    clusters = [sheet.clusters[i] for i in shared]
    found = paired_difference(first, second, clusters)
    only_a, only_b = int(np.sum(first > second)), int(np.sum(second > first))
    if found.clusters == found.n:
        p = mcnemar_exact(only_a, only_b).p
    else:
        p = sign_flip(first - second, clusters, _DRAWS).p
    # From the interval where that is wider: a standard error may be 0 by luck.
    implied = (found.high - found.low) / 2 / normal_quantile(found.level)
    return {
        "n": found.n,
        "mean": found.mean,
        "low": found.low,
        "high": found.high,
        "first": found.first,
        "second": found.second,
        "only_first": only_a,
        "only_second": only_b,
        "p": p,
        "detectable": minimum_detectable(max(found.se, implied)),
    }


def letters(sheet: Sheet, run: int) -> LetterBias | None:
    """Chosen letters against the key; None where nothing has lettered options."""
    chosen, gold = [], []
    for case in sheet.cases:
        answer = case.answers.get(run)
        if case.gold is not None and answer is not None and answer.state != "error":
            chosen.append(answer.letter)
            gold.append(case.gold)
    return letter_bias(chosen, gold) if gold else None


def conditions(sheet: Sheet, run: int) -> list[dict[str, Any]]:
    """The same items under two conditions, paired: true sound against none or another, MIDI
    against sound.

    Found by the tags ``audio`` (values true, noise, swap, silence, none) or ``modality`` (audio,
    midi), with ``item`` and all other tags equal.
    """
    for tag, first in (("audio", "true"), ("modality", "midi")):
        found = _conditions(sheet, run, tag, first)
        if found:
            return found
    return []


def _conditions(sheet: Sheet, run: int, tag: str, first: str) -> list[dict[str, Any]]:
    by_item: dict[tuple[object, ...], dict[str, float]] = {}
    clusters: dict[tuple[object, ...], str | None] = {}
    for case, score in zip(sheet.cases, sheet.scores[run], strict=True):
        if np.isnan(score) or tag not in case.tags or "item" not in case.tags:
            continue
        facts = ("task", "shots", "strategy", "distractors", "repeat")
        key = (case.tags["item"], *(case.tags.get(fact) for fact in facts))
        by_item.setdefault(key, {})[str(case.tags[tag])] = float(score)
        clusters[key] = case.cluster or str(case.tags["item"])
    values = dict.fromkeys(value for row in by_item.values() for value in row)
    found = []
    for other in values:
        rows = {k: r for k, r in by_item.items() if first in r and other in r}
        if other == first or len(rows) < 2:
            continue
        one = [row[first] for row in rows.values()]
        two = [row[other] for row in rows.values()]
        groups = [clusters[key] for key in rows]
        gap = paired_difference(one, two, groups)
        p = sign_flip(np.subtract(one, two), groups, _DRAWS).p
        found.append(
            {
                "tag": tag,
                "first": first,
                "second": other,
                "n": gap.n,
                "a": gap.first,
                "b": gap.second,
                "mean": gap.mean,
                "low": gap.low,
                "high": gap.high,
                "p": p,
            }
        )
    return found


def order_of_groups(sheet: Sheet) -> list[dict[str, Any]]:
    """The groups as the page lists them: name, label within the group above, full label, level,
    number of trials, and what guessing evenly among the options would get right (None where an
    answer is free).
    """
    return [
        {
            "name": name,
            "label": _label(name, sheet),
            "path": "Everything" if name == ALL else _words(name.split("/")),
            "level": sheet.level(name),
            "n": len(members),
            "chance": _chance([sheet.cases[i].options for i in members]),
        }
        for name, members in sheet.groups.items()
    ]


def _chance(options: Sequence[int]) -> float | None:
    if not options or not all(options):
        return None
    return sum(1 / number for number in options) / len(options)


def _label(name: str, sheet: Sheet) -> str:
    if name == ALL:
        return "Everything"
    parts = name.split("/")
    above = max((e for e in range(len(parts)) if "/".join(parts[:e]) in sheet.groups), default=0)
    return _words(parts[above:])


def _words(parts: Sequence[str]) -> str:
    words = " / ".join(parts).replace("_", " ")
    return words[:1].upper() + words[1:]
