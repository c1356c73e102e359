"""Figures at the edges of their rules, each against the formula written out once more."""

import inspect
import itertools
import math

import numpy as np
import pytest
from scipy import special, stats

from zhiyin.errors import InputError
from zhiyin.statistics import (
    agreement,
    audited,
    calibration,
    choice,
    crossed,
    intervals,
    intraclass,
    items,
    jackknife,
    paired,
    parts,
    planning,
    psychometric,
    ratios,
    scores,
)

DEFAULTS = [
    (intervals.interval, {"clusters": None, "level": 0.95, "method": "auto", "seed": 0}),
    (intervals.interval_from_sums, {"level": 0.95, "method": "auto", "seed": 0}),
    (intervals.wilson, {"level": 0.95}),
    (intervals.as_scores, {"name": "score"}),
    (paired.paired_difference, {"clusters": None, "level": 0.95}),
    (paired.sign_flip, {"clusters": None, "draws": 10_000, "seed": 0}),
    (paired.minimum_detectable, {"power": 0.8, "alpha": 0.05}),
    (paired.rank, {"alpha": 0.05}),
    (parts.part_interval, {"level": 0.95}),
    (parts.part_difference, {"level": 0.95, "draws": 10_000, "seed": 0}),
    (ratios.ratio_interval, {"level": 0.95}),
    (ratios.total_interval, {"level": 0.95}),
    (audited.clopper_pearson, {"level": 0.95}),
    (audited.stratified_rate, {"level": 0.95}),
    (audited.corrected_accuracy, {"level": 0.95}),
    (audited.allocate, {"least": 2}),
    (agreement.krippendorff_alpha, {"level": "nominal", "confidence": 0.95}),
    (agreement.cohen_kappa, {"weights": "none", "categories": None, "confidence": 0.95}),
    (agreement.length_correlation, {"confidence": 0.95}),
    (agreement.prediction_powered, {"tuned": True, "confidence": 0.95}),
    (intraclass.intraclass, {"confidence": 0.95}),
    (jackknife.jackknife_ends, {"judges": 2.0, "level": 0.95}),
    (calibration.calibration, {"bins": 10, "binning": "width", "clusters": None}),
    (calibration.brier, {"bins": None, "binning": "width"}),
    (choice.letter_bias, {"items": None}),
    (choice.chance_corrected, {"clusters": None, "level": 0.95}),
    (choice.consistency, {"clusters": None, "level": 0.95}),
    (crossed.crossed_mean, {"level": 0.95}),
    (crossed.pigeonhole, {"draws": 1999, "level": 0.95, "seed": 0}),
    (items.shorter, {"keep": None}),
    (scores.score_interval, {"figure": "accuracy"}),
    (scores.Items.interval, {"figure": "accuracy", "level": 0.95}),
    (
        planning.items_needed,
        {"noise_a": 0.0, "noise_b": 0.0, "repeats_a": 1, "repeats_b": 1, "design_effect": 1.0,
         "power": 0.8, "alpha": 0.05},
    ),
    (
        planning.detectable_difference,
        {"noise_a": 0.0, "noise_b": 0.0, "repeats_a": 1, "repeats_b": 1, "design_effect": 1.0,
         "power": 0.8, "alpha": 0.05},
    ),
    (planning.design_effect, {"variation": 0.0}),
    (planning.margin, {"design_effect": 1.0, "level": 0.95}),
    (psychometric.quantiles, {"share": 0.95}),
]  # fmt: skip
"""What is promised where nothing is said: a published figure depends on it."""


@pytest.mark.parametrize(
    ("function", "promised"), DEFAULTS, ids=lambda x: getattr(x, "__name__", "")
)
def test_what_is_not_said_is_as_promised(function, promised):
    found = {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is not parameter.empty
    }
    assert found == promised


# --- intervals ---------------------------------------------------------------------------------


def test_scores_beyond_their_counts_are_no_proportions():
    for sums in ([1.5, 0.5], [-0.5, 0.5], [2, 0]):
        with pytest.raises(InputError, match=r"wilson is for scores in \[0, 1\]"):
            intervals.interval_from_sums(sums, [1, 1], method="wilson")
    assert intervals.interval_from_sums([1.5, 0.5], [2, 1], method="wilson").mean == 2 / 3


def test_scores_that_do_not_vary_have_no_skewness():
    found = intervals.interval([2.0] * 12)
    assert (found.method, found.mean, found.low, found.high, found.se) == ("t", 2, 2, 2, 0)


@pytest.mark.parametrize("n", [8, 9, 10, 11])
def test_cochrans_rule_begins_at_ten(n):
    """One outlier among n has the skewness (n - 2) / sqrt(n - 1): above n / 25 for all of these."""
    found = intervals.interval([2.0] * (n - 1) + [50.0])
    assert found.method == ("bootstrap" if n >= 10 else "t")


@pytest.mark.parametrize("n", [20, 40, 60, 80, 100, 120])
def test_cochrans_rule_is_25_times_the_squared_skewness(n):
    rows = [5.0] * (n // 4) + [1.0] * (n - n // 4 - 2) + [2.0, 3.5]
    wanted = n < 25 * stats.skew(rows) ** 2
    assert intervals.interval(rows).method == ("bootstrap" if wanted else "t")


@pytest.mark.parametrize("clusters", [299, 300, 301])
def test_three_hundred_clusters_are_many(clusters):
    found = intervals.interval(np.arange(clusters) % 5 / 4)
    assert found.method == ("t" if clusters >= 300 else "wilson (effective n)")


def test_few_right_answers_are_few_among_many_clusters():
    """The t interval needs 30 right and 30 wrong in effective n, either way round."""
    for right in (100, 130, 175, 200):  # half right each
        rows = np.array([0.5] * right + [0.0] * (1000 - right))
        effective = rows.mean() * (1 - rows.mean()) / (rows.var(ddof=1) / 1000)
        for these in (rows, 1 - rows):
            many = effective * min(these.mean(), 1 - these.mean()) >= 30
            assert intervals.interval(these).method == ("t" if many else "wilson (effective n)")


def test_the_bootstrap_is_the_same_in_small_pieces(monkeypatch):
    rows = [2.0, 3.5, 9.0, 1.5, 2.5, 4.0, 30.0]
    whole = intervals.interval(rows, method="bootstrap")
    for chunk in (1, 7, 700, 7 * 1999):
        monkeypatch.setattr(intervals, "_CHUNK", chunk)
        assert intervals.interval(rows, method="bootstrap") == whole


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.999])
def test_the_bootstrap_takes_the_tails_of_two_thousand(level):
    rows, rng = np.array([2.0, 3.5, 9.0, 1.5, 2.5, 4.0, 30.0]), np.random.default_rng(4)
    drawn = rows[rng.integers(0, 7, (1999, 7))]
    spread = drawn.std(axis=1, ddof=1) / math.sqrt(7)
    with np.errstate(divide="ignore"):
        pivots = np.sort((drawn.mean(axis=1) - rows.mean()) / spread)
    se, tail = rows.std(ddof=1) / math.sqrt(7), round(2000 * (1 - level) / 2)
    found = intervals.interval(rows, level=level, method="bootstrap", seed=4)
    ends = rows.mean() - pivots[-tail] * se, rows.mean() - pivots[tail - 1] * se
    assert (found.low, found.high) == pytest.approx(ends)


def test_labels_are_numbered_as_they_come():
    for labels in (["b", "a", "b"], np.array(["b", "a", "b"]), np.array([7, 3, 7]), [7, 3, 7]):
        assert intervals.cluster_index(labels, 3).tolist() == [0, 1, 0]
    assert intervals.cluster_index([None, "a", None, "a"], 4).tolist() == [0, 1, 2, 1]
    found, first = intervals.in_order(np.array([5, 9, 5, 1]))
    assert (found.tolist(), first.tolist()) == ([0, 1, 0, 2], [0, 1, 3])


# --- pairs -------------------------------------------------------------------------------------


def test_flips_are_the_same_law_in_small_pieces(monkeypatch):
    """Sums under random signs: mean 0 and the variance of the sum of squares, in every piece."""
    for sizes in (np.arange(1.0, 21.0), np.repeat([1.0, 3.0], 20)):
        for chunk in (1, 45, 1_000_000):
            monkeypatch.setattr(paired, "_CHUNK", chunk)
            sums = paired._flipped_sums(sizes, 3000, np.random.default_rng(1))
            assert len(sums) == 3000
            assert abs(sums.mean()) < 4 * math.sqrt(float(sizes @ sizes) / 3000)
            assert sums.var() == pytest.approx(float(sizes @ sizes), rel=0.12)
            assert np.all((sums - sizes.sum()) % 2 == 0)


@pytest.mark.parametrize("n", [13, 14, 15])
def test_up_to_fourteen_clusters_all_flips_are_tried(n):
    rows = np.arange(1.0, n + 1)
    rows[1] *= -1
    found = paired.sign_flip([*rows, 0.0], draws=50)
    assert (found.exact, found.clusters) == (n <= 14, n)
    assert found.draws == (2**n if n <= 14 else 50)


def test_letters_go_on_after_z():
    assert [paired._letter(k) for k in (0, 1, 25, 26, 51, 52)] == ["a", "b", "z", "a1", "z1", "a2"]


@pytest.mark.parametrize("p", [0.049, 0.05, 0.051])
def test_examinees_are_told_apart_below_alpha_alone(p):
    rows = paired.rank([0.7, 0.5], [[1, p], [p, 1]]).rows
    assert (rows[0].letters == rows[1].letters) == (p >= 0.05)


def test_sizes_and_means_of_a_difference():
    found = paired.paired_difference([1, 1, 0, 1], [0, 1, 0, 0], ["a", "a", "b", None])
    assert (found.n, found.clusters, found.first, found.second) == (4, 3, 0.75, 0.25)
    assert found.detectable == pytest.approx(
        (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * found.se
    )


# --- parts -------------------------------------------------------------------------------------


def made(held, sums, counts=None, weights=(2.0, 1.0)):
    held, sums = np.array(held, dtype=bool), np.array(sums, dtype=float)
    counts = np.where(held, 1.0, 0.0) if counts is None else np.array(counts, dtype=float)
    songs = tuple(f"s{k}" for k in range(held.shape[1]))
    return parts.Parts(("a", "b")[: len(held)], weights[: len(held)], songs, sums, counts, held)


def test_what_is_kept_of_parts_is_unchanged_and_the_rest_nothing():
    one = made([[1, 1, 1], [0, 1, 1]], [[1, 0.5, 0], [0, 1, 0.25]])
    keep = np.array([[1, 0, 1], [1, 1, 1]], dtype=bool)
    found = one.only(keep)
    assert found.sums.tolist() == [[1, 0, 0], [0, 1, 0.25]]
    assert found.counts.tolist() == [[1, 0, 1], [0, 1, 1]]
    assert found.held.tolist() == [[True, False, True], [False, True, True]]
    moved = one.on(["s2", "new", "s0"])
    assert moved.sums.tolist() == [[0, 0, 1], [0.25, 0, 0]]
    assert moved.counts.tolist() == [[1, 0, 1], [1, 0, 0]]
    assert moved.held.tolist() == [[True, False, True], [True, False, False]]


def test_songs_of_a_kind():
    """By which parts they have; a single song of its kind goes to the smallest kind of many."""
    assert (
        parts._kinds(made([[1, 1, 1], [1, 1, 1]], np.ones((2, 3))), np.ones(2)).tolist() == [0] * 3
    )
    two = made([[1, 1, 1, 1, 1], [0, 0, 0, 1, 1]], np.ones((2, 5)))
    assert parts._kinds(two, np.ones(2)).tolist() == [0, 0, 0, 1, 1]
    assert parts._kinds(two, np.array([1.0, 0.0])).tolist() == [0] * 5
    single = made([[1, 1, 1, 1], [0, 0, 0, 1]], np.ones((2, 4)))
    assert parts._kinds(single, np.ones(2)).tolist() == [0, 0, 0, 0]
    singles = made([[1, 1, 1, 0, 0], [0, 0, 1, 1, 0]], np.ones((2, 5)))
    assert parts._kinds(singles, np.ones(2)).tolist() == [0, 0, 1, 1, 1]
    alone = made([[1, 0], [0, 1]], np.ones((2, 2)))
    assert len(set(parts._kinds(alone, np.ones(2)).tolist())) == 1


def test_the_error_of_a_total_is_that_of_its_kinds():
    """Strata of songs, the linearised total in each: variance and degrees of freedom by hand."""
    influence = np.array([0.1, -0.1, 0.3, 0.2, 0.4, -0.5])
    kinds = np.array([0, 0, 0, 1, 1, 2])
    first, second = 3 * np.var(influence[:3], ddof=1), 2 * np.var(influence[3:5], ddof=1)
    se, df = parts._spread(influence, kinds, [], 6)
    assert se == pytest.approx(math.sqrt(first + second))
    assert df == pytest.approx((first + second) ** 2 / (first**2 / 2 + second**2 / 1))
    se, df = parts._spread(influence, kinds, [0.2], 6)
    whole = first + second + 0.04
    assert se == pytest.approx(math.sqrt(whole))
    assert df == pytest.approx(whole**2 / (first**2 / 2 + second**2 + 0.04**2 / 5))
    assert parts._spread(np.zeros(3), np.zeros(3, int), [], 3) == (0, 0)
    assert parts._spread(np.zeros(1), np.zeros(1, int), [0.5], 1)[1] == pytest.approx(1)


def test_two_songs_of_each_part_tell_something_and_one_does_not():
    for songs in (1, 2):
        one = made(np.ones((2, songs)), np.full((2, songs), 0.5))
        found = parts.part_interval(one, parts.TOTAL)
        assert math.isinf(found.se) == (songs == 1)
        other = made(np.ones((2, songs)), np.full((2, songs), 0.25))
        difference = parts.part_difference(one, other, parts.TOTAL)
        assert math.isinf(difference.se) == (songs == 1)
        if songs == 1:
            assert (found.low, found.high, difference.low, difference.high) == (0, 1, -1, 1)


def test_a_swap_of_all_songs_is_one_of_all_swaps():
    rng = np.random.default_rng(2)
    for songs in (3, 14, 15):
        one = made(np.ones((2, songs)), rng.random((2, songs)).round(2))
        other = made(np.ones((2, songs)), rng.random((2, songs)).round(2))
        flips = parts.part_difference(one, other, parts.TOTAL, draws=70).flips
        assert (flips.exact, flips.clusters) == (songs <= 14, songs)
        assert flips.draws == (2**songs if songs <= 14 else 70)
        if songs == 3:
            gaps = (one.sums - other.sums).T @ [2 / 3, 1 / 3]
            sums = [abs(np.dot(signs, gaps)) for signs in itertools.product((1, -1), repeat=3)]
            assert flips.p == np.mean(np.array(sums) >= abs(gaps.sum()) - 1e-9)


# --- samples of an audit -----------------------------------------------------------------------


def spread(size, seen, hits):
    """n (1 - n / N) s², as textbooks have it; for one draw s² is 1/4."""
    s2 = np.var([1] * hits + [0] * (seen - hits), ddof=1) if seen > 1 else 0.25
    return seen * (1 - seen / size) * s2


@pytest.mark.parametrize(
    "case", [(10, 1, 0), (10, 1, 1), (10, 2, 1), (10, 2, 2), (90, 30, 7), (9, 9, 4)]
)
def test_what_a_stratum_adds_to_the_variance(case):
    assert audited._spread(audited.Stratum(*case), case[2]) == pytest.approx(spread(*case))


@pytest.mark.parametrize("seen", [1, 2, 3])
def test_many_hits_have_wilsons_interval_with_the_stratified_variance(seen):
    strata = [(2000, 200, 90), (900, 150, 30), (40, seen, 1)]
    total = sum(size for size, *_ in strata)
    p = sum(size / total * hits / n for size, n, hits in strata)
    variance = sum((size / total / n) ** 2 * spread(size, n, hits) for size, n, hits in strata)
    n = p * (1 - p) / variance
    z = stats.norm.ppf(0.975)
    middle, half = p + z**2 / (2 * n), z * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    found = audited.stratified_rate([audited.Stratum(*each) for each in strata])
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
    found = audited.stratified_rate([audited.Stratum(*case) for case in cases])
    assert found.method == ("wilson (effective n)" if many else "gamma")


def test_half_of_all_are_counted_as_hits():
    """At a rate of exactly one half the interval is that of the hits, not of the others."""
    strata = [audited.Stratum(30, 2, 1), audited.Stratum(10, 4, 2)]
    found = audited.stratified_rate(strata)
    w = 30 / 40 / 2, 10 / 40 / 4
    y, v = w[0] + 2 * w[1], w[0] ** 2 + 2 * w[1] ** 2
    low = v / (2 * y) * stats.chi2.ppf(0.025, 2 * y * y / v)
    y, v = y + max(w), v + max(w) ** 2
    high = v / (2 * y) * stats.chi2.ppf(0.975, 2 * y * y / v)
    assert (found.rate, found.method) == (0.5, "gamma")
    assert (found.low, found.high) == pytest.approx((low, min(1, high)))


def test_misreadings_of_both_kinds_lower_each_other():
    """The correlation of the two shares: that of a multinomial within each stratum."""
    strata = [
        audited.Stratum(500, 50, 6, 9),
        audited.Stratum(60, 20, 3, 2),
        audited.Stratum(9, 9, 1, 1),
    ]
    covariance = more = less = 0.0
    for h in strata[:2]:
        units = np.array(
            [[1, 0]] * h.more + [[0, 1]] * h.less + [[0, 0]] * (h.seen - h.more - h.less)
        )
        cov = np.cov(units.T, ddof=1) * (1 - h.seen / h.size) / h.seen * (h.size / 569) ** 2
        more, less, covariance = more + cov[0, 0], less + cov[1, 1], covariance + cov[0, 1]
    assert audited._correlation(strata) == pytest.approx(covariance / math.sqrt(more * less))
    assert audited._correlation([audited.Stratum(9, 9, 1, 1)]) == 0
    assert audited._correlation([audited.Stratum(9, 3, 1, 0)]) == 0


@pytest.mark.parametrize("accuracy", [0.0, 1.0])
def test_an_accuracy_of_nothing_or_all_may_be_corrected(accuracy):
    found = audited.corrected_accuracy(accuracy, [audited.Stratum(50, 50, 0)], effective=50)
    wanted = intervals.wilson(accuracy * 50, 50)
    assert (found.accuracy, found.low, found.high) == pytest.approx(
        (accuracy, wanted.low, wanted.high)
    )
    for wrong in (-0.1, 1.1):
        with pytest.raises(InputError):
            audited.corrected_accuracy(wrong, [audited.Stratum(50, 50, 0)], effective=50)
    with pytest.raises(InputError):
        audited.corrected_accuracy(0.5, [audited.Stratum(50, 50, 0)], effective=0)


# --- people and items --------------------------------------------------------------------------


@pytest.mark.parametrize("lost", [1, 2])
def test_a_bootstrap_that_gives_nothing_in_a_tenth_of_draws_is_none(lost):
    """Twenty draws: one may give nothing, two may, three may not."""
    for empty in (lost, 3):
        calls = iter([None] * empty + [0.5] * 20)
        found = crossed.pigeonhole("ab", "xy", lambda a, b: next(calls), draws=20)  # noqa: B023
        assert found == (None if empty == 3 else (0.5, 0.5))


def test_people_who_answered_one_item_tell_nothing_of_the_rest():
    rng = np.random.default_rng(3)
    scores = (rng.random((9, 4)) < 0.6).astype(float)
    alone = np.full((2, 4), np.nan)
    alone[0, 0], alone[1, 2] = 1.0, 0.0
    assert items.discrimination(np.vstack([scores, alone])) == pytest.approx(
        items.discrimination(scores)
    )


# --- judges ------------------------------------------------------------------------------------


def test_a_tuned_judge_weighs_at_most_all_and_at_least_nothing():
    judge, elsewhere = [0.1, 0.2, 0.3, 0.4], [0.2, 0.3]
    assert agreement.prediction_powered([0.3, 0.6, 0.9, 1.2], judge, elsewhere).weight == 1
    assert agreement.prediction_powered([0.9, 0.6, 0.3, 0.0], judge, elsewhere).weight == 0
    y, f = np.array([0.1, 0.0, 0.3, 0.1]), np.array(judge)
    wanted = np.cov(y, f)[0, 1] / (3 * np.var([*judge, *elsewhere], ddof=1))
    assert agreement.prediction_powered(y, f, elsewhere).weight == pytest.approx(wanted)


def test_two_zeros_agree_on_a_ratio_scale():
    found = agreement.krippendorff_alpha([[0, 0, 1, 3], [0, 2, 1, 1]], "ratio")
    assert found.observed == pytest.approx((0 + 1 + 0 + 0.25) / 4)
    values = [0, 0, 1, 3, 0, 2, 1, 1]
    gaps = [((a - b) / (a + b)) ** 2 for a, b in itertools.permutations(values, 2) if a + b]
    assert found.expected == pytest.approx(sum(gaps) / 56)


def test_poisson_binomial_tails_are_those_of_the_binomial():
    from zhiyin.statistics.independent import upper_tail

    for hits in range(6):
        assert upper_tail([0.3] * 5, hits) == pytest.approx(
            special.bdtrc(hits - 1, 5, 0.3) if hits else 1
        )


def test_random_signs_are_those_of_the_generator():
    """Unlike sizes get a bit each, eight to a byte; like ones a binomial count of pluses."""
    sizes = np.array([1.0, 2.5, 4.0, 7.0, 0.5, 3.0, 6.0, 8.5, 9.0])
    drawn = np.random.default_rng(3).integers(0, 256, (400, 2), dtype=np.uint8)
    signs = 2.0 * np.unpackbits(drawn, axis=1)[:, :9] - 1
    found = paired._flipped_sums(sizes, 400, np.random.default_rng(3))
    assert found == pytest.approx(signs @ sizes)
    like = np.array([1.0, 2.0, 1.0, 1.0, 2.0])
    up = np.random.default_rng(3).binomial([3, 2], 0.5, (400, 2))
    wanted = (2 * up - [3, 2]) @ [1.0, 2.0]
    assert paired._flipped_sums(like, 400, np.random.default_rng(3)) == pytest.approx(wanted)
    half = paired._flipped_sums(np.array([1.0, 1.0, 2.0, 2.0]), 9, np.random.default_rng(3))
    drawn = np.random.default_rng(3).integers(0, 256, (9, 1), dtype=np.uint8)
    signs = 2.0 * np.unpackbits(drawn, axis=1)[:, :4] - 1
    assert half == pytest.approx(signs @ [1, 1, 2, 2])


def test_sums_that_differ_by_rounding_are_ties():
    one = np.array([0.1, 0.1 + 2e-10, 0.5, 0.3])
    assert items._tau(one, np.array([1.0, 2.0, 4.0, 3.0])) == pytest.approx(
        stats.kendalltau([1, 1, 4, 3], [1, 2, 4, 3]).statistic
    )
    assert items._tau(np.ones(4), np.array([1.0, 2.0, 4.0, 3.0])) == 0
