"""Whatever is written on the command line: one line that helps, no traceback."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import msgspec
import pytest

import warm
from questions_help import jsonl, refused, tone
from zhiyin import cli
from zhiyin.cli import main
from zhiyin.errors import did_you_mean
from zhiyin.plugins.lab.suite.folder import Given, RunState, SuiteState

pytestmark = pytest.mark.slow


@pytest.fixture
def quiz(tmp_path):
    path = tmp_path / "quiz.csv"
    path.write_text("id,question,option_a,option_b,answer\nq1,Which?,this,that,B\n", "utf-8")
    return path


@pytest.fixture
def run(tmp_path, quiz, capsys):
    folder = tmp_path / "runs" / "first"
    assert main(["run", str(quiz), "-m", "first", "--out", str(folder), "--quiet"]) == 0
    return folder


@pytest.mark.parametrize("command", ["verify", "audit", "view"])
def test_a_file_in_the_place_of_a_run_is_called_a_file(command, quiz, tmp_path, capsys) -> None:
    line = refused(capsys, command, quiz)
    assert "quiz.csv is not a run: it is a file; give a folder" in line


@pytest.mark.parametrize("words", [["--n", "x"], ["--n", "0"], ["--n=-3"], ["--n"]])
def test_the_number_of_a_comparison_of_servers_is_called_as_it_was_given(words, capsys) -> None:
    line = refused(capsys, "parity", "random", "first", *words)
    assert line.startswith("zhiyin: --n")
    assert "such as --n 50" in line
    assert "items-drawn" not in line


def test_parity_without_models_says_what_to_write_and_where_more_is_told(capsys) -> None:
    assert "write `zhiyin parity SPEC SPEC" in refused(capsys, "parity")
    line = refused(capsys, "parity", "random", "first", "--nosuch")
    assert "see `zhiyin parity --help`" in line


@pytest.mark.parametrize("command", [["parity"], ["forge", "questions"]])
def test_usage_fits_eighty_columns(command, monkeypatch, capsys) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main([*command, "--help"])
    assert max(len(line) for line in capsys.readouterr().out.splitlines()) <= 80


def test_a_fault_in_an_action_of_a_study_leads_to_the_help_that_has_its_flags(
    tmp_path, capsys
) -> None:
    line = refused(capsys, "study", "ethics", tmp_path)
    assert "--out; see `zhiyin study ethics --help`" in line
    with pytest.raises(SystemExit):
        main(["study", "ethics", "--help"])
    assert "--out" in capsys.readouterr().out


def test_what_to_prune_is_looked_at_before_the_file(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "none"))
    assert "--to abc: write a size" in refused(capsys, "cache", "prune", "--to", "abc")
    assert "prune --to SIZE`, or --unused-for" in refused(capsys, "cache", "prune")


def test_an_unknown_benchmark_is_told_before_its_flags(capsys) -> None:
    assert "unknown benchmark 'nosuch'" in refused(capsys, "data", "make", "nosuch", "--out", "x")


def test_a_path_that_is_not_there_is_called_a_path(tmp_path, capsys, monkeypatch) -> None:
    line = refused(capsys, "run", tmp_path / "nowhere", "-m", "random")
    assert "nowhere: no such file or folder" in line
    line = refused(capsys, "data", "check", tmp_path)
    assert f"{tmp_path}: no questions in it" in line
    (tmp_path / "study").mkdir()
    monkeypatch.chdir(tmp_path)
    assert "study: no questions in it" in refused(capsys, "run", "study", "-m", "random")


def test_a_layout_that_does_not_fit_leaves_the_folder_as_it_was(tmp_path, capsys) -> None:
    tone(tmp_path / "a.wav")
    # fmt: off
    sounds = [{"id": "s", "question": "Which?", "audio": "a.wav", "answer": "A",
               "options": {"A": "this", "B": "that"}},
              {"id": "f", "question": "Why?", "answer": "because", "scorer": "normalised"}]
    # fmt: on
    path, away = jsonl(tmp_path / "own.jsonl", *sounds), tmp_path / "away"
    assert "leave --layout" in refused(capsys, "trials", path, "--out", away, "--layout", "list")
    assert not away.exists()


@pytest.mark.parametrize("judge", ["", ', judge = "lexical"'])
def test_a_plan_says_that_judges_are_not_in_it(judge, tmp_path, capsys) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        'name = "own"\n[[models]]\nmodel = "first"\n[[benchmarks]]\nbenchmark = "appraisal"\n'
        f'flags = {{ source = "generated", n = 1{judge} }}\n', "utf-8",
    )  # fmt: skip
    out = tmp_path / "out"
    assert main(["suite", str(file), "--dry-run", "--sample", "1", "--out", str(out)]) == 0
    assert ("what judges ask is not in this" in capsys.readouterr().out) == bool(judge)


def suite_around(folder, run, state, told=""):
    """A suite with one run of which it says `state`."""
    (folder / "runs").mkdir(parents=True)
    run.rename(folder / "runs" / "own")
    own = RunState("own", "questions", "first", "", "", "first", {}, state=state, told=told)
    found = SuiteState("own", "", [Given("0", [], "", "")], [own])
    (folder / "suite.json").write_bytes(msgspec.json.encode(found))


def test_a_run_that_lacks_its_judge_is_no_done_run_of_its_suite(run, tmp_path, capsys) -> None:
    suite_around(tmp_path / "suites" / "own", run, "stopped", "the budget of the judge is spent")
    capsys.readouterr()
    assert main(["status", str(tmp_path / "suites" / "own")]) == 0
    out = capsys.readouterr().out
    assert "0 of 1 runs done, 1 of 1 trials" in " ".join(out.split())
    assert "own: the budget of the judge is spent" in out


def test_a_folder_of_suites_shows_each(run, tmp_path, capsys) -> None:
    suite_around(tmp_path / "suites" / "own", run, "done")
    capsys.readouterr()
    assert main(["status", str(tmp_path / "suites")]) == 0
    assert "1 of 1 runs done" in " ".join(capsys.readouterr().out.split())
    assert "no run and no suite in it" in refused(
        capsys, "status", tmp_path / "suites" / "own/runs/own/x"
    )


def test_a_host_that_is_not_ours_is_named(run, capsys) -> None:
    capsys.readouterr()
    assert main(["view", str(run), "--host", "192.0.2.1"]) == 2
    assert "choose another --host or --port" in capsys.readouterr().err


def test_dates_are_for_imported_prices(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("ZHIYIN_PRICES", str(tmp_path))
    line = refused(capsys, "prices", "openai:gpt-4o", "--date", "2026-01-01")
    assert "--date belongs to `zhiyin prices import FILE`" in line


def test_one_thing_is_not_called_several_and_a_small_file_not_empty(
    run, tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.setenv("ZHIYIN_PRICES", str(tmp_path))
    table = tmp_path / "table.json"
    price = {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 1e-6,
             "output_cost_per_token": 1e-6}  # fmt: skip
    table.write_text(json.dumps({"gpt-4o": price}), "utf-8")
    assert main(["prices", "import", str(table)]) == 0
    assert "1 price:" in capsys.readouterr().out
    assert main(["export", str(run), "--to", "csv", "-o", str(tmp_path / "x.csv")]) == 0
    told = capsys.readouterr().err
    assert "x.csv (" in told
    assert "(0.0 MB)" not in told


def test_questions_without_categories_have_no_table_of_them(run, tmp_path, capsys) -> None:
    replies = tmp_path / "replies.csv"
    replies.write_text("person,item,answer\nada,q1,B\nben,q1,A\ncem,q1,B\n", "utf-8")
    assert main(["study", "show", str(replies), "--exam", str(run)]) == 0
    out = capsys.readouterr().out
    assert "3 people" in out
    assert "category, %" not in out


def test_a_folder_of_runs_names_one_of_them(run, capsys) -> None:
    line = refused(capsys, "audit", run.parent)
    assert f"in it, but {run} is one" in line


def test_a_judge_that_marks_nothing_says_why(run, tmp_path, monkeypatch, capsys) -> None:
    (tmp_path / "refuser.py").write_text("def ask(text):\n    raise ValueError('no more')\n")
    judge = f"python:{tmp_path / 'refuser.py'}:ask"
    assert main(["audit", str(run), "--judge", judge, "--retries", "0", "--quiet"]) == 1
    text = " ".join(capsys.readouterr().err.split())
    assert "left 1 reply unmarked: 1 trial failed (1 x " in text
    assert "ValueError: no more)" in text


def test_part_of_what_nobody_published_is_not_set_beside_published_figures(
    tmp_path, quiz, capsys
) -> None:
    quiz.write_text(quiz.read_text() + "q2,Which?,here,there,A\n", "utf-8")
    assert (
        main(["run", str(quiz), "-m", "first", "--out", str(tmp_path / "a"), "--limit", "1"]) == 0
    )
    text = " ".join(capsys.readouterr().out.split())
    assert "the first 1 trial only: not comparable with runs of the whole" in text
    assert "published" not in text


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("rotation", "did you mean rotations?"),
        ("rot", "did you mean rotations?"),
        ("intervals", "known: chinese, protocol, rotations"),
        ("", "known: chinese, protocol, rotations"),
    ],
)
def test_only_what_is_close_is_suggested(word, hint) -> None:
    assert str(did_you_mean(word, ["rotations", "protocol", "chinese"])) == hint


def test_runs_behind_a_flag_are_runs_too(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("first", "random"):
        words = ["run", "exercises", "--task", "theory", "--n", "1", "--quiet"]
        assert main([*words, "-m", name, "--out", name]) == 0
    capsys.readouterr()
    assert main(["compare", "first", "random", "--groups", "all"]) == 0
    side_by_side = capsys.readouterr().out
    assert main(["compare", "first", "--groups", "all", "random"]) == 0
    assert capsys.readouterr().out == side_by_side
    assert main(["run", "exercises", "-m", "random", "second"]) == 2
    assert "unknown argument second" in capsys.readouterr().err


SMALL = Path(__file__).parent.parent / "data" / "ziqi_small"


RUN = ["run", "ziqi", "--data", str(SMALL), "--partial", "--quiet"]


VALUES = (
    *("99999999999999999999", "-1", "0", "nan", "inf", "-inf", "1e-300", "1e308", "1e400"),
    *("9" * 400, "9" * 5000, "x", ""),
)


PLAN = (
    *("--difference", "--items", "--accuracy", "--correlation", "--cluster-size", "--icc"),
    *("--noise", "--repeats", "--power", "--alpha"),
)


RUNNING = (
    *("--limit", "--sample", "--seed", "--shots", "--concurrency", "--timeout", "--retries"),
    *("--temperature", "--max-tokens", "--audio-rate", "--audio-limit"),
)


def outcome(capsys, *arguments):
    """Exit status and complaint: of bad input one line that a terminal can hold."""
    status = cli.main([str(word) for word in arguments])
    out, err = capsys.readouterr()
    assert status in (0, 1, 2)
    if status == 2:
        assert out == ""
        assert err.startswith("zhiyin: ")
        assert err.count("\n") == 1
        assert len(err) < 1000
    return status, err


@pytest.mark.parametrize("flag", PLAN)
@pytest.mark.parametrize("value", VALUES)
def test_plan(capsys, flag, value):
    first = [] if flag in ("--difference", "--items") else ["--difference", "5"]
    outcome(capsys, "plan", *first, f"{flag}={value}")
    if flag != "--difference" and flag != "--items":
        outcome(capsys, "plan", "--items", "100", f"{flag}={value}")


@pytest.mark.parametrize(
    "flags", [["--difference", "1e-300"], ["--difference", "5", "--cluster-size", "inf"]]
)
def test_what_nobody_can_ask_is_no_plan(capsys, flags):
    assert outcome(capsys, "plan", *flags)[0] == 2


@pytest.mark.parametrize("flag", RUNNING)
@pytest.mark.parametrize("value", VALUES)
def test_run(capsys, tmp_path, flag, value):
    outcome(capsys, *RUN, "-m", "first", "--out", tmp_path / "run", f"{flag}={value}")


def test_a_huge_limit_is_refused_and_a_large_one_is_all(capsys, tmp_path):
    run = [*RUN, "-m", "first", "--out", tmp_path / "run"]
    assert outcome(capsys, *run, "--limit", "99999999999999999999")[0] == 2
    assert outcome(capsys, *run, "--limit", "999999999999")[0] == 0


def test_no_more_workers_than_trials(tmp_path, monkeypatch):
    import asyncio

    made, create = [], asyncio.create_task

    def count(*args, **named):
        made.append(1)
        return create(*args, **named)

    monkeypatch.setattr(asyncio, "create_task", count)
    run = [*RUN, "-m", "first", "--out", str(tmp_path / "run"), "--limit", "5"]
    assert cli.main([*run, "--concurrency", "100000000000"]) == 0
    assert len(made) < 100


@pytest.mark.parametrize(
    "command",
    [
        ["muchomusic", "--data", ".", "--shots", "9" * 5000],
        ["appraisal", "--source", "generated", "--n", "99999999999999999999"],
        ["perception", "--source", "generated", "--n", "99999999999999999999"],
    ],
)
def test_other_benchmarks(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    assert outcome(capsys, "run", *command, "-m", "first", "--quiet")[0] == 2


def test_stimuli(capsys, tmp_path):
    make = ["stimuli", "make", "--task", "chords", "--out", tmp_path / "s"]
    assert outcome(capsys, *make, "--n", "99999999999999999999")[0] == 2


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        (["-m", "first", "-m", "random"], "-m/--model"),
        (["-m", "first", "--model", "first"], "-m/--model"),
        (["-m", "first", "--limit", "5", "--limit", "6"], "--limit"),
        (["-m", "first", "--shots", "0", "--shots", "5"], "--shots"),
    ],
)
def test_a_flag_that_is_given_twice_is_refused(capsys, tmp_path, flags, named):
    status, err = outcome(capsys, *RUN, "--out", tmp_path / "run", *flags)
    assert status == 2
    assert named in err
    assert "listed twice" in err
    assert ("several models: `zhiyin suite`" in err) == named.startswith("-m")
    assert not (tmp_path / "run").exists()


def test_flags_that_may_be_repeated_still_may(capsys, tmp_path):
    category = ["--category", "popular_music", "--category", "female_music"]
    assert outcome(capsys, *RUN, "-m", "first", "--out", tmp_path / "run", *category)[0] == 0


def test_an_argument_that_is_no_text_is_said(tmp_path):
    done = warm.run(["show", os.fsdecode(b"\xff\xfe")])
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def complaint(capsys, *words):
    assert main(list(words)) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run", "ziqi", "-m", "first", "--categroy", "x"], "did you mean --category?"),
        (["run", "ziqi", "-m", "first", "--n", "4"], "did you mean --limit or --sample?"),
        (["run", "ziqi", "--modle", "first"], "did you mean --model"),
        (["run", "muchomusic", "-m", "first", "--distractor=ir"], "did you mean --distractors"),
        (["show", "somewhere", "--jsn"], "did you mean --json?"),
        (["stats", "health", "r", "--blnd", "s"], "did you mean --blind?"),
        (["run", "ziqi", "-m", "first", "--language", "eng"], "did you mean en"),
        (["stats", "healt", "r"], "did you mean health?"),
        (["run", "-m", "first", "zqi"], "did you mean ziqi?"),
        (["run", "--quiet", "zqi", "-m", "first"], "did you mean ziqi?"),
    ],
)
def test_a_mistyped_word_is_told_with_the_nearest(capsys, words, told):
    assert told in complaint(capsys, *words)


@pytest.mark.parametrize(
    ("words", "where"),
    [
        (["run", "ziqi", "-m", "first", "--categroy", "x"], "`zhiyin run ziqi --help`"),
        (["run", "perception"], "`zhiyin run perception --help`"),
        (["stats", "health", "r", "--zzz"], "`zhiyin stats health --help`"),
    ],
)
def test_help_is_named_where_it_is(capsys, words, where):
    assert where in complaint(capsys, *words)


def test_extract_and_run_call_the_policy_alike(monkeypatch, capfd):
    line = b'{"text": "A thing of beauty: B", "options": 4}\n'
    for flag in ("--extract", "--policy"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line)))
        assert main(["extract", flag, "first-letter"]) == 0
        assert json.loads(capfd.readouterr().out)["answer"] == "A"
