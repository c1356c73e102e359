"""Thinking before an answer: distinguished, kept, never an answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from questions_help import jsonl, refused
from servers import ChatServer, completion
from zhiyin.cli import main
from zhiyin.engine.folder import read_records
from zhiyin.models.replies import with_thinking_apart
from zhiyin.reasoning import apart
from zhiyin.record import Reply


@pytest.mark.parametrize(
    ("text", "answer", "thinking"),
    [
        ("B", "B", ""),
        ("<think>It is C.</think>\n\nB", "B", "It is C."),
        ("\n<think>\nIt is C.\n</think>B", "B", "It is C."),
        ("It is C, hm.\n</think>\n\nB", "B", "It is C, hm."),
        ("<think></think>B", "B", ""),
        ("<think>It may be B, or", "", "It may be B, or"),
        ("<THINK>x</THINK>B", "B", "x"),
        ("<think>x</think>\n<think>y</think>B", "B", "x\n\ny"),
        ("x</think>y</think>B", "B", "x\n\ny"),
        ("<think>x</think><think>y", "", "x\n\ny"),
        ("<seed:think>x</seed:think>B", "B", "x"),
        ("Answer: B <think>or A?</think>", "Answer: B ", "or A?"),
        ("Well. <think>A?</think>B", "Well. B", "A?"),
        ("Answer: B. <think>Or A", "Answer: B. ", "Or A"),
        ("I think B", "I think B", ""),
    ],
)
def test_marks_of_thinking(text, answer, thinking) -> None:
    assert apart(text) == (answer, thinking)


@given(st.text(), st.text(max_size=50))
def test_nothing_is_lost_and_no_mark_changes_plain_words(thinking, answer) -> None:
    plain = Reply(answer)
    if "<" not in answer:
        assert with_thinking_apart(plain).text == answer
    if "<" not in thinking + answer:
        found, kept = apart(f"<think>{thinking}</think>{answer}")
        assert (found, kept) == (answer.lstrip(), thinking.strip())


@pytest.mark.slow
def test_a_million_marks_cost_no_more_than_their_length() -> None:
    answer, thinking = apart("</think>" * 10**6 + "B")
    assert (answer, thinking) == ("B", "")
    assert apart("<think> </think>" * 10**5 + "<think>") == ("", "")


def test_a_run_keeps_thinking_and_is_truncated_within_it(tmp_path, capsys) -> None:
    base = {"options": ["C", "D"], "answer": "B"}
    path = jsonl(
        tmp_path / "q.jsonl", *({**base, "id": f"q{n}", "question": f"{n}?"} for n in "01")
    )

    def answer(call):
        if "0?" in call.text:
            return completion("<think>A? No.</think>Answer: B")
        return completion("<think>The answer is A. Answer: A. But then", "length")

    with ChatServer(answer) as server:
        call = ["run", str(path), "-m", server.spec, "--out", str(tmp_path / "run"), "--quiet"]
        assert main([*call, "--thinking", "low"]) == 0
        assert server.seen[-1].body["reasoning_effort"] == "low"
    first, second = sorted(read_records(tmp_path / "run"), key=lambda record: record.id)
    assert (first.verdict.state, first.exchange.final.text) == ("correct", "Answer: B")
    assert first.exchange.final.detail["reasoning"] == "A? No."
    assert (second.verdict.state, second.exchange.final.text) == ("truncated", "")
    assert "Answer: A" in second.exchange.final.detail["reasoning"]


def test_thinking_is_a_setting_of_a_run_and_older_runs_go_on(tmp_path, capsys) -> None:
    row = {"question": "?", "options": ["C", "D"], "answer": "B"}
    path = jsonl(tmp_path / "q.jsonl", row)
    with ChatServer(lambda call: "B") as server:
        call = ["run", str(path), "-m", server.spec, "--out", str(tmp_path / "run"), "--quiet"]
        assert main(call) == 0
        assert '"thinking":null' not in (tmp_path / "run/run.json").read_text().replace(" ", "")
        assert main(call) == 0
        assert server.calls == 1
        assert "sampling.thinking" in refused(capsys, *call, "--thinking", "high")
