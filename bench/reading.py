"""Readings a second: short replies, marked replies, long replies; beside a bare regex search.

    python bench/reading.py [--rounds N]

The baseline searches each reply for its first capital A to D, which is no reading at all. The
figure wanted is 50,000 short replies a second. Needs nothing but the repository.
"""

from __future__ import annotations

import argparse
import json
import re
import string
import time
from collections.abc import Callable
from pathlib import Path

from zhiyin.contract.policies import open_policy
from zhiyin.trial import Option

TESTS = Path(__file__).parent.parent / "tests"
TEXTS = ["Major", "Minor", "Dominant", "Diminished"]
SHORT = [
    "B", "(C)", "B.", "The answer is B.", "Answer: C", "B. Minor", "答案是B", "**D**", "答案：C",
    "Minor", "C) Dominant", "The correct answer is (D).", "选B。", "I think the answer is B.",
    "B。", "The answer is D. Diminished",
]  # fmt: skip
WANTED = 50_000
_CAPITAL = re.compile("[ABCD]")
Reply = tuple[str, list[Option]]


def shown(options: int | list[str]) -> list[Option]:
    """The options of a marked reply: their texts, or their number."""
    texts = [""] * options if isinstance(options, int) else options
    return [Option(a, text, a) for a, text in zip(string.ascii_uppercase, texts, strict=False)]


def marked(path: Path) -> list[Reply]:
    """The replies of a file, with their options."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [(row["text"], shown(row["options"])) for row in rows]


def each_second(read: Callable[[str, list[Option]], object], replies: list[Reply], n: int) -> float:
    """Readings a second of processor time, the best of three rounds over all replies."""
    best = 0.0
    for _ in range(3):
        begun = time.process_time()
        for _ in range(n):
            for text, options in replies:
                read(text, options)
        best = max(best, n * len(replies) / (time.process_time() - begun))
    return best


def first_capital(text: str, _options: list[Option]) -> object:
    """The baseline."""
    return _CAPITAL.search(text)


def main() -> None:
    """Print the table, and whether the figure wanted is reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="times as much of everything")
    rounds = parser.parse_args().rounds
    read = open_policy("robust").extract
    short = [(text, shown(TEXTS)) for text in SHORT]
    golden = marked(TESTS / "golden" / "answers.jsonl")
    open_part = marked(TESTS / "data" / "reading" / "open.jsonl")
    long = [("The chords are A, D and G; so far so good. " * 25_000 + "So B.", shown(TEXTS))]
    print(f"{'replies':24} {'read a second':>14} {'bare search':>12} {'ratio':>7}")
    fast = 0.0
    for name, replies, n in (
        ("short", short, 1_000), ("golden file", golden, 2), ("marked, open part", open_part, 1),
        ("one megabyte", long, 5),
    ):  # fmt: skip
        ours = each_second(read, replies, n * rounds)
        bare = each_second(first_capital, replies, 20 * n * rounds)
        fast = fast or ours
        print(f"{name:24} {ours:14,.0f} {bare:12,.0f} {ours / bare:7.4f}")
    reached = "reached" if fast >= WANTED else "NOT reached"
    print(f"{WANTED:,} short replies a second: {reached}")


if __name__ == "__main__":
    main()
