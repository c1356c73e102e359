"""The sample plug-in, installed into a folder of its own, through every command."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from conftest import REPOSITORY
from howto_help import Desk

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Where pip has put the plug-in, as it does for users."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(REPOSITORY / "examples" / "plugin", folder / "source")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [*command, "--target", str(folder / "site"), str(folder / "source")],
        cwd=folder, env=clean, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def desk(tmp_path_factory, site):
    folder = tmp_path_factory.mktemp("desk")
    made = Desk(folder, folder / "cache", site)
    for model, out in (("counter:3", "runs/errs"), ("counter", "runs/right")):
        made("run", "intervals", "-m", model, "--out", out, "--quiet")
    choice = ("run", "intervals", "--form", "choice", "-m", "counter:4", "--quiet")
    made(*choice, "--extract", "semitones", "--out", "choice")
    return made


@pytest.fixture(scope="module")
def without(desk):
    """The same runs on a machine without the plug-in."""
    return Desk(desk.folder, desk.folder / "cache")


def test_list_names_all_four_with_package_and_version(desk, without):
    told = json.loads(desk("list", "--json"))
    assert "faults" not in told
    for group, name in (("benchmarks", "intervals"), ("models", "counter"), ("judges", "strict")):
        (row,) = [row for row in told[group] if row["name"] == name]
        assert row["from"] == "zhiyin-intervals 0.3.1"
        assert row["summary"]
    assert {"name": "semitones", "version": 3} in [
        {k: row[k] for k in ("name", "version")} for row in told["policies"]
    ]
    assert "semitones@3" in desk("extract", "--list")
    before = json.loads(without("list", "--json"))
    assert "intervals" not in [row["name"] for row in before["benchmarks"]]


def test_it_runs_with_its_own_flags_and_is_named_with_its_version(desk):
    told = desk("run", "intervals", "--help")
    assert "--form {number,choice}" in told
    kept = json.loads((desk.folder / "choice" / "run.json").read_bytes())
    assert kept["versions"]["zhiyin-intervals"] == "0.3.1"
    assert kept["declared"]["origin"]["distribution"] == "zhiyin-intervals"
    assert kept["declared"]["published_sha256"]
    line = (desk.folder / "choice" / "records.jsonl").read_text("utf-8").splitlines()[0]
    assert json.loads(line)["verdict"]["policy"] == "semitones@3"


def test_show_report_compare_leaderboard_export_rescore(desk, tmp_path):
    told = desk("show", "runs/errs", "--groups", "all")
    assert "Semitones off" in told
    assert "first-year students" in told
    assert "accuracy in wider than a tritone on 60 items" in desk(
        "compare", "runs/errs", "runs/right"
    )
    desk("report", "runs/errs", "runs/right", "--out", tmp_path / "report", "--no-figures")
    data = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert "in wider than a tritone right" in data
    assert "Semitones off" in data
    desk("leaderboard", "runs", "--out", tmp_path / "board")
    (board,) = json.loads((tmp_path / "board" / "leaderboard.json").read_bytes())
    assert board["columns"][0] == "accuracy, wider than a tritone"
    assert "accuracy, all" in board["columns"]
    assert "a pocket calculator" in {row["name"] for row in board["rows"]}
    assert board["paper"] == "The sample plug-in of Zhiyin"
    desk("export", "runs/errs", "--to", "hf", "--out", tmp_path / "card")
    again = json.loads(desk("rescore", "runs/errs", "--extract", "robust", "--json"))
    assert again["changed"] == 0


def test_another_way_of_asking_has_no_published_row(desk):
    told = desk("show", "choice")
    assert "first-year students" not in told
    assert "none of the published intervals" in told


def test_a_judge_and_a_policy_of_the_package(desk):
    told = desk("judge", "choice", "-m", "strict", "--aspects", "failures", "--quiet")
    assert "by strict" in told
    told = json.loads(desk("rescore", "choice", "--extract", "semitones", "--json"))
    assert told["changed"] == 0


def test_runs_are_read_without_the_package(without, tmp_path):
    told = without("show", "runs/errs", "--groups", "all")
    assert "first-year students" in told
    note = " ".join(told[told.index("benchmark 'intervals'") :].split())
    assert "pip install zhiyin-intervals==0.3.1" in note
    assert "its own tables and figures are left out" in note
    assert "accuracy in wider than a tritone on 60 items" in without(
        "compare", "runs/errs", "runs/right"
    )
    without("report", "runs/errs", "runs/right", "--out", tmp_path / "report", "--no-figures")
    without("leaderboard", "runs", "--out", tmp_path / "board")
    (board,) = json.loads((tmp_path / "board" / "leaderboard.json").read_bytes())
    assert board["columns"][0] == "accuracy, wider than a tritone"
    assert "accuracy, all" in board["columns"]
    assert "a pocket calculator" in {row["name"] for row in board["rows"]}
    without("export", "runs/errs", "--to", "hf", "--out", tmp_path / "card")
    assert "FAILURES" in without(
        "judge", "choice", "-m", "listener", "--aspects", "failures", "--quiet", status=1
    )


def test_what_needs_the_package_is_one_line(without):
    told = without("rescore", "runs/errs", "--extract", "robust", status=2)
    assert "its replies cannot be scored" in told
    assert "pip install zhiyin-intervals==0.3.1" in told
    assert "unknown benchmark" in without("run", "intervals", "-m", "first", status=2)
    assert "unknown model" in without("run", "ziqi", "-m", "counter", status=2)


def test_it_keeps_the_contract(desk, tmp_path):
    suite = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--pyargs"]
    suite += ["zhiyin.contract_suite", "-p", "zhiyin.contract_suite.plugin"]
    choice = ("--benchmark", "intervals", "--option", "form=choice", "--option", "flats")
    for tried in (choice, ("--benchmark", "intervals", "--model", "counter:3")):
        done = subprocess.run(
            [*suite, *tried], cwd=tmp_path, env=desk.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout
        assert " passed" in done.stdout


@pytest.fixture
def broken(desk, site, tmp_path):
    """A package beside it that cannot be loaded, and takes names of others."""
    info = tmp_path / "site" / "zz_broken-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: zz-broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[zhiyin.benchmarks]\nworn = zz_broken:Worn\nziqi = zz_broken:Ziqi\n"
        "intervals = zz_broken:Intervals\n[zhiyin.policies]\nodd = json:__name__\n"
        "[zhiyin.models]\nlost = no_such_module:Model\nplain = json:JSONEncoder\n"
    )
    (tmp_path / "site" / "zz_broken.py").write_text("raise RuntimeError('worn out')\n")
    return Desk(desk.folder, desk.folder / "cache", site, tmp_path / "site")


def test_a_broken_plugin_is_one_line_and_hides_no_other(broken):
    told = json.loads(broken("list", "--json"))
    names = {row["name"] for row in told["benchmarks"]}
    assert {"intervals", "ziqi", "perception"} <= names
    faults = "\n".join(told["faults"])
    assert "'worn' of zz-broken 1.0 cannot be loaded" in faults
    assert "RuntimeError: worn out" in faults
    assert "'ziqi' of zz-broken 1.0 has the name of one of Zhiyin's own" in faults
    assert "'intervals' of zz-broken 1.0 has the name of that of zhiyin-intervals" in faults
    assert "policy 'odd' of zz-broken 1.0" in faults
    assert "'lost' of zz-broken 1.0 cannot be loaded" in faults
    assert "worn out" in broken("run", "worn", "-m", "first", status=2)
    assert "is no model" in broken("run", "intervals", "-m", "plain", status=2)
    assert "first-year students" in broken("show", "runs/errs")
