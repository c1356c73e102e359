"""The command beside a warning does what it says, and each part of a benchmark is warned of."""

import json
import shlex

import pytest

import zhiyin as zy
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest
from zhiyin.plugins.lab.verifying import runs_in
from zhiyin.shown.table import in_letters, table_of

REVIEW = "这首歌很好听，钢琴和鼓点都很有力，旋律优美，节奏鲜明。副歌部分让人印象深刻。"
JUDGE = """
def fails(messages):
    raise RuntimeError("no such thing")
"""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    (tmp_path / "my.py").write_text(JUDGE)
    return tmp_path


@pytest.mark.slow
def test_a_failed_judging_goes_on_by_the_command_that_is_printed(desk, capsys):
    zy.run("appraisal", lambda messages: REVIEW, source="generated", parts="appraisal", n=1,
           out="run")  # fmt: skip
    order = ["judge", "run", "-m", "python:my.py:fails", "--aspects", "novelty", "--draws", "2"]
    assert main([*order, "--temperature", "default", "--quiet"]) == 1
    (folder,) = (path.parent for path in (desk / "run").glob("judged-*/run.json"))
    (failed,) = (one for one in summarise(folder).warnings if one.kind == "failed")
    command = shlex.split(failed.remedy)
    assert command[:3] == ["zhiyin", "judge", str(folder.parent)]
    assert main([*command[1:], "--quiet"]) == 1
    assert len(list((desk / "run").glob("judged-*"))) == 1  # the same judging
    assert len(read_manifest(folder).sessions) == 2
    capsys.readouterr()
    assert main(["audit", "."]) == 2
    assert "run is one;" in capsys.readouterr().err  # and not what lies in it
    assert [path.name for path in runs_in(desk / "run")] == ["run", folder.name]


@pytest.mark.slow
@pytest.mark.parametrize("part", [{"limit": 4}, {"sample": 4}])
def test_a_part_of_questions_that_nobody_published_is_warned_of(desk, part):
    run = zy.run("perception", "random", source="generated", out="part", **part)
    (found,) = (one for one in run.warnings if one.kind == "part")
    words = "the first 4 trials only" if "limit" in part else "random sample of 4 items"
    assert found.facts["why"].startswith(words)
    whole = zy.run("perception", "random", source="generated", out="whole")
    assert not [one for one in whole.warnings if one.kind == "part"]


def test_a_smaller_set_is_warned_of_without_a_limit(desk):
    run = zy.run("exercises", "random", n=1, out="small")
    assert [one.text for one in run.warnings if one.kind == "part"] == [
        "--n 1 instead of 10: not comparable with runs by default settings"
    ]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: zy.judge("run", aspect="novelty"), "has no setting 'aspect': did you mean aspec"),
        (lambda: zy.failures("run", foo=1), "zhiyin.failures has no setting 'foo'"),
        (lambda: zy.run("ziqi"), "zhiyin.run: missing a required argument: 'model'"),
        (lambda: zy.run("exercises", "first", cache="session"), "runs of a suite"),
    ],
)
def test_a_wrong_call_is_one_line_in_the_users_words(desk, call, words):
    with pytest.raises(zy.InputError, match=words):
        call()


def test_who_has_no_reviews_is_told_of_failures(desk):
    zy.run("exercises", "random", n=1, out="run")
    with pytest.raises(zy.InputError, match=r"zhiyin\.failures\(run\)"):
        zy.judge("run", "lexical")


def test_what_is_timed_is_of_sessions_that_ended_in_good_order(desk, capsys):
    run = zy.run("exercises", "random", n=1, out="run")
    path = run.folder / "run.json"
    told = json.loads(path.read_bytes())
    (one,) = told["sessions"]
    half = one["asked"] // 2
    killed = {"started": one["started"], "machine": one["machine"]}
    told["sessions"] = [killed, {**one, "asked": half, "before": one["asked"] - half}]
    path.write_text(json.dumps(told))
    assert main(["show", "run"]) == 0
    words = f"(of the {half} trials in sessions that ended in good order)"
    assert words in " ".join(capsys.readouterr().out.split())


def test_help_of_extract_names_its_flag_and_its_value(capsys):
    with pytest.raises(SystemExit):
        main(["extract", "--help"])
    assert "--extract POLICY, --policy POLICY\n" in capsys.readouterr().out


def test_per_cent_have_one_decimal_in_every_column():
    rows = [("a", 0.0, 33.3), ("b", 0.0, 66.7)]
    for title in ("Per cent right", "right, %"):
        made = table_of("t", {"": "text", "x": "number", "y": "number"}, rows, title)
        assert [row.cells for row in in_letters(made).rows] == [
            ("a", "0.0", "33.3"),
            ("b", "0.0", "66.7"),
        ]
