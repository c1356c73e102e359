"""How long a folder of runs takes to open in `zhiyin view`: never counted, and again.

python bench/labbook.py [RUNS]
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from aiohttp.test_utils import TestClient, TestServer

from report_help import answered, choice, write_run
from zhiyin.plugins.lab.labbook.server import LabBook

RUNS, TRIALS = int(sys.argv[1]) if len(sys.argv) > 1 else 500, 60


def make(root: Path) -> None:
    """Runs of some trials each, all but one copied."""
    records = [answered(choice(n), "ABCD"[n * n % 4]) for n in range(TRIALS)]
    first = write_run(root / "run-0", "model", records)
    for number in range(1, RUNS):
        shutil.copytree(first, root / f"run-{number}")


async def opened(root: Path) -> tuple[float, int, float]:
    """Seconds to the list, how many runs are counted in it, and seconds until all are."""
    begun = time.perf_counter()
    book = LabBook(root)
    async with TestClient(TestServer(book.application())) as client:
        text = await (await client.get("/")).text()
        first = time.perf_counter() - begun
        counted = sum(run.facts is not None for run in book.shelf.runs(0.0))
        assert f"{RUNS} runs" in text
        while "again.js" in text:
            text = await (await client.get("/")).text()
    return first, counted, time.perf_counter() - begun


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "runs")
        root.mkdir()
        make(root)
        os.environ["ZHIYIN_CACHE"] = str(Path(folder, "cache"))
        for name in ("never counted", "counted before"):
            first, counted, whole = asyncio.run(opened(root))
            print(f"{RUNS} runs, {name}: list in {first:.2f} s with {counted} counted, "
                  f"all counted after {whole:.2f} s")  # fmt: skip


if __name__ == "__main__":
    main()
