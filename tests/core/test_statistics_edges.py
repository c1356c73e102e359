"""Figures at the edges of their rules, each against the formula written out once more."""

import itertools
import math

import numpy as np
import pytest
from scipy import special, stats

from zhiyin.errors import InputError
from zhiyin.statistics import choice, intervals, paired, parts


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


@pytest.mark.slow
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
def test_models_are_distinguished_below_alpha_alone(p):
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


# --- people and items --------------------------------------------------------------------------


def test_poisson_binomial_tails_are_those_of_the_binomial():
    from zhiyin.statistics.distributions import upper_tail

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


def test_swaps_of_songs_with_unlike_counts_are_all_tried():
    one, other = np.array([[2.0, 1, 3]]), np.array([[1.0, 1, 0]])
    of_one, of_other = np.array([[4.0, 1, 3]]), np.array([[2.0, 5, 1]])
    found = parts.part_difference(
        made([[1, 1, 1]], one, of_one), made([[1, 1, 1]], other, of_other), "a"
    )
    gaps = []
    for swap in itertools.product((False, True), repeat=3):
        tops, below = np.where(swap, other, one), np.where(swap, of_other, of_one)
        rest = np.where(swap, one, other).sum() / np.where(swap, of_one, of_other).sum()
        gaps.append(abs(tops.sum() / below.sum() - rest))
    assert found.mean == pytest.approx(6 / 8 - 2 / 8)
    assert found.flips.p == np.mean(np.array(gaps) >= abs(found.mean) - 1e-9)


def test_answers_that_are_repeated_alike_tell_what_one_tells():
    rng = np.random.default_rng(6)
    gold = ["ABC"[k] for k in rng.integers(0, 3, 40)]
    chosen = ["ABC"[k] for k in rng.integers(0, 3, 40)]
    once = choice.letter_bias(chosen, gold)
    thrice = choice.letter_bias(chosen * 3, gold * 3, list(range(40)) * 3)
    assert (thrice.units, thrice.answered) == (40, 120)
    for name in ("chosen_against_key", "marginal", "recalls"):
        one, three = getattr(once, name), getattr(thrice, name)
        assert (three.statistic, three.df) == pytest.approx((one.statistic, one.df))
        assert three.enough == one.enough
    assert (thrice.rstd, thrice.rstd_by_chance) == pytest.approx((once.rstd, once.rstd_by_chance))


def test_an_interval_is_one_of_95_percent():
    assert intervals.Interval(0.5, 0, 1, math.inf, 1, 1, "t").level == 0.95


def test_a_total_of_all_is_at_most_1():
    """Shares of a total may sum to a little more than 1 in floating point."""
    rng = np.random.default_rng(1)
    above = [w for w in rng.random((200, 7)) if sum(w / w.sum()) > 1]
    assert above
    for weights in above[:5]:
        all_right = np.full((7, 2), 3.0)
        scored = np.ones((7, 2), dtype=bool)
        run = parts.Parts(
            tuple("abcdefg"), tuple(weights), ("1", "2"), all_right, all_right, scored
        )
        found = parts.part_interval(run, parts.TOTAL)
        assert found.mean == found.high == 1


def test_an_interval_is_shown_on_one_line_with_what_it_rests_on():
    one = intervals.Interval(0.5, 0.25, 0.75, 0.1, 9, 9, "wilson")
    assert repr(one) == "Interval(0.5, 0.25 to 0.75, n=9, wilson)"
    other = intervals.Interval(1 / 3, 0.1, 0.9, 0.1, 9, 4, "t", 0.8)
    assert repr(other) == "Interval(0.3333, 0.1 to 0.9, n=9, clusters=4, t, level=0.8)"
