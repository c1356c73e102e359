"""Scores made of parts: by hand, against the plain functions, and their coverage by simulation."""

import itertools
import time
from types import SimpleNamespace

import numpy as np
import pytest

from zhiyin.runs.differences import NamedTrials, both_of, settled
from zhiyin.runs.measures import Measure, Sums, Weighted
from zhiyin.statistics.intervals import interval
from zhiyin.statistics.paired import sign_flip
from zhiyin.statistics.parts import TOTAL, Parts, _half, part_difference, part_interval

NAMES, WEIGHTS = ("questions", "completeness", "precision", "novelty"), (30.0, 40.0, 20.0, 10.0)


def parts(rows, weights=WEIGHTS):
    """From (right, asked), completeness, (right, claims), novelty of each song; None: not held."""
    sums, counts, held = (np.zeros((4, len(rows))) for _ in range(3))
    for song, row in enumerate(rows):
        for part, value in enumerate(row):
            if value is not None:
                top, below = value if isinstance(value, tuple) else (value, 1.0)
                sums[part, song], counts[part, song], held[part, song] = top, below, 1
    names = tuple(f"s{i}" for i in range(len(rows)))
    return Parts(NAMES, weights, names, sums, counts, held.astype(bool))


def draw(rng, design, gift):
    """Songs with an effect of their own on all parts; `design`: songs, questions?, details?"""
    rows = []
    for songs, questions, details in design:
        for _ in range(songs):
            own = rng.normal()
            asked, claims = rng.integers(1, 4), rng.poisson(4)
            right = rng.binomial(asked, 1 / (1 + np.exp(-(gift + 0.8 * own))))
            true = rng.binomial(claims, 1 / (1 + np.exp(-(gift + 0.5 + 0.7 * own))))
            graded = np.clip(0.4 + 0.1 * gift + 0.08 * own + rng.normal(0, 0.1), 0, 1)
            new = np.clip(0.5 + 0.1 * gift + 0.1 * own + rng.normal(0, 0.15), 0, 1)
            rows.append(
                (
                    (right, asked) if questions else None,
                    round(32 * graded) / 32,
                    (true, claims) if details else None,
                    round(20 * new) / 20 if details else None,
                )
            )
    return parts(rows)


def test_figures_by_hand():
    one = parts([((1, 2), 0.5, (3, 4), 0.9), ((2, 2), 0.25, (0, 0), 0.5), (None, 0.75, None, None)])
    values = {name: part_interval(one, name).mean for name in (*NAMES, TOTAL)}
    assert values["questions"] == 3 / 4
    assert values["completeness"] == 0.5
    assert values["precision"] == 3 / 4
    assert values["novelty"] == pytest.approx(0.7)
    assert values[TOTAL] == pytest.approx(0.3 * 0.75 + 0.4 * 0.5 + 0.2 * 0.75 + 0.1 * 0.7)


def test_a_part_is_the_mean_that_it_is_everywhere():
    rng = np.random.default_rng(3)
    one = draw(rng, [(20, True, True)], 0.3)
    found, plain = part_interval(one, "completeness"), interval(one.sums[1], method="wilson")
    assert (found.low, found.high) == (plain.low, plain.high)


def test_a_part_without_a_value_is_in_no_total():
    one = parts([((1, 2), 0.5, None, None), ((2, 2), 0.25, (0, 0), None)])
    assert part_interval(one, "precision") is None
    assert part_interval(one, TOTAL).mean == pytest.approx((30 * 0.75 + 40 * 0.375) / 70)
    assert part_interval(parts([(None, None, None, None)]), TOTAL) is None


def test_one_song_tells_nothing_and_like_songs_not_everything():
    assert (part_interval(parts([((1, 1), 0.5, (1, 1), 0.5)]), TOTAL).low) == 0.0
    alike = part_interval(parts([((1, 2), 0.5, (1, 2), 0.5)] * 6), TOTAL)
    assert alike.low < 0.4
    assert alike.high > 0.6
    same = parts([((1, 2), 0.5, (1, 2), 0.5)] * 6)
    assert part_difference(same, same, TOTAL).high > 0.1


def test_the_test_swaps_whole_songs():
    rng = np.random.default_rng(5)
    design = [(6, True, True)]
    a, b = draw(rng, design, 1.0), draw(rng, design, 0.0)
    found = part_difference(a, b, TOTAL)
    far = 0
    for swaps in itertools.product((False, True), repeat=6):
        s = np.array(swaps)
        one = [np.where(s, b.sums, a.sums), np.where(s, b.counts, a.counts)]
        two = [np.where(s, a.sums, b.sums), np.where(s, a.counts, b.counts)]
        values = [np.dot(x.sum(1) / n.sum(1), WEIGHTS) / 100 for x, n in (one, two)]
        far += abs(values[0] - values[1]) >= abs(found.mean) - 1e-9
    assert found.flips.exact
    assert found.flips.p == far / 2**6
    plain = sign_flip(a.sums[1] - b.sums[1])
    assert part_difference(a, b, "completeness").flips.p == plain.p


def laid(a, b, name):
    """The two sides of a figure on what both were scored on, as any two runs are laid."""

    def sample(own):
        frame = SimpleNamespace(sums=lambda measure, places: Sums.of_parts(own, True, ()))
        return NamedTrials("", frame, None)

    measure = Measure(name, weighted=Weighted(name, a.names, a.weights))
    both, cells = both_of(sample(a), sample(b), measure)
    return settled(("a", "b"), measure, both, cells), both


def test_pairs_are_of_songs_that_both_have():
    a = parts([((1, 1), 0.5, None, None), ((0, 1), 0.75, None, None), (None, 1.0, None, None)])
    b = parts([((0, 1), 0.25, None, None), (None, 0.5, None, None)])
    found, _ = laid(a, b, "completeness")
    assert (found.items, found.value) == (2, pytest.approx(0.25))
    assert laid(a, b, "novelty")[0] is None
    total, _ = laid(a, b, TOTAL)  # of the one song with questions in both, and of two reviews
    assert total.pair.first == pytest.approx((30 * 1 + 40 * 0.625) / 70)
    assert total.pair.second == pytest.approx((30 * 0 + 40 * 0.375) / 70)


def test_a_pair_in_cells_is_the_pair_in_songs():
    """However songs are numbered on either side, nothing of the difference or its test moves."""
    rng = np.random.default_rng(8)
    a, b = (draw(rng, [(18, True, True)], gift) for gift in (0.9, 0.2))
    order = rng.permutation(18)
    mixed = Parts(b.names, b.weights, tuple(b.songs[n] for n in order),
                  b.sums[:, order], b.counts[:, order], b.scored[:, order])  # fmt: skip
    for name in (*NAMES, TOTAL):
        plain, (found, _) = part_difference(a, b, name), laid(a, mixed, name)
        assert found.ends == pytest.approx((plain.mean, plain.low, plain.high), abs=1e-12)
        assert (found.p, found.items) == (plain.flips.p, plain.songs)


def test_many_songs_are_paired_in_no_time():
    """It took 5 s, and four times that for twice as many."""
    songs = tuple(f"song {n}" for n in range(20_000))
    ones = np.ones((1, len(songs)))
    every = Parts(("questions",), (1.0,), songs, ones, ones, ones.astype(bool))
    half = Parts(("questions",), (1.0,), songs[::2], *[ones[:, ::2]] * 2, ones[:, ::2] > 0)
    start = time.process_time()
    found, both = laid(every, half, "questions")
    assert time.process_time() - start < 2
    assert (found.items, len(both.names)) == (10_000, 10_000)


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("design", "least"), [([(12, True, True)], 0.93), ([(15, True, False), (10, True, True)], 0.93)]
)
def test_coverage(design, least):
    """95 % of intervals of totals, and of differences, hold the truth (docs: 93 to 97)."""
    rng = np.random.default_rng(11)
    scale = 40_000 // sum(songs for songs, *_ in design)
    truth = part_interval(draw(rng, [(n * scale, q, d) for n, q, d in design], 0.5), TOTAL).mean
    runs = 200
    held = apart = false = 0
    for _ in range(runs):
        a, b = draw(rng, design, 0.5), draw(rng, design, 0.5)
        ends, gap = part_interval(a, TOTAL), part_difference(a, b, TOTAL, draws=200)
        held += ends.low <= truth <= ends.high
        apart += gap.low <= 0 <= gap.high
        false += gap.flips.p < 0.05
    error = 2.6 * (0.95 * 0.05 / runs) ** 0.5
    assert held / runs > least - error
    assert apart / runs > least - error
    assert false / runs < 0.05 + error


def test_one_song_has_no_interval():
    one = Parts(("p",), (1.0,), ("s",), np.array([[0.5]]), np.array([[1.5]]),
                      np.array([[True]]))  # fmt: skip
    found = part_interval(one, TOTAL)
    assert (found.low, found.high) == (0.0, 1.0)
    two = Parts(("p",), (1.0,), ("s", "t"), np.array([[0.5, 0.75]]), np.array([[1.5, 1.5]]),
                      np.array([[True, True]]))  # fmt: skip
    assert part_interval(two, TOTAL).low > 0
    assert _half(SimpleNamespace(low=0.2, high=0.6)) == pytest.approx(0.2)
