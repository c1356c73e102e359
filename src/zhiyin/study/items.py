"""Items: a trial, and how a person answers it. Kept as JSON lines beside the study file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, write_atomically
from zhiyin.study.design import ITEMS
from zhiyin.trial import Trial

Form = Literal["one", "many", "text", "grades", "slots", "pair"]
Role = Literal["plain", "practice", "gold", "attention"]
FLAGS = ("cannot_tell", "odd")
"""What may stand in place of marks: that it cannot be answered, that something is wrong."""


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something to choose: its key in the data, its words, and these in other languages."""

    key: str
    text: str
    texts: dict[str, str] = {}


class Scale(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something to grade from `low` to `high` in whole numbers; `texts` are its words."""

    key: str
    texts: dict[str, str]
    low: int = 1
    high: int = 10


class Medium(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file of the study's own: nothing in its name tells what it is.

    `kind` is "sound", "picture", "tune" (engraved) or "tune_sound" (its notes played). `label` is
    what a person reads, such as the letter of the option that it belongs to; `slot` the key of what
    is graded with it.
    """

    kind: Literal["sound", "picture", "tune", "tune_sound"]
    file: str
    seconds: float = 0.0
    label: str = ""
    slot: str = ""


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """One page of a study.

    Attributes
    ----------
    id : str
        Unique in the study.
    trial : Trial
        What is asked, as a model is asked it. For rated texts: of the first of them.
    form : str
        "one" choice, "many", free "text", "grades" on scales, "slots" (a sound each, graded), or a
        "pair" of texts of which the better is chosen.
    stem : str
        What a person reads.
    choices, scales : tuple
    quoted : tuple of Choice
        Texts of models that are judged; their keys say whose they are, and are never shown.
    media : tuple of Medium
    role : str
        "plain"; "practice" is outside all figures; "gold" has a known answer, "attention" asks for
        a certain one.
    expected : tuple of str
        Keys of a gold, attention or practice item that are right.
    group : str
        For drawing in proportion.
    roles : dict
        Of slots: "reference" and "anchor", by key.
    """

    id: str
    trial: Trial
    form: Form
    stem: str
    choices: tuple[Choice, ...] = ()
    scales: tuple[Scale, ...] = ()
    quoted: tuple[Choice, ...] = ()
    media: tuple[Medium, ...] = ()
    role: Role = "plain"
    expected: tuple[str, ...] = ()
    group: str = ""
    roles: dict[str, str] = {}
    stems: dict[str, str] = {}

    @property
    def shown(self) -> tuple[str, ...]:
        """The keys whose order is drawn."""
        named = self.quoted if self.form == "pair" else self.choices
        return tuple(one.key for one in (named or (self.scales if self.form == "slots" else ())))

    @property
    def sounds(self) -> tuple[Medium, ...]:
        """What has to be heard before an answer. Tunes that are played for help are not."""
        return tuple(one for one in self.media if one.kind == "sound")


def sounds_as_shown(item: Item, order: list[str]) -> list[Medium]:
    """The sounds that have to be heard, in the order of the page: it tells nothing of the data's.

    Those that are graded come in the order drawn, then what is heard openly.
    """
    by_slot = {sound.slot: sound for sound in item.sounds}
    graded = [by_slot[key] for key in order if key in by_slot] if item.form == "slots" else []
    return [*graded, *(sound for sound in item.sounds if sound not in graded)]


def write_items(folder: Path, items: Iterable[Item]) -> None:
    """Write the items of a study."""
    data = b"".join(msgspec.json.encode(item) + b"\n" for item in items)
    write_atomically(folder / ITEMS, data, synced=True)


def read_items(folder: Path) -> dict[str, Item]:
    """The items of a study by id. Raises `InputError` for what is damaged or named twice."""
    path = folder / ITEMS
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    items: dict[str, Item] = {}
    for number, line in enumerate(lines, 1):
        try:
            item = msgspec.json.decode(line, type=Item)
        except NOT_JSON as error:
            raise InputError(f"{path}, line {number}: {error}; make the study again") from None
        if item.id in items:
            raise InputError(f"{path}, line {number}: {item.id!r} is there twice: remove one")
        items[item.id] = item
    if not any(item.role in ("plain", "gold") for item in items.values()):
        raise InputError(f"{path}: holds no questions; make the study again")
    return items
