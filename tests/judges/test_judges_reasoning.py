"""Judging the reasoning behind answers, by the criteria that each question brings along."""

import itertools
import json

import msgspec
import pytest

from judge_help import dump
from listening_help import complaint, make_mmar, mmar_entry, zhiyin
from servers import ChatServer
from zhiyin.cli import main
from zhiyin.contract.registry import open_benchmark
from zhiyin.engine.folder import read_records
from zhiyin.plugins.judges import choices as failures
from zhiyin.plugins.judges.cases import JudgedCase
from zhiyin.plugins.judges.grades import Grades
from zhiyin.plugins.judges.reading import UnreadableJudgement
from zhiyin.plugins.judges.rubrics import CRITERIA, Criterion, unpack_rubric

ASK = ["--aspects", "reasoning", "--language", "en", "--quiet"]


def said(*met):
    """A judgement: which of the criteria are met."""
    entries = [{"criterion": n, "met": m, "reason": "r"} for n, m in enumerate(met, 1)]
    return dump({"criteria": entries})


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Twelve replies of another model: six right with thoughts, one right without, five wrong."""
    monkeypatch.chdir(tmp_path)
    entries = []
    for index in range(12):
        entry = mmar_entry(index, 12)
        entry["answer_prediction"] = entry["answer"] if index < 7 else "no idea"
        if index < 6:
            entry["thinking_prediction"] = f"I hear the tone number {index}."
        entries.append(entry)
    text = "".join(json.dumps(entry) + "\n" for entry in entries)
    (tmp_path / "replies.jsonl").write_text(text)
    assert zhiyin(capsys, "import", "mmar", "replies.jsonl", "--out", "run")[0] == 0
    return tmp_path / "run"


def test_a_judgement_is_the_share_of_criteria_that_are_met():
    found = failures.read_criteria(said(True, False, True, True, False), 5)
    assert found.scores == {"score": 0.6, "met": 3.0}
    for reply, fault in (
        (said(True, True), "criterion 3 of 5 was not judged"),
        (said(*[True] * 6), "criterion"),
        (dump({"criteria": [{"criterion": 1, "met": True}] * 2}), "judged twice"),
        (dump({"criteria": [{"criterion": 1, "met": "half"}]}), "neither true nor false"),
        (dump({"criteria": [{"criterion": 0, "met": True}]}), "no number from 1"),
        ("all met", "no JSON object"),
    ):
        with pytest.raises(UnreadableJudgement, match=fault):
            failures.read_criteria(reply, 5)


@pytest.mark.slow
def test_right_answers_are_judged_by_their_own_criteria_and_wrong_ones_are_nothing(run, capsys):
    with ChatServer(lambda call: said(True, True, True, False, False)) as server:
        status, found = zhiyin(capsys, "judge", run, "-m", server.spec, *ASK)
        assert server.calls == 7  # the wrong answers need no judge
        prompts = [call.body["messages"][0]["content"] for call in server.seen]
        again, _ = zhiyin(capsys, "judge", run, "-m", server.spec, *ASK)
        assert server.calls == 7  # judged once
    assert (status, again) == (0, 0)
    whole = found["groups"][0]
    assert (whole["group"], whole["questions"], whole["right"]) == ("all", 12, 7)
    assert whole["score"] == pytest.approx(7 * 0.6 / 12)
    assert whole["low"] < whole["score"] < whole["high"]
    assert "music" in {share["group"] for share in found["groups"]}
    assert all("3. Point 2: Says 2." in prompt for prompt in prompts)
    assert all("The tone is high." in prompt for prompt in prompts)
    assert sum("I hear the tone number" in prompt for prompt in prompts) == 6


def test_other_conditions_are_in_no_headline_of_reasoning(tmp_path):
    criteria = (Criterion("a", "b"),)
    cases = [
        JudgedCase(f"q{n}/{audio}", f"q{n}", "x", right=False, criteria=criteria, groups=(audio,),
             plain=audio == "true")
        for n in range(3) for audio in ("true", "noise")
    ]  # fmt: skip
    grades = Grades(tmp_path, "judge", 1, ("reasoning",), cases, [], [])
    asked = {share.group: share.questions for share in failures.graded(tmp_path, grades).groups}
    assert asked == {"all": 3, "true": 3, "noise": 3}
    only = msgspec.structs.replace(grades, cases=[case for case in cases if not case.plain])
    assert failures.graded(tmp_path, only).groups[0].questions == 3


@pytest.mark.slow
def test_draws_are_averaged_and_the_extremes_left_out(run, capsys):
    drawn = iter([5, 1, 2, 3, 0])

    def answer(call):
        answer.left = getattr(answer, "left", 0)
        if answer.left == 0:
            answer.met, answer.left = next(drawn), 7
        answer.left -= 1
        return said(*(n < answer.met for n in range(5)))

    with ChatServer(answer) as server:
        flags = [*ASK, "--draws", "5", "--concurrency", "1"]
        status, found = zhiyin(capsys, "judge", run, "-m", server.spec, *flags)
    assert status == 0
    right = 7 / 12
    assert found["groups"][0]["score"] == pytest.approx(right * 11 / 25)
    assert found["trimmed"] == pytest.approx(right * (1 + 2 + 3) / 15)


@pytest.mark.slow
def test_a_failed_judgement_is_counted_and_never_a_zero(run, capsys):
    def answer(call):
        broken = "tone number 0" in call.body["messages"][0]["content"]
        return "I would rather not." if broken else said(*[True] * 5)

    with ChatServer(answer) as server:
        status = main(["judge", str(run), "-m", server.spec, *ASK, "--json"])
        assert server.calls == 8  # asked once more
    whole = json.loads(capsys.readouterr().out)["groups"][0]
    assert (status, whole["missing"]) == (1, 1)
    assert whole["score"] is None  # only right answers can be missing: the rest would be too low
    assert (whole["worst"], whole["best"]) == pytest.approx((6 / 12, 7 / 12))
    with ChatServer(lambda call: "I would rather not.") as server:
        assert main(["judge", str(run), "-m", server.spec, *ASK]) == 1
    assert "0.0–58.3 %, 12 questions, without a judgement: 7" in capsys.readouterr().out


@pytest.mark.slow
def test_a_question_that_lacks_some_draws_is_told_and_has_the_mean_of_the_others(run, capsys):
    """It was a note on bounds, and there were none."""
    calls = itertools.count()

    def answer(call):
        broken = "tone number 0" in call.body["messages"][0]["content"] and next(calls) < 2
        return "I would rather not." if broken else said(*[True] * 5)

    with ChatServer(answer) as server:
        flags = [*ASK, "--draws", "2", "--concurrency", "1"]
        assert main(["judge", str(run), "-m", server.spec, *flags]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "all 58.3 %" in printed
    assert "some of the 2 judgements are missing of 1 question, which have" in printed
    assert "the figure lies between" not in printed


def test_what_cannot_be_judged_is_said_in_one_line(run, capsys, tmp_path):
    assert "follows no reasoning" in complaint(capsys, "judge", run, "-m", "lexical", *ASK)
    assert "name failures alone, or reasoning" in complaint(
        capsys, "judge", run, "-m", "x", "--aspects", "reasoning,novelty"
    )
    assert "of reviews" in complaint(capsys, "judge", run, "-m", "x", *ASK, "--human", "h.csv")
    entry = mmar_entry(0, 12) | {"answer_prediction": "x"}
    del entry["rubric"]
    (tmp_path / "bare.jsonl").write_text(json.dumps(entry))
    assert zhiyin(capsys, "import", "mmar", "bare.jsonl", "--out", "bare")[0] == 0
    assert "brings criteria" in complaint(capsys, "judge", "bare", "-m", "first", *ASK)


def test_nobody_answered_right(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entry = mmar_entry(0, 12) | {"answer_prediction": "no idea"}
    (tmp_path / "w.jsonl").write_text(json.dumps(entry))
    assert zhiyin(capsys, "import", "mmar", "w.jsonl", "--out", "w")[0] == 0
    with ChatServer("{}") as server:
        status, found = zhiyin(capsys, "judge", "w", "-m", server.spec, *ASK)
        assert server.calls == 0
    assert (status, found["groups"][0]["score"]) == (0, 0)


@pytest.mark.slow
def test_the_examined_model_never_sees_the_criteria(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make_mmar(tmp_path / "data")
    with ChatServer(lambda call: "A") as server:
        args = ("run", "mmar", "-m", server.spec, "--data", "data", "--out", "own", "--quiet")
        assert zhiyin(capsys, *args)[0] == 0
        assert len(server.seen) >= 12
        assert not any("Says 2" in json.dumps(call.body) for call in server.seen)
    tags = [record.trial.tags for record in read_records(tmp_path / "own")]
    assert all(len(unpack_rubric(tag[CRITERIA]).criteria) == 5 for tag in tags)


@pytest.mark.slow
def test_every_published_question_brings_five_criteria(shared):
    if not (shared / "mmar").is_dir():
        pytest.skip("no data of mmar in the shared folder")
    made = open_benchmark("mmar", {"data": str(shared / "mmar"), "audio": "none"})
    trials = list(made.trials())
    assert len(trials) == 1000
    assert {len(unpack_rubric(trial.tags[CRITERIA]).criteria) for trial in trials} == {5}
