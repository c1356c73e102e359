"""Are components of variance recovered? Simulated models that know an item in part, in numpy.

A model is right with a probability of 1/2, raised or lowered by so much for the item, for each of
its wordings, for each order of its options, for each combination of the two, and at each of two
servers for all items and for each. So the components of its right and wrong answers are known.

    python bench/components.py      how often the 95 % interval of each component holds it
"""

from __future__ import annotations

import argparse
import json

import numpy as np
from numpy.typing import NDArray

from zhiyin.plugins.methods.components import Components, components

Shifts = dict[str, float]
"""By how much the probability is raised or lowered: ``items``, ``words``, ``order``, ``combined``,
``server`` (for all items alike) and ``at-server`` (for each)."""
USUAL: Shifts = {"items": 0.25, "words": 0.1, "order": 0.07, "combined": 0.03}


def truth_of(shifts: Shifts) -> dict[str, float]:
    """The components; two servers differ by twice the shift."""
    own = {name: shifts.get(name, 0.0) ** 2 for name in ("items", "words", "order", "combined")}
    server = 2 * shifts.get("server", 0.0) ** 2 + shifts.get("at-server", 0.0) ** 2
    # of the sampling a binary answer has what the probabilities leave of 1/4
    spread = sum(own.values()) + server - shifts.get("server", 0.0) ** 2
    return own | ({"server": server} if server else {}) | {"sampling": 0.25 - spread}


def simulated(
    draw: np.random.Generator,
    shifts: Shifts,
    *,
    items: int = 200,
    cluster: int = 1,
    wordings: int = 3,
    orders: int = 4,
    repeats: int = 2,
) -> Components:
    """The components of one simulated run.

    Parameters
    ----------
    draw : numpy.random.Generator
    shifts : dict
    items, cluster : int
        How many items there are, and how many of them make a cluster.
    wordings, orders, repeats : int
    """
    servers = 2 if "server" in shifts or "at-server" in shifts else 1

    def either(name: str, *shape: int) -> NDArray[np.float64]:
        return shifts.get(name, 0.0) * draw.choice([-1.0, 1.0], shape)

    p = 0.5 + either("items", items, 1, 1, 1) + either("words", items, wordings, 1, 1)
    p = p + either("order", items, 1, orders, 1) + either("combined", items, wordings, orders, 1)
    p = p + either("at-server", items, 1, 1, servers)
    p = p + shifts.get("server", 0.0) * np.array([1.0, -1.0])[:servers]
    shape = (*np.broadcast_shapes(p.shape, (items, wordings, orders, servers)), repeats)
    right = (draw.random(shape) < p[..., None]).astype(float)
    item, words, order, server, _ = np.indices(shape).reshape(5, -1)
    factors = {"words": words, "order": order, "server": server}
    return components(right.ravel(), item, factors, item // cluster, frozenset({"server"}))


def coverage(times: int, shifts: Shifts, seed: int = 0, **how: int) -> dict[str, object]:
    """Of each component the truth, the mean of its estimates and how often the interval held it."""
    draw = np.random.default_rng(seed)
    truth = truth_of(shifts)
    found = [simulated(draw, shifts, **how) for _ in range(times)]
    told: dict[str, object] = {**how}
    for name, true in truth.items():
        parts = [one.part(name) for one in found]
        held = [part.low <= true <= part.high for part in parts]
        mean = np.mean([part.variance for part in parts])
        told[name] = {"true": round(true, 5), "mean": round(float(mean), 5),
                      "held": round(float(np.mean(held)), 3)}  # fmt: skip
    return told


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=300)
    times = parser.parse_args().times
    at_servers = {"items": 0.15, "words": 0.1, "order": 0.1, "server": 0.05, "at-server": 0.05}
    print(json.dumps(coverage(times, USUAL)))
    print(json.dumps(coverage(times, USUAL, cluster=4)))
    print(json.dumps(coverage(times, USUAL, items=60)))
    print(json.dumps(coverage(times, USUAL, items=6)))
    print(json.dumps(coverage(times, USUAL | {"words": 0.0, "combined": 0.0})))
    print(json.dumps(coverage(times, at_servers, orders=2)))
