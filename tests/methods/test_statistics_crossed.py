"""Means over people and items: exact where it can be reckoned by hand, covered where it cannot."""

import itertools

import numpy as np
import pytest

from zhiyin.errors import InputError
from zhiyin.plugins.methods.crossed import crossed_mean, pigeonhole


def test_a_whole_table_is_the_analysis_of_variance():
    table = np.array([[3.0, 5, 8, 2], [4, 9, 7, 1], [6, 6, 9, 5]])
    people, items = zip(*itertools.product(range(3), range(4)), strict=True)
    found = crossed_mean(table.ravel(), people, items)
    grand = table.mean()
    rows, columns = table.mean(axis=1), table.mean(axis=0)
    between = 4 * np.sum((rows - grand) ** 2) / 2
    across = 3 * np.sum((columns - grand) ** 2) / 3
    rest = np.sum((table - rows[:, None] - columns[None] + grand) ** 2) / 6
    assert found.mean == pytest.approx(grand)
    assert found.between_people == pytest.approx(max(0, (between - rest) / 4))
    assert found.between_items == pytest.approx((across - rest) / 3)
    assert found.rest == pytest.approx(rest)
    parts = max(0, between - rest) / 12 + (across - rest) / 12 + rest / 12
    assert found.se == pytest.approx(np.sqrt(parts))


def test_every_person_counts_as_much():
    scores, people = [1, 0, 0, 0, 1], ["a", "b", "b", "b", "b"]
    assert crossed_mean(scores, people, ["x", "x", "y", "z", "w"]).mean == pytest.approx(0.625)


def test_where_nobody_can_know_there_is_no_interval():
    for people, items in ((["a"] * 3, "xyz"), (["a", "b", "c"], ["x"] * 3), ("abc", "xyz")):
        assert crossed_mean([1, 0, 1], list(people), list(items)).low is None
    same = crossed_mean([1, 1, 1, 1], [1, 1, 2, 2], [1, 2, 1, 2])
    assert same.mean == 1
    assert same.low is None


def test_an_answer_twice_is_refused():
    with pytest.raises(InputError, match="two scores"):
        crossed_mean([1, 0], ["a", "a"], ["x", "x"])


def test_an_interval_of_shares_lies_between_nothing_and_all():
    draw = np.random.default_rng(1)
    scores = (draw.random((6, 8)) < 0.95).astype(float)
    scores[0, 0] = 0
    people, items = zip(*itertools.product(range(6), range(8)), strict=True)
    found = crossed_mean(scores.ravel(), people, items)
    assert 0 < found.low < found.mean < found.high < 1


def test_items_of_a_cluster_are_one_draw():
    """As the means of each person in each cluster; where nothing is shared, as before."""
    draw = np.random.default_rng(3)
    scores = draw.integers(0, 9, (4, 5, 3)).astype(float)
    people, clusters, places = (each.ravel() for each in np.indices(scores.shape))
    items = [f"{cluster}/{place}" for cluster, place in zip(clusters, places, strict=True)]
    found = crossed_mean(scores.ravel(), people.tolist(), items, clusters=clusters.tolist())
    rows, columns = (each.ravel().tolist() for each in np.indices((4, 5)))
    means = crossed_mean(scores.mean(axis=2).ravel(), rows, columns)
    assert (found.items, found.answers, found.clusters) == (15, 60, 5)
    for name in ("mean", "se", "low", "high", "df", "between_people", "between_items", "rest"):
        assert getattr(found, name) == pytest.approx(getattr(means, name)), name
    alone = crossed_mean(scores.ravel(), people.tolist(), items, clusters=[None] * 60)
    assert alone == crossed_mean(scores.ravel(), people.tolist(), items)
    # Whoever was asked more of a cluster weighs it by as much: the mean does not move.
    few = slice(0, 50)
    short = scores.ravel()[few], people.tolist()[few], items[few]
    assert crossed_mean(*short, clusters=clusters.tolist()[few]).mean == pytest.approx(
        crossed_mean(*short).mean
    )
    with pytest.raises(InputError, match="clusters"):
        crossed_mean([1, 0], ["a", "b"], ["x", "y"], clusters=["c"])


@pytest.mark.slow
def test_the_interval_holds_where_questions_share_recordings():
    """20 people, 12 recordings with five questions each: by questions alone it held 77 %."""
    draw = np.random.default_rng(5)
    x, w = np.polynomial.hermite_e.hermegauss(80)
    spread = np.sqrt(0.5**2 + 1 + 0.5**2)
    truth = np.sum(w / (1 + np.exp(-(0.5 + spread * x)))) / np.sum(w)
    people, clusters, places = (each.ravel().tolist() for each in np.indices((20, 12, 5)))
    items = [12 * place + cluster for cluster, place in zip(clusters, places, strict=True)]
    hits = 0
    for _ in range(300):
        logits = 0.5 + draw.normal(0, 0.5, (20, 1, 1)) + draw.normal(0, 1, (12, 1))
        logits = logits + draw.normal(0, 0.5, (12, 5))
        scores = (draw.random((20, 12, 5)) < 1 / (1 + np.exp(-logits))).astype(float)
        found = crossed_mean(scores.ravel(), people, items, clusters=clusters)
        hits += found.low <= truth <= found.high
    assert 0.92 <= hits / 300 <= 0.99


def coverage(persons, things, spread, each, times, seed):
    """How often the interval holds the mean of all people and items there could be."""
    draw = np.random.default_rng(seed)
    # E[expit(N(mu, s²))] by Gauss and Hermite
    x, w = np.polynomial.hermite_e.hermegauss(80)
    mu, (by_person, by_item) = 0.4, spread
    truth = np.sum(w / (1 + np.exp(-(mu + np.hypot(by_person, by_item) * x)))) / np.sum(w)
    hits = 0
    for _ in range(times):
        logits = mu + draw.normal(0, by_person, (persons, 1)) + draw.normal(0, by_item, things)
        scores = (draw.random((persons, things)) < 1 / (1 + np.exp(-logits))).astype(float)
        mask = np.ones((persons, things), bool)
        if each:
            mask[:] = False
            for person in range(persons):
                size = draw.integers(each[0], each[1] + 1)
                mask[person, draw.choice(things, size, replace=False)] = True
        rows, columns = np.nonzero(mask)
        found = crossed_mean(scores[mask], rows.tolist(), columns.tolist())
        hits += found.low <= truth <= found.high
    return hits / times


DESIGNS = [
    (20, 40, (0.7, 1.0), None),
    (8, 114, (0.5, 1.2), None),
    (40, 12, (0.7, 1.0), None),
    (30, 60, (0.7, 1.0), (15, 60)),
    (60, 114, (0.7, 1.0), (15, 15)),
    (12, 30, (0.7, 0.0), None),
]


@pytest.mark.slow
def test_ability_is_covered():
    # 3 designs of 500: 95 % within about two points
    found = [coverage(*DESIGNS[n], 500, n) for n in (0, 2, 3)]
    assert 0.93 <= np.mean(found) <= 0.97, found


@pytest.mark.trust
@pytest.mark.parametrize("place", range(len(DESIGNS)))
def test_ability_is_covered_in_the_long_run(place):
    assert 0.93 <= coverage(*DESIGNS[place], 4000, 100 + place) <= 0.97


def test_the_bootstrap_draws_people_and_items():
    people, items = zip(*itertools.product(range(5), range(4)), strict=True)
    seen = []

    def look(often, which):
        seen.append((often.reshape(5, 4), which.reshape(5, 4)))
        return 1.0

    assert pigeonhole(people, items, look, draws=20) == (1.0, 1.0)
    for often, which in seen:
        assert often[:, 0].sum() == 5
        assert which[0].sum() == 4
        assert (often == often[:, :1]).all()
        assert (which == which[:1]).all()
    assert pigeonhole(people, items, lambda a, b: None, draws=20) is None


def test_as_many_answers_as_people_tell_nothing_of_them():
    people, items = ["a", "b", "c", "c"], ["x", "y", "x", "y"]
    assert crossed_mean([1, 0, 1, 0], people, items).low is not None
    alone = crossed_mean([1, 0, 1], ["a", "b", "c"], ["x", "x", "y"])
    assert alone.low is None
