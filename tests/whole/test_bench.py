"""Every script of bench/ still runs: each in a short form, which must print what it prints."""

import ast
import importlib
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from conftest import REPOSITORY

BENCH = REPOSITORY / "bench"
# The arguments of the short form, and words that its output must have.
SHORT = {
    "always_valid.py": ("--runs 60 --items 40", "false alarms"),
    "audio.py": ("--clips 4 --kinds 1", "clips/s"),
    "components.py": ("--times 8", "sampling"),
    "coverage.py": ("--samples 3 --only differences", "mean"),
    "dose.py": ("--times 40", "gains"),
    "exam.py": ("--exams 2 --items 60", "95 % intervals hold"),
    "exercises.py": ("--count 40", "theory"),
    "fuzz.py": ("--table", "|"),
    "glmm.py": ("--rows 120 --models 2 --repeats 1", "{"),
    "gpu.py": (
        "--layers 1 --width 32 --batches 1 4 --tokens 4 --seconds 2 --dtype float32 --save "
        "--device cpu",
        "0 texts differ",
    ),
    "heard.py": ("1", "supported"),
    "http_client.py": ("--requests 64 --rounds 1", "requests/s"),
    "hundred_million.py": ("--trials 100000 --workers 10", "of the ideal rate"),
    "judges.py": ("4 8", "%"),
    "labbook.py": ("3", "all counted"),
    "listener_noise.py": ("--n 2", "dB"),
    "local.py": ("--trials 8 --rounds 1", "ratio"),
    "many_runs.py": ("--runs 3 --items 20", "x decoding"),
    "million.py": ("--trials 200 400", "rate of the largest"),
    "muse_listener.py": ("--n 1 --difficulty default", "`syncopation`"),
    "mutants.py": ("--number 1 --write build/mutants-short", "all          killed"),
    "peers.py": ("--limit 20 --rounds 1 --only Zhiyin", "trials/s"),
    "pipeline.py": ("--rounds 1", "trials/s"),
    "plan.py": ("--small", "times as long as one"),
    "pool.py": ("--calls 200", "that healthy slots could answer"),
    "questions.py": ("--rows 500", "times"),
    "ray_workers.py": ("--each 2", "linear"),
    "reading.py": ("", "read a second"),
    "reading_large.py": ("--trials 200", "of the smallest"),
    "report.py": ("--limit 40 --trials 400", "one file"),
    "sequences.py": ("--stairs 3 --steps 4", "trial"),
    "study.py": ("3 0.1", "0 errors"),
    "synthesis.py": ("--items 3", "of the goal"),
    "transcription.py": ("1", "onset"),
}
LONG = {
    *("audio.py", "exam.py", "gpu.py", "heard.py", "http_client.py", "listener_noise.py"),
    *("local.py", "muse_listener.py", "mutants.py", "peers.py", "plan.py", "pool.py"),
    *("ray_workers.py", "reading.py", "reading_large.py", "report.py", "study.py"),
    "transcription.py",
}
"""Scripts whose short form is not short: `make trust` runs them."""
PUBLISHED = {"peers.py", "pipeline.py", "report.py"}
"""Scripts that measure on the published ZIQI-Eval."""
ELSEWHERE = {"instant.py", "published_counts.py"}
"""A server that others start, and what `test_analysis_coverage.py` runs."""


def marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.trust] if name in LONG else []


@pytest.mark.slow
def test_every_script_has_a_short_form() -> None:
    assert {path.name for path in BENCH.glob("*.py")} == SHORT.keys() | ELSEWHERE


@pytest.mark.parametrize("name", sorted(LONG))
def test_what_a_long_script_imports_of_ours_is_there(name: str) -> None:
    tree = ast.parse((BENCH / name).read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("zhiyin"):
            module = importlib.import_module(str(node.module))
            for each in node.names:
                inner = hasattr(module, "__path__") and find_spec(f"{node.module}.{each.name}")
                assert hasattr(module, each.name) or inner, f"{node.module} has no {each.name}"


def check(name: str, published: str) -> None:
    """Run a script; `published` is the folder that has the published data, "" where none are."""
    arguments, words = SHORT[name]
    # Not pytest's own folder: the path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder:
        done = subprocess.run(
            [sys.executable, str(BENCH / name), *arguments.split()],
            capture_output=True,
            text=True,
            cwd=REPOSITORY,
            timeout=1_800,
            env=os.environ
            | {
                "ZHIYIN_SHARED": published or folder,
                "TMPDIR": folder,
                "ZHIYIN_CACHE": f"{folder}/cache",
            },
        )
    assert done.returncode == 0, done.stderr[-2000:]
    assert words in done.stdout, done.stdout


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=marks(name)) for name in sorted(SHORT.keys() - PUBLISHED)]
)
def test_a_script_runs(name: str) -> None:
    check(name, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=marks(name)) for name in sorted(PUBLISHED)]
)
def test_a_script_runs_on_published_data(name: str, shared: Path) -> None:
    check(name, str(shared.parent))
