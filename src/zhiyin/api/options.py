"""Settings given from Python, read and checked as the command line reads its flags."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NoReturn

from zhiyin.contract import protocols
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.flags import CommonOptions
from zhiyin.contract.settings import options_of
from zhiyin.errors import InputError, did_you_mean
from zhiyin.flags import add_part

Temperature = float | Literal["default"] | None


class _Reader(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(message.removeprefix("argument "))


@contextlib.contextmanager
def as_parameters() -> Iterator[None]:
    """Have errors name settings as Python does: ``max_tokens`` for ``--max-tokens``."""
    try:
        yield
    except InputError as error:
        words = re.sub(r"--([a-z][a-z-]*)", lambda m: m[1].replace("-", "_"), str(error))
        raise InputError(words) from None


def benchmark_options(kind: type[Benchmark[Any]], given: Mapping[str, Any]) -> dict[str, Any]:
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
    reader = _Reader(add_help=False, allow_abbrev=False, argument_default=None)
    add_part(reader, CommonOptions)
    own = reader.add_argument_group()
    try:
        kind.add_options(own)
        protocols.add_flags(own, kind)
    except argparse.ArgumentError as error:
        raise InputError(
            f"benchmark {kind.name}: a setting has the name of a common one ({error}): write "
            "Flag(common=True) at it, or rename it"
        ) from None
    known = {action.dest: action for action in reader._actions}
    given = {name: value for name, value in given.items() if value is not None}
    for name in given:
        if name not in known:
            raise InputError(f"{kind.name} has no setting {name!r}: {did_you_mean(name, known)}")
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
            raise InputError(f"{action.dest} {value!r}: give True or False")
        return [flag] if value else []
    if isinstance(value, bool):
        raise InputError(f"{action.dest} {value!r}: give a value, not True or False")
    if isinstance(value, Mapping):
        value = [f"{name}={_text(one)}" for name, one in value.items()]
    if isinstance(value, list | tuple | set | frozenset):
        if not isinstance(action, argparse._AppendAction):
            return [f"{flag}={','.join(map(str, value))}"]
        return [f"{flag}={_text(one)}" for one in value]
    return [f"{flag}={_text(value)}"]


def _text(value: Any) -> str:
    return os.fsdecode(value) if isinstance(value, os.PathLike) else str(value)
