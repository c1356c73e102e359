"""The figures of a report: accuracy with interval, paired differences, letters, two modalities.

Intervals and tests are those of `zhiyin.statistics`; trials of one cluster count as one draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zhiyin.analysis.compare import compare_answers
from zhiyin.analysis.comparison import GroupDifference, Pair, Ranked
from zhiyin.contract.registry import known
from zhiyin.engine.tally import ALL, nested
from zhiyin.engine.ways import WAYS
from zhiyin.record import NOT_JUDGED, STATES, State
from zhiyin.report.casebook import Casebook
from zhiyin.report.findings import ALPHA, is_condition, liking
from zhiyin.runs.cells import Cells
from zhiyin.runs.collation import FACTS, NOT_ASKED, TrialKind
from zhiyin.runs.figures import GroupFigures
from zhiyin.statistics.choice import LetterBias, letter_bias
from zhiyin.statistics.paired import holm, paired_difference, sign_flip
from zhiyin.statistics.scores import ALONE

_DRAWS = 10_000
MOST_PAIRED = 6
"""With more runs than these, each is compared with the best one alone."""

Floats = NDArray[np.float64]
_SCORES = np.full(NOT_ASKED + 1, np.nan)
"""The score of each state, by its code."""
for _code, _state in enumerate(STATES):
    if _state not in NOT_JUDGED:
        _SCORES[_code] = float(_state == "correct")


class Sheet:
    """The trials of one benchmark as columns, listed or not.

    Attributes
    ----------
    trials : Collation
        The n trials.
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
    main : str
        The group that the benchmark's headline is of.
    folders : list of Path
        Of all runs of the page, by number.
    page : int
        How many runs the page has, of this and other benchmarks.
    """

    def __init__(self, book: Casebook, benchmark: str) -> None:
        self.benchmark = benchmark
        self.trials = book.trials_of[benchmark]
        self.page = len(book.runs)
        self.folders = [run.folder for run in book.runs]
        self.runs = [i for i, r in enumerate(book.runs) if r.manifest.benchmark == benchmark]
        self.main = known(book.runs[self.runs[0]].manifest).headline.group if self.runs else ALL
        self.kind = self.trials.kind
        numbers, first = np.unique(self.kind, return_index=True)
        self.kinds = {int(k): self.trials.kinds[k] for k in numbers[np.argsort(first)]}
        self.states = {run: self.trials.states(run) for run in self.runs}
        self.scores = {run: _SCORES[states] for run, states in self.states.items()}
        plain = [number for number, kind in self.kinds.items() if kind.plain]
        members: dict[str, list[int]] = {ALL: plain or list(self.kinds)}
        self.mixed = _mixed(self.kinds.values()) if plain else {}
        for number, kind in self.kinds.items():
            for group in kind.groups:
                members.setdefault(group, []).append(number)
        self.groups = {name: self.of_kinds(members[name]) for name in nested(list(members))}

    def __len__(self) -> int:
        return len(self.trials)

    def of_kinds(self, kinds: Iterable[int]) -> NDArray[np.intp]:
        """The trials of some kinds."""
        among = np.zeros(len(self.trials.kinds), dtype=bool)
        among[list(kinds)] = True
        return np.flatnonzero(among[self.kind])

    def heard(self, run: int) -> bool:
        """Whether a run was asked anything with sound."""
        asked = np.unique(self.kind[self.states[run] != NOT_ASKED])
        return any(self.kinds[int(kind)].heard for kind in asked)

    def count(self, run: int) -> dict[State, int]:
        """How many trials of a run ended in each state; those that it was not asked are in none."""
        times = np.bincount(self.states[run], minlength=len(STATES))
        return dict(zip(STATES, times[: len(STATES)].tolist(), strict=True))

    def count_main(self, run: int) -> dict[str, int]:
        """How many of a run's trials in the main way (of all, without any) ended in each state."""
        times = np.bincount(self.states[run][self.groups[ALL]], minlength=len(STATES))
        counts = dict(zip(STATES, times[: len(STATES)].tolist(), strict=True))
        if not any(counts.values()):
            counts = self.count(run)
        return {state: number for state, number in counts.items() if number}

    @cached_property
    def judged_runs(self) -> list[int]:
        """The runs with a judged trial among those that "all" is over."""
        whole = self.groups[ALL]
        return [run for run in self.runs if np.any(~np.isnan(self.scores[run][whole]))]

    @cached_property
    def compared(self) -> tuple[list[Pair], list[Ranked], int]:
        """The runs against each other, under their numbers as names."""
        if len(self.judged_runs) < 2:
            return [], [], 0
        return self._against(self.judged_runs)

    def compared_of(self, runs: Sequence[int]) -> tuple[list[Pair], list[Ranked], int]:
        """The same of some of the runs, on what these have in common."""
        if set(runs) == set(self.judged_runs):
            return self.compared
        if len(runs) < 2:
            return [], [], 0
        return self._against(runs)

    def _against(self, runs: Sequence[int]) -> tuple[list[Pair], list[Ranked], int]:
        answered = [self._cells(run) for run in runs]
        return compare_answers(
            list(map(str, runs)), answered, most_paired=MOST_PAIRED, main=self.main
        )

    def _cells(self, run: int) -> Cells:
        trials, scores = self.trials, self.scores[run]
        places = self.groups[ALL][~np.isnan(scores[self.groups[ALL]])]
        return Cells(
            trials.item[places],
            trials.way[places],
            trials.cluster[places],
            trials.question[places],
            scores[places],
            self.kind[places],
            [(kind.groups, True) for kind in trials.kinds],
            self.folders[run],
        )

    @cached_property
    def figures(self) -> dict[int, dict[str, GroupFigures]]:
        """The `metrics` of each run; ``guess`` is corrected over the runs of the page."""
        figures = {run: metrics(self, run) for run in self.runs}
        for group in self.groups:
            tested = {
                run: own[group].guess_p or 0.0
                for run, own in figures.items()
                if group in own and own[group].guess_p is not None
            }
            for run, p in zip(tested, over_page([*tested.values()], self.page), strict=True):
                figures[run][group] = figures[run][group].with_p(p)
        return figures

    def level(self, group: str) -> int:
        """How many other groups of the sheet this one lies within; -1 for the whole."""
        if group == ALL:
            return -1
        parts = group.split("/")
        return sum("/".join(parts[:end]) in self.groups for end in range(1, len(parts)))


def _mixed(kinds: Iterable[TrialKind]) -> dict[str, str]:
    usual = {way.name: way.plain for way in WAYS if way.plain}
    facts = [kind.facts for kind in kinds]
    return {
        tag: main
        for tag, main in usual.items()
        if len({str(own[tag]) for own in facts if tag in own}) > 1
    }


def metrics(sheet: Sheet, run: int) -> dict[str, GroupFigures]:
    """The figures of every group that the run has trials of.

    ``chance`` is what guessing evenly among the options gets right of this run's own judged
    trials, averaged as the accuracy is; None where an answer is free.
    """
    whole = np.zeros(len(sheet), dtype=bool)
    whole[sheet.groups[ALL]] = True
    counted = sheet.trials.figures(run, whole)
    counts = counted.counts
    names = [name for name in sheet.groups if name != ALL and name in counts]
    if np.any(whole & (sheet.states[run] != NOT_ASKED)):
        names = [ALL, *names]
    return {name: counted.metrics(name, counted.chance(name)) for name in names}


def over_page(p: Sequence[float], runs: int) -> list[float]:
    """p-values of the runs of one benchmark corrected over a page of so many runs.

    By Holm within the benchmark, which has its share of the level: of six who guess, on one page,
    one is told apart from guessing on one page of twenty at most, not on one of ten.
    """
    return [min(1.0, float(one) * runs / len(p)) for one in holm(p)] if p else []


def likings(sheet: Sheet, letters: dict[int, LetterBias | None]) -> dict[int, dict[str, Any]]:
    """What `findings.liking` says of each run, where it says something; corrected over the page."""
    of_runs = {run: liked for run, bias in letters.items() if (liked := liking(bias))}
    tested = [liked for liked in of_runs.values() if liked["p"] is not None]
    for liked, p in zip(tested, over_page([own["p"] for own in tested], sheet.page), strict=True):
        liked["p"] = p
        if liked["verdict"] == "favours" and p >= ALPHA:
            liked["verdict"] = "none"
    return of_runs


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
        if len(pair.groups) > 1 or len(sheet.judged_runs) <= MOST_PAIRED
    ]


def _row(row: GroupDifference) -> dict[str, Any]:
    return {
        "group": row.group,
        "n": row.items,
        "clusters": row.clusters,
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
    if len(sheet.judged_runs) == 1:
        only = sheet.figures[sheet.judged_runs[0]][ALL]
        return [(sheet.judged_runs[0], only.accuracy or 0.0)], only.items
    return [(int(row.label), row.score.mean) for row in ranked], shared


def letters(sheet: Sheet, run: int) -> LetterBias | None:
    """Chosen letters against the key, on what "all" is over; None without lettered options."""
    lettered = [number for number, kind in sheet.kinds.items() if kind.gold is not None]
    places = np.intersect1d(sheet.groups[ALL], sheet.of_kinds(lettered), assume_unique=True)
    states = sheet.states[run][places]
    places = places[(states != NOT_ASKED) & (states != STATES.index("error"))]
    gold = [sheet.kinds[kind].gold or "" for kind in sheet.kind[places].tolist()]
    items = sheet.trials.item[places].tolist()
    return letter_bias(sheet.trials.letters(run, places), gold, items) if gold else None


def conditions(sheet: Sheet, run: int) -> list[dict[str, Any]]:
    """The same items under two conditions, paired: true sound against none or another, MIDI
    against sound.

    Found by the tags ``audio`` (values true, noise, swap, silence, none) or ``modality`` (audio,
    midi), with item and all other tags of conditions equal. Repeats are averaged first, and what
    was asked about one item in several other conditions after.
    """
    for way in WAYS:
        differences = _conditions(sheet, run, way.name, way.contrast) if way.contrast else []
        if differences:
            return differences
    return []


_Scores = dict[str, list[float]]


def _conditions(sheet: Sheet, run: int, tag: str, first: str) -> list[dict[str, Any]]:
    cells: dict[tuple[object, ...], _Scores] = {}
    clusters: dict[int, int | None] = {}
    facts = {number: kind.facts for number, kind in sheet.kinds.items()}
    places = sheet.of_kinds(number for number, own in facts.items() if tag in own)
    places = places[~np.isnan(sheet.scores[run][places])]
    for place in places.tolist():
        item, own = int(sheet.trials.item[place]), facts[int(sheet.kind[place])]
        key: tuple[object, ...] = (item, *(own.get(fact) for fact in FACTS))
        score = float(sheet.scores[run][place])
        cells.setdefault(key, {}).setdefault(str(own[tag]), []).append(score)
        cluster = int(sheet.trials.cluster[place])
        clusters[item] = None if cluster == ALONE else cluster
    values = dict.fromkeys(value for cell in cells.values() for value in cell)
    differences = []
    for other in values:
        if other == first:
            continue
        items: dict[object, list[tuple[float, float]]] = {}
        for key, cell in cells.items():
            if first in cell and other in cell:
                means = float(np.mean(cell[first])), float(np.mean(cell[other]))
                items.setdefault(key[0], []).append(means)
        if len(items) < 2:
            continue
        one, two = np.array([np.mean(pairs, axis=0) for pairs in items.values()]).T
        groups = [clusters[item] for item in items]  # type: ignore[index]
        gap = paired_difference(one, two, groups)
        differences.append(
            {
                "tag": tag,
                "first": first,
                "second": other,
                "n": gap.n,
                "clusters": gap.clusters,
                "a": gap.first,
                "b": gap.second,
                "mean": gap.mean,
                "low": gap.low,
                "high": gap.high,
                "p": sign_flip(np.subtract(one, two), groups, _DRAWS).p,
            }
        )
    return differences


def order_of_groups(
    sheet: Sheet, figures: dict[int, dict[str, GroupFigures]]
) -> list[dict[str, Any]]:
    """The groups as the page lists them: name, label within the group above, full label, level,
    whether it is a main group, whether it holds the same trials as the one above it, number of
    trials, and what guessing evenly among the options gets right (None where an answer is free, and
    where runs were asked differently).

    Main groups are those of the first level that are no altered condition. Of two that hold the
    same trials, as a section with one chapter and that chapter do, the first is one.

    Parameters
    ----------
    sheet : Sheet
    figures : dict of int to dict
        `metrics` by run.
    """
    main = set(_main_groups(sheet))
    return [
        {
            "name": name,
            "label": _label(name, sheet),
            "path": "Everything" if name == ALL else _in_words(name.split("/")),
            "level": sheet.level(name),
            "main": name in main,
            "same": name != ALL and np.array_equal(members, sheet.groups[_above(name, sheet)]),
            "n": len(members),
            "chance": _common_chance(name, figures),
        }
        for name, members in sheet.groups.items()
    ]


def _main_groups(sheet: Sheet) -> Iterator[str]:
    before: set[bytes] = set()
    for name, members in sheet.groups.items():
        if sheet.level(name) == 0 and not is_condition(name) and members.tobytes() not in before:
            before.add(members.tobytes())
            yield name


def _common_chance(group: str, figures: dict[int, dict[str, GroupFigures]]) -> float | None:
    chances = [own[group].chance for own in figures.values() if group in own]
    levels = {None if level is None else round(level, 9) for level in chances}
    return chances[0] if len(levels) == 1 else None


def _label(name: str, sheet: Sheet) -> str:
    if name == ALL:
        return "Everything"
    return _in_words(name.removeprefix(f"{_above(name, sheet)}/").split("/"))


def _above(name: str, sheet: Sheet) -> str:
    """The group that holds this one: the nearest in its name, or everything."""
    parts = name.split("/")
    inner = ("/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))
    return next((one for one in inner if one in sheet.groups), ALL)


def _in_words(parts: Sequence[str]) -> str:
    words = " / ".join(parts).replace("_", " ")
    return words[:1].upper() + words[1:]
