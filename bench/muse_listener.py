"""The listener on fresh stimuli of MUSE's ten tasks, at each difficulty.

    python bench/muse_listener.py [--n N] [--seed S] [--difficulty easy,default,hard]

Each item is asked once, in a conversation of its own. Prints the share of right answers by task,
with its 95 % interval (Wilson's, over items).
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from zhiyin.cli import main as zhiyin
from zhiyin.engine.folder import read_records
from zhiyin.plugins.benchmarks.muse.tasks import TASKS
from zhiyin.statistics.intervals import wilson


def heard(task: str, level: str, n: int, seed: int, folder: Path) -> tuple[int, int]:
    """How many items were right, of how many."""
    words = ["run", "muse", "-m", "listener", "--source", "generated", "--task", task]
    words += ["--difficulty", level, "--n", str(n), "--seed", str(seed), "--chat", "fresh"]
    words += ["--mode", "sysinst", "--examples", "none", "--out", str(folder), "--quiet"]
    with redirect_stdout(StringIO()) as out:
        status = zhiyin([*words, "--json"])
    if status:
        raise SystemExit(out.getvalue())
    json.loads(out.getvalue())
    asked = [r for r in read_records(folder) if r.trial.target]
    return sum(r.verdict.state == "correct" for r in asked), len(asked)


def main() -> None:
    """Print a row for each task."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=100, help="items a task and difficulty")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--difficulty", default="easy,default,hard")
    args = parser.parse_args()
    levels = args.difficulty.split(",")
    print(f"| task | {' | '.join(levels)} |\n|---|{'---|' * len(levels)}")
    begun = time.perf_counter()
    for task in TASKS:
        cells = []
        for level in levels:
            with tempfile.TemporaryDirectory() as folder:
                right, n = heard(task, level, args.n, args.seed, Path(folder) / "run")
            ends = wilson(right, n)
            cells.append(f"{100 * right / n:.1f} ({100 * ends.low:.1f}-{100 * ends.high:.1f})")
        print(f"| `{task}` | {' | '.join(cells)} |", flush=True)
    print(f"{args.n} items each, seed {args.seed}; {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
