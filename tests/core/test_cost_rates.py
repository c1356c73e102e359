"""How fast may be asked: by the user's limits, and by what headers say."""

import asyncio
import time

import pytest

from paying import PayServer
from questions_help import many
from servers import ChatServer
from zhiyin.cost.budget import Pace


class Clock:
    """A time that passes only while somebody sleeps; many may sleep at once."""

    def __init__(self):
        self.now = 0.0
        self._sleepers = []

    def __call__(self):
        return self.now

    async def sleep(self, seconds):
        future = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, future))
        await future

    async def run(self, *work):
        tasks = [asyncio.create_task(one) for one in work]
        while not all(task.done() for task in tasks):
            for _ in range(10):
                await asyncio.sleep(0)
            if self._sleepers:
                self._sleepers.sort(key=lambda one: one[0])
                self.now, future = self._sleepers.pop(0)
                future.set_result(None)
        return [task.result() for task in tasks]


def paced(clock, **limits):
    return Pace(clock=clock, sleep=clock.sleep, **limits)


def begun(pace, clock, calls, tokens=10.0):
    """When each call may begin, all waiting at once."""

    async def one():
        await pace.wait(tokens)
        return clock.now

    return sorted(asyncio.run(clock.run(*(one() for _ in range(calls)))))


@pytest.mark.slow
def test_no_minute_holds_more_requests_than_it_may():
    clock = Clock()
    times = begun(paced(clock, requests=30), clock, 100)
    for start in times:
        assert sum(start <= t < start + 60 for t in times) <= 30
    assert times[-1] == pytest.approx(99 * 2)


@pytest.mark.slow
def test_what_is_said_to_be_waited_is_what_the_clock_lost():
    """Sixty-four that wait at once lose the time once: 14 s were told as 188."""
    clock = Clock()
    pace = paced(clock, requests=60)
    times = begun(pace, clock, 64)
    assert pace.waited_s == pytest.approx(times[-1]) == pytest.approx(63)

    async def later():
        await clock.sleep(100)  # nobody waits meanwhile
        await pace.wait(10.0)
        await pace.wait(10.0)

    asyncio.run(clock.run(later()))
    assert pace.waited_s == pytest.approx(64)


def test_no_minute_holds_more_tokens_than_it_may():
    clock = Clock()
    times = begun(paced(clock, tokens=600), clock, 50, tokens=100.0)
    assert times == pytest.approx([10.0 * n for n in range(50)])


def test_tokens_are_corrected_when_the_server_has_counted():
    clock = Clock()
    pace = paced(clock, tokens=600)

    async def one(actual):
        await pace.wait(100.0)
        pace.end(100.0, actual)
        return clock.now

    times = asyncio.run(clock.run(one(200.0), one(100.0)))
    assert times == pytest.approx([0.0, 20.0])


def test_so_many_as_are_left_begin_at_once():
    clock = Clock()
    pace = paced(clock)
    pace.learn({"x-ratelimit-remaining-requests": "4", "x-ratelimit-reset-requests": "20s"})
    times = begun(pace, clock, 10)
    assert times[:4] == [0.0] * 4
    assert times[4:] == pytest.approx([20.0] * 6)


def test_calls_under_way_count_against_what_is_left():
    clock = Clock()
    pace = paced(clock)
    begun(pace, clock, 5)
    # The server had seen one of the five when it wrote this.
    pace.learn({"x-ratelimit-remaining-requests": "6", "x-ratelimit-reset-requests": "20s"})
    assert begun(pace, clock, 3) == pytest.approx([0.0, 0.0, 20.0])


def test_whoever_is_told_to_wait_makes_all_wait():
    clock = Clock()
    pace = paced(clock)
    pace.hold(7.0)
    assert begun(pace, clock, 4) == pytest.approx([7.0] * 4)


# In a run.


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))


def run(data, out, spec, *flags):
    from zhiyin.cli import main

    words = ("run", "questions", "--data", data, "-m", spec, "--out", out, "--quiet", *flags)
    return main([str(word) for word in words])


def test_a_run_keeps_to_requests_a_minute(tmp_path):
    data = many(tmp_path / "q.jsonl", 44)
    with PayServer() as server:
        begun = time.monotonic()
        assert run(data, tmp_path / "run", server.spec, "--limit", 6, "--rpm", 600) == 0
        assert time.monotonic() - begun >= 0.5
        assert server.times[-1] - server.times[0] >= 0.4


@pytest.mark.slow
def test_a_run_follows_the_headers(tmp_path):
    data = many(tmp_path / "q.jsonl", 44)
    left = iter([3, 2, 1, 0, *[50] * 100])
    with PayServer(
        headers=lambda: {
            "x-ratelimit-remaining-requests": str(next(left)),
            "x-ratelimit-reset-requests": "500ms",
        }
    ) as server:
        assert run(data, tmp_path / "run", server.spec, "--limit", 6, "--concurrency", 1) == 0
        waits = [b - a for a, b in zip(server.times, server.times[1:], strict=False)]
        assert waits[3] >= 0.45
        assert sum(wait >= 0.45 for wait in waits) == 1


@pytest.mark.slow
def test_a_limit_that_is_hit_holds_all_calls(tmp_path):
    from aiohttp import web

    data = many(tmp_path / "q.jsonl", 88)
    refused, times = [], []

    def answer(call):
        times.append(time.monotonic())
        if len(times) == 3:
            refused.append(times[-1])
            return web.json_response({"error": "slow down"}, status=429,
                                     headers={"Retry-After": "1"})  # fmt: skip
        return "A"

    with ChatServer(answer, latency_s=0.05) as server:
        assert run(data, tmp_path / "run", server.spec, "--concurrency", 2) == 0
    in_the_pause = [t for t in times if refused[0] + 0.2 < t < refused[0] + 0.9]
    assert not in_the_pause
