"""Killing a run at any instant costs at most the replies in flight."""

import random
import signal
import time

import msgspec
import pytest

import warm
from ziqi_layout import CATEGORIES, write_ziqi


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A set large enough that a kill lands in the middle."""
    return write_ziqi(tmp_path_factory.mktemp("ziqi"), 1100)


def command(data, out):
    return ["run", "ziqi", "--data", str(data), "-m", "first", "--out", str(out), "--quiet"]


def log_of(folder):
    return (folder / "records.jsonl").read_bytes()


def size_of(folder):
    log = folder / "records.jsonl"
    return log.stat().st_size if log.exists() else -1


@pytest.mark.parametrize("runs", [2, pytest.param(10, marks=pytest.mark.trust)])
def test_a_killed_run_ends_as_an_undisturbed_one(large, tmp_path, runs):
    warm.run(command(large, tmp_path / "whole"), check=True)
    undisturbed = log_of(tmp_path / "whole")
    draw, killed_inside = random.Random(11), 0
    for attempt in range(runs):
        out = tmp_path / f"killed{attempt}"
        for _ in range(2):
            process = warm.Started(command(large, out))
            wanted = draw.uniform(0, 0.8) * len(undisturbed)
            while process.poll() is None and size_of(out) < wanted:
                time.sleep(0.0005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed_inside += 0 < size_of(out) < len(undisturbed)
        warm.run(command(large, out), check=True)
        assert log_of(out) == undisturbed
    assert killed_inside >= runs / 2, "no kill landed inside a run: make the set larger"
    ids = [msgspec.json.decode(line)["id"] for line in undisturbed.splitlines()]
    assert len(ids) == len(set(ids)) == 1100 * len(CATEGORIES)
