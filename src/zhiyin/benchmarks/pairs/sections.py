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
from zhiyin.contract.declared import Cell, Kind, Section
from zhiyin.runs.rows import Rows
from zhiyin.statistics.intervals import Interval, interval


def sections(rows: Rows) -> list[Section]:
    """The further tables of a run; none where no pair has been judged yet."""
    items_by_id = gather(rows)
    items = [item for item in items_by_id.values() if item.paired]
    if not items:
        return []
    return [_bases(items_by_id), _facts(items), _changes(items)]


def _bases(items_by_id: dict[str, AnsweredItem]) -> Section:
    rows: list[list[Cell]] = [[line] for line in findings(items_by_id)]
    return Section("What the answers rest on", ["finding"], rows, leads=True)


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
    notes = [
        "Moves: base and changed version both right, % of pairs; a guess gets 25, one answer to "
        "everything 0. Stays: changes that say nothing and leave the answer as it was, %.",
        "Against silence, noise: points that base and changed version are right more often than "
        "with that in the place of their sound; no answer to it counts as a guess.",
        "95 % intervals; each item is one draw.",
    ]
    head = ["fact", "pairs", "moves", "stays", *(f"against {c}" for c in CONTROLS)]
    kinds: list[Kind] = ["text", "count", "share", "share", "points", "points"]
    return Section("Pairs, by fact", head, rows, notes, kinds=kinds)


def _changes(items: Sequence[AnsweredItem]) -> Section:
    rows: list[list[Cell]] = []
    for version in ("changed", *CHANGES, *(f"{c}-base" for c in CONTROLS), "half-base"):
        values = moved(items, version)
        if values:
            words = _WORDS.get(version, version)
            rows.append([words, len(values), _with_ends(share(values)), _reason(version)])
    notes = [
        "How often the answer differs from that to the base, % of items, 95 % intervals. No answer "
        "counts as another only where silence or noise is played."
    ]
    head = ["what is changed", "items", "moves", "it"]
    return Section(
        "What moves the answer", head, rows, notes, kinds=["text", "count", "share", "text"]
    )


_WORDS = {
    "changed": "the fact",
    "silence-base": "silence in its place",
    "noise-base": "noise in its place",
    "half-base": "noise for the second",
}


def _reason(version: str) -> str:
    if version == "changed":
        return "should"
    return "should not" if version in CHANGES else "tells who listens"
