"""One million synthetic trials: does memory stay bounded and time linear?

    python bench/million.py [--trials N ...]

Runs the engine on made-up questions with the `first` baseline, each size in a process of its
own, and prints trials a second and peak memory. A last line compares the rates of the smallest
and the largest size: 1.0 is perfectly linear.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from zhiyin.contract.policies import open_policy
from zhiyin.engine.folder import Manifest
from zhiyin.engine.log import RunFolder
from zhiyin.engine.runner import Limits, Runner
from zhiyin.engine.scoring import judge_choice
from zhiyin.models import open_model
from zhiyin.record import Exchange, Sampling, Verdict
from zhiyin.runs.figures import figures
from zhiyin.runs.table import RunTable
from zhiyin.strategies import standalone
from zhiyin.trial import Option, Trial, say


def synthetic(n: int) -> Iterator[Trial]:
    """Questions about intervals, made as they are asked."""
    for i in range(n):
        low, size = i % 61 + 30, i % 12 + 1
        stem = f"Item {i}: how many semitones lie between MIDI notes {low} and {low + size}?"
        texts = [str((size + step) % 13) for step in (0, 1, 2, 3)]
        turn = i % 4
        texts = texts[turn:] + texts[:turn]
        options = tuple(
            Option(letter, text, letter) for letter, text in zip("ABCD", texts, strict=True)
        )
        target = "ABCD"[(4 - turn) % 4]
        lines = "\n".join(f"{option.letter}. {option.text}" for option in options)
        yield Trial(
            f"synthetic/{i}",
            (say("system", "Answer with one letter."), say("user", f"{stem}\n{lines}")),
            stem,
            options,
            target,
            (f"interval/{size}",),
        )


async def examine(n: int, folder: Path) -> None:
    """Ask `n` trials and print the rate and the peak memory of this process."""
    policy = open_policy("robust")

    def score(trial: Trial, exchange: Exchange) -> Verdict:
        return judge_choice(trial, exchange, policy)

    model = open_model("first")
    manifest = Manifest("synthetic", "first", {"n": n}, {}, n)
    with RunFolder(folder, manifest) as log:
        runner = Runner(model, lambda _: standalone, score, log, Sampling(), Limits(16))
        outcome = await runner.run(synthetic(n))
    begun = time.perf_counter()
    counted = figures(RunTable(folder)).counts["all"].judged
    counting = time.perf_counter() - begun
    assert counted == outcome.asked == n
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = (folder / "records.jsonl").stat().st_size / 1e6
    print(f"{n} {outcome.elapsed_s} {counting} {peak} {size}")


def main() -> None:
    """Run each size in its own process and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--inside", metavar="DIR", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inside:
        asyncio.run(examine(args.trials[0], args.inside))
        return
    rates = []
    for n in args.trials:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, __file__, "--trials", str(n), "--inside", folder]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        asked, seconds, counting, peak, size = map(float, done.stdout.split())
        rates.append(asked / seconds)
        print(
            f"{n:>9,} trials: {asked / seconds:8,.0f}/s, peak {peak:4.0f} MB, log {size:,.0f} MB, "
            f"counted again in {counting:.1f} s"
        )
    print(f"rate of the largest / smallest: {rates[-1] / rates[0]:.2f}")


if __name__ == "__main__":
    main()
