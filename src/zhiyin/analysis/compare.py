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
    See `analysis.pairs`.
not resolved
    The test does not tell two runs apart. That is not "equal": `detectable` says how large a
    difference would have been found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from zhiyin.analysis.comparison import ComparedRun, Comparison, GroupDifference, RankedRun, RunPair
from zhiyin.analysis.coverage import coverage_of, lacking_of
from zhiyin.analysis.pairs import RunSample, TestedRuns, compare_pairs
from zhiyin.analysis.parts import remarks_on
from zhiyin.analysis.question_set import own_set
from zhiyin.analysis.run import in_order, origins_beside
from zhiyin.analysis.within import constant_answers, kind_of_answers
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.registry import known
from zhiyin.contract.resolved import in_common, resolved_beside, run_names
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.naming import people_in, told_of
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Places, as_paths
from zhiyin.idioms import grouped
from zhiyin.record import SCORE, STATES
from zhiyin.runs.estimates import Frame, estimate, parts_there
from zhiyin.runs.measures import ACCURACY, UNREAD, Estimate, Measure, measure_named
from zhiyin.runs.pairing import check_benchmark, check_different, differing
from zhiyin.runs.rows import Rows, read_table, rows_of
from zhiyin.statistics.intervals import Interval, how_many
from zhiyin.words import naming, said
from zhiyin.words.findings import (
    DataDiffer,
    LeftOut,
    NoScore,
    OfRun,
    OneAnswer,
    Remark,
    RulesDiffer,
    Unfinished,
    VersionsDiffer,
    Warning,
)


def compare_all(folders: Places, *, measure: str | None = None, **how: Any) -> list[Comparison]:
    """Compare runs as their benchmark is scored: one comparison, or one for each judge of them all.

    Parameters and errors are those of `compare`.
    """
    totals = totals_of(as_paths(folders)) if measure is None else []
    measures: Sequence[str | Measure | None] = totals or [measure]
    return [compare(folders, measure=each, **how) for each in measures]


def by_benchmark(folders: Places) -> list[list[Path]]:
    """Runs to compare, those of a benchmark together; one that is alone has nothing beside it.

    All together where none has, or there is no run: `compare` says what is wrong.
    """
    paths = as_paths(folders)
    alike = grouped((read_manifest(folder).benchmark, folder) for folder in paths)
    return [own for own in alike.values() if len(own) > 1] or [paths]


def totals_of(folders: Sequence[Path]) -> list[Measure]:
    """The totals of each judge that graded all of some runs."""
    each = [known(read_manifest(folder)).totals(folder) for folder in folders]
    return [one for one in each[0] if one.by and all(one in own for own in each[1:])]


def compare(
    folders: Places, *, families: Sequence[str] = (), measure: str | Measure | None = None,
    alpha: float = 0.05, seed: int = 0, only_whole: bool = False, both: bool = True,
) -> Comparison:  # fmt: skip
    """Compare runs of one benchmark, paired by item: which pairs, see `families.pairs_to_test`.

    Parameters
    ----------
    folders : sequence of Path
        At least two run folders.
    families : sequence of str
        Families declared beforehand: each one or more patterns of group names, with commas
        between, such as ``"knowledge/*,reasoning/*"``.
    measure : str or Measure, optional
        A measure of the benchmark, or a named score of the verdicts; by default the headline.
    alpha : float
        Level of significance, in (0, 1).
    seed : int
        Of the sign-flip test.
    only_whole : bool
        Leave the groups out: for a ranking of many runs.
    both : bool
        Whether signs are flipped also where McNemar's test decides, for who wants both.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        On fewer than two runs, one run given twice, runs of different benchmarks, runs of which no
        two can be compared, an unknown group or measure, or an alpha outside (0, 1).

    References
    ----------
    Miller (2024), arXiv 2411.00640, sections 2 and 4; Holm (1979); Benjamini and Hochberg
    (1995); letters: Piepho (2004). See `statistics.paired`.
    """
    folders = as_paths(folders)
    manifests = _checked(folders, alpha)
    names = run_names(folders, manifests)
    wanted = measure_of_runs(folders, manifests, measure)
    samples = [sample_of(*each, wanted) for each in zip(names, folders, manifests, strict=True)]
    for sample in samples:
        if not sample.frame.counted(wanted).any():
            raise _nothing(sample.folder, sample.frame, measure)
    found = compare_pairs(
        samples, wanted, families=families, groups=not only_whole, alpha=alpha,
        seed=seed, flips=both,
    )  # fmt: skip
    if not found.rows:
        raise next(iter(found.faults.values()))
    settings = differing(names, resolved_beside(manifests))
    runs = [
        _compared(place, sample, manifest, wanted, found)
        for place, (sample, manifest) in enumerate(zip(samples, manifests, strict=True))
    ]
    ranking = ranking_of(samples, found, alpha)
    part = said("table-part", name=wanted.name)
    judged = wanted.by and naming(said("compare-judged", name=part, by=wanted.by))
    return Comparison(
        benchmark=manifests[0].benchmark, measure=judged or wanted.name, alpha=alpha,
        items=found.shared or max(own[0].items for own in found.rows.values()),
        runs=runs, settings=settings,
        warnings=[
            *(Remark(what=line, severity="stop") for line in told_of(names, manifests)),
            *(Remark(what=str(fault), severity="doubt") for fault in found.faults.values()),
            *(one for _, one in origins_beside(names, folders, manifests)),
            *_limits(runs, settings, manifests, "songs" if judged else "trials"),
            *_unread(samples, wanted),
            *(
                OfRun(who=sample.name, what=Remark(what=note, severity="doubt"))
                for sample in (samples if judged else ())
                for note in estimate(sample.frame, wanted).warnings
            ),
            *(_without(samples, wanted, found) if judged else ()),
            *(
                OfRun(who=one.label, what=OneAnswer(answer=one.always, but=one.always_but))
                for one in ranking
                if one.always
            ),
            *(Remark(what=line) for line in remarks_on(folders)),
            *([Remark(what=said("compare-people"))] if max(map(people_in, manifests)) > 1 else ()),
        ],
        pairs=pairs_of(names, found, alpha, None if judged else known(manifests[0])),
        ranking=ranking, unit="songs" if judged else "items",
        own_set=own_set(folders, manifests), people=sum(map(bool, map(people_in, manifests))),
        lower_is_better=wanted.lower_is_better, scale=wanted.unit, declared=wanted.declared,
        group=found.group, alike=[naming(setting) for setting in in_common(manifests)],
    ).held_against_baseline()  # fmt: skip


def _without(samples: Sequence[RunSample], total: Measure, found: TestedRuns) -> Iterator[OfRun]:
    """Say whose total is another in a pair: without the parts that the other run has not."""
    there = [parts_there(sample.frame, total) for sample in samples]
    for (a, b), (one, *_) in found.rows.items():
        assert one.pair is not None
        for own, other, value in ((a, b, one.pair.first), (b, a, one.pair.second)):
            lost = there[own] - there[other]
            names = [part.name for part in total.parts if part.name in lost]
            if parts := [said("table-part", name=name) for name in names]:
                whole = estimate(samples[own].frame, total).value
                facts = {"parts": parts, "other": samples[other].name, "value": value}
                what = Remark(what=said("compare-without", own=whole, **facts), severity="doubt")
                yield OfRun(who=samples[own].name, what=what)


def measure_of_runs(
    folders: Sequence[Path], manifests: Sequence[Manifest], name: str | Measure | None
) -> Measure:
    """The measure that is given, or that of a name, or the headline; raises `InputError` for none.

    Where the headline is of a score, and no run has it, the usual share of right answers.
    """
    if isinstance(name, Measure):
        return name
    declared = known(manifests[0]).measures
    if name is None:
        has = any(estimate(rows_of(folder), declared[0], ends=False).n for folder in folders)
        return declared[0] if has else ACCURACY
    named = any(name in read_table(folder).score_names for folder in folders)
    return measure_named(f"{SCORE}{name}" if named else name, declared)


_MOST_LACKING = 0.05
"""A run in which more replies have no value of a measure is not ranked by it."""


def sample_of(name: str, folder: Path, manifest: Manifest, measure: Measure) -> RunSample:
    """A run as it is held against others in a measure: `whole` where nearly all has a value.

    Else a model would win an error measure by answering what it finds easy.
    """
    frame = Frame(Rows(table := read_table(folder, questions=True), table.rows))
    done = coverage_of(folder, manifest).done
    if done and measure.weighted is not None:
        done = frame.sums(measure, np.arange(len(frame))).whole
    lacking, asked = frame.lacking(measure, frame.places(measure.group))
    done = done and lacking <= _MOST_LACKING * asked
    return RunSample(name, folder, kind_of_answers(manifest, frame), frame, done)


def two_runs(
    first: Path, second: Path, measure: str | Measure | None = None
) -> tuple[RunSample, RunSample, Measure]:
    """Two runs as they are held against each other, and the measure; raises as `compare`."""
    folders = [first, second]
    manifests = _checked(folders, 0.05)
    wanted = measure_of_runs(folders, manifests, measure)
    names = run_names(folders, manifests)
    one, two = (sample_of(*each, wanted) for each in zip(names, folders, manifests, strict=True))
    return one, two, wanted


def pairs_of(
    names: Sequence[str], found: TestedRuns, alpha: float, kind: type[Benchmark[Any]] | None
) -> list[RunPair]:
    """The pairs of runs with their differences, groups in the benchmark's order, or as found."""

    def ordered(rows: Sequence[Estimate]) -> list[Estimate]:
        own = {one.group: one for one in rows}
        if kind is None or len(own) < len(rows):
            return [*rows]
        first = own.pop(rows[0].group)
        return [first, *(own[name] for name in in_order(own, kind))]

    return [
        RunPair(names[a], names[b], [row_of(one, alpha) for one in ordered(rows)])
        for (a, b), rows in found.rows.items()
    ]


def ranking_of(samples: Sequence[RunSample], found: TestedRuns, alpha: float) -> list[RankedRun]:
    """The runs, best first, each with its own figure; those that are not finished stand last."""
    ranked = []
    last = [(n, "") for n in sorted(found.apart) if found.figures[n].value is not None]
    for place, letters in [*found.letters(alpha), *(last if found.shared else ())]:
        own = found.figures[place]
        value = own.value or 0.0
        low, high = (value if end is None else end for end in (own.low, own.high))
        score = Interval(value, low, high, own.se or 0.0, own.items, own.clusters, own.method)
        sample = samples[place]
        one = constant_answers(sample.frame, [ALL])[ALL] if sample.kind == "constant" else None
        ranked.append(RankedRun(
            sample.name, score, letters, place not in found.apart, sample.kind,
            one.named if one else "", one.others if one else 0,
        ))  # fmt: skip
    return ranked


def _compared(
    place: int, sample: RunSample, manifest: Manifest, measure: Measure, found: TestedRuns
) -> ComparedRun:
    counted = sample.frame.counted(measure)
    trials, items = int(counted.sum()), how_many(sample.frame.item[counted])
    if measure.weighted is not None:  # songs are drawn
        trials = items = estimate(sample.frame, measure).items
    used = [pair[(a, b).index(place)] for (a, b), pair in found.used.items() if place in (a, b)]
    return ComparedRun(
        sample.name, str(sample.folder), manifest.model, trials, items,
        trials - max(used, default=0),
    )  # fmt: skip


def _checked(folders: Sequence[Path], alpha: float) -> list[Manifest]:
    if len(folders) < 2:
        raise InputError(said("error-one-run"))
    if not 0 < alpha < 1:
        raise InputError(said("error-alpha", alpha=f"{alpha:g}"))
    check_different(folders)
    manifests = [read_manifest(folder) for folder in folders]
    check_benchmark(folders, manifests)
    return manifests


def _nothing(folder: Path, frame: Frame, measure: str | Measure | None) -> InputError:
    """The error for a run without an answer that counts."""
    table = frame.several[0].table
    if isinstance(measure, str):
        names, none = table.score_names, "its verdicts hold none but right or wrong"
        hint = did_you_mean(measure, names) if names else none
        return InputError(said("compare-no-score", folder=folder, measure=repr(measure), hint=hint))
    if np.any(frame.state == STATES.index("ungraded")):
        return InputError(said("compare-ungraded", folder=folder))
    return InputError(said("error-none-judged", folder=folder))


def row_of(one: Estimate, alpha: float) -> GroupDifference:
    """A difference with its test."""
    pair = one.pair
    assert pair is not None
    assert one.value is not None
    assert one.low is not None
    assert one.high is not None
    return GroupDifference(
        one.measure.name if one.measure.weighted else one.group, pair.family,
        one.items, one.clusters, pair.first, pair.second, one.value, one.low, one.high,
        one.se or 0.0, pair.test, one.p or 0.0, pair.p_adjusted, pair.p_adjusted < alpha,
        pair.detectable, pair.mcnemar, pair.flips, pair.twin,
    )  # fmt: skip


def _unread(samples: Sequence[RunSample], measure: Measure) -> Iterator[Warning]:
    """Name runs that lack a named score only because their replies could not be read."""
    if callable(measure.of) or not any(s.frame.column(measure.of[0])[1] for s in samples):
        return
    counted = [sample.frame.counted(measure) for sample in samples]
    keys = [s.frame.keys[s.frame.cell[own]] for s, own in zip(samples, counted, strict=True)]
    for place, (sample, own) in enumerate(zip(samples, counted, strict=True)):
        silent = ~own & UNREAD[sample.frame.state]
        lacks = sample.frame.keys[sample.frame.cell[silent]]
        others = [each for n, each in enumerate(keys) if n != place]
        unread = int(np.isin(lacks, np.concatenate(others)).sum())
        if unread:
            yield NoScore(who=sample.name, n=unread, measure=measure.name)


def set_apart(settings: Mapping[str, Mapping[str, object]]) -> Iterator[Warning]:
    """Warn of settings that make two runs' figures those of other questions or other rules.

    Settings are given as setting -> name -> value, as `differing` has them.
    """
    if "data" in settings and "options.shots" not in settings:  # examples are of the fingerprint
        yield DataDiffer()
    if "options.extract" in settings:
        rules = settings["options.extract"].items()
        yield RulesDiffer(rules=tuple(f"{name}: {rule}" for name, rule in rules))
    if "benchmark_version" in settings:
        yield VersionsDiffer()


def _limits(
    runs: Sequence[ComparedRun], settings: dict[str, dict[str, object]],
    manifests: Sequence[Manifest], unit: str,
) -> Iterator[Warning]:  # fmt: skip
    yield from set_apart(settings)
    for run, manifest in zip(runs, manifests, strict=True):
        if run.left_out:
            yield LeftOut(who=run.label, n=run.left_out, of=run.trials, unit=unit)
        if lacking := lacking_of(coverage_of(Path(run.run), manifest).progress, manifest):
            yield OfRun(who=run.label, what=Unfinished(what=lacking))
