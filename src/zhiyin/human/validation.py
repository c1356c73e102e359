"""Which questions pass validation by people, and how far people agree on them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Literal

import msgspec

from zhiyin.errors import InputError
from zhiyin.human.answers import Answer, Keep, Study
from zhiyin.statistics.agreement import Alpha, krippendorff_alpha
from zhiyin.trial import right_keys


class Kept(msgspec.Struct, frozen=True):
    """Whether a question passes.

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


class Validation(msgspec.Struct, frozen=True):
    """Every question, and the agreement; `alpha` is None where no option had two answers."""

    alpha: Alpha | None
    questions: list[Kept]


def validate(study: Study, rule: Keep) -> Validation:
    """Judge every question of a study by its valid answers. Raises `InputError` without a key."""
    given: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in study.valid():
        given[answer.trial].append(answer)
    for name in given:
        trial = study.trials[name]
        if trial.target is None or not trial.options:
            raise InputError(f"{name}: has no right option, so nothing can be validated")
    questions = [
        judged(name, right_keys(study.trials[name]), given[name], rule)
        for name in study.trials
        if name in given
    ]
    return Validation(_alpha(study, given), questions)


def judged(name: str, target: Sequence[str], given: list[Answer], rule: Keep) -> Kept:
    """Keep or drop one question.

    Answers that say "cannot tell" or "odd" mark nothing, and are in every denominator.

    Parameters
    ----------
    name : str
        The question's id.
    target : sequence of str
        The keys of its right options; each has to be marked.
    given : list of Answer
    rule : Keep
    """
    n = len(given)
    marked = [frozenset() if one.flag else frozenset(one.keys) for one in given]
    right = sum(keys.issuperset(target) for keys in marked) / n
    wrong = [keys.difference(target) for keys in marked]
    if rule.rule == "any":
        distractors = sum(bool(keys) for keys in wrong) / n
    else:
        distractors = max(Counter(key for keys in wrong for key in keys).values(), default=0) / n
    passed = right >= rule.right and distractors <= rule.distractors
    decision: Literal["keep", "drop", "open"] = "keep" if passed else "drop"
    if n < rule.annotations:
        decision = "open"
    flags = Counter(one.flag for one in given)
    return Kept(name, decision, n, right, distractors, flags["cannot_tell"], flags["odd"])


def _alpha(study: Study, given: dict[str, list[Answer]]) -> Alpha | None:
    """Krippendorff's alpha; a unit is an option, which a person marked (1) or not (0)."""
    people = {name: place for place, name in enumerate(study.people)}
    units: list[list[float]] = []
    for name, answers in given.items():
        if len(answers) < 2:
            continue
        for option in study.trials[name].options:
            values = [math.nan] * len(people)
            for one in answers:
                values[people[one.person]] = float(not one.flag and option.key in one.keys)
            units.append(values)
    if not units:
        return None
    return krippendorff_alpha([list(judge) for judge in zip(*units, strict=True)], "nominal")
