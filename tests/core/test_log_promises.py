"""The run folder when something else writes, fills the disk or ends the process."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from test_log import fill, record

import warm
from columns_help import figures_in
from engine import manifest
from questions_help import many
from said_help import texts
from zhiyin import cli
from zhiyin.analysis.summary import summarise
from zhiyin.engine.folder import FAILURES, RECORDS, read_manifest, read_records
from zhiyin.engine.log import RunFolder, is_being_written
from zhiyin.errors import InputError
from zhiyin.runs.rows import rows_of as trials_of

HERE = Path(__file__).parent.parent


def run_small(folder, *flags):
    command = [
        "run",
        "questions",
        "--data",
        str(many(folder.parent / "q.jsonl")),
        "-m",
        "first",
        "--quiet",
    ]
    assert cli.main([*command, "--out", str(folder), *map(str, flags)]) == 0
    return folder


def test_repeated_lines_are_counted_once_and_said(tmp_path):
    fill(tmp_path, [record(i) for i in range(5)])
    path = tmp_path / RECORDS
    path.write_bytes(path.read_bytes() * 2)
    assert figures_in(tmp_path).counts["all"].judged == 5
    summary = summarise(tmp_path)
    assert summary.trials == 5
    assert any("5 lines of the log repeat a trial" in line for line in texts(summary.warnings))
    assert len(list(read_records(tmp_path))) == len(trials_of(tmp_path)) == 5
    with RunFolder(tmp_path, manifest()) as log:
        assert len(log.answered) == 5
        assert "5 lines of the log repeat" in str(log.remarks[0])


def test_of_two_answers_the_last_counts_and_no_error_goes_before_an_answer(tmp_path):
    fill(
        tmp_path, [record(0), record(1, "wrong"), record(1), record(0, "error"), record(2, "error")]
    )
    states = {r.id: r.verdict.state for r in read_records(tmp_path)}
    assert states == {"t/0": "correct", "t/1": "correct", "t/2": "error"}
    assert {e.id: e.state for e in trials_of(tmp_path)} == states
    fill(tmp_path / "reviews", [record(0, "ungraded"), record(1), record(0, "error")])
    (ended,) = [[(r.id, r.verdict.state) for r in read_records(tmp_path / "reviews")]]
    assert [(e.id, e.state) for e in trials_of(tmp_path / "reviews")] == ended
    counted = figures_in(tmp_path).counts["all"].states()
    assert (counted["correct"], counted["wrong"], counted["error"]) == (2, 0, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["show"],
        ["rescore", "--extract", "robust"],
        ["report", "-o", "{out}"],
        ["table", "--to", "csv", "-o", "{out}"],
    ],
)
@pytest.mark.parametrize("fault", [b"\xff\xfe", b"\xed\xa0\x80"])
def test_bytes_that_are_no_text_name_their_line(capsys, tmp_path, command, fault):
    run = run_small(tmp_path / "run")
    path = run / RECORDS
    lines = path.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"id":"', b'"id":"' + fault, 1)
    path.write_bytes(b"".join(lines))
    capsys.readouterr()
    flags = [word.format(out=tmp_path / "out") for word in command[1:]]
    assert cli.main([command[0], str(run), *flags]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"{RECORDS}, line 2: not a record" in err


def test_a_manifest_that_is_no_text_is_said(capsys, tmp_path):
    run = run_small(tmp_path / "run")
    (run / "run.json").write_bytes(b'{"benchmark": "\xff"}')
    capsys.readouterr()
    assert cli.main(["show", str(run)]) == 2
    assert "run.json: not a run's manifest" in capsys.readouterr().err


@pytest.mark.slow
def test_a_full_disk_while_failures_are_retired_leaves_all_as_it_was(tmp_path):
    fill(tmp_path, [record(i, "error") for i in range(40)])
    fill(tmp_path, [record(i) for i in range(40)])
    (tmp_path / FAILURES).write_bytes(b'{"id":"earlier"}\n')
    before = (tmp_path / RECORDS).read_bytes()
    script = """
        import pathlib, resource, sys
        from test_log import *
        with RunFolder(pathlib.Path(sys.argv[1]), manifest()) as log:
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
            try:
                log.retire_superseded()
            except InputError as error:
                print(error)
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path)]
    quiet = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(HERE)}
    # Bytecode would be cut off, and stay.
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent, env=quiet
    )
    assert "make room" in done.stdout
    assert (tmp_path / RECORDS).read_bytes() == before
    assert (tmp_path / FAILURES).read_bytes() == b'{"id":"earlier"}\n'
    with RunFolder(tmp_path, manifest()) as log:
        log.retire_superseded()
    lines = (tmp_path / FAILURES).read_bytes().splitlines()
    assert len(lines) == 41
    assert lines[0] == b'{"id":"earlier"}'


def test_a_lock_is_one_of_the_file_that_has_the_name_now(tmp_path, monkeypatch):
    """Between opening and locking, whoever held the lock puts a new log in place."""
    fill(tmp_path, [record(0)])
    whole, opened = os.open, []

    def open_late(path, *rest, **named):
        descriptor = whole(path, *rest, **named)
        if Path(path).name == RECORDS and not opened:
            opened.append(path)
            replacement = tmp_path / "new"
            replacement.write_bytes((tmp_path / RECORDS).read_bytes())
            replacement.replace(tmp_path / RECORDS)
        return descriptor

    monkeypatch.setattr(os, "open", open_late)
    with RunFolder(tmp_path, manifest()) as log:
        for number in range(1, 11):
            log.append(record(number))
    assert opened
    assert len(list(read_records(tmp_path))) == 11


def test_after_retiring_the_log_is_still_ours(tmp_path):
    fill(tmp_path, [record(0, "error")])
    with RunFolder(tmp_path, manifest()) as log:
        log.append(record(0))
        log.retire_superseded()
        with pytest.raises(InputError, match="another zhiyin"):
            RunFolder(tmp_path, manifest())
        log.append(record(1))
    assert [r.id for r in read_records(tmp_path)] == ["t/0", "t/1"]


def test_whether_a_run_is_being_written(tmp_path):
    assert not is_being_written(tmp_path)
    with RunFolder(tmp_path, manifest()):
        assert is_being_written(tmp_path)
        assert is_being_written(tmp_path)
    assert not is_being_written(tmp_path)


def _look(folder, looked):
    while True:
        is_being_written(folder)
        looked.value += 1


@pytest.mark.slow
def test_looking_does_not_keep_anybody_from_writing(tmp_path):
    fill(tmp_path, [record(0)])
    spawn = multiprocessing.get_context("spawn")
    looked = spawn.Value("Q", 0)
    looker = spawn.Process(target=_look, args=(tmp_path, looked))
    looker.start()
    try:
        while not looked.value:  # it has begun
            assert looker.is_alive()
            time.sleep(0.01)
        before = looked.value
        for _ in range(40):
            RunFolder(tmp_path, manifest()).close()
        assert looked.value > before
    finally:
        looker.terminate()
        looker.join()


SLOW = """
import time

def answer(messages):
    time.sleep(0.05)
    return "A"
"""


def started(tmp_path):
    """A slow run in a process of its own, once it has logged something."""
    (tmp_path / "slow.py").write_text(SLOW)
    command = [
        "run",
        "questions",
        "--data",
        many(tmp_path / "q.jsonl"),
        "--out",
        tmp_path / "run",
        "--quiet",
    ]
    command += ["-m", "python:slow.py:answer"]
    process = warm.Started(command, tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    log = tmp_path / "run" / RECORDS
    while process.poll() is None and not (log.exists() and log.stat().st_size):
        time.sleep(0.01)
    return process


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_who_is_told_to_end_leaves_a_trace(tmp_path, number):
    process = started(tmp_path)
    assert read_manifest(tmp_path / "run").sessions[-1].ended is None
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    session = read_manifest(tmp_path / "run").sessions[-1]
    said = "interrupted" if number == signal.SIGINT else f"ended by {number.name}"
    assert said in session.stopped
    assert session.ended
    assert session.asked == len(list(read_records(tmp_path / "run")))


@pytest.mark.slow
def test_who_is_killed_is_told_of_afterwards(tmp_path):
    process = started(tmp_path)
    assert any(
        "the run is still going on" in w for w in texts(summarise(tmp_path / "run").warnings)
    )
    process.kill()
    process.communicate()
    warned = texts(summarise(tmp_path / "run").warnings)
    assert any("the last session was killed" in w for w in warned)


def test_a_disk_that_fails_to_sync_is_told_by_the_next_record(tmp_path, monkeypatch):
    monkeypatch.setattr("zhiyin.engine.log._FSYNC_EVERY_S", 0.01)
    seen = threading.Event()

    def fail(descriptor):
        seen.set()
        raise OSError(5, "Input/output error")

    with RunFolder(tmp_path, manifest()) as log:
        monkeypatch.setattr(os, "fsync", fail)
        log.append(record(0))
        assert seen.wait(5)
        time.sleep(0.05)
        with pytest.raises(InputError, match="Input/output error"):
            log.append(record(1))
        with pytest.raises(InputError, match="make room"):
            log.sync()
