"""What a comparison says that it would find, against simulations of the tests themselves."""

import math

import numpy as np
import pytest
from scipy import stats

from findings_help import answered, choice, write_run
from zhiyin.analysis.compare import compare
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.statistics.paired import mcnemar_exact, minimum_detectable, sign_flip
from zhiyin.statistics.planning import flips_detectable, mcnemar_detectable, mcnemar_power

NBSP = "\u00a0"


def simulated(n, difference, discordant, draws=20_000):
    """How often McNemar's exact test finds a difference, in its direction."""
    share = max(discordant, difference)
    one, other = (share + difference) / 2, (share - difference) / 2
    pairs = np.random.default_rng(n).multinomial(n, [one, other, max(0, 1 - one - other)], draws)
    kinds, which = np.unique(pairs[:, :2], axis=0, return_inverse=True)
    found = np.array([b > c and mcnemar_exact(int(b), int(c)).p < 0.05 for b, c in kinds])
    return found[which.ravel()].mean()


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    "n", [6, 8, 10, 20, 50, 100, 300, 1000, pytest.param(5000, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("discordant", [0.0, 0.1, 0.3, 0.5])
def test_what_is_called_detectable_is_found_four_times_in_five(n, discordant):
    discordant = max(discordant, 2 / (n + 2))
    least = mcnemar_detectable(n, discordant)
    assert simulated(n, least, discordant) == pytest.approx(0.8, abs=0.015)
    assert mcnemar_power(n, least, discordant) == pytest.approx(0.8, abs=0.012)


def test_the_power_is_that_of_every_table():
    n, one, other = 12, 0.5, 0.1
    power = sum(
        stats.multinomial.pmf([b, c, n - b - c], n, [one, other, 0.4])
        for b in range(n + 1)
        for c in range(b)
        if b + c <= n and stats.binomtest(c, b + c).pvalue < 0.05
    )
    assert mcnemar_power(n, one - other, one + other) == pytest.approx(power)


def test_five_items_or_clusters_find_nothing_however_large():
    assert mcnemar_detectable(5, 0.5) == math.inf
    assert mcnemar_detectable(6, 0.5) < 1
    assert mcnemar_detectable(7, 0.5, alpha=0.01) == math.inf
    assert flips_detectable(0.01, 5) == math.inf
    assert flips_detectable(0.01, 6) < 1
    assert flips_detectable(0.01, 7, alpha=0.01) == math.inf
    assert mcnemar_power(5, 1.0, 1.0) == mcnemar_power(9, 0.0, 0.0) == 0


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [6, 7, 9, 14])
def test_what_flips_of_clusters_find(clusters):
    rng = np.random.default_rng(clusters)
    se = 1 / math.sqrt(clusters)
    # Student's interval of few clusters is wider, and what is detectable goes by that.
    wide = se * stats.t.ppf(0.975, clusters - 1) / stats.norm.ppf(0.975)
    least = max(flips_detectable(se, clusters), minimum_detectable(wide))
    drawn = rng.normal(least, 1, (400, clusters))
    assert np.mean([sign_flip(one).p < 0.05 for one in drawn]) == pytest.approx(0.8, abs=0.06)


def test_items_that_all_agree_do_not_promise_what_no_test_finds():
    """30 items asked three times and answered alike: some eight have to differ, by a third."""
    least = flips_detectable(0.0, 30, 1 / 3 / 30)
    rng = np.random.default_rng(3)
    found = [
        sign_flip(np.where(rng.random(30) < 3 * least, 1 / 3, 0), draws=500).p < 0.05
        for _ in range(400)
    ]
    assert np.mean(found) == pytest.approx(0.8, abs=0.06)


def runs(root, n, cluster=None):
    asked = [choice(f"q{i}", cluster=cluster and cluster(i), gold="ABCD"[i % 4]) for i in range(n)]
    wrong = {"A": "B", "B": "C", "C": "D", "D": "A"}
    return [
        write_run(
            root / name,
            "quiz",
            name,
            [answered(t, t.target if i % 10 < 7 - move else wrong[t.target])
             for i, t in enumerate(asked)],
        )
        for move, name in enumerate(("one", "two"))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("n", "cluster", "words"),
    [
        (5, None, "too few items to show a difference"),
        (100, lambda i: f"c{i % 5}", "too few clusters to show a difference"),
        (20, None, "a difference of 36.7 points would have been found with 80 % power"),
    ],
)
def test_the_report_promises_only_what_its_test_can_find(tmp_path, n, cluster, words):
    folders = runs(tmp_path, n, cluster)
    (row,) = compare(folders).pairs[0].groups
    assert (row.detectable > 1) == ("too few" in words)
    (board,) = overview(RunSet(folders)).benchmarks
    (said,) = [str(f.words) for f in board.findings if "No significant difference" in str(f.words)]
    assert words in said.replace(NBSP, " ")
