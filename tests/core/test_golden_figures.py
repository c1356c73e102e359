"""Figures, intervals and differences of measures of every method, and what was registered of them.

Values are worked out a second time by numpy; what stands beside them is in a golden file.
"""

import itertools
import math

import msgspec
import numpy as np
import pytest
from scipy import stats

from columns_help import rows_of_answers
from golden_help import as_lines, kept
from zhiyin.analysis.parts import Departure, Finding, Prediction, Registration
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import ALL
from zhiyin.report import standings as registered
from zhiyin.runs.differences import NamedTrials, difference
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.measures import USUAL, measure_named, score
from zhiyin.runs.sums import reduced
from zhiyin.shown.table import Table
from zhiyin.words import said, say

METHODS = ("share", "mean", "auto", "bootstrap", "jackknife", "none")
RANGES = ((0.0, 1.0), (None, None), (0.45, 0.55), (0.0, None))


@pytest.mark.parametrize("method", METHODS)
def test_figures_of_sums(method):
    draw, found = np.random.default_rng(3), []
    for size, ends, level in itertools.product((1, 2, 3, 7, 30), RANGES, (0.5, 0.95)):
        tops, bottoms = draw.random(size).round(3), draw.integers(1, 4, size).astype(float)
        bottoms[:: 5 if size > 5 else 9] = 0 if size > 5 else 1
        columns = np.column_stack([tops * bottoms, bottoms])
        measure = score("x", range=ends, method=method)
        value, low, high, se, how = reduced(measure, columns, int(bottoms.sum()), level)
        assert value == pytest.approx(columns[:, 0].sum() / bottoms.sum())
        if method == "jackknife" and size > 2:
            left = [np.delete(columns, n, 0).sum(0) for n in range(size)]
            without = np.array([top / bottom for top, bottom in left])
            spread = math.sqrt((size - 1) / size * ((without - without.mean()) ** 2).sum())
            assert se == pytest.approx(spread)
            half = stats.t.ppf((1 + level) / 2, size - 1) * spread
            assert low == pytest.approx(
                max(value - half, -math.inf if ends[0] is None else ends[0])
            )
        found.append([size, ends, level, value, low, high, se, how])
    flat = np.column_stack([np.full(4, 0.5), np.ones(4)])
    for columns in (flat, flat * 0, flat[:0], flat * [1, 0]):
        found.append(reduced(score("x", method=method), columns, len(columns)))
    kept(f"core/figures-{method}.json", as_lines([*map(list, found)]))


def sample(seed, items, gift, clusters):
    """Answers to items, in three ways each, of which some cannot be read."""
    draw = np.random.default_rng(seed)
    return [
        (n, way, f"c{n % clusters}" if clusters else None, *(draw.random(2) < (gift, 0.8)))
        for n in range(items) for way in ("", "x", "y")[: 1 + n % 3]
    ]  # fmt: skip


def by_cluster(answers, figure):
    """Sums of an item's means by cluster: what stands above, and below, in precision and F1."""
    sums = {}
    for item in {each[0] for each in answers}:
        own = [(r, r or a) for n, _, _, r, a in answers if n == item]
        right, read = np.mean(own, axis=0)
        cluster = next(each[2] for each in answers if each[0] == item) or item
        below = read if figure == "precision" else (1 + read) / 2
        sums[cluster] = sums.get(cluster, 0) + np.array([right, below])
    return sums


@pytest.mark.parametrize("figure", ["precision", "f1"])
def test_differences_of_sums(figure):
    found = []
    for seed, (items, clusters) in enumerate(((6, 3), (12, 5), (9, 0), (40, 9), (60, 0), (5, 1))):
        one, two = sample(seed, items, 0.7, clusters), sample(seed + 50, items, 0.4, clusters)
        two = two[: -1 if items > 30 else None]
        shared = {each[:2] for each in one} & {each[:2] for each in two}
        sides = []
        for name, answers in (("a", one), ("b", two)):
            frame = Frame(rows_of_answers((*each, r and a, a) for *each, r, a in answers))
            sides.append(NamedTrials(name, frame, frame.places(ALL)))
        own = difference(*sides, measure_named(figure), level=0.9, seed=seed)
        first, second = (
            by_cluster(
                [(n, w, c, r and a, a) for n, w, c, r, a in side if (n, w) in shared], figure
            )
            for side in (one, two)
        )
        names = sorted(first, key=str)
        a, b = (np.array([side[name] for name in names]) for side in (first, second))

        def apart(a, b):
            return a[:, 0].sum() / a[:, 1].sum() - b[:, 0].sum() / b[:, 1].sum()

        assert own.value == pytest.approx(apart(a, b))
        if 1 < len(names) <= 12:
            turns = map(np.atleast_2d, itertools.product((False, True), repeat=len(names)))
            swapped = [apart(np.where(t.T, b, a), np.where(t.T, a, b)) for t in turns]
            assert own.p == pytest.approx(np.mean(np.abs(swapped) >= abs(own.value) - 1e-9))
            left = [apart(np.delete(a, n, 0), np.delete(b, n, 0)) for n in range(len(names))]
            assert own.se == pytest.approx(math.sqrt((len(left) - 1) * np.var(left)))
        pair = msgspec.to_builtins(own.pair)
        found.append([own.value, own.low, own.high, own.se, own.n, own.items, own.clusters,
                      own.method, own.p, pair])  # fmt: skip
    kept(f"core/differences-{figure}.json", as_lines(found))


def test_estimates_of_every_usual_measure():
    found = []
    for measure, over, averaged in itertools.product(
        USUAL, ("judged", "settled", "answered"), (True, False)
    ):
        own = msgspec.structs.replace(measure, over=over, averaged=averaged)
        frame = Frame(rows_of_answers(sample(7, 30, 0.6, 6)))
        made = estimate(frame, own, level=0.8)
        found.append([measure.name, over, averaged, made.value, made.low, made.high, made.se,
                      made.n, made.items, made.clusters, made.method, made.p])  # fmt: skip
    kept("core/estimates.json", as_lines(found))


def prediction(name, fate, model, other="", group="all", than="chance", confirmatory=True):
    words = said("cli-more", n=len(name))
    return Prediction(name, fate, words, model, other, group, than, confirmatory)


def test_what_was_registered():
    runs = {n: Manifest("b", m, {"plan": "key"}, {}, 1, spec=m) for n, m in enumerate("xyz")}
    runs[3] = Manifest("b", "w", {"plan": "other"}, {}, 1, spec="w")
    made = [
        prediction("H1", "confirmed", "x"), prediction("H2", "refuted", "y", "x", than="run"),
        prediction("H3", "open", "z", confirmatory=False), prediction("H4", "confirmed", "w"),
        prediction("H5", "open", "x", "w"), prediction("H6", "confirmed", "x", group="near"),
    ]  # fmt: skip
    left = [Departure("x", "later"), Departure("y", "fewer")]

    def registration(predictions, departures):
        table = Table("t", "T", (), ())
        return Registration("key", "2026", said("cli-more", n=1), table, [], [], predictions,
                            departures, True)  # fmt: skip

    found = []
    for number in (1, 2, 3, 6):
        for departures in ([], left):
            outcomes = registered.outcomes_of([registration(made[:number], departures)], runs)
            found.append([[o.prediction.name, o.run, o.other, o.departures] for o in outcomes])
            found.append([say(each) for each in registered.outcomes_in_short(outcomes)])
            found.append(
                [[f.topic, say(f.words)] for f in registered.registered_findings(outcomes)]
            )
            for group, run in itertools.product(("all", "near"), (0, 1, None)):
                texts = [
                    Finding("score", said("finding-accuracy")), Finding("score", "plain words"),
                    Finding("comparison", said("finding-better"), {"agree": "x:0:1"}),
                    Finding("comparison", said("finding-apart"), {"agree": "x:1:2"}),
                    Finding("comparison", said("finding-ranking")),
                ]  # fmt: skip
                told = registered.exploratory(texts, outcomes, group, run)
                found.append([[f.topic, getattr(f.words, "name", f.words)] for f in told])
    kept("core/registered.json", as_lines(found))
