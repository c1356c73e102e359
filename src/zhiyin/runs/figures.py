"""The figures of a run's trials: by state, and by the groups that a trial is counted under.

And how far it has come: what was planned, what has a verdict, where sequences stand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import ALL, Count, nested
from zhiyin.record import STATES, State
from zhiyin.runs.estimates import Frame, Made, estimate
from zhiyin.runs.measures import ACCURACY, USUAL
from zhiyin.runs.rows import Rows
from zhiyin.runs.table import RunTable
from zhiyin.statistics.choice import against
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.statistics.intervals import Interval


class SequencesReached(msgspec.Struct, frozen=True):
    """Progress of a run's sequences.

    Attributes
    ----------
    planned, begun, ended : int
    stopped : dict of str to int
        Those that a failed trial stopped, and its step.
    trials_at_least, trials_at_most : int or None
        Of all of them together; None where nobody knows.
    """

    planned: int
    begun: int
    ended: int
    stopped: dict[str, int]
    trials_at_least: int | None
    trials_at_most: int | None


class LogProgress:
    """Progress of a run by its log, each trial once: a number a plain trial, an entry a sequence.

    Attributes
    ----------
    plain, plain_failed : int
        Plain trials with a verdict; those that failed.
    begun : set of str
        Sequences of which something was asked.
    """

    def __init__(self) -> None:
        self.plain = self.plain_failed = 0
        self.begun: set[str] = set()
        self._last: set[str] = set()
        self._furthest: dict[str, int] = {}
        self._failed: dict[str, set[int]] = {}

    def add(self, sequence: str, step: int, *, failed: bool, last: bool) -> None:
        """Count one trial."""
        if not sequence:
            self.plain += not failed
            self.plain_failed += failed
            return
        self.begun.add(sequence)
        if failed:
            self._failed.setdefault(sequence, set()).add(step)
            return
        if sequence in self._failed:  # asked again since, with an answer
            self._failed[sequence].discard(step)
        self._furthest[sequence] = max(step, self._furthest.get(sequence, 0))
        if last:
            self._last.add(sequence)

    def count(self, table: RunTable) -> None:
        """Count the rows of a table that count."""
        rows, failed = table.rows, STATES.index("error")
        walks = table.sequence[rows] != 0
        plain_failed = int((~walks & (table.state[rows] == failed)).sum())
        self.plain += int((~walks).sum()) - plain_failed
        self.plain_failed += plain_failed
        for row in rows[walks].tolist():
            name, step = table.sequences[table.sequence[row]], int(table.step[row])
            broke, last = bool(table.state[row] == failed), bool(table.last[row])
            self.add(name, step, failed=broke, last=last)

    @property
    def ended(self) -> set[str]:
        """Sequences that came to their end, with a verdict for each of their trials."""
        return {name for name in self._last if not self._failed.get(name)}

    @property
    def stopped(self) -> dict[str, int]:
        """Sequences that a failed trial stopped, and its step."""
        return {
            name: min(steps)
            for name, steps in self._failed.items()
            if steps and min(steps) > self._furthest.get(name, 0)
        }

    def missing(self, manifest: Manifest) -> int:
        """Planned plain trials and sequences that are not done."""
        return self.plain_missing(manifest) + self.open(manifest)

    def whole(self, manifest: Manifest) -> bool:
        """Tell whether each planned trial has a verdict and each planned sequence is at its end."""
        return not self.missing(manifest)

    def as_summary(self, manifest: Manifest) -> SequencesReached | None:
        """The sequences as a summary has them; None for a run without any."""
        planned = manifest.sequences
        if planned is None and not self.begun:
            return None
        return SequencesReached(
            planned=planned.count if planned else len(self.begun), begun=len(self.begun),
            ended=len(self.ended), stopped=dict(sorted(self.stopped.items())),
            trials_at_least=planned.at_least if planned else None,
            trials_at_most=planned.at_most if planned else None,
        )  # fmt: skip

    def open(self, manifest: Manifest) -> int:
        """Planned sequences that are not at their end."""
        planned = manifest.sequences.count if manifest.sequences else 0
        return max(0, planned - len(self.ended))

    def plain_planned(self, manifest: Manifest) -> int:
        """Planned trials that stand in no sequence."""
        return manifest.planned - (manifest.sequences.at_least if manifest.sequences else 0)

    def plain_missing(self, manifest: Manifest) -> int:
        """Number of plain trials without a verdict."""
        return max(0, self.plain_planned(manifest) - self.plain)


_READ = np.array([state in ("correct", "wrong", "ungraded") for state in STATES])


Guess = Literal["better", "worse", "open", "untold", "free"]


class ByItself(msgspec.Struct, frozen=True):
    """A finding that a run shows by itself, and not after correction for all runs of its page.

    Attributes
    ----------
    side : {"better", "worse"}
        On which side of chance it lies.
    p : float
        Before the correction.
    runs : int
        How many the page has.
    """

    side: Literal["better", "worse"]
    p: float
    runs: int


class GroupFigures(msgspec.Struct, frozen=True):
    """The figures of a group of trials (Li et al. 2024, section 4.1 "Metrics").

    Fractions are in [0, 1]; None where the denominator is 0. Repeats, rotations and conditions of
    an item are averaged first. Where each item is asked once, accuracy is correct / n, precision
    correct / answered, f1 2 correct / (answered + n), ifr answered / n.

    Attributes
    ----------
    n : int
        Trials judged; errors are left out.
    errors, answered, correct : int
        Trials that failed, those with a readable answer, and those with the right one.
    items : int
        What was asked about.
    accuracy, precision, recall, f1 : float or None
    ifr : float or None
        Instruction-following rate: the share of replies with a readable answer.
    ci95 : tuple of float or None
        The 95 % interval of the accuracy.
    clusters : int or None
        Groups of items that hang together; None where every item stands alone.
    se : float or None
        Standard error of the accuracy, cluster-robust where there are clusters.
    method : str or None
        How the interval was made, see `statistics.intervals.Interval`.
    chance : float or None
        What guessing evenly among the options gets; None where answers are free.
    guess : {"better", "worse", "open"} or None
        How the accuracy stands to that chance.
    guess_p : float or None
        How likely a guesser lies so far from chance.
    always : str
        The answer that every readable reply gives, or nearly every one (99 in 100), where the
        questions differ; "" for none.
    always_but : int
        Readable replies that say something else.
    favours : str
        The letter that is chosen far more often than it is right; "" for none.
    sound_adds : dict of str to float
        What true sound adds to the accuracy over that by which it was replaced, where this is
        other than elsewhere in the run.
    """

    n: int
    errors: int
    answered: int
    correct: int
    items: int = 0
    accuracy: float | None = None
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    ifr: float | None = None
    ci95: tuple[float, float] | None = None
    clusters: int | None = None
    se: float | None = None
    method: str | None = None
    chance: float | None = None
    guess: Literal["better", "worse", "open"] | None = None
    guess_p: float | None = None
    always: str = ""
    always_but: int = 0
    favours: str = ""
    sound_adds: dict[str, float] = {}

    @property
    def interval(self) -> Interval | None:
        """The accuracy with its 95 % interval; None where nothing was judged."""
        if self.accuracy is None or self.ci95 is None or self.se is None:
            return None
        from zhiyin.statistics.intervals import Interval

        low, high = self.ci95
        clusters = self.clusters or self.items
        method = self.method or ""
        return Interval(self.accuracy, low, high, self.se, self.items, clusters, method)

    @property
    def against_chance(self) -> Guess:
        """Result of the accuracy against chance: "untold" where the interval does not hold it and
        the test says nothing, "free" where there is none.
        """
        if self.chance is None or self.ci95 is None:
            return "free"
        low, high = self.ci95
        guess = self.guess or "open"
        return "untold" if guess == "open" and not low <= self.chance <= high else guess

    def with_p(self, p: float) -> GroupFigures:
        """The same with another p-value of guessing, such as one that is corrected for many."""
        if self.chance is None or self.ci95 is None:
            return self
        from zhiyin.statistics.choice import against

        return msgspec.structs.replace(self, guess_p=p, guess=against(p, self.chance, *self.ci95))


class Figures:
    """Figures by group, groups in order of appearance.

    "all" is over the trials that were asked in the benchmark's main way (true sound, all
    distractors), or over all where there are none: altered conditions are in no headline.

    Attributes
    ----------
    frame : Frame
        The trials.
    causes : Counter
        The failed trials by the reason of the failure.
    unread : Counter
        Replies without an answer, by state and reason, to what was asked in the main way.
    repeated : int
        Lines of the log that repeat a trial and are not counted.
    """

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.causes: Counter[str] = Counter()
        self.unread: Counter[tuple[State, str]] = Counter()
        self.repeated = 0
        self._known: dict[str, GroupFigures] = {}

    @property
    def everything(self) -> Count:
        """Number of all trials that ended in each state."""
        return self.frame.count()

    @cached_property
    def counts(self) -> dict[str, Count]:
        """Number of each group's trials that ended in each state, "all" first."""
        return {name: self.frame.count(name) for name in self.frame.groups(tree=False)}

    def metrics(self, group: str = ALL) -> GroupFigures:
        """The figures of a group, set against the chance of its options."""
        if (known := self._known.get(group)) is None:
            known = self._known[group] = self._counted(group)
        return known

    def _counted(self, group: str) -> GroupFigures:
        count, places, made = self.frame.count(group), self.frame.places(group), Made()
        counts = (count.judged, count.error, count.answered, count.correct)
        own, *others = (
            estimate(self.frame, measure, places, made, test=first, ends=first)
            for measure in USUAL
            for first in (measure is ACCURACY,)
        )
        if own.low is None or own.high is None:
            return GroupFigures(*counts)
        by_name = {each.measure.name: each.value for each in (own, *others)}
        guess = None
        if own.p is not None and own.chance is not None:
            guess = against(own.p, own.chance, own.low, own.high)
        return GroupFigures(
            *counts, items=own.items, accuracy=own.value, precision=by_name["precision"],
            recall=own.value, f1=by_name["f1"], ifr=by_name["ifr"], ci95=(own.low, own.high),
            clusters=own.clusters if own.clusters < own.items else None, se=own.se,
            method=own.method, chance=own.chance, guess=guess, guess_p=own.p,
        )  # fmt: skip

    def figure(self, name: str, group: str = ALL) -> float | None:
        """Return a figure of a group, as in `metrics`; None if nothing has been judged."""
        value: float | None = getattr(self.metrics(group), name)
        return value

    def groups(self) -> dict[str, GroupFigures]:
        """The figures of every group, a group within another right after it.

        A group without a single question of right or wrong has none and is left out.
        """
        counts = self.counts
        return {
            name: self.metrics(name)
            for name in nested(list(counts))
            if name == ALL or counts[name].judged or not counts[name].ungraded
        }


class GroupTree:
    """The groups of a table.

    Parameters
    ----------
    names : iterable of str
        Such as "audio/harmony", which is within "audio" where there is such a group.
    titles : mapping
        What some of them are called.
    """

    def __init__(self, names: Iterable[str], titles: Mapping[str, Text]) -> None:
        self._names, self._titles = dict.fromkeys(names), titles

    def __iter__(self) -> Iterator[str]:
        """Iterate over the groups in their order."""
        return iter(self._names)

    def within(self, name: str) -> list[str]:
        """The groups that a group is within, from the widest."""
        parts = name.split("/")
        wider = ("/".join(parts[:end]) for end in range(1, len(parts)))
        return [group for group in wider if group in self._names]

    def level(self, name: str) -> int:
        """Count the groups that a group is within."""
        return len(self.within(name))

    def title(self, name: str) -> Text:
        """Return a group's title, without what is in the titles of groups around it."""
        if name in self._titles:
            return self._titles[name]
        above = max(self.within(name), key=len, default="")
        parts = name[len(above) :].lstrip("/").split("/")
        return _path("/", [_part(part, part) for part in parts])

    def in_words(self, name: str) -> Text:
        """The same in the reader's language, where it is no benchmark's own word."""
        if name in self._titles:
            return self._titles[name]
        if name == ALL:
            return said("lab-all")
        return group_in_words(name.removeprefix(f"{max(self.within(name), key=len, default='')}/"))

    def weight(self, name: str, n: int) -> float:
        """The whole is kept longest, then wide groups, and of these the largest."""
        return float("inf") if name == ALL else n - 1e12 * self.level(name)


def group_in_words(name: str) -> Text:
    """A group without a title, as pages call it: "audio=silence" is "Silence in its place"."""
    parts = name.split("/")
    if all("=" in part for part in parts):
        each = [
            said("report-condition", tag=tag, value=_value(tag, value))
            for tag, _, value in (part.partition("=") for part in parts)
        ]
        return each[0] if len(each) == 1 else said("names", each=each)
    first, *rest = parts
    return _path(" / ", [_part(first, first[:1].upper() + first[1:]), *map(_part, rest, rest)])


def way_in_words(way: str) -> Said:
    """An altered way of asking, such as "audio=none", or several, within a sentence."""
    parts = [part.partition("=") for each in way.split(", ") for part in each.split("/")]
    each = [said("way", tag=tag, value=_value(tag, value)) for tag, _, value in parts]
    return said("ways", each=each)


def _value(tag: str, value: str) -> str:
    """The value of a setting as messages choose by it, to whom "none" is that there is no fact."""
    words = {"true": "real", "none": "nothing" if tag == "audio" else value}
    return words.get(value, value)


def group_name(name: str) -> Said:
    """A group without a title, in English its name in files."""
    return _path("/", [_part(part, part) for part in name.split("/")])


def _part(name: str, shown: str) -> Said:
    """A part of a group's name, in Chinese where it is a word that many benchmarks use."""
    tag, equals, value = name.partition("=")
    value = _value(tag, value)
    slug = re.sub(r"\W+|_", "-", tag.lower())
    plain = shown.replace("_", " ")
    if equals:
        return said("group-setting", tag=tag, value=value, plain=plain)
    return said("group-word", name=slug, plain=plain)


def _path(joint: str, parts: Sequence[Said]) -> Said:
    first, *rest = parts
    return said("group-path", first=first, joint=joint, rest=_path(joint, rest)) if rest else first


def figures(table: RunTable, rows: NDArray[np.intp] | None = None) -> Figures:
    """The figures of a run, or of some of its rows; by default of all that count."""
    if rows is not None:
        return _figures(Rows(table, rows))
    lines, known = _made.get(table, (0, None))
    if known is None or lines != len(table):
        known = _figures(Rows(table, table.rows))
        _made[table] = len(table), known
    return known


_made: WeakKeyDictionary[RunTable, tuple[int, Figures]] = WeakKeyDictionary()
"""Figures of whole tables, with their lengths: several tables of a run ask for them."""


def _figures(rows: Rows) -> Figures:
    counted, table = Figures(Frame(rows)), rows.table
    kind, state = table.kind[rows.numbers], rows.states
    main = np.array([kind.main for kind in table.kinds], dtype=bool)
    altered = not main[kind].any()
    unread = np.flatnonzero(~_READ[state])
    both = table.cause[rows.numbers][unread].astype(np.int64) * len(STATES) + state[unread]
    times = np.bincount(2 * both + (altered | main[kind[unread]]))
    for number in np.flatnonzero(times).tolist():
        (why, code), many = divmod(number // 2, len(STATES)), int(times[number])
        if STATES[code] == "error":
            counted.causes[table.causes[why]] += many
        elif number % 2:
            counted.unread[STATES[code], table.causes[why]] += many
    counted.repeated = table.repeated
    return counted
