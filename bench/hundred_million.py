"""A run of 10^8 trials, simulated: how long, how much is asked twice, what the log takes and costs.

    python bench/hundred_million.py [--trials N] [--workers W] [--hours-to-loss H] ...

Workers take blocks of trials from one list. A worker is lost at random, on average once in so many
hours; its block is asked again, and it is back after some minutes. A finished block is written as
one object. What a worker-hour, an object and a stored GB cost are arguments: put in your own.
"""

from __future__ import annotations

import argparse
import heapq

import numpy as np


def simulate(args: argparse.Namespace, block: int) -> None:
    """One run: an event for each block; prints a line."""
    rng = np.random.default_rng(args.seed)
    blocks = -(-args.trials // block)
    free = [(0.0, worker) for worker in range(args.workers)]
    heapq.heapify(free)
    lost = 0
    again_s = end = 0.0
    left = blocks
    spread = args.spread / np.sqrt(block)  # of a block's mean, from that of a trial
    while left:
        at, worker = heapq.heappop(free)
        takes = block * args.seconds * max(0.1, 1 + spread * rng.standard_normal())
        falls = rng.exponential(args.hours_to_loss * 3600)
        if falls < takes:  # nothing of the block is kept
            lost += 1
            again_s += falls
            heapq.heappush(free, (at + falls + args.back_s, worker))
            continue
        left -= 1
        end = max(end, at + takes)
        heapq.heappush(free, (at + takes, worker))
    ideal = args.trials * args.seconds / args.workers
    size = args.trials * args.bytes / 1e9
    usd = end / 3600 * args.workers * args.usd_worker_hour
    store = blocks * args.usd_million_objects / 1e6 + size * args.usd_gb_month
    print(
        f"blocks of {block:>9,}: {end / 3600:8.1f} h ({ideal / end:5.1%} of the ideal rate), "
        f"{lost:>7,} blocks lost, {again_s / (args.trials * args.seconds):7.3%} asked twice, "
        f"{blocks:>11,} objects of {block * args.bytes / 1e6:9.2f} MB; "
        f"workers {usd:,.0f} usd, storing {store:,.0f} usd"
    )


def main() -> None:
    """Several sizes of block beside each other."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--trials", type=int, default=10**8)
    add("--workers", type=int, default=1000)
    add("--seconds", type=float, default=0.2, help="a trial, as a worker gets through them")
    add("--spread", type=float, default=1.0, help="standard deviation of a trial over its mean")
    add("--hours-to-loss", type=float, default=50.0, help="of one worker, on average")
    add("--back-s", type=float, default=300.0, help="until a lost worker is back")
    add("--bytes", type=int, default=1450, help="a record")
    add("--usd-worker-hour", type=float, default=2.0)
    add("--usd-million-objects", type=float, default=5.0)
    add("--usd-gb-month", type=float, default=0.023)
    add("--seed", type=int, default=0)
    args = parser.parse_args()
    for block in (64, 1_000, 10_000, 100_000):
        simulate(args, block)


if __name__ == "__main__":
    main()
