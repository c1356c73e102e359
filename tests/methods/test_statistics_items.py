"""Statistics of items: simulated truth is found again, and each figure is that of its formula."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from zhiyin.plugins.methods import ability, items
from zhiyin.plugins.methods.items import shorter


def simulated(n, k, seed=1, slope=None):
    rng = np.random.default_rng(seed)
    able = rng.normal(size=n)
    slopes = np.exp(rng.normal(0, 0.35, k)) if slope is None else np.full(k, slope)
    places = rng.normal(0, 1, k)
    chance = 1 / (1 + np.exp(-slopes * (able[:, None] - places)))
    return (rng.random((n, k)) < chance).astype(float), slopes, places, able


@pytest.mark.parametrize(("model", "n"), [("2PL", 250), ("Rasch", 100)])
def test_places_hold_as_often_as_they_say(model, n):
    """Of two parameters 86 % did, since the slopes were taken as known."""
    held = []
    for seed in range(8):
        scores, _, places, _ = simulated(n, 20, seed, None if model == "2PL" else 1.1)
        found = items.fit(scores, model)
        held.append(np.abs(np.array(found.places) - places) <= 1.96 * np.array(found.errors))
    assert np.mean(held) >= 0.9


def test_a_two_parameter_model_finds_the_truth():
    scores, slopes, places, _ = simulated(500, 30)
    found = items.fit(scores, "2PL")
    assert found.converged
    assert np.corrcoef(slopes, found.slopes)[0, 1] > 0.85
    assert np.corrcoef(places, found.places)[0, 1] > 0.97
    assert abs(np.mean(np.array(found.slopes) / slopes) - 1) < 0.15


def test_a_rasch_model_finds_the_truth():
    scores, _, places, _ = simulated(150, 30, slope=1.3)
    found = items.fit(scores, "Rasch")
    assert found.converged
    assert abs(found.slopes[0] - 1.3) < 0.3
    assert np.abs(np.array(found.places) - places).mean() < 0.3


def test_difficulty_and_discrimination():
    scores, _, places, ability = simulated(400, 20, seed=2)
    scores[:, 0] = ability < 0  # an item that the weak get right
    assert np.corrcoef(items.difficulty(scores)[1:], places[1:])[0, 1] < -0.95
    found = items.discrimination(scores)
    assert found[0] < -0.3
    assert (found[1:] > 0.1).all()


def test_items_that_separate():
    rng = np.random.default_rng(3)
    people, models = rng.random((30, 10)) < 0.5, rng.random((30, 10)) < 0.5
    people[:, 4], models[:, 4] = True, False
    found = items.apart(people.astype(float), models.astype(float))
    assert [one.item for one in found] == [4]


def test_a_shorter_set_states_its_loss():
    scores, *_ = simulated(40, 60, seed=4)
    found = items.shorter(scores, 10)
    assert len(found.items) == 10
    assert found.tau > found.tau_new  # the choice flatters those it was made by
    assert items.shorter(scores[:3]) is None


def test_a_shorter_test_is_tried_on_people_who_were_left_out():
    rng = np.random.default_rng(2)
    ability = rng.normal(size=23)
    table = (rng.random((23, 8)) < 1 / (1 + np.exp(-ability[:, None] + rng.normal(size=8)))) * 1.0
    found = shorter(table, 3)
    assert found is not None
    taus = []
    for fifth in range(5):
        out = np.arange(23) % 5 == fifth
        chosen = shorter(table[~out], 3).items
        taus.append(stats.kendalltau(table[out][:, chosen].sum(axis=1), table[out].sum(axis=1))[0])
    assert found.tau_new == pytest.approx(np.mean(np.nan_to_num(taus)))


def test_items_are_taken_until_they_rank_alike():
    """Of four like items one is enough, where nobody says how many to keep."""
    ranks = np.array([0.1, 0.5, 0.3, 0.9, 0.7])
    whole = np.column_stack([ranks] * 4)
    assert items.shorter(whole).items == [0]
    assert items.shorter(whole, 3).items == [0, 1, 2]
    assert items.shorter(np.column_stack([ranks, [1, 0, 0, 0, 0], [np.nan] * 5])).items == [1, 0]


def test_greedy_choice_is_that_of_the_best_correlation():
    held = (np.random.default_rng(7).random((12, 5)) < 0.6).astype(float)
    total, taken = held.sum(axis=1), []
    for _ in range(3):
        left = [k for k in range(5) if k not in taken]
        taken.append(
            max(left, key=lambda k: np.corrcoef(held[:, [*taken, k]].sum(axis=1), total)[0, 1])
        )
    found = items.shorter(held, 3)
    assert found.items == taken
    part, whole = held[:, taken].mean(axis=1), held.mean(axis=1)
    assert found.tau == pytest.approx(stats.kendalltau(part.round(9), whole.round(9)).statistic)
    assert found.error == pytest.approx(np.abs(part - whole).max())


@pytest.mark.parametrize("n", [3, 4, 9, 10])
def test_how_many_participants_are_needed(n):
    held = (np.arange(n)[:, None] * [1, 2, 3] % 7 / 6).round(2)
    assert (items.shorter(held) is None) == (n < 4)
    assert (items.reliability(held) is None) == (n < 4)
    assert np.isnan(items.discrimination(held)).all() == (n < 4)
    if n >= 4:
        assert (items.shorter(held).tau_new is None) == (n < 10)


def test_reliability_is_cronbachs_alpha():
    held = np.random.default_rng(3).random((6, 4))
    between = np.cov(held.T)
    assert items.reliability(held) == pytest.approx(4 / 3 * (1 - np.trace(between) / between.sum()))
    assert items.reliability(held[:, :1]) is None
    assert items.reliability(np.tile([[0.0], [1.0]], (3, 2))) == pytest.approx(1)
    assert items.reliability(np.ones((6, 2))) is None


def test_ability_is_warms_estimate():
    """Weighted likelihood by brute force: its slope is 0 at the estimate."""
    bank = [ability.BankItem(1.2, -0.5, 0.0, 1.0), ability.BankItem(0.8, 0.4, 0.0, 1.0)] * 3
    right = [True, False, True, True, False, True]
    found = ability.estimate(zip(bank, right, strict=True))

    def slope(theta):
        p = np.array([1 / (1 + math.exp(-i.a * (theta - i.b))) for i in bank])
        a = np.array([i.a for i in bank])
        score = float(np.sum(a * (np.array(right) - p)))
        j, information = np.sum(a**3 * p * (1 - p) * (1 - 2 * p)), np.sum(a**2 * p * (1 - p))
        return score + float(j / (2 * information))

    theta = optimize.brentq(slope, -4, 4)
    assert found.theta == pytest.approx(theta, abs=0.0026)
    p = np.array([1 / (1 + math.exp(-i.a * (theta - i.b))) for i in bank])
    wanted = 1 / math.sqrt(np.sum(np.array([i.a for i in bank]) ** 2 * p * (1 - p)))
    assert found.se == pytest.approx(wanted, rel=2e-3)
    assert (found.right, found.answers) == (4, 6)
    assert -4 < found.lower < found.theta < found.upper < 4


def test_derivatives_of_a_chance():
    item, at, h = ability.BankItem(1.3, 0.2, 0.2, 0.9), np.array([-1.0, 0.0, 1.5]), 1e-4
    p, first, second = ability.chances(item, at)
    below, above = ability.chances(item, at - h)[0], ability.chances(item, at + h)[0]
    assert first == pytest.approx((above - below) / (2 * h), rel=1e-6)
    assert second == pytest.approx((above - 2 * p + below) / h**2, rel=1e-4)
    assert ability.information(item, at) == pytest.approx(first**2 / (p * (1 - p)))


def test_models_for_so_many_participants():
    found = [items.which_model(n) for n in (0, 99, 100, 249, 250)]
    assert found == ["", "", "Rasch", "Rasch", "2PL"]


def test_a_wrong_option_is_dead_where_chance_would_have_chosen_it():
    """(1 - 1 / others) ^ wrong below 5 %: with three others from eight wrong answers on."""
    assert [items.is_dead(0, n, 4) for n in (7, 8)] == [False, True]
    assert [items.is_dead(0, n, 3) for n in (4, 5)] == [False, True]
    assert not items.is_dead(1, 99, 4)
    assert not items.is_dead(0, 99, 2)


def test_items_stand_apart_below_five_percent_after_holm():
    """Five against none of five: Fisher's p is 2 / 252; of two such items twice that."""
    first, second = np.ones((5, 1)), np.zeros((5, 1))
    (only,) = items.apart(first, second)
    assert (only.item, only.first, only.second) == (0, 1, 0)
    assert only.p == pytest.approx(2 / 252)
    both = items.apart(np.tile(first, (1, 2)), np.tile(second, (1, 2)))
    assert [each.p for each in both] == pytest.approx([4 / 252] * 2)
    assert items.apart(np.tile(first, (1, 7)), np.tile(second, (1, 7))) == []
    half = np.full((5, 1), 0.5)
    assert items.apart(first, half)[0].second == 0
    assert items.apart(np.full((5, 1), np.nan), second) == []


def test_people_who_answered_one_item_tell_nothing_of_the_rest():
    rng = np.random.default_rng(3)
    scores = (rng.random((9, 4)) < 0.6).astype(float)
    alone = np.full((2, 4), np.nan)
    alone[0, 0], alone[1, 2] = 1.0, 0.0
    assert items.discrimination(np.vstack([scores, alone])) == pytest.approx(
        items.discrimination(scores)
    )


def test_an_item_against_equal_rests_has_no_discrimination():
    held = np.array([[1.0, 1, 1], [0, 1, 1], [1, 1, 1], [0, 1, 1]])
    assert np.isnan(items.discrimination(held)).all()
    held[1, 2] = 0
    assert items.discrimination(held)[[0, 2]] == pytest.approx([3**-0.5] * 2)


def test_an_item_that_nobody_was_asked_has_no_difficulty():
    held = np.array([[1.0, np.nan, 0.5], [0.0, np.nan, np.nan]])
    assert items.difficulty(held).tolist()[::2] == [0.5, 0.5]
    assert np.isnan(items.difficulty(held)[1])


def test_discrimination_is_the_correlation_with_the_mean_of_the_others():
    held = np.random.default_rng(9).random((7, 4)).round(2)
    held[2, 3] = np.nan
    for item in range(4):
        asked = ~np.isnan(held[:, item])
        rest = np.nanmean(np.delete(held, item, axis=1)[asked], axis=1)
        wanted = np.corrcoef(held[asked, item], rest)[0, 1]
        assert items.discrimination(held)[item] == pytest.approx(wanted)


def test_groups_are_compared_on_what_both_were_asked():
    first = np.array([[1.0, np.nan]] * 6 + [[0.5, 1.0]])
    second = np.array([[0.0, 0.0]] * 7)
    (found,) = items.apart(first, second)
    assert (found.item, found.first, found.second) == (0, pytest.approx(6 / 7), 0)
    assert found.p == pytest.approx(2 * stats.fisher_exact([[6, 1], [0, 7]]).pvalue)


def test_a_fit_says_how_sure_it_is_and_when_it_has_settled():
    scores, *_ = simulated(120, 6, seed=5, slope=1.0)
    scores[:60, 0] = np.nan  # asked of half of them
    found = items.fit(scores, "Rasch")
    assert (found.model, found.participants) == ("Rasch", 120)
    assert 1 < found.rounds < items._ROUNDS
    assert found.errors[0] > 1.3 * max(found.errors[1:])
    assert len(set(found.slopes)) == 1
    assert len(set(items.fit(scores, "2PL").slopes)) == 6
