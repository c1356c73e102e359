"""All figures of people beside models together: tables 3 and 4 of Li et al. (2024) for any exam."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.analysis.within import SoleAnswer, constant_answers
from zhiyin.contract.resolved import run_names
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import EVERYBODY, LoggedCanary, canary_told, failed_canaries
from zhiyin.engine.scoring import ALL
from zhiyin.plugins.methods.crossed import Crossed
from zhiyin.plugins.people import AnsweredBenchmark, StudyAnswers, group_in_words
from zhiyin.plugins.people.figures import (
    Examined,
    LeadOverPeople,
    Passed,
    PeopleRow,
    PeopleScores,
    Percentile,
    by_category,
    categories,
    examined,
    lead,
    passed,
    percentile,
    row,
    scored,
)
from zhiyin.plugins.people.rules import exclusions, population, sole_choices
from zhiyin.runs.rows import rows_of
from zhiyin.words import Said, Text, naming, said
from zhiyin.words.findings import OneAnswer


class PeopleFigures(msgspec.Struct):
    """People beside models.

    Attributes
    ----------
    population, excluded : mapping
        See `figures.population`, `figures.exclusions`.
    small : dict of str to int
        Groups of too few people to be shown, and how many people they have.
    rows : list of PeopleRow
        A group each, and all people last where there are several.
    categories : dict of str to dict
        By category of the exam, by group of people: the mean precision.
    questions : dict of str to int
        Questions in each category that people were asked.
    models : list of Examined
    model_categories : dict of str to dict of str to float or None
        By category, by model.
    percentiles : dict of str to dict of str to Percentile
        By model, by group of people.
    passed : dict of str to Passed
    notes : list of str
    leads : dict of str to dict of str to LeadOverPeople
        By model, by group of people: see `lead`.
    canary : dict of str to dict of str to LoggedCanary
        By model that failed one, by medium.
    always : dict of str to SoleAnswer
        By model that gave one answer to (nearly) all of its questions.
    people_always : int
        People who count and chose the same answer, or the same place, throughout.
    """

    population: Mapping[str, Any]
    excluded: Mapping[str, int]
    small: Mapping[str, int]
    rows: list[PeopleRow]
    categories: dict[str, dict[str, Crossed | None]]
    questions: dict[str, int]
    models: list[Examined]
    model_categories: dict[str, dict[str, float | None]]
    percentiles: dict[str, dict[str, Percentile]]
    passed: dict[str, Passed]
    notes: list[str]
    leads: dict[str, dict[str, LeadOverPeople]] = {}
    canary: dict[str, dict[str, LoggedCanary]] = {}
    always: dict[str, SoleAnswer] = {}
    people_always: int = 0

    def warned(self) -> Iterator[Said]:
        """Say which models failed a canary, and who gives the same answer whatever is asked."""
        for model, by_medium in self.canary.items():
            for medium, failed in by_medium.items():
                yield said("canary-of", who=[model], told=canary_told(medium, failed))
        for model, one in self.always.items():
            yield said("canary-of", who=[model], told=OneAnswer(answer=one.named, but=one.others))
        if self.people_always:
            yield said("people-always", n=self.people_always)

    @property
    def chance(self) -> float | None:
        """What guessing gets right, where models that were asked everything say it."""
        levels = {one.chance and round(one.chance, 9) for one in self.models if not one.lacking}
        return levels.pop() if len(levels) == 1 else None

    def ranked(self) -> Iterator[tuple[str, Said]]:
        """Say each model's percentile rank among the people of each group, by the group's label."""
        for model, by_group in self.percentiles.items():
            for label, one in by_group.items():
                yield label, said(
                    "people-percentile", model=model, share=one.share, n=one.people,
                    low=None if one.high is None else one.low, high=one.high,
                    who=None if label == EVERYBODY else group_in_words(label),
                )  # fmt: skip

    def led(self) -> Iterator[Said]:
        """Say what guessing gets, and by how much each model is ahead of people."""
        if self.chance is not None:
            yield said("people-guessing", value=self.chance)
        rows = {one.label: one.score.mean for one in self.models if one.score}
        for model, by_group in self.leads.items():
            for label, one in by_group.items():
                alike = rows.get(model, ours := one.theirs + one.mean)
                yield said(
                    "people-lead", model=model, lead=one.mean, n=one.people, ours=ours,
                    theirs=one.theirs, alike=None if f"{alike:.1%}" == f"{ours:.1%}" else alike,
                    who=None if label == EVERYBODY else group_in_words(label),
                    low=None if one.high is None else one.low, high=one.high, narrow=one.narrow,
                )  # fmt: skip


def sum_up(
    study: StudyAnswers, exam: AnsweredBenchmark, groups: Mapping[str, Sequence[str]],
    small: Mapping[str, int], models: Sequence[Path] = (), mark: float | None = None, seed: int = 0,
    least: int = 1,
) -> PeopleFigures:  # fmt: skip
    """Tables 3 and 4 of Li et al. (2024) for any exam, and what goes with them.

    Parameters
    ----------
    study, exam, groups, small
        See `answers.by_group`.
    models : sequence of Path
        Runs on the same exam.
    mark : float, optional
        What is needed to pass, in [0, 1].
    seed : int
        Of bootstraps.
    least : int
        Groups of fewer people are not shown; nor are all people together, where subtracting the
        groups that are shown would leave fewer.

    Raises
    ------
    InputError
        No answer counts, or a run is of another exam.
    """
    judged = scored(study, exam)
    scores = judged.by_person
    everybody = sorted(scores)
    shown = {label: [p for p in people if p in scores] for label, people in groups.items()}
    shown = {label: people for label, people in shown.items() if people}
    rest = len(everybody) - sum(map(len, shown.values()))
    cautions: list[Text] = []
    if list(shown) != [EVERYBODY] and (rest == 0 or rest >= least):
        shown[EVERYBODY] = everybody
    elif rest:
        cautions = [said("people-all-hidden", n=rest)]
    manifests = [read_manifest(folder) for folder in models]
    names = run_names(models, manifests)
    beside = [
        examined(folder, exam, judged, name) for folder, name in zip(models, names, strict=True)
    ]
    by_group = {label: by_category(people, judged) for label, people in shown.items()}
    themes = categories(judged)
    return PeopleFigures(
        population(study), exclusions(study), small,
        [row(label, people, judged) for label, people in shown.items()],
        {name: {label: by_group[label][name] for label in shown} for name in themes},
        {name: len(items) for name, items in themes.items()},
        beside,
        {
            name: {one.label: one.precision(items) for one in beside}
            for name, items in themes.items()
        },
        {
            one.label: {
                label: place
                for label, people in shown.items()
                if (place := percentile(one, people, judged, seed)) is not None
            }
            for one in beside
        },
        {label: passed(mark, people, judged) for label, people in shown.items()}
        if mark is not None else {},
        [*study.notes, *map(naming, [*cautions, *_cautions(judged, beside)])],
        {
            one.label: {
                label: ahead
                for label, people in shown.items()
                if (ahead := lead(one, people, judged)) is not None
            }
            for one in beside
        },
        {name: failed for name, one in zip(names, manifests, strict=True)
         if (failed := failed_canaries(one))},
        {name: sole for name, folder in zip(names, models, strict=True)
         if (sole := constant_answers(rows_of(folder), [ALL]).get(ALL))},
        len(sole_choices(study)),
    )  # fmt: skip


def _cautions(judged: PeopleScores, models: Sequence[Examined]) -> list[Text]:
    """List the warnings that a reader of the figures needs."""
    cautions: list[Text] = []
    asked = judged.groups
    own = [len(judged.asked[person]) for person in judged.by_person]
    if min(own) < len(asked):
        most = max(own) if min(own) < max(own) else None
        cautions.append(said("people-part", least=min(own), most=most, n=len(asked)))
    blank = sum(len(each) - len(judged.by_person.get(p, {})) for p, each in judged.asked.items())
    if blank:
        cautions.append(said("people-blank", n=blank))
    if silent := len(judged.asked) - len(judged.by_person):
        cautions.append(said("people-silent", n=silent))
    for one in models:
        if without := sum(share < 1 for share in one.answered.values()):
            each = len(one.answered)
            cautions.append(said("people-model-blank", who=one.label, without=without, n=each))
        if few := one.lacking:
            cautions.append(said("people-model-lacks", who=one.label, few=few, n=len(asked)))
    return cautions
