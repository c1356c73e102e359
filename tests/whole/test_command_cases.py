"""What a package from outside adds to the core's commands, to places of runs and to Python."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

OUTSIDE = '''
"""A package from outside."""
import argparse
from pathlib import Path


def show(given: argparse.Namespace, *, letters: bool = False, most: int = 3) -> int | None:
    """Given --letters, it counts letters.

    Parameters
    ----------
    letters
        count letters
    most : N
        of so many runs
    """
    if not letters:
        return None
    print(f"letters of {[str(run) for run in given.runs[:most]]}, {given.groups}")
    return 3


def shelf(place: Path):
    if not (place / "shelf.txt").is_file():
        return None
    from zhiyin.report.run_set import RunsInPlace

    return RunsInPlace({place / name: "shelved" for name in ("a", "b")}, [])


def hum():
    return "hm"
'''
POINTS = """
[zhiyin.command_cases]
show.letters = outside_cases:show
compare.broken = outside_cases:nothing_of_that_name

[zhiyin.places]
shelf = outside_cases:shelf

[zhiyin.api]
hum = outside_cases:hum
judge = outside_cases:hum
"""


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    """Run Python beside the package: exit status, standard output and standard error."""
    site, desk = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("desk")
    (site / "outside_cases.py").write_text(OUTSIDE)
    info = site / "outside_cases-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside-cases\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    rows = "\n".join(f"q{n}?,a,b,{'AB'[n % 2]}" for n in range(8))
    (desk / "own.csv").write_text(f"question,A,B,answer\n{rows}\n")

    def python(*words, site=site):
        environment = {**os.environ, "PYTHONPATH": str(site)}
        done = subprocess.run(
            [sys.executable, *words], cwd=desk, env=environment, capture_output=True, text=True
        )
        return done.returncode, done.stdout, done.stderr

    python.desk = desk
    for model in ("random", "first"):
        for place in (f"runs/{model}", f"shelf/{'ab'[model == 'first']}"):
            words = ("-m", "zhiyin", "run", "own.csv", "-m", model, "--out", place)
            assert python(*words, site="")[0] == 0
    (desk / "shelf" / "shelf.txt").touch()
    return python


def test_a_case_is_carried_out_where_its_flag_is_given_and_nowhere_else(beside):
    told = beside("-m", "zhiyin", "show", "runs/random", "runs/first", "--letters", "--most", "1")
    assert told == (3, "letters of ['runs/random'], top\n", "")
    words = ("-m", "zhiyin", "show", "runs/random", "--groups", "all")
    assert beside(*words) == beside(*words, site="")
    overview = " ".join(beside("-m", "zhiyin", "show", "--help")[1].split())
    assert "Given --letters, it counts letters." in overview
    assert "--most N of so many runs (default: 3)" in overview
    assert "--errata FILE" in overview
    status, _, err = beside("-m", "zhiyin", "show", "runs/random", "--letters", "--most", "x")
    assert status == 2
    assert "--most x: give a whole number" in err


def test_a_case_that_cannot_be_loaded_is_told_by_list_and_stops_nothing(beside):
    words = ("-m", "zhiyin", "compare", "runs/random", "runs/first")
    assert beside(*words) == beside(*words, site="")
    line = "'compare.broken' of outside-cases 1.0 cannot be loaded"
    assert line in beside("-m", "zhiyin", "list", "--json")[1]


def test_a_place_says_which_runs_it_holds_and_what_they_are_called(beside):
    words = ("-m", "zhiyin", "table", "shelf", "--to", "csv", "--columns", "benchmarks")
    status, out, err = beside(*words)
    assert status == 0, err
    assert {"random", "first"} <= {line.partition(",")[0] for line in out.splitlines()}
    assert "shelved" in out
    assert "shelved" not in beside(*words, site="")[1]


def test_names_in_python_are_found_and_none_of_ours_is_taken(beside):
    code = "import zhiyin as zy; print(zy.hum(), zy.judge.__module__, 'hum' in zy.__all__)"
    assert beside("-c", code)[1] == "hm zhiyin.plugins.judges.api True\n"
    assert "has no attribute 'hum'" in beside("-c", code, site="")[2]
