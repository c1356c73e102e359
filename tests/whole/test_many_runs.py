"""Many runs at once: which pairs are tested, that all views agree, and how often a run is read."""

import io
import math

import msgspec
import numpy as np
import pytest

from report_help import answered, choice, write_run
from zhiyin.analysis.compare import compare
from zhiyin.analysis.pairs import MOST_RUNS
from zhiyin.analysis.pairs import pairs_to_test as pairs_of
from zhiyin.cli import pages
from zhiyin.engine.scoring import ALL
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.report.measures import MeasureSheet
from zhiyin.report.paper_table import paper_table
from zhiyin.report.run_set import RunSet
from zhiyin.runs import rows
from zhiyin.shown.table import MarkedFigure
from zhiyin.statistics.paired import holm, mcnemar_exact

ITEMS = 60


def make(root, models, *, clusters=False, baselines=()):
    """Runs of models that are better the higher their number, and of some baselines."""
    draw = np.random.default_rng(3)
    trials = [choice(n) for n in range(ITEMS)]
    if clusters:
        trials = [msgspec.structs.replace(t, cluster=f"c{n // 3}") for n, t in enumerate(trials)]
    names = [*(f"model-{n:02}" for n in range(models)), *baselines]
    folders = []
    for n, name in enumerate(names):
        right = draw.random(ITEMS) < (0.3 + 0.6 * n / models if n < models else 0.25)
        records = [
            answered(t, t.target if ok else "ABCD"[("ABCD".index(t.target) + 1) % 4])
            for t, ok in zip(trials, right, strict=True)
        ]
        folders.append(write_run(root / name, name, records))
    return folders


def against_best(comparison):
    """The row on everything of each other run, by name; the best is the first of the ranking."""
    best = comparison.ranking[0].label
    return {({p.first, p.second} - {best}).pop(): p.groups[0] for p in comparison.pairs}


def test_of_few_runs_all_pairs_are_tested_and_of_many_the_best_with_each():
    values = np.linspace(0, 1, MOST_RUNS + 1)
    few = pairs_of(values[:-1], ["model"] * MOST_RUNS)
    assert len(few.pairs) == math.comb(MOST_RUNS, 2)
    many = pairs_of(values, ["model"] * (MOST_RUNS + 1))
    assert many.pairs == [(n, MOST_RUNS) for n in range(MOST_RUNS)]
    kinds = ["model"] * MOST_RUNS + ["baseline"]
    assert len(pairs_of(values, kinds).pairs) == math.comb(MOST_RUNS + 1, 2)


@pytest.mark.parametrize("kind", ["baseline", "listener"])
def test_what_is_no_contender_is_never_the_best_and_corrected_apart(kind):
    values = [0.5] * MOST_RUNS + [0.6, 0.9]
    tested = pairs_of(values, ["model"] * (MOST_RUNS + 1) + [kind])
    assert tested.best == MOST_RUNS
    assert list(tested.scale) == [(MOST_RUNS, MOST_RUNS + 1)]


@pytest.mark.parametrize("clusters", [False, True])
def test_table_leaderboard_report_and_compare_agree_on_many_runs(tmp_path, clusters):
    folders = make(tmp_path / "r", MOST_RUNS + 4, clusters=clusters, baselines=("random", "first"))
    models = folders[:-2]
    alone = against_best(compare(models, only_whole=True, both=False))
    found = compare(folders, both=False)
    beside = against_best(found)
    assert len(found.pairs) == len(folders) - 1
    assert {name: beside[name].p_adjusted for name in alone} == {
        name: row.p_adjusted for name, row in alone.items()
    }
    assert {name for name in beside if name not in alone} == {"random", "first"}
    resolved = {name for name, row in alone.items() if row.resolved}
    assert 0 < len(resolved) < len(alone)
    if not clusters:
        rows = alone.values()
        exact = [mcnemar_exact(row.mcnemar.b, row.mcnemar.c).p for row in rows]
        assert [row.p_adjusted for row in rows] == pytest.approx(holm(exact))

    said = paper_table(models)
    bold = {row.cells[0] for row in said.rows if isinstance(row.cells[1], MarkedFigure)
            and row.cells[1].strong}  # fmt: skip
    best = found.ranking[0].label
    assert bold == {best, *alone} - resolved
    assert {row.cells[0] for row in paper_table(folders).rows if row.cells[1].strong} == bold

    (board,) = build(tmp_path / "r")
    first = next(row for row in board.rows if row.name == best)
    level = {row.name for row in board.rows if set(row.letters) & set(first.letters)}
    assert level - {"random", "first"} == bold

    (compared,) = MeasureSheet(RunSet(folders), "quiz").compared()
    pairs = compared.pairs
    assert sorted(own[ALL].p_adjusted for own in pairs.values()) == pytest.approx(
        sorted(row.p_adjusted for row in beside.values())
    )


def test_a_table_and_a_leaderboard_read_each_run_once_and_tell_how_far_they_are(
    tmp_path, monkeypatch
):
    folders = make(tmp_path / "r", 12)
    opened = []
    real = rows._opened

    def counted(folder, *rest):
        opened.append(folder)
        return real(folder, *rest)

    monkeypatch.setattr(rows, "_opened", counted)
    for work in (
        lambda tell: paper_table(folders, progress=tell),
        lambda tell: build(tmp_path / "r", progress=tell),
    ):
        rows._open.clear()
        opened.clear()
        told = []
        work(lambda done, of, told=told: told.append((done, of)))
        assert sorted(opened) == sorted(folders)
        assert told == [(n, 12) for n in range(13)]


def test_tables_of_long_runs_are_not_all_held(tmp_path, monkeypatch):
    folders = make(tmp_path / "r", 12)
    monkeypatch.setattr(rows, "_MOST_ROWS", 10 * ITEMS)
    rows._open.clear()
    for folder in folders:
        rows.rows_of(folder)
    assert len(rows._open) == 10


@pytest.mark.parametrize("terminal", [True, False])
def test_how_far_it_is_is_said_after_a_moment_and_wiped_at_the_end(terminal, monkeypatch):
    told = io.StringIO()
    told.isatty = lambda: terminal
    now = [0.0]
    monkeypatch.setattr(pages.sys, "stderr", told)
    monkeypatch.setattr(pages.time, "monotonic", lambda: now[0])
    course = pages.Course("runs")
    for done, second in ((0, 0.1), (1, 0.9), (2, 11), (3, 12), (4, 13)):
        now[0] = second
        course(done, 4)
    lines = "comparing: 2 of 4 runs read", "comparing: 3 of 4 runs read"
    changing = f"\r\x1b[K{lines[0]}\r\x1b[K{lines[1]}\r\x1b[K"
    assert told.getvalue() == (changing if terminal else f"{lines[0]}\n")
