"""What `zhiyin show` adds to a run: intervals by track, reading rules, distractors, attention."""

from __future__ import annotations

import statistics

import numpy as np
from msgspec import structs

from zhiyin.analysis.readings import verdict_by
from zhiyin.benchmarks.muchomusic.questions import KNOWLEDGE, REASONING, slug
from zhiyin.contract.conditions import AUDIO, condition_sections
from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import ALL
from zhiyin.runs.rows import Rows, rows_from
from zhiyin.words import Text, said

RULES = {"muchomusic": "paper", "muchomusic-code": "code", "robust": "robust"}
"""The paper's rule of reading answers, what the published code does, and ours; how columns are
headed."""

_IN_ORDER = (
    ALL,
    *(f"audio={name}" for name in AUDIO),
    *("knowledge", *map(slug, KNOWLEDGE), "reasoning", *map(slug, REASONING), "genre", "source"),
)


def sections(rows: Rows, manifest: Manifest) -> list[Section]:
    """The further tables of a run; none where nothing has been judged yet."""
    settled = rows.settled
    if not settled:
        return []
    records = list(settled.records())
    by_rule = {
        rule: _groups(rows_from(structs.replace(r, verdict=verdict_by(rule, r)) for r in records))
        for rule in RULES
    }
    further = condition_sections(rows, manifest)
    return [_groups_section(_groups(settled)), _rules_section(by_rule), *further]


def _groups(rows: Rows) -> dict[str, Rows]:
    """The groups that are shown, in their order; "all" is over the main way of asking."""
    names = filter(_is_shown, rows.by_group())
    return {name: rows.within(name) for name in sorted(names, key=_place)}


def _is_shown(group: str) -> bool:
    """Every group of a single condition; of several, the categories only: the table is long."""
    parts = group.split("/")
    own = [part for part in parts if "=" not in part]
    return len(own) == len(parts) or own in ([], ["knowledge"], ["reasoning"])


def _place(group: str) -> list[tuple[int, str]]:
    """Where a group stands in a table: conditions and dimensions in the paper's order."""
    places = {name: number for number, name in enumerate(_IN_ORDER)}
    return [(places.get(part, len(places)), part) for part in group.split("/")]


def _groups_section(groups: dict[str, Rows]) -> Section:
    """Accuracy of each group with its interval, and how it varies from repeat to repeat."""
    rows: list[list[Cell]] = []
    for group, members in groups.items():
        repeats = [statistics.fmean(each.right.tolist()) for each in _by_repeat(members)]
        spread: list[Cell] = [None, None, None]
        if len(repeats) > 1:
            spread = [100 * f(repeats) for f in (statistics.stdev, min, max)]
        interval, ifr = members.interval(), members.by_item().value("ifr")
        figures = (100 * each for each in (interval.mean, interval.low, interval.high))
        tracks = len(np.unique(members.clusters))
        rows.append([group, len(members), tracks, *figures, ifr and 100 * ifr, *spread])
    columns = heads("group-share", "n", "tracks", "acc", "low", "high", "IFR", "SD", "min", "max")
    notes = [said("muchomusic-intervals-note")]
    return Section(said("muchomusic-intervals"), columns, rows, notes)


def _by_repeat(rows: Rows) -> list[Rows]:
    repeats = rows.by(int(row.tags.get("repeat") or 1) for row in rows)
    return [repeats[number] for number in sorted(repeats)]


def _rules_section(by_rule: dict[str, dict[str, Rows]]) -> Section:
    """Accuracy and instruction-following rate under each reading rule, side by side."""
    rows: list[list[Cell]] = []
    for group, members in by_rule["robust"].items():
        row: list[Cell] = [group, len(members.judged)]
        for groups in by_rule.values():
            items = groups[group].by_item()
            row += [100 * (items.value("accuracy") or 0.0), 100 * (items.value("ifr") or 0.0)]
        rows.append(row)
    columns: list[Text] = [*heads("group-share", "n")]
    for name in RULES.values():
        columns += [name, said("muchomusic-ifr", rule=name)]
    return Section(said("muchomusic-rules"), columns, rows, [said("muchomusic-rules-note")])
