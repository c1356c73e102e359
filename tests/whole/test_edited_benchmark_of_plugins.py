"""A run of a benchmark in a file is read as data, and by the file where that is named."""

from pathlib import Path

import test_edited_benchmark
from test_edited_benchmark import FIGURES

from zhiyin.cli import main
from zhiyin.contract import registry

SCORES = """
    def score(self, trial, exchange):
        return Verdict("correct", trial.target, None, "all are right")
"""


desk = test_edited_benchmark.desk
shown = test_edited_benchmark.shown


def test_another_way_of_scoring_names_rescore(desk, shown, capsys):
    desk.write_text(desk.read_text() + SCORES)
    told = shown("--benchmark", "sub/my.py:Mine")
    assert FIGURES in told  # the verdicts are those of then
    assert f"`zhiyin rescore RUN --extract POLICY --benchmark {desk}:Mine` scores" in told
    words = ["--benchmark", "sub/my.py:Mine", "--extract", "robust", "--out", "again"]
    assert main(["rescore", "run", *words]) == 0
    assert "all are right" in Path("again/records.jsonl").read_text()
    assert main(["verify", "again", "--rescore", "--benchmark", "sub/my.py:Mine"]) == 0
    capsys.readouterr()
    assert "has changed since" not in shown("--benchmark", "sub/my.py:Mine", run="again")
    assert main(["compare", "run", "again", "--benchmark", "sub/my.py:Mine"]) == 0


def test_a_class_that_scores_in_its_own_way_is_needed_to_score(desk, capsys):
    desk.write_text(desk.read_text() + SCORES)
    assert main(["run", "sub/my.py:Mine", "-m", "first", "--out", "own", "--quiet"]) == 0
    registry._given.clear()
    capsys.readouterr()
    for words in (["rescore", "own", "--extract", "robust"], ["verify", "own", "--rescore"]):
        assert main(words) == 2
        said = capsys.readouterr().err.strip()
        assert said.endswith(
            f"its replies cannot be scored without it: --benchmark {desk}:Mine names its file"
        )
        assert "\n" not in said


def test_items_that_only_the_file_makes_are_a_note_of_verify(desk, capsys):
    capsys.readouterr()
    assert main(["verify", "run", "--rescore"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "the items could not be made again" in told
    assert "scored again: 8 of 8 as written" in told
    assert main(["verify", "run", "--rescore", "--benchmark", "sub/my.py:Mine"]) == 0
    assert "note" not in capsys.readouterr().out
