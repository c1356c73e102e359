"""Whose answers are set aside, by the rules of the study file and no others."""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from zhiyin.study.items import Item
from zhiyin.study.tables import ANSWERS, PEOPLE, PLACES

if TYPE_CHECKING:
    from zhiyin.study.store import Store

Row = Any


class Given(NamedTuple):
    """An answer with its item and the order in which keys were shown; `flag` is one of `FLAGS`."""

    item: Item
    keys: list[str]
    order: list[str]
    active_ms: int
    flag: str


def is_right(item: Item, keys: list[str], flag: str = "") -> bool:
    """Whether exactly the expected keys were chosen."""
    return not flag and sorted(keys) == sorted(item.expected)


def excluded_people(
    store: Store, connection: Connection, only: int | None = None, *, drawing: bool = False
) -> dict[int, list[str]]:
    """Who is excluded, by number, and by which rules.

    Parameters
    ----------
    store : Store
    connection : Connection
    only : int, optional
        Look at this person alone.
    drawing : bool
        Whether items are drawn by it. Who is under way may still do better by a rule that looks at
        all answers: their answers count for the drawing until they have come to an end.
    """
    rules = store.study.exclude
    if rules == type(rules)():
        return {}
    query = (
        sa.select(PLACES.c.person, PLACES.c.item, PLACES.c.order, ANSWERS)
        .select_from(PLACES.join(ANSWERS))
        .order_by(PLACES.c.position)
    )
    everybody = sa.select(PEOPLE)
    if only is not None:
        query, everybody = (
            query.where(PLACES.c.person == only),
            everybody.where(PEOPLE.c.id == only),
        )
    given: defaultdict[int, list[Given]] = defaultdict(list)
    for row in connection.execute(query):
        item = store.items.get(row.item)
        if item is not None and item.role != "practice":
            given[row.person].append(Given(item, row.keys, row.order, row.active_ms, row.said))
    excluded = {}
    for person in connection.execute(everybody):
        why = reasons(store, person, given[person.id], drawing=drawing)
        if why:
            excluded[person.id] = why
    return excluded


def reasons(store: Store, person: Row, given: list[Given], *, drawing: bool = False) -> list[str]:
    """The rules that exclude a person; none for a person who is kept.

    Parameters
    ----------
    store : Store
    person : row of `people`
    given : list of Given
        All answers but those to practice items.
    drawing : bool
        See `excluded_people`.
    """
    rules, broken = store.study.exclude, []
    wrong = sum(
        not is_right(one.item, one.keys, one.flag) for one in given if one.item.role == "attention"
    )
    if rules.attention_wrong is not None and wrong >= rules.attention_wrong:
        broken.append("attention_wrong")
    gold = [is_right(one.item, one.keys, one.flag) for one in given if one.item.role == "gold"]
    if rules.gold_right is not None and gold and sum(gold) / len(gold) < rules.gold_right:
        broken.append("gold_right")
    settled = bool(person.outcome) or not drawing
    times = [one.active_ms / 1000 for one in given if one.item.role != "attention"]
    slow = rules.median_seconds
    if settled and slow is not None and times and median(times) < slow:
        broken.append("median_seconds")
    places = Counter(
        one.order.index(one.keys[0])
        for one in given
        if one.item.role != "attention" and len(one.keys) == 1 and one.keys[0] in one.order
    )
    total = sum(places.values())
    share = rules.same_place
    if settled and share is not None and total and max(places.values()) / total > share:
        broken.append("same_place")
    if rules.headphones and person.checks.get("headphones_passed") is False:
        broken.append("headphones")
    if settled and rules.unfinished and person.outcome != "complete":
        broken.append("unfinished")
    return broken
