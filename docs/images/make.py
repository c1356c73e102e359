"""Makes the pictures of README and docs, one for each journey: `python docs/images/make.py`.

Everything in them is real: the runs are made here, on chords that the project synthesises, by the
listener and by blind baselines; no key and no network are needed. A Chromium takes the pictures.
They are made anew after every change of what is seen.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent / "tests")]

MOST_BYTES = 150_000
MODELS = ("listener", "random", "first", "longest")
WIDE, PHONE = (1100, 720), (390, 780)
Shot = Callable[[Any, Path], Awaitable[None]]


def zhiyin(*words: object) -> str:
    """What a command prints. Raises `SystemExit` where it fails."""
    from zhiyin.cli import main

    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        status = main([str(word) for word in words])
    if status:
        raise SystemExit(f"{words}: status {status}: {errors.getvalue()}")
    return out.getvalue()


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """A while in a folder, in a terminal of 80 columns, with colours."""
    before, environment = Path.cwd(), dict(os.environ)
    os.chdir(folder)
    os.environ |= {"COLUMNS": "80", "FORCE_COLOR": "1", "TERM": "xterm-256color",
                   "ZHIYIN_CACHE": str(folder / "cache")}  # fmt: skip
    os.environ.pop("NO_COLOR", None)
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(environment)


def make_runs(chords: int) -> None:
    """Runs of all models on so many synthesised chords, and notes, in the working folder."""
    from zhiyin.plugins.lab.labbook import Notebook

    zhiyin("stimuli", "make", "--task", "chords", "--n", chords, "--seed", 1, "--out", "stimuli")
    for model in MODELS:
        zhiyin("run", "perception", "--task", "chords", "--source", "generated", "--n", chords,
               "--seed", 1, "--stimuli", "stimuli", "--modality", "audio,midi", "-m", model,
               "--out", f"runs/{model}", "--quiet")  # fmt: skip
    Notebook(Path("runs/listener")).add("tag", "reference")
    for model in MODELS[1:]:
        Notebook(Path("runs", model)).add("tag", "blind")
    zhiyin("report", *(f"runs/{model}" for model in MODELS), "-o", "report", "--no-figures",
           "--lang", "en,zh")  # fmt: skip
    zhiyin("leaderboard", "runs", "-o", "board")


def terminal(command: str) -> Shot:
    """A picture of a command and what it prints."""

    async def shot(page: Any, folder: Path) -> None:
        from rich.console import Console
        from rich.text import Text

        printed = zhiyin(*command.split()[1:])
        console = Console(record=True, width=80, file=io.StringIO(), color_system="truecolor")
        console.print(Text("$ ", "bold green") + Text(command, "bold"), soft_wrap=True)
        console.print(Text.from_ansi(printed.strip("\n")), soft_wrap=True)
        code = console.export_html(inline_styles=True, code_format="{code}")
        style = "margin:0;padding:16px 20px;font:14px/1.35 'DejaVu Sans Mono',monospace"
        html = f'<meta charset="utf-8"><body style="margin:0"><pre style="{style}">{code}</pre>'
        (folder / "terminal.html").write_text(html, "utf-8")
        await page.look(760, 60)
        await page.open((folder / "terminal.html").as_uri())
        height = await page.run("document.querySelector('pre').scrollHeight")
        await page.look(760, int(height))

    return shot


def file(name: str, ready: str, size: tuple[int, int], *, dark: bool = False) -> Shot:
    """A picture of a page on the disk, once an expression holds there."""

    async def shot(page: Any, folder: Path) -> None:
        await page.look(*size, dark=dark)
        await page.open((folder / name).as_uri())
        await page.wait_for(ready)

    return shot


def opened(place: str, size: tuple[int, int]) -> Shot:
    """A picture of a place in the report, which an expression finds, with what is folded there."""

    async def shot(page: Any, folder: Path) -> None:
        await page.look(*size)
        await page.open((folder / "report/index.html").as_uri())
        await page.wait_for("document.querySelectorAll('.row').length > 0")
        await page.run(f"(() => {{ const place = {place}; place.open = true;"
                       " place.scrollIntoView(); window.scrollBy(0, -70); })()")  # fmt: skip

    return shot


def trial(kind: str, size: tuple[int, int]) -> Shot:
    """A picture of the first trial of a kind that some run did not get right, opened."""

    async def shot(page: Any, folder: Path) -> None:
        await page.look(*size)
        await page.open((folder / "report/index.html").as_uri())
        await page.wait_for("document.querySelectorAll('.row').length > 0")
        await page.run(
            "Zhiyin.load('trials').then((t) => { const i = t.ids.findIndex((id, n) =>"
            f" id.includes({kind!r}) && t.runs.some((run) => run.states[n] !== '0'));"
            " location.hash = `#trials?trial=${encodeURIComponent(t.ids[i])}`;"
            " document.getElementById('trials').scrollIntoView(); })"
        )
        await page.wait_for("!!document.querySelector('.detail .outcome')")
        await asyncio.sleep(0.5)  # waveform and engraving are drawn after the words

    return shot


def lab_book(path: Callable[[Any], str], size: tuple[int, int], *, dark: bool = False) -> Shot:
    """A picture of a page of the lab book, whose address is made from the runs on the shelf."""

    async def shot(page: Any, folder: Path) -> None:
        from aiohttp.test_utils import TestServer

        from zhiyin.plugins.lab.labbook.server import LabBook

        book = LabBook(folder / "runs")
        book.shelf.runs(None)
        server = TestServer(book.application())
        await server.start_server()
        try:
            await page.look(*size, dark=dark)
            await page.open(str(server.make_url("/")).rstrip("/") + path(book.shelf))
            await page.wait_for("!!document.querySelector('h1')")
        finally:
            await server.close()

    return shot


def _pair(shelf: Any) -> str:
    keys = [shelf.key(shelf.root / model) for model in ("listener", "random")]
    return f"/compare?run={keys[0]}&run={keys[1]}"


PICTURES: dict[str, Shot] = {
    "terminal-show.png": terminal("zhiyin show runs/listener"),
    "terminal-compare.png": terminal("zhiyin compare runs/listener runs/random"),
    "lab-book.png": lab_book(lambda shelf: "/", (1100, 460)),
    "lab-book-compare.png": lab_book(_pair, (1100, 640)),
    "lab-book-phone.png": lab_book(lambda shelf: "/", PHONE, dark=True),
    "report.png": file("report/index.html", "!!document.querySelector('main h2')", WIDE),
    "report-zh.png": file("report/index.zh.html", "!!document.querySelector('main h2')", WIDE),
    "report-phone.png": file(
        "report/index.html", "!!document.querySelector('main h2')", PHONE, dark=True
    ),
    "report-findings.png": opened("document.querySelectorAll('.finding')[1]", (1100, 560)),
    "report-differences.png": opened(
        "[...document.querySelectorAll('h3')].find((h) => h.textContent.startsWith('Differ'))",
        (1100, 560),
    ),
    "report-trial.png": trial("/audio/", (1100, 900)),
    "leaderboard.png": file(
        "board/index.html", "!!document.querySelector('tbody tr')", (1100, 460)
    ),
}
"""Journeys by the name of their picture."""


def study(name: str, page_of: str, size: tuple[int, int]) -> Shot:
    """A picture of a page of a study."""

    async def shot(page: Any, folder: Path) -> None:
        from people import study as opened_study

        await page.look(*size)
        await opened_study(name, page_of)(page, folder)

    return shot


PICTURES |= {
    "study-phone.png": study("by-ear", "question", PHONE),
    "study-research.png": study("exam", "research", (1024, 700)),
}


def draw_noise(out: Path) -> None:
    """The listener in noise, measured anew: some minutes."""
    bench = HERE.parent.parent / "bench" / "listener_noise.py"
    subprocess.run([sys.executable, str(bench), "-o", str(out)], check=True)


PIECE = """\
X:1
M:3/4
L:1/8
Q:1/4=60
K:Eb
%%MIDI program 0
EB, | DF/2A/2 (3:2:3GFE (3:2:3DEG |: B3/2e/2 fe f3/2d/2 | (3:2:3cBd (3:2:3fcd e2 |
f2 e2 (3:2:3^dBA :| cB/2_G/2 F3/2=G/2 Bc/2B/2 | G2 E4 |]
"""
"""The tune that docs/benchmarks/bodies.md reads back."""


def draw_piece(out: Path) -> None:
    """A piece as `bodies` shows it."""
    from zhiyin.plugins.music.engraved import picture
    from zhiyin.plugins.music.notated.reading import read_abc
    from zhiyin.plugins.music.notated.writing import write_musicxml

    (out / "bodies-example.png").write_bytes(picture(write_musicxml(read_abc(PIECE))))


def draw_audiogram(out: Path) -> None:
    """What the listener, a guesser and the listener behind a noise hear, in the working folder."""
    from noisy import HEARD

    from zhiyin.plugins.paper.figures import write_figures

    every = ("thresholds", "--seed", 1, "--quiet")
    zhiyin("run", *every, "-m", "listener", "--label", "reference listener", "--out", "ears/1")
    zhiyin("run", *every, "-m", "random", "--label", "random answers", "--out", "ears/2")
    zhiyin("run", *every, "-m", f"python:{HERE / 'noisy.py'}:answer", "--label",
           "listener behind noise", "--dimension", ",".join(HEARD), "--out", "ears/3")  # fmt: skip
    write_figures([Path("ears", str(number)) for number in (1, 2, 3)], Path("drawn"))
    picture = Path("drawn/thresholds-audiogram.png").read_bytes()
    (out / "thresholds-audiogram.png").write_bytes(picture)
    slim(out / "thresholds-audiogram.png")


DRAWN: dict[str, Callable[[Path], None]] = {
    "listener-noise.png": draw_noise,
    "bodies-example.png": draw_piece,
    "thresholds-audiogram.png": draw_audiogram,
}
"""Pictures of no page."""


def need_chinese() -> None:
    """Raise `SystemExit` where the browser would draw boxes in the place of Chinese."""
    if shutil.which("fc-list"):
        found = subprocess.run(["fc-list", ":lang=zh"], capture_output=True, text=True, check=False)
        if not found.stdout.strip():
            raise SystemExit("no font for Chinese is installed: install one, such as Noto Sans CJK")


def slim(path: Path) -> None:
    """Make a picture as small as it can be without a visible loss."""
    from PIL import Image

    with Image.open(path) as picture:
        few = Image.Quantize.MAXCOVERAGE  # the other ways make two colours of small marks one
        small = picture.convert("RGB").quantize(128, method=few, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{path}: {path.stat().st_size:,} bytes: make less of the page seen")


async def photograph(folder: Path, out: Path, names: list[str]) -> None:
    """Take the pictures of the runs in a folder."""
    from browser import open_page

    need_chinese()
    async with open_page() as page:
        await page.call("Emulation.setScrollbarsHidden", hidden=True)
        for name in names:
            await PICTURES[name](page, folder)
            await page.screenshot(out / name)
            slim(out / name)
            print(f"{name}: {(out / name).stat().st_size:,} bytes")


def main() -> None:
    """Make all pictures, or those that are named."""
    parser = argparse.ArgumentParser(description="Make the pictures of the docs.")
    parser.add_argument("names", nargs="*", choices=[[], *PICTURES, *DRAWN], metavar="PICTURE")
    parser.add_argument("--chords", type=int, default=24, help="how many the runs hear")
    parser.add_argument("--out", type=Path, default=HERE)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, out = Path(name).resolve(), args.out.resolve()
        names = args.names or [*PICTURES, *DRAWN]
        with inside(folder):
            make_runs(args.chords)
            if any(name.startswith("study") for name in names):
                from people import make_studies

                make_studies()
            asyncio.run(photograph(folder, out, [name for name in names if name in PICTURES]))
            for name in names:
                if name in DRAWN:
                    DRAWN[name](out)


if __name__ == "__main__":
    main()
