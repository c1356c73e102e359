"""Counting: the paper's figures, clusters, and superseded failures taken back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.record import STATES
from zhiyin.statistics.intervals import interval
from zhiyin.tally import Count, Tally, nested


def test_the_figures_of_ziqi_eval_by_hand():
    """12 trials: 6 right, 2 wrong, 1 unanswered, 1 refused, 1 cut, 1 failed."""
    figures = Count(6, 2, 1, 1, 1, 1).metrics()
    assert figures["n"] == 11
    assert figures["errors"] == 1
    assert figures["answered"] == 8
    assert figures["accuracy"] == figures["recall"] == 6 / 11
    assert figures["precision"] == 6 / 8
    assert figures["f1"] == pytest.approx(2 * (6 / 8) * (6 / 11) / (6 / 8 + 6 / 11))
    assert figures["ifr"] == 8 / 11
    low, high = figures["ci95"]
    assert (round(low, 4), round(high, 4)) == (0.2801, 0.7873)


def test_nothing_judged_is_no_figure():
    figures = Count(error=3).metrics()
    assert figures["accuracy"] is figures["precision"] is figures["ci95"] is None


def test_nothing_answered_is_an_f1_of_zero_but_no_precision():
    figures = Count(no_answer=5).metrics()
    assert figures["precision"] is None
    assert figures["f1"] == figures["accuracy"] == 0


def test_trials_of_one_cluster_widen_the_interval():
    alone, together = Tally(), Tally()
    for number in range(200):
        state = "correct" if number // 10 % 2 else "wrong"
        alone.add(state, ("g",))
        together.add(state, ("g",), f"track {number // 10}")
    narrow, wide = alone.groups()["g"], together.groups()["g"]
    assert narrow["accuracy"] == wide["accuracy"] == 0.5
    assert wide["clusters"] == 20
    assert wide["ci95"][1] - wide["ci95"][0] > 2 * (narrow["ci95"][1] - narrow["ci95"][0])
    scores = [n // 10 % 2 for n in range(200)]
    expected = interval(scores, [n // 10 for n in range(200)])
    assert wide["ci95"] == pytest.approx([expected.low, expected.high])


def test_clusters_of_one_trial_each_are_independent_trials():
    tally = Tally()
    for number in range(50):
        tally.add("correct" if number % 3 else "wrong", (), str(number))
    assert tally.groups()["all"]["clusters"] is None


@given(st.lists(st.sampled_from(STATES), min_size=1, max_size=60))
def test_taking_back_undoes_counting(states):
    tally = Tally()
    for state in states:
        tally.add(state, ("g",), "one")
    for state in states:
        tally.add(state, ("g",), "one", times=-1)
    assert sum(tally.counts["g"].states().values()) == 0


def test_groups_stand_below_the_group_they_are_in():
    names = ["all", "b/x", "c", "b", "a/b/c", "b/y", "c/d", "a"]
    assert nested(names) == ["all", "c", "c/d", "b", "b/x", "b/y", "a", "a/b/c"]
