"""Runs against each other on the items that all of them answered: differences, tests, a ranking.

Conventions
-----------
item
    What is asked about. Its repeats, rotations and conditions are averaged first, so that they do
    not count as further items; only conditions that all runs were asked under are compared.
score
    1 for a right answer, 0 for a wrong one, a refusal or none; or a named score of the verdict.
    Trials that failed (state ``error``) are no scores.
family
    See `analysis.families`.
not resolved
    The test does not tell two runs apart. That is not "equal": `detectable` says how large a
    difference would have been found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from zhiyin.analysis.comparison import (
    EXPLORATORY,
    SCALE,
    ComparedRun,
    Comparison,
    GroupDifference,
    RankedRun,
    RunPair,
)
from zhiyin.analysis.extent import extent_of, lacking_of
from zhiyin.analysis.families import TestedPairs, corrected, declared_families, tested_pairs
from zhiyin.analysis.question_set import own_set
from zhiyin.analysis.registered import registered_remark
from zhiyin.analysis.run import origins_beside
from zhiyin.analysis.run_kind import kind_of_run
from zhiyin.contract.registry import known
from zhiyin.engine.log import Manifest, read_manifest
from zhiyin.engine.naming import people_in, run_names, told_of
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.files import Places, as_paths
from zhiyin.runs.cells import Cells, by_cell
from zhiyin.runs.pairing import (
    PairedScores,
    check_benchmark,
    check_different,
    common,
    differing,
    same_replies,
)
from zhiyin.runs.rows import rows_of
from zhiyin.statistics.intervals import Floats, interval, normal_quantile
from zhiyin.statistics.paired import (
    Difference,
    Discordance,
    Flips,
    mcnemar_exact,
    paired_difference,
    rank,
    sign_flip,
    smallest_step,
)
from zhiyin.statistics.planning import flips_detectable, mcnemar_detectable
from zhiyin.statistics.scores import LOW_IS_BEST
from zhiyin.words import said
from zhiyin.words.findings import (
    DataDiffer,
    LeftOut,
    Missing,
    NoScore,
    OfRun,
    Remark,
    RulesDiffer,
    SameReplies,
    Unfinished,
    VersionsDiffer,
    Warning,
)

_DRAWS = 10_000


class _Test(msgspec.Struct):
    """One difference before the correction for the number of tests."""

    pair: int
    group: str
    family: str
    difference: Difference
    name: str
    p: float
    mcnemar: Discordance | None
    flips: Flips | None
    step: float = 0.0
    adjusted: float = 1.0
    twin: str = ""


def compare(
    folders: Places,
    *,
    families: Sequence[str] = (),
    measure: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    only_whole: bool = False,
    main: bool = False,
    both: bool = True,
    lead: str = ALL,
) -> Comparison:
    """Compare runs of one benchmark, paired by item: which pairs, see `families.tested_pairs`.

    Parameters
    ----------
    folders : sequence of Path
        At least two run folders.
    families : sequence of str
        Families declared beforehand: each one or more patterns of group names, with commas
        between, such as ``"knowledge/*,reasoning/*"``.
    measure : str, optional
        A named score of the verdicts in place of right and wrong.
    alpha : float
        Level of significance, in (0, 1).
    seed : int
        Of the sign-flip test.
    only_whole : bool
        Leave the groups out: for a ranking of many runs.
    main : bool
        Whether to look only at trials that were asked in the benchmark's main way.
    both : bool
        Whether signs are flipped also where McNemar's test decides, for who wants both.
    lead : str
        The group in which the best of many runs is best.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        On fewer than two runs, one run given twice, runs of different benchmarks, runs that ask
        different questions under one id or have none in common, an unknown group or score, or an
        alpha outside (0, 1).

    References
    ----------
    Miller (2024), arXiv 2411.00640, sections 2 and 4; Holm (1979); Benjamini and Hochberg
    (1995); letters: Piepho (2004). See `statistics.paired`.
    """
    folders = as_paths(folders)
    manifests = _checked(folders, alpha)
    names = run_names(folders, manifests)
    answered = [by_cell(folder, measure, main=main) for folder in folders]
    scores = common(folders, answered)
    groups = [ALL] if only_whole else list(scores.groups)
    member = _families(groups, families, known(manifests[0]).headline.group)
    sign = -1 if measure in LOW_IS_BEST else 1
    figures = sign * scores.groups.get(lead, scores.groups[ALL]).values.mean(axis=1)
    tested = tested_pairs(figures, [kind_of_run(manifest) for manifest in manifests])
    tests = _all_tests(scores, member, tested, seed, both=both)
    alike = _same(tests, tested.pairs, answered)
    settings = differing(names, [manifest.config for manifest in manifests])
    registered = registered_remark(folders)
    runs = [
        ComparedRun(name, str(folder), run.model, cells.trials, cells.items, cells.trials - used)
        for name, folder, run, cells, used in zip(
            names, folders, manifests, answered, scores.used, strict=True
        )
    ]
    return Comparison(
        benchmark=manifests[0].benchmark,
        measure=measure or "accuracy",
        alpha=alpha,
        items=scores.items,
        runs=runs,
        settings=settings,
        warnings=[
            *(Remark(what=line, severity="stop") for line in told_of(names, manifests)),
            *(SameReplies(first=names[a], second=names[b]) for a, b in alike),
            *(one for _, one in origins_beside(names, folders, manifests)),
            *_limits(runs, settings, manifests),
            *_unread(names, answered, measure),
            *([Remark(what=registered)] if registered else ()),
            *([Remark(what=said("compare-people"))] if max(map(people_in, manifests)) > 1 else ()),
        ],
        pairs=_pairs(names, tested.pairs, tests, alpha),
        ranking=_ranking(names, sign * scores.values, scores, tested.pairs, tests, alpha),
        own_set=own_set(folders, manifests),
        people=sum(map(bool, map(people_in, manifests))),
    )


def compare_answers(
    names: Sequence[str],
    answered: Sequence[Cells],
    *,
    alpha: float = 0.05,
    seed: int = 0,
    most_paired: int | None = None,
    main: str = ALL,
) -> tuple[list[RunPair], list[RankedRun], int]:
    """The comparison of `compare` on answers that have been read already: for a report.

    Signs are flipped only where that is the test.

    Parameters
    ----------
    names : sequence of str
        Of the runs, different from each other.
    answered : sequence of Cells
        For each run, not empty.
    alpha, seed
        As for `compare`.
    most_paired : int, optional
        With more runs than these, groups are compared with the best run alone.
    main : str
        The group that the benchmark's headline is of.

    Returns
    -------
    list of RunPair
        As in `compare`. Where the runs have nothing in common, or ask different questions under
        one name: of those pairs that can be compared, each on its own items.
    list of RankedRun
        Empty in that case.
    int
        How many items all runs judged; 0 in that case.
    """
    kinds = [kind_of_run(read_manifest(cells.folder)) for cells in answered]
    try:
        whole = common(names, answered)
    except InputError:
        pairs = tested_pairs([cells.means().mean() for cells in answered], kinds).pairs
        return _pairs(names, pairs, _apart(names, answered, pairs, seed, main), alpha), [], 0
    tested = tested_pairs(whole.values.mean(axis=1), kinds)
    member = _families(list(whole.groups), (), main)
    few = most_paired is None or len(names) <= most_paired
    tests = _all_tests(whole, member, tested, seed, both=False, alone=not few)
    _same(tests, tested.pairs, answered)
    ranking = _ranking(names, whole.values, whole, tested.pairs, tests, alpha)
    return _pairs(names, tested.pairs, tests, alpha), ranking, whole.items


def _apart(
    names: Sequence[str],
    answered: Sequence[Cells],
    pairs: Sequence[tuple[int, int]],
    seed: int,
    main: str,
) -> list[_Test]:
    """The tests of those pairs that can be compared at all."""
    tests: list[_Test] = []
    for place, (a, b) in enumerate(pairs):
        try:
            scores = common([names[a], names[b]], [answered[a], answered[b]])
        except InputError:
            continue
        member = _families(list(scores.groups), (), main)
        tests += [
            _test(place, group, family, scores, 0, 1, seed, both=False)
            for group, family in member.items()
        ]
    _correct(tests)
    _same(tests, pairs, answered)
    return tests


def _all_tests(
    scores: PairedScores,
    member: dict[str, str],
    tested: TestedPairs,
    seed: int,
    *,
    both: bool,
    alone: bool = False,
) -> list[_Test]:
    """The tests of every pair in every group of `member`, corrected for their number.

    Groups are left out, where the best is compared `alone`, of every pair without it.
    """
    tests = [
        _test(place, group, family, scores, a, b, seed, both=both)
        for place, (a, b) in enumerate(tested.pairs)
        for group, family in member.items()
        if not alone or group == ALL or tested.best in (a, b)
    ]
    for test in tests:
        if test.pair in tested.scale and test.family != EXPLORATORY:
            test.family = SCALE
    _correct(tests)
    return tests


def _same(
    tests: Sequence[_Test], pairs: Sequence[tuple[int, int]], answered: Sequence[Cells]
) -> list[tuple[int, int]]:
    """The pairs of runs with the same replies; their differences lose their width, in place.

    What other items would bring is asked of two measurements, and these may be one. Replies are
    looked at only where no score of the pair differs.
    """
    differ = {test.pair for test in tests if test.difference.mean or test.difference.se}
    asked = {test.pair for test in tests} - differ
    same = {place for place in asked if same_replies(*(answered[n].folder for n in pairs[place]))}
    for test in tests:
        if test.pair in same:
            test.difference = msgspec.structs.replace(test.difference, low=0.0, high=0.0)
    return [pairs[place] for place in sorted(same)]


def _checked(folders: Sequence[Path], alpha: float) -> list[Manifest]:
    if len(folders) < 2:
        raise InputError("one run has nothing to be compared with: give two or more")
    if not 0 < alpha < 1:
        raise InputError(f"alpha {alpha:g} is no level of significance: give such as 0.05")
    check_different(folders)
    manifests = [read_manifest(folder) for folder in folders]
    check_benchmark(folders, manifests)
    return manifests


def _pairs(
    names: Sequence[str], pairs: Sequence[tuple[int, int]], tests: Sequence[_Test], alpha: float
) -> list[RunPair]:
    rows: list[list[GroupDifference]] = [[] for _ in pairs]
    for test in tests:
        rows[test.pair].append(_settled(test, alpha))
    return [
        RunPair(names[a], names[b], groups)
        for (a, b), groups in zip(pairs, rows, strict=True)
        if groups
    ]


def _families(groups: list[str], declared: Sequence[str], main: str) -> dict[str, str]:
    """From each group to its family; the first that has a pattern for it.

    The group `main`, which the benchmark's headline is of, is one by itself.
    """
    member = {group: main if group == main else EXPLORATORY for group in groups}
    return declared_families(member, declared, ALL) | {ALL: ALL}


def _test(
    pair: int,
    group: str,
    family: str,
    scores: PairedScores,
    a: int,
    b: int,
    seed: int,
    *,
    both: bool,
) -> _Test:
    """One difference with its test; `both`: with the flips even where McNemar's test decides."""
    members = scores.groups[group]
    first, second, clusters = members.values[a], members.values[b], members.clusters
    difference = paired_difference(first, second, clusters)
    mcnemar = None
    if np.isin(first, (0, 1)).all() and np.isin(second, (0, 1)).all():
        mcnemar = mcnemar_exact(int(np.sum(first > second)), int(np.sum(second > first)))
    exact = mcnemar is not None and difference.clusters == difference.n
    flips = None
    if both or not exact:
        flips = sign_flip(first - second, clusters, draws=_DRAWS, seed=seed)
    if mcnemar is not None and exact:
        test = _Test(pair, group, family, difference, "mcnemar", mcnemar.p, mcnemar, flips)
        return msgspec.structs.replace(test, twin=scores.twins[group])
    assert flips is not None
    step = smallest_step(np.concatenate([first, second]))
    test = _Test(pair, group, family, difference, "sign-flip", flips.p, mcnemar, flips, step)
    return msgspec.structs.replace(test, twin=scores.twins[group])


def _correct(tests: list[_Test]) -> None:
    """Adjust the p-values for their number, in place.

    An exploratory group with the very answers of another asks nothing new: it is not counted, and
    has the p of that other.
    """
    own = [test for test in tests if test.twin == test.group or test.family != EXPLORATORY]
    adjusted = corrected([test.p for test in own], [test.family for test in own])
    for test, p in zip(own, adjusted, strict=True):
        test.adjusted = p
    known = {(test.pair, test.group): test for test in own}
    for test in tests:
        if test.family == EXPLORATORY and test.twin != test.group:
            first = known[test.pair, test.twin]
            test.adjusted, test.family = first.adjusted, first.family


def _settled(test: _Test, alpha: float) -> GroupDifference:
    difference = test.difference
    return GroupDifference(
        test.group,
        test.family,
        difference.n,
        difference.clusters,
        difference.first,
        difference.second,
        difference.mean,
        difference.low,
        difference.high,
        difference.se,
        test.name,
        test.p,
        test.adjusted,
        test.adjusted < alpha,
        _detectable(test, alpha),
        test.mcnemar,
        test.flips,
    )


def _detectable(test: _Test, alpha: float) -> float:
    """What the test can find: from the standard error, or from the interval where that is wider,
    since se may be 0 by luck; and exactly where pairs or clusters are few.
    """
    own = test.difference
    if test.name == "mcnemar" and test.mcnemar is not None:
        discordant = test.mcnemar.b + test.mcnemar.c
        return mcnemar_detectable(own.n, (discordant + 2) / (own.n + 2), alpha=alpha)
    implied = (own.high - own.low) / 2 / normal_quantile(own.level)
    return flips_detectable(max(own.se, implied), own.clusters, test.step / own.n, alpha=alpha)


def _ranking(
    names: Sequence[str],
    signed: Floats,
    scores: PairedScores,
    pairs: Sequence[tuple[int, int]],
    tests: Sequence[_Test],
    alpha: float,
) -> list[RankedRun]:
    """The runs by their `signed` values, of which the higher is the better."""
    p = np.ones((len(names), len(names)))
    for test in tests:
        if test.group == ALL:
            a, b = pairs[test.pair]
            p[a, b] = p[b, a] = test.adjusted
    ranking = rank(signed.mean(axis=1), p, alpha)
    return [
        RankedRun(
            names[row.index], interval(scores.values[row.index], scores.clusters), row.letters
        )
        for row in ranking.rows
    ]


def _unread(
    names: Sequence[str], answered: Sequence[Cells], measure: str | None
) -> Iterator[Warning]:
    """Which runs lack a named score only because their replies could not be read."""
    for name, own in zip(names, answered, strict=True):
        others = [cells.keys for cells in answered if cells is not own]
        unread = int(np.isin(own.unread, np.concatenate(others)).sum()) if len(own.unread) else 0
        if unread:
            yield NoScore(who=name, n=unread, measure=str(measure))


def set_apart(settings: Mapping[str, Mapping[str, object]]) -> Iterator[Warning]:
    """What of the settings in which runs differ makes their figures those of other questions, or of
    other rules: setting -> name -> value, as `differing` has them.
    """
    if "data" in settings:
        yield DataDiffer()
    if "options.extract" in settings:
        rules = settings["options.extract"].items()
        yield RulesDiffer(rules=tuple(f"{name}: {rule}" for name, rule in rules))
    if "benchmark_version" in settings:
        yield VersionsDiffer()


def _limits(
    runs: Sequence[ComparedRun],
    settings: dict[str, dict[str, object]],
    manifests: Sequence[Manifest],
) -> Iterator[Warning]:
    yield from set_apart(settings)
    for run, manifest in zip(runs, manifests, strict=True):
        if run.left_out:
            yield LeftOut(who=run.label, n=run.left_out, of=run.trials)
        if manifest.sequences:
            lacking = lacking_of(extent_of(Path(run.run), manifest).reach, manifest)
            if lacking:
                yield OfRun(who=run.label, what=Unfinished(what=lacking))
        elif run.trials < manifest.planned:
            states = rows_of(run.run).outcomes()  # what has no right answer is not missing
            missing = manifest.planned - states.total() + states["error"]
            if missing:
                yield Missing(who=run.label, n=missing, of=manifest.planned)
