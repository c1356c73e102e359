"""Tables, leaderboards and figures of what is measured in any unit, each marked by its own test."""

import csv
import io
import json
import re

import pytest

from conftest import REPOSITORY
from findings_help import answered, choice, student, write_run
from measures_help import CENTS, KINDS, measured_run
from page_tree import Tree, marks_stand_at_their_figures
from zhiyin.analysis.compare import compare
from zhiyin.cli import main
from zhiyin.plugins.lab.leaderboard import as_page, build
from zhiyin.plugins.lab.leaderboard.tables import ranking_table, ranks
from zhiyin.report.overview import overview
from zhiyin.report.paper_table import paper_table, render_table
from zhiyin.report.run_set import RunSet
from zhiyin.shown.table import in_letters
from zhiyin.words import say


@pytest.fixture(params=KINDS)
def meter(request, tmp_path):
    measure, good, poor = KINDS[request.param]
    runs = [
        measured_run(tmp_path / "runs" / name, measure, level)
        for name, level in (("near", good), ("alike", good), ("poor", poor))
    ]
    return measure, runs


def strong(table, column=1):
    """Rows in bold; a row for chance has a figure in few columns."""
    return {str(row.cells[0]) for row in table.rows if getattr(row.cells[column], "strong", False)}


def test_the_better_stands_out_in_a_table_in_whatever_unit(meter):
    measure, runs = meter
    table = paper_table(runs)
    assert strong(table) == {"near", "alike"}
    assert len(table.columns) == 4  # the whole and its two groups
    head = in_letters(table).heads[1]
    assert ("lower is better" in head) == measure.lower_is_better
    assert measure.unit in ("share", "") or measure.unit in head
    rows = list(csv.DictReader(io.StringIO(render_table(table, "csv"))))
    column = next(name for name in rows[0] if name not in ("model",))
    assert float(rows[2][column]) == table.rows[2].cells[1].value[0]
    assert "in %" in str(table.title) or measure.unit != "share"


def test_the_leaderboard_ranks_by_the_measure_and_its_direction(meter):
    measure, (*_, poor) = meter
    (board,) = build(poor.parent)
    assert [row.name for row in board.rows][-1] == "poor"
    assert ranks(board.rows) == [(1, 2), (1, 2), (3, 3)]
    assert all(row.items == 24 and not row.note for row in board.rows)
    (own, *_) = board.as_data()["measures"].values()
    assert own == {
        "unit": measure.unit, "lower_is_better": measure.lower_is_better, "range": measure.range
    }  # fmt: skip
    head = in_letters(ranking_table(board)).heads[2]
    assert ("lower is better" in head) == measure.lower_is_better
    assert "poor" in as_page([board])


def test_the_page_of_a_leaderboard_draws_any_measure_and_marks_what_is_cheap(meter, monkeypatch):
    from zhiyin.plugins.lab.leaderboard.tables import costs_of, frontier

    _, (*_, poor) = meter
    costs = iter((1.0, 5.0, 0.1))
    monkeypatch.setattr("zhiyin.plugins.lab.leaderboard.board.cost_of",
                        lambda run, items: (next(costs), None))  # fmt: skip
    (board,) = build(poor.parent)
    edge = frontier(board, costs_of(board)[1])
    assert edge[0][0].name == "poor"  # cheapest, and beaten by dearer ones
    assert len(edge) >= 2
    (drawn, *_) = Tree(as_page([board])).root.all("table", "drawn")
    assert 1 < len(drawn.all("svg", "axis")[0].all("text")) < 9
    assert marks_stand_at_their_figures(drawn) == 3


def test_a_silent_model_neither_stands_out_nor_has_a_rank(tmp_path):
    """Two cents off, over the twenty of 24 questions that it deigned to answer."""
    measure, good, _ = KINDS["off"]
    runs = [
        measured_run(tmp_path / "good", measure, good),
        measured_run(tmp_path / "poor", measure, 10 * good),
        measured_run(tmp_path / "mute", measure, good / 4, silent=4),
    ]
    assert strong(paper_table(runs)) == {"good"}
    (board,) = build(tmp_path)
    mute = next(row for row in board.rows if row.name == "mute")
    assert (mute.letters, board.rows[0].name) == ("", "good")
    assert "4 of 24" in mute.note


@pytest.mark.slow
def test_verdicts_are_those_of_compare(tmp_path):
    asked = [choice(f"q{n}", groups=("x" if n % 2 else "y",)) for n in range(150)]
    for name, gift in (("a", 0.8), ("b", 0.55), ("c", 0.5)):
        write_run(tmp_path / name, "toy", name, map(student(name, gift), asked))
    folders = [tmp_path / name for name in "abc"]
    found = compare(folders)
    table = paper_table(folders)
    for column, group in ((1, "all"), (2, "x"), (3, "y")):
        assert group in str(table.columns[column].name) or group == "all"
        *models, chance = table.rows
        assert (str(chance.cells[0]), chance.cells[column].value) == ("chance", 0.25)
        values = {row.cells[0]: row.cells[column].value[0] for row in models}
        best = max(values, key=values.get)
        worse = {
            {pair.first: pair.second, pair.second: pair.first}[best]
            for pair in found.pairs
            for row in pair.groups
            if row.group == group and row.resolved and best in (pair.first, pair.second)
        }
        assert strong(table, column) == (set("abc") - worse if worse else set())
    (board,) = build(tmp_path)
    assert {row.name: row.letters for row in board.rows} == {
        one.label: one.letters for one in found.ranking
    }


def silent_or_wrong(name, right, silent):
    """So many answers of 200 are right, so many are none, the others wrong."""

    def reply(n, trial):
        return answered(trial, "A" if n < right else None if n < right + silent else "B")

    return [reply(n, choice(f"q{n}", groups=("theory",))) for n in range(200)]  # fmt: skip


def test_bold_in_a_column_of_f1_is_by_a_test_of_f1(tmp_path, monkeypatch):
    """One model answers less, and is more often right when it does: F1 and accuracy disagree."""
    from msgspec.structs import replace

    from zhiyin.report import paper_columns
    from zhiyin.runs.measures import F1

    write_run(tmp_path / "bold", "toy", "bold", silent_or_wrong("bold", 90, 0))
    write_run(tmp_path / "shy", "toy", "shy", silent_or_wrong("shy", 84, 116))
    runs = [tmp_path / "bold", tmp_path / "shy"]
    head = [replace(F1, group="theory")]
    monkeypatch.setattr(paper_columns, "headlines", lambda runs: head)
    table = paper_table(runs, across="groups")
    heads = [str(column.name) for column in table.columns]
    assert heads[1].endswith("F1")
    assert strong(table, 1) == {"shy"}
    accuracy = compare(runs).pairs[0].groups[0]
    assert accuracy.difference > 0  # in which it is not the better
    (board,) = build(tmp_path)
    assert [row.name for row in board.rows] == ["shy", "bold"]
    assert [row.letters for row in board.rows] == ["a", "b"]


@pytest.mark.slow
def test_each_way_of_asking_is_tested_and_bold_by_itself(tmp_path):
    asked = [choice(f"q{n}") for n in range(150)]
    for shots in (0, 5):
        for name, gift in (("good", 0.7 + shots / 50), ("poor", 0.3)):
            place = tmp_path / f"{name}{shots}"
            write_run(place, "toy", name, map(student(f"{name}{shots}", gift), asked),
                      options__shots=shots)  # fmt: skip
    table = paper_table(sorted(tmp_path.iterdir()))
    assert [str(row.cells[0]) for row in table.rows] == [
        "good", "poor", "good, 5 shots", "poor, 5 shots", "chance"
    ]  # fmt: skip
    assert strong(table) == {"good", "good, 5 shots"}
    (board,) = build(tmp_path)
    assert [row.name for row in board.rows] == [
        "good", "poor", "good, 5 shots", "poor, 5 shots"
    ]  # fmt: skip
    assert ranks(board.rows) == [(1, 1), (2, 2)] * 2
    assert "good, 5 shots" in as_page([board])
    assert "good（五样例）" in as_page([board], language="zh")


@pytest.mark.parametrize("tag", [{}, {"limit": 72}, {"data": "1" * 64, "options__seed": 3}])
def test_runs_on_the_same_items_are_one_table_whatever_their_settings_say(tmp_path, tag):
    asked = [choice(f"q{n}") for n in range(72)]
    for n, name in enumerate("abc"):
        more = tag if n else {}
        write_run(tmp_path / name, "toy", name, map(student(name, 0.9 - n / 3), asked), **more)
    (board,) = build(tmp_path)
    assert {row.way for row in board.rows} == {0}
    assert board.rows[0].letters != board.rows[-1].letters
    assert [str(row.name)[0] for row in board.rows] == ["a", "b", "c"]
    assert strong(paper_table([tmp_path / name for name in "abc"])) >= {"a"}


def test_other_questions_under_the_same_names_are_not_the_same_items(tmp_path):
    asked = [choice(f"q{n}") for n in range(72)]
    other = [choice(f"q{n}", gold="B") for n in range(72)]
    for name, questions in (("a", asked), ("b", asked), ("c", other)):
        data = {"data": "1" * 64} if name == "c" else {}
        write_run(tmp_path / name, "toy", name, map(student(name, 0.5), questions), **data)
    same, strange = build(tmp_path)
    assert [row.name for row in same.rows] in (["a", "b"], ["b", "a"])
    assert [row.name for row in strange.rows] == ["c"]
    assert str(strange.title) == "toy: data 11111111"
    table = paper_table([tmp_path / name for name in "abc"])
    assert [str(column.name) for column in table.columns[1:]] == ["toy", "toy: data 11111111"]


@pytest.mark.slow
def test_latex_is_bold_only_where_something_differs_and_says_little(tmp_path, capsys):
    asked = [
        choice(f"q{n}", groups=("western_music",) if n % 2 else ("rhythm",)) for n in range(60)
    ]
    for name in "abc":
        write_run(tmp_path / name, "toy", name, map(student(name, 0.5), asked))
    order = ["table", str(tmp_path), "--to", "latex"]
    assert main(order) == 0
    text = capsys.readouterr().out
    assert r"\textbf" not in text
    assert "western" in text
    assert r"\_" not in text
    assert text.count(r"\par ") <= 3
    assert main([*order, "--brief"]) == 0
    assert capsys.readouterr().out.count(r"\par ") == 1


def test_a_leaderboards_files_say_unit_and_direction(tmp_path, capsys):
    measure, good, poor = KINDS["off"]
    for name, level in (("good", good), ("poor", poor)):
        measured_run(tmp_path / "runs" / name, measure, level)
    out = tmp_path / "out"
    assert main(["leaderboard", str(tmp_path / "runs"), "-o", str(out)]) == 0
    rows = list(csv.DictReader((out / "leaderboard.csv").open(encoding="utf-8")))
    assert {(row["unit"], row["lower is better"]) for row in rows} == {("cents", "True")}
    (board,) = json.loads((out / "leaderboard.json").read_text("utf-8"))
    assert board["rows"][0]["name"] == "good"
    assert board["rows"][0]["cells"]["off, all"]["value"] < 10


@pytest.mark.parametrize("kind", KINDS)
def test_what_goes_out_carries_the_measure_with_unit_range_and_direction(kind, tmp_path):
    from zhiyin.plugins.lab.export import export
    from zhiyin.plugins.lab.trackers import facts_of
    from zhiyin.plugins.paper.tables import unit_of

    measure, good, _ = KINDS[kind]
    run = measured_run(tmp_path / "good", measure, good)
    (aggregate, *_) = export([run], "eee", tmp_path / "eee").files
    jsonschema = pytest.importorskip("jsonschema")
    told = json.loads(aggregate.read_text("utf-8"))
    schema = (REPOSITORY / "tests/data/every_eval_ever/eval.schema.json").read_text("utf-8")
    jsonschema.validate(told, json.loads(schema))
    first = told["evaluation_results"][0]
    config, value = first["metric_config"], first["score_details"]["score"]
    assert config["metric_name"] == kind
    assert (config["metric_unit"], config["lower_is_better"]) == (
        unit_of(measure), measure.lower_is_better
    )  # fmt: skip
    assert [config["min_score"], config["max_score"]] == [
        "-Infinity" if measure.range[0] is None else measure.range[0],
        "Infinity" if measure.range[1] is None else measure.range[1],
    ]
    yaml = pytest.importorskip("yaml")
    card = export([run], "hf", tmp_path / "hub").files[1].read_text("utf-8")
    (metric,) = yaml.safe_load(card.split("---")[1])["model-index"][0]["results"][0]["metrics"]
    assert (metric["type"], metric["args"]["unit"]) == (kind, unit_of(measure))
    assert metric["value"] == pytest.approx(value, abs=1e-5)
    tracked = facts_of(run)
    assert tracked.metrics[kind] == value
    row = next(csv.DictReader(io.StringIO(tracked.csv)))
    assert (row["figure"], row["unit"], float(row["value"])) == (kind, unit_of(measure), value)
    assert {f"low/{kind}", f"high/{kind}"} <= set(tracked.metrics)


def test_every_declared_measure_goes_out_the_headline_first(tmp_path):
    from zhiyin.engine.folder import read_manifest
    from zhiyin.plugins.paper.tables import measured

    asked = [choice(f"q{n}", groups=("x",)) for n in range(30)]
    run = write_run(tmp_path / "a", "toy", "a", map(student("a", 0.6), asked))
    found = measured(run, read_manifest(run))
    names = [(one.measure.name, one.group) for one in found]
    assert names[0] == ("accuracy", "all")
    assert {("accuracy", "x"), ("f1", "all"), ("precision", "all"), ("ifr", "all")} <= {*names}
    assert len(names) == len(set(names))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_papers_figures_and_tables_are_made_of_any_measure(kind, tmp_path):
    pytest.importorskip("matplotlib")
    from zhiyin.plugins.paper.figures import write_figures
    from zhiyin.plugins.paper.tables import write_tables

    measure, good, poor = KINDS[kind]
    runs = [
        measured_run(tmp_path / name, measure, level)
        for name, level in (("near", good), ("poor", poor))
    ]
    (drawn,) = write_figures(runs, tmp_path / "figures", ["svg"])
    assert drawn.name == "meter-overview"
    values = {row["row"]: row for row in csv.DictReader(drawn.files["csv"].open())}
    low, value, high = (float(values["poor"][name]) for name in ("low", "value", "high"))
    assert low < value < high
    assert list(values) == ["near", "poor"]
    tables = {table.name: table for table in write_tables(runs, tmp_path / "tables")}
    assert set(tables) == {"meter-measures", "meter-ranking", "meter-differences"}
    assert [row.cells[0] for row in tables["meter-ranking"].rows] == ["near", "poor"]
    first = tables["meter-measures"].rows[0].cells
    assert first[1] == kind
    assert (first[3] == "lower") == measure.lower_is_better
    assert ("lower is better" in str(tables["meter-ranking"].title)) == measure.lower_is_better


def test_every_view_says_what_was_measured(meter, capsys):
    """`show`, and the report's findings, of runs in which nothing is right or wrong."""
    measure, runs = meter
    assert main(["show", *map(str, runs)]) == 0
    told = capsys.readouterr().out
    assert told.count("What was measured") == len(runs)
    assert told.count(f"\n{measure.name}") == len(runs)
    (own,) = overview(RunSet(runs)).benchmarks
    said = [say(one.words) for one in own.findings]
    assert not [line for line in said if "answered nothing" in line]
    assert len([line for line in said if " reaches " in line]) == len(runs)
    assert measure.unit in ("share", "") or all(measure.unit in line for line in said[:3])


def test_a_run_that_leaves_replies_unanswered_wins_no_error_measure_anywhere(tmp_path):
    """Its errors are none where it answers: its figure is shown, and not ranked."""
    runs = [
        measured_run(tmp_path / "fine", CENTS, 5.0),
        measured_run(tmp_path / "even", CENTS, 0.0, silent=4),
    ]
    (own,) = overview(RunSet(runs)).benchmarks
    fine, even = own.lead.standings
    assert (fine.run, fine.ranked, even.ranked) == (0, True, False)
    assert (even.state, even.value, even.low) == ("judged", 0.0, None)  # of one value throughout
    ranked = compare(runs).ranking
    assert [(one.label, one.finished) for one in ranked] == [("fine", True), ("even", False)]
    told = " ".join(map(say, [own.told[0], *own.told[1]]))
    assert told.startswith("fine reaches 4.9 cents")
    assert "even is not ranked: 4 of 24 replies have no value" in told
    bold = [row.cells[1].strong for row in paper_table(runs).rows]
    assert not bold[1]
    said = [say(one.words) for one in own.findings]
    assert "even: 4 of 24 replies have no value." in said
    assert not any("count as wrong" in line for line in said)
    assert not any("no reply" in say(one) for one in own.told[:1])
    checks = [say(one.verdict) for one in own.checks]
    assert "even: no" in checks[1]
    assert "20 items" not in say(own.checks[0].detail)  # 24 were asked


@pytest.mark.slow
def test_ends_of_an_interval_have_the_decimals_of_its_figure(tmp_path, capsys):
    runs = [
        measured_run(tmp_path / name, CENTS, level, items=40)
        for name, level in (("a", 4.0), ("b", 5.0), ("c", 250.0))
    ]
    assert main(["compare", *map(str, runs)]) == 0
    told = capsys.readouterr().out
    assert "off, cents" in told
    assert ", %" not in told
    for low, high in re.findall(r"(−?[\d.]+) to (−?[\d.]+)", told):
        assert len(low.rpartition(".")[2]) == len(high.rpartition(".")[2]) == 1
    (own,) = overview(RunSet(runs)).benchmarks
    assert re.search(r"is \d+\.\d cents behind \(\d\.\d to \d\.\d\)", say(own.told[0]))
