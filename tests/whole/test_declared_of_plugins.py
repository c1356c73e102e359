"""What a benchmark declares: settings, headline, published rows, and faults of its code."""

import argparse
import csv
import json

import pytest
import test_declared
from test_declared import CODE

from zhiyin.contract.options import place_names
from zhiyin.contract.registry import find

pytestmark = pytest.mark.slow

STATED = {
    "ziqi": {"language": "zh", "rotations": "none", "shuffle": False, "clean": False},
    "muchomusic": {"rotations": "none", "swap_any": False},
    "perception": {},
    "appraisal": {
        "source": "data", "n": 3, "parts": "both", "reviews": "all", "language": "zh",
    },
}  # fmt: skip
"""What a run of each keeps of flags that were not given: as before, so that older runs go on."""
PLACES = {
    "ziqi": {"data", "prompts", "released", "partial"},
    "muchomusic": {"data", "prompts", "released", "partial"},
    "perception": {"data", "prompts", "stimuli", "partial"},
    "appraisal": {
        "data", "qa", "details", "audio_root", "prompts", "stimuli", "judge", "partial",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", STATED)
def test_flags_derive_from_the_settings_and_leave_the_same_options(name):
    parser = argparse.ArgumentParser()
    find(name).add_options(parser)
    options = vars(parser.parse_args([]))
    assert {flag: value for flag, value in options.items() if value is not None} == STATED[name]
    assert place_names(find(name).Settings) == PLACES[name]
    assert "add_options" not in vars(find(name))  # nothing is added by hand


desk = test_declared.desk


def test_a_headline_on_a_score_is_right_in_leaderboard_and_figures(desk, tmp_path):
    pytest.importorskip("matplotlib")
    for model in ("first", "random"):
        desk("run", "heard.py:Heard", "-m", model, "--out", f"runs/{model}", "--quiet")
    desk("leaderboard", "runs", "--out", "board")
    (board,) = json.loads((tmp_path / "board" / "leaderboard.json").read_bytes())
    assert board["columns"][0] == "closeness, low tones"
    assert "accuracy, all" in board["columns"]
    rows = {row["name"]: row["cells"] for row in board["rows"] + board["aside"]}
    cell = rows["first"]["closeness, low tones"]
    assert cell["value"] == 0.5  # half of six right, at 0.75 and 0.25
    assert 0 < cell["low"] < 0.5 < cell["high"] < 1
    assert rows["people"]["closeness, low tones"]["value"] == 0.9
    desk("report", "runs/first", "runs/random", "--out", "report")
    (drawn,) = (tmp_path / "report").rglob("heard-headline.csv")
    told = {row["row"]: row for row in csv.DictReader(drawn.open(encoding="utf-8"))}
    assert {(row["group"], row["figure"]) for row in told.values()} == {("low", "closeness")}
    assert float(told["first"]["value"]) == 0.5
    assert float(told["first"]["low"]) == pytest.approx(cell["low"])
    assert (told["people"]["kind"], told["people"]["value"]) == ("human", "0.9")


def test_a_score_outside_its_range_is_one_line(desk, tmp_path):
    (tmp_path / "heard.py").write_text(CODE.replace("0.75", "7.5"), "utf-8")
    desk("run", "heard.py:Heard", "-m", "first", "--out", "runs/first", "--quiet")
    assert "must be from 0 to 1" in desk("leaderboard", "runs", "--out", "board", status=2)


def test_published_rows_beside_own_questions_are_in_every_table(desk, tmp_path):
    pytest.importorskip("matplotlib")
    desk("data", "template", "mine.csv")
    rows = "name,group,accuracy,kind\nclass of 20,all,0.5,human\nan oracle,theory,0.7,model\n"
    (tmp_path / "mine.published.csv").write_text(rows, "utf-8")
    for model in ("longest", "random"):
        desk("run", "mine.csv", "-m", model, "--out", f"runs/{model}", "--quiet")
    both = desk("show", "runs/longest", "runs/random", "--groups", "all")
    assert "class of 20" in both
    assert "an oracle" in both
    assert desk("show", "runs/longest").count("class of 20") == 1
    desk("leaderboard", "runs", "--out", "board")
    (board,) = json.loads((tmp_path / "board" / "leaderboard.json").read_bytes())
    found = {row["name"]: row["kind"] for row in board["rows"] + board["aside"]}
    assert found["class of 20"] == "human"
    assert found["an oracle"] == "model"
    desk("report", "runs/longest", "runs/random", "--out", "report")
    (drawn,) = (tmp_path / "report").rglob("questions-mine-headline.csv")
    assert "class of 20" in drawn.read_text("utf-8") or "an oracle" in drawn.read_text("utf-8")
    for flags in (["--limit", "2"], ["--partial"]):  # a part stands beside none
        out = f"part{flags[0]}"
        desk("run", "mine.csv", "-m", "first", *flags, "--out", out, "--quiet")
        assert "class of 20" not in desk("show", out)
    assert "not comparable with published results: the run is not finished" not in desk("show", out)


def test_help_names_the_commands_of_benchmarks_and_opens_none(desk):
    told = desk("--help")
    assert "attention" in told
    assert "stimuli" in told
    assert "bias" in desk("stats", "--help")
    assert "template" in desk("data", "--help")
