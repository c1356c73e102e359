"""Makes a contact sheet of each page, at three widths and in both styles.

`python docs/images/sheets.py [PAGE...]`: of runs that `make.py` makes, and of a hearing test of
the listener and a baseline. Each sheet is looked at after every change of what is seen.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from make import HERE, MODELS, _pair, inside, make_runs, need_chinese, zhiyin

from people import make_studies, make_suite, study

WIDTHS, HEIGHT, TALL = (1400, 1024, 390), 900, 420
MOST_BYTES = 220_000
Opened = Callable[[Any, Path], Awaitable[None]]


def make_hearing() -> None:
    """What the listener and a baseline hear, in the working folder."""
    for model in MODELS[:2]:
        zhiyin("run", "thresholds", "--dimension", "pitch,gap", "-m", model, "--out",
               f"heard/{model}/thresholds", "--quiet")  # fmt: skip
    zhiyin("hearing", *(f"heard/{model}/thresholds" for model in MODELS[:2]), "-o", "hearing")


def file(name: str, ready: str, then: str = "1") -> Opened:
    """A page on the disk, once an expression holds there, and after another was run."""

    async def opened(page: Any, folder: Path) -> None:
        await page.open((folder / name).as_uri() + "?lang=en")  # another may have been chosen
        await page.wait_for(ready, 60)
        await page.run(f"(async () => {{ {then} }})()")
        await asyncio.sleep(0.3)

    return opened


def lab_book(path: Callable[[Any], str]) -> Opened:
    """A page of the lab book."""

    async def opened(page: Any, folder: Path) -> None:
        from aiohttp.test_utils import TestServer

        from zhiyin.plugins.lab.labbook.server import LabBook

        book = LabBook(folder / "runs")
        book.shelf.runs(None)
        server = TestServer(book.application())
        await server.start_server()
        try:
            await page.open(str(server.make_url("/")).rstrip("/") + path(book.shelf))
            await page.wait_for("!!document.querySelector('h1')")
            await asyncio.sleep(0.3)  # the browser asks for an icon
        finally:
            await server.close()

    return opened


ROWS = "document.querySelectorAll('.row').length > 0"
TRIAL = (
    "document.querySelectorAll('.row')[2].click();"
    "document.getElementById('trials').scrollIntoView();"
)
PAGES: dict[str, Opened] = {
    "report": file("report/index.html", ROWS),
    "chapter": file(
        "report/index.html", ROWS, "document.querySelector('[id^=benchmark-]').scrollIntoView()"
    ),
    "trials": file("report/index.html", ROWS, TRIAL),
    "chinese": file("report/index.zh.html", ROWS),
    "leaderboard": file("board/index.html", "!!document.querySelector('tbody tr')"),
    "lab-book": lab_book(lambda shelf: "/"),
    "run": lab_book(lambda shelf: f"/run/{shelf.key(shelf.root / 'listener')}"),
    "compare": lab_book(_pair),
    "history": lab_book(lambda shelf: "/history"),
    "hearing": file("hearing/listener.html", "!!document.querySelector('svg')"),
    "suite": file("suite/index.html", "!!document.querySelector('table')"),
    "study-information": study("exam", "information"),
    "study-question": study("exam", "question"),
    "study-sound": study("by-ear", "question"),
    "study-research": study("exam", "research"),
}
"""Pages by their name."""


async def sheet(page: Any, folder: Path, name: str, out: Path) -> None:
    """Six pictures of a page in one: a row for each style, a column for each width."""
    from PIL import Image

    shots = []
    for dark in (False, True):
        for width in WIDTHS:
            await page.look(width, HEIGHT, dark=dark)
            await PAGES[name](page, folder)
            place = folder / "shot.png"
            await page.screenshot(place)
            with Image.open(place) as picture:
                small = (round(picture.width * TALL / picture.height), TALL)
                shots.append(picture.convert("RGB").resize(small, Image.Resampling.LANCZOS))
    wide = [shot.width for shot in shots[: len(WIDTHS)]]
    gap = 8
    whole = Image.new("RGB", (sum(wide) + gap * 4, 2 * TALL + 3 * gap), "#888")
    for number, shot in enumerate(shots):
        row, column = divmod(number, len(WIDTHS))
        at = gap + sum(wide[:column]) + gap * column, gap + row * (TALL + gap)
        whole.paste(shot, at)
    target = out / f"sheet-{name}.png"
    few = Image.Quantize.MAXCOVERAGE  # the other ways make colours of small marks grey
    whole.quantize(96, method=few, dither=Image.Dither.NONE).save(target, optimize=True)
    size = target.stat().st_size
    print(f"{target.name}: {size:,} bytes")
    if size > MOST_BYTES:
        raise SystemExit(f"{target}: {size:,} bytes: draw less, or smaller")
    assert page.errors == [], page.errors


async def sheets(folder: Path, out: Path, names: list[str]) -> None:
    """Take them all."""
    from browser import open_page

    need_chinese()
    async with open_page() as page:
        for name in names:
            await sheet(page, folder, name, out)


def main() -> None:
    """Make all sheets, or those that are named."""
    parser = argparse.ArgumentParser(description="Make the contact sheets of the docs.")
    parser.add_argument("names", nargs="*", choices=[[], *PAGES], metavar="PAGE")
    parser.add_argument("--chords", type=int, default=24, help="how many the runs hear")
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--folder", type=Path, help="keep the runs here, and use those that are")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, out = (args.folder or Path(name)).resolve(), args.out.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        with inside(folder):
            if not (folder / "board").exists():
                make_runs(args.chords)
            for there, made in (
                ("hearing", make_hearing),
                ("suite", make_suite),
                ("by-ear", make_studies),
            ):
                if not (folder / there).exists():
                    made()
            asyncio.run(sheets(folder, out, args.names or list(PAGES)))


if __name__ == "__main__":
    main()
