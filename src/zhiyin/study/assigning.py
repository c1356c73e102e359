"""Who is given what next: the least answered item first, each group in proportion."""

from __future__ import annotations

import hashlib
import random
import sys
import time
from collections import Counter
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from zhiyin.study.items import Item
from zhiyin.study.standing import Standing
from zhiyin.study.store import Store
from zhiyin.study.tables import PEOPLE, PLACES

_PSEUDONYM = sa.select(PEOPLE.c.pseudonym).where(PEOPLE.c.id == sa.bindparam("of"))
COUNTED = ("plain", "gold")
"""Roles of the items that are drawn."""


_OPEN = (
    sa.select(PLACES)
    .where(PLACES.c.person == sa.bindparam("of"), PLACES.c.done.is_(False))
    .order_by(PLACES.c.position)
    .limit(1)
)


def open_place(connection: Connection, person: int) -> Any:
    """The place that a person was given and has not answered; None where there is none."""
    return connection.execute(_OPEN, {"of": person}).first()


def next_place(store: Store, connection: Connection, person: int) -> Any:
    """The place where a person is: the one not answered yet, or a new one; None at the end.

    Parameters
    ----------
    store : Store
    connection : Connection
        In a transaction that writes.
    person : int

    Returns
    -------
    row of `places` or None
    """
    place = open_place(connection, person)
    if place is not None:
        return place
    standing = store.standing(connection)
    history = standing.history(person)
    pseudonym = str(connection.execute(_PSEUDONYM, {"of": person}).scalar_one())
    item = _drawn(store, standing, person, pseudonym)
    if item is None:
        return None
    now = time.time()
    values = {
        "person": person, "item": item.id, "position": len(history) + 1, "given": now,
        "done": False, "order": order_of(store, pseudonym, item),
    }  # fmt: skip
    connection.execute(PLACES.insert(), values)
    standing.drew(person, item.id, now)
    return open_place(connection, person)


def how_many(store: Store) -> int:
    """How many drawn items one person is given at most."""
    every = sum(item.role in COUNTED for item in store.items.values())
    return min(every, store.study.per_person or every)


def order_of(store: Store, pseudonym: str, item: Item) -> list[str]:
    """The keys of an item in the order in which a person sees them."""
    keys = list(item.shown)
    if not store.study.shuffle and item.form not in ("slots", "pair"):
        return keys
    return sorted(keys, key=lambda key: _chance(store, pseudonym, item.id, key))


def _chance(store: Store, *words: str) -> str:
    """A draw that the study's seed and these words decide for good."""
    data = "\0".join((str(store.study.seed), *words)).encode("utf-8", "replace")
    return hashlib.sha256(data).hexdigest()


def _drawn(store: Store, standing: Standing, person: int, pseudonym: str) -> Item | None:
    history = standing.history(person)
    for item in store.of_role["practice"]:
        if item.id not in history:
            return item
    done = sum(store.items[name].role in COUNTED for name in history if name in store.items)
    checks = store.of_role["attention"]
    wanted = how_many(store)
    met = sum(item.id in history for item in checks)
    # Attention questions stand evenly among the others, never first.
    if met < len(checks) and done >= max(1, round((met + 1) * wanted / (len(checks) + 1))):
        return next(item for item in checks if item.id not in history)
    if done >= wanted:
        return None
    counted = [item for role in COUNTED for item in store.of_role[role] if item.id not in history]
    if wanted == sum(len(store.of_role[role]) for role in COUNTED) and not _closes(store):
        return min(counted, key=lambda item: _chance(store, pseudonym, item.id), default=None)
    closed, of_group = standing.closed(), Counter(store.items[name].group for name in history)
    given = standing.given
    tied: list[Item] = []
    fewest = (sys.maxsize, 0)
    for item in counted:
        rank = (given[item.id], of_group[item.group])
        if rank <= fewest and item.id not in closed:
            if rank < fewest:
                fewest, tied = rank, []
            tied.append(item)
    # One draw a place: hundreds of items would cost more time than all else.
    draw = random.Random(_chance(store, pseudonym, str(len(history))))
    return draw.choice(tied) if tied else None


def _closes(store: Store) -> bool:
    notes = store.study.annotations
    return notes.most is not None or notes.stop_when_agreed
