"""The commands as a user meets them: results in JSON, bad input in one line."""

import json
import os
import re
import shutil
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import muchomusic_help
from published_help import declare
from zhiyin.cli import COMMANDS, main
from zhiyin.contract.registry import open_benchmark
from zhiyin.errors import InputError

SMALL = Path(__file__).parent.parent / "data" / "ziqi_small"


def zhiyin(capsys, *arguments):
    """Run a command in this process: exit status, standard output, standard error."""
    status = main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return status, out, err


def refused(capsys, *arguments):
    """Run a command that must refuse: exit status 2, nothing printed, one line of complaint."""
    status, out, err = zhiyin(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert err.startswith("zhiyin: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


def ziqi(*arguments):
    return ["run", "ziqi", "--data", SMALL, "-m", "first", "--partial", *arguments]


@pytest.fixture
def whole(monkeypatch):
    """The small set is all that was published."""
    declare(monkeypatch, "ziqi", open_benchmark("ziqi", {"data": SMALL, "partial": True}).trials())


def test_run_and_show_print_the_same_results(capsys, tmp_path, whole):
    status, out, _ = zhiyin(capsys, *ziqi("--out", tmp_path / "run", "--json"))
    assert status == 0
    ran = json.loads(out)
    shown = json.loads(zhiyin(capsys, "show", tmp_path / "run", "--json")[1])
    assert shown["published"]["aside"]["GPT-4"]["comprehension"]["precision"] == 0.6315
    assert shown == ran
    assert ran["trials"] == ran["groups"]["all"]["n"] == sum(ran["states"].values())
    lines = (tmp_path / "run" / "records.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == ran["trials"]
    for line in map(json.loads, lines):
        assert line["id"]
        assert line["verdict"]["state"] in ran["states"]
        assert line["verdict"]["answer"] == "A"


@pytest.mark.slow
def test_show_prints_tables(capsys, tmp_path, whole):
    zhiyin(capsys, *ziqi("--out", tmp_path / "run", "--quiet"))
    status, out, _ = zhiyin(capsys, "show", tmp_path / "run")
    assert status == 0
    assert "Popular music" in out
    assert "published, " in out
    out = zhiyin(capsys, "show", tmp_path / "run", "--groups", "all")[1]
    assert "Outside Europe" in out
    assert "63.0" in out


@pytest.mark.slow
def test_the_same_command_resumes_in_the_same_folder(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = json.loads(zhiyin(capsys, *ziqi("--json"))[1])
    again = json.loads(zhiyin(capsys, *ziqi("--json"))[1])
    assert first["run"] == again["run"]
    assert first["trials"] == again["trials"]
    switched = json.loads(zhiyin(capsys, "run", "--json", *ziqi()[1:])[1])
    assert switched["run"] == first["run"]
    other = json.loads(zhiyin(capsys, *ziqi("--json", "--seed", 7))[1])
    assert other["run"] != first["run"]


def test_limit_asks_the_first_trials(capsys, tmp_path):
    limited = json.loads(zhiyin(capsys, *ziqi("--limit", 5, "--out", tmp_path, "--json"))[1])
    assert limited["trials"] == limited["planned"] == 5


@pytest.mark.slow
def test_rescore_asks_nobody_and_changes_nothing(capsys, tmp_path):
    zhiyin(capsys, *ziqi("--out", tmp_path / "run", "--quiet"))
    before = (tmp_path / "run" / "records.jsonl").read_bytes()
    status, out, _ = zhiyin(
        capsys, "rescore", tmp_path / "run", "--extract", "first-letter", "--json",
        "--out", tmp_path / "again",
    )  # fmt: skip
    assert status == 0
    summary = json.loads(out)
    assert summary["settings"]["options"]["extract"] == "first-letter"
    assert (tmp_path / "run" / "records.jsonl").read_bytes() == before
    again = json.loads(zhiyin(capsys, "show", tmp_path / "again", "--json")[1])
    assert again["groups"] == summary["groups"]


def test_list_names_everything(capsys):
    found = json.loads(zhiyin(capsys, "list", "--json")[1])
    assert {"ziqi", "perception"} <= {b["name"] for b in found["benchmarks"]}
    assert {"robust", "first-letter"} <= {p["name"] for p in found["policies"]}
    assert zhiyin(capsys, "list")[0] == 0


@pytest.mark.slow
def test_report_is_one_page(capsys, tmp_path):
    zhiyin(capsys, *ziqi("--out", tmp_path / "run", "--quiet"))
    page = tmp_path / "page.html"
    status, _, err = zhiyin(capsys, "report", tmp_path / "run", "-o", page)
    assert status == 0
    assert "wrote" in err
    text = page.read_text("utf-8")
    assert "popular_music/" in text
    assert not re.search(r'(?:src|href)="(?!data:|#)', text)


@pytest.mark.slow
def test_help_is_quick_and_names_every_command():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "zhiyin", "--help"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert all(re.search(rf"\b{command}\b", done.stdout) for command in COMMANDS)
    lines = done.stdout.splitlines()
    assert len(lines) < 24  # a screen, with the line that was typed
    assert max(map(len, lines)) <= 80
    for heavy in ("numpy", "scipy", "rich", "aiohttp", "msgspec"):
        assert f" {heavy}\n" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rum"], "did you mean run"),
        (["run", "zigi", "-m", "first"], "did you mean ziqi?"),
        (["run", "ziqi", "--data", "nowhere", "-m", "first"], "nowhere"),
        (["run", "ziqi", "--data", SMALL, "-m", "frist"], "did you mean first?"),
        (["run", "ziqi", "--data", SMALL], "-m/--model"),
        (["run", "ziqi", "--data", SMALL, "-m", "first", "--limit", "-1"], "--limit"),
        (["run", "ziqi", "--data", SMALL, "-m", "first", "--temperature", "9"], "temperature"),
        (["run", "ziqi", "--data", SMALL, "-m", "first", "--lmit", "3"], "--lmit"),
        (["run", "ziqi", "--data", SMALL, "-m", "http://127.0.0.1:9/v1#m"], "127.0.0.1:9"),
        (["run", "ziqi", "--data", SMALL, "-m", "replay:nowhere.jsonl"], "nowhere.jsonl"),
        (["run", "ziqi", "--data", SMALL, "-m", "python:nowhere:f"], "nowhere"),
        (["run", "ziqi", "--data", SMALL, "-m", "first", "--extract", "robst"], "robust"),
        (["show", "nowhere"], "nowhere"),
        (["rescore", "nowhere", "--extract", "robust"], "nowhere"),
        (["extract", "--policy", "robst"], "did you mean robust?"),
        (["data", "check", "zigi"], "did you mean ziqi?"),
        (["list", "model"], "'model': known: "),  # once it was said to be bodies
        (["list", "suits"], "'suits': known: "),
        (["list", "MuChoMusik"], "did you mean muchomusic?"),
        (["report", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_is_one_line(capsys, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    if arguments[:2] == ["run", "ziqi"]:
        arguments = [*arguments, "--partial"]
    assert said in refused(capsys, *arguments)


def test_settings_of_another_run_are_refused(capsys, tmp_path):
    zhiyin(capsys, *ziqi("--out", tmp_path / "run", "--quiet"))
    said = refused(capsys, *ziqi("--out", tmp_path / "run", "--seed", 3))
    assert "seed was 0, now 3" in said


def test_changed_data_are_refused(capsys, tmp_path):
    data = tmp_path / "data"
    shutil.copytree(SMALL, data)
    command = ["run", "ziqi", "--data", data, "-m", "first", "--partial", "--out", tmp_path / "run"]
    assert zhiyin(capsys, *command, "--quiet")[0] == 0
    sheet = next((data / "test").glob("*.csv"))
    sheet.write_text(sheet.read_text("utf-8") + "\n", "utf-8")
    assert "data was" in refused(capsys, *command)


@pytest.mark.parametrize("out", ["/proc/nowhere/run", "{file}/run"])
def test_a_folder_that_cannot_be_written(capsys, tmp_path, out):
    (tmp_path / "file").write_text("")
    assert "--out" in refused(capsys, *ziqi("--out", out.format(file=tmp_path / "file")))


def test_one_kind_is_listed_alone(capsys):
    every = json.loads(zhiyin(capsys, "list", "--json")[1])
    for kind in every:
        assert json.loads(zhiyin(capsys, "list", kind, "--json")[1]) == {kind: every[kind]}
    assert [*json.loads(zhiyin(capsys, "list", "ziqi", "--json")[1])] == ["benchmarks", "protocols"]


@pytest.mark.slow
def test_with_json_standard_output_holds_the_result_alone(tmp_path):
    model = tmp_path / "chatty.py"
    words = 'import os\nprint("loaded")\n\ndef answer(messages):\n    os.write(1, b"asked\\n")\n'
    model.write_text(f'{words}    return "答案：A"\n', "utf-8")
    command = [sys.executable, "-m", "zhiyin", *ziqi("--limit", "2", "--json")]
    command[command.index("-m", 3) + 1] = f"python:{model}:answer"
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "run")], capture_output=True, text=True, check=True,
        env={**os.environ, "LC_ALL": "C"}, encoding="utf-8",
    )  # fmt: skip
    assert json.loads(done.stdout)["trials"] == 2
    assert done.stderr.split() == ["loaded", "asked", "asked"]


def told_by_help(capsys, *words):
    with pytest.raises(SystemExit) as end:
        main([*words])
    assert not end.value.code
    return capsys.readouterr().out


def test_help_of_a_run_shows_ten_flags_those_of_the_benchmark_and_all_where_asked(capsys):
    flags = re.compile(r"(?m)^  (?:-\w \w+, )?(--[\w-]+)")
    usual = set(flags.findall(told_by_help(capsys, "run", "--help"))) - {"--help-all"}
    assert len(usual) == 10
    own = set(flags.findall(told_by_help(capsys, "run", "muchomusic", "--help")))
    assert {"--repeats", "--audio"} <= own
    assert not own & {"--top-p", "--ray"}
    every = set(flags.findall(told_by_help(capsys, "run", "muchomusic", "--help-all")))
    assert own | {"--top-p", "--ray", "--retries"} <= every


def test_each_command_has_a_line_in_the_long_overview(capsys):
    assert main(["--help-all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    commands = {line.split()[0] for line in lines if line.startswith("  ")}
    assert commands >= {*COMMANDS, "stimuli", "attention"}
    assert max(map(len, lines)) <= 80


@pytest.mark.slow
def test_what_is_asked_and_how_is_said_before_a_run_unless_it_is_quiet(tmp_path, capsys):
    data = tmp_path / "data"
    muchomusic_help.make_data(data)
    words = ["run", "muchomusic", "--data", str(data), "-m", "first", "--partial"]
    assert main([*words, "--out", str(tmp_path / "one")]) == 0
    errors = capsys.readouterr().err
    said = re.match(r"(\d+) calls for (\d+) questions \(--repeats 3\); one-shot, ", errors)
    assert said
    assert int(said[1]) == 3 * int(said[2])
    assert errors.splitlines()[0].endswith("temperature 0, seed 0")
    assert main([*words, "--out", str(tmp_path / "two"), "--quiet", "--repeats", "1"]) == 0
    assert "calls" not in capsys.readouterr().err
    assert main([*words, "--out", str(tmp_path / "one")]) == 0  # nothing is left to ask
    assert "calls for" not in capsys.readouterr().err


@pytest.mark.slow
def test_help_is_on_standard_output_with_json_too():
    command = [sys.executable, "-m", "zhiyin", "show", "--json", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("usage: zhiyin show")
    assert not done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["list", "show", "compare"])
def test_what_only_reads_loads_nothing_that_takes_long_to_load(tmp_path, capsys, command):
    """Each takes a tenth of a second or more: they were half of the time of `show`."""
    runs = [tmp_path / "first", tmp_path / "random"]
    for run in runs if command != "list" else ():
        zhiyin(
            capsys,
            "run",
            "ziqi",
            "--data",
            SMALL,
            "--partial",
            "-m",
            run.name,
            "--out",
            run,
            "--quiet",
        )
    given = {"list": [], "show": runs[:1], "compare": runs}[command]
    script = (
        "import sys; from zhiyin.cli import main; status = main(sys.argv[1:]); "
        "heavy = {'scipy.special', 'aiohttp', 'jinja2', 'zhiyin.reader.cues.before'}; "
        "sys.exit(status or ' '.join(heavy & sys.modules.keys()) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", script, command, *map(str, given)],
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr


ENDED = """
import os, signal, sys
from zhiyin import cli
cli._dispatch = lambda arguments, whole: os.kill(os.getpid(), signal.SIGTERM) or signal.pause()
sys.argv = ["zhiyin", "list", "--json"]
sys.exit(cli.main())
"""


@pytest.mark.slow
def test_a_job_that_is_told_to_end_ends_like_one_that_was_interrupted():
    done = subprocess.run([sys.executable, "-c", ENDED], capture_output=True, text=True)
    assert done.returncode == 130
    assert json.loads(done.stdout) == {"error": "interrupted", "kind": "interrupted"}
    assert done.stderr == "zhiyin: interrupted\n"


def test_a_bound_of_a_flag_is_kept_wherever_it_is_declared(tmp_path, capsys):
    """A bound that stood in a `Flag` was forgotten where the flag is a function's parameter."""
    from zhiyin.flags import kind_of, read_value
    from zhiyin.plugins.lab.gate_command import ALLOWED

    kind, _ = kind_of(typing.Annotated[float | None, ALLOWED])
    for given in ("-3", "-0.1", "101", "nan", "inf", "-inf", "1e999"):
        with pytest.raises(InputError, match="--fail-if-worse"):
            read_value("--fail-if-worse", kind, given)
        for words in (["compare", "a", "b"], ["suite", "s.toml"]):
            assert main([*words, f"--fail-if-worse={given}"]) == 2
            assert "give a number" in capsys.readouterr().err
    assert read_value("--fail-if-worse", kind, "3") == 3
    for words in (
        ["study", "show", "x", "--pass=-3"], ["human", "x", "--least-people=0"],
        ["cache", "--unused-for=-1"], ["plan", "--difference=-1"], ["plan", "--items=-5"],
    ):  # fmt: skip
        assert main(words) == 2
        assert "give" in capsys.readouterr().err, words
