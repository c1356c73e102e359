"""Reliability of judges: against themselves, each other, people, and mere length.

A judge of the candidate's family, known by its name, may favour it. People's grades are from a
table, or from a study of reviews.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import msgspec

from zhiyin.contract.tables import read_rows
from zhiyin.engine.naming import brief
from zhiyin.errors import InputError
from zhiyin.models import provider_of
from zhiyin.plugins.judges.cases import JudgedCase
from zhiyin.plugins.judges.combine import scores_of
from zhiyin.plugins.judges.grades import Grades, scales_of
from zhiyin.plugins.judges.rules import OURS
from zhiyin.plugins.music.clips import refuse_twins
from zhiyin.plugins.people import StudyAnswers
from zhiyin.plugins.people.reading import looks_exported, read_export
from zhiyin.text import number_in
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.plugins.methods.agreement import Alpha, Intraclass, Kappa
    from zhiyin.plugins.methods.calibration import Correlation, Powered

Means = dict[str, float]
"""From a case's id to the mean of its scores over draws."""
Scale = tuple[float, float]
"""The lowest and the highest grade."""
_OURS = scales_of(OURS, ())


class PeoplesGrades(msgspec.Struct, frozen=True):
    """People's grades for the texts of a run.

    Attributes
    ----------
    means : dict
        From aspect and case to the mean grade.
    scales : dict
        Of the aspects that people graded on a scale that is not the judge's.
    people : dict
        How many people graded, by aspect, where that is known.
    """

    means: dict[str, Means]
    scales: dict[str, Scale] = {}
    people: dict[str, int] = {}


class Spread(msgspec.Struct, frozen=True):
    """The spread of repeated judgements of one text, on the aspect's own scale.

    `sd` is the square root of the mean variance between draws, `widest` the largest range,
    `texts` how many were judged at least twice.
    """

    aspect: str
    judge: str
    draws: int
    sd: float
    widest: float
    texts: int


class JudgeAgreement(msgspec.Struct, frozen=True):
    """Agreement of several judges on an aspect: interval alpha, ICC; for two, weighted kappa too.

    Kappa is quadratically weighted and of the points as they were given, halves and means over
    draws included. `icc` is over the texts that all judges graded; None for fewer than two.
    """

    aspect: str
    judges: list[str]
    alpha: Alpha
    kappa: Kappa | None = None
    icc: Intraclass | None = None


class Human(msgspec.Struct, frozen=True):
    """A judge against people.

    `bias` is the judge's mean minus people's over the texts that both graded; `powered` is the
    mean over all texts that people would give (None with fewer than two texts of either kind).
    Where people graded on a `scale` of their own there is neither `alpha` nor `bias`, and `powered`
    is on that scale, to which the judge's scores are brought. `people` is how many they were, where
    that is known.
    """

    aspect: str
    judge: str
    texts: int
    alpha: Alpha | None
    rank: Correlation
    bias: float | None
    powered: Powered | None
    scale: Scale | None = None
    people: int | None = None


class Length(msgspec.Struct, frozen=True):
    """Rank correlation of scores with the length of the texts, in characters."""

    aspect: str
    judge: str
    rank: Correlation


class Reliability(msgspec.Struct, frozen=True):
    """All measures of the reliability of a run's judges."""

    spread: list[Spread]
    agreement: list[JudgeAgreement]
    human: list[Human]
    length: list[Length]
    warnings: list[Text]


def assess(judged: list[Grades], candidate: str, human: PeoplesGrades | None = None) -> Reliability:
    """Assess the judges of one run.

    Parameters
    ----------
    judged : list of Grades
        One for each judge.
    candidate : str
        The model whose texts were judged.
    human : PeoplesGrades, optional
        See `people.read_people`.
    """
    graded = dict.fromkeys(name for grades in judged for name in grades.scales)
    kin = {str(w): w for g in judged if (w := kinship(g.judge, candidate))}
    return Reliability(
        [s for g in judged for a in graded if (s := spread(g, a))],
        [a for aspect in graded if (a := agreement(judged, aspect))],
        [h for g in judged if human for a in human.means if (h := against(g, a, human))],
        [correlated for g in judged for aspect in graded if (correlated := length(g, aspect))],
        list(kin.values()),
    )


def means(grades: Grades, aspect: str) -> Means:
    """The mean score of each text that has one, over its draws."""
    by_case = {case: scores_of(draws) for case, draws in grades.of(aspect).items()}
    return {case: fmean(scores) for case, scores in by_case.items() if scores}


def spread(grades: Grades, aspect: str) -> Spread | None:
    """The spread of repeated judgements; None where no text was judged twice."""
    every = map(scores_of, grades.of(aspect).values())
    repeated = [scores for scores in every if len(scores) > 1]
    if not repeated:
        return None
    sd = fmean(stdev(scores) ** 2 for scores in repeated) ** 0.5
    widest = max(max(scores) - min(scores) for scores in repeated)
    return Spread(aspect, grades.title, grades.draws, sd, widest, len(repeated))


def agreement(judged: list[Grades], aspect: str) -> JudgeAgreement | None:
    """Agreement of the judges on an aspect; None unless two of them graded the same text."""
    from zhiyin.plugins.methods.agreement import cohen_kappa, intraclass, krippendorff_alpha

    judged = [grades for grades in judged if means(grades, aspect)]  # the rest agree with nobody
    tables = [means(grades, aspect) for grades in judged]
    cases = sorted(set().union(*tables)) if tables else []
    rows = [[table.get(case, float("nan")) for case in cases] for table in tables]
    shared = [case for case in cases if sum(case in table for table in tables) > 1]
    if len(judged) < 2 or not shared:
        return None
    songs = _songs(judged, cases)
    kappa = None
    if len(judged) == 2:
        first, second = ([table[case] for case in shared] for table in tables)
        kappa = cohen_kappa(first, second, "quadratic")
    whole = sum(all(case in table for table in tables) for case in cases)
    icc = intraclass(rows) if whole > 1 else None
    if len(set(songs)) < len(cases):  # these intervals take each text for a draw of its own
        kappa = kappa and msgspec.structs.replace(kappa, se=None, low=None, high=None)
        icc = icc and msgspec.structs.replace(icc, low=None, high=None)
    names = [grades.title for grades in judged]
    alpha = krippendorff_alpha(rows, "interval", clusters=songs)
    return JudgeAgreement(aspect, names, alpha, kappa, icc)


def _songs(judged: list[Grades], cases: Sequence[str]) -> list[str]:
    """The song of each case: texts on one song are one draw."""
    known = {case.id: case.song for grades in judged for case in grades.cases}
    return [known.get(case) or case for case in cases]


def length(grades: Grades, aspect: str) -> Length | None:
    """Correlate scores with the length of texts; None with fewer than three texts."""
    from zhiyin.plugins.methods.calibration import length_correlation

    scores = means(grades, aspect)
    sizes = {case.id: len(case.text) for case in grades.cases}
    if len(scores) < 3:
        return None
    rank = length_correlation(list(scores.values()), [sizes[case] for case in scores])
    return Length(aspect, grades.title, rank)


def against(grades: Grades, aspect: str, human: PeoplesGrades) -> Human | None:
    """A judge against people; None where they graded no text in common."""
    from zhiyin.plugins.methods.agreement import krippendorff_alpha
    from zhiyin.plugins.methods.calibration import length_correlation, prediction_powered

    given, scale = human.means[aspect], human.scales.get(aspect)
    scores = means(grades, aspect)
    both = [case for case in scores if case in given]
    if not both:
        return None
    if scale is not None:  # ranks stay; the mean that people would give is on their scale
        low, span = scale[0], scale[1] - scale[0]
        scores = {case: low + span * grades.share(aspect, score) for case, score in scores.items()}
    people, judge = [given[case] for case in both], [scores[case] for case in both]
    elsewhere = [score for case, score in scores.items() if case not in given]
    powered = None
    if len(both) > 1 and len(elsewhere) > 1:
        powered = prediction_powered(people, judge, elsewhere)
    alpha = bias = None
    if scale is None:
        if len(both) > 1:
            songs = _songs([grades], both)
            alpha = krippendorff_alpha([people, judge], "interval", clusters=songs)
        bias = fmean(judge) - fmean(people)
    rank = length_correlation(judge, people)  # Spearman's, of any two rows
    who = human.people.get(aspect)
    return Human(aspect, grades.title, len(both), alpha, rank, bias, powered, scale, who)


def read_human(
    path: Path, judged: list[JudgedCase], graded: dict[str, Scale] = _OURS
) -> dict[str, Means]:
    """Human grades from a CSV file.

    Columns: ``song`` (as in the run, or the trial's id) and any of ``completeness`` (0 to 16),
    ``precision`` (0 to 1), ``novelty`` (0 to 10; to 4 by the released rules) and other aspects.
    Several rows of a song are several people, and count with their mean; an empty cell is no grade.

    Parameters
    ----------
    path : Path
    judged : list of JudgedCase
        What of the run is judged.
    graded : dict
        The scale of each aspect.

    Returns
    -------
    dict
        From aspect and case to the mean grade.

    Raises
    ------
    InputError
        The file cannot be read or lacks a column; a song is unknown or a grade out of range.
    """
    _, lines = read_rows(path)
    header = [name.strip() for name in next(lines, (1, []))[1]]
    aspects = [name for name in header if name in graded]
    if "song" not in header or not aspects:
        raise InputError(said("human-header", path=path, graded=", ".join(graded)))
    refuse_twins(path, header, ("song", *aspects))
    songs = Counter(case.song for case in judged)
    cases = {case.song: case.id for case in judged} | {case.id: case.id for case in judged}
    grades: dict[str, dict[str, list[float]]] = {aspect: {} for aspect in aspects}
    for number, row in lines:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(header):
            counts = {"row": len(row), "header": len(header)}
            raise InputError(said("human-fields", path=path, number=str(number), **counts))
        cells = dict(zip(header, (cell.strip() for cell in row), strict=True))
        song = cells["song"]
        case, at = cases.get(song), {"path": path, "number": str(number), "cells": repr(song)}
        if case is None:
            raise InputError(said("human-song", **at))
        if songs[song] > 1 and case != song:
            raise InputError(said("human-songs", songs=songs[song], **at))
        for aspect in aspects:
            if cells.get(aspect):
                grade = _grade(cells[aspect], graded[aspect], f"{path}:{number}: {aspect}")
                grades[aspect].setdefault(case, []).append(grade)
    return {a: {case: fmean(given) for case, given in by.items()} for a, by in grades.items()}


def _grade(cell: str, scale: Scale, where: str) -> float:
    grade, (low, high) = number_in(cell), scale
    if not low <= grade <= high:
        raise InputError(
            said("human-grade", where=where, cell=repr(cell), low=f"{low:g}", high=f"{high:g}")
        )
    return grade


_FAMILIES = {
    "OpenAI": r"gpt|chatgpt|davinci|(?<![a-z])o[1345](?![a-z])|openai",
    "Anthropic": r"claude",
    "Google": r"gemini|gemma|palm|bard",
    "Qwen": r"qwen|qwq|tongyi",
    "DeepSeek": r"deepseek",
    "Meta": r"llama",
    "Mistral": r"mistral|mixtral|ministral|magistral|voxtral|pixtral|codestral|devstral",
    "GLM": r"glm",
    "Moonshot": r"kimi|moonshot",
    "ByteDance": r"doubao|seed-?\d",
    "Baichuan": r"baichuan",
    "InternLM": r"intern",
    "MiniMax": r"minimax|abab",
    "Microsoft": r"(?<![a-z])phi-?\d",
    "Yi": r"(?<![a-z])yi-",
    "xAI": r"grok",
}


def family(model: str) -> str | None:
    """The family of a model, or None where its name does not show it.

    What stands for a server rather than a model ("openai:", "openai/" and addresses) is left out,
    since any model can be behind it.
    """
    return next(iter(_families(model)), None)


def _families(model: str) -> list[str]:
    """All families that a name shows: a distilled model is of its teacher's and of its base's."""
    kind, colon, rest = model.partition(":")
    name = rest if colon and provider_of(kind) else model
    name = model.rpartition("#")[2] if "://" in model else name.removeprefix("openai/")
    return [who for who, words in _FAMILIES.items() if re.search(words, name, re.IGNORECASE)]


def kinship(judge: str, candidate: str) -> Said | None:
    """A warning where judge and candidate are of one family, or the same model; else None."""
    if judge == candidate:
        return said("judged-same", judge=brief(judge))
    theirs = _families(candidate)
    for own in _families(judge):
        if own in theirs:
            return said("judged-kin", judge=brief(judge), candidate=brief(candidate), family=own)
    return None


def read_people(
    path: Path, judged: list[JudgedCase], graded: dict[str, Scale] = _OURS
) -> PeoplesGrades:
    """Read the grades that people gave the texts of a run.

    Parameters
    ----------
    path : Path
        A table, as `read_human` takes it, or the export of a study of the kind "rate".
    judged : list of JudgedCase
        What of the run is judged.
    graded : dict
        The scale of each aspect by the judge.

    Raises
    ------
    InputError
        As `read_human` and `read_export`; an export of other answers, or of other texts.
    """
    if path.is_dir():
        raise InputError(said("human-folder", path=path))
    if not looks_exported(path):
        return PeoplesGrades(read_human(path, judged, graded))
    return _rated(path, read_export(path), {case.id: case for case in judged}, graded)


def _rated(
    path: Path, study: StudyAnswers, cases: dict[str, JudgedCase], graded: dict[str, Scale]
) -> PeoplesGrades:
    """The grades of a study, for those of its texts that are this run's, to the letter."""
    answers = [answer for answer in study.valid() if answer.form == "grades"]
    if not any(answer.form == "grades" for answer in study.answers):
        raise InputError(said("human-no-texts", path=path))
    if not answers:
        raise InputError(said("human-excluded", path=path))
    given: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    scales: dict[str, Scale] = {}
    people: defaultdict[str, set[str]] = defaultdict(set)
    for answer in answers:
        run, _, trial = answer.trial.partition("/")
        text = study.texts.get(answer.trial, {}).get(run)
        if text is None:
            raise InputError(said("human-codebook", path=path))
        case = cases.get(trial)
        if case is None or case.text != text:
            continue  # of another run
        for aspect, grade in answer.grades.items():
            if aspect in graded:
                given[aspect][case.id].append(float(grade))
                people[aspect].add(answer.person)
                scales[aspect] = study.scales[answer.trial][aspect]
    if not given:
        raise InputError(said("human-other-run", path=path))
    means = {a: {case: fmean(grades) for case, grades in by.items()} for a, by in given.items()}
    return PeoplesGrades(means, scales, {aspect: len(who) for aspect, who in people.items()})
