"""People: how they begin, come back, go from step to step, and withdraw."""

from __future__ import annotations

import hashlib
import secrets
import time
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from zhiyin.study.assigning import how_many, next_place
from zhiyin.study.design import Study
from zhiyin.study.store import Store
from zhiyin.study.tables import ANSWERS, PEOPLE, PLACES, SESSIONS

STEPS = ("about", "volume", "headphones", "comprehension", "items", "end")
"""In this order, after the consent; a study leaves out what it does not ask."""
COUNTS = ("no_consent", "withdrawn", "full")
"""What is counted of people of whom nothing else is kept."""
_SESSION_S = 30 * 24 * 3600

_BY_SESSION = (
    sa.select(PEOPLE)
    .select_from(PEOPLE.join(SESSIONS))
    .where(SESSIONS.c.hash == sa.bindparam("token"), SESSIONS.c.begun > sa.bindparam("since"))
)


class TwiceError(Exception):
    """Somebody with this number of a platform has begun already."""


def hashed(token: str) -> str:
    """How a token is kept: who reads the data base cannot use it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def begin(store: Store, language: str, outside: str = "", visit: str = "") -> tuple[int, str]:
    """A person who has agreed to everything. Returns the number, and the token of the link.

    Parameters
    ----------
    store : Store
    language : str
    outside, visit : str
        Who they are on another platform, and which visit of theirs it is. Kept as keyed hashes. The
        same visit goes on where it was, by the same link.

    Raises
    ------
    TwiceError
        The person is known, and this is another visit.
    """
    # Without a key that belongs to this study alone, numbers of a platform could be tried out.
    outside_hash = store.sign("outside", outside) if outside else None
    visit_hash = store.sign("visit", outside, visit) if outside and visit else None
    # One that is made of the visit is the same whenever the visit begins again; nobody can make it
    # without the study's key.
    link = store.sign("link", outside, visit)[:40] if visit_hash else secrets.token_urlsafe(24)
    with store.write() as connection:
        if outside_hash is not None:
            query = sa.select(PEOPLE).where(PEOPLE.c.outside_hash == outside_hash)
            row = connection.execute(query).first()
            if row is not None:
                if visit_hash is None or row.visit_hash != visit_hash:
                    raise TwiceError
                change(connection, row.id, link_hash=hashed(link))
                return row.id, link
        inserted = connection.execute(PEOPLE.insert().values(
            pseudonym=f"p-{secrets.token_hex(5)}", link_hash=hashed(link),
            outside_hash=outside_hash, visit_hash=visit_hash,
            language=language, step=_first(store.study), outcome="",
            consented=time.time(), background={}, checks={}, planned=how_many(store),
        )).inserted_primary_key  # fmt: skip
        assert inserted is not None
        return int(inserted[0]), link


def open_session(store: Store, person: int) -> str:
    """A new session of a person's browser; its token is made here and never taken from outside."""
    token = secrets.token_urlsafe(32)
    with store.write() as connection:
        connection.execute(SESSIONS.delete().where(SESSIONS.c.begun < time.time() - _SESSION_S))
        connection.execute(
            SESSIONS.insert().values(hash=hashed(token), person=person, begun=time.time())
        )
    return token


def by_session(store: Store, token: str) -> Any:
    """The person of a session; None for a token that is unknown or too old."""
    if not token:
        return None
    with store.read() as connection:
        values = {"token": hashed(token), "since": time.time() - _SESSION_S}
        return connection.execute(_BY_SESSION, values).first()


def by_link(store: Store, token: str) -> int | None:
    """The number of the person whose link it is."""
    query = sa.select(PEOPLE.c.id).where(PEOPLE.c.link_hash == hashed(token))
    with store.read() as connection:
        return connection.execute(query).scalar()


def change(connection: Connection, person: int, **values: Any) -> None:
    """Set columns of a person."""
    connection.execute(PEOPLE.update().where(PEOPLE.c.id == person).values(**values))


def steps_of(study: Study) -> list[str]:
    """The steps of a study, in order."""
    asked = {
        "about": bool(study.fields or study.scale_file),
        "volume": study.checks.volume,
        "headphones": study.checks.headphones != "none",
        "comprehension": bool(study.checks.comprehension),
    }
    return [step for step in STEPS if asked.get(step, True)]


def _first(study: Study) -> str:
    return steps_of(study)[0]


def after(study: Study, step: str) -> str:
    """The step after one."""
    steps = steps_of(study)
    return steps[min(steps.index(step) + 1, len(steps) - 1)]


def keep_about(store: Store, row: Any, answers: dict[str, Any]) -> str:
    """Keep what a person said of themselves. Returns "full" where no more of them are needed.

    Of a person who is not needed nothing is kept but a count.
    """
    with store.write() as connection:
        now = connection.execute(sa.select(PEOPLE.c.step).where(PEOPLE.c.id == row.id)).scalar()
        if now != "about":  # sent a second time: the first one holds
            return ""
        for quota in store.study.quotas:
            if answers.get(quota.field) != quota.value:
                continue
            rows = connection.execute(
                sa.select(PEOPLE.c.background).where(
                    PEOPLE.c.id != row.id, PEOPLE.c.outcome.not_in(("screened_out",))
                )
            )
            if (
                sum(background.get(quota.field) == quota.value for (background,) in rows)
                >= quota.most
            ):
                _not_needed(store, connection, row.id)
                return "full"
        change(connection, row.id, background=answers, step=after(store.study, "about"))
    return ""


def keep_check(store: Store, row: Any, step: str, results: dict[str, Any], *, on: bool) -> None:
    """Keep what came of a check, and go to the next step where `on`."""
    with store.write() as connection:
        now = connection.execute(sa.select(PEOPLE).where(PEOPLE.c.id == row.id)).one()
        if now.step != step:
            return
        values: dict[str, Any] = {"checks": {**now.checks, **results}}
        if on:
            values["step"] = after(store.study, step)
        change(connection, row.id, **values)
        if step == "headphones":
            store.standing(connection).review(connection, row.id)


def finish(store: Store, connection: Connection, person: int, outcome: str) -> None:
    """The end of a person's part: "complete" or "screened_out"."""
    change(connection, person, step="end", outcome=outcome, finished=time.time())
    store.standing(connection).review(connection, person)


def current(store: Store, person: int) -> tuple[Any, int, str]:
    """The place where a person is, how many counted items they have answered, and their end.

    Without a place they have come to an end, which is noted: "complete", or "full" where no item
    was left for them, of which nothing but a count is kept.
    """
    with store.write() as connection:
        place = next_place(store, connection, person)
        history = store.standing(connection).history(person)
        done = sum(
            store.items[name].role != "practice"
            for name, answer in history.items()
            if answer is not None and name in store.items
        )
        if place is not None:
            return place, done, ""
        if done:
            finish(store, connection, person, "complete")
            return None, done, "complete"
        _not_needed(store, connection, person)
    return None, 0, "full"


def withdraw(store: Store, person: int) -> None:
    """Delete all of a person, and count one more who withdrew."""
    with store.write() as connection:
        _delete(connection, person)
        store.standing(connection).forget(person)
        before = int(store.fact(connection, "withdrawn", "0"))
        store.note(connection, "withdrawn", str(before + 1))
    store.forget_pages()


def _not_needed(store: Store, connection: Connection, person: int) -> None:
    """Delete all of a person, and count one more of whom nothing is needed."""
    _delete(connection, person)
    store.standing(connection).forget(person)
    store.note(connection, "full", str(int(store.fact(connection, "full", "0")) + 1))


def _delete(connection: Connection, person: int) -> None:
    places = sa.select(PLACES.c.id).where(PLACES.c.person == person)
    connection.execute(ANSWERS.delete().where(ANSWERS.c.place.in_(places)))
    for table in (PLACES, SESSIONS):
        connection.execute(table.delete().where(table.c.person == person))
    connection.execute(PEOPLE.delete().where(PEOPLE.c.id == person))
