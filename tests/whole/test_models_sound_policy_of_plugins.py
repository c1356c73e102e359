"""How sound is to be sent, what is kept of it on the disk, and how much memory it may take."""

import hashlib
import json
from pathlib import Path

import pytest
import test_models_sound_policy

from muchomusic_help import make_data
from servers import ChatServer
from zhiyin.cli import main

cache = test_models_sound_policy.cache


def run(capsys, *arguments: object) -> tuple[int, str]:
    status = main(["run", "muchomusic", "--json", *map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out if status == 0 else err


@pytest.fixture
def small(tmp_path) -> Path:
    """Questions on four tones of one second."""
    return make_data(tmp_path / "data", tracks=4)


@pytest.mark.slow
def test_a_run_sends_sound_as_it_was_told(capsys, tmp_path, small) -> None:
    with ChatServer("A") as server:
        call = ("--data", small, "-m", server.spec, "--out", tmp_path / "run")
        told = ("--audio-rate", 8000, "--audio-format", "flac", "--audio-limit", 2)
        assert run(capsys, *call, *told)[0] == 0
        status, err = run(capsys, *call, "--audio-rate", 8000)
    manifest = json.loads((tmp_path / "run" / "run.json").read_text())
    assert manifest["config"]["sound"] == {"format": "flac", "rate": 8000, "limit": 2.0}
    assert manifest["decoding"]["sound"] == manifest["config"]["sound"]
    with (tmp_path / "run" / "records.jsonl").open() as file:
        details = [json.loads(line)["exchange"]["turns"][0]["reply"]["detail"] for line in file]
    assert {(*d["audio_format"], *d["audio_rate"], d["audio_seconds"]) for d in details} == {
        ("flac", 8000, 1.0)
    }
    assert (status, err.count("\n")) == (2, 1)
    assert "sound.format was flac, now unset" in err


@pytest.mark.slow
def test_a_run_that_would_be_cut_does_not_begin(capsys, tmp_path, small) -> None:
    with ChatServer("A") as server:
        call = ("--data", small, "-m", server.spec, "--out", tmp_path / "run")
        status, err = run(capsys, *call, "--audio-limit", 0.5)
        assert (status, err.count("\n"), server.calls) == (2, 1, 0)
        assert "--clip first:0.5" in err
        assert run(capsys, *call, "--audio-limit", 0.5, "--clip", "first:0.5")[0] == 0
        assert server.calls > 0


@pytest.mark.parametrize("spec", ["first", "listener", "python:json:dumps"])
def test_who_is_sent_nothing_takes_no_settings_of_sound(capsys, small, spec) -> None:
    status, err = run(capsys, "--data", small, "-m", spec, "--audio-mono")
    assert status == 2
    assert "leave out --audio-format" in err


@pytest.mark.slow
def test_a_replay_of_other_answers_is_another_run(capsys, tmp_path, small) -> None:
    from zhiyin.contract.registry import open_benchmark

    names = [trial.id for trial in open_benchmark("muchomusic", {"data": str(small)}).trials()]
    answers, out = tmp_path / "answers.jsonl", tmp_path / "run"
    write = lambda text: answers.write_text(  # noqa: E731
        "".join(json.dumps({"id": name, "text": text}) + "\n" for name in names)
    )
    call = ("--data", small, "-m", f"replay:{answers}", "--out", out)
    write("A")
    assert run(capsys, *call)[0] == 0
    told = json.loads((out / "run.json").read_text())["config"]["model_data"]
    assert told == hashlib.sha256(answers.read_bytes()).hexdigest()
    assert run(capsys, *call)[0] == 0
    write("B")
    status, err = run(capsys, *call)
    assert status == 2
    assert "model_data was" in err
