"""People's grades to hold a judge against: from a table, or from a study of reviews."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import fmean

from zhiyin.errors import InputError
from zhiyin.human.answers import Study
from zhiyin.human.exported import looks_exported, read_export
from zhiyin.judges.cases import Case
from zhiyin.judges.combine import MOST
from zhiyin.judges.reliability import PeoplesGrades, Scale, read_human


def read_people(path: Path, judged: list[Case], most: dict[str, float] = MOST) -> PeoplesGrades:
    """What people gave the texts of a run.

    Parameters
    ----------
    path : Path
        A table, as `read_human` takes it, or the export of a study of the kind "rate".
    judged : list of Case
        What of the run is judged.
    most : dict
        The highest grade of each aspect by the judge.

    Raises
    ------
    InputError
        As `read_human` and `read_export`; an export of other answers, or of other texts.
    """
    if path.is_dir():
        raise InputError(
            f"--human {path}: is a folder: give a table, or what `zhiyin study export` writes"
        )
    if not looks_exported(path):
        return PeoplesGrades(read_human(path, judged, most))
    return _rated(path, read_export(path), {case.id: case for case in judged}, most)


def _rated(
    path: Path, study: Study, cases: dict[str, Case], most: dict[str, float]
) -> PeoplesGrades:
    """The grades of a study, for those of its texts that are this run's, to the letter."""
    answers = [answer for answer in study.valid() if answer.form == "grades"]
    if not any(answer.form == "grades" for answer in study.answers):
        raise InputError(
            f"{path}: nobody graded texts in it: give the export of a study of the kind rate, "
            "without --pairs"
        )
    if not answers:
        raise InputError(f"{path}: no grade in it counts: all of these people are excluded")
    given: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    scales: dict[str, Scale] = {}
    people: defaultdict[str, set[str]] = defaultdict(set)
    for answer in answers:
        run, _, trial = answer.trial.partition("/")
        text = study.texts.get(answer.trial, {}).get(run)
        if text is None:
            raise InputError(
                f"{path}: its codebook does not hold the texts that were graded: export the study "
                "again"
            )
        case = cases.get(trial)
        if case is None or case.text != text:
            continue  # of another run
        for aspect, grade in answer.grades.items():
            if aspect in most:
                given[aspect][case.id].append(float(grade))
                people[aspect].add(answer.person)
                scales[aspect] = study.scales[answer.trial][aspect]
    if not given:
        raise InputError(
            f"{path}: no text graded in it is of this run: name a run that the study was made from"
        )
    means = {a: {case: fmean(grades) for case, grades in by.items()} for a, by in given.items()}
    return PeoplesGrades(means, scales, {aspect: len(who) for aspect, who in people.items()})
