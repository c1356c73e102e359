"""Trust in the reading of replies: marked replies, and audits of runs.

The commands are ``zhiyin reading`` and ``zhiyin audit``; `docs/how-to/audit.md` is their page. As a
benchmark ("audit") it is a judge model that marks the replies of a run's draw.

Rates from a stratified audit, and accuracy corrected by it.

Some of N units are drawn by simple random sampling within strata and looked at. What is found is
a property of these N units: the draw alone makes the intervals of `stratified_rate`, so that
units which hang together (questions on one recording) need no care there. They do need it where
`corrected_accuracy` speaks of other items of the kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from zhiyin.errors import InputError
from zhiyin.statistics.intervals import wilson

_MANY = 20
"""Hits and misses, counted in effective n, from which on Wilson's interval serves."""


class Stratum(msgspec.Struct, frozen=True):
    """Result of one stratum.

    Attributes
    ----------
    size : int
        Units in it.
    sampled : int
        Units looked at, drawn at random: 1 to `size`.
    more, less : int
        Units seen that the correction makes right, and that it makes wrong. For a rate, `more`
        are the hits and `less` is 0.
    """

    size: int
    sampled: int
    more: int
    less: int = 0


class Rate(msgspec.Struct, frozen=True):
    """A share of all units, in [0, 1], with its interval.

    `method` is "exact" (Clopper and Pearson), "gamma" (Fay and Feuer), "wilson (effective n)"
    or "census", where every unit was seen.
    """

    rate: float
    low: float
    high: float
    method: str


class Corrected(msgspec.Struct, frozen=True):
    """An accuracy corrected by an audit.

    Attributes
    ----------
    accuracy, low, high : float
        In [0, 1]; the interval holds for other items of the kind.
    as_read : float
        Without correction.
    """

    accuracy: float
    low: float
    high: float
    as_read: float


def clopper_pearson(k: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The exact interval of a proportion (Clopper and Pearson 1934, Biometrika 26: 404-413).

    Parameters
    ----------
    k, n : int
        0 <= k <= n, n > 0.
    level : float
        In (0, 1).
    """
    if not 0 <= k <= n or n < 1:
        raise InputError(f"{k} of {n} is no proportion: give 0 <= k <= n and n > 0")
    from scipy import special

    tail = (1 - level) / 2
    low = 0.0 if k == 0 else float(special.betaincinv(k, n - k + 1, tail))
    high = 1.0 if k == n else float(special.betaincinv(k + 1, n - k, 1 - tail))
    return low, high


def stratified_rate(strata: Sequence[Stratum], level: float = 0.95) -> Rate:
    """The share of all units that are hits, from a stratified sample.

    Parameters
    ----------
    strata : sequence of Stratum
        All strata that hold units.
    level : float
        Confidence, in (0, 1).

    Returns
    -------
    Rate
        rate = sum_h W_h x_h / n_h with W_h = N_h / N. Strata that were seen whole are known, and
        only the others make the interval:

        exact
            Where these are one stratum, or all of one weight w = W_h / n_h: Clopper and
            Pearson's interval of the pooled counts. It holds for pooled strata, too, since a sum
            of unlike Bernoulli draws varies no more than a binomial of the same mean (Hoeffding
            1956).
        gamma
            For rare hits under unlike weights, each hit counts w_h: Fay and Feuer's interval,
            low = v / (2 y) chi²_{2 y² / v}(a / 2) and high = (v + w²) / (2 (y + w))
            chi²_{2 (y + w)² / (v + w²)}(1 - a / 2), with y = sum w_h x_h, v = sum w_h² x_h, w
            the greatest weight. It takes counts as Poisson's, which vary more than binomial
            ones: it errs towards width. Where hits are most units, it is that of the others.
        wilson (effective n)
            From 20 effective hits and others on, with n = p (1 - p) / V and V the stratified
            variance sum W_h² (1 - n_h / N_h) s_h² / n_h.

    Raises
    ------
    InputError
        On no strata, or counts outside their ranges.

    References
    ----------
    Fay and Feuer (1997), Statistics in Medicine 16: 791-801; Hoeffding (1956), Annals of
    Mathematical Statistics 27: 713-721; Korn and Graubard (1998), Survey Methodology 24: 193-201
    (effective n); Cochran (1977), Sampling Techniques, chapter 5.
    """
    _check(strata)
    total = sum(h.size for h in strata)
    rate = sum(h.size / total * h.more / h.sampled for h in strata)
    known = sum(h.more for h in strata if h.sampled == h.size) / total
    drawn = [h for h in strata if h.sampled < h.size]
    if not drawn:
        return Rate(rate, rate, rate, "census")
    share = sum(h.size for h in drawn) / total
    inner = _drawn_rate(drawn, level)
    low, high = known + share * inner.low, known + share * inner.high
    return Rate(rate, min(rate, low), min(1.0, max(rate, high)), inner.method)


def _drawn_rate(strata: Sequence[Stratum], level: float) -> Rate:
    """The rate over strata none of which was seen whole."""
    total = sum(h.size for h in strata)
    weights = [h.size / total / h.sampled for h in strata]
    hits, sampled = sum(h.more for h in strata), sum(h.sampled for h in strata)
    rate = sum(w * h.more for w, h in zip(weights, strata, strict=True))
    if max(weights) <= min(weights) * (1 + 1e-9):
        return Rate(rate, *clopper_pearson(hits, sampled, level), "exact")
    variance = sum(w * w * _spread(h, h.more) for w, h in zip(weights, strata, strict=True))
    if variance > 0:
        effective = rate * (1 - rate) / variance
        if effective * min(rate, 1 - rate) >= _MANY and min(hits, sampled - hits) >= _MANY:
            effective_interval = wilson(rate * effective, effective, level)
            return Rate(
                rate, effective_interval.low, effective_interval.high, "wilson (effective n)"
            )
    if rate > 0.5:
        others = [h.sampled - h.more for h in strata]
        low, high = _gamma(others, weights, level)
        return Rate(rate, max(0.0, 1 - high), 1 - low, "gamma")
    low, high = _gamma([h.more for h in strata], weights, level)
    return Rate(rate, low, min(1.0, high), "gamma")


def _gamma(hits: Sequence[int], weights: Sequence[float], level: float) -> tuple[float, float]:
    y = sum(w * x for w, x in zip(weights, hits, strict=True))
    v = sum(w * w * x for w, x in zip(weights, hits, strict=True))
    tail, greatest = (1 - level) / 2, max(weights)
    low = v / (2 * y) * _chi2(tail, 2 * y * y / v) if y > 0 else 0.0
    y, v = y + greatest, v + greatest**2
    return low, v / (2 * y) * _chi2(1 - tail, 2 * y * y / v)


def _chi2(p: float, df: float) -> float:
    """The quantile of chi-square."""
    from scipy import special

    return float(2 * special.gammaincinv(df / 2, p))


def _spread(h: Stratum, hits: int) -> float:
    """n_h (1 - n_h / N_h) s_h²: what a stratum's hits add to the variance of their sum."""
    if h.sampled < 2:
        return 0.25 * (1 - h.sampled / h.size)  # one draw shows nothing of its spread: the most
    return (1 - h.sampled / h.size) * hits * (h.sampled - hits) / (h.sampled - 1)


def corrected_accuracy(
    as_read: float, strata: Sequence[Stratum], *, effective: float, level: float = 0.95
) -> Corrected:
    """Accuracy as people would read the replies, from a reader's verdicts and an audit of some.

    Parameters
    ----------
    as_read : float
        Share of right answers among all N units by the reader, f.
    strata : sequence of Stratum
        `more` counts units seen that people call right and the reader does not (y - f = 1),
        `less` those the other way round (y - f = -1).
    effective : float
        How many independent units the N are worth: N, or fewer where they come in clusters.
    level : float
        Confidence, in (0, 1).

    Returns
    -------
    Corrected
        accuracy = mean_N(f) + sum_h W_h mean_h(y - f): prediction-powered inference, stratified,
        with the reader's weight 1. Its variance is that of N items drawn from all of their kind,
        y (1 - y) / `effective`, and that of the audit, sum W_h² (1 - n_h / N_h) s_h² / n_h. The
        first makes Wilson's interval. The second would be 0 where nothing was found, so the
        shares of both kinds of misreading have the intervals of `stratified_rate`, and their
        difference b - c is bounded by recovered variances: low = b - c - sqrt((b - l_b)² +
        (u_c - c)² - 2 r (b - l_b)(u_c - c)), high in the same way, r the correlation of the two
        estimates. Distances of both parts are added as squares.

    Raises
    ------
    InputError
        On no strata, counts outside their ranges, or a share that is none.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), "Prediction-powered inference",
    Science 382: 669-674; Fisch et al. (2024), "Stratified prediction-powered inference",
    arXiv 2406.04291, which the estimator is; Särndal, Swensson and Wretman (1992), Model Assisted
    Survey Sampling, chapter 9 (two phases, the audited units being some of the N); Zou and Donner
    (2008), Statistics in Medicine 27: 1693-1702, and Newcombe (1998), ibid. 17: 2635-2650, method
    10 (recovered variances, with correlation).
    """
    if not (0 <= as_read <= 1 and effective > 0):
        raise InputError(f"accuracy {as_read:g} of {effective:g} units is none: give 0 to 1 of > 0")
    gained = stratified_rate(strata, level)
    turned = [Stratum(h.size, h.sampled, h.less, h.more) for h in strata]
    lost = stratified_rate(turned, level)
    mean = min(1.0, max(0.0, as_read + gained.rate - lost.rate))
    r = _correlation(strata)
    down = _distance(gained.rate - gained.low, lost.high - lost.rate, r)
    up = _distance(gained.high - gained.rate, lost.rate - lost.low, r)
    items = wilson(mean * effective, effective, level)
    low = mean - math.hypot(mean - items.low, down)
    high = mean + math.hypot(items.high - mean, up)
    return Corrected(mean, max(0.0, low), min(1.0, high), as_read)


def _distance(one: float, other: float, r: float) -> float:
    return math.sqrt(max(0.0, one * one + other * other - 2 * r * one * other))


def _correlation(strata: Sequence[Stratum]) -> float:
    """Correlate the two shares' estimates, in [-1, 0]: a unit cannot be misread in both ways."""
    covariance = more = less = 0.0
    for h in strata:
        weight = (h.size / h.sampled) ** 2
        if h.sampled > 1:
            covariance -= weight * (1 - h.sampled / h.size) * h.more * h.less / (h.sampled - 1)
            more += weight * _spread(h, h.more)
            less += weight * _spread(h, h.less)
    return covariance / math.sqrt(more * less) if more * less > 0 else 0.0


def allocate(sizes: Sequence[int], spreads: Sequence[float], n: int, least: int = 2) -> list[int]:
    """Return how many units to draw from each stratum: Neyman's n_h proportional to N_h S_h.

    Units are given out one by one to the stratum with the greatest N_h S_h / (2 n_h + 1) (the
    divisors of Webster and Sainte-Laguë), after `least` to each: a greater `n` takes from none.

    Parameters
    ----------
    sizes : sequence of int
        N_h, at least 1.
    spreads : sequence of float
        S_h > 0, the standard deviation expected; equal ones make a proportional draw.
    n : int
        In all; `least` comes first where it is more, and no stratum gives more than it holds.

    References
    ----------
    Neyman (1934), Journal of the Royal Statistical Society 97: 558-625.
    """
    if len(sizes) != len(spreads) or any(size < 1 for size in sizes):
        raise InputError(f"{len(sizes)} sizes for {len(spreads)} spreads: each stratum needs both")
    drawn = [min(size, least) for size in sizes]
    claims = np.array([size * spread for size, spread in zip(sizes, spreads, strict=True)])
    while sum(drawn) < min(n, sum(sizes)):
        taken = np.array(drawn)
        quotients = np.where(taken < np.array(sizes), claims / (2 * taken + 1), -1.0)
        drawn[int(np.argmax(quotients))] += 1
    return drawn


def _check(strata: Sequence[Stratum]) -> None:
    if not strata:
        raise InputError("no strata: nothing was looked at")
    for h in strata:
        fits = (
            1 <= h.sampled <= h.size
            and h.more >= 0
            and h.less >= 0
            and h.more + h.less <= h.sampled
        )
        if not fits:
            raise InputError(
                f"{h.more} and {h.less} of {h.sampled} seen of {h.size}: give 1 <= seen <= size "
                "and no more found than seen"
            )
