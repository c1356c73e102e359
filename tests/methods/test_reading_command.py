"""`zhiyin reading`: a policy scored against marked replies."""

from __future__ import annotations

import argparse
import io
import json
import sys

import pytest

from conftest import REPOSITORY
from zhiyin.cli import main
from zhiyin.cli.extract import extract
from zhiyin.cli.functions import add_parameters, call
from zhiyin.contract.policies import open_policy, policies
from zhiyin.errors import InputError
from zhiyin.statistics.intervals import wilson
from zhiyin.trial import Option

OPTIONS = ["Piano", "Violin", "Drums", "Flute"]
ROWS = [
    {"text": "B", "expect": "B", "kind": "bare", "lang": "en"},
    {"text": "The answer is C.", "expect": "C", "kind": "declared", "lang": "en"},
    {"text": "答案是D。", "expect": "D", "kind": "declared", "lang": "zh"},
    {"text": "It could be A or B.", "expect": None, "kind": "open", "lang": "en"},
    {"text": "Nice music.", "expect": "A", "kind": "marked badly", "lang": "en"},
    {"text": "The answer is A.", "expect": None, "kind": "marked badly", "lang": "en"},
    {"text": "The answer is A.", "expect": "B", "kind": "marked badly", "lang": "en"},
]


def write(path, rows):
    lines = [json.dumps({"options": OPTIONS, "set": "ours", **row}) for row in rows]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


@pytest.fixture
def file(tmp_path):
    return write(tmp_path / "marked.jsonl", ROWS)


def zhiyin(capsys, *arguments):
    status = main(["reading", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_counts_and_intervals(capsys, file):
    status, out, _ = zhiyin(capsys, file, "--json")
    (found,) = json.loads(out)["policies"]
    told = found["all"]
    assert status == 0
    assert (told["n"], told["right"], told["misses"], told["false_guesses"], told["wrong"]) == (
        7, 4, 1, 1, 1,
    )  # fmt: skip
    assert (told["with_answer"], told["without_answer"]) == (5, 2)
    whole, guesses = wilson(4, 7), wilson(1, 2)
    assert told["right_ci95"] == pytest.approx([whole.low, whole.high])
    assert told["false_guesses_ci95"] == pytest.approx([guesses.low, guesses.high])
    groups = {(g["by"], g["group"]): g for g in found["groups"]}
    assert groups["lang", "zh"]["right"] == 1
    assert groups["kind", "marked badly"]["n"] == 3
    assert not any(by == "set" for by, _ in groups)  # one set splits nothing


def test_the_table_says_of_what_each_share_is(capsys, file):
    _, out, _ = zhiyin(capsys, file)
    words = " ".join(out.split())
    assert "robust@6: 4 of 7 read right; 1 of 5 with an answer missed" in words
    assert "1 of 2 without one guessed falsely" in words
    assert "by kind" in out
    assert all(len(line) <= 80 for line in out.splitlines()[:-2] if not line.startswith("  robust"))


def test_every_disagreement_is_one_line_with_its_why(capsys, file):
    _, out, _ = zhiyin(capsys, file, "--errors")
    errors = [line for line in out.splitlines() if line.startswith(file)]
    assert [line.removeprefix(f"{file}:").split(":")[0] for line in errors] == ["5", "6", "7"]
    assert "miss: read none, marked A" in errors[0]
    assert "false guess: read A, marked none: " in errors[1]
    assert "wrong: read A, marked B" in errors[2]


def test_policies_are_compared_on_the_same_replies(capsys, file):
    _, out, _ = zhiyin(capsys, file, "--policy", "robust,first-letter", "--json")
    found = json.loads(out)
    assert [one["policy"].split("@")[0] for one in found["policies"]] == ["robust", "first-letter"]
    rule = open_policy("first-letter")
    options = tuple(Option(c, t, c) for c, t in zip("ABCD", OPTIONS, strict=True))
    right = sum(rule.extract(row["text"], options).letter == row["expect"] for row in ROWS)
    assert found["policies"][1]["all"]["right"] == right
    (difference,) = found["differences"]
    assert difference["only_first"] - difference["only_second"] == 4 - right
    assert 0 < difference["p"] <= 1
    _, table, _ = zhiyin(capsys, file, "--policy", "robust", "--policy", "first-letter")
    assert "McNemar's exact test" in " ".join(table.split())


def test_replies_of_one_make_widen_the_interval(capsys, tmp_path):
    rows = [{"text": "B", "expect": "B" if n < 20 else "C"} for n in range(40)]
    alone = write(tmp_path / "alone.jsonl", rows)
    made = [{**row, "cluster": f"template {n // 10}"} for n, row in enumerate(rows)]
    together = write(tmp_path / "together.jsonl", made)
    ends = []
    for file in (alone, together):
        _, out, _ = zhiyin(capsys, file, "--json", "--policy", "robust,first-letter")
        found = json.loads(out)
        low, high = found["policies"][0]["all"]["right_ci95"]
        ends.append(high - low)
        p = found["differences"][0]["p"]
    assert ends[1] > 2 * ends[0]
    assert p is None  # a test of single replies would be false of clusters


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON"),
        ('{"options": ["a"], "expect": null}', '"text"'),
        ('{"text": "A", "options": 4, "expect": "A"}', '"options"'),
        ('{"text": "A", "options": [], "expect": "A"}', '0 "options"'),
        ('{"text": "A", "options": ["x", "y"]}', '"expect"'),
        ('{"text": "A", "options": ["x", "y"], "expect": "C"}', "A, B"),
        ('{"text": "A", "options": ["x", "y"], "expect": 1}', "one letter"),
        ('{"text": "\\ud800", "options": ["x"], "expect": null}', "not JSON"),
    ],
)
def test_a_bad_line_is_named_by_file_and_line(capsys, tmp_path, line, said):
    path = tmp_path / "bad.jsonl"
    good = json.dumps({"text": "B", "options": OPTIONS, "expect": "B"})
    path.write_text(f"{good}\n\n{line}\n", "utf-8")
    status, out, err = zhiyin(capsys, str(path))
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert f"{path}:3" in err
    assert said in err


def test_nothing_to_read_is_said(capsys, tmp_path):
    (tmp_path / "empty.jsonl").write_text("\n")
    for arguments in ([str(tmp_path / "no.jsonl")], [str(tmp_path / "empty.jsonl")]):
        assert zhiyin(capsys, *arguments)[0] == 2
    assert zhiyin(capsys, str(tmp_path / "empty.jsonl"), "--policy", "robst")[0] == 2


@pytest.mark.slow
def test_the_projects_own_set(capsys):
    path = REPOSITORY / "tests" / "data" / "reading" / "open.jsonl"
    status, out, _ = zhiyin(capsys, str(path), "--json")
    told = json.loads(out)["policies"][0]["all"]
    assert status == 0
    assert told["n"] == len(path.read_text("utf-8").splitlines())
    assert told["right"] / told["n"] > 0.97


def run(monkeypatch, capfdbinary, lines, *flags):
    parser = argparse.ArgumentParser()
    add_parameters(parser, extract)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines), encoding="ascii"))
    status = call(extract, parser.parse_args(list(flags)))
    sys.stdout.flush()
    return status, capfdbinary.readouterr().out.decode()


def encoded(*asked):
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in asked)


def test_one_answer_a_line(monkeypatch, capfdbinary):
    lines = encoded(
        {"text": "答案是Ｂ", "options": ["古琴", "琵琶"]},
        {"text": "The answer is piano", "options": ["violin", "piano"]},
        {"text": "E"},
        {"text": "E", "options": 5},
        {"text": "\x00🎵 \u202eB\u202c", "options": []},
    )
    status, out = run(monkeypatch, capfdbinary, lines)
    assert status == 0
    assert [json.loads(line)["answer"] for line in out.splitlines()] == ["B", "B", None, "E", "B"]
    assert all(json.loads(line)["why"] for line in out.splitlines())


def test_the_policy_is_chosen_and_listed(monkeypatch, capfdbinary):
    flags = ("--policy", "first-letter")
    assert (
        '"answer":"A"' in run(monkeypatch, capfdbinary, encoded({"text": "Answer: C"}), *flags)[1]
    )
    out = run(monkeypatch, capfdbinary, b"", "--list")[1]
    assert out.startswith("robust@6")
    assert len(out.splitlines()) == len(policies())
    with pytest.raises(InputError, match="did you mean flexible"):
        run(monkeypatch, capfdbinary, b"", "--policy", "flexble")


@pytest.mark.parametrize(
    "line",
    [
        b"not json", b'"text"', b'{"options": 4}', b'{"text": 3}',
        b'{"text": "B", "options": "ABCD"}', b'{"text": "B", "options": 27}',
        b'{"text": "B", "options": 0}', b'{"text": "B", "options": true}',
        b'{"text": "B", "options": [1, 2]}', b'{"text": "\xff"}',
    ],
)  # fmt: skip
def test_a_bad_line_is_named(monkeypatch, capfdbinary, line):
    with pytest.raises(InputError, match=r"^standard input line 2: ") as caught:
        run(monkeypatch, capfdbinary, b'{"text": "B"}\n' + line + b"\n")
    assert "\n" not in str(caught.value)
    assert capfdbinary.readouterr().out
