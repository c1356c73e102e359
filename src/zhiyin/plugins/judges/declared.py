"""Declarations of aspects: Zhiyin's own in ``own/``, others in a file or a package."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from zhiyin import extensions as plugins
from zhiyin.errors import InputError
from zhiyin.parsing import read_toml_text
from zhiyin.prompts import require

Given = Literal["details", "heard"]
_RESERVED = ("qa", "questions", "total", "song", "missing", "score")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_SEE = "see `Aspects of your own` in docs/judges.md"


class Aspect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One kind of judgement.

    Attributes
    ----------
    name : str
    scale : (float, float)
        The lowest and the highest score.
    weight : float
        In the total, beside those of the other aspects and of the questions.
    prompt : str
        The question to the judge, with ``{text}`` and what else is given in it; "" of Zhiyin's own,
        whose prompts are in the language packs and whose replies have forms of their own.
    given : tuple of {"details", "heard"}
        What a judge is given beside the text. Without any of it a song is not judged.
    temperature : float
        Of the judge.
    of : {"reviews", "choices"}
        What is judged. An aspect of choices is judged in a run of its own, and gives no grade.
    """

    name: str
    scale: tuple[float, float]
    weight: Annotated[float, msgspec.Meta(ge=0, le=1e6)]
    prompt: str = ""
    given: tuple[Given, ...] = ()
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.3
    of: Literal["reviews", "choices"] = "reviews"

    @property
    def needs(self) -> str:
        """What must be known of a song: "" for nothing, else details, heard, or any of both."""
        return "evidence" if len(self.given) > 1 else "".join(self.given)


def _read(path: Path) -> Aspect:
    """The declaration in a file. Raises `InputError`."""
    try:
        return msgspec.convert(read_toml_text(path.read_bytes()), Aspect)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: is it there, and a file?") from None
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {error}: {_SEE}") from None
    except ValueError as error:
        raise InputError(f"{path}: not TOML ({error}): mend that line") from None


_FILES = sorted((Path(__file__).parent / "own").glob("*.toml"))
OURS = {one.name: one for one in sorted(map(_read, _FILES), key=lambda one: -one.weight)}
"""Temperatures of the first three as in the README of the Comprehensive Music Appraisal
Benchmark, "LLM Settings"; of failures it is ours; reasoning is judged at 0, as published. Weights
by "Scoring Weights" there."""


def read_aspect(path: Path) -> Aspect:
    """The aspect that a file of others declares.

    Raises
    ------
    InputError
        It cannot be read, lacks a key, has a name that is taken, a scale or a prompt of no use.
    """
    aspect = _read(path)
    low, high = aspect.scale
    if not _NAME.fullmatch(aspect.name):
        raise InputError(f"{path}: name {aspect.name!r}: write small letters, digits, - and _")
    if aspect.name in OURS or aspect.name in _RESERVED:
        raise InputError(f"{path}: the name {aspect.name!r} is taken: choose another one")
    if not 0 <= low < high < float("inf"):
        raise InputError(
            f"{path}: scale [{low:g}, {high:g}]: write the lowest score, 0 or more, and then the "
            "highest"
        )
    if aspect.of != "reviews":
        raise InputError(f"{path}: of: aspects of your own are of reviews: leave it out")
    if not aspect.prompt.strip():
        raise InputError(f'{path}: no prompt: write prompt = "..." with {{text}} in it: {_SEE}')
    require(aspect.prompt, ("text", *aspect.given), path)
    return aspect


def read_declared(options: Mapping[str, Any]) -> tuple[Aspect, ...]:
    """The aspects that are not Zhiyin's own in the options of a judge run."""
    return msgspec.convert(options.get("declared") or (), tuple[Aspect, ...])


@cache
def installed() -> dict[str, Path]:
    """The files of aspects that packages declare, by the names of their entry points."""
    return {name: Path(str(place)) for name, place in plugins.every(plugins.ASPECTS).items()}
