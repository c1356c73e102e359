"""How fast the chat client asks, beside a bare aiohttp loop: ``python bench/http_client.py``.

A local server in a process of its own answers at once (64 connections) or after 200 ms (256).
Three ask it in turns: a bare loop, our client, and the whole engine around our client (trials
made, answers read and scored, every record durable in a log). Requests a second depend on
whoever else uses the machine; the client's own processor time per request hardly does.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import aiohttp
import msgspec

from zhiyin.contract.policies import open_policy
from zhiyin.engine.folder import Manifest
from zhiyin.engine.log import RunFolder
from zhiyin.engine.runner import Limits, Runner
from zhiyin.engine.scoring import judge_choice
from zhiyin.models import open_model
from zhiyin.record import Exchange, Model, Sampling, Verdict
from zhiyin.strategies import standalone
from zhiyin.trial import Option, Trial, say

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


async def whole_engine(model: Model, requests: int, connections: int) -> Pace:
    """A run from its first trial asked to its last record durable."""
    options = tuple(Option(letter, letter.lower(), letter) for letter in "ABCD")
    trials = (Trial(str(n), MESSAGES, "", options, "A") for n in range(requests))
    policy = open_policy("robust")

    def score(trial: Trial, exchange: Exchange) -> Verdict:
        return judge_choice(trial, exchange, policy)

    with tempfile.TemporaryDirectory() as folder:
        cpu = time.process_time()
        with RunFolder(Path(folder), Manifest("bench", model.name, {}, {}, requests)) as log:
            limits = Limits(connections)
            runner = Runner(model, lambda _: standalone, score, log, Sampling(0.0, 16), limits)
            outcome = await runner.run(trials)
        used = time.process_time() - cpu
    assert outcome.count.correct == requests
    return Pace(requests / outcome.elapsed_s, used / requests * 1e6)


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
            (
                await pace(bare, requests, connections),
                await pace(ours, requests, connections),
                await whole_engine(model, requests, connections),
            )
            for _ in range(rounds)
        ]
    await model.close()
    for column, name in enumerate(("bare aiohttp", "our client", "whole engine")):
        rate = statistics.median(round_[column].rate for round_ in paces)
        cpu = statistics.median(round_[column].cpu_us for round_ in paces)
        ratio = statistics.median(round_[column].rate / round_[0].rate for round_ in paces)
        print(
            f"  {name:<13}{rate:8.0f} requests/s  ratio {ratio:.2f} {cpu:6.0f} us of CPU a request"
        )


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
