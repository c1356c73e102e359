"""Report cards as tables, and which model for which skill: for the terminal and the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zhiyin.shown.table import Cell, Column, Row, Table
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.analysis.skill_orders import Order
    from zhiyin.analysis.skills import Figure, Part, People
    from zhiyin.suite.results import WrittenCard


def skill_name(skill: str) -> Said:
    """A skill for people."""
    return said("suite-skill-name", skill=skill)


def unasked(card: WrittenCard) -> list[Said]:
    """The skills of which nothing was asked, and of which nothing that should be is missing."""
    return [skill_name(line.skill) for line in card.lines if not (line.parts or line.missing)]


def card_table(card: WrittenCard, condition: str = "") -> Table | None:
    """A card: the skills, and the parts of each; None where nothing was asked."""
    rows: list[Row] = []
    for line in card.lines:
        if not (line.parts or line.missing):
            continue
        floor = line.floor if line.items else ""
        cells = (skill_name(line.skill), line.items, *_figure(line.figure), floor, "")
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
    return Table("card", title, tuple(columns[n] for n in kept), tuple(rows)) if rows else None


def _part(part: Part) -> tuple[Cell, ...]:
    degrees = not part.items
    name = said("suite-part", name=part.benchmark, scored=part.scored or None, by_degrees=degrees)
    if degrees:
        return (name, part.degrees, None, "", "", "")
    people = said("suite-people-are", people=[_person(one) for one in part.people])
    return (name, part.items, *_figure(part.figure), part.floor, people if part.people else "")


def _person(one: People) -> Said:
    precision = one.figure == "precision"
    return said("suite-person", who=one.who, share=one.value, precision=precision, same=one.same)


def _figure(figure: Figure | None) -> tuple[Cell, Cell]:
    return (None, "") if figure is None else (figure.value, (figure.low, figure.high))


def orders_table(orders: Sequence[Order], condition: str = "") -> Table | None:
    """The models by skill, best first; None where there is one model alone."""
    if not orders:
        return None
    columns = (
        Column(said("suite-skill")),
        Column(said("suite-items"), "count"),
        Column(said("suite-right-best-first")),
        Column(said("suite-told-apart")),
    )
    rows = tuple(Row((skill_name(o.skill), o.items, _ranked(o), o.sentence)) for o in orders)
    title = said("suite-which-model", condition=condition or None)
    return Table("orders", title, columns, rows, (said("suite-tests", n=orders[0].tests),))


def _ranked(order: Order) -> Said:
    return said(
        "suite-ranked",
        models=[
            said("suite-model", name=one.name, value=one.value, letters=one.letters)
            for one in order.ranked
        ],
    )
