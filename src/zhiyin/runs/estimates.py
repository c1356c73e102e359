"""The one way from a run to a figure: its trials numbered once, and measures of any of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.engine.scoring import ALL, Count, counted_under, nested
from zhiyin.errors import InputError
from zhiyin.record import STATES, Record
from zhiyin.runs.columns import ALONE, cells_of
from zhiyin.runs.measures import (
    ACCURACY,
    OVER,
    Column,
    Estimate,
    Ints,
    Measure,
    NamedScore,
    Sums,
    one,
)
from zhiyin.runs.rows import Rows
from zhiyin.runs.sums import averaged, numbered, reduced, summed
from zhiyin.runs.ways import QuestionKind, item_of
from zhiyin.statistics.choice import guessing_p
from zhiyin.statistics.intervals import Floats, Interval, in_order, share_interval
from zhiyin.statistics.parts import part_interval
from zhiyin.words import said

Made = dict[Any, Any]
"""What measures of the same trials share."""


class Nesting:
    """Grouping of trials by cell (an item asked in one way), by item and by cluster.

    Parameters
    ----------
    item, way, cluster : ndarray of int, shape (n,)
        What names them, as `RunTable` has it.

    Attributes
    ----------
    cell, item : ndarray of int, shape (n,)
        Numbers of the trials' cells and items, in order of appearance.
    keys, home : ndarray of int, shape (cells,)
        Names of cells, and the numbers of their items.
    names, clusters : ndarray of int, shape (items,)
        Names of items, and the numbers of their clusters.
    """

    def __init__(self, item: Ints, way: Ints, cluster: Ints) -> None:
        self.item, first = in_order(item)
        self.cell, opening, keys = self.item, first, item
        if way.any():
            keys = cells_of(item, way)
            self.cell, opening = in_order(keys)
        self.keys, self.home = keys[opening], self.item[opening]
        self.names, self.clusters = item[first], np.arange(len(first))
        alone = cluster[first] == ALONE
        if not alone.all():
            known, where = np.unique(cluster[first], return_inverse=True)
            self.clusters = in_order(np.where(alone, len(known) + self.clusters, where))[0]

    @classmethod
    def of(cls, records: Iterable[Record]) -> Nesting:
        """Group records that stand in no table."""
        names = array("q")
        for record in records:
            names.extend(cls.names_of(record))
        return cls.named(names)

    @staticmethod
    def names_of(record: Record) -> tuple[int, int, int]:
        """Return numbers that name a record's item, way and cluster, in this process alone."""
        trial = record.trial
        item, condition = item_of(record.id, trial.item, trial.condition, trial.tags)
        cluster = ALONE if trial.cluster is None else hash(trial.cluster)
        return hash(item), hash(condition) if condition else 0, cluster

    @classmethod
    def named(cls, names: array[int]) -> Nesting:
        """Group trials whose `names_of` stand one after the other."""
        columns = np.array(names, dtype=np.int64).reshape(-1, 3).T
        return cls(*map(np.ascontiguousarray, columns))

    def mean(
        self, values: Floats, places: Ints | None = None, over: Floats | None = None
    ) -> Interval | None:
        """The mean of shares of some trials, averaged within cells and items; None where none is.

        Parameters
        ----------
        values : ndarray of float, shape (n,)
            In [0, 1].
        places : ndarray of int, optional
            Which of the trials; by default all.
        over : ndarray of float, shape (n,), optional
            What the values are shares of, by default 1 each: the ratio of the two sums.
        """
        kept = np.arange(len(self.cell)) if places is None else places
        if not len(kept):
            return None
        cells, home = numbered(self.cell[kept])
        items, place = numbered(self.home[cells])
        bottoms = np.ones(len(kept)) if over is None else over[kept]
        columns = np.array([values[kept], bottoms]).T
        shares = averaged(place, averaged(home, columns))
        within = numbered(self.clusters[items])[1]
        tops, below = summed(np.arange(len(items)) if within is None else within, shares).T
        return share_interval(tops[below > 0], below[below > 0], 0.95, len(items))

    def weights(self) -> Floats:
        """Return the weight of each trial in the mean of all; they add up to 1."""
        times, ways = np.bincount(self.cell), np.bincount(self.home)
        return np.asarray(1 / (times[self.cell] * ways[self.item] * len(ways)), np.float64)


class Frame(Nesting):
    """Some trials of a run, or of several, numbered once for all measures, groups and conditions.

    Parameters
    ----------
    *several : Rows
        Of one run; of several, where what is asked about is averaged over runs too.
    kinds : sequence of QuestionKind, optional
        In the place of those of the one table, such as with other groups.
    """

    def __init__(self, *several: Rows, kinds: Sequence[QuestionKind] | None = None) -> None:
        self.several = several
        tables = [(rows.table, rows.numbers) for rows in several]
        item, way, cluster, self.state = (
            _joined([getattr(table, name)[numbers] for table, numbers in tables])
            for name in ("item", "way", "cluster", "state")
        )
        every = [kinds or table.kinds for table, _ in tables]
        starts = np.cumsum([0, *map(len, every)])
        self.kind = _joined([table.kind[numbers] + start for (table, numbers), start in
                             zip(tables, starts, strict=False)])  # fmt: skip
        self._every = [kind for own in every for kind in own]
        super().__init__(item, way, cluster)
        self._columns: dict[Column, tuple[Floats, bool]] = {}
        seen, at = np.unique(self.kind, return_index=True)
        self.kinds = [(int(k), self._every[int(k)]) for k in seen[np.argsort(at)]]

    def __len__(self) -> int:
        return len(self.state)

    def column(self, of: Column) -> tuple[Floats, bool]:
        """The values of a column, counted once; and whether any trial lacks one."""
        if of not in self._columns:
            values = _joined([of(rows) for rows in self.several])
            self._columns[of] = values, bool(np.isnan(values).any())
        return self._columns[of]

    def groups(self, *, tree: bool = True) -> list[str]:
        """The whole first, the others as a tree or in order of appearance."""
        names = [name for _, kind in self.kinds for name in counted_under(kind.groups)]
        names = list(dict.fromkeys([ALL, *names]))
        return nested(names) if tree else names

    def logged(self, group: str) -> str:
        """Name a group as it is logged where all was asked in one altered way: with this before."""
        ways = {kind.way for _, kind in self.kinds}
        return f"{ways.pop()}/{group}".lstrip("/") if len(ways) == 1 and group != ALL else group

    def places(self, group: str = ALL, condition: str | None = None) -> Ints:
        """The trials of a group as logged ("all": of the main way, or of all without one); with a
        condition those of a group in this way of asking.
        """
        return np.flatnonzero(self._within(group, condition)[self.kind])

    def _within(self, group: str, condition: str | None = None) -> NDArray[np.bool_]:
        """Mark the kinds that are of a group."""
        if condition is not None:
            wanted = [number for number, kind in self.kinds if kind.way == condition
                      and (group == ALL or group in kind.bare)]  # fmt: skip
        elif group == ALL:
            every = [number for number, _ in self.kinds]
            wanted = [number for number, kind in self.kinds if kind.main] or every
        else:
            wanted = self._of_group.get(group, [])
        kinds = np.zeros(len(self._every), dtype=bool)
        kinds[wanted] = True
        return kinds

    @cached_property
    def _of_group(self) -> dict[str, list[int]]:
        """The kinds of each group as logged."""
        found: dict[str, list[int]] = {}
        for number, kind in self.kinds:
            for group in counted_under(kind.groups):
                found.setdefault(group, []).append(number)
        return found

    @cached_property
    def _times(self) -> Ints:
        """Number of trials of each kind that ended in each state, shape (kinds, states)."""
        both = self.kind.astype(np.int64) * len(STATES) + self.state
        times = np.bincount(both, minlength=len(self._every) * len(STATES))
        return times.reshape(-1, len(STATES))

    def count(self, group: str | None = None) -> Count:
        """Count the trials of a group, by default of all, that ended in each state."""
        own = slice(None) if group is None else self._within(group)
        return Count(*self._times[own].sum(axis=0).tolist())

    def _check(self, measure: Measure, values: Floats, kept: Ints) -> None:
        """Raise `InputError` for a score that its measure says cannot be."""
        least, most = (np.inf * sign if end is None else end for sign, end in
                       zip((-1, 1), measure.range, strict=True))  # fmt: skip
        outside = kept[(values[kept] < least) | (values[kept] > most)]
        if len(outside):
            item = self.rows(outside[:1])[0].item if len(self.several) == 1 else None
            raise InputError(said(
                "run-score-range", measure=repr(measure.name), item=item,
                value=f"{values[outside[0]]:g}", least=f"{least:g}",
                most=f"{most:g}" if most < np.inf else None,
            ))  # fmt: skip

    def part(self, places: Ints | NDArray[np.bool_]) -> Frame:
        """Some of the trials, numbered by themselves."""
        (own,) = self.several
        return Frame(Rows(own.table, own.numbers[places]), kinds=self._every)

    def counted(self, measure: Measure) -> NDArray[np.bool_]:
        """Mark the trials that a measure of columns is over."""
        over: NDArray[np.bool_] = OVER[measure.over][self.state]
        if callable(measure.of) or not measure.of:
            return over
        values, lacking = self.column(measure.of[0])
        kept: NDArray[np.bool_] = over & ~np.isnan(values) if lacking else over
        return kept

    def lacking(self, measure: Measure, places: Ints) -> tuple[int, int]:
        """Count the trials that a measure is over and has no value of, and all that it is over."""
        asked = int(OVER[measure.over][self.state[places]].sum())
        return asked - int(self.counted(measure)[places].sum()), asked

    def asked(self, measure: Measure) -> tuple[Ints, Ints]:
        """The cells that a measure has a value of, and the items that they are of."""
        if callable(measure.of):
            sums = self.sums(measure, np.arange(len(self)))
            return sums.keys, sums.names
        frame = self.part(self.counted(measure))
        return frame.keys, frame.names[frame.home]

    @cached_property
    def questions(self) -> Ints:
        """Numbers that name what each trial asks."""
        asked: Ints = _joined([rows.table.question[rows.numbers] for rows in self.several])
        return asked

    @cached_property
    def people(self) -> Ints | None:
        """Numbers of those who gave the answers; None but of several people's in one run."""
        own = self.several[0]
        people = own.table.people if len(self.several) == 1 else None
        return None if people is None else people[own.numbers]

    def rows(self, places: Ints) -> Rows:
        """Trials of the one run that this is of."""
        (own,) = self.several
        return Rows(own.table, own.numbers[places])

    def sums(self, measure: Measure, places: Ints, made: Made | None = None) -> Sums:
        """Sum up a measure over some trials; `made` keeps what measures share."""
        if callable(measure.of):
            return measure.of(self.rows(places))
        made = {} if made is None else made
        (leads, lacking), *_ = columns = [self.column(of) for of in measure.of]
        which = measure.over, measure.averaged, measure.of[0] if lacking else None
        if which not in made:
            kept = places[OVER[measure.over][self.state[places]]]
            kept = kept[~np.isnan(leads[kept])] if lacking else kept
            cell = self.cell[kept]
            cells, home = numbered(cell if measure.averaged else np.arange(len(kept)))
            cells = cells if measure.averaged else cell
            items = self.home[cells]
            number = items if measure.averaged else np.arange(len(cells))
            named = self.keys[cells], number, self.names[items], self.clusters[items]
            made[which] = kept, home, named
        kept, home, named = made[which]
        if isinstance(measure.of[0], NamedScore):
            self._check(measure, leads, kept)
        for of, (column, _) in zip(measure.of, columns, strict=True):
            if (which, of) not in made:
                own = np.ones(len(named[0])) if of is one else averaged(home, column[kept])
                made[which, of] = own
        values = np.array([made[which, of] for of in measure.of]).T
        keys, items, names, clusters = named
        return Sums(keys, items, names, clusters, values, len(kept))


def estimate(
    run: Rows | Frame, measure: Measure = ACCURACY, places: Ints | None = None,
    made: Made | None = None, *, level: float = 0.95, test: bool = False, ends: bool = True,
) -> Estimate:  # fmt: skip
    """A measure of some trials.

    Parameters
    ----------
    run : Rows or Frame
    measure : Measure
    places : ndarray of int, optional
        Of a frame, which of its trials; by default all.
    made : dict, optional
        What measures of the same places share.
    level : float
        Confidence, in (0, 1).
    test : bool
        Whether it has its p against chance.
    ends : bool
        Whether its interval is made.

    Returns
    -------
    Estimate
        Without a value where there is none.
    """
    frame = run if isinstance(run, Frame) else Frame(run)
    places = np.arange(len(frame)) if places is None else places
    if measure.fit is not None:
        own = measure.fit(frame.rows(places))
        if own is None:
            return Estimate(measure)
        return Estimate(measure, *own[:3], None, own.n, own.n, own.n, "fit", warnings=own.warnings)
    sums = frame.sums(measure, places, made)
    if (of := measure.weighted) is not None:
        ends_of = part_interval(of.parts(sums.values, sums.clusters), of.figure, level)
        found = Estimate(measure) if ends_of is None else Estimate.of(measure, ends_of)
        return msgspec.structs.replace(found, warnings=sums.warnings)
    if not sums.trials:
        return Estimate(measure)
    values, home = _by_item(sums, {} if made is None else made)
    columns = summed(home, values)
    asked = measure if ends else msgspec.structs.replace(measure, method="none")
    value, low, high, se, method = reduced(asked, columns, len(values), level)
    level_of_chance = _chance(frame, measure, places) if test else None
    p = None
    if level_of_chance is not None and low is not None and high is not None:
        p = guessing_p(columns[:, 0], columns[:, 1], level_of_chance, low, high)
    lacking, asked_of = frame.lacking(measure, places)
    lacks = (said("measure-lacks", n=lacking, of=asked_of),) if lacking else ()
    sizes = sums.trials, len(values), len(columns)
    found = Estimate(
        measure, value, low, high, se, *sizes, method, level_of_chance, p, warnings=lacks
    )
    return for_other_people(found, [(frame, places)], level)


def for_other_people(own: Estimate, sides: Sequence[tuple[Frame, Ints]], level: float) -> Estimate:
    """The same for other people too where a side is answers of several; see `RunPart`."""
    if all(frame.people is None for frame, _ in sides):
        return own
    from zhiyin.analysis.parts import of_parts

    found = of_parts(lambda part: part.for_other_people(own, sides, level))
    return next((one for one in found if one is not None), own)


def parts_there(frame: Frame, total: Measure) -> set[str]:
    """Name the parts of a total that a run has: two runs are compared in those that both have."""
    return {one.name for one in total.parts if estimate(frame, one).value is not None}


def chance_of(
    run: Rows | Frame, measure: Measure = ACCURACY, places: Ints | None = None
) -> float | None:
    """What even guessing gets on average in some trials; None where that is not known.

    The parameters are those of `estimate`.
    """
    frame = run if isinstance(run, Frame) else Frame(run)
    return _chance(frame, measure, np.arange(len(frame)) if places is None else places)


def _chance(frame: Frame, measure: Measure, places: Ints) -> float | None:
    """Expected value of guessing, averaged as the measure is; None for a free answer."""
    of = measure.chance
    if not callable(of):
        return of
    asked = places[OVER[measure.over][frame.state[places]]]
    values, lacking = frame.column(of)
    if not len(asked) or (lacking and np.isnan(values[asked]).any()):
        return None
    return estimate(frame, Measure("chance", of=(of, one), method="none"), places).value


def _by_item(sums: Sums, made: Made) -> tuple[Floats, Ints]:
    """Cells averaged within their items, and the clusters of these, from 0."""
    if (key := ("items", id(sums.items))) not in made:
        items, home = numbered(sums.items)
        first = None if home is None else np.unique(sums.items, return_index=True)[1]
        places = numbered(sums.clusters if first is None else sums.clusters[first])[1]
        # The items themselves are kept, so that no other array gets their id.
        made[key] = home, np.arange(len(items)) if places is None else places, sums.items
    home, places, _ = made[key]
    return averaged(home, sums.values), places


def _joined(parts: Sequence[Any]) -> Any:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
