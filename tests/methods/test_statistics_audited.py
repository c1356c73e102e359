"""Rates from stratified samples and accuracy corrected by them: known values, and coverage."""

import math

import numpy as np
import pytest
from scipy import stats

from zhiyin.errors import InputError
from zhiyin.plugins.methods import audit
from zhiyin.plugins.methods.audit import (
    Stratum,
    allocate,
    clopper_pearson,
    corrected_accuracy,
    stratified_rate,
)
from zhiyin.statistics.intervals import wilson


def published(successes, n, method):
    """The interval of statsmodels, which takes a second to import."""
    from statsmodels.stats.proportion import proportion_confint

    return proportion_confint(successes, n, method=method)


def test_none_of_a_hundred():
    found = stratified_rate([Stratum(5000, 100, 0)])
    assert (found.rate, found.low, found.method) == (0, 0, "exact")
    assert found.high == pytest.approx(0.0362, abs=5e-5)


@pytest.mark.parametrize(("k", "n"), [(0, 7), (1, 20), (3, 100), (50, 60), (9, 9)])
def test_the_exact_interval_is_the_published_one(k, n):
    assert clopper_pearson(k, n) == pytest.approx(published(k, n, method="beta"))


def test_strata_of_one_weight_are_pooled():
    found = stratified_rate([Stratum(900, 90, 2), Stratum(100, 10, 1)])
    assert (found.rate, found.method) == (pytest.approx(0.03), "exact")
    assert (found.low, found.high) == pytest.approx(clopper_pearson(3, 100))


def test_unlike_weights_have_the_gamma_interval():
    """Fay and Feuer's formulas, written out once more from the paper with scipy's chi-square."""
    found = stratified_rate([Stratum(1800, 80, 1), Stratum(200, 20, 5)])
    w1, w2 = 0.9 / 80, 0.1 / 20
    y, v = w1 + 5 * w2, w1**2 + 5 * w2**2
    low = v / (2 * y) * stats.chi2.ppf(0.025, 2 * y**2 / v)
    y, v = y + w1, v + w1**2
    high = v / (2 * y) * stats.chi2.ppf(0.975, 2 * y**2 / v)
    assert found.method == "gamma"
    assert (found.rate, found.low, found.high) == pytest.approx((w1 + 5 * w2, low, high))


def test_what_was_seen_whole_is_known():
    assert stratified_rate([Stratum(10, 10, 3)]).high == 0.3
    part = stratified_rate([Stratum(900, 90, 0), Stratum(100, 100, 40)])
    assert (part.rate, part.low) == (pytest.approx(0.04), pytest.approx(0.04))
    assert part.high == pytest.approx(0.04 + 0.9 * clopper_pearson(0, 90)[1])


def test_an_unseen_common_kind_says_little():
    """Nothing found where little was looked at is no proof: not 0 to 3.6 %."""
    found = stratified_rate([Stratum(1800, 10, 0), Stratum(200, 90, 0)])
    assert found.high > 0.9 * clopper_pearson(0, 10)[1]


def test_nothing_found_leaves_the_accuracy_as_wide_as_the_audit():
    strata = [Stratum(2000, 100, 0)]
    found = corrected_accuracy(0.6, strata, effective=2000)
    assert found.accuracy == 0.6
    assert found.high - 0.6 > clopper_pearson(0, 100)[1]
    census = corrected_accuracy(0.6, [Stratum(2000, 2000, 0)], effective=2000)
    low, high = published(1200, 2000, method="wilson")
    assert (census.low, census.high) == pytest.approx((low, high), abs=1e-6)


def test_a_reader_that_reads_nothing_right_is_corrected():
    """Always right, and read as right in 2 % of the replies."""
    found = corrected_accuracy(0.02, [Stratum(600, 50, 49)], effective=600)
    assert found.accuracy == 1.0
    assert found.low > 0.85


def simulate(sizes, seen, flips, right, runs, cluster=1, seed=0):
    """How often the intervals of rate and accuracy hold, over `runs` drawn worlds.

    Items come from an endless supply, in clusters of `cluster` that are right or wrong together;
    `flips` are the chances that a reply which is wrong (right) by the reader is misread.
    """
    rng, total = np.random.default_rng(seed), sum(sizes)
    held_rate = held_accuracy = 0
    shares = np.array(sizes) / total
    truth = sum(
        s * ((1 - r) * up + r * (1 - down))
        for s, r, (up, down) in zip(shares, right, flips, strict=True)
    )
    for _ in range(runs):
        kinds = np.repeat(rng.choice(len(sizes), total // cluster, p=shares), cluster)
        read = np.repeat(rng.random(total // cluster), cluster) < np.array(right)[kinds]
        chance = rng.random(len(kinds))
        ups = ~read & (chance < np.array([f[0] for f in flips])[kinds])
        downs = read & (chance < np.array([f[1] for f in flips])[kinds])
        strata = []
        for kind, wanted in enumerate(seen):
            own = np.flatnonzero(kinds == kind)
            if len(own):
                drawn = rng.choice(own, min(wanted, len(own)), replace=False)
                strata.append(
                    Stratum(len(own), len(drawn), int(ups[drawn].sum()), int(downs[drawn].sum()))
                )
        rate = stratified_rate([Stratum(h.size, h.sampled, h.more + h.less) for h in strata])
        missed = float((ups | downs).mean())
        held_rate += rate.low - 1e-12 <= missed <= rate.high + 1e-12
        sums = read.reshape(-1, cluster).sum(1)
        spread = sums.var(ddof=1) * len(sums) / len(read) ** 2
        mean = float(read.mean())
        effective = len(read) if cluster == 1 else min(len(read), mean * (1 - mean) / spread)
        found = corrected_accuracy(mean, strata, effective=effective)
        held_accuracy += found.low <= truth <= found.high
    return held_rate / runs, held_accuracy / runs


WORLDS = {
    "nothing misread": ([2000], [100], [(0, 0)], [0.6], 1),
    "rarely": ([2000], [100], [(0.02, 0.02)], [0.6], 1),
    "one way only": ([1900, 100], [90, 10], [(0.05, 0), (0.2, 0)], [0.3, 0.0], 1),
    "four kinds": (
        [1800, 100, 60, 40], [70, 12, 9, 9],
        [(0.01, 0.01), (0.1, 0.1), (0.3, 0.3), (0.2, 0.2)], [0.6, 0.5, 0.4, 0.0], 1,
    ),
    "the common kind hardly seen": ([1900, 100], [20, 80], [(0.05, 0.05), (0, 0)], [0.6, 0.4], 1),
    "an explainer": ([1500, 500], [70, 30], [(0.95, 0.5), (0.9, 0.5)], [0.05, 0.0], 1),
    "half misread": ([1500, 500], [70, 30], [(0.5, 0.5), (0.5, 0.5)], [0.5, 0.5], 1),
    "all misread": ([1500, 500], [70, 30], [(0.98, 0.98), (0.99, 0.99)], [0.5, 0.5], 1),
    "a small run": ([100, 30, 10], [60, 20, 10], [(0.05, 0.05), (0.2, 0.2), (0.3, 0.3)],
                    [0.6, 0.5, 0.5], 1),
    "clusters of ten": ([1500, 500], [80, 20], [(0.02, 0.02), (0.2, 0.1)], [0.6, 0.4], 10),
    "many marks": ([5000, 1000], [400, 100], [(0.05, 0.03), (0.2, 0.1)], [0.6, 0.5], 1),
}  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_intervals_hold_as_often_as_they_say(world):
    """95 % at least, less three standard errors of 800 draws (2.3 points)."""
    *drawn, cluster = WORLDS[world]
    rate, accuracy = simulate(*drawn, runs=800, cluster=cluster)
    assert rate > 0.927
    assert accuracy > 0.927


def test_the_interval_without_correction_does_not_hold():
    """What the audit is for: the reader's own interval misses the truth."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(300):
        read = rng.random(2000) < 0.5
        low, high = published(int(read.sum()), 2000, method="wilson")
        held += low <= 0.5 * 0.95 + 0.5 * 0.3 <= high
    assert held == 0


def test_allocation():
    assert allocate([900, 100], [1, 1], 100) == [90, 10]
    assert allocate([900, 100], [1, 3], 100) == [75, 25]
    assert allocate([900, 3], [1, 1], 100, 5) == [97, 3]
    assert allocate([5, 5], [1, 2], 100) == [5, 5]
    for n in range(4, 60):
        smaller, greater = (allocate([40, 20, 7], [0.3, 0.1, 0.2], m) for m in (n, n + 1))
        assert all(a <= b for a, b in zip(smaller, greater, strict=True))
        assert sum(smaller) == max(n, 6)


@pytest.mark.parametrize(
    "strata",
    [[], [Stratum(10, 0, 0)], [Stratum(10, 11, 0)], [Stratum(10, 5, 6)], [Stratum(10, 5, 3, 3)]],
)
def test_impossible_counts_are_refused(strata):
    with pytest.raises(InputError):
        stratified_rate(strata)
    with pytest.raises(InputError):
        corrected_accuracy(0.5, strata, effective=10)


# --- samples of an audit -----------------------------------------------------------------------
def spread(size, seen, hits):
    """n (1 - n / N) s², as textbooks have it; for one draw s² is 1/4."""
    s2 = np.var([1] * hits + [0] * (seen - hits), ddof=1) if seen > 1 else 0.25
    return seen * (1 - seen / size) * s2


@pytest.mark.parametrize(
    "case", [(10, 1, 0), (10, 1, 1), (10, 2, 1), (10, 2, 2), (90, 30, 7), (9, 9, 4)]
)
def test_what_a_stratum_adds_to_the_variance(case):
    assert audit._spread(Stratum(*case), case[2]) == pytest.approx(spread(*case))


@pytest.mark.parametrize("seen", [1, 2, 3])
def test_many_hits_have_wilsons_interval_with_the_stratified_variance(seen):
    strata = [(2000, 200, 90), (900, 150, 30), (40, seen, 1)]
    total = sum(size for size, *_ in strata)
    p = sum(size / total * hits / n for size, n, hits in strata)
    variance = sum((size / total / n) ** 2 * spread(size, n, hits) for size, n, hits in strata)
    n = p * (1 - p) / variance
    z = stats.norm.ppf(0.975)
    middle, half = p + z**2 / (2 * n), z * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    found = stratified_rate([Stratum(*each) for each in strata])
    assert found.method == "wilson (effective n)"
    assert found.rate == pytest.approx(p)
    ends = (middle - half) / (1 + z**2 / n), (middle + half) / (1 + z**2 / n)
    assert (found.low, found.high) == pytest.approx(ends)


@pytest.mark.parametrize("hits", [19, 20, 21, 22, 40, 178, 179, 180, 181])
def test_twenty_hits_and_others_are_many(hits):
    """Twenty of each as they were counted, and in effective n."""
    cases = [(100_000, 100, hits // 2), (90_000, 100, hits - hits // 2)]
    variance = sum((n / 190_000 / 100) ** 2 * spread(n, 100, x) for n, _, x in cases)
    p = sum(n / 190_000 * x / 100 for n, _, x in cases)
    many = p * (1 - p) / variance * min(p, 1 - p) >= 20 and 20 <= hits <= 180
    found = stratified_rate([Stratum(*case) for case in cases])
    assert found.method == ("wilson (effective n)" if many else "gamma")


def test_half_of_all_are_counted_as_hits():
    """At a rate of exactly one half the interval is that of the hits, not of the others."""
    strata = [Stratum(30, 2, 1), Stratum(10, 4, 2)]
    found = stratified_rate(strata)
    w = 30 / 40 / 2, 10 / 40 / 4
    y, v = w[0] + 2 * w[1], w[0] ** 2 + 2 * w[1] ** 2
    low = v / (2 * y) * stats.chi2.ppf(0.025, 2 * y * y / v)
    y, v = y + max(w), v + max(w) ** 2
    high = v / (2 * y) * stats.chi2.ppf(0.975, 2 * y * y / v)
    assert (found.rate, found.method) == (0.5, "gamma")
    assert (found.low, found.high) == pytest.approx((low, min(1, high)))


def test_misreadings_of_both_kinds_lower_each_other():
    """The correlation of the two shares: that of a multinomial within each stratum."""
    strata = [Stratum(500, 50, 6, 9), Stratum(60, 20, 3, 2), Stratum(9, 9, 1, 1)]
    covariance = more = less = 0.0
    for h in strata[:2]:
        units = np.array(
            [[1, 0]] * h.more + [[0, 1]] * h.less + [[0, 0]] * (h.sampled - h.more - h.less)
        )
        cov = np.cov(units.T, ddof=1) * (1 - h.sampled / h.size) / h.sampled * (h.size / 569) ** 2
        more, less, covariance = more + cov[0, 0], less + cov[1, 1], covariance + cov[0, 1]
    assert audit._correlation(strata) == pytest.approx(covariance / math.sqrt(more * less))
    assert audit._correlation([Stratum(9, 9, 1, 1)]) == 0
    assert audit._correlation([Stratum(9, 3, 1, 0)]) == 0


@pytest.mark.parametrize("accuracy", [0.0, 1.0])
def test_an_accuracy_of_nothing_or_all_may_be_corrected(accuracy):
    found = corrected_accuracy(accuracy, [Stratum(50, 50, 0)], effective=50)
    wanted = wilson(accuracy * 50, 50)
    assert (found.accuracy, found.low, found.high) == pytest.approx(
        (accuracy, wanted.low, wanted.high)
    )
    for wrong in (-0.1, 1.1):
        with pytest.raises(InputError):
            corrected_accuracy(wrong, [Stratum(50, 50, 0)], effective=50)
    with pytest.raises(InputError):
        corrected_accuracy(0.5, [Stratum(50, 50, 0)], effective=0)


def test_votes_are_shared_out_by_odd_divisors():
    """Webster's and d'Hondt's methods differ on these: 3, 2, 2 seats against 4, 2, 1."""
    assert allocate([53, 24, 23], [1, 1, 1], 7, 0) == [3, 2, 2]
    assert allocate([53, 24, 1], [1, 1, 1], 6) == [3, 2, 1]
    assert allocate([3, 3], [1, 5], 99) == [3, 3]


def test_what_a_stratum_adds_to_the_variance_in_figures():
    assert audit._spread(Stratum(100, 50, 10), 10) == pytest.approx(0.5 * 10 * 40 / 49)
    assert audit._spread(Stratum(100, 1, 1), 1) == pytest.approx(0.25 * 0.99)
    assert audit._spread(Stratum(40, 2, 1), 1) == pytest.approx(0.95 * 1 * 1 / 1)
    assert audit._spread(Stratum(40, 40, 9), 9) == 0
