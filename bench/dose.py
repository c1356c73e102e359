"""Does the curve of accuracy over dose find what it is to find? Simulated models, in numpy.

A half-deaf model hears the first k seconds of what it is given, whatever comes after. The answers
of the items stand at seconds that are spread evenly over the recording, so that it needs half of k
for half of what it can get from sound: k is twice the seconds at which half of what sound adds is
reached. Items come in clusters (recordings), whose answers stand near each other.

    python bench/dose.py            how often the intervals hold k, and what the blind one gains
"""

from __future__ import annotations

import argparse
import json

import numpy as np
from numpy.typing import NDArray

from zhiyin.plugins.methods.dose import DoseCurve, knowledge

SECONDS = 32.0
DOSES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)


def half_deaf(
    draw: np.random.Generator,
    k: float,
    *,
    clusters: int = 150,
    each: int = 4,
    options: int = 4,
    blind: float = 0.3,
    able: float = 0.8,
    doses: tuple[float, ...] = DOSES,
    alike: float = 0.5,
) -> DoseCurve:
    """Answers of a model that hears the first k seconds.

    Parameters
    ----------
    draw : numpy.random.Generator
    k : float
        In seconds; 0 for a model that hears nothing.
    clusters, each : int
        Recordings, and questions about each.
    options : int
    blind, able : float
        Shares of the items that it knows without sound, and that it knows when it hears the answer.
    doses : tuple of float
        In seconds from the beginning, ascending; the last one is the whole.
    alike : float
        Share of the recordings whose questions all have their answer at one second.
    """
    n, whole = clusters * each, doses[-1]
    cluster = np.repeat(np.arange(clusters), each)
    second = draw.uniform(0, whole, n)
    shared = draw.random(clusters) < alike
    second = np.where(shared[cluster], np.repeat(second[::each], each), second)
    kind = draw.random(n)
    heard = second[:, None] < np.minimum(np.array(doses), k)
    known = (kind < blind)[:, None] | ((kind < blind + (1 - blind) * able)[:, None] & heard)
    guessed = draw.random((n, len(doses))) < 1 / options
    right = (known | guessed).astype(float)
    z = knowledge(right, np.ones_like(right), np.full((n, 1), options))
    return DoseCurve(doses, right, z, cluster)


def coverage(k: float, times: int, seed: int = 0, **how: int | float) -> dict[str, float]:
    """How often the interval of twice the half dose holds k, and how wide it is."""
    draw = np.random.default_rng(seed)
    held, wide, without = 0, [], 0
    for _ in range(times):
        half = half_deaf(draw, k, **how).half()  # type: ignore[arg-type]
        if half is None:
            without += 1
            continue
        held += 2 * half.low <= k <= 2 * half.high
        wide.append(2 * (half.high - half.low))
    told = times - without
    return {"k": k, "held": held / told, "width": float(np.mean(wide)), "none": without / times}


def gained(times: int, seed: int = 0, **how: int | float) -> dict[str, float]:
    """How often a deaf model is said to gain from sound, or to lose by it."""
    draw = np.random.default_rng(seed)
    curves = [half_deaf(draw, 0.0, **how) for _ in range(times)]  # type: ignore[arg-type]
    adds = [curve.sound_adds for curve in curves]
    return {
        "gains": float(np.mean([one.low > 0 for one in adds])),
        "loses": float(np.mean([one.high < 0 for one in adds])),
    }


def needs(k: float, times: int, seed: int = 0) -> NDArray[np.float64]:
    """How often the share of items that need more than each dose is held by its interval."""
    draw = np.random.default_rng(seed)
    heard = np.minimum(np.array(DOSES), k) / SECONDS
    truth = (1 - 0.3) * 0.8 * (heard[-1] - heard[:-1])
    held = [
        [one.low <= true <= one.high for one, true in zip(curve.needing_more(), truth, strict=True)]
        for curve in (half_deaf(draw, k) for _ in range(times))
    ]
    return np.asarray(np.mean(held, axis=0))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=2000)
    times = parser.parse_args().times
    for k in (8.0, 12.0, 16.0, 24.0, 32.0):
        print(json.dumps(coverage(k, times)))
        print(json.dumps({"k": k, "needing more": needs(k, times // 2).round(3).tolist()}))
    print(json.dumps(coverage(16.0, times, clusters=20)))
    print(json.dumps(coverage(16.0, times, options=2)))
    print(json.dumps(gained(times)))
