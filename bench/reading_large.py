"""How reading a run grows with its length: processor time and peak memory of what reads logs.

    python bench/reading_large.py [--trials N ...]

Writes runs of made-up records with conversations of two turns (0.8 kB each), reads each in a
process of its own, and prints the time by trial against that of the smallest run: 1.0 is linear.
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


def measured(*words: str) -> tuple[float, float]:
    """Processor seconds and peak memory in MB of one command."""
    process = subprocess.Popen([sys.executable, "-m", "zhiyin", *words], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, words
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def commands(runs: list[Path], place: Path) -> dict[str, list[object]]:
    """What is measured: a command, and its words."""
    table = place / "run.parquet"
    return {
        "show": [runs[0]],
        "compare": [*runs],
        "report": [runs[0], "--no-figures", "-o", place / "report"],
        "leaderboard": [place, "-o", place / "board"],
        "export": [runs[0], "--to", "parquet", "-o", table],
    }


def main() -> None:
    """Measure each size, and hold it against the smallest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    sizes = parser.parse_args().trials
    first: dict[str, float] = {}
    empty: dict[str, float] = {}
    for n in (100, *sizes):
        with tempfile.TemporaryDirectory() as place:
            runs = [Path(place) / name for name in ("one", "two")]
            for seed, run in enumerate(runs):
                write_run(run, n, seed)
            for command, words in commands(runs, Path(place)).items():
                seconds, peak = measured(command, *map(str, words))
                if n == 100:  # what starting costs is no matter of the size
                    empty[command] = seconds
                    continue
                by_trial = (seconds - empty[command]) / n
                ratio = by_trial / first.setdefault(command, by_trial)
                print(
                    f"{n:>9,} trials: {command:11} {seconds:6.1f} s, peak {peak:5,.0f} MB, by "
                    f"trial {ratio:.2f} of the smallest",
                    flush=True,
                )


if __name__ == "__main__":
    main()
