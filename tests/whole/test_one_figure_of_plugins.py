"""Leaderboard and suite tell the figures and verdicts that compare and a report tell."""

from types import SimpleNamespace

import pytest
from test_one_figure import KINDS

from zhiyin.analysis.compare import compare
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.plugins.lab.suite.folder import RUNS
from zhiyin.plugins.lab.suite.matrix import benchmark_pictures
from zhiyin.report.overview import overview
from zhiyin.report.paper_table import paper_table
from zhiyin.report.run_set import RunSet

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", KINDS)
def test_leaderboard_and_suite_tell_the_same(tmp_path, kind):
    KINDS[kind](tmp_path / RUNS)
    runs = sorted((tmp_path / RUNS).iterdir())
    found, (chapter,) = compare(runs), overview(RunSet(runs)).benchmarks
    names, lead = [run.label for run in found.runs], chapter.lead
    rows = paper_table(runs).rows
    marked = {str(row.cells[0]) for row in rows if row.cells[1].strong}
    (board,) = build(runs[0].parent)
    letters = {one.label: one.letters for one in found.ranking if one.finished}
    assert {row.name: row.letters for row in board.rows if row.letters} == letters
    standings = {names[own.run]: (own.value, own.low, own.high) for own in lead.standings}
    for row in board.rows:
        (own, *_) = row.cells.values()
        assert (own.value, own.low, own.high) == pytest.approx(standings[row.name], abs=1e-12)
    state = SimpleNamespace(runs=[
        SimpleNamespace(benchmark=chapter.name, condition="", model=run.name, name=run.name,
                        spec=run.name, state="done")
        for run in runs
    ])  # fmt: skip
    (suite,), _ = benchmark_pictures(runs[0].parent.parent, state)
    (row,) = suite.rows
    shown = zip(suite.names, row.dots, strict=True)
    assert {str(name) for (_, name), dot in shown if dot and dot.clear} == marked
