"""Settings as typed structs: flags, their help and what the manifest holds all derive from them.

A field's annotation says what its flag takes, and a `Flag` beside it how it is described::

    class Settings(msgspec.Struct, frozen=True):
        shots: Annotated[int, Flag("worked examples before each question")] = 0
        data: Annotated[str | None, Flag("folder of the data", metavar="DIR", place=True)] = None

Bounds are those of msgspec: ``Annotated[int, Flag("askings"), msgspec.Meta(ge=1, le=9)]``. What no
single value shows is checked in the struct's ``__post_init__``, which may raise `InputError`.
"""

from __future__ import annotations

import argparse
import os
import types
import typing
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from zhiyin.errors import InputError, did_you_mean


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
    """

    help: str = ""
    metavar: str = ""
    place: bool = False
    common: bool = False
    once: bool = False
    stated: bool = False
    told: str = ""
    chooses: bool = False


_COMMON = frozenset({"data", "shots", "seed", "extract", "partial", "protocol", "released"})
"""Flags that ``zhiyin run`` has already, and hands on to the benchmark."""
_LONGEST = 40


class _Field(msgspec.Struct, frozen=True):
    name: str
    kind: Any
    flag: Flag
    default: Any


def add_flags(
    parser: argparse._ActionsContainer,
    settings: type[msgspec.Struct],
    there: Collection[str] = _COMMON,
) -> None:
    """Add a flag for each field of `settings` but those that are `there`, as in ``zhiyin run``."""
    for field in _fields(settings):
        if field.flag.common or field.name in there:
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
    for each in msgspec.structs.fields(settings):
        if each.required and each.name not in given:
            raise InputError(f"give --{each.name.replace('_', '-')}: it has no default")
    try:
        return settings(**given)
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None


def refuse_needless(name: str, settings: type[msgspec.Struct], options: Mapping[str, Any]) -> None:
    """Raise `InputError` for a common flag that is given and that the benchmark has no use for."""
    there = {field.name for field in _fields(settings)}
    for flag in ("data", "shots", "partial"):
        if options.get(flag) not in (None, False, "", 0, "0") and flag not in there:
            raise InputError(f"--{flag}: {name} has no use for it: leave it out")


def place_names(settings: type[msgspec.Struct]) -> frozenset[str]:
    """The settings that say where something lies."""
    return frozenset(field.name for field in _fields(settings) if field.flag.place)


def setting_words(settings: type[msgspec.Struct]) -> dict[str, str]:
    """How headings say those settings that have words of their own."""
    return {field.name: field.flag.told for field in _fields(settings) if field.flag.told}


def chosen_otherwise(settings: type[msgspec.Struct], options: Mapping[str, Any]) -> list[str]:
    """The settings by which a run was asked less than by default, or something else.

    Returns
    -------
    list of str
        ``"--n 4 instead of 8"``, ``"--fact third,note instead of all 7"``. A greater number than
        the default is not among them: that is more of the same. Where a default depends on
        other settings, ``Settings.usual`` gives it: a static method, from settings by name to
        defaults by name.
    """
    fields = [field for field in _fields(settings) if field.flag.chooses]
    given = {field.name: options.get(field.name) for field in fields}
    values = {field.name: _given(field, given[field.name], given[field.name]) for field in fields}
    usual: dict[str, Any] = {}
    if hasattr(settings, "usual"):
        usual = settings.usual({f.name: _given(f, given[f.name], f.default) for f in fields})
    words = (_chosen(f, values[f.name], usual.get(f.name, f.default)) for f in fields)
    return [clause for clause in words if clause]


def _given(field: _Field, value: Any, otherwise: Any) -> Any:
    """A setting in the manifest of a run; `otherwise` where it is of another version's kind."""
    try:
        return None if value is None else _read(field, value)
    except InputError:
        return otherwise


def _chosen(field: _Field, value: Any, default: Any) -> str:
    """A setting that is not the default, beside it; empty for the default or more of it."""
    if value is None:
        return ""
    if value == default or (isinstance(value, int) and type(default) is int and value > default):
        return ""
    text = ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
    clause = f"--{field.name.replace('_', '-')} {text}"
    every = get_args(get_args(field.kind)[0]) if get_origin(field.kind) is tuple else ()
    if every and set(default or every) == set(every):
        whole = set(text.split(",")) == set(map(str, every))
        return "" if whole else f"{clause} instead of all {len(every)}"
    if default is None:
        return f"{clause} instead of the default"
    usual = ",".join(map(str, default)) or "all" if isinstance(default, tuple) else default
    return f"{clause} instead of {usual}"


def _fields(settings: type[msgspec.Struct]) -> list[_Field]:
    hints = typing.get_type_hints(settings, include_extras=True)
    fields = []
    for field in msgspec.structs.fields(settings):
        hint, extras = hints[field.name], []
        if get_origin(hint) is Annotated:
            hint, *extras = get_args(hint)
        flag = next((extra for extra in extras if isinstance(extra, Flag)), Flag())
        kind = _bare(hint)
        for bound in extras:
            if isinstance(bound, msgspec.Meta):
                kind = Annotated[kind, bound]
        default = None if field.required else field.default
        fields.append(_Field(field.name, kind, flag, default))
    return fields


def _bare(hint: Any) -> Any:
    """A hint without its None."""
    if isinstance(hint, types.UnionType) or get_origin(hint) is typing.Union:
        kinds = [kind for kind in get_args(hint) if kind is not type(None)]
        return kinds[0] if len(kinds) == 1 else str
    return hint


def _unbounded(kind: Any) -> Any:
    """A kind without the bounds of its values."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _add(parser: argparse._ActionsContainer, field: _Field) -> None:
    name, kind = f"--{field.name.replace('_', '-')}", _unbounded(field.kind)
    text = _with_default(field.flag.help, field.default).replace("%", "%%")
    if kind is bool:
        parser.add_argument(name, action="store_true", help=text)
        return
    more: dict[str, Any] = {"help": text}
    if field.flag.stated:
        more["default"] = field.default
    if field.flag.metavar:
        more["metavar"] = field.flag.metavar
    if get_origin(kind) is Literal:
        more["choices"] = get_args(kind)
        more.pop("metavar", None)
    elif get_origin(kind) is tuple:
        more["action"] = "store" if field.flag.once else "append"
    elif kind in (int, float):
        more["type"] = kind
        more.setdefault("metavar", "N")
    parser.add_argument(name, **more)


def _with_default(text: str, default: Any) -> str:
    if default in (None, "", (), False) or default is msgspec.NODEFAULT:
        return text
    shown = ",".join(map(str, default)) if isinstance(default, tuple) else default
    return f"{text} (default: {shown})"


def _read(field: _Field, value: Any) -> Any:
    flag, kind = f"--{field.name.replace('_', '-')}", field.kind
    if get_origin(kind) is not tuple:
        return _one(flag, kind, value)
    lists = value if isinstance(value, list | tuple | set | frozenset) else [value]
    words = [word.strip() for part in lists for word in str(part).split(",")]
    each = get_args(kind)[0]
    chosen = dict.fromkeys(_one(flag, each, word) for word in words if word)
    if get_origin(each) is Literal:  # a choice of several is the same in any order
        return tuple(word for word in get_args(each) if word in chosen) or field.default
    return tuple(chosen)


def _one(flag: str, kind: Any, value: Any) -> Any:
    if isinstance(value, os.PathLike):  # from Python
        value = os.fspath(value)
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        raise InputError(_error_text(flag, kind, value)) from None


def _error_text(flag: str, kind: Any, value: Any) -> str:
    shown = str(value)[:_LONGEST]
    if get_origin(kind) is Literal:
        return f"{flag} {shown!r}: {did_you_mean(shown, map(str, get_args(kind)))}"
    bare = _unbounded(kind)
    wanted = {int: "a whole number", float: "a number"}.get(
        bare, getattr(bare, "__name__", "another value")
    )
    bounds = [extra for extra in get_args(kind)[1:] if isinstance(extra, msgspec.Meta)]
    for bound in bounds:
        if bound.ge is not None and bound.le is not None:
            wanted += f" from {bound.ge} to {bound.le}"
        elif bound.ge is not None:
            wanted += f", {bound.ge} or more"
        elif bound.gt is not None:
            wanted += f" above {bound.gt}"
    return f"{flag} {shown}: give {wanted}"
