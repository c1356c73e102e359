"""How often does a test cry wolf that is looked at after every answer? And how much does it save?

    python bench/always_valid.py [--runs 2000] [--items 1000]

Simulated: a share against a value that it has, two models that are equally good and often wrong on
the same items, items in clusters of one to five that are right or wrong together. "lower" is also
how often an effect is refuted that is just as large as the smallest one of interest. Beside it an
ordinary test at every answer. Last, models that are better than chance: how many items it took.
"""

from __future__ import annotations

import argparse

import numpy as np

from zhiyin.plugins.methods.betting import LEVEL, MeanWatch


def share(draw: np.random.Generator, runs: int, mean: float) -> tuple[np.ndarray, np.ndarray]:
    return (draw.random(runs) < mean).astype(float), np.ones(runs)


def pair(draw: np.random.Generator, runs: int, gap: float) -> tuple[np.ndarray, np.ndarray]:
    """A difference of two models on one item, from 0 to 1."""
    hard = draw.random(runs)
    a, b = (draw.random(runs) < np.clip(hard + own, 0, 1) for own in (gap, 0.0))
    same = draw.random(runs) < 0.5
    a = np.where(same & (gap == 0), b, a)
    return (1.0 + a - b) / 2, np.ones(runs)


def cluster(draw: np.random.Generator, runs: int, mean: float) -> tuple[np.ndarray, np.ndarray]:
    size = draw.integers(1, 6, runs).astype(float)
    together = draw.beta(4 * mean, 4 * (1 - mean), runs)
    return draw.binomial(size.astype(int), together).astype(float), size


def alarms(runs: int, items: int, seed: int = 1) -> list[float]:
    draw, found = np.random.default_rng(seed), []
    cases = [("a share of 5 %", share, 0.05, 1), ("a share of 25 %", share, 0.25, 1),
             ("a share of 50 %", share, 0.5, 1), ("a share of 90 %", share, 0.9, 1),
             ("two models alike", pair, 0.0, 1), ("clusters, 25 %", cluster, 0.25, 5),
             ("clusters, 60 %", cluster, 0.6, 5)]  # fmt: skip
    print(f"{runs:,} runs of {items:,} items, looked at after every answer: false alarms, %")
    print("truth                higher  lower  either  an ordinary test")
    for name, drawn, value, largest in cases:
        truth = 0.5 if drawn is pair else value
        watch = MeanWatch((truth,), largest, whole=False, runs=runs)
        total, square, count = np.zeros(runs), np.zeros(runs), np.zeros(runs)
        usual = np.zeros(runs, dtype=bool)
        for number in range(items):
            sums, sizes = drawn(draw, runs, value)
            watch.add(sums, sizes)
            off = sums - truth * sizes
            total, square, count = total + off, square + off**2, count + sizes
            if number >= 20:
                usual |= np.abs(total) > 1.96 * np.sqrt(np.maximum(square, 1e-9))
        high, low, either = (
            float((p(truth) <= LEVEL).mean()) for p in (watch.p_above, watch.p_below, watch.p_apart)
        )
        found += [high, low, either]
        shown = "  ".join(f"{100 * x:5.1f}" for x in (high, low, either))
        print(f"{name:20} {shown}      {100 * usual.mean():5.1f}")
    print(f"highest: {100 * max(found):.1f} %")
    return found


def savings(runs: int, items: int, seed: int = 2) -> None:
    draw = np.random.default_rng(seed)
    print(f"\nitems until chance of 25 % is excluded, of {items:,} at most")
    for truth in (0.3, 0.35, 0.4, 0.5, 0.7):
        watch = MeanWatch((0.25,), whole=False, runs=runs)
        ended = np.full(runs, items)
        for number in range(items):
            watch.add(*share(draw, runs, truth))
            ended = np.where((ended == items) & (watch.p_above(0.25) <= LEVEL), number + 1, ended)
        found = float((watch.p_above(0.25) <= LEVEL).mean())
        print(
            f"truth {truth:.2f}: half of the runs by {np.median(ended):.0f}, found in {found:.1%}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--items", type=int, default=1000)
    args = parser.parse_args()
    alarms(args.runs, args.items)
    savings(max(args.runs // 4, 20), args.items)


if __name__ == "__main__":
    main()
