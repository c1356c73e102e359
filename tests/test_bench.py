"""Every script of bench/ still runs: each in a short form, which must print what it prints."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY

BENCH = REPOSITORY / "bench"
# The arguments of the short form, and words that its output must have.
SHORT = {
    "audio.py": ("--clips 4 --kinds 1", "clips/s"),
    "coverage.py": ("--samples 3 --only differences", "mean"),
    "exercises.py": ("--count 40", "theory"),
    "fuzz.py": ("--table", "|"),
    "glmm.py": ("--rows 120 --models 2 --repeats 1", "{"),
    "heard.py": ("1", "right"),
    "http_client.py": ("--requests 64 --rounds 1", "requests/s"),
    "hundred_million.py": ("--trials 100000 --workers 10", "of the ideal rate"),
    "judges.py": ("4 8", "%"),
    "labbook.py": ("3", "all counted"),
    "listener_noise.py": ("--n 2", "dB"),
    "local.py": ("--trials 8 --rounds 1", "ratio"),
    "million.py": ("--trials 200 400", "rate of the largest"),
    "muse_listener.py": ("--n 1 --difficulty default", "%"),
    "mutants.py": ("--number 0", "all"),
    "peers.py": ("--limit 20 --rounds 1 --only Zhiyin", "trials/s"),
    "pipeline.py": ("--rounds 1", "trials/s"),
    "pool.py": ("--calls 200", "of what"),
    "questions.py": ("--rows 500", "times"),
    "ray_workers.py": ("--each 2", "linear"),
    "reading.py": ("", "readings"),
    "reading_large.py": ("--trials 200", "linear"),
    "report.py": ("--limit 40 --trials 400", "one file"),
    "sequences.py": ("--stairs 3 --steps 4", "trial"),
    "study.py": ("3 0.1", "0 errors"),
    "sums.py": ("400", "%"),
    "synthesis.py": ("--items 3", "times"),
    "transcription.py": ("1", "onset"),
}
LIBRARIES = {"instant.py"}  # a server that others start


@pytest.mark.slow
def test_every_script_has_a_short_form() -> None:
    assert {path.name for path in BENCH.glob("*.py")} == SHORT.keys() | LIBRARIES


def run(name: str, arguments: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, str(BENCH / name), *arguments.split()],
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        timeout=300,
        env=os.environ | {"TMPDIR": str(folder), "ZHIYIN_CACHE": str(folder / "cache")},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_a_script_runs(name: str, tmp_path: Path) -> None:
    arguments, words = SHORT[name]
    said = run(name, arguments, tmp_path)
    assert words in said, said
