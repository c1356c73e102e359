"""Settings given from Python, read and checked as the command line reads its flags."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import Any, Literal, NoReturn

from zhiyin.contract import protocols
from zhiyin.contract.benchmark import Benchmark
from zhiyin.errors import InputError, did_you_mean
from zhiyin.models.thinking import LEVELS, OFF
from zhiyin.record import Sampling

Temperature = float | Literal["default"] | None
COMMON = ("data", "seed", "shots", "extract", "partial")
"""Settings that every run has; `confirm` is there only where it is asked for."""
_MOST = 10**12


class _Reader(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(message.removeprefix("argument ").replace("--", "", 1))


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
    for name in ("data", "shots", "extract"):
        reader.add_argument(f"--{name}")
    reader.add_argument("--seed", type=int, default=0)
    for name in ("partial", "confirm"):
        reader.add_argument(f"--{name}", action="store_true")
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
    parsed = vars(reader.parse_args(words))
    names = (*COMMON, *(action.dest for action in own._group_actions))
    options = {name: parsed[name] for name in names}
    return options | ({"confirm": True} if parsed["confirm"] else {})


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


def read_sampling(
    kind: type[Benchmark[Any]],
    protocol: str | None,
    temperature: Temperature,
    thinking: str | int | None = None,
    **others: int | float | None,
) -> Sampling:
    """How the model is to generate: as given, else as the protocol says, else at temperature 0.

    Parameters
    ----------
    kind : type of Benchmark
    protocol : str or None
    temperature : float, "default" or None
        In [0, 2]; "default" leaves it to the model, None to the protocol.
    thinking : str, int or None
        "off", a level or a number of tokens.
    **others
        ``max_tokens``, ``top_p``, ``top_k``, ``sampling_seed``; None for not given.

    Raises
    ------
    InputError
        For an unknown protocol, or a number outside its range.
    """
    usual = protocols.open_protocol(kind, protocol).usual()
    chosen: Any = usual.get("temperature", 0.0) if temperature is None else temperature
    chosen = None if chosen == "default" else chosen
    numbers = {name: usual.get(name) if value is None else value for name, value in others.items()}
    if chosen is not None:
        check("temperature", chosen, 0, 2, whole=False)
    for name in ("max_tokens", "top_k"):
        check(name, numbers[name], 1)
    if numbers["top_p"] is not None and not numbers["top_p"]:
        raise InputError("top_p 0: give a number above 0 and up to 1")
    check("top_p", numbers["top_p"], 0, 1, whole=False)
    if isinstance(thinking, str):
        if thinking not in (OFF, *LEVELS):
            raise InputError(f"thinking {thinking!r}: {did_you_mean(thinking, (OFF, *LEVELS))}")
    else:
        check("thinking", thinking, 1)
    check("sampling_seed", numbers["sampling_seed"], -_MOST)
    return Sampling(
        temperature=chosen,
        max_tokens=numbers["max_tokens"],  # type: ignore[arg-type]
        top_p=numbers["top_p"],
        top_k=numbers["top_k"],  # type: ignore[arg-type]
        seed=numbers["sampling_seed"],  # type: ignore[arg-type]
        thinking=thinking,
    )


def check(name: str, value: Any, least: float, most: float = _MOST, *, whole: bool = True) -> None:
    """Raise `InputError` where `value` is a number outside [least, most], or none. None passes."""
    if value is None:
        return
    kinds = int if whole else int | float
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
        kind = "a whole number" if whole else "a number"
        upto = f"of at least {least:g}" if most == _MOST else f"between {least:g} and {most:g}"
        raise InputError(f"{name} {value!r}: give {kind} {upto}")
