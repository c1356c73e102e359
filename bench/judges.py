"""A thousand reviews, three judgements each, through a local server that takes 200 ms.

Prints the share of the ideal throughput (concurrency / latency) that was reached, and what
reading and combining the grades took. `python bench/judges.py [REVIEWS] [CONCURRENCY]`.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from judge_help import REVIEW, make_run  # noqa: E402
from zhiyin.engine.runner import Limits  # noqa: E402
from zhiyin.plugins.judges.combine import combine  # noqa: E402
from zhiyin.plugins.judges.grades import read_grades  # noqa: E402
from zhiyin.plugins.judges.judging import JudgeRequest, judge_run  # noqa: E402

LATENCY_S = 0.2
SERVER = """
import sys
sys.path.insert(0, {tests!r})
from judge_help import judge_answer
from servers import ChatServer
with ChatServer(judge_answer, latency_s={latency}, keep=1) as server:
    print(server.url, flush=True)
    sys.stdin.read()
"""


def main(reviews: int = 1000, concurrency: int = 64) -> None:
    code = SERVER.format(tests=str(ROOT / "tests"), latency=LATENCY_S)
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as server,
    ):
        run = make_run(Path(folder) / "run", [f"{REVIEW}第{k}首。" for k in range(reviews)])
        spec = f"{server.stdout.readline().strip()}#judge"
        result = asyncio.run(judge_run(JudgeRequest(str(run), spec, {}, Limits(concurrency))))
        asked, seconds = result.outcome.asked, result.outcome.elapsed_s
        ideal = asked * LATENCY_S / concurrency
        print(
            f"{asked} judgements, {concurrency} at once: {seconds:.2f} s, "
            f"{asked / seconds:.0f}/s, {100 * ideal / seconds:.1f} % of the ideal {ideal:.2f} s"
        )
        begun = time.perf_counter()
        found = combine(read_grades(result.folder), run)
        print(f"read and combined in {time.perf_counter() - begun:.2f} s: total {found.total:.4f}")
        server.stdin.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
