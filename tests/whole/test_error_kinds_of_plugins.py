"""What ends a command has a kind, for programs that act on it: `kind_of`, and docs/json.md."""

import json

from paying import MODEL, PayServer
from zhiyin.cli import main

BODIES = ("run", "bodies", "--body", "abc", "--n", "1", "--skill", "pitch")
CLOSED = "http://127.0.0.1:9/v1#any"


def kind(capsys, *words):
    assert main([*map(str, words), "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert told.keys() == {"error", "kind"}
    return told["kind"]


def test_commands_tell_the_kinds_apart(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("ZHIYIN_API_KEY", raising=False)
    assert kind(capsys, "run", "bodies", "--n", "none", "-m", "first") == "input"
    assert kind(capsys, *BODIES, "-m", "openai:gpt-4o", "--out", tmp_path / "a") == "setup"
    assert kind(capsys, *BODIES, "-m", CLOSED, "--out", tmp_path / "b") == "server"


def test_a_suite_tells_the_kind_of_a_run_that_cannot_begin(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    file = tmp_path / "a.toml"
    file.write_text(
        'name = "a"\n[[models]]\nmodel = "openai:gpt-4o"\n'
        '[[benchmarks]]\nbenchmark = "bodies"\nflags = { body = "abc", n = 1 }\n'
    )
    assert kind(capsys, "suite", file, "--out", tmp_path / "s") == "setup"


def test_a_plan_of_a_suite_sends_nothing(tmp_path, capsys, monkeypatch):
    """And a run's dry run has tokens counted only where there is a price for them."""
    monkeypatch.setenv("ZHIYIN_PRICES", str(tmp_path / "prices"))
    file = tmp_path / "a.toml"
    with PayServer() as server:
        file.write_text(
            f'name = "a"\n[[models]]\nmodel = "{server.spec}"\n'
            '[[benchmarks]]\nbenchmark = "bodies"\nflags = { body = "abc", n = 1 }\n'
        )
        assert main(["suite", str(file), "--out", str(tmp_path / "s"), "--dry-run"]) == 0
        assert main([*BODIES, "-m", server.spec, "--dry-run"]) == 0
        assert (server.counted, server.calls) == (0, 0)
        assert MODEL in server.spec


def test_runs_that_do_not_apply_are_counted_apart(tmp_path, capsys, monkeypatch):
    file = tmp_path / "a.toml"
    file.write_text(
        'name = "a"\n[[models]]\nmodel = "first"\n'
        '[[benchmarks]]\nbenchmark = "bodies"\nflags = { body = "abc", n = 1, skill = "pitch" }\n'
        '[[benchmarks]]\nbenchmark = "mmar"\noptional = true\n'
    )
    monkeypatch.chdir(tmp_path)
    assert main(["suite", str(file), "--out", "s", "--no-report", "--quiet"]) == 0
    assert "suite a: 1 of 1 runs done, 1 left out, in s" in capsys.readouterr().out
