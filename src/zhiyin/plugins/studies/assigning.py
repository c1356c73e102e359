"""Assignment of the next item, by how many answers each has from people who count."""

from __future__ import annotations

import hashlib
import heapq
import random
import sys
import time
from collections import Counter, defaultdict
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from zhiyin.plugins.people import COUNTED
from zhiyin.plugins.people.rules import BY_HAND, UNDER_WAY, GivenAnswer, broken_rules, place_of
from zhiyin.plugins.studies.database import ANSWERS, PEOPLE, PLACES
from zhiyin.plugins.studies.design import StudyItem
from zhiyin.plugins.studies.store import CLOSED, StudyStore


def is_right(item: StudyItem, keys: list[str], flag: str = "") -> bool:
    """Tell whether exactly the expected keys were chosen."""
    return not flag and sorted(keys) == sorted(item.expected)


def seconds_after(store: StudyStore, item: StudyItem, row: Any) -> float:
    """Active time from when the sounds of an item had been heard as often as the study asks.

    Where the browser did not say it, the time less that of the longest sound.
    """
    if row.after_ms is not None:
        return float(row.after_ms) / 1000
    longest = max((sound.seconds for sound in item.sounds), default=0.0)
    return max(0.0, float(row.active_ms) / 1000 - store.study.listening.least * longest)


def excluded_people(
    store: StudyStore, connection: Connection, only: int | None = None, *, drawing: bool = False
) -> dict[int, list[str]]:
    """Return who is excluded, by number, and by which rules.

    Parameters
    ----------
    store : StudyStore
    connection : Connection
    only : int, optional
        Look at this person alone.
    drawing : bool
        Whether items are drawn by it. Who is under way may still do better by a rule that looks at
        all answers: their answers count for the drawing until they have come to an end.
    """
    rules = store.study.exclude
    query = (
        sa.select(PLACES.c.person, PLACES.c.item, PLACES.c.order, ANSWERS)
        .select_from(PLACES.join(ANSWERS))
        .order_by(PLACES.c.position)
    )
    everybody = sa.select(PEOPLE)
    if only is not None:
        query = query.where(PLACES.c.person == only)
        everybody = everybody.where(PEOPLE.c.id == only)
    given: defaultdict[int, list[GivenAnswer]] = defaultdict(list)
    for row in connection.execute(query):
        item = store.items.get(row.item)
        if item is not None and item.role != "practice":
            right, place = is_right(item, row.keys, row.said), place_of(row.keys, row.order)
            seconds = seconds_after(store, item, row)
            reference = row.grades.get(item.reference)
            answer = GivenAnswer(item.role, right, place, len(row.order), seconds, "", reference)
            given[row.person].append(answer)
    excluded = {}
    for row in connection.execute(everybody):
        broken = broken_rules(
            rules, given[row.id], row.outcome, row.checks.get("headphones_passed"),
            settled=bool(row.outcome) or not drawing,
        )  # fmt: skip
        if any(why for _, why in row.checks.get(BY_HAND, [])[-1:]):
            broken.append(BY_HAND)
        if broken:
            excluded[row.id] = broken
    if not drawing:
        for person in set(excluded) & under_way(store, connection):
            excluded[person] = [
                UNDER_WAY if rule == "unfinished" else rule for rule in excluded[person]
            ]
    return excluded


def under_way(store: StudyStore, connection: Connection) -> set[int]:
    """The people who have not ended, and have given a sign of late; nobody once it is closed."""
    if store.fact(connection, CLOSED):
        return set()
    signs = {row.id: row.consented for row in connection.execute(sa.select(PEOPLE))
             if not row.outcome}  # fmt: skip
    last = sa.func.max(PLACES.c.given), sa.func.max(ANSWERS.c.saved)
    query = sa.select(PLACES.c.person, *last).select_from(PLACES.outerjoin(ANSWERS))
    for person, *times in connection.execute(query.group_by(PLACES.c.person)):
        if person in signs:
            signs[person] = max(signs[person], *(one for one in times if one is not None))
    since = time.time() - 3600 * store.study.given_up_hours
    return {person for person, sign in signs.items() if sign >= since}


_GONE_S = 1800
"""After so many seconds, an item that was given and not answered counts as open again."""


class AnswerCounts:
    """The items that people were given, and how often each was answered by people who count.

    It is read from the data base once. After that every writer updates it, so that drawing an item
    takes no longer when there are many answers. Not for two threads at once.

    Parameters
    ----------
    store : StudyStore
    connection : Connection
        In a transaction, which is read as it is.

    Attributes
    ----------
    given : Counter
        By item: answers, and places given lately, of people who are not excluded.
    changes : int
        How often it was updated.
    """

    def __init__(self, store: StudyStore, connection: Connection) -> None:
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
                self.answered(row.person, row.item, row if agrees else None)
        for person in excluded_people(store, connection, drawing=True):
            self._set_excluded(person, out=True)

    def history(self, person: int) -> dict[str, str | None]:
        """A person's items in order, each with its answer: None while it is not answered."""
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
        """Stop counting places that were given long ago and never answered."""
        now = time.time()
        while self._expiring and self._expiring[0][0] < now:
            _, person, item = heapq.heappop(self._expiring)
            if item in self._items.get(person, {}) and self._items[person][item] is None:
                self._count(person, item, -1)
                self._lapsed.add((person, item))


def _digest(values: Any) -> str:
    """The same for answers that say the same; "" where there are no values."""
    if values is None:
        return ""
    fields = (sorted(values.keys), values.said, sorted(values.grades.items()))
    return hashlib.sha256(f"{fields}\0{values.text}".encode("utf-8", "replace")).hexdigest()


_PSEUDONYM = sa.select(PEOPLE.c.pseudonym).where(PEOPLE.c.id == sa.bindparam("of"))
_OPEN = (
    sa.select(PLACES)
    .where(PLACES.c.person == sa.bindparam("of"), PLACES.c.done.is_(False))
    .order_by(PLACES.c.position)
    .limit(1)
)


def open_place(connection: Connection, person: int) -> Any:
    """The place that a person was given and has not answered; None where there is none."""
    return connection.execute(_OPEN, {"of": person}).first()


def next_place(store: StudyStore, connection: Connection, person: int) -> Any:
    """The place where a person is: the one not answered yet, or a new one; None at the end.

    Parameters
    ----------
    store : StudyStore
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


def how_many(store: StudyStore) -> int:
    """The largest number of drawn items that one person is given."""
    every = sum(item.role in COUNTED for item in store.items.values())
    return min(every, store.study.per_person or every)


def order_of(store: StudyStore, pseudonym: str, item: StudyItem) -> list[str]:
    """The keys of an item in the order in which a person sees them."""
    keys = list(item.shown)
    if not store.study.shuffle and item.form not in ("slots", "pair"):
        return keys
    return sorted(keys, key=lambda key: _chance(store, pseudonym, item.id, key))


def _chance(store: StudyStore, *words: str) -> str:
    """A draw that the study's seed and these words decide for good."""
    data = "\0".join((str(store.study.seed), *words)).encode("utf-8", "replace")
    return hashlib.sha256(data).hexdigest()


def _drawn(
    store: StudyStore, standing: AnswerCounts, person: int, pseudonym: str
) -> StudyItem | None:
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
    tied: list[StudyItem] = []
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


def _closes(store: StudyStore) -> bool:
    notes = store.study.annotations
    return notes.most is not None or notes.stop_when_agreed
