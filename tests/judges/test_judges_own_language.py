"""A run is judged in the language in which it was asked, however its judge is called."""

import pytest

from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest
from zhiyin.plugins.judges.judging import graded_folders

pytestmark = pytest.mark.slow


def test_judged_beside_the_run_or_afterwards_is_one_judging(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run = ["run", "appraisal", "--source", "generated", "--n", "1", "--quiet", "--out", "a"]
    reviewer = ["-m", "python:zhiyin.plugins.benchmarks.appraisal.reviewer:review"]
    assert main([*run, *reviewer, "--language", "en", "--judge", "lexical"]) == 0
    assert main(["judge", "a", "-m", "lexical", "--quiet"]) == 0
    (judged,) = graded_folders(tmp_path / "a")
    assert read_manifest(judged).options["language"] == "en"
    assert main(["judge", "a", "-m", "lexical", "--quiet", "--language", "zh"]) == 0
    languages = {
        read_manifest(folder).options["language"] for folder in graded_folders(tmp_path / "a")
    }
    assert languages == {"en", "zh"}
    capsys.readouterr()
