"""Who is given what next: the least answered item first, each group in proportion."""

from __future__ import annotations

import hashlib
import random
import time
from collections import Counter, defaultdict
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from zhiyin.study.items import Item
from zhiyin.study.store import Store
from zhiyin.study.tables import ANSWERS, PEOPLE, PLACES

_GONE_S = 1800
"""After so many seconds, an item that was given and not answered counts as open again."""
COUNTED = ("plain", "gold")
"""Roles of the items that are drawn."""


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
    mine = connection.execute(
        sa.select(PLACES).where(PLACES.c.person == person).order_by(PLACES.c.position)
    ).all()
    for place in mine:
        if not place.done:
            return place
    row = connection.execute(sa.select(PEOPLE).where(PEOPLE.c.id == person)).one()
    item = _drawn(store, connection, row, {place.item for place in mine})
    if item is None:
        return None
    connection.execute(
        PLACES.insert().values(
            person=person, item=item.id, position=len(mine) + 1, given=time.time(), done=False,
            order=order_of(store, row.pseudonym, item),
        )
    )  # fmt: skip
    return connection.execute(
        sa.select(PLACES).where(PLACES.c.person == person, PLACES.c.item == item.id)
    ).one()


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
    said = "\0".join((str(store.study.seed), *words)).encode("utf-8", "replace")
    return hashlib.sha256(said).hexdigest()


def _drawn(store: Store, connection: Connection, row: Any, seen: set[str]) -> Item | None:
    practice = [i for i in store.items.values() if i.role == "practice" and i.id not in seen]
    if practice:
        return practice[0]
    done = sum(store.items[name].role in COUNTED for name in seen if name in store.items)
    checks = [i for i in store.items.values() if i.role == "attention"]
    wanted = how_many(store)
    met = sum(item.id in seen for item in checks)
    # Attention questions stand evenly among the others, never first.
    if met < len(checks) and done >= max(1, round((met + 1) * wanted / (len(checks) + 1))):
        return next(item for item in checks if item.id not in seen)
    if done >= wanted:
        return None
    left = [i for i in store.items.values() if i.role in COUNTED and i.id not in seen]
    if wanted == sum(item.role in COUNTED for item in store.items.values()) and not _closes(store):
        return min(left, key=lambda item: _chance(store, row.pseudonym, item.id), default=None)
    counts, closed = standing(store, connection)
    mine = Counter(store.items[name].group for name in seen if name in store.items)
    ranked = [((counts[i.id], mine[i.group]), i) for i in left if i.id not in closed]
    if not ranked:
        return None
    fewest = min(rank for rank, _ in ranked)
    tied = [item for rank, item in ranked if rank == fewest]
    # One draw a place: hundreds of items would cost more time than all else.
    return random.Random(_chance(store, row.pseudonym, str(len(seen)))).choice(tied)


def _closes(store: Store) -> bool:
    notes = store.study.annotations
    return notes.most is not None or notes.stop_when_agreed


def standing(store: Store, connection: Connection) -> tuple[Counter[str], set[str]]:
    """How many answers each item has or is about to have, and which items are closed.

    Answers of people who are excluded by the study's rules do not count.
    """
    notes = store.study.annotations
    out = store.excluded_lately(connection)
    open_yet = PLACES.c.done | (PLACES.c.given > time.time() - _GONE_S)
    query = (
        sa.select(PLACES.c.item, sa.func.count(), sa.func.sum(sa.cast(PLACES.c.done, sa.Integer)))
        .where(open_yet, PLACES.c.person.not_in(out))
        .group_by(PLACES.c.item)
    )
    rows = connection.execute(query).all()
    counts = Counter({item: n for item, n, _ in rows})
    closed = {item for item, n, _ in rows if notes.most is not None and n >= notes.most}
    if notes.stop_when_agreed:
        near = [item for item, _, done in rows if done >= notes.least and item not in closed]
        closed |= _agreed(connection, near, out)
    return counts, closed


def _agreed(connection: Connection, items: list[str], out: set[int]) -> set[str]:
    """Those of some items to which all answers are the same."""
    query = (
        sa.select(PLACES.c.item, ANSWERS)
        .select_from(PLACES.join(ANSWERS))
        .where(PLACES.c.item.in_(items), PLACES.c.person.not_in(out))
    )
    answers: defaultdict[str, set[str]] = defaultdict(set)
    for row in connection.execute(query):
        said = (sorted(row.keys), row.said, sorted(row.grades.items()), row.text)
        answers[row.item].add(repr(said))
    return {item for item, different in answers.items() if len(different) == 1}
