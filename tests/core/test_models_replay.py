"""Answers produced elsewhere."""

import asyncio
import contextlib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.errors import InputError, ModelError
from zhiyin.models.replay import ReplayModel
from zhiyin.record import Exchange, Record, Reply, Sampling, Turn, Verdict
from zhiyin.trial import Trial, say


def write(folder: Path, *lines: object) -> ReplayModel:
    path = folder / "answers.jsonl"
    texts = [
        line if isinstance(line, str) else msgspec.json.encode(line).decode() for line in lines
    ]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return ReplayModel(str(path))


def ask(model: ReplayModel, name: str) -> Reply:
    return asyncio.run(model.generate((), Sampling(), Trial(name, ())))


def test_what_is_missing_and_what_is_left_over_is_said(tmp_path: Path) -> None:
    model = write(tmp_path, *({"id": f"q{i}", "text": "A"} for i in range(9)))
    ask(model, "q0")
    for _ in range(2):
        with pytest.raises(ModelError, match=r"no answer for this trial in .*answers\.jsonl"):
            ask(model, "z")
    unused, missing = model.report()
    assert "8 of 9 answers were not asked for (q1, q2, q3, q4, q5, ...)" in str(unused)
    assert "no answer for 1 of the trials (z)" in missing


def record(name: str, *texts: str, error: str | None = None) -> Record:
    turns = tuple(Turn(Reply(text, usage={"total_tokens": 4})) for text in texts)
    state = "error" if error else "correct"
    return Record(
        name, Verdict(state, None), Trial(name, (say("user", "?"),)), Exchange(turns), error
    )


def test_the_records_of_a_run(tmp_path: Path) -> None:
    write(
        tmp_path,
        record("talk", "one", "two"),
        record("late", error="timeout"),
        record("late", "came"),
        record("lost", error="timeout"),
        record("unscored", "kept", error="scoring failed"),
    )
    (tmp_path / "answers.jsonl").rename(tmp_path / "records.jsonl")
    model = ReplayModel(str(tmp_path))
    assert [ask(model, "talk").text, ask(model, "talk").text] == ["one", "two"]
    with pytest.raises(ModelError, match="call 3 of this trial"):
        ask(model, "talk")
    assert ask(model, "late") == Reply("came", usage={"total_tokens": 4})
    assert ask(model, "unscored").text == "kept"
    with pytest.raises(ModelError, match="it failed: timeout"):
        ask(model, "lost")


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reading(tmp_path_factory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("replay") / "answers.jsonl"
    path.write_bytes(b'{"id": "first", "text": "A"}\n' + data)
    with contextlib.suppress(InputError):
        assert ask(ReplayModel(str(path)), "first").text == "A"
