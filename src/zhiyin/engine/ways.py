"""The ways in which one item can be asked, and which of them is a benchmark's main one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from zhiyin.trial import Tag


class Way(NamedTuple):
    """A tag by which ways of asking are told apart.

    Attributes
    ----------
    name : str
        Of the tag.
    plain : str
        Its value in the main way, which a trial without the tag has, too; "" where no value is
        the main one.
    contrast : str
        The value against which others are set, paired by item; "" for none.
    """

    name: str
    plain: str = ""
    contrast: str = ""


WAYS = (
    Way("audio", plain="true", contrast="true"),
    Way("distractors", plain="all"),
    Way("modality", contrast="midi"),
    Way("task"),
    Way("shots"),
    Way("strategy"),
)
NAMES = tuple(way.name for way in WAYS)
_WITH_MAIN = tuple((way.name, way.plain) for way in WAYS if way.plain)
_BEFORE = re.compile(rf"^(?:(?:{'|'.join(name for name, _ in _WITH_MAIN)})=[^/]*/?)+")


def way_of(tags: Mapping[str, Tag]) -> str:
    """What sets a trial apart from the main way: ``audio=noise``; "" for the main way."""
    if not tags:
        return ""
    return "/".join(f"{n}={tags[n]}" for n, main in _WITH_MAIN if tags.get(n, main) != main)


def is_plain(tags: Mapping[str, Tag]) -> bool:
    """Whether a trial was asked in its benchmark's main way."""
    return not way_of(tags)


def without_way(group: str) -> str:
    """A group's name without the ways before it: ``audio=true/theory`` -> theory."""
    return _BEFORE.sub("", group)


def is_of_other_way(group: str) -> bool:
    """Whether a group is of trials that were not asked in the main way, by its name."""
    match = _BEFORE.match(group)
    named = match[0].strip("/").split("/") if match else []
    return any(tuple(one.split("=", 1)) not in _WITH_MAIN for one in named)
