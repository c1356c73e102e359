"""Servers that take connections and answer nothing; runs that are made side by side."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import shutil
import time
from pathlib import Path

import pytest
from test_suites import deaf_server

from engine import Scripted, examine
from servers import ChatServer
from zhiyin.cli import main
from zhiyin.engine import stopping as signals
from zhiyin.errors import ServerError
from zhiyin.plugins.music.made_files import made_once


async def _never() -> None:
    await asyncio.sleep(60)


def test_who_never_answers_ends_a_run_in_twice_the_time_of_a_call(tmp_path, monkeypatch):
    monkeypatch.setattr("zhiyin.engine.asking._FIRST_WAIT_S", 0.01)
    model = Scripted(lambda trial, before: _never())
    begun = time.monotonic()
    with pytest.raises(ServerError, match="no reply to any call"):
        asyncio.run(examine(tmp_path, model, 40, timeout_s=0.2, retries=50))
    assert 0.3 < time.monotonic() - begun < 50  # less than one call takes
    assert max(model.calls.values()) <= 3


def test_one_question_that_is_never_answered_ends_no_run(tmp_path, monkeypatch):
    """Nor do errors, which are answers: what a server says is no silence."""
    monkeypatch.setattr("zhiyin.engine.asking._FIRST_WAIT_S", 0.01)
    model = Scripted(lambda trial, before: _never() if trial == "t/3" else "A")
    outcome = asyncio.run(examine(tmp_path, model, 8, timeout_s=0.05, retries=4, concurrency=1))
    assert (outcome.count.correct, outcome.count.error, outcome.stopped) == (7, 1, None)
    assert model.calls["t/3"] == 5


def test_who_waits_is_told_for_what_and_for_how_long(tmp_path, monkeypatch):
    for name, value in (("SAID_AFTER_S", 0.05), ("SAID_EVERY_S", 60), ("_LOOKED_EVERY_S", 0.02)):
        monkeypatch.setattr(signals, name, value)
    lines: list[str] = []
    token = signals.say_silence.set(lines.append)
    try:
        with pytest.raises(ServerError):
            asyncio.run(examine(tmp_path, Scripted(lambda *_: _never()), 9, timeout_s=0.3))
    finally:
        signals.say_silence.reset(token)
    (line,) = lines
    assert "waiting for 16 calls" not in line
    assert "waiting for" in line
    assert "gives up after" in line


@pytest.mark.parametrize("before", ["nothing", "an empty folder", "half a folder"])
@pytest.mark.parametrize("step", range(4))
def test_two_that_make_the_same_folder_take_nothing_from_each_other(
    tmp_path, monkeypatch, before, step
):
    """What one has made may be read already, whenever in the work of the other that was."""
    folder, steps, quicker = tmp_path / "made", itertools.count(), []
    if before != "nothing":
        folder.mkdir()
    if before == "half a folder":
        (folder / "in").mkdir()
        (folder / "in" / "one").write_text("1")

    def make(new) -> None:
        (new / "in").mkdir(parents=True)
        for name in ("one", "two"):
            (new / "in" / name).write_text(name)
        meanwhile()

    def read(place):
        both = [place / "in" / name for name in ("one", "two")]
        return [path.read_text() for path in both] if all(map(Path.is_file, both)) else None

    def read_slowly(place):
        found = read(place)
        meanwhile()  # what was found need no longer be so
        return found

    def meanwhile() -> None:
        """Let the other do all its work at one step of the first, once."""
        if not quicker and next(steps) == step:
            quicker.append(None)  # its own steps are none
            quicker[0] = made_once(folder, read, make)

    def watched(function):
        def instead(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            finally:
                if any(quicker):
                    assert read(folder) == ["one", "two"]

        return instead

    for where, name in ((os, "replace"), (os, "rename"), (shutil, "rmtree"), (os, "unlink")):
        monkeypatch.setattr(where, name, watched(getattr(where, name)))
    assert made_once(folder, read_slowly, make) == ["one", "two"]
    assert read(folder) == ["one", "two"]
    assert quicker == [["one", "two"]] or (step == 3 and not quicker)
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


TEXT_FIRST = """
[[benchmarks]]
benchmark = "bodies"
flags = { body = ["abc", "sound"], n = 2, canary = false }
"""


@pytest.mark.slow
def test_what_is_refused_on_the_way_is_left_out_and_old_failures_of_it_are_set_aside(
    tmp_path, capsys
):
    """A suite's `canary = false` asks none, so that the questions themselves are refused."""
    file, place = tmp_path / "text.toml", tmp_path / "s"
    file.write_text(TEXT_FIRST)
    with ChatServer(deaf_server) as server:
        words = [
            "suite",
            str(file),
            "-m",
            server.spec,
            "--out",
            str(place),
            "--no-report",
            "--json",
        ]

        def states() -> set[str]:
            assert main(words) == 0
            (run,) = json.loads(capsys.readouterr().out)["state"]["runs"]
            assert run["state"] == "done", run
            records = (folder_of(place) / "records.jsonl").read_text().splitlines()
            return {json.loads(record)["verdict"]["state"] for record in records}

        assert states() <= {"correct", "wrong"}
        folder = folder_of(place)
        assert json.loads((folder / "run.json").read_text())["canary"] == {}
        shutil.rmtree(folder)  # and as `run` leaves it, where a refusal is a failure
        alone = ["run", "bodies", "--body", "abc,sound", "--n", "2", "--no-canary"]
        assert main([*alone, "-m", server.spec, "--out", str(folder), "--quiet"]) == 1
        assert "error" in (folder / "records.jsonl").read_text()
        state = place / "suite.json"
        state.write_text(state.read_text().replace('"done"', '"failed"'))
        capsys.readouterr()
        assert states() <= {"correct", "wrong"}
        assert "unsupported" in (folder / "failures.jsonl").read_text()


def folder_of(place):
    (folder,) = (place / "runs").iterdir()
    return folder
