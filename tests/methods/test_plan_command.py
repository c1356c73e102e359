"""`zhiyin plan`: items for a difference, a difference for items, from guesses or from runs."""

import json
import math

import numpy as np
import pytest

from columns_help import paired_scores
from findings_help import choice, student, write_run
from zhiyin.cli import main
from zhiyin.plugins.methods.planning import margin
from zhiyin.statistics.intervals import interval
from zhiyin.statistics.paired import mcnemar_exact


def planned(capsys, *arguments):
    assert main(["plan", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_worked_example_of_1187_questions(capsys):
    found = planned(capsys, "--items", "1187", "--accuracy", "60")
    assert found["margin"] == pytest.approx(0.028, abs=5e-4)
    assert found["plan"]["detectable"] == pytest.approx(0.040, abs=1e-3)


def test_items_and_difference_are_each_others_inverse(capsys):
    items = planned(capsys, "--difference", "3")["plan"]["n"]
    assert planned(capsys, "--items", str(items))["plan"]["detectable"] <= 0.03
    assert planned(capsys, "--items", str(items - 1))["plan"]["detectable"] > 0.03


def test_clusters_ask_for_more_items(capsys):
    alone = planned(capsys, "--difference", "3")["plan"]["n"]
    together = planned(capsys, "--difference", "3", "--cluster-size", "4", "--icc", "0.2")
    assert together["plan"]["n"] == pytest.approx(1.6 * alone, abs=2)


def test_earlier_runs_give_variance_and_clusters(tmp_path, capsys):
    asked = [choice(f"q{i}", cluster=f"c{i // 4}") for i in range(80)]
    runs = [
        write_run(tmp_path / n, "toy", n, map(student(n, g), asked))
        for n, g in (("a", 0.7), ("b", 0.4))
    ]
    found = planned(capsys, *map(str, runs), "--difference", "5")
    first, second, clusters = paired_scores(*runs)
    differences = first - second
    assert found["plan"]["variance"] == pytest.approx(differences.var(ddof=1))
    assert found["basis"]["clusters"] == 20
    # of the score itself: that of the differences has another design effect
    alone = interval(first, clusters)
    effect = alone.n * alone.se**2 / (alone.mean * (1 - alone.mean))
    assert found["margin"] == pytest.approx(margin(found["plan"]["n"], alone.mean, effect))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--difference", "0"], "above 0"),
        (["--difference", "300"], "up to 100"),
        (["one", "./one", "--items", "5"], "the same run twice"),
        (["--difference", "3", "--noise", "2"], "--noise 2"),
        (["--items", "100", "--accuracy", "100"], "nothing can be planned"),
        (["--difference", "3", "--items", "5"], "not allowed with"),
        ([], "required"),
        (["only-one", "--items", "5"], "give two to plan from"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, words):
    assert main(["plan", *arguments]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


def test_it_is_told_in_plain_words(capsys):
    assert main(["plan", "--difference", "4"]) == 0
    assert "find a true difference of 4.0 points" in capsys.readouterr().out


def test_a_difference_that_cannot_be_is_not_planned(capsys):
    assert main(["plan", "--items", "1"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "1 item finds no difference, however large, between two models" in words


def simulated(n, first, second, correlation):
    """How often McNemar's exact test tells two accuracies apart."""
    both = first * second + correlation * math.sqrt(first * (1 - first) * second * (1 - second))
    one, other = first - both, second - both
    drawn = np.random.default_rng(1).multinomial(n, [one, other, 1 - one - other], 4000)
    kinds, which = np.unique(drawn[:, :2], axis=0, return_inverse=True)
    found = np.array([mcnemar_exact(int(b), int(c)).p < 0.05 for b, c in kinds])
    return found[which.ravel()].mean()


@pytest.mark.parametrize(
    ("points", "accuracy", "correlation"),
    [
        (10, 95, 0.5), (10, 95, 0), (5, 95, 0), (20, 80, 0.5), (20, 50, 0), (10, 50, 0.5),
        (30, 50, 0.5), (40, 60, 0.3), (30, 50, 0), (5, 70, 0.8), (20, 70, 0.6),
    ],
)  # fmt: skip
def test_a_plan_of_few_items_has_the_power_that_it_promises(capsys, points, accuracy, correlation):
    """By the formula alone 38 items were planned for 95 % and 10 points, and found them in 18 %."""
    given = ("--accuracy", str(accuracy), "--correlation", str(correlation))
    n = planned(capsys, "--difference", str(points), *given)["plan"]["n"]
    first, second = (accuracy + points / 2) / 100, (accuracy - points / 2) / 100
    assert simulated(n, first, second, correlation) >= 0.78
    assert planned(capsys, "--items", str(n), *given)["plan"]["detectable"] <= points / 100


def test_a_pair_that_cannot_be_so_far_apart_is_refused(capsys):
    assert main(["plan", "--difference", "11", "--accuracy", "95"]) == 2
    told = capsys.readouterr().err
    assert "one model would get 100.5 %, the other 89.5 %" in told
    assert told.count("\n") == 1
    assert main(["plan", "--difference", "11", "--accuracy", "5"]) == 2
    assert "the other -0.5 %" in capsys.readouterr().err
    assert planned(capsys, "--items", "20", "--accuracy", "95")["plan"]["detectable"] is None


def test_two_far_apart_are_no_more_alike_than_they_can_be(capsys):
    found = planned(capsys, "--difference", "60", "--correlation", "0.9")
    assert found["basis"]["correlation"] == pytest.approx(0.25)
    least = planned(capsys, "--difference", "60", "--correlation", "0.25")
    assert found["plan"]["n"] == least["plan"]["n"]


@pytest.mark.parametrize("written", [".2", "+.2", "2e-1", "0.20"])
def test_a_number_is_read_however_it_is_written(capsys, written):
    given = ("--items", "1_000", "--cluster-size", "4.")
    found = planned(capsys, *given, "--icc", written)
    assert found == planned(capsys, "--items", "1000", "--cluster-size", "4", "--icc", "0.2")


@pytest.mark.parametrize("written", ["nan", "inf", ".", "1_", "0x2"])
def test_what_is_no_number_is_refused(capsys, written):
    assert main(["plan", "--items", "100", "--icc", written]) == 2
    assert "give a number" in capsys.readouterr().err


def test_too_few_items_or_clusters_find_nothing(capsys):
    assert planned(capsys, "--items", "5")["plan"]["detectable"] is None
    five = planned(capsys, "--items", "200", "--cluster-size", "40")["plan"]
    assert five["detectable"] is None
    assert planned(capsys, "--difference", "90")["plan"]["n"] >= 6
    wanted = planned(capsys, "--difference", "60", "--cluster-size", "40", "--icc", "0")["plan"]
    assert wanted["n"] == 240
    assert main(["plan", "--items", "5"]) == 0
    assert "5 items find no difference, however large" in capsys.readouterr().out
