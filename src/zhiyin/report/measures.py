"""The figures of a report: accuracy with interval, paired differences, letters.

Intervals and tests are those of `zhiyin.statistics`; trials of one cluster count as one draw.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.analysis.beside import RunTests, asked_alike, only_setting, settings_of
from zhiyin.analysis.compare import row_of
from zhiyin.analysis.comparison import GroupDifference
from zhiyin.analysis.run import RULES, contenders, in_order, kind_of_run
from zhiyin.analysis.within import ALPHA
from zhiyin.contract.registry import known
from zhiyin.engine.scoring import ALL, nested
from zhiyin.record import STATES, State
from zhiyin.report.run_set import RunSet
from zhiyin.runs.estimates import Frame
from zhiyin.runs.figures import ByItself, Figures, GroupFigures, figures, group_in_words
from zhiyin.runs.measures import ACCURACY, Estimate, Measure
from zhiyin.runs.pairing import NOT_ASKED
from zhiyin.runs.ways import Way
from zhiyin.statistics.paired import holm
from zhiyin.words import Text

MOST_PAIRED = 6
"""Of more runs than these only pairs with the best one are shown."""


Pairs = dict[tuple[int, int], dict[str, GroupDifference]]
"""By the numbers of two runs, the first minus the second in every group; the whole first."""


class ComparedRuns(msgspec.Struct, frozen=True):
    """Runs that were asked alike, against each other.

    Attributes
    ----------
    runs : list of int
        Their numbers.
    pairs : dict
        See `Pairs`.
    ranking : list of (int, float)
        Numbers of runs, and their figures on the items that all of them judged, best first;
        empty where there is no item in common. Without runs that are not finished, where
        others are.
    shared : int
        How many items they have in common.
    group : str
        That of the ranking: the headline's, or the whole where some run has nothing of it.
    apart : frozenset of int
        Runs that are not ranked: unfinished, or without a value of much that was asked.
    """

    runs: list[int]
    pairs: Pairs
    ranking: list[tuple[int, float]]
    shared: int
    group: str = ALL
    apart: frozenset[int] = frozenset()


class MeasureSheet:
    """The trials of one benchmark as columns, listed or not.

    Attributes
    ----------
    trials : Collation
        The n trials.
    runs : list of int
        The numbers of the runs of this benchmark.
    groups : dict of str to ndarray of int
        Which of the n belong to each group, "all" first. That is over the trials asked in the
        benchmark's main way, or over all where there are none of
        these; every other condition has groups of its own.
    mixed : list of Way
        Those whose values part its trials in the main way from the others.
    lead : Measure
        The benchmark's headline.
    main : str
        The group that it is of.
    page : int
        How many runs the page has, of this and other benchmarks.
    """

    def __init__(self, run_set: RunSet, benchmark: str) -> None:
        self.benchmark = benchmark
        self.trials = run_set.trials_of[benchmark]
        self.page, self._run_set = len(run_set.runs), run_set
        self._compared: dict[str, list[ComparedRuns]] = {}
        self.runs = [i for i, r in enumerate(run_set.runs) if r.manifest.benchmark == benchmark]
        kind = known(run_set.runs[self.runs[0]].manifest) if self.runs else None
        self.lead = lead = kind.measures[0] if kind else ACCURACY
        self.main, self._right = lead.group, lead if lead.name == ACCURACY.name else ACCURACY
        self.titles: Mapping[str, Text] = kind.titles if kind else {}
        self.kind = self.trials.kind
        numbers, first = np.unique(self.kind, return_index=True)
        self.kinds = {int(k): self.trials.kinds[k] for k in numbers[np.argsort(first)]}
        self.states = {run: self.trials.states(run) for run in self.runs}
        plain = [number for number, one in self.kinds.items() if one.plain]
        members: dict[str, list[int]] = {ALL: plain or list(self.kinds)}
        self.mixed = self._mixed() if plain else []
        for number, one in self.kinds.items():
            for group in one.groups:
                members.setdefault(group, []).append(number)
        ordered = in_order(members, kind) if kind else nested(list(members))
        self.groups = {name: self.of_kinds(members[name]) for name in ordered}
        # Where nothing was asked in the main way, the one way that there is; "" for none.
        ways = [] if plain else list(filter(is_condition, self.groups))
        same = (way for way in ways if np.array_equal(self.groups[way], self.groups[ALL]))
        self.way = max(same, key=len, default="")
        if self.main not in self.groups and f"{self.way}/{self.main}" in self.groups:
            self.main = f"{self.way}/{self.main}"

    def __len__(self) -> int:
        return len(self.trials)

    @cached_property
    def lone(self) -> set[str]:
        """Groups that hold everything and have none beside them that does not: no level of any."""
        lone: set[str] = set()
        while inner := [
            name for name, members in self.groups.items()
            if name not in lone and _above(name, self) in (lone or {ALL}) - {name}
            and ("=" not in name.rpartition("/")[2] or self._is_whole(members))
        ]:  # fmt: skip
            if not all(self._is_whole(self.groups[name]) for name in inner):
                break
            lone |= {*inner}
        return lone

    def _is_whole(self, members: NDArray[np.intp]) -> bool:
        return np.array_equal(members, self.groups[ALL])

    def _mixed(self) -> list[Way]:
        facts = [kind.facts for kind in self.kinds.values()]
        with_main = [way for way in self.trials.ways if way.plain]
        return [w for w in with_main if len({str(f[w.name]) for f in facts if w.name in f}) > 1]

    def of_kinds(self, kinds: Iterable[int]) -> NDArray[np.intp]:
        """The trials of some kinds."""
        among = np.zeros(len(self.trials.kinds), dtype=bool)
        among[list(kinds)] = True
        return np.flatnonzero(among[self.kind])

    def heard(self, run: int) -> bool:
        """Tell whether a run was asked anything with sound."""
        asked = np.unique(self.kind[self.states[run] != NOT_ASKED])
        return any(self.kinds[int(kind)].heard for kind in asked)

    def count(self, run: int) -> dict[State, int]:
        """Count a run's trials by the state they ended in, without those that it was not asked."""
        times = np.bincount(self.states[run], minlength=len(STATES))
        return dict(zip(STATES, times[: len(STATES)].tolist(), strict=True))

    def count_main(self, run: int) -> dict[str, int]:
        """Count a run's trials in the main way (all, if it has none) by the state they ended in."""
        times = np.bincount(self.states[run][self.groups[ALL]], minlength=len(STATES))
        counts = dict(zip(STATES, times[: len(STATES)].tolist(), strict=True))
        if not any(counts.values()):
            counts = self.count(run)
        return {state: number for state, number in counts.items() if number}

    @cached_property
    def frames(self) -> dict[int, Frame]:
        """The trials of each run."""
        return {run: own.frame for run, own in self._counted.items()}

    @cached_property
    def _counted(self) -> dict[int, Figures]:
        """The figures of each run: those of its own page where its groups are called so here."""
        found = {}
        for run in self.runs:
            frame, own = self.trials.frame(run), figures(self._run_set.runs[run].table)
            alike = len(frame) == len(own.frame) and dict(frame.kinds) == dict(own.frame.kinds)
            found[run] = own if alike else Figures(frame)
        return found

    @cached_property
    def _alike(self) -> list[list[int]]:
        """The runs that may be tested against each other, as in every table."""
        alike = asked_alike([self._run_set.runs[run] for run in self.runs])
        return [[self.runs[place] for place in own] for own in alike]

    def compared(self, measure: Measure | None = None) -> list[ComparedRuns]:
        """The runs against each other, by default in right answers: each way of asking by itself,
        see `beside.asked_alike`.
        """
        wanted = self._right if measure is None else measure
        name = f"{wanted.name} {wanted.group} {wanted.by} {wanted.how}"
        if name not in self._compared:
            self._compared[name] = [self._against(runs, wanted) for runs in self._alike]
        return self._compared[name]

    def _against(self, runs: Sequence[int], measure: Measure) -> ComparedRuns:
        own = [self._run_set.runs[run] for run in runs]
        tests = RunTests([*map(str, runs)], own, measure, groups=True)
        numbers = [runs[place] for place in tests.able]
        apart = frozenset(runs[n] for n, one in enumerate(tests.samples) if not one.whole)
        if (found := tests.found) is None:
            only = {run: each[ALL] for run in numbers if ALL in (each := self.figures[run])}
            ranked = [(run, one.accuracy or 0.0) for run, one in only.items()]
            n = sum(one.items for one in only.values())
            return ComparedRuns([*runs], {}, ranked, n, apart=apart)
        whole, pairs = self.groups[ALL], Pairs()
        kinds = [one.kind for one in tests.samples]
        able = contenders(kinds)
        for group, members in self.groups.items():
            if not np.isin(members, whole, assume_unique=True).all():
                continue
            for (a, b), one in tests.pairs(group).items():
                if kinds[a] not in able and kinds[b] not in able:
                    continue  # baselines are there for scale, and no finding themselves
                row = msgspec.structs.replace(row_of(one, ALPHA), group=group)
                pairs.setdefault((runs[a], runs[b]), {})[group] = row
        ranking = [(numbers[n], found.figures[n].value or 0.0) for n, _ in found.letters(ALPHA)]
        group = found.group if found.group in self.groups else f"{self.way}/{found.group}"
        return ComparedRuns([*runs], pairs, ranking, found.shared, group, apart)

    @property
    def tests(self) -> list[str]:
        """The tests by which runs were compared in right answers and in the headline, by name."""
        each = [one for measure in (self._right, self.lead) for one in self.compared(measure)]
        rows = [row for one in each for pair in one.pairs.values() for row in pair.values()]
        alone = [one.pair.test for *_, one in self.in_settings() if one.pair]
        return sorted({*(row.test for row in rows), *alone})

    @property
    def for_scale(self) -> bool:
        """Whether some run, such as a baseline, is there for scale: its pairs are tested apart."""
        kinds = {kind_of_run(self._run_set.runs[run].manifest) for run in self.runs}
        return not kinds <= contenders(kinds)

    def in_settings(self) -> Iterator[tuple[tuple[int, int], str, Estimate]]:
        """Compare each model with itself in right answers where one setting of asking differs.

        Yields two runs, that setting (the first run has it) and the first minus the second, with p
        corrected for all of these by Holm.
        """
        tested: list[tuple[tuple[int, int], str, Estimate]] = []
        for pair in itertools.combinations(self.runs, 2):
            own = [self._run_set.runs[run] for run in pair]
            if all(run.coverage.done for run in own) and (name := only_setting(*own)):
                if not settings_of(own[0].manifest).get(name):
                    pair, own = pair[::-1], own[::-1]
                tests = RunTests([*map(str, pair)], own, self._right)
                if tests.samples[0].kind not in RULES and (found := tests.pairs(ALL)):
                    tested.append((pair, name, found[0, 1]))
        adjusted = holm([one.p or 0.0 for *_, one in tested]).tolist() if tested else []
        for (pair, name, one), p in zip(tested, adjusted, strict=True):
            yield pair, name, msgspec.structs.replace(one, p=p)

    @property
    def pairs(self) -> Pairs:
        """The pairs of runs that were compared in right answers; of many, those with the best."""
        return {
            runs: own
            for each in self.compared()
            for runs, own in each.pairs.items()
            if len(each.runs) <= MOST_PAIRED or each.ranking[0][0] in runs
        }

    @cached_property
    def _uncorrected(self) -> dict[int, dict[str, GroupFigures]]:
        """The figures of each run as though there were no other."""
        return {run: self._figures_of(run) for run in self.runs}

    def by_itself(self, run: int, group: str) -> ByItself | None:
        """Compare a run with chance by itself alone; None where the page says the same."""
        alone, corrected = (each[run].get(group) for each in (self._uncorrected, self.figures))
        if alone is None or corrected is None or alone.guess_p is None:
            return None
        if alone.guess not in ("better", "worse") or corrected.guess == alone.guess:
            return None
        return ByItself(alone.guess, alone.guess_p, self.page)

    @cached_property
    def figures(self) -> dict[int, dict[str, GroupFigures]]:
        """The figures of each run in the groups that it has trials of.

        ``chance`` is what guessing evenly among the options gets right of a run's own judged
        trials, averaged as the accuracy is; None where an answer is free. ``guess`` is corrected
        over the runs of the page.
        """
        figures = {run: dict(own) for run, own in self._uncorrected.items()}
        for group in self.groups:
            tested = {
                run: own[group].guess_p or 0.0
                for run, own in figures.items()
                if group in own and own[group].guess_p is not None
            }
            for run, p in zip(tested, over_page([*tested.values()], self.page), strict=True):
                figures[run][group] = figures[run][group].with_p(p)
        return figures

    def _figures_of(self, run: int) -> dict[str, GroupFigures]:
        whole = np.zeros(len(self), dtype=bool)
        whole[self.groups[ALL]] = True
        counted = self._counted[run]
        names = [name for name in self.groups if name != ALL and name in counted.counts]
        if np.any(whole & (self.states[run] != NOT_ASKED)):
            names = [ALL, *names]
        return {name: counted.metrics(name) for name in names}


def over_page(p: Sequence[float], runs: int) -> list[float]:
    """p-values of the runs of one benchmark corrected over a page of so many runs.

    By Holm within the benchmark, which has its share of the level: of six who guess, on one page,
    one is significantly better than chance on one page of twenty at most, not on one of ten.
    """
    return [min(1.0, float(one) * runs / len(p)) for one in holm(p)] if p else []


class ListedGroup(msgspec.Struct, frozen=True):
    """A group of trials as a page lists it.

    Attributes
    ----------
    name : str
    label : Text
        Its name in words within the group above it.
    path : Text
        Its name in words with all above it.
    level : int
        How many other groups it lies within, but for `MeasureSheet.lone`; -1 for the whole.
    main : bool
        Whether it is of the first level, and no altered condition unless all was asked in it.
        Of two that hold the same trials, as a section with one chapter and that chapter do, the
        first is a main one; of those that hold everything alone their parts are.
    same : bool
        Whether it holds the same judged trials as the one above it.
    n : int
        Trials.
    chance : float or None
        What guessing evenly among the options gets right; None where an answer is free, and where
        runs were asked differently.
    """

    name: str
    label: Text
    path: Text
    level: int
    main: bool
    same: bool
    n: int
    chance: float | None


def is_condition(group: str) -> bool:
    """Tell whether a group is that of an altered condition."""
    return all("=" in part for part in group.split("/"))


def listed_groups(sheet: MeasureSheet) -> list[ListedGroup]:
    """The groups of a benchmark, in the order of the page."""
    main, titles = set(_main_groups(sheet)), sheet.titles
    return [
        ListedGroup(
            name=name,
            label=titles.get(name) or _label(name, sheet),
            path="Everything" if name == ALL else titles.get(name) or group_in_words(name),
            level=_level(name, sheet),
            main=name in main,
            same=name != ALL and _is_same(name, _above(name, sheet), sheet),
            n=len(members),
            chance=common_chance(own[name].chance for own in sheet.figures.values() if name in own),
        )
        for name, members in sheet.groups.items()
    ]


def _is_same(name: str, above: str, sheet: MeasureSheet) -> bool:
    """Tell whether two groups hold the same trials, or all that are judged of them."""
    return np.array_equal(sheet.groups[name], sheet.groups[above]) or all(
        own.get(name) == own.get(above) for own in sheet.figures.values()
    )


def _level(name: str, sheet: MeasureSheet) -> int:
    if name == ALL:
        return -1
    parts = name.split("/")
    lone = () if "=" in parts[-1] else sheet.lone  # what is said of items lies within those, too
    above = ["/".join(parts[:end]) for end in range(1, len(parts))]
    return sum(one in sheet.groups and one not in lone for one in above)


def _main_groups(sheet: MeasureSheet) -> list[str]:
    first: dict[bytes, str] = {}
    for name, members in sheet.groups.items():
        if _level(name, sheet) == 0 and not is_condition(name):
            first.setdefault(members.tobytes(), name)
    return [name for name in first.values() if name not in sheet.lone] or [*first.values()]


def common_chance(levels: Iterable[float | None]) -> float | None:
    """Return what guessing gets right where that is the same in all runs, rounding aside."""
    chances = [*levels]
    rounded = {None if level is None else round(level, 9) for level in chances}
    return chances[0] if len(rounded) == 1 else None


def _label(name: str, sheet: MeasureSheet) -> Text:
    if name == ALL:
        return "Everything"
    return group_in_words(name.removeprefix(f"{_above(name, sheet)}/"))


def _above(name: str, sheet: MeasureSheet) -> str:
    """The group that holds this one: the nearest in its name, or everything."""
    parts = name.split("/")
    inner = ("/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))
    return next((one for one in inner if one in sheet.groups), ALL)
