"""Item analysis: simulated truth is found again, and too few participants are said."""

import pytest

from zhiyin.analysis.item_analysis import analyse
from zhiyin.analysis.table import read_runs
from zhiyin.cli import main
from zhiyin.errors import InputError


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
