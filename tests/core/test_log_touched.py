"""A log that somebody deletes, replaces or cuts while it is written: noticed, and nothing lost."""

import json
import os
import shutil
from itertools import product

import msgspec
import pytest
from test_log import record

from servers import ChatServer
from zhiyin.cli import main
from zhiyin.engine.appending import AppendedFile
from zhiyin.engine.folder import Manifest, read_records
from zhiyin.engine.log import RunFolder
from zhiyin.errors import InputError

LOG, CALLS, MANIFEST = "records.jsonl", "calls.jsonl", "run.json"


def delete(path):
    path.unlink()


def replace(path):
    other = path.with_name("other")
    other.write_bytes(b"not ours\n")
    other.replace(path)


def copy_over(path):
    """As editors and sync programs do: the same words in a file of its own."""
    other = path.with_name("other")
    shutil.copy(path, other)
    other.replace(path)


def cut(path):
    os.truncate(path, path.stat().st_size // 2)


def empty(path):
    os.truncate(path, 0)


def add(path):
    with path.open("ab") as file:
        file.write(b"a line of somebody else's\n")


def move_folder(path):
    path.parent.rename(path.parent.with_name("elsewhere"))


def take_folder_away(path):
    move_folder(path)
    shutil.rmtree(path.parent.with_name("elsewhere"))


FAULTS = [delete, replace, copy_over, cut, empty, add, take_folder_away, move_folder]
WHOLE = {delete, replace, copy_over, take_folder_away, move_folder, add}
"""Faults after which all that was logged can be had."""


def opened(folder):
    return RunFolder(folder, Manifest("b", "m", {}, {}, 10))


@pytest.mark.parametrize("by", ["append", "look"])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_what_is_logged_is_rescued_and_it_is_said(tmp_path, fault, by):
    """`look` is what the clock does: it needs no further record."""
    folder = tmp_path / "run"
    log = opened(folder)
    for number in range(4):
        log.append(record(number))
    log.look()
    assert not log.lost
    fault(folder / LOG)
    if by == "look":
        log.look()
        assert log.lost
    log.append(record(4))
    log.append(record(5))
    with pytest.raises(InputError) as told:
        log.__exit__(None, None, None)
    assert "\n" not in str(told.value)
    assert "records.rescued.jsonl" in str(told.value)
    assert "nothing more is asked" in str(told.value)
    lines = (folder / "records.rescued.jsonl").read_bytes().splitlines()
    kept = [json.loads(line)["id"] for line in lines]
    assert kept[-2:] == ["t/4", "t/5"]
    if fault in WHOLE:
        assert kept == [f"t/{number}" for number in range(6)]
        if (folder / MANIFEST).exists():  # put in its place, it is the run
            (folder / "records.rescued.jsonl").replace(folder / LOG)
            assert [one.id for one in read_records(folder)] == kept
            with opened(folder) as log:
                assert len(log.answered) == 6


@pytest.mark.parametrize("fault", [delete, replace, cut], ids=lambda fault: fault.__name__)
def test_a_manifest_that_is_touched_ends_the_run_and_is_kept_beside(tmp_path, fault):
    log = opened(tmp_path)
    log.append(record(1))
    fault(tmp_path / MANIFEST)
    log.look()
    log.manifest.label = "mine"
    log.write_manifest()
    with pytest.raises(InputError, match=r"run\.json was .*: nothing more is asked"):
        log.__exit__(None, None, None)
    ours = msgspec.json.decode((tmp_path / "run.rescued.json").read_bytes(), type=Manifest)
    assert ours.label == "mine"
    assert len((tmp_path / LOG).read_bytes().splitlines()) == 1


def test_own_writing_is_no_fault(tmp_path):
    with opened(tmp_path) as log:
        log.append(record(1, "error"))
        log.write_manifest()
        log.look()
        log.append(record(1))
        log.retire_superseded()
        log.look()
        log.append(record(2))
        log.look()
        assert not log.lost
    with opened(tmp_path) as log:
        log.look()
        assert not log.lost


def test_a_disk_that_is_away_for_a_moment_is_no_fault(tmp_path, monkeypatch):
    with opened(tmp_path) as log:

        def away(path, **_):
            raise OSError(5, "Input/output error")

        with monkeypatch.context() as patch:
            patch.setattr("zhiyin.engine.appending.os.stat", away)
            log.append(record(1))
            log.look()
        log.look()
        assert not log.lost


def test_what_was_rescued_before_is_not_overwritten(tmp_path):
    for number in range(2):
        path = tmp_path / LOG
        file = AppendedFile(path, os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND), 0)
        file.append(b"%d\n" % number)
        delete(path)
        assert file.look() == "deleted"
        file.close()
    assert (tmp_path / "records.rescued.jsonl").read_bytes() == b"0\n1\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "file"),
    [*product((delete, replace), (LOG, CALLS, MANIFEST)), (take_folder_away, LOG)],
)
def test_a_run_stops_asking_and_keeps_what_it_paid_for(tmp_path, monkeypatch, capsys, file, fault):
    """It went on to its end, and said that 200 of 200 were done that nobody could find."""
    rows = [
        {"id": f"q{n}", "question": f"{n}?", "options": ["a", "b"], "answer": "A"}
        for n in range(200)
    ]
    data = tmp_path / "own.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    folder = tmp_path / "run"

    def answer(call):
        if server.calls == 20:
            fault(folder / file)
        return "A"

    append = RunFolder.append
    # The clock of the test: each record, in the place of half a second.
    monkeypatch.setattr(RunFolder, "append", lambda log, one: (append(log, one), log.look())[0])
    with ChatServer(answer) as server:
        run = ["run", str(data), "-m", server.spec, "--out", str(folder), "--concurrency", "4"]
        assert main([*run, "--budget", "1kcalls", "--quiet"]) == 2
        told = capsys.readouterr().err
        assert len(told.splitlines()) == 1
        assert f"{file} was " in told
        assert 20 <= server.calls <= 28
        calls = server.calls
    all_gone = fault is take_folder_away
    place = folder / ("records.rescued.jsonl" if all_gone or file == LOG else LOG)
    assert len(place.read_bytes().splitlines()) == calls
    place = folder / ("calls.rescued.jsonl" if all_gone or file == CALLS else CALLS)
    lines = [json.loads(line) for line in place.read_bytes().splitlines()]
    assert sum("paid" in one for one in lines) == calls
