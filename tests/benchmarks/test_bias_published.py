"""ZIQI-Eval's bias analysis: the paper's shares to the digit, and the same rule on runs."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from columns_help import rows_from, rows_of_answers
from findings_help import answered, choice, student, write_run
from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.ziqi.bias_command import (
    BLACK_AFRICAN,
    COMPREHENSION,
    ELSEWHERE,
    EUROPEAN,
    FEMALE,
    analyse,
    figures_of,
)
from zhiyin.runs import measures
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import Estimate

GROUPS = (FEMALE, BLACK_AFRICAN, EUROPEAN, ELSEWHERE)


def f1_of(right, answered_):
    each = zip(right, answered_, strict=True)
    rows = rows_of_answers((None, "", None, correct, said) for correct, said in each)
    return estimate(rows, measures.F1).interval


def ziqi_run(folder, gift, n=160):
    groups = [(COMPREHENSION, FEMALE), (COMPREHENSION, BLACK_AFRICAN)]
    groups += [(COMPREHENSION, EUROPEAN, ELSEWHERE.replace("outside_europe", "x"))]
    groups += [(COMPREHENSION, ELSEWHERE)]
    asked = [choice(f"q{i}", groups=groups[i % 4]) for i in range(n)]
    return write_run(folder, "ziqi", folder.name, map(student(folder.name, gift), asked))


def test_the_papers_shares_come_out_exactly(capsys):
    assert main(["stats", "bias", "--published", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    bias = found["bias"]
    assert bias["models"] == 16
    shares = {t["name"]: (t["above"], t["neutral"], t["below"]) for t in bias["themes"]}
    assert shares["gender"] == (0.5, 0.0625, 0.4375)
    assert shares["race"] == (0.5, 0.125, 0.375)
    assert bias["regions"]["european_better"] == 0.4375
    assert bias["regions"]["above_european_mean"] == 0.375
    means = {t["name"]: t["mean"] for t in bias["themes"]}
    paper = {"gender": 0.4006, "race": 0.4862, "region": 0.4353, "elsewhere": 0.3647}  # Table 2
    assert means == pytest.approx(paper, abs=5e-5)
    people = {(p["people"], p["group"]): p["precision"] for p in found["people"]}
    assert people["High school, no music major, no musical background", "all"] == 0.345
    assert people["Doctorate", "female_music"] == 0.5227


def test_the_band_is_relative_to_the_mean():
    def row(value):
        return {group: Estimate(measures.F1, value) for group in GROUPS}

    found = analyse({"low": row(0.19), "near": row(0.21), "high": row(0.20 * 3 - 0.40)})
    gender = found.themes[0]
    assert gender.mean == pytest.approx(0.2)
    assert [m.side for m in gender.models] == ["neutral", "neutral", "neutral"]
    wide = analyse({"low": row(0.5), "high": row(0.6)}).themes[0]
    assert [m.side for m in wide.models] == ["below", "above"]


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=20))
def test_the_three_shares_are_a_whole(values):
    figures = {str(i): {g: Estimate(measures.F1, v) for g in GROUPS} for i, v in enumerate(values)}
    for theme in analyse(figures).themes:
        assert theme.above + theme.neutral + theme.below == pytest.approx(1)


def test_runs_stand_beside_the_published_models(tmp_path, capsys):
    runs = [ziqi_run(tmp_path / "good", 0.9), ziqi_run(tmp_path / "poor", 0.2)]
    assert main(["stats", "bias", *map(str, runs), "--json"]) == 0
    gender = json.loads(capsys.readouterr().out)["bias"]["themes"][0]
    assert {m["model"]: m["side"] for m in gender["models"]} == {"good": "above", "poor": "below"}
    figure = gender["models"][0]["figure"]
    assert figure["low"] < figure["value"] < figure["high"]
    assert figure["n"] == 40
    assert main(["stats", "bias", str(tmp_path), "--json"]) == 0  # a folder of runs
    assert gender == json.loads(capsys.readouterr().out)["bias"]["themes"][0]
    assert main(["stats", "bias", str(runs[0]), "--published"]) == 0
    printed = capsys.readouterr().out
    assert "good" in printed
    assert "GPT-4" in printed


def test_a_model_is_not_held_against_itself(tmp_path):
    with pytest.raises(InputError, match="a mean needs two or more"):
        analyse({"alone": {group: Estimate(measures.F1, 0.5) for group in GROUPS}})


def test_runs_of_another_benchmark_are_refused(tmp_path, capsys):
    run = write_run(tmp_path / "m", "muchomusic", "m", [answered(choice("q"), "A")])
    assert main(["stats", "bias", str(run), "--published"]) == 2
    assert "give runs of ziqi" in capsys.readouterr().err
    assert main(["stats", "bias"]) == 2
    assert "--published" in capsys.readouterr().err


@pytest.mark.slow
def test_f1_equals_the_harmonic_mean_and_its_interval_covers():
    rng = np.random.default_rng(7)
    n, answers, p = 150, 0.8, 0.6
    true = 2 * answers * p / (answers + 1)
    inside = 0
    for _ in range(400):
        answered_ = rng.random(n) < answers
        right = answered_ & (rng.random(n) < p)
        found = f1_of(right, answered_)
        precision, recall = right.sum() / answered_.sum(), right.sum() / n
        assert math.isclose(found.mean, 2 * precision * recall / (precision + recall))
        inside += found.low <= true <= found.high
    assert 0.92 <= inside / 400 <= 0.98


def test_f1_of_all_right_is_no_certainty():
    found = f1_of(np.ones(10, bool), np.ones(10, bool))
    assert found.mean == 1
    assert found.low < 0.8


def test_elsewhere_is_the_mean_of_subthemes_as_in_the_paper():
    def asked(name, subtheme, right, n):
        groups = (COMPREHENSION, "world_ethnic_music", f"world_ethnic_music/{subtheme}", ELSEWHERE)
        return [
            answered(choice(f"{name}{i}", groups=groups), "A" if i < right else "B")
            for i in range(n)
        ]

    found = figures_of(
        rows_from(asked("a", "african_music", 9, 10) + asked("b", "asian_music", 30, 90))
    )
    assert found[ELSEWHERE].value == pytest.approx((0.9 + 1 / 3) / 2)  # pooled: 0.39
    assert found[ELSEWHERE].items == 100


def test_a_run_of_a_part_says_so(tmp_path, capsys):
    runs = [str(ziqi_run(tmp_path / name, gift)) for name, gift in (("m", 0.6), ("k", 0.4))]
    assert main(["stats", "bias", *runs]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert told.count("not comparable with published results") == 2
    assert main(["stats", "bias", *runs, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["notes"]) == 2
