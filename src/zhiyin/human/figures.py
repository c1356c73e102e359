"""People beside models: scores by group, by category, percentiles, and who would pass.

Scores are precision, as in Tables 3 and 4 of Li et al. (2024), arXiv:2406.15885: right answers
among those given. A blank of a person, whether it stands in the data or not, and a reply of a model
that names no option are no answer. A mark to pass is of all that was asked: they are wrong there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np

from zhiyin.engine.log import read_manifest
from zhiyin.engine.naming import name_of, run_names
from zhiyin.errors import InputError
from zhiyin.human.answers import Exam, StudyAnswers
from zhiyin.human.runs import record_of
from zhiyin.numerals import counted
from zhiyin.record import NOT_JUDGED
from zhiyin.runs.rows import rows_of
from zhiyin.statistics.crossed import Crossed, crossed_mean, pigeonhole
from zhiyin.statistics.intervals import Floats, Interval, interval, wilson
from zhiyin.words import Said, said

Scores = dict[str, dict[str, float]]
"""By person, then by question: the share of right answers, 0 or 1 where it was asked once."""


class PeopleScores(msgspec.Struct, frozen=True):
    """People's answers as scores.

    A question is an item under a condition: see `question_of`.

    Attributes
    ----------
    by_person : Scores
        Of the questions that a person answered.
    groups : dict of str to tuple of str
        The categories of each question.
    clusters : mapping of str to str
        What questions that are not drawn one by one belong to.
    asked : Scores
        Of all questions that a person was asked, blanks as wrong.
    """

    by_person: Scores
    groups: dict[str, tuple[str, ...]]
    clusters: Mapping[str, str] = {}
    asked: Scores = {}


class PeopleRow(msgspec.Struct, frozen=True):
    """A group of people, as in Table 3 of Li et al. (2024), arXiv:2406.15885.

    Attributes
    ----------
    label : str
    people : int
    questions : (int, int)
        Fewest and most that one person was asked.
    lowest, highest : float
        Precision of the worst and of the best person, in [0, 1].
    right : (float, float, float) or None
        Right answers of the worst, of the best, and their mean. None where people had different
        numbers of questions: they cannot be compared then.
    score : Crossed
        Mean of the people's precision.
    """

    label: str
    people: int
    questions: tuple[int, int]
    lowest: float
    highest: float
    right: tuple[float, float, float] | None
    score: Crossed


class Examined(msgspec.Struct, frozen=True):
    """A model on the questions that people answered.

    Attributes
    ----------
    label : str
    scores : dict of str to float
        By question: the share of right ones among its answers; none where it gave none.
    answered : dict of str to float
        By question: the share of its replies that name an option.
    score : Interval or None
        Precision over these questions; those of one cluster count as one draw. None where it
        answered none.
    of_all : Interval
        Right answers of all replies.
    lacking : int
        Questions that people answered and the model was not asked, or failed in.
    categories : dict of str to Interval
        Precision in each category of which it answered something.
    """

    label: str
    scores: dict[str, float]
    answered: dict[str, float]
    score: Interval | None
    of_all: Interval
    lacking: int
    categories: dict[str, Interval] = {}

    def precision(self, questions: Collection[str]) -> float | None:
        """Right answers among those to some questions; None where it answered none of them."""
        given = {name: self.answered[name] for name in questions if self.answered.get(name)}
        right = sum(self.scores[name] * share for name, share in given.items())
        return right / sum(given.values()) if given else None


class Percentile(msgspec.Struct, frozen=True):
    """Where a model stands among people.

    Attributes
    ----------
    share : float
        Of the people, those whose score lies below the model's on the questions that they
        answered; equal ones count half. In [0, 1].
    low, high : float or None
        Interval over people and items drawn (`pigeonhole`), at least as wide as Wilson's of so
        many people.
    people : int
    """

    share: float
    low: float | None
    high: float | None
    people: int


class Passed(msgspec.Struct, frozen=True):
    """Who reaches a mark.

    Attributes
    ----------
    passed, people : int
    share : Interval
        Of people such as these, on these questions.
    surely, surely_not : int
        People whose own interval over questions lies at or above the mark, and below it.
    """

    passed: int
    people: int
    share: Interval
    surely: int
    surely_not: int


def question_of(item: str, condition: str) -> str:
    """What an answer is to: an item, under a condition where it is asked under several."""
    return f"{item} ({condition})" if condition else item


def scored(study: StudyAnswers, exam: Exam) -> PeopleScores:
    """The answers that count, as scores."""
    sums: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    given: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    groups: dict[str, tuple[str, ...]] = {}
    clusters: dict[str, str] = {}
    for answer in study.valid():
        trial = study.trials[answer.trial]
        record = record_of(trial, answer, exam, "", True)
        if record.verdict.state in NOT_JUDGED:
            continue
        right = float(record.verdict.state == "correct")
        question = question_of(record.trial.item, trial.condition)
        sums[answer.person][question].append(right)
        if record.verdict.state in ("correct", "wrong"):
            given[answer.person][question].append(right)
        groups[question] = trial.groups
        if trial.cluster is not None or trial.condition:
            clusters[question] = trial.cluster or record.trial.item
    if not given:
        raise InputError("no answer that counts is left: look at the exclusions")
    return PeopleScores(_averaged(given), groups, clusters, _averaged(sums))


def _averaged(sums: Mapping[str, Mapping[str, list[float]]]) -> Scores:
    return {
        person: {question: sum(shares) / len(shares) for question, shares in questions.items()}
        for person, questions in sums.items()
    }


def row(label: str, people: Sequence[str], scored_: PeopleScores) -> PeopleRow:
    """A group's row. Every person in it has an answer that counts."""
    means = [fmean(scored_.by_person[person].values()) for person in people]
    asked = [scored_.asked[person] for person in people]
    sizes = [len(shares) for shares in asked]
    rights = [sum(shares.values()) for shares in asked]
    equal = min(sizes) == max(sizes)
    right = (min(rights), max(rights), sum(rights) / len(rights)) if equal else None
    return PeopleRow(
        label, len(people), (min(sizes), max(sizes)), min(means), max(means), right,
        mean_of(people, scored_),
    )  # fmt: skip


def mean_of(
    people: Iterable[str], scored_: PeopleScores, items: frozenset[str] | None = None
) -> Crossed:
    """The mean of people's scores on some items, or on all of theirs."""
    observations = [
        (score, person, item)
        for person in people
        for item, score in scored_.by_person.get(person, {}).items()
        if items is None or item in items
    ]
    values, persons, asked = zip(*observations, strict=True)
    clusters = [scored_.clusters.get(item) for item in asked]
    return crossed_mean(values, persons, asked, clusters=clusters)


def categories(scored_: PeopleScores) -> dict[str, frozenset[str]]:
    """Items by the groups that their trials are counted under, in order of appearance."""
    members: defaultdict[str, set[str]] = defaultdict(set)
    for item, groups in scored_.groups.items():
        for group in groups:
            members[group].add(item)
    return {group: frozenset(items) for group, items in members.items()}


def by_category(people: Sequence[str], scored_: PeopleScores) -> dict[str, Crossed | None]:
    """A group's mean in each category (Table 4); None where none of them answered any of it."""
    means: dict[str, Crossed | None] = {}
    for group, items in categories(scored_).items():
        answered = any(items & scored_.by_person[person].keys() for person in people)
        means[group] = mean_of(people, scored_, items) if answered else None
    return means


def examined(folder: Path, exam: Exam, scored_: PeopleScores, label: str = "") -> Examined:
    """A model's run on the items that people answered, called `label` or by its own name.

    Raises
    ------
    InputError
        The run is of another benchmark, or has none of these items.
    """
    manifest = read_manifest(folder)
    if manifest.benchmark != exam.benchmark.name:
        raise InputError(
            f"{folder} is a run of {manifest.benchmark}, and people took {exam.benchmark.name}"
        )
    judged = rows_of(folder).judged
    every = judged.by(question_of(row.item, row.condition) for row in judged)
    repeats = {question: rows for question, rows in every.items() if question in scored_.groups}
    if not repeats:
        raise InputError(f"{folder}: was asked none of the questions that people answered")
    answered = {name: fmean(one.answered for one in each) for name, each in repeats.items()}
    scores = {
        name: fmean(one.right for one in each) / answered[name]
        for name, each in repeats.items()
        if answered[name]
    }
    asked = [question_of(row.item, row.condition) for row in judged]
    items = judged.where([name in scored_.groups for name in asked]).by_item()
    ends = items.interval("precision") if scores else None
    by_category = {
        group: judged.where([name in questions for name in asked]).interval("precision")
        for group, questions in categories(scored_).items()
        if not questions.isdisjoint(scores)
    }
    return Examined(
        label or name_of(manifest), scores, answered, ends, items.interval(),
        len(scored_.groups) - len(repeats), by_category,
    )  # fmt: skip


def percentile(
    model: Examined, people: Sequence[str], scored_: PeopleScores, seed: int
) -> Percentile | None:
    """The share of people below a model, each on the questions that both answered.

    None where a model answered nothing.
    """
    scores = scored_.by_person
    answers = [
        (person, item, score, model.scores[item])
        for person in people
        for item, score in scores[person].items()
        if item in model.scores
    ]
    if not answers and not model.scores:
        return None
    if not answers:
        raise InputError(f"{model.label}: answered none of the questions of these people")
    names, asked, own, others = zip(*answers, strict=True)
    items = [("in", scored_.clusters[i]) if i in scored_.clusters else ("", i) for i in asked]
    numbers = {name: place for place, name in enumerate(dict.fromkeys(names))}
    rows = np.array([numbers[name] for name in names])
    ahead = np.array(others, dtype=np.float64) - np.array(own, dtype=np.float64)
    first = np.unique(rows, return_index=True)[1]

    def share(often: Floats, which: Floats) -> float | None:
        asked = np.bincount(rows, which)
        counted = (asked > 0) & (often[first] > 0)
        if not counted.any():
            return None
        lead = np.bincount(rows, which * ahead)
        above = np.where(lead > 1e-9, 1.0, np.where(lead < -1e-9, 0.0, 0.5))
        times = often[first][counted]
        return float(times @ above[counted] / times.sum())

    ones = np.ones(len(rows))
    value = share(ones, ones) or 0.0
    ends = None
    if len(numbers) > 1 and len(set(items)) > 1:
        ends = pigeonhole(names, items, share, seed=seed)
    if ends is None:
        return Percentile(value, None, None, len(numbers))
    # Where nobody is above, or nobody below, every draw says so: the people alone say less.
    drawn = wilson(value * len(numbers), len(numbers))
    low, high = min(ends[0], drawn.low), max(ends[1], drawn.high)
    return Percentile(value, low, high, len(numbers))


def lead(model: Examined, people: Sequence[str], scored_: PeopleScores) -> Crossed | None:
    """A model's share of right ones less people's, on the questions that both answered.

    The interval is for other people and other questions: differences of a person and the model on
    one question are crossed by both, brought from [-1, 1] to [0, 1] so that they stay within. None
    where they have no question in common.
    """
    names, items, values = [], [], []
    for person in people:
        for item, own in scored_.by_person[person].items():
            if item in model.scores:
                names.append(person)
                items.append(item)
                values.append((model.scores[item] - own + 1) / 2)
    if not values:
        return None
    clusters = [scored_.clusters.get(item) for item in items]
    found = crossed_mean(values, names, items, clusters=clusters)
    low, high = (None if end is None else 2 * end - 1 for end in (found.low, found.high))
    return msgspec.structs.replace(found, mean=2 * found.mean - 1, low=low, high=high)


def passed(mark: float, people: Sequence[str], scored_: PeopleScores) -> Passed:
    """How many people reach a mark, a share in [0, 1] of right ones among all they were asked."""
    scores, clusters = scored_.asked, scored_.clusters
    reached = surely = surely_not = 0
    for person in people:
        own = list(scores[person].values())
        right = sum(own)
        reached += right / len(own) >= mark - 1e-12
        ends = interval(own, [clusters.get(item) for item in scores[person]])
        surely += ends.low >= mark
        surely_not += ends.high < mark
    return Passed(reached, len(people), wilson(reached, len(people)), surely, surely_not)


def exclusions(study: StudyAnswers) -> dict[str, int]:
    """How many people each rule excludes. One person may be excluded by several."""
    return dict(Counter(why for one in study.people.values() for why in one.excluded))


def population(study: StudyAnswers) -> Mapping[str, int]:
    """People and answers: how many there are, and how many count."""
    valid = study.valid()
    return {
        "people": len(study.people),
        "excluded": sum(bool(one.excluded) for one in study.people.values()),
        "counted": len({answer.person for answer in valid}),
        "answers": len(study.answers),
        "answers_counted": len(valid),
    }


_EVERYBODY = "all people"


class PeopleFigures(msgspec.Struct):
    """People beside models.

    Attributes
    ----------
    population, excluded : dict of str to int
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
    leads : dict of str to dict of str to Crossed
        By model, by group of people: see `lead`.
    """

    population: Mapping[str, int]
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
    leads: dict[str, dict[str, Crossed]] = {}

    def led(self) -> Iterator[Said]:
        """By how much each model is ahead of people, in words."""
        for model, by_group in self.leads.items():
            for label, one in by_group.items():
                yield said(
                    "people-lead", model=model, lead=one.mean, n=one.people,
                    who=None if label == _EVERYBODY else label,
                    low=None if one.high is None else one.low, high=one.high,
                )  # fmt: skip


def sum_up(
    study: StudyAnswers,
    exam: Exam,
    groups: Mapping[str, Sequence[str]],
    small: Mapping[str, int],
    models: Sequence[Path] = (),
    mark: float | None = None,
    seed: int = 0,
    least: int = 1,
) -> PeopleFigures:
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
    cautions = []
    if list(shown) != [_EVERYBODY] and (rest == 0 or rest >= least):
        shown[_EVERYBODY] = everybody
    elif rest:
        cautions = [
            f"all people together are not shown: less the groups that are, they would tell what "
            f"{counted(rest, 'person', 'people')} answered"
        ]
    names = run_names(models, [read_manifest(folder) for folder in models])
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
        [*study.notes, *cautions, *_cautions(judged, beside)],
        {
            one.label: {
                label: ahead
                for label, people in shown.items()
                if (ahead := lead(one, people, judged)) is not None
            }
            for one in beside
        },
    )  # fmt: skip


def _cautions(judged: PeopleScores, models: Sequence[Examined]) -> list[str]:
    """What must be known to read the figures rightly."""
    cautions = []
    asked = judged.groups
    own = [len(judged.asked[person]) for person in judged.by_person]
    if min(own) < len(asked):
        each = f"{min(own)}" if min(own) == max(own) else f"{min(own)} to {max(own)}"
        cautions.append(
            f"people answered {each} of {len(asked)} questions: scores of single people rest on "
            "different questions"
        )
    blank = sum(len(each) - len(judged.by_person.get(p, {})) for p, each in judged.asked.items())
    if blank:
        cautions.append(f"{counted(blank, 'blank')} of people: no answer, and in no precision")
    if silent := len(judged.asked) - len(judged.by_person):
        cautions.append(f"{counted(silent, 'person', 'people')} answered nothing: in no figure")
    for one in models:
        without = sum(share < 1 for share in one.answered.values())
        if without:
            cautions.append(
                f"{one.label} gave no answer to {without} of {len(one.answered)} questions, or not "
                "each time: they are in no precision"
            )
        if one.lacking:
            cautions.append(
                f"{one.label} has no judged answer to {one.lacking} of these {len(asked)} "
                "questions: it is compared on the rest"
            )
    return cautions
