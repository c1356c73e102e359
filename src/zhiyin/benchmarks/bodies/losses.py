"""What is lost from reading to hearing to seeing: differences within the item, with intervals.

*Reading* is the mean of an item over the symbolic bodies it was asked in (MIDI text, ABC, MusicXML,
kern), *hearing* its sound, *seeing* its picture. A difference is taken over the items that were
asked both ways, and each piece is one draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import msgspec

from zhiyin.runs.rows import Row
from zhiyin.statistics.intervals import Interval, interval
from zhiyin.statistics.paired import Difference, paired_difference, sign_flip

READING = ("midi", "abc", "musicxml", "kern")
WAYS: Mapping[str, tuple[str, ...]] = {
    "reading": READING,
    "hearing": ("sound",),
    "seeing": ("image",),
}
Scores = dict[str, dict[str, float]]
"""From a way (or a body) to items to mean scores in [0, 1]."""


class Loss(msgspec.Struct, frozen=True):
    """What is lost from one way to another.

    Attributes
    ----------
    first, second : str
        Ways, or bodies.
    items, pieces : int
        Asked both ways.
    before, after : float
        Share of right answers, in [0, 1].
    lost, low, high : float
        `before` minus `after`, with its 95 % interval, paired within the item and clustered by
        piece.
    p : float
        Two-sided sign-flip test over pieces.
    """

    first: str
    second: str
    items: int
    pieces: int
    before: float
    after: float
    lost: float
    low: float
    high: float
    p: float


class Answers(msgspec.Struct):
    """The judged answers of a run: `scores` by body and item, and the piece of each item."""

    scores: Scores
    pieces: dict[str, str]
    skills: dict[str, str]

    def ways(self) -> Scores:
        """Scores by way of taking the piece in; reading is averaged over its bodies."""
        scores_by_way: Scores = {}
        for way, bodies in WAYS.items():
            rows: dict[str, list[float]] = {}
            for body in bodies:
                for item, score in self.scores.get(body, {}).items():
                    rows.setdefault(item, []).append(score)
            if rows:
                scores_by_way[way] = {item: sum(row) / len(row) for item, row in rows.items()}
        return scores_by_way


def gather(rows: Iterable[Row]) -> Answers:
    """Answers by body and item; repeats are averaged, what failed is left out."""
    right: dict[tuple[str, str], list[float]] = {}
    answers = Answers({}, {}, {})
    for row in rows:
        body, item = row.tags.get("body"), row.item
        if not row.judged or body is None:
            continue
        right.setdefault((str(body), item), []).append(row.right)
        answers.pieces[item] = row.cluster or item
        answers.skills[item] = str(row.tags.get("skill"))
    for (body, item), own in right.items():
        answers.scores.setdefault(body, {})[item] = sum(own) / len(own)
    return answers


def losses(answers: Answers) -> list[Loss]:
    """From reading to hearing, from reading to seeing, from hearing to seeing."""
    return _pairs(answers.ways(), answers)


def body_losses(answers: Answers) -> list[Loss]:
    """Every body against every other."""
    order = (*READING, "sound", "image")
    return _pairs({b: answers.scores[b] for b in order if b in answers.scores}, answers)


def _pairs(scores: Scores, answers: Answers) -> list[Loss]:
    rows = []
    for first, second in combinations(scores, 2):
        items = [item for item in scores[first] if item in scores[second]]
        if not items:
            continue
        a = [scores[first][item] for item in items]
        b = [scores[second][item] for item in items]
        pieces = [answers.pieces[item] for item in items]
        gap = paired_difference(a, b, pieces)
        p = sign_flip([x - y for x, y in zip(a, b, strict=True)], pieces).p
        rows.append(_loss(first, second, gap, p))
    return rows


def _loss(first: str, second: str, gap: Difference, p: float) -> Loss:
    sizes = gap.n, gap.clusters
    return Loss(
        first, second, *sizes, gap.first, gap.second, gap.mean, gap.low, gap.high, p
    )  # fmt: skip


def between(one: Answers, other: Answers) -> list[Loss]:
    """How much more one run loses than another, on the items that both were asked both ways.

    `before` and `after` are the losses of the first and of the second run.
    """
    rows = []
    one_scores, other_scores = one.ways(), other.ways()
    for first, second in combinations(WAYS, 2):
        tables = [
            ways.get(way, {}) for ways in (one_scores, other_scores) for way in (first, second)
        ]
        items = [item for item in tables[0] if all(item in table for table in tables)]
        if not items:
            continue
        a, b = (
            [tables[n][item] - tables[n + 1][item] for item in items] for n in (0, 2)
        )  # fmt: skip
        pieces = [one.pieces[item] for item in items]
        p = sign_flip([x - y for x, y in zip(a, b, strict=True)], pieces).p
        rows.append(_loss(first, second, paired_difference(a, b, pieces), p))
    return rows


def share(answers: Answers, items: Mapping[str, float]) -> Interval:
    """The mean of some items with its interval, clustered by piece."""
    return interval(list(items.values()), [answers.pieces[item] for item in items])


def everywhere(answers: Answers, bodies: Sequence[str]) -> list[str]:
    """The items that were asked in every one of some bodies."""
    sets = [set(answers.scores[body]) for body in bodies]
    common = set.intersection(*sets) if sets else set()
    return [item for item in answers.pieces if item in common]
