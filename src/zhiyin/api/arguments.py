"""Settings and models given from Python, read and checked as the command line does."""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from types import CodeType, MethodType
from typing import Any, Literal, NoReturn, Protocol, cast

from zhiyin.contract import protocols
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.options import Options, common_settings
from zhiyin.contract.settings import options_of
from zhiyin.errors import InputError, did_you_mean
from zhiyin.flags import add_part
from zhiyin.models.custom import OwnModel
from zhiyin.models.function import FunctionModel
from zhiyin.record import Model, Reply, Sampling
from zhiyin.trial import Messages, Trial
from zhiyin.words import said

Temperature = float | Literal["default"] | None


class _ArgumentParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(message.removeprefix("argument "))


@contextlib.contextmanager
def as_parameters() -> Iterator[None]:
    """Name settings in errors as Python does: ``max_tokens`` for ``--max-tokens``."""
    try:
        yield
    except InputError as error:
        words = re.sub(r"--([a-z][a-z-]*)", lambda m: m[1].replace("-", "_"), str(error))
        raise InputError(words) from None


def benchmark_options(kind: type[Benchmark[Any]], given: Mapping[str, Any]) -> Options:
    """Every option of a run, as the flags of ``zhiyin run`` would have given them.

    Parameters
    ----------
    kind : type of Benchmark
    given : mapping of str to Any
        What the user chose, under the flags' names with "_" for "-". None is a flag left out.

    Returns
    -------
    dict
        The same as from the command line, so that both find the same run folder.

    Raises
    ------
    InputError
        An unknown setting, or a value that its flag does not take.
    """
    reader = _ArgumentParser(add_help=False, allow_abbrev=False, argument_default=None)
    for common in common_settings():
        add_part(reader, common)
    own = reader.add_argument_group()
    try:
        kind.add_options(own)
        protocols.add_flags(own, kind)
    except argparse.ArgumentError as error:
        raise InputError(said("api-common", kind=kind.name, why=str(error))) from None
    known = {action.dest: action for action in reader._actions}
    given = {name: value for name, value in given.items() if value is not None}
    for name in given:
        if name not in known:
            raise InputError(said(
                "api-no-setting", kind=kind.name, name=repr(name), hint=did_you_mean(name, known)
            ))  # fmt: skip
    if words := [f"--{name}={given[name]}" for name in ("protocol", "released") if name in given]:
        protocols.preset(reader, kind, words)
    words = [word for name, value in given.items() for word in _words(known[name], value)]
    with as_parameters():
        parsed = vars(reader.parse_args(words))
    return options_of(parsed, [action.dest for action in own._group_actions])


def _words(action: argparse.Action, value: Any) -> list[str]:
    """A setting as the words of a command line."""
    flag = action.option_strings[0]
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise InputError(said("api-true-false", setting=action.dest, value=repr(value)))
        return [flag] if value else []
    if isinstance(value, bool):
        raise InputError(said("api-a-value", setting=action.dest, value=repr(value)))
    if isinstance(value, Mapping):
        value = [f"{name}={_as_word(one)}" for name, one in value.items()]
    if isinstance(value, list | tuple | set | frozenset):
        if not isinstance(action, argparse._AppendAction):
            return [f"{flag}={','.join(map(str, value))}"]
        return [f"{flag}={_as_word(one)}" for one in value]
    return [f"{flag}={_as_word(value)}"]


def _as_word(value: Any) -> str:
    return os.fsdecode(value) if isinstance(value, os.PathLike) else str(value)


class OwnObject(Protocol):
    """A model of the user's. More of `zhiyin.models` is used where it is there."""

    name: str

    async def generate(
        self, messages: Messages, sampling: Sampling, trial: Trial
    ) -> Reply | str: ...


GivenModel = str | Model | OwnObject | Callable[..., Any]
"""A spec such as "openai:gpt-4o", a function, or an object with `name` and `generate`."""


class GivenFunction(FunctionModel):
    """A function object as a model; see `FunctionModel` for what it takes and returns.

    It is known by its module and name, and by its code: a function that was edited is another
    model, so that no answers of the old one stand under its name. What it calls is not seen.

    Parameters
    ----------
    function : callable
    timeout : float
        Seconds until an async function is given up.
    concurrency : int, optional

    Raises
    ------
    InputError
        When it cannot be called with messages, nor with a question.
    """

    def __init__(
        self, function: Callable[..., Any], timeout: float, concurrency: int | None = None
    ) -> None:
        super().__init__(_name(function), function, timeout, concurrency)
        self._code = function
        self._file = {}  # the fingerprint tells of its code alone

    def fingerprint(self) -> str:
        """SHA-256 of the function's code, of its defaults and of plain values that it closes on."""
        total = sha256()
        for part in _parts(self._code):
            total.update(part.encode("utf-8", "surrogatepass") + b"\0")
        return total.hexdigest()


def open_given_model(model: GivenModel, timeout: float, concurrency: int | None) -> str | Model:
    """A model as `RunSettings` takes it.

    Raises
    ------
    InputError
        For what is neither a spec nor a function nor an object with a name and `generate`.
    """
    if isinstance(model, str):
        return model
    if isinstance(model, type):
        raise InputError(said("api-a-class", name=model.__name__))
    if hasattr(model, "generate"):
        return _checked(model)
    if callable(model):
        return GivenFunction(model, timeout, concurrency)
    raise InputError(said("api-type", name=type(model).__name__))


def _checked(model: Any) -> Model:
    """An object of the user's; it needs a name, since it has no spec to be called by."""
    kind = type(model)
    if kind.__module__.partition(".")[0] == "zhiyin":
        return cast("Model", model)
    own = OwnModel(model, f"model {kind.__name__}")
    if own.name != getattr(model, "name", None):
        raise InputError(said("api-name", own=own.name))
    return own


def _name(function: Callable[..., Any]) -> str:
    """``MODULE:FUNCTION``, as far as it is known."""
    inner = function
    while isinstance(inner, functools.partial):
        inner = inner.func
    named = inner if hasattr(inner, "__qualname__") else type(inner)
    return f"{named.__module__}:{named.__qualname__}"


def _parts(thing: Any) -> list[str]:
    """List texts that distinguish one function from another, equal in every process."""
    if isinstance(thing, functools.partial):
        return [*_parts(thing.func), *map(_plain, thing.args), _plain(dict(thing.keywords))]
    if isinstance(thing, MethodType):
        thing = thing.__func__
    if not hasattr(thing, "__code__"):
        thing = getattr(type(thing).__call__, "__func__", type(thing).__call__)
    code = getattr(thing, "__code__", None)
    if code is None:  # built in: only its name is known
        return [repr(type(thing))]
    cells = [_cell(cell) for cell in thing.__closure__ or ()]
    return [*_code(code), _plain(thing.__defaults__), _plain(thing.__kwdefaults__), *cells]


def _code(code: CodeType) -> list[str]:
    parts = [code.co_code.hex(), *code.co_names, *code.co_varnames]
    for constant in code.co_consts:
        parts += _code(constant) if isinstance(constant, CodeType) else [_plain(constant)]
    return parts


def _cell(cell: Any) -> str:
    try:
        return _plain(cell.cell_contents)
    except ValueError:  # not filled yet
        return "empty"


def _plain(value: Any) -> str:
    """A plain value as text; of others the type, since their `repr` may hold an address."""
    if value is None or isinstance(value, str | bytes | int | float | complex):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}{[_plain(one) for one in value]}"
    if isinstance(value, set | frozenset):
        return f"set{sorted(map(_plain, value))}"
    if isinstance(value, dict):
        return f"dict{[(_plain(k), _plain(v)) for k, v in value.items()]}"
    return type(value).__qualname__
