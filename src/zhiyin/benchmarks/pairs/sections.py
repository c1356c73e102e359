"""What `zhiyin show` adds to a run: pairs by fact, what answers follow, what they rest on."""

from __future__ import annotations

from collections.abc import Sequence

from zhiyin.benchmarks.pairs.moving import (
    AnsweredItem,
    Effect,
    effect_of,
    findings,
    gather,
    moved,
    share,
    stay_shares,
)
from zhiyin.benchmarks.pairs.settings import CHANGES, CONTROLS, FACTS
from zhiyin.contract.declared import Cell, Kind, Section, heads
from zhiyin.runs.rows import Rows
from zhiyin.statistics.intervals import Interval, interval
from zhiyin.words import Said, said


def sections(rows: Rows) -> list[Section]:
    """The further tables of a run; none where no pair has been judged yet."""
    items_by_id = gather(rows)
    items = [item for item in items_by_id.values() if item.paired]
    if not items:
        return []
    return [_bases(items_by_id), _facts(items), _changes(items)]


def _bases(items_by_id: dict[str, AnsweredItem]) -> Section:
    rows: list[list[Cell]] = [[line] for line in findings(items_by_id)]
    return Section(said("pairs-bases"), heads("finding"), rows, leads=True)


def _with_ends(value: Interval | Effect | None) -> Cell:
    return None if value is None else (value.mean, value.low, value.high)


def _facts(items: Sequence[AnsweredItem]) -> Section:
    rows: list[list[Cell]] = []
    names = [name for name in FACTS if any(item.fact == name for item in items)]
    for name in (*names, "all") if len(names) > 1 else names:
        of_fact = [item for item in items if name in ("all", item.fact)]
        row: list[Cell] = [
            name,
            len(of_fact),
            _with_ends(share([item.both for item in of_fact])),
        ]
        stays = stay_shares(of_fact)
        row.append(_with_ends(interval(stays)) if stays else None)
        for control in CONTROLS:
            row.append(_with_ends(effect_of(of_fact, control)))
        rows.append(row)
    notes = [said("pairs-moves"), said("pairs-against-note"), said("pairs-intervals")]
    against = (said("pairs-against", control=control) for control in CONTROLS)
    head = [*heads("fact", "pairs", "moves", "stays"), *against]
    kinds: list[Kind] = ["text", "count", "share", "share", "points", "points"]
    return Section(said("pairs-facts"), head, rows, notes, kinds=kinds)


def _changes(items: Sequence[AnsweredItem]) -> Section:
    rows: list[list[Cell]] = []
    for version in ("changed", *CHANGES, *(f"{c}-base" for c in CONTROLS), "half-base"):
        values = moved(items, version)
        if values:
            words = said("pairs-version", version=version)
            rows.append([words, len(values), _with_ends(share(values)), _reason(version)])
    head = heads("what-changed", "items", "moves", "it")
    notes = [said("pairs-changes-note")]
    kinds: list[Kind] = ["text", "count", "share", "text"]
    return Section(said("pairs-changes"), head, rows, notes, kinds=kinds)


def _reason(version: str) -> Said:
    part = "changed" if version == "changed" else "change" if version in CHANGES else "control"
    return said("pairs-should", part=part)
