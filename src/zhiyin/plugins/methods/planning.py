"""Number of items that a comparison needs, and what a given number of items can find.

All scores are in [0, 1]: a difference of 3 points is 0.03.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from zhiyin.errors import InputError
from zhiyin.statistics.intervals import wilson
from zhiyin.statistics.paired import minimum_detectable
from zhiyin.statistics.planning import mcnemar_detectable
from zhiyin.words import said

_EXACT = 400
"""The same for a plan, which is made once: that of 60 pairs that all differ misses 3 points."""

_ROUNDS, _NEAR = 60, 1e-10


MOST = 10**15
"""Items that are planned with at most; beyond that, something else was meant."""


class ComparisonPlan(msgspec.Struct, frozen=True):
    """A paired comparison of two models on `n` items.

    Attributes
    ----------
    n : int
        Items.
    detectable : float
        Smallest true difference found with this power; inf (null in JSON) where none is.
    se : float
        Standard error of the difference.
    variance : float
        Variance of one item's measured difference, the design effect left out.
    design_effect : float
        By how much clusters inflate the variance; 1 for independent items.
    power, alpha : float
    """

    n: int
    detectable: float
    se: float
    variance: float
    design_effect: float
    power: float
    alpha: float


def items_needed(
    difference: float,
    between: float,
    *,
    noise_a: float = 0.0,
    noise_b: float = 0.0,
    repeats_a: int = 1,
    repeats_b: int = 1,
    design_effect: float = 1.0,
    power: float = 0.8,
    alpha: float = 0.05,
) -> ComparisonPlan:
    """Items for a wanted difference: n = (z_{a/2} + z_b)² (w² + s_A²/K_A + s_B²/K_B) D / d².

    Parameters
    ----------
    difference : float
        Smallest difference worth finding, d > 0.
    between : float
        w², variance over items of the difference of the two expected scores; see
        `paired_variance`.
    noise_a, noise_b : float
        s², mean variance of a model's score within an item (0 at temperature 0).
    repeats_a, repeats_b : int
        K, how often each item is asked of each.
    design_effect : float
        D; see `design_effect`.
    power, alpha : float
        In (0, 1).

    Returns
    -------
    ComparisonPlan
        The least whole n, and what it really detects.

    Raises
    ------
    InputError
        On values outside their range.

    References
    ----------
    Miller (2024), arXiv 2411.00640, section 5; D: Kish (1965), Survey Sampling.
    """
    if not difference > 0:
        raise InputError(said("plan-least", difference=difference))
    variance = _variance(between, noise_a, noise_b, repeats_a, repeats_b, design_effect)
    one = minimum_detectable(math.sqrt(variance * design_effect), power, alpha)
    if not one / difference < math.sqrt(MOST):
        most = float(MOST)
        raise InputError(said("plan-inflated", by=difference, effect=design_effect, most=most))
    n = max(1, math.ceil((one / difference) ** 2 * (1 - 1e-12)))  # rounding is no further item
    return _plan(n, variance, design_effect, power, alpha)


def detectable_difference(
    n: int,
    between: float,
    *,
    noise_a: float = 0.0,
    noise_b: float = 0.0,
    repeats_a: int = 1,
    repeats_b: int = 1,
    design_effect: float = 1.0,
    power: float = 0.8,
    alpha: float = 0.05,
) -> ComparisonPlan:
    """The smallest difference that `n` items find: `items_needed` the other way round.

    Parameters
    ----------
    n : int
        Items, at least 1.
    between, noise_a, noise_b, repeats_a, repeats_b, design_effect, power, alpha
        As in `items_needed`.

    Returns
    -------
    ComparisonPlan

    Raises
    ------
    InputError
        On values outside their range.
    """
    if not 1 <= n <= MOST:
        raise InputError(said("plan-so-many", n=f"{n}", most=f"{MOST:.0e}"))
    variance = _variance(between, noise_a, noise_b, repeats_a, repeats_b, design_effect)
    return _plan(n, variance, design_effect, power, alpha)


def by_its_test(
    plan: ComparisonPlan,
    difference: float | None = None,
    *,
    cluster_size: float = 1.0,
    discordant: float | None = None,
) -> ComparisonPlan:
    """A plan by the tests that will be made: the formula promises too much where items are few.

    McNemar's exact test of n / D pairs takes the place of the normal approximation, and there are
    clusters enough for a p below alpha.

    Parameters
    ----------
    plan : ComparisonPlan
    difference : float, optional
        The one that is wanted: items are added until it is found. None keeps the items.
    cluster_size : float
        Mean number of items in a cluster.
    discordant : float, optional
        Share of the items that only one of the two has right, where scores are right or wrong and
        asked once, so that McNemar's test applies: the variance and the difference squared.

    Raises
    ------
    InputError
        Where more than `MOST` items are needed.
    """

    def finds(n: int) -> float:
        if 2.0 ** (1 - n // cluster_size) >= plan.alpha:
            return math.inf
        if discordant is None:
            return _plan(n, plan.variance, plan.design_effect, plan.power, plan.alpha).detectable
        pairs = max(1, int(n / plan.design_effect))
        return mcnemar_detectable(pairs, min(1.0, discordant), plan.power, plan.alpha, _EXACT)

    low, high = plan.n - 1, plan.n
    if difference is not None:
        wanted = difference * (1 + 1e-9)
        while finds(high) > wanted:
            if high > MOST:
                raise InputError(said("plan-too-small", difference=difference, most=float(MOST)))
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if finds(middle) > wanted else (low, middle)
    se = math.sqrt(plan.design_effect * plan.variance / high)
    return msgspec.structs.replace(plan, n=high, detectable=finds(high), se=se)


def smallest_found(plan_at: Callable[[float], ComparisonPlan]) -> ComparisonPlan:
    """The plan that finds the very difference at which its variance was taken.

    Parameters
    ----------
    plan_at : callable
        From a difference to a plan with the variance that pairs so far apart have; it raises
        `InputError` where two cannot be so far apart.
    """
    plan, apart = plan_at(0.0), 0.0
    for _ in range(_ROUNDS):
        if not abs(plan.detectable - apart) > _NEAR:
            break
        apart = plan.detectable
        try:
            plan = plan_at(apart)
        except InputError:
            return msgspec.structs.replace(plan, detectable=math.inf)
    return plan


def paired_variance(p_a: float, p_b: float, correlation: float) -> float:
    """Variance of the difference of two right-or-wrong scores of one item.

    p_a (1 - p_a) + p_b (1 - p_b) - 2 r sqrt(p_a (1 - p_a) p_b (1 - p_b)).

    Parameters
    ----------
    p_a, p_b : float
        Accuracies expected, in [0, 1].
    correlation : float
        r of the two scores over items, in [-1, 1]: above 0 where both find the same items hard.

    Raises
    ------
    InputError
        On values outside their range.
    """
    for name, p in (("first", p_a), ("second", p_b)):
        if not 0 <= p <= 1:
            raise InputError(f"the {name} accuracy, {p:g}, lies outside [0, 1]")
    if not -1 <= correlation <= 1:
        raise InputError(said("planning-correlation", value=f"{correlation:g}", low="-1"))
    a, b = p_a * (1 - p_a), p_b * (1 - p_b)
    return a + b - 2 * correlation * math.sqrt(a * b)


class PairApart(NamedTuple):
    """Two models some way apart on right-or-wrong items.

    Attributes
    ----------
    variance : float
        Of their difference on one item.
    discordant : float
        Share of the items that only one of the two has right.
    correlation : float
        Of the two scores over items.
    """

    variance: float
    discordant: float
    correlation: float


def pair_apart(accuracy: float, difference: float, correlation: float) -> PairApart:
    """Answers of two models whose accuracies lie `difference` apart, `accuracy` being their mean.

    Of the shares p_a and p_b, p_a (1 - p_b) + p_b (1 - p_a) - 2 r sqrt(p_a (1 - p_a) p_b (1 - p_b))
    is discordant, which is the variance and the square of the difference (Miettinen 1968,
    Biometrics 24, 339-352). Both are right on at most min(p_a, p_b) of the items, and on at least
    p_a + p_b - 1 (Frechet 1951, Ann. Univ. Lyon A 14, 53-77): a correlation beyond the one that
    this leaves is taken to be that one.

    Raises
    ------
    InputError
        On values outside their range; where one of the two would be below 0 or above 1.
    """
    paired_variance(accuracy, accuracy, correlation)  # refuses what is outside its range
    p_a, p_b = accuracy + difference / 2, accuracy - difference / 2
    if p_a > 1 + 1e-12 or p_b < -1e-12:
        each = {"difference": difference, "mean": accuracy, "one": p_a, "other": p_b}
        points = {name: 100 * value for name, value in each.items()}
        raise InputError(said("plan-beyond-range", **points))
    p_a, p_b = min(p_a, 1.0), max(p_b, 0.0)
    both, spread = p_a * p_b, math.sqrt(p_a * (1 - p_a) * p_b * (1 - p_b))
    if spread > 0:
        least, most = (max(0.0, p_a + p_b - 1) - both) / spread, (p_b - both) / spread
        correlation = max(-1.0, min(max(correlation, least), most, 1.0))
    variance = paired_variance(p_a, p_b, correlation)
    return PairApart(variance, variance + difference**2, correlation)


def design_effect(cluster_size: float, correlation: float, variation: float = 0.0) -> float:
    """Factor by which clusters inflate a variance: 1 + ((1 + cv²) m - 1) r.

    Parameters
    ----------
    cluster_size : float
        m, mean number of items in a cluster, at least 1.
    correlation : float
        r, intra-cluster correlation of what is averaged, in [0, 1]. For a comparison it is that
        of the differences, which is smaller than that of the scores.
    variation : float
        cv, standard deviation over mean of the cluster sizes.

    Raises
    ------
    InputError
        On values outside their range.

    References
    ----------
    Kish (1965), Survey Sampling; unequal sizes: Eldridge, Ashby and Kerry (2006),
    International Journal of Epidemiology 35: 1292-1300.
    """
    if not (1 <= cluster_size <= MOST and 0 <= variation <= MOST):
        raise InputError(f"clusters of {cluster_size:g} ± {variation:g}: at least 1 item, and 0")
    if not 0 <= correlation <= 1:
        raise InputError(said("planning-correlation", value=f"{correlation:g}", low="0"))
    return 1 + ((1 + variation**2) * cluster_size - 1) * correlation


def margin(n: int, p: float, design_effect: float = 1.0, level: float = 0.95) -> float:
    """Half the width of Wilson's interval that `n` items will give, worth n / D independent ones.

    Parameters
    ----------
    n : int
        Items, at least 1.
    p : float
        Accuracy expected, in [0, 1]; 0.5 is the worst case.
    design_effect : float
    level : float
        Confidence, in (0, 1).

    Raises
    ------
    InputError
        On values outside their range.
    """
    if n < 1 or not 0 <= p <= 1 or design_effect <= 0:
        raise InputError(said("planning-items", n=n, p=f"{p:g}"))
    interval = wilson(p * n / design_effect, n / design_effect, level)
    return (interval.high - interval.low) / 2


def _variance(
    between: float, noise_a: float, noise_b: float, repeats_a: int, repeats_b: int, inflated: float
) -> float:
    if min(between, noise_a, noise_b) < 0:
        raise InputError(said("planning-variance"))
    if min(repeats_a, repeats_b) < 1:
        raise InputError(said("planning-repeats", n=min(repeats_a, repeats_b)))
    if max(repeats_a, repeats_b) > MOST:
        raise InputError(f"more than {MOST:.0e} repeats: nobody can ask so often")
    if not 0 < inflated < math.inf:
        raise InputError(said("planning-effect", value=f"{inflated:g}"))
    variance = between + noise_a / repeats_a + noise_b / repeats_b
    if not variance > 0:
        raise InputError(said("plan-no-variance"))
    return variance


def _plan(n: int, variance: float, inflated: float, power: float, alpha: float) -> ComparisonPlan:
    se = math.sqrt(inflated * variance / n)
    return ComparisonPlan(
        n, minimum_detectable(se, power, alpha), se, variance, inflated, power, alpha
    )
