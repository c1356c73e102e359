"""How fast a report is written and drawn: three whole ZIQI runs, and 50,000 trials to filter.

    python bench/report.py [--limit N] [--trials N]

Needs the published data (ZHIYIN_SHARED) and a Chromium for the second half. Engravings are left
out: they are made beside the rest for as long as one likes, and kept.
"""

import argparse
import asyncio
import contextlib
import io
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from browser import find_chromium, open_page
from published_data import published_data
from report_help import answered, choice, write_run
from zhiyin.cli import main
from zhiyin.engine.folder import RECORDS
from zhiyin.report.writing import Report, report

MODELS = ("first", "random", "overlap")


def timed(words: str, work: Callable[[], Report]) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    written = work()
    told = f", {written.bytes / 1e6:.1f} MB"
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{words}: {wall:.2f} s ({cpu:.2f} s of computing){told}")


async def draw(path: Path) -> None:
    async with open_page() as page:
        await page.look(1400, 900)
        await page.open(path.as_uri())
        await page.wait_for("document.querySelectorAll('.row').length > 0", 60)
        await page.wait_for("performance.getEntriesByName('first-contentful-paint').length > 0", 60)
        entry = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        print(f"{path.name}: first contentful paint {await page.run(entry):.0f} ms")
        worst = 0.0
        for script in (
            "const s = document.querySelector('.filters select'); s.value = 'wrong';"
            " s.dispatchEvent(new Event('change'))",
            "const i = document.querySelector('.filters input'); i.value = 'question 7';"
            " i.dispatchEvent(new Event('input'))",
        ):
            await page.run(f"(() => {{ {script} }})()")
            worst = max(
                worst, float(await page.run("+document.querySelector('.list').dataset.filteredMs"))
            )
        said = await page.run("document.querySelector('.said').textContent")
        print(f"{path.name}: filtering {worst:.0f} ms ({said})")


def ziqi(root: Path, limit: int | None) -> None:
    data = published_data("ziqi")
    if data is None:
        print("no ZIQI-Eval: set ZHIYIN_SHARED")
        return
    runs = [root / model for model in MODELS]
    with contextlib.redirect_stdout(io.StringIO()):
        for model, out in zip(MODELS, runs, strict=True):
            part = [] if limit is None else ["--limit", str(limit)]
            command = ["run", "ziqi", "--data", str(data), "-m", model, "--out", str(out), *part]
            main([*command, "--quiet"])
    timed("folder", lambda: report(*runs, out=root / "out", notation=False, figures=False))
    timed("one file", lambda: report(*runs, out=root / "one.html", notation=False))
    if find_chromium():
        asyncio.run(draw(root / "one.html"))


def many(root: Path, trials: int) -> None:
    asked = [choice(n) for n in range(40)]
    run = write_run(root / "run", "one", [answered(t, "A") for t in asked])
    lines = (run / RECORDS).read_bytes()
    copies = (lines.replace(b'"id":"', f'"id":"{n}/'.encode()) for n in range(1, trials // 40))
    (run / RECORDS).write_bytes(lines + b"".join(copies))
    report(run, out=root / "many.html", notation=False)
    if find_chromium():
        asyncio.run(draw(root / "many.html"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, help="questions of ZIQI; all of them if left out")
    parser.add_argument("--trials", type=int, default=50_000, help="trials to filter")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ZHIYIN_CACHE"] = str(Path(folder) / "cache")
        ziqi(Path(folder), chosen.limit)
        many(Path(folder), chosen.trials)
