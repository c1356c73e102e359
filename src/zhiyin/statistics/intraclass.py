"""The intraclass correlation: how much of the spread of grades is the texts' own."""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from zhiyin.errors import InputError
from zhiyin.statistics.intervals import normal_quantile


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
    try:
        table = np.asarray(ratings, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"ratings are numbers, or NaN for missing ones: {error}") from None
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
