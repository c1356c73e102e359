"""What the user chose: typed, and the flags that say so."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from zhiyin.errors import InputError, did_you_mean


class Flag(msgspec.Struct, frozen=True):
    """How a setting is written on the command line.

    Attributes
    ----------
    help : str
    metavar : str or None
    place : bool
        It says where something lies, not what is asked.
    reads : bool
        It says how the file is read: ``zhiyin data check`` takes it too.
    common : bool
        Every benchmark has the flag.
    """

    help: str
    metavar: str | None = None
    place: bool = False
    reads: bool = False
    common: bool = False


class Settings(msgspec.Struct, frozen=True):
    """How a file of questions is read, asked and scored."""

    data: Annotated[str | None, Flag("the file", "FILE", place=True, common=True)] = None
    seed: Annotated[int, Flag("for everything random", common=True)] = 0
    shots: Annotated[int, Flag("worked examples before each question", common=True)] = 0
    extract: Annotated[str, Flag("how choices are read", common=True)] = "robust"
    partial: Annotated[bool, Flag("leave out rows that cannot be asked", common=True)] = False
    columns: Annotated[
        tuple[str, ...],
        Flag("which column is what, e.g. question=stem,answer=gold", "MEANING=COLUMN", reads=True),
    ] = ()
    answers: Annotated[
        Literal["auto", "letter", "index-0", "index-1", "text"],
        Flag("how answers name options; default: as the file shows", reads=True),
    ] = "auto"
    delimiter: Annotated[
        str | None,
        Flag("parts entries in a cell; default line break, | or ;", "SIGN", reads=True),
    ] = None
    sheet: Annotated[str | None, Flag("of a spreadsheet", "NAME", reads=True)] = None
    split: Annotated[str | None, Flag("of a folder of datasets", "NAME", reads=True)] = None
    audio_root: Annotated[
        str | None,
        Flag("where paths of sound begin; default: beside the file", "DIR", place=True, reads=True),
    ] = None
    several: Annotated[
        bool, Flag("ask every choice as one with, perhaps, several right answers", reads=True)
    ] = False
    scorer: Annotated[
        str | None,
        Flag(
            "of free answers: exact, normalised, contains, number[:TOLERANCE], regex, set-f1, "
            "edit, wer, cer, notes, yes-no, judge",
            "NAME",
            reads=True,
        ),
    ] = None
    rubric: Annotated[
        str | None, Flag("what the judge looks for: words, or a .txt file", "TEXT", reads=True)
    ] = None
    judge: Annotated[str | None, Flag("who judges, a model", "JUDGE", place=True)] = None
    shuffle: Annotated[bool, Flag("shuffle each question's options by --seed")] = False
    language: Annotated[Literal["en", "zh"], Flag("of the words around a question; default en")] = (
        "en"
    )
    prompts: Annotated[
        str | None, Flag("prompts that replace ours by file name", "DIR", place=True)
    ] = None


def flags() -> dict[str, tuple[Any, Flag]]:
    """Each setting's type and flag, by name."""
    hints = get_type_hints(Settings, include_extras=True)
    return {name: (hint.__args__[0], hint.__metadata__[0]) for name, hint in hints.items()}


def add_flags(parser: argparse._ActionsContainer, *, reading: bool = False) -> None:
    """Add the flags that are not common to all benchmarks; only those of `reading` where so."""
    for name, (kind, flag) in flags().items():
        if flag.common or (reading and not flag.reads):
            continue
        word = f"--{name.replace('_', '-')}"
        if kind is bool:
            parser.add_argument(word, action="store_true", help=flag.help)
        elif get_origin(kind) is Literal:
            parser.add_argument(word, choices=get_args(kind), help=flag.help)
        elif get_origin(kind) is tuple:
            parser.add_argument(word, action="append", metavar=flag.metavar, help=flag.help)
        else:
            parser.add_argument(word, metavar=flag.metavar, help=flag.help)


def read_settings(options: Mapping[str, Any]) -> Settings:
    """The settings in `options`, as flags or a manifest give them. Other keys are ignored.

    Raises
    ------
    InputError
        A value that no flag takes.
    """
    given: dict[str, Any] = {}
    for name, (kind, _) in flags().items():
        value = options.get(name)
        if value is None:
            continue
        if get_origin(kind) is tuple:
            lists = [value] if isinstance(value, str) else value
            value = tuple(word.strip() for one in lists for word in one.split(",") if word.strip())
        elif get_origin(kind) is Literal and value not in get_args(kind):
            raise InputError(f"--{name} {value}: {did_you_mean(str(value), get_args(kind))}")
        elif kind is int:
            value = _whole(name, value)
        given[name] = value
    if given.get("delimiter") == "\\t":
        given["delimiter"] = "\t"
    return Settings(**given)


def _whole(name: str, value: Any) -> int:
    text = str(value).strip()
    if not text.removeprefix("-").isdecimal() or (name == "shots" and int(text) < 0):
        raise InputError(f"--{name} {value}: give a whole number")
    return int(text)
