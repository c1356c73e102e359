"""Thresholds: the posterior, the next level, the staircase and the function of a listener."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr

from threshold_help import Simulated
from zhiyin.plugins.music import psychometric
from zhiyin.plugins.music.hearing import BY_NAME
from zhiyin.plugins.music.psychometric import (
    BIASES,
    GAIN,
    LAPSES,
    SLOPES,
    Ladder,
    ThresholdAnswer,
    climb,
    fit,
    open_grid,
)

METHODS = ("two-interval", "yes-no")
SMALL = Ladder((1.0, 3.0, 10.0, 30.0))


@pytest.mark.parametrize("method", METHODS)
def test_posterior_and_next_level_are_those_of_an_ideal_observer(method):
    """Bayes' rule and the expected entropy, written out with no sum shared with the source."""
    grid = open_grid(SMALL, method)
    cells = [(t, s, l, c) for t in grid.places for s in SLOPES for l in LAPSES for c in BIASES]  # noqa: E741
    t, s, l, c = np.array(cells).T  # noqa: E741
    prior = np.array([0.02, 0.06, 0.12, 0.18, 0.24, 0.18, 0.12, 0.06, 0.02])
    belief = np.tile(prior, len(cells) // len(prior)) * len(prior) / len(cells)
    belief /= belief.sum()

    def later_said(level, later):
        d = np.minimum((level / 10**t) ** s, 8.0)
        return l / 2 + (1 - l) * ndtr((1 if later else -1) * GAIN[method] * d - c)

    def entropy(weights):
        kept = weights[weights > 0]
        return -(kept * np.log(kept)).sum()

    weights, draw = grid.prior, np.random.default_rng(3)
    for _ in range(8):
        expected = []
        for level in SMALL.levels:
            total = 0.0
            for later in (False, True):
                p = later_said(level, later)
                for chance in (p, 1 - p):
                    joint = belief * chance
                    total += 0.5 * joint.sum() * entropy(joint / joint.sum())
            expected.append(total)
        best = grid.best(weights)
        assert expected[best] <= min(expected) + 2e-5
        level, later = SMALL.levels[best], bool(draw.integers(2))
        said = bool(draw.random() < 0.7) == later
        chance = later_said(level, later)
        belief = belief * (chance if said else 1 - chance)
        belief /= belief.sum()
        weights = grid.moved(weights, ThresholdAnswer(level, later, said))
        assert np.abs(weights - belief).max() < 1e-6


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize("method", METHODS)
def test_simulated_listeners_get_their_threshold_back(method):
    found = Simulated(BY_NAME["melody-memory"].ladder, method, 50, 5, most=25)
    off, error = found.bias
    assert abs(off) < 4 * error
    assert found.coverage > 0.85
    fixed = Simulated(SMALL, method, 30, 6, most=25, truth=0.5, slope=1.0, lapse=0.05, bias=0.0)
    assert np.median(np.abs(fixed.found - 0.5)) < 0.4


def test_a_bias_is_distinguished_from_hearing():
    draw = np.random.default_rng(2)
    ladder, rows = BY_NAME["pitch"].ladder, []
    for _ in range(400):
        level, later = float(draw.choice(ladder.levels)), bool(draw.integers(2))
        d = min(level / 20.0, 8.0)
        rows.append(
            ThresholdAnswer(
                level, later, bool(draw.random() < ndtr((1 if later else -1) * d / 2**0.5 - 1))
            )
        )
    found = fit(ladder, "two-interval", rows)
    assert found.bias == pytest.approx(1.0, abs=0.25)
    assert found.lower < 20 < found.upper
    assert found.upper / found.lower < 3


def test_the_staircase_settles_where_three_of_four_are_right():
    draw, ladder = np.random.default_rng(4), BY_NAME["pitch"].ladder
    place, seen = len(ladder.levels) - 1, []
    for _ in range(4000):
        level = ladder.levels[place]
        right = bool(draw.random() < ndtr(min(level / 20, 8) / 2**0.5))
        seen.append(right)
        place = climb(ladder.levels, place, right, "less")
    assert np.mean(seen[100:]) == pytest.approx(0.75, abs=0.02)
    assert climb((1.0, 2.0), 0, True, "less") == 0
    assert climb((2.0, 3.0), 0, True, "more") == 1


def test_the_psychometric_function_by_hand():
    method = next(iter(psychometric.GAIN))
    ladder = psychometric.Ladder((1.0, 2.0, 4.0))
    found = SimpleNamespace(slope=1.0, lapse=0.0, place=ladder.place(2.0))
    at = psychometric.chance_of_right(found, ladder, method, 2.0)
    from scipy.special import ndtr

    assert at == pytest.approx(float(ndtr(psychometric.GAIN[method])))
    off = ladder.place(4.0) - ladder.place(2.0)
    high = psychometric.chance_of_right(found, ladder, method, 4.0)
    assert high == pytest.approx(
        float(ndtr(psychometric.GAIN[method] * min(10.0**off, psychometric._MOST)))
    )


@pytest.mark.parametrize("method", ["two-interval", "yes-no"])
def test_the_psychometric_function_is_the_model(method):
    ladder = psychometric.Ladder((0.5, 1.0, 4.0))
    found = psychometric.Threshold(1, 0, 2, 0.0, -1, 1, 1.5, 0.1, 0.3, 0.1, 9, "")
    for level in (0.1, 0.5, 1.0, 2.0, 100.0):
        strength = min(level**1.5, 8) * (2**-0.5 if method == "two-interval" else 0.5)
        wanted = 0.05 + 0.9 * stats.norm.cdf(strength)
        assert psychometric.chance_of_right(found, ladder, method, level) == pytest.approx(wanted)


def test_right_at_the_threshold_is_what_the_page_says():
    for method, share in (("two-interval", 0.76), ("yes-no", 0.69)):
        found = psychometric.Threshold(1, 0, 2, 0.0, -1, 1, 1.0, 0.0, 0.0, 0.1, 9, "")
        at = psychometric.chance_of_right(found, psychometric.Ladder((0.5, 1.0)), method, 1.0)
        assert at == pytest.approx(share, abs=0.005)


def test_without_answers_slope_and_lapses_are_those_of_the_prior():
    found = psychometric.fit(psychometric.Ladder((0.5, 1.0, 2.0)), "two-interval", [])
    for mean, spread, values in (
        (found.slope, found.slope_sd, psychometric.SLOPES),
        (found.lapse, found.lapse_sd, psychometric.LAPSES),
    ):
        assert mean == pytest.approx(np.mean(values))
        assert spread == pytest.approx(np.std(values))


def test_quantiles_of_even_and_of_narrow_margins():
    places = np.linspace(0, 1, 11)
    even = np.ones((11, 1))
    low, high = psychometric.quantiles(places, even, 0.8)[:, 0]
    assert (low, high) == pytest.approx((-0.05 + 0.11, 1.05 - 0.11))
    narrow = np.zeros((11, 1))
    narrow[4] = 2.0
    assert psychometric.quantiles(places, narrow)[:, 0] == pytest.approx((0.3525, 0.4475))
    narrow[:] = 0
    narrow[0] = 1
    assert psychometric.quantiles(places, narrow)[:, 0] == pytest.approx((0.0, 0.0475))


def test_a_staircase_goes_up_three_and_down_one_and_stays_on_its_levels():
    levels = range(10)
    for place in levels:
        for right, step in ((True, -1), (False, 3)):
            up = psychometric.climb(levels, place, right, "less")
            down = psychometric.climb(levels, place, right, "more")
            assert (up, down) == (min(9, max(0, place + step)), min(9, max(0, place - step)))
