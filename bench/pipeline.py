"""The whole ZIQI pipeline beside a bare loop that only formats prompts and writes JSON lines.

    python bench/pipeline.py [--data DIR] [--rounds N]

Prints trials a second of each (start-up left out) and the ratio. Needs the published ZIQI-Eval
CSVs: --data, or ZHIYIN_SHARED / ../shared as the tests find it.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from published_data import published_data
from zhiyin.contract.settings import RunSettings
from zhiyin.session import carry_out

PROMPT = "{question}\n\nA. {A}\nB. {B}\nC. {C}\nD. {D}\n\nAnswer with one letter."


def bare_loop(data: Path, out: Path) -> float:
    """Trials a second of formatting each question and writing what a log line must hold."""
    begun = time.perf_counter()
    count = 0
    with out.open("w", encoding="utf-8") as file:
        for path in sorted((data / "test").glob("*.csv")):
            with path.open(encoding="utf-8-sig", newline="") as source:
                for row in csv.DictReader(source):
                    prompt = PROMPT.format(**row)
                    line = {
                        "id": f"{path.stem}/{row['id']}",
                        "messages": [{"role": "user", "content": prompt}],
                        "options": [row[letter] for letter in "ABCD"],
                        "target": row["answer"],
                        "tags": {"category": path.stem, "subcategory": row["subtheme"]},
                        "reply": "A",
                        "verdict": {"state": "correct", "answer": "A"},
                    }
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
                    count += 1
        file.flush()
        os.fsync(file.fileno())
    return count / (time.perf_counter() - begun)


def pipeline(data: Path, out: Path) -> tuple[float, float]:
    """Trials a second from first trial asked to last record durable, and with start-up."""
    order = RunSettings("ziqi", "first", {"data": str(data), "seed": 0}, out=str(out))
    begun = time.perf_counter()
    result = asyncio.run(carry_out(order))
    whole = time.perf_counter() - begun
    return result.summary.trials_per_s or 0.0, result.summary.trials / whole


def main() -> None:
    """Run both in turn, several times, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=published_data("ziqi"))
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    if args.data is None:
        print("no ZIQI-Eval: give --data, or set ZHIYIN_SHARED")
        return
    bare, asked, whole = [], [], []
    for round_ in range(args.rounds):
        with tempfile.TemporaryDirectory() as folder:
            bare.append(bare_loop(args.data, Path(folder) / "bare.jsonl"))
            rate, with_start = pipeline(args.data, Path(folder) / f"run{round_}")
            asked.append(rate)
            whole.append(with_start)
    middle = args.rounds // 2
    bare_rate, rate, with_start = sorted(bare)[middle], sorted(asked)[middle], sorted(whole)[middle]
    print(f"bare loop                  {bare_rate:10,.0f} trials/s")
    print(f"zhiyin, asking             {rate:10,.0f} trials/s")
    print(f"zhiyin, load to summary    {with_start:10,.0f} trials/s")
    print(f"ratio bare / asking        {bare_rate / rate:10.2f}  (to stay below 4)")


if __name__ == "__main__":
    main()
