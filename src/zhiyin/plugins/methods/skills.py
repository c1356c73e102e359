"""A report card: what a model can do, skill by skill, over all benchmarks that show a skill.

What counts as what
-------------------
item
    As everywhere: what is asked about. Its repeats, rotations and conditions are averaged first,
    and every item of a skill weighs the same, whatever its benchmark. An item that shows two
    skills counts in both.
floor
    What guessing evenly gets right, by the number of options of each item. None where an answer
    is free.
parts
    The items of a skill by benchmark. A skill's figure never stands without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

import msgspec
import numpy as np

from zhiyin.analysis.pairs import pairs_to_test
from zhiyin.analysis.run import RunKind, contenders, is_elsewhere, kind_of_run
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import SKILLS, Reference, Skill
from zhiyin.contract.published_table import ITEMS
from zhiyin.contract.registry import known
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import MARK
from zhiyin.runs.estimates import estimate
from zhiyin.runs.rows import rows_of
from zhiyin.statistics.intervals import Floats, interval
from zhiyin.statistics.paired import Difference, holm, paired_difference, rank, sign_flip
from zhiyin.words import Said, naming, said

_PEOPLE = ("accuracy", "precision")
"""Figures of published rows that may stand for what people get right, in order of preference."""
Sense = Literal["heard", "read", "both"]
"""How the items of a skill of hearing were given: as sound, in writing, or in both ways."""
Key = tuple[str, str]
"""An item: its benchmark, and what it is called there."""


class Ends(msgspec.Struct, frozen=True):
    """A figure with its 95 % interval, and nothing else of it."""

    value: float
    low: float
    high: float

    @property
    def above_0(self) -> bool:
        """Tell whether the interval lies above 0."""
        return self.low > 0


class SkillPeople(msgspec.Struct, frozen=True):
    """People's share of right answers, as published.

    Attributes
    ----------
    who : str
    value : float
        In [0, 1], averaged over the groups that the items are in, each by its items.
    figure : str
        "accuracy", or "precision" where only that is published.
    same : bool
        Whether the run asked all that the figure is published for, as far as is known.
    asked : str
        How many questions people were asked, where it was another number.
    """

    who: str
    value: float
    figure: str
    same: bool
    asked: str = ""


class SkillPart(msgspec.Struct, frozen=True):
    """The items of a skill that are of one benchmark.

    Attributes
    ----------
    benchmark : str
        As the suite calls it.
    items, answers : int
        An item may have been answered several times, in several ways.
    figure : Ends or None
        Share of right answers; of `scored` parts a mean score.
    floor : float or None
    people : list of SkillPeople
    degrees : int
        Items that have no right or wrong answer and are in no share; the benchmark's own tables
        hold them.
    scored : str
        What is scored and by whom, where it is no share of right answers.
    """

    benchmark: str
    items: int = 0
    figure: Ends | None = None
    floor: float | None = None
    people: list[SkillPeople] = []
    degrees: int = 0
    scored: str = ""
    answers: int = 0


class SkillLine(msgspec.Struct, frozen=True):
    """A skill: what its items give together, and its parts.

    `missing` names the benchmarks that would show it and are not there; `sense` is how its items
    were given.
    """

    skill: Skill
    title: str
    items: int
    clusters: int
    figure: Ends | None
    floor: float | None
    parts: list[SkillPart]
    missing: list[str] = []
    sense: Sense = "heard"
    answers: int = 0


class Card(msgspec.Struct):
    """The report card of one model.

    Attributes
    ----------
    name : str
    lines : list of SkillLine
    get : dict of str to str
        By missing benchmark, what to get.
    scores : dict
        The items by skill, for comparisons.
    kind : RunKind
        Who answered.
    """

    name: str
    lines: list[SkillLine]
    get: dict[str, str] = {}
    scores: dict[Skill, dict[Key, SkillItem]] = {}
    kind: RunKind = "model"


class SkillItem(msgspec.Struct):
    """An item: its mean score, its floor, what makes it depend on others, whether it was heard."""

    value: float
    answered: float
    floor: float | None
    cluster: Key | None
    heard: bool = False
    answers: int = 1


def sense_of(items: Iterable[SkillItem]) -> Sense:
    """Return how items were given: all heard (or there are none), all in writing, or both."""
    heard = {item.heard for item in items}
    return "both" if len(heard) > 1 else "read" if heard == {False} else "heard"


def skill_name(skill: str, sense: Sense = "heard") -> Said:
    """A skill for people; of hearing only as far as its items were heard."""
    return said("suite-skill-name", skill=skill, sense=sense)


class _AskedItem:
    """Answers to an item, by condition."""

    def __init__(self, cluster: Key | None) -> None:
        self.cluster = cluster
        self.cells: dict[str, list[tuple[float, float]]] = {}
        self.floors: list[float | None] = []
        self.groups: set[tuple[str, str]] = set()
        self.heard = False

    def scored(self) -> SkillItem:
        """The item's answers averaged within condition, then over conditions."""
        right, answered = (
            fmean(fmean(one[place] for one in cell) for cell in self.cells.values())
            for place in (0, 1)
        )
        known_ = [floor for floor in self.floors if floor is not None]
        floor = fmean(known_) if len(known_) == len(self.floors) else None
        answers = sum(map(len, self.cells.values()))
        return SkillItem(right, answered, floor, self.cluster, self.heard, answers)


def read_card(
    name: str,
    runs: Iterable[tuple[str, Path]],
    missing: Iterable[tuple[str, type[Benchmark[Any]], str]] = (),
) -> Card:
    """The report card of one model.

    Parameters
    ----------
    name : str
        What the model is called.
    runs : iterable of (str, Path)
        What the benchmark is called, and the run.
    missing : iterable of (str, type of Benchmark, str)
        Benchmarks that could not be asked, and what to get.
    """
    asked: dict[Skill, dict[Key, _AskedItem]] = {skill: {} for skill in SKILLS}
    degrees: Counter[tuple[Skill, str]] = Counter()
    answered_by: RunKind = "model"
    runs_of: dict[str, list[tuple[Path, type[Benchmark[Any]]]]] = {}
    written: dict[Skill, list[SkillPart]] = {}
    for entry, folder in runs:
        manifest = read_manifest(folder)
        kind = known(manifest)
        answered_by = kind_of_run(manifest)
        runs_of.setdefault(entry, []).append((folder, kind))
        for skill, item in _read(entry, manifest.benchmark, folder, kind, asked):
            degrees[skill, entry] += item
        if kind.reviews in kind.skills:
            written.setdefault(kind.skills[kind.reviews], []).extend(_written(entry, folder, kind))
    lacking = [(entry, kind, what) for entry, kind, what in missing]
    scores = {
        skill: {key: item.scored() for key, item in items.items()} for skill, items in asked.items()
    }
    lines = []
    for skill in SKILLS:
        parts = [
            _part(skill, entry, places, asked[skill], scores[skill], degrees[skill, entry])
            for entry, places in runs_of.items()
        ]
        judged = {part.benchmark for part in written.get(skill, ())}
        parts = [p for p in parts if p.items or (p.degrees and p.benchmark not in judged)]
        parts += written.get(skill, [])
        absent = [entry for entry, kind, _ in lacking if skill in kind.skills.values()]
        lines.append(_line(skill, scores[skill], parts, absent))
    get = {entry: what for entry, _, what in lacking}
    return Card(name, lines, get, scores, answered_by)


def _read(
    entry: str,
    benchmark: str,
    folder: Path,
    kind: type[Benchmark[Any]],
    asked: dict[Skill, dict[Key, _AskedItem]],
) -> Iterable[tuple[Skill, int]]:
    """Take in a run. Gives the skills of items that have no right or wrong answer."""
    graded: set[tuple[Skill, str]] = set()
    elsewhere = is_elsewhere(read_manifest(folder))
    for row in rows_of(folder).main:
        if row.state == "error":
            continue
        item = row.item
        cluster = None if row.cluster is None else (benchmark, row.cluster)
        for skill, group in kind.shows(row.groups, row.tags).items():
            if row.state == "ungraded":
                graded.add((skill, item))
                continue
            of_item = asked[skill].setdefault((benchmark, item), _AskedItem(cluster))
            of_item.heard = of_item.heard or row.heard or elsewhere
            answer = row.right, float(row.answered)
            of_item.cells.setdefault(f"{entry}/{row.condition}", []).append(answer)
            of_item.floors.append(1 / row.alternatives if row.alternatives else None)
            of_item.groups.add((entry, group))
    yield from Counter(skill for skill, _ in graded).items()


def _part(
    skill: Skill,
    entry: str,
    places: Sequence[tuple[Path, type[Benchmark[Any]]]],
    asked: Mapping[Key, _AskedItem],
    scores: Mapping[Key, SkillItem],
    degrees: int,
) -> SkillPart:
    groups: Counter[str] = Counter()
    own: dict[Key, SkillItem] = {}
    for key, item in asked.items():
        if here := [group for name, group in item.groups if name == entry]:
            own[key] = scores[key]
            groups.update(here)
    if not own:
        return SkillPart(entry, degrees=degrees)
    people = [each for folder, kind in places for each in _people(folder, kind, groups)]
    floor, answers = _floor(own.values()), sum(item.answers for item in own.values())
    return SkillPart(entry, len(own), _figure(own)[0], floor, people, degrees, answers=answers)


def _figure(scores: Mapping[Key, SkillItem]) -> tuple[Ends | None, int]:
    """The share of right answers with its interval, and the clusters."""
    if not scores:
        return None, 0
    places: dict[object, int] = {}
    clusters = [
        places.setdefault((item.cluster,) if item.cluster else key, len(places))
        for key, item in scores.items()
    ]
    ends = interval([item.value for item in scores.values()], clusters)
    return Ends(*ends.ends), len(places)


def _floor(scores: Iterable[SkillItem]) -> float | None:
    floors = [item.floor for item in scores]
    known_ = [floor for floor in floors if floor is not None]
    return fmean(known_) if known_ and len(known_) == len(floors) else None


def _people(
    folder: Path, kind: type[Benchmark[Any]], groups: Mapping[str, int]
) -> list[SkillPeople]:
    """List published figures of people, for all groups that the items are in."""
    from zhiyin.analysis.coverage import coverage_of

    reference: Reference | None = kind.published_beside(folder)
    if reference is None or "human" not in reference.kinds.values():
        return []
    coverage = coverage_of(folder)
    same = all(coverage.whole(group) for group in groups)
    people = []
    for who, row in reference.rows.items():
        if reference.kinds.get(who) != "human" or not groups.keys() <= row.keys():
            continue
        figure = next((f for f in _PEOPLE if all(f in row[group] for group in groups)), None)
        if figure:
            total = sum(row[group][figure] * times for group, times in groups.items())
            value, asked = total / sum(groups.values()), reference.of(who).asked.get(ITEMS, "")
            people.append(SkillPeople(who, value, figure, same and not asked, asked))
    return people


def _written(entry: str, folder: Path, kind: type[Benchmark[Any]]) -> list[SkillPart]:
    """The judged parts of what was written, a line each; none where nobody judged."""
    rows = rows_of(folder)
    parts = []
    for part in (part for total in kind.totals(folder) for part in total.parts if part.by):
        if (own := estimate(rows, part)).ends is not None:
            judged = naming(said("suite-scored", name=part.name, by=part.by))
            parts.append(SkillPart(entry, own.items, Ends(*own.ends), None, [], 0, judged))
    return parts


def _line(
    skill: Skill, scores: Mapping[Key, SkillItem], parts: list[SkillPart], missing: list[str]
) -> SkillLine:
    figure, clusters = _figure(scores)
    floor = _floor(scores.values())
    sense = sense_of(scores.values())
    title = str(skill_name(skill, sense))
    answers = sum(item.answers for item in scores.values())
    return SkillLine(
        skill, title, len(scores), clusters, figure, floor, parts, missing, sense, answers
    )


class Ranked(msgspec.Struct, frozen=True):
    """A model in the order of a skill; models that share a letter do not differ significantly.

    What is there `for_scale` (a baseline; the listener beside models) is never best at anything.
    `low` and `high` are the ends of its 95 % interval.
    """

    name: str
    value: float
    letters: str
    for_scale: bool = False
    low: float | None = None
    high: float | None = None


class SkillOrder(msgspec.Struct, frozen=True):
    """Ranking of models at a skill, on the items that all of them judged, best first.

    Attributes
    ----------
    skill, title : str
    items, clusters : int
    ranked : list of Ranked
    tests : int
        How many tests Holm's adjustment is over, all skills together.
    sense : {"heard", "read", "both"}
        How the items were given.
    """

    skill: Skill
    title: str
    items: int
    clusters: int
    ranked: list[Ranked]
    tests: int
    sense: Sense = "heard"

    @property
    def best(self) -> Ranked:
        """The model with the highest figure; a baseline where there are baselines alone."""
        return next((one for one in self.ranked if not one.for_scale), self.ranked[0])

    @property
    def models(self) -> int:
        """How many of those in it may be best: models, and people."""
        return sum(not one.for_scale for one in self.ranked)

    @property
    def alike(self) -> list[str]:
        """The models that do not differ significantly from the one with the highest figure."""
        return self._beside(for_scale=False, alike=True)

    @property
    def above(self) -> list[str]:
        """Names of those there for scale that are significantly better than every model."""
        before = [one.name for one in self.ranked[: self.ranked.index(self.best)]]
        return [name for name in self._beside(for_scale=True, alike=False) if name in before]

    def _beside(self, *, for_scale: bool, alike: bool) -> list[str]:
        best, letters = self.best, set(self.best.letters)
        return [
            one.name
            for one in self.ranked
            if one is not best
            and one.for_scale == for_scale
            and bool(letters & set(one.letters)) == alike
        ]

    @property
    def sentence(self) -> Said:
        """Sentence on which model is best, if one is, and where those there for scale stand."""
        if self.best.for_scale:
            return said("skill-baselines")
        others = self.models - 1
        first = said("skill-order", best=self.best.name, alike=self.alike, others=others)
        of_models = first if others else None
        above, level = self.above, self._beside(for_scale=True, alike=True)
        below = [name for name in self._beside(for_scale=True, alike=False) if name not in above]
        beside = [("above", above), ("level", level), ("below", below)]
        clauses = [said("skill-scale", side=side, who=who) for side, who in beside if who]
        return said("skill-for-scale", text=of_models, clauses=clauses) if clauses else first

    @property
    def ahead(self) -> str:
        """The model that is significantly better than every other run; empty for none."""
        level = self.alike or self._beside(for_scale=True, alike=True)
        return "" if level or self.above or self.best.for_scale else self.best.name


_ALPHA = 0.05
"""Level of the tests, after Holm's adjustment."""


def orders(cards: Sequence[Card]) -> list[SkillOrder]:
    """Rank the models for each skill.

    Pairs of models (see `families.pairs_to_test`) are compared on the same items, by flipping the
    signs of whole clusters; p is adjusted over all of them and all skills at once (Holm).
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
        values = [_values(card, skill, keys) for card in cards]
        clusters = _clusters(cards[0], skill, keys)
        tested = pairs_to_test([float(own.mean()) for own in values], [card.kind for card in cards])
        tests += [
            (skill, one, other, _p(values[one] - values[other], clusters))
            for one, other in tested.pairs
        ]
    adjusted = holm([p for *_, p in tests]).tolist() if tests else []
    tables = {skill: np.ones((len(cards), len(cards))) for skill in shared}
    for (skill, one, other, _), p in zip(tests, adjusted, strict=True):
        tables[skill][one, other] = tables[skill][other, one] = p
    return [_order(skill, keys, cards, tables[skill], len(tests)) for skill, keys in shared.items()]


def paired_on(one: Card, other: Card, skill: Skill, level: float = 0.95) -> Difference | None:
    """The mean difference of two models on the items of a skill that both judged."""
    first, second = one.scores.get(skill, {}), other.scores.get(skill, {})
    keys = [key for key in first if key in second]
    if not keys:
        return None
    first_values, second_values = (_values(card, skill, keys) for card in (one, other))
    return paired_difference(first_values, second_values, _clusters(one, skill, keys), level)


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
    skill: Skill, keys: Sequence[Key], cards: Sequence[Card], table: Floats, tests: int
) -> SkillOrder:
    means = [float(_values(card, skill, keys).mean()) for card in cards]
    spoken_of = contenders({card.kind for card in cards}) - {"baseline"}
    sense = sense_of(card.scores[skill][key] for card in cards for key in keys)
    rows = []
    for r in rank(means, table, _ALPHA).rows:
        card = cards[r.index]
        name = card.name.removesuffix(MARK) if sense == "read" else card.name  # nothing was heard
        ends, _ = _figure({key: card.scores[skill][key] for key in keys})
        low, high = (ends.low, ends.high) if ends else (None, None)
        rows.append(Ranked(name, r.mean, r.letters, card.kind not in spoken_of, low, high))
    clusters = len(set(_clusters(cards[0], skill, keys)))
    title = str(skill_name(skill, sense))
    return SkillOrder(skill, title, len(keys), clusters, rows, tests, sense)
