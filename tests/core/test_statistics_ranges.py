"""What is refused, and what at the very edge of a range is not."""

import math

import pytest

from zhiyin.errors import InputError
from zhiyin.statistics import intervals, paired, planning

NAN, INF, MOST = math.nan, math.inf, planning.MOST


def plan(**more):
    return planning.items_needed(0.1, 0.2, **more)


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
        ({"design_effect": 1e9}, {"design_effect": INF}),
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
        found = planning.items_needed(difference, between, design_effect=effect)
        factor = 1.959963984540054 + 0.8416212335729143
        assert found.n == max(1, math.ceil(factor**2 * between * effect / difference**2))
        assert found.detectable <= difference
        assert found.se == pytest.approx(math.sqrt(between * effect / found.n))
        assert (found.variance, found.design_effect) == (between, effect)
        assert (found.power, found.alpha) == (0.8, 0.05)


@pytest.mark.parametrize("level", [0.0, 1.0, 1.5, -0.5, NAN])
def test_a_level_that_is_none_is_refused_by_every_interval(level):
    for method, rows in (
        ("wilson", [1, 0]),
        ("t", [1, 5]),
        ("bootstrap", [1, 5]),
        ("auto", [1, 0.5]),
    ):
        with pytest.raises(InputError, match="level"):
            intervals.interval(rows, level=level, method=method)
    with pytest.raises(InputError, match="level"):
        paired.paired_difference([1, 0], [0, 1], level=level)
