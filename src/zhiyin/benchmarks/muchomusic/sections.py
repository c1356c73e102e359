"""What `zhiyin show` adds to a run: intervals by track, reading rules, distractors, attention."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from zhiyin.benchmarks.muchomusic.dimensions import KNOWLEDGE, REASONING, slug
from zhiyin.contract.conditions import AUDIO, condition_sections
from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.contract.policies import open_policy
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import judge_choice
from zhiyin.engine.tally import ALL, counted_under
from zhiyin.record import STATES, Record, State
from zhiyin.runs.figures import Figures
from zhiyin.runs.kinds import Codes, item_of
from zhiyin.runs.lean import clusters_of, names_of
from zhiyin.runs.rows import Rows
from zhiyin.words import Text, said

RULES = {"muchomusic": "paper", "muchomusic-code": "code", "robust": "robust"}
"""The paper's rule of reading answers, what the published code does, and ours; how columns are
headed."""

_IN_ORDER = (
    ALL,
    *(f"audio={name}" for name in AUDIO),
    *("knowledge", *map(slug, KNOWLEDGE), "reasoning", *map(slug, REASONING), "genre", "source"),
)


class Answer(msgspec.Struct, frozen=True):
    """As much of a judged record as the tables need; `states` by reading rule."""

    groups: tuple[str, ...]
    item: str
    condition: str
    track: str | None
    repeat: int
    state: State
    states: dict[str, State]

    @property
    def score(self) -> float:
        return float(self.state == "correct")

    @property
    def answered(self) -> bool:
        return self.state in ("correct", "wrong")


def sections(rows: Rows, manifest: Manifest) -> list[Section]:
    """The further tables of a run; none where nothing has been judged yet.

    Raises
    ------
    InputError
        Where the folder is not a run.
    """
    settled = rows.settled
    if not settled:
        return []
    mixed = bool(settled.main)
    answers = [
        _answer(record, whole=rows.ways.is_main(record.trial.tags) or not mixed)
        for record in settled.records()
    ]
    further = condition_sections(rows, manifest)
    return [_groups_section(answers), _rules_section(answers), *further]


def _answer(record: Record, *, whole: bool) -> Answer:
    """An answer; `whole` says whether it counts under "all"."""
    states: dict[str, State] = {}
    for rule in RULES:
        policy = open_policy(rule)
        if policy.label == record.verdict.policy:
            states[rule] = record.verdict.state
        else:
            states[rule] = judge_choice(record.trial, record.exchange, policy).state
    trial, tags = record.trial, record.trial.tags
    item, condition = item_of(record.id, trial.item, trial.condition, tags)
    return Answer(
        groups=counted_under(trial.groups)[0 if whole else 1 :],
        item=item,
        condition=condition,
        track=trial.cluster,
        repeat=int(tags.get("repeat") or 1),
        state=record.verdict.state,
        states=states,
    )


def _is_shown(group: str) -> bool:
    """Every group of a single condition; of several, the categories only: the table is long."""
    parts = group.split("/")
    own = [part for part in parts if "=" not in part]
    return len(own) == len(parts) or own in ([], ["knowledge"], ["reasoning"])


def _place(group: str) -> list[tuple[int, str]]:
    """Where a group stands in a table: conditions and dimensions in the paper's order."""
    places = {name: number for number, name in enumerate(_IN_ORDER)}
    return [(places.get(part, len(places)), part) for part in group.split("/")]


def _by_group(answers: Iterable[Answer]) -> dict[str, list[Answer]]:
    groups: dict[str, list[Answer]] = {}
    for answer in answers:
        for group in filter(_is_shown, answer.groups):
            groups.setdefault(group, []).append(answer)
    return {group: groups[group] for group in sorted(groups, key=_place)}


def _groups_section(answers: Sequence[Answer]) -> Section:
    """Accuracy of each group with its interval, and how it varies from repeat to repeat."""
    rows = []
    for group, members in _by_group(answers).items():
        repeats = _repeats(members)
        spread: list[Cell] = [None, None, None]
        if len(repeats) > 1:
            spread = [100 * f(repeats) for f in (statistics.stdev, min, max)]
        tracks = len({member.track for member in members})
        rows.append([group, len(members), tracks, *_accuracy(members), *spread])
    columns = heads("group-share", "n", "tracks", "acc", "low", "high", "IFR", "SD", "min", "max")
    notes = [said("muchomusic-intervals-note")]
    return Section(said("muchomusic-intervals"), columns, rows, notes)


def _repeats(members: Sequence[Answer]) -> list[float]:
    """The accuracy of each repeat."""
    scores: dict[int, list[float]] = {}
    for member in members:
        scores.setdefault(member.repeat, []).append(member.score)
    return [statistics.fmean(scores[repeat]) for repeat in sorted(scores)]


def _accuracy(members: Sequence[Answer]) -> list[Cell]:
    """Accuracy, both ends of its interval, and instruction-following rate, in per cent."""
    from zhiyin.statistics.scores import Answers, Index

    index = Index()
    answers = Answers(index)
    for member in members:
        cell = index.number(member.item, member.condition, member.track)
        answers.add(cell, member.state == "correct", member.answered)
    items = answers.by_item()
    interval = items.interval()
    ifr = items.value("ifr")
    return [interval.mean * 100, interval.low * 100, interval.high * 100, ifr and ifr * 100]


def _figures(answers: Sequence[Answer], rule: str) -> Figures:
    """The figures of answers as a rule reads them."""
    sorts = Codes[tuple[bool, tuple[str, ...]]]()
    sort = [
        sorts[ALL in a.groups, tuple(g for g in a.groups if g != ALL and _is_shown(g))]
        for a in answers
    ]
    ways = Codes("")
    return Figures(
        sorts.names,
        sort,
        [STATES.index(answer.states[rule]) for answer in answers],
        names_of(answer.item for answer in answers),
        [ways[answer.condition] for answer in answers],
        clusters_of([answer.track for answer in answers]),
        np.zeros(len(answers)),
    )


def _rules_section(answers: Sequence[Answer]) -> Section:
    """Accuracy and instruction-following rate under each reading rule, side by side."""
    tallies = {rule: _figures(answers, rule) for rule in RULES}
    rows: list[list[Cell]] = []
    for group in sorted(_by_group(answers), key=_place):
        row: list[Cell] = [group, tallies["robust"].counts[group].judged]
        for tally in tallies.values():
            figures = tally.metrics(group)
            row += [100 * (figures.accuracy or 0.0), 100 * (figures.ifr or 0.0)]
        rows.append(row)
    columns: list[Text] = [*heads("group-share", "n")]
    for name in RULES.values():
        columns += [name, said("muchomusic-ifr", rule=name)]
    return Section(said("muchomusic-rules"), columns, rows, [said("muchomusic-rules-note")])
