"""Agreement between judges: Krippendorff's alpha, weighted kappa, the intraclass correlation.

Coefficients of agreement end at 1 and are skewed below it, so that a percentile bootstrap over
few units covers 75 to 90 % where it says 95 (measured in docs/statistics/README.md). The
jackknife on Fisher's scale, with Student's t, keeps its level better.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Sequence
from typing import Literal, get_args

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from zhiyin.errors import InputError, reworded
from zhiyin.statistics.intervals import Floats, cluster_index, normal_quantile, t_quantile

_EDGE = 1e-9


def jackknife_ends(
    value: float, without: Floats, counts: Floats, judges: float = 2.0, level: float = 0.95
) -> tuple[float, float] | None:
    """The interval of a coefficient of agreement from its values with one unit left out.

    Parameters
    ----------
    value : float
        Of all units.
    without : ndarray, shape (g,)
        The coefficient without each of the units (or groups of units of one size); NaN where it
        is not defined.
    counts : ndarray, shape (g,)
        How many units each of these stands for: units that are alike are left out alike.
    judges : float
        How many judges graded a unit, on average; at least 2.
    level : float
        Confidence, in (0, 1).

    Returns
    -------
    tuple of float or None
        None for fewer than three units, or where the coefficient is not defined without one of
        them. Fisher's z = ½ log((1 + (k - 1) r) / (1 - r)) of k judges, with the jackknife's
        variance and t of n - 1 degrees of freedom; r itself where a z would be infinite.

    References
    ----------
    Tukey (1958), Annals of Mathematical Statistics 29: 614. The scale: Fisher (1925), Statistical
    Methods for Research Workers, section 39; for concordance: Lin (1989), Biometrics 45: 255-268.
    """
    n = float(counts.sum())
    if n < 3 or not np.all(np.isfinite(without)):
        return None
    every = np.append(without, value)
    least = -1 / (judges - 1)
    curved = bool(np.all(every < 1 - _EDGE) and np.all(every > least + _EDGE))
    if curved:
        every = 0.5 * np.log((1 + (judges - 1) * every) / (1 - every))
    moved, centre = every[:-1], float(every[-1])
    mean = float(counts @ moved) / n
    variance = (n - 1) / n * float(counts @ (moved - mean) ** 2)
    half = t_quantile(level, n - 1) * math.sqrt(variance)
    low, high = centre - half, centre + half
    if not curved:
        return max(-1.0, low), min(1.0, high)
    low, high = (1 - judges / (math.exp(2 * end) + judges - 1) for end in (low, high))
    return low, high


Level = Literal["nominal", "ordinal", "interval", "ratio"]
Weights = Literal["none", "linear", "quadratic"]
_CHUNK = 2_000_000
_MOST_GROUPS = 200


class Alpha(msgspec.Struct, frozen=True):
    """Krippendorff's alpha.

    Attributes
    ----------
    alpha : float or None
        1 - observed / expected: 1 is agreement, 0 what chance gives, below 0 worse. None where
        all values are the same: without variation there is nothing to agree on.
    low, high : float or None
        Jackknife over clusters of units (see `jackknife_ends`). None with alpha, for fewer than
        three clusters, and where nobody ever disagreed: that does not show how rare disagreement
        is.
    observed, expected : float
        Mean disagreement within units, and of all values at random.
    units, values : int
        Units that two or more judged, and the values in them.
    clusters : int
        What was drawn on its own: as many as units, where units do not hang together.
    """

    alpha: float | None
    low: float | None
    high: float | None
    observed: float
    expected: float
    units: int
    values: int
    clusters: int


class Kappa(msgspec.Struct, frozen=True):
    """Cohen's kappa of two judges.

    Attributes
    ----------
    kappa : float or None
        None where both judges gave one and the same category throughout.
    se, low, high : float or None
        Asymptotic standard error, and an interval by the jackknife over units. None with kappa,
        where both always agreed, and where one judge gave the same category throughout: kappa is
        0 then whatever the other does, and nothing is known of their agreement.
    observed, expected : float
        Weighted agreement, in [0, 1], and what chance gives.
    n : int
        Units.
    """

    kappa: float | None
    se: float | None
    low: float | None
    high: float | None
    observed: float
    expected: float
    n: int


def krippendorff_alpha(
    ratings: ArrayLike,
    level: Level = "nominal",
    *,
    clusters: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
) -> Alpha:
    """Krippendorff's alpha of any number of judges, with missing values.

    Parameters
    ----------
    ratings : array_like, shape (judges, units)
        Numbers; NaN where a judge did not rate a unit. Units with fewer than two values are left
        out. Categories without order are given any distinct numbers.
    level : {"nominal", "ordinal", "interval", "ratio"}
        What the numbers mean. Disagreement of c and k: c != k; squared difference of mid-ranks;
        (c - k)²; ((c - k) / (c + k))².
    clusters : sequence of labels, length units, or None
        What each unit belongs to, where units were not drawn one by one: the options of one
        question, questions on one recording. They are left out together, or the interval would be
        too narrow. None: each unit stands for itself.
    confidence : float
        Of the interval, in (0, 1).

    Returns
    -------
    Alpha

    Raises
    ------
    InputError
        When no unit has two values, an unknown level, ratio with values below 0, or another
        number of clusters than of units.

    References
    ----------
    Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", sections A to E.
    """
    table = _ratings(ratings, level)
    paired = np.sum(~np.isnan(table), axis=0) >= 2
    kept = table[:, paired]
    if not kept.shape[1]:
        raise InputError("no unit was rated by two judges: there is no agreement to measure")
    if clusters is not None:
        if len(clusters) != len(paired):
            raise InputError(f"{len(clusters)} clusters of {len(paired)} units: give one for each")
        clusters = [*itertools.compress(clusters, paired)]
    homes = cluster_index(clusters, kept.shape[1])
    observed, expected = _disagreements(kept, level)
    alpha = 1 - observed / expected if expected > 0 else None
    low = high = None
    if alpha is not None and observed > 0:
        low, high = _alpha_ends(kept, level, homes, alpha, confidence)
    values, drawn = int(np.sum(~np.isnan(kept))), int(homes.max()) + 1
    return Alpha(alpha, low, high, observed, expected, kept.shape[1], values, drawn)


def _alpha_ends(
    kept: Floats, level: Level, homes: NDArray[np.int64], alpha: float, confidence: float
) -> tuple[float | None, float | None]:
    """The jackknife over clusters, many of them dealt into groups of one size but for one."""
    judges = float(np.mean(np.sum(~np.isnan(kept), axis=0)))
    home = homes % min(int(homes.max()) + 1, _MOST_GROUPS)
    without = []
    for group in range(int(home.max()) + 1):
        rest = kept[:, home != group]
        observed, expected = _disagreements(rest, level) if rest.shape[1] else (0.0, 0.0)
        without.append(1 - observed / expected if expected > 0 else math.nan)
    ends = jackknife_ends(alpha, np.array(without), np.ones(len(without)), judges, confidence)
    return ends or (None, None)


def cohen_kappa(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    weights: Weights = "none",
    *,
    categories: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
) -> Kappa:
    """Cohen's kappa of two judges, plain or weighted.

    Parameters
    ----------
    first, second : sequence of labels, length n
        Categories given to the same units.
    weights : {"none", "linear", "quadratic"}
        Disagreement of two categories grows with their distance, or its square. The distance of
        numbers is their difference, so that grades such as 2.5 need no rounding; that of other
        labels the places between them.
    categories : sequence of labels, or None
        All categories in order, for labels that are no numbers. None takes those that occur,
        sorted.
    confidence : float
        In (0, 1).

    Returns
    -------
    Kappa

    Raises
    ------
    InputError
        On no units, unlike lengths, an unknown kind of weights, or a label that is no category.

    References
    ----------
    Cohen (1968), Psychological Bulletin 70: 213-220; standard error: Fleiss, Cohen and Everitt
    (1969), Psychological Bulletin 72: 323-327. Interval: `jackknife_ends`.
    """
    shares, n, places = _crossed(first, second, categories)
    steps = np.abs(np.subtract.outer(places, places)) / max(float(np.ptp(places)), 1e-300)
    if weights not in get_args(Weights):
        raise InputError(f"unknown weights {weights!r}: take {', '.join(get_args(Weights))}")
    alike = 1 - {"none": (steps > 0).astype(float), "linear": steps, "quadratic": steps**2}[weights]
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    observed, expected = float(np.sum(alike * shares)), float(rows @ alike @ columns)
    if 1 - expected < 1e-12:
        return Kappa(None, None, None, None, observed, expected, n)
    kappa = (observed - expected) / (1 - expected)
    if 1 - observed < 1e-12:
        return Kappa(1.0, None, None, None, observed, expected, n)
    if max(rows.max(), columns.max()) > 1 - 1e-12:
        return Kappa(kappa, None, None, None, observed, expected, n)
    margins = np.add.outer(alike @ columns, alike.T @ rows)
    inner = alike - margins * (1 - kappa)
    variance = float(np.sum(shares * inner**2)) - (kappa - expected * (1 - kappa)) ** 2
    se = math.sqrt(max(0.0, variance) / n) / (1 - expected)
    low, high = _kappa_ends(shares, 1 - alike, n, kappa, confidence)
    return Kappa(kappa, se, low, high, observed, expected, n)


def _kappa_ends(
    shares: Floats, apart: Floats, n: int, kappa: float, confidence: float
) -> tuple[float | None, float | None]:
    """The jackknife over units; those of one cell of the table are left out alike."""
    counts = shares * n
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    left, right = apart @ columns, apart.T @ rows
    expected = float(rows @ left) - left[:, None] - right[None, :] + apart
    observed = float(np.sum(apart * counts)) - apart
    filled = counts > 0.5
    with np.errstate(divide="ignore", invalid="ignore"):
        without = 1 - observed * (n - 1) / np.where(expected > 1e-12, expected, np.nan)
    return jackknife_ends(kappa, without[filled], counts[filled], 2.0, confidence) or (None, None)


def _ratings(ratings: ArrayLike, level: Level) -> Floats:
    """The table of ratings, checked."""
    if level not in get_args(Level):
        raise InputError(f"unknown level {level!r}: take {', '.join(get_args(Level))}")
    with reworded("ratings are numbers, or NaN for missing ones: ", of=(TypeError, ValueError)):
        table = np.asarray(ratings, dtype=np.float64)
    if table.ndim != 2:
        raise InputError(f"ratings of shape {table.shape}: give judges by units")
    if np.any(np.isinf(table)):
        raise InputError("a rating is infinite: give NaN for a missing one")
    if level == "ratio" and np.any(table < 0):
        raise InputError("a ratio scale has no values below 0: take level interval")
    return table


def _disagreements(kept: Floats, level: Level) -> tuple[float, float]:
    """Observed and expected disagreement (Krippendorff 2011, section E)."""
    there = ~np.isnan(kept)
    distinct, where, times = np.unique(kept[there], return_inverse=True, return_counts=True)
    counts = times.astype(np.float64)
    n = float(counts.sum())
    # on mid-ranks, the ordinal difference is the interval one
    scale = np.cumsum(counts) - counts / 2 if level == "ordinal" else distinct
    values = np.full(kept.shape, np.nan)
    values[there] = scale[where]
    raters = there.sum(axis=0)
    within = np.zeros(kept.shape[1])
    for judge in range(1, len(values)):
        within += np.nansum(_distance(values[judge], values[:judge], level), axis=0)
    observed = 2 * float(np.sum(within / (raters - 1))) / n
    between, rows = 0.0, max(1, _CHUNK // len(scale))
    for start in range(0, len(scale), rows):
        part = _distance(scale[start : start + rows, None], scale[None, :], level)
        between += float(counts[start : start + rows] @ part @ counts)
    return observed, between / (n * (n - 1))


def _distance(one: Floats, other: Floats, level: Level) -> Floats:
    """Disagreement of two values; NaN where one is missing."""
    gap = one - other
    if level == "nominal":
        return np.where(np.isnan(gap), np.nan, (gap != 0).astype(np.float64))
    if level == "ratio":
        both = one + other
        gap = np.divide(gap, both, out=np.zeros_like(gap), where=both != 0)
    return gap**2


def _crossed(
    first: Sequence[Hashable], second: Sequence[Hashable], categories: Sequence[Hashable] | None
) -> tuple[Floats, int, Floats]:
    """Shares of units by the judges' categories, how many units, and the categories' places."""
    if len(first) != len(second) or not len(first):
        raise InputError(f"{len(first)} labels against {len(second)}: give both for each unit")
    if categories is None:
        try:
            categories = sorted({*first, *second})  # type: ignore[type-var]
        except TypeError:
            raise InputError("labels of mixed kinds have no order: give categories") from None
    number = {category: place for place, category in enumerate(categories)}
    table = np.zeros((len(number), len(number)))
    for one, two in zip(first, second, strict=True):
        for label in (one, two):
            if label not in number:
                raise InputError(f"label {label!r} is none of the categories")
        table[number[one], number[two]] += 1
    numeric = all(isinstance(label, int | float | np.number) for label in number)
    places = np.array(list(number) if numeric else range(len(number)), dtype=np.float64)
    return table / len(first), len(first), places


class Intraclass(msgspec.Struct, frozen=True):
    """ICC(A,1): absolute agreement of single grades.

    Attributes
    ----------
    icc : float or None
        1 is agreement to the point, 0 none; may be below 0. None where no grade differs from
        another.
    low, high : float or None
        Interval; None with `icc`, and where the judges always agreed.
    units, judges : int
        Units that every judge graded, and the judges.
    """

    icc: float | None
    low: float | None
    high: float | None
    units: int
    judges: int


def intraclass(ratings: ArrayLike, *, confidence: float = 0.95) -> Intraclass:
    """The intraclass correlation of single grades, two-way random effects, absolute agreement.

    Parameters
    ----------
    ratings : array_like, shape (judges, units)
        Numbers; NaN where a judge did not rate a unit. Only units that all judges rated count.
    confidence : float
        In (0, 1).

    Returns
    -------
    Intraclass
        With mean squares of units MSR, judges MSC and the rest MSE of n units and k judges,
        ICC = (MSR - MSE) / (MSR + (k - 1) MSE + k (MSC - MSE) / n). Between judges that differ in
        their level it is lower than a correlation.

    Raises
    ------
    InputError
        On fewer than two judges, fewer than two units that all rated, or infinite values.

    References
    ----------
    ICC(2,1) of Shrout and Fleiss (1979), Psychological Bulletin 86: 420-428; interval: McGraw and
    Wong (1996), Psychological Methods 1: 30-46, table 7, with the correction in 1: 390.
    """
    with reworded("ratings are numbers, or NaN for missing ones: ", of=(TypeError, ValueError)):
        table = np.asarray(ratings, dtype=np.float64)
    if table.ndim != 2 or len(table) < 2 or np.any(np.isinf(table)):
        raise InputError("an intraclass correlation needs finite ratings of two judges or more")
    table = table[:, ~np.isnan(table).any(axis=0)]
    k, n = table.shape
    if n < 2:
        raise InputError(f"{n} units that all judges rated: an intraclass correlation needs two")
    grand = table.mean()
    units, judges = table.mean(axis=0) - grand, table.mean(axis=1) - grand
    rest = table - grand - units - judges[:, None]
    msr = k * float(units @ units) / (n - 1)
    msc = n * float(judges @ judges) / (k - 1)
    mse = float(np.sum(rest**2)) / ((n - 1) * (k - 1))
    tiny = 1e-12 * float(np.abs(table).max() ** 2 + 1e-300)
    if msr + msc + mse <= tiny:
        return Intraclass(None, None, None, n, k)
    icc = (msr - mse) / (msr + (k - 1) * mse + k * (msc - mse) / n)
    if msc + mse <= tiny:
        return Intraclass(1.0, None, None, n, k)
    low, high = _ends(icc, msr, msc, mse, n, k, confidence)
    return Intraclass(icc, min(icc, low), max(icc, high), n, k)


def _ends(
    icc: float, msr: float, msc: float, mse: float, n: int, k: int, confidence: float
) -> tuple[float, float]:
    """McGraw and Wong's interval, its degrees of freedom after Satterthwaite."""
    normal_quantile(confidence)  # refuses what is no confidence
    a = k * icc / (n * (1 - icc))
    b = 1 + k * icc * (n - 1) / (n * (1 - icc))
    spread = (a * msc) ** 2 / (k - 1) + (b * mse) ** 2 / ((n - 1) * (k - 1))
    df = (a * msc + b * mse) ** 2 / spread if spread > 0 else math.inf
    df = max(df, 1e-3)  # where the two mean squares cancel
    tail = 0.5 + confidence / 2
    below = float(special.fdtri(n - 1, df, tail))
    above = float(special.fdtri(df, n - 1, tail))
    rest = k * msc + (k * n - k - n) * mse
    low = n * (msr - below * mse) / (below * rest + n * msr)
    high = n * (above * msr - mse) / (rest + n * above * msr)
    return max(-1.0, low), min(1.0, high)
