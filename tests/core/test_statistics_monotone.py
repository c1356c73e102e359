"""One more right answer never lowers an end of an interval, at any size, alone or in clusters."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from zhiyin.statistics.intervals import interval, interval_from_sums, share_interval

SLACK = 1e-9
"""Rounding alone."""


@st.composite
def one_more_right(draw, most=12):
    """Clusters, what is right in each, and the same with one or more answers made right."""
    sizes = draw(st.lists(st.integers(1, most), min_size=1, max_size=40))
    right = [draw(st.integers(0, size)) for size in sizes]
    better = [draw(st.integers(own, size)) for own, size in zip(right, sizes, strict=True)]
    return np.array(sizes, float), np.array(right, float), np.array(better, float)


def in_order(one, other, slack=SLACK):
    assert other.low >= one.low - slack
    assert other.high >= one.high - slack
    assert one.low - slack <= one.mean <= one.high + slack


@pytest.mark.slow
@given(one_more_right(), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_with_clusters(answers, level):
    sizes, right, better = answers
    in_order(interval_from_sums(right, sizes, level), interval_from_sums(better, sizes, level))


@given(st.integers(1, 3000), st.data())
def test_answers_that_stand_alone(n, data):
    right = data.draw(st.integers(0, n - 1))
    one, other = (interval([1] * k + [0] * (n - k)) for k in (right, right + 1))
    in_order(one, other)
    assert one.high < other.high
    assert one.low < other.low


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=60))
def test_repeats_averaged_within_their_item(pairs):
    """Shares of an item's three answers: totals are no whole numbers, and are searched finely."""
    one = [min(pair) / 3 for pair in pairs]
    other = [max(pair) / 3 for pair in pairs]
    in_order(interval(one), interval(other), 1e-6)


@pytest.mark.slow
@given(one_more_right(6), st.data())
def test_f1_and_precision_of_what_was_answered(answers, data):
    sizes, right, better = answers
    unread = np.array(
        [data.draw(st.integers(0, int(s - b))) for s, b in zip(sizes, better, strict=True)]
    )
    for weigh in (sizes - unread, sizes - unread / 2):
        if np.any(weigh > 0):
            used, n = weigh > 0, int(sizes.sum())
            one, two = (share_interval(x[used], weigh[used], 0.95, n) for x in (right, better))
            in_order(one, two, 1e-6)


@pytest.mark.parametrize("size", [1, 2, 3, 9, 24])
def test_every_number_right_of_72(size):
    """None right in 36 pairs had an upper end of 10.3 %, one right of 7.9 %."""
    sizes = np.full(72 // size, float(size))
    found = []
    for right in range(73):
        full, rest = divmod(right, size)
        own = np.zeros(len(sizes))
        own[:full] = size
        own[full : full + 1] = rest
        found.append(interval_from_sums(own, sizes))
    for one, other in pairwise(found):
        in_order(one, other)


@pytest.mark.parametrize("clusters", [299, 300, 1000])
def test_many_clusters(clusters):
    """There is no number of clusters or of right answers at which another formula takes over."""
    rng = np.random.default_rng(clusters)
    sizes = rng.integers(1, 5, clusters).astype(float)
    order = rng.permutation(np.repeat(np.arange(clusters), sizes.astype(int)))
    for start in (0, 20, 60, len(order) // 2, len(order) - 40):
        right = np.bincount(order[:start], minlength=clusters).astype(float)
        before = interval_from_sums(right, sizes)
        for place in order[start : start + 30]:
            right[place] += 1
            after = interval_from_sums(right, sizes)
            in_order(before, after)
            before = after


def test_usual_intervals_are_as_they_were():
    """What is moved are ends that were out of order; of answers alike and unlike in pairs, none."""
    rng = np.random.default_rng(3)
    sizes = np.full(40, 3.0)
    right = rng.binomial(3, rng.beta(2, 2, 40)).astype(float)
    found = interval_from_sums(right, sizes)
    mean, se = found.mean, found.se
    n = mean * (1 - mean) / se**2 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 39)) ** 2
    z = stats.norm.ppf(0.975)
    centre = (mean + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(mean * (1 - mean) / n + z**2 / (4 * n**2))
    assert (found.low, found.high) == pytest.approx((centre - half, centre + half), rel=1e-9)
