"""Small inputs to every public function of the statistics, for `test_figures_pinned.py`."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np

import columns_help
from simulated_answers import perfect, simulate, table
from zhiyin.statistics import (
    agreement,
    audited,
    calibration,
    choice,
    crossed,
    distributions,
    intervals,
    items,
    paired,
    parts,
    planning,
    psychometric,
    scores,
)
from zhiyin.statistics.glmm import fit_glmm

DRAW = np.random.default_rng(47)
BEGUN = DRAW.bit_generator.state
NAN = float("nan")


def anew(calls):
    """A group of calls, whatever was drawn before."""

    def listed():
        DRAW.bit_generator.state = BEGUN
        return list(calls())

    return listed


def drawn(n, p=0.5, digits=0):
    """Right or wrong answers; with digits shares of that many."""
    if digits:
        return [round(float(x), digits) for x in DRAW.random(n)]
    return [float(x) for x in DRAW.random(n) < p]


ROWS = [
    [1], [0], [0.5], [1, 1], [0, 0], [1, 0], [1] * 9, [0] * 9, [1] * 9 + [0], [0.5] * 4,
    [0.2, 0.4, 1], drawn(6), drawn(12, 0.9), drawn(40, 0.8), drawn(30, digits=1),
    drawn(310, 0.5), drawn(310, 0.93), drawn(310, digits=2), drawn(299, digits=2),
    [3.5, -1, 2], [2] * 5, [1, 1.5], [0, -0.5], [float(x) for x in DRAW.exponential(size=20)],
    [float(round(x, 3)) for x in DRAW.exponential(size=300)],
]  # fmt: skip
FAULTY = [[], [NAN], [1, float("inf")], ["a"], [[1, 0]], None]


def groups(n):
    """Ways in which n scores hang together."""
    yield [k // 2 for k in range(n)]
    yield ["one"] * n
    if n > 2:
        yield [None if k % 3 else "a" for k in range(n)]
        yield np.arange(n) % 3


def of_intervals():
    for row in ROWS:
        yield intervals.interval, (row,), {}
        for clusters in groups(len(row)):
            yield intervals.interval, (row, clusters), {}
            yield intervals.averaged_within, (row, clusters), {}
        for method in ("wilson", "t", "bootstrap"):
            if method != "bootstrap" or len(row) < 13:
                yield intervals.interval, (row,), {"method": method, "level": 0.8}
    for row in FAULTY:
        yield intervals.interval, (row,), {}
    pairs = [([3, 0, 2], [4, 1, 2]), ([4, 4], [4, 4]), ([0, 0], [2, 5]), ([1.5], [3]), ([], []),
             ([1], [1, 2]), ([1], [0]), ([1], [1.5]), ([-1], [1]), ([2, 1], [1, 1]),
             ([2, 3] * 200, [4, 4] * 200), ([4, 4, 3] * 101, [4, 4, 4] * 101)]  # fmt: skip
    for sums, counts in pairs:
        for method in ("auto", "wilson", "t", "bootstrap", "none"):
            yield intervals.interval_from_sums, (sums, counts), {"method": method}
    for level in (0, 1, 0.5, 1.5, NAN):
        yield intervals.normal_quantile, (level,), {}
        yield intervals.t_quantile, (level, 3), {}
    for k, n in ((0, 1), (1, 1), (0, 9), (9, 9), (3, 9), (2.5, 7.5), (2, 1), (-1, 4), (0, 0)):
        yield intervals.wilson, (k, n), {}
        yield intervals.wilson, (k, n, 0.9), {}
    for df in (0, 1, 2.5, 30):
        yield intervals.t_quantile, (0.95, df), {}
    for p in (0.0, 1e-320, 0.5):
        yield intervals.p_value, (p,), {}
    for n, labels in ((2, ["a"]), (3, [2, 1, 2]), (3, np.array(["b", "a", "b"])), (2, [None] * 2)):
        yield intervals.cluster_index, (labels, n), {}
    yield intervals.effective_n, (0.5, 0.1, np.ones(4)), {}
    yield intervals.effective_n, (0.5, 0.0, np.array([3.0, 1.0])), {}
    for mean, se, clusters in ((0.5, 0.1, 1), (0.5, 0.1, 2), (0, 0.1, 5), (1, 0, 5), (0.5, 0, 3)):
        yield intervals.proportion_ends, (mean, se, 7.0, clusters, 0.95), {}


def of_paired():
    rows = [row for row in ROWS if len(row) > 1]
    for row in rows:
        for other in (row, row[::-1], [0] * len(row), [1] * len(row), drawn(len(row))):
            yield paired.paired_difference, (row, other), {}
        for clusters in groups(len(row)):
            yield paired.paired_difference, (row, drawn(len(row), 0.3), clusters), {"level": 0.9}
    for one, other in (([1], [0]), ([1], [1]), ([2], [5]), ([1, 0], [1]), ([], []), ([NAN], [1])):
        yield paired.paired_difference, (one, other), {}
    for differ in (29, 30, 31, 60):
        for n in (299, 300):
            one = [1.0] * differ + [0.0] * (n - differ)
            yield paired.paired_difference, (one, [0.0] * n), {}
    for b, c in itertools.product((0, 1, 2, 5, 40), repeat=2):
        yield paired.mcnemar_exact, (b, c), {}
    yield paired.mcnemar_exact, (-1, 2), {}
    yield paired.mcnemar_exact, (2, -1), {}
    for n in (1, 2, 3, 13, 14, 15, 40):
        for row in (drawn(n), [1.0] * n, list(np.array(drawn(n)) - drawn(n)), drawn(n, digits=2)):
            yield paired.sign_flip, (row,), {"draws": 99}
            yield paired.sign_flip, (row, [k // 2 for k in range(n)]), {"draws": 99, "seed": 3}
    yield paired.sign_flip, ([1.0],), {"draws": 0}
    for p in ([0.01, 0.04, 0.03, 0.5], [1], [0, 0, 1], [0.2] * 3, [1.2], [-0.1], []):
        yield paired.holm, (p,), {}
        yield paired.benjamini_hochberg, (p,), {}
        for n in (2, 3, 4):
            square = np.ones((n, n))
            if len(p) >= n * (n - 1) // 2:
                square[np.triu_indices(n, 1)] = p[: n * (n - 1) // 2]
                square = np.minimum(square, square.T)
            yield paired.rank, (list(range(n)), square), {}
    chain = np.ones((4, 4))
    chain[0, 3] = chain[3, 0] = chain[0, 2] = chain[2, 0] = 0.01
    yield paired.rank, ([4, 3, 2, 1], chain), {}
    yield paired.rank, ([1, 3, 3, 1], chain), {"alpha": 0.001}
    yield paired.rank, ([1, 2], np.ones((3, 3))), {}
    for se, power, alpha in ((0.1, 0.8, 0.05), (0, 0.8, 0.05), (1, 0.9, 0.01), (1, 0, 1)):
        yield paired.minimum_detectable, (se, power, alpha), {}


def of_parts():
    names, weights = ("a", "b", "c"), (3.0, 1.0, 0.5)
    for n in (1, 2, 3, 8, 15, 40):
        for kind in range(4):
            counts = DRAW.integers(0, 5, (3, n)).astype(float) + (kind != 1)
            if kind == 2:
                counts = counts / 2
            sums = counts * (1.0 if kind == 3 else np.round(DRAW.random((3, n)), 1))
            held = counts > 0
            if kind == 0 and n > 2:
                held[1, : n // 2] = False
                sums, counts = sums * held, counts * held
            one = parts.Parts(names, weights, tuple(f"s{k}" for k in range(n)), sums, counts, held)
            shifted = one.on([f"s{k}" for k in range(1, n + 2)])
            for name in (*names, parts.TOTAL):
                yield parts.part_interval, (one, name), {}
                yield parts.part_interval, (one, name, 0.8), {}
                yield parts.part_difference, (one, shifted, name), {"draws": 50}
                moved = parts.Parts(names, weights, one.songs, counts - sums, counts, held)
                yield parts.part_difference, (one, moved, name), {"draws": 50, "seed": 1}
            yield (lambda p=one: (p.known, p.shares("a"), p.shares("total"))), (), {}
    for sums, counts in (([2, 3], [4, 4]), ([4, 4], [4, 4]), ([0.0], [1.0]), ([0], [0]), ([], [])):
        yield parts.ratio_interval, (sums, counts, 7), {}
    both = [([2, 3, 0], [4, 4, 1]), ([1, 0, 0], [1, 1, 0])]
    for these in ([1, 1], [3, 0], [0, 0], [1, -1], [1]):
        yield parts.total_interval, (both, these, 9), {}
    yield parts.total_interval, ([([1, 1], [1, 1]), ([2, 2], [2, 2])], [1, 2], 4, 0.9), {}
    yield parts.total_interval, ([([1, 1], [2, 3]), ([2], [2])], [1, 2], 4), {}


def entry(number, item, condition="", cluster=None, score=None, state=None):
    right, answered, judged = state or [(1, 1, 1), (0, 1, 1), (0, 0, 1), (0, 0, 0)][number % 4]
    return SimpleNamespace(
        judged=bool(judged), item=item, condition=condition, right=float(right),
        answered=bool(answered), trial=SimpleNamespace(cluster=cluster),
        verdict=SimpleNamespace(scores={} if score is None else {"f": score}),
    )  # fmt: skip


def of_scores():
    sets = [
        [],
        [entry(3, "a")],
        [entry(0, "a")],
        [entry(2, "a"), entry(2, "b")],
        [entry(k, f"q{k % 5}", score=k / 20) for k in range(20)],
        [entry(k, f"q{k % 5}", cluster=f"c{k % 5 // 2}", score=k / 20) for k in range(20)],
        [entry(k, f"q{k % 5}", "xy"[k % 2], None if k % 5 else "q1", k / 9) for k in range(9)],
        [entry(0, f"q{k}", score=1.0) for k in range(6)],
        [entry(k, f"q{k}", cluster="q1", score=1.5) for k in range(6)],
    ]
    for entries in sets:
        for figure in ("accuracy", "f1", "precision", "recall", "ifr", "score:f", "score:g"):
            yield columns_help.figure_interval, (entries, figure), {}
        yield (lambda e=entries: vars(columns_help.items_of(e))), (), {}
    index = scores.Index()
    for words in ((4,), (4, "x", "c"), (5, "", "c"), (5, "x", "c"), (None,)):
        index.number(*words)
    yield (lambda: (None, index.cells(np.arange(5)), index.items(np.arange(4)))), (), {}
    yield (lambda: index.clusters(np.arange(3))), (), {}
    for name in ("accuracy", "score:f1"):
        yield scores.figure_name, (name,), {}


def of_agreement():
    tables = [
        [[1, 2, 3, NAN], [1, 2, 4, 4]], [[1, 1], [1, 1]], [[1, 2, 3], [3, 2, 1]], [[1, 0, 1]],
        [[NAN, 1], [1, NAN]], [[1, 2, 3, 4, 5], [2, 2, 3, 4, 4], [1, 3, 3, 5, NAN]],
        DRAW.integers(1, 5, (3, 12)), [[0, 0, 1], [0, 1, 1]], [[1, -1, 2], [1, 1, 2]], [[1]], [],
        [["a"]], [[float("inf"), 1], [1, 1]], DRAW.integers(0, 2, (2, 230)),
        DRAW.normal(size=(2, 6)).round(2) ** 2, [[1, 2, 3], [1.001, 2, 3]],
    ]  # fmt: skip
    for ratings in tables:
        for level in ("nominal", "ordinal", "interval", "ratio", "other"):
            yield agreement.krippendorff_alpha, (ratings, level), {}
        yield agreement.intraclass, (ratings,), {}
        yield agreement.intraclass, (ratings,), {"confidence": 0.8}
    labels = ["abca", "aaaa", "abab", "baba", "bbca", "", "abcab", "aab"]
    for one, other in itertools.product(labels, repeat=2):
        yield agreement.cohen_kappa, (list(one), list(other), "quadratic"), {}
    for weights in ("none", "linear", "quadratic", "cubic"):
        yield agreement.cohen_kappa, ([1, 2.5, 4, 4, 2], [1, 2, 4, 3, 2.5], weights), {}
    yield agreement.cohen_kappa, ("ab", "ba"), {"categories": "abc"}
    yield agreement.cohen_kappa, ("ab", "bd"), {"categories": "abc"}
    yield agreement.cohen_kappa, (["a", 1], [1, "a"]), {}
    for n in (1, 2, 3, 4, 8, 9, 20):
        line = list(range(n))
        for other in (line, line[::-1], [1] * n, drawn(n), drawn(n, digits=1)):
            yield calibration.length_correlation, (line, other), {}
    yield calibration.length_correlation, ([1, 2], [1]), {}
    for n, others in ((2, 2), (3, 9), (10, 4), (1, 5), (5, 1)):
        human = drawn(n, digits=1)
        for judge in (human, [0.5] * n, drawn(n, digits=1), [1 - x for x in human]):
            for tuned in (True, False):
                rest = drawn(others, digits=1)
                yield calibration.prediction_powered, (human, judge, rest), {"tuned": tuned}
    yield calibration.prediction_powered, ([1, 0], [1], [1, 0]), {}
    yield calibration.prediction_powered, ([1, 1, 1], [1, 1, 1], [1, 1]), {}
    for value, without, judges in (
        (0.5, [0.4, 0.5, 0.6], 2.0), (0.5, [0.4, 0.6], 2.0), (1.0, [1, 1, 0.9], 2.0),
        (-0.2, [-0.3, -0.1, -0.2], 5.0), (0.1, [0.1, NAN, 0.2], 2.0), (0.1, [-1.0, 0.2, 0.3], 2.0),
    ):  # fmt: skip
        ones = np.ones(len(without))
        yield agreement.jackknife_ends, (value, np.array(without), ones, judges), {}
        yield agreement.jackknife_ends, (value, np.array(without), ones + 1, judges, 0.8), {}


def of_audits():
    s = audited.Stratum
    sets = [
        [], [s(10, 10, 3)], [s(10, 5, 2)], [s(10, 5, 0)], [s(10, 5, 5)], [s(100, 10, 1), s(20, 2,
        0)],
        [s(100, 10, 1, 2), s(20, 10, 5, 1)], [s(100, 10, 9, 1), s(50, 10, 10)], [s(10, 10, 1),
        s(9, 3, 1, 1)],
        [s(1000, 100, 40, 10), s(500, 100, 60, 5)], [s(1000, 1, 0), s(30, 9, 1)], [s(5, 6, 1)],
        [s(5, 0, 0)],
        [s(5, 3, 2, 2)], [s(5, 3, -1)], [s(5, 3, 1, -1)], [s(1000, 100, 19, 0), s(500, 100, 20, 0)],
        [s(1000, 100, 81, 0), s(500, 100, 80, 0)],
    ]  # fmt: skip
    for strata in sets:
        for level in (0.95, 0.8):
            yield audited.stratified_rate, (strata, level), {}
        for as_read in (0.0, 0.7, 1.0, 1.1):
            yield audited.corrected_accuracy, (as_read, strata), {"effective": 120.0}
    yield audited.corrected_accuracy, (0.5, sets[1]), {"effective": 0}
    for k, n in ((0, 1), (1, 1), (0, 20), (20, 20), (3, 20), (3, 2), (-1, 3), (0, 0)):
        yield audited.clopper_pearson, (k, n), {}
    for sizes, spreads, n in (
        ([10, 20], [1, 1], 9), ([10, 20], [1, 0.1], 9), ([1, 3], [1, 1], 9), ([5, 5], [1], 3),
        ([0], [1], 1), ([4, 4, 4], [1, 1, 1], 0), ([30, 30], [0.2, 0.8], 11),
    ):  # fmt: skip
        yield audited.allocate, (sizes, spreads, n), {}
        yield audited.allocate, (sizes, spreads, n, 0), {}


def of_choices():
    keys = ["ABAB", "AAAA", "ABCDABCDABCD", "AABBCCDD" * 3, "B"]
    for gold in keys:
        for chosen in (gold, gold[::-1], "A" * len(gold), ["B", None] * len(gold), "ABCD" * 9):
            chosen = list(chosen)[: len(gold)]
            yield choice.letter_bias, (chosen, list(gold)), {}
            yield choice.letter_bias, (chosen, list(gold), [k // 2 for k in range(len(gold))]), {}
        yield choice.best_constant, (list(gold),), {}
    yield choice.letter_bias, (["A"], ["A", "B"]), {}
    yield choice.letter_bias, (["A"], ["A"], [1, 2]), {}
    yield choice.letter_bias, ([], []), {}
    yield choice.letter_bias, (["C", "C", None, None], list("ABAB")), {}
    yield choice.letter_bias, ([None, None], list("AB")), {}
    yield choice.best_constant, ([],), {}
    many = [("ABCD"[k % 4], "ABCD"[int(DRAW.integers(4))]) for k in range(120)]
    yield choice.letter_bias, ([b for _, b in many], [a for a, _ in many]), {}
    for row in ([1, 0, 1, 1], [1], [0.5, 1.5], drawn(20)):
        for options in (4, 2, 1, [4, 2, 5, 3][: len(row)] + [2] * (len(row) - 4)):
            yield choice.chance_corrected, (row, options), {}
    rotated = [["a", "a", "b"], ["b", "b", "b"], [None, None, "a"], ["a", None, "a"]]
    yield choice.consistency, (rotated, list("abaa")), {}
    yield choice.consistency, (rotated, list("abaa"), [1, 1, 2, 2], 0.8), {}
    yield choice.consistency, ([["a"]], ["a"]), {}
    yield choice.consistency, ([], []), {}
    for k in (2, 3):
        orders = list(itertools.permutations("abc"[:k]))
        for times in (1, 4, 5, 30):
            yield choice.shuffle_uniformity, (orders * times,), {}
            yield choice.shuffle_uniformity, ((orders[:2] + orders) * times,), {}
    for orders in ([], [["a"]], [["a", "b"], ["a", "c"]], [["a", "a"]], [["a", "b"], ["a"]]):
        yield choice.shuffle_uniformity, (orders,), {}


def of_crossed():
    for persons, things in ((1, 3), (2, 2), (3, 4), (5, 9)):
        cells = list(itertools.product(range(persons), range(things)))
        for kind in range(5):
            some = [c for k, c in enumerate(cells) if kind != 1 or k % 3] or cells
            y = [[1.0, 0.0, (p + t) % 2, p * 2.5 - t, p % 2][kind] for p, t in some]
            if kind == 1:
                y = drawn(len(some), 0.7)
            people, asked = [p for p, _ in some], [t for _, t in some]
            yield crossed.crossed_mean, (y, people, asked), {}
            yield crossed.crossed_mean, (y, people, asked, 0.8), {}
    yield crossed.crossed_mean, ([1, 0], ["a", "a"], ["x", "x"]), {}
    yield crossed.crossed_mean, ([1, 0, 1], ["a", "b", "c"], ["x", "y", "z"]), {}
    people, asked = [0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1]
    share = np.array([1.0, 0, 1, 1, 0, 1])

    def mean(a, b):
        return float(a * b @ share / (a @ b)) if a @ b else None

    yield crossed.pigeonhole, (people, asked, mean), {"draws": 60}
    yield crossed.pigeonhole, (people, asked, mean), {"draws": 60, "level": 0.5, "seed": 2}
    yield crossed.pigeonhole, (people, asked, lambda a, b: None), {"draws": 10}
    for shares, hits in (([0.5] * 4, 2), ([0.1, 0.9], 0), ([0.1, 0.9], 2), ([], 0), ([0.3], 2)):
        yield distributions.upper_tail, (shares, hits), {}


def of_calibration():
    stated = [0.1, 0.1, 0.5, 0.75, 0.9, 1.0, 0.0, 0.95, 0.2]
    right = [0, 1, 1, 0, 1, 1, 0, 1, 0]
    for binning in ("width", "mass", "other"):
        for bins in (1, 2, 4, 10):
            for these in (None, [k // 2 for k in range(9)]):
                yield calibration.calibration, (stated, right, bins, binning, these), {}
            yield calibration.brier, (stated, right, bins, binning), {}
    yield calibration.brier, (stated, right), {}
    for one, other, bins in (([1.1], [1], 2), ([0.5], [2], 2), ([0.5], [1, 0], 2), ([0.5], [1], 0)):
        yield calibration.calibration, (one, other, bins), {}


def of_planning():
    for difference, between in ((0.03, 0.2), (0.5, 0.0), (0, 0.1), (-1, 0.1), (1e-12, 1), (1, -1)):
        yield planning.items_needed, (difference, between), {}
        more = {"noise_a": 0.1, "noise_b": 0.2, "repeats_a": 2, "repeats_b": 4}
        yield planning.items_needed, (difference, between), {**more, "design_effect": 2.0}
    for n in (0, 1, 100, 10**16):
        yield planning.detectable_difference, (n, 0.2), {"power": 0.9, "alpha": 0.01}
    for more in ({"repeats_a": 0}, {"repeats_b": 10**16}, {"design_effect": 0.0}, {"noise_b": -1},
                 {"design_effect": float("inf")}, {"noise_a": 0.4, "repeats_a": 3}):  # fmt: skip
        yield planning.detectable_difference, (9, 0.2), more
    for p, q, r in (
        (0.5, 0.7, 0.3),
        (0, 1, 0),
        (1.1, 0, 0),
        (0, -0.1, 0),
        (0.5, 0.5, 2),
        (1, 1, 1),
    ):
        yield planning.paired_variance, (p, q, r), {}
    for m, r, cv in ((1, 0, 0), (5, 0.2, 0), (5, 0.2, 0.5), (0.5, 0, 0), (2, 1.1, 0), (2, 0, -1)):
        yield planning.design_effect, (m, r, cv), {}
    for n, p, d in ((1, 0.5, 1), (100, 0.9, 2), (0, 0.5, 1), (5, 1.5, 1), (5, 0.5, 0), (5, 0, 1)):
        yield planning.margin, (n, p, d), {}


def of_listeners():
    trials = [(1.0, True, True), (1.0, False, True), (4.0, True, True), (4.0, False, False)]
    ladders = [
        psychometric.Ladder((0.5, 1.0, 4.0)),
        psychometric.Ladder((1.0, 4.0), "decibel"),
        psychometric.Ladder((1.0, 4.0, 16.0), "ratio", "more"),
    ]
    for ladder, method in itertools.product(ladders, ("two-interval", "yes-no")):
        for row in (trials, trials[:1] * 5, trials[1:2] * 9 + trials[3:] * 2, trials[2:] * 20, []):
            answers = [psychometric.Answered(*each) for each in row]
            found = psychometric.fit(ladder, method, answers)
            yield (lambda f=found: f), (), {}
            for level in (0.5, 4.0, 1e6):
                yield psychometric.chance_of_right, (found, ladder, method, level), {}
        yield (lambda one=ladder: (one.ends, one.place(3.0), one.level(0.4))), (), {}
        grid = psychometric.open_grid(ladder, method)
        one = grid.moved(grid.prior, psychometric.Answered(4.0, True, False))
        yield (lambda g=grid, w=one: (g.gains(w), g.best(w), g.best(g.prior), g.shape)), (), {}
    for place, right, harder in itertools.product((0, 1, 4), (True, False), ("less", "more")):
        yield psychometric.climb, (range(5), place, right, harder), {}
    bank = [
        items.BankItem(1, -1, 0, 1),
        items.BankItem(1.5, 0, 0.25, 1),
        items.BankItem(0.7, 1, 0.2, 0.95),
    ]
    for right in itertools.product((True, False), repeat=3):
        yield items.estimate, (list(zip(bank, right, strict=True)),), {}
        held = items.AbilityAnswers()
        for item, hit in zip(bank, right, strict=True):
            held.add(item, hit)
        yield held.modal, (), {}
    yield items.estimate, ([],), {}
    for item in bank:
        yield items.chances, (item, np.array([-2.0, 0.0, 1.5])), {}
        yield items.information, (item, np.array([-2.0, 0.0, 1.5])), {}


def of_items():
    tables = [
        (DRAW.random((12, 6)) < [[0.9, 0.7, 0.5, 0.5, 0.3, 1.0]]).astype(float),
        (DRAW.random((4, 3)) < 0.5).astype(float), np.ones((5, 3)), np.zeros((3, 2)),
        (DRAW.random((30, 8)) < np.linspace(0.1, 0.9, 30)[:, None]).astype(float),
        np.array([[1, NAN, 0], [1, 1, 0], [0, 1, 1], [NAN, 0, 1], [1, 1, NAN.real]]),
        DRAW.random((9, 4)).round(1), DRAW.random((10, 5)).round(1),
    ]  # fmt: skip
    for held in tables:
        for function in (items.difficulty, items.discrimination, items.reliability, items.means):
            yield function, (held,), {}
        for keep in (None, 1, 2, 50):
            yield items.shorter, (held, keep), {}
        yield items.apart, (held, 1 - held), {}
        half = len(held) // 2
        yield items.apart, (held[:half], held[half:]), {}
    for chosen, wrong, options in itertools.product(
        (0, 1), (0, 1, 4, 5, 7, 8, 10, 11), (2, 3, 4, 5)
    ):
        yield items.is_dead, (chosen, wrong, options), {}
    for n in (0, 99, 100, 249, 250):
        yield items.which_model, (n,), {}
    for model in ("2PL", "Rasch"):
        for held in (tables[4], tables[5], tables[0]):
            yield items.fit, (held, model), {}


def of_mixed():
    answers = simulate(3, models=2, stimuli=8, repeats=2)
    for formula in (
        "correct ~ model * modality + (1 | stimulus)", "correct ~ model + (1 | stimulus)",
        "correct ~ 1 + (1|stimulus)", "correct ~ model + loudness + (1 | stimulus)",
        "correct ~ model",
        "correct ~ nobody + (1 | stimulus)", "loudness ~ model + (1 | stimulus)", "correct ~", "",
    ):  # fmt: skip
        yield fit_glmm, (answers, formula), {}
    yield fit_glmm, (perfect(2), "correct ~ model * modality + (1 | stimulus)"), {}
    few = table(correct=[1, 0, 1, 0, None], model=list("aabba"), stimulus=list("xyxyx"))
    yield fit_glmm, (few, "correct ~ model + (1 | stimulus)"), {}
    same = table(correct=[1, 1, 1, 1], model=list("aabb"), stimulus=list("xyxy"))
    yield fit_glmm, (same, "correct ~ model + (1 | stimulus)"), {}


GROUPS = {
    "intervals": of_intervals, "paired": of_paired, "parts": of_parts, "scores": of_scores,
    "agreement": of_agreement, "audits": of_audits, "choices": of_choices, "crossed": of_crossed,
    "calibration": of_calibration, "planning": of_planning, "listeners": of_listeners,
    "items": of_items, "mixed": of_mixed,
}  # fmt: skip
CALLS = {name: anew(calls) for name, calls in GROUPS.items()}
