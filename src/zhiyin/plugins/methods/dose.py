"""The doses of a run: its items at each of them, and the tables of what more sound adds.

Effect of more sound: accuracy over dose, the items that need more, half of the effect.

Every item is scored at every dose. What is known of it is counted by formula scoring,

    z = right - wrong / (m - 1),

with m options; without a readable answer, and of a free answer that is wrong, z = 0. A model that
knows an answer, guesses evenly or says nothing where it does not, has E z = P(it knows), whatever
its share of guesses (Lord 1975, Journal of Educational Measurement 12: 7-11). So, with K(d) the
mean of z at dose d and the largest dose D:

* K(D) - K(d) is the share of items that need more than d. It is net: an item that is known only
  with less sound counts against one that is known only with more. Of single items nothing is said.
* Half of what sound adds is reached at the dose d with K(d) = (K(0) + K(D)) / 2. Between two doses
  that were asked K is taken to be straight. Its interval holds every d at which that contrast of K
  does not differ from 0 (Fieller 1954, Journal of the Royal Statistical Society B 16: 175-185).
* The share of the accuracy that is left without sound is A(0) / A(D), with the same interval.

All intervals are by Student's t on the cluster-robust covariance of `intervals.standard_error`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from zhiyin.contract.declared import Cell, Kind, Section, heads
from zhiyin.errors import InputError
from zhiyin.plugins.methods.doses import HEARD_S, WHOLE, dose_place
from zhiyin.plugins.methods.skills import Ends
from zhiyin.runs.rows import Rows, TrialRow
from zhiyin.runs.sums import averaged
from zhiyin.runs.ways import NO_SOUND, Way, Ways
from zhiyin.statistics.intervals import (
    Clusters,
    Interval,
    cluster_index,
    degrees_of_freedom,
    interval,
    t_quantile,
)
from zhiyin.words import Text, said


class DosePoint(msgspec.Struct, frozen=True):
    """One dose of a run.

    Attributes
    ----------
    name : str
        As it was ordered: ``25%``.
    seconds : float
        Heard on average.
    accuracy : Interval
    needing_more : Ends or None
        The share of items that need more than this; None at the largest dose.
    """

    name: str
    seconds: float
    accuracy: Interval
    needing_more: Ends | None


class RunDoses(msgspec.Struct, frozen=True):
    """Results of a run's doses.

    Attributes
    ----------
    points : tuple of DosePoint
        By the seconds that were heard.
    items, clusters, left_out : int
        Items that were judged at every dose, their clusters, and items that were not.
    chance : float or None
        Of guessing evenly, where all items have options.
    kept : Ends or None
        The share of the accuracy that is left without sound; None where this was not asked.
    half : Ends or None
        Seconds at which half of what sound adds is reached; None where sound adds nothing
        significant, or where 0 or the whole was not asked.
    bracket : tuple of str
        The doses asked between which the interval of `half` lies; "" for each without it.
    lost : tuple of str
        Doses of which no trial was judged.
    """

    points: tuple[DosePoint, ...]
    items: int
    clusters: int
    left_out: int
    chance: float | None
    kept: Ends | None
    half: Ends | None
    bracket: tuple[str, str]
    lost: tuple[str, ...] = ()

    @property
    def ends(self) -> bool:
        """True if both no sound and all of it were asked."""
        names = {point.name for point in self.points}
        return {NO_SOUND, WHOLE} <= names


class _DosedCell(msgspec.Struct):
    """An item in one condition at its doses: right, readable and how many, by dose."""

    item: str
    cluster: str
    options: int
    sums: dict[str, list[float]] = {}


def doses_of(rows: Rows) -> RunDoses | None:
    """The doses of a run, of items asked otherwise in its main way; None for fewer than two.

    Repeats and rotations are averaged within their dose, then what was asked about one item in
    several conditions, as in all figures.
    """
    way = rows.ways.that_change("dose")
    if way is None:
        return None
    others = Ways(each for each in rows.ways if each != way)
    dosed = rows.judged.which(
        lambda kind: way.name in kind.tags and not others.of({**kind.tags, way.name: way.plain})
    )
    cells, seconds = _gathered(dosed, way)
    names = sorted(seconds, key=lambda name: (np.mean(seconds[name]), dose_place(name)))
    whole = [cell for cell in cells if len(cell.sums) == len(names)]
    if len(names) < 2 or not whole:
        return None
    every = len({cell.item for cell in cells})
    found = _doses(names, [float(np.mean(seconds[n])) for n in names], whole, every)
    asked = rows.which(lambda kind: way.name in kind.tags)
    doses = {
        str(asked.table.kinds[kind].tags[way.name])
        for kind in set(asked.table.kind[asked.numbers].tolist())
    }
    lost = tuple(sorted(doses - seconds.keys(), key=dose_place))
    return msgspec.structs.replace(found, lost=lost)


def _gathered(rows: Rows, way: Way) -> tuple[list[_DosedCell], dict[str, list[float]]]:
    """Items by their conditions but for the dose; and what was heard at each dose, in seconds."""
    cells: dict[tuple[str, str], _DosedCell] = {}
    seconds: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        tags = row.tags
        dose = str(tags[way.name])
        cell = cells.setdefault(
            (row.item, _bare(row, f"{way.name}={dose}")),
            _DosedCell(row.item, row.cluster or row.item, row.alternatives),
        )
        sums = cell.sums.setdefault(dose, [0.0, 0.0, 0.0])
        for place, value in enumerate((row.right, float(row.answered), 1.0)):
            sums[place] += value
        seconds[dose].append(float(tags.get(HEARD_S) or 0.0))  # type: ignore[arg-type]
    return list(cells.values()), seconds


def _bare(row: TrialRow, way: str) -> str:
    return "/".join(part for part in row.condition.split("/") if part != way)


def _doses(names: list[str], seconds: list[float], whole: list[_DosedCell], of: int) -> RunDoses:
    sums = np.array([[cell.sums[name] for name in names] for cell in whole])
    right, answered = sums[:, :, 0] / sums[:, :, 2], sums[:, :, 1] / sums[:, :, 2]
    options = np.array([cell.options for cell in whole])
    known = knowledge(right, answered, options[:, None])
    of_item = {cell.item: cell.cluster for cell in whole}
    home = cluster_index([cell.item for cell in whole], len(whole))
    right, known = (averaged(home, values) for values in (right, known))
    clusters = list(of_item.values())
    curve = DoseCurve(seconds, right, known, clusters)
    needing = [*curve.needing_more(), None]
    points = tuple(
        DosePoint(*each) for each in zip(names, seconds, curve.accuracy(), needing, strict=True)
    )
    ends = {NO_SOUND, WHOLE} <= set(names)
    apart = distinct(seconds)
    half = None
    if ends and len(apart) > 1:
        rising = DoseCurve(curve.seconds[apart], right[:, apart], known[:, apart], clusters)
        half = rising.half()
    return RunDoses(
        points=points,
        items=len(clusters),
        clusters=curve.cluster_count,
        left_out=of - len(clusters),
        chance=float(averaged(home, 1 / options).mean()) if options.min() > 1 else None,
        kept=curve.kept_without() if ends else None,
        half=half,
        bracket=_bracket(points, half),
    )


def _bracket(points: tuple[DosePoint, ...], half: Ends | None) -> tuple[str, str]:
    """The largest dose asked below an interval, and the smallest above it."""
    if half is None:
        return "", ""
    below = [point.name for point in points if point.seconds <= half.low]
    above = [point.name for point in points if point.seconds >= half.high]
    return (below[-1] if below else points[0].name), (above[0] if above else points[-1].name)


def dose_sections(rows: Rows) -> list[Section]:
    """Accuracy over dose, and what needs more of the sound; nothing for a run without doses."""
    doses = doses_of(rows)
    if doses is None:
        return []
    table: list[list[Cell]] = [
        [
            dose_in_words(point.name),
            point.seconds,
            (point.accuracy.mean, point.accuracy.low, point.accuracy.high),
            _cell(point.needing_more),
        ]
        for point in doses.points
    ]
    columns = heads("heard", "seconds-heard", "accuracy-share", "need-more")
    kinds: list[Kind] = ["text", "number", "share", "share"]
    return [Section(said("dose-title"), columns, table, _notes(doses), leads=True, kinds=kinds)]


def _named(dose: str) -> str:
    """A dose as the message ``dose-name`` takes it."""
    return {NO_SOUND: "nothing", WHOLE: "whole"}.get(dose, dose)


def _cell(one: Ends | None) -> Cell:
    return None if one is None else (one.value, one.low, one.high)


def _notes(doses: RunDoses) -> list[Text]:
    notes: list[Text] = []
    if doses.ends:
        notes.append(_half_note(doses))
        if doses.kept is not None:
            whole = next(one.accuracy.mean for one in doses.points if one.name == WHOLE)
            guess = None if doses.chance is None or not whole else doses.chance / whole
            notes.append(said("dose-kept", guess=guess, **_facts(doses.kept)))
    elif not {NO_SOUND, WHOLE} & set(doses.lost):
        notes.append(said("dose-ends"))
    notes += [said("dose-lost", dose=_named(name)) for name in doses.lost]
    largest = _named(doses.points[-1].name)
    notes.append(said("dose-note", n=doses.items, clusters=doses.clusters, dose=largest))
    if doses.left_out:
        notes.append(said("dose-left-out", n=doses.left_out))
    return notes


def _half_note(doses: RunDoses) -> Text:
    if doses.half is not None:
        first, last = doses.bracket
        between = {"first": dose_in_words(first), "last": dose_in_words(last)}
        return said("dose-half", **between, **_facts(doses.half))
    adds = next(point.needing_more for point in doses.points if point.name == NO_SOUND)
    return said("dose-nothing", harms=adds is not None and adds.high < 0)


def dose_in_words(dose: str) -> Text:
    """A dose as sentences and tables name it."""
    return said("dose-name", dose=_named(dose))


def _facts(one: Ends) -> dict[str, float]:
    return {"value": one.value, "low": one.low, "high": one.high}


Floats = NDArray[np.float64]


def knowledge(right: ArrayLike, answered: ArrayLike, options: ArrayLike) -> Floats:
    """Formula scores, z, of answers.

    Parameters
    ----------
    right, answered : array_like of float, in [0, 1]
        Of repeats the shares.
    options : array_like of int
        How many there were; 0 for a free answer, of which none is right by a guess.
    """
    sizes, rights = np.asarray(options, float), np.asarray(right, float)
    wrong = np.asarray(answered, float) - rights
    return np.asarray(rights - np.where(sizes > 1, wrong / np.maximum(sizes - 1, 1), 0.0))


class DoseCurve:
    """Items at several doses, ascending.

    Parameters
    ----------
    seconds : array_like, shape (k,)
        Mean seconds that were heard at each dose; never falling.
    right : array_like, shape (n, k)
        Of each item at each dose, in [0, 1].
    known : array_like, shape (n, k)
        z, see `knowledge`.
    clusters : sequence of labels, length n, or None

    Raises
    ------
    InputError
        On fewer than two doses or no item, or shapes that do not fit.
    """

    def __init__(
        self,
        seconds: ArrayLike,
        right: ArrayLike,
        known: ArrayLike,
        clusters: Clusters | None = None,
    ) -> None:
        self.seconds = np.asarray(seconds, dtype=float)
        self.right, self.known = np.asarray(right, dtype=float), np.asarray(known, dtype=float)
        self.clusters = clusters
        shape = self.right.shape
        if len(shape) != 2 or shape != self.known.shape or shape[1] != len(self.seconds):
            raise InputError(f"scores of shape {shape} at {len(self.seconds)} doses do not fit")
        if shape[0] < 1 or shape[1] < 2:
            raise InputError("a curve needs at least one item and two doses")
        if np.any(np.diff(self.seconds) < 0):
            raise InputError("doses must rise")
        self._index = cluster_index(clusters, shape[0])
        self._counts = np.bincount(self._index).astype(float)

    def __len__(self) -> int:
        return len(self.right)

    @property
    def cluster_count(self) -> int:
        """Number of clusters that the items make."""
        return len(self._counts)

    def accuracy(self) -> list[Interval]:
        """The share of right answers at each dose, with its interval."""
        return [interval(scores, self.clusters) for scores in self.right.T]

    def needing_more(self) -> list[Ends]:
        """The share of items that need more than each dose but the last, net."""
        last = np.eye(len(self.seconds))[-1]
        return [self._contrast(self._known, last - own) for own in np.eye(len(self.seconds))[:-1]]

    @cached_property
    def sound_adds(self) -> Ends:
        """The share of items that need more than the first dose."""
        return self.needing_more()[0]

    def kept_without(self) -> Ends | None:
        """Accuracy at the first dose as a share of that at the last one.

        None where the accuracy at the last is not above 0 beyond doubt.
        """
        if self.cluster_count < 2:
            return None
        mean, cov = self._moments(self.right)
        first, last = np.eye(len(self.seconds))[[0, -1]]
        t2 = self._t**2
        a = mean[-1] ** 2 - t2 * float(last @ cov @ last)
        b = -2 * (mean[0] * mean[-1] - t2 * float(first @ cov @ last))
        c = mean[0] ** 2 - t2 * float(first @ cov @ first)
        inside = b * b - 4 * a * c
        if not a > 0 or inside < 0:
            return None
        low, high = ((-b + sign * math.sqrt(inside)) / (2 * a) for sign in (-1, 1))
        return Ends(float(mean[0] / mean[-1]), max(0.0, low), high)

    def half(self) -> Ends | None:
        """Seconds at which half of what sound adds is reached.

        None where it is not beyond doubt that sound adds anything.
        """
        if not self.sound_adds.above_0:
            return None
        return self.reached(0.5)

    def reached(self, share: float) -> Ends:
        """Seconds at which a share of what sound adds, in (0, 1), is reached.

        The estimate is where the curve crosses; of several crossings, the middle between the
        first and the last one.
        """
        size = len(self.seconds)
        at = np.eye(size)
        # of item i: K_i(d) - (1 - share) K_i(first) - share K_i(last)
        contrasts = at - (1 - share) * at[0] - share * at[-1]
        mean, cov = self._known
        heights = contrasts @ mean
        spread = contrasts @ cov @ contrasts.T
        inside, crossings = [], []
        for one in range(size - 1):
            two = one + 1
            rise, place = heights[two] - heights[one], heights[one]
            quadratic = _quadratic(place, rise, spread, (one, two), self._t**2)
            inside += [self._second(one, tau) for tau in quadratic]
            if place <= 0 < heights[two] or heights[two] <= 0 < place:
                crossings.append(self._second(one, -place / rise))
        middle = (crossings[0] + crossings[-1]) / 2 if crossings else float(self.seconds[-1])
        inside.append(middle)
        return Ends(middle, min(inside), max(inside))

    def _second(self, segment: int, tau: float) -> float:
        first, second = self.seconds[segment : segment + 2].tolist()
        return float(first + tau * (second - first))

    @cached_property
    def _known(self) -> tuple[Floats, Floats]:
        return self._moments(self.known)

    @cached_property
    def _t(self) -> float:
        return t_quantile(0.95, degrees_of_freedom(self._counts))

    def _moments(self, scores: Floats) -> tuple[Floats, Floats]:
        """Means at each dose, and their cluster-robust covariance, shape (k, k).

        That items all behave alike here is no proof that all items do: every mean is taken to be
        uncertain by one answer, as `paired.paired_difference` adds one pair each way.
        """
        n, doses = scores.shape
        mean = scores.mean(axis=0)
        sums = np.zeros((self.cluster_count, doses))
        np.add.at(sums, self._index, scores)
        residuals = sums - self._counts[:, None] * mean
        weight = 1 / (1 - np.minimum(self._counts / n, 0.5 if self.cluster_count < 2 else 1.0))
        one = float(np.ptp(scores)) or 1.0
        cov = (residuals * weight[:, None]).T @ residuals + one**2 * np.eye(doses)
        return mean, cov / n**2

    def _contrast(self, moments: tuple[Floats, Floats], weights: Floats) -> Ends:
        """A difference of two shares, which lies in [-1, 1]."""
        mean, cov = moments
        value = float(weights @ mean)
        if self.cluster_count < 2:
            return Ends(value, -1.0, 1.0)
        half = self._t * math.sqrt(max(0.0, float(weights @ cov @ weights)))
        return Ends(value, max(-1.0, value - half), min(1.0, value + half))


def _quadratic(
    height: float, rise: float, spread: Floats, ends: tuple[int, int], t2: float
) -> list[float]:
    """Ends of {tau in [0, 1]: (height + tau rise)^2 <= t^2 variance}, and whatever lies in it."""
    one, two = ends
    start, end, cross = spread[one, one], spread[two, two], spread[one, two]
    a = rise**2 - t2 * (start + end - 2 * cross)
    b = 2 * height * rise - 2 * t2 * (cross - start)
    c = height**2 - t2 * start
    roots = []
    if abs(a) > 1e-15:
        inside = b * b - 4 * a * c
        if inside >= 0:
            roots = [(-b + sign * math.sqrt(inside)) / (2 * a) for sign in (-1, 1)]
    elif abs(b) > 1e-15:
        roots = [-c / b]
    within = [tau for tau in roots if 0 < tau < 1]
    return within + [tau for tau in (0.0, 1.0) if a * tau * tau + b * tau + c <= 1e-15]


def distinct(seconds: Sequence[float], least: float = 1e-9) -> list[int]:
    """The doses of which each is longer than the one before, by their places; the last one stays.

    Of recordings of 5 s the doses 10 s and 100 % are one.
    """
    kept: list[int] = []
    for place in range(len(seconds) - 1, -1, -1):
        if not kept or seconds[kept[-1]] - seconds[place] > least:
            kept.append(place)
    return kept[::-1]
