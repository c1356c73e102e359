"""Arguments that stand for others: a file of questions in a benchmark's place, and a recipe."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from zhiyin.errors import InputError, system_words
from zhiyin.files import read_regular
from zhiyin.parsing import read_json_text, read_toml_text
from zhiyin.words import said

OWN = "questions"
"""The benchmark that a file of questions is; its runs are called after the file."""
SUFFIXES = (
    *(".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".parquet"),
    *(".xlsx", ".xlsm", ".xls", ".ods"),
)
DATASET_MARKS = ("state.json", "dataset_dict.json")
"""Files by which a folder that ``datasets`` wrote is recognised."""
BENCHMARK = "benchmark.json"
"""In a folder that ``zhiyin forge`` wrote: says which of its files holds the questions."""


def is_dataset(path: Path) -> bool:
    """Tell whether a folder was written by ``datasets``."""
    return any((path / name).is_file() for name in DATASET_MARKS)


def looks_like_file(word: str) -> bool:
    """Tell whether a command-line word means a file of questions, not a benchmark's name."""
    path = Path(word)
    if path.suffix.lower() in SUFFIXES or path.is_file() or is_dataset(path):
        return True
    return (path / BENCHMARK).is_file()


def questions_in(word: str) -> str:
    """The file of questions that a word means: of a forged folder its own, else the word.

    Raises
    ------
    InputError
        The folder's description is none, or its questions have changed since they were made.
    """
    path = Path(word) / BENCHMARK
    if not path.is_file():
        return word
    try:
        description = read_json_text(read_regular(path))
        name, sha256 = description["questions"], description["files"][description["questions"]]
        inside = Path(word) / Path(name).name
        digest = hashlib.sha256(inside.read_bytes()).hexdigest()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(said("forged-which", path=path, why=repr(error))) from None
    if digest != sha256:
        raise InputError(said("forged-changed", inside=inside))
    return str(inside)


RECIPE = "--recipe"


def in_two_words(arguments: Sequence[str], flag: str) -> list[str]:
    """Arguments in which ``FLAG=VALUE`` stands as ``FLAG VALUE``."""
    start = f"{flag}="
    return [
        part
        for word in arguments
        for part in ((flag, word[len(start) :]) if word.startswith(start) else (word,))
    ]


def with_recipe(arguments: Sequence[str], *, run: bool = True) -> list[str]:
    """Arguments in which ``--recipe FILE`` is replaced by the flags that the file holds.

    A recipe is TOML: a table ``flags`` of flags without their dashes; a list is given entry by
    entry. What the user gives goes before it. A table ``run`` holds flags of ``zhiyin run`` alone:
    they are left out unless `run`.

    Raises
    ------
    InputError
        The file cannot be read, or is no recipe.
    """
    arguments = in_two_words(arguments, RECIPE)
    if RECIPE not in arguments:
        return list(arguments)
    at = arguments.index(RECIPE)
    if at + 1 == len(arguments):
        raise InputError(said("recipe-which", recipe=RECIPE))
    path, rest = Path(arguments[at + 1]), [*arguments[:at], *arguments[at + 2 :]]
    try:
        recipe = read_toml_text(path.read_bytes())
    except OSError as error:
        raise InputError(
            said("recipe-unread", path=path, why=system_words(error), recipe=RECIPE)
        ) from None
    except ValueError as error:
        raise InputError(said("recipe-toml", path=path, why=str(error))) from None
    flags, of_runs = recipe.get("flags"), recipe.get("run", {})
    if not isinstance(flags, dict) or not isinstance(of_runs, dict):
        raise InputError(said("recipe-flags", path=path))
    given = {word.partition("=")[0] for word in rest}
    given |= {"--model"} if "-m" in given else set()
    for name, value in (flags | of_runs if run else flags).items():
        flag = f"--{name}"
        if flag in given or value is False:
            continue
        if value is True:
            rest.append(flag)
        elif isinstance(value, str | int | float):
            rest += [flag, str(value)]
        elif isinstance(value, list):
            rest += [flag, ",".join(map(str, value))]
        else:
            raise InputError(said("recipe-value", path=path, name=name))
    return rest


@cache
def _switches() -> frozenset[str]:
    """The flags of a file of questions that no value stands behind."""
    from zhiyin.contract.registry import find
    from zhiyin.contract.settings import run_fields
    from zhiyin.flags import fields_of

    every = (*run_fields(), *fields_of(find(OWN).Settings))
    return frozenset(field.written for field in every if field.is_switch)


def file_as_data(arguments: Sequence[str]) -> list[str]:
    """Arguments in which a file stands as ``questions --data FILE``, if one stands first.

    Raises
    ------
    InputError
        ``--data`` is given beside it.
    """
    for place, word in enumerate(arguments):
        before = arguments[place - 1] if place else ""
        if word.startswith("-") or (before.startswith("-") and before not in _switches()):
            continue
        if not looks_like_file(word):
            break
        rest = [*arguments[:place], *arguments[place + 1 :]]
        if any(each.partition("=")[0] == "--data" for each in rest):
            raise InputError(said("error-data-twice", word=word))
        return [OWN, "--data", questions_in(word), *rest]
    return list(arguments)
