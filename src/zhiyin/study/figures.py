"""What a researcher sees: progress, time and agreement by item, and which questions are kept."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from zhiyin.statistics.agreement import Alpha, krippendorff_alpha
from zhiyin.study.design import Keep
from zhiyin.study.export import rows
from zhiyin.study.items import Item
from zhiyin.study.people import COUNTS
from zhiyin.study.standing import Standing
from zhiyin.study.store import Store
from zhiyin.study.tables import PEOPLE

Row = dict[str, Any]


class Kept(msgspec.Struct, frozen=True):
    """Whether a question passes validation.

    `right` is the share of answers that mark the right option, `distractors` the share that marks
    a wrong one (of the most marked one, where each is looked at by itself). `decision` is "keep",
    "drop", or "open" while there are too few answers.
    """

    decision: Literal["keep", "drop", "open"]
    answers: int
    right: float
    distractors: float


class ItemFigures(msgspec.Struct, frozen=True):
    """An item: answers, median active time in seconds, agreement, and whether it is kept.

    `alpha` is Krippendorff's for this item alone: 1 less its disagreement by that expected of all
    values of the study. None for fewer than two answers, and where nothing varies.
    """

    item: str
    group: str
    answers: int
    closed: bool
    seconds: float | None
    alpha: float | None
    kept: Kept | None


class Figures(msgspec.Struct, frozen=True):
    """The whole study as it stands. Excluded people and practice are in no figure of items."""

    people: dict[str, int]
    background: dict[str, dict[str, int]]
    excluded: dict[str, list[str]]
    alphas: dict[str, Alpha]
    items: list[ItemFigures]


def figures(store: Store) -> Figures:
    """Sum up a study."""
    every = list(rows(store))
    valid = [row for row in every if not row["excluded"] and row["role"] in ("plain", "gold")]
    by_item: defaultdict[str, list[Row]] = defaultdict(list)
    for row in valid:
        by_item[row["item"]].append(row)
    with store.read() as connection:
        closed = Standing(store, connection).closed()
        everyone = connection.execute(sa.select(PEOPLE)).all()
        people = {name: int(store.fact(connection, name, "0")) for name in COUNTS}
    people |= {
        "begun": len(everyone),
        "complete": sum(row.outcome == "complete" for row in everyone),
        "screened_out": sum(row.outcome == "screened_out" for row in everyone),
        "under_way": sum(not row.outcome for row in everyone),
    }
    units = {name: _units(store.items[name], given) for name, given in by_item.items()}
    alphas = {level: _alpha(units.values(), level) for level in _levels(store)}
    asked = [item for item in store.items.values() if item.role in ("plain", "gold")]
    item_figures = [
        ItemFigures(
            item.id, item.group, len(by_item[item.id]), item.id in closed,
            median([row["active_s"] for row in by_item[item.id]]) if by_item[item.id] else None,
            _alpha_of_item(units.get(item.id, {}), alphas),
            keep(item, by_item[item.id], store.study.keep)
            if store.study.kind == "validate" and item.expected else None,
        )
        for item in asked
    ]  # fmt: skip
    background = {
        name: dict(Counter(row.background.get(name, "") for row in everyone if row.background))
        for name in store.study.fields
    }
    out = {row["participant"]: row["excluded"] for row in every if row["excluded"]}
    return Figures(
        people, background, out, {k: v for k, v in alphas.items() if v.values}, item_figures
    )


def keep(item: Item, given: Sequence[Row], rule: Keep) -> Kept:
    """Whether a question passes validation, by the declared rule.

    Answers that say "cannot tell" or "odd" mark nothing, and are in every denominator.
    """
    n = len(given)
    if not n:
        return Kept("open", 0, 0.0, 0.0)
    right = sum(set(item.expected) <= set(row["keys"]) for row in given) / n
    wrong = [[key for key in row["keys"] if key not in item.expected] for row in given]
    if rule.rule == "any":
        distractors = sum(bool(keys) for keys in wrong) / n
    else:
        distractors = max(Counter(k for keys in wrong for k in keys).values(), default=0) / n
    if n < rule.annotations:
        return Kept("open", n, right, distractors)
    passed = right >= rule.right and distractors <= rule.distractors
    return Kept("keep" if passed else "drop", n, right, distractors)


def _levels(store: Store) -> list[str]:
    """What is measured: marks of options, words, or a scale each."""
    names = set()
    for item in store.items.values():
        if item.form in ("one", "many", "pair"):
            names.add("choices")
        elif item.form == "grades":
            names |= {scale.key for scale in item.scales}
        elif item.form == "slots":
            names.add("ratings")
    return sorted(names)


def _units(item: Item, given: Sequence[Row]) -> dict[tuple[str, str], dict[str, float]]:
    """What is judged, by measure and unit: values by person.

    Each option of an item is a unit that is marked (1) or not (0): keys of two items have nothing
    in common that categories across items could mean.
    """
    units: defaultdict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in given:
        person = row["participant"]
        if item.form in ("one", "many"):
            for choice in item.choices:
                units["choices", choice.key][person] = float(choice.key in row["keys"])
        elif item.form == "pair":
            values = {key: float(n) for n, key in enumerate((*item.shown, "same"))}
            units["choices", "pair"][person] = values[row["keys"][0]]
        else:
            for key, grade in row["grades"].items():
                measure = key if item.form == "grades" else "ratings"
                units[measure, key][person] = float(grade)
    return dict(units)


def _alpha(every: Iterable[dict[tuple[str, str], dict[str, float]]], measure: str) -> Alpha:
    """Krippendorff's alpha of one measure: nominal for choices, interval for grades."""
    units = [values for unit in every for (name, _), values in unit.items() if name == measure]
    units = [values for values in units if len(values) > 1]
    people = sorted({person for values in units for person in values})
    if not units:
        return Alpha(None, None, None, 0.0, 0.0, 0, 0)
    ratings = [[values.get(person, math.nan) for values in units] for person in people]
    return krippendorff_alpha(ratings, "nominal" if measure == "choices" else "interval")


def _alpha_of_item(
    units: dict[tuple[str, str], dict[str, float]], alphas: dict[str, Alpha]
) -> float | None:
    """1 less the item's disagreement by that expected of the whole measure, mean over measures."""
    by_measure: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
    for (measure, _), values in units.items():
        if len(values) > 1:
            ratings = list(values.values())
            by_measure[measure].append((_disagreement(ratings, measure), len(ratings)))
    alpha = []
    for measure, judged in by_measure.items():
        expected = alphas[measure].expected
        if expected > 0:
            total = sum(n for _, n in judged)
            alpha.append(1 - sum(d * n for d, n in judged) / total / expected)
    return sum(alpha) / len(alpha) if alpha else None


def _disagreement(values: list[float], measure: str) -> float:
    """Mean distance of two different values of a unit."""
    n = len(values)
    if measure == "choices":
        same = sum(count * (count - 1) for count in Counter(values).values())
        return 1 - same / (n * (n - 1))
    total, squares = sum(values), sum(value * value for value in values)
    return 2 * (n * squares - total * total) / (n * (n - 1))
