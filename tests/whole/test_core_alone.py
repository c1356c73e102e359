"""The core alone, without any plug-in, in an environment of its own: installed, run, and read.

Its figures are those of the whole program.
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
REPOSITORY = Path(__file__).resolve().parent.parent.parent
WORDS = ("octave", "fifth", "third", "unison")
MODELS = ("random", "first")
KEPT = ("pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The Python of an environment that has the core and what it needs, and no plug-in."""
    root = tmp_path_factory.mktemp("alone")
    source = root / "source"
    shutil.copytree(
        REPOSITORY / "src" / "zhiyin", source / "src" / "zhiyin",
        ignore=lambda folder, names: {"__pycache__"} | ({"plugins"} & {*names}),
    )  # fmt: skip
    for name in KEPT:
        shutil.copy(REPOSITORY / name, source)
    venv.create(root / "venv", symlinks=True)
    paths = {"base": str(root / "venv"), "platbase": str(root / "venv")}
    packages = Path(sysconfig.get_path("purelib", "venv", paths))
    install = (
        "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation",
        "--disable-pip-version-check", "--no-compile", "--target", packages, source,
    )  # fmt: skip
    subprocess.run([sys.executable, *install], check=True)
    # What it needs lies where it is tried. Of what stands there twice the first is taken: ours.
    needed = dict.fromkeys(sysconfig.get_path(kind) for kind in ("purelib", "platlib"))
    (packages / "needed.pth").write_text("\n".join(needed) + "\n")
    return root / "venv" / "bin" / "python"


@pytest.fixture(scope="module")
def desk(alone, tmp_path_factory):
    """A folder with a file of questions, and runs of it by the core alone."""
    desk = tmp_path_factory.mktemp("desk")
    with (desk / "my_questions.csv").open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(("question", "A", "B", "C", "D", "answer", "group"))
        for n in range(40):
            lines.writerow((f"Interval {n}?", *WORDS, "ABCD"[n % 4], ("low", "high")[n % 2]))
    for model in MODELS:
        zhiyin(alone, desk, "run", "my_questions.csv", "-m", model, "--out", f"runs/{model}")
    return desk


def python(interpreter, folder, *words):
    """Run Python; exit status, and what it printed."""
    own = {"PYTHONPATH", "VIRTUAL_ENV"}
    environment = {name: value for name, value in os.environ.items() if name not in own}
    done = subprocess.run(
        [interpreter, *words], cwd=folder, env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


def zhiyin(interpreter, folder, *words):
    """What a command prints, which has to end well."""
    status, out, err = python(interpreter, folder, "-m", "zhiyin", *words)
    assert status == 0, err
    return out


def test_no_plug_in_is_there_and_none_is_asked_for(alone, tmp_path):
    status, _, err = python(alone, tmp_path, "-c", "import zhiyin.plugins")
    assert status
    assert "No module named 'zhiyin.plugins'" in err
    listed = "import zhiyin as zy; from zhiyin import *; print(*zy.__all__, zy.__file__)"
    status, out, err = python(alone, tmp_path, "-c", listed)
    assert status == 0, err
    assert {"run", "compare", "report"} <= {*out.split()}
    assert not {"judge", "stats", "listen"} & {*out.split()}
    assert str(alone.parent.parent) in out


def test_its_help_names_its_commands_and_no_other(alone, tmp_path):
    overview = zhiyin(alone, tmp_path, "--help-all")
    for name in ("run", "show", "compare", "report", "table", "rescore"):
        assert f"\n  {name} " in overview
        assert f"zhiyin {name}" in zhiyin(alone, tmp_path, name, "--help")
    for name in ("suite", "judge", "study", "forge", "leaderboard", "verify"):
        assert f"\n  {name} " not in overview
    status, _, err = python(alone, tmp_path, "-m", "zhiyin", "judge", "x")
    assert status == 2
    assert err.count("\n") == 1


READ = {
    "show": ("show", *(f"runs/{model}" for model in MODELS), "--groups", "all"),
    "show --json": ("show", "runs/random", "--json"),
    "compare": ("compare", *(f"runs/{model}" for model in MODELS), "--all"),
    "table": ("table", *(f"runs/{model}" for model in MODELS), "--to", "csv"),
    "rescore": ("rescore", "runs/random", "--extract", "first-letter"),
}


@pytest.mark.parametrize("words", READ.values(), ids=READ)
def test_figures_are_those_of_the_whole_program(alone, desk, words):
    assert zhiyin(alone, desk, *words) == zhiyin(sys.executable, desk, *words)


def test_it_asks_as_the_whole_program_does(alone, desk):
    zhiyin(sys.executable, desk, "run", "my_questions.csv", "-m", "random", "--out", "whole")
    records = [
        {line["id"]: line["verdict"] for line in map(json.loads, file.open())}
        for file in (desk / "runs/random/records.jsonl", desk / "whole/records.jsonl")
    ]
    assert records[0] == records[1]
    assert len(records[0]) == 40


def test_a_report_is_written(alone, desk):
    zhiyin(alone, desk, "report", *(f"runs/{model}" for model in MODELS), "--out", "page.html")
    page = (desk / "page.html").read_text("utf-8")
    shown = json.loads(zhiyin(sys.executable, desk, "show", "runs/random", "--json"))
    right = shown["groups"]["all"]["accuracy"]
    assert f"{100 * right:.1f}" in page


def test_the_contract_suite_is_found_by_pytest(alone, desk):
    suite = ("-m", "pytest", "--pyargs", "zhiyin.contract_suite", "-p", "no:cacheprovider")
    for tried in (("--benchmark", "my_questions.csv"), ("--model", "random")):
        status, out, err = python(alone, desk, *suite, *tried)
        assert status == 0, out + err
        assert re.search(r"\b(\d+) passed", out), out
    status, out, _ = python(alone, desk, *suite)
    assert status == 0
    assert re.search(r"^=+ \d+ skipped in", out, re.MULTILINE), out


def test_the_cores_own_tests_pass(alone, tmp_path):
    """All of ``tests/core`` that are not slow, whose helpers find no plug-in either."""
    own = ("-m", "pytest", str(REPOSITORY / "tests" / "core"), "-m", "not slow and not trust")
    quiet = ("-q", "-n", "0", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'own'}")
    status, out, err = python(alone, tmp_path, *own, *quiet)
    assert status == 0, out[-3000:] + err
    assert int(re.search(r"(\d+) passed", out)[1] if "passed" in out else out.count(".")) > 1000
