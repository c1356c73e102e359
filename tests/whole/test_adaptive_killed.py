"""Adaptive tests with sounds, killed at random: path and figure are those of a calm run."""

import io
import random
import signal
import time
from contextlib import redirect_stderr, redirect_stdout

import pytest
from test_sequences_killed import log_of, size_of

import warm
from conftest import REPOSITORY
from zhiyin.cli import main
from zhiyin.plugins.composed.thresholds.results import read_results
from zhiyin.runs.rows import rows_of

pytestmark = pytest.mark.slow

HELP = REPOSITORY / "tests" / "threshold_help.py"


def killed_runs(words, folder, kills, seed):
    """A calm run and one that was killed; how many kills landed inside.

    What is not killed runs in this process, which saves the time of starting one.
    """
    words = [*map(str, words), "--quiet", "--out"]
    calm, out = folder / "calm", folder / "killed"
    calmly([*words, str(calm)])
    whole, draw, inside = size_of(calm), random.Random(seed), 0
    for _ in range(kills):
        process = warm.Started([*words, out])
        wanted = draw.uniform(0.05, 0.9) * whole
        while process.poll() is None and size_of(out) < wanted:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        inside += 0 < size_of(out) < whole
    calmly([*words, str(out)])
    assert log_of(out) == log_of(calm)
    return calm, out, inside


def calmly(words):
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        assert main(words) == 0


FORMS = [pytest.param(1, 16, id="short"), pytest.param(12, 40, id="long", marks=pytest.mark.trust)]


@pytest.mark.parametrize(("kills", "most"), FORMS)
def test_a_killed_run_ends_with_the_same_path_and_threshold(kills, most, tmp_path):
    words = ["run", "thresholds", "-m", f"python:{HELP}:slow", "--dimension", "pitch"]
    words += ["--tracks", 3, "--most", most, "--precision", 1.1, "--concurrency", 3]
    calm, out, inside = killed_runs(words, tmp_path, kills, kills)
    assert inside >= 1, "no kill landed inside a run: make it longer"
    assert [each.threshold for each in read_results(out)] == [
        each.threshold for each in read_results(calm)
    ]


@pytest.mark.parametrize(("kills", "items"), FORMS)
def test_a_killed_test_of_rhythm_ends_with_the_same_ability(kills, items, shared, tmp_path):
    from zhiyin.plugins.benchmarks.rhythm_ability.benchmark import sections

    words = ["run", "rhythm-ability", "-m", f"python:{HELP}:strokes", "--data", shared / "rat"]
    calm, out, _ = killed_runs([*words, "--items", items], tmp_path, kills, 4)
    assert sections(rows_of(out)) == sections(rows_of(calm))
