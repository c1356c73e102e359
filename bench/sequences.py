"""Hundreds of adaptive staircases at once: what does a trial of a sequence cost?

    python bench/sequences.py [--stairs N] [--steps N]

Runs staircases with a posterior on a grid of 40 thresholds and 20 slopes (`Stepwise`, numpy),
with a model that answers at once: trials a second, what the posterior and the engine take of a
trial, and how long it takes to take up a run of which the last trial of each staircase is missing.
Then the same with longer staircases: the cost of a trial should not grow.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from zhiyin.engine.folder import RECORDS, Manifest
from zhiyin.engine.log import RunFolder
from zhiyin.engine.runner import Limits, Runner
from zhiyin.record import Exchange, Record, Sampling, Verdict
from zhiyin.sequence import Stepwise
from zhiyin.strategies import standalone
from zhiyin.trial import Option, Trial, say

LEVELS = np.linspace(1.0, 100.0, 30)
THRESHOLDS, SLOPES = np.meshgrid(np.linspace(1.0, 100.0, 40), np.linspace(0.5, 20.0, 20))
RIGHT = 0.5 + 0.48 / (1 + np.exp(-(LEVELS[:, None, None] - THRESHOLDS) / SLOPES))
OPTIONS = (Option("A", "higher", "a"), Option("B", "lower", "b"))
spent = 0.0


class Posterior(Stepwise[np.ndarray]):
    """Asks at the level whose answer is expected to tell most (QUEST+, Watson 2017)."""

    def __init__(self, number: int, steps: int) -> None:
        self.id, self.at_least, self.at_most = f"stair{number}", steps, steps

    def begin(self) -> np.ndarray:
        return np.full((*THRESHOLDS.shape, 2), [1 / THRESHOLDS.size, 0.0])

    def moved(self, state: np.ndarray, record: Record) -> np.ndarray:
        global spent
        begun = time.perf_counter()
        likely = RIGHT[record.trial.tags["level"]]
        posterior = state[..., 0] * (likely if record.verdict.state == "correct" else 1 - likely)
        moved = np.stack([posterior / posterior.sum(), state[..., 1]], axis=-1)
        moved[0, 0, 1] += 1
        spent += time.perf_counter() - begun
        return moved

    def ask(self, state: np.ndarray) -> Trial | None:
        global spent
        step = int(state[0, 0, 1])
        if step == self.at_most:
            return None
        begun = time.perf_counter()
        posterior = state[..., 0]
        entropy = np.zeros(len(LEVELS))
        for likely in (RIGHT, 1 - RIGHT):
            joint = likely * posterior
            share = joint.sum(axis=(1, 2))
            entropy -= (joint * np.log(joint / share[:, None, None] + 1e-12)).sum(axis=(1, 2))
        level = int(entropy.argmin())
        spent += time.perf_counter() - begun
        stem = f"Is the second tone, {LEVELS[level]:.0f} cents away, higher or lower?"
        return Trial(
            f"{self.id}/{step + 1}",
            (say("user", stem),),
            stem,
            OPTIONS,
            "ab"[(level + step) % 2],
            tags={"level": level},
        )


def score(trial: Trial, exchange: Exchange) -> Verdict:
    """A for the first option."""
    key = "a" if exchange.final.text == "A" else "b"
    return Verdict("correct" if key == trial.target else "wrong", key)


async def ask(folder: Path, stairs: int, steps: int) -> tuple[int, float]:
    """Run what is missing: trials asked, and seconds."""
    from zhiyin.models import open_model

    planned = Manifest("stairs", "first", {"n": stairs}, {}, stairs * steps)
    begun = time.perf_counter()
    with RunFolder(folder, planned) as log:
        model = open_model("first")
        runner = Runner(model, lambda _: standalone, score, log, Sampling(), Limits(64))
        every = [Posterior(number, steps) for number in range(stairs)]
        outcome = await runner.run((), len(log.answered), every)
    return outcome.asked, time.perf_counter() - begun


def main() -> None:
    """Run both lengths and print."""
    global spent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stairs", type=int, default=300)
    parser.add_argument("--steps", type=int, nargs="+", default=[20, 80])
    args = parser.parse_args()
    for steps in args.steps:
        with tempfile.TemporaryDirectory() as folder:
            spent = 0.0
            asked, seconds = asyncio.run(ask(Path(folder), args.stairs, steps))
            own, posterior = 1e6 * (seconds - spent) / asked, 1e6 * spent / asked
            log = Path(folder) / RECORDS
            lines = log.read_bytes().splitlines(keepends=True)
            log.write_bytes(b"".join(line for line in lines if b'"last":true' not in line))
            missing, again = asyncio.run(ask(Path(folder), args.stairs, steps))
            assert (asked, missing) == (args.stairs * steps, args.stairs)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"{args.stairs} staircases of {steps:>3} trials: {asked / seconds:7,.0f}/s, "
                f"{own:4.0f} us a trial in the engine, {posterior:4.0f} us in the posterior; "
                f"taken up again in {again:.1f} s; peak {peak:.0f} MB"
            )


if __name__ == "__main__":
    main()
