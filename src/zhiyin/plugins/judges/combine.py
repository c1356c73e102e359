"""One figure from grades: components, their weights, intervals, bounds for what is missing.

Conventions
-----------
Components are fractions in [0, 1]. A judgement that failed is missing: it is in no mean, and the
bounds say what the figure could be if every missing one were the worst, or the best. Intervals
take all of a song as one draw, see `zhiyin.statistics.parts`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
import numpy as np

from zhiyin.engine.scoring import Count
from zhiyin.errors import InputError
from zhiyin.plugins.judges.aspects import GRADED, Aspect, part_named
from zhiyin.plugins.judges.aspects import OURS as OUR_ASPECTS
from zhiyin.plugins.judges.cases import JudgedCase
from zhiyin.plugins.judges.grades import Grade, Grades
from zhiyin.plugins.judges.heard import NOTHING, HeardFacts
from zhiyin.plugins.judges.rules import OURS
from zhiyin.runs.rows import TrialRow, rows_of
from zhiyin.statistics.intervals import Interval
from zhiyin.statistics.parts import TOTAL, Parts, part_interval
from zhiyin.words import Said, Text, said
from zhiyin.words.reasons import reason

QUESTIONS = "qa"
ASPECTS = GRADED
COMPONENTS = (QUESTIONS, *ASPECTS)
WEIGHTS = (30.0, *(OUR_ASPECTS[name].weight for name in ASPECTS))
"""The README of the Comprehensive Music Appraisal Benchmark, "Scoring Weights", in the order of
`COMPONENTS`. Behind them come other aspects, with the weights that they declare."""
MOST = OURS.most
"""The highest score of each aspect by our own rules."""


_ALL_FAILED = "every judgement failed"


class Component(msgspec.Struct, frozen=True):
    """One component of the total.

    Attributes
    ----------
    value : float or None
        In [0, 1]; None where there is no value.
    low, high : float or None
        What `value` would be if all that is missing were the worst or the best.
    n : int
        Questions, or songs, that `value` rests on.
    errors : int
        Questions, or judgements, that are missing.
    why : str
        Why there is no value.
    interval : Interval or None
        Of `value`, songs being drawn.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    errors: int = 0
    why: str = ""
    interval: Interval | None = None


Found = dict[str, Any]
"""A judgement as JSON has it: its scores and what they rest on, or its error."""


class JudgedSong(msgspec.Struct, frozen=True):
    """The judgement of one song: its review in full, its scores, and in `found` their evidence.

    Scores are means over draws: completeness of 16, precision in [0, 1], novelty of 10 (of 4 by
    the released rules), and in `added` those of other aspects; None where there is none. `total` is
    over the components that the song has, in [0, 1]; None where every judgement of one failed.
    `heard` is what was measured in its recording.
    """

    song: str
    review: str
    completeness: float | None
    precision: float | None
    novelty: float | None
    total: float | None
    errors: int
    found: dict[str, list[Found]]
    heard: HeardFacts = NOTHING
    added: dict[str, float | None] = {}


class Combined(msgspec.Struct, frozen=True):
    """The result of a run under one judge.

    `total` is the weighted mean of the components that have a value, `interval` its interval;
    there is none where every judgement of a component failed. `low` and `high` are its bounds
    over everything that was planned. `notes` says what is not in it.
    """

    judge: str
    weights: dict[str, float]
    components: dict[str, Component]
    total: float | None
    low: float | None
    high: float | None
    songs: list[JudgedSong]
    notes: list[Text]
    interval: Interval | None = None
    protocol: str = OURS.name


def read_weights(text: str | None) -> tuple[float, ...]:
    """Four weights such as "30/40/20/10". Raises `InputError` for anything else."""
    if text is None:
        return WEIGHTS
    try:
        weights = tuple(float(part) for part in text.split("/"))
    except ValueError:
        weights = ()
    usable = len(weights) == len(COMPONENTS) and all(0 <= w < float("inf") for w in weights)
    if not usable or not sum(weights):
        raise InputError(said("judge-weights", text=text, components="/".join(COMPONENTS)))
    return weights


def weights_by_name(weights: tuple[float, ...], added: Sequence[Aspect] = ()) -> dict[str, float]:
    """The weight of each component: those of `COMPONENTS`, and what other aspects declare."""
    return dict(zip(COMPONENTS, weights, strict=True)) | {one.name: one.weight for one in added}


def combine(grades: Grades, run: Path, weights: tuple[float, ...] = WEIGHTS) -> Combined:
    """Put the questions of a run and the grades of its reviews together.

    Parameters
    ----------
    grades : Grades
    run : Path
        The run that was judged.
    weights : tuple of float, length 4
        Of `COMPONENTS`; only their proportions count.
    """
    named = weights_by_name(weights, grades.added)
    parts = {QUESTIONS: questions(_choices(run))}
    rules, judged, grades = grades.rules, grades, grades.with_unwritten()
    empty = {case.id for case in judged.unwritten}
    for aspect in grades.scales:
        if aspect not in grades.aspects:
            parts[aspect] = Component(None, None, None, 0, why="not run")
        elif aspect == "precision" and rules.pooled:
            parts[aspect] = pooled_precision(grades.of(aspect))
        else:
            least, most = grades.scales[aspect]
            parts[aspect] = mean_score(grades.of(aspect), most, empty, least)
    scores = parts_of(judged, rows_of(run), weights, grades.added)
    parts = {
        name: msgspec.structs.replace(part, interval=part_interval(scores, name))
        for name, part in parts.items()
    }
    failed = [n for n, p in parts.items() if named[n] and p.value is None and p.errors]
    total = None if failed else weighted({name: p.value for name, p in parts.items()}, named)
    bounded = {n: p for n, p in parts.items() if p.low is not None}
    low = weighted({n: p.low for n, p in bounded.items()}, named)
    high = weighted({n: p.high for n, p in bounded.items()}, named)
    return Combined(
        judge=grades.judge, weights=named, components=parts, total=total, low=low, high=high,
        songs=[_song(case, grades, named) for case in grades.cases],
        notes=_notes(parts, named, judged),
        interval=None if total is None else part_interval(scores, TOTAL), protocol=rules.name,
    )  # fmt: skip


def _choices(run: Path) -> Count | None:
    """Count how the choices of a run ended; None if it asked none."""
    count = Count()
    for state, times in rows_of(run).which(lambda kind: kind.options > 0).outcomes().items():
        count.add(state, times)
    return count if count.settled or count.error else None


def parts_of(
    grades: Grades | None,
    rows: Iterable[TrialRow],
    weights: tuple[float, ...] = WEIGHTS,
    added: Sequence[Aspect] = (),
) -> Parts:
    """The scores of a run by component and song, as intervals and comparisons want them.

    Parameters
    ----------
    grades : Grades or None
        None for the questions alone.
    rows : iterable of TrialRow
        The run's trials.
    weights : tuple of float, length 4
    added : sequence of Aspect
        Those that are not Zhiyin's own, by whomever they are judged.
    """
    named = weights_by_name(weights, added)
    sums: dict[str, dict[str, tuple[float, float]]] = {name: {} for name in named}
    asked = sums[QUESTIONS]
    for row in rows:
        if row.judged and row.options:
            song = row.cluster or row.item
            right, n = asked.get(song, (0.0, 0.0))
            asked[song] = (right + row.right, n + 1)
    empty = {case.id for case in grades.unwritten} if grades else set()
    grades = grades.with_unwritten() if grades else None
    names = {case.id: case.song for case in grades.cases} if grades else {}
    for aspect in grades.scales if grades else ():
        assert grades is not None
        cases = grades.of(aspect)
        weight = _weight_of_empty(cases, empty)
        for case, draws in cases.items():
            if (score := _share(draws, aspect, grades)) is not None:
                top, low = sums[aspect].get(names[case], (0.0, 0.0))  # a song with two reviews
                weighs = weight if case in empty else 1.0
                sums[aspect][names[case]] = top + score[0], low + weighs * score[1]
    songs = tuple(dict.fromkeys(song for by_song in sums.values() for song in by_song))
    table = np.array([[sums[n].get(s, (0.0, 0.0)) for s in songs] for n in sums])
    table = table.reshape(len(sums), len(songs), 2)
    present = np.array([[s in sums[n] for s in songs] for n in sums], dtype=bool)
    present = present.reshape(len(sums), len(songs))
    weighed = tuple(named.values())
    return Parts(tuple(sums), weighed, songs, table[:, :, 0], table[:, :, 1], present)


def _share(draws: list[Grade], aspect: str, grades: Grades) -> tuple[float, float] | None:
    """Return what a review adds to a component: to its sum, and to its divisor."""
    judged = [g.judgement.scores for g in draws if g.judgement]
    if not judged:
        return None
    if aspect == "precision" and grades.rules.pooled:
        return fmean(s["supported"] for s in judged), fmean(s["checked"] for s in judged)
    scores = scores_of(draws)
    return (grades.share(aspect, fmean(scores)), 1.0) if scores else (0.0, 0.0)


def _weight_of_empty(cases: dict[str, list[Grade]], empty: Collection[str]) -> float:
    """Weight of an unwritten review in a mean: the share of the others that is judged.

    That it holds nothing is known without a judge. Counted whole beside judgements of which half
    are missing, unwritten reviews would weigh twice their share of what was planned.
    """
    written = [scores_of(draws) for case, draws in cases.items() if case not in empty]
    return sum(map(bool, written)) / len(written) if written else 1.0


def weighted(values: dict[str, float | None], weights: dict[str, float]) -> float | None:
    """The weighted mean of the values that are there; None where none is, or all weigh nothing."""
    there = {name: value for name, value in values.items() if value is not None}
    weight = sum(weights[name] for name in there)
    return sum(weights[n] * v for n, v in there.items()) / weight if weight else None


def questions(count: Count | None) -> Component:
    """Accuracy on option questions; no answer is wrong, a failed call is missing."""
    if count is None or not count.judged + count.error:
        return Component(None, None, None, 0, why="not run")
    n, right = count.judged, count.correct
    every = n + count.error
    value = right / n if n else None
    why = "" if n else "every question failed"
    return Component(value, right / every, (right + count.error) / every, n, count.error, why)


def mean_score(
    cases: dict[str, list[Grade]], most: float, empty: Collection[str] = (), least: float = 0.0
) -> Component:
    """The mean over songs of the mean over draws, as a share of the way from `least` to `most`.

    `empty` are the reviews that were not written, which keep their share of all that was planned.
    """
    if not cases:
        return Component(None, None, None, 0, why="nothing to judge")
    span = most - least
    scores = {case: [(s - least) / span for s in scores_of(draws)] for case, draws in cases.items()}
    judged = [fmean(shares) for shares in scores.values() if shares]
    low = fmean(sum(shares) / len(cases[case]) for case, shares in scores.items())
    missing = sum(len(draws) - len(scores[case]) for case, draws in cases.items())
    gap = fmean(1 - len(shares) / len(cases[case]) for case, shares in scores.items())
    weight = _weight_of_empty(cases, empty)
    weighs = sum(weight if case in empty else 1.0 for case, shares in scores.items() if shares)
    value = sum(judged) / weighs if judged and weighs else None
    why = "" if judged else _ALL_FAILED
    return Component(value, low, low + gap, len(judged), missing, why)


def pooled_precision(cases: dict[str, list[Grade]]) -> Component:
    """Right claims over checked claims, of all songs together ("Overall Accuracy" of the README).

    With several draws a song counts with the mean of its draws. How many claims a missing
    judgement would have checked is not known; the bounds suppose as many as in the judgement
    with the most.
    """
    if not cases:
        return Component(None, None, None, 0, why="nothing is known of any song")
    right = checked = lowest_right = supposed_checked = 0.0
    missing = n = 0
    most = max(
        (g.judgement.scores["checked"] for d in cases.values() for g in d if g.judgement),
        default=0.0,
    )
    for draws in cases.values():
        scores = [g.judgement.scores for g in draws if g.judgement]
        absent = len(draws) - len(scores)
        missing += absent
        supported, looked = (sum(s[name] for s in scores) for name in ("supported", "checked"))
        if scores:
            right += supported / len(scores)
            checked += looked / len(scores)
            n += looked > 0
        lowest_right += supported / len(draws)
        supposed_checked += (looked + absent * most) / len(draws)
    value = right / checked if checked else None
    if not missing:
        why = "" if checked else "no review makes a claim that the evidence decides"
        return Component(value, value, value, n, 0, why)
    gap = sum(most * sum(not g.judgement for g in draws) / len(draws) for draws in cases.values())
    low, high = (
        (lowest_right / supposed_checked, (lowest_right + gap) / supposed_checked)
        if supposed_checked
        else (0.0, 1.0)
    )
    whole = missing == sum(map(len, cases.values()))
    why = _ALL_FAILED if whole else "no review makes a claim that the judgements there are decide"
    return Component(value, low, high, n, missing, "" if checked else why)


def scores_of(draws: list[Grade]) -> list[float]:
    """The scores of the draws that have one."""
    return [
        grade.judgement.scores["score"]
        for grade in draws
        if grade.judgement and "score" in grade.judgement.scores
    ]


def _song(case: JudgedCase, grades: Grades, weights: dict[str, float]) -> JudgedSong:
    own = [grade for grade in grades.grades if grade.case == case.id]
    means: dict[str, float | None] = {}
    for aspect in grades.scales:
        scores = scores_of([grade for grade in own if grade.aspect == aspect])
        means[aspect] = fmean(scores) if scores else None
    shares = {a: None if m is None else grades.share(a, m) for a, m in means.items()}
    by_aspect: dict[str, list[Found]] = {}
    for grade in own:
        by_aspect.setdefault(grade.aspect, []).append(_found(grade))
    errors = sum(grade.judgement is None for grade in own)
    lost = any(
        weights[aspect] and means[aspect] is None and any("error" in entry for entry in entries)
        for aspect, entries in by_aspect.items()
    )
    total = None if lost else weighted(shares, weights)
    ours = {aspect: means.pop(aspect) for aspect in ASPECTS}
    return JudgedSong(case.song, case.text, **ours, total=total, errors=errors, found=by_aspect,
                heard=case.heard, added=means)  # fmt: skip


def _found(grade: Grade) -> Found:
    if grade.judgement is None:
        return {"error": grade.error}
    return {"scores": grade.judgement.scores, **msgspec.to_builtins(grade.judgement.detail)}


def _lacking(parts: dict[str, Component]) -> list[Said]:
    """Components without a figure, and why."""
    return [said("judged-lacking", name=name, why=part.why) for name, part in parts.items()]


def _notes(parts: dict[str, Component], weights: dict[str, float], grades: Grades) -> list[Text]:
    """List what a reader must know before reading the total."""
    notes: list[Text] = []
    absent = {name: part for name, part in parts.items() if part.value is None and weights[name]}
    failed = {name: part for name, part in absent.items() if part.errors}
    if failed:
        whole = all(part.why == _ALL_FAILED for part in failed.values())
        notes.append(said("judged-no-total", whole=whole, parts=_lacking(failed)))
    elif absent and len(absent) < len(parts):
        rest = "/".join(f"{weights[n]:g}" for n in parts if n not in absent)
        names = [part_named(n) for n in parts if n not in absent]
        notes.append(said("judged-without", parts=_lacking(absent), names=names, weights=rest))
    if grades.unwritten:
        notes.append(said("judged-unwritten", n=len(grades.unwritten)))
    missing = grades.errors
    if missing:
        first, cases = reason(missing[0].error), [*dict.fromkeys(grade.case for grade in missing)]
        facts = {"n": len(missing), "of": len(grades.grades), "first": first}
        notes.append(said("judged-missing", **facts, cases=cases))
    mended = sum(bool(g.judgement and g.judgement.mended) for g in grades.grades)
    if mended:
        notes.append(said("judged-sums", n=mended))
    unquoted = sum(g.judgement.detail.unquoted or 0 for g in grades.grades if g.judgement)
    if unquoted:
        notes.append(said("judged-quotations", n=unquoted))
    silent = sum(
        not (g.judgement.scores["checked"] or g.judgement.scores.get("score"))
        for g in grades.grades
        if g.aspect == "precision" and g.judgement
    )
    if silent and not grades.rules.pooled:
        notes.append(said("judged-silent", n=silent))
    return notes
