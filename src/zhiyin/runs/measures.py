"""Measures: each declared once, with all that a view has to know of it.

A `Measure` says its unit, direction, range and chance, what a trial adds to it and how its
interval is made; an `Estimate` is what a run gives of it, a `Pair` what a difference has beside.
Every measure but a fitted one is a function of sums of K columns: trials are averaged within their
cell (an item asked in one way), cells within their item, items are summed within clusters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.engine.scoring import ALL
from zhiyin.record import SCORE, STATES
from zhiyin.runs.rows import JUDGED, Rows
from zhiyin.statistics.intervals import Floats, Interval, in_order
from zhiyin.statistics.paired import Discordance, Flips
from zhiyin.statistics.parts import Parts
from zhiyin.words import Said, Text, said

Ints = NDArray[np.int64]
Column = Callable[[Rows], Floats]
"""A number for each trial; NaN in a measure's first column: the trial is not in it."""
Method = Literal["share", "mean", "auto", "bootstrap", "jackknife", "none"]
EXPLORATORY = "exploratory"
SHARE = "share"
"""The unit of what is of 1 and written in per cent."""

UNREAD = np.array([state in ("no_answer", "refused", "truncated") for state in STATES])
ANSWERED = np.array([state in ("correct", "wrong") for state in STATES])
OVER = {
    "judged": JUDGED,
    "settled": np.array([state != "error" for state in STATES]),
    "answered": ANSWERED,
}


class Sums(NamedTuple):
    """Sums of a measure, by cell.

    Attributes
    ----------
    keys : ndarray of int, shape (cells,)
        Names of cells.
    items, names, clusters : ndarray of int, shape (cells,)
        The number and the name of the cell's item, and the number of its cluster.
    values : ndarray of float, shape (cells, K)
        The columns, averaged over the trials of the cell.
    trials : int
        How many trials these are.
    whole : bool
        Whether all that was planned is in it, such as a judge's grades.
    warnings : tuple of Text
        What the reader of its figure must know.
    """

    keys: Ints
    items: Ints
    names: Ints
    clusters: Ints
    values: Floats
    trials: int
    whole: bool = True
    warnings: tuple[Text, ...] = ()

    @classmethod
    def of_parts(cls, parts: Parts, whole: bool, warnings: Sequence[Text]) -> Sums:
        """Scores in parts, as `Weighted` takes them."""
        songs, places = np.nonzero(parts.scored.T)
        cells, number = np.arange(len(songs)), len(parts.names)
        values = np.zeros((len(songs), 3 * number))
        for n, table in enumerate((parts.sums, parts.counts, parts.scored)):
            values[cells, n * number + places] = table[places, songs]
        named = zip(songs.tolist(), places.tolist(), strict=True)
        keys = np.array([hash((parts.songs[s], parts.names[p])) for s, p in named], dtype=np.int64)
        return cls(keys, cells, keys, songs, values, len(cells), whole, tuple(warnings))

    def only(self, keys: Ints) -> Sums:
        """Return the sums of some cells."""
        own = np.isin(self.keys, keys)
        return self._replace(
            keys=self.keys[own], items=self.items[own], names=self.names[own],
            clusters=self.clusters[own], values=self.values[own], trials=int(own.sum()),
        )  # fmt: skip


def ratio(sums: Floats) -> Floats:
    """The first sum over the second: a mean, a share, a pooled rate."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1])


class Fitted(NamedTuple):
    """Result of a measure that is fitted to some trials, and not summed."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    warnings: tuple[Text, ...] = ()


class Weighted(msgspec.Struct, frozen=True):
    """The figure of a score in parts: one of them, or the weighted mean of those that are there.

    Its sums have 3 P columns: what each part adds up, what that is divided by, and whether it was
    scored; its cells are the parts of songs, and its clusters the songs.
    """

    figure: str
    names: tuple[str, ...]
    weights: tuple[float, ...]

    def parts(self, columns: Floats, clusters: Ints) -> Parts:
        """The scores of songs, which are numbered by cell."""
        songs, first = in_order(clusters)
        by_song = np.zeros((len(first), columns.shape[1]))
        np.add.at(by_song, songs, columns)
        sums, counts, scored = by_song.T.reshape(3, len(self.names), -1)
        return Parts(self.names, self.weights, (), sums, counts, scored > 0)


class Measure(msgspec.Struct, frozen=True):
    """A quantity that is measured. The first one that a benchmark declares is its headline.

    Attributes
    ----------
    name : str
    unit : str
        A "share" is of 1 and written in per cent; any other unit is written as it is.
    lower_is_better : bool
    range : (float or None, float or None)
        What a value can be: intervals end there.
    group : str
        The group of which it is the headline, and of a fitted one the only group.
    of : tuple of Column, or callable
        What a trial adds; or from rows to `Sums`, where an item's value needs several trials at
        once, words, or a judge's grades.
    value : callable
        From sums (..., K) to figures (...); NaN where there is none.
    over : {"judged", "settled", "answered"}
        Which trials.
    averaged : bool
        Whether repeats and ways are averaged within their item; False: each reply counts.
    method : Method
        Of the interval: "share" is Wilson's, clustered; "mean" t or bootstrap-t; "auto" one of
        these by the data; "bootstrap" and "jackknife" are over clusters, for any function of sums.
    chance : float, Column or None
    by, how : str
        Who judged; and a fingerprint, equal where it was done alike.
    weighted : Weighted, optional
        What a score in parts is a figure of, in the place of `value` and `method`; its interval is
        linearised in strata, see `statistics.parts`.
    parts : tuple of Measure
        Of a total: what it is made of, compared beside it in the place of groups.
    fit : callable, optional
        From rows to `Fitted`, in the place of all of this: a threshold, an ability.
    declared : bool
        Whether a benchmark says so; of a score that none declares the direction is not known.
    """

    name: str
    unit: str = SHARE
    lower_is_better: bool = False
    range: tuple[float | None, float | None] = (0.0, 1.0)
    group: str = ALL
    of: tuple[Column, ...] | Callable[[Rows], Sums] = ()
    value: Callable[[Floats], Floats] = ratio
    over: Literal["judged", "settled", "answered"] = "judged"
    averaged: bool = True
    method: Method = "share"
    chance: float | Column | None = None
    by: str = ""
    how: str = ""
    weighted: Weighted | None = None
    parts: tuple[Measure, ...] = ()
    fit: Callable[[Rows], Fitted | None] | None = None
    declared: bool = True


class Pair(msgspec.Struct, frozen=True):
    """Addition to an estimate of a difference: its sides and its test.

    `mcnemar` counts items right on one side in more than half of their trials; it is the test where
    `binary`: all are right or wrong.
    """

    first: float
    second: float
    test: str
    p_adjusted: float
    detectable: float
    flips: Flips | None = None
    mcnemar: Discordance | None = None
    binary: bool = False
    a: str = ""
    b: str = ""
    family: str = EXPLORATORY
    twin: str = ""


class Estimate(msgspec.Struct, frozen=True):
    """A measure of a group in a condition with its 95 % interval; with a `pair` a difference.

    `n` counts trials, `items` what was asked about, `clusters` what hangs together. `p` is against
    chance, of a difference against none.
    """

    measure: Measure
    value: float | None = None
    low: float | None = None
    high: float | None = None
    se: float | None = None
    n: int = 0
    items: int = 0
    clusters: int = 0
    method: str = ""
    chance: float | None = None
    p: float | None = None
    group: str = ALL
    condition: str = ""
    warnings: tuple[Text, ...] = ()
    pair: Pair | None = None

    @classmethod
    def of(cls, measure: Measure, own: Interval, group: str = ALL) -> Estimate:
        """Convert an interval, which is counted in items, to an estimate of a measure."""
        ends = (*own.ends, own.se)
        return cls(measure, *ends, own.n, own.n, own.clusters, own.method, group=group)

    @property
    def name(self) -> str:
        """Name of the measure."""
        return self.measure.name

    @property
    def interval(self) -> Interval | None:
        """Its mean and ends alone, counted in items; None where there are none."""
        if self.value is None or self.low is None or self.high is None:
            return None
        sizes = self.items, self.clusters, self.method
        se = math.nan if self.se is None else self.se
        return Interval(self.value, self.low, self.high, se, *sizes)

    @property
    def ends(self) -> tuple[float, float, float] | None:
        """Value and ends, as a cell of a table has them; None where there are none."""
        if self.value is None or self.low is None or self.high is None:
            return None
        return self.value, self.low, self.high

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the sides of a difference."""
        return (self.pair.a, self.pair.b) if self.pair else ("", "")

    @property
    def better(self) -> str | None:
        """The side of a pair that is shown to be better; None where that is open."""
        if self.pair is None or not self.value or self.pair.p_adjusted >= 0.05:
            return None
        return self.pair.a if (self.value > 0) != self.measure.lower_is_better else self.pair.b


# The columns and measures that every benchmark has.


def right(rows: Rows) -> Floats:
    """1 for a right answer."""
    return rows.right


def answered(rows: Rows) -> Floats:
    """1 for a readable answer."""
    return ANSWERED[rows.states].astype(np.float64)


def one(rows: Rows) -> Floats:
    """1 for each trial."""
    return np.ones(len(rows))


def half_answered(rows: Rows) -> Floats:
    """The denominator of F1 by Li et al. (2024), section 4.1, halved so that an answer weighs 1."""
    return np.asarray((1 + answered(rows)) / 2)


def guess(rows: Rows) -> Floats:
    """Return each trial's expected score of even guessing; NaN for a free answer, and for
    a set of options.
    """
    options = np.array([kind.alternatives or np.nan for kind in rows.table.kinds])
    return np.asarray(1 / options[rows.table.kind[rows.numbers]])


def right_or_guess(rows: Rows) -> Floats:
    """1 for a right answer; of a reply without one, where sound is altered, what guessing gets.

    Whoever says that there is nothing to hear is not wrong, and knows no more than a guesser; and
    whoever says so of the true sound has not heard less than one who guesses.
    """
    if not any(way.changes in ("sound", "dose") and way.plain for way in rows.ways):
        return right(rows)
    return np.where(UNREAD[rows.states], np.nan_to_num(guess(rows)), rows.right)


class NamedScore(msgspec.Struct, frozen=True):
    """The column of a named score; `unread` stands for a reply without an answer."""

    name: str
    unread: float

    def __call__(self, rows: Rows) -> Floats:
        values = rows.scores(self.name)
        if math.isnan(self.unread):
            return values
        silent = JUDGED[rows.states] & ~ANSWERED[rows.states]
        return np.where(np.isnan(values) & silent, self.unread, values)


def score(name: str, *, unread: float = math.nan, **declared: Any) -> Measure:
    """The mean of a named score of the verdicts.

    Parameters
    ----------
    name : str
    unread : float
        What a reply without an answer counts. By default it is left out, which is said.
    **declared
        Fields of `Measure`.
    """
    share = declared.get("range", (0.0, 1.0)) == (0.0, 1.0)
    method = "share" if share else "mean"
    usual: dict[str, Any] = {
        "of": (NamedScore(name, unread), one),
        "over": "settled",
        "method": method,
    }
    return Measure(name, **{**usual, **declared})


def error_rate(name: str) -> Measure:
    """The mean of a score that counts errors, such as a word error rate, which may exceed 1."""
    return score(name, lower_is_better=True, range=(0.0, None))


ACCURACY = Measure("accuracy", of=(right, one), chance=guess)
WHAT_SOUND_ADDS = Measure("accuracy", of=(right_or_guess, one), chance=guess)
"""Accuracy, as ways of asking are set against each other in it: the one definition of listening."""
# Who guesses answers everything: then all four are one.
RECALL = Measure("recall", of=(right, one), chance=guess)
PRECISION = Measure("precision", of=(right, answered), chance=guess)
F1 = Measure("f1", of=(right, half_answered), chance=guess)
IFR = Measure("ifr", of=(answered, one))
USUAL = (ACCURACY, PRECISION, F1, IFR)
_ERRORS = frozenset({"wer", "cer", "wer_edits", "cer_edits", "edit_distance"})
_BY_NAME = {measure.name: measure for measure in (*USUAL, RECALL)}


def measure_named(figure: str, declared: Sequence[Measure] = USUAL) -> Measure:
    """The measure of a name, as its benchmark declares it.

    Parameters
    ----------
    figure : str
        Such as "f1"; a score that nobody declares as "score:NAME" or NAME: its direction is not
        known, nor what it can be.
    declared : sequence of Measure
    """
    name = figure_name(figure)
    usual = _BY_NAME.get(figure)
    for measure in declared:
        if measure.name == name and (figure == name or measure.name not in _BY_NAME):
            return measure
    if usual is not None:
        return usual
    known = name in _ERRORS  # of benchmarks that say nothing, as none could before
    return score(
        name, unit=SHARE if known else "", range=(0.0 if known else None, None), method="auto",
        lower_is_better=known, declared=known,
    )  # fmt: skip


def measure_title(measure: Measure, *, unit: bool = True) -> Said:
    """A measure over a column or an axis: its name, its unit, and which way is better if lower."""
    own = measure.unit if unit and measure.unit != measure.name else ""
    return said("measure-title", name=measure.name, unit=own or None, low=measure.lower_is_better)


def figure_name(figure: str) -> str:
    """Return a figure's name in published rows and in tables: of a score, its name."""
    return figure.removeprefix(SCORE)


def key_of(measure: Measure) -> str:
    """The name by which `measure_named` finds a measure: of a score, with "score:" before it."""
    return measure.name if measure.name in _BY_NAME else f"{SCORE}{measure.name}"
