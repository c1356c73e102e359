"""Paired comparison against scipy, statsmodels and enumeration."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from zhiyin.errors import InputError
from zhiyin.statistics.intervals import interval
from zhiyin.statistics.paired import (
    benjamini_hochberg,
    holm,
    mcnemar_exact,
    minimum_detectable,
    paired_difference,
    rank,
    sign_flip,
)

RNG = np.random.default_rng(7)


@pytest.fixture(autouse=True)
def _same_numbers_in_any_order():
    RNG.bit_generator.state = np.random.default_rng(7).bit_generator.state


def test_difference_equals_the_paired_t_test():
    a, b = RNG.normal(0.4, 1, 50), RNG.normal(0, 1, 50)
    found = paired_difference(a, b)
    other = stats.ttest_rel(a, b)
    ends = other.confidence_interval(0.95)
    assert found.p == pytest.approx(other.pvalue)
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high))
    assert found.detectable == pytest.approx(2.8015852 * found.se)


def test_clustered_difference_is_the_interval_of_the_differences():
    clusters = RNG.integers(0, 12, 60)
    a, b = RNG.random(60), RNG.random(60) + RNG.random(12)[clusters]
    found = paired_difference(a, b, clusters)
    same = interval(a - b, clusters, method="t")
    assert (found.mean, found.low, found.high, found.se) == pytest.approx(
        (same.mean, same.low, same.high, same.se)
    )
    assert found.clusters == len(set(clusters))


def test_few_right_or_wrong_answers_follow_bonett_and_price():
    """By hand: 2 against 6 discordant of 30."""
    a = np.array([1] * 2 + [0] * 6 + [1] * 22)
    b = np.array([0] * 2 + [1] * 6 + [1] * 22)
    found = paired_difference(a, b)
    p12, p21 = 3 / 32, 7 / 32
    half = 1.959964 * math.sqrt((p12 + p21 - (p12 - p21) ** 2) / 32)
    assert found.method == "adjusted"
    assert (found.low, found.high) == pytest.approx((p12 - p21 - half, p12 - p21 + half), abs=1e-6)
    assert found.mean == pytest.approx(-4 / 30)


def test_clustered_right_or_wrong_answers_by_hand():
    """Ten clusters of two: the effective n from the variance of the differences, then the same."""
    a = np.array([1, 1] * 6 + [1, 0] * 3 + [0, 0])
    b = np.array([0, 0] * 4 + [1, 1] * 2 + [0, 0] * 3 + [0, 1])
    found = paired_difference(a, b, np.repeat(np.arange(10), 2))
    sums = np.array([2] * 4 + [0] * 2 + [1] * 3 + [-1])
    mean, shared = 10 / 20, 12 / 20
    se = math.sqrt(10 / 9 * np.sum((sums - 2 * mean) ** 2)) / 20
    n = (shared - mean**2) / se**2
    centre, share = n * mean / (n + 2), (n * shared + 2) / (n + 2)
    quantile = stats.norm.ppf(0.975) * stats.t.ppf(0.975, 9) / stats.t.ppf(0.975, 19)
    half = quantile * math.sqrt((share - centre**2) / (n + 2))
    assert (found.mean, found.se) == pytest.approx((mean, se))
    assert (found.low, found.high) == pytest.approx((centre - half, centre + half))


def test_two_who_always_agree_are_not_beyond_doubt():
    same = RNG.integers(0, 2, 40)
    for clusters in (None, np.repeat(np.arange(10), 4)):
        found = paired_difference(same, same, clusters)
        assert found.mean == 0
        assert found.p == 1
        assert found.low < -0.02
        assert found.high > 0.02
    one = paired_difference([1, 1], [1, 0], ["song", "song"])
    assert (one.low, one.high, one.p) == (-1, 1, 1)


@pytest.mark.parametrize(
    ("clusters", "size", "chances", "tie"),
    [(20, 1, (0.5, 0.5), 0.0), (60, 1, (0.6, 0.5), 0.5), (20, 3, (0.5, 0.5), 0.0),
     (100, 2, (0.9, 0.8), 0.5), (500, 2, (0.6, 0.5), 0.5)],
)  # fmt: skip
def test_coverage_of_the_difference(clusters, size, chances, tie):
    rng = np.random.default_rng(clusters + size)
    labels = np.repeat(np.arange(clusters), size)
    hits, runs = 0, 400
    for _ in range(runs):
        shared = np.repeat(rng.random(clusters), size)
        one = np.where(rng.random(len(labels)) < 0.3, shared, rng.random(len(labels)))
        two = np.where(rng.random(len(labels)) < tie, one, rng.random(len(labels)))
        found = paired_difference(one < chances[0], two < chances[1], labels)
        hits += found.low <= chances[0] - chances[1] <= found.high
    assert 0.93 <= hits / runs <= 0.985


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_equals_the_binomial_test(b, c):
    expected = stats.binomtest(b, b + c).pvalue if b + c else 1.0
    assert mcnemar_exact(b, c).p == pytest.approx(expected)
    assert mcnemar_exact(b, c).p == mcnemar_exact(c, b).p


def test_mcnemar_by_hand():
    assert mcnemar_exact(1, 9).p == pytest.approx(2 * (1 + 10) / 1024)


def brute_flip(differences, clusters):
    labels = sorted(set(clusters))
    sums = [sum(d for d, c in zip(differences, clusters, strict=True) if c == x) for x in labels]
    observed = abs(sum(sums))
    flips = [abs(sum(s * x for s, x in zip(signs, sums, strict=True)))
             for signs in itertools.product((1, -1), repeat=len(sums))]  # fmt: skip
    return sum(flip >= observed - 1e-9 for flip in flips) / len(flips)


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(-3, 3)), min_size=1, max_size=30))
def test_sign_flip_equals_enumeration(rows):
    clusters, differences = zip(*rows, strict=True)
    found = sign_flip(differences, clusters)
    assert found.exact
    assert found.p == pytest.approx(brute_flip(differences, clusters))


def test_sign_flip_equals_scipy():
    differences = RNG.normal(0.5, 1, 12)
    other = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf
    )
    assert sign_flip(differences).p == pytest.approx(other.pvalue)


def test_clusters_that_cancel_but_for_rounding_show_no_difference():
    cancel = [0.2, 0.4, -0.6]  # their sum is 1e-16, not 0
    assert sum(cancel) != 0
    found = sign_flip(cancel, ["a"] * 3)
    assert (found.p, found.clusters) == (1.0, 0)
    assert sign_flip([*cancel, *cancel], ["a"] * 3 + ["b"] * 3).p == 1.0


def test_sign_flip_of_right_or_wrong_answers_is_mcnemar():
    """Independent items: the exact null is the binomial of the discordant ones."""
    differences = np.array([1] * 40 + [-1] * 22 + [0] * 300)
    found = sign_flip(differences, draws=200_000, seed=1)
    assert not found.exact
    assert found.clusters == 62
    assert found.p == pytest.approx(mcnemar_exact(40, 22).p, abs=0.002)


def test_drawn_flips_agree_with_all_of_them():
    differences = RNG.normal(0.6, 1, 14)
    exact = sign_flip(differences)
    both = np.concatenate([differences, [1e-9]])  # a fifteenth that changes nothing
    drawn = sign_flip(both, draws=100_000, seed=2)
    assert exact.exact
    assert not drawn.exact
    assert drawn.p == pytest.approx(exact.p, abs=0.006)
    assert drawn == sign_flip(both, draws=100_000, seed=2)
    assert 0 < sign_flip(np.ones(500), draws=99).p < 1e-100  # all flips but two are nearer to 0


def test_flips_of_unlike_and_of_equal_sizes_have_one_distribution():
    """The two ways of drawing signs, against the normal limit of many clusters."""
    unlike = sign_flip(np.linspace(0.5, 1.5, 400) * np.where(np.arange(400) < 220, 1, -1), seed=3)
    equal = sign_flip(np.where(np.arange(400) < 220, 1.0, -1.0), seed=3)
    values = np.linspace(0.5, 1.5, 400) * np.where(np.arange(400) < 220, 1, -1)
    limit = 2 * stats.norm.sf(abs(values.sum()) / math.sqrt(np.sum(values**2)))
    assert unlike.p == pytest.approx(limit, abs=0.015)
    assert equal.p == pytest.approx(mcnemar_exact(220, 180).p, abs=0.01)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_adjusted_p_values(p):
    ranked = sorted(range(len(p)), key=lambda i: p[i])
    m, best, by_hand = len(p), 0.0, {}
    for step, i in enumerate(ranked):
        best = max(best, (m - step) * p[i])
        by_hand[i] = min(1.0, best)
    assert holm(p).tolist() == pytest.approx([by_hand[i] for i in range(m)])
    other = stats.false_discovery_control(np.array(p))
    assert benjamini_hochberg(p).tolist() == pytest.approx(other.tolist())


@pytest.mark.slow
def test_adjusted_p_values_equal_statsmodels():
    multiple = pytest.importorskip("statsmodels.stats.multitest")
    p = RNG.random(25) ** 2
    assert np.allclose(holm(p), multiple.multipletests(p, method="holm")[1])
    assert np.allclose(benjamini_hochberg(p), multiple.multipletests(p, method="fdr_bh")[1])


def test_minimum_detectable_has_its_power():
    found = minimum_detectable(1.0)
    assert stats.norm.sf(stats.norm.ppf(0.975) - found) == pytest.approx(0.8)
    se = 0.0142
    assert minimum_detectable(se, power=0.9, alpha=0.01) == pytest.approx(
        (stats.norm.ppf(0.995) + stats.norm.ppf(0.9)) * se
    )


@given(st.integers(1, 7), st.randoms(use_true_random=False))
def test_letters_are_shared_exactly_by_those_not_distinguished(size, random):
    p = np.ones((size, size))
    for i, j in itertools.combinations(range(size), 2):
        p[i, j] = p[j, i] = random.random() ** 3
    means = [random.random() for _ in range(size)]
    found = rank(means, p)
    letters = {row.index: set(row.letters) for row in found.rows}
    for i, j in itertools.combinations(range(size), 2):
        assert bool(letters[i] & letters[j]) == (p[i, j] >= 0.05)
    assert [row.mean for row in found.rows] == sorted(means, reverse=True)
    groups = {
        letter: {i for i in letters if letter in letters[i]}
        for row in letters.values()
        for letter in row
    }
    assert not any(a < b for a in groups.values() for b in groups.values())


def test_ranking_by_hand():
    p = [[1, 0.3, 0.001], [0.3, 1, 0.2], [0.001, 0.2, 1]]
    found = rank([0.6, 0.5, 0.4], p)
    assert [row.letters for row in found.rows] == ["a", "ab", "b"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: paired_difference([1], [1, 0]), "same items"),
        (lambda: mcnemar_exact(-1, 2), "at least 0"),
        (lambda: sign_flip([1.0], draws=0), "at least 1"),
        (lambda: holm([0.5, 1.5]), "outside"),
        (lambda: minimum_detectable(1.0, power=1), "power"),
        (lambda: minimum_detectable(1.0, alpha=0), "alpha"),
        (lambda: rank([1, 2], [[1, 1]]), "2 by 2"),
        (lambda: rank([1, 2], [[1, 0.1], [0.2, 1]]), "symmetric"),
    ],
)
def test_bad_input_is_one_line(call, words):
    with pytest.raises(InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_no_p_is_0():
    """Far out in a tail a float is 0, which no test can show."""
    assert 0 < mcnemar_exact(14_000, 0).p < 1e-300
    alike = paired_difference([1] * 5, [0] * 5)
    assert alike.p == 2**-4  # all five differ alike: 2 of 2^5 flips
    assert alike.p == sign_flip([1] * 5).p


def test_repeats_that_agree_throughout_are_not_called_equal_beyond_doubt():
    thirds = [0, 1 / 3, 2 / 3, 1] * 10
    found = paired_difference(thirds, thirds)
    assert found.low < 0 < found.high
    assert 0.01 < found.high < 0.1
    few = paired_difference(thirds[:8], thirds[:8])
    assert few.high > 2 * found.high


def test_flips_that_are_never_met_are_not_kept_from_many_comparisons():
    """Of 36 runs no two differed, 97 % and 24 % right: 630 tests with a p of 1/10001."""
    clear = np.r_[np.ones(60), np.zeros(10), -np.ones(4)]
    found = sign_flip(clear)
    exact = 2 * stats.binom.sf(59, 64, 0.5)
    assert exact <= found.p <= 1e-9
    assert holm([found.p] * 5000).max() < 1e-5
    assert sign_flip(np.tile(clear, 1000)).p > 0


@pytest.mark.slow
def test_the_bound_on_flips_is_never_below_what_all_of_them_give():
    rng = np.random.default_rng(4)
    for size in (15, 17, 18):
        values = rng.normal(0.6, 1, size) * rng.choice([0.1, 1, 5], size)
        signs = 1 - 2 * ((np.arange(2**size)[:, None] >> np.arange(size)) & 1)
        exact = np.mean(np.abs(signs @ values) >= abs(values.sum()) - 1e-9)
        error = 4 * np.sqrt(exact / 10_000) + 2e-4
        assert exact - error <= sign_flip(values).p <= exact + error
        assert 2 * np.exp(-(values.sum() ** 2) / (2 * values @ values)) >= exact


def test_a_difference_of_shares_is_at_most_one():
    found = paired_difference([1, 1, 1], [0, 0, 0])
    assert found.mean == 1.0
    assert found.high == 1.0
    assert paired_difference([0, 0, 0], [1, 1, 1]).low == -1.0
