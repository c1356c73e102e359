"""How long a mixed model takes: 6,000 simulated answers, from the table to every figure.

Run ``python bench/glmm.py [--rows N] [--models M] [--perfect]``; prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time

import numpy as np
from scipy.special import expit

from zhiyin.plugins.methods.table import Observations, fit_glmm


def simulate(rows: int, models: int, perfect: bool) -> Observations:
    """Answers of some models to audio and MIDI of 100 stimuli."""
    random = np.random.default_rng(1)
    model, modality = random.integers(models, size=rows), random.integers(2, size=rows)
    stimulus = random.integers(100, size=rows)
    odds = 0.3 - 0.2 * model + modality * (1.5 - 0.3 * model)
    right = random.random(rows) < expit(odds + random.normal(0, 0.7, 100)[stimulus])
    if perfect:
        right |= (model == 0) & (modality == 1)
    columns: dict[str, list[str | None]] = {
        "correct": [str(int(value)) for value in right],
        "model": [f"model{value}" for value in model],
        "modality": [("audio", "midi")[value] for value in modality],
        "stimulus": [f"s{value}" for value in stimulus],
    }
    return Observations("simulated", columns, list(range(rows)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=6000)
    parser.add_argument("--models", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--perfect", action="store_true", help="model0 gets every MIDI right")
    args = parser.parse_args()
    table = simulate(args.rows, args.models, args.perfect)
    seconds = []
    for _ in range(args.repeats):
        started = time.perf_counter()
        fit_glmm(table)
        seconds.append(time.perf_counter() - started)
    result = {**vars(args), "median_s": statistics.median(seconds), "seconds": seconds}
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
