"""What a table and a leaderboard of many runs take, against decoding the same logs once.

    python bench/many_runs.py [--runs 20 300] [--items 400]

Writes made-up runs, and prints seconds of computing beside those of the baseline, a loop that
decodes each line of each log, and how many times as long that is.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import msgspec
import numpy as np

from report_help import LETTERS, answered, choice, write_run
from zhiyin.engine.folder import RECORDS
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.report.paper_table import paper_table


def computing(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def measure(runs: int, items: int) -> None:
    draw = np.random.default_rng(0)
    trials = [choice(n) for n in range(items)]
    with tempfile.TemporaryDirectory() as place:
        folders = []
        for n in range(runs):
            right = draw.random(items) < 0.3 + 0.5 * n / runs
            records = [
                answered(t, LETTERS[(LETTERS.index(str(t.target)) + int(not ok)) % 4])
                for t, ok in zip(trials, right, strict=True)
            ]
            folders.append(write_run(Path(place) / f"m{n:03}", f"model-{n:03}", records))

        def decode() -> None:
            for folder in folders:
                for line in (folder / RECORDS).read_bytes().splitlines():
                    msgspec.json.decode(line)

        base = computing(decode)
        for name, work in (
            ("table", lambda: paper_table(folders)),
            ("leaderboard", lambda: build(place)),
        ):
            spent = computing(work)
            print(
                f"{name} of {runs} runs: {spent:.2f} s, {spent / base:.1f} x decoding", flush=True
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=[20, 300])
    parser.add_argument("--items", type=int, default=400)
    chosen = parser.parse_args()
    for size in chosen.runs:
        measure(size, chosen.items)
