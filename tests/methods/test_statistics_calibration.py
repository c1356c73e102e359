"""Calibration against brute force, and Murphy's identity."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.errors import InputError
from zhiyin.plugins.methods.calibration import brier, calibration
from zhiyin.statistics.intervals import wilson

RNG = np.random.default_rng(2)


@pytest.fixture(autouse=True)
def _same_numbers_in_any_order():
    RNG.bit_generator.state = np.random.default_rng(2).bit_generator.state


PAIRS = st.lists(
    st.tuples(st.floats(0, 1) | st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]), st.integers(0, 1)),
    min_size=1,
    max_size=60,
)


def brute_ece(stated, right, bins):
    """Guo et al.: bins ((m-1)/M, m/M], the first closed below."""
    total = 0.0
    for m in range(bins):
        inside = [(s, r) for s, r in zip(stated, right, strict=True)
                  if (m / bins < s or (m == 0 and s == 0)) and s <= (m + 1) / bins]  # fmt: skip
        if inside:
            total += abs(sum(r - s for s, r in inside))
    return total / len(stated)


@pytest.mark.slow
@given(PAIRS, st.integers(1, 15))
def test_ece_equals_brute_force(pairs, bins):
    stated, right = zip(*pairs, strict=True)
    found = calibration(stated, right, bins)
    assert found.ece == pytest.approx(brute_ece(stated, right, bins), abs=1e-9)
    assert sum(bar.n for bar in found.bins) == len(pairs)
    assert abs(found.bias) <= found.ece + 1e-9 <= found.largest + 2e-9
    for bar in found.bins:
        assert bar.low - 1e-12 <= bar.confidence <= bar.high + 1e-12


def test_bins_carry_wilson_intervals():
    found = calibration([0.95] * 20, [1] * 15 + [0] * 5)
    (bar,) = found.bins
    assert (bar.low, bar.high, bar.n) == (0.9, 1.0, 20)
    expected = wilson(15, 20)
    assert (bar.accuracy.low, bar.accuracy.high) == (expected.low, expected.high)
    assert found.ece == pytest.approx(0.2)
    assert found.bias == pytest.approx(0.2)


def test_bins_of_dependent_answers_have_wider_intervals():
    alone = calibration([0.95] * 40, [1] * 20 + [0] * 20).bins[0].accuracy
    tracks = [f"t{n // 5}" for n in range(40)]
    together = calibration([0.95] * 40, [1] * 20 + [0] * 20, clusters=tracks).bins[0].accuracy
    assert together.clusters == 8
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


def test_an_edge_belongs_to_the_bin_below():
    assert [bar.n for bar in calibration([0.5, 0.2, 0.7], [1, 0, 1], 2).bins] == [2, 1]
    assert [bar.low for bar in calibration([0.0, 1.0], [0, 1], 4).bins] == [0, 0.75]


def test_equal_mass_bins():
    stated = RNG.random(1000) ** 4
    found = calibration(stated, RNG.integers(0, 2, 1000), 10, "mass")
    assert [bar.n for bar in found.bins] == [100] * 10
    order = np.argsort(stated)
    assert found.bins[3].confidence == pytest.approx(stated[order[300:400]].mean())


@given(PAIRS, st.sampled_from(["width", "mass"]), st.randoms(use_true_random=False))
def test_order_and_ties_do_not_matter(pairs, binning, random):
    first = calibration(*zip(*pairs, strict=True), 5, binning)
    random.shuffle(pairs)
    second = calibration(*zip(*pairs, strict=True), 5, binning)
    assert first.ece == pytest.approx(second.ece)
    assert [bar.n for bar in first.bins] == [bar.n for bar in second.bins]


@given(PAIRS, st.none() | st.integers(1, 12), st.sampled_from(["width", "mass"]))
def test_murphys_identity(pairs, bins, binning):
    stated, right = zip(*pairs, strict=True)
    found = brier(stated, right, bins, binning)
    by_hand = sum((s - r) ** 2 for s, r in pairs) / len(pairs)
    assert found.score == pytest.approx(by_hand)
    parts = found.reliability - found.resolution + found.uncertainty + found.within
    assert parts == pytest.approx(found.score, abs=1e-9)
    if bins is None:
        assert found.within == pytest.approx(0, abs=1e-12)


def test_decomposition_by_hand():
    """Two forecasts: 0.8 with 3 of 4 right, 0.3 with 1 of 4."""
    found = brier([0.8] * 4 + [0.3] * 4, [1, 1, 1, 0, 1, 0, 0, 0])
    assert found.reliability == pytest.approx((0.05**2 + 0.05**2) / 2)
    assert found.resolution == pytest.approx(0.25**2)
    assert found.uncertainty == pytest.approx(0.25)


def test_a_calibrated_model_has_little_error():
    stated = RNG.random(20000)
    good = calibration(stated, RNG.random(20000) < stated)
    assert good.ece < 0.02
    assert sum(b.accuracy.low <= b.confidence <= b.accuracy.high for b in good.bins) >= 8
    boastful = calibration(0.5 + stated / 2, RNG.random(20000) < stated)
    assert boastful.bias == pytest.approx(0.25, abs=0.02)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: calibration([80], [1]), "not percent"),
        (lambda: calibration([0.5], [0.5]), "neither 0 nor 1"),
        (lambda: calibration([0.5], [1, 0]), "one for each"),
        (lambda: calibration([0.5], [1], 0), "at least 1"),
        (lambda: calibration([0.5], [1], 5, "odd"), "unknown binning"),
        (lambda: brier([], []), "shape"),
    ],
)
def test_bad_input_is_one_line(call, words):
    with pytest.raises(InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
