"""How fast exercises are made, and what guessing and a reader of intervals get of them.

    python bench/exercises.py                    # 10,000 in theory
    python bench/exercises.py essenFolksong/han1 # and 10,000 continuations
    python bench/exercises.py essenFolksong/han1 --count 1500

The reader of intervals knows nothing but the opening: it counts which interval follows which there,
and takes the continuation whose intervals, the one over the cut with them, are likeliest by that.
Its share is what plain statistics of music get; it is no blind baseline.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from itertools import pairwise

from zhiyin.models.baselines import RULES, SeededDraw
from zhiyin.plugins.composed.exercises.benchmark import Exercises
from zhiyin.plugins.composed.exercises.cuts import pitches_of
from zhiyin.plugins.composed.exercises.tunes import read_tunes
from zhiyin.statistics.intervals import wilson


def made(seconds: float, count: int, what: str) -> None:
    print(f"{count} {what}: {seconds:.1f} s of this processor; the limit is used to", end=" ")
    limit = 60 if what == "theory" else 300
    print(f"{100 * seconds / limit:.0f} %")


def by_intervals(opening: str, answers: tuple[str, ...]) -> int:
    """The place of the continuation that a reader of intervals takes."""
    before = pitches_of(opening.split("\n", 4)[4])
    steps = [b - a for a, b in pairwise(before)]
    after, single = Counter(pairwise(steps)), Counter(steps)

    def likelihood(text: str) -> float:
        theirs = [b - a for a, b in pairwise([*before[-2:], *pitches_of(text)])]
        return sum(
            math.log((after[a, b] + 0.5 * (single[b] + 0.5) / (len(steps) + 8)) / (single[a] + 0.5))
            for a, b in pairwise(theirs)
        ) / len(theirs)

    return max(range(len(answers)), key=lambda place: likelihood(answers[place]))


def told(name: str, right: int, n: int) -> None:
    ends = [100 * end for end in (wilson(right, n).low, wilson(right, n).high)]
    print(f"  {name:9s} {100 * right / n:5.2f} %  ({ends[0]:.1f} to {ends[1]:.1f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", help="tunes of music21, such as essenFolksong/han1")
    parser.add_argument("--count", type=int, default=10_000, help="exercises of each kind")
    chosen = parser.parse_args()
    start = time.process_time()
    theory = Exercises.from_options({"task": ("theory",), "n": -(-chosen.count // 19)})
    count = len(list(theory.trials()))
    made(time.process_time() - start, count, "theory")
    if corpus := chosen.corpus:
        read_tunes(None, corpus)
        start = time.process_time()
        options = {"task": ("continuation",), "corpus": corpus, "n": chosen.count}
        model = Exercises.from_options(options)
        trials = list(model.trials())
        made(time.process_time() - start, len(trials), "continuations")
        for rule, choose in RULES.items():
            told(rule, sum(choose(SeededDraw(0), t).key == t.target for t in trials), len(trials))
        asked = [item.exercise for item in model.items]
        hits = sum(by_intervals(e.facts["opening"], e.answers) == e.right for e in asked)
        told("intervals", hits, len(asked))


if __name__ == "__main__":
    main()
