"""What follows the kind of a local model: a folder or an id, and options after commas."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from zhiyin.errors import InputError, did_you_mean


class Choice(NamedTuple):
    """One option.

    Attributes
    ----------
    help : str
        What it sets.
    values : tuple of str
        What it may be; empty for anything.
    whole : bool
        Whether it is a whole number above 0.
    matters : bool
        Whether answers may depend on it, so that another value makes another run.
    """

    help: str
    values: tuple[str, ...] = ()
    whole: bool = False
    matters: bool = True


class Spec(NamedTuple):
    """A local model as the user wrote it.

    Attributes
    ----------
    name : str
        Kind, place, and the options on which answers may depend.
    place : str
        A folder, or the id of a repository on the Hugging Face hub.
    options : dict of str to str
    """

    name: str
    place: str
    options: dict[str, str]

    def number(self, name: str) -> int | None:
        """An option that is a whole number; None where it is not given."""
        return int(self.options[name]) if name in self.options else None

    @property
    def folder(self) -> Path | None:
        """The folder, where the place is one."""
        path = Path(self.place).expanduser()
        return path if path.is_dir() else None


def read_spec(kind: str, rest: str, known: Mapping[str, Choice]) -> Spec:
    """Read ``PLACE[,OPTION=VALUE...]``.

    Raises
    ------
    InputError
        No place, an unknown option, or a value that it cannot have.
    """
    place, *words = [word.strip() for word in rest.split(",")]
    if not place:
        raise InputError(f"model {kind!r} is not complete: write {kind}:PATH_OR_ID")
    options: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not value:
            raise InputError(f"{kind}:{place}: option {word!r}: write NAME=VALUE")
        if name not in known:
            raise InputError(f"{kind}:{place} has no option {name!r}: {did_you_mean(name, known)}")
        choice = known[name]
        if choice.values and value not in choice.values:
            allowed = ", ".join(choice.values)
            raise InputError(f"{kind}:{place}: {name}={value}: write one of {allowed}")
        if choice.whole and not (value.isdecimal() and int(value) > 0):
            raise InputError(f"{kind}:{place}: {name}={value}: give a whole number above 0")
        options[name] = value
    path = Path(place).expanduser()
    if not path.is_dir() and (place[0] in "./~" or place.count("/") > 1):
        raise InputError(f"{kind}:{place}: there is no such folder")
    shown = [f"{name}={options[name]}" for name in sorted(options) if known[name].matters]
    return Spec(",".join([f"{kind}:{place}", *shown]), place, options)
