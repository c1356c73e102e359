"""Differences between runs: each pair on what it shares, corrected for the number of tests.

The one place where runs are tested against each other, whatever shows it: terminal, table, report,
leaderboard, suite, plan. Conventions are those of `analysis.compare`.

A family is groups of trials whose tests were declared beforehand; Holm's correction is over all
groups of a family and all pairs of contenders (see `pairs_to_test`). The whole is a family of its
own, and so is the group that the benchmark's headline is of, also where all was asked in one
altered way. What was not declared is exploratory, and corrected for the false discovery rate over
all of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from zhiyin.analysis.run import RunKind, contenders
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError, did_you_mean
from zhiyin.runs.columns import cells_of
from zhiyin.runs.differences import Both, NamedTrials, both_of, difference
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.measures import EXPLORATORY, Estimate, Ints, Measure
from zhiyin.runs.pairing import other_path, same_replies
from zhiyin.statistics.intervals import how_many
from zhiyin.statistics.paired import benjamini_hochberg, holm, rank
from zhiyin.words import said


class RunSample(NamedTuple):
    """A run that is held against others.

    Attributes
    ----------
    name : str
        Different from that of every other.
    folder : Path
    kind : RunKind
        Who answered.
    frame : Frame
        The trials that count.
    whole : bool
        Whether it is finished, so that verdicts on others may hang on it.
    """

    name: str
    folder: Path
    kind: RunKind
    frame: Frame
    whole: bool = True


Places = tuple[int, int]
_NOTHING: tuple[Ints, Ints] = (np.empty(0, np.intp), np.empty(0, np.intp))


class TestedRuns(NamedTuple):
    """The tests of some runs.

    Attributes
    ----------
    rows : dict of (int, int) to list of Estimate
        By the places of two runs, the first minus the second: `group` first, then the whole.
    faults : dict of (int, int) to InputError
        Pairs that cannot be compared, and why.
    used : dict of (int, int) to (int, int)
        How many trials of either run each pair is on.
    figures : list of Estimate
        Of each run in `group`, on what all that are finished share, baselines aside.
    shared : int
        How many items that is; 0 where they share none, so that there is no ranking.
    group : str
        That of the benchmark's headline; the whole where some run has nothing of it.
    apart : frozenset of int
        Runs that are not finished where others are: they have no rank.
    common : tuple of Ints
        The cells that all that are finished share, and their items.
    """

    rows: dict[Places, list[Estimate]]
    faults: dict[Places, InputError]
    used: dict[Places, Places]
    figures: list[Estimate]
    shared: int
    group: str
    apart: frozenset[int] = frozenset()
    common: tuple[Ints, Ints] = _NOTHING

    def letters(self, alpha: float) -> list[tuple[int, str]]:
        """The runs that have a rank, best first, with their letters of significance."""
        able = [n for n, own in enumerate(self.figures)
                if own.value is not None and n not in self.apart]  # fmt: skip
        place = {run: n for n, run in enumerate(able)}
        p = np.ones((len(able), len(able)))
        for (a, b), (first, *_) in self.rows.items():
            if first.pair is not None and a in place and b in place:
                p[place[a], place[b]] = p[place[b], place[a]] = first.pair.p_adjusted
        if not able or not self.shared:
            return []
        sign = -1 if self.figures[0].measure.lower_is_better else 1
        values = [sign * (self.figures[n].value or 0.0) for n in able]
        return [(able[row.index], row.letters) for row in rank(values, p, alpha).rows]


def compare_pairs(
    samples: Sequence[RunSample], measure: Measure, *, families: Sequence[str] = (),
    groups: bool | Collection[str] = True, alpha: float = 0.05, seed: int = 0, flips: bool = False,
) -> TestedRuns:  # fmt: skip
    """Test runs against each other: which pairs, see `families.pairs_to_test`.

    Parameters
    ----------
    samples : sequence of RunSample
    measure : Measure
        Its group is a family of its own.
    families : sequence of str
        Families of groups that were declared beforehand; see `families.declared_families`.
    groups : bool or collection of str
        Whether groups are tested beside the whole, or which.
    alpha, seed, flips
        As in `differences.difference`.

    Raises
    ------
    InputError
        A family is of no group.
    """
    done = [sample for sample in samples if sample.whole]
    able = contenders({sample.kind for sample in done})
    sets = [sample for sample in done if sample.kind in able], done, samples
    common = _in_common(next(each for each in sets if len(each) > 1), measure)
    parts = {part.name: part for part in measure.parts}
    head = ALL if parts else measure.group
    figures = [on_shared(sample, measure, head, common) for sample in samples]
    if any(own.value is None and (sample.whole or not done)
           for own, sample in zip(figures, samples, strict=True)):  # fmt: skip
        head, figures = ALL, [on_shared(sample, measure, ALL, common) for sample in samples]
    sign = -1 if measure.lower_is_better else 1
    values = [sign * own.value if own.value is not None else -np.inf for own in figures]
    tested = pairs_to_test(values, [s.kind for s in samples], [s.whole for s in samples])
    faults: dict[Places, InputError] = {}
    shared: dict[Places, tuple[Frame, Frame]] = {}
    for a, b in tested.pairs:
        try:
            one, two = _shared(samples[a], samples[b], measure)
            if not len(_places(one, head)):
                raise _nothing_shared(samples[a], samples[b], [one, two])
            shared[a, b] = one, two
        except InputError as error:
            faults[a, b] = error
    named: dict[Places, list[str]] = {}
    for pair, (own, _) in shared.items():
        every_group = [ALL, *parts] if parts else own.groups()
        if groups is not True:
            kept = {ALL, head, own.logged(head)}.union(*([n, own.logged(n)] for n in groups or ()))
            every_group = [name for name in every_group if name in kept]
        named[pair] = sorted(every_group, key=lambda name: name not in (head, own.logged(head)))
    every = dict.fromkeys(name for names in named.values() for name in names)
    member = dict.fromkeys(every, EXPLORATORY)
    wanted = families if shared else ()  # else the faults say more
    member = declared_families(member, wanted, "part" if parts else "group") | {ALL: ALL}
    tests: list[tuple[Places, Estimate, str]] = []
    for (a, b), names in named.items():
        one, two = shared[a, b]
        order = np.argsort(one.keys)
        at = order[np.searchsorted(one.keys, two.keys, sorter=order)][two.cell]
        seen = {one.places().tobytes(): ALL}  # also where the headline's group holds everything
        heads = {measure.group, one.logged(measure.group)}
        heads = {name for name in heads if member.get(name) == EXPLORATORY}
        for group in names:
            family = measure.group if group in heads else member[group]
            places = one.places(ALL if parts else group)
            asked = np.zeros(len(one.keys), dtype=bool)
            asked[one.cell[places]] = True
            other = NamedTrials(samples[b].name, two, np.flatnonzero(asked[at]))
            found = difference(
                NamedTrials(samples[a].name, one, places), other, parts.get(group, measure),
                group=group, family=family, alpha=alpha, seed=seed, flips=flips,
            )  # fmt: skip
            if found is not None:
                twin = group if parts else seen.setdefault(places.tobytes(), group)
                tests.append(((a, b), found, twin))
            elif parts and group == ALL:
                both = [samples[a].name, samples[b].name]
                faults[a, b] = InputError(said("pairs-no-total", names=both))
                break
    rows = corrected_tests(tests, tested.scale)
    _without_width(rows, samples)
    used = {pair: (len(one), len(two)) for pair, (one, two) in shared.items()}
    apart = frozenset(n for n, sample in enumerate(samples) if done and not sample.whole)
    number = how_many(common[1])
    if number and (head != ALL or measure.weighted is not None):  # songs, or a part of the items
        counted = (figures[n].items for n, s in enumerate(samples) if s.whole or not done)
        number = max(counted, default=0)
    if measure.weighted is not None:
        used = {pair: (own[0].items, own[0].items) for pair, own in rows.items()}
    return TestedRuns(rows, faults, used, figures, number, head, apart, common)


def shared_items(a: RunSample, b: RunSample, measure: Measure, group: str = ALL) -> Both:
    """The items of a group that two runs share, with what a measure adds up of each.

    Raises as `compare`.
    """
    one, two = _shared(a, b, measure)
    places = one.places(group), np.arange(len(two))
    return both_of(
        NamedTrials(a.name, one, places[0]), NamedTrials(b.name, two, places[1]), measure
    )[0]


def _in_common(samples: Sequence[RunSample], measure: Measure) -> tuple[Ints, Ints]:
    """The cells that count in all of some runs, and their items; none where there are none."""
    (keys, names), *others = (sample.frame.asked(measure) for sample in samples)
    first = keys
    for other, _ in others:
        keys = np.intersect1d(keys, other)
    return keys, names[np.isin(first, keys)]


def on_shared(
    sample: RunSample, measure: Measure, group: str, common: tuple[Ints, Ints] = _NOTHING
) -> Estimate:
    """A figure of a run on what all share, or on all of its own where they share nothing."""
    frame = sample.frame
    if len(common[0]) and callable(hook := measure.of):
        shared = msgspec.structs.replace(measure, of=lambda rows: hook(rows).only(common[0]))
        own = estimate(frame, shared, frame.places(group), ends=group == ALL)
        return msgspec.structs.replace(own, measure=measure)
    if len(common[0]):
        frame = frame.part(np.isin(frame.keys, common[0])[frame.cell] & frame.counted(measure))
    return estimate(frame, measure, _places(frame, group), ends=group in (ALL, measure.group))


def _places(frame: Frame, group: str) -> Ints:
    """The trials of a group, also where all was asked in one altered way."""
    own = frame.places(group)
    return own if len(own) else frame.places(frame.logged(group))


def corrected_tests(
    tests: Sequence[tuple[Places, Estimate, str]], scale: set[Places]
) -> dict[Places, list[Estimate]]:
    """The tests of each pair with p corrected for their number.

    An exploratory group with the very answers of another asks nothing new: it is not counted, and
    has the p of that other. Tests against what stands there for scale are corrected by themselves,
    so that no verdict on models hangs on them.
    """
    p, families, own = [], [], []
    for place, (pair, one, twin) in enumerate(tests):
        family = one.pair.family if one.pair is not None else EXPLORATORY
        if family != EXPLORATORY or twin == one.group:
            own.append(place)
            p.append(one.p or 0.0)
            families.append((family, pair in scale))
    adjusted = dict(zip(own, corrected(p, families), strict=True))
    known = {(tests[n][0], tests[n][1].group): n for n in own}
    rows: dict[Places, list[Estimate]] = {}
    for place, (pair, one, twin) in enumerate(tests):
        told = place if place in adjusted else known[pair, twin]
        assert one.pair is not None
        like = tests[told][1].pair
        assert like is not None
        facts = {"p_adjusted": adjusted[told], "family": like.family}
        facts["twin"] = "" if twin == one.group else twin
        told_pair = msgspec.structs.replace(one.pair, **facts)
        rows.setdefault(pair, []).append(msgspec.structs.replace(one, pair=told_pair))
    return rows


def _without_width(rows: dict[Places, list[Estimate]], samples: Sequence[RunSample]) -> None:
    """Take their width, in place, from the differences of runs with the same replies.

    What other items would bring is asked of two measurements, and these may be one. Replies are
    looked at only where no score of the pair differs.
    """
    for (a, b), own in rows.items():
        if any(one.value for one in own):  # of none that differs se is not 0
            continue
        if same_replies(samples[a].folder, samples[b].folder):
            own[:] = [msgspec.structs.replace(one, low=0.0, high=0.0) for one in own]


def _shared(a: RunSample, b: RunSample, measure: Measure) -> tuple[Frame, Frame]:
    """The trials of two runs that count and were asked in the same ways.

    Raises
    ------
    InputError
        There are none, or one name stands for different questions. `OtherPathError` where a
        sequence chose them.
    """
    counted = [s.frame.part(s.frame.counted(measure)) for s in (a, b)]
    both = np.intersect1d(counted[0].keys, counted[1].keys)
    if not len(both):
        raise _nothing_shared(a, b, counted)
    one, two = (
        frame if len(frame.keys) == len(both) else frame.part(np.isin(frame.keys, both)[frame.cell])
        for frame in counted
    )
    if measure.weighted is None:  # a review of a song is one, however it was asked for
        _check_questions(a, b, one, two)
    return one, two


def _nothing_shared(a: RunSample, b: RunSample, counted: Sequence[Frame]) -> InputError:
    """Return the error on two runs that have nothing in common."""
    if np.isin(counted[0].names, counted[1].names).any():
        return InputError(said("pairs-ways", a=a.name, b=b.name))
    return InputError(said("pairs-no-item", a=a.name, b=b.name))


def _check_questions(a: RunSample, b: RunSample, one: Frame, two: Frame) -> None:
    """Raise `InputError` where one cell asks different questions in two runs.

    The passes of a cell may ask different questions, of which errors may have left each run only
    some. So cells differ that share no question, or that have more of them together than any cell
    of one run.
    """
    asked = [_asked(frame) for frame in (one, two)]
    numbers = [_times(keys) for keys, _ in asked]
    together = np.unique(np.concatenate([np.stack(each) for each in asked], axis=1), axis=1)
    union = _times(together[0])
    most = max(int(number.max()) for number in numbers)
    otherwise = np.flatnonzero((numbers[0] + numbers[1] == union) | (union > most))
    if not len(otherwise):
        return
    strange = np.isin(two.keys[two.cell], np.unique(asked[1][0])[otherwise])
    trial = two.rows(np.flatnonzero(strange))[0]
    if trial.sequence:
        raise other_path(trial.item, trial.sequence, b.name, a.name)
    raise InputError(said("pairs-other-question", item=trial.item, b=b.name, a=a.name))


def _asked(frame: Frame) -> tuple[Ints, Ints]:
    """The different questions of cells: the names of both."""
    keys, questions = frame.keys[frame.cell], frame.questions
    first = np.unique(cells_of(keys, questions), return_index=True)[1]
    return keys[first], questions[first]


def _times(keys: Ints) -> Ints:
    return np.asarray(np.unique(keys, return_counts=True)[1])


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
    pairs.sort(key=scale.__contains__)  # models first
    return TestedPairs(pairs, best, scale)


def declared_families(
    member: dict[str, str], declared: Sequence[str], what: str = "group"
) -> dict[str, str]:
    """Map each group to its family, with what was declared; the whole stays as it is.

    Parameters
    ----------
    member : dict of str to str
        Each group's family where nothing is declared.
    declared : sequence of str
        Families: each one or more patterns of names, with commas between.
    what : str
        What a group is called in the message of an error.

    Raises
    ------
    InputError
        A pattern is that of no group.
    """
    member, known = dict(member), [name for name in member if name != ALL]
    for family in reversed(declared):
        patterns = [pattern.strip() for pattern in family.split(",") if pattern.strip()]
        for pattern in patterns:
            matches = [name for name in known if fnmatchcase(name, pattern)]
            if not matches:
                raise InputError(said(
                    "pairs-no-name", what=what, pattern=repr(pattern),
                    hint=did_you_mean(pattern.removesuffix("/*"), known),
                ))  # fmt: skip
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
