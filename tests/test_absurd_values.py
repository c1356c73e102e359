"""Whatever is written on the command line: one line of complaint, no traceback."""

import os
import subprocess
from pathlib import Path

import pytest

import warm
from zhiyin import cli

SMALL = Path(__file__).parent / "data" / "ziqi_small"
RUN = ["run", "ziqi", "--data", str(SMALL), "--partial", "--quiet"]
VALUES = (
    *("99999999999999999999", "-1", "0", "nan", "inf", "-inf", "1e-300", "1e308", "1e400"),
    *("9" * 400, "9" * 5000, "x", ""),
)
PLAN = (
    *("--difference", "--items", "--accuracy", "--correlation", "--cluster-size", "--icc"),
    *("--noise", "--repeats", "--power", "--alpha"),
)
RUNNING = (
    *("--limit", "--sample", "--seed", "--shots", "--concurrency", "--timeout", "--retries"),
    *("--temperature", "--max-tokens", "--audio-rate", "--audio-limit"),
)


def outcome(capsys, *arguments):
    """Exit status and complaint: of bad input one line that a terminal can hold."""
    status = cli.main([str(word) for word in arguments])
    out, err = capsys.readouterr()
    assert status in (0, 1, 2)
    if status == 2:
        assert out == ""
        assert err.startswith("zhiyin: ")
        assert err.count("\n") == 1
        assert len(err) < 1000
    return status, err


@pytest.mark.parametrize("flag", PLAN)
@pytest.mark.parametrize("value", VALUES)
def test_plan(capsys, flag, value):
    first = [] if flag in ("--difference", "--items") else ["--difference", "5"]
    outcome(capsys, "plan", *first, f"{flag}={value}")
    if flag != "--difference" and flag != "--items":
        outcome(capsys, "plan", "--items", "100", f"{flag}={value}")


@pytest.mark.parametrize(
    "flags", [["--difference", "1e-300"], ["--difference", "5", "--cluster-size", "inf"]]
)
def test_what_nobody_can_ask_is_no_plan(capsys, flags):
    assert outcome(capsys, "plan", *flags)[0] == 2


@pytest.mark.parametrize("flag", RUNNING)
@pytest.mark.parametrize("value", VALUES)
def test_run(capsys, tmp_path, flag, value):
    outcome(capsys, *RUN, "-m", "first", "--out", tmp_path / "run", f"{flag}={value}")


def test_a_huge_limit_is_refused_and_a_large_one_is_all(capsys, tmp_path):
    run = [*RUN, "-m", "first", "--out", tmp_path / "run"]
    assert outcome(capsys, *run, "--limit", "99999999999999999999")[0] == 2
    assert outcome(capsys, *run, "--limit", "999999999999")[0] == 0


def test_no_more_workers_than_trials(tmp_path, monkeypatch):
    import asyncio

    made, create = [], asyncio.create_task

    def count(*args, **named):
        made.append(1)
        return create(*args, **named)

    monkeypatch.setattr(asyncio, "create_task", count)
    run = [*RUN, "-m", "first", "--out", str(tmp_path / "run"), "--limit", "5"]
    assert cli.main([*run, "--concurrency", "100000000000"]) == 0
    assert len(made) < 100


@pytest.mark.parametrize(
    "command",
    [
        ["muchomusic", "--data", ".", "--shots", "9" * 5000],
        ["appraisal", "--source", "generated", "--n", "99999999999999999999"],
        ["perception", "--source", "generated", "--n", "99999999999999999999"],
    ],
)
def test_other_benchmarks(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    assert outcome(capsys, "run", *command, "-m", "first", "--quiet")[0] == 2


def test_stimuli(capsys, tmp_path):
    make = ["stimuli", "make", "--task", "chords", "--out", tmp_path / "s"]
    assert outcome(capsys, *make, "--n", "99999999999999999999")[0] == 2


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        (["-m", "first", "-m", "random"], "-m/--model"),
        (["-m", "first", "--model", "first"], "-m/--model"),
        (["-m", "first", "--limit", "5", "--limit", "6"], "--limit"),
        (["-m", "first", "--shots", "0", "--shots", "5"], "--shots"),
    ],
)
def test_a_flag_that_is_given_twice_is_refused(capsys, tmp_path, flags, named):
    status, err = outcome(capsys, *RUN, "--out", tmp_path / "run", *flags)
    assert status == 2
    assert named in err
    assert "listed twice" in err
    assert not (tmp_path / "run").exists()


def test_flags_that_may_be_repeated_still_may(capsys, tmp_path):
    category = ["--category", "popular_music", "--category", "female_music"]
    assert outcome(capsys, *RUN, "-m", "first", "--out", tmp_path / "run", *category)[0] == 0


def test_an_argument_that_is_no_text_is_said(tmp_path):
    done = warm.run(["show", os.fsdecode(b"\xff\xfe")])
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    assert cli.main([*RUN, "-m", "first", "--out", str(folder)]) == 0
    return folder


def with_full_disk(command, most=3000):
    """A command in a process whose files may not grow beyond `most` bytes."""
    return warm.run(command, env=os.environ | {warm.LIMIT: str(most)}, timeout=100)


@pytest.mark.parametrize("kind", ["parquet", "csv", "inspect"])
def test_an_export_to_a_full_disk_leaves_nothing(small_run, tmp_path, kind):
    done = with_full_disk(["export", small_run, "--to", kind, "-o", tmp_path / f"x.{kind}"])
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"zhiyin: cannot write {tmp_path}/x.{kind}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command",
    [
        ["report", "{run}", "-o", "{out}/report"],
        ["leaderboard", "{run}", "-o", "{out}/board"],
        ["rescore", "{run}", "--extract", "robust", "--out", "{out}/again"],
        ["export", "{run}", "--to", "hf", "-o", "{out}/hf", "--partial"],
        [*RUN, "-m", "first", "--out", "{out}/run"],
        ["stimuli", "make", "--task", "chords", "--n", "2", "--out", "{out}/s"],
        ["data", "make", "muchomusic", "--out", "{out}/m", "--clips", "4"],
    ],
)
def test_a_full_disk_is_one_line(small_run, tmp_path, command):
    words = [word.format(run=small_run, out=tmp_path) for word in command]
    done = with_full_disk(words, 1000)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_results_that_cannot_be_printed_are_one_line(small_run, flags):
    with Path("/dev/full").open("w") as full:
        process = warm.Started(["show", small_run, *flags], stdout=full, stderr=subprocess.PIPE)
        _, said = process.communicate()
    assert process.returncode == 2
    assert said.count("\n") == 1
    assert "No space left" in said
