"""People: how they begin, come back, go from step to step, answer, and withdraw."""

from __future__ import annotations

import hashlib
import secrets
import time
from typing import Annotated, Any, Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from zhiyin.plugins.people.rules import BY_HAND
from zhiyin.plugins.studies.assigning import how_many, is_right, next_place
from zhiyin.plugins.studies.database import ANSWERS, PEOPLE, PLACES, SESSIONS
from zhiyin.plugins.studies.design import FLAGS, StudyDesign, StudyItem, sounds_as_shown
from zhiyin.plugins.studies.store import CLOSED, StudyStore

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
    """Error: somebody with this number of a platform has begun already."""


class ClosedError(Exception):
    """Error: the study is closed, and this person has not begun."""


def hashed(token: str) -> str:
    """Hash a token for storage, so that who reads the data base cannot use it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def begin(store: StudyStore, language: str, outside: str = "", visit: str = "") -> tuple[int, str]:
    """A person who has agreed to everything. Returns the number, and the token of the link.

    Parameters
    ----------
    store : StudyStore
    language : str
    outside, visit : str
        Who they are on another platform, and which visit of theirs it is. Kept as keyed hashes. The
        same visit goes on where it was, by the same link.

    Raises
    ------
    TwiceError
        The person is known, and this is another visit.
    ClosedError
        The study takes nobody new.
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
                change(connection, row.id, link_hash=hashed(link), language=language)
                return row.id, link
        if store.fact(connection, CLOSED):
            raise ClosedError
        inserted = connection.execute(PEOPLE.insert().values(
            pseudonym=f"p-{secrets.token_hex(5)}", link_hash=hashed(link),
            outside_hash=outside_hash, visit_hash=visit_hash,
            language=language, step=steps_of(store.study)[0], outcome="",
            consented=time.time(), background={}, checks={}, planned=how_many(store),
        )).inserted_primary_key  # fmt: skip
        assert inserted is not None
        return int(inserted[0]), link


def open_session(store: StudyStore, person: int) -> str:
    """A new session of a person's browser; its token is made here and never taken from outside."""
    token = secrets.token_urlsafe(32)
    with store.write() as connection:
        connection.execute(SESSIONS.delete().where(SESSIONS.c.begun < time.time() - _SESSION_S))
        connection.execute(
            SESSIONS.insert().values(hash=hashed(token), person=person, begun=time.time())
        )
    return token


def by_session(store: StudyStore, token: str) -> Any:
    """The person of a session; None for a token that is unknown or too old."""
    if not token:
        return None
    with store.read() as connection:
        values = {"token": hashed(token), "since": time.time() - _SESSION_S}
        return connection.execute(_BY_SESSION, values).first()


def by_link(store: StudyStore, token: str) -> int | None:
    """The number of the person whose link it is."""
    query = sa.select(PEOPLE.c.id).where(PEOPLE.c.link_hash == hashed(token))
    with store.read() as connection:
        return connection.execute(query).scalar()


def change(connection: Connection, person: int, **values: Any) -> None:
    """Set columns of a person."""
    connection.execute(PEOPLE.update().where(PEOPLE.c.id == person).values(**values))


def steps_of(study: StudyDesign) -> list[str]:
    """The steps of a study, in order."""
    asked = {
        "about": bool(study.fields or study.scale_file),
        "volume": study.checks.volume,
        "headphones": study.checks.headphones != "none",
        "comprehension": bool(study.checks.comprehension),
    }
    return [step for step in STEPS if asked.get(step, True)]


def after(study: StudyDesign, step: str) -> str:
    """The step after one."""
    steps = steps_of(study)
    return steps[min(steps.index(step) + 1, len(steps) - 1)]


def keep_about(store: StudyStore, row: Any, answers: dict[str, Any]) -> str:
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
            others = sa.select(PEOPLE.c.background).where(
                PEOPLE.c.id != row.id, PEOPLE.c.outcome != "screened_out"
            )
            said = [background.get(quota.field) for background in connection.scalars(others)]
            if said.count(quota.value) >= quota.most:
                _not_needed(store, connection, row.id)
                return "full"
        change(connection, row.id, background=answers, step=after(store.study, "about"))
    return ""


def keep_check(
    store: StudyStore, row: Any, step: str, results: dict[str, Any], *, on: bool
) -> None:
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


def finish(store: StudyStore, connection: Connection, person: int, outcome: str) -> None:
    """The end of a person's part: "complete" or "screened_out"."""
    change(connection, person, step="end", outcome=outcome, finished=time.time())
    store.standing(connection).review(connection, person)


def current(store: StudyStore, person: int) -> tuple[Any, int, str]:
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


def set_aside(store: StudyStore, pseudonym: str, reason: str) -> None:
    """Set a person aside by hand, or let them count again where no reason is given.

    Each time is kept with its day and reason, until the person withdraws.
    """
    with store.write() as connection:
        query = sa.select(PEOPLE).where(PEOPLE.c.pseudonym == pseudonym)
        if row := connection.execute(query).first():
            noted = [*row.checks.get(BY_HAND, []), (time.time(), reason)]
            change(connection, row.id, checks={**row.checks, BY_HAND: noted})
            store.standing(connection).review(connection, row.id)


def withdraw(store: StudyStore, person: int) -> None:
    """Delete all of a person, and count one more who withdrew."""
    with store.write() as connection:
        _delete(connection, person)
        store.standing(connection).forget(person)
        before = int(store.fact(connection, "withdrawn", "0"))
        store.note(connection, "withdrawn", str(before + 1))
    store.forget_pages()


def _not_needed(store: StudyStore, connection: Connection, person: int) -> None:
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


LONGEST = 4000
_DAY_MS = 24 * 3600 * 1000
_SLACK_S = 1.5
"""Clocks of browsers and servers may differ by so much in how long a sound was heard."""


_PLACE = sa.select(PLACES).where(
    PLACES.c.id == sa.bindparam("place"), PLACES.c.person == sa.bindparam("of")
)
_DONE = PLACES.update().where(PLACES.c.id == sa.bindparam("place")).values(done=True)


class SentAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """An answer as a browser sends it: places in the list as shown, never keys.

    Attributes
    ----------
    place : int
        The number of the place that is answered.
    chosen : list of int
        Of choices, by their place as shown, from 0.
    grades : list of int
        On each scale as shown.
    text, said : str
    listens : list of int
        How often each sound was heard to its end, in the order of the page.
    active_ms, idle_ms : int
        Time on the page with and without a sign of the person.
    after_ms : int or None
        Of `active_ms`: from when every sound had been heard as often as the study asks.
    """

    place: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
    chosen: list[int] = []
    grades: list[int] = []
    text: str = ""
    said: Literal["", "cannot_tell", "odd"] = ""
    listens: list[int] = []
    active_ms: int = 0
    idle_ms: int = 0
    after_ms: int | None = None


class AnswerError(ValueError):
    """An answer that does not fit the question; holds the name of the words that say why."""


def save(store: StudyStore, person: int, sent: SentAnswer) -> str:
    """Save an answer; on return it is on the disk. Sent again, nothing changes.

    Returns
    -------
    str
        "saved", or "already" where the place was answered before.

    Raises
    ------
    AnswerError
        It is not the person's place, or no answer to it.
    """
    with store.write() as connection:
        place = connection.execute(_PLACE, {"place": sent.place, "of": person}).first()
        if place is None or place.item not in store.items:
            raise AnswerError("error_stale")
        if place.done:
            return "already"
        item = store.items[place.item]
        answer = checked(store, item, place, sent, time.time())
        values = {"place": place.id, "saved": time.time(), **msgspec.structs.asdict(answer)}
        connection.execute(ANSWERS.insert(), values)
        connection.execute(_DONE, {"place": place.id})
        standing = store.standing(connection)
        standing.answered(person, item.id, answer)
        if item.role in ("gold", "attention"):
            standing.review(connection, person)
    return "saved"


class PracticeFeedback(msgspec.Struct, frozen=True):
    """Feedback on a practice item: whether it is right, and the places of the right options."""

    right: bool
    places: list[int]


def practised(store: StudyStore, person: int, place: int) -> PracticeFeedback | None:
    """Return the feedback on an answer to a practice item; None for any other item."""
    query = sa.select(PLACES.c.item, PLACES.c.order, ANSWERS).select_from(PLACES.join(ANSWERS))
    with store.read() as connection:
        row = connection.execute(
            query.where(PLACES.c.id == place, PLACES.c.person == person)
        ).first()
    item = None if row is None else store.items.get(row.item)
    if row is None or item is None or item.role != "practice":
        return None
    if not item.expected or item.form not in ("one", "many"):
        return None
    places = [n for n, key in enumerate(row.order) if key in item.expected]
    return PracticeFeedback(is_right(item, row.keys, row.said), places)


class CheckedAnswer(msgspec.Struct, frozen=True):
    """The stored part of an answer, named as its columns; listens are in the item's order."""

    keys: list[str]
    grades: dict[str, int]
    text: str
    said: str
    listens: list[int]
    active_ms: int
    idle_ms: int
    after_ms: int | None


def checked(
    store: StudyStore, item: StudyItem, place: Any, sent: SentAnswer, now: float
) -> CheckedAnswer:
    """Check an answer and return what is stored of it. Raises `AnswerError` if it does not fit."""
    _check_listening(store, item, place, sent, now)
    keys: list[str] = []
    grades: dict[str, int] = {}
    text = flag = ""
    if item.form == "many" and sent.said:
        if sent.chosen or sent.said not in FLAGS or store.study.kind == "exam":
            raise AnswerError("choose_first")
        flag = sent.said
    elif item.form in ("one", "many", "pair"):
        keys = _keys(item, place.order, sent.chosen)
    elif item.form == "text":
        text = " ".join(sent.text.replace("\0", "").split())
        if not text or len(text) > LONGEST:
            raise AnswerError("choose_first")
        text.encode("utf-8", "strict")
    else:
        grades = _grades(item, place.order, sent.grades)
    shown = sounds_as_shown(item, place.order)
    heard = {sound.file: n for sound, n in zip(shown, sent.listens, strict=False)}
    listens = [min(max(0, heard.get(sound.file, 0)), 10_000) for sound in item.sounds]
    active, idle = (min(max(0, ms), _DAY_MS) for ms in (sent.active_ms, sent.idle_ms))
    after = None if sent.after_ms is None else min(max(0, sent.after_ms), active)
    return CheckedAnswer(keys, grades, text, flag, listens, active, idle, after)


def _keys(item: StudyItem, order: list[str], chosen: list[int]) -> list[str]:
    """The keys that stand at the chosen places; a pair may be undecided, which is a place more."""
    shown = [*order, "same"] if item.form == "pair" else order
    if len(set(chosen)) < len(chosen) or not all(0 <= place < len(shown) for place in chosen):
        raise AnswerError("choose_first")
    if not chosen or (item.form != "many" and len(chosen) != 1):
        raise AnswerError("choose_first")
    return [shown[place] for place in chosen]


def _grades(item: StudyItem, order: list[str], sent: list[int]) -> dict[str, int]:
    keys = order if item.form == "slots" else [scale.key for scale in item.scales]
    scales = {scale.key: scale for scale in item.scales}
    if len(sent) != len(keys):
        raise AnswerError("choose_first")
    for key, grade in zip(keys, sent, strict=True):
        if not scales[key].low <= grade <= scales[key].high:
            raise AnswerError("choose_first")
    return dict(zip(keys, sent, strict=True))


def _check_listening(
    store: StudyStore, item: StudyItem, place: Any, sent: SentAnswer, now: float
) -> None:
    """Check that each sound was heard as often as the study asks, and that time sufficed."""
    least = store.study.listening.least
    if not item.sounds or not least:
        return
    if len(sent.listens) != len(item.sounds) or min(sent.listens) < least:
        raise AnswerError("listen_first")
    # Several sounds may be switched between as they play: the longest has to fit.
    seconds = least * max(sound.seconds for sound in item.sounds)
    if now - place.given + _SLACK_S < seconds:
        raise AnswerError("listen_first")
