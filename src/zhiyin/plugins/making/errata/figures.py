"""Figures of runs on all items, and without the flawed ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import msgspec

from zhiyin.analysis.run import kind_of_run
from zhiyin.contract.declared import Cell, Section
from zhiyin.contract.registry import known
from zhiyin.engine.log import read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.files import Place
from zhiyin.plugins.making.errata.finding import Errata, ErratumLine
from zhiyin.record import Record
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import Estimate, Measure
from zhiyin.runs.rows import Rows, read_table
from zhiyin.shown.table import Kind
from zhiyin.trial import right_keys
from zhiyin.words import Said, Text, said


class WithoutErrata(msgspec.Struct, frozen=True):
    """A run's headline figure on all its items, and without the flawed ones.

    Attributes
    ----------
    run : str
    group, figure : str
        Which: "all" or another group, and "accuracy", "f1", "score:NAME" of it.
    all, without : Estimate
    left_out : dict of str to int
        Items of this run left out, by rule; an item found by two rules counts under both.
    baseline : bool
        Whether it is a run of a rule that sees and hears nothing: it has no place among models.
    other_version : int
        Errata of items whose question or key is another in this run: these items stay.
    """

    run: str
    group: str
    figure: str
    all: Estimate
    without: Estimate
    left_out: dict[str, int]
    other_version: int
    baseline: bool = False

    @property
    def change(self) -> float:
        """Change of the figure, as a share."""
        return (self.without.value or 0.0) - (self.all.value or 0.0)


class _Flawed(NamedTuple):
    items: set[str]
    lines: list[ErratumLine]
    other_version: int


def without_errata(
    folder: Place, errata: Errata, rules: Collection[str] = ()
) -> list[WithoutErrata]:
    """A run's headline figure with and without the items that errata name, and that of the whole.

    Raises
    ------
    InputError
        The run is of another benchmark, or no item would be left.
    """
    manifest = read_manifest(folder)
    if manifest.benchmark != errata.head.benchmark:
        raise InputError(
            f"{folder}: a run of {manifest.benchmark}, and these errata are of "
            f"{errata.head.benchmark}"
        )
    headline = known(manifest).measures[0]
    table = read_table(folder)
    every = Rows(table, table.rows)
    groups = dict.fromkeys((headline.group, ALL))
    blind = kind_of_run(manifest) == "baseline"
    found = (_of_group(folder, every, group, headline, errata.flawed(rules)) for group in groups)
    return [msgspec.structs.replace(one, baseline=blind) for one in found]


def _of_group(
    folder: Place, every: Rows, group: str, measure: Measure, listed: dict[str, list[ErratumLine]]
) -> WithoutErrata:
    rows = every.within(group).judged
    if not len(rows):
        raise InputError(f"{folder}: no trial of {group} has been judged: there is no figure")
    table = rows.table
    names = table.names
    own = [names[number].item for number in rows.numbers.tolist()]
    suspects = rows.where([item in listed for item in own])
    flawed = _checked(suspects, listed)
    kept = rows.where([item not in flawed.items for item in own])
    if not len(kept):
        raise InputError(f"{folder}: without the flawed items none is left")
    left_out: dict[str, set[str]] = {}
    for line in flawed.lines:
        left_out.setdefault(line.rule, set()).add(line.item)
    return WithoutErrata(
        run=str(folder),
        group=group,
        figure=measure.name,
        all=_shown(rows, measure),
        without=_shown(kept, measure),
        left_out={rule: len(items) for rule, items in left_out.items()},
        other_version=flawed.other_version,
    )


def _checked(suspects: Rows, listed: dict[str, list[ErratumLine]]) -> _Flawed:
    """The items whose question and key are those that the errata are about."""
    names = suspects.table.names
    items: set[str] = set()
    others: set[str] = set()
    for number, record in zip(suspects.numbers.tolist(), suspects.records(), strict=True):
        item = names[number].item
        (items if _same(record, listed[item][0]) else others).add(item)
    others -= items
    lines = [line for item, own in listed.items() if item in items for line in own]
    return _Flawed(items, lines, sum(len(listed[item]) for item in others))


def _same(record: Record, line: ErratumLine) -> bool:
    trial = record.trial
    keyed = [option.text for option in trial.options if option.key in right_keys(trial)]
    keyed = keyed or [trial.target or ""]
    stem = trial.stem or (trial.messages[-1].text if trial.messages else "")
    return line.witness.get("question") == stem and line.witness.get("key") in keyed


def _shown(rows: Rows, measure: Measure) -> Estimate:
    own = estimate(rows, measure)
    if own.ends is None:
        raise InputError(f"no {measure.name}: no trial has it")
    return own


def errata_sections(found: Sequence[WithoutErrata], names: Sequence[str]) -> list[Section]:
    """A table for each group, with a row for each run.

    Where there are several, each has its place among them before and after; baselines have none.
    """
    groups = dict.fromkeys(one.group for one in found)
    pairs = [*zip(found, names, strict=True)]
    return [_section([pair for pair in pairs if pair[0].group == group]) for group in groups]


def _section(pairs: Sequence[tuple[WithoutErrata, str]]) -> Section:
    found = [one for one, _ in pairs]
    heads: list[Text] = [
        said("errata-run"), said("errata-n"), said("errata-all"), said("errata-n-without"),
        said("errata-without"), said("errata-change"),
    ]  # fmt: skip
    kinds: list[Kind] = ["text", "count", "share", "count", "share", "points"]
    rows: list[list[Cell]] = [
        [
            name, one.all.items, one.all.ends, one.without.items, one.without.ends, one.change,
        ]
        for one, name in pairs
    ]  # fmt: skip
    ranked = [one for one in found if not one.baseline]
    if len(ranked) > 1:
        heads, kinds = [*heads, said("errata-place")], [*kinds, "text"]
        for row, one in zip(rows, found, strict=True):
            first = _place(one.all, [other.all for other in ranked])
            then = _place(one.without, [other.without for other in ranked])
            row.append(None if one.baseline else f"{first} → {then}")
    figure = found[0].figure
    named = said("score-name", name=figure, plain=figure)
    title = said("errata-table", group=found[0].group, figure=named)
    return Section(title, heads, rows, _notes(found), kinds=kinds)


def errata_words(one: WithoutErrata, who: str = "") -> Said | None:
    """A run's figure without its flawed items, in a line; None where it has none."""
    if one.all.items == one.without.items:
        return None
    return said(
        "errata-change-of",
        who=who or None,
        n=one.all.items - one.without.items,
        without=one.without.value,
        all=one.all.value,
    )


def _place(own: Estimate, others: Sequence[Estimate]) -> int:
    sign = -1 if own.measure.lower_is_better else 1
    return 1 + sum(sign * ((other.value or 0.0) - (own.value or 0.0)) > 0 for other in others)


def _notes(found: Sequence[WithoutErrata]) -> list[Said]:
    rules: dict[str, int] = {}
    for one in found:
        for rule, n in one.left_out.items():
            rules[rule] = max(n, rules.get(rule, 0))
    counts = [said("cli-count-of", n=n, kind=rule) for rule, n in rules.items()]
    notes = [said("errata-left-out", rules=counts)]
    if others := max(one.other_version for one in found):
        notes.append(said("errata-other-version", n=others))
    return notes
