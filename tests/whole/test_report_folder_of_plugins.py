"""The report as files: what is counted, compared, written, and what is left alone."""

import importlib.util
import json
import sys

import pytest
from test_report_folder import read

from report_help import abc_trial, answered, choice, two_runs, write_run
from zhiyin.engine.folder import RECORDS
from zhiyin.errors import adding
from zhiyin.plugins.music.notation import Library
from zhiyin.report.page_data import describe
from zhiyin.report.processes import make_parts
from zhiyin.report.run_set import RunSet
from zhiyin.report.writing import report

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))


def test_runs_whose_logs_are_written_otherwise_hold_the_same_trials(tmp_path):
    """Spaces and the order of names in a line say nothing of what was asked."""
    one = write_run(tmp_path / "one", "m", [answered(choice(n), "A") for n in range(4)])
    two = write_run(tmp_path / "two", "m", [answered(choice(n), "B") for n in range(4)])
    lines = [json.loads(line) for line in (two / RECORDS).read_text("utf-8").splitlines()]
    (two / RECORDS).write_text("".join(f"{json.dumps(o, sort_keys=True)}\n" for o in lines))
    book = RunSet([one, two])
    assert [sorted(case.answers) for case in book.cases] == [[0, 1]] * 4
    shown = [describe(case, found, Library(tmp_path)) for case, found in book.records(0, 4)]
    assert [[len(trial.asked), len(trial.runs)] for trial in shown] == [[1, 2]] * 4


def test_tunes_are_named_where_nothing_engraves_them(tmp_path, monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "verovio" else real(name)
    )
    run = write_run(tmp_path / "run", "m", [answered(abc_trial(), "A")])
    written = report(run, out=tmp_path / "out", figures=False)
    assert any(adding("notation") in str(note) for note in written.notes)
    (detail,) = read(tmp_path / "out" / "data" / "trials-0.js")
    assert [label for label, _ in detail["notation"]] == ["tune", "A", "B", "C", "D"]


def test_what_is_not_installed_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    made = make_parts(["figures"], two_runs(tmp_path, trials=8, sound=False), tmp_path / "out")
    assert made.without[0][0] == "figures"
