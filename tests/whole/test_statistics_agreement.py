"""Agreement against published examples, scipy, statsmodels, brute force and simulation."""

import itertools
import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from zhiyin.errors import InputError
from zhiyin.plugins.methods.agreement import (
    cohen_kappa,
    intraclass,
    jackknife_ends,
    krippendorff_alpha,
)
from zhiyin.plugins.methods.calibration import length_correlation, prediction_powered

RNG = np.random.default_rng(5)


@pytest.fixture(autouse=True)
def _same_numbers_in_any_order():
    RNG.bit_generator.state = np.random.default_rng(5).bit_generator.state


N = math.nan
FOUR_OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]
"""Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", sections C to E."""


@pytest.mark.parametrize(
    ("level", "published"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_krippendorffs_own_example(level, published):
    found = krippendorff_alpha(FOUR_OBSERVERS, level)
    assert round(found.alpha, 3) == published
    assert (found.units, found.values) == (11, 40)
    assert found.low < found.alpha <= found.high


def test_krippendorffs_binary_example():
    """Section A: two observers, ten units, alpha 0.095."""
    one = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    two = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert round(krippendorff_alpha([one, two]).alpha, 3) == 0.095


def brute_alpha(ratings, level):
    """All pairs, one by one, with the differences as they are printed."""
    units = [[x for x in unit if x == x] for unit in zip(*ratings, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    values = sorted(itertools.chain(*units))
    count = {v: values.count(v) for v in values}

    def distance(c, k):
        if level == "nominal":
            return float(c != k)
        if level == "ordinal":
            c, k = min(c, k), max(c, k)
            between = sum(n for g, n in count.items() if c <= g <= k)
            return (between - (count[c] + count[k]) / 2) ** 2
        if level == "interval":
            return (c - k) ** 2
        return ((c - k) / (c + k)) ** 2 if c + k else 0.0

    n = len(values)
    observed = sum(
        sum(distance(a, b) for a, b in itertools.permutations(unit, 2)) / (len(unit) - 1)
        for unit in units
    )
    expected = sum(distance(a, b) for a, b in itertools.permutations(values, 2)) / (n - 1)
    return 1 - observed / expected if expected else None


@given(
    st.lists(
        st.lists(st.sampled_from([0, 1, 2, 5, N]), min_size=3, max_size=3), min_size=2, max_size=8
    ),
    st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
)
def test_alpha_equals_brute_force(units, level):
    ratings = np.array(units).T
    if not np.any(np.sum(~np.isnan(ratings), axis=0) > 1):
        with pytest.raises(InputError, match="two judges"):
            krippendorff_alpha(ratings, level)
        return
    expected = brute_alpha(ratings.tolist(), level)
    found = krippendorff_alpha(ratings, level).alpha
    assert found == (None if expected is None else pytest.approx(expected))
    turned = krippendorff_alpha(ratings[::-1, ::-1], level).alpha
    assert turned == (None if expected is None else pytest.approx(expected))


def test_alpha_scale_invariances():
    ratings = RNG.integers(1, 6, (3, 30)).astype(float)
    alpha = {x: krippendorff_alpha(ratings, x).alpha for x in ("interval", "ratio", "ordinal")}
    assert krippendorff_alpha(2 * ratings + 3, "interval").alpha == pytest.approx(alpha["interval"])
    assert krippendorff_alpha(7 * ratings, "ratio").alpha == pytest.approx(alpha["ratio"])
    assert krippendorff_alpha(ratings**3, "ordinal").alpha == pytest.approx(alpha["ordinal"])


def test_alpha_without_disagreement_or_variation():
    same = krippendorff_alpha([[1, 2, 3], [1, 2, 3]])
    assert (same.alpha, same.low, same.high) == (1, None, None)
    assert krippendorff_alpha([[1, 1], [1, 1]]).alpha is None


def brute_kappa(first, second, power, size):
    n = len(first)
    weight = lambda i, j: (abs(i - j) / (size - 1)) ** power if power else float(i != j)  # noqa: E731
    observed = sum(weight(a, b) for a, b in zip(first, second, strict=True)) / n
    expected = sum(weight(a, b) for a in first for b in second) / n**2
    return 1 - observed / expected


@pytest.mark.parametrize(("weights", "power"), [("none", 0), ("linear", 1), ("quadratic", 2)])
def test_kappa_equals_brute_force_and_statsmodels(weights, power):
    first = RNG.integers(0, 5, 80)
    second = np.clip(first + RNG.integers(-1, 2, 80), 0, 4)
    found = cohen_kappa(first.tolist(), second.tolist(), weights, categories=range(5))
    assert found.kappa == pytest.approx(brute_kappa(first.tolist(), second.tolist(), power, 5))
    raters = pytest.importorskip("statsmodels.stats.inter_rater")
    table = np.zeros((5, 5))
    np.add.at(table, (first, second), 1)
    other = raters.cohens_kappa(table, wt=None if weights == "none" else weights)
    assert found.kappa == pytest.approx(other.kappa)
    assert found.se == pytest.approx(other.std_kappa)
    asymptotic = pytest.approx((other.kappa_low, other.kappa_upp), abs=0.02)
    assert (found.low, found.high) == asymptotic


def test_kappa_by_hand():
    """Cohen's plain kappa of 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: 0.4."""
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    found = cohen_kappa(first, second)
    assert found.kappa == pytest.approx(0.4)
    assert (found.observed, found.expected) == pytest.approx((0.7, 0.5))


def test_kappa_interval_covers():
    rng = np.random.default_rng(3)
    table = np.array([[0.3, 0.08, 0.02], [0.05, 0.2, 0.05], [0.02, 0.08, 0.2]])
    truth = cohen_kappa(*_expanded(table), "linear").kappa
    hits = 0
    for _ in range(300):
        found = cohen_kappa(*_expanded(rng.multinomial(150, table.ravel()).reshape(3, 3)), "linear")
        hits += found.low <= truth <= found.high
    assert 0.92 <= hits / 300 <= 0.98


@pytest.mark.slow
def test_clusters_of_units_are_left_out_together():
    """Options of a question hang together: left out one by one, they make the interval narrow."""
    rng = np.random.default_rng(3)
    chosen = np.where(rng.random((9, 12)) < rng.beta(1, 1, 12), 0, rng.integers(4, size=(9, 12)))
    table = (chosen[:, :, None] == np.arange(4)).astype(float).reshape(9, -1)
    of = np.repeat(np.arange(12), 4)
    found, single = krippendorff_alpha(table, clusters=of.tolist()), krippendorff_alpha(table)
    without = [krippendorff_alpha(table[:, of != one]).alpha for one in range(12)]
    ends = jackknife_ends(found.alpha, np.array(without), np.ones(12), 9.0)
    assert (found.low, found.high) == pytest.approx(ends)
    assert (found.alpha, found.units, found.clusters) == (single.alpha, 48, 12)
    assert found.high - found.low > 1.2 * (single.high - single.low)
    # The options of two questions are two draws: nothing is known of others.
    assert krippendorff_alpha(table[:, :8], clusters=of[:8].tolist()).low is None
    with pytest.raises(InputError, match="one for each"):
        krippendorff_alpha(table, clusters=[1, 2])


def _expanded(table):
    counts = np.round(table if table.sum() > 2 else table * 100).astype(int)
    rows, columns = np.indices((3, 3))
    return np.repeat(rows, counts.ravel()).tolist(), np.repeat(columns, counts.ravel()).tolist()


def test_kappa_of_one_category_and_of_full_agreement():
    assert cohen_kappa([1, 1], [1, 1]).kappa is None
    full = cohen_kappa([1, 2], [1, 2])
    assert (full.kappa, full.low) == (1, None)


def test_length_correlation_equals_scipy():
    lengths = RNG.integers(50, 400, 60)
    scores = np.round(lengths / 100 + RNG.normal(0, 1.5, 60))
    found = length_correlation(scores, lengths)
    other = stats.spearmanr(scores, lengths)
    assert found.rho == pytest.approx(other.statistic)
    assert found.p == pytest.approx(other.pvalue)
    half = 1.959964 * math.sqrt((1 + found.rho**2 / 2) / 57)
    assert found.low == pytest.approx(math.tanh(math.atanh(found.rho) - half), abs=1e-6)
    assert found.low < found.rho < found.high


def test_length_correlation_covers():
    rng = np.random.default_rng(8)
    truth = 6 / math.pi * math.asin(0.5 / 2)  # of a bivariate normal with correlation 0.5
    hits = 0
    for _ in range(400):
        x = rng.normal(size=60)
        found = length_correlation(0.5 * x + math.sqrt(0.75) * rng.normal(size=60), x)
        hits += found.low <= truth <= found.high
    assert 0.925 <= hits / 400 <= 0.975


def test_length_correlation_at_its_ends():
    assert length_correlation([1, 1, 1], [1, 2, 3]).rho is None
    assert length_correlation([1, 2], [1, 2]).p is None
    full = length_correlation(range(10), range(10))
    assert (full.rho, full.high) == (1, 1)
    assert full.p == pytest.approx(2 / math.factorial(10))  # of all orders; 0 is shown by none
    assert 0 < full.low < 1


def judged(rng, n, others, skill=0.8, bias=0.7):
    truth = rng.normal(5, 1, n + others)
    judge = skill * truth + (1 - skill) * rng.normal(5, 1, n + others) + bias
    return truth[:n], judge[:n], judge[n:]


def test_plain_ppi_is_the_formula():
    y, f, rest = judged(RNG, 50, 800)
    found = prediction_powered(y, f, rest, tuned=False)
    assert found.mean == pytest.approx(rest.mean() + np.mean(y - f))
    variance = np.var(rest, ddof=1) / 800 + np.var(y - f, ddof=1) / 50
    assert found.se == pytest.approx(math.sqrt(variance))
    df = variance**2 / (
        (np.var(rest, ddof=1) / 800) ** 2 / 799 + (np.var(y - f, ddof=1) / 50) ** 2 / 49
    )
    assert found.high - found.mean == pytest.approx(stats.t.ppf(0.975, df) * found.se)


def test_tuning_finds_the_best_weight():
    """The variance is least where the tuned weight says (brute force over weights)."""
    y, f, rest = judged(RNG, 400, 4000, skill=0.5)
    found = prediction_powered(y, f, rest)
    grid = np.linspace(0, 1, 2001)
    spread, shared = np.var(np.concatenate([f, rest]), ddof=1), np.cov(y, f)[0, 1]
    variance = grid**2 * spread / 4000 + (np.var(y) - 2 * grid * shared + grid**2 * spread) / 400
    assert found.weight == pytest.approx(grid[int(np.argmin(variance))], abs=0.001)
    assert found.weight == pytest.approx(1 / 1.1, abs=0.1)
    assert found.se < found.human_se


def test_a_useless_judge_does_no_harm_when_tuned():
    y, _, _ = judged(RNG, 60, 10)
    noise = RNG.normal(0, 20, 560)
    tuned = prediction_powered(y, noise[:60], noise[60:])
    assert tuned.se < 1.1 * tuned.human_se
    assert prediction_powered(y, noise[:60], noise[60:], tuned=False).se > 3 * tuned.se
    flat = prediction_powered(y, np.ones(60), np.ones(500))
    assert flat.weight == 0
    assert flat.mean == pytest.approx(y.mean())


@pytest.mark.parametrize(("n", "tuned"), [(15, False), (50, False), (50, True), (200, True)])
def test_ppi_covers_where_the_judge_alone_does_not(n, tuned):
    rng = np.random.default_rng(n)
    found = [prediction_powered(*judged(rng, n, 500), tuned=tuned) for _ in range(500)]
    assert 0.925 <= np.mean([one.low <= 5 <= one.high for one in found]) <= 0.98
    assert np.mean([one.judge_mean for one in found]) > 5.5


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: krippendorff_alpha([[1, N], [N, 1]]), "two judges"),
        (lambda: krippendorff_alpha([1, 2]), "judges by units"),
        (lambda: krippendorff_alpha([[-1, 2], [1, 2]], "ratio"), "below 0"),
        (lambda: krippendorff_alpha([[1], [1]], "odd"), "unknown level"),
        (lambda: krippendorff_alpha([["x"], ["y"]]), "numbers"),
        (lambda: cohen_kappa([1], [1, 2]), "both"),
        (lambda: cohen_kappa([1], ["a"]), "mixed kinds"),
        (lambda: cohen_kappa([1], [3], categories=[1, 2]), "none of the categories"),
        (lambda: cohen_kappa([1, 2], [1, 2], "cubic"), "unknown weights"),
        (lambda: length_correlation([1, 2], [1]), "one for each"),
        (lambda: prediction_powered([1], [1], [1, 2]), "2 of each"),
        (lambda: prediction_powered([1, 2], [1], [1, 2]), "both for each"),
    ],
)
def test_bad_input_is_one_line(call, words):
    with pytest.raises(InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_constant_judge_says_nothing_of_agreement():
    found = cohen_kappa([3] * 12, [1, 2, 3, 4] * 3, "quadratic")
    assert found.kappa == pytest.approx(0)
    assert (found.se, found.low, found.high) == (None, None, None)


def test_half_points_are_no_whole_points():
    """2.5 and 3.5 differ by as much as 2 and 3: nothing is rounded."""
    first, second = [0, 2.5, 3.5, 7.5, 16, 12], [0.5, 2, 4, 7, 15.5, 12.5]
    found = cohen_kappa(first, second, "quadratic")
    doubled = cohen_kappa([2 * x for x in first], [2 * x for x in second], "quadratic")
    gap = np.subtract(first, second)
    expected = 1 - np.mean(gap**2) / (
        np.var(first) + np.var(second) + (np.mean(first) - np.mean(second)) ** 2
    )
    assert found.kappa == pytest.approx(expected) == pytest.approx(doubled.kappa)
    assert found.low < found.kappa < found.high < 1


def test_kappas_interval_is_the_jackknife_unit_by_unit():
    first = [1, 2, 3, 4, 5, 2, 3, 1, 4, 4]
    second = [1, 3, 3, 4, 4, 2, 2, 1, 5, 4]
    found = cohen_kappa(first, second, "quadratic")
    z = [
        math.atanh(
            cohen_kappa(first[:i] + first[i + 1 :], second[:i] + second[i + 1 :], "quadratic").kappa
        )
        for i in range(10)
    ]
    half = stats.t.ppf(0.975, 9) * math.sqrt(9 / 10 * np.sum((np.array(z) - np.mean(z)) ** 2))
    assert math.atanh(found.high) - math.atanh(found.kappa) == pytest.approx(half)
    assert math.atanh(found.kappa) - math.atanh(found.low) == pytest.approx(half)


SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
).T
"""Six targets and four judges: Shrout and Fleiss (1979), table 2."""


def test_icc_is_that_of_shrout_and_fleiss_with_mcgraw_and_wongs_interval():
    found = intraclass(SHROUT_FLEISS)
    assert round(found.icc, 2) == 0.29
    assert (round(found.low, 2), round(found.high, 2)) == (0.02, 0.76)
    assert (found.units, found.judges) == (6, 4)


def test_icc_of_agreement_of_no_variation_and_of_missing_grades():
    assert intraclass([[1, 2, 3], [1, 2, 3]]).icc == 1
    assert intraclass([[1, 2, 3], [1, 2, 3]]).low is None
    assert intraclass([[2, 2], [2, 2]]).icc is None
    holes = np.column_stack([SHROUT_FLEISS, [N, 1, 2, 3]])
    assert intraclass(holes) == intraclass(SHROUT_FLEISS)
    with pytest.raises(InputError, match="two"):
        intraclass([[1.0, 2.0]])
    with pytest.raises(InputError, match="0 units"):
        intraclass([[1.0, N], [N, 2.0]])


def test_a_level_of_its_own_lowers_the_icc_but_no_correlation():
    kind = SHROUT_FLEISS + 3 * np.arange(4)[:, None]
    assert intraclass(kind).icc < intraclass(SHROUT_FLEISS).icc
    assert intraclass(2 * SHROUT_FLEISS + 5).icc == pytest.approx(intraclass(SHROUT_FLEISS).icc)


@pytest.mark.parametrize("n", [4, 6, 9, 200])
def test_a_perfect_rank_correlation_has_a_p_above_0(n):
    found = length_correlation(range(n), range(n))
    assert found.p > 0
    assert found.p == pytest.approx(max(2 / math.factorial(n), sys.float_info.min), rel=1e-9, abs=0)


@pytest.mark.slow
def test_the_p_of_a_rank_correlation_is_that_of_all_orders():
    one, two = [3, 1, 4, 1, 5, 9], [2, 7, 1, 8, 2, 8]
    rho = stats.spearmanr(one, two).statistic
    every = [abs(stats.spearmanr(one, order).statistic) for order in itertools.permutations(two)]
    expected = np.mean(np.array(every) >= abs(rho) - 1e-9)
    assert length_correlation(one, two).p == pytest.approx(expected)
