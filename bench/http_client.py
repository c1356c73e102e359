"""How fast the chat client asks, beside a bare aiohttp loop: ``python bench/http_client.py``.

A local server in a process of its own answers at once (64 connections) or after 200 ms (256).
Both clients ask it in turns. Requests a second depend on whoever else uses the machine; the
client's own processor time per request hardly does.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import aiohttp
import msgspec

from zhiyin.models import open_model
from zhiyin.record import Sampling
from zhiyin.trial import Trial, say

SERVER = Path(__file__).resolve().parent.parent / "tests" / "servers.py"
MESSAGES = (
    say("system", "Answer with the letter of one option."),
    say("user", "Which interval lies between C and G?\nA. third\nB. fourth\nC. fifth\nD. sixth"),
)
Ask = Callable[[], Awaitable[None]]


class Pace(NamedTuple):
    """Requests a second, and processor time of the client in microseconds a request."""

    rate: float
    cpu_us: float


@contextlib.contextmanager
def serving(latency_s: float) -> Iterator[str]:
    command = [sys.executable, str(SERVER), "--port", "0", "--latency", str(latency_s)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.stdin.close()


async def pace(ask: Ask, requests: int, connections: int) -> Pace:
    """Ask `requests` times from `connections` workers."""
    left = iter(range(requests))

    async def work() -> None:
        for _ in left:
            await ask()

    begun, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(work() for _ in range(connections)))
    elapsed, used = time.perf_counter() - begun, time.process_time() - cpu
    return Pace(requests / elapsed, used / requests * 1e6)


async def measure(url: str, requests: int, connections: int, rounds: int) -> None:
    model = open_model(f"{url}#scripted", timeout=60, concurrency=connections)
    sampling, trial = Sampling(0.0, 16), Trial("t", ())
    body = {
        "model": "scripted",
        "messages": [{"role": m.role, "content": m.text} for m in MESSAGES],
        "temperature": 0.0,
        "max_tokens": 16,
    }
    headers = {"Content-Type": "application/json"}
    connector = aiohttp.TCPConnector(limit=connections)
    limit = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(connector=connector, timeout=limit) as session:

        async def bare() -> None:
            data = msgspec.json.encode(body)
            async with session.post(f"{url}/chat/completions", data=data, headers=headers) as got:
                reply = msgspec.json.decode(await got.read())
            assert reply["choices"][0]["message"]["content"] == "A"

        async def ours() -> None:
            reply = await model.generate(MESSAGES, sampling, trial)
            assert reply.text == "A"

        for ask in (bare, ours):  # connections are opened before the clock runs
            await pace(ask, connections * 2, connections)
        paces = [
            (await pace(bare, requests, connections), await pace(ours, requests, connections))
            for _ in range(rounds)
        ]
    await model.close()
    for name, column in (("bare aiohttp", 0), ("zhiyin", 1)):
        rate = statistics.median(pair[column].rate for pair in paces)
        cpu = statistics.median(pair[column].cpu_us for pair in paces)
        print(f"  {name:<13}{rate:8.0f} requests/s {cpu:8.0f} us of CPU a request")
    rates = statistics.median(ours.rate / bare.rate for bare, ours in paces)
    cpus = statistics.median(ours.cpu_us / bare.cpu_us for bare, ours in paces)
    print(f"  zhiyin / bare: {rates:.2f} of the requests/s, {cpus:.2f} of the CPU time")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=6000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    for latency_s, connections in ((0.0, 64), (0.2, 256)):
        print(f"{connections} connections, answers after {latency_s * 1000:.0f} ms")
        with serving(latency_s) as url:
            asyncio.run(measure(url, chosen.requests, connections, chosen.rounds))


if __name__ == "__main__":
    main()
