"""Settings as typed structs: flags, their help and what the manifest holds all derive from them.

A field's annotation says what its flag takes, and a `Flag` beside it how it is described::

    class Settings(msgspec.Struct, frozen=True):
        shots: Annotated[int, Flag("worked examples before each question")] = 0
        data: Annotated[str | None, Flag("folder of the data", metavar="DIR", place=True)] = None
"""

from __future__ import annotations

import argparse
import types
import typing
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from zhiyin.errors import InputError


class Flag(msgspec.Struct, frozen=True):
    """How a setting is written on the command line.

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
    """

    help: str = ""
    metavar: str = ""
    place: bool = False
    common: bool = False


_COMMON = frozenset({"data", "shots", "seed", "extract", "partial", "protocol", "released"})
"""Flags that ``zhiyin run`` has already, and hands on to the benchmark."""


class _Field(msgspec.Struct, frozen=True):
    name: str
    kind: Any
    flag: Flag
    default: Any


def add_flags(parser: argparse._ActionsContainer, settings: type[msgspec.Struct]) -> None:
    """Add a flag for each field of `settings` that ``zhiyin run`` does not have already."""
    for field in _fields(settings):
        if field.flag.common or field.name in _COMMON:
            continue
        try:
            _add(parser, field)
        except argparse.ArgumentError:
            raise InputError(
                f"the setting {field.name!r} of {settings.__module__}.{settings.__qualname__} has "
                "the name of a flag of `zhiyin run`: rename it"
            ) from None


def read_settings(settings: type[msgspec.Struct], options: Mapping[str, Any]) -> msgspec.Struct:
    """The settings in `options`, as flags or a manifest give them. Other keys are ignored.

    Raises
    ------
    InputError
        A value of the wrong kind, naming the flag.
    """
    given: dict[str, Any] = {}
    for field in _fields(settings):
        value = options.get(field.name)
        if value is None:
            continue
        given[field.name] = _read(field, value)
    try:
        return settings(**given)
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None


def refuse_needless(name: str, settings: type[msgspec.Struct], options: Mapping[str, Any]) -> None:
    """Raise `InputError` for a common flag that is given and that the benchmark has no use for."""
    there = {field.name for field in _fields(settings)}
    for flag in ("data", "shots", "partial"):
        if options.get(flag) and flag not in there:
            raise InputError(f"--{flag}: {name} has no use for it: leave it out")


def place_names(settings: type[msgspec.Struct]) -> frozenset[str]:
    """The settings that say where something lies."""
    return frozenset(field.name for field in _fields(settings) if field.flag.place)


def _fields(settings: type[msgspec.Struct]) -> list[_Field]:
    hints = typing.get_type_hints(settings, include_extras=True)
    found = []
    for field in msgspec.structs.fields(settings):
        hint, flag = hints[field.name], Flag()
        if get_origin(hint) is Annotated:
            hint, *extras = get_args(hint)
            flag = next((extra for extra in extras if isinstance(extra, Flag)), flag)
        default = None if field.required else field.default
        found.append(_Field(field.name, _bare(hint), flag, default))
    return found


def _bare(hint: Any) -> Any:
    """A hint without its None."""
    if isinstance(hint, types.UnionType) or get_origin(hint) is typing.Union:
        kinds = [kind for kind in get_args(hint) if kind is not type(None)]
        return kinds[0] if len(kinds) == 1 else str
    return hint


def _add(parser: argparse._ActionsContainer, field: _Field) -> None:
    name = f"--{field.name.replace('_', '-')}"
    text = field.flag.help
    if field.kind is bool:
        parser.add_argument(name, action="store_true", help=text)
        return
    more: dict[str, Any] = {"help": _with_default(text, field.default)}
    if field.flag.metavar:
        more["metavar"] = field.flag.metavar
    if get_origin(field.kind) is Literal:
        more["choices"] = get_args(field.kind)
        more.pop("metavar", None)
    elif get_origin(field.kind) is tuple:
        more["action"] = "append"
    elif field.kind in (int, float):
        more["type"] = field.kind
        more.setdefault("metavar", "N")
    parser.add_argument(name, **more)


def _with_default(text: str, default: Any) -> str:
    if default in (None, "", (), False) or default is msgspec.NODEFAULT:
        return text
    return f"{text} (default: {default})"


def _read(field: _Field, value: Any) -> Any:
    flag = f"--{field.name.replace('_', '-')}"
    if get_origin(field.kind) is tuple:
        lists = [value] if isinstance(value, str) else list(value)
        words = [word.strip() for part in lists for word in str(part).split(",")]
        value = tuple(dict.fromkeys(filter(None, words)))
        kind = get_args(field.kind)[0]
        return tuple(_one(flag, kind, word) for word in value)
    return _one(flag, field.kind, value)


def _one(flag: str, kind: Any, value: Any) -> Any:
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        if get_origin(kind) is Literal:
            wanted = ", ".join(map(str, get_args(kind)))
        else:
            wanted = {int: "a whole number", float: "a number"}.get(
                kind, getattr(kind, "__name__", "another value")
            )
        raise InputError(f"{flag} {value}: give {wanted}") from None
