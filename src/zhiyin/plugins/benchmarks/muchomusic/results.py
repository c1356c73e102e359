"""Sections of `zhiyin show` for a run, its figures, and the test of attention."""

from __future__ import annotations

import statistics
from pathlib import Path

import numpy as np
from msgspec import structs

from zhiyin.contract.conditions import (
    AUDIO,
    Attention,
    attention,
    attention_section,
    condition_sections,
)
from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import ALL
from zhiyin.plugins.benchmarks.by_rules import sections_by_rules
from zhiyin.plugins.benchmarks.muchomusic.questions import KNOWLEDGE, REASONING, slug
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import ACCURACY, IFR
from zhiyin.runs.rows import Rows
from zhiyin.words import said

RULES = {"robust": "robust", "muchomusic": "paper", "muchomusic-code": "code"}
"""Our rule of reading answers, the paper's, and what the published code does; how columns are
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
    tables = [_groups_section(_groups(settled)), *sections_by_rules(rows, RULES)]
    return [*tables, *condition_sections(rows, manifest)]


def _groups(rows: Rows) -> dict[str, Rows]:
    """The groups that are shown, in their order; "all" is over the main way of asking."""
    names = filter(_is_shown, rows.by_group())
    return {name: rows.within(name) for name in sorted(names, key=_place)}


def _is_shown(group: str) -> bool:
    """Tell whether a group is shown: of several conditions, the categories only, to be short."""
    parts = group.split("/")
    own = [part for part in parts if "=" not in part]
    return len(own) == len(parts) or own in ([], ["knowledge"], ["reasoning"])


def _place(group: str) -> list[tuple[int, str]]:
    """Sort key of a group in a table: conditions and dimensions in the paper's order."""
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
        own, ifr = (estimate(members, measure) for measure in (ACCURACY, IFR))
        figures = (100 * each for each in own.ends or ())
        tracks = len(np.unique(members.clusters))
        rows.append([group, len(members), tracks, *figures, ifr.value and 100 * ifr.value, *spread])
    columns = heads("group-share", "n", "tracks", "acc", "low", "high", "IFR", "SD", "min", "max")
    notes = [said("muchomusic-intervals-note")]
    return Section(said("muchomusic-intervals"), columns, rows, notes)


def _by_repeat(rows: Rows) -> list[Rows]:
    repeats = rows.by(int(row.tags.get("repeat") or 1) for row in rows)
    return [repeats[number] for number in sorted(repeats)]


# `zhiyin attention RUN`: does the model answer worse when it does not hear the music?


def execute(run: Path, *, alpha: float = 0.05) -> Attention:
    """The test of a run, whether its model passes or fails.

    Parameters
    ----------
    run : RUN
        with --audio true,noise
    alpha : P
        level of significance
    """
    return attention(run, alpha)


def show(tested: Attention) -> list[Section]:
    """The contrasts under the name of the model."""
    section = attention_section(tested)
    return [structs.replace(section, title=f"{tested.model}, %")]
