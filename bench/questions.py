"""A long file of questions: what is read and checked before the first call, beside `csv` alone.

    python bench/questions.py [--rows N]

Prints the processor time and the peak memory of opening a made CSV file, in a process of its own,
and of `csv.DictReader` over the same file, and the ratio of their times; and of the same questions
as JSON Lines.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

OPENED = """
import resource, sys
from zhiyin.benchmarks.questions.benchmark import Questions
print(len(Questions.from_options({"data": sys.argv[1]})))
"""
PLAIN = """
import csv, resource, sys
print(len(list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8")))))
"""
USED = """
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def write(path: Path, rows: int) -> None:
    """Questions that all differ."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "question", "A", "B", "C", "D", "answer", "topic"])
        for n in range(rows):
            stem = f"Which interval lies between note {n % 88} and note {n * 7 % 88}, in piece {n}?"
            options = ("third", "fourth", "fifth", "sixth")
            writer.writerow([f"q{n}", stem, *options, "ABCD"[n % 4], f"topic {n % 20}"])


def used(source: str, path: Path) -> tuple[float, float]:
    """Seconds of processor time and MB at most."""
    command = [sys.executable, "-c", source + USED, str(path)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(told[1]), float(told[2])


def main() -> None:
    """Measure both, and print a line each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=300_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "questions.csv"
        write(path, rows)
        lines = path.with_suffix(".jsonl")
        with path.open(newline="", encoding="utf-8") as file, lines.open("w") as out:
            out.writelines(json.dumps(row) + "\n" for row in csv.DictReader(file))
        (plain, held), (ours, most) = used(PLAIN, path), used(OPENED, path)
        json_lines, most_of_lines = used(OPENED, lines)
    print(f"{rows:,} rows: csv.DictReader {plain:.2f} s, {held:.0f} MB")
    print(f"read and checked: {ours:.2f} s, {most:.0f} MB; {ours / plain:.1f} times as long")
    ratio = json_lines / plain
    print(f"as JSON Lines: {json_lines:.2f} s, {most_of_lines:.0f} MB; {ratio:.1f} times as long")


if __name__ == "__main__":
    main()
