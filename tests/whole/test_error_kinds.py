"""What ends a command has a kind, for programs that act on it: `kind_of`, and docs/json.md."""

import json
import os
import re

import pytest

from conftest import REPOSITORY
from paying import MODEL, PayServer
from zhiyin.cli import main
from zhiyin.errors import (
    InputError,
    ServerError,
    SetupError,
    TakenError,
    UnfitError,
    imported,
    kind_of,
    reworded,
)

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


def test_a_full_disk_is_known_through_other_words():
    for number in (28, 30, 13):  # full, read-only, not allowed
        with pytest.raises(InputError) as told, reworded("x: cannot be written ("):
            raise OSError(number, os.strerror(number), "x")
        assert kind_of(told.value) == "disk"
    with pytest.raises(InputError) as told, reworded("x: cannot be read ("):
        raise FileNotFoundError(2, "No such file", "x")
    assert kind_of(told.value) == "input"
    assert kind_of(OSError(28, "No space left on device")) == "disk"


def test_kinds_of_errors():
    with pytest.raises(SetupError) as told:
        imported("no_such_module_here", "nothing", "none")
    assert kind_of(told.value) == "setup"
    kinds = {ServerError("x"): "server", UnfitError("x"): "unfit", TakenError("x"): "busy",
             MemoryError(): "memory", KeyboardInterrupt(): "interrupted"}  # fmt: skip
    assert {kind_of(error) for error in kinds} == set(kinds.values())
    with pytest.raises(InputError) as told, reworded("suite.toml:1: ", of=TakenError):
        raise TakenError("busy")
    assert kind_of(told.value) == "busy", "an error that is worded anew keeps its kind"


def test_every_kind_is_documented():
    page = (REPOSITORY / "docs" / "json.md").read_text("utf-8")
    documented = set(re.findall(r"^\| `(\w+)` \|", page.split("| kind | means |")[1], re.M)[:8])
    own = {each.kind for each in (InputError, SetupError, ServerError, UnfitError, TakenError)}
    assert documented == own | {"disk", "memory", "interrupted"}


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
