"""Item analysis: simulated truth is found again, and too few participants are said."""

import json
import shutil

import pytest

from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.plugins.methods.item_analysis import analyse
from zhiyin.plugins.methods.table import read_runs
from zhiyin.runs.estimates import chance_of
from zhiyin.runs.rows import rows_of


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for model in ("random", "first", "longest", "overlap"):
        words = ["run", "exercises", "-m", model, "--n", "2", "--out", str(folder / model)]
        assert main([*words, "--json"]) == 0
    return [folder / name for name in ("random", "first", "longest", "overlap")]


@pytest.mark.slow
def test_runs_are_analysed(runs, capsys):
    found = analyse(runs[:3], runs[3:])
    assert len(found.items) == 64
    assert found.people == [str(runs[3])]
    assert found.model == ""
    assert "4 participants" in found.calibration
    assert main(["stats", "items", *map(str, runs)]) == 0
    assert "not calibrated: 4 participants" in capsys.readouterr().out


def test_chance_is_the_same_in_json_and_in_exports(runs, tmp_path, capsys):
    assert main(["show", str(runs[0]), "--json"]) == 0
    groups = json.loads(capsys.readouterr().out)["groups"]
    rows = rows_of(runs[0])
    for name, group in groups.items():
        assert group["chance"] == chance_of(rows.within(name))
        assert (group["guess_p"] is None) == (group["chance"] is None)
    free = tmp_path / "free.csv"
    free.write_text("id,question,answer\nq1,Which key?,C\nq2,Which metre?,4/4\n")
    (tmp_path / "same.py").write_text("def answer(messages):\n    return 'C'\n")
    out, model = tmp_path / "free", f"python:{tmp_path / 'same.py'}:answer"
    words = ["run", str(free), "-m", model, "--scorer", "normalised", "--out", str(out)]
    assert main([*words, "--quiet"]) == 0
    capsys.readouterr()
    assert main(["show", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["groups"]["all"]["chance"] is None


def test_what_cannot_be_analysed_is_said(runs):
    with pytest.raises(InputError, match="twice"):
        analyse([runs[0], runs[0]])
    with pytest.raises(InputError, match="twice"):  # the same by another path
        analyse([runs[0]], [runs[0].parent / "elsewhere" / ".." / runs[0].name])
    with pytest.raises(InputError, match="twice"):  # its answers would count double
        read_runs([runs[0], runs[0].parent / "." / runs[0].name])
    with pytest.raises(InputError, match="no runs"):
        analyse([])


@pytest.mark.slow
def test_copies_are_one_participant_in_every_figure(runs, tmp_path, capsys):
    again = []
    for n in range(3):
        again.append(tmp_path / f"copy{n}")
        words = ["run", "exercises", "-m", "first", "--n", "2", "--out", str(again[-1])]
        assert main([*words, "--json"]) == 0
    renamed = tmp_path / "renamed"  # the same replies under another name
    shutil.copytree(runs[2], renamed)
    manifest = renamed / "run.json"
    text = manifest.read_text()
    assert '"longest"' in text
    manifest.write_text(text.replace('"model": "longest"', '"model": "other"'))
    alone, crowded = analyse(runs), analyse([*runs, *again, renamed])
    assert len(crowded.participants) == 8
    assert crowded.families == alone.families == 4
    assert crowded.items == alone.items
    assert crowded.reliability == alone.reliability
    assert crowded.short == alone.short
    assert "4 participants" in crowded.calibration
    capsys.readouterr()
    assert main(["stats", "items", *map(str, [*runs, *again])]) == 0
    assert "7 participants (4 without copies)" in capsys.readouterr().out
    assert analyse([], again).families == 1  # a person who is given thrice is one
