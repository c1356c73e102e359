"""People beside models: scores by group, by category, percentiles, and who would pass.

Scores are precision, as in Tables 3 and 4 of Li et al. (2024), arXiv:2406.15885: right answers
among those given. A blank of a person, whether it stands in the data or not, and a reply of a model
that names no option are no answer. A mark to pass is of all that was asked: they are wrong there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np

from zhiyin.contract.resolved import name_of
from zhiyin.engine.folder import read_manifest
from zhiyin.errors import InputError
from zhiyin.plugins.methods.crossed import Crossed, crossed_gap, crossed_mean, pigeonhole
from zhiyin.plugins.people import AnsweredBenchmark, StudyAnswers
from zhiyin.plugins.people.runs import record_of
from zhiyin.record import NOT_JUDGED
from zhiyin.runs.estimates import Frame, chance_of, estimate
from zhiyin.runs.measures import ACCURACY, PRECISION
from zhiyin.runs.rows import rows_of
from zhiyin.statistics.intervals import Floats, Interval, interval, wilson
from zhiyin.trial import Trial
from zhiyin.words import said

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
    chance : float or None
        What guessing gets right of these questions; None where some have no options.
    model : str
    """

    label: str
    scores: dict[str, float]
    answered: dict[str, float]
    score: Interval | None
    of_all: Interval
    lacking: int
    categories: dict[str, Interval] = {}
    chance: float | None = None
    model: str = ""

    def precision(self, questions: Collection[str]) -> float | None:
        """Right answers among those to some questions; None where it answered none of them."""
        given = {name: self.answered[name] for name in questions if self.answered.get(name)}
        right = sum(self.scores[name] * share for name, share in given.items())
        return right / sum(given.values()) if given else None


class Percentile(msgspec.Struct, frozen=True):
    """The position of a model among people.

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
    """The number and share of people who reach a mark.

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


class LeadOverPeople(Crossed, frozen=True):
    """A model's mean less people's.

    Attributes
    ----------
    theirs : float
        The people's mean on the questions that both answered; the model's there is more by `mean`.
    narrow : bool
        Whether the interval is too narrow: simulated ones held in 90 % where a model was nearly
        always right on few questions.
    """

    theirs: float = 0.0
    narrow: bool = False


_FEW, _NEARLY = 20, 0.9
"""Below so many draws, a model with this share right was nearly always right on few questions."""


def question_of(item: str, condition: str) -> str:
    """Name the question of an answer: its item, with the condition where there are several."""
    return f"{item} ({condition})" if condition else item


def draw_of(trial: Trial) -> str | None:
    """Name what a question is drawn with; None for one that stands alone."""
    return trial.cluster or (trial.item or trial.id if trial.condition else None)


def scored(study: StudyAnswers, exam: AnsweredBenchmark) -> PeopleScores:
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
        if drawn := draw_of(trial):
            clusters[question] = drawn
    if not given:
        raise InputError(said("people-none-counts"))
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


def examined(
    folder: Path, exam: AnsweredBenchmark, scored_: PeopleScores, label: str = ""
) -> Examined:
    """A model's run on the items that people answered, called `label` or by its own name.

    Raises
    ------
    InputError
        The run is of another benchmark, or has none of these items.
    """
    manifest = read_manifest(folder)
    if manifest.benchmark != exam.benchmark.name:
        raise InputError(said(
            "people-other-benchmark", folder=folder, benchmark=manifest.benchmark,
            name=exam.benchmark.name,
        ))  # fmt: skip
    judged = rows_of(folder).judged
    every = judged.by(question_of(row.item, row.condition) for row in judged)
    repeats = {question: rows for question, rows in every.items() if question in scored_.groups}
    if not repeats:
        raise InputError(said("people-other-exam", name=str(folder)))
    answered = {name: fmean(one.answered for one in each) for name, each in repeats.items()}
    scores = {
        name: fmean(one.right for one in each) / answered[name]
        for name, each in repeats.items()
        if answered[name]
    }
    asked = [question_of(row.item, row.condition) for row in judged]
    common = Frame(judged.where([name in scored_.groups for name in asked]))
    ends, of_all = (estimate(common, measure).interval for measure in (PRECISION, ACCURACY))
    assert of_all is not None  # there are replies
    by_category = {
        group: interval
        for group, questions in categories(scored_).items()
        if not questions.isdisjoint(scores)
        and (
            interval := estimate(judged.where([n in questions for n in asked]), PRECISION).interval
        )
    }
    return Examined(
        label or name_of(manifest), scores, answered, ends, of_all,
        len(scored_.groups) - len(repeats), by_category, chance_of(common), manifest.model,
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
        raise InputError(said("people-no-common", model=model.label))
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


def lead(model: Examined, people: Sequence[str], scored_: PeopleScores) -> LeadOverPeople | None:
    """A model's share of right ones less people's, on the questions that both answered.

    The interval is for other people and other questions: differences of a person and the model on
    one question are crossed by both, brought from [-1, 1] to [0, 1] so that they stay within. It is
    no wider than the intervals of the two allow: from the model's lower end less people's upper to
    its upper less their lower. None where they have no question in common.
    """
    answers = [
        (own, person, item)
        for person in people
        for item, own in scored_.by_person[person].items()
        if item in model.scores
    ]
    if not answers:
        return None
    values, names, items = zip(*answers, strict=True)
    clusters = [scored_.clusters.get(item) for item in items]
    theirs = mean_of(people, scored_, frozenset(model.scores))
    ours = (model.score.low, model.score.high) if model.score else (None, None)
    gaps = np.array([model.scores[item] for item in items]) - np.array(values)
    found = crossed_gap(gaps, names, items, clusters, [ours, (theirs.low, theirs.high)])
    nearly = fmean(model.scores[item] for item in set(items)) >= _NEARLY
    return LeadOverPeople(
        **msgspec.structs.asdict(found), theirs=theirs.mean,
        narrow=nearly and (found.clusters or found.items) < _FEW,
    )  # fmt: skip


def passed(mark: float, people: Sequence[str], scored_: PeopleScores) -> Passed:
    """Count the people who reach a mark: a share in [0, 1] of right answers among all asked."""
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
