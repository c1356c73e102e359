"""What ends a command has a kind, for programs that act on it: `kind_of`, and docs/json.md."""

import os
import re

import pytest

from conftest import REPOSITORY
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
