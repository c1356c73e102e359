"""The groups of a chapter as a page lists them: their labels, levels, and which are main ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
import numpy as np

from zhiyin.engine.tally import ALL
from zhiyin.report.measures import Sheet
from zhiyin.runs.figures import GroupFigures


class ListedGroup(msgspec.Struct, frozen=True):
    """A group of trials as a page lists it.

    Attributes
    ----------
    name : str
    label : str
        Its name in words within the group above it.
    path : str
        Its name in words with all above it.
    level : int
        How many other groups it lies within; -1 for the whole.
    main : bool
        Whether it is of the first level, and no altered condition. Of two that hold the same
        trials, as a section with one chapter and that chapter do, the first is a main one.
    same : bool
        Whether it holds the same trials as the one above it.
    n : int
        Trials.
    chance : float or None
        What guessing evenly among the options gets right; None where an answer is free, and where
        runs were asked differently.
    """

    name: str
    label: str
    path: str
    level: int
    main: bool
    same: bool
    n: int
    chance: float | None


def is_condition(group: str) -> bool:
    """Whether a group is that of an altered condition."""
    return all("=" in part for part in group.split("/"))


def listed_groups(sheet: Sheet) -> list[ListedGroup]:
    """The groups of a benchmark, in the order of the page."""
    main = set(_main_groups(sheet))
    return [
        ListedGroup(
            name=name,
            label=_label(name, sheet),
            path="Everything" if name == ALL else _in_words(name.split("/")),
            level=_level(name, sheet),
            main=name in main,
            same=name != ALL and np.array_equal(members, sheet.groups[_above(name, sheet)]),
            n=len(members),
            chance=_common_chance(name, sheet.figures),
        )
        for name, members in sheet.groups.items()
    ]


def _level(name: str, sheet: Sheet) -> int:
    if name == ALL:
        return -1
    parts = name.split("/")
    return sum("/".join(parts[:end]) in sheet.groups for end in range(1, len(parts)))


def _main_groups(sheet: Sheet) -> Iterator[str]:
    before: set[bytes] = set()
    for name, members in sheet.groups.items():
        if _level(name, sheet) == 0 and not is_condition(name) and members.tobytes() not in before:
            before.add(members.tobytes())
            yield name


def _common_chance(group: str, figures: Mapping[int, Mapping[str, GroupFigures]]) -> float | None:
    chances = [own[group].chance for own in figures.values() if group in own]
    levels = {None if level is None else round(level, 9) for level in chances}
    return chances[0] if len(levels) == 1 else None


def _label(name: str, sheet: Sheet) -> str:
    if name == ALL:
        return "Everything"
    return _in_words(name.removeprefix(f"{_above(name, sheet)}/").split("/"))


def _above(name: str, sheet: Sheet) -> str:
    """The group that holds this one: the nearest in its name, or everything."""
    parts = name.split("/")
    inner = ("/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))
    return next((one for one in inner if one in sheet.groups), ALL)


def _in_words(parts: Sequence[str]) -> str:
    words = " / ".join(parts).replace("_", " ")
    return words[:1].upper() + words[1:]
