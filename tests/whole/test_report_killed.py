"""What is killed while it writes can be written again, and leaves nothing that is half."""

import importlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from report_help import two_runs
from zhiyin.cli import main
from zhiyin.files import UNFINISHED
from zhiyin.report.writing import report


def die_when_called(place, after, words):
    """Run a command that is killed when it calls a function for another time after so many."""
    module, _, name = place.rpartition(".")
    if module == "Path":
        owner = Path
    elif (inner := module.rpartition("."))[2].istitle() or inner[2] == "ReportFolder":
        owner = getattr(importlib.import_module(inner[0]), inner[2])
    else:
        owner = importlib.import_module(module)
    real, calls = getattr(owner, name), []

    def counting(*given, **named):
        calls.append(1)
        if len(calls) > after:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given, **named)

    setattr(owner, name, counting)
    sys.exit(main(words))


def killed(place, after, *words):
    """Whether the command was killed there; it ends well where it does not come so far."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    order = json.dumps([place, after, [str(word) for word in words]])
    done = subprocess.run(
        [sys.executable, __file__, order], env=environment, capture_output=True, check=False
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()[-2000:]
    return done.returncode != 0


def files_of(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.relative_to(folder).parts[0].startswith(UNFINISHED)
    }


@pytest.mark.slow
@pytest.mark.sample(8)
@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
@pytest.mark.parametrize(
    ("place", "after"),
    [
        ("zhiyin.report.writing._write", 0),
        ("zhiyin.report.outputs.ReportFolder.put", 2),
        ("zhiyin.report.outputs.page", 0),
        *(("Path.replace", after) for after in (0, 5, 9)),  # what was written takes its place
    ],
)
def test_a_killed_report_can_be_written_again(tmp_path, place, after, again):
    runs, out = two_runs(tmp_path, trials=8), tmp_path / "out"
    report(*runs, out=tmp_path / "whole", notation=False, figures=False)
    whole, own = files_of(tmp_path / "whole"), {}
    if again:
        report(*runs[:1], out=out, notation=False, figures=False)
        own = {"notes.txt": b"of the reader"}
        (out / "notes.txt").write_bytes(own["notes.txt"])
    before = files_of(out) if again else {}
    words = ("report", *runs, "-o", out, "--no-notation", "--no-figures")
    if killed(place, after, *words):
        left = files_of(out)
        if place != "Path.replace":
            assert left == before
        elif "index.html" in left:  # a page that can be opened is all of one report
            assert left in (before, whole | own)
    else:
        assert place == "Path.replace"
    report(*runs, out=out, notation=False, figures=False)
    assert files_of(out) == whole | own
    assert not list(out.glob(f"{UNFINISHED}*"))


@pytest.mark.trust
def test_a_report_that_is_killed_at_any_moment_can_be_written_again(tmp_path):
    """As a user kills it: from without, with figures and all."""
    runs, out = two_runs(tmp_path, trials=20), tmp_path / "out"
    words = [sys.executable, "-m", "zhiyin", "report", *map(str, runs), "-o", str(out)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    for moment in (0.2, 0.8, 1.4):
        process = subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while not list(out.glob(f"{UNFINISHED}*")) and time.monotonic() < until:
            if process.poll() is not None:
                break
            time.sleep(0.01)
        time.sleep(moment - 0.2)
        process.kill()
        process.wait()
        assert (out / "index.html").exists() == (out / "data" / "report.js").exists()
    assert subprocess.run(words, env=environment, check=False).returncode == 0
    assert not list(out.glob(f"{UNFINISHED}*"))
    assert list((out / "figures").glob("*.csv"))


MADE = {
    "trials": (["trials", "exercises", "--n", "1", "--out"], "asked", "Path.write_bytes", 0),
    "bodies": (["data", "make", "bodies", "--n", "2", "--out"], "pieces", "Path.write_bytes", 1),
    "muchomusic": (
        ["data", "make", "muchomusic", "--clips", "4", "--out"], "mm", "Path.write_bytes", 3
    ),
    "template": (
        ["data", "template", "--kind", "audio"], "mine.csv", "zhiyin.files.write_atomically", 1
    ),
}  # fmt: skip
"""Each command, what it writes, and where in the middle it is killed."""


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("name", MADE)
def test_what_is_made_can_be_made_again(tmp_path, monkeypatch, name, capsys):
    words, out, place, after = MADE[name]
    for folder in ("killed", "whole"):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        assert folder == "whole" or killed(place, after, *words, out)
        assert main([*words, out]) == 0, capsys.readouterr().err
    assert files_of(tmp_path / "killed") == files_of(tmp_path / "whole")


if __name__ == "__main__":
    die_when_called(*json.loads(sys.argv[1]))
