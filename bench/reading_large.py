"""How reading a run grows with its length: processor time and peak memory of what reads logs.

    python bench/reading_large.py [--trials N ...] [--runs RUN RUN]

Writes runs of made-up records with conversations of two turns (0.8 kB each), reads each in a
process of its own, and prints the time by trial against that of the smallest run: 1.0 is linear.
Beside it stands how much longer it takes than the baseline, a process that decodes each line of
the log and counts the right answers. "first" begins without a cache, everything else with the
table that it left there. With --runs, two runs that are there are read, and none are written.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from zhiyin.engine.folder import Manifest


def write_run(folder: Path, n: int, seed: int) -> None:
    """A run of `n` records; runs of other seeds ask the same."""
    draw = random.Random(seed)
    folder.mkdir(parents=True)
    name = f"model-{seed}"
    manifest = Manifest("synthetic", name, {"model": name}, {}, n)
    (folder / "run.json").write_bytes(msgspec.json.encode(manifest))
    encode = msgspec.json.Encoder().encode
    with (folder / "records.jsonl").open("wb") as log:
        for number in range(n):
            log.write(encode(_record(number, draw)) + b"\n")


def _record(number: int, draw: random.Random) -> dict[str, object]:
    target, letter = "ABCD"[number % 4], draw.choice("ABCD")
    low, size = number % 61 + 30, number % 12 + 1
    stem = f"Item {number}: how many semitones lie between MIDI notes {low} and {low + size}?"
    thought = f"The notes are {low} and {low + size}; counting up gives the distance. " * 4
    turns = [
        {"reply": {"text": text, "usage": {"prompt_tokens": draw.randrange(60, 300),
                                           "completion_tokens": draw.randrange(5, 200)}}}
        for text in (thought, f"The answer is {letter}.")
    ]  # fmt: skip
    trial = {
        "id": f"synthetic/{number}",
        "messages": [{"role": "user", "parts": [{"type": "text", "text": stem}]}],
        "stem": stem,
        "options": [[key, str((size + place) % 13), key] for place, key in enumerate("ABCD")],
        "target": target,
        "groups": [f"interval/{size}"],
    }
    state = "correct" if letter == target else "wrong"
    verdict = {"state": state, "answer": letter, "letter": letter, "policy": "robust@4"}
    return {"id": trial["id"], "verdict": verdict, "trial": trial, "exchange": {"turns": turns}}


BARE = """
import sys, msgspec
with open(sys.argv[1], "rb") as log:
    print(sum(msgspec.json.decode(line)["verdict"]["state"] == "correct" for line in log))
"""


def measured(place: Path, *words: str) -> tuple[float, float]:
    """Processor seconds and peak memory in MB of one process with the cache of a place."""
    process = subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.DEVNULL,
        env=os.environ | {"ZHIYIN_CACHE": str(place / "cache")},
    )
    _, status, used = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, words
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def commands(runs: list[Path], place: Path) -> dict[str, list[object]]:
    """What is measured: its name, and the words of the command."""
    table = place / "run.parquet"
    return {
        "first": ["show", runs[0], "--json"],
        "show": ["show", runs[0], "--json"],
        "compare": ["compare", *runs],
        "report": ["report", runs[0], "--no-figures", "-o", place / "report"],
        "leaderboard": ["leaderboard", place / "runs", "-o", place / "board"],
        "export": ["export", runs[0], "--to", "parquet", "-o", table],
    }


def measure(runs: list[Path], place: Path) -> dict[str, tuple[float, float, float]]:
    """Of each command the seconds, the peak memory, and how many times the baseline it takes."""
    bare, _ = measured(place, "-c", BARE, str(runs[0] / "records.jsonl"))
    found = {}
    for command, words in commands(runs, place).items():
        if command == "leaderboard" and not (place / "runs").is_dir():  # of runs that were there
            continue
        seconds, peak = measured(place, "-m", "zhiyin", *map(str, words))
        found[command] = seconds, peak, seconds / bare
    return found


def main() -> None:
    """Measure each size, and hold it against the smallest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, nargs="+", default=[14_334, 100_000, 1_000_000])
    parser.add_argument("--runs", type=Path, nargs=2)
    args = parser.parse_args()
    first: dict[str, float] = {}
    empty: dict[str, float] = {}
    for n in (100, *args.trials) if args.runs is None else (0,):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            runs = args.runs or [place / "runs" / name for name in ("one", "two")]
            for seed, run in enumerate(runs if n else ()):
                write_run(run, n, seed)
            for command, (seconds, peak, ratio) in measure(runs, place).items():
                if n == 100:  # what starting costs is no matter of the size
                    empty[command] = seconds
                    continue
                line = f"{command:11} {seconds:6.2f} s, peak {peak:5,.0f} MB, {ratio:.2f} of bare"
                if n:
                    by_trial = (seconds - empty[command]) / n
                    times = by_trial / first.setdefault(command, by_trial)
                    line = f"{n:>9,} trials: {line}, by trial {times:.2f} of the smallest"
                print(line, flush=True)


if __name__ == "__main__":
    main()
