"""Two engines asked the same: agreement, its interval, kappa, and where they differ."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from probe_help import ear
from questions_help import jsonl, refused, tone
from servers import ChatServer, _json
from zhiyin.cli import main
from zhiyin.contract import Benchmark
from zhiyin.contract.registry import given
from zhiyin.engine.folder import read_records
from zhiyin.plugins.lab.parity import Intervals, compare_engines
from zhiyin.plugins.methods.agreement import cohen_kappa
from zhiyin.statistics.intervals import wilson
from zhiyin.trial import Option, Trial

pytestmark = pytest.mark.slow


def run(capsys, *arguments, status=0):
    capsys.readouterr()
    assert main(["parity", *map(str, arguments), "--json"]) == status
    return json.loads(capsys.readouterr().out)


def test_another_benchmark_of_the_name_is_not_asked(tmp_path, capsys) -> None:
    class Other(Benchmark):
        name = "intervals"

        def trials(self):
            yield Trial("t", (), "Which?", (Option("A", "a", "A"), Option("B", "b", "B")), "A")

    for n, kind in enumerate((Intervals, Other)):
        given(kind)
        found = run(capsys, "random", "longest", "--out", tmp_path / str(n), "--n", 30)
        assert found["trials"] == 30


def test_agreement_kappa_and_interval_by_hand(tmp_path, capsys) -> None:
    found = run(capsys, "random", "longest", "--out", tmp_path / "out", "--n", 60)
    letters = [
        {r.id: r.verdict.letter for r in read_records(tmp_path / "out" / name)} for name in "12"
    ]
    assert letters[0].keys() == letters[1].keys()
    assert len(letters[0]) == found["trials"] == 60
    pairs = [(letters[0][name], letters[1][name]) for name in letters[0]]
    same = sum(a == b for a, b in pairs)
    by_hand = wilson(same, 60)
    assert found["answers"]["mean"] == pytest.approx(same / 60)
    assert (found["answers"]["low"], found["answers"]["high"]) == pytest.approx(
        (by_hand.low, by_hand.high)
    )
    kappa = cohen_kappa(*(list(one) for one in zip(*pairs, strict=True)))
    assert found["kappa"]["kappa"] == pytest.approx(kappa.kappa)
    assert len(found["differences"]) == 60 - same
    for one in found["differences"]:
        assert one["letters"] == [letters[0][one["id"]], letters[1][one["id"]]]


def test_an_engine_agrees_with_itself_and_pays_nothing_twice(tmp_path, capsys) -> None:
    with ChatServer("B") as server:
        found = run(capsys, server.spec, server.spec, "--out", tmp_path / "out", "--n", 8)
        assert server.calls == 16
        assert found["answers"]["mean"] == found["texts"]["mean"] == 1
        assert found["answers"]["low"] == pytest.approx(wilson(8, 8).low)
        assert found["differences"] == []
        assert run(capsys, server.spec, server.spec, "--out", tmp_path / "out", "--n", 8) == found
        assert server.calls == 16
        assert main(["compare", str(tmp_path / "out/1"), str(tmp_path / "out/2")]) == 0


def test_words_may_differ_where_answers_do_not(tmp_path, capsys) -> None:
    with ChatServer("Answer: B") as one, ChatServer("I take it to be so.\nAnswer: B") as two:
        found = run(capsys, one.spec, two.spec, "--out", tmp_path / "out", "--n", 5)
        assert found["answers"]["mean"] == 1
        assert found["texts"]["mean"] == 0
        assert main(["parity", one.spec, two.spec, "--out", str(tmp_path / "out"), "--n", "5"]) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert "the same option in 100.0 % of 5 trials" in out
        assert "the same words in 0.0 % of 5" in out


def test_what_holds_no_answer_is_counted_and_is_no_agreement(tmp_path, capsys) -> None:
    """Of ten items: two unread by both, three by one alone, the rest alike."""
    rows = [
        {"id": f"q{n}", "question": f"Which is number {n}?", "A": "do", "B": "re", "answer": "A"}
        for n in range(10)
    ]
    path = jsonl(tmp_path / "mine.jsonl", *rows)

    def answers(unread):
        return lambda call: "?" if int(call.text.split("?")[0][-1]) in unread else "Answer: A"

    with ChatServer(answers({0, 1})) as one, ChatServer(answers({0, 1, 2, 3, 4})) as two:
        found = run(capsys, one.spec, two.spec, "--on", path, "--out", tmp_path / "out")
    assert found["unread"] == 2
    assert found["answers"]["n"] == 8
    assert found["answers"]["mean"] == pytest.approx(5 / 8)
    assert found["kappa"]["n"] == 5
    assert found["texts"]["mean"] == pytest.approx(7 / 10)
    assert [one["letters"] for one in found["differences"]] == [["A", None]] * 3


def test_trials_that_fail_are_left_out_and_counted(tmp_path, capsys) -> None:
    def answer(call):
        if "E" in call.text.split("\n")[0][:30].replace("Ex", ""):
            return _json({"error": {"message": f"no: {random.random()}"}}, 422)
        return "A"

    with ChatServer(answer) as one, ChatServer("A") as two:
        arguments = ("--out", tmp_path / "out", "--n", 30, "--retries", 0)
        found = run(capsys, one.spec, two.spec, *arguments, status=1)
    assert found["left_out"] > 0
    assert found["trials"] + found["left_out"] == 30


def test_trials_that_hang_together_widen_the_interval_and_kappa_has_none(tmp_path, capsys) -> None:
    draw = np.random.default_rng(1)
    rows, right = [], {}
    for track in range(12):
        alike = bool(draw.random() < 0.5)
        for n in range(6):
            rows.append({"id": f"t{track}q{n}", "question": f"Track {track}, number {n}?",
                         "A": "do", "B": "re", "answer": "A", "cluster": f"t{track}"})  # fmt: skip
            right[f"Track {track}, number {n}?"] = alike
    path = jsonl(tmp_path / "mine.jsonl", *rows)

    def second(call):
        return "Answer: A" if right[call.text.split("\n")[0]] else "Answer: B"

    arguments = ("--on", path, "--columns", "cluster=cluster", "--n", 100)
    with ChatServer("Answer: A") as one, ChatServer(second) as two:
        found = run(capsys, one.spec, two.spec, *arguments, "--out", tmp_path / "out")
    share = found["answers"]
    assert share["clusters"] == 12
    alone = wilson(share["mean"] * 72, 72)
    assert share["high"] - share["low"] > 1.8 * (alone.high - alone.low)
    assert found["kappa"]["low"] is None


def test_a_deaf_server_is_told_of_and_sound_is_asked(tmp_path, capsys) -> None:
    rows = [
        {"id": f"q{n}", "question": "Which?", "A": "do", "B": "re", "answer": "A",
         "audio": tone(tmp_path / f"{n}.wav", 300 + 50 * n).name}
        for n in range(3)
    ]  # fmt: skip
    path = jsonl(tmp_path / "mine.jsonl", *rows)
    with ChatServer(ear) as one, ChatServer("A") as two:
        found = run(capsys, one.spec, two.spec, "--on", path, "--out", tmp_path / "out")
    (warned,) = found["warnings"]
    assert "/2: the canary failed" in warned


def test_bad_words_are_one_line(tmp_path, capsys) -> None:
    assert "write `zhiyin parity SPEC SPEC" in refused(capsys, "parity", "first")
    assert "--on names no benchmark" in refused(capsys, "parity", "first", "random", "--on")
    assert "say --n" in refused(capsys, "parity", "first", "random", "--limit", 3)
    assert "unknown benchmark" in refused(capsys, "parity", "first", "random", "--on", "zigi")
    with ChatServer("A") as server:
        assert "unknown model" in refused(capsys, "parity", server.spec, "randon")
        assert "cannot reach" in refused(capsys, "parity", server.spec, "http://127.0.0.1:9/v1#m")
        assert server.calls == 0
    jsonl(tmp_path / "none.jsonl", {"id": "x", "text": "A"})
    line = refused(capsys, "parity", "first", f"replay:{tmp_path}/none.jsonl")
    assert "none of its 1 ids" in line


def test_benchmarks_bring_their_own_flags(tmp_path, capsys) -> None:
    arguments = ("--on", "perception", "--task", "chords", "--n", 4, "--out", tmp_path / "out")
    found = run(capsys, "first", "random", *arguments)
    assert found["trials"] == 4
    assert compare_engines(tmp_path / "out/1", tmp_path / "out/1").answers.mean == 1
    again = ("--on=perception", *arguments[2:-1], tmp_path / "again")
    assert run(capsys, "first", "random", *again)["trials"] == 4
