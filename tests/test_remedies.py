"""The command beside a warning does what it says, and each part of a benchmark is warned of."""

import shlex

import pytest

import zhiyin as zy
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.engine.log import read_manifest
from zhiyin.session.verifying import runs_in

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
    assert main(["verify", "."]) == 2
    assert "run is one;" in capsys.readouterr().err  # and not what lies in it
    assert [path.name for path in runs_in(desk / "run")] == ["run", folder.name]


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
