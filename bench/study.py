"""Two hundred people at once on SQLite: how long an answer takes to be on the disk, by count.

    python bench/study.py [PEOPLE [SECONDS]]

Each person thinks for some SECONDS (4) between answers, as people do; the server is a process of
its own on the same machine, and so are the people, in one other process. The people speak HTTP
through plain sockets, so that they cost little; what they do cost, and how late they looked at an
answer that was there, is told beside it. So is the wait for the disk alone: an answer waits for
it once.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode, urlsplit

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from study_help import Server, study, trials

PEOPLE = int(sys.argv[1]) if len(sys.argv) > 1 else 200
THINK_S = float(sys.argv[2]) if len(sys.argv) > 2 else 4.0
ANSWERS = 10


class Browser:
    """One connection to the server that keeps cookies and follows redirects."""

    def __init__(self, address: str) -> None:
        self.where = urlsplit(address)
        self.cookies: dict[str, str] = {}
        self.requests = 0

    async def connect(self) -> None:
        host, port = self.where.hostname, self.where.port
        self.reader, self.writer = await asyncio.open_connection(host, port)

    async def ask(self, path: str, data: bytes = b"", kind: str = "", **headers: str) -> str:
        """The page that comes back, after redirects."""
        self.requests += 1
        lines = [f"{'POST' if data else 'GET'} {path} HTTP/1.1", f"host: {self.where.netloc}"]
        lines.append("cookie: " + "; ".join(f"{k}={v}" for k, v in self.cookies.items()))
        if data:
            lines += [f"content-type: {kind}", f"content-length: {len(data)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + data)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        for name, value in re.findall(r"(?i)\r\nset-cookie: (\w+)=([^;]*)", head):
            self.cookies[name] = value
        length = re.search(r"(?i)\r\ncontent-length: (\d+)", head)
        body = await self.reader.readexactly(int(length[1]) if length else 0)
        if found := re.search(r"(?i)\r\nlocation: ([^\r]+)", head):
            return await self.ask(urlsplit(found[1]).path)
        return body.decode()

    async def form(self, path: str, fields: dict[str, str]) -> str:
        return await self.ask(path, urlencode(fields).encode(), "application/x-www-form-urlencoded")


async def person(browser: Browser, number: int, took: list[float], faults: list[str]) -> None:
    draw = random.Random(number)
    await asyncio.sleep(draw.random() * 2.5 * THINK_S)
    await browser.connect()
    text = await browser.ask("/?language=en")
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text))
    ticks = {f"consent-{n}": "yes" for n in range(4)}
    await browser.form("/consent", {**hidden, **ticks, "answer": "agree"})
    form = re.search(r'name="form" value="(\w+)"', await browser.ask("/go"))[1]
    about = {"education": "master", "music_major": "no", "music_background": "yes"}
    page = await browser.form("/step/about", {"form": form, **about})
    for _ in range(ANSWERS):
        place, form = re.search(r'data-place="(\d+)" data-form="(\w+)"', page).groups()
        await asyncio.sleep(draw.uniform(0.5, 1.5) * THINK_S)
        body = json.dumps({"place": int(place), "chosen": [0], "active_ms": 1000}).encode()
        began = time.perf_counter()
        said = await browser.ask("/answer", body, "application/json", x_form=form)
        took.append(time.perf_counter() - began)
        if '"saved"' not in said:
            faults.append(said)
        page = await browser.ask("/go")
    browser.writer.close()


async def lateness(late: list[float]) -> None:
    """How long after its time the client does what it should."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(0.01)
        late.append(time.perf_counter() - began - 0.01)


async def everybody(address: str) -> tuple[list[float], list[float], list[str], int]:
    took: list[float] = []
    late: list[float] = []
    faults: list[str] = []
    browsers = [Browser(address) for _ in range(PEOPLE)]
    watch = asyncio.create_task(lateness(late))
    await asyncio.gather(*(person(b, n, took, faults) for n, b in enumerate(browsers)))
    watch.cancel()
    return took, late, faults, sum(browser.requests for browser in browsers)


def processor_s(pid: int) -> float:
    """Processor time of a process of this machine so far (Linux)."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def disk(folder: Path) -> list[float]:
    """How long the disk takes to keep a small piece, now."""
    found = []
    with Path(folder, "piece").open("wb", 0) as file:
        for _ in range(100):
            file.write(bytes(4096))
            began = time.perf_counter()
            os.fsync(file.fileno())
            found.append(time.perf_counter() - began)
    return found


def told(name: str, seconds: list[float]) -> str:
    seconds = sorted(seconds)
    of = {p: 1000 * seconds[round(p / 100 * (len(seconds) - 1))] for p in (50, 95, 99, 100)}
    return f"{name}, ms: " + ", ".join(f"p{p} {ms:.0f}" for p, ms in of.items())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        edits = (("volume = true", "volume = false"), ("# per_person = 40", "per_person = 10"))
        study(Path(folder, "s"), trials(800, groups=10), *edits, kind="validate")
        with Server(Path(folder, "s")) as server:
            assert server.process is not None
            before, own, began = processor_s(server.process.pid), time.process_time(), time.time()
            took, late, faults, requests = asyncio.run(everybody(server.address))
            spent = processor_s(server.process.pid) - before
            own, lasted = time.process_time() - own, time.time() - began
        pieces = disk(Path(folder))
    print(f"{PEOPLE} people, {len(took)} answers, {len(faults)} errors, {lasted:.0f} s")
    print(told("saving", took))
    print(told("of it, the client looked late", late))
    print(told("the disk alone", pieces))
    print(
        f"processor time a request: server {1000 * spent / requests:.2f} ms, client "
        f"{1000 * own / requests:.2f} ms; the server had {100 * spent / lasted:.0f} % of one core"
    )
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
