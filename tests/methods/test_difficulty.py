"""Difficulty from features: what is fitted, what is foretold of unseen items, and faults."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import pytest

from threshold_help import BEHIND, behind_noise
from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.plugins.methods.glmm.design import Observations
from zhiyin.plugins.methods.table import compare_with, fit_difficulty

pytestmark = pytest.mark.slow

MODELS = {"fine": 0.0, "coarse": -1.2, "dull": -2.0}


def answers(seed, items=120, twist=0.0):
    """Answers of simulated models to items whose size and timbre make them easy or hard."""
    draw, rows = np.random.default_rng(seed), []
    for number in range(items):
        ease, timbre = draw.uniform(-2, 2), draw.choice(["flute", "piano"])
        own = draw.normal(0, 0.4)
        for model, skill in MODELS.items():
            logit = 1.6 * ease + (0.9 if timbre == "piano" else 0) + skill + own + twist * ease
            right = draw.random() < 1 / (1 + np.exp(-logit))
            size = f"{round(ease * 2) / 2}"
            rows.append((model, f"{seed}/{number}", size, timbre, str(int(right))))
    names = ("model", "stimulus", "ease", "timbre", "correct")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return Observations(f"seed {seed}", columns, list(range(1, len(rows) + 1)))


def test_predicted_difficulty_holds_on_unseen_items():
    curve = fit_difficulty(answers(1, 250), ("ease", "timbre"))
    found = compare_with(curve, answers(2, 400))
    assert found.r > 0.8
    assert found.lower > 0.7
    assert found.lower < found.r < found.upper
    assert found.mean_predicted == pytest.approx(found.mean_observed, abs=0.05)
    opposite = compare_with(curve, answers(3, 400, twist=-3.2))  # what is easy is hard there
    assert opposite.r < 0


def of_the_listener(name, rounds):
    """Fitted to two seeds, held against two others."""
    curve = fit_difficulty(behind_noise(name, (0, 1), rounds), ("ease",))
    found = compare_with(curve, behind_noise(name, (2, 3), rounds))
    print(f"{name}: r {found.r:.3f} ({found.lower:.3f} to {found.upper:.3f}), {found.groups} "
          f"groups, {found.answers} answers")  # fmt: skip
    assert found.mean_predicted == pytest.approx(found.mean_observed, abs=0.05)
    return found


@pytest.mark.trust
def test_so_it_does_for_the_listener_behind_noise():
    assert of_the_listener("gap", 4).r > 0.8


@pytest.mark.trust
@pytest.mark.parametrize("name", BEHIND)
def test_the_whole_interval_of_the_listener_behind_noise_is_above(name):
    assert of_the_listener(name, 24).lower > 0.8


def test_a_chance_is_the_mean_over_items_with_the_same_features():
    curve = fit_difficulty(answers(1, 250), ("ease", "timbre"))
    assert 0.1 < curve.sd < 1.0
    row = {"model": "coarse", "ease": "1.0", "timbre": "piano"}
    chance = curve.chance(row)
    true = np.mean(
        1 / (1 + np.exp(-(1.6 + 0.9 - 1.2 + np.random.default_rng(1).normal(0, 0.4, 20000))))
    )
    assert chance == pytest.approx(true, abs=0.07)
    assert curve.chance(row | {"model": "fine"}) > chance > curve.chance(row | {"ease": "-1.0"})


def test_a_colon_in_the_name_of_a_model_or_level_changes_no_chance():
    plain = answers(1, 250)
    called = {"fine": "openai:fine", "coarse": "hf:a/coarse:latest", "dull": "ollama:dull"}
    columns = {
        **plain.columns,
        "model": [called[name] for name in plain.columns["model"]],
        "timbre": [f"of:{timbre}" for timbre in plain.columns["timbre"]],
    }
    one = fit_difficulty(plain, ("ease", "timbre"))
    other = fit_difficulty(Observations("z", columns, plain.lines), ("ease", "timbre"))
    for model in MODELS:
        for ease, timbre in (("1.0", "piano"), ("-1.5", "flute")):
            row = {"model": model, "ease": ease, "timbre": timbre}
            renamed = {**row, "model": called[model], "timbre": f"of:{timbre}"}
            assert other.chance(renamed) == pytest.approx(one.chance(row), abs=1e-3)


def test_faults_are_told():
    table = answers(1)
    with pytest.raises(InputError, match="no feature 'eese'"):
        fit_difficulty(table, ("eese",))
    constant = Observations("x", {**table.columns, "ease": ["1"] * len(table.lines)}, table.lines)
    with pytest.raises(InputError, match="always the same"):
        fit_difficulty(constant, ("ease",))
    curve = fit_difficulty(table, ("ease",))
    other = Observations("y", {**table.columns, "model": ["else"] * len(table.lines)}, table.lines)
    with pytest.raises(InputError, match="nothing was fitted for else"):
        compare_with(curve, other)
    flat = Observations("z", {**table.columns, "correct": ["1"] * len(table.lines)}, table.lines)
    with pytest.raises(InputError, match="as hard as each other"):
        compare_with(curve, flat)
    with pytest.raises(InputError, match="ask more items"):
        compare_with(curve, answers(4, 3))


def test_the_command_fits_runs_and_refuses_items_that_it_has_seen(tmp_path):
    def call(*words, status=0):
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            assert main([str(word) for word in words]) == status, err.getvalue()
        return err.getvalue() if status else out.getvalue()

    for seed in (0, 1):
        words = ("run", "thresholds", "--procedure", "constant", "--dimension", "gap", "-m")
        place = ("--out", tmp_path / f"{seed}", "--quiet")
        call(*words, "listener", "--most", 192, "--seed", seed, *place)
    words = ("stats", "difficulty", tmp_path / "0", "--features", "ease", "--unseen")
    found = json.loads(call(*words, tmp_path / "1", "--json"))["gap"]
    assert found["unseen"]["groups"] >= 4
    assert "r = " in call(*words, tmp_path / "1")
    assert "another --seed" in call(*words, tmp_path / "0", status=2)
