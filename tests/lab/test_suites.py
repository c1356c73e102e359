"""Suites: benchmarks by models by conditions, as one piece of work."""

import csv
import html
import itertools
import json
import multiprocessing
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import time
from html.parser import HTMLParser

import pytest
from aiohttp import web

import questions_help
import suites_counts as counts
import warm
from conftest import REPOSITORY
from page_tree import marks_stand_at_their_figures, read
from servers import ChatServer
from suites_help import HERE, in_a_process, logs, suite
from zhiyin.cli import main
from zhiyin.plugins.lab.suite.file import named_suites, read_suite
from zhiyin.plugins.lab.suite.folder import read_state
from zhiyin.plugins.lab.suite.results import write_page
from zhiyin.words import say
from zhiyin.words.reasons import reason


@pytest.fixture(autouse=True)
def counted():
    counts.under_way = counts.most = counts.opened = 0


def write(folder, text, name="small.toml"):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def logged(folder):
    return sum(path.stat().st_size for path in folder.glob("runs/*/records.jsonl"))


@pytest.fixture(scope="session")
def started():
    """Starts a suite in a process of its own, forked from one that has imported what it needs."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["zhiyin.plugins.lab.suite_command", "zhiyin.plugins.lab.suite.results", "scipy"]
    )

    def start(file, out, *more, wait="0.002"):
        words = ["suite", str(file), "--out", str(out), "--quiet", *more]
        process = context.Process(target=in_a_process, args=(words, wait))
        process.start()
        return process

    return start


def killed_and_whole(started, tmp_path, items, seed, *more, kills=5):
    """Kill a suite so many times, let it end, and hold it against one that nobody disturbed."""
    file = write(tmp_path, suite(items=items))
    whole = started(file, tmp_path / "whole", *more)
    whole.join()
    assert whole.exitcode == 0
    size, draw, inside = logged(tmp_path / "whole"), random.Random(seed), 0
    out = tmp_path / "killed"
    for mark in sorted(draw.uniform(0.05, 0.95) for _ in range(kills)):
        process = started(file, out, "--no-report", wait="0.01")
        while process.is_alive() and logged(out) < mark * size:
            time.sleep(0.001)
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        inside += process.exitcode == -signal.SIGKILL and logged(out) < size
    last = started(file, out, *more)
    last.join()
    assert last.exitcode == 0
    assert inside >= kills - 1
    assert logs(out) == logs(tmp_path / "whole")
    assert len(logs(out)) == 18
    for name in ("card.json", *([] if more else ["leaderboard/leaderboard.json"])):
        assert json.loads((out / name).read_text()) == json.loads(
            (tmp_path / "whole" / name).read_text()
        )
    state = json.loads((out / "suite.json").read_text())
    assert {run["state"] for run in state["runs"]} == {"done"}
    assert state["ended"]
    return out


def test_a_suite_that_is_killed_ends_as_an_undisturbed_one(started, tmp_path):
    out = killed_and_whole(started, tmp_path, 24, 4, "--no-report", kills=2)
    page = HTMLText((out / "index.html").read_text()).text
    # Which model for which skill, and the method.
    assert "Right by skill" in page
    assert "good is best at" in page
    assert json.loads((out / "suite.json").read_text())["files"][-1]["sha256"] in page
    assert 'name = "small"' in page


@pytest.mark.slow
def test_report_and_leaderboard_of_all_runs_open(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = suite(models=["Good", "Poor"], benchmarks=["Ears"], conditions=["plain"], items=6)
    out = tmp_path / "s"
    assert main(["suite", str(write(tmp_path, text)), "--out", str(out), "--quiet",
                 "--no-figures"]) == 0  # fmt: skip
    shown = capsys.readouterr().out
    lines = shown[shown.index("Right by skill, %") :].partition("suite small")[0].splitlines()
    cards = json.loads((out / "card.json").read_text())[0]["cards"]
    assert {card["model"] for card in cards} == {"good", "poor"}
    for name in ("good", "poor"):  # of three items: said of each figure
        own = [line for line in lines if f" {name} " in line]
        assert len(own) == 2
        shown_of = r"o.* \d+\.\d \(\d+\.\d–\d+\.\d\) \[a\]$"
        assert all(re.search(shown_of, line) for line in own)
    assert "[a] 3 items" in " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= 80
    (tasks, skills) = read(out / "index.html").all("table", "dots")
    assert marks_stand_at_their_figures(tasks) == 2
    assert marks_stand_at_their_figures(skills) == 4
    for link in re.findall(r'href="([^"#][^"]*)"', (out / "index.html").read_text()):
        assert (out / link).exists(), link
    page = HTMLText((out / "index.html").read_text()).text
    assert re.search(r"2 of 2 runs done, (\d+) of \1 trials", page)
    assert "Hollow" not in page  # which means one answer to everything
    order = ("By benchmark, %", "Right by skill", "As a table, for a paper", "Report card:")
    assert sorted(order, key=page.index) == list(order)
    assert "best at" not in page  # of six items
    assert "Too few items to say (fewer than 10)." in page
    assert "ears" in (out / "leaderboard" / "index.html").read_text()
    assert "good" in (out / "report" / "data" / "report.js").read_text()


def test_commands_of_a_page_can_be_copied_into_a_shell(tmp_path):
    """A model may be a command itself, with blanks and dollars in it."""
    text = suite(models=["Good"], benchmarks=["Ears"], conditions=["plain"], items=6)
    out = tmp_path / "s"
    order = ["suite", str(write(tmp_path, text)), "--out", str(out), "--quiet", "--no-report",
             "--no-figures"]  # fmt: skip
    assert main(order) == 0
    state = read_state(out)
    state.runs[0].spec = 'subprocess:python my.py --name "a $b"'
    write_page(out, state, [], {}, [])
    page = html.unescape((out / "index.html").read_text())
    command = re.search("<code>(zhiyin run .*?)</code>", page)[1]
    assert shlex.split(command)[3:5] == ["-m", 'subprocess:python my.py --name "a $b"']


@pytest.mark.trust
@pytest.mark.parametrize("seed", range(8))
def test_so_do_larger_ones(started, tmp_path, seed):
    killed_and_whole(started, tmp_path, 90, seed)


class HTMLText(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.text = ""
        self.open = []
        self.feed(page)
        assert not self.open, "elements that are not closed"

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def run(file, out, *more):
    return main(["suite", str(file), "--out", str(out), "--no-report", *more])


def states(out):
    return {
        run["name"]: run["state"] for run in json.loads((out / "suite.json").read_text())["runs"]
    }


@pytest.mark.slow
def test_what_is_finished_is_not_asked_again(tmp_path, capsys):
    file = write(tmp_path, suite(models=["Good"], conditions=["plain"]))
    assert run(file, tmp_path / "s") == 0
    before, opened = logs(tmp_path / "s"), counts.opened
    stamps = {p: p.stat().st_mtime_ns for p in (tmp_path / "s").glob("runs/*/run.json")}
    capsys.readouterr()
    assert run(file, tmp_path / "s") == 0
    assert "3 runs are done already" in capsys.readouterr().err
    assert logs(tmp_path / "s") == before
    assert {p: p.stat().st_mtime_ns for p in stamps} == stamps
    assert counts.opened == opened


@pytest.mark.slow
def test_runs_of_a_model_share_its_slots_and_it_is_opened_once(tmp_path, monkeypatch):
    monkeypatch.setenv("SUITE_WAIT", "0.03")
    text = suite(models=["Good"]).replace('name = "good"', 'name = "good"\nslots = 3\nruns = 6')
    # Waiting for a slot is no waiting for a reply: all of it takes longer than the limit of a call.
    file = write(tmp_path, f"{text}\n[defaults]\ntimeout = 1\nretries = 0\n")
    assert run(file, tmp_path / "s", "--quiet") == 0
    assert counts.most == 3
    assert counts.opened == 1
    assert set(states(tmp_path / "s").values()) == {"done"}


@pytest.mark.slow
def test_requests_a_minute_are_of_all_runs_of_a_model(tmp_path):
    text = suite(models=["Good"], conditions=["plain"], items=6)
    file = write(tmp_path, text.replace('name = "good"', 'name = "good"\nrpm = 3000\nruns = 3'))
    begun = time.monotonic()
    assert run(file, tmp_path / "s", "--quiet") == 0
    assert time.monotonic() - begun >= 17 * 60 / 3000  # 18 calls


@pytest.mark.slow
def test_a_run_that_fails_stops_no_other_and_is_listed(tmp_path, capsys):
    file = write(tmp_path, suite(models=["Good", "Broken"], conditions=["plain"]))
    assert run(file, tmp_path / "s") == 1
    told = states(tmp_path / "s")
    assert [told[f"{b}--plain--good"] for b in ("ears", "books", "talks")] == ["done"] * 3
    assert [told[f"{b}--plain--broken"] for b in ("ears", "books", "talks")] == ["failed"] * 3
    shown = capsys.readouterr()
    each = "ears--plain--broken, books--plain--broken and talks--plain--broken"
    assert f"failed: {each}: nobody answers at this address" in " ".join(shown.out.split())
    assert "\x1b" not in shown.err  # plain lines without a terminal
    assert "3/6" in shown.err


def test_data_that_are_missing_stop_a_suite_before_anything_is_asked(tmp_path, capsys):
    file = write(tmp_path, suite(benchmarks=["Ears", "Needy"], models=["Good"]))
    assert run(file, tmp_path / "s") == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert f"{file}:13: benchmarks[2]" in error
    assert "needy needs --data, a folder with needy.csv" in error
    assert not (tmp_path / "s" / "runs").exists()


@pytest.mark.slow
def test_optional_data_that_are_missing_are_listed_with_what_to_get(tmp_path, capsys):
    text = suite(benchmarks=["Ears", "Needy"], models=["Good", "Poor"])
    file = write(tmp_path, text.replace('name = "needy"', 'name = "needy"\noptional = true'))
    assert run(file, tmp_path / "s") == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "needy needs --data, a folder with needy.csv (from https://x.org)" in shown
    (cards,) = [c for c in json.loads((tmp_path / "s" / "card.json").read_text())
                if c["condition"] == "plain"]  # fmt: skip
    line = next(line for line in cards["cards"][0]["lines"] if line["skill"] == "mood")
    assert line["missing"] == ["needy"]
    assert run(file, tmp_path / "s", "--data", f"needy={tmp_path}") == 0
    assert set(states(tmp_path / "s").values()) == {"done"}


@pytest.mark.slow
def test_the_plan_says_what_will_be_asked_and_writes_nothing(tmp_path, capsys):
    file = write(tmp_path, suite())
    assert run(file, tmp_path / "s", "--dry-run", "--json") == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["total"] == {
        "runs": 18, "done": 0, "trials": 432, "asked": 432, "calls": 432, "clips": 0,
        "usd": None, "usd_at_most": None, "seconds": None,
    }  # fmt: skip
    assert not (tmp_path / "s").exists()
    assert run(file, tmp_path / "s", "--dry-run") == 0
    shown = capsys.readouterr().out
    assert "18 runs; 432 trials to ask in 432 calls, 0 clips" in shown
    assert "not known" in shown


@pytest.mark.slow
def test_a_plan_in_a_log_says_how_far_it_is(tmp_path, capsys, monkeypatch):
    """Where standard error is no terminal: a line every ten seconds, here always."""
    monkeypatch.setattr("zhiyin.cli.pages._TOLD_EVERY_S", 0)
    words = ["suite", str(write(tmp_path, suite())), "--out", str(tmp_path / "s"), "--dry-run"]
    assert main(words) == 0
    told = capsys.readouterr().err.splitlines()
    assert told == [f"planning: {n} of 18 runs looked at" for n in range(18)]
    assert main([*words, "--json"]) == 0
    assert not capsys.readouterr().err


@pytest.mark.slow
def test_a_plan_fits_eighty_columns(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    file = write(tmp_path, suite(models=["Good"]))
    assert run(file, tmp_path / "s", "--dry-run") == 0
    shown = capsys.readouterr().out
    assert max(len(line) for line in shown.splitlines() if str(tmp_path) not in line) <= 80
    assert run(file, tmp_path / "s") == 0
    shown = capsys.readouterr().out
    assert max(len(line) for line in shown.splitlines() if str(tmp_path) not in line) <= 80
    assert run(file, tmp_path / "t", "--dry-run", "--baseline", str(tmp_path / "s")) == 0
    shown = capsys.readouterr().out
    assert "points" in shown
    assert max(len(line) for line in shown.splitlines() if str(tmp_path) not in line) <= 80
    # How long it takes is known when something was asked.
    assert run(file, tmp_path / "s", "--dry-run", "--json") == 0
    assert json.loads(capsys.readouterr().out)["total"]["done"] == 6


def small(tmp_path, **more):
    return suite(**{"models": ["Good"], "benchmarks": ["Ears"], "conditions": ["plain"]} | more)


@pytest.mark.slow
def test_a_changed_file_says_the_difference_and_what_it_means(tmp_path, capsys):
    file = write(tmp_path, small(tmp_path))
    out = tmp_path / "s"
    assert run(file, out) == 0
    whole = logs(out)
    # A comment is no change of any run.
    file.write_text(small(tmp_path) + "# a comment\n")
    assert run(file, out) == 0
    assert "no run is another one by that" in capsys.readouterr().err
    # Another benchmark, and one less.
    file.write_text(small(tmp_path, benchmarks=["Books"]))
    assert run(file, out) == 0
    told = capsys.readouterr().err
    assert "added: books--plain--good: all of it will be asked" in told
    assert "gone: ears--plain--good: put aside" in told
    assert set(logs(out)) == {"books--plain--good"}
    # Back again: what was put aside is taken back, nobody is asked.
    file.write_text(small(tmp_path))
    assert run(file, out) == 0
    assert "added: ears--plain--good: its answers are in" in capsys.readouterr().err
    assert logs(out) == whole
    assert len(json.loads((out / "suite.json").read_text())["files"]) == 4


@pytest.mark.slow
def test_other_settings_of_a_run_are_refused_until_it_is_put_aside(tmp_path, capsys):
    file, out = write(tmp_path, small(tmp_path)), tmp_path / "s"
    assert run(file, out) == 0
    before = logs(out)
    file.write_text(small(tmp_path) + "[defaults]\nhint = true\n")
    assert run(file, out) == 2
    told = capsys.readouterr().err
    line, told = told.splitlines()[-1], " ".join(told.split())
    assert "changed: ears--plain--good" in told
    assert "another run: its 24 answers will not count" in told
    assert "options.hint was False, now True; 24 answered trials" in line
    assert logs(out) == before
    assert run(file, out, "--changed") == 0
    assert logs(out) != before
    assert (out / "aside" / "ears--plain--good" / "records.jsonl").is_file()
    file.write_text(small(tmp_path))
    assert run(file, out, "--changed") == 0
    assert logs(out) == before


@pytest.mark.slow
def test_settings_that_make_no_other_run_keep_its_answers(tmp_path, capsys):
    file, out = write(tmp_path, small(tmp_path) + "[defaults]\nlimit = 6\n"), tmp_path / "s"
    assert run(file, out) == 0
    assert len(logs(out)["ears--plain--good"]) == 6
    first = logs(out)["ears--plain--good"]
    file.write_text(small(tmp_path) + "[defaults]\nretries = 2\n")
    assert run(file, out) == 0
    assert "the same run: its answers count" in capsys.readouterr().err
    assert [r for r in logs(out)["ears--plain--good"] if r in first] == first
    assert len(logs(out)["ears--plain--good"]) == 24


@pytest.mark.slow
def test_a_renamed_model_keeps_its_answers(tmp_path, capsys):
    file, out = write(tmp_path, small(tmp_path)), tmp_path / "s"
    assert run(file, out) == 0
    file.write_text(small(tmp_path).replace('"good"', '"best"'))
    before = logs(out)["ears--plain--good"]
    assert run(file, out) == 0
    assert logs(out) == {"ears--plain--best": before}
    assert not (out / "aside").exists()


@pytest.mark.slow
def test_ctrl_c_ends_all_runs_and_the_same_command_goes_on(tmp_path):
    file, out = write(tmp_path, suite(models=["Good", "Fair"], items=60)), tmp_path / "s"
    words = ["suite", str(file), "--out", str(out), "--no-report"]
    process = warm.Started(
        words, env=os.environ | {"SUITE_WAIT": "0.02"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    while logged(out) < 20_000:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    told, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert "the same command goes on from here" in told
    assert "Traceback" not in error
    assert set(states(out).values()) <= {"done", "stopped", "planned"}
    assert "stopped" in states(out).values()
    assert run(file, out, "--quiet") == 0
    assert set(states(out).values()) == {"done"}


def test_two_at_once_are_refused(tmp_path, capsys):
    from zhiyin.plugins.lab.suite.folder import SuiteFolder

    file, out = write(tmp_path, small(tmp_path)), tmp_path / "s"
    with SuiteFolder(out):
        assert run(file, out) == 2
    assert "is being run by another zhiyin" in capsys.readouterr().err


def test_a_folder_of_something_else_is_left_alone(tmp_path, capsys):
    file = write(tmp_path, small(tmp_path))
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "thesis.txt").write_text("mine")
    assert run(file, tmp_path / "s") == 2
    assert "holds thesis.txt and no suite" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("name = \n", 1, "no TOML"),
        ('models = 3\n[[benchmarks]]\nbenchmark = "x"\n', 1, "models: expected array, got int"),
        ('[[benchmarks]]\nbenchmrk = "x"\n', 2, "unknown: did you mean benchmark"),
        ("[[benchmarks]]\nname = 'x'\n", 1, "benchmarks[1]: benchmark is missing"),
        ("[defaults]\nseed = 1\n", 1, "benchmarks is missing"),
        ('[[benchmarks]]\nbenchmark = "a"\n\n[[models]]\nmodel = "first"\nslots = 0\n', 6,
         "models[1].slots: expected int >= 1"),
        ('[[benchmarks]]\nbenchmark = "a"\n[[benchmarks]]\nbenchmark = "a"\n', 3,
         "'a' stands there twice"),
        ('[[benchmarks]]\nbenchmark = "a"\n[[conditions]]\nname = "c"\nbenchmarks = ["b"]\n', 5,
         "'b' is none of this file"),
        ('[[benchmarks]]\nbenchmark = "a"\n[defaults]\nout = "x"\n', 4,
         "defaults.out: is no flag for a suite's runs"),
        ('[[benchmarks]]\nbenchmark = "a"\n[[overrides]]\nmodel = "gpt"\nskip = true\n', 4,
         "'gpt' is none of this file"),
    ],
)  # fmt: skip
def test_a_fault_in_the_file_is_told_with_line_and_key(tmp_path, capsys, text, line, told):
    file = write(tmp_path, text)
    assert main(["suite", str(file), "-m", "first"]) == 2
    error = capsys.readouterr().err.strip()
    assert "\n" not in error
    assert error.startswith(f"zhiyin: {file}:{line}: "), error
    assert told in error


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ("itemz = 3", ":13: benchmarks[1].flags.itemz: unknown flag --itemz: did you mean --items"),
        (
            "temperature = 9",
            ":13: benchmarks[1].flags.temperature: --temperature 9: give a number from 0 to 2",
        ),
        ("items = 'many'", ":13: benchmarks[1].flags.items"),
        ("items = [1, 2]", ":13: benchmarks[1].flags.items"),
    ],
)
def test_a_fault_in_a_flag_is_told_with_line_and_key(tmp_path, capsys, flags, told):
    text = small(tmp_path).replace("{ items = 24 }", f"{{ {flags} }}")
    file = write(tmp_path, text.replace("[[bench", "\n\n[[bench"))
    assert main(["suite", str(file), "--out", str(tmp_path / "s")]) == 2
    error = capsys.readouterr().err.strip()
    assert f"{file}{told}" in error


def test_overrides_change_or_skip_some_runs(tmp_path, capsys):
    more = (
        '[[overrides]]\nmodel = "poor"\nskip = true\n'
        '[[overrides]]\nbenchmark = "ears"\ncondition = "plain"\nflags = { items = 6 }\n'
    )
    file = write(tmp_path, suite(models=["Good", "Poor"], benchmarks=["Ears", "Books"], more=more))
    assert main(["suite", str(file), "--dry-run", "--json", "--out", str(tmp_path / "s")]) == 0
    rows = {run["name"]: run for run in json.loads(capsys.readouterr().out)["runs"]}
    assert {name.rpartition("--")[2] for name in rows} == {"good"}
    planned = {name: row["estimate"]["planned"] for name, row in rows.items()}
    assert planned["ears--plain--good"] == 6
    assert planned["ears--hinted--good"] == 24


@pytest.mark.slow
def test_every_run_is_the_one_that_run_makes(tmp_path):
    """The same command by hand goes on in a suite's folder."""
    file, out = write(tmp_path, small(tmp_path)), tmp_path / "s"
    assert run(file, out, "--quiet") == 0
    words = ["run", f"{HERE}:Ears", "-m", f"python:{HERE}:Good", "--items", "24", "--quiet"]
    assert main([*words, "--out", str(out / "runs" / "ears--plain--good")]) == 0


@pytest.mark.slow
def test_models_that_fill_the_memory_go_one_after_another(tmp_path, monkeypatch):
    monkeypatch.setattr("zhiyin.plugins.lab.suite.running.is_heavy", lambda spec: True)
    counts.order.clear()
    file = write(tmp_path, suite(benchmarks=["Ears", "Books"], conditions=["plain"], items=8))
    assert run(file, tmp_path / "s", "--quiet") == 0
    turns = [name for name, _ in itertools.groupby(counts.order)]
    # Each is asked, and closed, before the next one is.
    assert turns == [each for name in ("good", "fair", "poor") for each in (name, f"{name} closed")]
    assert counts.opened == 3


def test_a_model_that_cannot_be_opened_is_told_with_its_line(tmp_path, capsys):
    file = write(tmp_path, small(tmp_path).replace(f'"python:{HERE}:Good"', '"nobody"'))
    assert run(file, tmp_path / "s") == 2
    assert f"{file}:4: models[1]: ears--plain--good cannot begin" in capsys.readouterr().err
    # A benchmark may be left out; a model that is meant may not.
    optional = file.read_text().replace('name = "ears"', 'name = "ears"\noptional = true')
    file.write_text(optional)
    assert run(file, tmp_path / "s") == 2


def test_no_model_is_told(tmp_path, capsys):
    assert main(["suite", "music-core"]) == 2
    assert "it names no model: add [[models]], or give them with -m" in capsys.readouterr().err
    for words in (["suite"], ["suite", "musik-core"], ["suite", "--file"]):
        assert main(words) == 2
        told = capsys.readouterr().err
        assert all(name in told for name in named_suites())
        assert len(told.splitlines()) == 1


def test_a_suite_for_a_model_that_does_not_hear_plays_and_shows_nothing(tmp_path, capsys):
    words = ["suite", "music-text", "--sample", "4", "--out", str(tmp_path / "s")]
    with ChatServer(deaf_server) as server:
        assert main([*words, "-m", server.spec, "--no-report", "--json"]) == 0
        runs = json.loads(capsys.readouterr().out)["state"]["runs"]
        contents = [message["content"] for call in server.seen for message in call.body["messages"]]
        parts = [part for one in contents if isinstance(one, list) for part in one]
    assert {run["benchmark"] for run in runs if run["state"] == "done"} >= {
        "exercises", "perception", "bodies-read"
    }  # fmt: skip
    assert {run["state"] for run in runs} <= {"done", "missing"}
    assert contents
    assert {part["type"] for part in parts} <= {"text"}


def test_the_file_of_a_named_suite_can_be_copied(capsys):
    assert main(["suite", "music-core", "--file"]) == 0
    assert "[[benchmarks]]" in capsys.readouterr().out


def test_the_files_of_the_page_can_be_read_and_override_what_they_say(tmp_path, monkeypatch):
    page = (REPOSITORY / "docs" / "suites.md").read_text("utf-8")
    first, more = re.findall(r"^```toml\n(.*?)^```", page, re.M | re.S)
    file = write(tmp_path, first + more)
    cells = {cell.name: cell for cell in read_suite(str(file)).cells}
    assert len(cells) == 5
    assert cells["ziqi--one-shot--mine"].flags["max-tokens"] == 200
    assert "max-tokens" not in cells["ziqi--zero-shot--mine"].flags
    assert "perception--zero-shot--random" not in cells


def deaf_suite(address, more=""):
    """Pictures and words, asked of one model."""
    return f"""
name = "seen"
[[models]]
model = "{address}"
name = "blind"
[[benchmarks]]
benchmark = "scores"
flags = {{ source = "generated", n = 4 }}
[[benchmarks]]
benchmark = "{HERE}:Ears"
name = "ears"
flags = {{ items = 6 }}
{more}
"""


@pytest.mark.slow
def test_what_a_model_cannot_take_does_not_apply_and_is_no_failure(tmp_path, capsys):
    """A server that says so when it is asked; and a model that declares it beforehand."""

    def refuse(call):
        if "image_url" in json.dumps(call.body):
            body = {"error": {"message": "this model does not support image input"}}
            return web.json_response(body, status=400)
        return "Answer: A"

    (tmp_path / "words.py").write_text(
        "from zhiyin.models.capabilities import Capabilities\n"
        "from zhiyin.record import Reply\n"
        "class Words:\n"
        "    name, concurrency = 'words', 1\n"
        "    capabilities = Capabilities(sound=False, image=False)\n"
        "    async def generate(self, messages, sampling, trial):\n"
        "        return Reply('Answer: A')\n"
        "    async def close(self):\n"
        "        pass\n"
    )
    with ChatServer(refuse) as server:
        for number, address in enumerate((server.spec, f"python:{tmp_path}/words.py:Words")):
            file, out = write(tmp_path, deaf_suite(address)), tmp_path / f"out{number}"
            words = ["suite", str(file), "--out", str(out), "--no-report"]
            assert main(words) == 0
            printed = capsys.readouterr()
            assert "does not apply: scores--blind" in printed.out
            assert "failed" not in printed.out
            states = {run.name: run.state for run in read_state(out).runs}
            assert states == {"scores--blind": "unfit", "ears--blind": "done"}
            assert "does not apply" in HTMLText((out / "index.html").read_text()).text
            assert main(words) == 0


def test_questions_without_options_apply_to_no_baseline(tmp_path, capsys):
    text = """
name = "blind"
[[models]]
model = "first"
[[benchmarks]]
benchmark = "appraisal"
flags = { source = "generated", n = 1 }
"""
    words = ["suite", str(write(tmp_path, text)), "--out", str(tmp_path / "out"), "--no-report"]
    assert main(words) == 0
    assert main(["show", str(tmp_path / "out" / "runs" / "appraisal--first")]) == 0
    assert "1 of 4 trials do not apply and are left out" in capsys.readouterr().out
    assert main([*words, "--dry-run"]) == 0
    assert "1 done already" in capsys.readouterr().out


@pytest.mark.slow
def test_a_second_time_with_nothing_new_writes_nothing(tmp_path, capsys):
    text = suite(models=["Good"], benchmarks=["Ears"], conditions=["plain"], items=6)
    out = tmp_path / "s"
    words = ["suite", str(write(tmp_path, text)), "--out", str(out), "--no-figures", "--quiet"]
    assert main(words) == 0
    printed = capsys.readouterr().out
    places = [out / "report" / "index.html", out / "index.html", out / "card.json"]
    before = [place.stat().st_mtime_ns for place in places]
    assert main(words) == 0
    assert capsys.readouterr().out == printed
    assert [place.stat().st_mtime_ns for place in places] == before
    # Anything new, or a page that is gone, has all of it written.
    shutil.rmtree(out / "report")
    assert main(words) == 0
    assert places[0].is_file()
    log = out / "runs" / "ears--plain--good" / "records.jsonl"
    os.utime(log)
    assert main(words) == 0
    assert places[1].stat().st_mtime_ns > before[1]


def test_published_rows_of_a_suite_name_its_benchmarks(tmp_path, capsys):
    more = '[[published]]\nname = "X"\nsource = "a paper"\nfigures = { eyes = 50.0 }'
    assert main(["suite", str(write(tmp_path, suite(more=more))), "--dry-run"]) == 2
    assert "published[1].figures.eyes" in capsys.readouterr().err


@pytest.mark.slow
def test_omni_music_asks_what_its_labels_and_recordings_allow(tmp_path, capsys):
    """Two sets of labels made here, with recordings; the rest is left out, and named."""
    recordings = tmp_path / "data" / "cmi"
    for task, labels in (("GTZAN", ("blues", "jazz")), ("MTT", ("guitar,slow", "flute,fast"))):
        lines = []
        for number in range(8):
            questions_help.tone(recordings / f"{task}{number}.wav")
            lines.append(
                {
                    "instruction": "Choose.", "input": "", "output": labels[number % 2],
                    "split": ["test"], "audio_path": [f"{task}{number}.wav"],
                    "audio_start": 0, "audio_end": -1, "uuid": "", "source": "", "other": {},
                    "task_type": {"major": [""], "minor": [""]}, "domain": "music",
                }
            )  # fmt: skip
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (recordings / f"CMI_{task}.jsonl").write_text(text)
    (tmp_path / "one.py").write_text(
        "def answer(messages):\n    return 'blues, guitar and something slow'\n"
    )
    words = ["suite", "omni-music", "-m", f"python:{tmp_path}/one.py:answer", "--no-report"]
    words += ["--data", f"cmi={recordings}", "--out", str(tmp_path / "out"), "--quiet"]
    assert main(words) == 0
    out = capsys.readouterr().out
    states = {run.benchmark: run.state for run in read_state(tmp_path / "out").runs}
    done = {name for name, state in states.items() if state == "done"}
    assert done == {"gtzan", "magnatagatune"}
    table = (tmp_path / "out" / "table.csv").read_text().splitlines()
    head, ours, *published = [*csv.reader(table)]
    line = dict(zip(head, ours, strict=True))
    assert float(line["gtzan"]) == 0.5
    # Two tags are named of each of 8 clips, and are right for 4 of them.
    assert float(line["magnatagatune, micro F1"]) == pytest.approx(2 * 8 / (16 + 16))
    rows = {row[0]: dict(zip(head, row, strict=True)) for row in published}
    flash = rows["Qwen3-Omni-Flash-Instruct (published)"]
    assert (flash["gtzan"], flash["magnatagatune, micro F1"]) == ("0.931", "0.468")
    assert "QwenLM/Qwen3-Omni" in out
    assert "no paired test" not in out


def deaf_server(call):
    """A text model behind a server that refuses sound and pictures, as real ones do."""
    if any(part["type"] != "text" for message in call.body["messages"]
           if isinstance(message["content"], list) for part in message["content"]):  # fmt: skip
        error = {"error": {"message": "This model does not support audio or image input"}}
        return web.json_response(error, status=400)
    return "Answer: A"


TEXT_MODEL = """
[[benchmarks]]
benchmark = "perception"
flags = { source = "generated", n = 2, modality = "audio,midi", strategy = "standalone" }

[[benchmarks]]
benchmark = "bodies"
name = "bodies-heard"
flags = { body = "sound", n = 2 }

[[benchmarks]]
benchmark = "pairs"
flags = { n = 2 }
"""


@pytest.mark.trust
def test_what_a_text_model_cannot_take_does_not_apply_and_is_asked_once(tmp_path, capsys):
    (tmp_path / "text.toml").write_text(TEXT_MODEL)
    with ChatServer(deaf_server) as server:
        words = ["suite", str(tmp_path / "text.toml"), "-m", server.spec, "--out",
                 str(tmp_path / "s"), "--no-report", "--json"]  # fmt: skip
        assert main(words) == 0
        runs = {
            run["benchmark"]: run for run in json.loads(capsys.readouterr().out)["state"]["runs"]
        }
        assert runs["perception"]["state"] == "done"
        assert {runs[name]["state"] for name in ("bodies-heard", "pairs")} == {"unfit"}
        assert "sound" in runs["pairs"]["told"]
        logged = logs(tmp_path / "s")
        (heard,) = [records for name, records in logged.items() if "perception" in name]
        assert heard
        assert {record["verdict"]["state"] for record in heard} <= {"correct", "wrong"}
        assert server.calls <= len(heard) + 2 * 3  # two runs at once, each with a canary
        asked = server.calls
        assert main(words) == 0
        assert server.calls == asked
    folder = next((tmp_path / "s" / "runs").glob("perception--*"))
    assert main(["show", str(folder)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "trials do not apply and are left out" in told


def test_a_baseline_is_asked_only_what_has_options(tmp_path, capsys):
    questions = [
        {"id": f"q{n}", "question": f"Which, {n}?", **more}
        for n in range(12)
        for more in [
            {"options": ["one", "two"], "answer": "A"}
            if n % 3
            else {"answer": "one", "scorer": "normalised"}
        ]
    ]
    (tmp_path / "mixed.jsonl").write_text("".join(json.dumps(one) + "\n" for one in questions))
    run = ["run", str(tmp_path / "mixed.jsonl"), "-m", "random", "--out", str(tmp_path / "run")]
    assert main([*run, "--quiet", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["trials"], told["planned"], told["complete"]) == (8, 8, True)
    assert any("4 of 12 trials do not apply" in str(remark) for remark in told["remarks"])
    (tmp_path / "free.jsonl").write_text(json.dumps(questions[0]) + "\n")
    free = ["run", str(tmp_path / "free.jsonl"), "-m", "first", "--out", str(tmp_path / "free")]
    assert main([*free, "--quiet"]) == 2
    assert "picks among options" in capsys.readouterr().err


def test_what_was_typed_stands_in_the_suite_as_it_was_typed(tmp_path):
    file = write(tmp_path, suite(models=["Good"], benchmarks=["Ears"], conditions=["plain"]))
    flags = {"ears data": "my data/ears", "sample": 4}
    given = read_suite(str(file), ["random"], flags).given
    assert given == ["-m random", "--data 'ears=my data/ears'", "--sample 4"]


@pytest.mark.slow
def test_a_skill_of_what_was_read_is_not_called_hearing(tmp_path, capsys):
    """Figures by skill and the order of the models are of the same items, and say how many."""
    file = write(
        tmp_path, suite(models=["Good", "Poor"], benchmarks=["Ears"], conditions=["plain"])
    )
    words = ["suite", str(file), "--out", str(tmp_path / "s"), "--no-report", "--quiet"]
    assert main(words) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "hearing pitch" not in told.partition("No questions")[0]
    cards = json.loads((tmp_path / "s" / "card.json").read_text())
    (pitch,) = [one for one in cards[0]["orders"] if one["skill"] == "pitch"]
    assert pitch["sense"] == "read"
    assert f"pitch, in writing {pitch['items']}" in told


@pytest.mark.parametrize("spec", ["localhost:8137/v1#m", "10.0.0.5:8000", "gpu.lab.org:80/v1#m"])
def test_an_address_without_http_is_known_for_one(spec, tmp_path, capsys):
    file = write(tmp_path, suite(benchmarks=["Ears"]))
    words = ["suite", str(file), "-m", spec, "--out", str(tmp_path / "s"), "--quiet"]
    assert main(words) == 2
    assert f"write http://{spec}" in capsys.readouterr().err


@pytest.mark.slow
def test_a_file_of_answers_that_benchmarks_share_leaves_no_answer_over(tmp_path):
    """Alone a run says which answers were not asked for; in a suite another benchmark asks them."""
    answers = tmp_path / "answers.jsonl"
    lines = [{"id": f"{name}/{n}", "text": "A"} for name in ("ears", "books") for n in range(4)]
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    text = suite(models=[], benchmarks=["Ears", "Books"], conditions=["plain"], items=4)
    model = f'[[models]]\nmodel = "replay:{answers}"\nname = "kept"\n'
    (tmp_path / "s.toml").write_text(text + model)
    out = tmp_path / "s"
    command = ["suite", str(tmp_path / "s.toml"), "--out", str(out), "--no-report", "--quiet"]
    assert main(command) == 0
    told = [json.loads(path.read_text())["remarks"] for path in out.glob("runs/*/run.json")]
    assert len(told) == 2
    assert "NotAskedFor" not in str(told)
    alone = ["run", f"{HERE}:Ears", "-m", f"replay:{answers}", "--out", str(tmp_path / "r")]
    assert main([*alone, "--items", "4", "--quiet"]) == 0
    (remark,) = json.loads((tmp_path / "r" / "run.json").read_text())["remarks"]
    assert (remark["n"], remark["of"]) == (4, 8)


def test_a_plan_after_a_kill_knows_how_fast_the_model_was(tmp_path, capsys):
    """A session that was killed wrote no end: its rate is that of its log."""
    file = write(tmp_path, small(tmp_path, items=40))
    out = tmp_path / "s"
    run(file, out)
    (folder,) = (out / "runs").iterdir()
    manifest = json.loads((folder / "run.json").read_text())
    started = manifest["sessions"][0]["started"]
    manifest["sessions"] = [{"started": started}]
    (folder / "run.json").write_text(json.dumps(manifest))
    lines = (folder / "records.jsonl").read_text().splitlines(keepends=True)
    (folder / "records.jsonl").write_text("".join(lines[:20]))
    capsys.readouterr()
    main(["suite", str(file), "--out", str(out), "--dry-run"])
    assert "as fast as before" in capsys.readouterr().out


def test_a_server_that_is_gone_is_waited_for_by_one_run_alone(tmp_path, capsys):
    """The others are named in one line; where no call could be made each command ends with 2."""

    def answer(call):
        if dying and server.calls >= 30:
            server.stop()
        return "A"

    server, dying = ChatServer(answer, latency_s=0.02), []
    names, out = ("Ears", "Books", "Talks"), tmp_path / "s"
    text = suite(["Good"], names, conditions=["plain"])
    text = text.replace("[[models]]", "defaults = { retries = 1 }\n[[models]]\nruns = 1\nslots = 4")
    with server:
        file = write(tmp_path, text.replace(f"python:{HERE}:Good", server.spec))
        words = ["suite", str(file), "--no-report", "--out"]
        assert main([*words, str(tmp_path / "base"), "--quiet"]) == 0
        dying.append(server.calls)
        server.calls = 0
        assert main([*words, str(out)]) == 1
    told = capsys.readouterr()
    states = {run.name.split("--")[0]: run for run in read_state(out).runs}
    assert [states[name.lower()].refused for name in names] == [False, False, True]
    assert "(2 tries)" in states["books"].told
    assert f"cannot reach {server.url}" in states["talks"].told
    assert say(reason(states["talks"].told), "zh").endswith("：连接被拒绝；服务器在运行吗？")
    assert told.err.count("is the server running?") == told.out.count("is the server") == 1
    last = [line for line in told.err.splitlines() if "is the server running?" in line]
    assert last[0].startswith("3/3 talks--plain--good: ")
    # The same command, a new suite, a gate: no call can be made, and the cause is told once.
    for place, more in ((out, ()), (tmp_path / "n", ()), (tmp_path / "g", (tmp_path / "base",))):
        baseline = [word for folder in more for word in ("--baseline", str(folder))]
        assert main([*words, str(place), *baseline]) == 2
        told = capsys.readouterr()
        assert told.err.count("is the server running?") == 1
        told = " ".join(told.out.split())
        assert told.count("connection refused; is the server running?") == 1
        assert re.search(r"books\S*( plain;)? and talks[^:]*: ", told)
    run = ["run", f"{HERE}:Ears", "-m", server.spec, "--out", tmp_path / "r"]
    assert "is the server running?" in questions_help.refused(capsys, *run)
    assert "is the server running?" in questions_help.refused(capsys, "doctor", server.spec)
