"""Killing a run at any instant costs at most the replies in flight."""

import csv
import random
import signal
import subprocess
import sys
import time

import msgspec
import pytest

CATEGORIES = [
    "chinese_music_history",
    "chinese_traditional_music",
    "composition_theory",
    "female_music",
    "music_aesthetics",
    "music_education",
    "music_generation",
    "music_performance",
    "popular_music",
    "western_music_history",
    "world_ethnic_music",
]
COLUMNS = ["id", "question", "A", "B", "C", "D", "answer", "subtheme"]


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A set in ZIQI-Eval's layout, large enough that a kill lands in the middle."""
    data = tmp_path_factory.mktemp("ziqi")
    draw = random.Random(3)
    for part, questions in (("test", 1100), ("dev", 5)):
        (data / part).mkdir()
        for stem in CATEGORIES:
            with (data / part / f"{stem}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(COLUMNS)
                for i in range(questions):
                    notes = [f"{part} {stem} {i} {draw.random()}" for _ in range(4)]
                    writer.writerow([i, f"{part} {stem} {i}?", *notes, draw.choice("ABCD"), "x"])
    return data


def command(data, out):
    run = ["run", "ziqi", "--data", str(data), "-m", "first", "--out", str(out), "--quiet"]
    return [sys.executable, "-m", "zhiyin", *run]


def log_of(folder):
    return (folder / "records.jsonl").read_bytes()


def size_of(folder):
    log = folder / "records.jsonl"
    return log.stat().st_size if log.exists() else -1


def test_a_killed_run_ends_as_an_undisturbed_one(large, tmp_path):
    subprocess.run(command(large, tmp_path / "whole"), check=True, capture_output=True)
    undisturbed = log_of(tmp_path / "whole")
    draw, killed_inside = random.Random(11), 0
    for attempt in range(10):
        out = tmp_path / f"killed{attempt}"
        for _ in range(2):
            process = subprocess.Popen(
                command(large, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            wanted = draw.uniform(0, 0.8) * len(undisturbed)
            while process.poll() is None and size_of(out) < wanted:
                time.sleep(0.0005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed_inside += 0 < size_of(out) < len(undisturbed)
        subprocess.run(command(large, out), check=True, capture_output=True)
        assert log_of(out) == undisturbed
    assert killed_inside >= 5, "no kill landed inside a run: make the set larger"
    ids = [msgspec.json.decode(line)["id"] for line in undisturbed.splitlines()]
    assert len(ids) == len(set(ids)) == 1100 * len(CATEGORIES)
