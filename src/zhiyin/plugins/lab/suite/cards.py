"""Report cards of a suite: its models, skill by skill, as facts and as tables."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.contract.registry import known
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import marked
from zhiyin.errors import InputError
from zhiyin.plugins.lab.suite.folder import SuiteState, answered
from zhiyin.plugins.lab.suite.matrix import SuiteFinding, gathered, under, verdict
from zhiyin.plugins.methods.skills import Card, SkillLine, SkillOrder, orders, read_card, skill_name
from zhiyin.shown.table import FEW, Cell, Column, Row, Table
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.plugins.methods.skills import Ends, SkillPart, SkillPeople


class WrittenCard(msgspec.Struct, frozen=True):
    """A report card as it is written."""

    model: str
    lines: list[SkillLine]
    get: dict[str, str]


class Cards(msgspec.Struct, frozen=True):
    """The report cards of one condition, and which model for which skill."""

    condition: str
    cards: list[WrittenCard]
    orders: list[SkillOrder]


def all_cards(folder: Path, state: SuiteState) -> list[Cards]:
    """The report cards of a suite: by condition, of each model."""
    by_condition = []
    for condition in dict.fromkeys(run.condition for run in state.runs):
        models = dict.fromkeys(run.model for run in state.runs if run.condition == condition)
        cards = [_card(folder, state, model, condition) for model in models]
        written = [WrittenCard(card.name, card.lines, card.get) for card in cards]
        by_condition.append(Cards(condition, written, orders(cards)))
    return by_condition


def _card(folder: Path, state: SuiteState, model: str, condition: str) -> Card:
    own = [run for run in state.runs if (run.model, run.condition) == (model, condition)]
    there = {place: run for place, run in answered(folder, state).items() if run in own}
    missing: list[tuple[str, Any, str]] = []
    for run in own:
        if run not in there.values():
            with contextlib.suppress(InputError):  # a file of questions: it names no skills
                why = run.told or str(said("log-not-asked-yet"))
                missing.append((run.benchmark, known(run.asked), why))
    name = max((marked(model, read_manifest(place)) for place in there), key=len, default=model)
    return read_card(name, [(run.benchmark, place) for place, run in there.items()], missing)


def skill_findings(cards: Sequence[Cards]) -> list[SuiteFinding]:
    """Which model is best at which skills, and at which none is, where there are several models.

    Of a skill with fewer than `FEW` items nothing is said, as its cell is grey.
    """
    told: list[SuiteFinding] = []
    for each in cards:
        condition = each.condition if len(cards) > 1 else ""
        orders = [one for one in each.orders if one.items >= FEW and one.models > 1]
        found = [
            SuiteFinding("skills", condition, one.ahead, [skill_name(one.skill, one.sense)],
                    under(one.ahead, condition), "best" if one.ahead else "level")
            for one in orders
        ]  # fmt: skip
        asked = {line.skill for card in each.cards for line in card.lines if line.figure}
        told += gathered(found, len(asked))
    return told


def unplaced(state: SuiteState, cards: Sequence[Cards]) -> list[str]:
    """The benchmarks that were asked and are in no skill."""
    lines = (line for each in cards for card in each.cards for line in card.lines)
    placed = {part.benchmark for line in lines for part in line.parts}
    asked = dict.fromkeys(run.benchmark for run in state.runs if run.state == "done")
    return [name for name in asked if name not in placed] if cards else []


def unasked(card: WrittenCard) -> list[Said]:
    """The skills of which nothing was asked, and of which nothing that should be is missing."""
    return [skill_name(line.skill) for line in card.lines if not (line.parts or line.missing)]


def card_table(card: WrittenCard, condition: str = "") -> Table | None:
    """A card: the skills, and the parts of each; None where nothing was answered."""
    rows: list[Row] = []
    for line in card.lines:
        if not (line.parts or line.missing):
            continue
        floor = line.floor if line.items else ""
        name, items = skill_name(line.skill, line.sense), _items(line) if line.parts else ""
        cells = (name, items, *_figure(line.figure), floor, "")
        rows.append(Row(cells, weight=1, mark="strong"))
        rows += [Row(_part(part), level=1) for part in line.parts]
        missing = said("suite-missing")
        rows += [Row((name, missing, "", "", "", ""), level=1) for name in line.missing]
    columns = (
        Column(said("suite-skill-and-parts")),
        Column(said("suite-items"), "count"),
        Column(said("suite-right"), "share"),
        Column(said("suite-interval"), "share"),
        Column(said("suite-floor"), "share"),
        Column(said("suite-people")),
    )
    kept = [n for n in range(len(columns)) if any(row.cells[n] not in ("", None) for row in rows)]
    title = said("suite-card", model=card.model, condition=condition or None)
    rows = [Row(tuple(row.cells[n] for n in kept), row.level, row.weight, row.mark) for row in rows]
    people = (one for line in card.lines for part in line.parts for one in part.people)
    others = [one for one in people if not one.same]
    asked = dict.fromkeys(one.asked for one in others if one.asked)
    notes = (said("suite-whole", asked=[*asked]),) if others else ()
    heads = tuple(columns[n] for n in kept)
    told = any(line.parts for line in card.lines)
    return Table("card", title, heads, tuple(rows), notes) if told else None


def _part(part: SkillPart) -> tuple[Cell, ...]:
    degrees = not part.items
    name = said("suite-part", name=part.benchmark, scored=part.scored or None, by_degrees=degrees)
    if degrees:
        return (name, part.degrees, None, "", "", "")
    people = said("suite-people-are", people=[_person(one) for one in part.people])
    figure = *_figure(part.figure), part.floor
    return (name, _items(part), *figure, people if part.people else "")


def _items(of: SkillLine | SkillPart) -> Cell:
    """The items of a share, and their answers where these are more."""
    several = of.answers > of.items
    return said("suite-answers", items=of.items, answers=of.answers) if several else of.items


def _person(one: SkillPeople) -> Said:
    precision = one.figure == "precision"
    return said("suite-person", who=one.who, share=one.value, precision=precision, same=one.same)


def _figure(figure: Ends | None) -> tuple[Cell, Cell]:
    return (None, "") if figure is None else (figure.value, (figure.low, figure.high))


def orders_table(orders: Sequence[SkillOrder], condition: str = "") -> Table | None:
    """The models by skill, best first; None where there is one model alone."""
    if not orders:
        return None
    columns = (
        Column(said("suite-skill")),
        Column(said("suite-items"), "count"),
        Column(said("suite-right-best-first")),
        Column(said("suite-significant")),
    )
    rows = tuple(
        Row((skill_name(o.skill, o.sense), o.items, _ranked(o), verdict(o))) for o in orders
    )
    title = said("suite-which-model", condition=condition or None)
    notes = [said("suite-letters")]
    notes += [said("suite-few", few=FEW)] if any(o.items < FEW for o in orders) else []
    return Table("orders", title, columns, rows, tuple(notes))


def _ranked(order: SkillOrder) -> Said:
    return said(
        "suite-ranked",
        models=[
            said("suite-model", name=one.name, value=one.value, letters=one.letters,
                 few=order.items < FEW)
            for one in order.ranked
        ],
    )  # fmt: skip
