"""What a suite's plan takes by more models: ``python bench/plan.py [--small] [--data DIR]``.

The suite `music-core` is planned for one model behind an address and for three, each in a process
of its own and twice, since the first plan makes the sounds. What is asked is the same for all
models, so it is opened, made and hashed once: three models must take far less than three times as
long as one. Processor seconds of the whole process are compared with those of its start alone
(``zhiyin --version``).
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

INSTANT = Path(__file__).resolve().parent / "instant.py"
SMALL = """
[[benchmarks]]
benchmark = "bodies"
flags = { body = "abc,kern", n = 2 }
"""


def seconds_of(*words: str) -> float:
    """Processor seconds of a command, the better of two."""
    taken = []
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "zhiyin", *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="of one small benchmark instead")
    parser.add_argument("--data", help="the published ZIQI-Eval; without it if left out")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("ZHIYIN_CACHE", f"{folder}/cache")
        command = [sys.executable, str(INSTANT)]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as server:
            assert server.stdout is not None
            address = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
            suite = "music-core"
            if chosen.small:
                suite = f"{folder}/small.toml"
                Path(suite).write_text(SMALL)
            words = ["suite", suite, "--dry-run", "--quiet", "--out", f"{folder}/suite"]
            words += ["--data", f"ziqi={chosen.data}"] if chosen.data else []
            start = seconds_of("--version")
            one, three = (
                seconds_of(
                    *words, *(word for name in names for word in ("-m", f"{address}#{name}"))
                )
                for names in ("a", "abc")
            )
            server.communicate()
    print(f"start alone: {start:.2f} s of computing")
    print(f"plan for one model: {one:.2f} s, for three: {three:.2f} s")
    print(f"three models take {three / one:.2f} times as long as one")


if __name__ == "__main__":
    main()
