"""A run of which a part does not apply to its model: the same numbers on every page."""

import json

import pytest

from zhiyin.analysis.coverage import coverage_of
from zhiyin.cli import main
from zhiyin.report.headlines import is_whole
from zhiyin.report.overview import overview
from zhiyin.report.paper_table import paper_table
from zhiyin.report.run_set import RunSet
from zhiyin.words import say

MODELS = {"knows": "A", "guesses": "B"}


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


@pytest.mark.slow
def test_what_does_not_apply_is_no_smaller_sample(desk):
    first, model = coverage_of(desk / "runs/first"), coverage_of(desk / "runs/knows")
    assert first.unfit > 0
    assert model.unfit == 0
    assert first.unfit + first.manifest.planned == 60
    told = f"random sample of 60 items; {first.unfit} of 60 trials do not apply to the model"
    assert str(first.part) == told
    assert str(model.part) == "random sample of 60 items"
    about = overview(RunSet([desk / "runs/first", desk / "runs/knows"]))
    methods = " ".join(say(one) for part in about.methods for one in part)
    assert f"{first.unfit} more do not apply to it and were not asked" in methods
    assert methods.count("60 items drawn at random only") == 1  # of both runs at once
    (chapter,) = about.benchmarks
    (scale,) = [say(one) for one in chapter.told[1] if one.name == "lead-scale"]
    assert f"(on its {60 - first.unfit} items)" in scale


def test_a_run_without_what_does_not_apply_is_not_whole(desk):
    (chapter,) = overview(RunSet([desk / "whole"])).benchmarks
    answer = is_whole(chapter.lead.standings[0], chapter.lead)
    assert answer.mood == "soft"
    assert say(answer.detail) == "20 of 80 trials do not apply; 60 items answered"


def strong(table):
    return {str(row.cells[0]) for row in table.rows if row.cells[1].strong}


def test_no_baseline_is_bold_nor_a_model_beside_baselines_alone(desk):
    runs = [desk / "runs" / name for name in ("first", "knows", "guesses")]
    table = paper_table(runs)
    assert strong(table) == {"knows.py:answer"}
    assert "where another does" in "".join(map(str, table.notes))
    alone = paper_table(runs[:2])
    assert not strong(alone)  # one model, and a baseline as good
    assert "Bold" not in "".join(map(str, alone.notes))


def test_where_no_model_differs_none_is_bold(desk, tmp_path):
    (tmp_path / "same.py").write_text((desk / "knows.py").read_text())
    order = ["run", str(desk / "own.jsonl"), "--sample", "60", "--quiet", "-m"]
    spec = f"python:{tmp_path / 'same'}.py:answer"
    assert main([*order, spec, "--out", str(tmp_path / "same")]) == 0
    table = paper_table([desk / "runs/knows", tmp_path / "same"])
    assert len(table.rows) == 2
    assert not strong(table)
    assert "Bold" not in "".join(map(str, table.notes))


def test_a_limit_is_a_limit_where_less_applies(desk, tmp_path):
    order = ["run", str(desk / "own.jsonl"), "--limit", "40", "--quiet", "-m", "first"]
    assert main([*order, "--out", str(tmp_path / "run")]) == 0
    coverage = coverage_of(tmp_path / "run")
    assert coverage.manifest.planned == 30
    assert (
        str(coverage.part) == "the first 40 trials only; 10 of 40 trials do not apply to the model"
    )
