"""How often one who guesses is called better or worse than guessing: in 5 % of cases at most."""

import numpy as np
import pytest

from columns_help import Tally
from zhiyin.analysis.within import ALPHA, favoured_letter
from zhiyin.models.baselines import SeededDraw
from zhiyin.report.measures import over_page
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.statistics.choice import against, guessing_p, letter_bias
from zhiyin.statistics.intervals import interval_from_sums
from zhiyin.words import say

TIMES = 600
MOST = 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / TIMES)
"""What 5 % may come to by luck alone; one in 200 such tests would fail by it."""
SHAPES = {
    "one big and five small": [50, 2, 2, 2, 2, 2],
    "one big and ten alone": [40, *[1] * 10],
    "two big and twenty small": [100, 100, *[2] * 20],
    "three": [20, 1, 1],
    "four of nine": [9] * 4,
    "eight of nine": [9] * 8,
    "four alone": [1] * 4,
    "nine alone": [1] * 9,
    "sixty alone": [1] * 60,
    "many": [4] * 250,
}


def told(right, counts, chance):
    found = interval_from_sums(right, counts)
    p = guessing_p(right, counts, chance, found.low, found.high)
    return against(p, chance, found.low, found.high)


@pytest.mark.slow
@pytest.mark.sample(39)
@pytest.mark.parametrize("alike", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("chance", [0.5, 0.25])
@pytest.mark.parametrize("shape", SHAPES)
def test_one_who_guesses_is_distinguished_from_it_in_one_case_of_twenty(shape, chance, alike):
    """`alike`: how much the answers of one cluster hang together, up to all right or all wrong."""
    rng, counts = np.random.default_rng(7), np.array(SHAPES[shape])
    found = 0
    for _ in range(TIMES):
        gift = np.full(len(counts), chance)
        if alike:
            size = (1 - alike) / alike
            gift = rng.beta(chance * size, (1 - chance) * size, len(counts))
        found += told(rng.binomial(counts, gift), counts, chance) != "open"
    skewed = chance < 0.5 and alike and len(counts) < 200  # flips take each side for as likely
    assert found / TIMES <= MOST + (0.02 if skewed else 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("facts", "items"),
    [(1, 3), *(pytest.param(*each, marks=pytest.mark.trust) for each in ((1, 8), (2, 4), (7, 8)))],
)
def test_the_random_baseline_on_minimal_pairs(facts, items):
    """As `zhiyin run pairs -m random` asks: an item in nine ways, each item a cluster."""
    ways, found, seeds = range(9), 0, 300
    for seed in range(seeds):
        draw, tally = SeededDraw(seed), Tally()
        for number in range(facts * items):
            for way in ways:
                right = draw(f"fact{number % facts}-0-{number:03d}/{way}", 2) == 0
                name = f"i{number}"
                tally.add("correct" if right else "wrong", (), name, item=name, condition=str(way),
                          options=2)  # fmt: skip
        found += tally.metrics().guess != "open"
    assert found / seeds <= 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / seeds)


@pytest.mark.slow
@pytest.mark.parametrize("counts", [[2] * 8, [9] * 12, [1] * 30, [50, *[2] * 12], [4] * 250])
def test_one_who_knows_is_distinguished(counts):
    rng, counts = np.random.default_rng(3), np.array(counts)
    # Where two thirds are one cluster an end is held down by what a single small one may do.
    most = 50 if counts[0] == 50 else 90
    found = [told(rng.binomial(counts, 0.95), counts, 0.5) for _ in range(100)]
    assert found.count("better") > most
    found = [told(rng.binomial(counts, 0.05), counts, 0.5) for _ in range(100)]
    assert found.count("worse") > most


def claims(rng, correct):
    """Whether a page of six who guess at 100 questions calls one of them anything."""
    gold = rng.choice(list("ABCD"), 100)
    ps, ends, liked = [], [], []
    for _ in range(6):
        chosen = rng.choice(list("ABCD"), 100)
        right = (chosen == gold).astype(float)
        found = interval_from_sums(right, np.ones(100))
        ends.append((found.low, found.high))
        ps.append(guessing_p(right, np.ones(100), 0.25, *ends[-1]))
        liked.append(letter_bias(chosen.tolist(), gold.tolist()))
    likings = [favoured_letter(one) for one in liked]
    known = [one for one in likings if one.verdict == "favours"]
    over = over_page([one.p for one in likings], 6)
    if correct:
        ps = over_page(ps, 6)
        known = [own for own, p in zip(likings, over, strict=True) if own in known and p < ALPHA]
    told = [against(p, 0.25, *own) for p, own in zip(ps, ends, strict=True)]
    return set(told) != {"open"}, bool(known)


@pytest.mark.trust
def test_a_page_of_six_who_guess_claims_one_in_a_twentieth_of_pages_at_most():
    rng = np.random.default_rng(11)
    pages = 300
    before, after = (np.array([claims(rng, c) for _ in range(pages)]) for c in (False, True))
    assert before.any(axis=1).mean() > 0.1
    assert after.any(axis=1).mean() <= 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / pages)
    assert after.mean(axis=0).max() <= 0.05


@pytest.mark.slow
def test_a_report_corrects_over_its_runs(tmp_path):
    """One of six is above guessing by a p of 0.02 alone: by itself it is called better."""
    from findings_help import answered, choice, write_run

    trials = [choice(f"q{n}", gold="ABCD"[n % 4]) for n in range(100)]
    runs = []
    for name, many in zip("abcdef", (36, 25, 24, 27, 23, 26), strict=True):
        said = [
            answered(t, t.target if n < many else "ABCD"[(n % 4 + 1 + n % 3) % 4])
            for n, t in enumerate(trials)
        ]
        runs.append(write_run(tmp_path / name, "toy", name, said))
    alone = overview(RunSet(runs[:1])).benchmarks[0].lead.standings[0]
    assert alone.guess == "better"
    board = overview(RunSet(runs))
    (first,) = [s for s in board.benchmarks[0].lead.standings if not s.run]
    assert first.guess != "better"
    assert "corrected by Holm over the runs of the page" in " ".join(
        say(one) for part in board.methods for one in part
    )


def test_few_clusters_say_nothing():
    """Of five clusters no flip of signs is rare enough, whatever they hold."""
    assert told([40, 40, 40, 40, 40], [40] * 5, 0.25) == "open"
    assert told([40] * 6, [40] * 6, 0.25) == "better"
