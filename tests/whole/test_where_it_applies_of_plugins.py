"""A run of which a part does not apply to its model: the same numbers on every page."""

import test_where_it_applies

from zhiyin.analysis.coverage import coverage_of
from zhiyin.cli import main

desk = test_where_it_applies.desk


def test_a_baseline_that_was_asked_less_takes_nothing_from_what_models_are_ranked_on(desk, capsys):
    assert main(["leaderboard", str(desk / "runs"), "--out", str(desk / "board")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    common = 60 - coverage_of(desk / "runs/first").unfit
    assert "3 finished runs, asked in 2 ways and ranked within each" in shown
    assert f"first, {common} items (baseline) [a] - " in shown
    assert "knows.py:answer [b] 1 61.7 (49.0–72.9) 60" in shown
    assert "guesses.py:answer [b] 2 13.3 (6.9–24.2) 60" in shown
