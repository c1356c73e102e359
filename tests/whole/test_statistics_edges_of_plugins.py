"""Figures at the edges of their rules, each against the formula written out once more."""

import inspect
import itertools

import numpy as np
import pytest
from scipy import stats

from zhiyin.plugins.methods import agreement, audit, calibration, choice, crossed, items, planning
from zhiyin.plugins.music import psychometric
from zhiyin.statistics import intervals, paired, parts
from zhiyin.statistics.choice import letter_bias

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
    (audit.clopper_pearson, {"level": 0.95}),
    (audit.stratified_rate, {"level": 0.95}),
    (audit.corrected_accuracy, {"level": 0.95}),
    (audit.allocate, {"least": 2}),
    (
        agreement.krippendorff_alpha,
        {"level": "nominal", "clusters": None, "confidence": 0.95},
    ),
    (agreement.cohen_kappa, {"weights": "none", "categories": None, "confidence": 0.95}),
    (calibration.length_correlation, {"confidence": 0.95}),
    (calibration.prediction_powered, {"tuned": True, "confidence": 0.95}),
    (agreement.intraclass, {"confidence": 0.95}),
    (agreement.jackknife_ends, {"judges": 2.0, "level": 0.95}),
    (calibration.calibration, {"bins": 10, "binning": "width", "clusters": None}),
    (calibration.brier, {"bins": None, "binning": "width"}),
    (letter_bias, {"items": None}),
    (choice.chance_corrected, {"clusters": None, "level": 0.95}),
    (choice.consistency, {"clusters": None, "level": 0.95}),
    (crossed.crossed_mean, {"level": 0.95, "clusters": None, "against": None}),
    (crossed.pigeonhole, {"draws": 1999, "level": 0.95, "seed": 0}),
    (items.shorter, {"keep": None}),
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


@pytest.mark.parametrize("lost", [1, 2])
def test_a_bootstrap_that_gives_nothing_in_a_tenth_of_draws_is_none(lost):
    """Twenty draws: one may give nothing, two may, three may not."""
    for empty in (lost, 3):
        calls = iter([None] * empty + [0.5] * 20)
        found = crossed.pigeonhole("ab", "xy", lambda a, b: next(calls), draws=20)  # noqa: B023
        assert found == (None if empty == 3 else (0.5, 0.5))


# --- judges ------------------------------------------------------------------------------------


def test_a_tuned_judge_weighs_at_most_all_and_at_least_nothing():
    judge, elsewhere = [0.1, 0.2, 0.3, 0.4], [0.2, 0.3]
    assert calibration.prediction_powered([0.3, 0.6, 0.9, 1.2], judge, elsewhere).weight == 1
    assert calibration.prediction_powered([0.9, 0.6, 0.3, 0.0], judge, elsewhere).weight == 0
    y, f = np.array([0.1, 0.0, 0.3, 0.1]), np.array(judge)
    wanted = np.cov(y, f)[0, 1] / (3 * np.var([*judge, *elsewhere], ddof=1))
    assert calibration.prediction_powered(y, f, elsewhere).weight == pytest.approx(wanted)


def test_two_zeros_agree_on_a_ratio_scale():
    found = agreement.krippendorff_alpha([[0, 0, 1, 3], [0, 2, 1, 1]], "ratio")
    assert found.observed == pytest.approx((0 + 1 + 0 + 0.25) / 4)
    values = [0, 0, 1, 3, 0, 2, 1, 1]
    gaps = [((a - b) / (a + b)) ** 2 for a, b in itertools.permutations(values, 2) if a + b]
    assert found.expected == pytest.approx(sum(gaps) / 56)


def test_sums_that_differ_by_rounding_are_ties():
    one = np.array([0.1, 0.1 + 2e-10, 0.5, 0.3])
    assert items._tau(one, np.array([1.0, 2.0, 4.0, 3.0])) == pytest.approx(
        stats.kendalltau([1, 1, 4, 3], [1, 2, 4, 3]).statistic
    )
    assert items._tau(np.ones(4), np.array([1.0, 2.0, 4.0, 3.0])) == 0
