"""Grades, preferences and named failures: what people said of texts, sounds and replies."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec

from zhiyin.errors import InputError
from zhiyin.human.answers import Answer, Study
from zhiyin.statistics.agreement import Alpha, krippendorff_alpha
from zhiyin.statistics.crossed import Crossed, crossed_mean

JUDGED = ("rate", "annotate")
"""Kinds of study in which people judge, so that their answers are no answers to an exam."""


_RATING = "rating"


class Judged(msgspec.Struct, frozen=True):
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
    """All figures of a study, and the agreement on each measure; None where it cannot be known."""

    figures: list[Judged]
    alphas: dict[str, Alpha | None]


def judge(study: Study) -> Judgements:
    """Sum up what people judged, by the answers that count. Raises `InputError` without any."""
    values: defaultdict[tuple[str, str], list[tuple[float, str, str]]] = defaultdict(list)
    names: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    units: defaultdict[str, defaultdict[str, dict[str, float]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for answer in study.valid():
        for measure, of, item, value in _judgements(answer):
            values[measure, of].append((value, answer.person, item))
            names[measure, of].add(answer.trial)
            # Preferring one text is not preferring the other: that is one judgement.
            unit = item if measure == "preferred" else f"{of}\0{item}"
            units[measure][unit].setdefault(answer.person, value)
    if not values:
        raise InputError("no answer counts: nobody finished, or everybody is excluded")
    figures = []
    for (measure, of), judgements in sorted(values.items()):
        key = of if measure == _RATING else measure
        ends = [study.scales.get(name, {}).get(key) for name in names[measure, of]]
        figures.append(Judged(measure, of, _mean(judgements, [one for one in ends if one])))
    return Judgements(figures, {name: _alpha(name, by_unit) for name, by_unit in units.items()})


def _mean(
    judgements: Sequence[tuple[float, str, str]], scales: Sequence[tuple[float, float]]
) -> Crossed:
    """The mean of judgements; on a scale with ends, the interval does not leave it."""
    scores, people, items = zip(*judgements, strict=True)
    if not scales:
        return crossed_mean(scores, people, items)
    low = min(*(one[0] for one in scales), *scores)
    span = max(*(one[1] for one in scales), *scores) - low
    unit = crossed_mean([(score - low) / span for score in scores], people, items)

    def back(value: float | None, add: float = 0.0, power: int = 1) -> float | None:
        return None if value is None else add + span**power * value

    return msgspec.structs.replace(
        unit,
        mean=low + span * unit.mean,
        se=back(unit.se), low=back(unit.low, low), high=back(unit.high, low),
        between_people=back(unit.between_people, power=2),
        between_items=back(unit.between_items, power=2), rest=back(unit.rest, power=2),
    )  # fmt: skip


def _judgements(answer: Answer) -> Iterator[tuple[str, str, str, float]]:
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


def _alpha(measure: str, units: dict[str, dict[str, float]]) -> Alpha | None:
    """Krippendorff's alpha: nominal for marks and preferences, interval for grades."""
    shared = [unit for unit in units.values() if len(unit) > 1]
    people = sorted({person for unit in shared for person in unit})
    if not shared:
        return None
    table = [[unit.get(person, math.nan) for unit in shared] for person in people]
    return krippendorff_alpha(table, "nominal" if measure in ("named", "preferred") else "interval")
