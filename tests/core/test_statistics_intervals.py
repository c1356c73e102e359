"""Intervals against independent arithmetic, and their coverage in simulation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from zhiyin.errors import InputError
from zhiyin.statistics.intervals import (
    averaged_within,
    degrees_of_freedom,
    interval,
    interval_from_sums,
    share_interval,
    standard_error,
    wilson,
)

pytestmark = pytest.mark.slow

RNG = np.random.default_rng(20240601)


@pytest.fixture(autouse=True)
def _same_numbers_in_any_order():
    RNG.bit_generator.state = np.random.default_rng(20240601).bit_generator.state


CHANCES = np.arange(1, 10) / 10


def brute(scores, clusters):
    """CR2 and Bell and McCaffrey's degrees of freedom of a mean, by the matrices of their paper."""
    y, labels = np.asarray(scores, float), np.asarray(clusters)
    n = len(y)
    hat = np.full((n, n), 1 / n)
    residuals, rows = y - y.mean(), []
    for label in dict.fromkeys(clusters):
        own = labels == label
        values, vectors = np.linalg.eigh(np.eye(own.sum()) - hat[np.ix_(own, own)])
        root = vectors @ np.diag(values**-0.5) @ vectors.T
        weights = root @ np.full(own.sum(), 1 / n)
        rows.append((weights @ (np.eye(n) - hat)[own], weights @ residuals[own]))
    variance = sum(value**2 for _, value in rows)
    gram = np.array([row for row, _ in rows])
    traces = np.linalg.eigvalsh(gram @ gram.T)
    return math.sqrt(variance), traces.sum() ** 2 / (traces**2).sum()


def brute_se(scores, clusters):
    return brute(scores, clusters)[0]


@pytest.mark.parametrize(
    ("k", "n"), [(0, 1), (1, 1), (10, 20), (0, 50), (713, 1187), (14334, 14334)]
)
def test_wilson_equals_scipy(k, n):
    ours = wilson(k, n)
    other = stats.binomtest(k, n).proportion_ci(method="wilson")
    assert (ours.low, ours.high) == pytest.approx((other.low, other.high), abs=1e-12)
    assert ours.low < ours.high


def test_wilson_of_ten_in_twenty_is_thirty_to_seventy():
    found = wilson(10, 20)
    assert round(found.low, 2) == 0.30
    assert round(found.high, 2) == 0.70
    assert round(wilson(30, 60).low, 2) == 0.38


def test_other_levels():
    other = stats.binomtest(7, 30).proportion_ci(0.9, method="wilson")
    assert wilson(7, 30, 0.9).low == pytest.approx(other.low)


def test_t_interval_equals_scipy():
    scores = RNG.normal(3, 2, 40)
    found = interval(scores, method="t")
    low, high = stats.t.interval(0.95, 39, scores.mean(), stats.sem(scores))
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.se == pytest.approx(stats.sem(scores))


def test_clustered_error_equals_the_formula_and_statsmodels():
    sizes = RNG.integers(1, 6, 30)
    clusters = np.repeat(np.arange(30), sizes)
    scores = RNG.random(sizes.sum()) + RNG.random(30)[clusters]
    found = interval(scores, clusters, method="t")
    se, df = brute(scores.tolist(), clusters.tolist())
    assert found.se == pytest.approx(se)
    assert degrees_of_freedom(sizes.astype(float)) == pytest.approx(df)
    assert 20 < df < 29
    half = stats.t.ppf(0.975, df) * found.se
    assert (found.low, found.high) == pytest.approx((scores.mean() - half, scores.mean() + half))


def test_with_clusters_of_one_size_it_is_the_plain_formula():
    clusters = np.repeat(np.arange(30), 4)
    scores = RNG.random(120) + RNG.random(30)[clusters]
    found = interval(scores, clusters, method="t")
    half = stats.t.ppf(0.975, 29) * found.se
    assert (found.low, found.high) == pytest.approx((scores.mean() - half, scores.mean() + half))
    models = pytest.importorskip("statsmodels.api")
    fit = models.OLS(scores, np.ones(len(scores))).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False}
    )
    assert found.se == pytest.approx(float(fit.bse[0]) * math.sqrt(30 / 29))


@given(
    st.lists(st.tuples(st.integers(0, 4), st.floats(-5, 5)), min_size=2, max_size=40),
    st.randoms(use_true_random=False),
)
def test_order_and_labels_do_not_matter(rows, random):
    clusters, scores = zip(*rows, strict=True)
    first = interval(scores, clusters, method="t")
    mixed = list(rows)
    random.shuffle(mixed)
    labels, values = zip(*mixed, strict=True)
    second = interval(values, [f"track {label}" for label in labels], method="t")
    assert second.mean == pytest.approx(first.mean)
    assert second.se == pytest.approx(first.se, abs=1e-9)
    assert second.clusters == len(set(clusters))


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 1)), min_size=1, max_size=60))
def test_a_proportion_is_never_beyond_doubt(rows):
    clusters, scores = zip(*rows, strict=True)
    found = interval(scores, clusters)
    assert 0 <= found.low <= found.mean <= found.high <= 1
    assert found.high - found.low > 0.01
    sums = [sum(s for c, s in rows if c == label) for label in sorted(set(clusters))]
    counts = [clusters.count(label) for label in sorted(set(clusters))]
    again = interval_from_sums(sums, counts)
    assert (again.low, again.high) == pytest.approx((found.low, found.high))


def test_clusters_of_one_are_no_clusters():
    scores = RNG.integers(0, 2, 50)
    assert interval(scores, list(range(50))) == interval(scores, [None] * 50) == interval(scores)
    assert interval(scores).method == "wilson"


def test_all_right_counts_each_cluster_as_one_draw():
    found = interval(np.ones(60), np.repeat(np.arange(20), 3))
    alone = wilson(20, 20)
    assert found.low == pytest.approx(alone.low)
    assert found.high == 1
    assert found.se == 0


def test_one_cluster_says_nothing():
    found = interval([1, 0, 1, 1], ["song"] * 4)
    assert (found.low, found.high) == (0, 1)
    assert math.isinf(found.se)
    wide = interval([3.0])
    assert (wide.low, wide.high) == (-math.inf, math.inf)


def test_many_clusters_come_to_the_robust_t_interval():
    clusters = np.repeat(np.arange(300), 2)
    scores = RNG.integers(0, 2, 600)
    found = interval(scores, clusters)
    half = stats.t.ppf(0.975, 299) * brute_se(scores.tolist(), clusters.tolist())
    assert found.method == "wilson (effective n)"
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.01)


def test_repeats_are_averaged_within_the_item():
    means = averaged_within([1, 0, 1, 1, 1, 0], ["b", "a", "b", "a", "b", "c"])
    assert means.tolist() == [1.0, 0.5, 0.0]
    scores, items = RNG.integers(0, 2, 60), np.tile(np.arange(20), 3)
    assert interval(averaged_within(scores, items)).se == pytest.approx(interval(scores, items).se)


def test_bootstrap_is_seeded_and_used_for_skewed_scores():
    scores = np.random.default_rng(1).lognormal(1, 1.2, 30)
    first = interval(scores, seed=3)
    assert first.method == "bootstrap"
    assert first == interval(scores, seed=3)
    assert first != interval(scores, seed=4)
    assert first.high - first.mean > first.mean - first.low
    assert interval(RNG.normal(5, 1, 30)).method == "t"


def test_bootstrap_t_equals_brute_force():
    """The same resamples, each pivot by a plain loop."""
    sums, counts = np.array([3.0, 9.0, 1.0, 14.0, 2.0]), np.array([1.0, 2.0, 1.0, 3.0, 1.0])
    found = interval_from_sums(sums, counts, method="bootstrap", seed=5)
    drawn = np.random.default_rng(5).integers(0, 5, (1999, 5))
    mean, se = sums.sum() / counts.sum(), standard_error(sums, counts)
    pivots = []
    for row in drawn:
        again = sums[row].sum() / counts[row].sum()
        error = standard_error(sums[row], counts[row])
        gap = again - mean
        pivots.append(gap / error if error > 0 else math.copysign(math.inf, gap))
    pivots.sort()
    assert (found.low, found.high) == pytest.approx(
        (mean - pivots[1949] * se, mean - pivots[49] * se)
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: interval([]), "shape"),
        (lambda: interval([1, float("nan")]), "score 2 of 2 is nan"),
        (lambda: interval(["yes"]), "number"),
        (lambda: interval([1, 0], ["a"]), "1 cluster labels for 2"),
        (lambda: interval([1, 0], level=95), "between 0 and 1"),
        (lambda: interval([3, 0], method="wilson"), "wilson is for"),
        (lambda: interval_from_sums([1], [0]), "at least 1"),
        (lambda: interval_from_sums([1, 1], [1]), "counts"),
        (lambda: interval_from_sums([9], [2], method="wilson"), "wilson is for"),
        (lambda: interval_from_sums([1], [2], method="magic"), "unknown method"),
        (lambda: wilson(3, 2), "no proportion"),
    ],
)
def test_bad_input_is_one_line(call, words):
    with pytest.raises(InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def covered(sums, counts, p, truth_method="auto"):
    found = [
        interval_from_sums(s, c, method=truth_method) for s, c in zip(sums, counts, strict=True)
    ]
    return np.mean([one.low <= p <= one.high for one in found])


@pytest.mark.parametrize("n", [20, 60, 300, 2000])
def test_coverage_of_independent_answers(n):
    """Exact: the binomial weights of every possible count."""
    counts = np.arange(n + 1)
    ends = [wilson(int(k), n) for k in counts]
    low, high = np.array([e.low for e in ends]), np.array([e.high for e in ends])
    levels = [stats.binom.pmf(counts[(low <= p) & (p <= high)], n, p).sum() for p in CHANCES]
    assert 0.93 < np.mean(levels) < 0.97
    assert min(levels) > 0.92


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("clusters", "size", "icc"),
    [
        (7, 3, 0.3),
        (10, 2, 0.1),
        (10, 5, 0.3),
        (20, 3, 0.0),
        (50, 4, 0.6),
        (100, 20, 0.1),
        (644, 2, 0.3),
    ],
)
def test_coverage_of_clustered_answers(clusters, size, icc):
    """Beta-binomial clusters of unequal sizes: 95 % holds within 93 to 97 over p, or 99 of few."""
    rng = np.random.default_rng(clusters * 100 + size)
    runs = 100
    levels = []
    for p in CHANCES:
        shape = (runs, clusters)
        ease = (
            rng.beta(p * (1 / icc - 1), (1 - p) * (1 / icc - 1), shape)
            if icc
            else np.full(shape, p)
        )
        counts = rng.poisson(size - 1, shape) + 1
        levels.append(covered(rng.binomial(counts, ease), counts, p))
    assert 0.93 < np.mean(levels) < (0.975 if clusters > 10 else 0.99)


@pytest.mark.sample(40)
@pytest.mark.parametrize("icc", [0.0, 0.1, 0.3, 0.6])
@pytest.mark.parametrize(
    "sizes",
    [
        [50, *[2] * 5],
        [20, 20, *[2] * 20],
        [50, *[2] * 25],
        [40, *[1] * 60],
        [64, 32, 16, 8, 4, 2, 2, 1, 1, 1],
        list(range(1, 21)),
        [30, *[1] * 100],
        [max(1, 40 // (place + 1)) for place in range(50)],
    ],
)
def test_coverage_where_one_cluster_is_much_larger_than_the_rest(sizes, icc):
    """With C - 1 degrees of freedom it was 44 % for one of 50 and five of 2, 85 % for one of 40."""
    rng, counts = np.random.default_rng(len(sizes)), np.array(sizes)
    for p in (0.25, 0.5, 0.8):
        shape = (500, len(sizes))
        beta = (p * (1 / icc - 1), (1 - p) * (1 / icc - 1)) if icc else ()
        ease = rng.beta(*beta, shape) if icc else np.full(shape, p)
        assert covered(rng.binomial(counts, ease), np.broadcast_to(counts, shape), p) > 0.89


@pytest.mark.sample(2)
@pytest.mark.parametrize(("n", "mean"), [(20, 0.5), (60, 0.9), (400, 0.5)])
def test_coverage_of_averaged_repeats(n, mean):
    rng = np.random.default_rng(n)
    ease = rng.beta(mean * 2, (1 - mean) * 2, (800, n))
    scores = rng.binomial(3, ease) / 3
    assert 0.925 < covered(scores, np.ones_like(scores), mean) < 0.975


def test_the_method_for_many_clusters():
    rng = np.random.default_rng(1)
    counts = np.full(400, 5.0)
    sums = rng.binomial(5, rng.beta(2, 2, 400)).astype(float)
    auto, wide = interval_from_sums(sums, counts), interval_from_sums(sums, counts, method="t")
    assert (auto.method, wide.method) == ("wilson (effective n)", "t")
    assert (auto.low, auto.high) == pytest.approx((wide.low, wide.high), abs=1e-3)


def test_ratios_that_do_not_vary_count_each_cluster_once():
    found = share_interval(np.ones(4), np.full(4, 2.0), 0.95, 8)
    assert found.mean == 0.5
    four = wilson(2, 4)
    assert (found.low, found.high) == pytest.approx((four.low, four.high))
    uneven = share_interval(np.array([1.0, 3.0]), np.array([2.0, 6.0]), 0.95, 8)
    two = wilson(1, 2)  # a draw each, of any size
    assert uneven.low <= two.low < two.high <= uneven.high
