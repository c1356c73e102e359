"""The ways in which one item can be asked: which tags are conditions, and which is the main way.

A benchmark declares its ways (`Benchmark.ways`), and a run keeps the declaration in its
``run.json``. Whatever reads runs asks the run, and knows no tag by name.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from zhiyin.engine.folder import MANIFEST, Manifest
from zhiyin.files import NOT_JSON
from zhiyin.trial import Tag

Changes = Literal["", "sound", "options", "examples", "medium", "task"]


class Way(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tag by whose values the ways of asking one item differ.

    Attributes
    ----------
    name : str
        Of the tag.
    plain : str
        Its value in the main way, which a trial without the tag has, too; "" where no value is
        the main one.
    contrast : str
        The value against which others are set, paired by item; "" for none.
    changes : {"", "sound", "options", "examples", "medium", "task"}
        What differs: what is played, which options are offered, how many worked examples stand
        before, in what medium the music is given, or what is to be done. Decides words and
        figures; "" for none.
    """

    name: str
    plain: str = ""
    contrast: str = ""
    changes: Changes = ""


class Ways(tuple[Way, ...]):
    """The ways of a run, or of several."""

    def of(self, tags: Mapping[str, Tag]) -> str:
        """What sets a trial apart from the main way: ``audio=noise``; "" for the main way."""
        if not tags:
            return ""
        altered = (w for w in self._with_main if tags.get(w.name, w.plain) != w.plain)
        return "/".join(f"{way.name}={tags[way.name]}" for way in altered)

    def is_main(self, tags: Mapping[str, Tag]) -> bool:
        """Whether a trial was asked in its benchmark's main way."""
        return not self.of(tags)

    def bare(self, group: str) -> str:
        """A group's name without the ways before it: ``audio=true/theory`` -> theory."""
        return self._before.sub("", group)

    def is_altered(self, group: str) -> bool:
        """Whether a group is of trials that were not asked in the main way, by its name."""
        match = self._before.match(group)
        named = match[0].strip("/").split("/") if match else []
        main = {f"{way.name}={way.plain}" for way in self._with_main}
        return any(one not in main for one in named)

    def that_change(self, what: Changes) -> Way | None:
        """The first way by which `what` differs; None where none does."""
        return next((way for way in self if way.changes == what), None)

    @cached_property
    def _with_main(self) -> tuple[Way, ...]:
        return tuple(way for way in self if way.plain)

    @cached_property
    def _before(self) -> re.Pattern[str]:
        if not self._with_main:
            return re.compile(r"(?!)")
        names = "|".join(re.escape(way.name) for way in self._with_main)
        return re.compile(rf"^(?:(?:{names})=[^/]*/?)+")


UNDECLARED = Ways(
    (
        Way("audio", plain="true", contrast="true", changes="sound"),
        Way("distractors", plain="all", changes="options"),
        Way("modality", contrast="midi", changes="medium"),
        Way("task", changes="task"),
        Way("shots", changes="examples"),
        Way("strategy"),
    )
)
"""The ways of runs whose benchmark declared none: all that there were before it could."""


def ways_of(manifest: Manifest) -> Ways:
    """The ways of a run, as its benchmark declared them when it began."""
    return declared_ways(manifest.declared)


def declared_ways(declared: Mapping[str, Any]) -> Ways:
    """The ways in a declaration; `UNDECLARED` where it has none that can be read."""
    try:
        ways = msgspec.convert(declared.get("ways"), tuple[Way, ...] | None)
    except msgspec.ValidationError:
        ways = None
    return UNDECLARED if ways is None else Ways(ways)


def union(several: Iterable[Ways]) -> Ways:
    """The ways of several runs, each tag once, as the first run with it has it."""
    found: dict[str, Way] = {}
    for ways in several:
        for way in ways:
            found.setdefault(way.name, way)
    return Ways(found.values())


class _Declared(msgspec.Struct):
    declared: dict[str, Any] = {}


def ways_in(folder: Path) -> Ways:
    """The ways of the run in a folder, without the rest of its manifest."""
    with contextlib.suppress(OSError, *NOT_JSON):
        data = (folder / MANIFEST).read_bytes()
        return declared_ways(msgspec.json.decode(data, type=_Declared).declared)
    return UNDECLARED
