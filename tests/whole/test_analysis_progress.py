"""Long work is watched: `zhiyin status`, `--notify`."""

import fcntl
import json
import os
import time
from datetime import UTC, datetime, timedelta

import pytest

import shards_help
from said_help import texts
from shards_help import Sure
from suites_help import HERE, suite
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.engine.folder import Shard
from zhiyin.engine.log import this_machine
from zhiyin.plugins.lab.run_status import status_of_run


def edit(folder, **changes):
    manifest = json.loads((folder / "run.json").read_text())
    manifest["sessions"][-1] |= changes
    manifest["sessions"][-1] = {k: v for k, v in manifest["sessions"][-1].items() if v is not None}
    (folder / "run.json").write_text(json.dumps(manifest))


def ago(**time_):
    return (datetime.now(UTC) - timedelta(**time_)).isoformat(timespec="seconds")


@pytest.fixture
def half(tmp_path):
    """A run of another machine that has answered half of its trials in a hundred seconds."""
    out = tmp_path / "half"
    shards_help.run(out, chats=0)
    log = out / "records.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]))
    edit(out, started=ago(seconds=100), ended=None, asked=0, elapsed_s=0.0, machine="another")
    return out


def test_a_run_that_cannot_be_read_hides_no_other(half, tmp_path, capsys):
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "run.json").write_text("{")
    assert main(["status", str(tmp_path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "0 of 2 runs done" in said
    assert "run.json: not a run's manifest" in said
    (half / "run.json").write_text("{")
    assert main(["status", str(tmp_path)]) == 2


def test_a_run_that_goes_on_tells_rate_and_time_left(half):
    found = status_of_run(half)
    assert found.now == "going"
    assert found.answered == found.planned // 2
    assert found.per_second == pytest.approx(found.answered / 100, rel=0.05)
    left = found.planned - found.answered
    assert found.left_s == pytest.approx(left / found.per_second, rel=0.05)


def test_trials_of_earlier_sessions_are_not_in_the_rate(half):
    edit(half, before=10)
    found = status_of_run(half)
    assert found.per_second == pytest.approx((found.answered - 10) / 100, rel=0.05)


def test_a_log_that_does_not_grow_is_said_to_be_quiet(half, capsys):
    old = time.time() - 3600
    os.utime(half / "records.jsonl", (old, old))
    edit(half, started=ago(seconds=7200))
    assert status_of_run(half).now == "quiet"
    assert main(["status", str(half)]) == 0
    shown = capsys.readouterr().out
    assert "its last session did not end" in shown
    assert "1 h 0 min" in shown


def test_a_run_that_was_killed_here_is_told_at_once(half):
    edit(half, machine=this_machine())
    found = status_of_run(half)
    assert (found.now, "killed" in found.why) == ("stopped", True)
    with (half / "records.jsonl").open("rb") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        assert status_of_run(half).now == "going"


def test_what_another_machine_has_not_ended_is_not_called_killed_alone(half):
    (told,) = [line for line in texts(summarise(half).warnings) if "another machine" in line]
    assert "it is still running there, or was killed" in told


def test_failures_are_told_by_cause_and_a_stop_with_its_reason(tmp_path, capsys):
    out = tmp_path / "failing"
    shards_help.run(out, Sure(fails=True))
    found = status_of_run(out)
    assert found.failures == {"it has no answer to that": found.failed}
    assert found.now == "failed"
    assert main(["status", str(out)]) == 0
    assert f"{found.failed} x it has no answer to that" in capsys.readouterr().out


def test_shards_in_a_folder_are_told_together(tmp_path, capsys):
    for index in (1, 2):
        shards_help.run(tmp_path / "runs" / f"s{index}", shard=Shard(index, 3))
    assert main(["status", str(tmp_path / "runs"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["runs"]) == {"s1", "s2"}
    assert found["answered"] == sum(run["answered"] for run in found["runs"].values())
    assert "2 of 2 runs done" in found["told"]


def test_a_suite_is_told_with_its_slowest_and_what_is_not_begun(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    file = tmp_path / "small.toml"
    file.write_text(suite(models=["Good", "Broken"], benchmarks=["Ears"], conditions=["plain"]))
    out = tmp_path / "s"
    assert main(["suite", str(file), "--out", str(out), "--no-report", "--quiet"]) == 1
    state = json.loads((out / "suite.json").read_text())
    state["runs"].append({**state["runs"][0], "name": "later", "state": "planned"})
    (out / "suite.json").write_text(json.dumps(state))
    capsys.readouterr()
    assert main(["status", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = " ".join(" ".join(lines).split())
    assert "1 of 3 runs done" in shown
    assert "a reply of good: 0.002 s in the middle" in shown
    assert "not begun: later" in shown
    assert "failed: ears--plain--broken: nobody answers" in shown
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 25


def test_what_is_no_run_is_told(tmp_path, capsys):
    assert main(["status", str(tmp_path)]) == 2
    assert "no run and no suite in it" in capsys.readouterr().err


WRITE = "env | grep ^ZHIYIN_ | sort > told.txt"


def notify(tmp_path, monkeypatch, *words, command=WRITE):
    monkeypatch.chdir(tmp_path)
    status = main([*words, "--notify", command])
    told = tmp_path / "told.txt"
    lines = told.read_text().splitlines() if told.exists() else []
    return status, dict(line.partition("=")[::2] for line in lines)


RUN = ("run", f"{HERE}:Ears", "-m", f"python:{HERE}:Good", "--items", "4", "--quiet")


@pytest.mark.slow
def test_a_command_is_told_how_a_run_ended(tmp_path, monkeypatch):
    status, told = notify(tmp_path, monkeypatch, *RUN, "--out", "r")
    assert status == 0
    expected = {"KIND": "run", "STATUS": "done", "EXIT": "0", "DIR": "r", "TRIALS": "4",
                "PLANNED": "4", "ERRORS": "0", "BENCHMARK": "ears"}  # fmt: skip
    assert {name: told[f"ZHIYIN_{name}"] for name in expected} == expected
    assert "4 of 4 trials" in told["ZHIYIN_MESSAGE"]


@pytest.mark.slow
def test_a_command_is_told_of_what_cannot_go_on(tmp_path, monkeypatch, capsys):
    words = ("run", f"{HERE}:Ears", "-m", f"python:{HERE}:Broken", "--quiet", "--out", "r")
    status, told = notify(tmp_path, monkeypatch, *words)
    assert status == 2
    assert told["ZHIYIN_STATUS"] == "refused"
    assert "nobody answers at this address" in told["ZHIYIN_MESSAGE"]


@pytest.mark.slow
def test_a_command_is_told_how_a_suite_ended(tmp_path, monkeypatch):
    text = suite(models=["Good", "Broken"], benchmarks=["Ears"], conditions=["plain"], items=4)
    (tmp_path / "small.toml").write_text(text)
    words = ("suite", "small.toml", "--out", "s", "--no-report", "--quiet")
    status, told = notify(tmp_path, monkeypatch, *words)
    assert status == 1
    expected = {"KIND": "suite", "STATUS": "failures", "RUNS": "2", "DONE": "1", "FAILED": "1"}
    assert {name: told[f"ZHIYIN_{name}"] for name in expected} == expected


@pytest.mark.slow
def test_a_command_that_fails_is_told_and_changes_nothing(tmp_path, monkeypatch, capfd):
    status, _ = notify(
        tmp_path, monkeypatch, *RUN, "--out", "r", "--json", command="echo hi; exit 3"
    )
    assert status == 0
    shown = capfd.readouterr()
    json.loads(shown.out)  # what the command prints is not among the results
    assert "hi" in shown.err
    assert "--notify: the command ended with 3" in shown.err


def test_nobody_is_told_of_a_plan(tmp_path, monkeypatch):
    status, told = notify(tmp_path, monkeypatch, *RUN, "--out", "r", "--dry-run")
    assert (status, told) == (0, {})
