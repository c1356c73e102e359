"""A whole run against a server that fails one call in five, in every way that servers do."""

import json
from pathlib import Path

import pytest

from servers import FAILURES, ChatServer
from zhiyin.cli import main
from zhiyin.engine.log import read_records

SMALL = Path(__file__).parent / "data" / "ziqi_small"


def run(server, out, capsys, *flags):
    command = [
        "run", "ziqi", "--data", str(SMALL), "--partial", "-m", server.spec, "--out", str(out),
        "--timeout", "0.5", "--concurrency", "8", "--json", *flags,
    ]  # fmt: skip
    status = main(command)
    return status, json.loads(capsys.readouterr().out)


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch):
    monkeypatch.setattr("zhiyin.engine.asking._FIRST_WAIT_S", 0.01)


def test_every_trial_is_answered_or_honestly_marked(tmp_path, capsys):
    with ChatServer(lambda call: "答案：B", fail=0.2, seed=5) as server:
        status, summary = run(server, tmp_path, capsys)
    assert len(server.failed) >= 4
    states = summary["states"]
    assert status == (1 if states["error"] else 0)
    assert sum(states.values()) == summary["trials"] == summary["planned"]
    assert states["refused"] == 0
    for record in read_records(tmp_path):
        if record.verdict.state in ("correct", "wrong"):
            assert record.verdict.answer == "B"
        elif record.verdict.state == "error":
            assert record.error
        else:
            assert record.verdict.state in ("truncated", "no_answer")


@pytest.mark.parametrize("kind", [k for k in FAILURES if k not in ("empty", "length")])
def test_what_fails_for_good_is_an_error_and_alone_asked_again(tmp_path, capsys, kind):
    """Without retries a fifth of the trials fail; a second run asks those and no others."""
    with ChatServer(lambda call: "答案：B", fail=0.2, kinds=(kind,), seed=1) as server:
        status, first = run(server, tmp_path, capsys, "--retries", "0")
        failed = first["states"]["error"]
        assert status == 1
        assert failed == sum(server.failed.values()) > 0
        assert first["groups"]["all"]["n"] == first["trials"] - failed
        server.fail, server.calls = 0.0, 0
        status, second = run(server, tmp_path, capsys, "--retries", "0")
    assert status == 0
    assert server.calls == failed
    assert second["states"]["error"] == 0
    assert second["complete"]
    lines = (tmp_path / "records.jsonl").read_bytes().splitlines()
    assert len(lines) == len({json.loads(line)["id"] for line in lines}) == second["trials"]
    assert (tmp_path / "failures.jsonl").read_bytes().count(b"\n") == failed
