"""Which column of somebody's table says what: the column map, typed."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

import msgspec

from zhiyin.errors import InputError
from zhiyin.human.answers import FIELDS, Keep

Layout = Literal["long", "wide", "jspsych", "potato", "label-studio"]
Form = Literal["key", "letter", "text", "index-0", "index-1"]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the map. A name that is not known is refused."""


class Columns(_Part, frozen=True):
    """The columns, by what they say; "" for what the table does not have.

    Within JSON, "a.b" is the field b of the field a. `answer` of a Potato or Label Studio export
    names the scheme or control.
    """

    person: str = ""
    item: str = ""
    answer: str = ""
    seconds: str = ""
    role: str = ""
    expected: str = ""
    order: str = ""
    outcome: str = ""
    headphones: str = ""
    education: str = ""
    music_major: str = ""
    music_background: str = ""


class People(_Part, frozen=True):
    """A table of its own with what is known of people, a row each; `file` is beside the map."""

    file: str
    person: str
    education: str = ""
    music_major: str = ""
    music_background: str = ""


class ColumnMap(_Part, frozen=True):
    """How a table of answers is to be read.

    Attributes
    ----------
    layout : str
        "long": a row an answer. "wide": a row a person, a column a question. The others are
        exports of these tools.
    kind : str
        "exam" or "validate".
    columns : Columns
    items : dict of str to str
        The trial's id by the name that the table has for it. Of a wide table these are its columns
        with answers; else a name that is not here is the id itself.
    answers : str
        What an answer names: the "key" in the data, the "letter" as the trial shows it, the "text"
        of the option, or its place from 0 or from 1 ("index-0", "index-1").
    several : str
        What stands between several answers, and between the keys of an order; "" for one answer.
    empty : str
        An empty answer: "missing" is outside every figure, "no_answer" was asked and
        not answered: in no precision, and wrong where it is to be passed.
    cannot_tell, odd : list of str
        Answers that say so in the place of marks.
    milliseconds : bool
        Whether times are in milliseconds.
    values : dict
        By field (education, role, ...): our word by theirs.
    people : People, optional
    keep : Keep
    """

    layout: Layout = "long"
    kind: Literal["exam", "validate"] = "exam"
    columns: Columns = Columns()
    items: dict[str, str] = {}
    answers: Form = "key"
    several: str = ""
    empty: Literal["missing", "no_answer"] = "missing"
    cannot_tell: list[str] = []
    odd: list[str] = []
    milliseconds: bool = False
    values: dict[str, dict[str, str]] = {}
    people: People | None = None
    keep: Keep = Keep()


_USUAL: dict[str, Columns] = {
    "long": Columns(person="person", item="item", answer="answer"),
    "wide": Columns(person="person"),
    "jspsych": Columns(answer="response", seconds="rt"),
    "potato": Columns(person="user_id", item="instance_id"),
    "label-studio": Columns(person="completed_by", item="id", seconds="lead_time"),
}
"""What a layout calls its columns, where the map does not say."""


def read_map(path: Path) -> ColumnMap:
    """The column map of a TOML file, with the usual names of its layout filled in.

    Raises
    ------
    InputError
        It cannot be read, holds what is not known, or leaves out what must be said.
    """
    try:
        column_map = msgspec.convert(tomllib.loads(path.read_text("utf-8")), ColumnMap)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); correct --columns") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not TOML ({error}); mend that line") from None
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {error}; see `Tables of others` in docs/people.md") from None
    return checked(column_map, str(path))


def checked(column_map: ColumnMap, where: str) -> ColumnMap:
    """A map with the usual names filled in. Raises `InputError` for what it leaves out."""
    usual = _USUAL[column_map.layout]
    names = {
        name: getattr(column_map.columns, name) or getattr(usual, name)
        for name in Columns.__struct_fields__
    }
    needed = ("person",) if column_map.layout == "wide" else ("person", "item", "answer")
    for name in needed:
        if not names[name]:
            raise InputError(
                f'{where}: columns.{name} is missing: name the column, such as {name} = "..."'
            )
    if column_map.layout == "wide" and not column_map.items:
        raise InputError(f'{where}: a wide table needs [items]: "column" = "id of the trial"')
    unknown = sorted(set(column_map.values) - {*FIELDS, "role", "outcome", "headphones"})
    if unknown:
        raise InputError(f"{where}: values.{unknown[0]}: no such field; known: {', '.join(FIELDS)}")
    milliseconds = column_map.milliseconds or (
        column_map.layout == "jspsych" and names["seconds"] == "rt"
    )
    return msgspec.structs.replace(column_map, columns=Columns(**names), milliseconds=milliseconds)
