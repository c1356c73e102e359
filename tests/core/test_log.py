"""The run folder: nothing logged is lost, nothing is logged twice, nothing is mixed."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from columns_help import figures_in
from engine import manifest, trials
from zhiyin.engine.folder import FAILURES, RECORDS, read_manifest, read_records
from zhiyin.engine.log import RunFolder, differences
from zhiyin.errors import InputError
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict


def record(number: int, state: str = "correct") -> Record:
    trial = list(trials(number + 1))[number]
    exchange = Exchange((Turn(Reply("A")),)) if state != "error" else Exchange()
    error = "server gone" if state == "error" else None
    return Record(
        trial.id, Verdict(state, "A" if state == "correct" else None), trial, exchange, error
    )


def fill(folder, records, **config):
    with RunFolder(folder, manifest(**config)) as log:
        for each in records:
            log.append(each)
    return folder


def test_a_record_comes_back_as_it_went(tmp_path):
    records = [record(0), record(1, "wrong"), record(2, "error")]
    assert list(read_records(fill(tmp_path / "run", records))) == records


def test_answer_is_written_even_when_there_is_none(tmp_path):
    fill(tmp_path, [record(0, "no_answer")])
    line = msgspec.json.decode((tmp_path / RECORDS).read_bytes())
    assert line["id"] == "t/0"
    assert line["verdict"] == {"state": "no_answer", "answer": None}


@pytest.mark.parametrize("kept", [1, 5, 40])
def test_a_torn_last_line_is_cut_off_and_said(tmp_path, kept):
    fill(tmp_path, [record(0), record(1)])
    path = tmp_path / RECORDS
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    path.write_bytes(whole[: first + kept])
    assert [r.id for r in read_records(tmp_path)] == ["t/0"]
    with RunFolder(tmp_path, manifest()) as log:
        assert log.answered == {"t/0": False}
        assert "torn" in str(log.remarks[0])
        log.append(record(1))
    assert path.read_bytes() == whole


def test_damage_in_the_middle_names_the_line(tmp_path):
    fill(tmp_path, [record(0), record(1)])
    path = tmp_path / RECORDS
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0][:20] + b"\n" + lines[1])
    with pytest.raises(InputError, match="line 1"):
        RunFolder(tmp_path, manifest())


def test_other_settings_are_refused_with_the_difference(tmp_path):
    fill(tmp_path, [record(0)], shots=0)
    with pytest.raises(InputError, match="shots was 0, now 5"):
        RunFolder(tmp_path, manifest(shots=5))
    assert read_manifest(tmp_path).config["shots"] == 0
    nested = [{"options": {"map": {"answer": key}}} for key in "AB"]
    assert list(differences(*nested)) == ["options.map.answer was A, now B"]


def test_settings_bind_from_the_first_answer_on(tmp_path):
    fill(tmp_path, [], seed=1)
    fill(tmp_path, [], seed=2)
    assert read_manifest(tmp_path).config["seed"] == 2
    (tmp_path / "batches.jsonl").write_text("{}\n")  # handed in, and paid for
    with pytest.raises(InputError, match="other settings"):
        fill(tmp_path, [], seed=3)


def test_two_writers_are_refused(tmp_path):
    with RunFolder(tmp_path, manifest()), pytest.raises(InputError, match="another zhiyin"):
        RunFolder(tmp_path, manifest())


def test_a_failure_is_superseded_by_a_later_record(tmp_path):
    fill(tmp_path, [record(0, "error"), record(1), record(2, "error")])
    with RunFolder(tmp_path, manifest()) as log:
        assert set(log.answered) == {"t/1"}
        log.append(record(2, "error"))
        log.append(record(0))
        # Killed here, the log would hold superseded lines: every reader leaves them out.
        assert sorted(r.id for r in read_records(tmp_path)) == ["t/0", "t/1", "t/2"]
        assert figures_in(tmp_path).counts["all"].states()["error"] == 1
        log.retire_superseded()
    assert [r.id for r in read_records(tmp_path)] == ["t/1", "t/2", "t/0"]
    assert (tmp_path / RECORDS).read_bytes().count(b"\n") == 3
    assert (tmp_path / FAILURES).read_bytes().count(b"server gone") == 2


def test_superseded_lines_of_a_killed_session_are_retired_by_the_next(tmp_path):
    fill(tmp_path, [record(0, "error"), record(0)])
    with RunFolder(tmp_path, manifest()) as log:
        assert log.answered == {"t/0": False}
        log.retire_superseded()
    assert (tmp_path / RECORDS).read_bytes().count(b"\n") == 1


@pytest.mark.slow
def test_a_full_disk_loses_nothing(tmp_path):
    """The file may not grow beyond 3,000 bytes: the log stays whole up to there."""
    script = """
import pathlib, resource, sys
from test_log import *
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
with RunFolder(pathlib.Path(sys.argv[1]), manifest()) as log:
    try:
        for i in range(100): log.append(record(i))
    except InputError as error:
        print(error)
"""
    here = Path(__file__).parent
    command = [sys.executable, "-c", script, str(tmp_path)]
    quiet = os.environ | {
        "PYTHONDONTWRITEBYTECODE": "1",  # it would be cut off, and stay
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=here, env=quiet)
    assert "make room" in done.stdout
    content = (tmp_path / RECORDS).read_bytes()
    assert content.endswith(b"\n")
    assert 0 < len(list(read_records(tmp_path))) == content.count(b"\n")
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 3000


@pytest.mark.parametrize("make", [lambda p: p / "nothing", lambda p: p])
def test_what_is_not_a_run_is_said(tmp_path, make):
    with pytest.raises(InputError, match="not a run"):
        list(read_records(make(tmp_path)))


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="--out"):
        RunFolder(tmp_path / "file" / "run", manifest())
