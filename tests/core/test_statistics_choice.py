"""Multiple-choice health against scipy, statsmodels, hand arithmetic and simulation."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from zhiyin.errors import InputError
from zhiyin.statistics import choice
from zhiyin.statistics.choice import letter_bias

RNG = np.random.default_rng(11)


@pytest.fixture(autouse=True)
def _same_numbers_in_any_order():
    RNG.bit_generator.state = np.random.default_rng(11).bit_generator.state


LETTERS = np.array(list("ABCD"))


def answers(n, right, favour=0.0):
    """A model that knows a share of the items and otherwise guesses, with a liking for A."""
    gold = RNG.choice(LETTERS, n)
    guess = np.where(RNG.random(n) < favour, "A", RNG.choice(LETTERS, n))
    return np.where(RNG.random(n) < right, gold, guess).tolist(), gold.tolist()


def test_letter_counts_and_rstd_by_hand():
    chosen = ["A", "A", "B", None, "A", "C"]
    gold = ["A", "B", "B", "B", "C", "C"]
    found = letter_bias(chosen, gold)
    assert [(x.letter, x.chosen, x.gold) for x in found.letters] == [
        ("A", 3, 1), ("B", 1, 3), ("C", 1, 2),
    ]  # fmt: skip
    recalls = [1, 1 / 3, 1 / 2]
    assert [x.recall for x in found.letters] == pytest.approx(recalls)
    assert (found.rstd, found.rare) == (None, ("A", "B", "C"))  # one answer would decide a recall
    five = letter_bias(chosen * 5, gold * 5)
    assert (five.rstd, five.rare) == (pytest.approx(np.std(recalls)), ())
    assert letter_bias(chosen * 5, gold * 5, [*range(6)] * 5).rare == ("A", "B", "C")
    one = letter_bias([*chosen * 5, "E", "D"], [*gold * 5, "E", "E"])
    assert (one.rstd, one.rstd_by_chance) == (five.rstd, five.rstd_by_chance)
    assert (one.rare, one.recalls) == (("E",), five.recalls)
    assert (found.answered, found.unanswered) == (5, 1)
    assert not found.chosen_against_key.enough


def test_chi_squares_equal_scipy():
    chosen, gold = answers(400, 0.4, 0.3)
    found = letter_bias(chosen, gold)
    took = [chosen.count(x) for x in LETTERS]
    held = [gold.count(x) for x in LETTERS]
    other = stats.chisquare(took, held)
    assert found.chosen_against_key.statistic == pytest.approx(other.statistic)
    assert found.chosen_against_key.p == pytest.approx(other.pvalue)
    hits = [sum(c == g == x for c, g in zip(chosen, gold, strict=True)) for x in LETTERS]
    table = [hits, [h - x for h, x in zip(held, hits, strict=True)]]
    recalls = stats.chi2_contingency(table, correction=False)
    assert found.recalls.statistic == pytest.approx(recalls.statistic)
    assert found.recalls.df == 3
    assert found.recalls.p == pytest.approx(recalls.pvalue)


def brute_stuart_maxwell(chosen, gold):
    """Without the last letter, by solving the system."""
    table = np.array([[sum((c, g) == (x, y) for c, g in zip(chosen, gold, strict=True))
                       for y in LETTERS] for x in LETTERS], float)  # fmt: skip
    gap = (table.sum(1) - table.sum(0))[:-1]
    cov = -(table + table.T)
    np.fill_diagonal(cov, table.sum(1) + table.sum(0) - 2 * np.diag(table))
    return float(gap @ np.linalg.solve(cov[:-1, :-1], gap))


def test_marginal_test_equals_brute_force_and_statsmodels():
    chosen, gold = answers(300, 0.5, 0.4)
    found = letter_bias(chosen, gold).marginal
    assert found.df == 3
    assert found.statistic == pytest.approx(brute_stuart_maxwell(chosen, gold))
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    counts = np.array([[sum((c, g) == (x, y) for c, g in zip(chosen, gold, strict=True))
                        for y in LETTERS] for x in LETTERS])  # fmt: skip
    other = tables.SquareTable(counts, shift_zeros=False).homogeneity("stuart_maxwell")
    assert found.statistic == pytest.approx(other.statistic)
    assert found.p == pytest.approx(other.pvalue)


@pytest.mark.slow
def test_a_liking_for_a_is_found_and_its_absence_is_not():
    biased = letter_bias(*answers(500, 0.3, 0.4))
    assert max(biased.chosen_against_key.p, biased.marginal.p, biased.recalls.p) < 1e-4
    assert biased.rstd > 3 * biased.rstd_by_chance
    p = [letter_bias(*answers(400, 0.3)).marginal.p for _ in range(300)]
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.035)


@pytest.mark.slow
def test_rstd_by_chance_is_what_an_unbiased_model_shows():
    found = [letter_bias(*answers(200, 0.5)) for _ in range(300)]
    shown = math.sqrt(np.mean([one.rstd**2 for one in found]))
    assert shown == pytest.approx(np.mean([one.rstd_by_chance for one in found]), rel=0.08)


@given(
    st.lists(st.tuples(st.sampled_from(["A", "B", "C", None]), st.sampled_from("ABC")), min_size=1)
)
def test_letter_bias_does_not_depend_on_order(rows):
    chosen, gold = zip(*rows, strict=True)
    found, again = letter_bias(chosen, gold), letter_bias(chosen[::-1], gold[::-1])
    assert found.letters == again.letters
    assert (found.rstd is None) == (sum(times >= 5 for times in Counter(gold).values()) < 2)
    if found.marginal:
        assert found.marginal.statistic == pytest.approx(again.marginal.statistic)
    assert sum(x.chosen for x in found.letters) + found.unanswered == len(rows)


def test_a_letter_that_is_never_gold_leaves_no_chi_square():
    found = letter_bias(["D", "A", "B"], ["A", "A", "B"])
    assert found.chosen_against_key is None
    assert found.letters[-1].recall is None


def test_repeats_are_not_taken_for_further_items():
    rng = np.random.default_rng(1)
    gold = rng.choice(list("ABCD"), 60)
    chosen = np.where(rng.random(60) < 0.25, "A", rng.choice(list("ABCD"), 60))
    once = letter_bias(list(chosen), list(gold))
    thrice = letter_bias(list(chosen) * 3, list(gold) * 3, list(range(60)) * 3)
    assert thrice.answered == 180
    assert (once.units, thrice.units) == (60, 60)
    for name in ("chosen_against_key", "marginal", "recalls"):
        one, other = getattr(once, name), getattr(thrice, name)
        assert other.statistic == pytest.approx(one.statistic)
        assert (other.df, other.enough) == (one.df, one.enough)
    assert thrice.rstd_by_chance == pytest.approx(once.rstd_by_chance)
    alone = letter_bias(list(chosen) * 3, list(gold) * 3)
    assert alone.marginal.statistic == pytest.approx(3 * once.marginal.statistic)


def _repeated(rng, favour):
    """80 items asked four times, nearly always with the same answer."""
    gold = rng.permutation(list("ABCD" * 20))
    chosen = np.where(rng.random(80) < favour, "A", rng.choice(list("ABCD"), 80))
    gold, chosen = np.repeat(gold, 4), np.repeat(chosen, 4)
    slips = rng.random(320) < 0.1
    chosen[slips] = rng.choice(list("ABCD"), int(slips.sum()))
    return letter_bias(list(chosen), list(gold), list(np.repeat(np.arange(80), 4)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chosen_against_key", "marginal", "recalls"])
def test_repeats_give_no_more_false_alarms_than_said_and_hide_no_bias(name):
    rng = np.random.default_rng(2)
    alarms = sum(getattr(_repeated(rng, 0.0), name).p < 0.05 for _ in range(300))
    assert alarms <= 300 * 0.09
    assert sum(getattr(_repeated(rng, 0.5), name).p < 0.05 for _ in range(50)) >= 40


def test_answers_for_other_items_are_refused_in_one_line():
    with pytest.raises(InputError, match="1 chosen letters for 2") as caught:
        letter_bias(["A"], ["A", "B"])
    assert "\n" not in str(caught.value)


# Statistics -------------------------------------------------------------------------------------
def test_letters_of_unlike_numbers_are_refused():
    with pytest.raises(InputError):
        choice.letter_bias(["A", "B"], ["A", "B"], ["one"])
    with pytest.raises(InputError):
        choice.letter_bias(["A"], ["A", "B"])


def test_two_letters_are_enough_for_a_test():
    found = choice.letter_bias(["A"] * 8 + ["B"] * 2, ["A", "B"] * 5)
    assert found.chosen_against_key is not None
    assert found.chosen_against_key.df == 1
    assert found.chosen_against_key.statistic == pytest.approx(9 / 5 + 9 / 5)
    assert choice.ENOUGH == 5.0
