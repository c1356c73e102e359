"""The ways in which one item can be asked: which tags are conditions, and which is the main way.

A benchmark declares its ways (`Benchmark.ways`), and a run keeps the declaration in its
``run.json``. Whatever reads runs asks the run, and knows no tag by name.

A `QuestionKind` is what was asked of many trials, a `TrialOutcome` what came of them.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from zhiyin.engine.folder import MANIFEST, Manifest
from zhiyin.files import NOT_JSON, read_regular
from zhiyin.record import State
from zhiyin.trial import Option, Tag

Changes = Literal["", "sound", "dose", "words", "options", "examples", "medium", "task"]
NO_SOUND = "0"
"""The value of a way that changes the dose of sound where nothing is heard."""


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
    changes : {"", "sound", "dose", "words", "options", "examples", "medium", "task"}
        What differs: what is played, how much of it, in what words it is asked, which options are
        offered, how many worked examples stand before, in what medium the music is given, or what
        is to be done. Decides words and figures; "" for none.
    varied : bool
        Whether it is a `Variation` of all benchmarks', and none of the benchmark's own.
    """

    name: str
    plain: str = ""
    contrast: str = ""
    changes: Changes = ""
    varied: bool = False

    @property
    def above_benchmarks(self) -> bool:
        """Tell whether a variation asks so; earlier versions kept no more than what it changes."""
        return self.varied or self.changes in ("dose", "words")


class Ways(tuple[Way, ...]):
    """The ways of a run, or of several."""

    def of(self, tags: Mapping[str, Tag]) -> str:
        """Return how a trial differs from the main way: ``audio=noise``; "" for the main way."""
        if not tags:
            return ""
        altered = (w for w in self._with_main if tags.get(w.name, w.plain) != w.plain)
        return "/".join(f"{way.name}={tags[way.name]}" for way in altered)

    def is_main(self, tags: Mapping[str, Tag]) -> bool:
        """Tell whether a trial was asked in its benchmark's main way."""
        return not self.of(tags)

    def bare(self, group: str) -> str:
        """A group's name without the ways before it: ``audio=true/theory`` -> theory."""
        return self._before.sub("", group)

    def is_altered(self, group: str) -> bool:
        """Tell from a group's name whether its trials were not asked in the main way."""
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
        data = read_regular(folder / MANIFEST)
        return declared_ways(msgspec.json.decode(data, type=_Declared).declared)
    return UNDECLARED


T = TypeVar("T", bound=Hashable)


class Codes(dict[T, int]):
    """A number for each value, in the order in which they became known; `names` by number."""

    def __init__(self, *first: T) -> None:
        self.names: list[T] = []
        for value in first:
            self[value]

    def __missing__(self, value: T) -> int:
        number = self[value] = len(self.names)
        self.names.append(value)
        return number


class DeclaredTags(dict[tuple[str, ...], tuple[str, ...]]):
    """Map from the names of a trial's tags to those that are ways of its benchmark."""

    def __init__(self, ways: Ways) -> None:
        self._names = tuple(way.name for way in ways)

    def __missing__(self, names: tuple[str, ...]) -> tuple[str, ...]:
        declared = self[names] = tuple(name for name in self._names if name in names)
        return declared


class QuestionKind(msgspec.Struct, frozen=True):
    """The common part of the questions of many trials.

    Attributes
    ----------
    groups : tuple of str
        As logged.
    condition : str
        The way in which the item is asked; repeats and rotations share it.
    options : int
        How many there are; 0 for a free answer.
    gold : str or None
        The letter under which the right option is shown; None for a free answer, and where any
        number of options may be right.
    conditions : tuple of (str, object)
        The tags that it has of those that its benchmark declares as ways.
    media, heard : bool
        Whether anything is heard or seen, and whether it is heard.
    first : bool
        Whether it is no repeat and no rotation of a trial before it.
    target : bool
        Whether there is anything that is right.
    way : str
        What sets it apart from the benchmark's main way: ``audio=noise``; "" for nothing.
    bare : tuple of str
        `groups` without the ways before their names; "" for one that names a way alone.
    """

    groups: tuple[str, ...]
    condition: str
    options: int
    gold: str | None
    conditions: tuple[tuple[str, Tag], ...]
    media: bool
    heard: bool
    first: bool
    target: bool
    way: str = ""
    bare: tuple[str, ...] = ()

    @classmethod
    def of(cls, asked: tuple[Any, ...], ways: Ways) -> QuestionKind:
        """Make the kind of a trial, from all fields but the last two."""
        kind = cls(*asked)
        bare = tuple(map(ways.bare, kind.groups))
        return msgspec.structs.replace(kind, way=ways.of(kind.tags), bare=bare)

    @property
    def asked(self) -> tuple[object, ...]:
        """All fields but the last two, which follow from them."""
        return msgspec.structs.astuple(self)[:-2]

    @property
    def tags(self) -> dict[str, Tag]:
        """`conditions` by name."""
        return dict(self.conditions)

    @property
    def alternatives(self) -> int:
        """Number of options of which one is right, as one who guesses chooses among them; 0: none
        is known to be the only one.
        """
        return self.options if self.gold is not None or not self.target else 0

    @property
    def main(self) -> bool:
        """Tell whether it was asked in the benchmark's main way."""
        return not self.way


class TrialOutcome(msgspec.Struct, frozen=True):
    """The outcome of a trial, as far as many share it.

    `purpose` is that of the last call, `kept_by` the id of the run that asked for its reply (""
    where nobody knows, None for the run itself); `settled`: a further call settled the answer;
    `unconfirmed`: such a call failed.
    """

    state: State
    letter: str | None
    key: str | None
    policy: str
    confidence: str
    purpose: str
    kept_by: str | None
    settled: bool
    unconfirmed: bool


_REPLICATED = ("repeat", "rotation")


def item_of(trial_id: str, item: str, condition: str, tags: Mapping[str, Tag]) -> tuple[str, str]:
    """The item of a logged trial, and the condition under which it was asked.

    Parameters
    ----------
    trial_id : str
    item, condition : str
        As logged.
    tags : mapping

    Returns
    -------
    tuple of str
        As logged, where `item` is. Without it a trial is an item of its own, unless its tags
        show an old log: the tag ``item`` then names it, and the condition is what is left of the
        id without the item and without the parts that say repeat (``r2``) and rotation
        (``rotation=3``). An old log without that tag has its item in the id as a whole, but for
        those parts.
    """
    if item:
        return item, condition
    if not tags:
        return trial_id, condition
    named = str(tags.get("item") or "")
    if not named and not any(tag in tags for tag in _REPLICATED):
        return trial_id, condition
    rest = trial_id
    if named and trial_id.startswith(named):
        rest = trial_id[len(named) :]
    elif named and trial_id.endswith(named):
        rest = trial_id[: -len(named)]
    repeats = {f"r{tags['repeat']}"} if "repeat" in tags else set()
    repeats |= {f"rotation={tags['rotation']}"} if "rotation" in tags else set()
    left = "/".join(part for part in rest.split("/") if part and part not in repeats)
    return (named, left) if named else (left or trial_id, "")


def gold_of(options: Sequence[Option], target: str | None, tags: Mapping[str, Tag]) -> str | None:
    """The letter of the option whose key is the target; None for a free answer, and where whoever
    answers may name several (the tag ``kind``), though one alone be right.
    """
    right = (option.letter for option in options if option.key == target)
    return None if tags.get("kind") == "several" else next(right, None)
