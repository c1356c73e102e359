"""Scoring a log again: the version of today, before beside after, and no end at one exception."""

import json

import pytest

from findings_help import Tracks, answered, choice, write_run
from said_help import texts
from zhiyin.analysis.compare import compare
from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.session.rescore import rescore


def old_run(folder, model="m", replies=("A", "The answer is B.", "C", "I cannot say")):
    trials = [choice(f"q{n}", gold="ABCD"[n % 4]) for n in range(8)]
    records = [answered(t, None, replies[n % 4]) for n, t in enumerate(trials)]
    return write_run(folder, "tracks", model, records, benchmark_version="0")


def test_the_new_run_has_the_version_that_scored_it_and_the_old_one_keeps_its_own(tmp_path):
    run = old_run(tmp_path / "run")
    rescore(run, "robust", tmp_path / "new")
    assert read_manifest(tmp_path / "new").config["benchmark_version"] == Tracks.version
    assert read_manifest(run).config["benchmark_version"] == "0"


def test_the_advice_to_rescore_can_be_followed(tmp_path):
    old = old_run(tmp_path / "old")
    rescore(old_run(tmp_path / "was", "n"), "robust", tmp_path / "new")
    assert any("rescore them" in line for line in texts(compare([old, tmp_path / "new"]).warnings))
    rescore(old, "robust", tmp_path / "again")
    found = compare([tmp_path / "again", tmp_path / "new"])
    assert not any("rescore" in line for line in texts(found.warnings))


def test_one_trial_that_cannot_be_scored_does_not_end_it(tmp_path, monkeypatch):
    run, score = old_run(tmp_path / "run"), Tracks.score

    def fragile(self, trial, exchange):
        if trial.id == "q1":
            raise ValueError("odd reply")
        return score(self, trial, exchange)

    monkeypatch.setattr(Tracks, "score", fragile)
    summary = rescore(run, "robust", tmp_path / "new")
    assert summary.states["error"] == 1
    assert summary.groups["all"].n == 7
    assert summary.failures == {"scoring failed: ValueError: odd reply": 1}
    (bad,) = [r for r in read_records(tmp_path / "new") if r.verdict.state == "error"]
    assert bad.exchange.final.text == "The answer is B."  # what was paid for is kept
    assert main(["rescore", str(run), "--extract", "robust"]) == 1


def test_before_stands_beside_after(tmp_path, capsys):
    run = old_run(tmp_path / "run")
    assert main(["rescore", str(run), "--extract", "robust", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["before"]["groups"]["all"]["accuracy"] == 0
    assert found["before"]["benchmark_version"] == "0"
    assert found["groups"]["all"]["accuracy"] == 0.75
    assert found["changed"] == 6
    assert main(["rescore", str(run), "--extract", "robust"]) == 0
    printed = capsys.readouterr().out
    assert "before and after" in printed
    assert "6 of 8 verdicts differ" in printed
    line = next(line for line in printed.splitlines() if line.split()[:2] == ["robust", "0"])
    assert " 0.0 " in line


@pytest.mark.parametrize("policy", ["robust", "first-letter"])
def test_the_run_itself_is_not_changed(tmp_path, policy):
    run = old_run(tmp_path / "run")
    before = (run / "records.jsonl").read_bytes(), (run / "run.json").read_bytes()
    rescore(run, policy)
    assert ((run / "records.jsonl").read_bytes(), (run / "run.json").read_bytes()) == before
