"""Counting records: by state, and by the groups that a trial is counted under."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.engine.folder import Distinct
from zhiyin.engine.items import item_of
from zhiyin.engine.log import find_log, iterate, valid_lines
from zhiyin.paths import Place
from zhiyin.record import NOT_JUDGED, STATES, Record, State
from zhiyin.trial import Tag

if TYPE_CHECKING:
    from zhiyin.statistics.scores import Answers, Figure

ALL = "all"
CONDITION = re.compile(r"^(?:(?:audio|distractors)=[^/]*/?)+")
_ALTERED = ""
"""Where trials are counted that were not asked in the main way."""
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


class Tally:
    """Counts by group, groups in order of appearance.

    "all" is over the trials that were asked in the benchmark's main way (true sound, all
    distractors), or over all where there are none: altered conditions are in no headline.

    Attributes
    ----------
    everything : Count
        All trials.
    causes : Counter
        The failed trials by what was said of them.
    unread : Counter
        Replies without an answer, by state and by what was said of them.
    repeated : int
        Lines of the log that repeat a trial and are not counted.
    """

    def __init__(self) -> None:
        self.everything = Count()
        self._counts: dict[str, Count] = {ALL: Count()}
        self.causes: Counter[str] = Counter()
        self.unread: Counter[tuple[State, str]] = Counter()
        self.repeated = 0
        from zhiyin.statistics.scores import Answers, Index

        self._index, self._new = Index(), Answers
        self._answers: dict[str, Answers] = {}

    def add(
        self,
        state: State,
        groups: Iterable[str],
        cluster: str | None = None,
        *,
        item: str = "",
        condition: str = "",
        plain: bool = True,
    ) -> None:
        """Count one trial. Without an item it is one of its own; `plain`: in the main way."""
        apart = state in NOT_JUDGED
        cell = -1 if apart else self._index.number(item or object(), condition, cluster)
        self.everything.add(state)
        for group in self._names(groups, plain):
            count = self._counts.get(group)
            if count is None:
                count = self._counts[group] = Count()
            count.add(state)
            if not apart:
                answers = self._answers.get(group)
                if answers is None:
                    answers = self._answers[group] = self._new(self._index)
                answers.add(cell, state == "correct", state in ("correct", "wrong"))

    def count(self, record: _Record | Record) -> None:
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
        if verdict.state not in ("correct", "wrong", *NOT_JUDGED):
            self.unread[verdict.state, verdict.why] += 1

    def take_back(self, state: State, groups: Iterable[str], *, plain: bool = True) -> None:
        """Take back a trial without a verdict, which is in no figure."""
        self.everything.add(state, -1)
        for group in self._names(groups, plain):
            self._counts[group].add(state, -1)

    @staticmethod
    def _names(groups: Iterable[str], plain: bool) -> Iterable[str]:
        names = counted_under(groups)
        return names if plain else (_ALTERED, *names[1:])

    @property
    def counts(self) -> dict[str, Count]:
        """Counts by group, "all" first."""
        whole = self._counts[self._whole]
        return {ALL: whole} | {n: c for n, c in self._counts.items() if n not in (ALL, _ALTERED)}

    @property
    def _whole(self) -> str:
        """Under which name that stands which "all" is over."""
        plain = self._counts[ALL]
        return _ALTERED if _ALTERED in self._counts and not plain.settled + plain.error else ALL

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
        count, answers = self._counts[name], self._answers.get(name)
        found: dict[str, Any] = {
            "n": count.judged,
            "errors": count.error,
            "answered": count.answered,
            "items": 0,
            **dict.fromkeys((*_FIGURES, "ci95", "clusters")),
        }
        if answers is None:
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


def is_plain(tags: Mapping[str, Tag]) -> bool:
    """Whether a trial was asked in its benchmark's main way: true sound, all distractors."""
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


class _Verdict(msgspec.Struct):
    state: State
    why: str = ""


class _Trial(msgspec.Struct):
    groups: tuple[str, ...] = ()
    cluster: str | None = None
    tags: dict[str, Tag] = {}
    item: str = ""
    condition: str = ""


class _Record(msgspec.Struct):
    id: str
    verdict: _Verdict
    trial: _Trial
    error: str | None = None


def tally_log(folder: Place) -> Tally:
    """Count the valid record of each trial in a run folder.

    Reads line by line and holds the failed trials, the names of items and five bytes an answer
    and group in memory, so that a log of any length can be counted.
    """
    tally, path = Tally(), find_log(folder)
    failed: dict[str, _Record] = {}
    ids, superseded = Distinct(), 0
    for record, _ in iterate(path, _Record):
        ids.add(record.id)
        earlier = failed.pop(record.id, None)
        if earlier is not None:
            superseded += 1
            plain = is_plain(earlier.trial.tags)
            tally.take_back("error", earlier.trial.groups, plain=plain)
        tally.count(record)
        if record.verdict.state == "error":
            failed[record.id] = record
    if len(ids) < ids.added - superseded:
        return _tally_with_repeats(path)
    tally.causes.update((record.error or record.verdict.why) for record in failed.values())
    return tally


def _tally_with_repeats(path: Path) -> Tally:
    """As `tally_log`, of a log in which trials have been answered several times."""
    tally = Tally()
    valid, tally.repeated = valid_lines(path)
    for number, (record, _) in enumerate(iterate(path, _Record), 1):
        if valid.get(record.id, number) == number:
            tally.count(record)
            if record.verdict.state == "error":
                tally.causes[record.error or record.verdict.why] += 1
    return tally
