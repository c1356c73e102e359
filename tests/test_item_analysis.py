"""Item analysis: simulated truth is found again, and too few examinees are said."""

import numpy as np
import pytest
from scipy import stats

from zhiyin.analysis.item_analysis import analyse
from zhiyin.analysis.table import read_runs
from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.statistics import items
from zhiyin.statistics.items import shorter


def simulated(n, k, seed=1, slope=None):
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=n)
    slopes = np.exp(rng.normal(0, 0.35, k)) if slope is None else np.full(k, slope)
    places = rng.normal(0, 1, k)
    chance = 1 / (1 + np.exp(-slopes * (ability[:, None] - places)))
    return (rng.random((n, k)) < chance).astype(float), slopes, places, ability


def test_a_two_parameter_model_finds_the_truth():
    scores, slopes, places, _ = simulated(500, 30)
    found = items.fit(scores, "2PL")
    assert found.converged
    assert np.corrcoef(slopes, found.slopes)[0, 1] > 0.85
    assert np.corrcoef(places, found.places)[0, 1] > 0.97
    assert abs(np.mean(np.array(found.slopes) / slopes) - 1) < 0.15


def test_a_rasch_model_finds_the_truth():
    scores, _, places, _ = simulated(150, 30, slope=1.3)
    found = items.fit(scores, "Rasch")
    assert found.converged
    assert abs(found.slopes[0] - 1.3) < 0.3
    assert np.abs(np.array(found.places) - places).mean() < 0.3


def test_no_model_for_few():
    assert [items.which_model(n) for n in (99, 100, 249, 250)] == [
        "", "Rasch", "Rasch", "2PL",
    ]  # fmt: skip


def test_difficulty_and_discrimination():
    scores, _, places, ability = simulated(400, 20, seed=2)
    scores[:, 0] = ability < 0  # an item that the weak get right
    assert np.corrcoef(items.difficulty(scores)[1:], places[1:])[0, 1] < -0.95
    found = items.discrimination(scores)
    assert found[0] < -0.3
    assert (found[1:] > 0.1).all()


def test_items_that_separate():
    rng = np.random.default_rng(3)
    people, models = rng.random((30, 10)) < 0.5, rng.random((30, 10)) < 0.5
    people[:, 4], models[:, 4] = True, False
    found = items.apart(people.astype(float), models.astype(float))
    assert [one.item for one in found] == [4]


def test_dead_options():
    assert items.is_dead(0, 20, 4)
    assert not items.is_dead(0, 3, 4)
    assert not items.is_dead(1, 20, 4)


def test_a_shorter_set_states_its_loss():
    scores, *_ = simulated(40, 60, seed=4)
    found = items.shorter(scores, 10)
    assert len(found.items) == 10
    assert found.tau > found.tau_new  # the choice flatters those it was made by
    assert items.shorter(scores[:3]) is None


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for model in ("random", "first", "longest", "overlap"):
        words = ["run", "exercises", "-m", model, "--n", "2", "--out", str(folder / model)]
        assert main([*words, "--json"]) == 0
    return [folder / name for name in ("random", "first", "longest", "overlap")]


def test_runs_are_analysed(runs, capsys):
    found = analyse(runs[:3], runs[3:])
    assert len(found.items) == 64
    assert found.people == [str(runs[3])]
    assert found.model == ""
    assert "4 participants" in found.calibration
    assert main(["stats", "items", *map(str, runs)]) == 0
    assert "not calibrated: 4 participants" in capsys.readouterr().out


def test_what_cannot_be_analysed_is_said(runs):
    with pytest.raises(InputError, match="twice"):
        analyse([runs[0], runs[0]])
    with pytest.raises(InputError, match="twice"):  # the same by another path
        analyse([runs[0]], [runs[0].parent / "elsewhere" / ".." / runs[0].name])
    with pytest.raises(InputError, match="twice"):  # its answers would count double
        read_runs([runs[0], runs[0].parent / "." / runs[0].name])
    with pytest.raises(InputError, match="no runs"):
        analyse([])


def test_a_shorter_test_is_tried_on_people_who_were_left_out():
    rng = np.random.default_rng(2)
    ability = rng.normal(size=23)
    table = (rng.random((23, 8)) < 1 / (1 + np.exp(-ability[:, None] + rng.normal(size=8)))) * 1.0
    found = shorter(table, 3)
    assert found is not None
    taus = []
    for fifth in range(5):
        out = np.arange(23) % 5 == fifth
        chosen = shorter(table[~out], 3).items
        taus.append(stats.kendalltau(table[out][:, chosen].sum(axis=1), table[out].sum(axis=1))[0])
    assert found.tau_new == pytest.approx(np.mean(np.nan_to_num(taus)))
