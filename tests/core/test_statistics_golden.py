"""Every figure of the statistics for many inputs, as golden tables have them.

Whether the figures are right is tested elsewhere, against SciPy and by hand.
"""

import random

import numpy as np
import pytest

from golden_help import Table, outcome
from zhiyin.statistics import choice, distributions, intervals, paired
from zhiyin.statistics.parts import TOTAL, Parts, part_difference, part_interval

LEVELS = (0.5, 0.95, 0.999)
GROUPED = {
    "alone": lambda n: None,
    "pairs": lambda n: [f"c{i // 2}" for i in range(n)],
    "uneven": lambda n: [("a", "b", "b", "c", "c", "c", None, "d")[i % 8] for i in range(n)],
    "one large": lambda n: ["large" if i < 0.6 * n else i for i in range(n)],
    "one": lambda n: ["same"] * n,
    "numbers": lambda n: np.array([7 - i % 5 for i in range(n)]),
}


def scores(kind, n, seed):
    """So many scores of a kind, the same on every machine."""
    draw = random.Random(f"{kind} {n} {seed}")
    return [
        {
            "all": lambda: 1.0,
            "none": lambda: 0.0,
            "right or wrong": lambda: float(draw.random() < 0.6),
            "rarely right": lambda: float(draw.random() < 0.08),
            "halves": lambda: draw.randrange(3) / 2,
            "sevenths": lambda: draw.randrange(8) / 7,
            "shares": draw.random,
            "cents": lambda: round(draw.gauss(3, 40), 1),
            "skewed": lambda: round(draw.expovariate(0.2) ** 3, 2),
            "alike": lambda: 2.5,
        }[kind]()
        for _ in range(n)
    ]


KINDS = ("right or wrong", "halves", "sevenths", "shares", "rarely right", "all", "none")
ROWS = [
    (kind, n, GROUPED[group](n), f"{kind}, {n}, {group}")
    for kind in (*KINDS, "cents", "skewed", "alike")
    for n, group in (
        (1, "alone"), (2, "alone"), (12, "alone"), (41, "alone"), (12, "pairs"), (40, "pairs"),
        (17, "uneven"), (30, "one large"), (6, "one"), (25, "numbers"),
    )
]  # fmt: skip


def of_intervals():
    """Means with their intervals."""
    for number, (kind, n, groups, name) in enumerate(ROWS):
        rows, level = scores(kind, n, 1), LEVELS[number % 3]
        for method in ("auto", "t", "wilson", "bootstrap"):
            told = [name, method, level]
            yield (
                told,
                lambda r=rows, g=groups, v=level, m=method: outcome(
                    intervals.interval, r, g, v, method=m, seed=3
                ),
            )
        if kind in KINDS:
            yield ["chance", name], lambda r=rows, g=groups: outcome(_guessing, r, g)
    for sums, counts in (
        ([0.5, 2.25, 1], [1.5, 2.5, 1]), ([3, 0, 0], [3.5, 3.5, 1]), ([1], [2.5]),
        ([40, *[1] * 20], [50, *[2] * 20]), ([40, *[0.3] * 20], [50, *[2] * 20]),
        ([90, 1, 1, 0], [100, 2, 2, 1]), ([30] * 9, [60] * 9), ([61.5, 3, 2], [130, 7, 3]),
        (list(range(26)), [25] * 26), ([1 / 7 * i for i in range(40)], [6] * 40),
        ([7, 2, *[1] * 9], [10, 4, *[2] * 9]), ([2.5, 2, *[1] * 9], [4.1, 2, *[2] * 9]),
    ):  # fmt: skip
        one, of = np.array(sums, float), np.array(counts, float)
        for level in LEVELS:
            yield (
                ["share", sums, counts, level],
                lambda a=one, b=of, v=level: outcome(intervals.share_interval, a, b, v, 9),
            )
            yield (
                ["ends", sums, counts, level],
                lambda a=one, b=of, v=level: outcome(
                    distributions.share_ends, a, b, 0.8, intervals.normal_quantile(v)
                ),
            )
        yield ["shape", sums, counts], lambda a=one, b=of: outcome(
            lambda: (
                intervals.standard_error(a, b), intervals.degrees_of_freedom(b),
                intervals.is_skewed(a, b), intervals.effective_n(0.3, 0.0, b),
                intervals.effective_n(0.3, 0.05, b),
            )
        )  # fmt: skip


def _guessing(rows, groups):
    index = intervals.cluster_index(groups, len(rows))
    sums, counts = intervals.cluster_sums(np.array(rows), index)
    ends = intervals.interval_from_sums(sums, counts)
    found = []
    for chance in (0.0, 0.1, 0.25, 0.5, ends.mean, ends.low, ends.high, 1.0):
        p = choice.guessing_p(sums, counts, chance, ends.low, ends.high)
        found.append((p, choice.against(p, chance, ends.low, ends.high)))
    return found, choice.wilson_n(ends.mean, ends.low, ends.high)


def of_pairs():
    """Two models on the same items."""
    for number, (kind, n, groups, name) in enumerate(ROWS):
        for other in (kind, KINDS[number % len(KINDS)]):
            one, two, level = scores(kind, n, 2), scores(other, n, 5), LEVELS[number % 3]
            yield (
                ["difference", name, other, level],
                lambda a=one, b=two, g=groups, v=level: outcome(
                    paired.paired_difference, a, b, g, v
                ),
            )
            gap = [a - b for a, b in zip(one, two, strict=True)]
            yield (
                ["flips", name, other],
                lambda d=gap, g=groups: outcome(paired.sign_flip, d, g, draws=200, seed=1),
            )
    for clusters, step in ((310, 7), (300, 10), (299, 10), (600, 100)):
        one = [float(i % step != 0) for i in range(clusters)]
        yield (
            ["large", clusters, step],
            lambda a=one: outcome(paired.paired_difference, a, [1.0] * len(a), None),
        )
    for b, c in ((0, 0), (1, 0), (0, 6), (5, 5), (9, 2), (200, 150), (3, 40), (-1, 2), (2, -1)):
        yield ["mcnemar", b, c], lambda b=b, c=c: outcome(paired.mcnemar_exact, b, c)
    for p in ([0.04], [0.01, 0.04, 0.03, 0.04], [0.5, 0, 1, 0.2, 0.2], [0.9, 0.8, 0.7], [1.2], []):
        for correct in (paired.holm, paired.benjamini_hochberg):
            yield [correct.__name__, p], lambda f=correct, p=p: outcome(f, p)
    for size in (1, 2, 3, 5, 7, 30):
        draw = random.Random(size)
        means = [round(draw.random(), 1) for _ in range(size)]
        table = [[0.0] * size for _ in range(size)]
        for i in range(size):
            for j in range(i):
                table[i][j] = table[j][i] = draw.choice((0.01, 0.05, 0.3))
        for alpha in (0.05, 0.051, 0.005):
            yield (
                ["rank", size, alpha],
                lambda m=means, t=table, a=alpha: outcome(paired.rank, m, t, a),
            )
    for p in ([[1, 0.5], [0.4, 1]], [[1, 0.5]], [[1, 1.5], [1.5, 1]]):
        yield ["rank", p], lambda p=p: outcome(paired.rank, [1, 2], p)
    for power, alpha in ((0.8, 0.05), (0.5, 0.3), (0.999, 0.001), (0, 0.05), (0.8, 1), (1, 0.05)):
        yield (
            ["detectable", power, alpha],
            lambda p=power, a=alpha: outcome(paired.minimum_detectable, 0.3, p, a),
        )


def parts_of(seed, songs):
    """The parts of a run, as a benchmark has them: questions, reviews, claims."""
    draw = random.Random(seed)
    scored = [[draw.random() < often for _ in range(songs)] for often in (1.0, 0.6, 0.5)]
    counts = [
        [top and of() for top in row]
        for row, of in zip(scored, (lambda: 1 + draw.randrange(4), lambda: 1,
                                    lambda: draw.randrange(5)), strict=True)
    ]  # fmt: skip
    tops = (lambda n: draw.randrange(n + 1), lambda n: n * draw.randrange(11) / 10, lambda n: n)
    sums = [[top(n) for n in row] for top, row in zip(tops, counts, strict=True)]
    if seed % 3 == 0:
        counts[2] = [n * 0.5 for n in counts[2]]
        sums[2] = [draw.random() * n for n in counts[2]]
    return scored, sums, counts


def of_parts():
    """Scores made of parts, and two runs by them."""
    names, weights = ("questions", "reviews", "claims"), (2.0, 1.0, 0.5)
    for seed in range(14):
        songs = (1, 2, 5, 9, 16, 30)[seed % 6]
        named = tuple(f"s{n}" for n in range(songs))
        scored, sums, counts = parts_of(seed, songs)
        others = [[min(n, s + 0.5 * (i % 2)) for i, (s, n) in enumerate(zip(*rows, strict=True))]
                  for rows in zip(sums, counts, strict=True)]  # fmt: skip
        weighed = weights if seed % 5 else (1.0, 0.0, 3.0)
        one, two = (
            Parts(names, weighed, named, np.array(held, float), np.array(counts, float),
                  np.array(scored, bool))
            for held in (sums, others)
        )  # fmt: skip
        for name in (*names, TOTAL):
            yield ["part", seed, name], lambda a=one, b=two, n=name: [
                outcome(part_interval, a, n, 0.9), outcome(part_interval, b, n),
                outcome(part_difference, a, b, n, draws=100, seed=2),
                outcome(part_difference, a, a, n, 0.8, draws=50),
            ]  # fmt: skip


def of_letters():
    """Letters that are chosen."""
    for seed in range(40):
        draw = random.Random(seed)
        n, few = draw.choice((1, 3, 8, 30, 90)), draw.choice(("AB", "ABC", "ABCD"))
        gold = [draw.choice(few) for _ in range(n)]
        liked = draw.choice(("A", "", "B"))
        chosen = [
            None if draw.random() < 0.1 else g if draw.random() < 0.4 else liked or draw.choice(few)
            for g in gold
        ]
        chosen = chosen if seed % 7 else [draw.choice("ABE") for _ in gold]
        items = [i // (1 + seed % 4) for i in range(n)]
        yield ["letters", seed], lambda c=chosen, g=gold, i=items: [
            outcome(choice.letter_bias, c, g), outcome(choice.letter_bias, c, g, i),
        ]  # fmt: skip


def of_distributions():
    """Student's t, the binomial, and independent events."""
    for df in (0.3, 1, 2.5, 7, 19.9, 39, 40, 41, 200, 5e4):
        yield (
            ["t", df],
            lambda df=df: [
                [distributions.t_above(t, df) for t in (0, 1e-4, 0.3, 1, 2.5, 9, 80)],
                [distributions.t_value(p, df) for p in (0.5, 0.4, 0.1, 0.025, 1e-3, 1e-6)],
            ],
        )
    for n in (1, 2, 19, 20, 21, 45, 300, 4000):
        for p in (0.0, 1e-3, 0.25, 0.5, 0.9, 1.0):
            ks = sorted({-1, 0, 1, n // 4, n // 2, round(n * p), n - 1, n})
            yield (
                ["binomial", n, p],
                lambda n=n, p=p, ks=ks: [
                    [distributions.binomial_below(k, n, p) for k in ks],
                    outcome(
                        distributions.binomial_likely, range(max(0, n // 2 - 3), n // 2 + 1), n, p
                    ),
                    outcome(distributions.binomial_each, [0, n // 2, n], [n, n + 1, 2 * n], p),
                    [choice.binomial(k, n, p) for k in ks if k >= 0],
                ],
            )
    for shares in ([], [0.5], [0.25] * 9, [0.1, 0.9, 0.5, 1.0, 0.0], [0.33] * 40):
        yield (
            ["tail", shares],
            lambda s=shares: [distributions.upper_tail(s, k) for k in range(len(s) + 2)],
        )
    for level in (0, 0.05, 0.5, 0.95, 1 - 1e-17, 1, -1):
        yield (
            ["quantile", level],
            lambda v=level: [
                outcome(intervals.normal_quantile, v),
                [outcome(intervals.t_quantile, v, df) for df in (-1, 0, 0.5, 3, 60)],
            ],
        )
    for k, n in ((0, 1), (1, 1), (0, 30), (3, 30), (15, 30), (30, 30), (2.5, 7.1), (4, 3), (-1, 3),
                 (0, 0)):  # fmt: skip
        yield (
            ["wilson", k, n],
            lambda k=k, n=n: [
                outcome(lambda v=v: (intervals.wilson(k, n, v), repr(intervals.wilson(k, n, v))))
                for v in LEVELS
            ],
        )
    for labels in (["b", "a", None, "b", None], np.array([3, 1, 3, 2, 1]), [], ["a"] * 4, [1, 2]):
        yield ["labels", labels], lambda v=labels: [
            outcome(intervals.cluster_index, v, len(v)), outcome(intervals.cluster_index, v, 3),
            outcome(intervals.averaged_within, [0.5, 1, 0, 0.25, 2][: len(v)], v),
            outcome(lambda: intervals.how_many(np.array([str(x) for x in v]))),
        ]  # fmt: skip


TABLES = [
    Table(f"statistics/{of.__name__.removeprefix('of_')}", of(), size)
    for of, size in (
        (of_intervals, 20), (of_pairs, 20), (of_parts, 8), (of_letters, 10),
        (of_distributions, 10),
    )
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("table", "part"), [
    pytest.param(table, *part.values, id=part.id) for table in TABLES for part in table.parts
])  # fmt: skip
def test_every_figure_is_that_of_the_golden_table(table, part):
    table.check(part)
