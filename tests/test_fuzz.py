"""Bytes that were found hard to read, and small changes of them, break no reader."""

import importlib.util
import json
import random
from pathlib import Path

import pytest

from conftest import REPOSITORY
from fuzz_targets import TARGETS

KEPT = Path(__file__).parent / "data" / "fuzz"
CHANGES = 20


def _changed(data: bytes, draw: random.Random) -> bytes:
    """One to four cuts, doublings, swaps and other bytes."""
    found = bytearray(data)
    for _ in range(draw.randint(1, 4)):
        start = draw.randrange(len(found) + 1)
        end = min(len(found), start + draw.choice((1, 1, 2, 8, 40)))
        way = draw.randrange(4)
        if way == 0:
            del found[start:end]
        elif way == 1:
            found[start:start] = found[start:end]
        elif way == 2:
            found[start:end] = draw.randbytes(end - start)
        else:
            found[start:end] = draw.choice((b"\0", b"-1", b"9" * 30, b"\xff\xfe", b'"', b"\n"))
    return bytes(found)


@pytest.mark.parametrize("name", TARGETS)
def test_kept_and_changed_bytes(name):
    target, draw = TARGETS[name], random.Random(name)
    kept = sorted((KEPT / name).glob("*"))
    assert kept or name == "spreadsheets"
    for path in kept:
        data = path.read_bytes()
        target(data)
        for _ in range(6 if name == "study" else CHANGES):  # requests take longer
            target(_changed(data, draw))
    for data in (b"", b"\0", b"\xff" * 9, b"\1{", b"[" * 100_000):
        target(data)


def test_every_kept_folder_is_a_target():
    assert {path.name for path in KEPT.iterdir()} <= set(TARGETS)


def test_the_page_tells_what_is_on_record():
    """`python bench/fuzz.py --table` is the table of docs/trust.md."""
    spec = importlib.util.spec_from_file_location("fuzz", REPOSITORY / "bench" / "fuzz.py")
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    page = (REPOSITORY / "docs" / "trust.md").read_text("utf-8")
    assert "\n".join(bench.table()) in page
    goes = [json.loads(line) for line in bench.RECORD.read_text("utf-8").splitlines()]
    assert {go["target"] for go in goes} <= set(TARGETS)
