"""Adaptive tests with sounds, killed at random: path and figure are those of a calm run."""

import random
import signal
import subprocess
import sys
import time

import pytest

from conftest import REPOSITORY
from test_sequences_killed import log_of, size_of
from zhiyin.benchmarks.thresholds.results import heard_by

HELP = REPOSITORY / "tests" / "threshold_help.py"


def killed_runs(command, folder, kills, seed):
    """A calm run and one that was killed; how many kills landed inside."""
    calm, out = folder / "calm", folder / "killed"
    subprocess.run([*command, "--out", calm], check=True, capture_output=True)
    whole, draw, inside = size_of(calm), random.Random(seed), 0
    for _ in range(kills):
        process = subprocess.Popen(
            [*command, "--out", out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wanted = draw.uniform(0.05, 0.9) * whole
        while process.poll() is None and size_of(out) < wanted:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        inside += 0 < size_of(out) < whole
    subprocess.run([*command, "--out", out], check=True, capture_output=True)
    assert log_of(out) == log_of(calm)
    return calm, out, inside


@pytest.mark.parametrize(
    "kills", [pytest.param(2, id="short"), pytest.param(12, id="long", marks=pytest.mark.trust)]
)
def test_a_killed_run_ends_with_the_same_path_and_threshold(kills, tmp_path):
    words = ["run", "thresholds", "-m", f"python:{HELP}:slow", "--dimension", "pitch"]
    words += ["--tracks", "3", "--most", "40", "--precision", "1.1", "--concurrency", "3"]
    command = [sys.executable, "-m", "zhiyin", *words, "--quiet"]
    calm, out, inside = killed_runs(command, tmp_path, kills, kills)
    assert inside >= 1, "no kill landed inside a run: make it longer"
    assert [each.found for each in heard_by(out)] == [each.found for each in heard_by(calm)]


def test_a_killed_test_of_rhythm_ends_with_the_same_ability(shared, tmp_path):
    from zhiyin.benchmarks.rhythm_ability.results import sections

    words = ["run", "rhythm-ability", "-m", f"python:{HELP}:strokes", "--data", shared / "rat"]
    command = [sys.executable, "-m", "zhiyin", *map(str, words), "--quiet"]
    calm, out, _ = killed_runs(command, tmp_path, 1, 4)
    assert sections(out) == sections(calm)
