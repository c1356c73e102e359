"""Counting records: by state, and by the groups that a trial is counted under."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from zhiyin.engine.folder import gather
from zhiyin.engine.items import item_of
from zhiyin.paths import Place
from zhiyin.record import NOT_JUDGED, STATES, Record, State
from zhiyin.trial import Tag

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from zhiyin.statistics.scores import Answers, Figure

ALL = "all"
CONDITION = re.compile(r"^(?:(?:audio|distractors)=[^/]*/?)+")
_ALTERED = ""
"""Where trials are counted that were not asked in the main way."""
_CODES = {state: 2 * (state == "correct") + (state in ("correct", "wrong")) for state in STATES}
"""2 for what is right, and 1 for what could be read; see `scores.Answers`."""
_READ: frozenset[State] = frozenset(("correct", "wrong"))
_Sort = tuple[bool, tuple[str, ...], State]
"""Whether a trial was asked in the main way, its groups, and what came of it."""
_tags = attrgetter("tags")
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


class _Named(Protocol):
    """A record of whose trial is read what counting needs."""

    @property
    def id(self) -> str: ...
    @property
    def trial(self) -> Any: ...


class _BySort:
    """Trials by their sorts: how often there is each, and which answers are of it."""

    def __init__(self, trials: array[int], sorts: Iterable[_Sort]) -> None:
        import numpy as np

        self.states = [state for _, _, state in sorts]
        size = len(self.states)
        numbers = np.array(trials, dtype=np.uint32)
        self.times: list[int] = np.bincount(numbers, minlength=size).tolist()
        judged = np.array([state not in NOT_JUDGED for state in self.states], dtype=bool)
        self._sorts = numbers[judged[numbers]]
        self._order = np.argsort(self._sorts, kind="stable")
        ends = np.cumsum(np.bincount(self._sorts, minlength=size)).tolist()
        self._bounds = [0, *ends]
        self._codes = np.array([_CODES[state] for state in self.states], dtype=np.uint8)

    def answers(self, sorts: Iterable[int]) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
        """The numbers of the answers of some sorts, and their codes; see `scores.Answers`."""
        import numpy as np

        bounds, order = self._bounds, self._order
        each = [order[bounds[sort] : bounds[sort + 1]] for sort in sorts]
        numbers = np.concatenate([order[:0], *each])
        return numbers, self._codes[self._sorts[numbers]]


class Tally:
    """Counts by group, groups in order of appearance.

    "all" is over the trials that were asked in the benchmark's main way (true sound, all
    distractors), or over all where there are none: altered conditions are in no headline.

    Attributes
    ----------
    causes : Counter
        The failed trials by the reason of the failure.
    unread : Counter
        Replies without an answer, by state and reason.
    repeated : int
        Lines of the log that repeat a trial and are not counted.
    """

    def __init__(self) -> None:
        from zhiyin.statistics.scores import Answers, Index

        self.causes: Counter[str] = Counter()
        self.unread: Counter[tuple[State, str]] = Counter()
        self.repeated = 0
        self._index, self._new = Index(), Answers
        self._groups: dict[str, list[int]] = {ALL: []}
        self._sorts: dict[_Sort, int] = {}
        self._trials, self._options = array("I"), array("I")
        self._sorted: tuple[int, Any] = (-1, None)

    def add(
        self,
        state: State,
        groups: Iterable[str],
        cluster: str | None = None,
        *,
        item: str | int = "",
        condition: str = "",
        plain: bool = True,
        options: int = 0,
    ) -> None:
        """Count one trial. Without an item it is one of its own; `plain`: in the main way.

        `item` is its name, or a number from 1 that stands for it; `options`: how many there are.
        """
        self._trials.append(self._number((plain, tuple(groups), state)))
        if state not in NOT_JUDGED:
            self._index.number(item or None, condition, cluster)
            self._options.append(options)

    def _number(self, sort: _Sort) -> int:
        """The number of trials that are in the same groups and ended in the same state."""
        number = self._sorts.get(sort)
        if number is None:
            number = self._sorts[sort] = len(self._sorts)
            for name in _names(*sort[:2]):
                self._groups.setdefault(name, []).append(number)
        return number

    def extend(
        self,
        kinds: Sequence[tuple[bool, tuple[str, ...]]],
        kind: NDArray[np.int64],
        states: NDArray[np.int64],
        items: Sequence[int],
        conditions: Sequence[str],
        clusters: Sequence[str | None],
        options: NDArray[np.int64] | None = None,
    ) -> None:
        """Count many trials, as `add` each of them: nothing of which is in a loop.

        Parameters
        ----------
        kinds : sequence of tuple
            Whether trials were asked in the main way, and their groups.
        kind, states : ndarray of int, shape (n,)
            Of each trial the place in `kinds`, and in `STATES`.
        items, conditions, clusters, options : sequence, length n
            As for `add`; items by number.
        """
        import numpy as np

        judged = np.array([state not in NOT_JUDGED for state in STATES])[states]
        self._index.extend(
            compress(items, judged),
            list(compress(conditions, judged)),
            list(compress(clusters, judged)),
        )
        sizes = np.zeros(len(states)) if options is None else options
        self._options.frombytes(sizes[judged].astype(np.uint32).tobytes())
        both = np.asarray(kind, dtype=np.int64) * len(STATES) + states
        known, first, home = np.unique(both, return_index=True, return_inverse=True)
        numbers = np.empty(len(known), dtype=np.uint32)
        for place in np.argsort(first).tolist():
            number, state = divmod(int(known[place]), len(STATES))
            numbers[place] = self._number((*kinds[number], STATES[state]))
        self._trials.frombytes(numbers[home].tobytes())

    def count_all(self, records: Sequence[Counted]) -> None:
        """Count some dozens of records, as `count` each of them, in a third of the time."""
        states = [record.verdict.state for record in records]
        trials = [record.trial for record in records]
        items, conditions, main = asked_about(records)
        sorts = list(zip(main, [trial.groups for trial in trials], states, strict=True))
        numbers = list(map(self._sorts.get, sorts))
        self._trials.extend(map(self._number, sorts) if None in numbers else numbers)  # type: ignore[arg-type]
        clusters = [trial.cluster for trial in trials]
        options = [len(getattr(trial, "options", ())) for trial in trials]
        if not _READ.issuperset(states):
            for record in records:
                self._note(record)
            judged = [state not in NOT_JUDGED for state in states]
            items, conditions = list(compress(items, judged)), list(compress(conditions, judged))
            clusters = list(compress(clusters, judged))
            options = list(compress(options, judged))
        self._index.extend(items, conditions, clusters)
        self._options.extend(options)

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
            options=len(getattr(trial, "options", ())),
        )
        self._note(record)

    def _note(self, record: Counted | Record) -> None:
        """Note why no answer was read, where there is none."""
        verdict = record.verdict
        if verdict.state == "error":
            self.causes[record.error or verdict.why] += 1
        elif verdict.state not in _READ and verdict.state not in NOT_JUDGED:
            self.unread[verdict.state, verdict.why] += 1

    @property
    def everything(self) -> Count:
        """How many of all trials ended in each state."""
        return self._total(range(len(self._sorts)))

    def _count(self, name: str) -> Count:
        """How many trials of a group ended in each state."""
        return self._total(self._groups[name])

    def _total(self, numbers: Iterable[int]) -> Count:
        total, times, states = Count(), self._by_sort.times, self._by_sort.states
        for number in numbers:
            total.add(states[number], times[number])
        return total

    def _answers(self, name: str) -> Answers:
        return self._new.of(self._index, *self._by_sort.answers(self._groups[name]))

    @property
    def _by_sort(self) -> _BySort:
        """The trials by their sorts; made anew when there are more."""
        if self._sorted[0] != len(self._trials):
            self._sorted = len(self._trials), _BySort(self._trials, self._sorts)
        by_sort: _BySort = self._sorted[1]
        return by_sort

    @property
    def counts(self) -> dict[str, Count]:
        """Counts by group, "all" first."""
        whole = {ALL: self._count(self._whole)}
        return whole | {n: self._count(n) for n in self._groups if n not in (ALL, _ALTERED)}

    @property
    def _whole(self) -> str:
        """Under which name that stands which "all" is over."""
        plain = any(sort[0] for sort in self._sorts)
        return _ALTERED if _ALTERED in self._groups and not plain else ALL

    def metrics(self, group: str = ALL, chance: float | None = None) -> dict[str, Any]:
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
            Fractions in [0, 1]; None where the denominator is 0. With a `chance`, which is what
            guessing gets, ``guess``: whether the accuracy is "better", "worse" or "open", and
            ``guess_p``, how likely a guesser lies so far from chance.
        """
        name = self._whole if group == ALL else group
        count, answers = self._count(name), self._answers(name)
        metrics: dict[str, Any] = {
            "n": count.judged,
            "errors": count.error,
            "answered": count.answered,
            "items": 0,
            **dict.fromkeys((*_FIGURES, "ci95", "clusters")),
        }
        if not len(answers):
            return metrics
        from zhiyin.statistics.guessing import against

        items = answers.by_item()
        interval, clusters = items.interval(), items.cluster_count
        figures: dict[str, Any] = {name: items.value(name) for name in _FIGURES}
        if chance is not None:
            metrics["guess_p"] = p = items.guessing_p(chance)
            metrics["guess"] = against(p, chance, interval.low, interval.high)
        return metrics | {
            "items": len(items),
            **figures,
            "ci95": [interval.low, interval.high],
            "clusters": clusters if clusters < len(items) else None,
        }

    def chance(self, group: str = ALL) -> float | None:
        """What guessing evenly gets right of a group, averaged as its accuracy is.

        None where an answer is free, and where records were read without their options.
        """
        answers = self._answers(self._whole if group == ALL else group)
        return answers.chance(self._options)

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


def asked_about(records: Sequence[_Named]) -> tuple[list[str], list[str], list[bool]]:
    """Of each record item and condition (see `item_of`), and whether it is in the main way."""
    trials = [record.trial for record in records]
    if any(map(_tags, trials)):
        named = [
            item_of(record.id, trial.item, trial.condition, trial.tags)
            for record, trial in zip(records, trials, strict=True)
        ]
        main = [is_plain(trial.tags) for trial in trials]
        return [item for item, _ in named], [condition for _, condition in named], main
    items = [trial.item or record.id for record, trial in zip(records, trials, strict=True)]
    return items, [trial.condition for trial in trials], [True] * len(trials)


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


class CountedVerdict(msgspec.Struct, gc=False):
    """As much of a verdict as counting needs."""

    state: State
    why: str = ""


class CountedTrial(msgspec.Struct, gc=False):
    """As much of a trial as counting needs."""

    groups: tuple[str, ...] = ()
    cluster: str | None = None
    tags: dict[str, Tag] = {}
    item: str = ""
    condition: str = ""


class Counted(msgspec.Struct, gc=False):
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
