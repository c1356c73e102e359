"""A benchmark's settings as flags, and back: what the manifest of a run holds of them.

What no single value shows is checked in the struct's ``__post_init__``, which may raise
`InputError`.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Collection, Mapping
from typing import Annotated, Any, TypeVar, get_args, get_origin

import msgspec

from zhiyin.contract.session_parts import known_conditions
from zhiyin.errors import InputError
from zhiyin.flags import Field, Flag, add_flag, fields_of, flagged, leads, read_field
from zhiyin.words import said

R = TypeVar("R", bound=msgspec.Struct)
OwnPrompts = Annotated[
    str | None, Flag("prompt files in place of the benchmark's own", "DIR", place=True)
]
"""A folder with words of the user's own, as a setting."""
Options = dict[str, Any]
"""Settings of a benchmark by their names, as flags, Python or the manifest of a run give them."""


class CommonOptions(msgspec.Struct, frozen=True):
    """Options of every benchmark, which come first among each run's options.

    `data` and `shots` are left as they are written: each benchmark reads them in its own way.

    Attributes
    ----------
    data : DIR
        the folder of the benchmark's data
    seed
        for everything random; default 0
    shots : K
        worked examples before each question
    extract : POLICY
        how answers are read from replies; default robust
    partial
        run the part of a published data set that is here
    confirm
        ask once more, for the letter alone, where a reply cannot be read
    """

    data: Annotated[str | None, Flag(place=True)] = None
    seed: Annotated[int, Flag()] = 0
    shots: Annotated[str | None, Flag()] = None
    extract: Annotated[str | None, Flag()] = None
    partial: Annotated[bool, Flag(place=True)] = False
    confirm: Annotated[bool, Flag()] = False


_THERE = frozenset({*CommonOptions.__struct_fields__, "protocol", "released"})
"""Flags that ``zhiyin run`` has already, and hands on to the benchmark."""


def common_settings() -> tuple[type[msgspec.Struct], ...]:
    """The settings of every benchmark: `CommonOptions`, and those of ways of asking."""
    return (CommonOptions, *(kind.Settings for kind in known_conditions()))


def chosen_ways(given: Mapping[str, Any]) -> Options:
    """Return the given options for ways of asking, without defaults, unknown to earlier runs."""
    found: Options = {}
    for kind in known_conditions():
        if leads(kind.Settings, given):
            for field in flagged(kind.Settings):
                value = given.get(field.parameter)
                if value is not None and (read := read_field(field, value)) != field.default:
                    found[field.name] = read
    return found


def add_flags(
    parser: argparse._ActionsContainer,
    settings: type[msgspec.Struct],
    there: Collection[str] = _THERE,
) -> None:
    """Add a flag for each field of `settings` but those that are `there`, as in ``zhiyin run``."""
    for field in fields_of(settings):
        if field.flag.common or field.name in there:
            continue
        try:
            add_flag(parser, field)
        except argparse.ArgumentError:
            raise InputError(said(
                "declares-setting", field=repr(field.name), module=settings.__module__,
                kind=settings.__qualname__,
            )) from None  # fmt: skip


def read_settings(settings: type[R], options: Mapping[str, Any]) -> R:
    """The settings in `options`, as flags or a manifest give them. Other keys are ignored.

    Raises
    ------
    InputError
        A value of the wrong kind, naming the flag.
    """
    given: dict[str, Any] = {}
    for field in fields_of(settings):
        value = options.get(field.name)
        if value is None:
            continue
        given[field.name] = read_field(field, value)
    for each in msgspec.structs.fields(settings):
        if each.required and each.name not in given:
            raise InputError(said("error-no-default", what=each.name.replace("_", "-")))
    try:
        return settings(**given)
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None


def defaults_of(settings: type[msgspec.Struct]) -> dict[str, Any]:
    """The defaults of a benchmark's settings, as JSON has them; those that name places are not."""
    fields = (field for field in fields_of(settings) if not field.flag.place)
    return {field.name: _plain(field.default) for field in fields}


def resolved_options(
    options: Mapping[str, Any], settings: type[msgspec.Struct], defaults: Mapping[str, Any] = {}
) -> dict[str, Any]:
    """Options with the defaults of what was not given, and one spelling of each value.

    Parameters
    ----------
    options : mapping
        As typed, or as a manifest holds them.
    settings : type of msgspec.Struct
        Those of the benchmark.
    defaults : mapping
        As they were when the run began, where that is known.
    """
    usual, found = {**defaults_of(settings), **defaults}, dict(options)
    read = {}
    for field in fields_of(settings):
        if found.get(field.name) is not None and field.name in usual:
            with contextlib.suppress(InputError):  # of another version
                read[field.name] = read_field(field, found[field.name])
    own: object = None
    with contextlib.suppress(InputError, TypeError):  # what it refuses stays as it was read
        own = settings(**read)
    found |= {name: _plain(getattr(own, name, value)) for name, value in read.items()}
    found = usual | {name: value for name, value in found.items() if value is not None}
    if hasattr(settings, "usual"):
        hanging = {name: _plain(value) for name, value in settings.usual(found).items()}
        found |= {name: value for name, value in hanging.items() if found.get(name) is None}
    return dict.fromkeys(options) | found


def _plain(value: Any) -> Any:
    plain = None if value is msgspec.NODEFAULT else msgspec.to_builtins(value)
    return list(plain) if isinstance(plain, tuple) else plain


def refuse_needless(name: str, settings: type[msgspec.Struct], options: Mapping[str, Any]) -> None:
    """Raise `InputError` for a common flag that is given and that the benchmark has no use for."""
    there = {field.name for field in fields_of(settings)}
    for flag in ("data", "shots", "partial"):
        if options.get(flag) not in (None, False, "", 0, "0") and flag not in there:
            raise InputError(said("error-no-use", flag=flag, name=name))


def place_names(settings: type[msgspec.Struct]) -> frozenset[str]:
    """The settings that say where something lies."""
    return frozenset(field.name for field in fields_of(settings) if field.flag.place)


def setting_words(settings: type[msgspec.Struct]) -> dict[str, str]:
    """Return the words that headings use for settings that have words of their own."""
    return {field.name: field.flag.told for field in fields_of(settings) if field.flag.told}


class ChosenOtherwise(msgspec.Struct, frozen=True):
    """A setting by which a run was asked less than by default, or something else.

    Attributes
    ----------
    name, value : str
        Of the flag, as one writes them.
    usual : str or None
        Its default, "all" for everything; None where it has none.
    all_of : int or None
        How many there are, where the default is all of them.
    """

    name: str
    value: str
    usual: str | None
    all_of: int | None = None


def chosen_otherwise(
    settings: type[msgspec.Struct], options: Mapping[str, Any]
) -> list[ChosenOtherwise]:
    """The settings by which a run was asked less than by default, or something else.

    A greater number than the default is not among them: that is more of the same. Where a default
    depends on other settings, ``Settings.usual`` gives it: a static method, from settings by name
    to defaults by name.
    """
    fields = [field for field in fields_of(settings) if field.flag.chooses]
    given = {field.name: options.get(field.name) for field in fields}
    values = {field.name: _given(field, given[field.name], given[field.name]) for field in fields}
    usual: dict[str, Any] = {}
    if hasattr(settings, "usual"):
        usual = settings.usual({f.name: _given(f, given[f.name], f.default) for f in fields})
    chosen = (_chosen(f, values[f.name], usual.get(f.name, f.default)) for f in fields)
    return [one for one in chosen if one]


def _given(field: Field, value: Any, otherwise: Any) -> Any:
    """A setting in the manifest of a run; `otherwise` where it is of another version's kind."""
    try:
        return None if value is None else read_field(field, value)
    except InputError:
        return otherwise


def _chosen(field: Field, value: Any, default: Any) -> ChosenOtherwise | None:
    """A setting that is not the default, beside it; None for the default or more of it."""
    if value is None:
        return None
    if value == default or (isinstance(value, int) and type(default) is int and value > default):
        return None
    text = ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
    name = field.name.replace("_", "-")
    every = get_args(get_args(field.kind)[0]) if get_origin(field.kind) is tuple else ()
    if every and set(default or every) == set(every):
        whole = set(text.split(",")) == set(map(str, every))
        return None if whole else ChosenOtherwise(name, text, "all", len(every))
    if default is None:
        return ChosenOtherwise(name, text, None)
    usual = ",".join(map(str, default)) or "all" if isinstance(default, tuple) else default
    return ChosenOtherwise(name, text, str(usual))
