"""Answers: what a browser sends is checked against what was asked, and saved exactly once."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

import msgspec
import sqlalchemy as sa

from zhiyin.study.items import FLAGS, Item, sounds_as_shown
from zhiyin.study.store import Store
from zhiyin.study.tables import ANSWERS, PLACES

LONGEST = 4000
_DAY_MS = 24 * 3600 * 1000
_SLACK_S = 1.5
"""Clocks of browsers and servers may differ by so much in how long a sound was heard."""


_PLACE = sa.select(PLACES).where(
    PLACES.c.id == sa.bindparam("place"), PLACES.c.person == sa.bindparam("of")
)
_DONE = PLACES.update().where(PLACES.c.id == sa.bindparam("place")).values(done=True)


class Sent(msgspec.Struct, forbid_unknown_fields=True):
    """What a browser sends: places in the list as shown, never keys.

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
    """

    place: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
    chosen: list[int] = []
    grades: list[int] = []
    text: str = ""
    said: Literal["", "cannot_tell", "odd"] = ""
    listens: list[int] = []
    active_ms: int = 0
    idle_ms: int = 0


class AnswerError(ValueError):
    """What was sent is no answer to what was asked; the name of the words that say why."""


def save(store: Store, person: int, sent: Sent) -> str:
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
        values = checked(store, item, place, sent, time.time())
        connection.execute(ANSWERS.insert(), {"place": place.id, "saved": time.time(), **values})
        connection.execute(_DONE, {"place": place.id})
        standing = store.standing(connection)
        standing.answered(person, item.id, values)
        if item.role in ("gold", "attention"):
            standing.review(connection, person)
    return "saved"


def checked(store: Store, item: Item, place: Any, sent: Sent, now: float) -> dict[str, Any]:
    """The columns of an answer. Raises `AnswerError`."""
    _check_listening(store, item, place, sent, now)
    keys, grades, text, flag = [], {}, "", ""
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
    return {
        "keys": keys, "grades": grades, "text": text, "said": flag, "listens": listens,
        "active_ms": min(max(0, sent.active_ms), _DAY_MS),
        "idle_ms": min(max(0, sent.idle_ms), _DAY_MS),
    }  # fmt: skip


def _keys(item: Item, order: list[str], chosen: list[int]) -> list[str]:
    """The keys that stand at the chosen places; a pair may be undecided, which is a place more."""
    shown = [*order, "same"] if item.form == "pair" else order
    if len(set(chosen)) < len(chosen) or not all(0 <= place < len(shown) for place in chosen):
        raise AnswerError("choose_first")
    if not chosen or (item.form != "many" and len(chosen) != 1):
        raise AnswerError("choose_first")
    return [shown[place] for place in chosen]


def _grades(item: Item, order: list[str], sent: list[int]) -> dict[str, int]:
    keys = order if item.form == "slots" else [scale.key for scale in item.scales]
    scales = {scale.key: scale for scale in item.scales}
    if len(sent) != len(keys):
        raise AnswerError("choose_first")
    for key, grade in zip(keys, sent, strict=True):
        if not scales[key].low <= grade <= scales[key].high:
            raise AnswerError("choose_first")
    return dict(zip(keys, sent, strict=True))


def _check_listening(store: Store, item: Item, place: Any, sent: Sent, now: float) -> None:
    """Each sound was heard as often as the study asks, and there was the time for it."""
    least = store.study.listening.least
    if not item.sounds or not least:
        return
    if len(sent.listens) != len(item.sounds) or min(sent.listens) < least:
        raise AnswerError("listen_first")
    # Several sounds may be switched between as they play: the longest has to fit.
    seconds = least * max(sound.seconds for sound in item.sounds)
    if now - place.given + _SLACK_S < seconds:
        raise AnswerError("listen_first")
