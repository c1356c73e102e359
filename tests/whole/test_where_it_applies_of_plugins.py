"""A run of which a part does not apply to its model: the same numbers on every page."""

import json

import pytest
from test_where_it_applies import MODELS

from zhiyin.analysis.coverage import coverage_of
from zhiyin.cli import main


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """60 of 80 questions asked of two models and a baseline; every fourth has no options."""
    folder = tmp_path_factory.mktemp("desk")
    rows = []
    for n in range(80):
        row = {"id": f"q{n}", "question": f"Is it number {n}?"}
        free = {"answer": "red", "scorer": "exact"}
        choice = {"options": ["yes", "no"], "answer": "AB"[n % 5 == 0]}
        rows.append(row | (free if n % 4 == 3 else choice))
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "own.jsonl").write_text(text)
    for name, letter in MODELS.items():
        code = f"def answer(messages):\n    return 'Answer: {letter}'\n"
        (folder / f"{name}.py").write_text(code)
    order = ["run", str(folder / "own.jsonl"), "--sample", "60", "--quiet", "-m"]
    for name in MODELS:
        spec = f"python:{folder / name}.py:answer"
        assert main([*order, spec, "--out", str(folder / "runs" / name)]) == 0
    assert main([*order, "first", "--out", str(folder / "runs/first")]) == 0
    whole = ["run", str(folder / "own.jsonl"), "-m", "first", "--quiet"]
    assert main([*whole, "--out", str(folder / "whole")]) == 0
    return folder


def test_a_baseline_that_was_asked_less_takes_nothing_from_what_models_are_ranked_on(desk, capsys):
    assert main(["leaderboard", str(desk / "runs"), "--out", str(desk / "board")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    common = 60 - coverage_of(desk / "runs/first").unfit
    assert "3 finished runs, asked in 2 ways and ranked within each" in shown
    assert f"first, {common} items (baseline) [a] - " in shown
    assert "knows.py:answer [b] 1 61.7 (49.0–72.9) 60" in shown
    assert "guesses.py:answer [b] 2 13.3 (6.9–24.2) 60" in shown
