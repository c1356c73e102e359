"""Judgements of people: which questions pass, what was graded, and how far people agree."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

import msgspec

from zhiyin.errors import InputError
from zhiyin.plugins.methods.agreement import Alpha, krippendorff_alpha
from zhiyin.plugins.methods.crossed import Crossed, crossed_mean
from zhiyin.plugins.people import Keep, PersonAnswer, StudyAnswers
from zhiyin.trial import right_keys
from zhiyin.words import said


class KeptQuestion(msgspec.Struct, frozen=True):
    """The result of a question's validation.

    `right` is the share of answers that mark the right option, `distractors` the share that marks
    a wrong one (with the rule "each": of the most marked one). `decision` is "open" while there
    are too few answers.
    """

    trial: str
    decision: Literal["keep", "drop", "open"]
    answers: int
    right: float
    distractors: float
    cannot_tell: int
    odd: int


class PeoplesAlpha(Alpha, frozen=True, kw_only=True):
    """Krippendorff's alpha of people, and what it rests on.

    Its interval is for other questions (those of one recording are one draw), and these people.

    Attributes
    ----------
    people, questions, answers : int
        Who gave, to what, the answers that were compared.
    """

    people: int
    questions: int
    answers: int


class JudgedUnit(NamedTuple):
    """A unit that several people rated: an option, a text; part of a question.

    `cluster` is what is drawn as one: the question, or the recording that several are on. `values`
    are by person.
    """

    question: str
    cluster: str
    values: dict[str, float]


class Validation(msgspec.Struct, frozen=True):
    """Every question, and the agreement; `alpha` is None where no option had two answers."""

    alpha: PeoplesAlpha | None
    questions: list[KeptQuestion]


def validate(study: StudyAnswers, rule: Keep) -> Validation:
    """Judge every question of a study by its valid answers. Raises `InputError` without a key."""
    given: defaultdict[str, list[PersonAnswer]] = defaultdict(list)
    for answer in study.valid():
        given[answer.trial].append(answer)
    for name in given:
        trial = study.trials[name]
        if trial.target is None or not trial.options:
            raise InputError(said("people-no-right", name=name))
    questions, units = [], []
    for name, trial in study.trials.items():
        if name in given:
            marked = [() if one.flag else one.keys for one in given[name]]
            flags = [one.flag for one in given[name]]
            questions.append(judge_question(name, right_keys(trial), marked, flags, rule))
    for name, answers in given.items():  # a unit is an option, which a person marked (1) or not (0)
        trial = study.trials[name]
        for option in trial.options:
            values = {one.person: float(not one.flag and option.key in one.keys) for one in answers}
            units.append(JudgedUnit(name, trial.cluster or name, values))
    return Validation(agreement_on(units, "nominal"), questions)


def judge_question(
    name: str, target: Collection[str], marked: Sequence[Collection[str]], flags: Sequence[str],
    rule: Keep,
) -> KeptQuestion:  # fmt: skip
    """Keep or drop one question.

    Parameters
    ----------
    name : str
        The question's id.
    target : collection of str
        The keys of its right options; each has to be marked.
    marked : sequence of collection of str
        The keys that each answer marks: none where it says "cannot tell" or "odd", which is in
        every denominator.
    flags : sequence of str
        What answers say in the place of marks.
    rule : Keep
    """
    n, least = len(marked), max(1, len(marked))
    right = sum(set(target) <= set(keys) for keys in marked) / least
    wrong = [set(keys) - set(target) for keys in marked]
    if rule.rule == "any":
        distractors = sum(bool(keys) for keys in wrong) / least
    else:
        distractors = max(Counter(k for keys in wrong for k in keys).values(), default=0) / least
    passed = right >= rule.right and distractors <= rule.distractors
    decision: Literal["keep", "drop", "open"] = "keep" if passed else "drop"
    if n < max(1, rule.annotations):
        decision = "open"
    said = Counter(flags)
    return KeptQuestion(name, decision, n, right, distractors, said["cannot_tell"], said["odd"])


def agreement_on(
    units: Iterable[JudgedUnit], level: Literal["nominal", "interval"]
) -> PeoplesAlpha | None:
    """Krippendorff's alpha of what people gave values to; None where nothing has two values.

    Options of one question, and questions on one recording, are not independent: the interval
    leaves them out together.
    """
    shared = [unit for unit in units if len(unit.values) > 1]
    if not shared:
        return None
    people = sorted({person for unit in shared for person in unit.values})
    ratings = [[unit.values.get(person, math.nan) for unit in shared] for person in people]
    alpha = krippendorff_alpha(ratings, level, clusters=[unit.cluster for unit in shared])
    answers = {(person, unit.question) for unit in shared for person in unit.values}
    return PeoplesAlpha(
        *msgspec.structs.astuple(alpha), people=len(people),
        questions=len({unit.question for unit in shared}), answers=len(answers),
    )  # fmt: skip


_RATING = "rating"
_SHARES = ("named", "preferred")
_Judgement = tuple[float, str, str, str]
"""Value, person, item, and what is drawn as one."""


class JudgedFigure(msgspec.Struct, frozen=True):
    """One figure.

    Attributes
    ----------
    measure : str
        "completeness" and other aspects, "rating" of sounds, "preferred" of two texts, "named" of
        failures.
    of : str
        The run, the stimulus, or the failure.
    score : Crossed
        Mean over people and items drawn: in the scale's own units, or a share in [0, 1]. A text
        that is as good as the other is half preferred. The interval stays within the scale.
    """

    measure: str
    of: str
    score: Crossed


class Judgements(msgspec.Struct, frozen=True):
    """All figures of a study, and the agreement on each measure; None where it cannot be known.

    `differences` are of each two sounds, or runs, graded by the same person on the same item, the
    first minus the second. Their intervals hold for all of them at once, by Bonferroni.
    """

    figures: list[JudgedFigure]
    alphas: dict[str, PeoplesAlpha | None]
    differences: list[JudgedFigure] = []


def judge(study: StudyAnswers, people: Collection[str] | None = None) -> Judgements:
    """Sum up what people judged, by the answers that count. Raises `InputError` without any.

    Parameters
    ----------
    study : StudyAnswers
    people : collection of str, optional
        Whose judgements; by default everybody's.
    """
    values: defaultdict[tuple[str, str], list[_Judgement]] = defaultdict(list)
    names: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    units: defaultdict[str, dict[str, JudgedUnit]] = defaultdict(dict)
    for answer in study.valid():
        if people is not None and answer.person not in people:
            continue
        for measure, of, item, value in _judgements(answer):
            names[measure, of].add(answer.trial)
            # Preferring one text is not preferring the other: that is one judgement.
            unit = item if measure == "preferred" else f"{of}\0{item}"
            trial = study.trials.get(item)
            drawn = (trial.cluster if trial else None) or item
            values[measure, of].append((value, answer.person, item, drawn))
            judged = units[measure].setdefault(unit, JudgedUnit(answer.trial, drawn, {}))
            judged.values.setdefault(answer.person, value)
    if not values:
        raise InputError(said("people-none-finished"))
    figures, scales = [], {}
    for (measure, of), judgements in sorted(values.items()):
        key = of if measure == _RATING else measure
        ends = [study.scales.get(name, {}).get(key) for name in names[measure, of]]
        scales[measure, of] = [one for one in ends if one]
        figures.append(JudgedFigure(measure, of, _mean(judgements, scales[measure, of])))
    pairs = {pair: found for pair in combinations(sorted(values), 2)
             if pair[0][0] == pair[1][0] not in _SHARES
             and (found := _apart(*(values[one] for one in pair)))}  # fmt: skip
    differences = []
    for ((measure, of), other), found in pairs.items():
        each = [*scales[measure, of], *scales[other]]
        span = max((one[1] for one in each), default=0) - min((one[0] for one in each), default=0)
        mean = _mean(found, [(-span, span)] if each else [], 1 - 0.05 / len(pairs))
        differences.append(JudgedFigure(measure, f"{of} − {other[1]}", mean))
    alphas = {
        measure: agreement_on(by_unit.values(), "nominal" if measure in _SHARES else "interval")
        for measure, by_unit in units.items()
    }
    return Judgements(figures, alphas, differences)


def _apart(first: Sequence[_Judgement], second: Sequence[_Judgement]) -> list[_Judgement]:
    """Subtract from each judgement the other one of the same person on the same item."""
    other = {(person, item): value for value, person, item, _ in second}
    return [(value - other[person, item], person, item, drawn)
            for value, person, item, drawn in first if (person, item) in other]  # fmt: skip


def _mean(
    judgements: Sequence[_Judgement], scales: Sequence[tuple[float, float]], level: float = 0.95
) -> Crossed:
    """The mean of judgements; on a scale with ends, the interval does not leave it."""
    scores, people, items, drawn = zip(*judgements, strict=True)
    if not scales:
        return crossed_mean(scores, people, items, level, drawn)
    low = min(*(one[0] for one in scales), *scores)
    span = max(*(one[1] for one in scales), *scores) - low
    unit = crossed_mean([(one - low) / span for one in scores], people, items, level, drawn)

    def back(value: float | None, add: float = 0.0, power: int = 1) -> float | None:
        return None if value is None else add + span**power * value

    return msgspec.structs.replace(
        unit,
        mean=low + span * unit.mean,
        se=back(unit.se), low=back(unit.low, low), high=back(unit.high, low),
        between_people=back(unit.between_people, power=2),
        between_items=back(unit.between_items, power=2), rest=back(unit.rest, power=2),
    )  # fmt: skip


def _judgements(answer: PersonAnswer) -> Iterator[tuple[str, str, str, float]]:
    """Measure, of what, on which item, and the value of each judgement in an answer."""
    if answer.form == "grades":
        run, _, item = answer.trial.partition("/")
        for aspect, grade in answer.grades.items():
            yield aspect, run, item, float(grade)
    elif answer.form == "slots":
        for key, grade in answer.grades.items():
            yield _RATING, key, answer.trial, float(grade)
    elif answer.form == "pair":
        for key in sorted(answer.order):  # the first one is the same for everybody
            value = 0.5 if answer.keys == ("same",) else float(key in answer.keys)
            yield "preferred", key, answer.trial, value
    else:
        for key in answer.order:
            yield "named", key, answer.trial, float(key in answer.keys)
