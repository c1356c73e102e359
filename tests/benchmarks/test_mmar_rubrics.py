"""MMAR-Rubrics: answers by string match, the reasoning by a judge, and the leaderboard beside."""

import json

import pytest

from judge_help import dump
from listening_help import complaint, make_mmar, mmar_entry, section, zhiyin
from servers import ChatServer
from zhiyin.contract.registry import find, open_benchmark
from zhiyin.engine.folder import read_records
from zhiyin.record import Exchange, Reply, Turn


def said(met):
    entries = [{"criterion": n, "met": n <= met, "reason": "r"} for n in range(1, 6)]
    return dump({"criteria": entries})


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make_mmar(tmp_path / "data")
    return tmp_path


def submission(count=12, right=7):
    """Lines as they are handed in: id, thoughts, answer."""
    lines = []
    for index in range(count):
        entry = mmar_entry(index, 12)
        answer = entry["answer"] if index < right else "no idea"
        lines.append({"id": entry["id"], "thinking_prediction": f"I hear tone number {index}.",
                      "answer_prediction": answer})  # fmt: skip
    return lines


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.slow
def test_a_submission_needs_its_ids_alone_and_two_figures_come_out(here, capsys):
    write(here / "sent.jsonl", submission())
    _, error = zhiyin(capsys, "import", "mmar-rubrics", "sent.jsonl", "--out", "run")
    assert "add the file of the questions" in error
    words = ("import", "mmar-rubrics", "sent.jsonl", "data/MMAR-meta.jsonl", "--extract",
             "string-match", "--out", "run")  # fmt: skip
    assert zhiyin(capsys, *words)[0] == 0
    _, summary = zhiyin(capsys, "show", "run")
    rows, notes = section(summary, "Reasoning by rubric")
    assert rows["this run"]["rubrics"] is None
    assert any("not judged yet" in note for note in notes)
    drawn = {}

    def answer(call):
        prompt = call.body["messages"][0]["content"]
        number = prompt.partition("tone number ")[2].partition(".")[0]
        drawn[number] = drawn.get(number, 0) + 1
        return said((5, 0, 3, 2, 4)[drawn[number] - 1])  # the middle three: 2, 3, 4

    ask = ("--aspects", "reasoning", "--draws", "5", "--language", "en", "--quiet")
    with ChatServer(answer) as server:
        status, found = zhiyin(capsys, "judge", "run", "-m", server.spec, *ask)
        assert server.calls == 35  # a wrong answer is shown to nobody
    assert status == 0
    whole = found["groups"][0]
    assert whole["stable"][0] == pytest.approx(7 * 0.6 / 12)
    assert whole["stable"][1] < whole["stable"][0] < whole["stable"][2]
    assert whole["right"] / whole["questions"] == pytest.approx(7 / 12)
    _, summary = zhiyin(capsys, "show", "run")
    rows, _ = section(summary, "Reasoning by rubric")
    (mine,) = [row for name, row in rows.items() if name.startswith("this run")]
    assert mine["rubrics"][0] == pytest.approx(0.35)
    assert mine["right, %"][0] == pytest.approx(7 / 12)
    assert len(rows) == 1  # twelve questions are not the published ones


@pytest.mark.slow
def test_the_middle_is_taken_question_by_question(here, capsys):
    """Were whole draws left out, the figure would be another: 5 and 0 fall on different draws."""
    write(here / "sent.jsonl", submission(12, 2))
    words = ("import", "mmar-rubrics", "sent.jsonl", "data/MMAR-meta.jsonl", "--out", "run")
    assert zhiyin(capsys, *words)[0] == 0
    orders = {"0": iter((5, 1, 1, 1, 0)), "1": iter((0, 1, 1, 1, 5))}

    def answer(call):
        prompt = call.body["messages"][0]["content"]
        return said(next(orders[prompt.partition("tone number ")[2].partition(".")[0]]))

    ask = ("--aspects", "reasoning", "--draws", "5", "--language", "en", "--quiet")
    with ChatServer(answer) as server:
        _, found = zhiyin(capsys, "judge", "run", "-m", server.spec, "--concurrency", "1", *ask)
    assert found["groups"][0]["stable"][0] == pytest.approx(2 * 0.2 / 12)
    assert found["trimmed"] == pytest.approx((0.4 + 0.4 + 1.0) / 3 / 12)


def test_a_line_without_thoughts_is_in_no_figure(here, capsys):
    lines = submission()
    del lines[0]["thinking_prediction"], lines[1]["answer_prediction"]
    write(here / "sent.jsonl", lines)
    words = ("import", "mmar-rubrics", "sent.jsonl", "data/MMAR-meta.jsonl", "--out", "run")
    _, summary = zhiyin(capsys, *words)
    assert summary["groups"]["all"]["n"] == 10
    assert not summary["complete"]


@pytest.mark.slow
def test_one_command_asks_and_has_the_reasoning_judged(here, capsys):
    def answer(call):
        text = json.dumps(call.body)
        if "reasoning is in between" in text or "criteria" in text:
            return said(4)
        lines = call.body["messages"][0]["content"]
        lines = lines if isinstance(lines, str) else next(p["text"] for p in lines if "text" in p)
        assert "how you come to your answer" in lines
        index = int(lines.partition("in clip ")[2].partition("?")[0])
        entry = mmar_entry(index, 12)
        wrong = next(c for c in entry["choices"] if c != entry["answer"])
        return f"It may be {wrong}, but it is lower.\nAnswer: {entry['answer']}"

    with ChatServer(answer) as server:
        status, summary = zhiyin(
            capsys, "run", "mmar-rubrics", "--data", "data", "-m", server.spec, "--judge",
            server.spec, "--protocol", "mmar-rubrics", "--draws", "3", "--out", "run", "--quiet",
            "--no-canary",
        )  # fmt: skip
        assert status == 0, summary
    states = [record.verdict.state for record in read_records("run")]
    assert states == ["correct"] * 12  # by string match over all words it would be none
    assert summary["protocol"]["departures"][0].startswith("draws 3")
    _, shown = zhiyin(capsys, "show", "run")
    rows, _ = section(shown, "Reasoning by rubric")
    (mine,) = [row for name, row in rows.items() if name.startswith("this run")]
    assert mine["rubrics"][0] == pytest.approx(0.8)


def test_the_answer_alone_is_matched_and_its_place_is_in_the_whole_reply():
    made = open_benchmark("mmar-rubrics", {"data": "x", "extract": "string-match"})
    entry = mmar_entry(0, 12)
    question = find("mmar-rubrics").question(entry)
    (variant,) = made.variants(question)
    trial = made.trial(question, variant, "true", None)
    wrong = next(c for c in entry["choices"] if c != entry["answer"])

    def state(text):
        return made.score(trial, Exchange((Turn(Reply(text)),))).state

    assert state(f"Not {wrong}.\nAnswer: {entry['answer']}") == "correct"
    assert state(f"Answer: {entry['answer']}\nWait.\nAnswer: {wrong}") == "wrong"
    assert state(f"Not {wrong}, but {entry['answer']}") == "no_answer"
    assert state(entry["answer"]) == "correct"


def test_what_is_published_and_what_cannot_be_judged(here, capsys):
    rows = find("mmar-rubrics").published().rows
    assert len(rows) == 27
    assert rows["TalTech (agents)"] == {"all": {"rubrics": 0.6983, "accuracy": 0.769}}
    assert rows["alm-tf"] != rows["alm-tf (agents)"]
    line = complaint(
        capsys, "run", "mmar-rubrics", "--data", "data", "-m", "first", "--judge", "nobody:x"
    )
    assert "nobody" in line


@pytest.mark.slow
def test_the_leaderboard_stands_below_a_run_of_all_published_questions(here, capsys, shared):
    if not (shared / "mmar").is_dir():
        pytest.skip("no data of mmar in the shared folder")
    meta = shared / "mmar" / "MMAR-meta.jsonl"
    entries = [json.loads(line) for line in meta.read_text("utf-8").split("\n") if line]
    sent = [{"id": e["id"], "thinking_prediction": "x", "answer_prediction": "no"} for e in entries]
    write(here / "sent.jsonl", sent)
    words = ("import", "mmar-rubrics", "sent.jsonl", meta, "--extract", "string-match")
    _, summary = zhiyin(capsys, *words, "--out", "run")
    rows, _ = section(summary, "Reasoning by rubric")
    assert len(rows) == 1 + 27 - 1  # one name stands in both tracks
    assert (rows["TalTech"]["track"], rows["xianghe"]["track"]) == ("agents", "single model")


@pytest.mark.slow
def test_the_published_questions_are_asked_with_their_rubrics(shared):
    if not (shared / "mmar").is_dir():
        pytest.skip("no data of mmar in the shared folder")
    given = {"data": str(shared / "mmar"), "audio": "none"}
    rubrics, plain = (list(open_benchmark(n, given).trials()) for n in ("mmar-rubrics", "mmar"))
    assert [t.tags for t in rubrics] == [t.tags for t in plain]
    assert all(t.messages != p.messages for t, p in zip(rubrics, plain, strict=True))
