"""Counting records: by state, and by the groups that a trial is counted under."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.engine.folder import gather
from zhiyin.engine.items import item_of
from zhiyin.paths import Place
from zhiyin.record import NOT_JUDGED, STATES, Record, State
from zhiyin.trial import Tag

if TYPE_CHECKING:
    from zhiyin.statistics.scores import Answers, Figure, Ints

ALL = "all"
CONDITION = re.compile(r"^(?:(?:audio|distractors)=[^/]*/?)+")
_ALTERED = ""
"""Where trials are counted that were not asked in the main way."""
_READ = ("correct", "wrong", *NOT_JUDGED)
_FIGURES: tuple[Figure, ...] = ("accuracy", "precision", "recall", "f1", "ifr")


class Count(msgspec.Struct):
    """How many trials of a group ended in each state."""

    correct: int = 0
    wrong: int = 0
    no_answer: int = 0
    refused: int = 0
    truncated: int = 0
    error: int = 0
    ungraded: int = 0

    def add(self, state: State, times: int = 1) -> None:
        """Count one trial, or take it back with `times` = -1."""
        setattr(self, state, getattr(self, state) + times)

    @property
    def answered(self) -> int:
        """Trials from whose reply an answer could be read."""
        return self.correct + self.wrong

    @property
    def judged(self) -> int:
        """Trials that count in shares of right answers: all but errors and ungraded ones."""
        return self.answered + self.no_answer + self.refused + self.truncated

    @property
    def settled(self) -> int:
        """Trials that need not be asked again: all but errors."""
        return self.judged + self.ungraded

    def states(self) -> dict[str, int]:
        """Trials by state, in the order of `STATES`."""
        return {state: getattr(self, state) for state in STATES}


class _Alike:
    """What is counted of trials that are in the same groups."""

    __slots__ = ("answers", "states")

    def __init__(self, answers: Answers) -> None:
        self.states: dict[State, int] = dict.fromkeys(STATES, 0)
        self.answers = answers


class Tally:
    """Counts by group, groups in order of appearance.

    "all" is over the trials that were asked in the benchmark's main way (true sound, all
    distractors), or over all where there are none: altered conditions are in no headline.

    Attributes
    ----------
    causes : Counter
        The failed trials by what was said of them.
    unread : Counter
        Replies without an answer, by state and by what was said of them.
    repeated : int
        Lines of the log that repeat a trial and are not counted.
    """

    def __init__(self) -> None:
        from zhiyin.statistics.scores import Answers, Index

        self._states: dict[State, int] = dict.fromkeys(STATES, 0)
        self.causes: Counter[str] = Counter()
        self.unread: Counter[tuple[State, str]] = Counter()
        self.repeated = 0
        self._index, self._new = Index(), Answers
        self._groups: dict[str, list[_Alike]] = {ALL: []}
        self._alike: dict[tuple[bool, tuple[str, ...]], _Alike] = {}
        self._plain = 0

    def add(
        self,
        state: State,
        groups: Iterable[str],
        cluster: str | None = None,
        *,
        item: str | int = "",
        condition: str = "",
        plain: bool = True,
    ) -> None:
        """Count one trial. Without an item it is one of its own; `plain`: in the main way.

        `item` is its name, or a number from 1 that stands for it.
        """
        self._states[state] += 1
        self._plain += plain
        alike = self._of(plain, tuple(groups))
        alike.states[state] += 1
        if state in NOT_JUDGED:
            return
        cell = self._index.number(item or None, condition, cluster)
        alike.answers.add(cell, state == "correct", state in ("correct", "wrong"))

    def add_columns(
        self,
        states: Ints,
        sorts: Ints,
        alike: Sequence[tuple[bool, tuple[str, ...]]],
        items: Ints,
        conditions: Ints,
        clusters: Ints,
    ) -> None:
        """Count many trials of few sorts, as `add` does one by one.

        Parameters
        ----------
        states, sorts : ndarray of int, shape (n,)
            Places in `STATES`, and in `alike`.
        alike : sequence of (bool, tuple of str)
            Of each sort whether it was asked in the main way, and its groups.
        items, conditions, clusters : ndarray of int, shape (n,)
            See `scores.Index.number_all`.
        """
        import numpy as np

        if not len(states):
            return
        judged = ~np.isin(states, [STATES.index(state) for state in NOT_JUDGED])
        cells = np.zeros(len(states), dtype=np.intp)
        cells[judged] = self._index.number_all(items[judged], conditions[judged], clusters[judged])
        right, wrong = (states == STATES.index(state) for state in ("correct", "wrong"))
        order = np.argsort(sorts, kind="stable")
        starts = np.flatnonzero(np.diff(sorts[order], prepend=-1))
        for places in sorted(np.split(order, starts[1:]), key=lambda places: places[0]):
            plain, groups = alike[sorts[places[0]]]
            own = self._of(plain, groups)
            self._plain += plain * len(places)
            for code, times in enumerate(np.bincount(states[places]).tolist()):
                self._states[STATES[code]] += times
                own.states[STATES[code]] += times
            places = places[judged[places]]
            own.answers.add_all(cells[places], right[places], (right | wrong)[places])

    def _of(self, plain: bool, groups: tuple[str, ...]) -> _Alike:
        """Where trials of the same groups are counted."""
        alike = self._alike.get((plain, groups))
        if alike is None:
            alike = self._alike[plain, groups] = _Alike(self._new(self._index))
            for name in _names(plain, groups):
                self._groups.setdefault(name, []).append(alike)
        return alike

    def count(self, record: Counted | Record) -> None:
        """Count a record, and why no answer was read from it where there is none."""
        trial, verdict = record.trial, record.verdict
        item, condition = item_of(record.id, trial.item, trial.condition, trial.tags)
        self.add(
            verdict.state,
            trial.groups,
            trial.cluster,
            item=item,
            condition=condition,
            plain=is_plain(trial.tags),
        )
        if verdict.state == "error":
            self.causes[record.error or verdict.why] += 1
        elif verdict.state not in _READ:
            self.unread[verdict.state, verdict.why] += 1

    @property
    def everything(self) -> Count:
        """How many of all trials ended in each state."""
        return Count(**self._states)

    def _count(self, name: str) -> Count:
        """How many trials of a group ended in each state."""
        several = [alike.states for alike in self._groups[name]]
        return Count(**{state: sum(one[state] for one in several) for state in STATES})

    def _answers(self, name: str) -> Answers:
        return self._new.joined(self._index, [alike.answers for alike in self._groups[name]])

    @property
    def counts(self) -> dict[str, Count]:
        """Counts by group, "all" first."""
        whole = {ALL: self._count(self._whole)}
        return whole | {n: self._count(n) for n in self._groups if n not in (ALL, _ALTERED)}

    @property
    def _whole(self) -> str:
        """Under which name that stands which "all" is over."""
        return _ALTERED if _ALTERED in self._groups and not self._plain else ALL

    def metrics(self, group: str = ALL) -> dict[str, Any]:
        """The figures of a group (Li et al. 2024, section 4.1 "Metrics"), as `statistics.scores`.

        Returns
        -------
        dict
            ``n`` trials judged (errors left out), ``errors``, ``answered``, ``items`` (what was
            asked about; repeats, rotations and conditions of an item are averaged first),
            ``accuracy``, ``precision``, ``recall``, ``f1``, ``ifr`` (instruction-following rate),
            ``ci95``, the interval of the accuracy, and ``clusters``, how many there are, or None
            where every item stands alone. Where each item is asked once, accuracy is correct / n,
            precision correct / answered, f1 2 correct / (answered + n), ifr answered / n.
            Fractions in [0, 1]; None where the denominator is 0.
        """
        name = self._whole if group == ALL else group
        count, answers = self._count(name), self._answers(name)
        found: dict[str, Any] = {
            "n": count.judged,
            "errors": count.error,
            "answered": count.answered,
            "items": 0,
            **dict.fromkeys((*_FIGURES, "ci95", "clusters")),
        }
        if not len(answers):
            return found
        items = answers.by_item()
        interval, clusters = items.interval(), items.cluster_count
        figures: dict[str, Any] = {name: items.value(name) for name in _FIGURES}
        return found | {
            "items": len(items),
            **figures,
            "ci95": [interval.low, interval.high],
            "clusters": clusters if clusters < len(items) else None,
        }

    def figure(self, name: Figure, group: str = ALL) -> float | None:
        """One figure of a group, as in `metrics`; None where nothing has been judged."""
        answers = self._answers(self._whole if group == ALL else group)
        return answers.by_item().value(name) if len(answers) else None

    def groups(self) -> dict[str, dict[str, Any]]:
        """The metrics of every group, a group within another right after it.

        A group without a single question of right or wrong has none and is left out.
        """
        counts = self.counts
        return {
            name: self.metrics(name)
            for name in nested(list(counts))
            if name == ALL or counts[name].judged or not counts[name].ungraded
        }


def _names(plain: bool, groups: tuple[str, ...]) -> tuple[str, ...]:
    """The names that a trial is counted under, "all" for the main way alone."""
    names = counted_under(groups)
    return names if plain else (_ALTERED, *names[1:])


def is_plain(tags: Mapping[str, Tag]) -> bool:
    """Whether a trial was asked in its benchmark's main way: true sound, all distractors."""
    if not tags:
        return True
    return tags.get("audio", "true") == "true" and tags.get("distractors", "all") == "all"


def without_condition(group: str) -> str:
    """A group's name without the conditions before it: ``audio=true/theory`` -> theory."""
    return CONDITION.sub("", group)


def counted_under(groups: Iterable[str]) -> tuple[str, ...]:
    """The names that a trial is counted under: "all", and each of its groups once."""
    return tuple(dict.fromkeys((ALL, *groups)))


def nested(names: list[str]) -> list[str]:
    """Names such as "a" and "a/b" in the order of a tree, siblings as they came."""
    rank = {name: number for number, name in enumerate(names)}

    def path(name: str) -> tuple[int, ...]:
        parts = name.split("/")
        prefixes = ("/".join(parts[: end + 1]) for end in range(len(parts)))
        return tuple(rank[prefix] for prefix in prefixes if prefix in rank)

    return sorted(names, key=path)


class CountedVerdict(msgspec.Struct):
    """As much of a verdict as counting needs."""

    state: State
    why: str = ""


class CountedTrial(msgspec.Struct):
    """As much of a trial as counting needs."""

    groups: tuple[str, ...] = ()
    cluster: str | None = None
    tags: dict[str, Tag] = {}
    item: str = ""
    condition: str = ""


class Counted(msgspec.Struct):
    """As much of a record as counting needs."""

    id: str
    verdict: CountedVerdict
    trial: CountedTrial
    error: str | None = None


def tally_log(folder: Place) -> Tally:
    """Count the valid record of each trial in a run folder.

    Reads line by line and holds some numbers an answer and group, and which trials failed, in
    memory, so that a log of any length can be counted.
    """

    def made(records: Iterator[Counted]) -> Tally:
        tally = Tally()
        for record in records:
            tally.count(record)
        return tally

    tally, repeated = gather(folder, Counted, made)
    tally.repeated = repeated
    return tally
