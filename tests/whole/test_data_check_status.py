"""`zhiyin data check` and `zhiyin run --dry-run` agree on data that cannot be asked."""

import json
import os

import pytest

from listening_help import make_rul
from questions_help import jsonl, tone
from zhiyin.cli import main
from zhiyin.contract.registry import find, places
from zhiyin.contract.stand_in import overrides

CHECKED = sorted(name for name in places() if overrides(find(name), "check"))
WITH = {"perception": ("--source", "muse")}
"""How a run asks the recordings that a check of a benchmark looks at."""
FOLDERS = {"perception": "muse", "scores": "music_bench", "rhythm-ability": "rat"}
FOLDERS["mmar-rubrics"] = "mmar"


@pytest.fixture
def both(capsys, tmp_path, monkeypatch):
    """The statuses of a check and of a dry run, and what the check says of it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text("def answer(messages):\n    return 'A'\n")

    def tried(name, data, *flags):
        check = ["data", "check", name, "--data", str(data), *flags]
        status = main([*check, "--json"])
        out = capsys.readouterr().out.strip()
        found = json.loads(out)
        told = found["error"] if "error" in found else found["refusal"]
        run = ["run", name, "--data", str(data), *WITH.get(name, ()), *flags, "--dry-run"]
        of_run = main([*run, "-m", "python:model.py:answer"])
        err = capsys.readouterr().err
        assert told in err if of_run else told is None
        return status, of_run

    return tried


@pytest.mark.parametrize("name", CHECKED)
def test_no_benchmark_takes_an_empty_folder(both, tmp_path, name):
    (tmp_path / "empty").mkdir()
    assert both(name, tmp_path / "empty") == (2, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKED)
def test_published_data_as_they_are_here(both, shared, name):
    folder = shared / FOLDERS.get(name, name.replace("-", "_"))
    if not folder.is_dir():
        pytest.skip(f"no data of {name} in the shared folder")
    for flags in ((), ("--partial",)):
        if not flags or "partial" in find(name).Settings.__struct_fields__:
            check, run = both(name, folder, *flags)
            assert check == run


def test_a_recording_that_is_missing(both, tmp_path):
    folder = make_rul(tmp_path / "rul", 4)
    assert both("rul", folder) == (0, 0)
    (folder / "1012.mp3").unlink()
    assert both("rul", folder) == (2, 2)
    assert both("rul", folder, "--partial") == (0, 0)


def test_a_recording_of_ones_own_that_is_damaged(both, tmp_path):
    tone(tmp_path / "a.wav", 440)
    rows = [{"question": "Who?", "A": "x", "B": "y", "answer": "A", "audio": "a.wav"}]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    assert both("questions", path) == (0, 0)
    os.truncate(tmp_path / "a.wav", 20)
    assert both("questions", path) == (2, 2)
    assert both("questions", path, "--partial") == (2, 2)
