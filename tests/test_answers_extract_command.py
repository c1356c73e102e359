"""`zhiyin extract`: JSON lines in, JSON lines out."""

import argparse
import io
import json
import sys

import pytest

from zhiyin.cli import extract
from zhiyin.errors import InputError


def run(monkeypatch, capfdbinary, lines, *flags):
    parser = argparse.ArgumentParser()
    extract.configure(parser)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines), encoding="ascii"))
    status = extract.execute(parser.parse_args(list(flags)))
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
    assert out.startswith("robust@4")
    assert len(out.splitlines()) == 11
    with pytest.raises(InputError, match="did you mean flexible"):
        run(monkeypatch, capfdbinary, b"", "--policy", "flexble")


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b'"text"',
        b'{"options": 4}',
        b'{"text": 3}',
        b'{"text": "B", "options": "ABCD"}',
        b'{"text": "B", "options": 27}',
        b'{"text": "B", "options": 0}',
        b'{"text": "B", "options": true}',
        b'{"text": "B", "options": [1, 2]}',
        b'{"text": "\xff"}',
    ],
)
def test_a_bad_line_is_named(monkeypatch, capfdbinary, line):
    with pytest.raises(InputError, match=r"^standard input line 2: ") as caught:
        run(monkeypatch, capfdbinary, b'{"text": "B"}\n' + line + b"\n")
    assert "\n" not in str(caught.value)
    assert capfdbinary.readouterr().out
