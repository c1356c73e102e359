"""What a suite's page and terminal say first: who is better, what is missing, how far it is."""

import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from suites_help import suite
from zhiyin.cli import main
from zhiyin.plugins.lab.suite.cards import WrittenCard, card_table
from zhiyin.plugins.lab.suite.folder import read_state
from zhiyin.plugins.lab.suite.matrix import SuiteFinding, benchmark_pictures, gathered
from zhiyin.plugins.lab.suite.status import status_of
from zhiyin.plugins.methods.skills import SkillLine, SkillPart, SkillPeople
from zhiyin.report.paper_table import paper_table
from zhiyin.words import say


def carried_out(folder, *more, status=0, **how):
    """Carry out a suite in a folder; its place."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "small.toml").write_text(suite(**how))
    words = ["suite", str(folder / "small.toml"), "--out", str(folder / "s"), "--quiet"]
    assert main([*words, "--no-report", "--no-figures", *more]) == status
    return folder / "s"


def headline(page):
    text = re.search(r'<h1 class="says">(.*?)</h1>', page.read_text(), re.DOTALL)[1]
    return " ".join(html.unescape(re.sub("<[^>]*>", "", text)).split())


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """Three benchmarks by three models under one condition."""
    return carried_out(tmp_path_factory.mktemp("three"), "--lang", "en,zh", conditions=["plain"])


def test_the_headline_says_who_won_benchmarks_by_the_tests_of_the_table(three, capsys):
    state = read_state(three)
    pictures, findings = benchmark_pictures(three, state)
    told = " ".join(str(one.sentence()) for one in findings)
    assert "good is better than every other model on ears, books and talks" in told or (
        "good is better than every other model on" in told
        and "no model is shown to be better than every other on" in told.lower()
    )
    # By the letters of the table: whoever shares none with another is the winner.
    runs = [three / "runs" / run.name for run in state.runs]
    names = {three / "runs" / run.name: run.benchmark for run in state.runs}
    table = paper_table(runs, across="benchmarks", names=names)
    won = {name for one in findings if one.who == "good" for name in map(str, one.names)}
    level = {name for one in findings if one.side == "level" for name in map(str, one.names)}
    bold = {}
    for picture in pictures:
        for row in picture.rows:
            clear = {str(name) for (_, name), dot in zip(picture.names, row.dots, strict=True)
                     if dot and dot.clear}  # fmt: skip
            bold[str(row.name)] = clear
    assert bold.keys() == {"ears", "books", "talks"}
    assert table.rows
    every = won == {"all three benchmarks"}
    assert {name for name, clear in bold.items() if clear == {"good"}} == (
        {*bold} if every else won
    )
    assert {name for name, clear in bold.items() if clear != {"good"}} == level
    said = headline(three / "index.html")
    assert said.startswith(told)
    assert re.search(r"best at [^.]* and [^.]*\.", said)
    assert main(["suite", str(three.parent / "small.toml"), "--out", str(three), "--quiet",
                 "--no-report", "--no-figures", "--lang", "en,zh"]) == 0  # fmt: skip
    assert " ".join(capsys.readouterr().out.split()).startswith(said)


def test_the_headline_is_chinese_on_a_chinese_page(three):
    said = headline(three / "index.zh.html")
    assert "基准" in said
    assert "good" in said
    assert "和" in said
    assert not re.search("is best|better than|shown to be", said)


def test_under_several_conditions_the_condition_is_named(tmp_path):
    out = carried_out(tmp_path, models=["Good", "Poor"], benchmarks=["Ears"])
    said = headline(out / "index.html")
    for condition, name in (("plain", "ears"), ("hinted", "ears: hint")):
        assert f"With {condition}, good is better than every other model on {name}." in said
    # What was asked under each condition is in the picture, too.
    (picture,), _ = benchmark_pictures(out, read_state(out))
    assert [sum(dot is not None for dot in row.dots) for row in picture.rows] == [2, 2]


def test_a_lone_model_is_held_against_guessing(tmp_path):
    for name, side in (("Good", "is better than guessing"), ("Poor", "is not shown to be better")):
        out = carried_out(tmp_path / name, models=[name], conditions=["plain"])
        said = headline(out / "index.html")
        assert f"{name.lower()} {side}" in said
        assert "best at" not in said
        assert "every other" not in said
        page = html.unescape((out / "index.html").read_text())
        assert "Holm’s correction over 3 benchmarks" in page
        state = read_state(out)
        _, findings = benchmark_pictures(out, state)
        assert {one.who for one in findings} == {name.lower()}


def test_all_is_said_of_all_alone():
    def found(*names):
        return [SuiteFinding("skills", "", "a", [name], "a", "best") for name in names]

    (every,) = gathered(found("one", "two"), 2)
    assert str(every.sentence()) == "a is best at both skills."
    (some,) = gathered(found("one", "two"), 3)  # of the third too few items were asked
    assert str(some.sentence()) == "a is best at one and two."
    (single,) = gathered(found("one"), 1)
    assert str(single.sentence()) == "a is best at one."


@pytest.mark.parametrize("same", [[True, True], [False, True], [False, False]])
def test_a_card_says_once_what_people_were_asked(same):
    people = [SkillPeople(f"group {n}", 0.8, "accuracy", one) for n, one in enumerate(same)]
    parts = [SkillPart(f"set{n}", 20, None, None, [one]) for n, one in enumerate(people)]
    line = SkillLine("pitch", "hearing pitch", 40, 40, None, None, parts)
    table = card_table(WrittenCard("m", [line], {}))
    told = "\n".join(say(row.cells[-1], "en") for row in table.rows if row.cells[-1])
    notes = [str(note) for note in table.notes]
    assert told.count("*") == same.count(False)
    assert notes == (
        [
            "*: means of the published figures of the groups, weighted by the items here; people "
            "answered the whole of the data"
        ]
        if False in same
        else []
    )


def interrupted(folder, wait="0.05"):
    """A suite that Ctrl-C ends while it asks: its place, its exit status and what it printed."""
    (folder / "small.toml").write_text(suite(models=["Good", "Poor"], conditions=["plain"]))
    out = folder / "s"
    process = subprocess.Popen(
        [sys.executable, "-m", "zhiyin", "suite", str(folder / "small.toml"), "--out", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "SUITE_WAIT": wait, "PYTHONPATH": "tests/lab:tests", "COLUMNS": "200"},
    )  # fmt: skip
    until = time.monotonic() + 60
    while time.monotonic() < until and not any(
        log.stat().st_size for log in out.glob("runs/*/records.jsonl")
    ):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=60)
    return out, process.returncode, printed


@pytest.mark.slow
def test_an_interrupted_suite_says_what_is_missing_and_all_count_alike(tmp_path, capsys):
    out, status, printed = interrupted(tmp_path)
    assert status == 130
    state, told = read_state(out), str(status_of(out).told)
    page = html.unescape(re.sub("<[^>]*>", "", (out / "index.html").read_text()))
    planned = sum(run.trials for run in state.runs)
    assert planned == 6 * 24  # of runs that have not begun, too
    done, answered = map(int, re.match(rf"(\d) of 6 runs done, (\d+) of {planned} ", told).groups())
    assert done < 6
    assert answered < planned
    assert told in page
    missing = re.search(r"Not finished: (.*?)\. Figures", page)[1]
    assert f"Not finished: {missing}" in " ".join(printed.split())
    counted = [*map(int, re.findall(r"\((\d+) of 24 trials\)", missing))]
    assert len(counted) == 6 - done
    assert sum(counted) + 24 * done == answered
    assert not (out / "report").exists()
    # Other commands read what is there.
    assert main(["status", str(out), "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert (status["answered"], status["planned"]) == (answered, planned)
    # The same command goes on, and nothing is unfinished any more.
    assert main(["suite", str(tmp_path / "small.toml"), "--out", str(out), "--quiet",
                 "--no-report", "--no-figures"]) == 0  # fmt: skip
    assert "Not finished" not in capsys.readouterr().out
    page = (out / "index.html").read_text()
    assert "Not finished" not in page
    assert f"6 of 6 runs done, {planned} of {planned}" in page


def test_left_out_runs_are_in_no_count(tmp_path, capsys):
    text = suite(models=["Good"], benchmarks=["Ears", "Needy"], conditions=["plain"])
    text = text.replace('name = "needy"', 'name = "needy"\noptional = true')
    (tmp_path / "small.toml").write_text(text)
    out = tmp_path / "s"
    assert main(["suite", str(tmp_path / "small.toml"), "--out", str(out), "--quiet",
                 "--no-report", "--no-figures"]) == 0  # fmt: skip
    assert "1 of 1 runs done, 1 left out" in " ".join(capsys.readouterr().out.split())
    assert str(status_of(out).told) == "1 of 1 runs done, 24 of 24 trials"
    assert "1 of 1 runs done, 24 of 24 trials" in (out / "index.html").read_text()


@pytest.mark.parametrize("words", [
    ["show", "--groups", "all"], ["compare"], ["verify"], ["leaderboard"], ["stats", "health"],
    ["table"],
])  # fmt: skip
def test_a_suite_is_its_runs_for_every_command_that_reads_runs(three, tmp_path, capsys, words):
    runs = [str(three / "runs" / run.name) for run in read_state(three).runs]
    assert main([*words, *runs]) == 0
    own = "".join(capsys.readouterr().out.split())  # lines end elsewhere where names are longer
    # What was put aside counts nowhere, in a suite or in a folder of suites.
    folder = tmp_path / "suites" / "s"
    shutil.copytree(three, folder)
    shutil.copytree(folder / "runs" / "ears--plain--good", folder / "aside" / "gone")
    for place in (folder, folder.parent):
        assert main([*words, str(place)]) == 0
        shown = "".join(capsys.readouterr().out.split()).replace(str(folder), str(three))
        assert shown == own or words == ["table"]  # which names the benchmarks
        assert "gone" not in shown


def test_a_suite_shown_alone_is_told_as_its_command_tells_it(three, capsys):
    assert main(["show", str(three)]) == 0
    shown = capsys.readouterr().out
    assert "good is better than" in shown
    assert "suite small: 9 of 9 runs done" in shown
    assert f"zhiyin show {three} --groups all" in "".join(shown.splitlines()[-1:])
    assert main(["show", str(three / "runs")]) == 0
    assert f"zhiyin show {three / 'runs'} --groups all" in capsys.readouterr().out


def test_a_run_alone_on_its_benchmark_is_named_and_compared_with_none(three, capsys):
    good = three / "runs" / "books--plain--good"
    pair = [str(three / "runs" / f"ears--plain--{name}") for name in ("good", "poor")]
    assert main(["compare", *pair, str(good)]) == 0
    shown = capsys.readouterr()
    assert f"nothing of the same benchmark to compare with: {good}" in shown.err
    assert main(["compare", pair[0], str(good)]) == 2
    assert "runs of two benchmarks cannot be compared" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("side", "english", "chinese"),
    [
        ("open", "guessing on either of the two benchmarks.", "：2 个基准均如此。"),
        ("better", "guessing on both benchmarks.", "：全部 2 个基准。"),
    ],
)
def test_what_is_said_of_all_denies_each_of_them(side, english, chinese):
    each = [SuiteFinding("benchmarks", "", "m", [name], "m", side) for name in ("a", "b")]
    (one,) = gathered(each, 2)
    assert str(one.sentence()).endswith(english)
    assert say(one.sentence(), "zh").endswith(chinese)
