"""What is refused, and what at the very edge of a range is not."""

import math

import numpy as np
import pytest

from zhiyin.errors import InputError
from zhiyin.plugins.methods import agreement, calibration, choice, crossed, items, planning
from zhiyin.plugins.methods import audit as audited
from zhiyin.statistics import intervals, paired
from zhiyin.statistics.choice import letter_bias

NAN, INF, MOST = math.nan, math.inf, planning.MOST
STRATUM = audited.Stratum
TWO = [[1, 2], [2, 3]]


WHOLE = (STRATUM(9, 9, 0),)


def audit(share=0.5, effective=9.0, strata=WHOLE):
    return audited.corrected_accuracy(share, strata, effective=effective)


EDGES = [
    (planning.items_needed, [(1e-3, 0.2), (3, 0.2)], [(0, 0.2), (-0.1, 0.2), (NAN, 0.2)]),
    (planning.items_needed, [(0.1, 1e-9)], [(0.1, 0), (0.1, -0.1), (1e-9, 1.0)]),
    (planning.detectable_difference, [(1, 0.2), (MOST, 0.2)], [(0, 0.2), (MOST + 1, 0.2)]),
    (planning.paired_variance, [(0, 1, 1), (1, 0, -1)],
     [(-0.01, 0, 0), (1.01, 0, 0), (0, -0.01, 0), (0, 1.01, 0), (0, 0, 1.01), (0, 0, -1.01)]),
    (planning.design_effect, [(1, 0), (MOST, 1), (1, 1, 0), (1, 1, MOST)],
     [(0.99, 0), (2 * MOST, 0), (1, -0.01), (1, 1.01), (1, 1, -0.01), (1, 1, 2 * MOST)]),
    (planning.margin, [(1, 0), (1, 1), (1, 0.5, 1e-3)],
     [(0, 0.5), (1, -0.01), (1, 1.01), (1, 0.5, 0), (1, 0.5, -1)]),
    (paired.minimum_detectable, [(0.1, 1e-9, 0.05), (0.1, 0.8, 1 - 1e-9)],
     [(0.1, 0), (0.1, 1), (0.1, 0.8, 0), (0.1, 0.8, 1)]),
    (paired.mcnemar_exact, [(0, 0), (0, 1), (1, 0)], [(-1, 0), (0, -1)]),
    (paired.sign_flip, [([1.0], None, 1)], [([1.0], None, 0)]),
    (paired.holm, [([0, 1],)], [([-1e-9, 1],), ([0, 1.01],)]),
    (paired.benjamini_hochberg, [([0, 1],)], [([-1e-9, 1],), ([0, 1.01],)]),
    (paired.rank, [([1, 2], [[1, 0], [0, 1]]), ([1, 2], [[7, 1], [1, 7]])],
     [([1, 2], [[1, 1.01], [1.01, 1]]), ([1, 2], [[1, 0.1], [0.2, 1]]),
      ([1, 2, 3], np.ones((2, 2)))]),
    (paired.paired_difference, [([1], [0])], [([1, 0], [1]), ([], [])]),
    (intervals.wilson, [(0, 1), (1, 1), (0, 1e-9)], [(-1e-9, 1), (1.01, 1), (0, 0), (0, -1)]),
    (intervals.normal_quantile, [(1e-9,), (1 - 1e-9,)], [(0,), (1,), (NAN,)]),
    (intervals.t_quantile, [(1e-9, 1), (0.95, 0)], [(0, 1), (1, 1)]),
    (intervals.interval_from_sums, [([0], [1]), ([2.5], [3])],
     [([0], [0]), ([0], [1.5]), ([0, 0], [1]), ([], [])]),
    (intervals.as_scores, [([0],)], [([],), ([[0]],), ([INF],), ([NAN],), (["x"],), ([None],)]),
    (intervals.cluster_index, [(["a"], 1), (None, 0)], [(["a"], 2), (["a", "b"], 1)]),
    (audited.clopper_pearson, [(0, 1), (1, 1)], [(-1, 1), (2, 1), (0, 0)]),
    (audited.stratified_rate, [([STRATUM(1, 1, 0)],), ([STRATUM(2, 2, 1, 1)],)],
     [([],), ([STRATUM(1, 0, 0)],), ([STRATUM(1, 2, 0)],), ([STRATUM(2, 2, -1)],),
      ([STRATUM(2, 2, 0, -1)],), ([STRATUM(2, 2, 2, 1)],)]),
    (audit, [(0,), (1,), (0.5, 1e-9)], [(-0.01,), (1.01,), (0.5, 0), (0.5, -1), (0.5, 1, ())]),
    (audited.allocate, [([1], [1], 1), ([1], [1], 0, 0)], [([0], [1], 1), ([1, 1], [1], 1),
      ([1], [1, 1], 1)]),
    (calibration.calibration, [([0, 1], [0, 1]), ([0.5], [1], 1), ([0.5], [1], 2, "mass")],
     [([-1e-9], [0]), ([1.01], [0]), ([0.5], [0.5]), ([0.5], [2]), ([0.5, 0.5], [1]),
      ([0.5], [1], 0),
      ([0.5], [1], 2, "other"), ([], [])]),
    (choice.chance_corrected, [([0, 1], 2), ([0.5], [2])],
     [([-0.01], 2), ([1.01], 2), ([1], 1.99), ([1, 1], [2, 1]), ([1], NAN)]),
    (letter_bias, [(["A"], ["A"]), ([None], ["A"])], [([], []), (["A"], ["A", "B"]),
      (["A"], ["A"], [1, 2])]),
    (choice.consistency, [([["A", "B"]], ["A"])], [([["A"]], ["A"]), ([], []),
      ([["A", "A"]], ["A", "B"])]),
    (choice.best_constant, [(["A"],)], [([],)]),
    (crossed.crossed_mean, [([1], ["p"], ["i"]), ([1, 0], ["p", "p"], ["i", "j"])],
     [([], [], []), ([1, 0], ["p", "p"], ["i", "i"]), ([1], ["p"], ["i", "j"])]),
    (agreement.intraclass, [(TWO,), ([[1, 2, NAN], [2, 3, 1]],)],
     [([[1, 2]],), ([[1], [2]],), ([[1, NAN], [2, 3]],), ([[1, INF], [2, 3]],), ([1, 2],),
      ([["a"]],)]),
    (agreement.krippendorff_alpha, [(TWO,), ([[0], [0]], "ratio"), ([[-1], [0]], "interval")],
     [([[1]],), ([1],), ([[INF], [1]],), ([["a"]],), (TWO, "other"), ([[-1], [0]], "ratio"),
      ([[NAN], [1]],)]),
    (agreement.cohen_kappa, [("a", "b"), ("a", "b", "none")],
     [("", ""), ("a", "ab"), ("a", "b", "other"), (["a", 1], [1, "a"])]),
    (calibration.length_correlation, [([1], [1])], [([1], [1, 2]), ([], []), ([NAN], [1])]),
    (calibration.prediction_powered, [([1, 2], [1, 2], [1, 2])],
     [([1], [1], [1, 2]), ([1, 2], [1, 2], [1]), ([1, 2], [1], [1, 2])]),
]  # fmt: skip


@pytest.mark.parametrize(("function", "right", "wrong"), EDGES)
def test_the_edge_of_a_range_is_in_it_and_what_is_beyond_is_refused(function, right, wrong):
    for given in right:
        function(*given)
    for given in wrong:
        with pytest.raises(InputError) as error:
            function(*given)
        assert "\n" not in str(error.value)


def test_a_fit_that_is_broken_off_says_so(monkeypatch):
    held = (np.random.default_rng(1).random((30, 4)) < [0.2, 0.4, 0.6, 0.8]).astype(float)
    for rounds in (1, 2):
        monkeypatch.setattr(items, "_ROUNDS", rounds)
        found = items.fit(held, "2PL")
        assert (found.rounds, found.converged) == (rounds, False)
    monkeypatch.undo()
    assert items.fit(held, "2PL").converged


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: paired.minimum_detectable(0.1, 0.8, 1.0), "alpha 1.0 is no level"),
        (lambda: paired.minimum_detectable(0.1, 0.8, 0.0), "alpha 0.0 is no level"),
        (lambda: paired.minimum_detectable(0.1, 1.0), "power 1.0 is no probability"),
        (lambda: paired.minimum_detectable(0.1, 0.0), "power 0.0 is no probability"),
        (lambda: paired.holm([]), "no p-value given"),
        (lambda: paired.rank([], []), "no mean given"),
        (lambda: paired.sign_flip([]), "no difference given"),
        (lambda: paired.paired_difference([], [1]), "no score of the first given"),
        (lambda: paired.paired_difference([1], []), "no score of the second given"),
        (lambda: intervals.interval([]), "no score given"),
        (lambda: intervals.interval_from_sums([], [1]), "no cluster sum given"),
        (lambda: intervals.interval_from_sums([1], []), "no cluster count given"),
        (lambda: intervals.interval([1, NAN]), "score 2 of 2 is nan"),
        (lambda: intervals.interval(["x"]), "every score must be a number"),
        (lambda: calibration.calibration([], [1]), "no confidence given"),
        (lambda: calibration.calibration([1], []), "no outcome given"),
        (lambda: calibration.calibration([0.5, 2], [1, 1]), "confidence 2 is 2:"),
        (lambda: calibration.length_correlation([], [1]), "no score given"),
        (lambda: calibration.length_correlation([1], []), "no length given"),
        (lambda: calibration.prediction_powered([], [1], [1]), "no human grade given"),
        (lambda: calibration.prediction_powered([1], [], [1]), "no judge's grade given"),
        (lambda: calibration.prediction_powered([1], [1], []), "no judge's grade elsewhere given"),
        (lambda: letter_bias(["A"], []), "1 chosen letters for 0 gold answers"),
        (lambda: letter_bias(["A"], ["A"], []), "0 items for 1 gold answers"),
        (lambda: choice.consistency([], ["A"]), "0 items for 1 gold answers"),
        (lambda: choice.consistency([["A", "A"], ["A"]], ["A", "A"]), "item 2 has 1 rotations"),
        (lambda: planning.paired_variance(0.5, 2, 0), "the second accuracy, 2,"),
        (lambda: planning.paired_variance(2, 0.5, 0), "the first accuracy, 2,"),
    ],
)
def test_what_is_wrong_is_called_by_its_name(call, words):
    with pytest.raises(InputError) as error:
        call()
    assert words in str(error.value)
