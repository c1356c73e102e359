"""Planning against worked examples, its own inverse, and simulated power."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from zhiyin.errors import InputError
from zhiyin.plugins.methods.planning import (
    MOST,
    design_effect,
    detectable_difference,
    items_needed,
    margin,
    paired_variance,
)
from zhiyin.statistics.intervals import wilson
from zhiyin.statistics.paired import paired_difference


def test_worked_examples_of_1187_questions():
    """Accuracy 0.6: ±2.8 points; paired at correlation 0.5 and 80 % power: 4.0 points."""
    assert round(100 * margin(1187, 0.6), 1) == 2.8
    found = detectable_difference(1187, paired_variance(0.6, 0.6, 0.5))
    assert round(100 * found.detectable, 1) == 4.0


def test_a_margin_is_half_an_interval_also_where_all_is_right():
    for n, p in ((40, 0.3), (40, 1.0), (40, 0.0)):
        found = wilson(n * p, n)
        assert margin(n, p) == pytest.approx((found.high - found.low) / 2)
    assert margin(80, 0.5, design_effect=2) == pytest.approx(margin(40, 0.5))


def test_items_needed_is_the_formula():
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    found = items_needed(
        0.03, 1 / 9, noise_a=1 / 6, noise_b=0.1, repeats_a=2, repeats_b=5, design_effect=1.4
    )
    exact = z**2 * (1 / 9 + 1 / 12 + 0.02) * 1.4 / 0.03**2
    assert found.n == int(np.ceil(exact))
    assert found.detectable <= 0.03


@given(
    st.integers(1, 100_000),
    st.floats(0.001, 1),
    st.floats(0, 1),
    st.integers(1, 20),
    st.floats(1, 10),
    st.floats(0.5, 0.99),
)
def test_the_two_ways_round(n, between, noise, repeats, inflated, power):
    settings = {
        "noise_a": noise, "repeats_a": repeats, "design_effect": inflated, "power": power,
    }  # fmt: skip
    found = detectable_difference(n, between, **settings)
    assert items_needed(found.detectable, between, **settings).n == n
    assert items_needed(found.detectable / 2, between, **settings).n == pytest.approx(4 * n, abs=1)


def test_planned_items_have_the_power():
    """Simulated: items planned for 5 points find them in four of five comparisons."""
    rng = np.random.default_rng(1)
    p_a, p_b, shared = 0.65, 0.6, 0.5
    # with the same draw for a share of items, the correlation follows from the joint chance
    joint = shared * p_b + (1 - shared) * p_a * p_b
    r = (joint - p_a * p_b) / np.sqrt(p_a * (1 - p_a) * p_b * (1 - p_b))
    n = items_needed(0.05, paired_variance(p_a, p_b, r)).n
    hits = 0
    for _ in range(400):
        u, v = rng.random(n), rng.random(n)
        two = np.where(rng.random(n) < shared, u, v)
        hits += paired_difference(u < p_a, two < p_b).p < 0.05
    assert hits / 400 == pytest.approx(0.8, abs=0.06)


def test_paired_variance_is_that_of_the_differences():
    rng = np.random.default_rng(4)
    u = rng.random(200_000)
    a, b = (
        (u < 0.7).astype(float),
        (np.where(rng.random(200_000) < 0.5, u, rng.random(200_000)) < 0.5),
    )
    r = np.corrcoef(a, b)[0, 1]
    assert paired_variance(a.mean(), b.mean(), r) == pytest.approx(np.var(a - b))


def test_design_effect_is_what_clusters_do():
    rng = np.random.default_rng(6)
    icc, size, clusters = 0.3, 5, 400
    ease = rng.beta(0.5 * (1 / icc - 1), 0.5 * (1 / icc - 1), (500, clusters))
    means = rng.binomial(size, ease).sum(axis=1) / (size * clusters)
    observed = means.var() / (0.25 / (size * clusters))
    assert design_effect(size, icc) == pytest.approx(2.2)
    assert observed == pytest.approx(2.2, rel=0.2)
    assert design_effect(1, 0.9) == 1


def test_unequal_clusters_cost_more():
    """The sum of squared sizes decides: 1 + (sum m² / sum m - 1) r."""
    sizes = np.array([1, 2, 3, 4, 10])
    by_hand = 1 + (np.sum(sizes**2) / sizes.sum() - 1) * 0.3
    assert design_effect(4, 0.3, sizes.std() / sizes.mean()) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: items_needed(0, 0.2), "above 0"),
        (lambda: items_needed(0.1, -0.2), "below 0"),
        (lambda: items_needed(0.1, 0.2, repeats_b=0), "at least once"),
        (lambda: items_needed(0.1, 0.2, design_effect=0), "design effect"),
        (lambda: items_needed(0.1, 0.2, power=1.2), "power"),
        (lambda: detectable_difference(0, 0.2), "at least 1"),
        (lambda: paired_variance(1.2, 0.5, 0), "outside"),
        (lambda: paired_variance(0.2, 0.5, 2), "correlation"),
        (lambda: design_effect(0.5, 0.1), "at least 1"),
        (lambda: design_effect(2, 1.1), "intra-cluster"),
        (lambda: margin(0, 0.5), "at least 1"),
        (lambda: items_needed(0.1, paired_variance(1, 1, 0.5)), "nothing can be planned"),
    ],
)
def test_bad_input_is_one_line(call, words):
    with pytest.raises(InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def plan(**more):
    return items_needed(0.1, 0.2, **more)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ({"repeats_a": 1, "repeats_b": 1}, {"repeats_a": 0}),
        ({"repeats_a": MOST}, {"repeats_a": MOST + 1}),
        ({"repeats_b": MOST}, {"repeats_b": MOST + 1}),
        ({"repeats_b": 2}, {"repeats_b": 0}),
        ({"noise_a": 0.0}, {"noise_a": -1e-9}),
        ({"noise_b": 0.0}, {"noise_b": -1e-9}),
        ({"design_effect": 1e-6}, {"design_effect": 0.0}),
        ({"design_effect": 1e9}, {"design_effect": math.inf}),
        ({"power": 0.999}, {"power": 1.0}),
        ({"alpha": 0.001}, {"alpha": 0.0}),
    ],
)
def test_plans_are_made_within_their_ranges_alone(right, wrong):
    assert plan(**right).n >= 1
    with pytest.raises(InputError):
        plan(**wrong)


def test_a_plan_has_the_least_whole_number_of_items():
    for difference, between, effect in ((0.1, 0.2, 1.0), (0.03, 0.25, 2.5), (0.9, 0.01, 1.0)):
        found = items_needed(difference, between, design_effect=effect)
        factor = 1.959963984540054 + 0.8416212335729143
        assert found.n == max(1, math.ceil(factor**2 * between * effect / difference**2))
        assert found.detectable <= difference
        assert found.se == pytest.approx(math.sqrt(between * effect / found.n))
        assert (found.variance, found.design_effect) == (between, effect)
        assert (found.power, found.alpha) == (0.8, 0.05)


def test_clusters_that_are_all_alike_inflate_fully():
    assert design_effect(5, 1.0) == 5
    assert design_effect(1, 0.0, 2.0) == 1
