"""Items and conditions: a field of every trial, and read from old logs that lack it."""

import pytest

from findings_help import mucho_trials, student, write_run
from said_help import texts
from zhiyin.analysis.compare import compare
from zhiyin.runs.rows import rows_of as trials_of


def test_conditions_that_only_one_run_was_asked_under_are_left_out_and_told(tmp_path):
    both = mucho_trials(10, audio=("true", "noise"))
    plain = mucho_trials(10)
    runs = [
        write_run(tmp_path / name, "tracks", name, map(student(name, 0.6), trials))
        for name, trials in (("both", both), ("plain", plain))
    ]
    found = compare(runs)
    assert found.items == 20
    assert [run.left_out for run in found.runs] == [20, 0]
    assert any(
        "both: 20 of 40 judged trials are left out" in line for line in texts(found.warnings)
    )
    right = {e.item: e.right for e in trials_of(runs[0]) if e.tags["audio"] == "true"}
    assert found.pairs[0].groups[0].first == pytest.approx(sum(right.values()) / len(right))
