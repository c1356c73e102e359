"""Two hundred people at once on SQLite: how long an answer takes to be on the disk, by count.

Each person thinks for a few seconds between answers, as people do; the server is a process of its
own on the same machine, and so are the people, in one other process.
"""

from __future__ import annotations

import asyncio
import random
import re
import sys
import tempfile
import time
from pathlib import Path

import aiohttp

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from study_help import Server, study, trials

PEOPLE, ANSWERS, THINK_S = 200, 10, 4.0


async def person(address: str, number: int, took: list[float], faults: list[str]) -> None:
    draw = random.Random(number)
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(address, cookie_jar=jar) as session:

        async def page(path: str) -> str:
            async with session.get(path) as got:
                return await got.text()

        await asyncio.sleep(draw.random() * 10)
        text = await page("/?language=en")
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text))
        ticks = {f"consent-{n}": "yes" for n in range(4)}
        await (await session.post("/consent", data={**hidden, **ticks, "answer": "agree"})).text()
        form = re.search(r'name="form" value="(\w+)"', await page("/go"))[1]
        about = {"education": "master", "music_major": "no", "music_background": "yes"}
        await (await session.post("/step/about", data={"form": form, **about})).text()
        for _ in range(ANSWERS):
            place, form = re.search(
                r'data-place="(\d+)" data-form="(\w+)"', await page("/go")
            ).groups()
            await asyncio.sleep(draw.uniform(0.5, 1.5) * THINK_S)
            began = time.perf_counter()
            body = {"place": int(place), "chosen": [0], "active_ms": 1000}
            async with session.post("/answer", json=body, headers={"x-form": form}) as got:
                said = await got.text()
            took.append(time.perf_counter() - began)
            if '"saved"' not in said:
                faults.append(said)


async def everybody(address: str) -> tuple[list[float], list[str]]:
    took: list[float] = []
    faults: list[str] = []
    await asyncio.gather(*(person(address, n, took, faults) for n in range(PEOPLE)))
    return took, faults


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        edits = (("volume = true", "volume = false"), ("# per_person = 40", "per_person = 10"))
        study(Path(folder, "s"), trials(800, groups=10), *edits, kind="validate")
        with Server(Path(folder, "s")) as server:
            took, faults = asyncio.run(everybody(server.address))
    took.sort()
    of = {p: 1000 * took[round(p / 100 * (len(took) - 1))] for p in (50, 95, 99, 100)}
    print(f"{PEOPLE} people, {len(took)} answers, {len(faults)} errors")
    print("saving, ms: " + ", ".join(f"p{p} {ms:.0f}" for p, ms in of.items()))


if __name__ == "__main__":
    main()
