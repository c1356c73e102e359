"""Counting: the paper's figures, clusters, and superseded failures taken back."""

import pytest

from columns_help import Tally, record_of, rows_from
from zhiyin.engine.scoring import nested
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import measure_named
from zhiyin.statistics.intervals import interval


def tallied(**states):
    tally = Tally()
    for state, times in states.items():
        for _ in range(times):
            tally.add(state, ())
    return tally


def test_the_figures_of_ziqi_eval_by_hand():
    """12 trials: 6 right, 2 wrong, 1 unanswered, 1 refused, 1 cut, 1 failed."""
    figures = tallied(correct=6, wrong=2, no_answer=1, refused=1, truncated=1, error=1).metrics()
    assert figures.n == figures.items == 11
    assert figures.errors == 1
    assert figures.answered == 8
    assert figures.accuracy == figures.recall == 6 / 11
    assert figures.precision == 6 / 8
    assert figures.f1 == pytest.approx(2 * (6 / 8) * (6 / 11) / (6 / 8 + 6 / 11))
    assert figures.ifr == 8 / 11
    low, high = figures.ci95
    assert (round(low, 4), round(high, 4)) == (0.2801, 0.7873)


def test_nothing_judged_is_no_figure():
    figures = tallied(error=3).metrics()
    assert figures.accuracy is figures.precision is figures.ci95 is None


def test_nothing_answered_is_an_f1_of_zero_but_no_precision():
    figures = tallied(no_answer=5).metrics()
    assert figures.precision is None
    assert figures.f1 == figures.accuracy == 0


def test_trials_of_one_cluster_widen_the_interval():
    alone, together = Tally(), Tally()
    for number in range(200):
        state = "correct" if number // 10 % 2 else "wrong"
        alone.add(state, ("g",))
        together.add(state, ("g",), f"track {number // 10}")
    narrow, wide = alone.groups()["g"], together.groups()["g"]
    assert narrow.accuracy == wide.accuracy == 0.5
    assert wide.clusters == 20
    assert wide.ci95[1] - wide.ci95[0] > 2 * (narrow.ci95[1] - narrow.ci95[0])
    scores = [n // 10 % 2 for n in range(200)]
    expected = interval(scores, [n // 10 for n in range(200)])
    assert wide.ci95 == pytest.approx([expected.low, expected.high])


def test_clusters_of_one_trial_each_are_independent_trials():
    tally = Tally()
    for number in range(50):
        tally.add("correct" if number % 3 else "wrong", (), str(number))
    assert tally.groups()["all"].clusters is None


def test_a_trial_without_a_cluster_stands_alone_beside_clustered_ones():
    tally = Tally()
    for number in range(52):
        tally.add("correct" if number % 2 else "wrong", (), "track" if number < 2 else None)
    figures = tally.metrics()
    assert figures.clusters == 51
    expected = interval([n % 2 for n in range(52)], ["track"] * 2 + [None] * 50)
    assert figures.ci95 == (expected.low, expected.high)
    assert figures.ci95[1] - figures.ci95[0] < 0.3


def test_a_group_named_twice_or_all_counts_once():
    tally = Tally()
    tally.add("correct", ("g", "g", "all"))
    assert tally.counts["g"].correct == tally.counts["all"].correct == 1


def test_repeats_and_conditions_are_averaged_within_their_item():
    """One item right in 3 of 4 repeats under a, in none under b; another asked once, right."""
    tally = Tally()
    for state in ("correct", "correct", "correct", "wrong"):
        tally.add(state, (), item="one", condition="a")
    tally.add("no_answer", (), item="one", condition="b")
    tally.add("correct", (), item="two", condition="a")
    figures = tally.metrics()
    assert (figures.n, figures.items) == (6, 2)
    assert figures.accuracy == pytest.approx((0.75 / 2 + 1) / 2)
    assert figures.ifr == pytest.approx((0.5 + 1) / 2)
    assert figures.f1 == pytest.approx(2 * (0.375 + 1) / (0.5 + 1 + 2))


def test_groups_stand_below_the_group_they_are_in():
    names = ["all", "b/x", "c", "b", "a/b/c", "b/y", "c/d", "a"]
    assert nested(names) == ["all", "c", "c/d", "b", "b/x", "b/y", "a", "a/b/c"]


def test_a_new_count_holds_nothing():
    assert Tally().repeated == 0


def test_a_score_may_be_all_or_nothing_or_beyond():
    """A score that nobody declares is a plain number, whatever it is."""

    def mean(*values):
        scored = [record_of(n, "ungraded", scores={"f": value}) for n, value in enumerate(values)]
        return estimate(rows_from(scored), measure_named("score:f"))

    share, beyond = mean(1, 0, 0.5), mean(100, 300, 200, 240)
    assert (share.value, beyond.value) == (0.5, 210)
    assert 0 <= share.low < 0.5 < share.high <= 1
    assert beyond.low < 210 < beyond.high
    assert not share.measure.declared
    assert mean(7, 7, 7).low is None  # all alike tell nothing of the spread


def test_groups_stand_in_one_order_whatever_a_log_begins_with():
    from zhiyin.analysis.run import in_order
    from zhiyin.contract.registry import find

    kind = find("mmau")
    names = ["all", "music/difficulty=hard", "music", "music/genre", "music/difficulty=easy",
             "audio=none", "audio=none/music", "music/bars 10", "music/bars 9"]  # fmt: skip
    found = in_order(names, kind)
    assert found == in_order(names[::-1], kind)
    assert found == [
        "all", "music", "music/bars 9", "music/bars 10", "music/genre", "music/difficulty=easy",
        "music/difficulty=hard", "audio=none", "audio=none/music",
    ]  # fmt: skip
