"""Settings as typed structs: how each is written as a flag, read from anything, written back.

A field's annotation says what it takes, and a `Flag` beside it how it is described::

    class Settings(msgspec.Struct, frozen=True):
        shots: Annotated[int, Flag("worked examples before each question")] = 0
        data: Annotated[str | None, Flag("folder of the data", metavar="DIR", place=True)] = None

A `Flag` without help has that of the class's docstring, section "Attributes": there ``data : DIR``
says the metavar, and the lines below it the help.

Bounds are those of msgspec: ``Annotated[int, Flag("askings"), msgspec.Meta(ge=1, le=9)]``, or
``Flag("askings", within=msgspec.Meta(ge=1, le=9))`` where old data may be outside them.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import inspect
import math
import os
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.words import Said, said

_LONGEST = 40
_MOST = 10**12
COUNT = msgspec.Meta(ge=1, le=_MOST)
WHOLE = msgspec.Meta(ge=0, le=_MOST)
ABOVE_0 = msgspec.Meta(gt=0, le=_MOST)


class Flag(msgspec.Struct, frozen=True):
    """A setting's form on the command line.

    Attributes
    ----------
    help : str
        What it sets; the default is added.
    metavar : str
        What stands for its value.
    place : bool
        Whether it says where something lies. What is asked does not depend on it.
    common : bool
        Whether ``zhiyin run`` has the flag already; `data`, `shots`, `seed`, `partial` and
        `extract` are known to be so.
    once : bool
        Of a list: whether it is given once, its words parted by commas, and kept as it was given.
    stated : bool
        Whether the default is kept with a run of one of Zhiyin's own benchmarks, as if it had
        been given. Of other benchmarks all settings are kept.
    told : str
        How the heading of a table says it, with "{}" for the value; by default name and value.
    chooses : bool
        Whether it chooses what, or how many, are asked of a benchmark that makes its own questions:
        a run with less than the default, or with something else, is not the whole.
    name : str
        The flag's name without its dashes, where it is not the field's.
    also : tuple of str
        What may be written in its place: ``("-m",)``.
    within : msgspec.Meta, optional
        Bounds of what is given now.
    read : callable, optional
        From what is given to the value; raises `InputError` with the whole message.
    alone : float, optional
        What the flag means with no value behind it.
    unset : str
        The word that stands for None.
    elsewhere : str
        Why a suite's tables do not take it; "" where they do.
    typed : bool
        Whether the command line alone takes it, and no function of Python.
    """

    help: str = ""
    metavar: str = ""
    place: bool = False
    common: bool = False
    once: bool = False
    stated: bool = False
    told: str = ""
    chooses: bool = False
    name: str = ""
    also: tuple[str, ...] = ()
    within: msgspec.Meta | None = None
    read: Callable[[Any], Any] | None = None
    alone: float | None = None
    unset: str = ""
    elsewhere: str = ""
    typed: bool = False


class Field(msgspec.Struct, frozen=True):
    """A field of a struct of settings.

    Attributes
    ----------
    name : str
        In the struct.
    kind : type
        What it takes, without None and with its bounds.
    flag : Flag
    default : Any
    title : str
        Of a part of the settings, a struct of its own: what its flags are about.
    """

    name: str
    kind: Any
    flag: Flag
    default: Any
    title: str = ""

    @property
    def word(self) -> str:
        """The flag's name without its dashes; of a switch that is on, without its "no-"."""
        return self.flag.name or self.name.replace("_", "-")

    @property
    def parameter(self) -> str:
        """Name of the parameter in Python and argparse."""
        return self.word.replace("-", "_")

    @property
    def written(self) -> str:
        """The flag as it is typed: a switch that is on by default is switched off."""
        return f"--no-{self.word}" if self.is_switch and self.default is True else f"--{self.word}"

    @property
    def is_switch(self) -> bool:
        """Tell whether no value stands behind it."""
        return _unbounded(self.kind) is bool


_SECTION = re.compile(r"\n\n(?=\w+\n-{3,}\n)")


def described(documented: Any) -> tuple[str, dict[str, tuple[str, str]], str]:
    """Split a docstring: the thing, its parameters or attributes (metavar, help), and its notes.

    Parameters
    ----------
    documented : function or class
        With a numpydoc docstring, which has a metavar in the place of a type.
    """
    about, *sections = _SECTION.split(inspect.getdoc(documented) or "")
    words: dict[str, tuple[str, str]] = {}
    notes = ""
    for section in sections:
        title, _, text = section.partition("\n")
        text = text.partition("\n")[2]
        if title == "Notes":
            notes = " ".join(text.split())
        elif title in ("Parameters", "Attributes"):
            for entry in re.split(r"\n(?=\S)", text):
                head, _, rest = entry.partition("\n")
                name, _, slot = head.partition(" : ")
                words[name.strip()] = slot.strip(), " ".join(rest.split())
    return about, words, notes


@functools.cache
def fields_of(settings: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a struct of settings."""
    hints = typing.get_type_hints(settings, include_extras=True)
    fields = []
    for field in msgspec.structs.fields(settings):
        kind, extras = kind_of(hints[field.name])
        flag = next((extra for extra in extras if isinstance(extra, Flag)), None)
        if flag is None:
            flag = Flag()
        elif not flag.help:
            metavar, text = described(settings)[1].get(field.name, ("", ""))
            flag = msgspec.structs.replace(flag, help=text, metavar=metavar)
        default = None if field.required else field.default
        title = next((extra for extra in extras if isinstance(extra, str)), "")
        fields.append(Field(field.name, kind, flag, default, title))
    return tuple(fields)


def kind_of(hint: Any) -> tuple[Any, list[Any]]:
    """Split an annotation: its type, without None and with its bounds; what is written beside."""
    extras: list[Any] = []
    if get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
    kind = _bare(hint)
    for extra in extras:
        bound = extra.within if isinstance(extra, Flag) else extra
        if isinstance(bound, msgspec.Meta):
            kind = Annotated[kind, bound]
    return kind, extras


def flagged(settings: type[msgspec.Struct]) -> Iterator[Field]:
    """Yield the fields that have a `Flag`."""
    return (field for field in fields_of(settings) if field.flag != Flag())


def _bare(hint: Any) -> Any:
    """A hint without its None."""
    if isinstance(hint, types.UnionType) or get_origin(hint) is typing.Union:
        kinds = [kind for kind in get_args(hint) if kind is not type(None)]
        return kinds[0] if len(kinds) == 1 else str
    return hint


def _unbounded(kind: Any) -> Any:
    """A kind without the bounds of its values."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def add_flag(parser: argparse._ActionsContainer, field: Field) -> None:
    """Add the flag of a field; what is no number is read later, by `read_field`."""
    kind = _unbounded(field.kind)
    text = _with_default(field.flag.help, field.default).replace("%", "%%")
    if kind is bool:
        way = "store_false" if field.default is True else "store_true"
        parser.add_argument(field.written, dest=field.parameter, action=way, help=text)
        return
    more: dict[str, Any] = {"help": text, "required": field.default is msgspec.NODEFAULT}
    if field.flag.stated:
        more["default"] = field.default
    if field.flag.metavar:
        more["metavar"] = field.flag.metavar
    if get_origin(kind) is Literal:
        more["choices"] = [word for word in get_args(kind) if word]
        if not field.flag.metavar.isupper():  # what a docstring has in its place is a type
            more.pop("metavar", None)
    elif get_origin(kind) is tuple:
        more["action"] = "store" if field.flag.once else "append"
    elif kind in (int, float):
        more.setdefault("metavar", "N")
        if not (field.flag.read or field.flag.unset):
            more["type"] = functools.partial(read_field, field)
    if field.flag.alone is not None:
        more |= {"nargs": "?", "const": field.flag.alone}
    words = sorted((field.written, *field.flag.also), key=lambda word: word.startswith("--"))
    parser.add_argument(*words, dest=field.parameter, **more)


def _with_default(text: str, default: Any) -> str:
    none = default in (None, "", (), False) or default is True or default is msgspec.NODEFAULT
    if none or isinstance(default, msgspec.Struct):
        return text
    shown = ",".join(map(str, default)) if isinstance(default, tuple) else default
    return f"{text} (default: {shown:g})" if type(shown) is float else f"{text} (default: {shown})"


def leads(settings: type[msgspec.Struct], given: Mapping[str, Any]) -> bool:
    """Tell whether the first of some settings is given, without which the others mean nothing.

    Raises
    ------
    InputError
        It is not, and another one is.
    """
    first, *others = flagged(settings)
    if given.get(first.parameter) not in (None, False):
        return True
    for field in others:
        if given.get(field.parameter) not in (None, False):
            facts = {"flag": field.written, "first": f"{first.written} {first.flag.metavar}"}
            raise InputError(said("error-needs-flag", **facts))
    return False


P = TypeVar("P", bound=msgspec.Struct)


def add_part(parser: argparse._ActionsContainer, part: P | type[P], **helps: str) -> None:
    """Add the flags of a part of the settings, with its values as their defaults.

    Parameters
    ----------
    parser : argparse parser or group
    part : msgspec.Struct or its class
    **helps : str
        By the names of fields, other words than their own; "" leaves the flag out.
    """
    for field in flagged(part if isinstance(part, type) else type(part)):
        text = helps.get(field.name, field.flag.help)
        if text:
            flag = msgspec.structs.replace(field.flag, help=text)
            default = field.default if isinstance(part, type) else getattr(part, field.name)
            add_flag(parser, msgspec.structs.replace(field, flag=flag, default=default))


def read_part(part: P, given: Mapping[str, Any]) -> P:
    """A part of the settings with what is given of it, by parameters' names; None is not given.

    Raises
    ------
    InputError
        A value that its flag does not take.
    """
    values = {
        field.name: read_field(field, value)
        for field in flagged(type(part))
        if (value := given.get(field.parameter)) is not None
    }
    return msgspec.structs.replace(part, **values)


def read_field(field: Field, value: Any) -> Any:
    """The value of a setting, from text or from Python. Raises `InputError`, naming the flag."""
    flag, kind = f"--{field.word}", field.kind
    if isinstance(value, os.PathLike):  # from Python
        value = os.fspath(value)
    if field.flag.unset and value == field.flag.unset:
        return None
    if field.flag.read:
        return field.flag.read(value)
    if get_origin(kind) is not tuple:
        return read_value(flag, kind, value)
    lists = value if isinstance(value, list | tuple | set | frozenset) else [value]
    words = [word.strip() for part in lists for word in str(part).split(",")]
    each = get_args(kind)[0]
    chosen = dict.fromkeys(read_value(flag, each, word) for word in words if word)
    if get_origin(each) is Literal:  # a choice of several is the same in any order
        return tuple(word for word in get_args(each) if word in chosen) or field.default
    return tuple(chosen)


def read_value(flag: str, kind: Any, value: Any) -> Any:
    """A value of a kind. Raises `InputError`, naming the flag."""
    number, given = _unbounded(kind), value
    if isinstance(value, str) and number in (int, float):  # as Python reads it: ".2", "+5", "1_000"
        with contextlib.suppress(ValueError):
            given = number(value)
    try:
        read = msgspec.convert(given, kind, strict=not isinstance(given, str))
    except msgspec.ValidationError:
        raise InputError(_error_text(flag, kind, value)) from None
    if isinstance(read, float) and not math.isfinite(read):
        raise InputError(_error_text(flag, kind, value))
    return value if type(value) is int else read  # 1 and 1.0 are kept as they are given


def _error_text(flag: str, kind: Any, value: Any) -> Said:
    shown = str(value)[:_LONGEST]
    bare = _unbounded(kind)
    if get_origin(bare) is Literal:
        hint = did_you_mean(shown, filter(None, map(str, get_args(bare))))
        return said("error-choice", name=flag, value=repr(shown), hint=hint)
    if bare is bool:
        return said("error-true-false", flag=flag, value=repr(shown))
    bound = next((one for one in get_args(kind)[1:] if isinstance(one, msgspec.Meta)), None)
    least, most, above = (getattr(bound, each, None) for each in ("ge", "le", "gt"))
    far = most is None or most >= _MOST
    return said(
        "error-value",
        flag=flag or None,
        value=shown,
        wanted=getattr(bare, "__name__", "other"),
        least=None if least is None else str(least),
        above=None if above is None else str(above),
        most=None if far else str(most) if least is not None else f"{most:,}",
    )
