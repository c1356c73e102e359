"""Which model for which skill: models compared on the items of a skill that all of them judged."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import msgspec
import numpy as np

from zhiyin.analysis.skills import Card, Figure, Key
from zhiyin.contract.declared import SKILLS, Skill, title_of
from zhiyin.statistics.intervals import Floats
from zhiyin.statistics.paired import holm, paired_difference, rank, sign_flip
from zhiyin.words import Said, said


class Ranked(msgspec.Struct, frozen=True):
    """A model in the order of a skill; models that share a letter do not differ significantly."""

    name: str
    value: float
    letters: str


class Order(msgspec.Struct, frozen=True):
    """Who is better at a skill: models on the items that all of them judged, best first.

    Attributes
    ----------
    skill, title : str
    items, clusters : int
    ranked : list of Ranked
    tests : int
        How many tests Holm's adjustment is over, all skills together.
    """

    skill: Skill
    title: str
    items: int
    clusters: int
    ranked: list[Ranked]
    tests: int

    @property
    def alike(self) -> list[str]:
        """The models that do not differ significantly from the one with the highest figure."""
        best, *others = self.ranked
        return [other.name for other in others if set(best.letters) & set(other.letters)]

    @property
    def sentence(self) -> Said:
        """Which model is best, if one is."""
        others = len(self.ranked) - 1
        return said("skill-order", best=self.ranked[0].name, alike=self.alike, others=others)

    @property
    def ahead(self) -> str:
        """The model that is significantly better than every other; empty for none."""
        return "" if self.alike else self.ranked[0].name


_ALPHA = 0.05
"""Level of the tests, after Holm's adjustment."""


def orders(cards: Sequence[Card]) -> list[Order]:
    """Which model for which skill.

    Pairs of models are compared on the same items, by flipping the signs of whole clusters; p is
    adjusted over all pairs and skills at once (Holm).
    """
    shared: dict[Skill, list[Key]] = {}
    for skill in SKILLS:
        by_card = [card.scores.get(skill, {}) for card in cards]
        if len(cards) > 1 and (
            keys := [key for key in by_card[0] if all(key in h for h in by_card)]
        ):
            shared[skill] = keys
    tests: list[tuple[Skill, int, int, float]] = []
    for skill, keys in shared.items():
        for one, other in combinations(range(len(cards)), 2):
            first, second = (_values(cards[place], skill, keys) for place in (one, other))
            tests.append((skill, one, other, _p(first - second, _clusters(cards[0], skill, keys))))
    adjusted = holm([p for *_, p in tests]).tolist() if tests else []
    tables = {skill: np.ones((len(cards), len(cards))) for skill in shared}
    for (skill, one, other, _), p in zip(tests, adjusted, strict=True):
        tables[skill][one, other] = tables[skill][other, one] = p
    return [_order(skill, keys, cards, tables[skill], len(tests)) for skill, keys in shared.items()]


def difference(one: Card, other: Card, skill: Skill) -> Figure | None:
    """The mean difference of two models on the items of a skill that both judged."""
    first, second = one.scores.get(skill, {}), other.scores.get(skill, {})
    keys = [key for key in first if key in second]
    if not keys:
        return None
    clusters = _clusters(one, skill, keys)
    paired = paired_difference(_values(one, skill, keys), _values(other, skill, keys), clusters)
    return Figure(paired.mean, paired.low, paired.high)


def _values(card: Card, skill: Skill, keys: Sequence[Key]) -> Floats:
    return np.array([card.scores[skill][key].value for key in keys])


def _clusters(card: Card, skill: Skill, keys: Sequence[Key]) -> list[str]:
    clusters = (card.scores[skill][key].cluster for key in keys)
    return [
        "/".join(("cluster", *cluster)) if cluster else "/".join(("item", *key))
        for key, cluster in zip(keys, clusters, strict=True)
    ]


def _p(differences: Floats, clusters: list[str]) -> float:
    return sign_flip(differences, clusters).p if np.any(differences) else 1.0


def _order(
    skill: Skill,
    keys: Sequence[Key],
    cards: Sequence[Card],
    table: Floats,
    tests: int,
) -> Order:
    means = [float(_values(card, skill, keys).mean()) for card in cards]
    rows = [Ranked(cards[r.index].name, r.mean, r.letters) for r in rank(means, table, _ALPHA).rows]
    clusters = len(set(_clusters(cards[0], skill, keys)))
    return Order(skill, title_of(skill), len(keys), clusters, rows, tests)
