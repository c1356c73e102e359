"""The figures of a report: accuracy with interval, paired differences, letters, two modalities.

Intervals and tests are those of `zhiyin.statistics`; trials of one cluster count as one draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zhiyin.analysis.cells import Cells
from zhiyin.analysis.compare import GroupDifference, Pair, Ranked, compare_answers
from zhiyin.analysis.extent import condition_of
from zhiyin.engine.tally import ALL, Tally, is_plain, nested, without_condition
from zhiyin.record import NOT_JUDGED
from zhiyin.report.casebook import Case, Casebook
from zhiyin.statistics.choice import LetterBias, letter_bias
from zhiyin.statistics.paired import paired_difference, sign_flip

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
        Which of the n belong to each group, "all" first. That is over the trials asked in the
        benchmark's main way (true sound, all distractors), or over all where there are none of
        these; every other condition has groups of its own.
    mixed : dict of str to str
        The tags, with the values of the main way, that part its trials from the others.
    """

    def __init__(self, book: Casebook, benchmark: str) -> None:
        self.benchmark = benchmark
        self.places = [i for i, case in enumerate(book.cases) if case.benchmark == benchmark]
        self.cases = [book.cases[place] for place in self.places]
        self.runs = [i for i, r in enumerate(book.runs) if r.manifest.benchmark == benchmark]
        self.scores = {run: self._scores(run) for run in self.runs}
        plain = [n for n, case in enumerate(self.cases) if is_plain(case.tags)]
        members: dict[str, list[int]] = {ALL: plain or list(range(len(self.cases)))}
        self.mixed = _mixed(self.cases) if plain else {}
        for number, case in enumerate(self.cases):
            for group in groups_of(case):
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

    @cached_property
    def held(self) -> list[int]:
        """The runs with a judged trial among those that "all" is over."""
        whole = self.groups[ALL]
        return [run for run in self.runs if np.any(~np.isnan(self.scores[run][whole]))]

    @cached_property
    def compared(self) -> tuple[list[Pair], list[Ranked], int]:
        """The runs against each other, under their numbers as names."""
        if len(self.held) < 2:
            return [], [], 0
        answered = [self._cells(run) for run in self.held]
        return compare_answers(list(map(str, self.held)), answered, most_paired=MOST_PAIRED)

    def compared_of(self, runs: Sequence[int]) -> tuple[list[Pair], list[Ranked], int]:
        """The same of some of the runs, on what these have in common."""
        if set(runs) == set(self.held):
            return self.compared
        if len(runs) < 2:
            return [], [], 0
        answered = [self._cells(run) for run in runs]
        return compare_answers(list(map(str, runs)), answered, most_paired=MOST_PAIRED)

    def _cells(self, run: int) -> Cells:
        scores = self.scores[run]
        judged = ((self.cases[n], float(scores[n])) for n in self.groups[ALL] if scores[n] >= 0)
        return Cells(
            (case.item, case.condition, case.cluster, groups_of(case), case.question, score, "")
            for case, score in judged
        )

    def level(self, group: str) -> int:
        """How many other groups of the sheet this one lies within; -1 for the whole."""
        if group == ALL:
            return -1
        parts = group.split("/")
        return sum("/".join(parts[:end]) in self.groups for end in range(1, len(parts)))


def groups_of(case: Case) -> tuple[str, ...]:
    """The groups of a case: as they are in the main way, below its condition in any other.

    They do not depend on which other conditions its run had.
    """
    return _named(case.groups, condition_of(case.tags))


@cache
def _named(groups: tuple[str, ...], condition: str) -> tuple[str, ...]:
    own = [g for g in dict.fromkeys(map(without_condition, groups)) if g not in ("", ALL)]
    return (condition, *(f"{condition}/{group}" for group in own)) if condition else tuple(own)


def _mixed(cases: Sequence[Case]) -> dict[str, str]:
    usual = {"audio": "true", "distractors": "all"}
    return {
        tag: main
        for tag, main in usual.items()
        if len({str(case.tags[tag]) for case in cases if tag in case.tags}) > 1
    }


def metrics(sheet: Sheet, run: int) -> dict[str, dict[str, Any]]:
    """The figures of every group that the run has trials of.

    Those of `tally.Tally.metrics`, and ``chance``: what guessing evenly among the options gets
    right of this run's own judged trials, None where an answer is free.
    """
    tally = Tally()
    options: Counter[tuple[tuple[str, ...], int]] = Counter()
    whole = set(sheet.groups[ALL].tolist())
    for number, case in enumerate(sheet.cases):
        answer = case.answers.get(run)
        if answer:
            names = groups_of(case)
            tally.add(
                answer.state,
                names,
                case.cluster,
                item=case.item,
                condition=case.condition,
                plain=number in whole,
            )
            if answer.state not in NOT_JUDGED:
                options[(*names, ALL) if number in whole else names, case.options] += 1
    sizes: dict[str, Counter[int]] = {}
    for (names, size), times in options.items():
        for name in names:
            sizes.setdefault(name, Counter())[size] += times
    counts = tally.counts
    asked = [name for name in sheet.groups if name != ALL and name in counts]
    if any(run in sheet.cases[number].answers for number in whole):
        asked = [ALL, *asked]
    return {
        name: {**tally.metrics(name), "chance": _chance(sizes.get(name, Counter()))}
        for name in asked
    }


def compare(sheet: Sheet) -> list[dict[str, Any]]:
    """The pairs of runs as `zhiyin compare` has them: difference, interval, test, correction.

    By item, repeats averaged first, on what all runs judged; see `compare.compare_answers`.
    """
    return [
        {
            "first": int(pair.first),
            "second": int(pair.second),
            "rows": [_row(row) for row in pair.groups],
        }
        for pair in sheet.compared[0]
        if len(pair.groups) > 1 or len(sheet.held) <= MOST_PAIRED
    ]


def _row(row: GroupDifference) -> dict[str, Any]:
    return {
        "group": row.group,
        "n": row.items,
        "mean": row.difference,
        "low": row.low,
        "high": row.high,
        "first": row.first,
        "second": row.second,
        "p": row.p,
        "adjusted": row.p_adjusted,
        "detectable": row.detectable,
    }


def ranking(sheet: Sheet) -> tuple[list[tuple[int, float]], int]:
    """Runs and their accuracies on the items that all of them judged, best first.

    Returns
    -------
    list of tuple
        Number of the run, accuracy in [0, 1]; runs without a judged trial are left out. Empty
        where there is no item in common.
    int
        How many items they have in common.
    """
    _, ranked, shared = sheet.compared
    if len(sheet.held) == 1:
        only = metrics(sheet, sheet.held[0])[ALL]
        return [(sheet.held[0], only["accuracy"])], only["items"]
    return [(int(row.label), row.score.mean) for row in ranked], shared


def letters(sheet: Sheet, run: int) -> LetterBias | None:
    """Chosen letters against the key, on what "all" is over; None without lettered options."""
    chosen, gold, items = [], [], []
    for case in (sheet.cases[number] for number in sheet.groups[ALL]):
        answer = case.answers.get(run)
        if case.gold is not None and answer is not None and answer.state != "error":
            chosen.append(answer.letter)
            gold.append(case.gold)
            items.append(case.item)
    return letter_bias(chosen, gold, items) if gold else None


def conditions(sheet: Sheet, run: int) -> list[dict[str, Any]]:
    """The same items under two conditions, paired: true sound against none or another, MIDI
    against sound.

    Found by the tags ``audio`` (values true, noise, swap, silence, none) or ``modality`` (audio,
    midi), with item and all other tags of conditions equal. Repeats are averaged first, and what
    was asked about one item in several other conditions after.
    """
    for tag, first in (("audio", "true"), ("modality", "midi")):
        found = _conditions(sheet, run, tag, first)
        if found:
            return found
    return []


_FACTS = ("task", "shots", "strategy", "distractors")
_Scores = dict[str, list[float]]


def _conditions(sheet: Sheet, run: int, tag: str, first: str) -> list[dict[str, Any]]:
    cells: dict[tuple[object, ...], _Scores] = {}
    clusters: dict[str, str | None] = {}
    for case, score in zip(sheet.cases, sheet.scores[run], strict=True):
        if np.isnan(score) or tag not in case.tags:
            continue
        key: tuple[object, ...] = (case.item, *(case.tags.get(fact) for fact in _FACTS))
        cells.setdefault(key, {}).setdefault(str(case.tags[tag]), []).append(float(score))
        clusters[case.item] = case.cluster
    values = dict.fromkeys(value for cell in cells.values() for value in cell)
    found = []
    for other in values:
        if other == first:
            continue
        items: dict[str, list[tuple[float, float]]] = {}
        for key, cell in cells.items():
            if first in cell and other in cell:
                means = float(np.mean(cell[first])), float(np.mean(cell[other]))
                items.setdefault(str(key[0]), []).append(means)
        if len(items) < 2:
            continue
        one, two = np.array([np.mean(pairs, axis=0) for pairs in items.values()]).T
        groups = [clusters[item] for item in items]
        gap = paired_difference(one, two, groups)
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
                "p": sign_flip(np.subtract(one, two), groups, _DRAWS).p,
            }
        )
    return found


def order_of_groups(
    sheet: Sheet, figures: dict[int, dict[str, dict[str, Any]]]
) -> list[dict[str, Any]]:
    """The groups as the page lists them: name, label within the group above, full label, level,
    number of trials, and what guessing evenly among the options gets right (None where an
    answer is free, and where runs were asked differently).

    Parameters
    ----------
    sheet : Sheet
    figures : dict of int to dict
        `metrics` by run.
    """
    return [
        {
            "name": name,
            "label": _label(name, sheet),
            "path": "Everything" if name == ALL else _words(name.split("/")),
            "level": sheet.level(name),
            "n": len(members),
            "chance": _common_chance(name, figures),
        }
        for name, members in sheet.groups.items()
    ]


def _common_chance(group: str, figures: dict[int, dict[str, dict[str, Any]]]) -> float | None:
    found = [own[group]["chance"] for own in figures.values() if group in own]
    levels = {None if level is None else round(level, 9) for level in found}
    return found[0] if len(levels) == 1 else None


def _chance(options: Counter[int]) -> float | None:
    """What guessing gets right, of the numbers of options and how often there were so many."""
    if not options or 0 in options:
        return None
    return sum(times / size for size, times in options.items()) / options.total()


def _label(name: str, sheet: Sheet) -> str:
    if name == ALL:
        return "Everything"
    parts = name.split("/")
    above = max((e for e in range(len(parts)) if "/".join(parts[:e]) in sheet.groups), default=0)
    return _words(parts[above:])


def _words(parts: Sequence[str]) -> str:
    words = " / ".join(parts).replace("_", " ")
    return words[:1].upper() + words[1:]
