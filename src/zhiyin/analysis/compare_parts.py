"""Runs whose score is made of parts against each other: paired by song, a ranking by the total.

The same conventions and the same results as `analysis.compare`, with the total in the place of
the whole, and the parts in the place of groups. See `statistics.parts` for figures and tests.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from zhiyin.analysis.compare import compare, pairs_of, ranking_of
from zhiyin.analysis.comparison import ComparedRun, Comparison, RankedRun, RunPair
from zhiyin.analysis.families import declared_families, pairs_to_test
from zhiyin.analysis.pairs import TestedRuns, corrected_tests
from zhiyin.analysis.question_set import own_set
from zhiyin.contract.registry import known
from zhiyin.contract.resolved import resolved, run_names
from zhiyin.engine.log import read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.files import Places, as_paths
from zhiyin.runs.measures import EXPLORATORY, Estimate, Measure, Pair
from zhiyin.runs.pairing import check_benchmark, check_different, differing
from zhiyin.statistics.intervals import normal_quantile
from zhiyin.statistics.parts import (
    TOTAL,
    PartDifference,
    Parts,
    Scored,
    part_difference,
    part_interval,
)
from zhiyin.statistics.planning import flips_detectable
from zhiyin.words.findings import OfRun, Remark, Warning


def scorings(folder: Path) -> list[Scored] | None:
    """How a run is scored in parts, once for each judge; None where its benchmark has none.

    Raises
    ------
    InputError
        When the folder is not a run.
    """
    return known(read_manifest(folder)).parts(folder)


def shared(scored: Sequence[Sequence[Scored]]) -> list[list[Scored]]:
    """For each scoring that all runs share, that of every run, in the order of the runs."""
    tables = [{(one.by, one.how): one for one in each} for each in scored]
    keys = [key for key in tables[0] if key[0] and all(key in table for table in tables)]
    return [[table[key] for table in tables] for key in keys]


def compare_parts(
    folders: Sequence[Path],
    *,
    families: Sequence[str] = (),
    alpha: float = 0.05,
    seed: int = 0,
) -> list[Comparison]:
    """Compare runs of one benchmark part by part: one comparison for each judge of them all.

    Parameters
    ----------
    folders : sequence of Path
        At least two run folders.
    families : sequence of str
        Parts declared beforehand, with commas between.
    alpha : float
        Level of significance, in (0, 1).
    seed : int
        Of the test by swapping.

    Returns
    -------
    list of Comparison
        Empty where the benchmark has no parts, or no judge judged all of the runs.

    Raises
    ------
    InputError
        One run is given twice, runs are of different benchmarks, a part is unknown, or alpha is
        outside (0, 1).
    """
    manifests = [read_manifest(folder) for folder in folders]
    if len(folders) < 2:
        return []
    check_different(folders)
    check_benchmark(folders, manifests)
    each = [scorings(folder) for folder in folders]
    scored = [one for one in each if one is not None]
    if len(scored) < len(folders):
        return []
    if not 0 < alpha < 1:
        raise InputError(f"alpha {alpha:g} is no level of significance: give such as 0.05")
    names = run_names(folders, manifests)
    settings = differing(names, [*map(resolved, manifests)])
    comparisons = []
    for judged in shared(scored):
        pairs, ranking = contrasts(names, judged, families=families, alpha=alpha, seed=seed)
        songs = [one.parts.songs for one in judged]
        common = len(_common([one.parts for one in judged]))
        comparisons.append(
            Comparison(
                benchmark=manifests[0].benchmark,
                measure=f"{TOTAL}, {judged[0].name},",
                alpha=alpha,
                items=common,
                runs=[
                    ComparedRun(name, str(folder), m.model, len(own), len(own), len(own) - common)
                    for name, folder, m, own in zip(names, folders, manifests, songs, strict=True)
                ],
                settings=settings,
                warnings=list(_notes(names, judged)),
                pairs=pairs,
                ranking=ranking,
                unit="songs",
                own_set=own_set(folders, manifests),
            )
        )
    return comparisons


def compare_all(
    folders: Places,
    *,
    measure: str | None = None,
    families: Sequence[str] = (),
    alpha: float = 0.05,
    seed: int = 0,
    both: bool = False,
) -> list[Comparison]:
    """Compare runs as their benchmark is scored: one comparison, or one for each judge of them all.

    Parameters and errors are those of `compare`.
    """
    folders = as_paths(folders)
    parts = [] if measure else compare_parts(folders, families=families, alpha=alpha, seed=seed)
    if parts:
        return parts
    whole = compare(folders, families=families, measure=measure, alpha=alpha, seed=seed, both=both)
    return [whole]


def _notes(names: Sequence[str], judged: Sequence[Scored]) -> Iterator[Warning]:
    """The notes on each run's scores, under its name."""
    for name, one in zip(names, judged, strict=True):
        for note in one.notes:
            yield OfRun(who=name, what=Remark(what=note, severity="doubt"))


def contrasts(
    names: Sequence[str],
    scored: Sequence[Scored],
    *,
    families: Sequence[str] = (),
    alpha: float = 0.05,
    seed: int = 0,
    lead: str = TOTAL,
) -> tuple[list[RunPair], list[RankedRun]]:
    """The pairs of runs that one judge judged, and their ranking by the total.

    Parameters
    ----------
    names : sequence of str
        Of the runs, different from each other.
    scored : sequence of Scored
        Of the same runs, all scored alike.
    families, alpha, seed
        As for `compare_parts`.
    lead : str
        The figure by which the best of many runs is the best; see `families.pairs_to_test`.

    Returns
    -------
    list of RunPair
        The total first, where both runs have one over the same parts.
    list of RankedRun
        Best first; by the total of those runs that have one, on the songs that they share.
    """
    figures = [TOTAL, *scored[0].parts.names]
    member = {name: ALL if name == TOTAL else EXPLORATORY for name in figures}
    member = declared_families(member, families, TOTAL, "part")
    ends = [part_interval(one.parts, lead) for one in scored]
    means = [
        own.mean if own and (one.complete or lead != TOTAL) else -math.inf
        for one, own in zip(scored, ends, strict=True)
    ]
    pairs = pairs_to_test(means, ["model"] * len(names)).pairs
    tests: list[tuple[tuple[int, int], Estimate, str]] = []
    for a, b in pairs:
        one, two = scored[a], scored[b]
        for figure in figures:
            if figure == TOTAL and not _same_total(one, two):
                continue
            found = part_difference(one.parts, two.parts, figure, seed=seed)
            if found is not None:
                tests.append(((a, b), _estimate(found, member[figure], alpha), figure))
    own, shared_by = _totals(scored)
    tested = TestedRuns(corrected_tests(tests, set()), {}, {}, [], own, shared_by)
    return pairs_of(names, tested, alpha), ranking_of(names, tested, alpha)


def _same_total(one: Scored, two: Scored) -> bool:
    return one.complete and two.complete and one.parts.known == two.parts.known


def _estimate(test: PartDifference, family: str, alpha: float) -> Estimate:
    # From the interval where that is wider: a standard error may be 0 by luck.
    implied = (test.high - test.low) / 2 / normal_quantile(0.95)
    least = flips_detectable(max(test.se, implied), test.songs, alpha=alpha)
    p = test.flips.p
    pair = Pair(test.first, test.second, "sign-flip", p, least, test.flips, family=family)
    n, ends = test.songs, (test.mean, test.low, test.high, test.se)
    return Estimate(Measure(test.name), *ends, n, n, n, "parts", None, p, test.name, pair=pair)


def _totals(scored: Sequence[Scored]) -> tuple[list[Estimate], int]:
    """The totals that can be compared with each other, on the songs that all of these share."""
    able = [one for one in scored if one.complete and _same_total(one, scored[0])]
    whole = Measure(TOTAL)
    totals, shared_by = [], 0
    for one, aligned in zip(able, on_what_all_have(able) if able else [], strict=True):
        if (own := part_interval(aligned.parts, TOTAL)) is not None:
            ends = own.mean, own.low, own.high, own.se
            totals.append((one, Estimate(whole, *ends, 0, own.n, own.clusters, own.method)))
            shared_by = own.n
    return [next((e for o, e in totals if o is one), Estimate(whole)) for one in scored], shared_by


def on_what_all_have(scored: Sequence[Scored]) -> list[Scored]:
    """Runs as they were scored on the songs, part by part, that each of them was scored on."""
    songs = _common([one.parts for one in scored])
    aligned = [one.parts.on(songs) for one in scored]
    by_all = np.all([parts.scored for parts in aligned], axis=0)
    return [
        msgspec.structs.replace(one, parts=parts.only(by_all))
        for one, parts in zip(scored, aligned, strict=True)
    ]


def _common(parts: Sequence[Parts]) -> list[str]:
    """The songs that all runs have, in the order of the first."""
    shared_songs = set(parts[0].songs).intersection(*(own.songs for own in parts[1:]))
    return [song for song in parts[0].songs if song in shared_songs]
