"""A pool of four servers of which three fail, beside what the healthy ones can give.

``python bench/pool.py``: each server, in a process of its own, answers so many calls at once
after 200 ms. One hangs from the first call on, one answers 500 for a minute, one dies for good
after ten seconds, one is well. The baseline is arithmetic: the calls that the healthy slots can
answer in the time that the pool took. The script also asks a pool of four that are well.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from aiohttp import web

from zhiyin.models import open_model
from zhiyin.record import Sampling
from zhiyin.trial import Trial, say

KINDS = ("hangs", "ill", "dies", "well")
LATENCY_S, SLOTS = 0.2, 16
REPLY = {
    "model": "m",
    "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "A"}, "finish_reason": "stop"}
    ],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}


def serve(kind: str, until_s: float) -> None:
    """One server, until its standard input is closed or it dies."""
    begun = time.monotonic()

    async def complete(request: web.Request) -> web.Response:
        await request.read()
        if kind == "hangs":
            await asyncio.sleep(3600)
        if kind == "ill" and time.monotonic() - begun < until_s:
            return web.json_response({"error": {"message": "out of memory"}}, status=500)
        async with slots:
            await asyncio.sleep(LATENCY_S)
        return web.json_response(REPLY)

    async def models(request: web.Request) -> web.Response:
        return web.json_response({"data": []})

    async def go() -> None:
        nonlocal slots
        slots = asyncio.Semaphore(SLOTS)
        app = web.Application()
        app.router.add_post("/v1/chat/completions", complete)
        app.router.add_get("/v1/models", models)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.01)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        print(runner.addresses[0][1], flush=True)
        if kind == "dies":
            await asyncio.sleep(until_s)
            return
        await asyncio.to_thread(sys.stdin.read)

    slots: asyncio.Semaphore
    asyncio.run(go())


@contextlib.contextmanager
def serving(kind: str, until_s: float) -> Iterator[str]:
    command = [sys.executable, __file__, "--serve", kind, "--until", str(until_s)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.kill()


async def ask(pool: Any, calls: int, at_once: int) -> int:
    """How many of the calls brought a reply."""
    gate, answered = asyncio.Semaphore(at_once), 0
    messages, trial = (say("user", "?"),), Trial("t", (say("user", "?"),))

    async def one() -> None:
        nonlocal answered
        async with gate:
            reply = await pool.generate(messages, Sampling(), trial)
            answered += reply.text == "A"

    await pool.check()
    await asyncio.gather(*(one() for _ in range(calls)))
    await pool.close()
    return answered


def measure(kinds: tuple[str, ...], untils: dict[str, float], calls: int) -> None:
    at_once = SLOTS * len(kinds)
    with contextlib.ExitStack() as stack:
        urls = [stack.enter_context(serving(kind, untils.get(kind, 0))) for kind in kinds]
        pool = open_model(f"pool:{','.join(urls)}#m", timeout=600, concurrency=at_once)
        begun = time.monotonic()
        answered = asyncio.run(ask(pool, calls, at_once))
        took = time.monotonic() - begun
    healthy_s = {
        "hangs": 0.0,
        "ill": max(0.0, took - untils.get("ill", 0)),
        "dies": min(took, untils.get("dies", 0)),
        "well": took,
    }
    could = sum(healthy_s[kind] for kind in kinds) * SLOTS / LATENCY_S
    print(f"{', '.join(kinds)}: {answered:,} of {calls:,} answered in {took:.1f} s")
    print(f"  of the {could:,.0f} that healthy slots could answer: {answered / could:.3f}")
    for member in pool.describe()["members"]:
        print("  ", {key: value for key, value in member.items() if key != "base_url"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", choices=KINDS)
    parser.add_argument("--until", type=float, default=0.0)
    parser.add_argument("--calls", type=int, default=10_000)
    chosen = parser.parse_args()
    if chosen.serve:
        serve(chosen.serve, chosen.until)
        return
    measure(("well",) * 4, {}, chosen.calls // 2)
    measure(KINDS, {"ill": 60.0, "dies": 10.0}, chosen.calls)


if __name__ == "__main__":
    main()
