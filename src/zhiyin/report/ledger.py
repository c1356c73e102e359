"""All trials of a benchmark in columns: what figures are made of, some forty bytes a trial."""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from typing import Any, Protocol, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.analysis.asked import Placed
from zhiyin.analysis.extent import condition_of
from zhiyin.engine.items import item_of
from zhiyin.engine.tally import ALL, is_plain, without_condition
from zhiyin.record import STATES, State
from zhiyin.trial import Tag

Ints = NDArray[np.int64]
T = TypeVar("T", bound=Hashable)

FACTS = ("task", "shots", "strategy", "distractors")
"""Tags within which two conditions are compared."""
_LOOKED_AT = (*FACTS, "audio", "modality")
NOT_ASKED = 255
_CODES = {state: code for code, state in enumerate(STATES)}


class Entered(Placed, Protocol):
    """As much of a trial as is taken up."""

    @property
    def id(self) -> str: ...
    @property
    def item(self) -> str: ...
    @property
    def condition(self) -> str: ...


class Kind(msgspec.Struct, frozen=True):
    """What many trials share.

    Attributes
    ----------
    groups : tuple of str
        As they are in the main way, below its condition in any other. They do not depend on which
        other conditions its run had.
    plain : bool
        Whether it was asked in its benchmark's main way: true sound, all distractors.
    options : int
        How many there are; 0 for a free answer.
    gold : str or None
        The letter under which the right option was shown first; None for a free answer.
    heard : bool
        Whether any sound was played.
    tags : tuple of (str, object)
        Those by which conditions are told apart.
    """

    groups: tuple[str, ...]
    plain: bool
    options: int
    gold: str | None
    heard: bool
    tags: tuple[tuple[str, Tag], ...]

    @property
    def facts(self) -> dict[str, Tag]:
        """The tags by name."""
        return dict(self.tags)


class Numbers(dict[T, int]):
    """The number of each value, in the order in which they became known; `names` by number."""

    def __init__(self, *first: T) -> None:
        self.names: list[T] = []
        for value in first:
            self[value]

    def __missing__(self, value: T) -> int:
        number = self[value] = len(self.names)
        self.names.append(value)
        return number


class Ledger:
    """The trials of one benchmark and what each run made of them, in order of first appearance.

    Items are told apart by hashes of 64 bits, as in `statistics.scores.Index`.
    """

    def __init__(self) -> None:
        self._kinds: Numbers[Kind] = Numbers()
        self._sorts: dict[tuple[Any, ...], int] = {}
        self._clusters: Numbers[str | None] = Numbers(None)
        self._conditions: Numbers[str] = Numbers("")
        self._letters: Numbers[str | None] = Numbers(None)
        self._kind, self._cluster, self._condition = (array("I") for _ in range(3))
        self._item, self._question = array("q"), array("q")
        self._asked: dict[int, tuple[bytearray, array[int]]] = {}

    def __len__(self) -> int:
        return len(self._kind)

    def enter(self, trial: Entered, gold: str | None, heard: bool, question: int | None) -> int:
        """Take up a trial that is not there yet; its place."""
        tags = trial.tags
        looked = tuple((n, tags[n]) for n in _LOOKED_AT if n in tags) if tags else ()
        key = trial.groups, looked, len(trial.options), gold, heard
        if key not in self._sorts:
            groups = _groups_of(trial.groups, tags)
            kind = Kind(groups, is_plain(tags), len(trial.options), gold, heard, looked)
            self._sorts[key] = self._kinds[kind]
        item, condition = item_of(trial.id, trial.item, trial.condition, tags)
        self._kind.append(self._sorts[key])
        self._item.append(hash(item))
        self._condition.append(self._conditions[condition])
        self._cluster.append(self._clusters[trial.cluster])
        self._question.append(hash("no question") if question is None else question)
        return len(self._kind) - 1

    def state(self, run: int, place: int) -> State | None:
        """What became of a trial in a run; None where it was not asked."""
        states, _ = self._columns(run)
        code = states[place] if place < len(states) else NOT_ASKED
        return None if code == NOT_ASKED else STATES[code]

    def answer(self, run: int, place: int, state: State, letter: str | None) -> None:
        """Note what a run made of a trial, in place of what was noted before."""
        states, letters = self._columns(run)
        if place >= len(states):
            more = place + 1 - len(states)
            states.extend(bytes([NOT_ASKED]) * more)
            letters.extend([0] * more)
        states[place], letters[place] = _CODES[state], self._letters[letter]

    def forget(self, run: int) -> None:
        """Take back all that was noted of a run."""
        self._asked.pop(run, None)

    def _columns(self, run: int) -> tuple[bytearray, array[int]]:
        if run not in self._asked:
            self._asked[run] = bytearray(), array("H")
        return self._asked[run]

    @property
    def kinds(self) -> list[Kind]:
        """The different kinds."""
        return self._kinds.names

    @property
    def kind(self) -> Ints:
        """The kind of each trial, as its place in `kinds`."""
        return np.array(self._kind, dtype=np.int64)

    def states(self, run: int) -> Ints:
        """What became of each trial in a run: the place in `STATES`, or `NOT_ASKED`."""
        codes = np.full(len(self), NOT_ASKED, dtype=np.int64)
        states, _ = self._columns(run)
        codes[: len(states)] = np.frombuffer(bytes(states), dtype=np.uint8)
        return codes

    def letters(self, run: int, places: Ints) -> list[str | None]:
        """The letters that a run chose in trials that it was asked."""
        names, column = self._letters.names, self._columns(run)[1]
        return [names[column[place]] for place in places.tolist()]

    def identities(self, places: Ints) -> tuple[Ints, Ints, Ints]:
        """Items, conditions and clusters of some trials, by numbers as `scores.Index.of` wants."""
        columns = (self._item, self._condition, self._cluster)
        items, conditions, clusters = (np.array(one, dtype=np.int64)[places] for one in columns)
        return items, conditions, clusters

    def questions(self, places: Ints) -> Ints:
        """Equal for trials that ask the same; see `Casebook`."""
        return np.array(self._question, dtype=np.int64)[places]

    def options(self, places: Ints) -> Ints:
        """How many options some trials have; 0 for a free answer."""
        sizes = np.array([kind.options for kind in self.kinds], dtype=np.int64)
        return sizes[self.kind[places]]

    def groups(self, place: int) -> tuple[str, ...]:
        """The groups of a trial as `Kind` has them."""
        return self.kinds[self._kind[place]].groups

    def item(self, place: int) -> int:
        """The item of a trial."""
        return self._item[place]

    def condition(self, place: int) -> str:
        """The way in which the item is asked; repeats and rotations share it."""
        return self._conditions.names[self._condition[place]]

    def cluster(self, place: int) -> str | None:
        """What the item hangs together with; None for one that stands alone."""
        return self._clusters.names[self._cluster[place]]

    def question(self, place: int) -> int:
        """Equal for trials that ask the same; see `Casebook`."""
        return self._question[place]


def _groups_of(groups: tuple[str, ...], tags: dict[str, Tag]) -> tuple[str, ...]:
    """The groups of a trial as `Kind` has them."""
    condition = condition_of(tags)
    own = [g for g in dict.fromkeys(map(without_condition, groups)) if g not in ("", ALL)]
    return (condition, *(f"{condition}/{group}" for group in own)) if condition else tuple(own)
