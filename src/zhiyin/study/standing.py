"""How many answers each item has or will have, kept in memory by the process that writes."""

from __future__ import annotations

import hashlib
import heapq
import time
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from zhiyin.study.exclusions import excluded_people
from zhiyin.study.tables import ANSWERS, PLACES

if TYPE_CHECKING:
    from zhiyin.study.store import Store

_GONE_S = 1800
"""After so many seconds, an item that was given and not answered counts as open again."""


class Standing:
    """The items that people were given, and how often each was answered by people who count.

    It is read from the data base once. After that every writer updates it, so that drawing an item
    takes no longer when there are many answers. Not for two threads at once.

    Parameters
    ----------
    store : Store
    connection : Connection
        In a transaction, which is read as it is.

    Attributes
    ----------
    given : Counter
        By item: answers, and places given lately, of people who are not excluded.
    changes : int
        How often it was updated.
    """

    def __init__(self, store: Store, connection: Connection) -> None:
        self._store = store
        self._items: defaultdict[int, dict[str, str | None]] = defaultdict(dict)
        self._excluded: set[int] = set()
        self._lapsed: set[tuple[int, str]] = set()
        self._expiring: list[tuple[float, int, str]] = []
        self._answers: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.given: Counter[str] = Counter()
        self.changes = 0
        query = (
            sa.select(PLACES.c.person, PLACES.c.item, PLACES.c.given, PLACES.c.done)
            .add_columns(*([ANSWERS] if store.study.annotations.stop_when_agreed else []))
            .select_from(PLACES.outerjoin(ANSWERS))
            .order_by(PLACES.c.person, PLACES.c.position)
        )
        for row in connection.execute(query):
            self.drew(row.person, row.item, row.given)
            if row.done:
                agrees = store.study.annotations.stop_when_agreed
                self.answered(row.person, row.item, row._mapping if agrees else {})
        for person in excluded_people(store, connection, drawing=True):
            self._set_excluded(person, out=True)

    def history(self, person: int) -> dict[str, str | None]:
        """What a person was given, in order: None while it is not answered."""
        return self._items.get(person, {})

    def drew(self, person: int, item: str, when: float) -> None:
        """A person was given an item."""
        self.changes += 1
        self._items[person][item] = None
        heapq.heappush(self._expiring, (when + _GONE_S, person, item))
        self._count(person, item, 1)

    def answered(self, person: int, item: str, values: Any) -> None:
        """A person answered an item; `values` are the columns of the answer."""
        self.changes += 1
        self._count(person, item, -1)
        self._lapsed.discard((person, item))
        self._items[person][item] = _digest(values)
        self._count(person, item, 1)

    def forget(self, person: int) -> None:
        """A person withdrew."""
        self._set_excluded(person, out=True)
        self._items.pop(person, None)
        self._excluded.discard(person)
        # SQLite may give the number to the next one.
        self._lapsed = {place for place in self._lapsed if place[0] != person}
        self._expiring = [place for place in self._expiring if place[1] != person]
        heapq.heapify(self._expiring)

    def review(self, connection: Connection, person: int) -> None:
        """Look whether the rules of the study exclude a person now."""
        out = excluded_people(self._store, connection, person, drawing=True)
        self._set_excluded(person, out=person in out)

    def closed(self) -> set[str]:
        """Items that need no more answers, by the rule of the study file."""
        notes = self._store.study.annotations
        self._expire()
        items = set()
        if notes.most is not None:
            items = {item for item, n in self.given.items() if n >= notes.most}
        if notes.stop_when_agreed:
            items |= {
                item for item, counts in self._answers.items()
                if len(counts) == 1 and counts.total() >= notes.least
            }  # fmt: skip
        return items

    def _set_excluded(self, person: int, *, out: bool) -> None:
        self.changes += 1
        if out == (person in self._excluded):
            return
        places = self._items.get(person, {})
        for item in places if out else ():
            self._count(person, item, -1)
        (self._excluded.add if out else self._excluded.discard)(person)
        for item in () if out else places:
            self._count(person, item, 1)

    def _count(self, person: int, item: str, by: int) -> None:
        """Add one place of a person to the counts or take it away, unless it does not count."""
        if person in self._excluded or (person, item) in self._lapsed:
            return
        self.given[item] += by
        answer = self._items[person][item]
        if answer is not None:
            counts = self._answers[item]
            counts[answer] += by
            if not counts[answer]:
                del counts[answer]

    def _expire(self) -> None:
        """Places that were given long ago and never answered count no longer."""
        now = time.time()
        while self._expiring and self._expiring[0][0] < now:
            _, person, item = heapq.heappop(self._expiring)
            if item in self._items.get(person, {}) and self._items[person][item] is None:
                self._count(person, item, -1)
                self._lapsed.add((person, item))


def _digest(values: Any) -> str:
    """The same for answers that say the same; "" where there are no values."""
    if not values:
        return ""
    fields = (sorted(values["keys"]), values["said"], sorted(values["grades"].items()))
    return hashlib.sha256(f"{fields}\0{values['text']}".encode("utf-8", "replace")).hexdigest()
